"""What can be chosen at a table of Odd Frontier: exactly what its rules accept, at any table that may come up."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.oddfrontier.game import GAME
from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.state import FrontierTable
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.table import Draft
from tests.examples import examples
from tests.games.choosing import Choosing
from tests.games.oddfrontier.match import tables
from tests.games.oddfrontier.player import NAMES


def domain(state: FrontierTable, draft: Draft, argument: Argument) -> Iterable[str] | None:  # noqa: ARG001 – one field
    """What waits on the queue goes by its name."""
    if draft.action is not do.Negate:
        return None
    return (*NAMES, *dict.fromkeys(queued.name for queued in state.queue if queued.name not in NAMES))


@settings(max_examples=examples(6), phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_what_is_offered_is_what_the_rules_accept(seed: int, players: int) -> None:
    choosing = Choosing(GAME, Random(seed), domain)
    for number, state in enumerate(tables(seed, players)):
        if number % 40 < 2:
            choosing.check(state)
            choosing.walk(state)
