"""Pages that hold still: nothing moves under a finger, and a new question or a moment is never out of sight."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from companion.archive import Archive
from tests.web.serving import Host, serving
from tests.web.test_browser import listening
from tests.web.test_four_phones import Guest, sit_down
from tests.web.test_small_screens import ATTACKED

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

SIZES: Final = {"small": (360, 640), "phone": (390, 844), "tablet": (768, 1024)}
FOUR: Final = ("seat ana", "seat ben", "seat cy", "seat dora", "active ben", "begin seed 1")
TOP: Final = "(one) => one.getBoundingClientRect().top"
IN_SIGHT: Final = """() => {
  const head = document.getElementById("head").getBoundingClientRect();
  const asks = [...document.querySelectorAll("#answering:not(:empty), #asked [data-turn]")];
  const box = (asks[0] ?? document.getElementById("asked")).getBoundingClientRect();
  const taps = [...(asks[0]?.querySelectorAll("button, label") ?? [])].filter((one) => one.checkVisibility());
  const lowest = Math.max(...taps.map((one) => one.getBoundingClientRect().bottom), box.top);
  return box.top >= head.bottom - 1 && (lowest <= innerHeight || box.top - head.bottom <= 10);
}"""
"""A script that tells if what is asked is below the head, and whole or right below it."""
BELOW_HEAD: Final = """() => {
  const [head, form] = ["head", "answering"].map((id) => document.getElementById(id).getBoundingClientRect());
  return Math.abs(form.top - head.bottom) <= 10;
}"""


@pytest.fixture(params=[False, True], ids=["open", "face down"])
def host(archive: Archive, request: pytest.FixtureRequest) -> Iterator[Host]:
    """A host that lets people answer for their own seats, openly or face down."""
    with serving(archive, permissions="own", face_down=request.param) as host:
        yield host


@pytest.fixture
def open_host(archive: Archive) -> Iterator[Host]:
    """A host that lets people answer openly for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


async def settled(page: Page) -> None:
    """Wait until what was tapped is through, and shown."""
    await expect(page.locator("[data-pressed]")).to_have_count(0)
    await page.evaluate("new Promise((drawn) => setTimeout(drawn, 300))")


async def top_of(page: Page, path: str) -> float:
    """Return the distance of something from the upper edge of the screen."""
    return float(await page.locator(path).first.evaluate(TOP))


@pytest.mark.parametrize("size", SIZES)
async def test_a_tap_moves_nothing_that_is_in_sight(browser: Browser, host: Host, size: str) -> None:
    session = host.table(*FOUR)
    ben = await sit_down(browser, host, "Ben", *SIZES[size])
    await listening(ben.page)
    await play_round(host, session, ben)
    assert ben.faults == []
    await ben.page.context.close()


async def play_round(host: Host, session: str, ben: Guest) -> None:
    """Ben's taps of a round; after each of them what he is asked is in sight."""
    table, page = host.sitting(session), ben.page
    await ben.say("queen of hearts")
    await expect(page.locator("#asked [data-turn]")).to_have_count(0)
    await settled(page)
    assert await page.evaluate("scrollY") == 0
    for line in ("reveal ana 9S", "reveal cy 6C", "reveal dora KD"):
        await asyncio.to_thread(table.enter, line)
    await expect(page.locator("#asked [data-turn]").get_by_role("button", name="Pass")).to_be_visible()
    await settled(page)
    assert await page.evaluate(IN_SIGHT)
    before = await page.evaluate("scrollY")
    await ben.say("Spike")
    await expect(page.locator("#answering form")).to_be_visible()
    await settled(page)
    assert await page.evaluate(IN_SIGHT)
    is_below_head = await page.evaluate(BELOW_HEAD)
    assert is_below_head or await page.evaluate("scrollY") == before
    await page.locator("#answering").get_by_role("link", name="Not now").click()
    await expect(page.locator("#answering form")).to_have_count(0)
    await settled(page)
    assert await page.evaluate(IN_SIGHT)
    before = await top_of(page, "#asked")
    await ben.say("Pass")
    await expect(page.locator("#asked [data-turn]")).to_have_count(0)
    await settled(page)
    assert abs(await top_of(page, "#asked") - before) <= 1


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_moves_when_others_act(browser: Browser, open_host: Host, size: str) -> None:
    session = open_host.table(*FOUR)
    ben = await sit_down(browser, open_host, "Ben", *SIZES[size])
    table, page = open_host.sitting(session), ben.page
    await listening(page)
    question = "#asked [data-turn] > p"
    before = await top_of(page, question)
    # The head grows by a line on small screens.
    for line in ("reveal ana 9S", 'note "What a night"', "reveal cy 6C", "add cy hp -2", "reveal dora KD"):
        await asyncio.to_thread(table.enter, line)
    await expect(page.locator("#log")).to_contain_text("Dora reveals")
    await settled(page)
    assert abs(await top_of(page, question) - before) < 1
    await page.context.close()


async def test_a_moment_of_others_leaves_a_question_where_it_is(browser: Browser, open_host: Host) -> None:
    session = open_host.table(*FOUR)
    dora = await sit_down(browser, open_host, "Dora", 360, 640)
    table, page = open_host.sitting(session), dora.page
    await listening(page)
    before = await top_of(page, "#asked [data-turn] > p")
    await asyncio.to_thread(table.enter, "concede cy")
    await expect(page.locator("#moment .open")).to_have_count(1)
    await settled(page)
    assert abs(await top_of(page, "#asked [data-turn] > p") - before) < 1
    await page.context.close()


async def test_a_figure_that_is_being_changed_stays_where_it_is(browser: Browser, open_host: Host) -> None:
    session = open_host.table(*FOUR)
    ben = await sit_down(browser, open_host, "Ben", 360, 640)
    table, page = open_host.sitting(session), ben.page
    await listening(page)
    less = page.locator("#mine .stepper button[value='-']").first
    await less.scroll_into_view_if_needed()
    await less.click()
    before = float(await less.evaluate(TOP))
    # Ben's question goes, and what he is asked next is another.
    for line in ("reveal ben QH", "reveal ana 9S", "reveal cy 6C", "reveal dora KD"):
        await asyncio.to_thread(table.enter, line)
    await expect(page.locator("#mine .big")).to_contain_text("19")
    await settled(page)
    assert abs(float(await less.evaluate(TOP)) - before) < 1
    await page.context.close()


async def test_who_waits_sees_a_moment_come(browser: Browser, open_host: Host) -> None:
    session = open_host.table(*FOUR)
    ben = await sit_down(browser, open_host, "Ben", 360, 640)
    await listening(ben.page)
    await ben.say("queen of hearts")
    await expect(ben.page.locator("#asked [data-turn]")).to_have_count(0)
    await settled(ben.page)
    await asyncio.to_thread(open_host.sitting(session).enter, "concede cy")
    await expect(ben.page.locator("#moment .open")).to_be_in_viewport(ratio=0.9)
    await ben.page.context.close()


async def test_a_head_of_large_letters_leaves_room(browser: Browser, open_host: Host) -> None:
    open_host.table(*FOUR, "reveal ana 9S", "reveal cy 6C", "reveal dora KD")
    ben = await sit_down(browser, open_host, "Ben", 360, 640)
    head = ben.page.locator("#head")
    await expect(head).to_have_css("position", "sticky")
    await ben.page.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    await expect(head).to_have_css("position", "static")
    await ben.page.locator("#log").scroll_into_view_if_needed()
    covered = await ben.page.evaluate("document.getElementById('head').getBoundingClientRect().bottom")
    assert covered < 640 / 4
    await ben.page.context.close()


FINGERS: Final = """() => {
  const hit = [...document.querySelectorAll(
    "button, summary, nav a, a.more, .links a, input:not([type=hidden])")].filter((one) => one.checkVisibility() &&
    one.getBoundingClientRect().width && !one.closest(".suit, .names"));
  const boxes = hit.map((one) => [one, one.getBoundingClientRect()]);
  const name = (one) => (one.ariaLabel ?? one.innerText ?? one.name).trim().slice(0, 40);
  const wrong = [];
  for (const [one, { left, right, top, bottom, width, height }] of boxes) {
    if (height < 43.9 || width < 43.9) {
      wrong.push(`${name(one)}: ${width} × ${height}`);
    }
    if (left < 8 || right > innerWidth - 8) {
      wrong.push(`${name(one)}: at the edge`);
    }
    for (const [other, box] of boxes) {
      const across = Math.max(box.left - right, left - box.right);
      const down = Math.max(box.top - bottom, top - box.bottom);
      const isFilled = [one, other].every((each) => each.tagName !== "SUMMARY" && each.tagName !== "A");
      if (one !== other && isFilled && Math.max(across, down) < 7.9 && !one.contains(other) && !other.contains(one)) {
        wrong.push(`${name(one)} beside ${name(other)}: ${Math.max(across, down)}`);
      }
    }
  }
  const sent = document.querySelector("#asked .send button")?.getBoundingClientRect();
  const isAtEdge = sent && sent.top < innerHeight && sent.bottom > innerHeight - 7.9;
  return [...wrong, ...(isAtEdge ? ["Do it: at the lower edge"] : [])];
}"""
"""A script that finds what is too small for a finger, too near to something else, or at an edge of the screen."""


@pytest.mark.parametrize("size", SIZES)
async def test_a_finger_hits_each_button(browser: Browser, open_host: Host, size: str) -> None:
    session = open_host.table(*ATTACKED[:6])
    ben = await sit_down(browser, open_host, "Ben", *SIZES[size])
    table, page = open_host.sitting(session), ben.page
    wrong = await page.evaluate(FINGERS)
    for line in (*ATTACKED[6:], "damage"):
        await asyncio.to_thread(table.enter, line)
        if line.startswith("pass") or line == "damage":
            await settled(page)
            wrong += await page.evaluate(FINGERS)
    await expect(page.locator("#asked .own .send")).to_be_visible()
    wrong += await page.evaluate(FINGERS)
    for path in (f"/t/{session}/log", f"/t/{session}/photo", "/scan", "/tables", "/decks"):
        await page.goto(f"http://127.0.0.1:{open_host.port}{path}")
        wrong += await page.evaluate(FINGERS)
    assert wrong == []
    await page.context.close()
