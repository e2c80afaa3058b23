"""Label sheets and printers at hand. Each function that writes is one durable transaction."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from companion.archive.archive import Archive
from companion.archive.errors import NameTaken, Unknown
from companion.archive.storage.entries import (
    ClaimsSettled,
    Outcome,
    PositionsClaimed,
    PositionsReturned,
    PositionsUsed,
    PrinterCalibrated,
    PutAway,
    SheetBegun,
    drafts,
)
from companion.archive.storage.lists import fold
from companion.archive.storage.rows import Positions, PrinterRow, SheetRow
from companion.tabletop.text import as_name, in_quotes, visible_form
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import phrase

R = TypeVar("R", SheetRow, PrinterRow)


def sheets(archive: Archive) -> tuple[SheetRow, ...]:
    """Return the sheets at hand, by name."""
    with archive.store.reading() as transaction:
        rows = transaction.rows(SheetRow)
    return tuple(sorted((row for row in rows if not row.away), key=lambda row: alphabetical_key(row.name)))


def list_waiting_sheets(archive: Archive) -> tuple[SheetRow, ...]:
    """Return the sheets with labels of which nobody has said how they came out, full ones among them."""
    return tuple(row for row in sheets(archive) if row.waiting)


def last_begun_sheet(archive: Archive) -> SheetRow | None:
    """Return the most recently used of the partly used sheets at hand, or None."""
    begun = [row for row in sheets(archive) if 0 < len(row.free) < row.count]
    return max(begun, key=lambda row: archive.entries(f"sheet:{row.sheet}")[-1].at, default=None)


def find_sheet(archive: Archive, name: str) -> SheetRow:
    """Return the sheet at hand of this name, in any case. Raises Unknown."""
    with archive.store.reading() as transaction:
        row = transaction.row(SheetRow, fold(name))
    if row is None or row.away:
        raise Unknown(phrase("No sheet is called {name}.", name=in_quotes(name)), "sheets")
    return row


def begin_sheet(archive: Archive, name: str, stock: str, count: int, free: Positions) -> None:
    """Add a sheet of `count` labels under a name. Raises NameTaken if a sheet at hand has that name."""
    name = as_name(name)
    key = fold(name)
    with archive.store.writing() as transaction:
        row = transaction.row(SheetRow, key)
        other = _alike(name, transaction.rows(SheetRow))
        if other is not None:
            raise NameTaken(
                phrase(
                    "There is a sheet called {other} already; put it away first, or choose another name.",
                    other=other.name,
                )
            )
        length = row.length if row else 0
        archive._append(transaction, f"sheet:{key}", length, drafts([SheetBegun(name, stock, count, free)]))


def _alike(name: str, rows: Iterable[R]) -> R | None:
    """Return the sheet or printer at hand whose name looks the same as this one."""
    return next((row for row in rows if not row.away and visible_form(row.name) == visible_form(name)), None)


def claim(archive: Archive, taken: Mapping[str, Positions]) -> None:
    """Record that labels were printed for positions of sheets, by sheet: for all sheets, or none.

    Raises Unknown for a sheet that is not at hand, or a position that is no longer free.
    """
    with archive.store.writing() as transaction:
        for name, positions in taken.items():
            row = transaction.row(SheetRow, fold(name))
            if row is None or row.away or not set(positions) <= set(row.free):
                raise Unknown(phrase("The sheet {name} has changed meanwhile; print again.", name=in_quotes(name)))
            archive._append(transaction, f"sheet:{row.sheet}", row.length, drafts([PositionsClaimed(positions)]))


def settle(archive: Archive, names: Sequence[str], outcome: Outcome) -> None:
    """Record the outcome of all claimed positions of these sheets. Raises Unknown."""
    rows = [find_sheet(archive, name) for name in names]
    with archive.store.writing() as transaction:
        for row in rows:
            if row.waiting:
                archive._append(transaction, f"sheet:{row.sheet}", row.length, drafts([ClaimsSettled(outcome)]))


def give_back(archive: Archive, name: str, positions: Positions) -> SheetRow:
    """Free positions again; return the sheet as it is then. Raises Unknown."""
    return _append(archive, find_sheet(archive, name), PositionsReturned(positions))


def use_up(archive: Archive, name: str, positions: Positions) -> SheetRow:
    """Mark positions as used without a recorded run; return the sheet as it is then. Raises Unknown."""
    return _append(archive, find_sheet(archive, name), PositionsUsed(positions))


def put_away(archive: Archive, name: str) -> None:
    """Put a sheet away; its name is free for another. Raises Unknown."""
    _append(archive, find_sheet(archive, name), PutAway())


def _append(archive: Archive, row: SheetRow, event: msgspec.Struct) -> SheetRow:
    archive.append(f"sheet:{row.sheet}", row.length, drafts([event]))
    with archive.store.reading() as transaction:
        return transaction.row(SheetRow, row.sheet) or row


def printers(archive: Archive) -> tuple[PrinterRow, ...]:
    """Return the printers that have a calibration, by name."""
    with archive.store.reading() as transaction:
        rows = transaction.rows(PrinterRow)
    return tuple(sorted((row for row in rows if not row.away), key=lambda row: alphabetical_key(row.name)))


def find_printer(archive: Archive, name: str) -> PrinterRow:
    """Return the printer of this name, in any case. Raises Unknown."""
    with archive.store.reading() as transaction:
        row = transaction.row(PrinterRow, fold(name))
    if row is None or row.away:
        raise Unknown(phrase("No printer is called {name}.", name=in_quotes(name)), "printers")
    return row


def calibrate(archive: Archive, name: str, dx: float, dy: float, sx: float, sy: float) -> None:
    """Store the calibration of a printer in place of an earlier one; shifts in mm.

    Raises NameTaken if another printer's name looks the same.
    """
    name = as_name(name)
    stream = f"printer:{fold(name)}"
    with archive.store.writing() as transaction:
        other = _alike(name, transaction.rows(PrinterRow))
        if other is not None and other.printer != fold(name):
            raise NameTaken(
                phrase(
                    "There is a printer called {other} already, spelled differently; choose another name.",
                    other=other.name,
                )
            )
        entry = drafts([PrinterCalibrated(name, dx, dy, sx, sy)])
        archive._append(transaction, stream, transaction.length(stream), entry)


def forget_printer(archive: Archive, name: str) -> None:
    """Put a printer away. Raises Unknown."""
    row = find_printer(archive, name)
    archive.append(f"printer:{row.printer}", row.length, drafts([PutAway()]))
