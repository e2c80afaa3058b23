"""A constructed deck's life in sentences, one a mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games import story as stories
from companion.games.constructed import marks as m
from companion.games.constructed.box import paper_state
from companion.games.constructed.record import versions
from companion.games.deck_cards import change_text, counted
from companion.games.reasons import told
from companion.games.records import Mark

_ENDED: Final[dict[m.Result, str]] = {"won": "won against", "lost": "lost against", "draw": "drew with"}


def story(marks: Sequence[Mark]) -> tuple[str, ...]:
    """A sentence a mark, oldest first."""
    return _DeckStory(marks).told()


class _DeckStory(stories.Story):
    """A deck's marks; a new version is told by what it changed."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        super().__init__(marks, paper_state(marks).did)

    def plain(self, number: int, mark: Mark) -> str:
        """The sentence of a mark."""
        match mark:
            case m.Built():
                return _built(mark)
            case m.Rebuilt():
                return self._rebuilt(number, mark)
            case m.Played():
                return _played(mark)
            case m.Renamed():
                return f"The deck is called {mark.name} now{_by(mark.by)} ({told(mark.reason)})."
            case m.HandedOn():
                return f"The deck went to {mark.holder}."
            case m.Retired():
                return f"The deck retired{_by(mark.by)}."
        raise TypeError(mark)

    def _rebuilt(self, number: int, mark: m.Rebuilt) -> str:
        before = versions(self._marks[: number - 1])[-1]
        why = f" ({told(mark.reason)})" if mark.reason else ""
        changed = change_text(before.cards, mark.cards)
        return f"Version {before.version + 1}{_by(mark.by)}{why}: {changed}; {counted(mark.cards)}."


def _built(mark: m.Built) -> str:
    if mark.story:
        played = f"{mark.won} won, {mark.lost} lost, {mark.drawn} drawn"
        return (
            f"{mark.name} came with its passport, {mark.length - 1} marks old, as version {mark.version} with "
            f"{counted(mark.cards)}; {played}."
        )
    return f"{mark.holder or 'Somebody'} built {mark.name}: {counted(mark.cards)}."


def _played(mark: m.Played) -> str:
    against = opponents(mark) or "nobody"
    turns = f" after {mark.turns} turn{'' if mark.turns == 1 else 's'}" if mark.turns else ""
    return f"{mark.player} {_ENDED[mark.result]} {against} with version {mark.version}{turns}."


def opponents(mark: m.Played) -> str:
    """`Ben (Tide Line) and Cy`"""
    return " and ".join(_opponent(opponent) for opponent in mark.opponents)


def _opponent(opponent: m.Opponent) -> str:
    return f"{opponent.name} ({opponent.called})" if opponent.called else opponent.name


def _by(name: str) -> str:
    return f", by {name}" if name else ""
