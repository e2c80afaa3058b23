"""How DecknForge is rehearsed: the settings it takes, and one dungeon of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.decknforge.actions import VOCABULARY
from companion.games.decknforge.effect import Book
from companion.games.decknforge.rehearsal.bands import SEATS, described_band, new_band
from companion.games.decknforge.rehearsal.dungeon import begin_dungeon
from companion.games.decknforge.rehearsal.figures import FIGURES, TABLES, Tally
from companion.games.decknforge.rehearsal.temperaments import PLAYERS, TEMPERAMENTS, Player
from companion.games.decknforge.setup import MOST_WIZARDS
from companion.games.decknforge.standard import STANDARD
from companion.tabletop.action import Action, RuleError
from companion.tabletop.common_actions import Rule
from companion.tabletop.game import Game
from companion.tabletop.notation import Notation
from companion.tabletop.rehearsal import Chance, Figure, Outcome, Setting, Temperament, check_names

_NOTATION: Final = Notation(VOCABULARY)


def set_up(setting: Setting, chance: Chance, book: Book = STANDARD) -> Iterator[Action]:
    """The lines of a setting, up to the last band: house rules, then each seat's band, founded by the book."""
    yield from (Rule(key, value) for key, value in setting.rules)
    for place, seat in enumerate(SEATS[: setting.players]):
        if setting.decks:
            yield from described_band(setting.decks[place % len(setting.decks)], seat, _NOTATION)
        else:
            yield from new_band(seat, setting.players, chance, book)


def players(setting: Setting) -> tuple[Player, ...]:
    """Who sits at each seat."""
    return tuple(PLAYERS[setting.temperament(place)] for place in range(setting.players))


class DungeonRehearsal:
    """What the game gives to be rehearsed."""

    temperaments: tuple[Temperament, ...] = TEMPERAMENTS
    figures: tuple[Figure, ...] = FIGURES
    tables: tuple[Figure, ...] = TABLES

    def __init__(self, game: Game, book: Book = STANDARD) -> None:
        self.game = game
        self.book = book

    def check(self, setting: Setting) -> None:
        """Raises RuleError with one sentence where a setting cannot be rehearsed."""
        check_names(setting, TEMPERAMENTS, range(1, MOST_WIZARDS + 1))
        table = self.game.new()
        for line in set_up(setting, Chance(0, 0), self.book):
            table = self.game.apply(table, line).state
        if not table.tracks_all:
            raise RuleError("A rehearsal plays every card; it needs the house rule track all.")

    def play(self, setting: Setting, chance: Chance, keep_lines: bool = False) -> Outcome:
        """One dungeon, to the seal."""
        tally = Tally()
        dungeon = begin_dungeon(
            self.game, tuple(set_up(setting, chance, self.book)), players(setting), chance, tally, keep_lines
        )
        dungeon.play()
        return tally.outcome(dungeon.table, tuple(dungeon.lines or ()))
