"""The standard book: all inscriptions and labels of the rulebook with their names and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.games.decknforge.book.effect import COMMON, MYTHIC, RARE, UNCOMMON, EffectBook
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS, PRICES
from companion.games.decknforge.book.labels import LABELS, LABELS_PER_DUNGEON, MOST_LABELS, TIERS
from companion.games.decknforge.glossary import title
from companion.tabletop.table.house_rules import Term
from templates.languages.messages import Finished, Message, declared, phrase

STANDARD: Final = EffectBook(
    INSCRIPTIONS,
    LABELS,
    prices=PRICES,
    copies={COMMON: 3, UNCOMMON: 3, RARE: 1, MYTHIC: 1},
    label_tiers=TIERS,
    most_labels=MOST_LABELS,
    labels_per_dungeon=LABELS_PER_DUNGEON,
)


def terms(book: EffectBook) -> Iterator[Term]:
    """Yield the glossary terms for a book's inscriptions and labels."""
    for effect in book.inscriptions.values():
        rule = f"R1.I{effect.number:02}" if effect.printed else ""
        also = (title(effect.name),) if effect.called else ()
        yield Term(
            effect.called or title(effect.name), Finished(effect.effect), _KINDS[effect.tier], rule, also, effect.title
        )
    for label in book.labels.values():
        rule = f"R1.L{label.number:02}" if label.printed else ""
        also = (title(label.name),) if label.called else ()
        kind = phrase("{tier} label", tier=declared(book.label_tiers[label.tier]))
        yield Term(label.called or title(label.name), Finished(label.effect), kind, rule, also, label.title)


_KINDS: Final[Mapping[str, Message]] = {
    COMMON: phrase("Common inscription"),
    UNCOMMON: phrase("Uncommon inscription"),
    RARE: phrase("Rare inscription"),
    MYTHIC: phrase("Mythic inscription"),
}


TERMS: Final = tuple(terms(STANDARD))
