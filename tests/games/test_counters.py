"""Gauges: one place for a counter serves what is shown and what may be overwritten."""

import msgspec
import pytest
from msgspec.structs import replace

from companion.tabletop.action import RuleError
from companion.tabletop.table.common_actions import Add, Set
from companion.tabletop.table.counters import Gauge, overwritten
from companion.tabletop.table.table import write_value


class Shop(msgspec.Struct, frozen=True):
    coins: int = 3
    open_: bool = True
    sign: str | None = None
    goods: tuple[str, ...] = ("rope", "lamp")


GAUGES = (
    Gauge[Shop, Shop](
        "coins",
        "Coins",
        lambda shop, _: shop.coins,
        lambda shop, _, coins: replace(shop, coins=coins),
        top=lambda *_: 9,
        why=lambda shop, _: f"{shop.coins - 1} + 1",
    ),
    Gauge[Shop, Shop](
        "open", "Open", lambda shop, _: shop.open_, lambda shop, _, yes: replace(shop, open_=yes), keeps="yes-no"
    ),
    Gauge[Shop, Shop](
        "sign", "Sign", lambda shop, _: shop.sign, lambda shop, _, word: replace(shop, sign=word), keeps="word"
    ),
    Gauge[Shop, Shop]("goods", "Goods", lambda shop, _: shop.goods, keeps="list"),
)


def after(action: Set | Add) -> Shop:
    return overwritten(GAUGES, Shop(), Shop(), action)


def test_a_counter_shows_its_value_its_top_and_its_sum() -> None:
    coins, open_, sign, goods = (gauge.counter(Shop(), Shop()) for gauge in GAUGES)
    assert (coins.text, coins.title, coins.top, coins.why, coins.settable) == ("3", "Coins", 9, "2 + 1", True)
    assert (open_.text, sign.text, goods.text, goods.settable) == ("yes", "none", "rope lamp", False)


@pytest.mark.parametrize(
    ("action", "shop"),
    [
        (Set("shop", "coins", "12"), Shop(coins=12)),
        (Set("shop", "coins", "0"), Shop(coins=0)),
        (Add("shop", "coins", 4), Shop(coins=7)),
        (Add("shop", "coins", -2), Shop(coins=1)),
        (Add("shop", "coins", -20), Shop(coins=0)),
        (Set("shop", "open", "No"), Shop(open_=False)),
        (Set("shop", "sign", "Closed"), Shop(sign="closed")),
        (Set("shop", "sign", "none"), Shop()),
    ],
)
def test_people_may_overwrite_a_counter(action: Set | Add, shop: Shop) -> None:
    assert after(action) == shop


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Set("shop", "gold", "3"), "shop has no counter “gold”; it has coins, open, sign, goods"),
        (Set("shop", "coins", "-1"), "coins is a whole number of at least 0, not “-1”"),
        (Set("shop", "coins", "many"), "not “many”"),
        (Set("shop", "open", "perhaps"), "open must be yes or no"),
        (Set("shop", "goods", "rope"), "goods is computed from the rest of the table"),
        (Add("shop", "sign", 1), "sign is not a number; write: set shop sign VALUE"),
        (Add("shop", "open", 1), "open is not a number"),
    ],
)
def test_what_cannot_be_overwritten_is_refused_with_the_way_out(action: Set | Add, sentence: str) -> None:
    with pytest.raises(RuleError) as caught:
        after(action)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "none"), ((), "none"), (("a", "b"), "a b"), (True, "yes"), (False, "no"), (0, "0"), (-3, "-3"), ("x", "x")],
)
def test_a_value_is_written_as_notation_says(value: int | str | bool | tuple[str, ...] | None, text: str) -> None:
    assert write_value(value) == text
