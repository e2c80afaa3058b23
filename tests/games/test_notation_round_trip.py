"""Every line that the notation writes it reads back as the same action, whatever stands in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import registry
from companion.session.core.log import notation_of
from companion.tabletop.action import Action
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table.common_actions import CHECKS, COMMON, LOG
from tests.games.miniature import Miniature
from tests.games.strategies import actions

HOUSE = Notation((*LOG, *COMMON, *CHECKS))


@given(actions((*LOG, *COMMON, *CHECKS)))
def test_what_every_game_knows_is_read_back(action: Action) -> None:
    line = HOUSE.format(action)
    assert HOUSE.parse(line) == action
    assert "\n" not in line


@pytest.mark.parametrize("name", [Miniature.name, *registry.GAMES])
def test_what_a_game_adds_is_read_back(name: str) -> None:
    game = registry.game(name)
    notation = notation_of(game)

    @given(actions(game.actions), st.booleans())
    def read_back(action: Action, shouted: bool) -> None:
        line = notation.format(action)
        assert notation.parse(line) == action
        verb, _, rest = line.partition(" ")
        assert notation.parse(f"  {verb.upper() if shouted else verb}   {rest}  # as said") == action

    read_back()
