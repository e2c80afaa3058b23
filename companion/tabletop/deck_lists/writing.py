"""The list of a deck for other programs: plain text, text like that of Arena, Cockatrice, and a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal, get_args

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.cockatrice import write_cockatrice
from companion.tabletop.deck_lists.content import fold_part
from companion.tabletop.deck_lists.list_table import write_list_table
from companion.tabletop.decks.card_line import escape_name, parse_card_line, write_card_line
from companion.tabletop.decks.card_texts import split_printings
from companion.tabletop.decks.decklist import DeckCard, format_deck_list
from companion.tabletop.decks.list_words import load_words

ListFormat = Literal["plain", "arena", "cod", "csv"]
LIST_FORMATS: Final[tuple[ListFormat, ...]] = get_args(ListFormat)
SUFFIXES: Final[Mapping[ListFormat, str]] = {"plain": ".txt", "arena": ".txt", "cod": ".cod", "csv": ".csv"}
MEDIA_TYPES: Final[Mapping[ListFormat, str]] = {
    "plain": "text/plain",
    "arena": "text/plain",
    "cod": "application/xml",
    "csv": "text/csv",
}
"""The format of each file as the web names it."""
_CODE: Final = re.compile(r"([A-Z0-9]{2,6})(?: ([\w★†-]{1,12}))?( foil)?")
_SIDE: Final = "side"


def write_list(form: ListFormat, game: str, name: str, cards: Sequence[DeckCard]) -> str:
    """Return the list of a deck in a format, which `reading.read_deck_list` reads as the same cards.

    `plain` and `csv` have all remarks. `arena` and `cod` have printings, but no other remarks.
    """
    match form:
        case "plain":
            return format_deck_list(game, cards)
        case "arena":
            return "".join(f"{line}\n" for line in _arena_lines(cards))
        case "cod":
            return write_cockatrice(name, cards, _zones(cards))
        case "csv":
            table = _Lines()
            csv.writer(table, lineterminator="\n").writerows(write_list_table(cards))
            return "".join(table.lines)


class _Lines:
    """The lines that a writer of tables writes."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)


def _is_side(part: str) -> bool:
    return fold_part(part) in {_SIDE, *map(fold_part, load_words().sections[_SIDE])}


def _zones(cards: Iterable[DeckCard]) -> dict[str, str]:
    """Return the zone of each part: `side` for a sideboard, else its own word."""
    return {part: _SIDE if _is_side(part) else part for part in dict.fromkeys(card.part for card in cards)}


def _arena_lines(cards: Sequence[DeckCard]) -> Iterator[str]:
    """Yield the lines of a list as Arena writes it: the parts below headings, printings behind names."""
    part = None
    for card in cards:
        if card.part != part:
            if part is not None:
                yield ""
            part = card.part
            yield "Sideboard" if _is_side(part) else "Deck" if part == "main" else part.replace("-", " ").title()
        for count, printing in split_printings(card.printing, card.copies):
            yield _arena_line(count, card.name, printing)


def _arena_line(copies: int, name: str, printing: str) -> str:
    """Return the line of a card with its printing, unless the line would be read otherwise with it."""
    plain = write_card_line(copies, name)
    brackets = _printing_in_brackets(printing)
    for line in (f"{plain}{brackets}", f"{copies} {escape_name(name)}{brackets}") if brackets else ():
        with suppress(NotationError):
            read = parse_card_line(line)
            if (read.copies, read.name, read.printing) == (copies, name, printing):
                return line
    return plain


def _printing_in_brackets(printing: str) -> str:
    match = _CODE.fullmatch(printing)
    if match is None or match[1].isdecimal() or (match[2] and not any(map(str.isdigit, match[2]))):
        return ""
    return f" ({match[1]}){f' {match[2]}' if match[2] else ''}{' *F*' if match[3] else ''}"
