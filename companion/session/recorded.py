"""What is recorded, done once more: decks founded from written answers, and `.table` files played into an archive.

Separate from where examples lie, which the press knows.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.archive import Archive, shelf
from companion.games.action import RuleError
from companion.games.form import Known, Values
from companion.games.game import Game
from companion.session import store
from companion.session.replay import Replay


def found(archive: Archive, game: Game, answers: Iterable[Values]) -> tuple[str, ...]:
    """Founds decks as their game's form would, their first labels stuck; gives their ids.

    Raises NotationError or RuleError where the form refuses one, NameTaken.
    """
    form = game.founding
    decks = []
    for said in answers if form else ():
        assert form is not None
        filled = form.filled(said, Known(taken=shelf.taken(archive, game.name, str(said[form.fields[0].name]))))
        deck, _ = shelf.new_deck(archive, game, filled)
        decks.append(deck)
        put_away(archive, (deck,))
    return tuple(decks)


def play(archive: Archive, text: str, title: str) -> str:
    """Plays what a `.table` file says, line by line, to its end, and keeps it; gives the session's id.

    Raises NotationError, RuleError, Unknown.
    """
    replay = Replay(text, shelf=store.ArchiveShelf(archive))
    for line in replay:
        if line.failure:
            raise RuleError(f"line {line.number}: {line.failure}")
    return store.keep(archive, replay.session, title)


def put_away(archive: Archive, decks: Iterable[str]) -> None:
    """Ticks off everything that is to be done by hand to some decks."""
    for deck in decks:
        if shelf.chores(archive, deck):
            shelf.tick(archive, deck, ("all",))
