"""What a constructed deck's marks add up to: its list today, its versions, its matches."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.action import RuleError
from companion.games.constructed import marks as m
from companion.games.deck_cards import DeckCard
from companion.games.keeping import ListVersion
from companion.games.records import DeckFigure, Mark, Record, effective


class ConstructedRecord(Record, frozen=True):
    """A constructed deck as it is today. `version` counts its lists from 1."""

    version: int = 1
    won: int = 0
    lost: int = 0
    drawn: int = 0
    cards: tuple[DeckCard, ...] = ()

    @property
    def figures(self) -> tuple[DeckFigure, ...]:
        """By which people know it in a list."""
        return (
            DeckFigure("version", "Version", self.version),
            DeckFigure("won", "Won", self.won),
            DeckFigure("lost", "Lost", self.lost),
        )


def record(game: str, marks: Sequence[Mark]) -> ConstructedRecord:
    """A deck's marks added up, corrections heeded. Raises RuleError where they do not begin with its list."""
    counting = list(effective(marks))
    if not counting or not isinstance(counting[0][1], m.Built):
        raise RuleError("A constructed deck's record begins with its list, and this one does not.")
    deck = _built(game, counting[0][1])
    for _, mark in counting[1:]:
        deck = msgspec.structs.replace(deck, **_changed(deck, mark))
    return deck


def _built(game: str, mark: m.Built) -> ConstructedRecord:
    return ConstructedRecord(
        game,
        mark.name,
        mark.holder,
        retired=mark.retired,
        holders=(mark.holder,) if mark.holder else (),
        person=mark.person,
        version=mark.version,
        won=mark.won,
        lost=mark.lost,
        drawn=mark.drawn,
        cards=mark.cards,
    )


_COUNTS: dict[m.Result, str] = {"won": "won", "lost": "lost", "draw": "drawn"}


def _changed(deck: ConstructedRecord, mark: Mark) -> dict[str, object]:
    """What one mark changes of a deck."""
    match mark:
        case m.Rebuilt(cards):
            return {"cards": cards, "version": deck.version + 1}
        case m.Played():
            count = _COUNTS[mark.result]
            return {count: getattr(deck, count) + 1}
        case m.Renamed(name):
            return {"name": name}
        case m.HandedOn(holder, person):
            return {"holder": holder, "person": person, "holders": (*deck.holders, holder)}
        case m.Retired():
            return {"retired": True}
    return {}


def versions(marks: Sequence[Mark]) -> tuple[ListVersion, ...]:
    """The lists of a deck's life, oldest first; what was corrected away is none of them."""
    lists: list[ListVersion] = []
    for number, mark in effective(marks):
        if isinstance(mark, m.Built):
            lists.append(ListVersion(mark.version, number, mark.cards))
        elif isinstance(mark, m.Rebuilt):
            lists.append(ListVersion(lists[-1].version + 1 if lists else 1, number, mark.cards))
    return tuple(lists)
