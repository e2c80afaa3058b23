"""Statistics on their screen: chosen by arrows, for all games or those of a deck."""

import pytest
from rich.cells import cell_len

from companion.archive import Archive
from companion.tabletop.table.match_result import Contender, MatchResult
from companion.tui.screens.statistics import StatisticsScreen
from companion.tui.widgets.page import Page
from tests.games.constructed.test_table import enter, seated
from tests.statistics import sittings
from tests.statistics.test_tables import finish
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


async def at_statistics(hand: Hand) -> StatisticsScreen:
    """From home to the statistics."""
    await hand.press("ctrl+s")
    await hand.until(lambda: isinstance(hand.app.screen, StatisticsScreen) and bool(hand.app.screen.query("#rows")))
    await hand.settle()
    screen = hand.app.screen
    assert isinstance(screen, StatisticsScreen)
    return screen


def table_text(hand: Hand) -> str:
    return hand.app.screen.query_one(Page).text


async def test_arrows_choose_by_what_games_are_grouped(sit: Seat, archive: Archive) -> None:
    sittings.fill(archive, 60)
    async with sit(size=(80, 24)) as hand:
        await at_statistics(hand)
        await hand.until(lambda: "60 games" in table_text(hand) and "Person " in table_text(hand))
        assert max(map(len, table_text(hand).splitlines()[1:8])) <= 79
        await hand.press(*["down"] * 8)
        await hand.until(lambda: "Grave Wyrm" in table_text(hand))
        assert "rounds" in table_text(hand)


@pytest.mark.slow
async def test_months_have_a_chart_of_what_was_won(sit: Seat, archive: Archive) -> None:
    sittings.fill(archive, 2000)
    async with sit(size=(80, 24)) as hand:
        await at_statistics(hand)
        await hand.press(*["down"] * 7)
        await hand.until(lambda: "games a month" in table_text(hand))
        rows = table_text(hand).splitlines()
        assert max(map(len, rows[: rows.index("")])) <= 79
        dots = [row for row in rows if row.lstrip().startswith(("100 %", "50 %", "0 %")) or "●" in row]
        assert sum(row.count("●") for row in dots) >= 3
        assert "2016-01" in table_text(hand)


@pytest.mark.slow
async def test_a_decks_name_leaves_only_its_games(sit: Seat, archive: Archive) -> None:
    enter(seated(archive, "oddfrontier"), "concede ben", "seal")
    async with sit(size=(120, 40)) as hand:
        screen = await at_statistics(hand)
        await hand.until(lambda: "Ben" in table_text(hand))
        await hand.press(*"ash pack", "enter")
        await hand.until(
            lambda: table_text(hand).startswith("Ash Pack") and "Ben" not in table_text(hand).splitlines()[3]
        )
        await hand.press(*"nothing so called", "enter")
        await hand.until(lambda: "nothing so called" in hand.status)
        screen.box.value = ""
        await hand.press("enter")
        await hand.until(lambda: table_text(hand).startswith("All games"))


async def test_a_rate_is_of_games_that_it_counts(sit: Seat, archive: Archive) -> None:
    finish(archive, MatchResult("win", (Contender("a", "Ana", "won"),)))
    finish(archive, MatchResult("ana", (Contender("ana", "Ana", "won"), Contender("ben", "Ben", "lost"))))
    async with sit(size=(120, 40)) as hand:
        await at_statistics(hand)
        await hand.press(*["down"] * 7)
        await hand.until(lambda: "1 of 1, 2 in all" in table_text(hand))


async def test_months_of_different_games_stand_apart(sit: Seat, archive: Archive) -> None:
    finish(archive, MatchResult("win", (Contender("a", "Ana", "won"),)))
    finish(
        archive, MatchResult("ana", (Contender("ana", "Ana", "won"), Contender("ben", "Ben", "lost"))), "oddfrontier"
    )
    async with sit(size=(120, 40)) as hand:
        await at_statistics(hand)
        await hand.press(*["down"] * 7)
        await hand.until(lambda: "DecknForge: 2" in table_text(hand))
        assert "Odd Frontier TCG: 2" in table_text(hand)


async def test_an_empty_table_says_why(sit: Seat, archive: Archive) -> None:
    finish(archive, MatchResult("win", (Contender("a", "Ana", "won"),)))
    async with sit(size=(120, 40)) as hand:
        await at_statistics(hand)
        await hand.press("down")
        await hand.until(lambda: "None of these games was played with a stored deck." in table_text(hand))


async def test_a_wide_name_leaves_its_row_as_wide_as_others(sit: Seat, archive: Archive) -> None:
    names = ("Zoë 🦊🦊 von und zu Hohenlohe-Langenburg-Schillingsfürst", "Ana")
    duelled = [Contender(f"s{at}", name, "won" if at else "lost") for at, name in enumerate(names)]
    finish(archive, MatchResult("s1", tuple(duelled)), "oddfrontier")
    async with sit(size=(80, 24)) as hand:
        await at_statistics(hand)
        await hand.until(lambda: "Ana" in table_text(hand))
        rows = [row for row in table_text(hand).splitlines() if " of 1" in row]
        assert (len(rows), len({cell_len(row.rstrip()) for row in rows})) == (2, 1)


async def test_nothing_to_count_is_said(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await at_statistics(hand)
        await hand.until(lambda: "No game is over yet." in table_text(hand))
