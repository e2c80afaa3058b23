"""A simulated campaign: bands and purses from evening to evening, by the marks that each sealed table writes.

State is carried over exactly as by an archive: the marks of each band add up to its record, the record gives the lines
that bring it to the next table, and Coppers and Mythics stay with their wizards (R1.80–R1.84).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.record import BandRecord, record
from companion.games.decknforge.rehearsal.bands import SEATS, BandPlan, adopt_band, described_band, plan_band
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_dungeon
from companion.games.decknforge.rehearsal.figures import DungeonTally
from companion.games.decknforge.rehearsal.temperaments import RandomWizard
from companion.games.decknforge.rehearsal.thinker import player
from companion.games.decknforge.rules.actions import VOCABULARY
from companion.tabletop.action import Action
from companion.tabletop.game import Game
from companion.tabletop.notation.notation import Notation
from companion.tabletop.records import Mark
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from companion.tabletop.table.common_actions import Rule

_NOTATION: Final = Notation(VOCABULARY)


class Campaign:
    """The bands and wizards of one unit, from its first evening on. The seats of the wizards never change."""

    def __init__(self, game: Game, setting: RehearsalSetting, chance: Chance, book: EffectBook = STANDARD) -> None:
        self.game = game
        self.book = book
        self.setting = setting
        self.chance = chance
        self.seats = SEATS[: setting.players]
        self.players: tuple[RandomWizard, ...] = tuple(
            player(setting.temperament(at), setting.effort) for at in range(setting.players)
        )
        self.marks: dict[str, tuple[Mark, ...]] = {}
        """Marks of each band's record by the band's id, including retired ones."""
        self.names: list[str] = []
        """Names of all bands, including retired ones."""
        self.brings: dict[str, str] = {}
        """The id of the band that each seat holds."""
        self.purses: Counter[str] = Counter()
        """Coppers of each person."""
        self.keepsakes: Counter[tuple[str, str]] = Counter()
        """Other things that persons keep, by (person, kind): Mythics that are not placed."""
        for seat in self.seats:
            self.brings[seat] = self._store_described_band(seat) if setting.decks else self._found_band(seat, chance)

    def records(self) -> dict[str, BandRecord]:
        """Return every band as it is now by its id, including retired ones."""
        return {deck: record(marks, self.book) for deck, marks in self.marks.items()}

    def rules(self) -> tuple[Rule, ...]:
        """Return the lines of the house rules."""
        return tuple(Rule(key, value) for key, value in self.setting.rules)

    def set_up(self) -> Iterator[Action]:
        """Yield the set-up lines of the next evening: house rules, then each seat with the band it holds."""
        yield from self.rules()
        for seat in self.seats:
            deck, name = self.brings[seat], seat.capitalize()
            kept = {what: count for (person, what), count in self.keepsakes.items() if person == name}
            first, *rest = self.game.setup_lines(seat, record(self.marks[deck], self.book), self.purses[name], kept)
            fields: dict[str, Any] = {"deck": deck}
            yield msgspec.structs.replace(first, **fields)
            yield from rest

    def play(self, keep_lines: bool = False) -> Iterator[SimulatedDungeon]:
        """Play and yield every evening in turn, sealed; its marks are added to the records before the next begins."""
        for number in range(1, self.setting.evenings + 1):
            chance = self.chance.evening(number)
            dungeon = begin_dungeon(self.game, tuple(self.set_up()), self.players, chance, DungeonTally(), keep_lines)
            dungeon.play()
            if self.setting.evenings > 1:
                self._record_evening(dungeon, self.chance.evening(number + 1))
            yield dungeon

    def _record_evening(self, dungeon: SimulatedDungeon, chance: Chance) -> None:
        """Carry over a sealed evening: marks, purses, keepsakes, holders, and new bands in place of retired ones.

        New bands use the chance of the evening that they play first.
        """
        table = dungeon.table
        for deck, marks in self.game.marks(table).items():
            self.marks[deck] += marks
        for payment in self.game.purses.payments(table):
            self.purses[payment.name] += payment.amount
        for keepsake in self.game.purses.keepsakes(table):
            self.keepsakes[keepsake.name, keepsake.what] += keepsake.change
        # The band that continues from that of each seat: itself or, if it retired, the one that its wizard builds now.
        goes_on = {
            seat: self._found_successor(seat, dungeon, chance) if table.bands[seat].retired else deck
            for seat, deck in self.brings.items()
        }
        # A wizard who sits out the draft because their band retired holds the one they build (A1.43).
        self.brings = {wizard.seat: goes_on[wizard.holds or wizard.seat] for wizard in table.wizards}

    def _found_band(self, seat: str, chance: Chance) -> str:
        """Found a new band by the budget. Returns its id."""
        plan = plan_band(seat, self.setting.players, chance, self.book)
        return self._store_plan(seat, plan, plan.founding_marks(self._new_name(seat), seat.capitalize(), self.names))

    def _store_plan(self, seat: str, plan: BandPlan, marks: tuple[Mark, ...]) -> str:
        self.purses[seat.capitalize()] += plan.coppers_left
        return self._store_marks(marks)

    def _store_marks(self, marks: tuple[Mark, ...]) -> str:
        deck = f"band{len(self.marks) + 1}"
        self.marks[deck] = marks
        first = marks[0]
        assert isinstance(first, m.BandFounded | m.BandAdopted)
        self.names.append(first.name)
        return deck

    def _new_name(self, seat: str) -> str:
        name, number = f"Band of {seat.capitalize()}", len(self.marks) + 1
        return f"{name} {number}" if name in self.names else name

    def _found_successor(self, seat: str, dungeon: SimulatedDungeon, chance: Chance) -> str:
        """Found the band that replaces a retired one of a seat, with its heirloom (R1.81, A1.43). Returns its id."""
        table, builder = dungeon.table, seat.capitalize()
        wizard, retired = table.wizard(seat), table.bands[seat]
        plan = plan_band(seat, self.setting.players, chance, self.book)
        card = dungeon.players[seat].place(dungeon.view(seat), wizard.heirloom, plan.cards_for(wizard.heirloom))
        heirloom = m.CardInscribed(card, wizard.heirloom, "heirloom", builder, retired.name)
        deck = self._store_plan(seat, plan, plan.founding_marks(self._new_name(seat), builder, self.names, heirloom))
        self.marks[self.brings[seat]] += (m.CarriedOn(self.names[-1], deck),)
        holder = next((other for other in table.wizards if other.holds == seat), wizard)
        if holder.seat != seat:
            self.marks[deck] += (m.Drifted(holder.name),)
        return deck

    def _store_described_band(self, seat: str) -> str:
        """Store the band that the setting describes for a seat. Returns its id. Raises RuleError."""
        decks = self.setting.decks
        text = decks[self.seats.index(seat) % len(decks)]
        table: DungeonTable = self.game.new()
        for line in (*self.rules(), *described_band(text, seat, _NOTATION)):
            table = self.game.apply(table, line).state
        return self._store_marks((adopt_band(table, seat),))
