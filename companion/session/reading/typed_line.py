"""The first stage of reading: a typed text becomes a line of words at one table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from companion.session.core.session import Session
from companion.session.reading.local_words import write_verbs
from companion.tabletop.action import NotationError
from companion.tabletop.notation.arguments import TEXT, Words
from companion.tabletop.notation.cards import read_card
from templates.languages.messages import phrase

T = TypeVar("T")

_FIGURE: Final = re.compile(r"[\d+−/-]+")


class TypedWord(msgspec.Struct, frozen=True):
    """A word as it was typed; a quoted word is text, and never a keyword."""

    text: str
    is_quoted: bool = False

    @property
    def word(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @property
    def is_figure(self) -> bool:
        """Return True if the word consists of one or two numbers, and so cannot begin another word."""
        return not self.is_quoted and bool(_FIGURE.fullmatch(self.text))


class TypedLine(msgspec.Struct, frozen=True, eq=False):
    """A text that was typed at a table, with its words.

    Several stages and kinds of readings ask the same of a line. `find_once` keeps the answers in `memory`.
    """

    text: str
    session: Session
    memory: dict[Callable[[TypedLine], Any], Any] = msgspec.field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """The words between spaces, with their quotes."""
        return self.text.split()

    @property
    def tokens(self) -> tuple[TypedWord, ...]:
        """The words, of which a quoted text is one. Raises NotationError if a quote is not closed."""
        return self.find_once(_split)

    @property
    def begins_with_verb(self) -> bool:
        """Return True if the first word is a whole verb. Raises NotationError if a quote is not closed."""
        verbs = self.session.notation.verbs
        return any(not token.is_quoted and token.word in verbs for token in self.tokens[:1])

    def find_once(self, find: Callable[[TypedLine], T]) -> T:
        """Return the result of a function for this line; it is called at most once."""
        if find not in self.memory:
            self.memory[find] = find(self)
        result: T = self.memory[find]
        return result

    def is_written_as(self, line: str) -> bool:
        """Return True if a line of notation differs from the text at most in its case and spaces."""
        return line.lower() == " ".join(self.text.lower().split())


def tokenize(text: str, session: Session) -> TypedLine:
    """Return a typed text as a line, without its `:` and commas between cards, and with its verb as in notation.

    Raises NotationError if it is empty.
    """
    text = write_verbs(_without_commas(text.strip().removeprefix(":").strip()), session)
    if not text:
        raise NotationError(phrase("There is nothing to enter yet."))
    return TypedLine(text, session)


def _split(line: TypedLine) -> tuple[TypedWord, ...]:
    words, tokens = Words.of(line.text), []
    while words:
        is_quoted = not words.keyword()
        tokens.append(TypedWord(words.take(TEXT), is_quoted))
    return tuple(tokens)


# Spellings of cards


_CARDS: Final = re.compile(r"\S+?(?:\s*,\s*\S+?)+(?=\s|$)")


def _without_commas(text: str) -> str:
    """Return a text without commas between cards, as the log writes several: `9s, qh,6c`."""
    return _CARDS.sub(_cards, text) if "," in text and '"' not in text else text


def _cards(row: re.Match[str]) -> str:
    """Return comma-separated words without their commas if all of them are cards."""
    cards = [word for word in re.split(r"[\s,]+", row[0]) if word]
    try:
        for card in cards:
            read_card(card)
    except NotationError:
        return row[0]
    return " ".join(cards)


_SUIT_FIRST: Final = re.compile(r"(?<!\S)([shcd♠♥♣♦])(10|[2-9tjqka])(?!\S)", re.IGNORECASE)
_SUIT_NAMED: Final = re.compile(r"(?<=\bas )(spade|heart|club|diamond)s?(?!\S)", re.IGNORECASE)


def write_suits_last(text: str) -> str:
    """Return a text with each suit after its rank, and suit names as letters: `h10` is `10h`, `as spade` is `as s`."""
    if '"' in text:
        return text
    return _SUIT_NAMED.sub(lambda name: name[1][0], _SUIT_FIRST.sub(r"\2\1", text))


_CARDS_TOGETHER: Final = re.compile(r"(?<!\S)(?:(?:10|[2-9tjqka])[shcd]|[br]j){2,}(?!\S)", re.IGNORECASE)
_ONE_CARD: Final = re.compile(r"(?:10|[2-9tjqka])[shcd]|[br]j", re.IGNORECASE)


def separate_cards(text: str) -> str:
    """Return a text with spaces between its cards: `9sqh6c` is `9s qh 6c`."""
    if '"' in text:
        return text
    return _CARDS_TOGETHER.sub(lambda cards: " ".join(_ONE_CARD.findall(cards[0])), text)
