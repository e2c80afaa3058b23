"""Every figure that a screen shows is whole, however many sit at the table and however large the figures are."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.tabletop.table.table import Counter
from companion.tui import blocks
from tests.games.described import pages
from tests.games.described.extremes import extreme_table, visible_counters, wrong_numbers
from tests.games.described.shown import table_of
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

SIZES = ((60, 18), (80, 24), (80, 40), (100, 40), (120, 40), (200, 60))


def screen_of(hand: Hand) -> list[str]:
    """Return the rows of the screen where the board is, or the scoreboard in its place."""
    tabletop = hand.table.tabletop
    region = (tabletop.scoreboard if tabletop.scoreboard.display else tabletop.board).region
    rows = hand.app.screen._compositor.render_strips()[region.y : region.bottom]
    return [strip.text[region.x : region.right] for strip in rows]


def is_shown(counter: Counter, rows: list[str]) -> bool:
    """Return True if a figure stands there, in a row or in blocks."""
    number = counter.number or 0
    if any(str(counter.figure) in row for row in rows):
        return True
    large = [blocks.enlarge_text(str(number), scale) for scale in (1, 2, 3)]
    return any(_stands_in(block, rows) for block in (list(blocks.figure_rows(number)), *large))


def _stands_in(block: list[str], rows: list[str]) -> bool:
    """Return True if the rows of a block stand below each other."""
    places = (
        (at, column)
        for at in range(len(rows) - len(block) + 1)
        for column in range(len(rows[at]))
        if rows[at].startswith(block[0], column)
    )
    return any(
        all(rows[at + down].ljust(column + len(row)).startswith(row, column) for down, row in enumerate(block))
        for at, column in places
    )


async def check_figures(hand: Hand) -> None:
    """Every number on the screen is a figure of the table, and the large figure of each seat or team is there."""
    view = hand.table.view
    teams = (thing.counters for zone in view.zones if zone.name == "teams" for thing in zone.things)
    sides = [*(seat.counters for seat in view.seats), *teams]
    first = [c for c in (next((c for c in counters if c.big), None) for counters in sides) if c is not None]
    assert first or view.counters

    def missing_figures() -> list[str]:
        rows = screen_of(hand)
        return [str(counter.figure) for counter in first if not is_shown(counter, rows)]

    with suppress(AssertionError):  # a layout may be painted a moment after it is made
        await hand.until(lambda: not missing_figures())
    assert missing_figures() == []
    assert wrong_numbers(view, "\n".join(screen_of(hand))) == set()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", pages.NAMES)
async def test_no_figure_of_a_ready_game_is_cut(archive: Archive, sit: Seat, game: str, size: tuple[int, int]) -> None:
    async with sit(extreme_table(archive, game), size=size) as hand:
        await check_figures(hand)
        await hand.press("f2")
        await hand.until(lambda: hand.table.tabletop.scoreboard.display)
        await hand.settle()
        await check_figures(hand)


@pytest.mark.parametrize(("game", "size"), [("rummy", (100, 40)), ("count", (80, 40)), ("treasure", (60, 18))])
async def test_figures_of_many_seats_are_whole(archive: Archive, sit: Seat, game: str, size: tuple[int, int]) -> None:
    async with sit(extreme_table(archive, game), size=size) as hand:
        await check_figures(hand)


@pytest.mark.slow
@pytest.mark.parametrize("game", pages.NAMES)
async def test_a_wide_screen_shows_every_figure(archive: Archive, sit: Seat, game: str) -> None:
    async with sit(extreme_table(archive, game), size=(200, 60)) as hand:
        counters = [counter for counter in visible_counters(hand.table.view) if counter.number]

        def missing_figures() -> list[str]:
            rows = screen_of(hand)
            return [str(counter.caption) for counter in counters if not is_shown(counter, rows)]

        with suppress(AssertionError):
            await hand.until(lambda: not missing_figures())
        assert missing_figures() == []


SUPPLY = """
name = "supply"
title = "Supply"
[play]
players = "2"
[counters.points]
big = true
[counters.empty]
of = "table"
most = 3
[counters.stock]
of = "pile"
start = 10
main = true
[counters.cost]
of = "pile"
[zones.supply]
of = "table"
[things.pile]
of = "table"
zone = "supply"
list = [PILES]
"""


@pytest.mark.parametrize("piles", [10, 13, 17])
async def test_a_long_supply_takes_the_rows_that_are_left(
    archive: Archive, sit: Seat, tmp_path: Path, piles: int
) -> None:
    listed = ", ".join(
        f'{{ name = "Pile {word}", start = true, figures = {{ cost = 3 }} }}' for word in "abcdefghijklmnopq"[:piles]
    )
    page = tmp_path / "supply.toml"
    page.write_text(SUPPLY.replace("PILES", listed), encoding="utf-8")
    table = table_of(archive, str(page), ("seat ana", "seat ben", "begin seed 1"))
    async with sit(table, size=(80, 24)) as hand:
        await hand.settle()
        text = "\n".join(screen_of(hand))
        visible = text.count("Pile ")
        assert visible >= 8, text
        assert (visible == piles) != ("more" in text)
        assert "next" in hand.text_of(hand.table.prompt_list)
