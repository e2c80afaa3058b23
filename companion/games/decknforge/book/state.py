"""DecknForge's table as data: wizards, bands, Monsters, the fight. It is immutable; steps replace it with copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal

import msgspec

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.house import FULL_HP, House
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import PACK, Card, card_title, pretty, rank
from companion.tabletop.records import Reason
from companion.tabletop.table import state as base
from companion.tabletop.tracking import TrackedTable, of_known_figures
from templates.languages.messages import Message, Text, phrase

"""HP of every wizard at the start of a fight, and the most that a heal restores (R1.3)."""
HAND_LIMIT: Final = 12
"""Cards in hand at which refills stop (R1.29)."""
COMBAT_DECK: Final = 48
EDITION: Final = 4
"""Edition of the rules for new dungeons; dungeons begun by an earlier edition end by it.

Up to edition 2 a wizard who had left could take a Killing Blow, and counted for `comeback` (A1.72, A1.73). Up to
edition 3 they took part in the draft (R1.82), Doom did not change HP and checked its own round only, and `solo-lethal`
used the Boss's HP at the moment of the damage (R1.L11, R1.85).
"""
BOSSES: Final = 6
"""Bosses in a dungeon (R1.11)."""

MONSTER_CARDS: Final[tuple[Card, ...]] = tuple(Card(card) for card in ("AS", "AH", "AC", "AD", "BJ", "RJ"))
"""The six cards that are Monsters (R1.2)."""
COMBAT_CARDS: Final[frozenset[Card]] = frozenset(PACK) - frozenset(MONSTER_CARDS)
PRINTED: Final[dict[Card, int]] = {
    card: {"J": 11, "Q": 12, "K": 13}.get(rank(card)) or int(rank(card)) for card in COMBAT_CARDS
}
"""Printed values of the combat deck (R1.2)."""

Cause = Literal["play", "convert", "tactic", "dodge", "phoenix"]


def starting_hand(wizards: int) -> int:
    """Return the number of cards that each wizard draws at the start of the dungeon (R1.4)."""
    return 14 if wizards in (1, 5) else 12


def is_hero(card: Card) -> bool:
    """Return True if a card is a J, Q or K (R1.2)."""
    return PRINTED.get(card, 0) > 10


class Monster(msgspec.Struct, frozen=True):
    """A Monster as written on its card (R1.6, R1.7): HP and ATK, ⭐, and the labels it bears for life."""

    name: str
    hp: int = 18
    atk: int = 3
    legend: bool = False
    labels: tuple[str, ...] = ()


def unnamed_band(wizard: str) -> str:
    """Return the name of a wizard's band that was never named."""
    return f"{wizard}'s band"


class Band(msgspec.Struct, frozen=True):
    """A band as it came to the table, with this dungeon's changes."""

    name: str
    deck: str = ""
    dungeons: int = 0
    inscribed: dict[Card, tuple[str, ...]] = msgspec.field(default_factory=dict)
    history: tuple[str, ...] = ()
    """Inscriptions it ever bore, including the present ones."""
    retired: bool = False
    adopted_at: int | None = None
    """For a loose band adopted as it lay on the table: the number of `changes` that its first mark includes."""
    wizard: str = ""
    """The name of its wizard if it has no name of its own."""

    @property
    def title(self) -> Text:
        """The title for display: the name of the band, or that it is its wizard's."""
        return phrase("{player}'s band", player=self.wizard) if self.wizard else self.name


class CommittedCard(msgspec.Struct, frozen=True):
    """A card out of play until the dungeon ends (R1.15), and the cause."""

    card: Card
    cause: Cause


class CardChange(msgspec.Struct, frozen=True):
    """A lasting change to a combat card of the band that a seat brought: an inscription added or lost, and the seat
    that did it. For a card carried from band to band, `by` is the seat that brought the other band.
    """

    what: Literal["faded", "cursed", "bought", "mythic", "carried-off", "carried-in"]
    band: str
    card: Card
    inscription: str
    by: str = ""


class AttackAnswer(msgspec.Struct, frozen=True):
    """A wizard's answer to one attack. `cards` is the number of cards of the dodge."""

    dodged: bool
    cards: int = 0


class Wizard(msgspec.Struct, frozen=True):
    """A wizard at the table, with the band they brought. Money is in Coppers."""

    seat: str
    name: str
    person: str = ""
    """Id of the person, if the name is ambiguous."""
    hp: int = FULL_HP
    hand: int = 0
    deck: int = COMBAT_DECK
    purse: int = 0
    starting_purse: int = 0
    """The purse at the start."""
    earned: int = 0
    """Coppers gained this dungeon, gross."""
    ledger: tuple[tuple[int, Reason], ...] = ()
    """Changes of the purse in this game, in Coppers, each with its reason."""
    glory: int = 0
    """Glory gained this dungeon by the band that this seat brought (R1.53)."""
    personal: int = 0
    """Personal Glory (R1.53)."""
    best_kill: int = 0
    """Highest F of a card of theirs that took a Boss (R1.82)."""
    mythics: int = 0
    """Mythics earned, in this game or an earlier one, and not yet placed (A1.19)."""
    any_card: int = 0
    """Number of these that may go on any card (`reaper-any-card`)."""
    starting_mythics: int = 0
    """Mythics not yet placed at the start."""
    legend_killed: bool = False
    used_will: bool = False
    pile: tuple[CommittedCard, ...] = ()
    """Committed cards of this seat's own band, whichever wizard played them (A1.58)."""
    unnamed_cards: int = 0
    """Number of committed cards that were not named."""
    unnamed_spades: int = 0
    """Number of Spades among them, as far as entered."""
    spades_open: bool = False
    """True if unnamed cards were added after the number of Spades was entered."""
    spades_said: int = 0
    """Round of the dungeon in which that number was last entered."""
    untracked: bool = False
    """True if an unknown number of cards may be committed, as only the fight was tracked."""
    unnamed_dodge: int = 0
    """Unnamed cards of a dodge in this round that may include a card with an effect on a dodge."""
    doubted: tuple[Card, ...] = ()
    """Cards that were held when others were paid unnamed, and may have been among these."""
    known_hand: tuple[Card, ...] = ()
    """Cards that are known to be in the hand."""

    # The fight
    in_fight: bool = True
    has_left: bool = False
    """True if they left the table for good; the number of wizards stays (R1.12)."""
    left_in: int = 0
    """Number of the fight in which they left."""
    drafts: bool = False
    """True if they take part in the draft although they have left."""
    late: Literal["", "waits", "joins"] = ""
    """For a wizard who joined late: waits for the next Boss, or begins with this one."""
    deal_open: bool = False
    """True until the hand of a wizard who joined late is settled (R1.4)."""
    shield: int = 0
    glint: int = 0
    """Coppers from Glint this fight (R1.I03)."""
    skips_plot: bool = False
    label_risk: bool = False

    @property
    def is_there(self) -> bool:
        """Return True unless the wizard has left for good or waits for the next Boss."""
        return not self.has_left and self.late != "waits"

    # The round
    banner: int = 0
    braced: bool = False
    has_acted: bool = False
    more_reveals: int = 0
    patrons: int = 0
    answers: tuple[AttackAnswer, ...] = ()
    downed_by: str = ""
    """The Minion whose attack brought them to 0 HP in this step."""

    # After the game
    fading_draw: tuple[Card, ...] = ()
    """The Blessed cards drawn for Fading (R1.81)."""
    has_faded: bool = False
    holds: str = ""
    """The seat that brought the band now held (R1.82)."""
    heirloom: str = ""
    keeps_purse: bool = False
    """True if the purse's gains are stored although the band is loose."""


class ActiveLabel(msgspec.Struct, frozen=True):
    """A label that is active on a Boss or Minion since a fight round."""

    label: str
    since: int


class Foe(msgspec.Struct, frozen=True):
    """A Boss or an active Minion in the fight (R1.12, R1.60)."""

    ref: Ref
    max: int
    hp: int
    atk: int
    """Written ATK, including overrides."""
    since: int = 1
    """The fight round in which it first strikes."""
    labels: tuple[ActiveLabel, ...] = ()
    escalation: int = 0
    """Times that Escalation found the pool empty in this fight (R1.30)."""
    lost_hp: int = 0
    """HP lost to damage this round (R1.27)."""
    hp_at_start: int = 0
    """HP as the round began (R1.85)."""
    absorb: int = 0
    """Damage that Resilient can still absorb this round."""
    wounded_by: tuple[tuple[str, str, Card], ...] = ()
    """(controller, owner, card) of the cards that damaged it in this fight (R1.I19)."""
    written: Monster | None = None
    """Its card as it was before an override corrected it."""


class Upcard(msgspec.Struct, frozen=True):
    """A revealed card, face up on the table this round."""

    owner: str
    card: Card
    controller: str
    tactics: tuple[int, ...] = ()
    """Change by each Spike and Foil on it, in order."""
    converts: str = ""
    """The suit it is Converted as, or "" if it attacks."""
    target: Ref | None = None
    """The Minion it is aimed at, or None for the Boss."""
    declared: bool = False

    @property
    def title(self) -> str:
        """The card as text: `9♠`."""
        return pretty(self.card)

    @property
    def spikes(self) -> int:
        """Number of Spikes on it."""
        return sum(change > 0 for change in self.tactics)

    @property
    def foils(self) -> int:
        """Number of Foils on it."""
        return sum(change < 0 for change in self.tactics)


class DungeonTable(TrackedTable, frozen=True):
    """The whole table."""

    card_figures: ClassVar[Mapping[str, tuple[str, ...]]] = {"hand": ("hand",), "deck": ("deck",)}

    step: str = "setup"
    edition: int = EDITION
    house: House = House()
    book: EffectBook = EffectBook()
    """Inscriptions and labels that this table's cards can bear."""
    wizards: tuple[Wizard, ...] = ()
    bands: dict[str, Band] = msgspec.field(default_factory=dict)
    monsters: dict[Ref, Monster] = msgspec.field(default_factory=dict)
    order: tuple[Ref, ...] = ()
    """The six Bosses, in order."""
    named_bosses: int = 0
    """Number of Bosses, from the first on, that were named; the others were drawn."""
    pool: tuple[Ref, ...] = ()
    """Monsters that can still come: as Minions, or as Bosses that are still face down."""
    pool_lost: int = 0
    """Number of unknown Monsters that an override has removed from the Minion Pool."""
    lots: tuple[str, ...] = ()
    """Seats in the order that settles a full tie (A1.44)."""
    active: str = ""
    number: int = 0
    """Number of the Boss, from 1 to 6."""
    round: int = 0
    earlier_rounds: int = 0
    """Rounds of the fights that are over."""
    boss: Foe | None = None
    minions: tuple[Foe, ...] = ()
    revealed: tuple[Upcard, ...] = ()
    label_offers: tuple[str, ...] = ()
    """Seats that were offered to add a label and have not answered (R1.71)."""
    labellers: tuple[tuple[str, int], ...] = ()
    """(seat, fight round) of the labels added in this fight."""
    labels_used: tuple[str, ...] = ()
    """Labels that have left the pool of 15 (R1.75)."""
    added_labels: tuple[tuple[Ref, str, str], ...] = ()
    """(Monster, label, seat) of every label added in this dungeon."""
    killer: str | None = None
    overkill: int = 0
    kill_card: Card | None = None
    curse_due: bool = False
    momentum: bool = False
    """True if the next Boss starts lower (R1.54)."""
    momentum_used: bool = False
    """True if the present Boss started lower (R1.54)."""
    minion_due: bool = False
    """True if a Minion must come before the Minions attack (`minion-enters before-step8`)."""
    killed_bosses: tuple[Ref, ...] = ()
    """Bosses killed so far."""
    outcome: str | None = None
    draft: tuple[str, ...] = ()
    watchlist: tuple[tuple[str, str, str], ...] = ()
    """(question, answer, note) of the playtest watchlist."""
    changes: tuple[CardChange, ...] = ()
    """Changes to combat cards in this game."""

    @property
    def people(self) -> Sequence[Wizard]:
        """The wizards."""
        return self.wizards

    @property
    def has_begun(self) -> bool:
        """Return True if the hands are dealt."""
        return self.step != "setup"

    def wizard(self, seat: str) -> Wizard:
        """Return a wizard by their seat. Raises RuleError if the seat is empty."""
        for wizard in self.wizards:
            if wizard.seat == seat:
                return wizard
        return base.at_seat(self.wizards, seat)

    def clockwise(self, first: str = "") -> tuple[Wizard, ...]:
        """Return all wizards clockwise, from `first` (the active wizard by default)."""
        return base.clockwise_from(self.wizards, first or self.active)

    def fighting(self) -> tuple[Wizard, ...]:
        """Return the wizards in the fight, clockwise from the active one."""
        return tuple([wizard for wizard in self.clockwise() if wizard.in_fight])

    def cards_of(self, seat: str) -> tuple[Upcard, ...]:
        """Return the revealed cards that a wizard controls now."""
        return tuple(card for card in self.revealed if card.controller == seat)

    def may_take(self, seat: str) -> bool:
        """Return True if a wizard can take kills and Coppers; from edition 3 on, not if they have left (A1.72)."""
        return self.edition < 3 or not self.wizard(seat).has_left

    @property
    def full_hp(self) -> int:
        """The HP with which wizards begin a fight (R1.4)."""
        return self.house.start_hp

    @property
    def hand_limit(self) -> int:
        """Cards in hand at which refills stop: 12, or with `big-hand-cap starting-hand` the starting hand (A1.9)."""
        return HAND_LIMIT if self.house.big_hand_cap == "12" else max(HAND_LIMIT, starting_hand(len(self.wizards)))

    def foes(self) -> tuple[Foe, ...]:
        """Return the Boss, then the Minions by arrival."""
        return (*((self.boss,) if self.boss else ()), *self.minions)

    @property
    def hidden_bosses(self) -> int:
        """Number of Bosses still face down, if the players flip each as it comes (R1.11)."""
        return BOSSES - len(self.order) if self.number else 0

    @property
    def minions_left(self) -> int:
        """Size of the Minion Pool: all Monsters that can still come, less the Bosses among them (R1.11)."""
        return max(0, len(self.pool) - self.hidden_bosses - self.pool_lost)

    @property
    def is_last_boss(self) -> bool:
        """Return True if no Boss comes after this one (R1.11)."""
        return self.number == BOSSES

    def is_boss(self, foe: Foe) -> bool:
        """Return True if a foe is the Boss, and not a Minion."""
        return self.boss is not None and foe.ref == self.boss.ref

    def foe_title(self, foe: Foe) -> Message:
        """Return `the Boss`, or a Minion's title."""
        return phrase("the Boss") if self.is_boss(foe) else self.monster_title(foe.ref)

    def monster_place(self, ref: Ref) -> Message:
        """Return the card on which a Monster is written: `A♠ of Ana`."""
        seat, _, card = ref.partition(":")
        return card_of(Card(card), self.wizard(seat).name)

    def monster_title(self, ref: Ref) -> Message:
        """Return `Grave Wyrm (A♠ of Ana's band)`, or the card alone if the Monster has no name."""
        where, name = self.monster_place(ref), self.monsters[ref].name
        return phrase("{monster} ({card})", monster=name, card=where) if name else where


class Resolution(base.Resolution[DungeonTable]):
    """The changes that one action makes to this game's table."""

    __slots__ = ()

    def update_wizard(self, seat: str, **fields: Any) -> None:
        """Change fields of one wizard; figures that are unknown stay so."""
        state = self.state
        changes = of_known_figures(state, seat, fields) if state.unknown else fields
        self.state = msgspec.structs.replace(state, wizards=base.with_seat(state.wizards, seat, **changes))

    def update_everyone(self, **fields: Any) -> None:
        """Change the same fields of every wizard."""
        self.change(wizards=tuple(msgspec.structs.replace(wizard, **fields) for wizard in self.state.wizards))

    def update_foe(self, ref: Ref, **fields: Any) -> None:
        """Change fields of the Boss or of a Minion."""
        boss, *minions = (
            msgspec.structs.replace(foe, **fields) if foe and foe.ref == ref else foe
            for foe in (self.state.boss, *self.state.minions)
        )
        self.change(boss=boss, minions=tuple(minions))

    def update_card(self, owner: str, card: Card, **fields: Any) -> None:
        """Change fields of one revealed card, identified by its owner and the card."""
        self.change(
            revealed=tuple(
                msgspec.structs.replace(upcard, **fields) if (upcard.owner, upcard.card) == (owner, card) else upcard
                for upcard in self.state.revealed
            )
        )

    def update_band(self, seat: str, **fields: Any) -> None:
        """Change fields of the band that a seat brought."""
        bands = self.state.bands
        self.change(bands={**bands, seat: msgspec.structs.replace(bands[seat], **fields)})

    def name(self, seat: str) -> str:
        """Return the name of the wizard at a seat."""
        return self.state.wizard(seat).name


class DungeonStep:
    """One step of the round, or after the last fight. By default it waits until a player ends it."""

    following: ClassVar[str] = ""
    """The step that comes next; "" if `leave` or an action determines it."""

    def enter(self, resolution: Resolution) -> None:
        """Apply what happens as the step begins."""

    def waiting(self, state: DungeonTable) -> bool:  # noqa: ARG002 – until a player ends it
        """Return True if a wizard can still act in this step."""
        return True

    def default(self, resolution: Resolution) -> None:
        """Apply the default of `next` for everyone who has not acted. Raises RuleError if they must choose."""

    def leave(self, resolution: Resolution) -> str:
        """Apply what happens as the step ends. Returns the next step."""
        assert self.following, resolution.state.step
        return self.following


def card_of(card: Card, owner: str) -> Message:
    """Return a card of a player's band: `A♠ of Ana`."""
    return phrase("{card} of {player}", card=card_title(card), player=owner)


def join_words(words: Iterable[str]) -> str:
    """Join words as in `a, b and c`."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last
