"""The pages for games of one's own in a real browser: while one types, by keyboard, without scripts, on every size."""

from typing import Final

import pytest
from playwright.async_api import Browser, expect

from companion.archive.exchange import pages
from companion.games import registry
from tests.archive.crowns import ONE
from tests.web.host.test_browser import LOOKS, host_browser
from tests.web.host.test_games import begin, saved_text
from tests.web.serving import Host

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.usefixtures("no_drafts")]

FAULTY: Final = ("start = 20", "strat = 20")


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
async def test_every_page_of_games_is_readable_by_everybody(
    browser: Browser, own_host: Host, size: tuple[int, int], scheme: str
) -> None:
    pages.add_page(own_host.archive, ONE)
    begin(own_host, "our-duel")
    wrong = begin(own_host, "our-tricks", "tricks")
    wrong.press("look", wrong.text.replace("players", "playerz"))
    viewport = {"width": size[0], "height": size[1]}
    async with host_browser(browser, own_host, viewport=viewport, color_scheme=scheme) as seen:
        faults = {}
        for path in (
            *("/host/games", "/host/games?q=whist", "/host/games?q=qqqqzzzz", "/host/new-game?game=_"),
            *(f"/host/games/{name}" for name in ("crown", "our-duel", "our-tricks", "villain", "prizes")),
        ):
            await seen.page.goto(f"http://127.0.0.1:{own_host.port}{path}")
            faults[path] = await seen.faults()
        assert {path: each for path, each in faults.items() if each} == {}
        assert seen.complaints == []


async def test_a_page_is_looked_at_while_somebody_types(browser: Browser, own_host: Host) -> None:
    begin(own_host, "our-duel")
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}/host/games/our-duel")
        field = page.get_by_label("The text of the page")
        text = await field.input_value()
        await field.fill(text.replace(*FAULTY))
        await expect(page.get_by_role("status").filter(has_text="This page has 1 fault.")).to_be_visible()
        await page.get_by_role("link", name="Line 29").focus()
        await page.keyboard.press("Enter")
        await expect(field).to_be_focused()
        selected = "(it) => it.value.slice(it.selectionStart, it.selectionEnd)"
        assert await field.evaluate(selected) == FAULTY[1]
        await page.keyboard.type("start = 33")
        await expect(page.locator("[data-part=table]")).to_contain_text("33")
        await page.reload()
        assert await field.input_value() == text.replace("start = 20", "start = 33")
        assert seen.complaints == []


async def test_a_page_is_checked_and_saved_by_keyboard(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.get_by_role("link", name="Games", exact=True).focus()
        await page.keyboard.press("Enter")
        await page.get_by_label("Begin its page").focus()
        await page.keyboard.type("our-duel")
        await page.keyboard.press("Enter")
        check = page.get_by_role("button", name="Check it with random games")
        await check.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Nothing is wrong with this page.")).to_be_visible(timeout=60_000)
        await page.get_by_label("The text of the page").focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type("# ours\n")
        # The draft is on its way when the button is pressed.
        await page.get_by_role("button", name="Save").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("The page is saved")).to_be_visible()
        assert saved_text(own_host, "our-duel").endswith("# ours\n")
        await page.get_by_role("button", name="Take back the last save").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("The last save is taken back")).to_be_visible()
        assert saved_text(own_host, "our-duel") == ""
        assert seen.complaints == []


async def test_the_second_browser_is_told_while_it_types(browser: Browser, own_host: Host) -> None:
    first = begin(own_host, "our-duel")
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}/host/games/our-duel")
        first.press("look", first.text + "# theirs\n")
        field = page.get_by_label("The text of the page")
        mine = first.text + "# mine\n"
        await field.fill(mine)
        await expect(page.get_by_role("alert")).to_contain_text("Somebody else has changed this page")
        assert first.load().endswith("# theirs\n")
        await page.get_by_role("button", name="Take mine").click()
        await expect(page.get_by_role("alert")).to_have_count(0)
        assert await field.input_value() == mine
        assert first.load() == mine


async def test_without_scripts_a_page_is_copied_checked_stopped_and_saved(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, java_script_enabled=False) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}/host/games?q=wizard")
        await page.get_by_role("link", name="Tricks as bid").click()
        await page.get_by_label("Copy it under a word of its own").fill("our-tricks")
        await page.get_by_role("button", name="Copy").click()
        field = page.get_by_label("The text of the page")
        text = await field.input_value()
        await field.fill(text.replace("players", "playerz", 1))
        await page.get_by_role("button", name="Keep the draft, and see what is wrong").click()
        await expect(page.get_by_text("did you mean players")).to_be_visible()
        await field.fill(text)
        await page.get_by_role("button", name="Check it with random games").click()
        await page.get_by_role("button", name="Stop").click()
        await expect(page.get_by_text("The random games were stopped.")).to_be_visible()
        await page.get_by_role("button", name="Check it with random games").click()
        await expect(page.get_by_text("Nothing is wrong with this page.")).to_be_visible(timeout=60_000)
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("The page is saved")).to_be_visible()
        assert saved_text(own_host, "our-tricks") == (registry.ready_text("tricks") or "").replace(
            'name = "tricks"', 'name = "our-tricks"'
        )
