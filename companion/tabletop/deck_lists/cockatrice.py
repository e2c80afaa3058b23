"""Deck lists as Cockatrice stores them: XML in files that end in `.cod`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final
from xml.parsers import expat

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.content import ReadList, ReadSection, SectionDesk, UnreadLine, unify_spellings
from companion.tabletop.decks.card_line import MAX_COPIES
from companion.tabletop.decks.card_texts import clean_printing, split_printings
from companion.tabletop.decks.decklist import DeckCard, ListedCard
from companion.tabletop.text import as_name, sanitize
from templates.languages.messages import phrase

_ROOT: Final = "cockatrice_deck"
_CARD: Final = phrase("The name of a card")


def is_cockatrice(text: str) -> bool:
    """Return True if a text is a deck of Cockatrice, or breaks off in one."""
    return f"<{_ROOT}" in text[:2000]


def read_cockatrice(text: str, parts: Iterable[str]) -> ReadList:
    """Read a deck of Cockatrice. Raises NotationError if it is no such XML, or declares entities."""
    reader = _Reader(parts)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = lambda tag, attributes: reader.begin(tag, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.add_text
    try:
        # The declaration may name the encoding that the text had as bytes.
        parser.Parse(text.partition("?>")[2] if text.lstrip().startswith("<?xml") else text, True)
    except (expat.ExpatError, ValueError) as error:
        raise NotationError(phrase("This .cod file cannot be read: {problem}.", problem=str(error))) from None
    unify_spellings(reader.desk.sections)
    return ReadList(reader.desk.sections, tuple(reader.unread), name=reader.name)


def _refuse_doctype(*_: object) -> None:
    raise NotationError(phrase("This .cod file declares a document type, which no deck needs; it is not read."))


class _Reader:
    """A reader of the elements of a deck, in their order."""

    def __init__(self, parts: Iterable[str]) -> None:
        self.desk = SectionDesk(parts)
        self.unread: list[UnreadLine] = []
        self.name = ""
        self._zone: ReadSection | None = None
        self._is_name = False

    def begin(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """Begin an element."""
        self._is_name = tag == "deckname"
        if tag == "zone":
            self._zone = self.desk.titled(attributes.get("name", ""), line)
        elif tag == "card":
            self._add_card(attributes, line)

    def end(self, tag: str) -> None:
        """End an element."""
        self._is_name = False
        if tag == "zone":
            self._zone = None

    def add_text(self, text: str) -> None:
        """Add to the name of the deck."""
        if self._is_name:
            self.name = " ".join(f"{self.name}{text}".split())

    def _add_card(self, attributes: dict[str, str], line: int) -> None:
        name, number = attributes.get("name", ""), attributes.get("number", "1")
        printing = " ".join(filter(None, (attributes.get("setShortName", ""), attributes.get("collectorNumber", ""))))
        try:
            name = as_name(name, _CARD)
            if not name:
                raise NotationError(phrase("a name is missing"))
            count = parse_copies(number, name)
            printing = clean_printing(as_name(printing)) if printing else ""
        except NotationError as error:
            self.unread.append(UnreadLine(line, sanitize(f"{number} {name}"), error.sentence))
            return
        zone = self._zone if self._zone is not None else self.desk.titled("", line)
        zone.cards.append(ListedCard(line, count, name, printing=printing))


def parse_copies(text: str, name: str) -> int:
    """Read the number of copies of a card from a field of its own: `4` or `4x`. Raises NotationError."""
    digits = text.strip().lower().removesuffix("x").removeprefix("x").strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(MAX_COPIES)) and int(digits)):
        raise NotationError(
            phrase(
                "“{copies}” copies of {card}; write 1 to {most}",
                copies=text.strip()[:9],
                card=name,
                most=str(MAX_COPIES),
            )
        )
    if int(digits) > MAX_COPIES:
        raise NotationError(
            phrase("“{copies}” copies of {card}; write 1 to {most}", copies=digits, card=name, most=str(MAX_COPIES))
        )
    return int(digits)


def write_cockatrice(name: str, cards: Iterable[DeckCard], zones: dict[str, str]) -> str:
    """Return a deck as Cockatrice stores it; `zones` has the name of the zone for each part."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{_ROOT} version="1">',
        f"    <deckname>{escape(name, quote=False)}</deckname>",
        "    <comments></comments>",
    ]
    by_part: dict[str, list[DeckCard]] = {}
    for card in cards:
        by_part.setdefault(card.part, []).append(card)
    for part, listed in by_part.items():
        lines.append(f"    <zone name={_quote(zones.get(part, part))}>")
        lines += [
            f"        <card number={_quote(str(count))} name={_quote(card.name)}{_printing(printing)}/>"
            for card in listed
            for count, printing in split_printings(card.printing, card.copies)
        ]
        lines.append("    </zone>")
    return "\n".join((*lines, f"</{_ROOT}>", ""))


def _printing(printing: str) -> str:
    code, _, number = printing.partition(" ")
    if not code:
        return ""
    return f" setShortName={_quote(code)}" + (f" collectorNumber={_quote(number)}" if number else "")


def _quote(value: str) -> str:
    """Return the value of an attribute in quotes. The function of xml.sax loads the libraries of the web with it."""
    return f'"{escape(value, quote=False).replace(chr(34), "&quot;")}"'
