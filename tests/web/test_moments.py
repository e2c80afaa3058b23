"""Big moments on phones and on the television, and how pages look: buttons, suits, tiers, emblems, falling figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from companion.archive import Archive
from companion.games import registry
from companion.session.reports.big_moments import BigMoment, list_big_moments
from companion.web.templates import color_suits, emblem
from tests.web.serving import Host, serving
from tests.web.test_browser import Seen, listening
from tests.web.test_described import section
from tests.web.test_permissions import seated
from tests.web.test_screen import lines_of, open_screen

KILL: Final = ("kS kH kC", "pass ana", "pass ben", "pass cy", "set boss hp 20", "damage")
"""A round in which Ana kills the first Boss."""
SMALL: Final = {"width": 360, "height": 640}
BLOW: Final = "Ana takes the Killing Blow with K♠, face value 13."


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Tables at which phones may answer for their seats."""
    place = tmp_path_factory.mktemp("moments") / "archive.sqlite"
    with Archive.open(str(place), by="tests") as archive, serving(archive, permissions="own") as host:
        for _ in range(2):
            host.fight()
        yield host


def kill(host: Host, session: str) -> None:
    """Let Ana kill the Boss."""
    table = host.sitting(session)
    for line in KILL:
        table.enter(line)


def big_moments(host: Host, session: str) -> list[BigMoment]:
    """The big moments of a table, newest first."""
    table = host.sitting(session)
    return list(list_big_moments(table.session.game, table.log))


def test_a_kill_is_a_big_moment_with_what_was_gained(watched: Host) -> None:
    session = watched.fight()
    kill(watched, session)
    (moment,) = big_moments(watched, session)
    assert (moment.kind, moment.seat, str(moment.headline), moment.is_newest) == ("decision", "ana", BLOW, True)
    # What was gained comes first, and the arithmetic that led there last.
    details = [str(text) for text in moment.details]
    assert "8c" in str(moment.rewards[0])
    assert details[0] == "Boss 1 of 6 · A♦ of Cy falls."
    assert details[-1].startswith("Boss: 13 + 13 + 13 = 39 damage")


def test_a_note_leaves_a_moment_the_newest_and_an_answer_does_not(watched: Host) -> None:
    session = watched.fight()
    kill(watched, session)
    watched.sitting(session).enter('note "Well done"')
    assert big_moments(watched, session)[0].is_newest
    watched.sitting(session).enter("bonus surge")
    assert not big_moments(watched, session)[0].is_newest


def test_a_player_who_falls_is_a_big_moment(watched: Host) -> None:
    session = watched.table("seat ana", "seat ben", "begin seed 1", game="count")
    table = watched.sitting(session)
    table.enter("concede ana")
    table.confirm()
    kinds = [moment.kind for moment in big_moments(watched, session)]
    assert kinds[:1] in (["fall"], ["end"])


@pytest.mark.parametrize(
    ("game", "lines", "kind", "seat"),
    [
        # Whoever gives up is not who wins.
        ("oddfrontier", ("seat ana", "seat ben", "begin", "next", "concede ana"), "end", "ben"),
        # Ben's blow is about the one who falls.
        ("oddfrontier", ("seat ana", "seat ben", "seat cy", "begin", "next", "wound ben 3 ana 200"), "fall", "ana"),
        # What all win together has no emblem.
        ("decknforge", ("seat ana", "seat ben", "begin seed 1", "set table outcome win"), "end", ""),
    ],
)
def test_a_moment_bears_the_emblem_of_whom_it_is_about(
    watched: Host, game: str, lines: tuple[str, ...], kind: str, seat: str
) -> None:
    session = watched.table(*lines, game=game)
    moment = big_moments(watched, session)[0]
    assert (moment.kind, moment.seat) == (kind, seat)


def test_a_moment_goes_once_people_turn_to_the_next_boss(watched: Host) -> None:
    session = watched.fight()
    kill(watched, session)
    watched.sitting(session).enter("bonus surge")
    (moment,) = big_moments(watched, session)
    assert str(moment.headline) == BLOW
    watched.sitting(session).enter("reveal ana 2D")
    assert big_moments(watched, session) == []


def test_only_moments_of_one_answer_stand_together(watched: Host) -> None:
    session = watched.table("seat ana", "seat ben", "seat cy", "begin seed 1", game="count")
    table = watched.sitting(session)
    for seat in ("ana", "ben"):
        table.enter(f"concede {seat}")
        table.confirm()
    moments = big_moments(watched, session)
    groups = {moment.group for moment in table.log if moment.number in {each.number for each in moments}}
    assert len(moments) >= 1
    assert len(groups) == 1


def test_an_undone_moment_goes(watched: Host) -> None:
    session = watched.fight()
    kill(watched, session)
    watched.sitting(session).undo()
    watched.sitting(session).confirm()
    assert big_moments(watched, session) == []


def test_without_scripts_a_moment_stands_until_the_next_answer(watched: Host) -> None:
    session = watched.fight()
    kill(watched, session)
    ben = seated(watched, session, "ben")
    page = ben.get(f"/t/{session}").text
    assert 'class="feat decision"' in section(page, "moment")
    assert page.index('id="moment"') < page.index('id="asked"')
    watched.sitting(session).enter("bonus surge")
    assert 'class="feat decision past"' in section(ben.get(f"/t/{session}").text, "moment")


def test_the_television_shows_a_moment_until_the_next_answer(watched: Host) -> None:
    session = watched.fight()
    kill(watched, session)
    screen = seated(watched, session, "ben")
    assert 'class="feat decision"' in screen.get(f"/t/{session}/screen").text
    watched.sitting(session).enter("bonus surge")
    assert "feat" not in screen.get(f"/t/{session}/screen").text


def test_a_waiting_seat_sees_the_fight(watched: Host) -> None:
    session = watched.fight()
    watched.sitting(session).enter("kS kH kC")
    page = seated(watched, session, "cy").get(f"/t/{session}").text
    questions = section(page, "asked")
    assert "Boss 1 of 6" in questions
    assert "54" in questions
    assert "waits" in section(page, "mine")
    # Whoever is asked has the question there.
    assert 'class="fight"' not in seated(watched, session, "ana").get(f"/t/{session}").text


def test_buttons_differ_by_what_they_lead_to(watched: Host) -> None:
    session = watched.fight()
    watched.sitting(session).enter("kS kH kC")
    questions = section(seated(watched, session, "ana").get(f"/t/{session}").text, "asked")
    classes = {
        name: re.search(rf"<button([^>]*)>{name}", questions)[1]  # type: ignore[index]
        for name in ("Pass", "Spike", "Brace")
    }
    assert 'class="plain"' in classes["Pass"]
    assert not any("class=" in classes[name] for name in ("Spike", "Brace"))


def test_every_game_says_which_actions_give_up() -> None:
    for name in registry.names():
        weights = {action.verb(): action.weight for action in registry.game(name).actions}
        assert weights.get("concede", "final") == "final"
        assert set(weights.values()) <= {"", "plain", "final"}


def test_labels_and_inscriptions_have_the_colour_of_their_tier(watched: Host) -> None:
    game, lines = lines_of("decknforge/dungeon")
    session = watched.table(*lines, game=game)
    phone = seated(watched, session, watched.sitting(session).view.seats[-1].seat)
    page = phone.get(f"/t/{session}").text
    assert re.search(r'<li class="t1">(<a [^>]*>)?swift(</a>)?: ', page)
    assert re.search(r'<li class="t2">(<a [^>]*>)?thorns(</a>)?: ', page)
    assert '<span class="t1">swift</span>' in phone.get(f"/t/{session}/screen").text
    # A page with moments, emblems and colours is small as before.
    assert len(page.encode()) <= 40_000


def test_each_suit_has_its_colour() -> None:
    html = color_suits("K♠ K♥ K♦ K♣")
    assert html == ('K♠ <span class="red">K♥</span> <span class="red diamond">K♦</span> <span class="club">K♣</span>')


def test_an_emblem_follows_from_its_name_and_is_small() -> None:
    names = [f"Band {number}" for number in range(100)]
    assert emblem("Ash Wolves") == emblem("Ash Wolves")
    assert len({emblem(name) for name in names}) > 90
    assert max(len(emblem(name).encode()) for name in names) <= 600
    assert "aria-hidden" in emblem("<b>")
    assert "<b>" not in emblem("<b>")


async def open_seat(browser: Browser, host: Host, session: str, name: str) -> Seen:
    """A small phone at its seat."""
    context = await browser.new_context(viewport=SMALL, color_scheme="dark")  # type: ignore[arg-type]
    seen = Seen(await context.new_page(), host)
    await seen.come_in(session, f"{name}s Handy")
    await seen.take_seat(name)
    await expect(seen.page.locator("#mine .side")).to_be_visible()
    await listening(seen.page)
    return seen


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_a_moment_stays_until_it_is_touched(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    seen = await open_seat(browser, watched, session, "Ben")
    kill(watched, session)
    feat = seen.page.locator("#moment .feat.open")
    await expect(feat).to_contain_text(BLOW)
    watched.sitting(session).enter("bonus surge")
    await expect(seen.page.locator("#moment .past")).to_have_count(1)
    await expect(feat).to_be_visible()
    assert await seen.faults() == []
    await seen.page.reload()
    await expect(feat).to_be_visible()
    await seen.page.get_by_role("button", name="Close").click()
    await expect(feat).to_have_count(0)
    await expect(seen.page.get_by_role("button", name="Close")).to_be_hidden()
    await seen.page.reload()
    await expect(seen.page.locator("#asked h2").first).to_be_visible()
    await expect(feat).to_have_count(0)
    assert seen.complaints == []
    await seen.page.context.close()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_a_moment_lies_on_no_button_and_takes_no_focus(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    seen = await open_seat(browser, watched, session, "Ana")
    page = seen.page
    table = watched.sitting(session)
    for line in KILL[:-1]:
        table.enter(line)
    await page.locator("#asked").focus()
    table.enter("damage")
    await expect(page.locator("#moment .feat.open")).to_be_visible()
    await expect(page.locator("#asked").get_by_role("button", name="Surge")).to_be_visible()
    assert await page.evaluate("document.activeElement.closest('#moment') === null")
    assert await page.evaluate("document.getElementById('told').textContent") == ""
    boxes = await page.evaluate(
        """() => {
          const feat = document.querySelector("#moment").getBoundingClientRect();
          return [...document.querySelectorAll("#asked button")].filter((one) => one.offsetWidth)
            .map((one) => one.getBoundingClientRect()).filter((box) => box.top < feat.bottom && box.bottom > feat.top);
        }"""
    )
    assert boxes == []
    assert await seen.faults() == []
    await page.context.close()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_what_falls_stands_beside_its_figure(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    seen = await open_seat(browser, watched, session, "Ben")
    watched.sitting(session).enter("add ben hp -3")
    change = seen.page.locator("#mine .big .change")
    await expect(change).to_have_text("−3")
    assert await change.get_attribute("aria-hidden") == "true"
    await expect(change).to_have_count(0)
    await seen.page.context.close()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_cards_grow_with_the_screen(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    seen = await open_seat(browser, watched, session, "Ben")
    card = seen.page.get_by_role("button", name="nine of spades")
    small = await card.bounding_box()
    await seen.page.set_viewport_size({"width": 768, "height": 1024})
    large = await card.bounding_box()
    assert small
    assert large
    assert large["width"] > 80 > small["width"]
    assert large["height"] >= 60
    assert await fits(seen.page)
    await seen.page.context.close()


async def fits(page: Page) -> bool:
    """Return True if a page is no wider than the screen."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_the_television_is_whole_with_a_moment(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    page = await (await browser.new_context(viewport={"width": 1024, "height": 768})).new_page()
    await open_screen(page, watched, session)
    kill(watched, session)
    await expect(page.locator("#newest .feat")).to_contain_text(BLOW)
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    await page.context.close()


CONTRAST: Final = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isFilled = (one) => (channels(getComputedStyle(one).backgroundColor)[3] ?? 1) > 0;
  const behind = (one) => (isFilled(one) ? getComputedStyle(one).backgroundColor : behind(one.parentElement));
  return [...document.querySelectorAll("button :is(.red, .diamond, .club), label :is(.red, .diamond, .club)")]
    .map((one) => [luminance(getComputedStyle(one).color), luminance(behind(one))].sort((a, b) => b - a))
    .map(([light, dark]) => (light + 0.05) / (dark + 0.05));
}"""
"""The contrast of each suit on a button or a box, whether it is in view or folded away."""
BUTTONS: Final = """
<main><form>{filled}</form><form class="quiet">{filled}</form>
<div class="ways">{filled}<button class="plain">{suits}</button><button class="final">{suits}</button></div>
<div class="ways">{tiers}</div><div class="suit"><button>{suits}</button><label>{box}{suits}</label></div>
<div class="names"><label>{box}{suits}</label></div></main>
"""
READABLE: Final = 4.5


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("contrast", ["no-preference", "more"])
async def test_suits_on_all_buttons_are_readable(browser: Browser, watched: Host, scheme: str, contrast: str) -> None:
    context = await browser.new_context(color_scheme=scheme, contrast=contrast)  # type: ignore[arg-type]
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{watched.port}/pin")
    suits = str(color_suits("K♠ K♥ K♦ K♣"))
    tiers = "".join(f'<button class="t{tier}">{suits}</button>' for tier in range(1, 5))
    filled, box = f"<button>{suits}<small>{suits}</small></button>", '<input type="checkbox" checked>'
    html = BUTTONS.format(filled=filled, suits=suits, tiers=tiers, box=box)
    await page.evaluate("(html) => (document.body.innerHTML = html)", html)
    contrasts: list[float] = await page.evaluate(CONTRAST)
    assert len(contrasts) == 3 * (3 * 2 + 2 + 4 + 3)
    assert min(contrasts) >= READABLE
    await context.close()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_a_moment_leaves_the_bonus_in_view(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    seen = await open_seat(browser, watched, session, "Ana")
    page = seen.page
    kill(watched, session)
    await expect(page.locator("#moment .feat.open")).to_be_visible()
    for name in ("Momentum", "Surge", "Rally"):
        box = await page.locator("#asked").get_by_role("button", name=name).bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= SMALL["height"]
    await page.context.close()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.slow
async def test_news_covers_no_button_that_answers(browser: Browser, watched: Host) -> None:
    session = watched.fight()
    seen = await open_seat(browser, watched, session, "Ana")
    page = seen.page
    kill(watched, session)
    surge = page.locator("#asked").get_by_role("button", name="Surge")
    await expect(surge).to_be_visible()
    watched.sitting(session).enter("add ben hp -1")
    await expect(page.locator("#told")).not_to_be_empty()
    toast, button = await page.locator("#told").bounding_box(), await surge.bounding_box()
    assert toast
    assert button
    assert toast["y"] + toast["height"] <= button["y"]
    await page.context.close()
