"""SolForge's table as data: two players, their cards by number and level, five lanes. Frozen; actions change copies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec

from companion.games.solforge.house import House
from companion.games.solforge.keywords import Held
from companion.tabletop import state as base
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.text import figure, ordinal, signed

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
"""The counters of the cards on their round (A4.15)."""

Stage = Literal["setup", "playing", "over"]
Levels = tuple[int, int, int]
"""How many cards of level 1, 2 and 3."""


class Player(msgspec.Struct, frozen=True):
    """One player: health, where the cards are, and at which level."""

    seat: str
    name: str
    health: int = 0
    completed: int = 0
    """Own turns that are over (R4.9)."""
    plays: int = 0
    deck: int = 0
    hand: int = 0
    discard: int = 0
    removed: int = 0
    """Cards that Overload and Banish took out of the game."""
    levels: Levels = (0, 0, 0)
    """Of the cards in deck, hand and discard pile."""
    shelved: Levels = (0, 0, 0)
    """Of those cards in the discard pile whose level is known."""
    keywords: Held = msgspec.field(default_factory=dict)
    absorbed: int = 0
    """Damage that Armor has prevented this turn; below 0 where the table gave more by hand."""
    conceded: bool = False

    @property
    def title(self) -> str:
        """As people say it."""
        return self.name

    @property
    def owner(self) -> str:
        """Whom it concerns."""
        return self.seat

    @property
    def rank(self) -> int:
        """1 + completed own turns ÷ 4 (R4.9)."""
        return 1 + self.completed // RANK_TURNS

    @property
    def turn(self) -> int:
        """The own turn in the rank, from 1 (R4.9)."""
        return 1 + self.completed % RANK_TURNS

    @property
    def levels_in_hand(self) -> tuple[int, ...]:
        """The levels that a card in hand may have: all but those of which every card is known to be discarded."""
        outside = zip(self.levels, self.shelved, strict=True)
        return tuple(level for level, (there, shelved) in enumerate(outside, 1) if there > shelved)

    @property
    def cycle(self) -> int:
        """Cards in deck, hand and discard pile (A4.15)."""
        return self.deck + self.hand + self.discard


class Creature(msgspec.Struct, frozen=True):
    """A creature in a lane. What is left of its health is `max` − `damage`."""

    handle: str
    owner: str
    lane: int
    attack: int
    max: int
    damage: int = 0
    level: int = 1
    card: int = 0
    """The level at which its card lies in its owner's cycle (A4.15); 0 where it has none there."""
    asleep: bool = True
    keywords: Held = msgspec.field(default_factory=dict)
    lent: Mapping[str, int | None] = msgspec.field(default_factory=dict)
    """Keywords that wear off at the end of the turn, each with its number from before, None where it had none."""
    negated: tuple[str, ...] = ()
    """Keywords that it cannot have again (R4.20)."""
    absorbed: int = 0
    """As a player's."""
    moved: bool = False
    activated: bool = False
    until_end: tuple[int, int] = (0, 0)
    """What of its attack and maximum health wears off at the end of the turn."""

    @property
    def title(self) -> str:
        """As people say it; a copy by its place among them, as a number behind the name would read as its level."""
        copy = _COPY.fullmatch(self.handle)
        name = (copy[1] if copy else self.handle).replace("-", " ").title()
        return f"{ordinal(int(copy[2]))} {name}" if copy else name

    @property
    def health(self) -> int:
        """What is left of it."""
        return self.max - self.damage

    @property
    def figures(self) -> str:
        """Attack and what is left of its health, as people read them: `3/4`."""
        return format_pair(self.attack, self.health)

    @property
    def ready(self) -> bool:
        """Awake, or Aggressive: it may attack, move and act (R4.10)."""
        return not self.asleep or "aggressive" in self.keywords

    @property
    def offensive(self) -> bool:
        """On the offensive (R4.11): Defender beats Aggressive."""
        return self.ready and "defender" not in self.keywords


def format_pair(attack: int, health: int) -> str:
    """Two figures of a creature, as people read them: `3/−1`."""
    return f"{figure(attack)}/{figure(health)}"


def format_changes(attack: int, health: int) -> str:
    """What a creature's two figures gain or lose, as people read it: `+2/−1`."""
    return f"{signed(attack)}/{signed(health)}"


Bearer = Player | Creature
"""What can be hurt and healed, and can have keywords (A4.11)."""


def armor_left(bearer: Bearer) -> int:
    """Damage that Armor still prevents this turn (R4.14)."""
    return max(0, bearer.keywords.get("armor", 0) - bearer.absorbed)


class Table(ConstructedTable, frozen=True):
    """The whole table. `turn` counts all turns from 1 and is 0 during the set-up."""

    card_figures: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **{pile: (pile,) for pile in ("plays", "hand", "deck", "discard", "removed")},
        "levels": ("level1", "level2", "level3"),
    }

    house: House = House()
    players: tuple[Player, ...] = ()
    creatures: tuple[Creature, ...] = ()
    """In the order in which they came."""
    handles: frozenset[str] = frozenset()
    """Every handle used so far."""
    active: str = ""
    """Who goes first, during the set-up."""
    turn: int = 0
    fought: bool = False
    """Whether this turn's Battle is over (R4.4)."""
    agreed: str | None = None
    """The outcome that the table said by hand."""
    outcome: str | None = None

    @property
    def board(self) -> tuple[str, ...]:
        """All creatures."""
        return tuple(creature.handle for creature in self.creatures)

    def agreeing_on_draw(self) -> Table:
        """The table when both agree on a draw."""
        return msgspec.structs.replace(self, agreed="draw")

    @property
    def has_begun(self) -> bool:
        """Whether the first turn has."""
        return self.turn > 0

    def knows_cards(self, seat: str) -> bool:
        """Whether it is known where a player's cards are, and at which level."""
        return all(self.counts(seat, figure) for figure in _CYCLE)

    @property
    def stage(self) -> Stage:
        """Where the game stands."""
        if not self.turn:
            return "setup"
        return "over" if self.outcome else "playing"

    def player(self, seat: str) -> Player:
        """A player by their seat. Raises RuleError where nobody sits there."""
        return base.at_seat(self.players, seat)

    def is_seat(self, word: str) -> bool:
        """Whether a word names a player."""
        return any(player.seat == word for player in self.players)

    def rival(self, seat: str) -> Player:
        """The other player."""
        return next(player for player in self.players if player.seat != seat)

    def creature(self, handle: str) -> Creature:
        """A creature by its handle. Raises RuleError where there is none."""
        for creature in self.creatures:
            if creature.handle == handle:
                return creature
        there = ", ".join(creature.handle for creature in self.creatures) or "none"
        gone = "is in no lane any more" if handle in self.handles else "is no creature here"
        raise RuleError(f"“{handle}” {gone}; in the lanes: {there}.")

    @property
    def bearers(self) -> tuple[Bearer, ...]:
        """Players before creatures (R4.21)."""
        return (*self.players, *self.creatures)

    def bearer(self, target: str) -> Bearer:
        """A player or a creature. Raises RuleError where there is neither."""
        return self.player(target) if self.is_seat(target) else self.creature(target)

    def at(self, seat: str, lane: int) -> Creature | None:
        """The creature of a player in a lane."""
        for creature in self.creatures:
            if creature.lane == lane and creature.owner == seat:
                return creature
        return None

    def of(self, seat: str) -> tuple[Creature, ...]:
        """A player's creatures in the order of the lanes."""
        return tuple(creature for lane in LANES if (creature := self.at(seat, lane)))

    def empty_lanes(self, seat: str) -> tuple[int, ...]:
        """A player's lanes without a creature (R4.25)."""
        taken = {creature.lane for creature in self.creatures if creature.owner == seat}
        return tuple(lane for lane in LANES if lane not in taken)

    def newest_first(self) -> Iterator[Creature]:
        """Creatures in the order in which their triggers act: the active player's first, each side newest first."""
        for own in (True, False):
            for creature in reversed(self.creatures):
                if (creature.owner == self.active) is own:
                    yield creature


class Resolution(base.Resolution[Table]):
    """What one action sets in motion, with changes to what lies on this game's table."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> Player:
        """Change fields of one player, and give them back as they are then."""
        player = msgspec.structs.replace(self.state.player(seat), **fields)
        self.change(players=tuple([player if other.seat == seat else other for other in self.state.players]))
        return player

    def update_creature(self, handle: str, **fields: Any) -> Creature:
        """Change fields of one creature, and give it back as it is then."""
        creature = msgspec.structs.replace(self.state.creature(handle), **fields)
        creatures = [creature if other.handle == handle else other for other in self.state.creatures]
        self.change(creatures=tuple(creatures))
        return creature

    def update(self, bearer: Bearer, **fields: Any) -> Bearer:
        """Change fields of a player or a creature, and give it back as it is then."""
        if isinstance(bearer, Player):
            return self.update_player(bearer.seat, **fields)
        return self.update_creature(bearer.handle, **fields)

    def name(self, seat: str) -> str:
        """What people call the player at a seat."""
        return self.state.player(seat).name
