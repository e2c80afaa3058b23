"""After the last fight: why the draft goes as it does, and the Turning as a shop."""

import pytest

from companion.games.decknforge.book.state import is_hero
from companion.games.decknforge.rules.actions import Buy
from companion.session.core.session import Session
from companion.tabletop.table.choices import Choice, choices
from companion.tabletop.table.table import Draft
from tests.games.decknforge.sessions import session_after

SEATED = ("seat ana", "seat ben", "seat cy", 'seat dora name "Dora" band "Old Debt"')
BLESSED = ("inscribed ana 9S sharp", "purse ana 11", "begin seed 1 lots dora ana ben cy")
LOST = ("set table outcome loss",)


def test_the_draft_says_of_each_why_they_pick_before_the_next() -> None:
    figures = ("set cy personal 2", "set ana personal 2", "set cy earned 9", "set ana earned 4")
    session = session_after(*SEATED, "inscribed ana 8S quick", *BLESSED, *figures, *LOST)
    tells = [str(tell.text) for tell in session.enter("fade ana 9S")]
    assert tells[-4:] == ["The draft goes Cy, then Ana, then Dora, then Ben (R1.82).", *map(str, session.view().hints)]
    assert tuple(map(str, session.view().hints)) == (
        "Cy before Ana: same Glory 2, same best Killing Blow 0, Coppers earned 9 against 4.",
        "Ana before Dora: Glory 2 against 0.",
        "Dora before Ben: same Glory 0, same best Killing Blow 0, same Coppers earned 0, so the lot decided (A1.44).",
    )
    assert "Old Debt (Dora)" in session.view().prompts[0].text


def test_an_heirloom_said_again_is_told_as_instead_of_the_first() -> None:
    history = ("history ana quick", *BLESSED)
    session = session_after(*SEATED, *history, *LOST, "fade ana 9S")
    (first,) = session.enter("heirloom ana quick")
    assert str(first.text) == "Ana keeps Quick of Ana's band as an heirloom."
    (tell,) = session.enter("heirloom ana sharp")
    assert str(tell.text) == "Ana keeps Sharp of Ana's band as an heirloom, instead of Quick."
    (again,) = session.enter("heirloom ana sharp")
    assert str(again.text) == "Ana keeps Sharp of Ana's band as an heirloom."


@pytest.fixture
def turning() -> Session:
    """Ana with 11 Coppers holds a band with one Blessed card left."""
    lines = (*SEATED, "inscribed ana 8S quick", "inscribed ana KS bright", *BLESSED, *LOST, "fade ana 9S")
    return session_after(*lines, "pick dora ana", "pick ana dora", "pick ben ben", "pick cy cy", "set dora coppers 25")


def shop(session: Session, field: str, **given: str) -> dict[str, Choice]:
    prompt = next(p for p in session.view().prompts if p.seat == "dora" and p.answer.action is Buy)
    draft = Draft(Buy, {**prompt.answer.given, **given}, order=prompt.answer.order)
    assert draft.to_choose[0].field == field
    wares = choices(session.game, session.state, draft, field)
    assert isinstance(wares, tuple)
    return {str(choice.value): choice for choice in wares}


def test_before_a_card_is_named_the_shop_counts_cards_for_each(turning: Session) -> None:
    wares = shop(turning, "inscription")
    book = turning.state.book
    assert set(wares) == {name for name in book.inscriptions if (book.price(name) or 99) <= 25}
    sharp = str(wares["sharp"].detail)
    assert sharp == f"Common · 5c · {book.inscription('sharp').effect} · may go on 46 cards"
    heroes = [name for name in wares if book.inscription(name).hero]
    assert heroes
    assert all(str(wares[name].detail).endswith("may go on 35 cards from 2 to 10") for name in heroes)


def test_the_cards_of_what_was_chosen_are_those_it_may_go_on(turning: Session) -> None:
    for name in shop(turning, "inscription"):
        cards = shop(turning, "card", inscription=name)
        assert not {"8S", "KS"} & set(cards)
        assert turning.state.book.inscription(name).hero is not any(map(is_hero, cards))  # type: ignore[arg-type]


def test_what_is_stuck_and_crossed_out_is_told_as_labels_say_it(turning: Session) -> None:
    assert str(turning.enter("buy dora 3S hunters-edge")[0].text) == "Dora: stick Hunter's Edge on 3♠ of Ana's band."
    session = session_after(*SEATED, "inscribed ana 8S blood-money", *BLESSED, *LOST)
    assert "Cross out Blood Money on 8♠ of " in session.enter("fade ana 8S")[0].text
