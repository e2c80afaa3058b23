"""The moving picture of the README: a round as it is really played, in the terminal and on a phone beside it; then the
sheet of labels, and the box that is scanned.

Run where a screen has changed: python -m tests.docs.moving (or with a file to draw it into)
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright, expect

from companion.tui.app import CompanionApp
from tests.docs.documents import DOCS
from tests.docs.pages import DECKS, Evening, browsing, evening
from tests.tui.hand import Hand
from tests.web.conftest import chromium

PICTURE: Final = DOCS / "pictures" / "round.webp"
_SIZE: Final = (1010, 480)
_TERMINAL: Final = (100, 32)
_PHONE: Final = (360, 640)
_GROUND: Final = "#131317"
_GAP: Final = 10
_QUALITY: Final = 60
_MONOSPACED: Final = "@font-face{font-family:'Fira Code';src:local('DejaVu Sans Mono')}"
# What is typed at the table, and for how many milliseconds one looks at what came of it.
ROUND: Final = (
    ("jd", 1800),
    ("qc", 1800),
    ("next", 1400),
    ("target ana ben:AC", 1600),
    ("damage", 2600),
    ("dodge ana 6c", 1600),
    ("take ben", 1400),
    ("dodge cy 4s", 2200),
    ("refill minion ana:BJ", 2600),
)


async def frames(browser: Browser, drawing: Page, at: Evening, place: str) -> AsyncIterator[tuple[Image.Image, int]]:
    """The pictures of the round, each with its milliseconds. Ben reveals his card on his phone."""
    context = await browser.new_context(
        viewport={"width": _PHONE[0], "height": _PHONE[1]}, color_scheme="dark", reduced_motion="reduce"
    )
    phone = await context.new_page()
    at.host.server.phones.allow_all("own")
    await phone.goto(f"http://127.0.0.1:{at.host.port}/j/{at.host.server.phones.invitation}")
    await phone.get_by_label("name").fill("Ben")
    await phone.get_by_role("button", name="Come in").last.click()
    await phone.goto(f"http://127.0.0.1:{at.host.port}/t/{at.reveal}")
    if not await phone.locator("#mine .side").count():
        await phone.get_by_role("button", name="This is my seat: Ben").click()
    await expect(phone.locator("#mine .side")).to_be_visible()
    app = CompanionApp(place, at.reveal)
    async with app.run_test(size=_TERMINAL) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()

        async def look() -> Image.Image:
            await hand.settle()
            await phone.wait_for_timeout(700)
            return _side_by_side(await _terminal(drawing, app), await _shot(phone))

        def written() -> int:
            return len(hand.table.sitting.session.log.lines)

        yield await look(), 2400
        for line, milliseconds in ROUND:
            length = written()
            hand.type(line)
            yield await look(), 900
            await hand.press("enter")
            await hand.until(partial(_is_beyond, written, length))
            if line == "jd":
                yield await look(), milliseconds
                await phone.get_by_role("button", name="ten of clubs").click()
                await hand.until(partial(_is_beyond, written, length + 1))
            yield await look(), milliseconds
        await hand.press("escape")
    sheet = Image.open(DOCS / "print-starter.png").convert("RGB")
    yield _on_ground(sheet), 2600
    app = CompanionApp(place)
    async with app.run_test(size=_TERMINAL) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await hand.settle()
        await hand.press("f6")
        await hand.settle()
        hand.type(f"DECK:{DECKS['Grave Choir']}")
        await hand.press("enter")
        await hand.settle()
        await phone.goto(f"http://127.0.0.1:{at.host.port}/d/{DECKS['Grave Choir']}")
        await phone.wait_for_timeout(500)
        yield _side_by_side(await _terminal(drawing, app), await _shot(phone)), 3600


def _is_beyond(written: Callable[[], int], length: int) -> bool:
    return written() > length


async def _terminal(page: Page, app: CompanionApp) -> Image.Image:
    """The screen of the program as a browser draws it."""
    await page.set_content(
        f"<style>body{{margin:0}}{_MONOSPACED}svg{{width:1250px}}</style>{app.export_screenshot(title='companion')}"
    )
    return Image.open(BytesIO(await page.locator("svg").first.screenshot())).convert("RGB")


async def _shot(page: Page) -> Image.Image:
    return Image.open(BytesIO(await page.screenshot())).convert("RGB")


def _side_by_side(terminal: Image.Image, phone: Image.Image) -> Image.Image:
    whole = Image.new("RGB", _SIZE, _GROUND)
    high = _SIZE[1] - 2 * _GAP
    wide = round(phone.width * high / phone.height)
    whole.paste(phone.resize((wide, high), Image.Resampling.LANCZOS), (_SIZE[0] - _GAP - wide, _GAP))
    room = (_SIZE[0] - wide - 3 * _GAP, high)
    terminal.thumbnail(room, Image.Resampling.LANCZOS)
    whole.paste(terminal, (_GAP, _GAP + (high - terminal.height) // 2))
    return whole


def _on_ground(picture: Image.Image) -> Image.Image:
    whole = Image.new("RGB", _SIZE, _GROUND)
    picture.thumbnail((_SIZE[0] - 2 * _GAP, _SIZE[1] - 2 * _GAP), Image.Resampling.LANCZOS)
    whole.paste(picture, ((_SIZE[0] - picture.width) // 2, (_SIZE[1] - picture.height) // 2))
    return whole


async def draw_round(path: Path, passing: Path) -> None:
    """The moving picture, into a file; `passing` is a folder for what it needs."""
    place = str(passing / "archive.sqlite")
    pictures: list[Image.Image] = []
    times: list[int] = []
    with evening(place) as at:
        async with browsing(passing) as browser, async_playwright() as playwright:
            # What the terminal is drawn with, the system has: the pages' browser knows no letters of one width.
            alone = ["--no-sandbox"] if os.geteuid() == 0 else []
            other = await playwright.chromium.launch(executable_path=chromium(), args=alone)
            drawing = await other.new_page(viewport={"width": 1300, "height": 900})
            async for picture, milliseconds in frames(browser, drawing, at, place):
                pictures.append(picture)
                times.append(milliseconds)
            await other.close()
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=times, loop=0, quality=_QUALITY, method=6
    )


if __name__ == "__main__":
    os.environ["COLORTERM"] = "truecolor"
    with tempfile.TemporaryDirectory() as folder:
        goal = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
        asyncio.run(draw_round(goal, Path(folder)))
