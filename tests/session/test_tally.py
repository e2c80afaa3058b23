"""Presses and digits that make up one change."""

import pytest

from companion.session.tally import Tally


@pytest.mark.parametrize(
    ("keys", "amount"),
    [
        ("-", -1),
        ("---", -3),
        ("++-", 1),
        ("-7", -7),
        ("+12", 12),
        ("--5", -5),
        ("-5+", 1),
        ("+-", 0),
        ("-99999", -9999),
    ],
)
def test_keys_add_up_to_one_change(keys: str, amount: int) -> None:
    tally = Tally("ana", "hp")
    for key in keys:
        if key.isdecimal():
            tally.digit(key)
        else:
            tally.press(1 if key == "+" else -1)
    assert tally.amount == amount
