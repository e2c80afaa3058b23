"""The pages for phones as pictures, at the size of a phone and of a desk, from an evening that is really served.

Those of the German documents have `-de` behind their names. Separate from `pictures.py`, as a browser draws these,
and not the program itself.
Run where a page has changed: python -m tests.docs.pages (or with a folder to draw them into)
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

import pymupdf_fonts
from PIL import Image
from playwright.async_api import Browser, Page, async_playwright, expect

from companion.archive import Archive
from companion.archive.web_access import Permissions
from companion.session.core import archive_journal
from companion.tabletop.table.common_actions import Expect, Refuse
from templates.languages.catalogues import load_language
from templates.languages.messages import ENGLISH, Language, phrase
from tests.docs.documents import DOCS
from tests.printing import evenings
from tests.tui.test_pictures import DUNGEON, MIDDLE
from tests.web.conftest import chromium
from tests.web.serving import PIN, Host, serving

PHONE, DESK, TELEVISION = (360, 800), (1280, 800), (1920, 1080)
LARGEST: Final = 60_000
"""Bytes of a picture: a page of the documents is read on phones, too."""
DECKS: Final = {"Grave Choir": "HEEFQMDC975SK", "The Lantern Debt": "KRHX0FK19FRX3", "Salt and Iron": "5BH469PENGZDK"}
_FOUNDED, _LIVED, _NOW = (datetime(2026, *day, 20, 14, tzinfo=UTC) for day in ((1, 9), (2, 20), (3, 13)))
_COLOURS: Final = 28
_FEWER_COLOURS: Final = 24
"""For German, whose longer words would make a picture too large."""
_FONTS: Final = ("notos", "notosbo", "symbol1", "symbol2", "math")
_FONTS_ARE: Final = """<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir>
<alias><family>sans-serif</family><prefer><family>Noto Sans</family></prefer></alias>
<alias><family>system-ui</family><prefer><family>Noto Sans</family></prefer></alias></fontconfig>"""
GAP: Final = 24


class Evening(NamedTuple):
    """What is served: a fight in its middle, and one before its cards are revealed."""

    host: Host
    fight: str
    reveal: str


@contextmanager
def evening(place: str) -> Iterator[Evening]:
    """Three bands, one with a life behind it, and two tables at which Ana, Ben and Cy sit."""
    moments = [_FOUNDED]
    with Archive.open(place, by="host", clock=lambda: moments[0]) as archive:
        for name, deck in DECKS.items():
            evenings.create_deck(archive, name, deck)
        moments[0] = _LIVED
        evenings.live(archive, DECKS["Grave Choir"])
        # The table changed last is the first of the list.
        moments[0] = _NOW - timedelta(minutes=5)
        reveal = _played(archive, "Saturday", "reveal ana JD")
        moments[0] = _NOW
        fight = _played(archive, "Friday", MIDDLE)
        with serving(archive) as host:
            yield Evening(host, fight, reveal)


def _played(archive: Archive, title: str, before: str) -> str:
    """The recorded dungeon up to some line; its session."""
    session = archive_journal.start(archive, "decknforge", title=title)
    _, *rows = [row for row in DUNGEON.read_text(encoding="utf-8").splitlines() if row.partition("#")[0].strip()]
    for row in rows[: next(number for number, row in enumerate(rows) if before in row)]:
        action = session.notation.parse(row)
        if not isinstance(action, Expect | Refuse):
            session.do(action)
    return session.id


class Browsing:
    """Somebody with a browser: `show` keeps what their screen shows."""

    def __init__(self, page: Page, at: Evening, language: Language = ENGLISH) -> None:
        self.page = page
        self.at = at
        self.language = language
        self.screenshots: list[Image.Image] = []

    async def go(self, path: str) -> None:
        """Open a page."""
        await self.page.goto(f"http://127.0.0.1:{self.at.host.port}{path}")

    async def open_pin(self) -> None:
        """Open the page that asks for the PIN, in this reader's language."""
        await self.go(f"/pin?language={self.language.code}")

    async def come_in(self, permissions: Permissions) -> None:
        """Say the PIN, as Ben, whose phone may do so much."""
        self.at.host.server.phones.allow_all(permissions)
        name = "Your name, so that the host knows whose phone this is"
        await self.page.get_by_label(self.language.translate("The six digits on the host’s screen")).fill(PIN)
        await self.page.get_by_label(self.language.translate(name)).fill("Ben")
        await self.page.get_by_role("button", name=self.language.translate("Come in"), exact=True).click()
        await expect(
            self.page.get_by_role("heading", name=self.language.translate("Which table are you at?"))
        ).to_be_visible()

    async def sit(self, table: str) -> None:
        """Ben's seat at a table, which whoever had it gives back."""
        phones = self.at.host.server.phones
        if (holder := phones.holder(table, "ben")) is not None:
            phones.sit(holder.phone, table, "")
        await self.go(f"/t/{table}")
        await self.page.get_by_role(
            "button", name=phrase("This is my seat: {player}", player="Ben").render(self.language)
        ).click()
        await expect(self.page.locator("#mine .side")).to_be_visible()

    async def show(self) -> None:
        """Keep what is on the screen."""
        self.screenshots.append(Image.open(BytesIO(await self.page.screenshot())).convert("RGB"))

    async def show_below(self, what: str) -> None:
        """Keep what is on the screen once it was moved to some part of the page."""
        await self.page.locator(what).first.evaluate("(one) => one.scrollIntoView()")
        await self.show()


async def _coming_in(somebody: Browsing) -> None:
    await somebody.open_pin()
    await somebody.show()
    await somebody.come_in("look")
    await somebody.show()
    await somebody.go(f"/t/{somebody.at.fight}")
    await somebody.show()
    await somebody.show_below("#middle")


async def _own_seat(somebody: Browsing) -> None:
    await somebody.open_pin()
    await somebody.come_in("own")
    await somebody.sit(somebody.at.fight)
    await somebody.show()
    await somebody.show_below("#mine")
    await somebody.sit(somebody.at.reveal)
    await somebody.show()
    await somebody.page.locator("#asked").evaluate("() => scrollTo(0, 0)")
    await somebody.page.context.set_offline(offline=True)
    await somebody.page.clock.fast_forward(60_000)
    await expect(somebody.page.locator("#reach")).to_be_visible()
    await somebody.show()


async def _decks(somebody: Browsing) -> None:
    await somebody.open_pin()
    await somebody.come_in("all")
    for path in ("/scan", "/decks", f"/d/{DECKS['Grave Choir']}"):
        await somebody.go(path)
        await somebody.show()
    await somebody.show_below("#story")


async def _television(somebody: Browsing) -> None:
    await somebody.open_pin()
    await somebody.come_in("look")
    await somebody.go(f"/t/{somebody.at.fight}/screen")
    await expect(somebody.page.locator("#board .seat").last).to_be_visible()
    await somebody.show()


class Sheet(NamedTuple):
    """One picture: what is done before and between what it shows, on which screen, dark or light; `across` screens
    stand side by side in it, each so many times as large as on the screen. `language` is that of the reader.
    """

    does: Callable[[Browsing], Awaitable[None]]
    size: tuple[int, int]
    dark: bool
    across: int
    scale: float = 1
    language: str = ENGLISH.code
    colours: int = _COLOURS


_ENGLISH_SHEETS: Final = {
    "phone-coming-in.png": Sheet(_coming_in, PHONE, dark=False, across=4),
    "phone-own-seat.png": Sheet(_own_seat, PHONE, dark=True, across=4),
    "phone-decks.png": Sheet(_decks, PHONE, dark=False, across=4),
    "desk-coming-in.png": Sheet(_coming_in, DESK, dark=True, across=2, scale=0.5),
    "desk-own-seat.png": Sheet(_own_seat, DESK, dark=False, across=2, scale=0.5),
    "desk-decks.png": Sheet(_decks, DESK, dark=True, across=2, scale=0.5),
    "television.png": Sheet(_television, TELEVISION, dark=True, across=1, scale=0.5),
}


def _in_german(sheet: Sheet) -> Sheet:
    return sheet._replace(language="de", colours=_FEWER_COLOURS)


SHEETS: Final = {
    **_ENGLISH_SHEETS,
    **{name.replace(".", "-de."): _in_german(sheet) for name, sheet in _ENGLISH_SHEETS.items()},
}


async def draw_sheet(name: str, browser: Browser, at: Evening, folder: Path) -> None:
    """One picture, into a folder."""
    sheet = SHEETS[name]
    width, height = sheet.size
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if sheet.dark else "light",
        reduced_motion="reduce",
        timezone_id="Europe/Berlin",
        device_scale_factor=sheet.scale,
    )
    page = await context.new_page()
    await page.clock.install(time=_NOW)
    somebody = Browsing(page, at, load_language(sheet.language))
    await sheet.does(somebody)
    await context.close()
    _side_by_side(somebody.screenshots, sheet).save(folder / name, optimize=True)


def _side_by_side(screenshots: Sequence[Image.Image], sheet: Sheet) -> Image.Image:
    """Screens in rows, on the grey of neither scheme, in few colours."""
    across = sheet.across
    width, height = screenshots[0].size
    rows = -(-len(screenshots) // across)
    whole = Image.new("RGB", (across * (width + GAP) - GAP, rows * (height + GAP) - GAP), "#8a8a94")
    for number, screen in enumerate(screenshots):
        row, column = divmod(number, across)
        whole.paste(screen, (column * (width + GAP), row * (height + GAP)))
    # Of few colours those that are rare are kept, too: they say how well somebody stands.
    return whole.quantize(sheet.colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


@asynccontextmanager
async def browsing(fonts: Path) -> AsyncIterator[Browser]:
    """A browser that knows no fonts but those that come with the companion, laid into a folder."""
    for name in _FONTS:
        (fonts / f"{name}.ttf").write_bytes(pymupdf_fonts.myfont(name))
    configuration = fonts / "fonts.conf"
    configuration.write_text(_FONTS_ARE.format(folder=fonts), encoding="utf-8")
    async with async_playwright() as playwright:
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment: dict[str, str | float | bool] = {**os.environ, "FONTCONFIG_FILE": str(configuration)}
        browser = await playwright.chromium.launch(executable_path=chromium(), args=alone, env=environment)
        yield browser
        await browser.close()


async def draw_all(folder: Path, passing: Path, names: Iterable[str] = SHEETS) -> None:
    """Pictures, all or some, into a folder; `passing` is one for what they need."""
    with evening(str(passing / "archive.sqlite")) as at:
        async with browsing(passing) as browser:
            for name in names:
                await draw_sheet(name, browser, at, folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as passing:
        asyncio.run(draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures", Path(passing)))
