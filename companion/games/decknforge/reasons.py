"""Why Coppers came and went, and where a table stands, in words. What is kept for ever are the codes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.games.cards import Card, pretty
from companion.games.reasons import Reason, Said, Texts
from companion.games.reasons import told as told_by


def told(said: Said, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """The words for a reason; `titles` are those of the steps."""
    if isinstance(said, Reason) and said.code == "step" and said.args:
        return titles.get(str(said.args[0]), str(said.args[0]).title())
    return told_by(said, _TEXTS)


def kill(parts: list[tuple[int, str]]) -> Reason:
    """What a kill is made of: so many Coppers for each of `kill`, `overkill` and the effects that count (R1.51)."""
    return Reason("kill", tuple(part for pair in parts for part in pair))


def _kill(*parts: int | str) -> str:
    return " + ".join(_part(int(coppers), str(what)) for coppers, what in zip(parts[::2], parts[1::2], strict=True))


def _part(coppers: int, what: str) -> str:
    name = what if what in ("kill", "overkill") else what.replace("-", " ").title()
    return f"{coppers} {name}" if coppers >= 0 else f"({coppers}) {name}"


def _assist(pact: int = 0) -> str:
    return f"1 assist{f' + {pact} Mercenary Pact' if pact else ''}"


def _minion(atk: int, greedy: int = 0) -> str:
    return f"Minion with ATK {atk}{f' {greedy} Greedy' if greedy else ''}"


def _convert(name: str, card: str, factor: int = 1) -> str:
    return f"{name}'s {pretty(Card(card))} Converted{' ×2 Echo' if factor > 1 else ''}"


def _inscription(inscription: str, card: str, band: str) -> str:
    return f"{inscription} on {pretty(Card(card))} of {band}"


def _boss(number: int, name: str, card: str, owner: str) -> str:
    where = f"{pretty(Card(card))} of {owner}"
    return f"Boss {number} of 6 · {f'{name} ({where})' if name else where}"


_TEXTS: Final[Texts] = {
    "outcome": str,
    "boss": _boss,
    "round": "Round {}".format,
    "kill": _kill,
    "assist": _assist,
    "pact": "{} Mercenary Pact".format,
    "minion": _minion,
    "minion-ace": lambda greedy=0: f"Minion{f' {greedy} Greedy' if greedy else ''}",
    "convert": _convert,
    "glint": lambda card: f"Glint {pretty(card)}",
    "label": lambda tier, label: f"{tier.title()} label {label}",
    "patron-stole": "stolen by The Patron of {}".format,
    "patron-steals": "The Patron steals from {}".format,
    "inscription": _inscription,
    "glory-cap": "above the {} Coppers of one dungeon, turned into Glory".format,
    "budget": "left of the budget of {}".format,
}
