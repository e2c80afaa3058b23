"""What is printed for decks: labels for cards and boxes, what an evening added, record sheets, the same as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.archive import deck_id
from companion.games import registry
from companion.printing import wording as templates
from companion.printing.wording import draw_label, wording
from companion.tabletop.action import NotationError
from companion.tabletop.paper import DatedMark, Paper, RecordSheet, SheetTable
from companion.tabletop.records import Mark, Record, effective
from labels.designs import BoxLabel, CountLabel
from labels.errors import LabelError
from labels.page import Column, Document, PageTable
from labels.sheet import Label

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.tabletop.game import Game


SAMPLE_CODE = (deck_id.show("0" * 13), deck_id.payload("0" * 13))
"""An id in print and as a code, for a label of a deck that is not there yet."""


class DueLabels(NamedTuple):
    """What an evening calls for on one deck: labels for its cards, and one for its box if its figure changed."""

    row: DeckRow
    cards: tuple[Label, ...]
    box: tuple[Label, ...]

    @property
    def labels(self) -> tuple[Label, ...]:
        """All of them."""
        return (*self.cards, *self.box)


def paper_of(record: Record) -> tuple[Game, Paper]:
    """What a deck's game prints of it. Raises LabelError where that is nothing."""
    game = registry.game(record.game)
    if game.paper is None:
        titles = templates.join_titles([other.title for other in registry.all_games() if other.paper])
        raise LabelError(f"{record.name} is a deck of {record.game}; labels for cards are known for {titles} only.")
    return game, game.paper


def borne(record: Record) -> tuple[Label, ...]:
    """All labels that a deck's cards bear today. Raises LabelError for a deck of a game that prints none."""
    game, paper = paper_of(record)
    return tuple(map(draw_label, paper.borne(record, wording(game))))


def newest(record: Record, marks: Sequence[Mark]) -> tuple[Label, ...]:
    """The labels that came with a deck's present list, from all its marks; none where it has only had one.

    Raises LabelError as `borne` does.
    """
    game, paper = paper_of(record)
    if game.keeping is None or not game.keeping.lists(marks):
        return ()
    return tuple(map(draw_label, paper.written(marks, wording(game))))


def evening(archive: Archive, marks: Mapping[str, tuple[Mark, ...]]) -> tuple[DueLabels, ...]:
    """For each deck of a sealed game the labels that its marks call for."""
    return tuple(_due(archive.find_deck(deck), deck_marks) for deck, deck_marks in marks.items())


def _due(row: DeckRow, marks: tuple[Mark, ...]) -> DueLabels:
    game = registry.game(row.game)
    paper = game.paper or Paper()
    cards = tuple(map(draw_label, paper.written(marks, wording(game))))
    return DueLabels(row, cards, (count(row),) if paper.outdates_box(marks) else ())


def credit(games: Iterable[str]) -> str:
    """Whose content is printed, by the names of the games whose words it is."""
    return " ".join(dict.fromkeys(registry.game(name).credit for name in games))


def boxes(rows: Iterable[DeckRow], address: str = "") -> tuple[BoxLabel, ...]:
    """A box label for each deck, in their order: QR code, name, how far it has come, id.

    The code holds the bare id, or behind an `address` of one's own.
    """
    return tuple(box(row, address) for row in rows)


def box(row: DeckRow, address: str = "") -> BoxLabel:
    """A deck's box label."""
    note = _paper(row.game).box_note(row.figures, row.retired)
    return BoxLabel(row.name, deck_id.show(row.deck), deck_id.payload(row.deck, address), (note,) if note else ())


def _paper(game: str) -> Paper:
    """What a game prints; of one that cannot be loaded any more what every game does."""
    try:
        return registry.game(game).paper or Paper()
    except NotationError:
        return Paper()


def count(row: DeckRow, address: str = "") -> CountLabel | BoxLabel:
    """The label that brings a deck's box up to date: one of its figures, large, or the whole label where more counts.

    Raises LabelError for a deck without figures.
    """
    if not row.figures:
        raise LabelError(f"{row.name} is a deck of {row.game}, which counts nothing that a box could show.")
    figure = _paper(row.game).box_figure(row.figures)
    if figure is None:
        return box(row, address)
    code = deck_id.payload(row.deck, address)
    return CountLabel(row.name, figure.title, figure.value, deck_id.show(row.deck), code)


def sheet(
    deck: str, record: Record, marks: Sequence[Mark], dates: Mapping[int, datetime], passport: str = ""
) -> Document:
    """The record sheet of a deck, from its record, its marks, and when they were made, by their numbers.

    Its code is the deck's `passport`, or without one just its id. Raises LabelError for a deck of a game that prints
    none.
    """
    game, _ = paper_of(record)
    record_sheet = contents(record, marks, dates)
    return Document(
        title=record.name,
        subtitle=record_sheet.subtitle,
        tables=tuple(map(_table, record_sheet.tables)),
        facts=record_sheet.facts,
        code=(passport or deck_id.payload(deck), deck_id.show(deck)),
        credit=game.credit,
    )


def contents(record: Record, marks: Sequence[Mark], dates: Mapping[int, datetime]) -> RecordSheet:
    """What a record sheet says, whatever it is printed on. Raises LabelError as `sheet` does."""
    game, paper = paper_of(record)
    story = game.story(tuple(marks))
    dated = [
        DatedMark(mark, f"{dates[number].astimezone():%Y-%m-%d}", story[number - 1])
        for number, mark in effective(marks)
    ]
    return paper.sheet(record, dated, wording(game))


def _table(table: SheetTable) -> PageTable:
    columns = tuple(Column(column.title, column.share, column.bold) for column in table.columns)
    return PageTable(table.title, columns, table.rows, table.blanks)


def text(deck: str, record: Record, marks: Sequence[Mark], dates: Mapping[int, datetime]) -> str:
    """Everything that the record sheet tells, a line a thing. Raises LabelError for a deck of a game that has none."""
    game, _ = paper_of(record)
    record_sheet = contents(record, marks, dates)
    lines = [record.name, f"{game.title} · {deck_id.show(deck)}", record_sheet.subtitle]
    lines += [f"{name[:1].upper()}{name[1:]}: {value}" for name, value in record_sheet.facts]
    for table in record_sheet.tables:
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
