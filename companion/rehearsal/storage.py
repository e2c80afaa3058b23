"""Rehearsals in an archive: what was played and by whom, what came of it until now, and how two of them differ.

Whoever stops one, or whose machine dies, goes on with it later from the games that are counted, and ends with the
figures of one that was never stopped. That holds as long as the same program plays by the same rules, and nothing else
is gone on with. To compare what is kept, neither has to be as it was.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from textwrap import wrap
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive import rehearsals
from companion.archive.archive import Archive
from companion.archive.entries import RehearsalBegun, RehearsalCounted
from companion.archive.errors import ArchiveError
from companion.archive.lists import rehearsal_stream
from companion.archive.rows import RehearsalRow
from companion.games import registry
from companion.rehearsal.design import Design
from companion.rehearsal.estimate import Sums
from companion.rehearsal.kinds import WholeRehearsal, begin_rehearsal
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import WIDTH, Report, make_report, people_text, rules_text, units_text
from companion.rehearsal.run import Progress
from companion.rehearsal.search import Search
from companion.rehearsal.sweep import Sweep
from companion.rehearsal.workers import program_version
from companion.tabletop.action import RuleError
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import Figure, Rehearsal

_SECONDS: Final = 3.0
_SHARE: Final = 0.02
"""How long at most, and for how much of its time until now at least, a rehearsal goes on before it is kept again."""
_BYTES: Final = 1_500_000
"""Where one count has so many, it is kept again only after twice the time: all counts stay, and may not grow large."""


class Origin(NamedTuple):
    """By which edition of a game's rules, and by which program, something was rehearsed."""

    edition: int
    program: str


class StoredRehearsal(NamedTuple):
    """A rehearsal as it is kept."""

    row: RehearsalRow
    design: Design
    progress: Progress

    @property
    def label(self) -> str:
        """What to call it: its name, and its id."""
        return f"{self.row.name} ({self.row.rehearsal})" if self.row.name else self.row.rehearsal

    @property
    def origin(self) -> Origin:
        """By what it was played."""
        return Origin(self.row.edition, self.row.program)

    def as_run(self, games: int) -> Run:
        """What plays the rest of it, up to so many games."""
        return Run(self.row.game, self.design, self.row.seed, games, self)


class Run(NamedTuple):
    """What is to be played, up to so many games; where it goes on, what is `stored` of it."""

    game: str
    design: Design
    seed: int
    games: int
    stored: StoredRehearsal | None = None

    @property
    def progress(self) -> Progress:
        """What is there before it is played."""
        return self.stored.progress if self.stored else Progress()

    def begin(self, progress: Progress | None = None) -> WholeRehearsal | Sweep | Search:
        """The rehearsal from what there is, by default what is there before it is played. Raises NotationError."""
        return begin_rehearsal(self.design, self.rehearsal, *(progress or self.progress))

    @property
    def rehearsal(self) -> Rehearsal:
        """How its game is rehearsed. Raises NotationError for one that is not here."""
        return rehearsal_of(self.game, self.design.settings[0].homebrew)


def origin_today(game: str) -> Origin:
    """What rehearses a game now. Raises NotationError for an unknown one."""
    return Origin(registry.game(game).edition, program_version(game))


# Sums as JSON: whole numbers as they are, however large, and fractions as "1/3". This form is for ever.


def encode_sums(sums: Mapping[str, Sums]) -> dict[str, list[int | str]]:
    """Sums as they are stored, by figure: how many units, the totals of each side, and the moments. Nothing is lost."""
    return {
        key: [
            len(each.totals),
            each.units,
            *map(_encode_number, (*each.totals, *each.moments, *each.cubes)),
            *([each.changes] if each.cubes else []),
        ]
        for key, each in sums.items()
    }


def decode_sums(stored: object) -> dict[str, Sums]:
    """The same sums again. Raises ValueError where they are no such."""
    plain = msgspec.convert(stored, dict[str, list[int | str]])
    return {key: _decode_one(numbers) for key, numbers in plain.items()}


def _decode_one(numbers: list[int | str]) -> Sums:
    width, units, *rest = numbers
    values = [_decode_number(number) for number in rest]
    if not (isinstance(width, int) and isinstance(units, int)):
        raise ValueError("sums do not say how many they are")
    moments = width + width * (width + 1) // 2
    cubes = moments + 2 * width
    if len(values) not in (moments, cubes + 1):
        raise ValueError("sums have another length than they say")
    sums = Sums()
    sums.units, sums.totals, sums.moments = units, values[:width], values[width:moments]
    # Editions before the third moments stored none, nor how many units changed.
    sums.cubes, sums.changes = values[moments:cubes], int(values[cubes]) if len(values) > cubes else 0
    return sums


def _encode_number(value: int | Fraction) -> int | str:
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def _decode_number(number: int | str) -> int | Fraction:
    return number if isinstance(number, int) else Fraction(number)


# Keeping one while it is played


class Recorder:
    """Keeps a rehearsal in an archive while it is played: at its end, and before that every few seconds.

    The archive is open only meanwhile, so that processes that begin in between have nothing of it. `opening` opens it.
    """

    def __init__(self, opening: Callable[[], AbstractContextManager[Archive]], row: RehearsalRow, games: int) -> None:
        self.row, self.games = row, games
        self._opening = opening
        self._begun = self._last = time.monotonic()
        self._share = _SHARE

    def record_if_due(self, progress: Progress) -> None:
        """Keeps it where that was not done for a while. Raises ArchiveError."""
        now = time.monotonic()
        if now - self._last >= max(_SECONDS, self._share * (now - self._begun)):
            self.record(progress)

    def record(self, progress: Progress) -> None:
        """Keeps what is counted until now. Raises ArchiveError."""
        counted = RehearsalCounted(progress.units, self.games, encode_sums(progress.sums))
        self._share = max(_SHARE, len(msgspec.json.encode(counted)) / _BYTES)
        self._last = time.monotonic()
        with self._opening() as archive:
            rehearsals.count_rehearsal(archive, self.row.rehearsal, counted)

    def stored(self, design: Design, progress: Progress) -> StoredRehearsal:
        """The rehearsal as it is now."""
        row = msgspec.structs.replace(self.row, units=progress.units, games=self.games)
        return StoredRehearsal(row, design, progress)


def begin(archive: Archive, game: str, design: Design, seed: int, games: int, name: str = "") -> RehearsalRow:
    """Keeps that a rehearsal of so many games begins. Raises NameTaken, NotationError."""
    begun = RehearsalBegun(game, msgspec.to_builtins(design), seed, *origin_today(game), name)
    row = rehearsals.begin_rehearsal(archive, begun)
    rehearsals.count_rehearsal(archive, row.rehearsal, RehearsalCounted(0, games, {}))
    return row


def read(archive: Archive, text: str) -> StoredRehearsal:
    """The rehearsal of a name or id. Raises Unknown, and ArchiveError where this program cannot read it."""
    row = rehearsals.find_rehearsal(archive, text)
    counted = rehearsals.last_count(archive, row.rehearsal)
    try:
        design = read_design(row.design)
        sums = decode_sums(counted.sums) if counted else {}
    except ValueError as error:
        raise ArchiveError(f"{rehearsal_stream(row.rehearsal)} cannot be read: {error}.") from error
    return StoredRehearsal(row, design, Progress(counted.units if counted else 0, sums))


def read_design(stored: object) -> Design:
    """A design as it is stored. Raises ValueError where it is of a later program."""
    kinds: Any = Design
    design: Design = msgspec.convert(stored, kinds)
    return design


def check_same_program(stored: StoredRehearsal) -> None:
    """Raises RuleError where a rehearsal cannot go on, as other rules or another program would play the rest."""
    row, now = stored.row, origin_today(stored.row.game)
    way = f"begin it anew, and compare the two by --against {row.rehearsal}"
    if row.edition != now.edition:
        raise RuleError(
            f"{stored.label} was played by edition {row.edition} of the rules of {registry.game(row.game).title}, and "
            f"today's is edition {now.edition}; {way}."
        )
    if row.program != now.program:
        raise RuleError(f"{stored.label} was played by companion {row.program}, and this is {now.program}; {way}.")


# Comparing two


def compare(catalogue: Sequence[Figure], report: Report, origin: Origin, other: StoredRehearsal) -> Report:
    """The figures of a report beside those of a kept rehearsal of the same game, each by the rules it was played by.

    What a game of the one has in common with that of the other is not kept, so each difference is one of independent
    rehearsals. A rehearsal of several settings is compared by its first.
    """
    setting = other.design.settings[0]
    others = {
        row.key: row.estimate for row in make_report(catalogue, setting, None, other.row.seed, other.progress.sums).rows
    }
    rows = tuple(
        row._replace(other=others[row.key], difference=unpaired_difference(row.estimate, others[row.key]))
        for row in report.rows
        if row.key in others
    )
    sentences = _describe_other(report, origin, other)
    beside = tuple(line for sentence in sentences for line in wrap(sentence, WIDTH))
    return report._replace(against=setting, rows=rows, beside=beside, other=other.label)


def _describe_other(report: Report, origin: Origin, other: StoredRehearsal) -> Iterator[str]:
    setting, row = other.design.settings[0], other.row
    units = units_text(other.progress.units, setting, "rehearsed")
    yield f"Against {other.label}: {units}, {people_text(setting)}, seed {row.seed}."
    yield f"Its house rules: {rules_text(setting)}."
    if row.edition != origin.edition:
        yield f"It was played by edition {row.edition} of the rules, this by edition {origin.edition}."
    if row.program != origin.program:
        yield f"It was played by companion {row.program}, this by {origin.program}."
    yield (
        "Both have the same seed, so their games have chance in common; but that is not kept game by game, and the "
        "differences are surer than is said here. --against KEY=VALUE plays both in pairs."
        if row.seed == report.seed
        else "They have no chance in common, so the differences are not paired."
    )


def unpaired_difference(one: Estimate, other: Estimate) -> Estimate:
    """The first less the second, of independent rehearsals.

    Its interval is put together of theirs, each end of those that lead there (Newcombe's).
    """
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    return Estimate(value, low, value + math.hypot(one.high - one.value, other.value - other.low))
