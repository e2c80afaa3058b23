"""Deck lists as tables: CSV and TSV with the heads of Delver, Dragon Shield, TCGplayer, Moxfield and others."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.cockatrice import parse_copies
from companion.tabletop.deck_lists.content import ReadList, SectionDesk, UnreadLine, unify_spellings
from companion.tabletop.decks.card_texts import (
    LiteralText,
    clean_printing,
    split_printings,
    split_remarks,
    write_literally,
)
from companion.tabletop.decks.decklist import DeckCard, ListedCard
from companion.tabletop.decks.list_words import fold_heading, load_words
from companion.tabletop.text import as_line, as_name, sanitize
from templates.languages.messages import phrase

_DELIMITERS: Final = ",;\t|"
_NAME: Final = phrase("The name of a card")
_CELL: Final = phrase("A cell")
_NOTHING: Final = frozenset({"", "no", "none", "false", "0", "normal", "nonfoil", "non-foil", "regular", "nein", "n"})
_YES: Final = frozenset({"yes", "y", "true", "1", "ja", "x"})
_SIDEBOARDED: Final = ("sideboarded", "sideboard")
_MIN_ROWS: Final = 2

HEADS: Final = ("Section", "Count", "Name", "Edition", "Collector Number", "Foil", "Remarks")
"""The heads of the table that is written."""


class _Columns(NamedTuple):
    """The delimiter of a table, the line of its heads (0 for none), and the column of each meaning."""

    delimiter: str
    line: int
    columns: Mapping[str, int]
    section_head: str = ""
    has_two_counts: bool = False


def is_table(text: str) -> bool:
    """Return True if a text is a table of cards."""
    return _find_columns(text) is not None


def read_list_table(text: str, parts: Iterable[str]) -> ReadList:
    """Read a table of cards. Raises NotationError if its rows cannot be told apart, or it has no names."""
    table = _find_columns(text)
    if table is None:
        raise NotationError(phrase("The table has no column for the names of cards."))
    if "count" not in table.columns or table.has_two_counts:
        raise NotationError(
            phrase("Which column has the numbers of copies? Call it {count}, and no other one.", count="Count")
        )
    reader = _Rows(table, parts)
    try:
        for line, row in _read_rows(text, table.delimiter):
            if line > table.line and any(cell.strip() for cell in row):
                reader.add(line, row)
    except csv.Error as error:
        raise NotationError(phrase("This table cannot be read: {problem}.", problem=str(error))) from None
    unify_spellings(reader.desk.sections)
    return ReadList(reader.desk.sections, tuple(reader.unread))


def _read_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table, each with the number of its first line."""
    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    line = 1
    for row in rows:
        yield line, row
        line = rows.line_num + 1


def _find_columns(text: str) -> _Columns | None:
    """Return the columns of a table: by its heads, or in two columns by their contents; None for other texts."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip("\ufeff \t")][:2]
    if lines and fold_heading(lines[0][1].strip('"')).startswith("sep"):
        lines = lines[1:]
    if not lines:
        return None
    number, first = lines[0]
    for delimiter in _DELIMITERS:
        if delimiter in first and (columns := _read_heads(number, first, delimiter)):
            return columns
    return _without_heads(text)


def _read_heads(number: int, line: str, delimiter: str) -> _Columns | None:
    """Return the columns that the heads in a line name; None if they are no heads of a list."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return None
    heads = [" ".join(cell.replace("\ufeff", "").split()).casefold() for cell in cells]
    columns: dict[str, int] = {}
    words: dict[str, list[str]] = {}
    for meaning, usual in load_words().columns.items():
        if words_here := [word for word in usual if word in heads]:
            words[meaning] = words_here
            columns[meaning] = heads.index(words_here[0])
    others = len([head for head in heads if head])
    if "name" not in columns or ("count" not in columns and others < _MIN_ROWS):
        return None
    if any(head.isdecimal() for head in heads):
        return None
    has_two = sum(heads.count(word) for word in words.get("count", ())) > 1
    return _Columns(delimiter, number, columns, words.get("section", [""])[0], has_two)


def _without_heads(text: str) -> _Columns | None:
    """Return the columns of a table of two columns without heads, one with numbers in every row."""
    for delimiter in _DELIMITERS[:3]:
        try:
            rows = [row for _, row in _read_rows(text, delimiter) if any(cell.strip() for cell in row)]
        except csv.Error:
            continue
        if len(rows) < _MIN_ROWS or any(len(row) != 2 for row in rows):
            continue
        for count, name in ((0, 1), (1, 0)):
            if all(row[count].strip().isdecimal() and not row[name].strip().isdecimal() for row in rows):
                return _Columns(delimiter, 0, {"count": count, "name": name})
    return None


class _Rows:
    """A reader of the rows of a table."""

    def __init__(self, table: _Columns, parts: Iterable[str]) -> None:
        self.desk = SectionDesk(parts)
        self.unread: list[UnreadLine] = []
        self._table = table

    def add(self, line: int, row: Sequence[str]) -> None:
        """Add the card of a row."""
        try:
            card = self._read(line, row)
        except NotationError as error:
            text = sanitize(" ".join(self._table.delimiter.join(row).split()))
            self.unread.append(UnreadLine(line, text, error.sentence))
            return
        self.desk.titled(self._section(row), line).cards.append(card)

    def _read(self, line: int, row: Sequence[str]) -> ListedCard:
        name = as_name(self._cell(row, "name"), _NAME)
        if not name:
            raise NotationError(phrase("a name is missing"))
        count = parse_copies(self._cell(row, "count"), name)
        foil = self._cell(row, "foil").strip()
        code, number = (as_name(self._cell(row, meaning), _CELL) for meaning in ("set", "number"))
        foil = (
            "" if foil.casefold() in _NOTHING else "foil" if foil.casefold() in _YES else as_name(foil.lower(), _CELL)
        )
        literal = LiteralText(as_line(self._cell(row, "remarks"), _CELL))
        own, printing = split_remarks(literal.show(part.strip()) for part in literal.text.split("|") if part.strip())
        printing = clean_printing(printing) or clean_printing(" ".join(filter(None, (code, number, foil))))
        return ListedCard(line, count, name, own, printing)

    def _cell(self, row: Sequence[str], meaning: str) -> str:
        column = self._table.columns.get(meaning)
        return row[column] if column is not None and column < len(row) else ""

    def _section(self, row: Sequence[str]) -> str:
        cell = " ".join(self._cell(row, "section").split())
        if self._table.section_head in _SIDEBOARDED:
            return "Sideboard" if cell.casefold() in _YES else ""
        return cell


def write_list_table(cards: Iterable[DeckCard]) -> Iterator[list[str]]:
    """Yield the rows of a table of cards, its heads first."""
    yield list(HEADS)
    for card in cards:
        own, _ = split_remarks(card.says)
        for count, printing in split_printings(card.printing, card.copies):
            yield [card.part, str(count), card.name, *_split_printing(printing), " | ".join(map(write_literally, own))]


def _split_printing(printing: str) -> tuple[str, str, str]:
    """Return the edition, the number and the foil of a printing; a name of several words is all edition."""
    words = printing.split(" ")
    foil = words.pop() if len(words) > 1 and words[-1] == "foil" else ""
    if len(words) == 2 and words[0].isupper() and any(map(str.isdigit, words[1])):
        return words[0], words[1], foil
    return " ".join(words), "", foil
