"""SolForge's table as data: two players, their cards by number and level, five lanes. It is immutable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec

from companion.games.solforge.rules.house import House
from companion.games.solforge.rules.keywords import Held
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.table import state as base
from companion.tabletop.text import figure, ordinal
from companion.tabletop.words import title_of_word
from templates.languages.messages import Message, joined, listed, phrase, signed

LANES: Final = (1, 2, 3, 4, 5)
"""R4.1: the centre is 3, the sides are 1 and 5."""
MOST_PLAYERS: Final = 2
HAND: Final = 5
"""R4.2, R4.8: cards drawn at the start, and at the end of each own turn."""
RANK_TURNS: Final = 4
"""R4.9: own turns in a rank."""
MAX_LEVEL: Final = 3

_COPY: Final = re.compile(r"(.*\w)-(\d{1,3})")
"""The handle of one more copy: `ash-wolf-2`."""

_CYCLE: Final = ("hand", "deck", "discard", "level1", "level2", "level3")
"""The counters of the cards in the cycle (A4.15)."""

Stage = Literal["setup", "playing", "over"]
Levels = tuple[int, int, int]
"""The numbers of cards of level 1, 2 and 3."""


class SolForgePlayer(msgspec.Struct, frozen=True):
    """One player: health, and the numbers and levels of the cards."""

    seat: str
    name: str
    health: int = 0
    completed: int = 0
    """The number of completed own turns (R4.9)."""
    plays: int = 0
    deck: int = 0
    hand: int = 0
    discard: int = 0
    removed: int = 0
    """The number of cards that Overload and Banish removed from the game."""
    levels: Levels = (0, 0, 0)
    """The levels of the cards in deck, hand and discard pile."""
    shelved: Levels = (0, 0, 0)
    """The levels of the cards in the discard pile, as far as known."""
    keywords: Held = msgspec.field(default_factory=dict)
    absorbed: int = 0
    """Damage prevented by Armor this turn; below 0 if the Armor was increased by hand."""
    conceded: bool = False

    @property
    def title(self) -> str:
        """The display name."""
        return self.name

    @property
    def owner(self) -> str:
        """The seat of the player."""
        return self.seat

    @property
    def rank(self) -> int:
        """The rank: 1 + completed own turns ÷ 4 (R4.9)."""
        return 1 + self.completed // RANK_TURNS

    @property
    def turn(self) -> int:
        """The own turn in the rank, from 1 (R4.9)."""
        return 1 + self.completed % RANK_TURNS

    @property
    def levels_in_hand(self) -> tuple[int, ...]:
        """The possible levels of a card in hand: all except those whose cards are all known to be discarded."""
        outside = zip(self.levels, self.shelved, strict=True)
        return tuple(level for level, (there, shelved) in enumerate(outside, 1) if there > shelved)

    @property
    def cycle(self) -> int:
        """The number of cards in deck, hand and discard pile (A4.15)."""
        return self.deck + self.hand + self.discard


class LaneCreature(msgspec.Struct, frozen=True):
    """A creature in a lane. Its remaining health is `max` − `damage`."""

    handle: str
    owner: str
    lane: int
    attack: int
    max: int
    damage: int = 0
    level: int = 1
    card: int = 0
    """The level of its card in its owner's cycle (A4.15); 0 if it has none there."""
    asleep: bool = True
    keywords: Held = msgspec.field(default_factory=dict)
    lent: Mapping[str, int | None] = msgspec.field(default_factory=dict)
    """Keywords that wear off at the end of the turn, each with its earlier number, None if it had none."""
    negated: tuple[str, ...] = ()
    """Keywords that it cannot have again (R4.20)."""
    absorbed: int = 0
    """Damage prevented by Armor this turn, as for a player."""
    moved: bool = False
    activated: bool = False
    until_end: tuple[int, int] = (0, 0)
    """The changes of attack and maximum health that wear off at the end of the turn."""

    @property
    def title(self) -> str:
        """The display name; a copy has an ordinal, because a number after the name would read as its level."""
        copy = _COPY.fullmatch(self.handle)
        name = (copy[1] if copy else self.handle).replace("-", " ").title()
        return f"{ordinal(int(copy[2]))} {name}" if copy else name

    @property
    def health(self) -> int:
        """The remaining health."""
        return self.max - self.damage

    @property
    def figures(self) -> str:
        """Attack and remaining health for display: `3/4`."""
        return format_pair(self.attack, self.health)

    @property
    def ready(self) -> bool:
        """Return True if it is awake or Aggressive: it may attack, move and act (R4.10)."""
        return not self.asleep or "aggressive" in self.keywords

    @property
    def offensive(self) -> bool:
        """Return True if it is on the offensive (R4.11): Defender beats Aggressive."""
        return self.ready and "defender" not in self.keywords


def format_pair(attack: int, health: int) -> str:
    """Return two figures of a creature for display: `3/−1`."""
    return f"{figure(attack)}/{figure(health)}"


def format_changes(attack: int, health: int) -> Message:
    """Return the changes of a creature's two figures for display: `+2/−1`."""
    return joined("/", (signed(attack), signed(health)))


Bearer = SolForgePlayer | LaneCreature
"""A player or a creature: both can be hurt and healed, and can have keywords (A4.11)."""


def armor_left(bearer: Bearer) -> int:
    """Return the damage that Armor can still prevent this turn (R4.14)."""
    return max(0, bearer.keywords.get("armor", 0) - bearer.absorbed)


class SolForgeTable(ConstructedTable, frozen=True):
    """The whole table. `turn` counts all turns from 1 and is 0 during the set-up."""

    card_figures: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **{pile: (pile,) for pile in ("plays", "hand", "deck", "discard", "removed")},
        "levels": ("level1", "level2", "level3"),
    }

    house: House = House()
    players: tuple[SolForgePlayer, ...] = ()
    creatures: tuple[LaneCreature, ...] = ()
    """The creatures in the order in which they came."""
    handles: frozenset[str] = frozenset()
    """Every handle used so far."""
    active: str = ""
    """The seat whose turn it is; during the set-up, the seat that goes first."""
    turn: int = 0
    fought: bool = False
    """True if this turn's Battle is over (R4.4)."""
    agreed: str | None = None
    """The outcome agreed at the table."""
    outcome: str | None = None

    @property
    def board(self) -> tuple[str, ...]:
        """The handles of all creatures."""
        return tuple(creature.handle for creature in self.creatures)

    def agreeing_on_draw(self) -> SolForgeTable:
        """Return the table after both agree on a draw."""
        return msgspec.structs.replace(self, agreed="draw")

    @property
    def has_begun(self) -> bool:
        """Return True if the first turn has begun."""
        return self.turn > 0

    def knows_cards(self, seat: str) -> bool:
        """Return True if the numbers and levels of a player's cards are known."""
        return all(self.counts(seat, figure) for figure in _CYCLE)

    @property
    def stage(self) -> Stage:
        """The stage of the game."""
        if not self.turn:
            return "setup"
        return "over" if self.outcome else "playing"

    def player(self, seat: str) -> SolForgePlayer:
        """Return a player by their seat. Raises RuleError if there is none."""
        return base.at_seat(self.players, seat)

    def rival(self, seat: str) -> SolForgePlayer:
        """Return the other player."""
        return next(player for player in self.players if player.seat != seat)

    def creature(self, handle: str) -> LaneCreature:
        """Return a creature by its handle. Raises RuleError if there is none."""
        for creature in self.creatures:
            if creature.handle == handle:
                return creature
        handles = listed(creature.handle for creature in self.creatures) or title_of_word("none")
        if handle in self.handles:
            raise RuleError(
                phrase("“{handle}” is no longer in a lane; in the lanes: {handles}.", handle=handle, handles=handles)
            )
        raise RuleError(
            phrase("“{handle}” is not a creature here; in the lanes: {handles}.", handle=handle, handles=handles)
        )

    @property
    def bearers(self) -> tuple[Bearer, ...]:
        """All players and creatures, players first (R4.21)."""
        return (*self.players, *self.creatures)

    def bearer(self, target: str) -> Bearer:
        """Return a player or a creature by its target. Raises RuleError if there is neither."""
        return self.player(target) if self.is_seat(target) else self.creature(target)

    def at(self, seat: str, lane: int) -> LaneCreature | None:
        """Return the creature of a player in a lane, or None."""
        for creature in self.creatures:
            if creature.lane == lane and creature.owner == seat:
                return creature
        return None

    def of(self, seat: str) -> tuple[LaneCreature, ...]:
        """Return a player's creatures in the order of the lanes."""
        return tuple(creature for lane in LANES if (creature := self.at(seat, lane)))

    def empty_lanes(self, seat: str) -> tuple[int, ...]:
        """Return a player's lanes without a creature (R4.25)."""
        taken = {creature.lane for creature in self.creatures if creature.owner == seat}
        return tuple(lane for lane in LANES if lane not in taken)

    def newest_first(self) -> Iterator[LaneCreature]:
        """Yield creatures in the order in which their triggers act: the active player's first, newest first."""
        for own in (True, False):
            for creature in reversed(self.creatures):
                if (creature.owner == self.active) is own:
                    yield creature


class Resolution(base.Resolution[SolForgeTable]):
    """The resolution of one action, with changes to players and creatures."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> SolForgePlayer:
        """Change fields of one player, and return the changed player."""
        player = msgspec.structs.replace(self.state.player(seat), **fields)
        self.change(players=tuple([player if other.seat == seat else other for other in self.state.players]))
        return player

    def update_creature(self, handle: str, **fields: Any) -> LaneCreature:
        """Change fields of one creature, and return the changed creature."""
        creature = msgspec.structs.replace(self.state.creature(handle), **fields)
        creatures = [creature if other.handle == handle else other for other in self.state.creatures]
        self.change(creatures=tuple(creatures))
        return creature

    def update(self, bearer: Bearer, **fields: Any) -> Bearer:
        """Change fields of a player or a creature, and return the changed one."""
        if isinstance(bearer, SolForgePlayer):
            return self.update_player(bearer.seat, **fields)
        return self.update_creature(bearer.handle, **fields)

    def name(self, seat: str) -> str:
        """Return the name of the player at a seat."""
        return self.state.player(seat).name
