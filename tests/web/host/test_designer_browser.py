"""The page of a label's design in a real browser: by mouse, by keyboard, without scripts, and for screen readers."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from companion.printing import designs
from tests.web.host.test_browser import LOOKS, host_browser
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
        await page.get_by_role("button", name="Save", exact=True).click()
        await expect(page.locator("#state", has_text="The design is saved.")).to_be_visible()
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
        await page.get_by_role("button", name="Copy", exact=True).press("Enter")
        await expect(page.locator(".parts li")).to_have_count(3)
        await page.get_by_role("button", name="Right edges").press("Enter")
        await expect(left).to_have_value("60.1")
        await page.get_by_role("button", name="Save", exact=True).press("Enter")
        await expect(page.locator("#state", has_text="The design is saved.")).to_be_visible()
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


TWO_COLUMNS = "name\tclub\nAna\tNorth\nBen\tSouth"


async def lay_table(page: Page, cells: str = TWO_COLUMNS) -> None:
    await page.get_by_label("Cells from a spreadsheet").fill(cells)
    await page.get_by_role("button", name="Show the labels of this table").click()
    await expect(page.get_by_text("Row 1 of")).to_be_visible()


async def middle_of(page: Page, selector: str) -> tuple[float, float]:
    box = await page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_columns_are_dragged_onto_texts_and_the_label(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        await lay_table(page)
        await page.mouse.move(*await middle_of(page, "#column-2"))
        await page.mouse.down()
        await page.mouse.move(*await middle_of(page, '.part[data-part="1"]'), steps=3)
        await page.mouse.up()
        await expect(page.get_by_label("Text; {…} are filled")).to_have_value("{name} {club}")
        await page.mouse.move(*await middle_of(page, "#column-2"))
        await page.mouse.down()
        x, y = await middle_of(page, '.part[data-part="2"]')
        await page.mouse.move(x, y, steps=3)
        await page.mouse.up()
        await expect(page.locator(".parts li")).to_have_count(3)
        await expect(page.get_by_label("Text; {…} are filled")).to_have_value("{club}")
        assert seen.complaints == []


async def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Put a finger down, move it and lift it."""
    finger = await page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
        touches = [{"x": x, "y": y} for x, y in points]
        await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


async def test_fingers_drag_columns_and_parts_without_waiting(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 390, "height": 844}, has_touch=True) as seen:
        page = await open_design(seen)
        await lay_table(page)
        await page.locator("#column-2").scroll_into_view_if_needed()
        await swipe(page, await middle_of(page, "#column-2"), await middle_of(page, '.part[data-part="1"]'))
        await expect(page.get_by_label("Text; {…} are filled")).to_have_value("{name} {club}")
        x, y = await middle_of(page, '.part[data-part="1"]')
        await swipe(page, (x, y), (x + 30, y + 10))
        await expect(page.get_by_label("From the left")).not_to_have_value("10")
        grip = await page.locator('.grip[data-edges="1 0"]').bounding_box()
        assert grip is not None
        assert min(grip["width"], grip["height"]) >= 24
        assert seen.complaints == []


async def test_a_part_is_added_resized_and_turned_by_fingers(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 390, "height": 844}, has_touch=True) as seen:
        page = await open_design(seen)
        await page.locator("#add-text").tap()
        added, width = page.locator('.part.selected[data-part="3"]'), page.get_by_label("Width")
        await expect(added).to_be_visible()
        await added.scroll_into_view_if_needed()
        before = await width.input_value()
        x, y = await middle_of(page, '.grip[data-edges="1 0"]')
        await swipe(page, (x, y), (x - 30, y))
        await expect(width).not_to_have_value(before)
        x, y = await middle_of(page, ".part.selected")
        await swipe(page, await middle_of(page, ".grip.turn"), (x + 150, y))
        # Its handle is above it or, at the upper edge, below.
        await expect(page.get_by_label("Turned clockwise")).to_have_value(re.compile("^(90|270)$"))
        assert seen.complaints == []


async def test_ticked_parts_move_together_and_keys_say_why_nothing_moves(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        top, left = page.get_by_label("From the top"), page.get_by_label("From the left")
        await page.locator('.part[data-part="2"]').click(modifiers=["Shift"])
        await expect(page.locator(".part.ticked")).to_have_count(2)
        await drag(page, ".part.selected", 0, 3.3, "Alt")
        await expect(top).to_have_value("13.3")
        await page.locator("#die").focus()
        await page.keyboard.press("Shift+ArrowDown")
        await expect(top).to_have_value("14.3")
        await page.get_by_role("link", name="Area of colour").click()
        await expect(top).to_have_value("34.3")
        await left.fill("0")
        await page.keyboard.press("Tab")
        await expect(page.locator(".part.selected")).to_have_attribute("x", re.compile(r"^0\.0"))
        await page.locator("#die").focus()
        await page.keyboard.press("ArrowLeft")
        await expect(page.get_by_text("It is at the edge of the label and goes no further.")).to_be_visible()
        await page.keyboard.press("Control+d")
        await expect(page.locator(".parts li")).to_have_count(3)
        await page.locator("#die").focus()
        await page.keyboard.press("Delete")
        await expect(page.locator(".parts li")).to_have_count(2)
        await page.reload()
        for _ in range(2):
            await page.get_by_role("button", name="Undo").click()
        await expect(page.locator(".parts li")).to_have_count(2)
        assert seen.complaints == []


async def test_selected_words_become_bold(browser: Browser, own_host: Host, guest_file: Path) -> None:
    async with host_browser(browser, own_host) as seen:
        page = await open_design(seen)
        text = page.get_by_label("Text; {…} are filled")
        await page.locator("#mark-bold").click()
        await expect(page.get_by_text("Select some words in the text first.")).to_be_visible()
        await text.select_text()
        await page.locator("#mark-bold").click()
        await expect(text).to_have_value("**{name}**")
        await expect(page.locator("#state", has_text="There are changes that are not saved.")).to_be_visible()
        await page.get_by_role("button", name="Save", exact=True).click()
        await expect(page.locator("#state", has_text="The design is saved.")).to_be_visible()
        assert 'text = "**{name}**"' in guest_file.read_text(encoding="utf-8")
        assert "markup = true" in guest_file.read_text(encoding="utf-8")
        assert seen.complaints == []


async def test_the_label_is_seen_at_its_real_size(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host) as seen:
        page = await open_design(seen)
        for choice, width in (("1", 101.6), ("4", 406.4)):
            await page.get_by_label("Size on the screen").select_option(choice)
            box = await page.locator(".die image").bounding_box()
            assert box is not None
            # Two points of paper are seen on each side, and a CSS pixel is 1/96 of an inch.
            assert box["width"] * 25.4 / 96 == pytest.approx(width + 8 * 25.4 / 72 * int(choice), abs=1)
        await expect(page.locator(".die image")).to_have_attribute("href", re.compile("fine=1"))
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
        await page.get_by_role("button", name="Frame", exact=True).click()
        await page.get_by_role("button", name="Undo").click()
        await page.get_by_role("button", name="Save", exact=True).click()
        saved = guest_file.read_text(encoding="utf-8")
        assert saved.index("fill") < saved.index("[11, 10, 40, 10] # in the middle")
        assert "frame" not in saved


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
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


async def test_a_finger_moves_a_part_and_two_fingers_do_not(browser: Browser, own_host: Host) -> None:
    sizes = {"width": 390, "height": 844}
    async with host_browser(browser, own_host, viewport=sizes, has_touch=True, is_mobile=True) as seen:
        page = await open_design(seen)
        touches = await page.context.new_cdp_session(page)
        await page.locator(".part.selected").scroll_into_view_if_needed()
        box = await page.locator(".part.selected").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        async def touch(kind: str, *points: tuple[float, float]) -> None:
            """Let fingers touch, move or leave."""
            fingers = [{"x": at_x, "y": at_y, "id": number} for number, (at_x, at_y) in enumerate(points)]
            await touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

        top = page.get_by_label("From the top")
        await expect(top).to_have_value("10")
        await touch("touchStart", (x, y))
        for step in (10, 20, 30):
            await touch("touchMove", (x, y + step))
        await touch("touchEnd")
        await expect(top).not_to_have_value("10")
        moved = await top.input_value()
        await touch("touchStart", (x, y + 30))
        await touch("touchMove", (x, y + 50))
        await touch("touchStart", (x, y + 50), (x + 60, y))
        await touch("touchMove", (x - 20, y + 70), (x + 90, y))
        await touch("touchEnd")
        await page.reload()
        await expect(top).to_have_value(moved)
        assert seen.complaints == []


async def test_a_part_is_turned_by_its_handle(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        angle, width = page.get_by_label("Turned clockwise"), page.get_by_label("Width")
        # From above the middle to the right of it.
        await turn_part(page, 1, 0)
        await expect(page.locator(".part.selected")).to_have_attribute("data-rotation", "90")
        await expect(angle).to_have_value("90")
        await expect(width).to_have_value("10")
        await page.get_by_role("button", name="Undo").click()
        await expect(width).to_have_value("40")
        await turn_part(page, 0.3, -1, "Shift")
        await expect(page.locator(".part.selected")).to_have_attribute("data-rotation", "15")
        await expect(page.locator("#state", has_text="There are changes that are not saved.")).to_be_visible()
        await turn_part(page, 0, -1, "Shift")
        await expect(page.locator(".part.selected")).to_have_attribute("data-rotation", "0")
        assert seen.complaints == []


async def test_a_click_on_a_handle_selects_the_part_under_it(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        # The upper edge of the second part comes to lie just below the first, under its lower handle.
        await drag(page, '.part[data-part="2"]', 0, -9.5)
        await expect(page.get_by_label("From the top")).to_have_value(re.compile(r"20"))
        await page.mouse.click(*await middle_of(page, '.part[data-part="1"]'))
        await expect(page.locator('.part.selected[data-part="1"]')).to_be_visible()
        await page.mouse.click(*await middle_of(page, '.part[data-part="2"]'))
        await expect(page.locator('.part.selected[data-part="2"]')).to_be_visible()
        assert seen.complaints == []


async def test_a_part_within_a_ring_is_selected_by_a_click(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        await page.locator("#add-frame").click()
        await expect(page.locator('.part.selected[data-part="3"]')).to_be_visible()
        await page.mouse.click(*await middle_of(page, '.part[data-part="1"]'))
        await expect(page.locator('.part.selected[data-part="1"]')).to_be_visible()
        assert seen.complaints == []


async def turn_part(page: Page, right: float, down: float, key: str = "") -> None:
    """Drag the handle that turns the selected part into a direction from its middle."""
    x, y = await middle_of(page, ".part.selected")
    await page.mouse.move(*await middle_of(page, ".grip.turn"))
    await page.mouse.down()
    if key:
        await page.keyboard.down(key)
    await page.mouse.move(x + right * 200, y + down * 200, steps=3)
    await page.mouse.up()
    if key:
        await page.keyboard.up(key)


async def test_a_dragged_column_says_where_it_goes(browser: Browser, own_host: Host) -> None:
    async with host_browser(browser, own_host, viewport={"width": 1440, "height": 1000}) as seen:
        page = await open_design(seen)
        await lay_table(page)
        await page.mouse.move(*await middle_of(page, "#column-2"))
        await page.mouse.down()
        await page.mouse.move(*await middle_of(page, '.part[data-part="1"]'), steps=3)
        await expect(page.locator(".ghost", has_text="Joins this text")).to_be_visible()
        await expect(page.locator('.target[data-part="1"]')).to_have_count(1)
        await page.mouse.move(*await middle_of(page, '.part[data-part="2"]'), steps=3)
        await expect(page.locator(".ghost", has_text="New text")).to_be_visible()
        await page.keyboard.press("Escape")
        await page.mouse.up()
        assert seen.complaints == []
