"""Tables with more seats than fingers: everybody has a figure on the screen, each at its place."""

from __future__ import annotations

from typing import Final

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.games.described.load import game_from_text
from tests.games.described.shown import table_of
from tests.tui.conftest import Seat
from tests.tui.test_whole_figures import check_figures, screen_of

CROWD: Final = """
name = "crowd"
title = "A crowd"

[play]
players = "2-40"

[counters.life]
start = 20
big = true
out = "<= 0"

[counters.coins]

[actions.hit]
takes = "SEAT N"
does = ["add SEAT life -N"]

[end]
last-left = true
"""
registry.register(game_from_text(CROWD))


def crowd(archive: Archive, number: int) -> str:
    """A table of so many players, whose figures differ."""
    seats = [f"p{at}" for at in range(1, number + 1)]
    hits = (f"set {seat} life {100 + at}" for at, seat in enumerate(seats))
    return table_of(archive, "crowd", (*(f"seat {seat}" for seat in seats), "first p1", "begin seed 1", *hits))


@pytest.mark.parametrize(("number", "size"), [(12, (60, 18)), (24, (60, 18)), (12, (80, 24)), (40, (80, 24))])
async def test_everybody_in_a_crowd_has_a_figure(
    archive: Archive, sit: Seat, number: int, size: tuple[int, int]
) -> None:
    async with sit(crowd(archive, number), size=size) as hand:

        def missing_figures() -> list[int]:
            words = " ".join(screen_of(hand)).split()
            return [at for at in range(number) if str(100 + at) not in words or f"P{at + 1}" not in words]

        await hand.until(lambda: not missing_figures())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 60)])
async def test_twelve_players_are_seen_from_afar(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(crowd(archive, 12), size=size) as hand:
        await check_figures(hand)
        await hand.press("f2")
        await hand.until(lambda: hand.table.tabletop.scoreboard.display)
        await hand.settle()
        await check_figures(hand)


async def test_the_twelfth_player_is_chosen_by_keys(archive: Archive, sit: Seat) -> None:
    async with sit(crowd(archive, 12), size=(80, 24)) as hand:
        while hand.table.selection.chosen.target != "p12":
            await hand.press("right")
        await hand.press("minus", "minus", "enter")
        await hand.counter("p12", "life", 109)
