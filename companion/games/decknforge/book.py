"""The book of a table: which inscriptions and labels can stand on its cards, and what each tier costs and allows.

Separate from what the printed rules hold (`standard.py`), so that a table can be opened with another book.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

import msgspec

from companion.games.action import RuleError
from companion.games.decknforge.effect import Inscription, MonsterLabel

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

    def inscription(self, name: str) -> Inscription:
        """An inscription by its name. Raises RuleError where the book holds none such, with those that come near."""
        if found := self.inscriptions.get(name):
            return found
        raise RuleError(_unknown("an inscription", name, self.inscriptions))

    def label(self, name: str) -> MonsterLabel:
        """A label by its name. Raises RuleError where the book holds none such, with those that come near."""
        if found := self.labels.get(name):
            return found
        raise RuleError(_unknown("a label", name, self.labels))

    def price(self, name: str) -> int | None:
        """Coppers that an inscription costs; None where it is not for sale. Raises RuleError."""
        return self.prices.get(self.inscription(name).tier)


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=2, cutoff=0.5)
    meant = f"did you mean {' or '.join(near)}?" if near else f"it holds {', '.join(known) or 'none'}."
    return f"“{name}” is not {what} in this table's book; {meant}"
