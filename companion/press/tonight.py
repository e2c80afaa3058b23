"""The labels that a game calls for: every inscription written and every Monster label added, in the order of the cards.

Separate because it reads the marks of a sealed game, where the box labels read the archive's lists.
"""

from collections.abc import Iterable

from companion.games.cards import Card, pretty
from companion.games.decknforge.marks import Inscribed, Labelled
from companion.games.records import Mark
from companion.press import wording
from labels.designs import Inscription, MonsterLabel


def tonight(marks: Iterable[Mark]) -> tuple[tuple[Card, Inscription | MonsterLabel], ...]:
    """What has to be stuck where: a card and its label, for each mark of a deck that a label shows."""
    return tuple((mark.card, _label(mark)) for mark in marks if isinstance(mark, Inscribed | Labelled))


def _label(mark: Inscribed | Labelled) -> Inscription | MonsterLabel:
    return wording.inscription(mark.inscription) if isinstance(mark, Inscribed) else wording.monster_label(mark.label)


def chore(name: str, card: Card, label: Inscription | MonsterLabel) -> str:
    """What to do with a label, in a sentence: `Stick Sharp on 7♠ of Grave Choir.`"""
    return f"Stick {label.title} on {pretty(card)} of {name}."
