"""Rehearsed units of any game: the same seed plays the same, and chance belongs to its purpose."""

from collections import Counter

import pytest

from companion.rehearsal.play import rehearse_one
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Chance, RehearsalSetting


def test_a_stream_draws_the_same_whatever_was_drawn_before() -> None:
    chance = Chance(1, 2)
    alone = [chance.stream("deck", "ana").below(48) for _ in range(1)]
    other = Chance(1, 2)
    for _ in range(20):
        other.stream("wizard", "ben", 3).below(6)
    assert [other.stream("deck", "ana").below(48)] == alone


def test_draws_are_the_same_for_ever() -> None:
    draws = Chance(7, 3).stream("deck", "ana")
    assert [draws.below(1000) for _ in range(10)] == [*DRAWS]


DRAWS = (654, 434, 644, 477, 421, 710, 672, 130, 259, 988)


def test_each_evening_has_chances_of_its_own() -> None:
    chance = Chance(7, 3)
    draws = [chance.evening(number).stream("deck", "ana").below(1000) for number in range(1, 5)]
    assert draws == [*EVENING_DRAWS]
    assert draws[0] == DRAWS[0]
    branches = [chance.evening(2).branch(5), chance.branch(5).evening(2), chance.branch(5)]
    one, same, other = (branch.stream("deck").below(2**60) for branch in branches)
    assert one == same != other


EVENING_DRAWS = (654, 176, 916, 753)


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(6000):
        cards = [1, 2, 3]
        Chance(0, number).stream("deck").shuffle(cards)
        orders[tuple(cards)] += 1
    assert len(orders) == 6
    assert all(880 < count < 1120 for count in orders.values()), orders


def test_purposes_seeds_and_numbers_each_draw_their_own() -> None:
    firsts = {
        Chance(seed, number).stream(*purpose).below(2**60)
        for seed in range(3)
        for number in range(3)
        for purpose in (("a",), ("b",), ("a", "b"), ("ab",), ("a", 1))
    }
    assert len(firsts) == 45


def test_a_game_that_nobody_plays_by_itself_says_so() -> None:
    with pytest.raises(RuleError, match="cannot be rehearsed"):
        rehearse_one(RehearsalSetting("life", 2), 1, 0)
