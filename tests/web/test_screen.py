"""The page for a television: what the room sees of a table, from three metres, and what is not for the room."""

import time
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from companion.session.table.countdown import CountdownWish
from companion.web.screen import SCREEN_PAGE
from companion.web.tables import EVERYBODY, render_table
from tests.games.described import pages
from tests.games.described.shown import table_of
from tests.session.test_secrets import MAIN, NAME
from tests.tui.test_pictures import MIDDLE
from tests.web.serving import PIN, Host
from tests.web.test_browser import Seen, listening

TABLES: Final = Path(__file__).parents[1] / "tables"
CROWDED: Final = (
    "decknforge/dungeon",
    "oddfrontier/mid-game",
    "solforge/mid-game",
    "soulforger/mid-game",
    "described/commander",
    "described/legacy",
    "described/tricks",
    "described/treasure",
    "described/villain",
)
SIZES: Final = {"television": (1920, 1080), "tablet": (1024, 768)}
LEGIBLE: Final = 0.043
"""Of a screen's height: on a tablet 15 cm high, capitals of this size are 4.5 mm tall: good eyes read them three metres
away.
"""
LARGE: Final = 0.08
DETAIL: Final = 0.018
CUT_OFF: Final = """[...document.querySelectorAll("#board *:not(h2 *), #newest p")]
  .filter((one) => one.offsetWidth && !one.closest(".unseen"))
  .filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
  }).map((one) => one.outerHTML)"""
SIZE_OF_LETTERS: Final = """(selector) => Math.min(...[...document.querySelectorAll(selector)]
  .map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerHeight"""


def lines_of(name: str) -> tuple[str, list[str]]:
    """A recorded table: its game, and its lines; of the dungeon, up to the middle of a fight."""
    text = (TABLES / f"{name}.table").read_text(encoding="utf-8").partition(MIDDLE)[0]
    begin, *rows = [row for row in text.splitlines() if row.partition("#")[0].strip()]
    return begin.split()[1], [row for row in rows if not row.startswith(("seal", "expect", "refuse"))]


async def open_screen(page: Page, host: Host, session: str) -> None:
    """The screen of a table, over the PIN."""
    await page.goto(f"http://127.0.0.1:{host.port}/t/{session}/screen")
    await page.get_by_label("six digits").fill(PIN)
    await page.get_by_role("button", name="Come in").click()
    await expect(page.locator("#board .seat").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("size", SIZES)
async def test_every_table_is_whole_and_legible_across_the_room(browser: Browser, host: Host, size: str) -> None:
    width, height = SIZES[size]
    dark = size == "television"
    context = await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    seen = Seen(await context.new_page(), host)
    page = seen.page
    await open_screen(page, host, host.fight())
    for name in CROWDED:
        game, lines = lines_of(name)
        session = host.table(*lines, game=game)
        await page.goto(f"http://127.0.0.1:{host.port}/t/{session}/screen")
        for seat in host.sitting(session).view.seats:
            await expect(page.locator(".seat h2", has_text=seat.name)).to_be_visible()
        assert await page.evaluate(CUT_OFF) == [], name
        assert await page.evaluate(SIZE_OF_LETTERS, ".seat h2, .now, .opponents h2") >= LEGIBLE, name
        assert await page.evaluate(SIZE_OF_LETTERS, ".seat .big strong") >= LARGE, name
        assert await page.evaluate(SIZE_OF_LETTERS, "#board *") >= DETAIL, name
        assert await page.locator("button, input, a, summary").count() == 0
        assert [await seen.faults(), seen.complaints] == [[], []], name
    await context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_many_seats_and_long_names_are_all_on_it(browser: Browser, host: Host) -> None:
    seats = [f'seat {name} name "{name.title()} Montgomery-Featherstonehaugh of {name}"' for name in "abcdefgh"]
    session = host.table(*seats, "begin seed 1", game="count")
    page = await (await browser.new_context(viewport={"width": 1024, "height": 768})).new_page()
    await open_screen(page, host, session)
    await expect(page.locator(".seat")).to_have_count(8)
    assert await page.evaluate(CUT_OFF) == []
    assert await page.evaluate(SIZE_OF_LETTERS, ".seat h2") >= LEGIBLE
    await page.context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_it_follows_the_table_and_stays_whole(browser: Browser, host: Host) -> None:
    session = host.fight()
    context = await browser.new_context(viewport={"width": 1920, "height": 1080})
    seen = Seen(await context.new_page(), host)
    await seen.come_in(session)
    await seen.take_seat("Ana")
    await seen.page.get_by_role("link", name="For a television").click()
    await listening(seen.page)
    host.sitting(session).enter("ks qh 6c")
    for name, card in (("Ana", "K♠"), ("Ben", "Q♥"), ("Cy", "6♣")):
        await expect(seen.page.locator(".seat", has_text=name)).to_contain_text(card)
    await expect(seen.page.locator("#newest")).to_contain_text("Cy reveals 6♣: 6.")
    host.sitting(session).enter('note "' + "A long story that somebody tells. " * 12 + '"')
    await expect(seen.page.locator("#newest")).to_contain_text("A long story")
    assert [await seen.page.evaluate(CUT_OFF), seen.complaints] == [[], []]
    await context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_without_scripts_it_loads_itself_anew(browser: Browser, host: Host) -> None:
    page = await (await browser.new_context(java_script_enabled=False)).new_page()
    await open_screen(page, host, host.fight())
    assert 'http-equiv="refresh"' in await page.content()
    await page.context.close()


def test_whoever_opens_it_the_room_sees_no_face_down_card(host: Host) -> None:
    session = host.table(*MAIN, game="soulforger")
    ana = host.phone("Ana")
    ana.sit(session, "ana")
    with ana.news(f"{session}/screen") as news:
        assert news.of_table()
        host.sitting(session).enter(f'set-action ana "{NAME}"')
        event = news.of_table()
    page = ana.get(f"/t/{session}/screen").text
    assert NAME in ana.get(f"/t/{session}").text
    assert NAME not in page + event.data
    assert "face down" in page
    # Their own seat is one of all.
    assert all(f"<bdi>{name}</bdi>" in page for name in ("Ana", "Ben"))


def test_only_who_was_let_in_sees_it(host: Host) -> None:
    fight = host.fight()
    for path in (f"/t/{fight}/screen", "/screen"):
        assert host.stranger().get(path).leads_to == f"/pin?to={path}"
    phone = host.phone("Screen")
    with phone.news(f"{fight}/screen") as news:
        assert news.of_table().sections.keys() == {*SCREEN_PAGE.sections}
        (entry,) = [each for each in host.server.phones.all() if each.name.startswith("Screen")]
        host.server.phones.send_away(entry.phone)
        while (event := news.next()).kind == "beat":
            pass
        assert event.kind == "again"


def test_a_short_address_leads_to_tonights_table(own_host: Host) -> None:
    phone = own_host.phone()
    assert phone.get("/screen").leads_to == "/tables"
    session = own_host.fight()
    assert phone.get("/screen").leads_to == f"/t/{session}/screen"


def test_of_several_tables_a_screen_asks_which(own_host: Host) -> None:
    sessions = {own_host.fight(), own_host.fight()}
    page = own_host.phone().get("/screen")
    assert (page.status, "Which table is this screen for?" in page.text) == (200, True)
    assert {session for session in sessions if f'href="/t/{session}/screen"' in page.text} == sessions


def test_at_the_end_it_says_who_has_won(host: Host) -> None:
    session = host.table("seat ana", "seat ben", "begin seed 1", "damage ben 120", game="solforge")
    page = host.phone().get(f"/t/{session}/screen").text
    assert "Ana has won." in page
    assert "Asked now" not in page


def test_the_countdown_is_on_it_while_it_runs(host: Host) -> None:
    sitting = host.sitting(host.fight())
    assert "data-until" not in render_table(sitting, EVERYBODY, SCREEN_PAGE).sections["board"]
    sitting.countdown.wish = CountdownWish(90)
    sitting.countdown.go_on(time.monotonic())
    assert 'data-of="90"' in render_table(sitting, EVERYBODY, SCREEN_PAGE).sections["board"]


@pytest.mark.parametrize(("game", "seats", "columns"), [("two-heads", 4, " columns-2"), ("count", 4, "")])
def test_partners_are_below_each_other(own_host: Host, game: str, seats: int, columns: str) -> None:
    pages.ready(game)
    lines = (*(f"seat {seat}" for seat in ("ana", "ben", "cy", "dee")[:seats]), "begin seed 1")
    session = table_of(own_host.archive, game, lines)
    page = own_host.phone().get(f"/t/{session}/screen").text
    assert f'<ul class="seats of-{seats}{columns}">' in page
