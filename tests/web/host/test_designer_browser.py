"""The page of a label's design in a real browser: by mouse, by keyboard, without scripts, and for screen readers."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from companion.printing import designs
from tests.web.host.test_browser import SIZES, host_browser
from tests.web.serving import Host
from tests.web.test_browser import Seen

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

GUEST = """# Of the club.
title = "Guest"
stock = "5163"

[[part]]
text = "{name}"
box = [10, 10, 40, 10] # in the middle

[[part]]
fill = "#1B6B42"
box = [10, 30, 40, 2]
"""
NOT_LOADED = "error: Failed to load resource: the server responded with a status of 409 (Conflict)"
"""What Chromium says of a refusal that scripts ask for."""


@pytest.fixture(autouse=True)
def guest_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The design of a user, alone in their folder."""
    monkeypatch.setattr(designs, "designs_folder", lambda: tmp_path)
    file = tmp_path / "guest.toml"
    file.write_text(GUEST, encoding="utf-8")
    return file


async def open_design(seen: Seen, name: str = "guest") -> Page:
    await seen.page.goto(f"http://127.0.0.1:{seen.host.port}/host/designs/{name}")
    return seen.page


async def drag(page: Page, selector: str, right: float, down: float, key: str = "") -> None:
    """Drag something by millimetres, by its middle."""
    box = await page.locator(selector).bounding_box()
    scale = await page.locator(".die svg").evaluate("svg => svg.getScreenCTM().a * 72 / 25.4")
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    if key:
        await page.keyboard.down(key)
    await page.mouse.move(x + right * scale / 2, y + down * scale / 2)
    await page.mouse.move(x + right * scale, y + down * scale)
    await page.mouse.up()
    if key:
        await page.keyboard.up(key)


async def test_a_part_is_moved_resized_and_saved_by_mouse(browser: Browser, own_host: Host, guest_file: Path) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        left, top, width = (page.get_by_label(name) for name in ("From the left", "From the top", "Width"))
        await drag(page, ".part.selected", 5.3, 2.2, "Alt")
        await expect(left).to_have_value("15.3")
        await expect(top).to_have_value("12.2")
        # The right edge of the other part is at 50 mm, and draws the right edge of this one to itself.
        await drag(page, '.grip[data-edges="1 0"]', -5.2, 0)
        await expect(width).to_have_value("34.7")
        await drag(page, '.part[data-part="2"]', 0.4, 4)
        await expect(page.locator(".parts .own")).to_contain_text("#1B6B42")
        await expect(left).to_have_value(re.compile(r"10(\.4)?|15\.3"))
        await page.get_by_role("button", name="Undo").click()
        await expect(top).to_have_value("30")
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("The design is saved.")).to_be_visible()
        assert guest_file.read_text(encoding="utf-8") == GUEST.replace(
            "[10, 10, 40, 10] # in", "[15.3, 12.2, 34.7, 10] # in"
        )
        assert seen.complaints == []


async def test_everything_is_done_by_keyboard(browser: Browser, own_host: Host, guest_file: Path) -> None:
    async with host_browser(browser, own_host) as seen:
        page = await open_design(seen)
        left, top = page.get_by_label("From the left"), page.get_by_label("From the top")
        await page.get_by_role("link", name="Area of colour #1B6B42").focus()
        await page.keyboard.press("Enter")
        await expect(top).to_have_value("30")
        for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowUp"):
            await page.keyboard.press(key)
        await expect(left).to_have_value("10.2")
        await expect(top).to_have_value("30.9")
        await page.keyboard.press("Control+z")
        await expect(left).to_have_value("10")
        await page.keyboard.press("Control+y")
        await expect(left).to_have_value("10.2")
        await left.fill("12")
        await page.keyboard.press("Tab")
        await expect(page.locator(".part.selected")).to_have_attribute("x", re.compile(r"34\.0"))
        await expect(page.get_by_label("From the top")).to_be_focused()
        await page.get_by_role("button", name="Copy").press("Enter")
        await expect(page.locator(".parts li")).to_have_count(3)
        await page.get_by_role("button", name="Right edges").press("Enter")
        await expect(left).to_have_value("60.1")
        await page.get_by_role("button", name="Save").press("Enter")
        await expect(page.get_by_text("The design is saved.")).to_be_visible()
        assert guest_file.read_text(encoding="utf-8") == (
            GUEST.replace("[10, 30, 40, 2]", "[12, 30.9, 40, 2]")
            + '\n[[part]]\nfill = "#1B6B42"\nbox = [60.1, 33.9, 40, 2]\n'
        )
        assert seen.complaints == []


async def test_a_refusal_is_said_and_the_part_goes_back(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = await open_design(seen)
        await page.get_by_label("Width").fill("400")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("alert")).to_contain_text("leaves the label at its right edge")
        await expect(page.locator(".part.selected")).to_have_attribute("width", re.compile(r"113\.3"))
        assert set(seen.complaints) <= {NOT_LOADED}


async def test_a_column_goes_to_the_cursor(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = await open_design(seen)
        await page.get_by_label("Cells from a spreadsheet").fill("name\tclub\nAna\tNorth\nBen\tSouth")
        await page.get_by_role("button", name="Show the labels of this table").click()
        await expect(page.get_by_text("Row 1 of 2")).to_be_visible()
        text = page.get_by_label("Text; {…} are filled from the table")
        await text.focus()
        await page.keyboard.press("Home")
        await page.get_by_role("button", name="club").click()
        await expect(text).to_have_value("{club}{name}")
        await page.get_by_role("link", name="Next row").click()
        await expect(page.get_by_text("Row 2 of 2")).to_be_visible()
        await page.get_by_role("link", name="Check all rows").click()
        await expect(page.get_by_text("All rows can be printed.")).to_be_visible()
        assert seen.complaints == []


async def test_without_scripts_a_design_is_changed_and_saved(
    browser: Browser, own_host: Host, guest_file: Path
) -> None:
    async with host_browser(browser, own_host, java_script_enabled=False) as seen:
        page = await open_design(seen)
        await page.get_by_label("From the left").fill("11")
        await page.get_by_role("button", name="Set").first.click()
        await page.get_by_role("link", name="Area of colour").click()
        await page.get_by_role("button", name="Further back").click()
        await page.get_by_role("button", name="Frame").click()
        await page.get_by_role("button", name="Undo").click()
        await page.get_by_role("button", name="Save").click()
        saved = guest_file.read_text(encoding="utf-8")
        assert saved.index("fill") < saved.index("[11, 10, 40, 10] # in the middle")
        assert "frame" not in saved


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_pages_of_designs_are_readable_by_everybody(
    browser: Browser, own_host: Host, size: tuple[int, int], scheme: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    async with host_browser(browser, own_host, viewport=viewport, color_scheme=scheme) as seen:
        faults = {}
        for path in ("", "/guest", "/badge?part=6", "/jam?part=2"):
            await seen.page.goto(f"http://127.0.0.1:{own_host.port}/host/designs{path}")
            faults[path] = await seen.faults()
        await seen.page.get_by_label("Cells from a spreadsheet").fill("name\nAna\nBen")
        await seen.page.get_by_role("button", name="Show the labels of this table").click()
        await seen.page.get_by_role("link", name="Check all rows").click()
        await expect(seen.page.locator(".faults")).to_be_visible()
        faults["a table"] = await seen.faults()
        assert {path: wrong for path, wrong in faults.items() if wrong} == {}
        assert seen.complaints == []
