"""A deck's record sheet as plain text, to paste into a letter, a forum or a chat.

Separate from the sheet because there is no page: no columns, no code, no room to go on by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from companion.archive import deck_id
from companion.games.paper import SheetTable
from companion.games.records import Mark, Record
from companion.press.decks import paper_of
from companion.press.record import contents


def text(deck: str, record: Record, marks: Sequence[Mark], made: Mapping[int, datetime]) -> str:
    """Everything that the record sheet tells, a line a thing. Raises LabelError for a deck of a game that has none."""
    game, _ = paper_of(record)
    told = contents(record, marks, made)
    lines = [record.name, f"{game.title} · {deck_id.show(deck)}", told.subtitle]
    lines += [f"{name[:1].upper()}{name[1:]}: {value}" for name, value in told.facts]
    for table in told.tables:
        lines += _rows(table)
    return "\n".join(lines)


def _rows(table: SheetTable) -> Iterator[str]:
    """A table as a list; nothing where it has no rows."""
    if table.rows:
        yield ""
        yield table.title
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        yield f"- {' · '.join(_cell(column.title, cell, named=column.bold) for column, cell in cells if cell)}"


def _cell(title: str, cell: str, *, named: bool) -> str:
    """What tells the row from others stands for itself; any other figure says what it is."""
    return cell if named else f"{title.partition(':')[0]} {cell}"
