"""DecknForge's table as data: wizards, bands, Monsters, the fight. Frozen; the steps of the round change copies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec

from companion.games.decknforge.effect import Book
from companion.games.decknforge.house import House
from companion.tabletop import state as base
from companion.tabletop.arguments import Ref
from companion.tabletop.cards import PACK, Card, pretty, rank
from companion.tabletop.records import Reason

FULL_HP: Final = 20
"""R1.3: every wizard's HP at the start of a fight, and the most a heal gives."""
HAND_LIMIT: Final = 12
"""R1.29: where refills stop."""
COMBAT_DECK: Final = 48
BOSSES: Final = 6
"""R1.11: Bosses in a dungeon."""

MONSTER_CARDS: Final[tuple[Card, ...]] = tuple(Card(card) for card in ("AS", "AH", "AC", "AD", "BJ", "RJ"))
"""R1.2: the six cards that are Monsters."""
COMBAT_CARDS: Final[frozenset[Card]] = frozenset(PACK) - frozenset(MONSTER_CARDS)
PRINTED: Final[dict[Card, int]] = {
    card: {"J": 11, "Q": 12, "K": 13}.get(rank(card)) or int(rank(card)) for card in COMBAT_CARDS
}
"""R1.2: printed values of the combat deck."""

Cause = Literal["play", "convert", "tactic", "dodge", "phoenix"]


def starting_hand(wizards: int) -> int:
    """Cards each wizard draws at the start of the dungeon (R1.4)."""
    return 14 if wizards in (1, 5) else 12


def is_hero(card: Card) -> bool:
    """Whether a card is a J, Q or K (R1.2)."""
    return PRINTED.get(card, 0) > 10


class Monster(msgspec.Struct, frozen=True):
    """A Monster as it stands on its card (R1.6, R1.7): written HP and ATK, ⭐, and the labels it bears for life."""

    name: str
    hp: int = 18
    atk: int = 3
    legend: bool = False
    labels: tuple[str, ...] = ()


class Band(msgspec.Struct, frozen=True):
    """A band as it came to the table, by the seat that brought it, and what this dungeon writes into it."""

    name: str
    deck: str = ""
    dungeons: int = 0
    inscribed: dict[Card, tuple[str, ...]] = msgspec.field(default_factory=dict)
    history: tuple[str, ...] = ()
    """Inscriptions it ever bore, those it bears now included."""
    retired: bool = False


class Committed(msgspec.Struct, frozen=True):
    """A card out of play until the dungeon ends (R1.15), and why."""

    card: Card
    cause: Cause


class Change(msgspec.Struct, frozen=True):
    """A lasting mark on a combat card of the band that a seat brought: what became of an inscription, and by whom.

    For a card carried from band to band, `by` is the seat that brought the other band.
    """

    what: Literal["faded", "cursed", "bought", "mythic", "carried-off", "carried-in"]
    band: str
    card: Card
    inscription: str
    by: str = ""


class Answer(msgspec.Struct, frozen=True):
    """How a wizard met one attack. `cards` is how many cards the dodge took."""

    dodged: bool
    cards: int = 0


class Wizard(msgspec.Struct, frozen=True):
    """One person at the table, with the band they brought. Counts are of cards, money is in Coppers."""

    seat: str
    name: str
    person: str = ""
    """Who that is, where the name alone does not say it."""
    hp: int = FULL_HP
    hand: int = 0
    deck: int = COMBAT_DECK
    purse: int = 0
    brought: int = 0
    """The purse at the start."""
    earned: int = 0
    """Coppers gained this dungeon, gross."""
    ledger: tuple[tuple[int, Reason], ...] = ()
    """Coppers that came (or went, below 0) in this game, each with its reason."""
    glory: int = 0
    """Glory gained this dungeon by the band that this seat brought (R1.53)."""
    personal: int = 0
    """Personal Glory (R1.53)."""
    best_kill: int = 0
    """Highest F of a card of theirs that took a Boss (R1.82)."""
    mythics: int = 0
    """Mythics earned, in this game or an earlier one, and not yet placed (A1.19)."""
    any_card: int = 0
    """How many of them may go on any card (`reaper-any-card`)."""
    brought_mythics: int = 0
    """Mythics not yet placed at the start."""
    legend_killed: bool = False
    used_will: bool = False
    pile: tuple[Committed, ...] = ()
    """Committed cards of this seat's own band, by whoever played them (A1.58)."""
    unnamed: int = 0
    """Committed cards that nobody named."""
    held: tuple[Card, ...] = ()
    """Cards that are known to be in the hand."""

    # the fight
    in_fight: bool = True
    left: bool = False
    """Left the table for good; the number of wizards stays (R1.12)."""
    late: Literal["", "waits", "joins"] = ""
    """Of somebody who came late: waits for the next Boss, or begins with this one."""
    shield: int = 0
    glint: int = 0
    """Coppers from Glint this fight (R1.I03)."""
    skips_plot: bool = False
    label_risk: bool = False

    @property
    def is_there(self) -> bool:
        """Whether they have a part in what this fight brings: not who left for good, or waits for the next Boss."""
        return not self.left and self.late != "waits"

    # the round
    banner: int = 0
    braced: bool = False
    acted: bool = False
    more_reveals: int = 0
    patrons: int = 0
    answers: tuple[Answer, ...] = ()
    downed_by: str = ""
    """The Minion whose attack brought them to 0 HP in this step."""

    # after the game
    drawn: tuple[Card, ...] = ()
    faded: bool = False
    holds: str = ""
    """The seat that brought the band now held (R1.82)."""
    heirloom: str = ""


class ActiveLabel(msgspec.Struct, frozen=True):
    """A label at work on a Boss or Minion since a fight round."""

    label: str
    since: int


class Foe(msgspec.Struct, frozen=True):
    """A Boss or an active Minion in the fight (R1.12, R1.60)."""

    ref: Ref
    max: int
    hp: int
    atk: int
    """Written ATK, with whatever the table changed by hand."""
    since: int = 1
    """The fight round in which it first strikes."""
    worn: tuple[ActiveLabel, ...] = ()
    escalation: int = 0
    """Times that Escalation found the pool empty in this fight (R1.30)."""
    lost: int = 0
    """HP lost to damage this round (R1.27)."""
    absorb: int = 0
    """What is left this round of the damage that Resilient ignores."""
    wounded_by: tuple[tuple[str, str, Card], ...] = ()
    """(controller, owner, card) of the cards that damaged it in this fight (R1.I19)."""


class Revealed(msgspec.Struct, frozen=True):
    """A card on the table this round."""

    owner: str
    card: Card
    controller: str
    tactics: tuple[int, ...] = ()
    """What each Spike and Foil on it changed, in their order."""
    converts: str = ""
    """The suit it is Converted as, "" where it attacks."""
    target: Ref | None = None
    """The Minion it is aimed at, None for the Boss."""
    declared: bool = False

    @property
    def title(self) -> str:
        """`9♠`"""
        return pretty(self.card)

    @property
    def spikes(self) -> int:
        """Spikes on it."""
        return sum(change > 0 for change in self.tactics)

    @property
    def foils(self) -> int:
        """Foils on it."""
        return sum(change < 0 for change in self.tactics)


class DungeonTable(base.State, frozen=True):
    """The whole table."""

    step: str = "setup"
    house: House = House()
    book: Book = Book()
    """What can stand on this table's cards."""
    wizards: tuple[Wizard, ...] = ()
    bands: dict[str, Band] = msgspec.field(default_factory=dict)
    monsters: dict[Ref, Monster] = msgspec.field(default_factory=dict)
    order: tuple[Ref, ...] = ()
    """The six Bosses, in order."""
    named: int = 0
    """How many of them, from the first one on, the table has named; the others were drawn."""
    pool: tuple[Ref, ...] = ()
    """Monsters that can still come as Minions."""
    lots: tuple[str, ...] = ()
    """Seats in the order that settles a full tie (A1.44)."""
    active: str = ""
    number: int = 0
    """Which Boss of the six."""
    round: int = 0
    boss: Foe | None = None
    minions: tuple[Foe, ...] = ()
    revealed: tuple[Revealed, ...] = ()
    asked: tuple[str, ...] = ()
    """Seats that have been offered to add a label and have not answered (R1.71)."""
    labellers: tuple[tuple[str, int], ...] = ()
    """(seat, fight round) of the labels added in this fight."""
    labels_used: tuple[str, ...] = ()
    """Labels that have left the pool of 15 (R1.75)."""
    labelled: tuple[tuple[Ref, str, str], ...] = ()
    """(Monster, label, seat) of every label added in this dungeon."""
    killer: str | None = None
    overkill: int = 0
    kill_card: Card | None = None
    curse_due: bool = False
    momentum: bool = False
    """The next Boss starts lower (R1.54)."""
    eased: bool = False
    """The present Boss did."""
    minion_due: bool = False
    """A Minion must come before the Minions attack (`minion-enters before-step8`)."""
    felled: tuple[Ref, ...] = ()
    """Bosses killed so far."""
    outcome: str | None = None
    draft: tuple[str, ...] = ()
    watched: tuple[tuple[str, str, str], ...] = ()
    """(question, answer, note) of the playtest watchlist."""
    changes: tuple[Change, ...] = ()
    """Marks made on combat cards in this game."""

    def wizard(self, seat: str) -> Wizard:
        """A wizard by their seat. Raises RuleError where nobody sits there."""
        return base.at_seat(self.wizards, seat)

    def clockwise(self, first: str = "") -> tuple[Wizard, ...]:
        """All wizards clockwise, from `first` (the active wizard where not given)."""
        first = first or self.active
        for index, wizard in enumerate(self.wizards):
            if wizard.seat == first:
                return self.wizards[index:] + self.wizards[:index]
        return self.wizards

    def fighting(self) -> tuple[Wizard, ...]:
        """The wizards in the fight, clockwise from the active one."""
        return tuple(wizard for wizard in self.clockwise() if wizard.in_fight)

    def cards_of(self, seat: str) -> tuple[Revealed, ...]:
        """The revealed cards that a wizard controls now."""
        return tuple(card for card in self.revealed if card.controller == seat)

    @property
    def hand_limit(self) -> int:
        """Where refills stop: at 12, or with `big-hand-cap starting-hand` at that (A1.9)."""
        return HAND_LIMIT if self.house.big_hand_cap == "12" else max(HAND_LIMIT, starting_hand(len(self.wizards)))

    def foes(self) -> tuple[Foe, ...]:
        """The Boss, then the Minions in the order of their coming."""
        return (*((self.boss,) if self.boss else ()), *self.minions)

    def monster_title(self, ref: Ref) -> str:
        """`Grave Wyrm (A♠ of Ana's band)`, or the card alone where it has no name."""
        seat, _, card = ref.partition(":")
        where = f"{pretty(Card(card))} of {self.wizard(seat).name}"
        name = self.monsters[ref].name
        return f"{name} ({where})" if name else where


class Resolution(base.Resolution[DungeonTable]):
    """What one action sets in motion, with changes to what lies on this game's table."""

    __slots__ = ()

    def update_wizard(self, seat: str, **fields: Any) -> None:
        """Change fields of one wizard."""
        self.change(wizards=base.with_seat(self.state.wizards, seat, **fields))

    def update_everyone(self, **fields: Any) -> None:
        """Change the same fields of every wizard."""
        self.change(wizards=tuple(msgspec.structs.replace(wizard, **fields) for wizard in self.state.wizards))

    def update_foe(self, ref: Ref, **fields: Any) -> None:
        """Change fields of the Boss or of a Minion."""
        state = self.state
        if state.boss and state.boss.ref == ref:
            self.change(boss=msgspec.structs.replace(state.boss, **fields))
        else:
            self.change(
                minions=tuple(
                    msgspec.structs.replace(minion, **fields) if minion.ref == ref else minion
                    for minion in state.minions
                )
            )

    def update_card(self, owner: str, card: Card, **fields: Any) -> None:
        """Change fields of one revealed card, which its owner and the card itself name."""
        self.change(
            revealed=tuple(
                msgspec.structs.replace(shown, **fields) if (shown.owner, shown.card) == (owner, card) else shown
                for shown in self.state.revealed
            )
        )

    def update_band(self, seat: str, **fields: Any) -> None:
        """Change fields of the band that a seat brought."""
        bands = self.state.bands
        self.change(bands={**bands, seat: msgspec.structs.replace(bands[seat], **fields)})

    def name(self, seat: str) -> str:
        """What people call the wizard at a seat."""
        return self.state.wizard(seat).name


def join_words(words: Iterable[str]) -> str:
    """`a, b and c`"""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last
