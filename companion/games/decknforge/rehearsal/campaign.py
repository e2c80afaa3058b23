"""A simulated campaign: bands and purses from evening to evening, by what each sealed table writes into its records.

Nothing is kept in another way than an archive keeps it: the marks of each band add up to its record, the record gives
the lines that bring it to the next table, and Coppers and Mythics go home with their wizards (R1.80–R1.84).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from companion.games.decknforge import marks as m
from companion.games.decknforge.actions import VOCABULARY
from companion.games.decknforge.effect import Book
from companion.games.decknforge.record import BandRecord, record
from companion.games.decknforge.rehearsal.bands import SEATS, BandPlan, adopt_band, described_band, plan_band
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_dungeon
from companion.games.decknforge.rehearsal.figures import Tally
from companion.games.decknforge.rehearsal.temperaments import Player
from companion.games.decknforge.rehearsal.thinker import player
from companion.games.decknforge.standard import STANDARD
from companion.games.decknforge.state import DungeonTable
from companion.tabletop.action import Action
from companion.tabletop.common_actions import Rule
from companion.tabletop.game import Game
from companion.tabletop.notation import Notation
from companion.tabletop.records import Mark
from companion.tabletop.rehearsal import Chance, Setting

_NOTATION: Final = Notation(VOCABULARY)


class Campaign:
    """The bands of one unit with their people, from its first evening on. Who sits where never changes."""

    def __init__(self, game: Game, setting: Setting, chance: Chance, book: Book = STANDARD) -> None:
        self.game = game
        self.book = book
        self.setting = setting
        self.chance = chance
        self.seats = SEATS[: setting.players]
        self.players: tuple[Player, ...] = tuple(
            player(setting.temperament(at), setting.effort) for at in range(setting.players)
        )
        self.marks: dict[str, tuple[Mark, ...]] = {}
        """What stands in each band's record, by the band's id, the retired ones among them."""
        self.names: list[str] = []
        """Of all bands, also the retired ones."""
        self.brings: dict[str, str] = {}
        """The band that each seat holds, by its id."""
        self.purses: Counter[str] = Counter()
        """Coppers of each person."""
        self.keepsakes: Counter[tuple[str, str]] = Counter()
        """What each person keeps besides, by (person, what): Mythics that are not placed."""
        for seat in self.seats:
            self.brings[seat] = self._described(seat) if setting.decks else self._founded(seat, chance)

    def records(self) -> dict[str, BandRecord]:
        """Every band as it is now, also the retired ones, by its id."""
        return {deck: record(marks, self.book) for deck, marks in self.marks.items()}

    def rules(self) -> tuple[Rule, ...]:
        """The lines of the house rules."""
        return tuple(Rule(key, value) for key, value in self.setting.rules)

    def set_up(self) -> Iterator[Action]:
        """The lines of the next evening, up to the last band: house rules, then each seat with the band it holds."""
        yield from self.rules()
        for seat in self.seats:
            deck, name = self.brings[seat], seat.capitalize()
            kept = {what: count for (person, what), count in self.keepsakes.items() if person == name}
            first, *rest = self.game.setup_lines(seat, record(self.marks[deck], self.book), self.purses[name], kept)
            fields: dict[str, Any] = {"deck": deck}
            yield msgspec.structs.replace(first, **fields)
            yield from rest

    def play(self, keep_lines: bool = False) -> Iterator[SimulatedDungeon]:
        """Every evening in turn, sealed; what it wrote is taken into the records before the next begins."""
        for number in range(1, self.setting.evenings + 1):
            chance = self.chance.evening(number)
            dungeon = begin_dungeon(self.game, tuple(self.set_up()), self.players, chance, Tally(), keep_lines)
            dungeon.play()
            if self.setting.evenings > 1:
                self._take(dungeon, self.chance.evening(number + 1))
            yield dungeon

    def _take(self, dungeon: SimulatedDungeon, chance: Chance) -> None:
        """What a sealed evening leaves: marks, purses, what people keep, who holds which band; and bands that are new,
        by the chance of the evening that they will first see.
        """
        table = dungeon.table
        for deck, marks in self.game.marks(table).items():
            self.marks[deck] += marks
        for payment in self.game.purses(table):
            self.purses[payment.name] += payment.amount
        for keepsake in self.game.keepsakes(table):
            self.keepsakes[keepsake.name, keepsake.what] += keepsake.change
        # The band that goes on from that of each seat: itself, or where it retired the one that its wizard builds now.
        goes_on = {
            seat: self._successor(seat, dungeon, chance) if table.bands[seat].retired else deck
            for seat, deck in self.brings.items()
        }
        # Who sits out the draft because their band retired holds what they build (A1.43).
        self.brings = {wizard.seat: goes_on[wizard.holds or wizard.seat] for wizard in table.wizards}

    def _founded(self, seat: str, chance: Chance) -> str:
        """A new band by the budget; gives its id."""
        plan = plan_band(seat, self.setting.players, chance, self.book)
        return self._store(seat, plan, plan.founding_marks(self._new_name(seat), seat.capitalize(), self.names))

    def _store(self, seat: str, plan: BandPlan, marks: tuple[Mark, ...]) -> str:
        self.purses[seat.capitalize()] += plan.coppers_left
        return self._keep(marks)

    def _keep(self, marks: tuple[Mark, ...]) -> str:
        deck = f"band{len(self.marks) + 1}"
        self.marks[deck] = marks
        first = marks[0]
        assert isinstance(first, m.Founded | m.Adopted)
        self.names.append(first.name)
        return deck

    def _new_name(self, seat: str) -> str:
        name, number = f"Band of {seat.capitalize()}", len(self.marks) + 1
        return f"{name} {number}" if name in self.names else name

    def _successor(self, seat: str, dungeon: SimulatedDungeon, chance: Chance) -> str:
        """The band that whoever sits there builds for one that retired, with its heirloom (R1.81, A1.43)."""
        table, builder = dungeon.table, seat.capitalize()
        wizard, retired = table.wizard(seat), table.bands[seat]
        plan = plan_band(seat, self.setting.players, chance, self.book)
        card = dungeon.players[seat].place(dungeon.view(seat), wizard.heirloom, plan.cards_for(wizard.heirloom))
        heirloom = m.Inscribed(card, wizard.heirloom, "heirloom", builder, retired.name)
        deck = self._store(seat, plan, plan.founding_marks(self._new_name(seat), builder, self.names, heirloom))
        self.marks[self.brings[seat]] += (m.CarriedOn(self.names[-1], deck),)
        holder = next((other for other in table.wizards if other.holds == seat), wizard)
        if holder.seat != seat:
            self.marks[deck] += (m.Drifted(holder.name),)
        return deck

    def _described(self, seat: str) -> str:
        """The band that the setting describes for a seat. Raises RuleError."""
        decks = self.setting.decks
        text = decks[self.seats.index(seat) % len(decks)]
        table: DungeonTable = self.game.new()
        for line in (*self.rules(), *described_band(text, seat, _NOTATION)):
            table = self.game.apply(table, line).state
        return self._keep((adopt_band(table, seat),))
