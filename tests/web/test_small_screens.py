"""Small phones: one question on one screen, news that hides no button, and no two buttons that say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from companion.archive import Archive
from tests.web.page_buttons import PageButtons
from tests.web.page_samples import PageSample
from tests.web.serving import Host, serving
from tests.web.test_four_phones import sit_down
from tests.web.test_screen import TABLES

ATTACKED = (
    *("seat ana", "seat ben", "seat cy", "seat dora", "active ana", "begin seed 1"),
    *("reveal ana 9S", "reveal ben QH", "reveal cy 6C", "reveal dora KD"),
    *("pass ana", "pass ben", "pass cy", "pass dora"),
)
FORGED = ("seat ana", "seat ben", "first ben", "begin seed 77", "forge ben 3 cavern-hydra 3/4")
BROKEN: Final = """() => {
  const broken = [];
  for (const button of document.querySelectorAll("#answering .ways button")) {
    for (const node of [button.firstChild, ...(button.querySelector("small")?.childNodes ?? [])]) {
      for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) {
          broken.push(word);
        }
      }
    }
  }
  return broken;
}"""
"""Words of buttons that stand on two lines."""


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_the_attack_on_four_fits_on_one_small_screen(browser: Browser, host: Host) -> None:
    session = host.table(*ATTACKED)
    ben = await sit_down(browser, host, "Ben", 360, 640)
    host.sitting(session).enter("damage")
    asking = ben.page.locator("#asked .own")
    sending = asking.get_by_role("button", name="Dodge")
    await expect(sending).to_be_visible()
    assert await asking.get_by_text("take 3 damage from the Boss, or dodge").count() == 1
    await asking.get_by_role("checkbox").nth(3).check()
    host.sitting(session).enter("add ana hp -1")
    news = ben.page.locator("#told")
    await expect(news).to_contain_text("Ana: HP 20 → 19, by hand.")
    button, toast = await sending.bounding_box(), await news.bounding_box()
    assert button is not None
    assert toast is not None
    assert button["y"] >= toast["y"] + toast["height"]
    assert button["y"] + button["height"] <= 640
    lowest = await asking.get_by_role("checkbox").last.bounding_box()
    question = await asking.locator("p").first.bounding_box()
    assert lowest is not None
    assert question is not None
    assert lowest["y"] + lowest["height"] <= 640
    assert question["y"] >= toast["y"] + toast["height"]
    await ben.page.context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_no_word_of_a_button_is_broken(browser: Browser, host: Host) -> None:
    rows = (TABLES / "decknforge" / "dungeon.table").read_text(encoding="utf-8").splitlines()
    left_out = ("#", "table", "expect", "refuse", "mythic", "seal")
    session = host.table(*(row for row in rows if row.strip() and not row.startswith(left_out)))
    cy = await sit_down(browser, host, "Cy", 360, 640)
    page = cy.page
    await page.goto(f"http://127.0.0.1:{host.port}/t/{session}?language=de")
    await page.evaluate("document.body.style.hyphens = 'manual'")
    await page.evaluate("document.querySelectorAll('#asked details').forEach((one) => (one.open = true))")
    await page.locator("#asked button[value^='cy:mythic']").click()
    await expect(page.locator("#answering").get_by_role("button", name="Legendengravur")).to_be_visible()
    assert await page.evaluate(BROKEN) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await page.context.close()


@pytest.mark.slow
def test_no_two_buttons_say_the_same_and_no_question_is_twice(english_samples: tuple[PageSample, ...]) -> None:
    faults = {
        each.name: wrong for each in english_samples if each.is_page and (wrong := PageButtons(each.answer.text).faults)
    }
    assert faults == {}


def test_a_lane_is_named_by_what_is_done_there(host: Host) -> None:
    session = host.table(*FORGED[:-1], game="solforge")
    phone = host.phone("Ben")
    phone.sit(session, "ben")
    page = phone.get(f"/t/{session}").text
    step = next(part.partition('"')[0] for part in page.split('value="') if part.startswith("ben:forge"))
    answer = phone.post(f"/t/{session}/answer", phone.get(f"/t/{session}").token, step=step, at="5")
    assert "Forge in lane 2" in phone.get(answer.leads_to).text if answer.leads_to else answer.text


def test_the_lane_of_a_creature_stays_in_view(host: Host) -> None:
    session = host.table(*FORGED, game="solforge")
    head = host.phone().get(f"/t/{session}").text.partition('id="head"')[2].partition("</header>")[0]
    assert "Cavern Hydra · Lane 3" in head


def test_a_field_shows_an_example(host: Host) -> None:
    session = host.table(*ATTACKED, "damage")
    phone = host.phone("Ben")
    phone.sit(session, "ben")
    page = phone.get(f"/t/{session}").text
    assert 'inputmode="numeric" placeholder="such as 1"' in page
