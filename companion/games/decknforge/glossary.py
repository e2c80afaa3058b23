"""The words of DecknForge in lists: the titles of steps, and the reasons of payments."""

from __future__ import annotations

from typing import Final

from companion.tabletop.glossary import Glossary
from companion.tabletop.notation.cards import Card, pretty
from companion.tabletop.records import Reason
from companion.tabletop.text import figure, signed_figure

_OWNERS: Final = frozenset({"Hunters", "Wizards", "Reapers", "Towers"})


def title(name: str) -> str:
    """Return the title for a name: `hunters-edge` → `Hunter's Edge`."""
    words = name.title().split("-")
    return " ".join(f"{word[:-1]}'s" if word in _OWNERS else word for word in words)


def kill_reason(parts: list[tuple[int, str]]) -> Reason:
    """Return the reason of a kill's payment: the Coppers for `kill`, `overkill` and each effect that counts (R1.51)."""
    return Reason("kill", tuple(part for pair in parts for part in pair))


def _kill_text(*parts: int | str) -> str:
    return " + ".join(
        _coppers_part(int(coppers), str(what)) for coppers, what in zip(parts[::2], parts[1::2], strict=True)
    )


def _coppers_part(coppers: int, what: str) -> str:
    name = what if what in ("kill", "overkill") else what.replace("-", " ").title()
    return f"{coppers} {name}" if coppers >= 0 else f"({figure(coppers)}) {name}"


def _boss_text(number: int, name: str, card: str, owner: str) -> str:
    where = f"{pretty(Card(card))} of {owner}"
    return f"Boss {number} of 6 · {f'{name} ({where})' if name else where}"


GLOSSARY: Final = Glossary(
    "DecknForge",
    steps={
        "setup": "Setup",
        "flip": "Flip",
        "labels": "Labels",
        "reveal": "Reveal",
        "tactics": "Tactics",
        "declare": "Declare",
        "damage": "Damage",
        "kill": "Kill",
        "attack": "Boss attack",
        "minions": "Minions",
        "refill": "Refill",
        "fading": "Fading",
        "drifting": "Drifting",
        "turning": "Turning",
        "sealed": "Sealed",
    },
    counters={"round": "Round"},
    texts={
        "outcome": str,
        "boss": _boss_text,
        "round": "Round {}".format,
        "kill": _kill_text,
        "assist": lambda pact=0: f"1 assist{f' + {pact} Mercenary Pact' if pact else ''}",
        "pact": "{} Mercenary Pact".format,
        "minion": lambda atk, greedy=0: f"Minion with ATK {atk}{f' {signed_figure(greedy)} Greedy' if greedy else ''}",
        "minion-ace": lambda greedy=0: f"Minion{f' {signed_figure(greedy)} Greedy' if greedy else ''}",
        "convert": lambda name, card, factor=1: f"{name}'s {pretty(card)} Converted{' ×2 Echo' if factor > 1 else ''}",
        "glint": lambda card: f"Glint {pretty(card)}",
        "homebrew": lambda inscription, card: f"{title(inscription)} {pretty(card)}",
        "label": lambda tier, label: f"{tier.title()} label {label}",
        "patron-stole": "stolen by The Patron of {}".format,
        "patron-steals": "The Patron steals from {}".format,
        "inscription": lambda inscription, card, band: f"{inscription} on {pretty(card)} of {band}",
        "glory-cap": "above the {} Coppers of one dungeon, turned into Glory".format,
        "budget": "left of the budget of {}".format,
    },
)
"""Codes are permanent, like everything that is stored (R1.20–R1.30, R1.81–R1.83, R1.51)."""
