"""Conditions of parts: small, written as people say them, and refused by name if they cannot be checked."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.conditions import parse_condition
from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.paper import stocks
from tests.labels.paper import printed
from tests.labels.samples import own


@pytest.mark.parametrize(
    ("condition", "cell", "holds"),
    [
        ("{kind}", "vegan", True),
        ("{kind}", " ", False),
        ("{ Kind } is empty", "", True),
        ("{kind} IS NOT EMPTY", "", False),
        ("{kind} = vegan", " Vegan ", True),
        ("{kind} = no  nuts", "no nuts", True),
        ("{kind} = vegan", "vegetarian", False),
        ("{kind} = vegan", "", False),
        ("{kind} != vegan", "", True),
        ("{kind} ≠ vegan", "vegan", False),
        ("{kind} = 5", "5.00", True),
        ("{kind} = 5", "five", False),
        ("{kind} < 5", "4,9", True),
        ("{kind} < 5", "5", False),
        ("{kind} <= 5", "5", True),
        ("{kind} ≥ 5", "€ 5.00", True),
        ("{kind} > 5", "", False),
        ("{kind} < 5", "", False),
        ("{kind} = 2026-12-01", "2026-12-01", True),
    ],
)
def test_a_condition_holds_as_it_is_said(condition: str, cell: str, holds: bool) -> None:
    assert parse_condition(condition).holds({"kind": cell}) is holds


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("kind = vegan", "“kind = vegan” is no condition; write"),
        ("{kind} vegan", "is no condition; write"),
        ("{kind} = vegan and {stock} < 5", "is no condition; write"),
        ("{kind} =", "compares with nothing; write"),
        ("{} = 5", "has a brace without a field"),
        ("{stock} < many", "“many” is no number that can be read"),
        ("{stock} < 1,234", "may be 1234 or 1.234"),
    ],
)
def test_what_is_no_condition_is_told_with_the_way_out(condition: str, says: str) -> None:
    with pytest.raises(LabelError) as error:
        parse_condition(condition)
    assert says in str(error.value)


@given(st.decimals(-(10**6), 10**6, places=2), st.decimals(-(10**6), 10**6, places=2))
def test_numbers_are_in_one_order(one: Decimal, other: Decimal) -> None:
    row = {"n": str(one)}
    holding = [sign for sign in ("<", "=", ">") if parse_condition(f"{{n}} {sign} {other}").holds(row)]
    assert len(holding) == 1
    for sign, contrary in (("<", ">="), ("=", "!="), (">", "<=")):
        assert parse_condition(f"{{n}} {contrary} {other}").holds(row) is (sign not in holding)


@given(st.text(), st.text())
def test_an_empty_cell_and_a_full_one_are_told_apart(cell: str, other: str) -> None:
    row = {"a": cell, "b": other}
    assert parse_condition("{a}").holds(row) is not parse_condition("{a} is empty").holds(row)


def test_parts_of_all_kinds_are_left_out() -> None:
    parts = ('text = "Sale"', 'code = "x"', 'picture = "x.png"', 'fill = "#000000"', 'frame = "#000000"')
    hidden = "".join(
        f'[[part]]\n{part}\nbox = [{2 + 19 * at}, 2, 17, 17]\nwhen = "{{sale}}"\n' for at, part in enumerate(parts)
    )
    label = own(f'{hidden}[[part]]\ntext = "Jam"\nbox = [2, 25, 30, 20]\n', "", "", "", "", "", "Jam")
    assert label.design.columns == ("sale",)
    die = stocks.find("5163").box(1)
    paper = printed(label, stocks.find("5163"), 100)
    assert paper.ink(die) is not None
    assert paper.ink(Box(die.x, die.top - 23 * MM, die.width, 23 * MM)) is None
