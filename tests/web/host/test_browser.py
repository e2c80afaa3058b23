"""The host's pages in a real browser: by keyboard, without scripts, on every size, and for screen readers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from companion.archive import web_access
from tests.printing import evenings
from tests.web.serving import PATIENCE, Host
from tests.web.test_browser import Seen

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

LOOKS: Final = (((390, 844), "light"), ((1024, 768), "dark"), ((1440, 900), "light"))
"""The sizes of windows and the colours in which pages are tried; all pages of the host are tried dark on a phone."""
PATHS: Final = (
    "/host",
    "/host/phones",
    "/host/new?game=decknforge",
    "/host/new?game=tricks",
    "/tables",
    "/host/decks",
    "/host/build?game=decknforge",
)


@asynccontextmanager
async def host_browser(browser: Browser, host: Host, **settings: Any) -> AsyncIterator[Seen]:
    """A browser of the host at the home page."""
    context = await browser.new_context(**settings)
    seen = Seen(await context.new_page(), host)
    assert host.server.door is not None
    await seen.page.goto(f"http://127.0.0.1:{host.port}{host.server.door.make_link()}")
    yield seen
    await context.close()


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
async def test_every_page_of_the_host_is_readable_by_everybody(
    browser: Browser, own_host: Host, size: tuple[int, int], scheme: str
) -> None:
    own_host.fight()
    evenings.play(own_host.archive)
    own_host.phone("Ana")
    web_access.ask_to_come_in(own_host.archive, "10.0.0.7", "000000", "Zoe")
    viewport = {"width": size[0], "height": size[1]}
    async with host_browser(browser, own_host, viewport=viewport, color_scheme=scheme) as seen:
        faults = {}
        for path in (
            "/host",
            "/host/phones",
            "/host/new?game=decknforge",
            "/host/new?game=tricks",
            "/host/enter/old",
            "/tables",
        ):
            await seen.page.goto(f"http://127.0.0.1:{own_host.port}{path}")
            faults[path] = await seen.faults()
        assert {path: wrong for path, wrong in faults.items() if wrong} == {}
        assert seen.complaints == []


async def test_a_table_is_opened_by_keyboard_and_answers_are_checked_at_once(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.keyboard.press("F2")
        await page.get_by_text("Which game is it?").wait_for()
        await page.get_by_role("link", name="DecknForge").focus()
        await page.keyboard.press("Enter")
        first = page.get_by_role("group", name="Seats 1").get_by_label("Name")
        await first.focus()
        await page.keyboard.type("Ana")
        await page.keyboard.press("Tab")
        # What follows has come, and the focus stays.
        second = page.get_by_role("group", name="Seats 2").get_by_label("Name")
        await expect(second).to_be_visible()
        await expect(page.get_by_role("group", name="Seats 1").get_by_label("Deck")).to_be_focused()
        await expect(page.get_by_role("group", name="Seats 1")).to_contain_text("a loose band")
        await second.focus()
        await page.keyboard.type("Ben")
        await page.keyboard.press("Control+s")
        await expect(page.locator("#seats")).to_contain_text("Ben")
        assert seen.complaints == []
    assert own_host.archive.page_of_sessions().total == 1


async def test_answers_given_faster_than_they_are_checked_are_kept(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page, under_way = seen.page, [0]

        async def handle(route: Route) -> None:
            # Two at once could arrive in another order, and the older answers would be the draft.
            under_way.append(under_way[-1] + 1)
            await asyncio.sleep(0.4)
            await route.continue_()

        page.on("requestfinished", lambda sent: under_way.append(under_way[-1] - 1) if sent.method == "POST" else None)
        await page.goto(f"http://127.0.0.1:{own_host.port}/host/build?game=decknforge")
        await page.route("**/host/build", handle)
        await page.get_by_label("Name", exact=True).fill("Grave Choir")
        await page.get_by_label("Builder", exact=True).fill("Ana")
        await page.get_by_label("Players", exact=True).fill("4")
        await page.keyboard.press("Tab")
        async with asyncio.timeout(PATIENCE):
            while under_way.count(0) < 3:
                await asyncio.sleep(0.05)
        await page.reload()
        await expect(page.get_by_label("Builder", exact=True)).to_have_value("Ana")
        await expect(page.get_by_label("Players", exact=True)).to_have_value("4")
        assert max(under_way) == 1


class Counted:
    """A page at which keys and clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.count += 1
            await self.page.keyboard.press(key)

    async def type(self, text: str) -> None:
        """Type a text."""
        self.count += len(text)
        await self.page.keyboard.type(text)

    async def click(self, one: Locator) -> None:
        """Click on something."""
        self.count += 1
        await one.click()

    async def choose(self, one: Locator, value: str) -> None:
        """Open a list, and click on a choice."""
        self.count += 2
        await one.select_option(value)


async def test_a_deck_is_built_with_at_most_60_keys_and_clicks(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        counted, page = Counted(seen.page), seen.page
        await counted.press("F4")
        await page.wait_for_url("**/host/decks")
        await counted.press("F4")
        await counted.click(page.get_by_role("link", name="DecknForge"))
        await counted.click(page.get_by_label("Name", exact=True))
        await counted.type("Grave Choir")
        await counted.press("Tab")
        await counted.type("Ana")
        await counted.click(page.get_by_role("button", name="Draw all that is empty"))
        creature = page.get_by_role("group", name="Monsters 1").get_by_label("Creature", exact=True)
        await expect(creature).not_to_have_value("")
        await page.wait_for_load_state("load")  # before that, nothing hears a change
        for number, (card, inscription) in enumerate((("9S", "sharp"), ("10S", "sharp"), ("7S", "quick")), 1):
            row = page.get_by_role("group", name=f"Inscriptions {number}")
            await counted.choose(row.get_by_label("Card", exact=True), card)
            await expect(page.get_by_role("group", name=f"Inscriptions {number + 1}")).to_be_visible()
            await counted.choose(row.get_by_label("Inscription", exact=True), inscription)
            await expect(row).not_to_contain_text("Say which inscription it is.")
        legend = page.get_by_label("Legend", exact=True)
        if await legend.is_visible() and await legend.locator("option").count() > 1:
            await counted.choose(legend, "AS")
        await counted.press("Control+s")
        await expect(page.get_by_text("Grave Choir is here")).to_be_visible()
        assert counted.count <= 60
        assert seen.complaints == []


async def test_a_phone_that_comes_is_seen_at_once_and_let_in_by_keyboard(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.get_by_role("link", name="Phones", exact=True).focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("No phone has come in yet")).to_be_visible()
        waiting = web_access.ask_to_come_in(own_host.archive, "10.0.0.7", "000000", "Zoe")
        assert waiting is not None
        button = page.get_by_role("button", name=f"Let in Zoe · {waiting.code}")
        await expect(button).to_be_visible()
        await button.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="Send Zoe away")).to_be_visible()
        assert not own_host.server.phones.all()[0].away
        assert seen.complaints == []


async def test_without_scripts_the_host_lets_a_phone_in(browser: Browser, own_host: Host) -> None:
    web_access.ask_to_come_in(own_host.archive, "10.0.0.7", "000000", "Zoe")
    async with host_browser(browser, own_host, java_script_enabled=False) as seen:
        await seen.page.get_by_role("link", name="Phones", exact=True).click()
        await seen.page.get_by_role("button", name="Let in Zoe").click()
        await expect(seen.page.get_by_role("button", name="Send Zoe away")).to_be_visible()
        await seen.page.goto(f"http://127.0.0.1:{own_host.port}/host/new?game=decknforge")
        await seen.page.get_by_role("group", name="Seats 1").get_by_label("Name").fill("Ana")
        await seen.page.get_by_role("button", name="See what follows").click()
        await expect(seen.page.get_by_role("group", name="Seats 2")).to_be_visible()
        await seen.page.get_by_role("button", name="Open the table").click()
        await expect(seen.page.locator("#seats")).to_contain_text("Ana")
        await seen.page.get_by_role("link", name="Host’s pages").click()
        await seen.page.get_by_role("button", name="Close these pages here").click()
        await expect(seen.page.get_by_text("This browser needs a new link")).to_be_visible()


async def test_arrow_keys_move_in_the_grid_of_cards(browser: Browser, own_host: Host) -> None:
    session = own_host.fight()
    async with host_browser(browser, own_host, viewport={"width": 1024, "height": 768}) as seen:
        await seen.page.goto(f"http://127.0.0.1:{own_host.port}/t/{session}")
        await seen.page.locator("#asked button:visible").first.click()
        rows = seen.page.locator(".cards").first.locator(".suit")
        first = rows.nth(0).locator("button").nth(0)
        await first.focus()
        await seen.page.keyboard.press("ArrowRight")
        await expect(rows.nth(0).locator("button").nth(1)).to_be_focused()
        await seen.page.keyboard.press("ArrowDown")
        await expect(rows.nth(1).locator("button").nth(1)).to_be_focused()
        await seen.page.keyboard.press("ArrowUp")
        await seen.page.keyboard.press("ArrowLeft")
        await seen.page.keyboard.press("ArrowLeft")
        await expect(first).to_be_focused()


async def test_no_field_in_use_is_hidden_by_the_buttons_at_the_foot(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1024, "height": 768}) as seen:
        await seen.page.goto(f"http://127.0.0.1:{own_host.port}/host/print?what=blank")
        foot = seen.page.locator(".sending")
        fields = seen.page.locator("form.filling :is(input, select, textarea):visible")
        await fields.nth(0).focus()
        for _ in range(await fields.count() - 1):
            await seen.page.keyboard.press("Tab")
            field = await seen.page.locator("form.filling :focus").bounding_box()
            bar = await foot.bounding_box()
            assert field
            assert bar
            assert field["y"] + field["height"] <= bar["y"] or field["y"] >= bar["y"]
