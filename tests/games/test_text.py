"""The two gates of text: what may come in, and how everything is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import registry
from companion.session.core.session import Session
from companion.tabletop.action import NotationError
from companion.tabletop.text import (
    LONGEST_LINE,
    LONGEST_NAME,
    as_line,
    as_name,
    quote_text,
    sanitize,
    sanitize_lines,
    visible_form,
)
from tests.hostile import LETTERS, STEERING, steers


@pytest.mark.parametrize("text", STEERING)
def test_what_steers_is_refused_and_named(text: str) -> None:
    with pytest.raises(NotationError, match=r"U\+[0-9A-F]{4,5}\); type it again"):
        as_line(f"a{text}b")
    if text.split():  # what only parts words is a gap in a name
        with pytest.raises(NotationError, match=r"U\+[0-9A-F]{4,5}\); type it again"):
            as_name(f"a{text}b")


@pytest.mark.parametrize("text", LETTERS)
def test_how_people_write_stays(text: str) -> None:
    assert as_name(text) == as_line(text) == sanitize(text) == text


def test_gaps_are_one_kind_of_space_and_lengths_have_an_end() -> None:
    assert as_name(" Grave\t\u00a0 Choir ") == "Grave Choir"
    assert as_line("a\tb") == "a\tb"
    for gate, most in ((as_name, LONGEST_NAME), (as_line, LONGEST_LINE)):
        assert gate("a" * most) == "a" * most
        with pytest.raises(NotationError, match="at most"):
            gate("a" * (most + 1))


@given(st.text())
def test_whatever_is_shown_steers_nothing_and_keeps_its_length(text: str) -> None:
    assert len(sanitize(text)) == len(text)
    assert not steers(sanitize(text))
    assert "\n" not in sanitize(text)
    assert sanitize_lines(text).count("\n") == text.count("\n")
    assert not steers(quote_text(text))
    assert len(quote_text(text)) <= 42


@given(st.text())
def test_what_came_in_is_shown_as_it_is(text: str) -> None:
    try:
        name = as_name(text)
    except NotationError:
        return
    assert sanitize(name) == name


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_name_of_spaces_is_no_name(game: str) -> None:
    session = Session.new(registry.game(game))
    session.enter('seat ana name "  "')
    session.enter('seat ben name "Big  Ben"')
    assert [seat.name for seat in session.view().seats] == ["Ana", "Big  Ben"]


UNSEEN = (
    "\u3164",
    "\u2800",
    "\u200c",
    "\u200d",
    "\u00ad",
    "\ufe0f",
    "\u034f",
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u17b4",
    "\u200b",
    "\U000e0061",
)


@pytest.mark.parametrize("symbol", UNSEEN)
def test_what_nobody_can_see_is_no_name(symbol: str) -> None:
    for text in (symbol, f"Ana{symbol}", f"{symbol}Ana", f"An{symbol}a"):
        with pytest.raises(NotationError, match=rf"\(U\+{ord(symbol):04X}\); type it again"):
            as_name(text)
        assert visible_form(text) in ("", "ana")


@pytest.mark.parametrize(
    "text", ["می‌شود", "क्‍ष", "👩‍👧", "❤️ Ana", "1️⃣", "🏴", "👩🏽‍🚀", "葛\U000e0100城", "ᠠ\u180b", "é"]
)
def test_what_joins_and_chooses_looks_stays(text: str) -> None:
    assert as_name(text) == text


@pytest.mark.parametrize(
    ("one", "other"), [("می‌شود", "میشود"), ("❤️", "❤"), ("ANA", "ana"), ("ﬁr", "fir"), ("A  b", "a b")]
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert visible_form(one) == visible_form(other)


@pytest.mark.parametrize("game", registry.GAMES)
@pytest.mark.parametrize("name", ["Ana\\nBen", "Ana\\r", "\u3164", "\u2800", "\u200c", "x" * 201])
def test_a_seat_is_called_what_can_be_seen(game: str, name: str) -> None:
    session = Session.new(registry.game(game))
    with pytest.raises(
        NotationError, match=r"A name (must be a single line|has an invisible character|can have at most)"
    ):
        session.enter(f'seat ana name "{name}"')
