"""An evening without a terminal: from an empty archive to a sealed game, its chores and its story."""

import html
import re

import pytest

from tests.web.host.filling import PageForm
from tests.web.host.test_after_game import press
from tests.web.host.test_decks import build
from tests.web.serving import PIN, Answer, Host, Phone

pytestmark = pytest.mark.slow
NEW = "/host/new?game=decknforge"


def answer(browser: Phone, table: str, step: str) -> Answer:
    """Give an answer on a table's page."""
    page = browser.get(table)
    (at, *_) = re.findall(r'data-length="(\d+)"', page.text)
    return browser.post(f"{table}/answer", browser.get("/scan").token, step=step, at=at)


def find_steps(browser: Phone, table: str) -> list[str]:
    """The answers that a table's page offers as one button each."""
    steps = map(html.unescape, re.findall(r'name="step" value="([^"]+)"', browser.get(table).text))
    return [step for step in dict.fromkeys(steps) if not re.search(r"[A-Z]{2,}|…", step)]


def test_an_evening_is_hosted_from_the_browser_alone(own_host: Host) -> None:
    host, archive = own_host.browser(), own_host.archive
    deck = build(host, "Grave Choir").removeprefix("/d/")
    assert PageForm(host, NEW).press("sit Ana").status == 303
    form = PageForm(host, NEW, {"seat 1 name": "Ben"})
    assert form.get("seat 0 deck") == "Grave Choir"
    table = form.press("keep").leads_to
    # Two guests come in with the PIN of the host's page, and take their seats.
    host_page = host.get("/host/phones")
    assert PIN in host_page.text
    assert host.post("/host/phones", host_page.token, do="allow-all", permissions="own").status == 303
    guests = {name: own_host.phone(name) for name in ("Ana", "Ben")}
    for name, guest in guests.items():
        guest.sit(table.removeprefix("/t/"), name.lower())
        assert name in host.get("/host/phones").text
    assert answer(host, table, ":rule draws program").status == 303
    assert answer(host, table, ":begin").status == 303
    for (name, guest), card in zip(guests.items(), ("9S", "QH"), strict=True):
        assert answer(guest, table, f"{name.lower()}:reveal {name.lower()} CARD›={card}").status == 303
    # It is late: the host ends the game, and answers what is asked after it.
    assert answer(host, table, ":set table COUNTER VALUE›=outcome›=loss").status == 303
    for _ in range(20):
        steps = find_steps(host, table)
        if not steps or "What only the host decides" in host.get(table).text:
            break
        assert answer(host, table, steps[0]).status == 303
    session = table.removeprefix("/t/")
    assert "What is written into the records" in host.get(f"/host/t/{session}").text
    assert press(host, session, "answer seal").status == 303
    assert archive.find_session(session).is_closed
    # The card, what is due, and the story.
    assert host.get(f"{table}/card").status == 200
    tonight = host.get(f"/host/t/{session}")
    for chore in re.findall(r'name="chore" value="([^"]+)"', tonight.text):
        assert press(host, session, "tick", chore=chore).status == 303
    assert "No chore of tonight is left." in host.get(f"/host/t/{session}").text
    assert any(line.session == session for line in archive.story(deck))
    assert "Grave Choir" in host.get(f"/d/{deck}").text
    # Once more, for those who stay.
    again = host.post("/host/again", tonight.token, session=session).leads_to
    assert again.startswith("/t/")
    assert again != table
    assert archive.find_session(again.removeprefix("/t/")).game == "decknforge"
