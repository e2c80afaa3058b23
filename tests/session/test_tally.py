"""Presses, and a number behind them, that make up one change."""

import pytest

from companion.session.reading.selection import CounterEntry


@pytest.mark.parametrize(
    ("presses", "number", "amount"),
    [
        ("-", None, -1),
        ("---", None, -3),
        ("++-", None, 1),
        ("+-", None, 0),
        ("-", 7, -7),
        ("+", 12, 12),
        ("--", 5, -5),
        ("-", 0, 0),
    ],
)
def test_keys_add_up_to_one_change(presses: str, number: int | None, amount: int) -> None:
    tally = CounterEntry("ana", "hp")
    for key in presses:
        tally.press(1 if key == "+" else -1)
    tally.number = number
    assert tally.amount == amount
