"""The page after a game: the review, the seal, what only the host decides, and tonight's chores."""

import re

import pytest

from companion.archive import Archive, deck_records
from companion.session.core.session import Session
from tests.session.test_adopting import won
from tests.session.two_tables import FADED, FOUGHT, SWAPPED, leave_one_seal_other, seat_bands, store_bands, story
from tests.web.host.filling import PageForm
from tests.web.serving import Answer, Host, Phone


@pytest.fixture
def over(own_host: Host) -> Session:
    """A game that is over, and waits for its seal."""
    store_bands(own_host.archive)
    return seat_bands(own_host.archive, *FOUGHT, *FADED, *SWAPPED)


def press(browser: Phone, session: str, button: str, **fields: str) -> Answer:
    """Press the button that does this, as the page shows it now."""
    page = browser.get(f"/host/t/{session}")
    at = re.findall(r'name="at" value="(\d+)"', page.text)
    return browser.post(f"/host/t/{session}", page.token, do=button, **{"at": at[0]} if at else {}, **fields)


def find_buttons(page: Answer) -> list[str]:
    """The actions of the buttons of a page."""
    return re.findall(r'name="do" value="([^"]+)"', page.text)


def is_sealed(archive: Archive, session: str) -> bool:
    """Return True if a game is in the records."""
    return archive.find_session(session).is_closed


def test_the_review_shows_what_is_written_and_one_button_seals(own_host: Host, over: Session) -> None:
    browser, archive = own_host.browser(), own_host.archive
    assert f'href="/host/t/{over.id}"' in browser.get(f"/t/{over.id}").text
    review = browser.get(f"/host/t/{over.id}")
    assert "What is written into the records" in review.text
    assert "Grave Choir" in review.text
    before = len(story(archive, "Grave Choir"))
    assert press(browser, over.id, "answer seal").leads_to == f"/host/t/{over.id}"
    assert is_sealed(archive, over.id)
    assert len(story(archive, "Grave Choir")) > before
    *_, last = archive.lines(over.id)
    assert (last.line, last.by) == ("seal", archive.by)
    assert "After the seal" in browser.get(f"/host/t/{over.id}").text
    assert "Labels and chores" in browser.get(f"/t/{over.id}").text


def test_what_has_changed_since_the_review_is_not_sealed(own_host: Host, over: Session) -> None:
    browser = own_host.browser()
    page = browser.get(f"/host/t/{over.id}")
    (at,) = re.findall(r'name="at" value="(\d+)"', page.text)
    own_host.sitting(over.id).enter("note “wait”")
    answer = browser.post(f"/host/t/{over.id}", page.token, do="answer seal", at=at)
    assert answer.status == 409
    assert "The table has changed meanwhile" in answer.text
    assert not is_sealed(own_host.archive, over.id)


def test_an_old_tab_learns_that_the_table_is_sealed_already(own_host: Host, over: Session) -> None:
    browser, path = own_host.browser(), f"/host/t/{over.id}"
    page = browser.get(path)
    (at,) = re.findall(r'name="at" value="(\d+)"', page.text)
    assert press(browser, over.id, "answer seal").leads_to == path
    answer = browser.post(path, page.token, do="answer seal", at=at)
    assert answer.status == 409
    assert f'This table is sealed already; nothing was written again. <a href="/t/{over.id}/card">' in answer.text
    assert "changed meanwhile" not in answer.text


@pytest.mark.parametrize("at", ["", "-1", "x", "9" * 9])
def test_without_the_review_nothing_is_sealed(own_host: Host, over: Session, at: str) -> None:
    browser = own_host.browser()
    token = browser.get(f"/host/t/{over.id}").token
    assert browser.post(f"/host/t/{over.id}", token, do="answer seal", at=at).status == 409
    assert not is_sealed(own_host.archive, over.id)


def test_a_game_that_goes_on_cannot_be_sealed(own_host: Host) -> None:
    session, browser = own_host.fight(), own_host.browser()
    assert "This game is not over yet" in browser.get(f"/host/t/{session}").text
    assert "What only the host decides" not in browser.get(f"/t/{session}").text
    token = browser.get("/host").token
    at = str(len(own_host.archive.lines(session)))
    assert browser.post(f"/host/t/{session}", token, do="answer seal", at=at).status == 409
    assert not is_sealed(own_host.archive, session)


def test_a_phone_that_may_do_all_seals_nothing(own_host: Host, over: Session) -> None:
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    page = phone.get(f"/t/{over.id}")
    assert "/host/" not in page.text
    assert phone.get(f"/host/t/{over.id}").status == 403
    at = str(len(own_host.archive.lines(over.id)))
    assert phone.post(f"/host/t/{over.id}", page.token, do="answer seal", at=at).status == 403
    assert not is_sealed(own_host.archive, over.id)


def test_the_host_decides_about_a_deck_that_changed_elsewhere(own_host: Host) -> None:
    left = leave_one_seal_other(own_host.archive, "begin seed 1")
    browser = own_host.browser()
    assert "What only the host decides" in browser.get(f"/t/{left.id}").text
    page = browser.get(f"/host/t/{left.id}")
    buttons = find_buttons(page)
    assert "answer refresh-deck ana" in buttons
    assert "answer off-record ana" in buttons
    assert press(browser, left.id, "answer refresh-deck ana").status == 303
    assert any(line.line.startswith("refresh-deck ana") for line in own_host.archive.lines(left.id))


def test_chores_are_checked_off_and_taken_back(own_host: Host, over: Session) -> None:
    browser, archive = own_host.browser(), own_host.archive
    press(browser, over.id, "answer seal")
    page = browser.get(f"/host/t/{over.id}")
    chosen = re.findall(r'name="chore" value="([^"]+)"', page.text)
    assert chosen
    deck = chosen[0].partition(" ")[0]
    before = len(deck_records.chores(archive, deck, over.id))
    assert press(browser, over.id, "tick", chore=chosen[0]).status == 303
    assert len(deck_records.chores(archive, deck, over.id)) == before - 1
    assert press(browser, over.id, "back").status == 303
    assert len(deck_records.chores(archive, deck, over.id)) == before
    assert press(browser, over.id, "tick", chore=f"{deck} nothing").status == 409
    assert press(browser, over.id, "tick", chore="nothing at all").status == 409


def test_the_same_table_again_is_one_click_away(own_host: Host, over: Session) -> None:
    browser = own_host.browser()
    press(browser, over.id, "answer seal")
    page = browser.get(f"/host/t/{over.id}")
    assert browser.post("/host/again", page.token, session=over.id).leads_to.startswith("/t/")


def test_an_unknown_table_has_no_page(own_host: Host) -> None:
    browser = own_host.browser()
    for path in ("/host/t/7K3M9QPX", "/host/t/nothing", "/host/t/.."):
        assert browser.get(path).status == 404


def test_a_loose_deck_is_kept_before_the_seal(own_host: Host) -> None:
    archive, browser = own_host.archive, own_host.browser()
    session = won(archive)
    review = browser.get(f"/host/t/{session.id}").text
    assert "Not kept by the seal" in review
    path = f"/host/loose?game={session.id}-0"
    assert f'href="{path}"' in review
    form = PageForm(browser, path, {"name": "Ash Toll", "legend": "AC"})
    answer = form.press("keep")
    assert answer.leads_to == f"/host/t/{session.id}", re.findall(r'class="wrong".*', answer.text)
    (row,) = archive.page_of_decks().rows
    assert archive.lines(session.id)[-1].line.startswith("adopt ana")
    # The other loose deck is the first one now.
    assert form.press("keep").leads_to == answer.leads_to
    assert archive.page_of_decks().total == 1
    assert press(browser, session.id, "answer seal").status == 303
    assert any(line.session == session.id for line in archive.story(row.deck))


@pytest.mark.parametrize("name", ["nothing", "7K3M9QPX-0", "{}-7", "{}--1", "{}-"])
def test_no_other_deck_of_a_table_is_offered(own_host: Host, name: str) -> None:
    session = won(own_host.archive)
    browser = own_host.browser()
    assert browser.get(f"/host/loose?game={name.format(session.id)}").status == 404


def test_what_is_asked_after_the_seal_is_one_click_away(own_host: Host, over: Session) -> None:
    browser = own_host.browser()
    press(browser, over.id, "answer seal")
    assert f'<a href="/t/{over.id}#offers">Playtest:' in browser.get(f"/host/t/{over.id}").text
    table = browser.get(f"/t/{over.id}").text
    folded = table[table.index('<details data-keep="offers">') :]
    assert 'id="offers" tabindex="-1"' in folded[: folded.index("Playtest:")]
    assert table.count('id="offers"') == 1
