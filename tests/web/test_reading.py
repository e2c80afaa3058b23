"""The pages as a screen reader has them: Chromium's accessibility tree, in the order in which it is read aloud."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from companion.archive import Archive
from tests.printing import evenings
from tests.web.serving import Host, serving
from tests.web.test_browser import Seen, listening

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMED: Final = frozenset({"button", "link", "textbox", "searchbox", "spinbutton", "heading", "region", "table"})
"""Roles of what nobody could tell from its like without a name."""
CONTROLS: Final = frozenset({"button", "link", "textbox", "searchbox", "spinbutton"})
SIGNS: Final = re.compile("[♠♥♣♦▸▾»☐]")
"""Signs that are read aloud as what they look like, or not at all."""


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A table before its cards are revealed, at which phones may answer for their seats, and a deck with chores."""
    place = tmp_path_factory.mktemp("reading") / "archive.sqlite"
    with Archive.open(str(place), by="tests") as archive, serving(archive, permissions="own") as host:
        yield host


@pytest_asyncio.fixture(loop_scope="session")
async def seen(browser: Browser, reading: Host) -> AsyncIterator[Seen]:
    """A page on a phone."""
    context = await browser.new_context(viewport={"width": 360, "height": 800})
    yield Seen(await context.new_page(), reading)
    await context.close()


async def tree(page: Page) -> list[tuple[str, str]]:
    """Roles and names of all that is read, in that order."""
    session = await page.context.new_cdp_session(page)
    answer: dict[str, Any] = await session.send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in answer["nodes"]}

    def under(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
        if not node["ignored"]:
            yield node["role"]["value"], node.get("name", {}).get("value", "")
        for child in node.get("childIds", ()):
            yield from under(nodes[child])

    return list(under(answer["nodes"][0]))


async def badly_read(page: Page) -> list[tuple[str, str]]:
    """What has no name, or one that a voice makes nothing of."""
    read = await tree(page)
    nameless = [(role, name) for role, name in read if role in NAMED and not name.strip()]
    return nameless + [(role, name) for role, name in read if role in CONTROLS and SIGNS.search(name)]


@pytest.mark.slow
async def test_a_table_is_read_in_the_order_in_which_it_matters(seen: Seen, reading: Host) -> None:
    await seen.come_in(reading.fight(), "Ben")
    await seen.take_seat("Ben")
    await expect(seen.page.locator("#mine .side")).to_be_visible()
    headings = [name for role, name in await tree(seen.page) if role == "heading"]
    assert headings[:5] == ["DecknForge · Reveal", "Asked now", "Ben Ben's band", "On the table", "Boss"]
    assert headings[-5:] == [
        "Other players",
        "Cy Cy's band",
        "Asked now: Ana Ana's band",
        "The round",
        "What happened",
    ]
    await expect(seen.page.locator("#asked .questions > li").first).to_match_aria_snapshot("""
      - listitem:
        - paragraph: "Ben: reveal a card"
        - 'form "Ben: reveal a card"':
          - button "king of spades, worth 13"
          - button "king of hearts, worth 13"
    """)
    cards = seen.page.locator("#asked").get_by_role(
        "button", name=re.compile(r"^\w+ of (spades|hearts|clubs|diamonds)")
    )
    assert await cards.count() == 48
    await expect(seen.page.locator("#mine")).to_match_aria_snapshot("""
      - region "My seat":
        - heading "Ben Ben's band" [level=2]
        - paragraph:
          - link "HP"
          - strong: "20"
          - text: of 20
          - status
        - form "Change HP of Ben":
          - 'button "HP: less"'
          - 'spinbutton "HP: how much"': "1"
          - 'button "HP: more"'
    """)
    await expect(seen.page.locator("[aria-current=step]")).to_have_text("Reveal")
    assert await badly_read(seen.page) == []


@pytest.mark.slow
async def test_questions_and_news_are_announced_politely_and_once(seen: Seen, reading: Host) -> None:
    session = reading.fight()
    await seen.come_in(session, "Ben")
    await seen.take_seat("Ben")
    await expect(seen.page.locator("#mine .side")).to_be_visible()
    live = await seen.page.locator("[aria-live], [role=status], [role=alert], [role=log]").all()
    assert {await one.get_attribute("role") for one in live} == {"status"}
    hears = seen.page.locator("main > [role=status]")
    # What is not there before news comes into it is read to nobody.
    assert "none" not in [await one.evaluate("(one) => getComputedStyle(one).display") for one in await hears.all()]
    await listening(seen.page)
    reading.sitting(session).enter("kH 9s 7c")
    news, question = hears.nth(0), hears.nth(1)
    await expect(news).to_contain_text("reveals")
    await expect(question).to_have_text(re.compile(r"^Ana: Tactic .* or pass"))
    reading.sitting(session).enter("pass ana")
    await expect(question).to_have_text(re.compile(r"^Ben: Tactic .* or pass; Pass; Spike …; .*Brace …$"))


@pytest.mark.slow
async def test_cards_that_were_chosen_say_so(seen: Seen, reading: Host) -> None:
    session = reading.fight()
    await seen.come_in(session, "Ben")
    await seen.take_seat("Ben")
    reading.sitting(session).enter("kH 9s 7c")
    reading.sitting(session).enter("pass ana")
    await seen.page.get_by_role("button", name="Foil Ana").click()
    answering = seen.page.get_by_role("region", name="Your answer")
    await answering.get_by_role("checkbox", name="king of spades").check()
    await expect(answering).to_match_aria_snapshot("""
      - region "Your answer":
        - heading "Foil Ana · What do you pay with?" [level=2]
        - form "Foil Ana · What do you pay with?":
          - checkbox "king of spades, worth 13" [checked]
          - paragraph:
            - status: "K♠: A Foil costs 2 cards; 1 was paid."
            - button "Foil"
    """)
    assert await badly_read(seen.page) == []


@pytest.mark.slow
async def test_every_control_of_every_page_has_a_name(seen: Seen, reading: Host) -> None:
    deck = evenings.create_deck(reading.archive)
    evenings.live(reading.archive, deck)
    await seen.page.goto(f"http://127.0.0.1:{reading.port}/pin")
    faults = [await badly_read(seen.page)]
    session = reading.fight()
    await seen.come_in(session, "Dora")
    (dora,) = [phone for phone in reading.server.phones.all() if phone.name == "Dora"]
    reading.server.phones.allow(dora.phone, "all")
    await expect(seen.page.get_by_text("Change Round")).to_be_visible()
    for path in ("/tables", "/scan", "/decks", "/leagues", f"/d/{deck}", f"/t/{session}/log", "/nowhere"):
        await seen.page.goto(f"http://127.0.0.1:{reading.port}{path}")
        faults.append(await badly_read(seen.page))
        assert next(name for role, name in await tree(seen.page) if role == "heading"), path
    assert faults == [[]] * 8


async def test_what_has_no_name_would_be_noticed(seen: Seen) -> None:
    await seen.page.set_content("<main><button></button><button>9♠</button><button>Pass</button></main>")
    assert await badly_read(seen.page) == [("button", ""), ("button", "9♠")]
