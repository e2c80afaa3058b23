"""Printing in a real browser: for everybody, at every size, by keyboard and without scripts."""

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from companion.archive import stationery
from labels.output import proof
from tests.printing import evenings
from tests.web.host.filling import PageForm
from tests.web.host.test_browser import LOOKS, host_browser
from tests.web.host.test_printing import send_file
from tests.web.serving import Host

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PATHS: Final = ("/host/print?what=own", "/host/print?what=starter", "/host/settings", "/host/calibrate")


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
async def test_every_page_for_printing_is_readable_by_everybody(
    browser: Browser, own_host: Host, size: tuple[int, int], scheme: str
) -> None:
    stationery.begin_sheet(own_host.archive, "blue folder", "18294", 60, tuple(range(3, 61)))
    stationery.claim(own_host.archive, {"blue folder": (3, 4)})
    sender = own_host.browser()
    out = PageForm(sender, "/host/print?what=starter").press("keep").leads_to
    send_file(sender, "drinks.csv", b"name,count\nGrog,many\n")
    viewport = {"width": size[0], "height": size[1]}
    async with host_browser(browser, own_host, viewport=viewport, color_scheme=scheme) as seen:
        faults = {}
        for path in (*PATHS, "/host/print", out):
            await seen.page.goto(f"http://127.0.0.1:{own_host.port}{path}")
            faults[path] = await seen.faults()
        assert {path: wrong for path, wrong in faults.items() if wrong} == {}
        assert seen.complaints == []


async def test_tonights_labels_are_printed_by_keyboard_with_four_keys(browser: Browser, own_host: Host) -> None:
    evenings.play(own_host.archive)
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.get_by_role("link", name="Print", exact=True).focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("img", name="Page 1 of 1")).to_be_visible()
        await page.keyboard.press("Control+s")
        await expect(page.get_by_role("link", name="Open the PDF")).to_be_visible()
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Download it").focus()
            await page.keyboard.press("Enter")
        document = Path(await (await download.value).path()).read_bytes()
        assert proof.page_count(document) == 1
        assert seen.complaints == []


async def test_the_preview_follows_the_answers(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}/host/print?what=blank")
        await expect(page.locator("td.now")).to_have_count(60)
        before = await page.get_by_role("img").first.get_attribute("src")
        await page.get_by_label("How many").fill("5")
        await page.keyboard.press("Tab")
        await expect(page.locator("td.now")).to_have_count(5)
        await expect(page.get_by_role("img").first).not_to_have_attribute("src", str(before))
        assert seen.complaints == []


async def test_without_scripts_a_table_is_sent_and_printed(browser: Browser, own_host: Host, tmp_path: Path) -> None:
    table = tmp_path / "drinks.csv"
    table.write_text("name,text\nGrog,Costs 2\n", encoding="utf-8")
    async with host_browser(browser, own_host, java_script_enabled=False) as seen:
        page = seen.page
        await page.goto(f"http://127.0.0.1:{own_host.port}/host/print?what=own")
        await page.locator("input[type=file]").set_input_files(table)
        await page.get_by_role("button", name="Send it").click()
        await expect(page.get_by_text("1 label on 1 sheet")).to_be_visible()
        await page.get_by_role("button", name="Make the PDF").click()
        await expect(page.get_by_role("link", name="Open the PDF")).to_be_visible()
