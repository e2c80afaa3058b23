"""Dice and coins: what they can show, and that a log keeps how they fell."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import registry
from companion.session.core.moments import Line
from companion.session.core.session import Session
from companion.tabletop.action import NotationError
from companion.tabletop.table.common_actions import Coin, Roll

COUNTS, SIDES, PLUS = st.integers(1, 100), st.integers(2, 1000), st.integers(-99, 99)


def _table(game: str = "solforge", seed: int = 1) -> Session:
    session = Session.new(registry.game(game))
    for line in ("seat ana", "seat ben", f"begin seed {seed}"):
        session.enter(line)
    return session


def _last(session: Session) -> Roll | Coin:
    action = session.moments()[-1].action
    assert isinstance(action, Roll | Coin)
    return action


@given(COUNTS, SIDES, PLUS, st.integers(0, 9))
def test_each_die_shows_one_of_its_sides(count: int, sides: int, plus: int, seed: int) -> None:
    session = _table(seed=seed)
    (tell,) = session.enter(f"roll ana {count}d{sides}{f'{plus:+d}' if plus else ''}")
    dice = _last(session).is_
    assert isinstance(dice, tuple)
    assert len(dice) == count
    assert all(1 <= each <= sides for each in dice)
    total = re.search(r"(−?-?\d+)\.$", str(tell.text))
    assert total is not None
    assert int(total[1].replace("−", "-")) == sum(dice) + plus


@given(st.integers(0, 2**32 - 1), st.sampled_from(["roll 3d6", "coin ana", "roll ben d20+1"]))
def test_a_log_replays_to_the_same_and_so_does_an_undone_draw(seed: int, line: str) -> None:
    session = _table(seed=seed)
    session.enter(line)
    fell = _last(session)
    session.enter("undo")
    session.enter(line)
    assert _last(session) == fell
    lines = [Line(each.number, each.text, each.group) for each in session.log.lines]
    again = Session.resume(lines)
    assert again.state == session.state
    assert _last(again) == fell
    session.enter(line)
    assert session.state.draws == again.state.draws + 1


def test_coins_fall_both_ways_before_a_game_has_its_seed() -> None:
    fell = set()
    for _ in range(60):
        session = Session.new(registry.game("decknforge"))
        session.enter("coin")
        once = _last(session)
        session.enter("undo")
        session.enter("coin")
        assert _last(session) == once
        fell.add(once.is_)
    assert fell == {"heads", "tails"}


@given(st.integers(0, 200))
def test_lots_fall_on_somebody_at_the_table(seed: int) -> None:
    session = Session.new(registry.game("oddfrontier"))
    session.log.early_seed = str(seed)
    for line in ("seat ana", "seat ben", "seat cy", "first lot"):
        session.enter(line)
    text = session.moments()[-1].text
    assert text in {"first ana by-lot", "first ben by-lot", "first cy by-lot"}
    assert text.split()[1] == session.state.active


@pytest.mark.parametrize("dice", ["0d6", "101d6", "2d1", "2d1001", "d", "2x6", "2d6+", "-1d6", "2d6.5"])
def test_what_are_no_dice_is_told(dice: str) -> None:
    with pytest.raises(NotationError, match="Usage"):
        _table().enter(f"roll ana {dice}")


def test_a_seat_called_like_dice_can_roll_them() -> None:
    session = Session.new(registry.game("decknforge"))
    session.enter("seat d6")
    session.do(Roll(seat="d6", dice="1d6", is_=(4,)))
    assert session.log.lines[-1].text == 'roll "d6" 1d6 is 4'
    assert session.notation.parse('roll "d6" 1d6 is 4') == _last(session)
