"""Ids as people and keyboard scanners type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import deck_id
from companion.scan import CodeKind, typed

DECK = deck_id.EXAMPLE


@pytest.mark.parametrize(
    "text",
    [
        DECK,
        DECK.lower(),
        deck_id.show(DECK),
        f"  {deck_id.show(DECK).lower()}\n",
        f"DECK:{DECK}",
        f"deck:{DECK.lower()}",
    ],
)
def test_an_id_is_taken_in_any_spelling_and_as_the_scanner_types_it(text: str) -> None:
    code = typed(text)
    assert (code.kind, code.deck, code.problem) == (CodeKind.DECK, DECK, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DECK[:-1] + ("0" if DECK[-1] != "0" else "1"), "check symbol"),
        (DECK[:-1], "12 symbols"),
        (DECK[:-1] + "U", "“U”"),
        (f"DECK:{DECK}{DECK}", "26 symbols"),
    ],
)
def test_a_slip_is_told_apart_from_an_id_and_named(text: str, why: str) -> None:
    code = typed(text)
    assert code.kind is CodeKind.DAMAGED
    assert code.deck is None
    assert code.problem is not None
    assert why in code.problem


@given(st.text(max_size=300))
def test_whatever_is_typed_is_judged_and_its_problem_is_one_harmless_line(text: str) -> None:
    code = typed(text)
    assert (code.deck is None) == (code.kind is not CodeKind.DECK)
    assert code.problem is None or (code.problem.isprintable() and len(code.problem) < 250)
