"""The pages for decks that are here, for imports and for leagues in a real browser, on every size and by keyboard."""

import pytest
from playwright.async_api import Browser, expect

from companion.archive import deck_records
from tests.web.host.filling import PageForm
from tests.web.host.test_browser import LOOKS, host_browser
from tests.web.host.test_deck_care import AUDIT, REBUILD, build_listed_deck, found_finished_band
from tests.web.host.test_league_rounds import played_round
from tests.web.host.test_new_league import LEAGUES, fill_in
from tests.web.host.test_photographs import PATH as SPREAD
from tests.web.host.test_photographs import picture_of, send_spreads
from tests.web.host.test_play_import import IMPORT, SCORES, send_scores
from tests.web.serving import Host

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
async def test_forms_with_answers_are_readable_by_everybody(
    browser: Browser, own_host: Host, size: tuple[int, int], scheme: str
) -> None:
    own = own_host.browser()
    band, deck = found_finished_band(own_host), build_listed_deck(own)
    PageForm(own, f"{AUDIT}?deck={band}", {"holder": "Ben", "besides 0 spot": "nowhere"}).press("look")
    PageForm(own, f"{REBUILD}?deck={deck}", {"swap 0": "+2 Ember"}).press("look")
    fill_in(own, "Ana", "Ben")
    send_scores(own, "scores.csv", SCORES.encode())
    send_spreads(own, band, picture_of(own_host, band, slice(1, None)))
    league = played_round(own_host)
    viewport = {"width": size[0], "height": size[1]}
    async with host_browser(browser, own_host, viewport=viewport, color_scheme=scheme) as seen:
        faults = {}
        for path in (
            f"{AUDIT}?deck={band}",
            f"{REBUILD}?deck={deck}",
            f"{SPREAD}?deck={band}",
            IMPORT,
            LEAGUES,
            f"/d/{band}",
            league,
        ):
            await seen.page.goto(f"http://127.0.0.1:{own_host.port}{path}")
            await seen.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            faults[path] = await seen.faults()
        assert {path: each for path, each in faults.items() if each} == {}
        assert seen.complaints == []


async def test_a_deck_is_rebuilt_by_keyboard_and_its_changes_follow(browser: Browser, own_host: Host) -> None:
    deck = build_listed_deck(own_host.browser())
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}/d/{deck}")
        await page.get_by_role("link", name="Rebuild it").press("Enter")
        await page.get_by_role("combobox", name="Swaps 1").focus()
        await page.keyboard.type("+2 Ember")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("table", name="From version 1")).to_contain_text("Ember")
        await page.keyboard.press("Control+s")
        await expect(page).to_have_url(f"http://127.0.0.1:{own_host.port}/d/{deck}")
        assert len(deck_records.deck_lists(own_host.archive, deck)) == 2
        assert seen.complaints == []


async def test_a_result_is_entered_by_keyboard(browser: Browser, own_host: Host) -> None:
    path = played_round(own_host)
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}{path}")
        await page.locator("#table-2").get_by_role("textbox").first.focus()
        for key in ("2", "Tab", "1", "Enter"):
            await page.keyboard.press(key)
        await expect(page.get_by_role("status")).to_contain_text("All results of round 1 are in.")
        await expect(page.locator("#table-2 .result")).to_contain_text("2–1")
        assert seen.complaints == []
