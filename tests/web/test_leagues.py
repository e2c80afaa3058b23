"""The pages of the leagues: a season read on a phone, and nobody named who does not want to be."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from companion.archive.people import leagues, people
from companion.archive.storage.entries import LeagueResult
from companion.league import season
from tests.hostile import MARKUP, steers
from tests.web.serving import PIN, Host, Phone
from tests.web.test_browser import Seen

NAMES = (
    *("Ana", "Ben", "Cy", "Dora Łoś", "Eve", "Flo", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea", "Max", "Nia"),
    *("Maximiliane von Hohenzollern-Emden", "Pip"),
)


def play(host: Host) -> season.Season:
    """A season of 16 with five rounds of Swiss; who joined first wins."""
    rows = [row for row in leagues.leagues(host.archive) if row.name == "Winter"]
    if rows:
        return season.read_season(host.archive, "Winter")
    played = season.create(host.archive, "Winter", NAMES, season.LeagueSettings(rounds=5, seed=1))
    numbers = {player.person: player.number for player in played.league.players}
    for number in range(1, 6):
        played = season.draw_next(host.archive, played, number)
        for match in played.league.round(number):
            first, second = sorted(match.people, key=numbers.__getitem__)
            end = season.MatchOutcome((first, second), LeagueResult((1, 2), (2, number % 2)))
            played = season.enter(host.archive, played, end)
    people.set_alias(host.archive, "Ben", "Grey Fox")
    people.set_alias(host.archive, "Cy", hidden=True)
    return season.read_season(host.archive, "Winter")


@pytest.fixture(scope="module")
def winter(host: Host) -> season.Season:
    return play(host)


@pytest.fixture(scope="module")
def phone(host: Host) -> Phone:
    return host.phone("Zoe")


def test_a_phone_finds_the_standings_of_a_league(phone: Phone, winter: season.Season) -> None:
    assert f'href="/l/{winter.row.league}"' in phone.get("/leagues").text
    text = phone.get(f"/l/{winter.row.league}").text
    assert text.index("Ana") < text.index("Pip")
    assert "Round 5 of 5" in text
    assert "Round 2 of 5" in phone.get(f"/l/{winter.row.league}?round=2").text
    assert phone.get("/l/7K3M9Q").status == 404
    assert phone.get(f"/l/{winter.row.league.lower()}").status == 404


def test_a_page_names_nobody_who_does_not_want_it(phone: Phone, winter: season.Season) -> None:
    text = phone.get(f"/l/{winter.row.league}").text
    assert "Grey Fox" in text
    assert "Player 3" in text
    assert ">Ben<" not in text
    assert ">Cy<" not in text


def test_a_name_steers_no_page(host: Host, phone: Phone) -> None:
    begun = season.create(host.archive, MARKUP[0][:60], ["<b>Ana</b>", "Ben"], season.LeagueSettings(seed=1))
    season.draw_next(host.archive, begun, 1)
    for path in ("/leagues", f"/l/{begun.row.league}"):
        assert not steers(phone.get(path).text)
        assert "<b>Ana" not in phone.get(path).text


@pytest_asyncio.fixture(loop_scope="session")
async def seen(browser: Browser, host: Host, winter: season.Season) -> AsyncIterator[Seen]:
    """The smallest phone in use, on the league's page."""
    context = await browser.new_context(viewport={"width": 360, "height": 640}, color_scheme="dark")
    seen = Seen(await context.new_page(), host)
    await seen.page.goto(f"http://127.0.0.1:{host.port}/l/{winter.row.league}")
    await seen.page.get_by_label("six digits").fill(PIN)
    await seen.page.get_by_role("button", name="Come in").click()
    await expect(seen.page.get_by_role("heading", name="Winter")).to_be_visible()
    yield seen
    await context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_season_is_readable_on_a_small_phone(seen: Seen) -> None:
    assert await seen.faults() == []
    assert await seen.page.locator(".standings li").count() == 16
    if folder := os.environ.get("COMPANION_PICTURES"):
        await seen.page.screenshot(path=Path(folder, "league-phone.png"))
        await seen.page.locator("#standings").scroll_into_view_if_needed()
        await seen.page.evaluate("document.querySelector('#standings').scrollIntoView()")
        await seen.page.screenshot(path=Path(folder, "league-phone-standings.png"))
    assert seen.complaints == []
