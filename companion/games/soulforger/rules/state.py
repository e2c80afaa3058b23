"""The state of a Soul-Forger table: players, the field, the attack and the Flow. It is frozen; rules change copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec

from companion.games.soulforger.rules.house import House
from companion.games.soulforger.rules.keywords import title
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table import state as base
from companion.tabletop.tracking import of_known_figures
from templates.languages.messages import listed, phrase

ENDURANCE: Final = 30
"""R2.1: the accumulated damage at which a player is out."""
DECK_SIZE: Final = 60
"""R2.2: the minimum size of a Main Deck, and its assumed size if none is given."""
LARGEST_DECK: Final = 75
"""R2.2: the maximum size of a Main Deck."""
OPENING_HAND: Final = 5
"""R2.4: the number of cards in the opening hand."""
HAND_LIMIT: Final = 8
"""R2.9: the maximum number of cards in hand at the end of a turn."""
HANDS: Final = 2
"""R2.15: the maximum number of hands for a player's weapons."""
ACCESSORIES: Final = 2
"""R2.15: the maximum number of accessories."""

PHASES: Final = ("ready", "quest", "main1", "combat", "main2", "end")
"""R2.5: the phases of a turn, by the words of the notation."""

PLAYING: Final = (*PHASES, WHOLE_TURN)
"""The phases of a game that has begun, including the single phase of a turn without phases."""

EquipmentType = Literal["weapon", "armor", "accessory"]
Slot = Literal["primary", "secondary", "armor", "accessory"]
Speed = Literal["normal", "reaction", "instinct"]


class FieldCard(msgspec.Struct, frozen=True):
    """A card (or token) on the field. `on` and `off` are the printed Powers; `gain` is added to both."""

    handle: str
    owner: str
    on: int = 0
    off: int = 0
    gain: int = 0
    guarded: bool = True
    """True while it is On-guard."""
    factions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The display name."""
        return title(self.handle)

    @property
    def power(self) -> int:
        """The present Power: the On-guard Power while On-guard, otherwise the Off-guard Power (R2.24)."""
        return max(0, self.printed_power + self.gain)

    @property
    def printed_power(self) -> int:
        """The printed Power of the present position."""
        return self.on if self.guarded else self.off


class Creature(FieldCard, frozen=True, kw_only=True):
    """A creature. Its damage stays until it is healed or gone (R2.13). A token vanishes when it leaves (R2.14)."""

    ronum: int
    endurance: int
    experience: int = 0
    damage: int = 0
    token: bool = False


class Equipment(FieldCard, frozen=True, kw_only=True):
    """A piece of equipment in its slot (R2.15). `hands` is 0 except for weapons."""

    slot: Slot
    hands: int = 0

    @property
    def is_weapon(self) -> bool:
        """Return True if it can fight."""
        return self.slot in ("primary", "secondary")


class ZoneAction(msgspec.Struct, frozen=True):
    """An Action in its player's zone: face down since turn `turn`, or Lingering on the field (R2.18, R2.19)."""

    name: str
    turn: int
    face_down: bool = True


class FlowItem(msgspec.Struct, frozen=True):
    """An effect on the Flow (R2.20). With `card`, it is an Action card, which goes to the graveyard."""

    seat: str
    name: str
    card: bool = False
    lingering: bool = False
    negated: bool = False


class OngoingAttack(msgspec.Struct, frozen=True):
    """The attack in progress (R2.21–R2.23)."""

    attacker: str
    target: str
    """The handle of a creature, or a seat."""
    blocker: str = ""
    """The declared blocker; it may have left since."""
    declined: bool = False
    """True once the attacked player has declined to block."""
    unsettled: bool = False
    """True if a creature left or entered since the target was chosen: the attack may be retargeted or called off."""


class SoulForgerPlayer(msgspec.Struct, frozen=True):
    """A Soul-Forger. Zones are numbers of cards; `material` has the Ronum of each known card in the Material Zone."""

    seat: str
    name: str
    deck: int = DECK_SIZE
    hand: int = 0
    graveyard: int = 0
    material: tuple[int, ...] = ()
    unknown_material: int = 0
    """The number of cards in the Material Zone with unknown Ronum."""
    damage: int = 0
    level: int = 1
    xp: int = 0
    zone: tuple[ZoneAction, ...] = ()
    gone: bool = False
    """True if the player conceded or was put out by hand."""
    hand_settled: bool = False
    """True once the player has kept or exchanged the opening hand."""
    quested: bool = False
    swapped: bool = False
    levelled: bool = False
    """True if the player has bought a level in this End Phase."""
    spared: bool = False
    """True while simultaneous effects are incomplete, so that the player cannot be out yet."""

    @property
    def out(self) -> bool:
        """Return True if this player has left the game (R2.1), but not before simultaneous effects end (A2.14)."""
        return not self.spared and (self.gone or self.damage >= ENDURANCE)


class SoulForgerTable(ConstructedTable, frozen=True):
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
    players: tuple[SoulForgerPlayer, ...] = ()
    active: str = ""
    turn: int = 0
    cards: dict[str, FieldCard] = msgspec.field(default_factory=dict)
    """The cards on the field by handle, in the order in which they came."""
    handles: frozenset[str] = frozenset()
    """Every handle used in this game."""
    attack: OngoingAttack | None = None
    flow: tuple[FlowItem, ...] = ()
    """The Flow; the last item is the top."""

    agreed: str | None = None
    """An outcome that the players entered by hand."""

    def agreeing_on_draw(self) -> SoulForgerTable:
        """Return the table after all agree on a draw."""
        return msgspec.structs.replace(self, agreed="draw")

    @property
    def has_begun(self) -> bool:
        """Return True if the opening hands are drawn."""
        return self.phase != "setup"

    def without_phases(self) -> SoulForgerTable:
        """Return the table without phases: all keep their opening hands, and the present turn goes on as a whole."""
        players = tuple(msgspec.structs.replace(player, hand_settled=True) for player in self.players)
        phase = WHOLE_TURN if self.phase in PHASES else self.phase
        return msgspec.structs.replace(self, players=players, phase=phase)

    @property
    def board(self) -> tuple[str, ...]:
        """The handles of creatures and weapons, which can fight."""
        fighters = (card for card in self.cards.values() if not isinstance(card, Equipment) or card.is_weapon)
        return tuple(card.handle for card in fighters)

    def holding(self, together: bool) -> SoulForgerTable:
        """Return the table with simultaneous effects held or released. While held, no further player is out."""
        players = (msgspec.structs.replace(each, spared=together and not each.out) for each in self.players)
        return msgspec.structs.replace(super().holding(together), players=tuple(players))

    def player(self, seat: str) -> SoulForgerPlayer:
        """Return the player at a seat. Raises RuleError if nobody sits there."""
        return base.at_seat(self.players, seat)

    def clockwise(self, first: str = "") -> tuple[SoulForgerPlayer, ...]:
        """Return all players clockwise, from `first` or the turn player."""
        return base.clockwise_from(self.players, first or self.active)

    def living(self) -> tuple[SoulForgerPlayer, ...]:
        """Return the players still in the game, clockwise from the turn player."""
        return tuple(player for player in self.clockwise() if not player.out)

    def card(self, handle: str) -> FieldCard:
        """Return a card on the field. Raises RuleError if there is none with this handle."""
        card = self.cards.get(handle)
        if card is None:
            if not self.cards:
                raise RuleError(phrase("There is no “{card}” on the field; nothing is there yet.", card=handle))
            there = listed(self.cards)
            raise RuleError(phrase("There is no “{card}” on the field; there are: {cards}.", card=handle, cards=there))
        return card

    def creature(self, handle: str) -> Creature:
        """Return a creature by its handle. Raises RuleError if it is no creature."""
        card = self.card(handle)
        if not isinstance(card, Creature):
            raise RuleError(phrase("{card} is a piece of equipment; name a creature.", card=card.title))
        return card

    def creatures(self, seat: str) -> Iterator[Creature]:
        """Yield the creatures that a player controls, in the order in which they came."""
        return (card for card in self.cards.values() if card.owner == seat and isinstance(card, Creature))

    def equipment(self, seat: str) -> Iterator[Equipment]:
        """Yield the equipment that a player controls, in the order in which it came."""
        return (card for card in self.cards.values() if card.owner == seat and isinstance(card, Equipment))

    def weapon(self, seat: str, slot: Slot = "primary") -> Equipment | None:
        """Return a player's weapon in a slot, or None."""
        return next((card for card in self.equipment(seat) if card.slot == slot), None)

    def ronum(self, seat: str) -> int:
        """Return the Ronum of all creatures that a player controls (R2.12)."""
        return sum(creature.ronum for creature in self.creatures(seat))

    def overflowing(self) -> SoulForgerPlayer | None:
        """Return the first player whose creatures exceed the Ronum Limit, or None (R2.12)."""
        for player in self.living():
            if self.ronum(player.seat) > player.level:
                return player
        return None

    def discard_due(self, player: SoulForgerPlayer) -> int:
        """Return the number of cards that a player must discard in the End Phase (R2.9)."""
        due = self.phase == "end" and player.seat == self.active and not player.out
        return max(0, player.hand - HAND_LIMIT) if due and self.counts(player.seat, "hand") else 0

    @property
    def outcome(self) -> str | None:
        """The last player left, `draw` if nobody is left (A2.14), the outcome that the table agreed on, or None."""
        if self.phase == "setup":
            return None
        left = [player.seat for player in self.players if not player.out]
        if len(left) > 1:
            return self.agreed
        return left[0] if left else "draw"


class Resolution(base.Resolution[SoulForgerTable]):
    """The state changes and log of one action at a Soul-Forger table."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> None:
        """Change fields of one player; changes of unknown figures are ignored."""
        changes = of_known_figures(self.state, seat, fields)
        self.change(players=base.with_seat(self.state.players, seat, **changes))

    def update_card(self, handle: str, **fields: Any) -> None:
        """Change fields of one card on the field."""
        cards = self.state.cards
        self.change(cards={**cards, handle: msgspec.structs.replace(cards[handle], **fields)})

    def update_attack(self, **fields: Any) -> None:
        """Change fields of the attack in progress."""
        assert self.state.attack is not None
        self.change(attack=msgspec.structs.replace(self.state.attack, **fields))

    def name(self, seat: str) -> str:
        """Return the display name of the player at a seat."""
        return self.state.player(seat).name
