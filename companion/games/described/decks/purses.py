"""The purses of a described game, if its page has money."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.games.described.page.deck_lines import BringPurse
from companion.games.described.page.description import Description
from companion.games.described.rules import after
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.action import Action
from companion.tabletop.purses import GamePurses
from companion.tabletop.records import Payment


class PagePurses(GamePurses):
    """The purses of a described game; `plan` returns its page under the house rules of a table."""

    def __init__(self, description: Description, plan: Callable[[DescribedTable], PagePlan]) -> None:
        self.without_decks = description.purse is not None
        self._plan = plan

    def setup_lines(
        self,
        seat: str,
        purse: int,
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002 – a page knows no keepsakes
    ) -> tuple[Action, ...]:
        """Return the line that brings a purse; none if the page has no purse or it is empty."""
        return (BringPurse(seat, purse),) if purse > 0 and self.without_decks else ()

    def payments(self, state: DescribedTable) -> tuple[Payment, ...]:
        """Return the changes of purses."""
        return tuple(after.payments(self._plan(state), state))
