"""A host at a browser: by mouse, by touch, by keyboard alone and without scripts, in one vocabulary."""

from __future__ import annotations

import asyncio
import io
import os
import re
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar

from PIL import Image
from playwright.async_api import Browser, Locator, Page, expect
from playwright.async_api import Error as PlaywrightError

from tests.web.serving import PATIENCE
from tests.web.test_browser import find_faults

PICTURES: Final = os.environ.get("EVENING_PICTURES", "")
"""A folder for a picture of each page that is looked at; none are taken by default."""
MOST_TABS: Final = 400
_GLANCE_SECONDS: Final = 0.1
_READING_SECONDS: Final = 0.7
_PAGE_SECONDS: Final = 3 * PATIENCE

KEY_OF: Final = "one => one.dataset.key ?? (one.matches('form.filling button[value=keep]') ? 'Control+s' : '')"
"""The key of the menu, or the one that stores a form."""

Role = Literal["button", "link", "textbox", "combobox", "checkbox", "group"]

VALUES: Final = "one => [...one.options].map((each) => each.value)"
FOCUS: Final = """(target) => {
  const one = document.activeElement;
  if (one === target) {
    target.dataset.reached = "";
  }
  if (!one || one === document.body) {
    return { where: "start", seen: true, what: "" };
  }
  const where = one === target ? "here" : target.compareDocumentPosition(one) & 4 ? "behind" : "before";
  const looks = [one, one.nextElementSibling, one.parentElement].filter(Boolean).map((each) => getComputedStyle(each));
  const outlined = looks.some((look) => look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 1);
  const box = one.getBoundingClientRect();
  const around = one.closest("label") ?? one;
  const shares = [0.1, 0.5, 0.9];
  const points = shares.flatMap((across) => shares.map((down) => [across, down]));
  const uncovered = points.some(([across, down]) => {
    const top = document.elementFromPoint(box.x + box.width * across, box.y + box.height * down);
    return top && (around.contains(top) || top.contains(one));
  });
  return { where, seen: outlined && uncovered, what: `${outlined} ${uncovered} ${one.outerHTML.slice(0, 200)}` };
}"""
"""Where the focus is as seen from a target, and whether somebody sees it: outlined, and under nothing else."""


Element = TypeVar("Element")
"""How a driver names a thing on its page."""


class Driver(ABC, Generic[Element]):
    """A host at a browser, who finds things by their roles and names, as screen readers do, and whose acts are counted.

    Each key, click and tap counts one; a choice of a list counts two.
    """

    has_scripts = True

    def __init__(self) -> None:
        self.count = 0
        self.faults: dict[str, list[str]] = {}
        self.complaints: list[str] = []

    # What a browser has to know

    @abstractmethod
    def find(self, role: Role, name: str, group: str = "", *, exact: bool = True) -> Element:
        """Find something by its role and name, in a group if one is given."""

    @abstractmethod
    def find_by(self, selector: str, text: str = "") -> Element:
        """Find the first thing of a selector in which a text stands."""

    @abstractmethod
    async def wait_until_there(self, one: Element) -> None:
        """Wait until something is there."""

    @abstractmethod
    async def has(self, selector: str) -> bool:
        """Return True if a selector finds something."""

    @abstractmethod
    async def ask(self, one: Element, script: str) -> Any:
        """Call a function of JavaScript with something, and return what it gives."""

    @abstractmethod
    async def activate(self, one: Element) -> None:
        """Press something."""

    @abstractmethod
    async def type_into(self, one: Element, text: str) -> None:
        """Replace the content of a field."""

    @abstractmethod
    async def select(self, one: Element, value: str) -> None:
        """Choose one of a list by its value."""

    @abstractmethod
    async def values(self, name: str, group: str = "") -> list[str]:
        """The values that a list offers; none if the list is not there."""

    @abstractmethod
    async def leave_by(self, one: Element) -> None:
        """Press something, and wait until another page has come."""

    @abstractmethod
    async def open(self, url: str) -> None:
        """Go to an address."""

    @abstractmethod
    async def upload(self, selector: str, file: Path) -> None:
        """Give a file to a field."""

    @abstractmethod
    async def gone(self, role: Role, name: str) -> None:
        """Wait until there is no such button or link."""

    @abstractmethod
    async def tick_all(self) -> None:
        """Check all boxes of the page."""

    @abstractmethod
    async def text(self) -> str:
        """The text of the page; none while another one comes."""

    @abstractmethod
    async def picture(self, selector: str) -> Image.Image:
        """What a part of the page looks like."""

    @abstractmethod
    async def download(self, name: str) -> bytes:
        """What a link brings as a file."""

    @abstractmethod
    async def find_faults(self) -> list[str]:
        """What is wrong with the page for somebody."""

    @abstractmethod
    async def photograph(self, file: Path) -> None:
        """Write a picture of the page."""

    @abstractmethod
    async def close(self) -> None:
        """Close the browser's window."""

    # The vocabulary of the evening

    async def press(self, name: str, role: Role = "button", group: str = "", *, exact: bool = True) -> None:
        """Press a button or follow a link, and wait for the page that it leads to, if it leads to one."""
        one = self.find(role, name, group, exact=exact)
        await self.wait_until_there(one)
        if await self._stays(one):
            await self.activate(one)
        else:
            await self.leave_by(one)

    async def _stays(self, one: Element) -> bool:
        """Return True if the script of a table answers in place."""
        if not self.has_scripts or not await self.has("body.table"):
            return False
        stays: bool = await self.ask(one, "one => one.matches('button, [data-here]')")
        return stays

    async def visit(self, place: str) -> None:
        """Go to a place of the host's menu, which pages for phones lead back to."""
        if not await self.has("#places"):
            await self.press("Host’s pages", "link")
        await self.leave_by(self.find_by("#places a", place))

    async def unfold(self, summary: str) -> None:
        """Open what is folded away."""
        await self.activate(self.find_by("summary", summary))

    async def put(self, name: str, text: str, group: str = "") -> None:
        """Type into a field, and leave it."""
        await self.type_into(self.find("textbox", name, group), text)

    async def choose(self, name: str, value: str, group: str = "") -> None:
        """Choose a value of a list."""
        await self.select(self.find("combobox", name, group), value)

    async def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until the text of the page has a match."""
        end = time.monotonic() + PATIENCE
        while not (match := re.search(pattern, text := await self.text())):
            assert time.monotonic() < end, f"never there: {pattern}; the page: {text}"
            await self.wait_for_news()
        if await self.has("body.table"):
            # What has come just now at a table, nobody can have read before they tap.
            await asyncio.sleep(_READING_SECONDS)
        return match

    async def wait_for_news(self) -> None:
        """Give the page time to change."""
        await asyncio.sleep(_GLANCE_SECONDS)

    async def see(self, text: str) -> None:
        """Wait until a text is there."""
        await self.wait_for(re.escape(text))

    async def until_gone(self, text: str) -> None:
        """Wait until a text is no longer there."""
        await self.wait_for(rf"(?s)\A(?!.*{re.escape(text)})")

    async def settle(self) -> None:
        """Have the program look at the answers, as far as it does not by itself."""

    async def look(self, step: str) -> None:
        """Look at a page: what axe finds, what no finger hits, what is too wide; and a picture of it."""
        if wrong := await self.find_faults():
            self.faults[step] = wrong
        if PICTURES:
            folder = Path(PICTURES) / type(self).__name__
            folder.mkdir(parents=True, exist_ok=True)
            await self.photograph(folder / f"{len([*folder.iterdir()]) + 1:02} {step}.png")


class PageDriver(Driver[Locator]):
    """A host with a mouse at a browser that Playwright drives."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def find(self, role: Role, name: str, group: str = "", *, exact: bool = True) -> Locator:
        """Find something by its role and name, in a group if one is given."""
        place: Page | Locator = self.page.get_by_role("group", name=group, exact=True) if group else self.page
        if exact:
            return place.get_by_role(role, name=name, exact=True).first
        return place.get_by_role(role, name=re.compile(f"^{re.escape(name)}")).first

    def find_by(self, selector: str, text: str = "") -> Locator:
        """Find the first thing of a selector in which a text stands."""
        return self.page.locator(selector, has_text=text).first

    async def wait_until_there(self, one: Locator) -> None:
        """Wait until something is there."""
        await one.wait_for()

    async def has(self, selector: str) -> bool:
        """Return True if a selector finds something."""
        return await self.page.locator(selector).count() > 0

    async def ask(self, one: Locator, script: str) -> Any:
        """Call a function of JavaScript with something, and return what it gives."""
        return await one.evaluate(script)

    async def activate(self, one: Locator) -> None:
        """Click something."""
        self.count += 1
        await one.click()

    async def type_into(self, one: Locator, text: str) -> None:
        """Replace the content of a field."""
        await self.activate(one)
        await expect(one).to_be_focused()
        self.count += len(text)
        await self.page.keyboard.press("ControlOrMeta+a")
        await self.page.keyboard.type(text)

    async def select(self, one: Locator, value: str) -> None:
        """Choose one of a list by its value."""
        self.count += 2
        await one.select_option(value)

    async def values(self, name: str, group: str = "") -> list[str]:
        """The values that a list offers; none if the list is not there."""
        options = self.find("combobox", name, group).locator("option")
        values: list[str] = await options.evaluate_all("all => all.map((each) => each.value)")
        return values

    async def leave_by(self, one: Locator) -> None:
        """Press something, and wait until another page has come."""
        async with self.page.expect_event("load", timeout=_PAGE_SECONDS * 1000):
            await self.activate(one)

    async def open(self, url: str) -> None:
        """Go to an address."""
        await self.page.goto(url)

    async def upload(self, selector: str, file: Path) -> None:
        """Give a file to a field."""
        async with self.page.expect_file_chooser() as chooser:
            await self.activate(self.page.locator(selector))
        await (await chooser.value).set_files(file)

    async def gone(self, role: Role, name: str) -> None:
        """Wait until there is no such button or link."""
        await expect(self.find(role, name)).to_have_count(0)

    async def tick_all(self) -> None:
        """Check all boxes of the page."""
        for one in await self.page.get_by_role("checkbox").all():
            await self.activate(one)

    async def text(self) -> str:
        """The text of the page; none while another one comes."""
        try:
            return await self.page.locator("body").inner_text()
        except PlaywrightError:
            return ""

    async def picture(self, selector: str) -> Image.Image:
        """What a part of the page looks like."""
        return Image.open(io.BytesIO(await self.page.locator(selector).first.screenshot()))

    async def download(self, name: str) -> bytes:
        """What a link brings as a file."""
        async with self.page.expect_download() as download:
            await self.activate(self.find("link", name))
        return Path(await (await download.value).path()).read_bytes()

    async def find_faults(self) -> list[str]:
        """What axe finds, what no finger hits, and what is too wide."""
        return await find_faults(self.page)

    async def photograph(self, file: Path) -> None:
        """Write a picture of the whole page."""
        await self.page.screenshot(path=file, full_page=True)

    async def close(self) -> None:
        """Close the browser's window."""
        await self.page.context.close()


class TouchDriver(PageDriver):
    """A host with a finger."""

    async def activate(self, one: Locator) -> None:
        """Tap something."""
        self.count += 1
        await one.tap()


class KeyboardDriver(PageDriver):
    """A host with a keyboard alone: things are reached by Tab, and the focus is seen all the way."""

    async def reach(self, one: Locator) -> None:
        """Go to something by Tab, or back by Shift+Tab."""
        await one.wait_for()
        for _ in range(MOST_TABS):
            focus: dict[str, Any] = await one.evaluate(FOCUS)
            assert focus["seen"], f"the focus is not seen: {focus['what']}"
            if focus["where"] == "here":
                return
            await self.page.keyboard.press("Shift+Tab" if focus["where"] == "behind" else "Tab")
            self.count += 1
        raise AssertionError(f"not reached by Tab: {await one.evaluate('one => one.outerHTML')}")

    async def activate(self, one: Locator) -> None:
        """Press the key of something if it has one, else reach it, and press Enter."""
        await one.wait_for()
        if key := await one.evaluate(KEY_OF):
            self.count += 1
            await self.page.keyboard.press(key)
            return
        await self.reach(one)
        self.count += 1
        kind = await one.evaluate("one => one.type ?? ''")
        await self.page.keyboard.press("Space" if kind in ("checkbox", "radio", "file") else "Enter")

    async def type_into(self, one: Locator, text: str) -> None:
        """Reach a field, and replace its content."""
        await self.reach(one)
        self.count += len(text)
        await self.page.keyboard.press("ControlOrMeta+a")
        await self.page.keyboard.type(text)

    async def select(self, one: Locator, value: str) -> None:
        """Reach a list, and go to a value by arrows."""
        await self.reach(one)
        values: list[str] = await one.evaluate(VALUES)
        steps = values.index(value) - values.index(await one.input_value())
        for _ in range(abs(steps)):
            self.count += 1
            await self.page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
        await expect(one).to_have_value(value)


class PlainDriver(PageDriver):
    """A host with a mouse whose browser runs no scripts."""

    has_scripts = False

    async def wait_for_news(self) -> None:
        """Load the page again."""
        await super().wait_for_news()
        await self.page.reload()

    async def settle(self) -> None:
        """Have the program look at the answers by its button."""
        await self.press("See what follows")

    async def find_faults(self) -> list[str]:
        """Nothing: axe is a script."""
        return []


Size = tuple[int, int]
KINDS: Final[dict[str, tuple[type[PageDriver], Size, dict[str, Any]]]] = {
    "mouse": (PageDriver, (1024, 768), {}),
    "touch": (TouchDriver, (390, 844), {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}),
    "keyboard": (KeyboardDriver, (1440, 900), {}),
    "plain": (PlainDriver, (1024, 768), {"java_script_enabled": False}),
}


async def new_driver(browser: Browser, kind: str) -> PageDriver:
    """A host of a kind at a browser of their own."""
    driver, (width, height), settings = KINDS[kind]
    context = await browser.new_context(viewport={"width": width, "height": height}, **settings)
    context.set_default_timeout(PATIENCE * 1000)
    return driver(await context.new_page())
