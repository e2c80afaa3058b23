"""An evening without a terminal: from an empty archive to a sealed game, its chores and its story."""

import html
import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from companion.archive import Archive
from tests.archive import bands
from tests.labels.paper import Paper, read, text_in
from tests.web.host import evening
from tests.web.host.drivers import Driver, new_driver
from tests.web.host.filling import PageForm
from tests.web.host.firefox_drivers import firefox_driver
from tests.web.host.test_after_game import press
from tests.web.host.test_decks import build
from tests.web.host.test_new_table import meet
from tests.web.host.test_printing import STOCK, inked_positions
from tests.web.serving import PATIENCE, PIN, Answer, Host, Phone

pytestmark = pytest.mark.slow
NEW = "/host/new?game=decknforge"
MOST: Final = dict.fromkeys(("mouse", "touch", "plain"), (60, 8, 4)) | {"keyboard": (160, 30, 24)}
"""The most keys, clicks and taps for a deck, for a table of four known people, and for tonight's labels; by keyboard
alone, each `Tab` on the way is one, too."""
KINDS: Final = ("mouse", *(pytest.param(kind, marks=pytest.mark.soak) for kind in ("touch", "keyboard", "plain")))


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
    assert form.choices("seat 0 deck") == ["", "-"]
    assert "Grave Choir" in form.page.text
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


@pytest.mark.posix
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_whole_evening_from_an_empty_archive(browser: Browser, tmp_path: Path, kind: str) -> None:
    host = await new_driver(browser, kind)
    await play_whole_evening(host, browser, tmp_path, MOST[kind])
    await host.close()


@pytest.mark.posix
@pytest.mark.soak
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("kind", ["mouse", "touch", "keyboard"])
async def test_a_whole_evening_in_firefox(browser: Browser, tmp_path: Path, kind: str) -> None:
    with firefox_driver(tmp_path, kind) as host:
        await play_whole_evening(host, browser, tmp_path, MOST[kind])


async def play_whole_evening(host: Driver[Any], browser: Browser, tmp_path: Path, most: tuple[int, int, int]) -> None:
    """Play an evening from an empty archive to a backup that is restored; the guests come in by phones."""
    place, photograph = tmp_path / "new.sqlite", evening.photograph_of_a_deck(tmp_path)
    with evening.served(place, tmp_path) as served:
        await evening.follow_link(host, served.link)
        await evening.add_people(host, "Cy", "Dora")
        built = await evening.build_deck(host, "Grave Choir", "Ana")
        await evening.adopt_deck(host, "Salt and Iron", "Ben", photograph)
        opened = await evening.open_table(host, "Ana", "Ben", "Cy", "Dora")
        guests = await evening.let_phones_in(host, browser, "Ben", "Cy", "Dora")
        await evening.play_bosses(host, guests)
        await evening.seal(host, guests)
        printed, document = await evening.print_labels(host)
        assert inked_positions(document) == [1, 2, 3]
        assert "Glint" in text_in(document, STOCK.box(1))
        await evening.do_chores(host)
        box = Paper(await evening.print_box(host, "Grave Choir"), 200).image
        (code,) = read(box)
        box.save(tmp_path / "box.png")
        await evening.scan_box(host, tmp_path / "box.png")
        await host.see("Boss 2, Wyrm C (A♣, Ben), fell in 1 round")
        await evening.restore(host)
        await evening.end(host)
        assert served.program.wait(PATIENCE) == 0
        assert (host.faults, host.complaints, [guest.faults for guest in guests]) == ({}, [], [[], [], []])
        for guest in guests:
            await guest.page.context.close()
    assert all(count <= most for count, most in zip((built, opened, printed), most, strict=True)), (
        built,
        opened,
        printed,
    )
    with Archive.open(str(place), by="tests") as archive:
        (row,) = archive.page_of_sessions().rows
        assert row.is_closed
        assert f"DECK:{archive.page_of_decks('Grave Choir').rows[0].deck}" == code


@pytest.mark.asyncio(loop_scope="session")
async def test_a_table_for_four_is_opened_by_touch(browser: Browser, own_host: Host) -> None:
    assert own_host.server.door is not None
    bands.found_band(own_host.archive, "Grave Choir", "Ana")
    meet(own_host.archive, "Ben", "Cy", "Dora")
    host = await new_driver(browser, "touch")
    await host.open(f"http://127.0.0.1:{own_host.port}{own_host.server.door.make_link()}")
    assert await evening.open_table(host, "Ana", "Ben", "Cy", "Dora") <= 8
    assert (host.faults, host.complaints) == ({}, [])
    await host.close()
