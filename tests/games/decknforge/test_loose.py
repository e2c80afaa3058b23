"""Loose bands after the game: what would be lost is told before the seal, and can be kept."""

import pytest
from hypothesis import given
from hypothesis.strategies import DataObject, data, dictionaries, lists, sampled_from

from companion.games.decknforge.book.founding import ITEMS
from companion.games.decknforge.book.state import MONSTER_CARDS
from companion.games.decknforge.decks.marks import BandAdopted, CardInscribed, DungeonPlayed, InscriptionCrossedOut
from companion.games.decknforge.rules.loose import band_as_it_came
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Form, FormContext, FormPlace
from companion.tabletop.records import Reason
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.catalogues import load_language
from templates.languages.messages import speaking
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
    prompts = (*session.view().prompts, *session.game.decks.adoptions(session.state))
    return [str(prompt.text) for prompt in prompts if prompt.seat == seat]


def test_what_a_loose_band_would_lose_is_asked_about() -> None:
    to_ana = questions_to(after_a_loss(), "ana")
    assert "Ana: 27 Coppers and 1 Mythic will be lost, as Ash Toll is loose; keep that in a purse?" in to_ana
    assert "Ana: 1 Glory of Ash Toll will be lost, as it is loose; adopt it as a deck?" in to_ana


def test_a_purse_that_is_kept_is_paid_with_the_seal() -> None:
    session = after_a_loss()
    session.enter("keep-purse ana person 7K3M")
    assert not any("will be lost, as Ash Toll is loose; keep" in text for text in questions_to(session, "ana"))
    session.enter("seal")
    paid = {(payment.name, payment.person, payment.amount) for payment in session.game.purses.payments(session.state)}
    assert paid == {("Ana", "7K3M", 8), ("Ana", "7K3M", 19)}
    (mythic,) = session.game.purses.keepsakes(session.state)
    assert (mythic.name, mythic.person, mythic.change) == ("Ana", "7K3M", 1)


def test_a_purse_is_kept_once_and_only_where_it_gained() -> None:
    session = after_a_loss("purse ben 3")
    session.enter("keep-purse ana")
    with pytest.raises(RuleError, match="is kept already"):
        session.enter("keep-purse ana")
    session.enter("add ben coppers -2")
    with pytest.raises(RuleError, match="no more than it did before"):
        session.enter("keep-purse ben")


def adopting(session: Session, seat: str) -> Form:
    """The form by which the band of a seat is adopted."""
    (draft,) = (prompt.answer for prompt in session.game.decks.adoptions(session.state) if prompt.seat == seat)
    form = session.game.decks.adoption(session.state, draft)
    assert form is not None
    return form


def test_an_adopted_band_begins_as_it_came_to_the_table() -> None:
    blessed = [f"inscribed ana {card} sharp" for card in ("9S", "8S", "7S")]
    session = after_a_loss(*blessed, 'monster ana AS "Grave Wyrm" legend', "dungeons ana 1")
    session.enter("buy ana 2S sharp")
    form = adopting(session, "ana")
    (mark,) = form.validate_answers(form.initial_values(), FormContext()).marks
    assert isinstance(mark, BandAdopted)
    assert (mark.name, mark.builder, mark.glory, mark.dungeons) == ("Ash Toll", "Ana", 0, 1)
    assert sorted(mark.inscribed) == ["7S", "8S", "9S"], "neither what faded nor what was bought tonight"
    assert mark.creatures[0].name == "Grave Wyrm"
    assert "AS" not in mark.due, "its card says that already"
    assert {"name", "AH", "AC", "AD", "BJ", "RJ"} == set(mark.due)


def test_the_seal_writes_the_evening_of_an_adopted_band() -> None:
    session = after_a_loss("inscribed ana 9S sharp", "inscribed ana 8S quick")
    session.enter("buy ana 2S sharp")
    session.enter('adopt ana 7K3M9QPX band "Toll"')
    assert session.state.bands["ana"].name == "Toll"
    with pytest.raises(RuleError, match="stored already"):
        session.enter('adopt ana 7K3M9QPX band "Toll"')
    with pytest.raises(RuleError, match="at this table already"):
        session.enter('adopt ben 7K3M9QPX band "Toll"')
    session.enter("buy ana 3S sharp")
    session.enter("seal")
    reasons = [payment.reason for payment in session.game.purses.payments(session.state) if payment.amount < 0]
    paid = {reason.args for reason in reasons if isinstance(reason, Reason)}
    assert paid == {("sharp", "2S", "Toll"), ("sharp", "3S", "Toll")}
    played, faded, *bought = session.game.marks(session.state)["7K3M9QPX"]
    assert isinstance(played, DungeonPlayed)
    assert isinstance(faded, InscriptionCrossedOut)
    assert [(mark.card, mark.by) for mark in bought if isinstance(mark, CardInscribed)] == [
        ("2S", "Ana"),
        ("3S", "Ana"),
    ]


def test_a_line_without_a_name_adopts_what_lies_there() -> None:
    session = after_a_loss("inscribed ana 9S sharp", "inscribed ana 8S quick")
    session.enter("buy ana 2S sharp")
    session.enter("adopt ana 7K3M9QPX")
    session.enter("buy ana 3S sharp")
    session.enter("seal")
    (mark,) = session.game.marks(session.state)["7K3M9QPX"]
    assert isinstance(mark, CardInscribed)
    assert (mark.card, mark.inscription) == ("3S", "sharp"), "what was there before stands in the first mark"


def test_the_legend_is_asked_for_once_and_in_place() -> None:
    form = adopting(after_a_loss("inscribed ana 9S sharp"), "ana")
    values = form.initial_values()
    (finding,) = (each for each in form.validate_answers(values, FormContext()).findings if not each.warning)
    assert finding.place == FormPlace("legend")
    assert [choice.value for choice in listed(form.candidates(values, finding.place, FormContext()))] == [
        *MONSTER_CARDS
    ]
    (mark,) = form.validate_answers({**values, "legend": "AC"}, FormContext()).marks
    assert isinstance(mark, BandAdopted)
    assert [creature.card for creature in mark.creatures if creature.legend] == ["AC"]
    starless = adopting(after_a_loss("inscribed ana 9S sharp", "monster ana AC legend"), "ana")
    assert FormPlace("legend") in set(starless.idle_places(starless.initial_values()))


@given(data())
def test_what_the_evening_wrote_is_taken_off_again(chance: DataObject) -> None:
    """The band as it came is that before the first line, whatever fades, is bought, cursed or labelled."""
    blessed = chance.draw(dictionaries(sampled_from(ITEMS), sampled_from(("sharp", "quick", "echo")), min_size=2))
    session = after_a_loss(*(f"inscribed ana {card} {name}" for card, name in blessed.items()), "dungeons ana 2")
    session.enter("add ana coppers 60")
    bare = [card for card in ITEMS if card not in session.state.bands["ana"].inscribed]
    for card in chance.draw(lists(sampled_from(bare), unique=True, max_size=5)):
        session.enter(f"buy ana {card} {chance.draw(sampled_from(('sharp', 'glint', 'quick')))}")
    came = band_as_it_came(session.state, "ana")
    assert came.inscribed == {card: (name,) for card, name in blessed.items()}
    assert sorted(came.history) == sorted(blessed.values())
    assert came.dungeons == 2


def listed(candidates: Candidates) -> list[Choice]:
    """Return what there is to choose among."""
    return [*(candidates.fitting if isinstance(candidates, Open) else candidates)]


def test_jokers_without_a_name_are_named_in_the_readers_language() -> None:
    session = after_a_loss("inscribed ana 9S sharp")
    with speaking(load_language("de")):
        form = adopting(session, "ana")
        (mark,) = form.validate_answers({**form.initial_values(), "legend": "AC"}, FormContext()).marks
    assert isinstance(mark, BandAdopted)
    assert [creature.name for creature in mark.creatures] == ["A♠", "A♥", "A♣", "A♦", "Schwarzer Joker", "Roter Joker"]
