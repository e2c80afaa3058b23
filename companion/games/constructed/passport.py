"""A constructed deck as a passport holds it.

Separate because everything here is for ever: what was printed once is read by every later program. Fields are only
ever added at the end, with defaults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.games.action import RuleError
from companion.games.constructed import marks as m
from companion.games.constructed.record import ConstructedRecord
from companion.games.deck_cards import DeckCard
from companion.games.records import Mark

Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class PackedDeck(msgspec.Struct, frozen=True, array_like=True):
    """A deck; `cards` are part, copies, name and the words behind the bars of each line."""

    name: str
    holder: str
    version: Whole
    won: Whole
    lost: Whole
    drawn: Whole
    retired: bool
    cards: tuple[tuple[str, Whole, str, tuple[str, ...]], ...]
    omitted: tuple[str, ...] = ()


def packed(deck: ConstructedRecord) -> Iterator[PackedDeck]:
    """First whole, then without what the cards say, then without the cards."""
    whole = tuple((card.part, card.copies, card.name, card.says) for card in deck.cards)
    named = tuple((part, copies, name, ()) for part, copies, name, _ in whole)
    for cards, omitted in ((whole, ()), (named, ("says",)), ((), ("says", "cards"))):
        yield PackedDeck(
            deck.name, deck.holder, deck.version, deck.won, deck.lost, deck.drawn, deck.retired, cards, omitted
        )


def unpacked(content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
    """The mark with which a passport's deck begins here. Raises RuleError where it holds no such deck."""
    try:
        pack = msgspec.convert(content, PackedDeck)
    except msgspec.ValidationError as error:
        raise RuleError("This passport holds no such deck; print it again from its archive.") from error
    return (
        m.Built(
            name=pack.name,
            holder=pack.holder,
            cards=tuple(DeckCard(*card) for card in pack.cards),
            version=pack.version,
            won=pack.won,
            lost=pack.lost,
            drawn=pack.drawn,
            retired=pack.retired,
            by=by,
            story=story,
            length=length,
            omitted=pack.omitted,
        ),
    )
