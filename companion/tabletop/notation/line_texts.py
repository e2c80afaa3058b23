"""Lines of notation as readers see them: as they are typed, or in words for readers who never type any."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from companion.tabletop.action import Action
from companion.tabletop.notation.cards import PACK, Card, card_title
from companion.tabletop.notation.notation import conceal, grammar, write
from templates.languages.messages import Finished, Language, Message, Text, joined, phrase, render_value

_are_in_words: ContextVar[bool] = ContextVar("lines_in_words", default=False)
_SHORT: Final = 3
"""The most letters of a keyword that is an abbreviation, such as `hp`."""
_CHOSEN_BY_PEOPLE: Final = frozenset({"TEXT", "THING", "NAME"})
"""The shapes of arguments whose words people choose, so that no catalogue has them."""


@contextmanager
def lines_in_words() -> Iterator[None]:
    """Render lines in words, for readers who tap instead of typing, as long as the block lasts."""
    token = _are_in_words.set(True)
    try:
        yield
    finally:
        _are_in_words.reset(token)


class LineText(Message):
    """A line within a message: as it is typed, or in words inside of `lines_in_words`.

    The words are made when they are needed. They begin or end no sentence of their own: the message around them does.
    """

    __slots__ = ("_is_in_words", "_say", "line")

    def __init__(self, line: str, say: Callable[[], Text], *, is_in_words: bool = False) -> None:
        self.line = line
        self._say = say
        self._is_in_words = is_in_words

    def in_words(self) -> LineText:
        """Return the line in words for all readers."""
        return LineText(self.line, self._say, is_in_words=True)

    def render(self, language: Language) -> str:
        if not (self._is_in_words or _are_in_words.get()):
            return self.line
        return render_value(self._say(), language).strip().removesuffix(".")

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.line, self._is_in_words)


class VerbTitle(Message):
    """A verb as the title of an action: in English as it is typed, in other languages as their speakers type it."""

    __slots__ = ("verb",)

    def __init__(self, verb: str) -> None:
        self.verb = verb

    def render(self, language: Language) -> str:
        words = language.translate(self.verb, "verb").replace("-", " ")
        return words[:1].upper() + words[1:]

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.verb,)


class _WordTitle(Message):
    """A keyword or a name of notation, such as `hp` or `sharp`, as the catalogue has it among titles or fields."""

    __slots__ = ("is_keyword", "word")

    def __init__(self, word: str, *, is_keyword: bool) -> None:
        self.word = word
        self.is_keyword = is_keyword

    def render(self, language: Language) -> str:
        words = self.word.replace("-", " ")
        usual = (words.upper() if len(words) <= _SHORT else words) if self.is_keyword else words.title()
        translations = ((form, language.translate(form)) for form in (words.title(), words))
        return next((title for form, title in translations if title != form), usual)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.word, self.is_keyword)


def describe_action(action: Action, names: Mapping[str, str]) -> Message:
    """Return an action in words, without the seat that acts: `Reveal 9♥`. `names` are the players by their seats."""
    return joined(" ", (VerbTitle(action.verb()), *_title_words(action, names)))


def describe_choice(action: Action, names: Mapping[str, Text]) -> Message:
    """Return what an action chooses, without its verb and the seat that acts: `9♥`.

    `names` are the players by their seats, and the titles of other words.
    """
    return joined(" ", _title_words(action, names))


def _title_words(action: Action, names: Mapping[str, Text]) -> Iterator[Text]:
    """Yield the words of an action after its verb and the seat that acts, as people say them."""
    public = conceal(action)
    own = getattr(public, "seat", "")
    arguments = grammar(type(public)).arguments
    keywords = {argument.keyword for argument in arguments if argument.keyword}
    chosen = {str(getattr(public, each.field)) for each in arguments if each.kind.shape in _CHOSEN_BY_PEOPLE}
    for number, word in enumerate(_split_line(write(public))[1:]):
        if number or word != own:
            yield _title_word(word, names, chosen, is_keyword=word in keywords)


def describe_line(action: Action, names: Mapping[str, str]) -> Message:
    """Return an action as a sentence that names who acts: `Ana: Reveal 9♥.`."""
    seat = getattr(action, "seat", "")
    text = describe_action(action, names)
    if isinstance(seat, str) and seat in names:
        text = phrase("{player}: {action}", player=names[seat], action=text)
    return Finished(text)


def _split_line(line: str) -> list[str]:
    try:
        return shlex.split(line.replace("'", "’"))
    except ValueError:
        return line.replace('"', " ").split()


def _title_word(word: str, names: Mapping[str, Text], chosen: Container[str], *, is_keyword: bool) -> Text:
    """Return a word of a line as people say it: a player's name, a card with its suit, a name without hyphens."""
    seat, colon, card = word.partition(":")
    if word in names:
        return names[word]
    if word in PACK:
        return card_title(Card(word))
    if colon and seat in names and card in PACK:
        return phrase("{card} of {player}", card=card_title(Card(card)), player=names[seat])
    if not is_keyword and not (word.replace("-", "").isalpha() and word.islower()):
        return word
    return word.replace("-", " ").title() if word in chosen else _WordTitle(word, is_keyword=is_keyword)
