"""What the screen shows of ready pages: partners opposite each other, states in full, elements, and what cells mean."""

from __future__ import annotations

from typing import Final

import pytest

from companion.archive import Archive
from companion.tui.widgets.seats import SeatPanel
from tests.games.described import pages
from tests.games.described.shown import table_of
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_whole_figures import screen_of

FOUR: Final = ("seat ana", "seat ben", "seat cy", "seat dee")
EIGHT: Final = (*FOUR, "seat eli", "seat fay", "seat gus", "seat hal")
SCENARIO: Final = (
    *FOUR,
    "begin seed 1",
    *("put guards kind", "put archers kind", "put guard-1 monster", "put guard-4 monster", "put archer-2 monster"),
    *("set table fire 2", "set table frost 1", "set guard-4 stunned yes", "set guard-1 elite yes"),
)


def ready_table(archive: Archive, game: str, *lines: str) -> str:
    """A table of a ready game in the archive on which this was done."""
    pages.ready(game)
    return table_of(archive, game, lines)


def panel_places(hand: Hand) -> list[tuple[int, int]]:
    """The columns and rows at which the panels of seats begin."""
    return [(panel.region.x, panel.region.y) for panel in hand.table.tabletop.board.query(SeatPanel)]


async def read_board(hand: Hand, *words: str) -> str:
    """Return what the board shows once it shows these words."""
    await hand.until(lambda: all(word in "\n".join(screen_of(hand)) for word in words))
    return "\n".join(screen_of(hand))


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["two-heads", "party"])
async def test_partners_sit_opposite(archive: Archive, sit: Seat, game: str, size: tuple[int, int]) -> None:
    async with sit(ready_table(archive, game, *FOUR, "first ana", "begin seed 1"), size=size) as hand:
        ana, ben, cy, dee = panel_places(hand)
        assert ana[0] == cy[0] < ben[0] == dee[0]
        assert ana[1] == ben[1] < cy[1] == dee[1]


async def test_the_teams_of_three_pairs_are_columns(archive: Archive, sit: Seat) -> None:
    lines = (*EIGHT[:6], "rule teams three", "first ana", "begin seed 1")
    async with sit(ready_table(archive, "party", *lines), size=(120, 40)) as hand:
        columns = [column for column, _ in panel_places(hand)]
        assert columns[:3] == columns[3:]


@pytest.mark.parametrize(("game", "seats"), [("two-heads", FOUR), ("party", FOUR), ("party", EIGHT)])
@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
async def test_no_state_of_a_seat_is_cut(
    archive: Archive, sit: Seat, game: str, seats: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with sit(ready_table(archive, game, *seats, "first ana", "begin seed 1"), size=size) as hand:
        text = await read_board(hand, "active")
        assert text.count("team 1") == text.count("team 2") == len(seats) // 2
        assert "…" not in text


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 60)])
async def test_elements_of_a_crowded_scenario_are_shown(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(ready_table(archive, "standees", *SCENARIO), size=size) as hand:
        await read_board(hand, "Level 1", "Fire", "Frost", "Darkness", "Guard 1", "Guard 4", "Archer 2")


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_what_befalls_a_standee_is_shown_if_there_is_room(
    archive: Archive, sit: Seat, size: tuple[int, int]
) -> None:
    async with sit(ready_table(archive, "standees", *SCENARIO), size=size) as hand:
        await read_board(hand, "Stunned", "Elite")


async def test_the_cells_of_a_sheet_are_explained_without_a_frame(archive: Archive, sit: Seat) -> None:
    lines = (*FOUR, "begin seed 1", "enter ben bid 4", "enter ana bid 6", "next", "enter ben tricks 5")
    async with sit(ready_table(archive, "partners", *lines), size=(60, 18)) as hand:
        (sheet,) = hand.table.tabletop.board.query("ScoreSheetPanel")
        head, first, *_ = hand.text_of(sheet).splitlines()
        assert head.split() == ["Bid/Tricks/Nil", "Team", "1", "Team", "2"]
        assert first.split() == ["Hand", "1", "6/–/–", "4/5/–"]


GUARDS: Final = (
    *("seat ana", "seat ben", "begin seed 2", "put guards kind"),
    *("put guard-6 monster", "put guard-2 monster", "put archer-1 monster", "set guard-2 elite yes"),
    *("enter ana initiative 20", "enter ben initiative 75", "next", 'draw attack is "+1"'),
)


@pytest.mark.parametrize(
    ("text", "keys", "line", "size"),
    [
        ("hit guard 3", "2", "guard-2", (60, 18)),
        ("hit guard 3", "down down", "guard-2", (80, 24)),
        ("hit 3", "2 up", "guard-6", (80, 24)),
        ("hi gu 3", "1", "guard-6", (120, 40)),
    ],
)
async def test_an_ambiguous_line_lists_exactly_what_it_could_be(
    archive: Archive, sit: Seat, text: str, keys: str, line: str, size: tuple[int, int]
) -> None:
    async with sit(ready_table(archive, "standees", *GUARDS), size=size) as hand:
        await hand.press(*text, "enter")
        await hand.until(lambda: "say which" in hand.status)
        lines = [answer.line for answer in hand.table.answer_cursor.answers.rows]
        assert lines[:2] == ["hit ana guard-6 3", "hit ana guard-2 3"]
        assert lines[2:] == (["hit ana archer-1 3"] if text == "hit 3" else [])
        for number, row in enumerate(lines if size[1] > 18 else (), 1):
            await hand.shows(f"{number}  {row}", hand.table.prompt_list)
        await hand.press(*keys.split(), "enter")
        await hand.until(lambda: hand.table.sitting.session.lines()[-1] == f"hit ana {line} 3")


async def test_another_text_leaves_the_ambiguous_one(archive: Archive, sit: Seat) -> None:
    async with sit(ready_table(archive, "standees", *GUARDS), size=(80, 24)) as hand:
        await hand.press(*"hit guard 3", "enter")
        await hand.until(lambda: "say which" in hand.status)
        await hand.press(*"learn ana 1")
        assert not hand.table.answer_cursor.answers.is_numbered
        await hand.press("enter")
        await hand.until(lambda: hand.table.sitting.session.lines()[-1] == "learn ana 1")
