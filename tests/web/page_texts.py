"""The words of a page that no message says: none but names, and what somebody typed."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

from companion.printing import designs, shelf
from templates.languages.pseudo import strip_brackets
from tests.games.constructed.decks import LISTS
from tests.games.described.shown import CROWN, LANES, TRICKS

_WORD: Final = re.compile(r"\b[^\W\d_]{2,}\b")
_FIELDS_AND_IDS: Final = re.compile(
    r"\{\w+\}|\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}-[0-9A-Z]\b|\b[0-9A-HJKMNP-TV-Z]{6}\b|\bhttps?://\S+"
)
_PEOPLE: Final = """
Ana Bartholomew Ben Cleo Cy Dora Emil Eve Fay Flo Gus Hal Ida Jon Kim Lea Łoś Max Maximiliane von Hohenzollern Emden
Nia Pip Zoe Friday Winter Grey Fox tests
"""
_BANDS: Final = """
Grave Choir The Lantern Debt Salt and Iron Ash Ledger Barnacle King Brine Hag Candle Thief Drowned Bell Fog Calf
Gull Priest Hollow Abbot Keel Spider Ledger Beast Moth Queen Tithe Collector Undertow Wormwood
"""
_CARDS: Final = (
    "Cavern Hydra Copper Band Coral Plate Crab Ember Blade Iron Horse Moon Pearl Reef Scale Mail Tide Spear Wolf"
)
_GAMES: Final = "DecknForge SolForge Soul Forger Odd Frontier TCG"
_SIGNS: Final = "English Deutsch Español Français BJ RJ OMW GW OGW Buchholz Sonneborn Berger Letter Legal Index mm csv"
"""The names of languages, jokers, tie-breaks, papers, a unit and a kind of file: the same in all languages."""


def _shelf_words() -> Iterator[str]:
    """Yield the names of the bundled designs, their columns, and the cells of their samples."""
    for entry in designs.list_designs():
        if entry.design is not None:
            yield entry.name
            yield from entry.design.columns
            sample = shelf.find_sample(entry.design)
            yield from (cell for row in sample.rows for cell in row.values()) if sample else ()


_PASTED: Final = f"{LISTS['oddfrontier']} Removal Sideboard Owl Listed legal unclear"
"""Lists of cards that somebody pasted, and what the decks are called."""
_DESIGNS: Final = f"plum pt QR Data Matrix DataMatrix Code EAN UPC ITF {' '.join(_shelf_words())}"
"""The names of designs, the columns and samples of their tables, a unit, and the kinds of codes: the same in all
languages.
"""
_PROGRAM: Final = "textual reportlab zxing cpp SQLite DK random greedy careful thinker pressure"
"""Libraries, a series of labels, and the names that simulated people and a house rule have in all languages."""
_DESCRIBED: Final = " ".join((CROWN, TRICKS, LANES))
NAMES: Final = frozenset(
    _WORD.findall(
        " ".join((_PEOPLE, _BANDS, _CARDS, _GAMES, _SIGNS, _PASTED, _DESIGNS, _PROGRAM, _DESCRIBED, _DESCRIBED.title()))
    )
)
"""Names, and the words of games that are described in English on a page of their own."""


class PageTexts(HTMLParser):
    """The texts of a page: what is read, what screen readers say, and what its scripts show.

    Lines and notes that somebody typed are left out.
    """

    _SPOKEN: Final = frozenset(
        {"alt", "aria-label", "content", "data-on", "data-off", "data-title", "placeholder", "title"}
    )

    def __init__(self, html: str) -> None:
        super().__init__()
        self._body = list[str]()
        self._others = list[str]()
        self._is_typed = False
        self.feed(html)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is read and what is spoken, one text for each attribute."""
        return ("".join(self._body), *self._others)

    @property
    def unbracketed_words(self) -> list[str]:
        """The words that stand in no brackets and are no names, in order."""
        texts = [strip_brackets(text) for text in self.texts]
        # Without letters of ids, and of fields that scripts fill.
        words = _WORD.findall(_FIELDS_AND_IDS.sub(" ", " ".join(texts)))
        return [word for word in words if word not in NAMES]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self._others += [text for name, text in attrs if name in self._SPOKEN and text]
        for name, text in attrs:
            self._others += json.loads(text or "").values() if name == "data-texts" else ()
        # The text of a page is in a field, and a line of it that has a fault is code.
        self._is_typed |= (("class", "typed") in attrs and tag == "bdi") or tag in ("textarea", "code")
        self._body.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._is_typed &= tag not in ("bdi", "textarea", "code")

    def handle_data(self, data: str) -> None:
        if not self._is_typed:
            self._body.append(data)
