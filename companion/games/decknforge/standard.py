"""The standard book: all inscriptions and labels with their names and words."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from companion.games.decknforge.effect import COMMON, MYTHIC, RARE, UNCOMMON, Book, title
from companion.games.decknforge.inscriptions import INSCRIPTIONS, PRICES
from companion.games.decknforge.labels import LABELS, LABELS_PER_DUNGEON, MOST_LABELS, TIERS
from companion.tabletop.action import NotationError
from companion.tabletop.house_rules import Term


def read_inscription(text: str) -> str:
    """An inscription by its name in the notation or on its label, in any case. Raises NotationError."""
    return _read_name(text, tuple(INSCRIPTIONS), "an inscription")


def read_label(text: str) -> str:
    """A Monster label by its name in the notation or on its label, in any case. Raises NotationError."""
    return _read_name(text, tuple(LABELS), "a Monster label")


def _read_name(text: str, names: tuple[str, ...], what: str) -> str:
    name = "-".join(text.lower().replace("'", "").replace("’", "").replace("-", " ").split())
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}."
    raise NotationError(f"“{text}” is not {what}; {hint}")


STANDARD: Final = Book(
    INSCRIPTIONS,
    LABELS,
    prices=PRICES,
    copies={COMMON: 3, UNCOMMON: 3, RARE: 1, MYTHIC: 1},
    label_tiers=TIERS,
    most_labels=MOST_LABELS,
    labels_per_dungeon=LABELS_PER_DUNGEON,
)


TERMS: Final = (
    *(
        Term(title(name), f"{effect.effect}.", f"{effect.tier.capitalize()} inscription", f"R1.I{effect.number:02}")
        for name, effect in STANDARD.inscriptions.items()
    ),
    *(
        Term(title(name), f"{label.effect}.", f"{STANDARD.label_tiers[label.tier]} label", f"R1.L{label.number:02}")
        for name, label in STANDARD.labels.items()
    ),
)
