"""The words of DecknForge in lists: the titles of steps, and the reasons of payments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.tabletop.glossary import Glossary
from companion.tabletop.notation.cards import Card, card_title
from companion.tabletop.records import Reason
from templates.languages.messages import Language, Message, declared, joined, phrase, phrase_in, signed

_OWNERS: Final = frozenset({"Hunters", "Wizards", "Reapers", "Towers"})


STEP_WORDS: Final[Mapping[str, Message]] = {
    # Translators: The steps of a round as values of a figure: “Step: attack”.
    "setup": phrase_in("step", "setup"),
    "flip": phrase_in("step", "flip"),
    "labels": phrase_in("step", "labels"),
    "reveal": phrase_in("step", "reveal"),
    "tactics": phrase_in("step", "tactics"),
    "declare": phrase_in("step", "declare"),
    "damage": phrase_in("step", "damage"),
    "kill": phrase_in("step", "kill"),
    "attack": phrase_in("step", "attack"),
    "minions": phrase_in("step", "minions"),
    "refill": phrase_in("step", "refill"),
    "fading": phrase_in("step", "fading"),
    "drifting": phrase_in("step", "drifting"),
    "turning": phrase_in("step", "turning"),
    "sealed": phrase_in("step", "sealed"),
}
"""The steps by their words in notation, as sentences name them."""


def title(name: str) -> str:
    """Return the title for a name: `hunters-edge` → `Hunter's Edge`."""
    words = name.title().split("-")
    return " ".join(f"{word[:-1]}'s" if word in _OWNERS else word for word in words)


def effect_title(name: str) -> Message:
    """Return the title of an inscription or label for its name, as the rulebook has it."""
    return declared(title(name))


def effect_name(name: str) -> Message:
    """Return the name of an inscription or label for sentences: in English as it is typed, `hunters-edge`."""
    return _EffectName(name)


class _EffectName(Message):
    """The name of an inscription or label within a sentence: the word that is typed, in other languages the title."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def render(self, language: Language) -> str:
        """Return the name in a language."""
        return self.name if language.catalogue is None else effect_title(self.name).render(language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.name,)


def kill_reason(parts: list[tuple[int, str]]) -> Reason:
    """Return the reason of a kill's payment: the Coppers for `kill`, `overkill` and each effect that counts (R1.51)."""
    return Reason("kill", tuple(part for pair in parts for part in pair))


def _kill_text(*parts: int | str) -> Message:
    return joined(
        " + ", [_coppers_part(int(coppers), str(what)) for coppers, what in zip(parts[::2], parts[1::2], strict=True)]
    )


_KILL_PARTS: Final[Mapping[str, Message]] = {
    # Translators: What Coppers are paid for: “3 kill + 2 overkill”.
    "kill": phrase_in("coppers", "kill"),
    "overkill": phrase_in("coppers", "overkill"),
}


def _coppers_part(coppers: int, what: str) -> Message:
    title_of_part = _KILL_PARTS.get(what) or declared(what.replace("-", " ").title())
    return joined(" ", (coppers if coppers >= 0 else joined("", ("(", coppers, ")")), title_of_part))


def _boss_text(number: int, name: str, card: str, owner: str) -> Message:
    where = phrase("{card} of {player}", card=card_title(Card(card)), player=owner)
    monster = phrase("{monster} ({card})", monster=name, card=where) if name else where
    return joined(" · ", (phrase("Boss {number} of {bosses}", number=number, bosses=6), monster))


def _assist_text(pact: int = 0) -> Message:
    if pact:
        return phrase("1 assist + {coppers} Mercenary Pact", coppers=pact)
    return phrase("1 assist")


def _minion_text(atk: int, greedy: int = 0) -> Message:
    if greedy:
        return phrase("Minion with ATK {atk} {change} Greedy", atk=atk, change=signed(int(greedy)))
    return phrase("Minion with ATK {atk}", atk=atk)


def _minion_ace_text(greedy: int = 0) -> Message:
    return phrase("Minion {change} Greedy", change=signed(int(greedy))) if greedy else phrase("Minion")


def _convert_text(name: str, card: str, factor: int = 1) -> Message:
    if factor > 1:
        return phrase("{player}'s {card} Converted ×2 Echo", player=name, card=card_title(Card(card)))
    return phrase("{player}'s {card} Converted", player=name, card=card_title(Card(card)))


GLOSSARY: Final = Glossary(
    "DecknForge",
    steps={
        # Translators: The messages with the context "step" are the titles of the steps of a round.
        "setup": phrase_in("step", "Setup"),
        "flip": phrase_in("step", "Flip"),
        "labels": phrase_in("step", "Labels"),
        "reveal": phrase_in("step", "Reveal"),
        "tactics": phrase_in("step", "Tactics"),
        "declare": phrase_in("step", "Declare"),
        "damage": phrase_in("step", "Damage"),
        "kill": phrase_in("step", "Kill"),
        "attack": phrase_in("step", "Boss attack"),
        "minions": phrase_in("step", "Minions"),
        "refill": phrase_in("step", "Refill"),
        "fading": phrase_in("step", "Fading"),
        "drifting": phrase_in("step", "Drifting"),
        "turning": phrase_in("step", "Turning"),
        "sealed": phrase_in("step", "Sealed"),
    },
    counters={"round": phrase("Round")},
    texts={
        "boss": _boss_text,
        "round": lambda number: phrase("Round {number}", number=str(number)),
        "kill": _kill_text,
        "assist": _assist_text,
        "pact": lambda pact: phrase("{coppers} Mercenary Pact", coppers=pact),
        "minion": _minion_text,
        "minion-ace": _minion_ace_text,
        "convert": _convert_text,
        "glint": lambda card: joined(" ", (declared("Glint"), card_title(card))),
        "homebrew": lambda inscription, card: joined(" ", (effect_title(inscription), card_title(card))),
        "label": lambda tier, label: phrase(
            "{tier} label {label}", tier=declared(tier.title()), label=effect_name(label)
        ),
        "patron-stole": lambda player: phrase("stolen by The Patron of {player}", player=player),
        "patron-steals": lambda player: phrase("The Patron steals from {player}", player=player),
        "inscription": lambda inscription, card, band: phrase(
            "{inscription} on {card} of {band}", inscription=effect_name(inscription), card=card_title(card), band=band
        ),
        "glory-cap": lambda limit: phrase(
            "above the {coppers} Coppers of one dungeon, turned into Glory", coppers=limit
        ),
        "budget": lambda budget: phrase("left of the budget of {coppers}", coppers=budget),
    },
)
"""Codes are permanent, like everything that is stored (R1.20–R1.30, R1.81–R1.83, R1.51)."""
