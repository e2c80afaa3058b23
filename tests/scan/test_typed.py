"""Ids as people and keyboard scanners type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import deck_id
from companion.scan import CodeKind, parse_typed
from companion.scan.codes import parse_printed

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
def test_an_id_is_taken_in_any_spelling_and_from_a_scanner(text: str) -> None:
    code = parse_typed(text)
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
    code = parse_typed(text)
    assert code.kind is CodeKind.DAMAGED
    assert code.deck is None
    assert code.problem is not None
    assert why in code.problem


@given(st.text(max_size=300))
def test_whatever_is_typed_has_at_most_one_harmless_problem(text: str) -> None:
    code = parse_typed(text)
    assert (code.deck is None) == (code.kind is not CodeKind.DECK)
    assert code.problem is None or (str(code.problem).isprintable() and len(str(code.problem)) < 250)


@pytest.mark.parametrize(
    "text",
    [
        f"https://cards.example/d/{DECK}",
        f"HTTPS://CARDS.EXAMPLE/D/{DECK}",
        f"http://10.0.0.5:8686/d/{deck_id.show(DECK).lower()}\n",
        f"https://league.example/open?deck={DECK}",
    ],
)
def test_an_id_is_found_at_the_end_of_an_address(text: str) -> None:
    assert (parse_typed(text).kind, parse_typed(text).deck) == (CodeKind.DECK, DECK)
    assert parse_printed(text, "box.png").deck == DECK


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"https://cards.example/d/{DECK[:-1]}0", CodeKind.DAMAGED),
        (f"https://cards.example/d/{DECK[:-2]}", CodeKind.FOREIGN),
        (f"https://video.example/{DECK[:-1]}0", CodeKind.FOREIGN),
        (f"https://{DECK}", CodeKind.FOREIGN),
        (f"https:///{DECK}", CodeKind.FOREIGN),
        (f"ftp://cards.example/d/{DECK}", CodeKind.FOREIGN),
        (f"see https://cards.example/d/{DECK}", CodeKind.FOREIGN),
        ("https://" + "/=" * 2000, CodeKind.FOREIGN),
    ],
)
def test_what_only_looks_like_such_an_address_opens_nothing(text: str, kind: CodeKind) -> None:
    code = parse_printed(text, "box.png")
    assert (code.kind, code.deck) == (kind, None)


@pytest.mark.parametrize("address", ["https://cards.example/d/", "HTTP://A.EXAMPLE/", "https://a.example/?deck="])
def test_an_address_before_an_id_can_be_read_again(address: str) -> None:
    assert deck_id.parse(deck_id.payload(DECK, deck_id.check_address(address))) == DECK


@pytest.mark.parametrize(
    "address",
    ["https://a.example", "https://a.example/d", "ftp://a.example/", "https:///", "https://a.example/ /", "ä"],
)
def test_an_address_that_could_not_be_read_again_is_refused(address: str) -> None:
    with pytest.raises(deck_id.DeckIdError, match="is not an address for boxes"):
        deck_id.check_address(address)
