"""Reminders at the moment when a keyword acts that only the people can carry out (R2.27)."""

from __future__ import annotations

from companion.games.soulforger.keywords import KEYWORDS, Moment, title
from companion.games.soulforger.state import FieldCard, Resolution


def remind(res: Resolution, card: FieldCard, moment: Moment) -> None:
    """Call to mind each keyword of a card that is due at this moment."""
    for word in card.keywords:
        if KEYWORDS[word].moment == moment:
            res.tell(f"Remember {title(word)} of {card.title}: {KEYWORDS[word].effect}.", card.owner, by_hand=True)
