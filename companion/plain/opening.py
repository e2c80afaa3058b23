"""Which table: one to go on with, or a new one, of which game, who sits there and with which decks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.archive import Archive, ArchiveError, DeckRow, SessionRow
from companion.archive.deck_id import DeckIdError
from companion.games import registry
from companion.games.action import NotationError, RuleError
from companion.games.game import Game
from companion.plain.telling import spoken
from companion.session import seating, store
from companion.session.asked import is_line
from companion.session.log import Log
from companion.session.seating import SeatedPerson
from companion.session.session import NEW_PERSON, UnclearPerson

Say = Callable[[str], object]

_NEWEST = 5
"""Tables that are offered to go on with."""
_MOST_DECKS = 12
"""Decks that are read out unasked."""


class Opened(NamedTuple):
    """The session that people chose or opened; `line` is one of its notation that was typed instead of an answer."""

    session: str
    line: str = ""


def opened(archive: Archive, typed: Iterator[str], say: Say) -> Opened | None:
    """Ask which table; None where what is typed ends before there is one."""
    return _Opening(archive, typed, lambda text: say(spoken(text))).opened()


class _Opening:
    def __init__(self, archive: Archive, typed: Iterator[str], say: Say) -> None:
        self._archive = archive
        self._typed = (text.strip() for text in typed if not text.lstrip().startswith("#"))
        self._say = say

    def opened(self) -> Opened | None:
        games = {f"table {game.name}": game for game in registry.all_games()}
        rows = [row for row in self._archive.sessions() if not row.sealed][:_NEWEST]
        known = [(row.session, f"Go on with {_where(row)}.") for row in rows]
        chosen = self._one_of("Which table?", (*((key, f"A new one: {games[key].title}.") for key in games), *known))
        if chosen is None:
            return None
        return self._new(games[chosen]) if chosen in games else Opened(chosen)

    def _new(self, game: Game) -> Opened | None:
        while (found := self._people(game)) is not None:
            people, line = found
            try:
                return self._seated(game, people, line)
            except (NotationError, RuleError, ArchiveError) as error:
                self._say(str(error))
        return None

    def _seated(self, game: Game, people: Sequence[SeatedPerson], line: str) -> Opened | None:
        """The new table; who is meant is asked where several people have a name. Raises what `open_table` raises."""
        if not people:
            return Opened(store.start(self._archive, game.name).id, line)
        try:
            return Opened(seating.open_table(self._archive, game.name, people), line)
        except UnclearPerson as error:
            # They are seated in order, so it is the first of that name of whom nothing is known yet.
            unclear = next(person for person in people if person.name == error.name and not person.person)
            meant = self._which(error)
        if meant is None:
            return None
        known = [person._replace(person=meant) if person is unclear else person for person in people]
        return self._seated(game, known, line)

    def _people(self, game: Game) -> tuple[list[SeatedPerson], str] | None:
        """Who sits down, clockwise, and the line that was typed instead of a name; None where the input ends."""
        decks = [row for row in self._archive.decks() if row.game == game.name and not row.retired]
        notation = Log(game).notation
        people: list[SeatedPerson] = []
        while True:
            number = len(people) + 1
            self._say(f"Seat {number}, clockwise: who sits there? Type a name{', or done' if people else ''}.")
            name = next((text for text in self._typed if text), "quit")
            if name.lower() == "quit":
                return None
            if (name.lower() == "done" and people) or is_line(notation, name):
                return people, "" if name.lower() == "done" else name
            people.append(SeatedPerson(name, self._deck(name, decks) if decks else "", number))

    def _deck(self, name: str, decks: Sequence[DeckRow]) -> str:
        """The deck before somebody, by its id; "" for one that is not stored."""
        self._say(f"Which deck lies before {name}? Type its name or its id, or none for a deck that is not stored.")
        if len(decks) <= _MOST_DECKS:
            self._say(f"There are {', '.join(_held(row) for row in decks)}.")
        for text in self._typed:
            if text.lower() == "none":
                break
            try:
                if text:
                    return self._archive.find_deck(text).deck
            except (ArchiveError, DeckIdError) as error:
                self._say(str(error))
        return ""

    def _which(self, error: UnclearPerson) -> str | None:
        known = [(person, f"{error.name}: {marks}.") for person, marks in error.people]
        return self._one_of(f"Which {error.name}?", (*known, (NEW_PERSON, f"Somebody else called {error.name}.")))

    def _one_of(self, question: str, answers: Sequence[tuple[str, str]]) -> str | None:
        """The answer that people choose by its number or its word; None where the input ends."""
        keys = {str(number): word for number, (word, _) in enumerate(answers, 1)}
        keys |= {word.lower(): word for word, _ in answers}
        while True:
            self._say(question)
            for number, (word, text) in enumerate(answers, 1):
                self._say(f"{number}. {text} ({word})")
            text = next((text for text in self._typed if text), "quit")
            if text.lower() == "quit":
                return None
            if (chosen := keys.get(" ".join(text.lower().split()))) is not None:
                return chosen
            self._say(f"“{text}” is none of the answers.")


def _where(row: SessionRow) -> str:
    return " · ".join(part for part in (row.game, row.title, row.where) if part)


def _held(row: DeckRow) -> str:
    return f"{row.name} (held by {row.holder})" if row.holder else row.name
