"""The meaning of a code: a deck's, damaged, another program's; and the deck in the archive, or its passport."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, DeckRow, Unknown, deck_id
from companion.archive.errors import Look
from companion.archive.exchange import page_codes, passport
from companion.tabletop.errors import SentenceError
from companion.tabletop.text import in_quotes, sanitize
from templates.languages import messages
from templates.languages.messages import Language, Text, phrase, render_value


class PictureError(SentenceError, ValueError):
    """A file that is no readable picture; the message names the file, what is wrong with it and the way out."""


class CodeKind(StrEnum):
    """The kind of a code. PASSPORT: a deck as it was when its record sheet was printed. PAGE: a part of a game's page.

    UNREADABLE: a QR code is there, but too much of it is lost. NOTHING: none was found. UNSEEN: pages beyond the limit
    were not read. UNREAD: pages within the limit could not be read.
    """

    DECK = "deck"
    PASSPORT = "passport"
    PAGE = "page"
    DAMAGED = "damaged"
    FOREIGN = "foreign"
    UNREADABLE = "unreadable"
    NOTHING = "nothing"
    UNSEEN = "unseen"
    UNREAD = "unread"


class Code(msgspec.Struct, frozen=True):
    """One code: its source (a path, or `typed`), its text and its kind.

    Only a deck's code and a passport have a `deck`, its id of 13 symbols; every other kind has a `problem`, one
    sentence, instead.
    """

    source: str
    kind: CodeKind
    text: str = ""
    deck: str | None = None
    problem: Text | None = None


def parse_typed(text: str) -> Code:
    """Parse what was typed, or sent by a keyboard scanner: an id in any spelling, or the content of a box's QR code."""
    text = text.strip()
    if text.upper().startswith(passport.PREFIX):
        return _passport(text, "typed")
    if page_codes.is_page_code(text):
        return _page_part(text, "typed")
    try:
        return Code("typed", CodeKind.DECK, text, deck_id.parse(text))
    except deck_id.DeckIdError as error:
        return _problem_code("typed", CodeKind.DAMAGED, text, error.message)


def parse_printed(text: str, source: str) -> Code:
    """Parse the text of a QR code in the picture `source`.

    Text that does not claim to be a deck's is another program's.
    """
    if text.upper().startswith(passport.PREFIX):
        return _passport(text, source)
    if page_codes.is_page_code(text):
        return _page_part(text, source)
    try:
        return Code(source, CodeKind.DECK, text, deck_id.parse(text))
    except deck_id.DeckIdError as error:
        if deck_id.is_deck_code(text):
            problem = phrase("A deck's code, but damaged or misprinted: {reason}", reason=error.message)
            return _problem_code(source, CodeKind.DAMAGED, text, problem)
        problem = phrase("Another program's QR code, not a deck's: {text}.", text=in_quotes(text))
        return _problem_code(source, CodeKind.FOREIGN, text, problem)


def _passport(text: str, source: str) -> Code:
    try:
        return Code(source, CodeKind.PASSPORT, text, passport.read(text).deck)
    except passport.PassportError as error:
        return _problem_code(source, CodeKind.DAMAGED, text, error.message)


def _page_part(text: str, source: str) -> Code:
    try:
        part = page_codes.read_code(text)
    except page_codes.PageCodeError as error:
        return _problem_code(source, CodeKind.DAMAGED, text, error.message)
    problem = phrase("Code {number} of {count} of a game's page.", number=str(part.number), count=str(part.total))
    return Code(source, CodeKind.PAGE, text, problem=problem)


def unreadable_code(source: str) -> Code:
    """Return the result for a QR code that was found in the picture `source` and could not be decoded."""
    return Code(
        source,
        CodeKind.UNREADABLE,
        problem=phrase(
            "A QR code is there, but too blurred or damaged to read: go closer, with more light, or type the id."
        ),
    )


def no_code(source: str) -> Code:
    """Return the result for the picture `source` without a QR code; it may have one that is very small or blurred."""
    return Code(
        source,
        CodeKind.NOTHING,
        problem=phrase(
            "No QR code in the picture can be read: go closer, with more light, show all of the code with the white "
            "about it, or type the id."
        ),
    )


def pages_left_out(source: str, of: int, left_out: int) -> Code:
    """Return the result for pages or pictures of the file `source` after the first `of`, which were left out."""
    return Code(
        source,
        CodeKind.UNSEEN,
        problem=phrase(
            "Only the first {some} of its {all} pages or pictures were looked at: save the others as a file of their "
            "own.",
            some=str(of),
            all=str(of + left_out),
        ),
    )


def pages_unread(source: str, lost: Sequence[int], of: int) -> Code:
    """Return the result for unreadable pages or pictures of the file `source`.

    `lost` are their numbers, counted from 1, and `of` is the number of pages that were to be read.
    """
    if len(lost) == 1:
        problem = phrase(
            "1 of its {all} pages or pictures took too much room or time, or were skipped (number {number}): take a "
            "photo of each instead.",
            all=str(of),
            number=str(lost[0]),
        )
    else:
        problem = phrase(
            "{some} of its {all} pages or pictures took too much room or time, or were skipped (the first is number "
            "{number}): take a photo of each instead.",
            some=str(len(lost)),
            all=str(of),
            number=str(lost[0]),
        )
    return Code(source, CodeKind.UNREAD, problem=problem)


def _problem_code(source: str, kind: CodeKind, text: str, problem: Text) -> Code:
    return Code(source, kind, text, problem=_Visible(problem))


class _Visible(messages.Message):
    """A problem of a code, which can contain anything, on one line and without control characters."""

    __slots__ = ("problem",)

    def __init__(self, problem: Text) -> None:
        self.problem = problem

    def render(self, language: Language) -> str:
        """Return the problem in a language."""
        return sanitize(render_value(self.problem, language))

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.problem,)


def page_parts(codes: Iterable[Code]) -> tuple[page_codes.PageCode, ...]:
    """Return the parts of games' pages among some codes."""
    return tuple(page_codes.read_code(code.text) for code in codes if code.kind is CodeKind.PAGE)


class CodeMatch(NamedTuple):
    """A code, and the deck's row if it is here; else the problem.

    `can_adopt` if its passport can add the deck; `is_elsewhere` if the deck is in another archive. `look` is what the
    user can look at.
    """

    code: Code
    row: DeckRow | None = None
    problem: Text = ""
    can_adopt: bool = False
    is_elsewhere: bool = False
    look: Look | None = None


def look_up(archive: Archive, code: Code) -> CodeMatch:
    """Look up the deck of a code in this archive."""
    if code.deck is None:
        return CodeMatch(code, problem=code.problem or "")
    try:
        if code.kind is CodeKind.PASSPORT and not passport.is_known(archive, passport.read(code.text)):
            return _match_passport(archive, code)
        return CodeMatch(code, archive.find_deck(code.deck))
    except Unknown:
        problem = phrase(
            "Deck {deck} is one of ours, but not in this archive: import its file, or adopt it from the passport on "
            "its record sheet.",
            deck=deck_id.show(code.deck),
        )
        return CodeMatch(code, problem=problem, is_elsewhere=True)
    except ArchiveError as error:
        return CodeMatch(code, problem=error.message, look=error.look)


def adopt(archive: Archive, code: Code) -> CodeMatch:
    """Adopt the deck of a passport, and look up its code again. Raises ArchiveError."""
    passport.adopt(archive, passport.read(code.text))
    return look_up(archive, code)


def _match_passport(archive: Archive, code: Code) -> CodeMatch:
    """Return the result for the passport of a deck that is not here. Raises ArchiveError if it could not be adopted."""
    card = passport.read(code.text)
    passport.check_new(archive, card)
    problem = phrase(
        "The passport of {name} ({deck}); the deck is not here", name=card.record().name, deck=deck_id.show(card.deck)
    )
    return CodeMatch(code, problem=problem, can_adopt=True)
