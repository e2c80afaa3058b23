"""The book as printed: the 25 inscriptions and 15 labels, their prices and limits (R1.0, R1.8, R1.72, R1.73)."""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.book import Book
from companion.games.decknforge.effect import COMMON, MYTHIC, RARE, UNCOMMON
from companion.games.decknforge.inscriptions import INSCRIPTIONS, PRICES
from companion.games.decknforge.labels import LABELS, LABELS_PER_DUNGEON, MOST_LABELS, TIERS

STANDARD: Final = Book(
    INSCRIPTIONS,
    LABELS,
    prices=PRICES,
    copies={COMMON: 3, UNCOMMON: 3, RARE: 1, MYTHIC: 1},
    label_tiers=TIERS,
    most_labels=MOST_LABELS,
    labels_per_dungeon=LABELS_PER_DUNGEON,
)
