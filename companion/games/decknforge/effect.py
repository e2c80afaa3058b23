"""What inscriptions and labels are, and the book of those in play: names, prices, limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

import msgspec

from companion.games.decknforge.glossary import title
from companion.games.decknforge.house import House
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.cards import Card

COMMON: Final = "common"
UNCOMMON: Final = "uncommon"
RARE: Final = "rare"
MYTHIC: Final = "mythic"


class Effect:
    """One effect, the whole of which stands in its class; the docstring is what it does, with its rule's number.

    `name` is how notation and records write it, `number` how passports do. Both are for ever: what is stored means
    what it meant, whatever is added, moved or renamed around it. A number that was given once is never given again.
    """

    name: str
    number: int
    called = ""
    """What people call it, where that does not follow from its name."""
    text = ""
    """What it does, where the docstring does not say it: the words of a homebrew."""
    printed = True
    """Whether it is of the rulebook, and not of a homebrew."""
    price: int | None = None
    """Coppers that it costs; None for the price of its tier."""
    withdrawn = False
    """Whether it is given to no card any more; those that bear it keep it."""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.called or title(self.name)

    @property
    def log_title(self) -> str:
        """What the log and notes at the table call it: its name as lines write it, or what a homebrew calls it."""
        return self.called or self.name

    @property
    def effect(self) -> str:
        """What it does, for the screen, where rule numbers would only be in the way."""
        return self.text.rstrip(".") or (type(self).__doc__ or "").splitlines()[0].partition(" (R1.")[0]

    def reminders(self, step: str) -> Iterable[str]:  # noqa: ARG002 – see the effects of a homebrew
        """What people have to remember in a step, as nobody can compute it."""
        return ()


class Inscription(Effect):
    """What an inscription changes; each changes only what it names. The docstring is what it does, in a few words."""

    tier = COMMON
    face = 0
    """Added to the card's face value F (R1.40)."""
    hero = False
    """Whether the card counts as a Hero."""
    pierces = False
    """Whether its damage ignores Tough and Resilient."""
    convert_factor = 1
    """What its Convert is multiplied by (R1.39)."""
    any_suit = False
    """Whether it may be Converted as any suit."""
    surcharge = 0
    """Further cards that a Tactic costs which targets it."""
    untouchable = False
    """Whether it cannot be Foiled or Sniped."""
    kill_coppers = 0
    """Added to the Killer's Coppers if the kill is credited to it (R1.51)."""
    legend_mythics = 0
    """Mythics earned if a Legend's kill is credited to it."""
    pact = 0
    """Coppers for damage done to a Boss that another wizard kills (R1.52)."""
    hand_face = 0
    """Added to F of all other cards of the wizard in whose hand it is."""
    thorns = 0
    """Damage to the Boss when its attack damages the wizard in whose hand it is."""
    rescues = False
    """Whether it saves the wizard in whose hand it is from 0 HP."""
    swaps = False
    """Whether it lets its wizard swap two revealed cards once a dungeon."""
    fades = True
    """Whether Fading can cross it out."""
    drifts = False
    """Whether its card may be carried to another band."""
    reveals_more = False
    """Return True if its card lets its wizard reveal another one."""

    def on_reveal(self, resolution: Any, seat: str, card: Card) -> None:
        """When the card is revealed (R1.21)."""

    def on_hit(self, resolution: Any, seat: str, card: Card) -> None:
        """When the card has dealt damage to a Boss (R1.24d, R1.45)."""

    def on_dodge(self, resolution: Any, seat: str, card: Card) -> None:
        """When the card was part of a successful dodge."""

    def on_convert(self, resolution: Any, seat: str, card: Card) -> None:
        """When the card has Converted (R1.34)."""

    @property
    def acts_on_dodge(self) -> bool:
        """True if something happens as its card dodges."""
        return type(self).on_dodge is not Inscription.on_dodge

    def edge(self, boss: Any) -> int:  # noqa: ARG002 – see HuntersEdge
        """Damage it adds against a Boss, from the HP before this round's damage (R1.42)."""
        return 0

    @property
    def has_edge(self) -> bool:
        """True if it may add damage against a Boss."""
        return type(self).edge is not Inscription.edge

    def raised_faces(self, state: Any, seat: str) -> Mapping[str, int]:  # noqa: ARG002 – see Banner
        """Return the part that it adds to F of all cards of seats for a round, as its card is revealed by a seat."""
        return {}


class Blank(Inscription):
    """An inscription that does nothing, in the place of another one: it is called, priced and ranked as that is."""

    def __init__(self, effect: Inscription) -> None:
        alike = ("name", "number", "called", "printed", "price", "withdrawn", "tier")
        vars(self).update({name: getattr(effect, name) for name in alike})
        self.text = "Does nothing."


class MonsterLabel(Effect):
    """What a label changes; each changes only what it names. The docstring is what it does, in a few words."""

    tier = 1
    """1 Easy, 2 Medium, 3 Hard: the Coppers, and the cards or HP, that adding it earns (R1.73)."""
    on_minions = False
    """Whether it works on a Minion too (A1.35)."""
    dodge = 0
    """Added to every dodge total while its Monster is in the fight."""
    bar = 0
    """Added to the attack value that a dodge of this Monster must beat."""
    per_card = 0
    """Damage that each attacking card loses."""
    absorbs = 0
    """Damage ignored each round."""
    snipe_extra = 0
    """Further cards that a Snipe costs."""
    cost_factor = 1
    """What the printed cost of every Tactic is multiplied by."""
    kill_coppers = 0
    """Added to the Killer's Coppers."""
    curses = False
    """Whether the Killer loses an inscription."""
    wipes_after: int | None = None
    """Fight round after whose step 8 the party is wiped."""

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002 – see Swift and Rampage
        """ATK it adds in the `rounds`-th round with the label and the `fight_round`-th of the fight."""
        return 0

    def forbids_foil(self, fight_round: int) -> bool:  # noqa: ARG002 – see Sneaky
        """Whether nobody may Foil in this round."""
        return False

    def heals(self, atk: int, damaged: int, downed: int, house: House) -> int:  # noqa: ARG002 – see Hungry and Vampiric
        """HP the Monster regains when its attack has damaged so many wizards, and brought `downed` of them to 0."""
        return 0


_WORD: Final = r"[a-z0-9]+(-[a-z0-9]+)*"
_NOTHING: Mapping[str, int] = MappingProxyType({})


class Book(msgspec.Struct, frozen=True):
    """Inscriptions and labels by their names in the notation, in the order of the rulebook."""

    inscriptions: Mapping[str, Inscription] = MappingProxyType({})
    labels: Mapping[str, MonsterLabel] = MappingProxyType({})
    prices: Mapping[str, int] = _NOTHING
    """Coppers that an inscription of a tier costs; a tier without a price is not for sale (R1.8)."""
    copies: Mapping[str, int] = _NOTHING
    """Copies of each inscription of a tier on one sheet of labels (R1.0)."""
    label_tiers: Mapping[int, str] = MappingProxyType({})
    """What the tiers of labels are called (R1.73)."""
    most_labels: int = 5
    """Labels on one Monster for life (R1.72)."""
    labels_per_dungeon: int = 2
    """Labels on one Monster in one dungeon (R1.72)."""
    is_homebrew: bool = False
    """Whether somebody has added to the rulebook: cards may then bear what another homebrew knows, and this one not."""

    def without(self, names: Iterable[str]) -> Book:
        """The same book, where inscriptions of these names do nothing. Raises RuleError for an unknown one."""
        blanks = {name: Blank(self.inscription(name)) for name in names}
        return msgspec.structs.replace(self, inscriptions={**self.inscriptions, **blanks})

    def inscription(self, name: str) -> Inscription:
        """An inscription by its name. Raises RuleError where the book holds none such, with those that come near."""
        if inscription := self.inscriptions.get(name):
            return inscription
        raise RuleError(_unknown("an inscription", name, self.inscriptions))

    def label(self, name: str) -> MonsterLabel:
        """A label by its name. Raises RuleError where the book holds none such, with those that come near."""
        if label := self.labels.get(name):
            return label
        raise RuleError(_unknown("a label", name, self.labels))

    def price(self, name: str) -> int | None:
        """Coppers that an inscription costs; None where it is not for sale. Raises RuleError."""
        effect = self.inscription(name)
        if effect.withdrawn:
            return None
        return self.prices.get(effect.tier) if effect.price is None else effect.price

    def tier_of(self, name: str) -> str:
        """The tier of an inscription that stands, or stood, on a card. Raises LookupError where nobody can know it."""
        if self.is_homebrew and name not in self.inscriptions and re.fullmatch(_WORD, name):
            return ""
        return self.inscriptions[name].tier

    def label_tier_of(self, name: str) -> str:
        """What the tier of a label is called that stands, or stood, on a card. Raises LookupError, as `tier_of`."""
        if self.is_homebrew and name not in self.labels and re.fullmatch(_WORD, name):
            return ""
        return self.label_tiers[self.labels[name].tier]

    def inscription_title(self, name: str) -> str:
        """What people call an inscription, also one that the book does not hold."""
        effect = self.inscriptions.get(name)
        return effect.title if effect else title(name)

    def label_title(self, name: str) -> str:
        """What people call a label, also one that the book does not hold."""
        label = self.labels.get(name)
        return label.title if label else title(name)

    def read_inscription(self, text: str) -> str:
        """An inscription by its name in the notation or on its label, in any case. Raises NotationError."""
        return _read_name(text, self.inscriptions, "an inscription")

    def read_label(self, text: str) -> str:
        """A Monster label by its name in the notation or on its label, in any case. Raises NotationError."""
        return _read_name(text, self.labels, "a Monster label")


def name_of(text: str) -> str:
    """`Hunter's Edge` → `hunters-edge`"""
    return "-".join(text.lower().replace("'", "").replace("’", "").replace("-", " ").split())


def _read_name(text: str, effects: Mapping[str, Effect], what: str) -> str:
    name = name_of(text)
    if name in effects:
        return name
    called = next((each.name for each in effects.values() if each.called and name_of(each.called) == name), "")
    if called:
        return called
    near = get_close_matches(name, list(effects), n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(effects)}."
    raise NotationError(f"“{text}” is not {what}; {hint}")


def _unknown(what: str, name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, list(names), n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it holds {', '.join(names) or 'none'}."
    return f"“{name}” is not {what} in this table's book; {hint}"
