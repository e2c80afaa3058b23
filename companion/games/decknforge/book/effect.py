"""Inscriptions and labels, and the book of those in play: names, prices, limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

import msgspec

from companion.games.decknforge.book.house import House
from companion.games.decknforge.glossary import effect_name, effect_title
from companion.games.page_text import Unfinished
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.notation.cards import Card
from templates.languages.messages import Message, Text, any_of, declared, listed, phrase

COMMON: Final = "common"
UNCOMMON: Final = "uncommon"
RARE: Final = "rare"
MYTHIC: Final = "mythic"

TIER_TITLES: Final[Mapping[str, Message]] = {
    COMMON: phrase("Common"),
    UNCOMMON: phrase("Uncommon"),
    RARE: phrase("Rare"),
    MYTHIC: phrase("Mythic"),
}
"""Titles of the tiers of inscriptions."""


class Effect:
    """An effect, defined completely by its class. A subclass's docstring describes the effect, with its rule's number.

    `name` identifies it in notation and records, `number` in passports. Both are permanent: stored effects keep their
    meaning, whatever is added, moved or renamed around them. A number is never reused.
    """

    name: str
    number: int
    called = ""
    """Title, if it does not follow from the name."""
    translate: Callable[[str], Text] = staticmethod(str)
    """Return a text of a homebrew as a message with the homebrew's translations."""
    text: Text = ""
    """Description in place of the docstring: the words of a homebrew."""
    printed = True
    """True if it is from the rulebook and not from a homebrew."""
    price: int | None = None
    """Price in Coppers; None for the price of its tier."""
    withdrawn = False
    """True if it is no longer given to cards; cards that bear it keep it."""

    @property
    def title(self) -> Text:
        """The title for players."""
        return self.translate(self.called) or effect_title(self.name)

    @property
    def log_title(self) -> Text:
        """The title in the log and in notes at the table: the name, or the title from a homebrew."""
        return self.translate(self.called) or effect_name(self.name)

    @property
    def effect(self) -> Text:
        """The description for the screen, without rule numbers."""
        if isinstance(self.text, Message):
            return self.text
        if self.text:
            return Unfinished(self.translate(self.text))
        return declared((type(self).__doc__ or "").splitlines()[0].partition(" (R1.")[0])

    def reminders(self, step: str) -> Iterable[Text]:  # noqa: ARG002 – see the effects of a homebrew
        """Return what players must remember in a step because the program cannot compute it."""
        return ()


class Inscription(Effect):
    """The changes that an inscription makes; a subclass overrides only those. Its docstring is a short description."""

    tier = COMMON
    face = 0
    """Added to the card's face value F (R1.40)."""
    hero = False
    """True if the card counts as a Hero."""
    pierces = False
    """True if its damage ignores Tough and Resilient."""
    convert_factor = 1
    """Factor of its Convert (R1.39)."""
    any_suit = False
    """True if it may be Converted as any suit."""
    surcharge = 0
    """Additional cards that a Tactic targeting it costs."""
    untouchable = False
    """True if it cannot be Foiled or Sniped."""
    kill_coppers = 0
    """Added to the Killer's Coppers if the kill is credited to it (R1.51)."""
    legend_mythics = 0
    """Mythics earned if a Legend's kill is credited to it."""
    pact = 0
    """Coppers for damage to a Boss that another wizard kills (R1.52)."""
    hand_face = 0
    """Added to F of all other cards of the wizard who holds it in hand."""
    thorns = 0
    """Damage to the Boss when its attack damages the wizard who holds it in hand."""
    rescues = False
    """True if it saves the wizard who holds it in hand from 0 HP."""
    swaps = False
    """True if its wizard may swap two revealed cards once a dungeon."""
    fades = True
    """True if Fading can cross it out."""
    drifts = False
    """True if its card may be carried to another band."""
    reveals_more = False
    """True if its card lets its wizard reveal another one."""

    @property
    def rank(self) -> int:
        """The place of its tier, from 1 on."""
        return [*TIER_TITLES].index(self.tier) + 1

    def on_reveal(self, resolution: Any, seat: str, card: Card) -> None:
        """Apply the effect when the card is revealed (R1.21)."""

    def on_hit(self, resolution: Any, seat: str, card: Card) -> None:
        """Apply the effect when the card has dealt damage to a Boss (R1.24d, R1.45)."""

    def on_dodge(self, resolution: Any, seat: str, card: Card) -> None:
        """Apply the effect when the card was part of a successful dodge."""

    def on_convert(self, resolution: Any, seat: str, card: Card) -> None:
        """Apply the effect when the card has Converted (R1.34)."""

    @property
    def acts_on_dodge(self) -> bool:
        """True if it has an effect when its card dodges."""
        return type(self).on_dodge is not Inscription.on_dodge

    def edge(self, boss: Any) -> int:  # noqa: ARG002 – see HuntersEdge
        """Return the damage it adds against a Boss, based on the HP before this round's damage (R1.42)."""
        return 0

    @property
    def has_edge(self) -> bool:
        """True if it may add damage against a Boss."""
        return type(self).edge is not Inscription.edge

    def raised_faces(self, state: Any, seat: str) -> Mapping[str, int]:  # noqa: ARG002 – see Banner
        """Return what it adds, by seat, to F of all cards for a round, when the wizard at `seat` reveals its card."""
        return {}


class BlankInscription(Inscription):
    """An inscription without effect in the place of another one, with that one's name, price and tier."""

    def __init__(self, effect: Inscription) -> None:
        alike = ("name", "number", "called", "translate", "printed", "price", "withdrawn", "tier")
        vars(self).update({name: getattr(effect, name) for name in alike})
        self.text = "Does nothing."

    @property
    def effect(self) -> Message:
        """The description for the screen."""
        return phrase("Does nothing")


class MonsterLabel(Effect):
    """The changes that a label makes; a subclass overrides only those. Its docstring is a short description."""

    tier = 1
    """1 Easy, 2 Medium, 3 Hard: the Coppers, and the cards or HP, that adding it earns (R1.73)."""
    on_minions = False
    """True if it also works on a Minion (A1.35)."""
    dodge = 0
    """Added to every dodge total while its Monster is in the fight."""
    bar = 0
    """Added to the attack value that a dodge of this Monster must beat."""
    per_card = 0
    """Damage that each attacking card loses."""
    absorbs = 0
    """Damage absorbed each round."""
    snipe_extra = 0
    """Additional cards that a Snipe costs."""
    cost_factor = 1
    """Factor of the printed cost of every Tactic."""
    kill_coppers = 0
    """Added to the Killer's Coppers."""
    curses = False
    """True if the Killer loses an inscription."""
    wipes_after: int | None = None
    """Fight round after whose step 8 the party is wiped."""

    @property
    def rank(self) -> int:
        """The place of its tier, from 1 on."""
        return self.tier

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002 – see Swift and Rampage
        """Return the ATK it adds in the `rounds`-th round with the label and the `fight_round`-th of the fight."""
        return 0

    def forbids_foil(self, fight_round: int) -> bool:  # noqa: ARG002 – see Sneaky
        """Return True if no wizard may Foil in this round."""
        return False

    def heals(self, atk: int, damaged: int, downed: int, house: House) -> int:  # noqa: ARG002 – see Hungry and Vampiric
        """Return the HP regained after an attack that damaged `damaged` wizards and brought `downed` of them to 0."""
        return 0


_WORD: Final = r"[a-z0-9]+(-[a-z0-9]+)*"
_NOTHING: Mapping[str, int] = MappingProxyType({})


class EffectBook(msgspec.Struct, frozen=True):
    """Inscriptions and labels by their names in notation, in the order of the rulebook."""

    inscriptions: Mapping[str, Inscription] = MappingProxyType({})
    labels: Mapping[str, MonsterLabel] = MappingProxyType({})
    prices: Mapping[str, int] = _NOTHING
    """Price in Coppers by tier; inscriptions of a tier without a price are not for sale (R1.8)."""
    copies: Mapping[str, int] = _NOTHING
    """Copies of each inscription of a tier on one sheet of labels (R1.0)."""
    label_tiers: Mapping[int, str] = MappingProxyType({})
    """Titles of the tiers of labels (R1.73)."""
    most_labels: int = 5
    """Most labels on one Monster for life (R1.72)."""
    labels_per_dungeon: int = 2
    """Most labels on one Monster in one dungeon (R1.72)."""
    is_homebrew: bool = False
    """True if a homebrew adds to the rulebook; cards may then bear unknown effects of another homebrew."""

    def without(self, names: Iterable[str]) -> EffectBook:
        """Return the book with the inscriptions of these names disabled. Raises RuleError for an unknown name."""
        blanks = {name: BlankInscription(self.inscription(name)) for name in names}
        return msgspec.structs.replace(self, inscriptions={**self.inscriptions, **blanks})

    def inscription(self, name: str) -> Inscription:
        """Return an inscription by its name. Raises RuleError with similar names if the book does not have it."""
        if inscription := self.inscriptions.get(name):
            return inscription
        raise RuleError(_refuse_inscription(name, self.inscriptions))

    def label(self, name: str) -> MonsterLabel:
        """Return a label by its name. Raises RuleError with similar names if the book does not have it."""
        if label := self.labels.get(name):
            return label
        raise RuleError(_refuse_label(name, self.labels))

    def price(self, name: str) -> int | None:
        """Return the price of an inscription in Coppers, or None if it is not for sale. Raises RuleError."""
        effect = self.inscription(name)
        if effect.withdrawn:
            return None
        return self.prices.get(effect.tier) if effect.price is None else effect.price

    def tier_of(self, name: str) -> str:
        """Return the tier of a present or former inscription of a card. Raises LookupError if it is unknown."""
        if self.is_homebrew and name not in self.inscriptions and re.fullmatch(_WORD, name):
            return ""
        return self.inscriptions[name].tier

    def label_tier_of(self, name: str) -> str:
        """Return the title of the tier of a present or former label. Raises LookupError as `tier_of` does."""
        if self.is_homebrew and name not in self.labels and re.fullmatch(_WORD, name):
            return ""
        return self.label_tiers[self.labels[name].tier]

    def inscription_title(self, name: str) -> Text:
        """Return the title of an inscription, even if the book does not have it."""
        effect = self.inscriptions.get(name)
        return effect.title if effect else effect_title(name)

    def label_title(self, name: str) -> Text:
        """Return the title of a label, even if the book does not have it."""
        label = self.labels.get(name)
        return label.title if label else effect_title(name)

    def read_inscription(self, text: str) -> str:
        """Read an inscription by its name in notation or its title, in any case. Raises NotationError."""
        if name := _find_name(text, self.inscriptions):
            return name
        if near := _similar_name(text, self.inscriptions):
            raise NotationError(phrase("“{word}” is not an inscription; did you mean {name}?", word=text, name=near))
        raise NotationError(
            phrase("“{word}” is not an inscription; there are {names}.", word=text, names=listed(self.inscriptions))
        )

    def read_label(self, text: str) -> str:
        """Read a Monster label by its name in notation or its title, in any case. Raises NotationError."""
        if name := _find_name(text, self.labels):
            return name
        if near := _similar_name(text, self.labels):
            raise NotationError(phrase("“{word}” is not a Monster label; did you mean {name}?", word=text, name=near))
        raise NotationError(
            phrase("“{word}” is not a Monster label; there are {names}.", word=text, names=listed(self.labels))
        )


def name_of(text: str) -> str:
    """Return the name for a title: `Hunter's Edge` → `hunters-edge`."""
    return "-".join(text.lower().replace("'", "").replace("’", "").replace("-", " ").split())


def _find_name(text: str, effects: Mapping[str, Effect]) -> str:
    """Return the name of the effect that a text means, by its name or its title; "" if there is none."""
    name = name_of(text)
    if name in effects:
        return name
    return next((each.name for each in effects.values() if each.called and name_of(each.called) == name), "")


def _similar_name(text: str, effects: Mapping[str, Effect]) -> str:
    return next(iter(get_close_matches(name_of(text), list(effects), n=1)), "")


def _refuse_inscription(name: str, names: Collection[str]) -> Message:
    """Return why a name cannot be used at a table whose book holds these inscriptions."""
    if near := get_close_matches(name, list(names), n=2, cutoff=0.5):
        return phrase(
            "“{name}” is not an inscription in this table's book; did you mean {names}?", name=name, names=any_of(near)
        )
    if not names:
        return phrase("“{name}” is not an inscription in this table's book; it holds none.", name=name)
    return phrase(
        "“{name}” is not an inscription in this table's book; it holds {names}.", name=name, names=listed(names)
    )


def _refuse_label(name: str, names: Collection[str]) -> Message:
    """Return why a name cannot be used at a table whose book holds these labels."""
    if near := get_close_matches(name, list(names), n=2, cutoff=0.5):
        return phrase(
            "“{name}” is not a label in this table's book; did you mean {names}?", name=name, names=any_of(near)
        )
    if not names:
        return phrase("“{name}” is not a label in this table's book; it holds none.", name=name)
    return phrase("“{name}” is not a label in this table's book; it holds {names}.", name=name, names=listed(names))
