"""Forms being filled in beside an archive: what the answers come to here, what can be answered, and how they are kept.

Separate from the games' forms, which know no archive, and from the screen, which shows any of these alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple, Protocol

import msgspec

from companion.archive import Archive, ArchiveError, DeckRow, deck_id, people, shelf
from companion.games.action import NEW_PERSON
from companion.games.choices import Candidates, Choice
from companion.games.form import Field, Filled, Finding, Form, Known, Place, StoredDeck, Values
from companion.games.game import Game

_SEVERAL = 2
SHOWN = 50
"""How many decks are offered at once; more letters find the others."""


class Seen(NamedTuple):
    """A form as its answers make it: what it asks now, what they come to, and the places that need no answer."""

    fields: Sequence[Field]
    filled: Filled
    idle: frozenset[Place] = frozenset()


class Outcome(NamedTuple):
    """What keeping led to: the id of the new deck or session, and what is to be told of it."""

    id: str
    told: str


class Fillable(Protocol):
    """A form that a screen can show. What looks into the archive may take a moment, and is called beside the screen."""

    title: str
    """What filling it in does."""
    done: str
    """What the last step is called."""

    def begun(self) -> Values:
        """What stands in it at first."""
        ...

    def seen(self, values: Values) -> Seen:
        """The form with these answers."""
        ...

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:
        """What may be answered at a place where so much has been typed. Raises NotationError, ArchiveError."""
        ...

    def drawn(self, values: Values, place: Place, rng: Random) -> str:
        """An answer by chance. Raises RuleError where that place is not left to chance."""
        ...

    def keep(self, values: Values) -> Outcome:
        """Keep what the answers come to. Raises RuleError, NotationError or ArchiveError."""
        ...


class DeckForm:
    """The form by which a game's decks are founded or adopted, beside the archive that will keep the new deck."""

    def __init__(self, archive: Archive, game: Game, form: Form, how: Literal["Found", "Adopt"]) -> None:
        self.title = f"{how} a deck"
        self.done = f"{how} it"
        self._archive = archive
        self._game = game
        self._form = form
        self._deck = deck_id.new()

    def begun(self) -> Values:
        """What the game says stands in it at first."""
        return self._form.begun()

    def seen(self, values: Values) -> Seen:
        """What the answers come to, decks that cannot be found included."""
        known, unknown = self._known(values)
        filled = self._form.filled(values, known)
        idle = frozenset(self._unasked(values))
        for field in self._form.fields:
            if field.kind == "person" and Place(field.name) not in idle and not values.get(field.name):
                told = f"Several people are called {values[field.whose]}: say which of them."
                unknown.append(Finding(told, place=Place(field.name)))
        if unknown:
            filled = msgspec.structs.replace(filled, findings=(*unknown, *filled.findings))
        return Seen(self._form.fields, filled, idle)

    def _unasked(self, values: Values) -> Iterator[Place]:
        """Who is meant is asked only where a name is not enough, and a deck where there is one."""
        yield from self._form.unasked(values)
        has_decks = bool(self._archive.page_of_decks(count=1).rows)
        for field in self._form.fields:
            if field.kind == "deck" and not has_decks and not values.get(field.name):
                yield Place(field.name)
            if field.kind == "person":
                named = people.named(self._archive, str(values.get(field.whose, "")))
                if len(named) < _SEVERAL:
                    yield Place(field.name)

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:
        """What the form proposes; decks by any part of their name."""
        if self._form.at(place).kind == "deck":
            return decks(self._archive.page_of_decks(typed, count=SHOWN).rows)
        if self._form.at(place).kind == "person":
            name = str(values.get(self._form.at(place).whose, ""))
            return which(people.told_apart(self._archive, people.named(self._archive, name)))
        return self._form.candidates(values, place, self._known(values)[0])

    def drawn(self, values: Values, place: Place, rng: Random) -> str:
        """What the form draws."""
        return self._form.drawn(values, place, rng)

    def keep(self, values: Values) -> Outcome:
        """The new deck, with what came into a purse and what else is to be minded."""
        known, unknown = self._known(values)
        if unknown:
            raise ArchiveError(unknown[0].text)
        filled = self._form.filled(self._meant(values), known)
        _, warnings = shelf.new_deck(self._archive, self._game, filled, self._deck)
        told = [
            f"{filled.name} is here: {deck_id.show(self._deck)}.",
            *([f"{filled.change}."] if filled.change else []),
        ]
        return Outcome(self._deck, "\n".join((*told, *(f"Mind: {warning}" for warning in warnings))))

    def _meant(self, values: Values) -> Values:
        """The answers with the ids of people as they are known here, where they are asked. Raises Unknown."""
        unasked = {place.field for place in self._unasked(values)}
        said = {name: value for name, value in values.items() if name not in unasked}
        asked = [field.name for field in self._form.fields if field.kind == "person" and said.get(field.name)]
        return {**said, **{name: people.meant(self._archive, str(said[name])) for name in asked}}

    def _known(self, values: Values) -> tuple[Known, list[Finding]]:
        """What the form is told of the archive, and which of the decks that it names are not in it."""
        name = str(values.get(self._form.fields[0].name, ""))
        found, unknown = {}, []
        for field in self._form.fields:
            if field.kind == "deck" and values.get(field.name):
                try:
                    row = shelf.find(self._archive, self._game.name, str(values[field.name]))
                    found[field.name] = StoredDeck(row.deck, self._archive.record(row.deck))
                except (ArchiveError, deck_id.DeckIdError) as error:
                    unknown.append(Finding(str(error), place=Place(field.name), unreadable=True))
        taken = shelf.taken(self._archive, self._game.name, name)
        return Known(self._deck, "", taken, found), unknown


def which(some: Sequence[tuple[str, str]]) -> tuple[Choice, ...]:
    """People of one name, by their ids with what tells them apart, and somebody else of that name."""
    return (*(Choice(person, detail=marks) for person, marks in some), Choice(NEW_PERSON, detail="somebody else"))


def decks(rows: Sequence[DeckRow]) -> Iterator[Choice]:
    """Decks to choose from, each with its name, its id, who holds it and what it has been through."""
    for row in rows:
        figures = (f"{figure.title} {figure.value}" for figure in row.figures)
        held = [f"held by {row.holder}"] if row.holder else []
        retired = ["retired"] if row.retired else []
        yield Choice(row.name, f"{row.name} · {deck_id.show(row.deck)}", " · ".join((*retired, *held, *figures)))
