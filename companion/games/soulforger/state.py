"""Soul-Forger's table as data: players, the field, the attack and the Flow. Frozen; the rules change copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec

from companion.games.soulforger.house import House
from companion.games.soulforger.keywords import title
from companion.tabletop import state as base
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.tracking import of_known_figures

ENDURANCE: Final = 30
"""R2.1: accumulated damage at which a player is out."""
DECK_SIZE: Final = 60
"""R2.2: the smallest Main Deck, and what a deck is taken to hold where nobody says."""
LARGEST_DECK: Final = 75
"""R2.2: the largest Main Deck."""
OPENING_HAND: Final = 5
"""R2.4."""
HAND_LIMIT: Final = 8
"""R2.9."""
HANDS: Final = 2
"""R2.15: how many hands of weapons a player can hold."""
ACCESSORIES: Final = 2
"""R2.15."""

PHASES: Final = ("ready", "quest", "main1", "combat", "main2", "end")
"""R2.5: the phases of a turn, by the words of the notation."""

PLAYING: Final = (*PHASES, WHOLE_TURN)
"""The phases of a game that has begun, with the one of a turn through which nobody walks."""

EquipmentType = Literal["weapon", "armor", "accessory"]
Slot = Literal["primary", "secondary", "armor", "accessory"]
Speed = Literal["normal", "reaction", "instinct"]


class FieldCard(msgspec.Struct, frozen=True):
    """A card (or token) on the field. `on` and `off` are the printed Powers, `gain` what both have gained since."""

    handle: str
    owner: str
    on: int = 0
    off: int = 0
    gain: int = 0
    guarded: bool = True
    """Whether it is On-guard."""
    factions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """How it is called in a sentence."""
        return title(self.handle)

    @property
    def power(self) -> int:
        """The Power it uses now: On-guard Power while On-guard, else Off-guard Power (R2.24)."""
        return max(0, self.printed + self.gain)

    @property
    def printed(self) -> int:
        """The printed Power of its present position."""
        return self.on if self.guarded else self.off


class Creature(FieldCard, frozen=True, kw_only=True):
    """A creature: damage stays on it until it is healed or gone (R2.13). A token vanishes when it leaves (R2.14)."""

    ronum: int
    endurance: int
    experience: int = 0
    damage: int = 0
    token: bool = False


class Equipment(FieldCard, frozen=True, kw_only=True):
    """A piece of equipment in its slot (R2.15); `hands` is 0 but for weapons."""

    slot: Slot
    hands: int = 0

    @property
    def is_weapon(self) -> bool:
        """Whether it fights."""
        return self.slot in ("primary", "secondary")


class ZoneAction(msgspec.Struct, frozen=True):
    """An Action in a zone of its player: face down since a turn, or Lingering on the field (R2.18, R2.19)."""

    name: str
    turn: int
    face_down: bool = True


class FlowItem(msgspec.Struct, frozen=True):
    """One effect on the Flow (R2.20). `card` says that an Action card lies there, which goes to the graveyard."""

    seat: str
    name: str
    card: bool = False
    lingering: bool = False
    negated: bool = False


class OngoingAttack(msgspec.Struct, frozen=True):
    """The attack that is being fought out (R2.21–R2.23)."""

    attacker: str
    target: str
    """The handle of a creature, or a seat."""
    blocker: str = ""
    """Who was declared to block; it may have left since."""
    declined: bool = False
    """The attacked player has said that nobody blocks."""
    unsettled: bool = False
    """A creature left or entered since the target was chosen: the attack may be aimed anew, or called off."""


class Player(msgspec.Struct, frozen=True):
    """A Soul-Forger. Counts are of cards; `material` has the Ronum of each card in the Material Zone."""

    seat: str
    name: str
    deck: int = DECK_SIZE
    hand: int = 0
    graveyard: int = 0
    material: tuple[int, ...] = ()
    unknown_material: int = 0
    """Cards in the Material Zone whose Ronum nobody has named."""
    damage: int = 0
    level: int = 1
    xp: int = 0
    zone: tuple[ZoneAction, ...] = ()
    gone: bool = False
    """Conceded, or put out by hand."""
    hand_settled: bool = False
    """Has kept or exchanged the opening hand."""
    quested: bool = False
    swapped: bool = False
    levelled: bool = False
    """Has bought a level in this End Phase."""
    spared: bool = False
    """Cannot be out yet: effects happen together, and are not done."""

    @property
    def out(self) -> bool:
        """Whether this player has left the game (R2.1); looked for once all that happens together is done (A2.14)."""
        return not self.spared and (self.gone or self.damage >= ENDURANCE)


class Table(ConstructedTable, frozen=True):
    """The whole table. `phase` is `setup`, then `mulligan`, then one of the phases of a turn."""

    card_figures: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "hand": ("hand",),
        "deck": ("deck",),
        "graveyard": ("graveyard",),
        "material": ("material",),
        "unknown_material": ("material",),
    }

    phase: str = "setup"
    house: House = House()
    players: tuple[Player, ...] = ()
    active: str = ""
    turn: int = 0
    cards: dict[str, FieldCard] = msgspec.field(default_factory=dict)
    """What lies on the field, by its handle, in the order in which it came."""
    handles: frozenset[str] = frozenset()
    """Every handle that was ever given in this game."""
    attack: OngoingAttack | None = None
    flow: tuple[FlowItem, ...] = ()
    """The Flow; the last item is the top."""

    agreed: str | None = None
    """An outcome that the people at the table entered by hand."""

    def agreeing_on_draw(self) -> Table:
        """The table when everybody agrees on a draw."""
        return msgspec.structs.replace(self, agreed="draw")

    @property
    def has_begun(self) -> bool:
        """Whether the opening hands are drawn."""
        return self.phase != "setup"

    def without_phases(self) -> Table:
        """Everybody keeps the opening hand; a turn that has begun goes on as a whole."""
        players = tuple(msgspec.structs.replace(player, hand_settled=True) for player in self.players)
        phase = WHOLE_TURN if self.phase in PHASES else self.phase
        return msgspec.structs.replace(self, players=players, phase=phase)

    def holds(self, player: Player, cards: int = 1) -> bool:
        """Whether a hand may have so many cards: it has, or nobody knows."""
        return player.hand >= cards or not self.counts(player.seat, "hand")

    @property
    def board(self) -> tuple[str, ...]:
        """Creatures and weapons: what fights."""
        fighters = (card for card in self.cards.values() if not isinstance(card, Equipment) or card.is_weapon)
        return tuple(card.handle for card in fighters)

    def holding(self, together: bool) -> Table:
        """While effects happen together, nobody is out who was not before."""
        players = (msgspec.structs.replace(each, spared=together and not each.out) for each in self.players)
        return msgspec.structs.replace(super().holding(together), players=tuple(players))

    def player(self, seat: str) -> Player:
        """A player by their seat. Raises RuleError where nobody sits there."""
        return base.at_seat(self.players, seat)

    def seated(self, seat: str) -> bool:
        """Whether somebody sits there."""
        return any(player.seat == seat for player in self.players)

    def clockwise(self, first: str = "") -> tuple[Player, ...]:
        """All players clockwise, from `first` (the turn player where not given)."""
        first = first or self.active
        for index, player in enumerate(self.players):
            if player.seat == first:
                return self.players[index:] + self.players[:index]
        return self.players

    def living(self) -> tuple[Player, ...]:
        """The players still in the game, clockwise from the turn player."""
        return tuple(player for player in self.clockwise() if not player.out)

    def card(self, handle: str) -> FieldCard:
        """What lies on the field under a handle. Raises RuleError where there is nothing of that name."""
        card = self.cards.get(handle)
        if card is None:
            there = ", ".join(self.cards) or "nothing yet"
            raise RuleError(f"There is no “{handle}” on the field; there are: {there}.")
        return card

    def creature(self, handle: str) -> Creature:
        """A creature by its handle. Raises RuleError where it is none."""
        card = self.card(handle)
        if not isinstance(card, Creature):
            raise RuleError(f"{card.title} is a piece of equipment; name a creature.")
        return card

    def creatures(self, seat: str) -> Iterator[Creature]:
        """The creatures that a player controls, in the order in which they came."""
        return (card for card in self.cards.values() if card.owner == seat and isinstance(card, Creature))

    def equipment(self, seat: str) -> Iterator[Equipment]:
        """The equipment that a player controls, in the order in which it came."""
        return (card for card in self.cards.values() if card.owner == seat and isinstance(card, Equipment))

    def weapon(self, seat: str, slot: Slot = "primary") -> Equipment | None:
        """A player's weapon in a slot."""
        return next((card for card in self.equipment(seat) if card.slot == slot), None)

    def ronum(self, seat: str) -> int:
        """The Ronum of all creatures that a player controls (R2.12)."""
        return sum(creature.ronum for creature in self.creatures(seat))

    def overflowing(self) -> Player | None:
        """The first player whose creatures break the Ronum Limit and who must send some away (R2.12)."""
        for player in self.living():
            if self.ronum(player.seat) > player.level:
                return player
        return None

    def discard_due(self, player: Player) -> int:
        """Cards above the limit that the turn player must discard in the End Phase (R2.9)."""
        due = self.phase == "end" and player.seat == self.active and not player.out
        return max(0, player.hand - HAND_LIMIT) if due and self.counts(player.seat, "hand") else 0

    @property
    def outcome(self) -> str | None:
        """The last one left, `draw` where nobody is (A2.14), what the table agreed on, or None."""
        if self.phase == "setup":
            return None
        left = [player.seat for player in self.players if not player.out]
        if len(left) > 1:
            return self.agreed
        return left[0] if left else "draw"


class Resolution(base.Resolution[Table]):
    """What one action sets in motion, with changes to what lies on this game's table."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> None:
        """Change fields of one player, as far as anybody knows them."""
        changes = of_known_figures(self.state, seat, fields)
        self.change(players=base.with_seat(self.state.players, seat, **changes))

    def update_card(self, handle: str, **fields: Any) -> None:
        """Change fields of one card on the field."""
        cards = self.state.cards
        self.change(cards={**cards, handle: msgspec.structs.replace(cards[handle], **fields)})

    def update_attack(self, **fields: Any) -> None:
        """Change fields of the attack that is being fought out."""
        assert self.state.attack is not None
        self.change(attack=msgspec.structs.replace(self.state.attack, **fields))

    def name(self, seat: str) -> str:
        """What people call the player at a seat."""
        return self.state.player(seat).name
