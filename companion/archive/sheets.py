"""What the archive keeps of stationery: label sheets that are partly used, and how each printer misses.

Separate because neither belongs to a game; a sheet and a printer are streams of their own, like everything that lasts.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal

import msgspec

from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError

Positions = tuple[int, ...]
Outcome = Literal["printed", "spoiled", "blank"]
"""How a run came out: well; badly, so that its labels are lost; or not at all, so that they are free again."""


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A sheet came to hand, or one of this name again: of which stock, with how many labels and which of them free."""

    name: str
    stock: str
    count: int
    free: Positions


class Claimed(msgspec.Struct, frozen=True, tag="claimed"):
    """Labels were printed for these positions; nobody has said yet how they came out."""

    positions: Positions


class Settled(msgspec.Struct, frozen=True, tag="settled"):
    """Somebody said how all that was claimed came out."""

    outcome: Outcome


class GivenBack(msgspec.Struct, frozen=True, tag="given-back"):
    """These positions are free after all."""

    positions: Positions


class UsedUp(msgspec.Struct, frozen=True, tag="used-up"):
    """These positions are gone without a run that says so: peeled off, torn, printed elsewhere."""

    positions: Positions


class PutAway(msgspec.Struct, frozen=True, tag="put-away"):
    """The sheet or printer is no longer at hand."""


class Calibrated(msgspec.Struct, frozen=True, tag="calibrated"):
    """What a printer needs to hit the paper: shifts right and down in mm, and scales."""

    name: str
    dx: float
    dy: float
    sx: float
    sy: float


class SheetRow(msgspec.Struct, frozen=True):
    """A sheet in a list; `sheet` is its name as `fold` gives it. `waiting` are claimed and not settled."""

    sheet: str
    name: str
    stock: str
    count: int
    free: Positions
    waiting: Positions
    away: bool
    length: int


class PrinterRow(msgspec.Struct, frozen=True):
    """A printer in a list; `printer` is its name as `fold` gives it."""

    printer: str
    name: str
    dx: float
    dy: float
    sx: float
    sy: float
    away: bool
    length: int


_Sheet = Begun | Claimed | Settled | GivenBack | UsedUp | PutAway
_Printer = Calibrated | PutAway


def sheet_row(sheet: str, entries: Sequence[Entry]) -> SheetRow:
    """The row that a sheet's entries add up to. Raises ArchiveError where they make no sense."""
    kinds: Any = _Sheet
    events: list[_Sheet] = [entry.read(kinds) for entry in entries]
    first, *rest = events
    if not isinstance(first, Begun):
        raise ArchiveError(f"The sheet {sheet} does not begin as a sheet does.")
    row = reduce(_after, rest, _begun(sheet, first))
    return msgspec.structs.replace(row, length=len(events))


def _begun(sheet: str, begun: Begun) -> SheetRow:
    return SheetRow(sheet, begun.name, begun.stock, begun.count, begun.free, waiting=(), away=False, length=0)


def _after(row: SheetRow, event: _Sheet) -> SheetRow:
    change = msgspec.structs.replace
    match event:
        case Begun():
            return _begun(row.sheet, event)
        case Claimed(positions):
            return change(row, free=_less(row.free, positions), waiting=_and(row.waiting, positions))
        case Settled("blank"):
            return change(row, free=_and(row.free, row.waiting), waiting=())
        case Settled():
            return change(row, waiting=())
        case GivenBack(positions):
            return change(row, free=_and(row.free, positions), waiting=_less(row.waiting, positions))
        case UsedUp(positions):
            return change(row, free=_less(row.free, positions), waiting=_less(row.waiting, positions))
        case PutAway():
            return change(row, away=True)


def _and(some: Positions, more: Positions) -> Positions:
    return tuple(sorted({*some, *more}))


def _less(some: Positions, fewer: Positions) -> Positions:
    return tuple(position for position in some if position not in fewer)


def printer_row(printer: str, entries: Sequence[Entry]) -> PrinterRow:
    """The row that a printer's entries add up to: its last calibration. Raises ArchiveError where there is none."""
    kinds: Any = _Printer
    events: list[_Printer] = [entry.read(kinds) for entry in entries]
    last = next((event for event in reversed(events) if isinstance(event, Calibrated)), None)
    if last is None:
        raise ArchiveError(f"The printer {printer} does not begin as a printer does.")
    away = isinstance(events[-1], PutAway)
    return PrinterRow(printer, last.name, last.dx, last.dy, last.sx, last.sy, away, len(events))
