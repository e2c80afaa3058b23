"""A deck's record sheet: everything that its marks add up to, on paper for its box.

Separate because it is a page that a person reads, and the only thing printed that tells when something happened.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from companion.archive import deck_id
from companion.games.paper import DatedMark, RecordSheet, SheetTable
from companion.games.records import Mark, Record, effective
from companion.press.decks import paper_of
from companion.press.wording import wording
from labels.page import Column, Document, PageTable


def sheet(
    deck: str, record: Record, marks: Sequence[Mark], made: Mapping[int, datetime], passport: str = ""
) -> Document:
    """The record sheet of a deck, from its record, its marks, and when they were made, by their numbers.

    Its code is the deck's `passport`, or without one just its id. Raises LabelError for a deck of a game that prints
    none.
    """
    game, _ = paper_of(record)
    told = contents(record, marks, made)
    return Document(
        title=record.name,
        subtitle=told.subtitle,
        tables=tuple(map(_table, told.tables)),
        facts=told.facts,
        code=(passport or deck_id.payload(deck), deck_id.show(deck)),
        credit=game.credit,
    )


def contents(record: Record, marks: Sequence[Mark], made: Mapping[int, datetime]) -> RecordSheet:
    """What a record sheet says, whatever it is printed on. Raises LabelError as `sheet` does."""
    game, paper = paper_of(record)
    story = game.story(tuple(marks))
    dated = [
        DatedMark(mark, f"{made[number].astimezone():%Y-%m-%d}", story[number - 1]) for number, mark in effective(marks)
    ]
    return paper.sheet(record, dated, wording(game))


def _table(table: SheetTable) -> PageTable:
    columns = tuple(Column(column.title, column.share, column.bold) for column in table.columns)
    return PageTable(table.title, columns, table.rows, table.blanks)
