"""The host's pages in a real browser: by keyboard, without scripts, on every size, and for screen readers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from playwright.async_api import Browser, expect

from companion.archive import web_access
from tests.printing import evenings
from tests.web.serving import Host
from tests.web.test_browser import Seen

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

SIZES: Final = ((390, 844), (1024, 768), (1440, 900))


@asynccontextmanager
async def host_browser(browser: Browser, host: Host, **settings: Any) -> AsyncIterator[Seen]:
    """A browser of the host at the home page."""
    context = await browser.new_context(**settings)
    seen = Seen(await context.new_page(), host)
    assert host.server.door is not None
    await seen.page.goto(f"http://127.0.0.1:{host.port}{host.server.door.make_link()}")
    yield seen
    await context.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
@pytest.mark.parametrize("scheme", ["light", "dark"])
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
        for path in ("/host", "/host/phones", "/host/enter/old", "/tables"):
            await seen.page.goto(f"http://127.0.0.1:{own_host.port}{path}")
            faults[path] = await seen.faults()
        assert {path: wrong for path, wrong in faults.items() if wrong} == {}
        assert seen.complaints == []


async def test_a_phone_that_comes_is_seen_at_once_and_let_in_by_keyboard(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.get_by_role("link", name="Phones").focus()
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
        await seen.page.get_by_role("link", name="Phones").click()
        await seen.page.get_by_role("button", name="Let in Zoe").click()
        await expect(seen.page.get_by_role("button", name="Send Zoe away")).to_be_visible()
        await seen.page.get_by_role("button", name="Close these pages here").click()
        await expect(seen.page.get_by_text("This browser needs a new link")).to_be_visible()
