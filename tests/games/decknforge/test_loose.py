"""Loose bands after the game: what would be lost is told before the seal, and can be kept."""

import pytest

from companion.games.decknforge.marks import Inscribed
from companion.session.session import Session
from companion.tabletop.action import RuleError
from tests.games.decknforge.sessions import session_after

WON = ("set boss hp 1", "reveal ana QS", "reveal ben QD", "next", "damage", "bonus rally")


def after_a_loss(*lines: str) -> Session:
    """Ana has won a Boss, 27 Coppers and a Mythic with a loose band, and the game is lost."""
    begun = ('seat ana band "Ash Toll"', "seat ben", *lines, "active ana", "bosses ben:AS", "begin seed 1", *WON)
    session = session_after(*begun, "add ana coppers 19", "add ana mythics 1", "set table outcome loss")
    while session.view().step != "turning":
        session.enter(next(prompt.line for prompt in session.view().prompts if prompt.due))
    return session


def questions_to(session: Session, seat: str) -> list[str]:
    """What somebody is asked."""
    prompts = (*session.view().prompts, *session.game.adoptions(session.state))
    return [prompt.text for prompt in prompts if prompt.seat == seat]


def test_what_a_loose_band_would_lose_is_asked_about() -> None:
    to_ana = questions_to(after_a_loss(), "ana")
    assert "Ana: 27 Coppers and 1 Mythic will be lost, as Ash Toll is loose; keep that in a purse?" in to_ana
    assert "Ana: 1 Glory of Ash Toll will be lost, as it is loose; adopt it as a deck?" in to_ana


def test_a_purse_that_is_kept_is_paid_with_the_seal() -> None:
    session = after_a_loss()
    session.enter("keep-purse ana person 7K3M")
    assert not any("will be lost, as Ash Toll is loose; keep" in text for text in questions_to(session, "ana"))
    session.enter("seal")
    paid = {(payment.name, payment.person, payment.amount) for payment in session.game.purses(session.state)}
    assert paid == {("Ana", "7K3M", 8), ("Ana", "7K3M", 19)}
    (mythic,) = session.game.keepsakes(session.state)
    assert (mythic.name, mythic.person, mythic.change) == ("Ana", "7K3M", 1)


def test_a_purse_is_kept_once_and_only_where_it_gained() -> None:
    session = after_a_loss("purse ben 3")
    session.enter("keep-purse ana")
    with pytest.raises(RuleError, match="is kept already"):
        session.enter("keep-purse ana")
    session.enter("add ben coppers -2")
    with pytest.raises(RuleError, match="no more than it did before"):
        session.enter("keep-purse ben")


def test_an_adopted_band_is_as_it_lies_there_and_goes_on() -> None:
    blessed = [f"inscribed ana {card} sharp" for card in ("9S", "8S", "7S")]
    session = after_a_loss(*blessed, 'monster ana AS "Grave Wyrm" legend', "dungeons ana 1")
    session.enter("buy ana 2S sharp")
    (draft,) = (prompt.answer for prompt in session.game.adoptions(session.state) if prompt.seat == "ana")
    answers = session.game.adoption(session.state, draft)
    assert answers is not None
    assert (answers["name"], answers["builder"], answers["glory"], answers["dungeons"]) == ("Ash Toll", "Ana", "1", "2")
    assert {"card": "2S", "inscription": "sharp"} in answers["inscribed"]
    assert answers["monsters"][0] == {"card": "AS", "name": "Grave Wyrm", "hp": "18", "atk": "3", "legend": "yes"}
    session.enter("adopt ana 7K3M9QPX")
    with pytest.raises(RuleError, match="stored already"):
        session.enter("adopt ana 7K3M9QPX")
    with pytest.raises(RuleError, match="at this table already"):
        session.enter("adopt ben 7K3M9QPX")
    session.enter("buy ana 3S sharp")
    session.enter("seal")
    (mark,) = session.game.marks(session.state)["7K3M9QPX"]
    assert isinstance(mark, Inscribed)
    assert (mark.card, mark.inscription) == ("3S", "sharp"), "what was there before stands in the first mark"
