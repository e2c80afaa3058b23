"""Every page on the smallest phone in the pseudo-language, whose texts are 40 % longer: nothing is cut or too wide."""

import itertools
from collections.abc import AsyncIterator, Iterable
from typing import Final, NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, ViewportSize

from tests.web.page_samples import PageSample
from tests.web.serving import Host
from tests.web.test_browser import find_faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PHONE: Final = (360, 640)
HAND: Final = (390, 844)
TELEVISION: Final = (1280, 720)
CUT: Final = """() => {
  const faults = [];
  const name = (one) => `${one.tagName.toLowerCase()}${one.id && "#"}${one.id}.${one.className}`;
  const say = (one) => one.textContent.trim().replace(/\\s+/g, " ").slice(0, 60);
  const tell = (what, one) => faults.push(`${what}: ${name(one)} “${say(one)}”`);
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) {
    faults.push(`the page is ${over} points too wide`);
  }
  const unseen = ".unseen, [hidden], thead, .sheet, .grid, .numbers, textarea";
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(unseen);
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  for (const one of [...document.body.querySelectorAll("*")].filter((each) => hasText(each) && isSeen(each))) {
    // The log says the same as the line at the lower edge, and as a big moment.
    if (one.closest("#told, #newest, .gain")) {
      continue;
    }
    const box = one.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) {
      tell("beyond the edge", one);
    }
    const style = getComputedStyle(one);
    const isBox = style.overflow !== "visible" || one.matches("button, label, a, summary");
    const isCut = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    if (isBox && isCut && style.display !== "inline") {
      tell("cut", one);
    }
  }
  // What sends a form stays in view, over its cards.
  const touched = "button, a, summary, label, input:not([type=hidden], [type=checkbox])";
  const controls = [...document.querySelectorAll(touched)].filter((one) => isSeen(one) && !one.closest(".send"));
  const boxes = controls.map((one) => [one, one.getBoundingClientRect()]);
  for (const [at, [one, box]] of boxes.entries()) {
    for (const [other, next] of boxes.slice(at + 1)) {
      const width = Math.min(box.right, next.right) - Math.max(box.left, next.left);
      const height = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
      if (width > 1 && height > 1 && !one.contains(other) && !other.contains(one)) {
        tell(`on ${name(one)} “${say(one)}”`, other);
      }
    }
  }
  return faults;
}"""
"""What is wider than the screen, what is cut, and controls that lie on each other."""
HIDDEN_QUESTION: Final = """() => {
  const question = document.querySelector("#answering h2, #asked [data-turn]");
  if (!question) {
    return [];
  }
  const own = question.closest("#answering, li");
  const button = [...own.querySelectorAll("button, a")].find((one) => one.checkVisibility());
  const low = [question.matches("li") ? question.querySelector("p") : question, button].filter(
    (one) => one && one.getBoundingClientRect().top + 44 > innerHeight
  );
  return low.map((one) => `below the screen: ${one.textContent.trim().slice(0, 60)}`);
}"""
"""The question for whoever holds the phone, or its first answer, if one of them is not in view."""

TOUCHED: Final = """() => {
  const faults = [];
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, [hidden]");
  const say = (one) => (one.ariaLabel || one.textContent).trim().replace(/\\s+/g, " ").slice(0, 60);
  const tell = (one, box) => {
    const size = `${Math.round(box.width)} × ${Math.round(box.height)}`;
    faults.push(`${size}: ${one.tagName.toLowerCase()}.${one.className} “${say(one)}”`);
  };
  const fields = "select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])";
  const main = `button, summary, a.button, nav a, ${fields}`;
  for (const one of document.querySelectorAll(`${main}, a, label:has(> input)`)) {
    const box = one.getBoundingClientRect();
    if (!isSeen(one) || one.closest("svg") || !box.width) {
      continue;
    }
    const isMain = one.matches(main);
    // A link within a sentence is as high as its line.
    const isOfText = one.matches("a") && one.parentElement.matches("p, li, bdi");
    const isInline = isOfText && getComputedStyle(one).display === "inline";
    if (!isInline && (box.height < (isMain ? 43.5 : 24) || box.width < (isMain ? 43.5 : 24))) {
      tell(one, box);
    }
  }
  // A tick without words around it.
  for (const one of document.querySelectorAll("input:is([type=checkbox], [type=radio])")) {
    const box = one.getBoundingClientRect();
    if (isSeen(one) && !one.closest("label") && (box.height < 24 || box.width < 24)) {
      tell(one, box);
    }
  }
  return faults;
}"""
"""What a finger hits hardly: buttons, fields and menus of less than 44 points, and other links of less than 24."""


NO_NEWS: Final = "window.EventSource = class extends EventTarget { close() {} }"


class SampleViewer(NamedTuple):
    """A browser's page, and the address of its server."""

    page: Page
    origin: str

    async def find_faults(self, samples: Iterable[PageSample], *checks: str) -> dict[str, list[str]]:
        """Return what is wrong with each sample, with everything that can be folded open."""
        faults = {}
        for sample in samples:
            await self.show(sample)
            wrong = [fault for check in checks for fault in await self.page.evaluate(check)]
            await self.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            wrong += await self.page.evaluate(CUT)
            if wrong:
                faults[sample.name] = wrong
        return faults

    async def show(self, sample: PageSample) -> None:
        """Show what a phone got once, whatever its server would answer now."""

        async def answer(route: Route) -> None:
            await route.fulfill(body=sample.answer.text, content_type="text/html; charset=utf-8")

        address = f"{self.origin}{sample.path}"
        await self.page.route(address, answer)
        await self.page.goto(address)
        await self.page.unroute(address)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def viewing(
    browser: Browser, host: Host, pseudo_samples: tuple[PageSample, ...]
) -> AsyncIterator[tuple[SampleViewer, list[PageSample]]]:
    """A browser and all samples."""
    context = await browser.new_context(color_scheme="dark", service_workers="block")
    page = await context.new_page()
    # Pages stay as they came.
    await page.add_init_script(NO_NEWS)
    yield SampleViewer(page, f"http://127.0.0.1:{host.port}"), [each for each in pseudo_samples if each.is_page]
    await context.close()


async def test_nothing_is_cut_on_the_smallest_phone_and_a_finger_hits_everything(
    viewing: tuple[SampleViewer, list[PageSample]], browser: Browser
) -> None:
    seen, samples = viewing
    context = await browser.new_context(
        viewport=ViewportSize(width=PHONE[0], height=PHONE[1]),
        color_scheme="dark",
        has_touch=True,
        is_mobile=True,
        service_workers="block",
    )
    await context.add_init_script(NO_NEWS)
    by_touch = SampleViewer(await context.new_page(), seen.origin)
    on_phones = [each for each in samples if not each.route.endswith("/screen")]
    faults = await by_touch.find_faults(filter(_is_of_host, on_phones), HIDDEN_QUESTION, TOUCHED)
    faults |= await by_touch.find_faults(itertools.filterfalse(_is_of_host, on_phones), HIDDEN_QUESTION)
    await context.close()
    assert faults == {}


async def test_nothing_is_cut_on_a_television(viewing: tuple[SampleViewer, list[PageSample]]) -> None:
    seen, samples = viewing
    await seen.page.set_viewport_size({"width": TELEVISION[0], "height": TELEVISION[1]})
    assert await seen.find_faults([each for each in samples if each.route.endswith("/screen")]) == {}


async def test_axe_finds_nothing_on_any_page_of_the_host(viewing: tuple[SampleViewer, list[PageSample]]) -> None:
    seen, samples = viewing
    await seen.page.set_viewport_size({"width": HAND[0], "height": HAND[1]})
    fullest: dict[str, PageSample] = {}
    for sample in sorted(filter(_is_of_host, samples), key=lambda each: len(each.answer.text)):
        fullest[sample.route] = sample
    faults = {}
    for sample in fullest.values():
        await seen.show(sample)
        if wrong := await find_faults(seen.page):
            faults[sample.name] = wrong
    assert faults == {}


def _is_of_host(sample: PageSample) -> bool:
    """Return True for a page of the host, or for scanning a box."""
    return "/host" in sample.route or sample.route.startswith(("GET /scan", "POST /scan"))
