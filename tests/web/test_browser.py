"""The pages in a real Chromium, at the size of a phone and of a desk: what people see, touch and read aloud."""

import re
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from companion.archive import Archive
from tests.web.serving import PIN, Host, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES: Final = {"phone": (360, 800), "desk": (1280, 800)}
TOUCHED: Final = "button, input:not([type=hidden]), summary, a:not(.word)"
COLOURS: Final = """[...document.querySelectorAll("main *")]
  .filter((one) => one.offsetWidth).map((one) => getComputedStyle(one).color)"""
"""Of whatever is seen on the table's page."""
NOTED: Final = """
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      delete document.documentElement.dataset.heard;
      for (const kind of ["table", "beat", "again"]) {
        this.addEventListener(kind, () => (document.documentElement.dataset.heard = kind));
      }
    }
  };
"""
"""Has each page note what its stream has brought last."""
SMALLEST: Final = 44
"""Points that a finger hits."""
LOW: Final = """([touched, smallest]) => [...document.querySelectorAll(touched)]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length)
  .map((one) => (one.matches("[type=checkbox], [type=radio]") && one.closest("label")) || one)
  .map((one) => [one.getBoundingClientRect().height, one.outerHTML])
  .filter(([height]) => 0 < height && height < smallest)"""
"""What is seen, touched, and lower than that: heights and HTML."""


class Seen:
    """A page with all that the browser complained of."""

    def __init__(self, page: Page, host: Host) -> None:
        self.page = page
        self.host = host
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    async def come_in(self, session: str, name: str = "Pat") -> None:
        """From the address of a table over the PIN to the table."""
        await self.page.context.add_init_script(NOTED)
        await self.page.goto(f"http://127.0.0.1:{self.host.port}/t/{session}")
        await self.page.get_by_label("six digits").fill(PIN)
        await self.page.get_by_label("Your name").fill(name)
        await self.page.get_by_role("button", name="Come in").click()
        await expect(self.page.locator("#seats .side").first).to_be_visible()

    async def take_seat(self, name: str) -> None:
        """Sit down, where the own name has not done that already."""
        await take_seat(self.page, name)

    async def faults(self) -> list[str]:
        """What is wrong with this page for somebody."""
        return await find_faults(self.page)


async def find_faults(page: Page) -> list[str]:
    """What axe finds wrong, what no finger would hit, and by how many points the page is wider than the screen."""
    report: dict[str, Any] = (await Axe().run(page)).response
    wrong = [f"{one['id']}: {node['html']}" for one in report["violations"] for node in one["nodes"]]
    low: list[list[Any]] = await page.evaluate(LOW, [TOUCHED, SMALLEST])
    wrong += [f"{height} points high: {html}" for height, html in low]
    over: int = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [*wrong, *([f"{over} points too wide"] if over > 0 else [])]


async def take_seat(page: Page, name: str) -> None:
    """Sit down on a phone that is at a table, where the own name has not done that already."""
    seat = page.locator("#mine").get_by_role("heading", name=name)
    button = page.get_by_role("button", name=f"This is my seat: {name}")
    # Before the page has come, there is neither of them.
    await expect(seat.or_(button).first).to_be_visible()
    if not await seat.count():
        await button.click()
    await expect(seat).to_be_visible()


async def listening(page: Page) -> None:
    """Wait until a page has heard how things are: only what happens from then on is told there in a sentence."""
    await expect(page.locator("html")).to_have_attribute("data-heard", re.compile("table|beat"))


@pytest_asyncio.fixture(loop_scope="session", params=SIZES)
async def seen(request: pytest.FixtureRequest, browser: Browser, host: Host) -> AsyncIterator[Seen]:
    """A page of each size, dark on the phone and light on the desk."""
    width, height = SIZES[request.param]
    dark = request.param == "phone"
    context = await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    yield Seen(await context.new_page(), host)
    await context.close()


@pytest.mark.sample(2)
async def test_a_phone_comes_in_takes_its_seat_and_follows_the_table(seen: Seen, host: Host) -> None:
    session = host.fight()
    await seen.come_in(session)
    await seen.take_seat("Ben")
    mine = seen.page.get_by_role("region", name="My seat")
    await expect(mine.get_by_role("heading", name="Ben")).to_be_visible()
    await expect(seen.page.locator("#asked .questions li").first).to_contain_text("Ben")
    await listening(seen.page)
    host.sitting(session).enter("9s qh 6c")
    await expect(seen.page.locator("#told")).to_contain_text("Ben reveals Q♥: 12.")
    await expect(mine).to_contain_text("Q♥")
    assert seen.complaints == []


@pytest.mark.slow
async def test_every_page_is_readable_by_everybody(seen: Seen, host: Host) -> None:
    session = host.fight()
    host.sitting(session).enter("9s qh 6c")
    await seen.page.goto(f"http://127.0.0.1:{host.port}/pin")
    faults = [await seen.faults()]
    await seen.come_in(session)
    await seen.take_seat("Ana")
    await expect(seen.page.locator("#mine .side")).to_be_visible()
    faults.append(await seen.faults())
    await seen.page.goto(f"http://127.0.0.1:{host.port}/t/{session}/log")
    assert [*faults, await seen.faults()] == [[], [], []]


@pytest.mark.slow
async def test_what_can_be_tapped_is_readable_by_everybody(seen: Seen, host: Host) -> None:
    session = host.fight()
    await seen.come_in(session, "Dora")
    for phone in host.server.phones.all():
        if phone.name.startswith("Dora"):
            host.server.phones.allow(phone.phone, "own")
    await seen.take_seat("Ana")
    await expect(seen.page.get_by_role("button", name="nine of spades")).to_be_visible()
    await seen.page.locator("#mine .changes summary").click()
    faults = [await seen.faults()]
    host.sitting(session).enter("9s qh 6c")
    await seen.page.get_by_role("button", name="Spike").click()
    await expect(seen.page.locator("#answering").get_by_role("button", name="king of spades")).to_be_visible()
    assert [*faults, await seen.faults(), seen.complaints] == [[], [], []]


@pytest.mark.slow
async def test_a_tap_finds_its_button_however_fast_the_table_changes(browser: Browser, host: Host) -> None:
    session = host.fight()
    seen = Seen(await browser.new_page(), host)
    await seen.come_in(session, "Eli")
    await seen.take_seat("Ben")
    await expect(seen.page.get_by_role("button", name="This is not my seat")).to_be_visible()
    for phone in host.server.phones.all():
        if phone.name == "Eli":
            host.server.phones.allow(phone.phone, "own")
    await seen.page.get_by_role("button", name="queen of hearts").hover()
    await listening(seen.page)
    await seen.page.mouse.down()
    host.sitting(session).enter("reveal ana 9S")
    await expect(seen.page.locator("#told")).to_contain_text("Ana reveals")
    await seen.page.mouse.up()
    await expect(seen.page.locator("#mine")).to_contain_text("Q♥")
    await seen.page.context.close()


async def test_a_page_with_faults_would_be_noticed(browser: Browser, host: Host) -> None:
    seen = Seen(await browser.new_page(viewport={"width": 360, "height": 800}), host)
    wide = '<p style="width: 400px; color: #aaa; background: #fff">Grey</p>'
    await seen.page.set_content(f'<html lang="en"><title>x</title><main><h1>x</h1><button></button>{wide}</main>')
    assert {fault.split()[0].rstrip(":") for fault in await seen.faults()} >= {"button-name", "color-contrast", "48"}
    await seen.page.context.close()


@pytest.mark.slow
async def test_a_table_out_of_reach_stays_readable_and_comes_back(browser: Browser, archive: Archive) -> None:
    with serving(archive) as host:
        port, session = host.port, host.fight()
        seen = Seen(await (await browser.new_context(viewport={"width": 360, "height": 800})).new_page(), host)
        await seen.come_in(session)
    reach = seen.page.locator("#reach")
    await expect(reach).to_contain_text("The table has been out of reach since")
    await expect(seen.page.locator("#seats")).to_contain_text("Cy")
    with serving(archive, port) as host:
        host.sitting(session).enter("add cy hp -2")
        await expect(reach).to_be_empty()
        await expect(seen.page.locator("#seats")).to_contain_text("18")
    await seen.page.context.close()


async def test_what_somebody_opened_stays_open(browser: Browser, host: Host) -> None:
    session = host.fight()
    seen = Seen(await browser.new_page(), host)
    host.sitting(session).enter("9s qh 6c")
    await seen.come_in(session)
    besides = seen.page.locator("#asked details:not(.work)")
    await besides.locator("summary").click()
    await listening(seen.page)
    host.sitting(session).enter("next")
    await expect(seen.page.locator("#told")).to_contain_text("pass")
    await expect(besides).to_have_attribute("open", "")
    await seen.page.context.close()


@pytest.mark.slow
async def test_without_scripts_the_page_is_there_and_loads_itself_anew(browser: Browser, host: Host) -> None:
    session = host.fight()
    context = await browser.new_context(java_script_enabled=False)
    seen = Seen(await context.new_page(), host)
    await seen.come_in(session)
    assert 'http-equiv="refresh"' in await seen.page.content()
    await seen.take_seat("Cy")
    await expect(seen.page.locator("#mine")).to_contain_text("Cy")
    await context.close()


@pytest.mark.slow
async def test_on_paper_a_table_is_black_on_white_and_asks_nothing(browser: Browser, host: Host) -> None:
    session = host.fight()
    host.sitting(session).enter("9s qh 6c")
    seen = Seen(await browser.new_page(viewport={"width": 360, "height": 800}, color_scheme="dark"), host)
    await seen.come_in(session)
    await seen.page.emulate_media(media="print", color_scheme="dark")
    for on_screen_only in ("nav", "form", "#reach"):
        await expect(seen.page.locator(on_screen_only).first).to_be_hidden()
    for section, text in (("#round", "Minion Pool"), ("#seats", "Cy"), ("#log", "Ana reveals")):
        await expect(seen.page.locator(section)).to_contain_text(text)
        await expect(seen.page.locator(section)).to_be_visible()
    await expect(seen.page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    colours: list[str] = await seen.page.evaluate(COLOURS)
    assert {*colours} <= {"rgb(0, 0, 0)", "rgb(51, 51, 51)"}
    await seen.page.context.close()


@pytest.mark.slow
async def test_large_letters_need_no_sideways_scrolling(browser: Browser, own_host: Host) -> None:
    session = own_host.fight()
    own_host.server.phones.allow_all("own")
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    seen = Seen(await context.new_page(), own_host)
    await seen.come_in(session)
    await seen.take_seat("Ben")
    await seen.page.locator("#mine .changes summary").first.click()
    await seen.page.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    width = await seen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    await context.close()


@pytest.mark.slow
async def test_all_cards_and_what_one_needs_are_on_one_small_screen(browser: Browser, own_host: Host) -> None:
    session = own_host.fight()
    own_host.server.phones.allow_all("own")
    context = await browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    seen = Seen(await context.new_page(), own_host)
    await seen.come_in(session)
    await seen.take_seat("Ben")
    await expect(seen.page.locator("#head")).to_contain_text("54/54")
    await expect(seen.page.locator("#head")).to_contain_text("20/20")
    for card in ("king of spades", "two of diamonds"):
        await expect(seen.page.get_by_role("button", name=card)).to_be_in_viewport(ratio=1)
    await context.close()


async def test_a_phone_that_slept_for_an_hour_is_right_within_a_second(browser: Browser, own_host: Host) -> None:
    session = own_host.fight()
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    seen = Seen(await context.new_page(), own_host)
    await seen.page.clock.install()
    await seen.come_in(session)
    await listening(seen.page)
    # Asleep: nothing comes in, and no clock goes on until it wakes.
    await context.set_offline(True)
    own_host.sitting(session).enter("add cy hp -2")
    await seen.page.clock.fast_forward("01:00:00")
    await expect(seen.page.locator("#reach")).to_contain_text("The table has been out of reach since")
    await seen.page.clock.pause_at(await seen.page.evaluate("Date.now() + 1"))
    await context.set_offline(False)
    await seen.page.clock.run_for(1000)
    await expect(seen.page.locator("#seats")).to_contain_text("18")
    await expect(seen.page.locator("#reach")).to_be_empty()
    await context.close()
