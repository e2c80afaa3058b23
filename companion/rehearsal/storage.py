"""Rehearsals in an archive: what was played and by whom, what came of it until now, and how two of them differ.

Whoever stops one, or whose machine dies, goes on with it later from the games that are counted, and ends with the
figures of one that was never stopped. That holds as long as the same program plays by the same rules, and nothing else
is gone on with. To compare what is kept, neither has to be as it was.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive import rehearsals
from companion.archive.archive import Archive
from companion.archive.entries import RehearsalBegun, RehearsalCounted
from companion.archive.errors import ArchiveError
from companion.archive.lists import RehearsalRow, rehearsal_stream
from companion.games import registry
from companion.rehearsal.design import Design
from companion.rehearsal.estimate import Sums, merge
from companion.rehearsal.workers import program_version
from companion.tabletop.action import RuleError
from companion.tabletop.estimate import Estimate

Figures = Mapping[str, Sums]

_SECONDS: Final = 3.0
_SHARE: Final = 0.02
"""How long at most, and for how much of its time until now at least, a rehearsal goes on before it is kept again."""
_BYTES: Final = 1_500_000
"""So much of it at once, and it is kept half as often as it goes on: what is kept stays, and must not become much."""


class Progress(NamedTuple):
    """What the games numbered from 0 to before `units` add up to."""

    units: int = 0
    sums: Figures = {}

    def add(self, units: int, batch: Figures) -> Progress:
        """With so many games more."""
        return Progress(self.units + units, merge((self.sums, batch)))


class StoredRehearsal(NamedTuple):
    """A rehearsal as it is kept."""

    row: RehearsalRow
    design: Design
    progress: Progress

    @property
    def label(self) -> str:
        """What to call it: its name, and its id."""
        return f"{self.row.name} ({self.row.rehearsal})" if self.row.name else self.row.rehearsal


# Sums as JSON: whole numbers as they are, however large, and fractions as "1/3". This form is for ever.


def encode_sums(sums: Figures) -> dict[str, list[int | str]]:
    """Sums as they are stored, by figure: how many units, the totals of each side, and the moments. Nothing is lost."""
    return {
        key: [len(each.totals), each.units, *map(_encode_number, (*each.totals, *each.moments))]
        for key, each in sums.items()
    }


def decode_sums(stored: object) -> dict[str, Sums]:
    """The same sums again. Raises ValueError where they are no such."""
    plain = msgspec.convert(stored, dict[str, list[int | str]])
    return {key: _decode_one(numbers) for key, numbers in plain.items()}


def _decode_one(numbers: list[int | str]) -> Sums:
    width, units, *rest = numbers
    values = [_decode_number(number) for number in rest]
    if not (isinstance(width, int) and isinstance(units, int) and len(values) == width + width * (width + 1) // 2):
        raise ValueError("sums have another length than they say")
    sums = Sums()
    sums.units, sums.totals, sums.moments = units, values[:width], values[width:]
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


def begin(archive: Archive, game: str, design: Design, seed: int, games: int, name: str = "") -> RehearsalRow:
    """Keeps that a rehearsal of so many games begins. Raises NameTaken, NotationError."""
    begun = RehearsalBegun(
        game, msgspec.to_builtins(design), seed, registry.game(game).edition, program_version(game), name
    )
    row = rehearsals.begin_rehearsal(archive, begun)
    rehearsals.count_rehearsal(archive, row.rehearsal, RehearsalCounted(0, games, {}))
    return row


def read(archive: Archive, text: str) -> StoredRehearsal:
    """The rehearsal of a name or id. Raises Unknown, and ArchiveError where this program cannot read it."""
    row = rehearsals.find_rehearsal(archive, text)
    counted = rehearsals.last_count(archive, row.rehearsal)
    kinds: Any = Design
    try:
        design: Design = msgspec.convert(row.design, kinds)
        sums = decode_sums(counted.sums) if counted else {}
    except ValueError as error:
        raise ArchiveError(f"{rehearsal_stream(row.rehearsal)} cannot be read: {error}.") from error
    return StoredRehearsal(row, design, Progress(counted.units if counted else 0, sums))


def check_same_program(stored: StoredRehearsal) -> None:
    """Raises RuleError where a rehearsal cannot go on, as other rules or another program would play the rest."""
    row = stored.row
    game = registry.game(row.game)
    way = f"begin it anew, and compare the two by --against {row.rehearsal}"
    if row.edition != game.edition:
        raise RuleError(
            f"{stored.label} was played by edition {row.edition} of the rules of {game.title}, and today's is edition "
            f"{game.edition}; {way}."
        )
    if row.program != (own := program_version(row.game)):
        raise RuleError(f"{stored.label} was played by companion {row.program}, and this is {own}; {way}.")


# Comparing two


def unpaired_difference(one: Estimate, other: Estimate) -> Estimate:
    """The first less the second, of games that have no chance in common, or of which that is not kept.

    Its interval is put together of theirs, each end of those that lead there (Newcombe's; for shares by Wilson).
    """
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    return Estimate(value, low, value + math.hypot(one.high - one.value, other.value - other.low))
