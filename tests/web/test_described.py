"""Games from their pages on phones: score sheets, figures of opponents, and the steps that a page says."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from companion.archive import Archive
from companion.games import registry
from companion.games.described.load import game_from_text
from tests.games.described import pages
from tests.games.described.extremes import extreme_table, visible_counters, wrong_numbers
from tests.games.described.shown import CROWN_PLAYED, PLACES_PLAYED, TRICKS_PLAYED, table_of
from tests.web.serving import PIN, Host, Phone, serving
from tests.web.test_browser import NOTED, Seen, take_seat

TWELVE = """
name = "twelve"
title = "Twelve"

[play]
players = "2-12"

[counters.life]
start = 20
big = true
"""


@pytest.fixture
def answering(archive: Archive) -> Iterator[Host]:
    """Whose phones may answer for their seats."""
    with serving(archive, permissions="own") as host:
        yield host


def phone_at(host: Host, session: str, seat: str) -> Phone:
    """A phone at a seat."""
    phone = host.phone("Ana")
    phone.sit(session, seat)
    return phone


def section(page: str, name: str) -> str:
    """A part of a table's page."""
    match = re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL)
    assert match
    return match[0]


def test_a_score_sheet_is_a_table_with_totals(answering: Host) -> None:
    session = table_of(answering.archive, "bids", TRICKS_PLAYED)
    middle = section(phone_at(answering, session, "ana").get(f"/t/{session}").text, "middle")
    assert re.findall(r"<bdi>(\w+)</bdi></th>", middle) == ["Ana", "Ben", "Cleo", "Dora"]
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>.*?</tr>", middle, re.DOTALL)[1:]]
    assert rows[0] == ["Hand", "1", "1/1", "11", *["1/0", "−5"] * 3]
    assert rows[-1] == ["Total", "11", "−10", "−10", "−10"]


def test_twelve_players_have_a_seat_and_a_page(answering: Host) -> None:
    registry.register(game_from_text(TWELVE))
    seats = [f"p{at}" for at in range(1, 13)]
    session = table_of(answering.archive, "twelve", (*(f"seat {seat}" for seat in seats), "first p1", "begin seed 1"))
    joining = section(answering.phone("Ana").get(f"/t/{session}").text, "joining")
    assert re.findall(r'name="seat" value="(\w+)"', joining) == seats
    others = section(phone_at(answering, session, "p12").get(f"/t/{session}").text, "seats")
    assert re.findall(r"<bdi>(P\d+)</bdi>", others) == [f"P{at}" for at in range(1, 12)]


@pytest.mark.slow
def test_the_steps_of_a_page_are_buttons(answering: Host) -> None:
    session = table_of(answering.archive, "poisoned", CROWN_PLAYED)
    ana = phone_at(answering, session, "ana")
    page = ana.get(f"/t/{session}")
    mine = section(page.text, "mine")
    assert re.findall(r'name="sign" value="([^"]+)" aria-label="Life', mine) == ["-5", "-", "+", "+5"]
    assert re.findall(r'name="sign" value="([^"]+)" aria-label="Poison', mine) == ["-", "+"]
    ana.post(f"/t/{session}/change", page.token, target="ana", counter="life", sign="-5", amount="1")
    ana.post(f"/t/{session}/change", page.token, target="ana", counter="life", sign="+", amount="2")
    assert [line.line for line in answering.archive.lines(session)][-2:] == ["add ana life -5", "add ana life +2"]


@pytest.mark.slow
def test_what_nobody_has_done_yet_can_be_entered_and_takes_no_room(answering: Host) -> None:
    session = table_of(answering.archive, "poisoned", CROWN_PLAYED)
    ana = phone_at(answering, session, "ana")
    page = ana.get(f"/t/{session}")
    mine = section(page.text, "mine")
    assert "Commander damage" not in mine.partition("<details")[0]
    assert "<summary>Change Poison, Commander damage</summary>" in mine
    ana.post(f"/t/{session}/change", page.token, target="ana", counter="commander-fay", sign="+", amount="3")
    mine = section(ana.get(f"/t/{session}").text, "mine")
    assert "Commander damage: Fay" in mine.partition("<details")[0]


@pytest.mark.slow
def test_a_phone_at_a_seat_is_not_asked_who_does_it(archive: Archive) -> None:
    pages.load(pages.TABLES / "keys" / "order-together.toml")
    session = table_of(archive, "order-together", ("seat ana", "seat ben", "begin seed 1"))
    with serving(archive, permissions="all") as host:
        page = phone_at(host, session, "ana").get(f"/t/{session}").text
    steps = re.findall(r'name="step" value="([^"]+)"', section(page, "asked"))
    assert [step for step in steps if "dig" in step] == ["ana:dig ana", "ben:dig ben"]


@pytest.mark.slow
def test_what_can_be_done_is_named_alike_and_once(answering: Host) -> None:
    played = ("seat ana", "seat ben", "begin seed 5", "next", 'draw encounter is "Ash Wolf"', "next")
    drawing = table_of(answering.archive, "villain", played[:4])
    questions = section(phone_at(answering, drawing, "ana").get(f"/t/{drawing}").text, "asked")
    assert re.findall(r"<p>([^<]*Encounter deck[^<]*)</p>", questions) == ["Draw: Encounter deck"]
    acting = table_of(answering.archive, "villain", played)
    page = phone_at(answering, acting, "ana").get(f"/t/{acting}").text
    buttons = [
        re.sub(r"<[^>]+>", "|", each) for each in re.findall(r"<button name=\"step\".*?</button>", page, re.DOTALL)
    ]
    for button in (
        "Fight Ash Wolf|Fight an enemy",
        "Charge|Attack the villain",
        "Rest|Heal 2",
        "Put Enemy …|",
        "Draw Encounter deck|",
    ):
        assert [each for each in buttons if button in each], (button, buttons)
    assert not [each for each in buttons if "encounter for" in each]


@pytest.mark.slow
def test_what_all_have_to_do_is_the_hosts_and_says_so(answering: Host) -> None:
    session = table_of(answering.archive, "villain", ("seat ana", "seat ben", "begin seed 5"))
    questions = section(phone_at(answering, session, "ana").get(f"/t/{session}").text, "asked")
    assert questions.count("draws up to five") == 1
    assert "The host’s screen answers that." in questions


@pytest.mark.slow
def test_what_lies_before_a_seat_is_changed_by_its_phone(answering: Host) -> None:
    session = table_of(answering.archive, "poisoned", (*CROWN_PLAYED, "put bear creature of ben with 2 2"))
    ana = phone_at(answering, session, "ana")
    page = ana.get(f"/t/{session}")
    assert re.search(r'name="target" value="wolf">\s*<input type="hidden" name="counter" value="toughness"', page.text)
    for target in ("wolf", "bear", "dungeon"):
        ana.post(f"/t/{session}/change", page.token, target=target, counter="toughness", sign="-", amount="1")
    assert [line.line for line in answering.archive.lines(session)][-1:] == ["add wolf toughness -1"]


@pytest.mark.sample(2)
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(("game", "lines"), [("poisoned", CROWN_PLAYED), ("bids", TRICKS_PLAYED)])
async def test_such_a_table_fits_a_phone(browser: Browser, answering: Host, game: str, lines: tuple[str, ...]) -> None:
    session = table_of(answering.archive, game, lines)
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    seen = Seen(await context.new_page(), answering)
    await context.add_init_script(NOTED)
    await seen.page.goto(f"http://127.0.0.1:{answering.port}/t/{session}")
    await seen.page.get_by_label("six digits").fill(PIN)
    await seen.page.get_by_label("Your name").fill("Ben")
    await seen.page.get_by_role("button", name="Come in").click()
    await seen.take_seat("Ben")
    await expect(seen.page.locator("#mine .side")).to_have_count(1)
    for details in await seen.page.locator("#mine details").all():
        await details.evaluate("one => (one.open = true)")
    assert await seen.faults() == []
    assert seen.complaints == []
    await context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_taps_on_several_steps_are_one_change(browser: Browser, answering: Host) -> None:
    session = table_of(answering.archive, "poisoned", CROWN_PLAYED)
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{answering.port}/t/{session}")
    await page.get_by_label("six digits").fill(PIN)
    await page.get_by_label("Your name").fill("Ana")
    await page.get_by_role("button", name="Come in").click()
    await take_seat(page, "Ana")
    mine = page.locator("#mine")
    await mine.get_by_role("button", name="Life: 5 less").click()
    await mine.get_by_role("button", name="Life: less").click()
    await expect(mine.locator(".big strong")).to_have_text("32")
    assert [line.line for line in answering.archive.lines(session)][-1] == "add ana life -6"
    await context.close()


def words_of(page: str) -> str:
    """The text of a part of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", pages.NAMES)
def test_a_phone_shows_every_figure_whole(answering: Host, game: str) -> None:
    session = extreme_table(answering.archive, game)
    page = phone_at(answering, session, "ana").get(f"/t/{session}").text
    view = answering.sitting(session).view
    parts = words_of("".join(section(page, name) for name in ("middle", "mine", "seats")))
    text = re.sub(r"[−+]\d+(?= )", lambda step: "" if step[0][1:] in ("1", "3", "5", "10") else step[0], parts)
    numbers = re.findall(r"−?\d+", text)
    assert [str(c.caption) for c in visible_counters(view) if c.number and str(c.figure) not in numbers] == []
    assert {number for number in wrong_numbers(view, text) if len(number.strip("−")) > 2} == set()


def test_a_phone_tells_things_of_one_name_apart(answering: Host) -> None:
    session = table_of(answering.archive, "places", PLACES_PLAYED)
    page = phone_at(answering, session, "ana").get(f"/t/{session}").text
    middle = section(page, "middle")
    assert re.findall(r'<th scope="row">(Active|Bench 1)</th>', middle) == ["Active", "Bench 1"]
    names = re.findall(r'class="name"><bdi>([^<]+)</bdi>', middle)
    assert names[:4] == ["Guard 6", "Guard 4", "Guard 2", "1 Wolf"]
    assert "2 more figures" in middle
    assert "Shield 2" in words_of(middle)
    assert "1 more figure" in section(page, "mine")


def test_a_phone_asks_before_a_player_is_out(answering: Host) -> None:
    session = table_of(answering.archive, "poisoned", CROWN_PLAYED)
    ana = phone_at(answering, session, "ana")
    page = ana.get(f"/t/{session}")
    change = {"target": "ana", "counter": "life", "sign": "-", "amount": "38"}
    reply = ana.post(f"/t/{session}/change", page.token, **change)
    assert "Ana would be out (Life 38 now)." in reply.text
    assert "life -38" not in [line.line for line in answering.archive.lines(session)][-1]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', section(reply.text, "answering")))
    ana.post(f"/t/{session}/change", page.token, **change, sure=fields["sure"])
    assert [line.line for line in answering.archive.lines(session)][-1] == "add ana life -38"


def test_a_phone_enters_its_open_column_before_it_is_asked(answering: Host) -> None:
    pages.load(pages.TABLES / "keys" / "sheet-rounds.toml")
    session = table_of(answering.archive, "sheet-rounds", ("seat ana", "seat ben", "begin seed 1"))
    phone = phone_at(answering, session, "ben")
    page = phone.get(f"/t/{session}")
    assert "Ben: Dishes?" in page.text
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    phone.post(f"/t/{session}/answer", page.token, step="ben:enter ben dishes N›=7", at=at)
    assert answering.sitting(session).session.state.entered == {"ben": {"dishes": 7}}
    assert "Ben: Dishes?" not in phone.get(f"/t/{session}").text


NO_FIGURE = """
name = "no-figure"
title = "No figure"

[play]
order = "together"
hand = 1

[sheet]
columns = ["wins"]
limit = { wins = "wins < 0" }
"""


def test_a_phone_asks_before_a_figure_breaks_a_rule(answering: Host) -> None:
    registry.register(game_from_text(NO_FIGURE))
    session = table_of(answering.archive, "no-figure", ("seat ana", "seat ben", "begin seed 1"))
    phone = phone_at(answering, session, "ana")
    page = phone.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    answer = {"step": "ana:enter ana wins N is_allowed=True›=1", "at": at}
    reply = phone.post(f"/t/{session}/answer", page.token, **answer)
    assert "By the rules, this figure is not open. Does the table allow it?" in reply.text
    assert answering.sitting(session).session.state.entered == {}
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', section(reply.text, "answering")))
    phone.post(f"/t/{session}/answer", **{"token": page.token, **answer, **fields})
    assert answering.sitting(session).session.state.entered == {"ana": {"wins": 1}}
