"""Leagues on their screens: begun by a form, drawn by a key, results in four keys each, and nothing by mistake."""

import pytest

from companion.archive import Archive
from companion.archive.people import leagues
from companion.league import season
from companion.league.standings import standings
from companion.tui.screens.form import FormScreen
from companion.tui.screens.leagues import LeagueScreen, LeaguesScreen
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


def begin(archive: Archive) -> season.Season:
    """Winter with four people, whose first round is not drawn."""
    return season.create(archive, "Winter", ["Ana", "Ben", "Cy", "Dora"], season.LeagueSettings(seed=1, rounds=3))


async def at_league(hand: Hand) -> LeagueScreen:
    """From home into the first league."""
    await hand.press("ctrl+l")
    await hand.until(lambda: isinstance(hand.app.screen, LeaguesScreen) and bool(hand.app.screen.query("#rows")))
    await hand.settle()
    await hand.press("enter")
    await hand.until(lambda: isinstance(hand.app.screen, LeagueScreen) and bool(hand.app.screen.query("#rows")))
    await hand.settle()
    screen = hand.app.screen
    assert isinstance(screen, LeagueScreen)
    return screen


def winter(archive: Archive) -> season.Season:
    return season.read_season(archive, "Winter")


async def test_a_round_is_drawn_by_a_key_and_filled_by_four_each(sit: Seat, archive: Archive) -> None:
    begin(archive)
    async with sit(size=(120, 40)) as hand:
        await at_league(hand)
        await hand.press("f2")
        await hand.until(lambda: "Round 1 is drawn." in hand.status)
        (first, second) = winter(archive).league.round(1)
        await hand.press("2", "-", "1", "enter")
        await hand.until(lambda: "1 still open." in hand.status)
        await hand.press("0", "-", "2", "enter")
        await hand.until(lambda: "All results are in" in hand.status)
        played = winter(archive)
        results = [match.result.games for match in played.league.round(1) if match.result]
        assert results == [(2, 1), (0, 2)]
        assert {line.person for line in standings(played.league)[:2]} == {first.people[0], second.people[1]}


async def test_a_name_finds_its_match_and_enters_nothing(sit: Seat, archive: Archive) -> None:
    season.draw_next(archive, begin(archive), 1)
    async with sit(size=(120, 40)) as hand:
        screen = await at_league(hand)
        await hand.press(*"dora")
        await hand.until(lambda: screen.rows.total == 1)
        await hand.press("enter")
        await hand.until(lambda: "won by two games" in hand.status)
        assert len(winter(archive).league.open_matches()) == 2
        await hand.press(*" 2-0", "enter")
        await hand.until(lambda: "Dora 2–0" in hand.status)
        assert len(winter(archive).league.open_matches()) == 1


async def test_what_stands_is_changed_only_by_a_second_enter(sit: Seat, archive: Archive) -> None:
    drawn_season = season.draw_next(archive, begin(archive), 1)
    first = drawn_season.league.round(1)[0]
    outcome = season.read_outcome(drawn_season, [*first.people, "2-0"])
    season.enter(archive, drawn_season, outcome)
    async with sit(size=(120, 40)) as hand:
        await at_league(hand)
        one, other = (winter(archive).name(person) for person in first.people)
        await hand.press(*f"{other} {one} 2-1".lower(), "enter")
        await hand.until(lambda: "already. Repeat it to do it anyway." in hand.status)
        assert winter(archive).league.round(1)[0].result == outcome.result
        await hand.press("enter")
        await hand.until(lambda: f"{other} 2–1" in hand.status)
        await hand.press("f8")
        await hand.until(lambda: "people may have seen it" in hand.status)
        assert not winter(archive).league.redrawn
        await hand.press("f8")
        await hand.until(lambda: "Round 1 is drawn again." in hand.status)
        assert winter(archive).league.redrawn == {1: 1}


@pytest.mark.slow
async def test_people_come_late_leave_and_do_not_come(sit: Seat, archive: Archive) -> None:
    season.draw_next(archive, begin(archive), 1)
    async with sit(size=(80, 24)) as hand:
        await at_league(hand)
        await hand.press(*"join eve", "enter")
        await hand.until(lambda: "5 play on." in hand.status)
        await hand.press(*"absent dora", "enter")
        await hand.until(lambda: "Done: absent dora." in hand.status)
        await hand.press(*"drop dora", "enter")
        await hand.until(lambda: "4 play on." in hand.status)
        await hand.press(*"bye eve", "enter")
        await hand.until(lambda: "Done: bye eve." in hand.status)
        played = winter(archive)
        byes = {played.name(line.person): line.byes for line in standings(played.league)}
        assert sum(byes.values()) == 2
        assert byes["eve"] == 1
        assert byes["Dora"] == 0


@pytest.mark.slow
async def test_a_league_is_begun_step_by_step(sit: Seat, archive: Archive) -> None:
    async with sit(size=(120, 40)) as hand:
        await hand.press("ctrl+l")
        await hand.until(lambda: isinstance(hand.app.screen, LeaguesScreen) and bool(hand.app.screen.query("#rows")))
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen))
        await hand.settle()
        for answer in ("Winter", "Ana", "Ben", "Cy", "", "", "", "", "", ""):
            await hand.press(*answer, "enter")
            await hand.settle()
            if not isinstance(hand.app.screen, FormScreen):
                break
        await hand.until(lambda: isinstance(hand.app.screen, LeaguesScreen))
        (row,) = leagues.leagues(archive)
        assert (row.name, row.people, row.form) == ("Winter", 3, "swiss")
