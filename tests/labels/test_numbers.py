"""Numbers in cells: what is clear is read, and what could be two numbers is not guessed."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.errors import LabelError
from labels.numbers import parse_cell_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12.5", "12.5"),
        ("12,5", "12.5"),
        ("1,234.50", "1234.5"),
        ("1.234,50", "1234.5"),
        ("1 234,50 €", "1234.5"),
        ("1\u202f234,50", "1234.5"),
        ("1'234.50", "1234.5"),
        ("1.234.567", "1234567"),
        ("-€ 3", "-3"),
        ("−3", "-3"),
        ("$.50", "0.5"),
        ("0,125", "0.125"),
        ("15 %", "0.15"),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, number: str) -> None:
    assert parse_cell_number(text) == Decimal(number)


@pytest.mark.parametrize("text", ["", "twelve", "1.2.3", "1,23,4", "12.50 kg", "1e5", "5.", "-", "1 2", "٣"])
def test_what_is_no_number_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(LabelError, match=r"is no number that can be read; write it as 1234\.5"):
        parse_cell_number(text)


def test_a_mark_before_three_digits_is_that_of_the_language_or_refused() -> None:
    assert (parse_cell_number("1.234", "."), parse_cell_number("1,234", ",")) == (Decimal("1.234"), Decimal("1.234"))
    with pytest.raises(LabelError, match=r"“1,234” may be 1234 or 1\.234; write it in that way"):
        parse_cell_number("1,234", ".")
    with pytest.raises(LabelError, match=r"“1\.234” may be 1234 or 1,234; write it in that way"):
        parse_cell_number("1.234", ",")


def test_no_digit_is_lost() -> None:
    with pytest.raises(LabelError, match="has more than 15 digits"):
        parse_cell_number("1234567890.123456")


@given(
    st.decimals(-(10**9), 10**9, places=2), st.sampled_from([("", "."), (",", "."), (".", ","), (" ", ","), ("'", ".")])
)
def test_all_prices_are_read_back(number: Decimal, marks: tuple[str, str]) -> None:
    group, point = marks
    text = f"{number:,.2f}".replace(",", "g").replace(".", point).replace("g", group)
    assert parse_cell_number(text, ".") == parse_cell_number(text, ",") == number
