"""Taps in a real Chromium: those that are one change, and those that meet a page which goes; none is lost silently."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, Route, expect

from companion.archive import Archive
from companion.archive.web_access import Permissions
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from tests.web.serving import Host, serving
from tests.web.test_browser import Seen, listening

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


class AtSeat:
    """Somebody at Ben's seat of a fight."""

    def __init__(self, host: Host, page: Page, name: str) -> None:
        self.host = host
        self.page = page
        self.name = name
        self.session = host.fight()
        self.news = page.locator("#told")
        self.mine = page.locator("#mine")
        self.unsent = page.locator("#unsent")

    async def sit(self) -> None:
        """Come in, and take the seat; the host lets this phone answer for it."""
        seen = Seen(self.page, self.host)
        await seen.come_in(self.session, self.name)
        await seen.take_seat("Ben")
        self.allow("own")
        await expect(self.page.get_by_role("button", name="queen of hearts")).to_be_visible()
        await listening(self.page)

    async def hold_the_clock(self) -> None:
        """Let no time go by on the page until `later`: however slow the browser is, taps are in quick succession."""
        await self.page.clock.install()
        await self.page.clock.pause_at(datetime.now() + timedelta(seconds=1))

    async def later(self, seconds: float = 1) -> None:
        """Time goes by: in a second so much that no tap more belongs to those before."""
        await self.page.clock.run_for(round(seconds * 1000))

    def allow(self, permissions: Permissions) -> None:
        """What the host lets this phone do from now on."""
        (phone,) = (each.phone for each in self.host.server.phones.all() if each.name == self.name)
        self.host.server.phones.allow(phone, permissions)

    def log(self) -> list[tuple[str, str]]:
        """What was entered since everybody sat down, by whom."""
        return [(line.line, line.by) for line in self.host.archive.lines(self.session)][6:]

    async def written(self, *lines: str) -> None:
        """Wait until these, and no others, stand in the log."""
        async with asyncio.timeout(20):
            while [line for line, _ in self.log()] != list(lines):
                await asyncio.sleep(0.02)

    def hp(self, way: str) -> Locator:
        """The button that changes HP."""
        return self.mine.get_by_role("button", name=f"HP: {way}")


@pytest_asyncio.fixture(loop_scope="session")
async def ben(browser: Browser, host: Host) -> AsyncIterator[AtSeat]:
    """One that each test has for itself."""
    context = await browser.new_context(viewport={"width": 360, "height": 800})
    at_seat = AtSeat(host, await context.new_page(), f"Tap {len(host.server.phones.all())}")
    await at_seat.sit()
    yield at_seat
    await context.close()


async def test_quick_taps_are_one_change_that_is_seen_at_once(ben: AtSeat) -> None:
    await ben.hold_the_clock()
    tally = ben.mine.locator(".big output")
    for text in ("−1", "−2", "−3"):
        await ben.hp("less").click()
        await expect(tally).to_have_text(text)
    # What somebody else does meanwhile leaves it where it is.
    ben.host.sitting(ben.session).enter("add ben hp -5")
    await ben.later(0.2)
    await expect(ben.mine.locator(".big strong").first).to_have_text("15")
    await expect(tally).to_have_text("−3")
    await ben.later()
    await ben.written("add ben hp -5", "add ben hp -3")
    await expect(tally).to_be_empty()
    await expect(ben.mine.locator(".big strong").first).to_have_text("12")
    await expect(ben.news).to_contain_text("Ben: HP 15 → 12, by hand.")
    assert ben.log()[-1] == ("add ben hp -3", ben.name)


async def test_taps_that_add_up_to_nothing_write_nothing(ben: AtSeat) -> None:
    await ben.hold_the_clock()
    await ben.hp("more").click()
    await ben.hp("less").click()
    await expect(ben.mine.locator(".big output")).to_have_text("+0")
    await ben.later()
    await expect(ben.mine.locator(".big output")).to_be_empty()
    await ben.hp("less").click()
    await ben.mine.locator("details.changes summary").first.click()
    await ben.mine.get_by_role("button", name="Coppers: more").click()
    await ben.page.get_by_role("button", name="queen of hearts").click()
    await ben.written("add ben hp -1", "add ben coppers +1", "reveal ben QH")


async def test_what_was_tapped_together_is_sent_as_its_page_is_left(ben: AtSeat) -> None:
    await ben.hold_the_clock()
    for _ in range(2):
        await ben.hp("less").click()
    await ben.page.get_by_role("link", name="Decks").click()
    await ben.written("add ben hp -2")
    await ben.page.go_back()
    await expect(ben.mine.locator(".big strong").first).to_have_text("18")


async def test_what_was_tapped_together_is_sent_by_a_browser_that_never_says_that_a_page_goes(ben: AtSeat) -> None:
    await ben.page.evaluate("""["pagehide", "visibilitychange"].forEach((kind) =>
        addEventListener(kind, (event) => event.stopImmediatePropagation(), true))""")
    await ben.hold_the_clock()
    await ben.hp("less").click()
    await ben.page.get_by_role("link", name="Decks").click()
    await ben.written("add ben hp -1")


async def test_a_tap_outlives_a_link_that_leaves_its_page_in_place(ben: AtSeat) -> None:
    await ben.hold_the_clock()
    await ben.page.route("**/change", lambda route: route.abort())
    await ben.hp("less").click()
    await ben.page.locator("a[data-word]").first.click()
    await ben.page.locator("#words").get_by_role("button").click()
    await expect(ben.mine.locator(".big output")).to_have_text("−1")
    await ben.page.unroute("**/change")
    await ben.later()
    await ben.written("add ben hp -1")


async def test_what_cannot_be_sent_is_kept_and_sent_again(ben: AtSeat) -> None:
    await ben.page.route("**/change", lambda route: route.abort())
    await ben.hp("less").click()
    await expect(ben.unsent).to_contain_text("HP −1: not sent.")
    await expect(ben.mine.locator(".big output")).to_have_text("−1")
    assert ben.log() == []
    await ben.page.unroute("**/change")
    await ben.unsent.get_by_role("button", name="Send again").click()
    await ben.written("add ben hp -1")
    await expect(ben.unsent).to_be_hidden()
    await expect(ben.mine.locator(".big output")).to_be_empty()


async def test_what_cannot_be_sent_can_be_left(ben: AtSeat) -> None:
    await ben.page.route("**/answer", lambda route: route.abort())
    card = ben.page.get_by_role("button", name="queen of hearts")
    await card.click()
    # The button itself says at once that it was pressed.
    await expect(card).to_have_attribute("data-pressed", "", timeout=3000)
    await ben.unsent.get_by_role("button", name="Leave it").click()
    await expect(ben.unsent).to_be_hidden()
    await expect(card).not_to_have_attribute("data-pressed", "")
    await ben.page.unroute("**/answer")
    await ben.page.get_by_role("button", name="jack of hearts").click()
    await ben.written("reveal ben JH")


async def test_what_was_done_and_whose_answer_was_lost_is_done_once(ben: AtSeat) -> None:
    lost = 0

    async def lose(route: Route) -> None:
        nonlocal lost
        lost += 1
        if lost > 2:
            await route.continue_()
            return
        await route.fetch(max_redirects=0)
        await route.abort()

    await ben.page.route("**/change", lose)
    await ben.hp("less").click()
    await expect(ben.mine.locator(".big strong").first).to_have_text("19")
    await expect(ben.mine.locator(".big output")).to_be_empty()
    assert lost == 3
    await ben.written("add ben hp -1")


async def test_a_slow_network_is_told(ben: AtSeat) -> None:
    go_on = asyncio.Event()

    async def slowly(route: Route) -> None:
        await go_on.wait()
        await route.continue_()

    await ben.page.route("**/answer", slowly)
    await ben.page.get_by_role("button", name="queen of hearts").click()
    await expect(ben.news).to_have_text("Q♥: on its way …")
    go_on.set()
    await ben.written("reveal ben QH")
    await expect(ben.news).not_to_contain_text("on its way")


async def test_a_tap_that_meets_other_hands_is_told_what_became_of_it(ben: AtSeat) -> None:
    card = ben.page.get_by_role("button", name="queen of hearts")
    await card.hover()
    await ben.page.mouse.down()
    async with ben.page.expect_event("load"):
        ben.allow("look")
        await expect(ben.page.locator("html")).to_have_attribute("data-heard", "again")
        await ben.page.mouse.up()
    await expect(ben.news).to_contain_text("Q♥: not done. The host does not allow this phone to do this.")
    await expect(card).to_have_count(0)
    assert ben.log() == []


async def test_a_tap_under_way_as_permissions_change_is_reported(ben: AtSeat) -> None:
    on_its_way, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(route: Route) -> None:
        on_its_way.set()
        await go_on.wait()
        await route.continue_()

    await ben.page.route("**/answer", slowly)
    await ben.page.get_by_role("button", name="queen of hearts").click()
    await on_its_way.wait()
    async with ben.page.expect_event("load"):
        ben.allow("all")
        go_on.set()
    await expect(ben.news).to_have_text("Q♥: done.")
    await ben.written("reveal ben QH")


async def test_a_page_left_during_a_tap_says_so_when_it_is_back(ben: AtSeat) -> None:
    await ben.page.route("**/answer", lambda _: asyncio.sleep(0))
    await ben.page.get_by_role("button", name="queen of hearts").click()
    await ben.page.reload()
    await expect(ben.news).to_contain_text("Q♥: this page was left while that was on its way.")
    await ben.page.reload()
    await expect(ben.page.locator("#asked")).to_contain_text("Ben")
    assert await ben.news.inner_text() == ""


async def test_a_note_stays_while_it_is_typed(ben: AtSeat) -> None:
    note = ben.page.get_by_label("Say something for the log")
    await note.fill("a long")
    ben.host.sitting(ben.session).enter("add ana hp -1")
    await expect(ben.news).to_contain_text("Ana: HP 20 → 19, by hand.")
    await expect(note).to_be_focused()
    await ben.page.keyboard.type(" story\u202e")
    await ben.page.keyboard.press("Enter")
    await expect(ben.page.locator("#answering")).to_contain_text("cannot be displayed (U+202E)")
    await expect(note.last).to_have_value("a long story\u202e")
    await note.last.fill("a long story")
    await note.last.press("Enter")
    await ben.written("add ana hp -1", 'note "a long story"')
    await expect(note).to_have_count(1)
    await expect(note).to_have_value("")
    await expect(ben.page.locator("#log")).to_contain_text("a long story")


async def test_of_many_pages_the_newest_go_on_others_when_touched(ben: AtSeat) -> None:
    others = [await ben.page.context.new_page() for _ in range(4)]
    for page in others:
        await page.goto(ben.page.url)
        await listening(page)
    await expect(ben.page.locator("#reach")).to_contain_text("This phone has many pages open")
    await ben.page.locator("#reach").click()
    await expect(ben.page.locator("#reach")).to_be_empty()
    await listening(ben.page)
    ben.host.sitting(ben.session).enter("add ana hp -1")
    await expect(ben.news).to_contain_text("Ana: HP 20 → 19, by hand.")
    # What is tapped finds room beside all that is heard.
    await ben.page.get_by_role("button", name="queen of hearts").click()
    await ben.written("add ana hp -1", "reveal ben QH")


async def test_ones_turn_is_seen_and_felt(ben: AtSeat) -> None:
    await ben.page.evaluate("() => { navigator.vibrate = (time) => (window.shaken ??= []).push(time); }")
    icon = ben.page.locator("link[rel=icon]")
    await expect(ben.page).to_have_title("● DecknForge")
    await expect(icon).to_have_attribute("href", re.compile("turn.svg"))
    await ben.page.get_by_role("button", name="queen of hearts").click()
    await expect(ben.page).to_have_title("DecknForge")
    await expect(icon).to_have_attribute("href", re.compile("icon.svg"))
    for line in ("reveal ana 9S", "reveal cy 6C", "pass ana"):
        ben.host.sitting(ben.session).enter(line)
    await expect(ben.page).to_have_title("● DecknForge")
    assert await ben.page.evaluate("window.shaken") == [200]
    sound = ben.page.get_by_role("button", name="A sound when it is my turn")
    await sound.click()
    await expect(sound).to_have_attribute("aria-pressed", "true")
    await ben.page.reload()
    await expect(sound).to_have_attribute("aria-pressed", "true")


async def at_table_of(browser: Browser, host: Host, session: str) -> Page:
    """A phone at Ben's seat of a table whose server will go."""
    context = await browser.new_context(viewport={"width": 360, "height": 1200})
    seen = Seen(await context.new_page(), host)
    await seen.come_in(session, "Ben")
    await seen.take_seat("Ben")
    await listening(seen.page)
    return seen.page


def lines_behind(archive: Archive, session: str) -> list[str]:
    """What was entered since everybody sat down."""
    return [line.line for line in archive.lines(session)][6:]


async def test_what_is_tapped_out_of_reach_is_sent_when_back(browser: Browser, archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        port, session = host.port, host.fight()
        page = await at_table_of(browser, host, session)
    unsent = page.locator("#unsent")
    await page.locator("#asked").get_by_role("button", name="queen of hearts").click()
    await expect(unsent).to_contain_text("Q♥: not sent. It is sent as soon as the table is in reach again.")
    note = page.get_by_label("Say something for the log")
    await note.fill("We wait")
    await note.press("Enter")
    await expect(unsent).to_contain_text("Q♥, Write it down: not sent.")
    await page.locator("#mine").get_by_role("button", name="HP: less").click()
    await expect(unsent).to_contain_text("HP −1")
    # Three taps are all that waits.
    await page.locator("#mine").get_by_role("button", name="What would help now?").click()
    await expect(page.locator("#told")).to_contain_text("This was not taken")
    # It stays when what was tapped before would be told to be on its way.
    await asyncio.sleep(1)
    await expect(page.locator("#told")).to_contain_text("This was not taken")
    with serving(archive, port, permissions="own"):
        await expect(unsent).to_be_hidden()
        async with asyncio.timeout(20):
            while len(lines_behind(archive, session)) < 3:
                await asyncio.sleep(0.02)
        assert lines_behind(archive, session) == ["reveal ben QH", 'note "We wait"', "add ben hp -1"]
        await expect(page.locator("[data-pressed]")).to_have_count(0)
        await page.context.close()


async def test_the_last_answer_out_of_reach_replaces_the_earlier_one(browser: Browser, archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        port, session = host.port, host.fight()
        page = await at_table_of(browser, host, session)
    unsent, cards = page.locator("#unsent"), page.locator("#asked")
    await cards.get_by_role("button", name="queen of hearts").click()
    await expect(unsent).to_be_visible()
    await cards.get_by_role("button", name="nine of spades").click()
    await expect(unsent).to_contain_text("Will be sent as soon as the table is in reach again: 9♠ instead of Q♥.")
    await expect(cards.locator("[data-pressed]")).to_have_count(1)
    # Also back to the first one.
    await cards.get_by_role("button", name="queen of hearts").click()
    await expect(unsent).to_contain_text("Q♥ instead of 9♠.")
    await cards.get_by_role("button", name="two of clubs").click()
    await expect(unsent).to_contain_text("2♣ instead of Q♥.")
    with serving(archive, port, permissions="own"):
        await expect(unsent).to_be_hidden()
        await expect(page.locator("#mine")).to_contain_text("2♣")
        await expect(page.locator("[data-pressed]")).to_have_count(0)
        assert lines_behind(archive, session) == ["reveal ben 2C"]
        await page.context.close()


async def test_what_waited_for_a_question_that_went_is_told(browser: Browser, archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        port, session = host.port, host.fight()
        page = await at_table_of(browser, host, session)
    await page.locator("#asked").get_by_role("button", name="queen of hearts").click()
    await expect(page.locator("#unsent")).to_be_visible()
    TableClient(SharedSessions(archive).open(session)).enter("reveal ben 9S")
    with serving(archive, port, permissions="own"):
        await expect(page.locator("#answering")).to_contain_text("9♠")
        await expect(page.locator("#unsent")).to_be_hidden()
        assert lines_behind(archive, session) == ["reveal ben 9S"]
        await page.context.close()


async def test_taps_that_wait_can_all_be_left(browser: Browser, archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        port, session = host.port, host.fight()
        page = await at_table_of(browser, host, session)
    await page.locator("#asked").get_by_role("button", name="queen of hearts").click()
    await expect(page.locator("#unsent")).to_be_visible()
    await page.locator("#mine").get_by_role("button", name="HP: less").click()
    await expect(page.locator("#unsent")).to_contain_text("HP −1")
    await page.locator("#unsent").get_by_role("button", name="Leave it").click()
    await expect(page.locator("#unsent")).to_be_hidden()
    with serving(archive, port, permissions="own"):
        await expect(page.locator("#reach")).to_be_empty()
        await page.locator("#asked").get_by_role("button", name="jack of hearts").click()
        async with asyncio.timeout(20):
            while lines_behind(archive, session) != ["reveal ben JH"]:
                await asyncio.sleep(0.02)
        await page.context.close()


async def test_an_answer_begun_goes_with_its_question_and_not_before(ben: AtSeat) -> None:
    ben.host.sitting(ben.session).enter("9s qh 6c")
    ben.host.sitting(ben.session).enter("pass ana")
    await ben.page.get_by_role("button", name=re.compile("^Foil Ana")).first.click()
    begun = ben.page.locator("#answering form.answer")
    await expect(begun).to_be_visible()
    ben.host.sitting(ben.session).enter("note Wait")
    await expect(ben.page.locator("#log")).to_contain_text("Wait")
    await expect(begun).to_be_visible()
    ben.host.sitting(ben.session).enter("next")
    await expect(begun).to_have_count(0)
    await expect(ben.news).to_contain_text("What you were answering is no longer asked.")
