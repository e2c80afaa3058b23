"""Rehearsals in an archive: their design, the program that played them, their results so far, and a comparison of two.

A rehearsal that was stopped, or whose machine crashed, resumes from the units counted so far and ends with the figures
of an uninterrupted one. That holds as long as the same program plays by the same rules; otherwise the rehearsal cannot
resume. Stored rehearsals can be compared whatever program or edition played them.
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
from companion.archive.errors import ArchiveError
from companion.archive.storage.entries import RehearsalBegun, RehearsalCounted
from companion.archive.storage.lists import rehearsal_stream
from companion.archive.storage.rows import RehearsalRow
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
from templates.languages.messages import Message, phrase

_SECONDS: Final = 3.0
_SHARE: Final = 0.02
"""The seconds, and the share of the time so far, that must pass before a running rehearsal is stored again."""
_BYTES: Final = 1_500_000
"""Bytes of a count that is stored again only once the running time has doubled; smaller ones are stored sooner in
proportion. All counts stay in the archive, so their total size must stay small.
"""


class Origin(NamedTuple):
    """The edition of the rules and the version of the program by which a rehearsal was played."""

    edition: int
    program: str


class StoredRehearsal(NamedTuple):
    """A rehearsal as it is stored."""

    row: RehearsalRow
    design: Design
    progress: Progress

    @property
    def label(self) -> str:
        """The name and id of the rehearsal, or its id alone."""
        return f"{self.row.name} ({self.row.rehearsal})" if self.row.name else self.row.rehearsal

    @property
    def origin(self) -> Origin:
        """The edition and the program that played it."""
        return Origin(self.row.edition, self.row.program)

    def as_run(self, games: int) -> Run:
        """Return the run that plays the rest of it, up to `games` games."""
        return Run(self.row.game, self.design, self.row.seed, games, self)


class Run(NamedTuple):
    """A rehearsal to be played, up to `games` games; if it resumes a stored one, that is `stored`."""

    game: str
    design: Design
    seed: int
    games: int
    stored: StoredRehearsal | None = None

    @property
    def progress(self) -> Progress:
        """The progress before the run is played."""
        return self.stored.progress if self.stored else Progress()

    def begin(self, progress: Progress | None = None) -> WholeRehearsal | Sweep | Search:
        """Begin the rehearsal from `progress`, by default from the progress before this run. Raises NotationError."""
        return begin_rehearsal(self.design, self.rehearsal, *(progress or self.progress))

    @property
    def rehearsal(self) -> Rehearsal:
        """The game's rules for being rehearsed. Raises NotationError for an unknown game."""
        return rehearsal_of(self.game, self.design.settings[0].homebrew)


def origin_today(game: str) -> Origin:
    """Return the edition and program that would rehearse a game now. Raises NotationError for an unknown game."""
    return Origin(registry.game(game).edition, program_version(game))


# Sums as JSON: integers as they are, however large, and fractions as "1/3". This format never changes.


def encode_sums(sums: Mapping[str, Sums]) -> dict[str, list[int | str]]:
    """Return sums in stored form without loss, by figure: numbers of sides and units, totals, moments and cubes."""
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
    """Decode stored sums. Raises ValueError if they are malformed."""
    plain = msgspec.convert(stored, dict[str, list[int | str]])
    return {key: _decode_one(numbers) for key, numbers in plain.items()}


def _decode_one(numbers: list[int | str]) -> Sums:
    width, units, *rest = numbers
    values = [number if isinstance(number, int) else Fraction(number) for number in rest]
    if not (isinstance(width, int) and isinstance(units, int)):
        raise ValueError("sums do not say how many they are")
    moments = width + width * (width + 1) // 2
    cubes = moments + 2 * width
    if len(values) not in (moments, cubes + 1):
        raise ValueError("sums have another length than they say")
    sums = Sums()
    sums.units, sums.totals, sums.moments = units, values[:width], values[width:moments]
    # Editions before the third moments stored neither these nor the number of units that changed.
    sums.cubes, sums.changes = values[moments:cubes], int(values[cubes]) if len(values) > cubes else 0
    return sums


def _encode_number(value: int | Fraction) -> int | str:
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


# Storing a rehearsal while it is played


class Recorder:
    """A writer that stores a rehearsal in an archive while it is played: every few seconds, and at its end.

    The archive is open only while it is written to, so that processes started in between do not inherit it. `opening`
    opens it.
    """

    def __init__(self, opening: Callable[[], AbstractContextManager[Archive]], row: RehearsalRow, games: int) -> None:
        self.row, self.games = row, games
        self._opening = opening
        self._begun = self._last = time.monotonic()
        self._share = _SHARE

    def record_if_due(self, progress: Progress) -> None:
        """Store the progress if the last time was long enough ago. Raises ArchiveError."""
        now = time.monotonic()
        if now - self._last >= max(_SECONDS, self._share * (now - self._begun)):
            self.record(progress)

    def record(self, progress: Progress) -> None:
        """Store the counts so far. Raises ArchiveError."""
        counted = RehearsalCounted(progress.units, self.games, encode_sums(progress.sums))
        self._share = max(_SHARE, len(msgspec.json.encode(counted)) / _BYTES)
        self._last = time.monotonic()
        with self._opening() as archive:
            rehearsals.count_rehearsal(archive, self.row.rehearsal, counted)

    def current_rehearsal(self, design: Design, progress: Progress) -> StoredRehearsal:
        """Return the rehearsal as it is stored now."""
        row = msgspec.structs.replace(self.row, units=progress.units, games=self.games)
        return StoredRehearsal(row, design, progress)


def begin(archive: Archive, game: str, design: Design, seed: int, games: int, name: str = "") -> RehearsalRow:
    """Store that a rehearsal of `games` games begins. Raises NameTaken, NotationError."""
    begun = RehearsalBegun(game, msgspec.to_builtins(design), seed, *origin_today(game), name)
    row = rehearsals.begin_rehearsal(archive, begun)
    rehearsals.count_rehearsal(archive, row.rehearsal, RehearsalCounted(0, games, {}))
    return row


def read(archive: Archive, text: str) -> StoredRehearsal:
    """Return the rehearsal with a name or id. Raises Unknown, or ArchiveError if this program cannot read it."""
    row = rehearsals.find_rehearsal(archive, text)
    counted = rehearsals.last_count(archive, row.rehearsal)
    try:
        design = read_design(row.design)
        sums = decode_sums(counted.sums) if counted else {}
    except ValueError as error:
        stream = rehearsal_stream(row.rehearsal)
        raise ArchiveError(phrase("{stream} cannot be read: {problem}.", stream=stream, problem=error)) from error
    return StoredRehearsal(row, design, Progress(counted.units if counted else 0, sums))


def read_design(stored: object) -> Design:
    """Decode a stored design. Raises ValueError if a later program wrote it."""
    kinds: Any = Design
    design: Design = msgspec.convert(stored, kinds)
    return design


def check_same_program(stored: StoredRehearsal) -> None:
    """Raise RuleError if a rehearsal cannot resume because other rules or another program would play the rest."""
    row, now = stored.row, origin_today(stored.row.game)
    if row.edition != now.edition:
        raise RuleError(
            phrase(
                "{rehearsal} was played by edition {edition} of the rules of {game}, and the current "
                "one is edition {today}; begin a new rehearsal, and compare the two with --against "
                "{id}.",
                rehearsal=stored.label,
                edition=str(row.edition),
                game=registry.game(row.game).title,
                today=str(now.edition),
                id=row.rehearsal,
            )
        )
    if row.program != now.program:
        raise RuleError(
            phrase(
                "{rehearsal} was played by companion {program}, and this is {today}; begin a new "
                "rehearsal, and compare the two with --against {id}.",
                rehearsal=stored.label,
                program=row.program,
                today=now.program,
                id=row.rehearsal,
            )
        )


# Comparing two rehearsals


def compare(catalogue: Sequence[Figure], report: Report, origin: Origin, other: StoredRehearsal) -> Report:
    """Return a report with the figures of a stored rehearsal of the same game beside its own.

    Each rehearsal keeps the rules it was played by. Which chance two games have in common is not stored, so the
    differences are those of independent rehearsals. A rehearsal of several settings is compared by its first setting.
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
    beside = tuple(line for sentence in sentences for line in wrap(str(sentence), WIDTH))
    return report._replace(against=setting, rows=rows, beside=beside, other=other.label)


def _describe_other(report: Report, origin: Origin, other: StoredRehearsal) -> Iterator[Message]:
    setting, row = other.design.settings[0], other.row
    units = units_text(other.progress.units, setting, "rehearsed")
    # Translators: {units} is “1,000 rehearsed”, {people} is “3 players (greedy)”.
    yield phrase(
        "Against {rehearsal}: {units}, {people}, seed {seed}.",
        rehearsal=other.label,
        units=units,
        people=people_text(setting),
        seed=str(row.seed),
    )
    yield phrase("Its house rules: {rules}.", rules=rules_text(setting))
    if row.edition != origin.edition:
        yield phrase(
            "It was played by edition {edition} of the rules, this by edition {own_edition}.",
            edition=str(row.edition),
            own_edition=str(origin.edition),
        )
    if row.program != origin.program:
        yield phrase(
            "It was played by companion {program}, this by {own_program}.",
            program=row.program,
            own_program=origin.program,
        )
    yield (
        phrase(
            "Both have the same seed, so their games share chance; but that is not kept game by "
            "game, so the differences are more certain than shown here. A rehearsal that compares "
            "two house rules plays both in pairs."
        )
        if row.seed == report.seed
        else phrase("They have no chance in common, so the differences are not paired.")
    )


def unpaired_difference(one: Estimate, other: Estimate) -> Estimate:
    """Return the first estimate less the second, of independent rehearsals.

    Its interval combines the ends of theirs, each with the opposite end of the other (Newcombe's method).
    """
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    return Estimate(value, low, value + math.hypot(one.high - one.value, other.value - other.low))
