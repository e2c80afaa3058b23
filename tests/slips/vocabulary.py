"""All words that mean something at a table, read from the table itself and not as typed text is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

from companion.session.core.session import Session
from companion.tabletop.action import Action, NotationError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.notation.arguments import RESERVED
from companion.tabletop.notation.cards import Card, pretty, read_card
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.table.table import TableView, Thing

_TOKEN: Final = re.compile(r'"[^"]*"|[^\s,]+')
_PART: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NUMBER: Final = re.compile(r"[+−-]?\d+(?:/[+−-]?\d+)?")
COPY: Final = re.compile(r"-?\d+$")
"""What tells the second copy of a card from the first: `wolf-2`."""
_SMALL: Final = ("of", "the", "a")
"""Words of a title that name nothing by themselves."""
_DICE: Final = re.compile(r"\d*d\d+(?:[+-]\d+)?")
_CHANGE: Final = re.compile(r"(\d)([+−-])(\d+)")


def tokens(text: str) -> list[str]:
    """The words of a text in lower case; what stands in quotes is one of them, and keeps its quotes."""
    return [token.lower() for token in _TOKEN.findall(text.strip().removeprefix(":"))]


def parts(text: str) -> tuple[str, ...]:
    """The words within a name: `Ash Wolf`, `ash-wolf-2`."""
    return tuple(_PART.findall(text.lower()))


def is_number(token: str) -> bool:
    """`5`, `-3`, `+2/-1`, `3/4`."""
    return _NUMBER.fullmatch(token) is not None


def card_of(token: str) -> str:
    """The card that a token is, also suit first, as people may type it; "" where it is none."""
    word = token.strip('"').upper()
    for spelling in (word, word[1:] + word[:1]):
        with suppress(NotationError):
            return read_card(spelling)
    return ""


def is_one_slip(word: str, name: str) -> bool:
    """Whether a word comes of another by one letter dropped, doubled or added, replaced, or two swapped."""
    if word == name or abs(len(word) - len(name)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    swapped = word[at + 1 : at + 2] + word[at : at + 1] == name[at : at + 2] and word[at + 2 :] == name[at + 2 :]
    same_length = len(word) == len(name) and (word[at + 1 :] == name[at + 1 :] or swapped)
    return same_length or word[at + 1 :] == name[at:] or word[at:] == name[at + 1 :]


class Vocabulary:
    """The words of one table: `verbs`, `keywords`, and `names` of seats, things and cards of deck lists."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.view: TableView = session.view()
        self.verbs = tuple(session.notation.table_verbs)
        self.people = {seat.seat: seat.name for seat in self.view.seats}
        self.things: dict[str, Thing] = {thing.target.lower(): thing for thing in self.view.things()}
        self.seats = tuple(self.people)
        self.listed = tuple(_listed(session.state))
        self._others: set[str] = set()
        self._titles: dict[str, set[str]] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """Everything that somebody or something is called by, whole and word by word."""
        whole = [
            *self.seats,
            *self.people.values(),
            *self.things,
            *(thing.title for thing in self.things.values()),
            *self.listed,
            *map(handle, self.listed),
            *RESERVED,
        ]
        return frozenset(word for name in whole for word in (str(name).lower(), *parts(str(name))))

    @cached_property
    def keywords(self) -> frozenset[str]:
        """The words that stand between others in lines, and those that are the only ones in their place."""
        words: set[str] = set()
        for action in self.session.game.actions:
            for argument in grammar(action).arguments:
                words.add(argument.keyword)
                words |= {word.lower() for word in (*argument.kind.choices, *getattr(argument.kind, "choices", ()))}
        words |= {counter.name for target in self.view.targets() for counter in self.view.counters_of(target) or ()}
        words |= {word for counters in self._counters() for word in counters}
        words |= {rule.key for rule in self.session.game.house.all()}
        return frozenset(words - {""}).union(part for word in words for part in parts(word))

    def _counters(self) -> Iterator[tuple[str, ...]]:
        for target in self.view.targets():
            for counter in self.view.counters_of(target) or ():
                yield tuple(word.lower() for word in (*counter.words, *parts(str(counter.caption))))

    def learn(self, words: Iterable[str]) -> None:
        """Know further words, such as those of labels that a game has."""
        self._others |= {part for word in words for part in (word, *parts(word))}

    def call(self, value: str, title: str) -> None:
        """Know what people call a value; a whole sentence is no name."""
        if title[-1:] not in ".?!":
            self._titles.setdefault(value.lower(), set()).update(part for part in parts(title) if part not in _SMALL)

    @cached_property
    def all(self) -> frozenset[str]:
        """Every word."""
        verbs = (part for verb in self.verbs for part in (verb, *parts(verb)))
        titles = (part for title in self._titles.values() for part in title)
        return frozenset((*self._others, *self.names, *self.keywords, *verbs, *titles))

    def begins_something(self, token: str) -> bool:
        """Whether a token is a word of the table, or the beginning of one; figures, cards and texts in quotes are."""
        bare, _, figure = token.strip('"').partition("=")
        bare = bare if is_number(figure) else token.strip('"')  # a keyword may have any number: `poison=11`
        if (
            token.startswith('"')
            or is_number(token)
            or _CHANGE.fullmatch(token)
            or card_of(token)
            or _DICE.fullmatch(token)
        ):
            return True
        return any(word.startswith(bare) for word in self.all) or COPY.sub("", bare) in self.names

    def name_near(self, word: str) -> str:
        """A name that a word begins, or from which it is one slip away; "" where there is none."""
        near = (name for name in sorted(self.names) if len(name) > 2 and " " not in name)
        return next((name for name in near if name.startswith(word) or is_one_slip(word, name)), "")

    def whole(self, value: str) -> frozenset[str]:
        """The names by which a value is called as a whole: its word, what people call it, its number on the board."""
        word = value.lower()
        thing = self.things.get(word)
        title = str(thing.title).lower() if thing else self.people.get(word, "").lower()
        number = str(thing.number) if thing and thing.number else ""
        return frozenset({word, f'"{word}"', handle(word) if parts(word) else "", title, number})

    def called(self, value: str) -> tuple[str, ...]:
        """The words by which a seat or a thing is called, its own first; on the board, by its number, too."""
        word = value.lower()
        thing = self.things.get(word)
        title = str(thing.title).lower() if thing else self.people.get(word, "").lower()
        number = (str(thing.number),) if thing and thing.number else ()
        ways = (
            word,
            *parts(word),
            handle(word) if parts(word) else "",
            title,
            handle(title) if parts(title) else "",
            *parts(title),
            *self._titles.get(word, ()),
            *number,
        )
        card = card_of(word.partition(":")[2] or word)
        return tuple(filter(None, (*ways, *(parts(pretty(Card(card))) if card else ()))))


def _listed(state: Any) -> Iterable[str]:
    """The cards of all deck lists at a table, by their names."""
    return (card.name for deck in getattr(state, "brought", {}).values() for card in deck.cards.values())


def arguments_of(action: Action) -> Iterator[tuple[Argument, Any]]:
    """What an action says, argument by argument; nothing for those that hold their default."""
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        if argument.required or value != argument.default:
            yield argument, value
