"""The state of Odd Frontier's table: players, permanents and the queue. It is immutable; an action makes a copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec

from companion.games.oddfrontier.rules.house import STARTING_LIFE, House
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table import state as base
from companion.tabletop.tracking import of_known_figures
from templates.languages.messages import Message, listed, phrase, phrase_in

STARTING_HAND: Final = 7
ARCHIVE: Final = 40
ARCHIVE_SIZES: Final = range(36, 41)
"""Allowed numbers of cards in an archive (R3.1)."""
PHASES: Final = ("reset", "pre-combat", "combat", "post-combat")
"""The phases (R3.3), by the word in the notation."""
PLAYING: Final = (*PHASES, WHOLE_TURN)
"""The phases of a game that has begun, including that of a turn without phases."""
PHASE_NAMES: Final[Mapping[str, Message]] = {
    # Translators: the phases in a sentence: “now is pre-combat”
    "mulligan": phrase_in("phase", "mulligan"),
    "reset": phrase_in("phase", "reset"),
    "pre-combat": phrase_in("phase", "pre-combat"),
    "combat": phrase_in("phase", "combat"),
    "post-combat": phrase_in("phase", "post-combat"),
    WHOLE_TURN: phrase_in("phase", "turn"),
}
"""The names of the phases within a sentence."""


class FrontierPlayer(msgspec.Struct, frozen=True):
    """One player at the table. Cards are only counted; `energy` is the content of the pool."""

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
    """The number of cranked Engines."""
    mulligans: int = 0
    kept: bool = False
    turns: int = 0
    """The number of the player's own turns begun so far."""
    lost: bool = False
    """True if the player lost other than by life: conceded, or drew from an empty archive (A3.6)."""
    left: bool = False
    """True if the player is out and their permanents have left the table."""
    spared: bool = False
    """True while simultaneous effects are unfinished, so that the player cannot be out yet."""

    @property
    def out(self) -> bool:
        """Return True if the player has lost, by life or otherwise (R3.1).

        Life of 0 or less counts once all simultaneous effects are done (A3.10).
        """
        return not self.spared and (self.lost or self.life <= 0)


class Permanent(msgspec.Struct, frozen=True):
    """A card on the battlefield other than an Engine."""

    handle: str
    seat: str
    """The seat that played it (A3.12)."""
    creature: bool = False
    attack: int = 0
    defense: int = 0
    first_assault: bool = False
    until_end: tuple[int, int] = (0, 0)
    """The part of its attack and defense that wears off at the end of the turn."""
    lent_assault: bool = False
    """True if its First Assault wears off at the end of the turn."""
    token: bool = False
    """True if it is not a card: it vanishes when it leaves."""
    cranked: bool = False
    damage: int = 0
    """Damage taken this turn (R3.9)."""
    came: int = 0
    """The turn in which it was played."""
    attacks: str = ""
    """The seat it attacks."""
    blocked: bool = False
    """True for a blocked attacker; it stays blocked even if its blockers are gone (A3.3)."""
    shares: tuple[tuple[str, int], ...] = ()
    """An attacker's damage to each of its blockers, as split."""
    blocks: str = ""
    """The attacker that it blocks."""

    @property
    def title(self) -> str:
        """The handle as a title: `ash-wolf` is `Ash Wolf`."""
        return self.handle.replace("-", " ").replace("_", " ").title()

    @property
    def strength(self) -> int:
        """The damage that it deals: its attack, but never below 0."""
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
    players: tuple[FrontierPlayer, ...] = ()
    permanents: tuple[Permanent, ...] = ()
    queue: tuple[Queued, ...] = ()
    """The queue; its last item resolves next."""
    active: str = ""
    """The turn player; before the first turn, the player who will begin."""
    turn: int = 0
    engine_played: bool = False
    combat: str = "attackers"
    """The stage of this Combat: `attackers` or `blockers` may be declared, or it is `fought`."""
    handles: tuple[str, ...] = ()
    """Every handle used so far in this game."""
    outcome: str | None = None

    def agreeing_on_draw(self) -> FrontierTable:
        """Return the table after an agreed draw."""
        return msgspec.structs.replace(self, outcome="draw")

    def holding(self, together: bool) -> FrontierTable:
        """Return the table with simultaneous effects begun or ended; meanwhile no further player can be out."""
        players = (msgspec.structs.replace(each, spared=together and not each.out) for each in self.players)
        return msgspec.structs.replace(super().holding(together), players=tuple(players))

    @property
    def has_begun(self) -> bool:
        """Return True once the hands are dealt."""
        return self.phase != "setup"

    def without_phases(self) -> FrontierTable:
        """Return the table without phases: every player keeps their hand, and the present turn continues as a whole."""
        players = tuple(msgspec.structs.replace(player, kept=True) for player in self.players)
        phase = WHOLE_TURN if self.phase in PHASES else self.phase
        return msgspec.structs.replace(self, players=players, phase=phase)

    @property
    def board(self) -> tuple[str, ...]:
        """The handles of all permanents."""
        return tuple(each.handle for each in self.permanents)

    @property
    def first_turn(self) -> bool:
        """Return True in the one turn in which no player draws or attacks (R3.4, A3.1)."""
        return self.turn == 1

    def player(self, seat: str) -> FrontierPlayer:
        """Return a player by their seat. Raises RuleError if the seat is empty."""
        return base.at_seat(self.players, seat)

    def playing(self, seat: str) -> FrontierPlayer:
        """Return a player who is still in the game. Raises RuleError otherwise."""
        player = self.player(seat)
        if player.out:
            raise RuleError(phrase("{player} has lost and is out of the game (R3.1).", player=player.name))
        return player

    def standing(self) -> tuple[FrontierPlayer, ...]:
        """Return the players still in the game."""
        return tuple(player for player in self.players if not player.out)

    def clockwise(self, first: str) -> tuple[FrontierPlayer, ...]:
        """Return all players clockwise, from a seat on."""
        return base.clockwise_from(self.players, first)

    def permanent(self, handle: str) -> Permanent:
        """Return a permanent by its handle. Raises RuleError if there is none."""
        for permanent in self.permanents:
            if permanent.handle == handle:
                return permanent
        if not self.permanents:
            raise RuleError(phrase("“{handle}” is not on the battlefield, which is empty.", handle=handle))
        there = listed(permanent.handle for permanent in self.permanents)
        raise RuleError(
            phrase("“{handle}” is not on the battlefield; there is: {handles}.", handle=handle, handles=there)
        )

    def creature(self, handle: str) -> Permanent:
        """Return a Creature by its handle. Raises RuleError if it is not a Creature."""
        permanent = self.permanent(handle)
        if not permanent.creature:
            raise RuleError(phrase("{permanent} is not a Creature (R3.12).", permanent=permanent.title))
        return permanent

    def attackers(self) -> tuple[Permanent, ...]:
        """Return the attackers that are still there, in the order of the battlefield."""
        return tuple(permanent for permanent in self.permanents if permanent.attacks)

    def blockers(self, attacker: str) -> tuple[Permanent, ...]:
        """Return the blockers of an attacker that are still there."""
        return tuple(permanent for permanent in self.permanents if permanent.blocks == attacker)


class Resolution(base.Resolution[FrontierTable]):
    """The resolution of one action, with methods that change this game's table."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> None:
        """Change fields of one player, except figures that are not tracked."""
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
