"""The draft after a dungeon: who picks before whom and why, and what each deck is (R1.82, A1.44).

Separate from the steps, which go by it: people ask for it in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from companion.games.decknforge.state import DungeonTable, Wizard

_RANKS: Final[tuple[tuple[str, Callable[[Wizard], int]], ...]] = (
    ("Glory", lambda wizard: wizard.personal),
    ("best Killing Blow", lambda wizard: wizard.best_kill),
    ("Coppers earned", lambda wizard: wizard.earned),
)
"""What decides the draft, one figure after the other."""


def in_order(state: DungeonTable, wizards: Iterable[Wizard]) -> list[Wizard]:
    """Wizards as they pick; where all figures are the same, by the lot."""
    return sorted(wizards, key=lambda w: (*(-figure(w) for _, figure in _RANKS), state.lots.index(w.seat)))


def why_in_this_order(state: DungeonTable) -> tuple[str, ...]:
    """Of each in the draft but the last, why they pick before the next."""
    return tuple(_before(state.wizard(one), state.wizard(other)) for one, other in pairwise(state.draft))


def _before(one: Wizard, other: Wizard) -> str:
    """`Cy before Ana: same Glory 2, best Killing Blow 16 against 13`"""
    told = []
    for title, figure in _RANKS:
        if figure(one) != figure(other):
            told.append(f"{title} {figure(one)} against {figure(other)}")
            break
        told.append(f"same {title} {figure(one)}")
    else:
        told.append("so the lot decided (A1.44)")
    return f"{one.name} before {other.name}: {', '.join(told)}"


def deck_of(state: DungeonTable, brought: str) -> str:
    """What people call the deck that goes into the draft for a seat: its band, or the one that follows it (A1.43)."""
    band = state.bands[brought]
    return f"the new band of {state.wizard(brought).name}" if band.retired else band.name


def told_of(state: DungeonTable, brought: str) -> str:
    """What people need to know of the deck that a seat brought, before they pick it."""
    band, wizard = state.bands[brought], state.wizard(brought)
    if band.retired:
        return ""
    blessed, dungeons = len(band.inscribed), band.dungeons + 1
    cards = f"{blessed} Blessed card{'' if blessed == 1 else 's'}"
    played = f"{dungeons} dungeon{'' if dungeons == 1 else 's'}"
    return f"brought by {wizard.name} · +{wizard.glory} Glory · {cards} · {played}"
