"""A host at Firefox: by mouse, by touch and by keyboard alone, in the vocabulary of the evening."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from PIL import Image

from tests.web.firefox import Firefox, open_firefox
from tests.web.host.drivers import FOCUS, KEY_OF, MOST_TABS, VALUES, Driver, Role
from tests.web.serving import PATIENCE
from tests.web.test_browser import LOW, SMALLEST, TOUCHED

_FIND: Final = """((role, name, group, exact) => {
  const tidy = (text) => text.replace(/\\s+/g, " ").trim();
  const told = (one) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll("input, select, textarea, [aria-hidden=true]").forEach((each) => each.remove());
    return tidy(copy.textContent);
  };
  const named = (one) => {
    const others = (one.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    if (others.length) {
      return tidy(others.map((each) => told(document.getElementById(each))).join(" "));
    }
    if (one.ariaLabel) {
      return tidy(one.ariaLabel);
    }
    const labels = one.matches("fieldset") ? one.querySelectorAll(":scope > legend") : one.labels ?? [];
    return labels.length ? tidy([...labels].map(told).join(" ")) : one.matches("input") ? tidy(one.value) : told(one);
  };
  const roles = {
    button: "button, input[type=submit]",
    link: "a[href]",
    textbox: "input:not([type]):not([list]), input[type=text]:not([list]), textarea",
    combobox: "select, input[list]",
    checkbox: "input[type=checkbox]",
    group: "fieldset, [role=group]",
  };
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length;
  const fits = (one, text) => (exact ? named(one) === text : named(one).startsWith(text));
  const places = group ? [...document.querySelectorAll(roles.group)].filter((one) => named(one) === group) : [document];
  return places
    .flatMap((place) => [...place.querySelectorAll(roles[role])])
    .find((one) => seen(one) && fits(one, tidy(name)));
})"""
"""Finds by role and name what is seen."""

_KEYS: Final = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "ArrowUp": "\ue013",
    "ArrowDown": "\ue015",
    "Space": " ",
    "Escape": "\ue00c",
    **{f"F{number}": chr(0xE030 + number) for number in range(1, 13)},
}
"""Keys without a character, as WebDriver names them."""


class FirefoxDriver(Driver[str]):
    """A host with a mouse at Firefox; a thing is a script that finds it."""

    pointer = "mouse"

    def __init__(self, firefox: Firefox, downloads: Path) -> None:
        super().__init__()
        self.firefox = firefox
        self._downloads = downloads
        firefox.listen(lambda entry: self.complaints.append(f"{entry['level']}: {entry['text']}"))

    def find(self, role: Role, name: str, group: str = "", *, exact: bool = True) -> str:
        """Find something by its role and name, in a group if one is given."""
        return f"{_FIND}({json.dumps(role)}, {json.dumps(name)}, {json.dumps(group)}, {json.dumps(exact)})"

    def find_by(self, selector: str, text: str = "") -> str:
        """Find the first thing of a selector in which a text stands."""
        has = f"one => one.textContent.toLowerCase().includes({json.dumps(text.lower())})"
        return f"[...document.querySelectorAll({json.dumps(selector)})].find({has})"

    async def wait_until_there(self, one: str) -> None:
        """Wait until something is there."""
        self.firefox.until(f"Boolean({one})")

    async def has(self, selector: str) -> bool:
        """Return True if a selector finds something."""
        return bool(self.firefox.run(f"document.querySelectorAll({json.dumps(selector)}).length"))

    async def ask(self, one: str, script: str) -> Any:
        """Call a function of JavaScript with something, and return what it gives."""
        await self.wait_until_there(one)
        return self.firefox.run(f"({script})({one})")

    async def activate(self, one: str) -> None:
        """Press something with the pointer."""
        self.count += 1
        self.firefox.press_at(one, self.pointer)

    async def focus(self, one: str) -> None:
        """Go to a field."""
        await self.activate(one)
        self.firefox.until(f"document.activeElement === {one}")

    async def type_into(self, one: str, text: str) -> None:
        """Replace the content of a field."""
        await self.focus(one)
        self.count += len(text)
        self.firefox.press_keys(_KEYS["Control"], "a")
        self.firefox.type(text)

    async def select(self, one: str, value: str) -> None:
        """Choose one of a list by its value; the list of the system itself is in no page."""
        self.count += 2
        events = "['input', 'change'].forEach(kind => one.dispatchEvent(new Event(kind, {bubbles: true})))"
        await self.ask(one, f"one => {{ one.value = {json.dumps(value)}; {events} }}")

    async def values(self, name: str, group: str = "") -> list[str]:
        """The values that a list offers; none if the list is not there."""
        one = self.find("combobox", name, group)
        values: list[str] = self.firefox.run(f"(one => one ? ({VALUES})(one) : [])({one})")
        return values

    async def leave_by(self, one: str) -> None:
        """Press something, and wait until another page has come."""
        await self.wait_until_there(one)
        self.firefox.run("document.documentElement.dataset.left = 'yes'")
        await self.activate(one)
        self.firefox.until("!('left' in document.documentElement.dataset) && document.readyState === 'complete'")

    async def open(self, url: str) -> None:
        """Go to an address."""
        self.firefox.open(url)

    async def upload(self, selector: str, file: Path) -> None:
        """Give a file to a field."""
        self.count += 1
        self.firefox.set_file(selector, file)

    async def gone(self, role: Role, name: str) -> None:
        """Wait until there is no such button or link."""
        self.firefox.until(f"!{self.find(role, name)}")

    async def tick_all(self) -> None:
        """Check all boxes of the page."""
        for number in range(self.firefox.run("document.querySelectorAll('input[type=checkbox]').length")):
            await self.activate(f"document.querySelectorAll('input[type=checkbox]')[{number}]")

    async def text(self) -> str:
        """The text of the page; none while another one comes."""
        try:
            return str(self.firefox.run("document.body.innerText"))
        except AssertionError:
            return ""

    async def picture(self, selector: str) -> Image.Image:
        """What a part of the page looks like."""
        return Image.open(io.BytesIO(self.firefox.photograph(selector)))

    async def download(self, name: str) -> bytes:
        """What a link brings as a file."""
        before = set(self._downloads.glob("*"))
        await self.activate(self.find("link", name))
        end = time.monotonic() + PATIENCE
        while not (files := [each for each in set(self._downloads.glob("*")) - before if _is_whole(each)]):
            assert time.monotonic() < end, f"never downloaded: {name}"
            await self.wait_for_news()
        return files[0].read_bytes()

    async def find_faults(self) -> list[str]:
        """What axe finds, what no finger hits, and what is too wide."""
        low = self.firefox.run(f"({LOW})({json.dumps([TOUCHED, SMALLEST])})")
        return [*self.firefox.faults(), *(f"{height} points high: {html}" for height, html in low)]

    async def photograph(self, file: Path) -> None:
        """Write a picture of the whole page."""
        file.write_bytes(self.firefox.photograph())

    async def close(self) -> None:
        """Nothing: the window closes with the program."""


def _is_whole(file: Path) -> bool:
    """Return True for a file that has come whole: Firefox writes beside it, and makes an empty one first."""
    return file.suffix != ".part" and file.stat().st_size > 0 and not file.with_name(file.name + ".part").exists()


class FirefoxTouchDriver(FirefoxDriver):
    """A host with a finger at Firefox."""

    pointer = "touch"


class FirefoxKeyboardDriver(FirefoxDriver):
    """A host with a keyboard alone at Firefox."""

    async def focus(self, one: str) -> None:
        """Go to something by Tab, or back by Shift+Tab; the focus is seen all the way."""
        await self.wait_until_there(one)
        for _ in range(MOST_TABS):
            focus = self.firefox.run(f"({FOCUS})({one})")
            assert focus["seen"], f"the focus is not seen: {focus['what']}"
            if focus["where"] == "here":
                return
            back = [_KEYS["Shift"]] if focus["where"] == "behind" else []
            self.firefox.press_keys(*back, _KEYS["Tab"])
            self.count += 1
        raise AssertionError(f"not reached by Tab: {one}")

    async def activate(self, one: str) -> None:
        """Press the key of something if it has one, else reach it, and press Enter."""
        self.count += 1
        if key := await self.ask(one, KEY_OF):
            self.firefox.press_keys(*(_KEYS.get(part, part) for part in key.split("+")))
            return
        await self.focus(one)
        kind = await self.ask(one, "one => one.type ?? ''")
        self.firefox.press_keys(_KEYS["Space" if kind in ("checkbox", "radio") else "Enter"])

    async def select(self, one: str, value: str) -> None:
        """Reach a list, and go to a value by arrows."""
        await self.focus(one)
        values: list[str] = await self.ask(one, VALUES)
        steps = values.index(value) - values.index(await self.ask(one, "one => one.value"))
        for _ in range(abs(steps)):
            self.count += 1
            self.firefox.press_keys(_KEYS["ArrowDown" if steps > 0 else "ArrowUp"])
        self.firefox.until(f"({one}).value === {json.dumps(value)}")

    async def upload(self, selector: str, file: Path) -> None:
        """Reach a field, and give it a file; the system's own window of files is in no page."""
        await self.focus(self.find_by(selector))
        await super().upload(selector, file)


KINDS: Final = {
    "mouse": (FirefoxDriver, (1024, 768)),
    "touch": (FirefoxTouchDriver, (390, 844)),
    "keyboard": (FirefoxKeyboardDriver, (1440, 900)),
}


@contextmanager
def firefox_driver(folder: Path, kind: str) -> Iterator[FirefoxDriver]:
    """A host of a kind at a Firefox of their own, for as long as the block lasts."""
    driver, (width, height) = KINDS[kind]
    profile, downloads = folder / "profile", folder / "downloads"
    profile.mkdir()
    downloads.mkdir()
    preferences: dict[str, str | int | bool] = {
        "browser.download.folderList": 2,
        "browser.download.dir": str(downloads),
        # Its panel of downloads would take the focus from the page.
        "browser.download.alwaysOpenPanel": False,
        "pdfjs.disabled": True,
    }
    with open_firefox(profile, width, height, preferences) as firefox:
        yield driver(firefox, downloads)
