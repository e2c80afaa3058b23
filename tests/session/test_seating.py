"""Who sits at a new table, and what the notation calls them."""

import pytest

from companion.session.seating import seat_word


@pytest.mark.parametrize(
    ("name", "taken", "word"),
    [
        ("Ana", set(), "ana"),
        ("Ana Maria", set(), "ana"),
        ("Ana", {"ana"}, "ana2"),
        ("Łukasz", set(), "łukasz"),
        ("7", set(), "p7"),
        ("Boss", set(), "pboss"),
        ("!", set(), "p"),
    ],
)
def test_a_name_becomes_a_word_of_the_notation(name: str, taken: set[str], word: str) -> None:
    assert seat_word(name, taken) == word
