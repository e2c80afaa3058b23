"""Odd Frontier's table as data: players, permanents, the queue. Frozen; an action changes copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec

from companion.games.oddfrontier.house import House
from companion.tabletop import state as base
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.tracking import of_known_figures

STARTING_LIFE: Final = 137
STARTING_HAND: Final = 7
ARCHIVE: Final = 40
ARCHIVE_SIZES: Final = range(36, 41)
"""R3.1: cards of an archive."""
PHASES: Final = ("reset", "pre-combat", "combat", "post-combat")
"""R3.3, by the word in the notation."""
PLAYING: Final = (*PHASES, WHOLE_TURN)
"""The phases of a game that has begun, with the one of a turn through which nobody walks."""


class Player(msgspec.Struct, frozen=True):
    """One person at the table. Cards are counted, energy is what the pool holds."""

    seat: str
    name: str
    life: int = STARTING_LIFE
    hand: int = 0
    archive: int = ARCHIVE
    graveyard: int = 0
    banished: int = 0
    energy: int = 0
    engines: int = 0
    cranked: int = 0
    """How many of the engines are cranked."""
    mulligans: int = 0
    kept: bool = False
    turns: int = 0
    """Own turns begun so far."""
    lost: bool = False
    """Lost otherwise than by life: conceded, or drew from an empty archive (A3.6)."""
    left: bool = False
    """Is out, and what they had on the table has left it."""
    spared: bool = False
    """Cannot be out yet: effects happen together, and are not done."""

    @property
    def out(self) -> bool:
        """R3.1: 0 or less life has lost; looked for once all that happens together is done (A3.10)."""
        return not self.spared and (self.lost or self.life <= 0)


class Permanent(msgspec.Struct, frozen=True):
    """A card on the battlefield other than an engine. `figures` says whether it is a Creature."""

    handle: str
    seat: str
    """Who played it (A3.12)."""
    creature: bool = False
    attack: int = 0
    defense: int = 0
    first_assault: bool = False
    until_end: tuple[int, int] = (0, 0)
    """What of its attack and defense wears off at the end of the turn."""
    lent_assault: bool = False
    """First Assault that wears off at the end of the turn."""
    token: bool = False
    """No card: it vanishes when it leaves."""
    cranked: bool = False
    damage: int = 0
    """Damage taken this turn (R3.9)."""
    came: int = 0
    """The turn in which it was played."""
    attacks: str = ""
    """The seat it attacks."""
    blocked: bool = False
    """An attacker stays blocked, also when its blockers are gone (A3.3)."""
    shares: tuple[tuple[str, int], ...] = ()
    """An attacker's damage to each of its blockers, as split."""
    blocks: str = ""
    """The attacker that it blocks."""

    @property
    def title(self) -> str:
        """`ash-wolf` → `Ash Wolf`"""
        return self.handle.replace("-", " ").replace("_", " ").title()

    @property
    def strength(self) -> int:
        """The damage that it deals: its attack, but never less than none."""
        return max(0, self.attack)


class Queued(msgspec.Struct, frozen=True):
    """A magic card or an ability that waits on the queue."""

    name: str
    seat: str
    magic: bool = False
    negated: bool = False


class FrontierTable(ConstructedTable, frozen=True):
    """The whole table."""

    card_figures: ClassVar[Mapping[str, tuple[str, ...]]] = {
        pile: (pile,) for pile in ("hand", "archive", "graveyard", "banished")
    }

    phase: str = "setup"
    house: House = House()
    players: tuple[Player, ...] = ()
    permanents: tuple[Permanent, ...] = ()
    queue: tuple[Queued, ...] = ()
    """What resolves next is last."""
    active: str = ""
    """The turn player; before the first turn, who will begin."""
    turn: int = 0
    engine_played: bool = False
    combat: str = "attackers"
    """What may still be declared in this Combat: `attackers`, then `blockers`, then `fought`."""
    handles: tuple[str, ...] = ()
    """Every handle that was ever used in this game."""
    outcome: str | None = None

    def agreeing_on_draw(self) -> FrontierTable:
        """The table when everybody agrees on a draw."""
        return msgspec.structs.replace(self, outcome="draw")

    def holding(self, together: bool) -> FrontierTable:
        """While effects happen together, nobody is out who was not before."""
        players = (msgspec.structs.replace(each, spared=together and not each.out) for each in self.players)
        return msgspec.structs.replace(super().holding(together), players=tuple(players))

    @property
    def has_begun(self) -> bool:
        """Whether the hands are dealt."""
        return self.phase != "setup"

    def without_phases(self) -> FrontierTable:
        """Everybody keeps their hand; a turn that has begun goes on as a whole."""
        players = tuple(msgspec.structs.replace(player, kept=True) for player in self.players)
        phase = WHOLE_TURN if self.phase in PHASES else self.phase
        return msgspec.structs.replace(self, players=players, phase=phase)

    def holds(self, player: Player, cards: int = 1) -> bool:
        """Whether a hand may have so many cards: it has, or nobody knows."""
        return player.hand >= cards or not self.counts(player.seat, "hand")

    @property
    def board(self) -> tuple[str, ...]:
        """All permanents."""
        return tuple(each.handle for each in self.permanents)

    @property
    def first_turn(self) -> bool:
        """R3.4, A3.1: whether this is the one turn in which nobody draws and nobody attacks."""
        return self.turn == 1

    def player(self, seat: str) -> Player:
        """A player by their seat. Raises RuleError where nobody sits there."""
        return base.at_seat(self.players, seat)

    def playing(self, seat: str) -> Player:
        """A player who is still in the game. Raises RuleError."""
        player = self.player(seat)
        if player.out:
            raise RuleError(f"{player.name} has lost and is out of the game (R3.1).")
        return player

    def standing(self) -> tuple[Player, ...]:
        """The players still in the game."""
        return tuple(player for player in self.players if not player.out)

    def clockwise(self, first: str) -> tuple[Player, ...]:
        """All players clockwise, from a seat on."""
        for index, player in enumerate(self.players):
            if player.seat == first:
                return self.players[index:] + self.players[:index]
        return self.players

    def permanent(self, handle: str) -> Permanent:
        """A permanent by its handle. Raises RuleError where none of that name is there."""
        for permanent in self.permanents:
            if permanent.handle == handle:
                return permanent
        there = ", ".join(permanent.handle for permanent in self.permanents) or "nothing"
        raise RuleError(f"“{handle}” is not on the battlefield; there is: {there}.")

    def creature(self, handle: str) -> Permanent:
        """A Creature by its handle. Raises RuleError where it is none."""
        permanent = self.permanent(handle)
        if not permanent.creature:
            raise RuleError(f"{permanent.title} is not a Creature (R3.12).")
        return permanent

    def attackers(self) -> tuple[Permanent, ...]:
        """The attackers that are still there, as they were declared."""
        return tuple(permanent for permanent in self.permanents if permanent.attacks)

    def blockers(self, attacker: str) -> tuple[Permanent, ...]:
        """The blockers of an attacker that are still there."""
        return tuple(permanent for permanent in self.permanents if permanent.blocks == attacker)


class Resolution(base.Resolution[FrontierTable]):
    """What one action sets in motion, with changes to what lies on this game's table."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> None:
        """Change fields of one player, as far as anybody knows them."""
        changes = of_known_figures(self.state, seat, fields)
        self.change(players=base.with_seat(self.state.players, seat, **changes))

    def update_permanent(self, handle: str, **fields: Any) -> None:
        """Change fields of one permanent."""
        self.change(
            permanents=tuple(
                msgspec.structs.replace(permanent, **fields) if permanent.handle == handle else permanent
                for permanent in self.state.permanents
            )
        )

    def every_permanent(self, **fields: Any) -> None:
        """Change the same fields of every permanent."""
        self.change(permanents=tuple(msgspec.structs.replace(each, **fields) for each in self.state.permanents))
