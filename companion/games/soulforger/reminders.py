"""Reminders at the moment when a keyword acts that only the people can carry out (R2.27)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.soulforger.keywords import KEYWORDS, Moment, title
from companion.games.soulforger.state import FieldCard, Resolution


def reminders(card: FieldCard, moment: Moment) -> Iterator[str]:
    """A sentence for each keyword of a card that is due at this moment."""
    for word in card.keywords:
        if KEYWORDS[word].moment == moment:
            yield f"Remember {title(word)} of {card.title}: {KEYWORDS[word].effect}."


def remind(res: Resolution, card: FieldCard, moment: Moment) -> None:
    """Call to mind what is due now."""
    for text in reminders(card, moment):
        res.tell(text, card.owner, by_hand=True)
