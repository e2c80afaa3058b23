"""Games from their pages on the screen: six seats with many figures, a score sheet, and the table's own figures."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive
from companion.games import registry
from companion.games.described.load import game_from_text
from companion.session.core.session import Session
from companion.session.reading.selection import Selection
from companion.tabletop.table.table import Thing, Zone
from companion.tui.app import CompanionApp
from companion.tui.drawing import Detail
from companion.tui.widgets.board import BoardSpace, fitting
from companion.tui.widgets.prompt_list import PromptList
from companion.tui.widgets.seats import SeatPanel
from companion.tui.widgets.zones import ZonePanel, ZonePart
from tests.games.described.shown import CROWN_PLAYED, LANES_PLAYED, PLACES_PLAYED, SEATS, TRICKS_PLAYED, table_of
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


def whole_board(hand: Hand) -> str:
    """All that the board shows, titles of its frames included."""
    panels = list(hand.table.tabletop.board.query("Panel"))
    return "\n".join(f"{panel.border_title} {hand.text_of(panel)} {panel.border_subtitle}" for panel in panels)


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_six_seats_show_what_counts_for_each(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(table_of(archive, "poisoned", CROWN_PLAYED), size=size) as hand:
        text = whole_board(hand)
        for words in ("Ana 5", "Crown", "Shielded", "Wolf", "3/3", "Storm", "day", "Dungeon"):
            assert words in text
        # Nobody needs to read who has not damaged whom.
        assert "Cleo 0" not in text
        assert not [row for row in text.splitlines() if "…" in row and "more" in row]


async def test_figures_of_opponents_and_of_the_table_are_changed_by_keys(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "poisoned", CROWN_PLAYED)) as hand:
        await hand.press("right", "right")
        while "Fay" not in hand.table.selection.title:
            await hand.press("down")
        assert hand.table.selection.title == "Commander damage: Fay"
        await hand.press("plus", "plus", "enter")
        await hand.counter("ben", "commander-fay", 2)
        await hand.counter("ben", "life", 33)
        while hand.table.selection.chosen.target != "table":
            await hand.press("right")
        await hand.press("plus", "enter")
        await hand.counter("table", "storm", 3)


async def test_enter_confirms_what_keys_would_end(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "poisoned", CROWN_PLAYED)) as hand:
        life = 38
        for answer, left in (("escape", life), ("enter", life - 99)):
            await hand.press("right", "minus")
            hand.type("99")
            await hand.press("enter")
            await hand.until(lambda: "Ana would be out" in hand.status)
            assert hand.status.rstrip().endswith("Enter does it, Esc drops it.")
            await hand.press(answer)
            await hand.until(lambda: not hand.bar)
            await hand.counter("ana", "life", left)
            await hand.press("escape")


@pytest.mark.slow
async def test_the_large_step_of_a_page_has_keys(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "poisoned", CROWN_PLAYED)) as hand:
        await hand.press("right", "shift+down", "shift+down", "minus", "enter")
        await hand.counter("ana", "life", 27)
        # Where a page says no large step, it is five.
        await hand.press("down", "shift+up", "enter")
        await hand.counter("ana", "poison", 5)


@pytest.mark.slow
async def test_the_tables_figures_stand_once(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "poisoned", CROWN_PLAYED)) as hand:
        assert "Storm" not in hand.text_of(hand.table.tabletop.head)
        assert "Round 1" in hand.text_of(hand.table.tabletop.head)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_score_sheet_is_a_grid_with_totals(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(table_of(archive, "bids", TRICKS_PLAYED), size=size) as hand:
        (sheet,) = hand.table.tabletop.board.query("ScoreSheetPanel")
        rows = [row.split() for row in hand.text_of(sheet).splitlines()]
        assert rows == [
            ["Ana", "Ben", "Cleo", "Dora"],
            ["Hand", "1", "1/1", "11", *["1/0", "−5"] * 3],
            ["Hand", "2", "1/2", "0", *["1/0", "−5"] * 3],
            ["Hand", "3", "2/–"],
            ["Total", "11", *["−10"] * 3],
        ]
        # Figures stand below each other.
        ends = [row.rstrip() for row in hand.text_of(sheet).splitlines()]
        assert len({len(ends[at]) for at in (0, 1, 2, 4)}) == 1


@pytest.mark.slow
async def test_figures_below_0_are_seen_from_afar(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "bids", TRICKS_PLAYED)) as hand:
        await hand.press("f2")
        await hand.shows("Ben: Points", "Scoreboard")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_three_figures_in_seven_lanes_are_never_cut(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(table_of(archive, "lanes", LANES_PLAYED), size=size) as hand:
        whole = "10/120/11"
        text = whole_board(hand)
        for figure in ("Power 10", "Armour 11", "120"):
            assert text.count(figure) == 6 or text.count(whole) == 6
        await hand.press("f2")
        await hand.settle()
        far = hand.text_of(hand.table.tabletop.scoreboard)
        assert far.count("Power 10") == 6 or far.count(whole) == 6
        assert "…│" not in text + far


@pytest.mark.slow
async def test_two_large_figures_of_a_seat_are_named_from_afar(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "lanes", LANES_PLAYED), size=(80, 24)) as hand:
        await hand.press("f2")
        await hand.settle()
        titles = hand.text_of(hand.table.tabletop.scoreboard)
        assert [titles.count(f": {figure}") for figure in ("Health", "Energy")] == [2, 2]


SUNS = """
name = "suns"
title = "Suns"
[play]
players = "3"
[counters.life]
start = 20
big = true
[counters.energy]
title = "Energy of the sun"
short = "Enrgy"
start = 12
big = true
"""


@pytest.mark.slow
async def test_from_afar_a_figure_is_called_alike_for_all_seats(archive: Archive, sit: Seat) -> None:
    registry.register(game_from_text(SUNS))
    table = table_of(archive, "suns", ("seat anastasia", "seat benedikt", "seat cyprian", "begin seed 1"))
    async with sit(table, size=(100, 30)) as hand:
        await hand.press("f2")
        await hand.settle()
        titles = hand.text_of(hand.table.tabletop.scoreboard)
        assert [titles.count(caption) for caption in ("Enrgy", "Energy of the sun")] == [3, 0]


@pytest.mark.slow
async def test_captions_of_all_seats_have_one_form(archive: Archive, sit: Seat) -> None:
    damage = (f"add {seat} commander-{other} 1" for seat, other in (("ana", "ben"), ("ben", "cy"), ("cy", "ana")))
    lines = ("seat ana", "seat ben", "seat cy", "first ana", "begin", *damage)
    # Of a hundred columns, one seat has one more than the others.
    async with sit(table_of(archive, "poisoned", lines), size=(100, 24)) as hand:
        panels = [*hand.table.tabletop.board.query(SeatPanel)]
        assert {panel.content_size.width for panel in panels} == {29, 30}
        assert ["Cmd" in hand.text_of(panel) for panel in panels] == [True] * 3


@pytest.mark.slow
async def test_what_a_question_says_is_told_once(archive: Archive, sit: Seat) -> None:
    lines = ("seat ana", "seat ben", "begin seed 5")
    async with sit(table_of(archive, "villain", lines), size=(80, 24)) as hand:
        assert hand.table.sitting.teaches
        assert hand.text_of(hand.table.prompt_list).count("draws up to five") == 1


@pytest.mark.slow
async def test_many_places_in_the_middle_share_a_panel(archive: Archive, sit: Seat) -> None:
    lines = (*(f"seat {seat}" for seat in SEATS[:2]), "first ana", "begin", "put mill location zone land lane 2")
    async with sit(table_of(archive, "villain", lines), size=(80, 24)) as hand:
        text = whole_board(hand)
        assert "Mill" in text
        assert "Encounter deck" in text
        assert "…" not in text


SCENES = {"crown-80x24": ("poisoned", CROWN_PLAYED, (80, 24)), "tricks-120x40": ("bids", TRICKS_PLAYED, (120, 40))}


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_a_described_table(snap_compare: object, archive: Archive, place: Path, scene: str) -> None:
    game, lines, size = SCENES[scene]
    app = CompanionApp(str(place), table_of(archive, game, lines))

    async def at_table(pilot: Pilot[None]) -> None:
        await Hand(app, pilot).at_table()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=size, run_before=at_table)


@pytest.mark.slow
async def test_arrow_keys_lead_to_all_that_can_be_done(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "poisoned", CROWN_PLAYED)) as hand:
        row = next(row for row, each in enumerate(hand.table.sitting.offers()) if each.line.startswith("give"))
        first = len(hand.table.answer_cursor.answers.rows)
        await hand.press(*["down"] * (first + row + 1))
        chosen = hand.table.answer_cursor.answers.answer
        assert chosen is not None
        assert chosen.line.startswith("give")
        assert chosen.detail
        await hand.press("enter")
        await hand.bar_holds(f"{chosen.line} ")


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 18)])
async def test_each_place_keeps_its_name_and_its_things(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(table_of(archive, "places", PLACES_PLAYED), size=size) as hand:
        text = whole_board(hand)
        for words in ("Active", "Bench 1", "Bench 2", "Discard", "Guard 6", "Guard 2", "Guard 4", "Wolf", "Bear"):
            assert words in text
        line = next(row for row in text.splitlines() if "Active" in row).split("┼")
        assert [title.strip(" ─") for title in line[:2]] == ["Active", "Bench 1"]
        for words in ("Fire strong", "Ice none", "Scenario 14", "Level 3", "Difficulty of the monsters 4", "worth 2"):
            assert words in text


async def test_all_about_a_thing_is_one_key_away(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "places", PLACES_PLAYED), size=(80, 24)) as hand:
        await hand.press("right")
        assert "Ana: Life 20, Plan 7, active." in hand.text_of(hand.table.status_line)
        while "Guard 6" not in str(hand.table.selection.name):
            await hand.press("right")
        hint = " ".join(hand.text_of(hand.table.status_line).split())
        assert hint.startswith("Guard 6: Power 3, Health 6, Shield 2, State ready, Stunned. + and − change Health")
        while "Opal" not in str(hand.table.selection.name):
            await hand.press("right")
        assert hand.text_of(hand.table.status_line).startswith("Opal: Mood dark. Esc deselects.")
        await hand.press("plus")  # none of its figures is a number
        assert hand.table.selection.tally is None


@pytest.mark.parametrize("size", [(80, 24)])
async def test_what_was_begun_stays_where_there_is_no_list(archive: Archive, sit: Seat, size: tuple[int, int]) -> None:
    async with sit(table_of(archive, "bids", TRICKS_PLAYED), size=size) as hand:
        hand.type("n", "e")
        await hand.press("up")
        await hand.press("down")
        await hand.bar_holds("ne")
        for _ in range(2):
            await hand.press("escape")
        await hand.bar_holds("")
        await hand.press("down")
        chosen = str(hand.table.bar.placeholder)
        assert chosen.startswith("Enter: ")
        answer = hand.table.answer_cursor.answers.answer
        assert answer is not None
        line = answer.line
        await hand.press("tab")
        hand.type("x")
        begun = f"{line} x".replace("  ", " ")
        await hand.bar_holds(begun)
        await hand.press("down")
        await hand.bar_holds(begun)
        await hand.press("ctrl+u", "backspace")
        while hand.bar:
            await hand.press("backspace")
        assert str(hand.table.bar.placeholder) != chosen


def test_figures_of_the_table_use_the_rows_beside_them() -> None:
    piles = ", ".join(f'{{ name = "Pile of goods {number}", start = true }}' for number in range(10))
    page = f"""
    name = "shires"
    title = "Shires"
    [counters.coins]
    [counters.provinces]
    of = "table"
    start = 12
    [counters.duchies]
    of = "table"
    start = 12
    [counters.estates]
    of = "table"
    start = 12
    [counters.gone]
    of = "table"
    title = "Empty piles"
    [counters.stock]
    of = "pile"
    start = 10
    [things.pile]
    of = "table"
    zone = "supply"
    list = [{piles}]
    [zones.supply]
    of = "table"
    """
    session = Session.new(game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    room = BoardSpace(80, 24)
    parts, _ = fitting(session.view(), Selection(session.view), room, 2)
    columns = room.width // len(parts.zones) - 4
    figures = "\n".join(row.plain for row in ZonePanel.draw(parts.zones[0], columns))
    assert len(parts.zones) == 2
    assert "…" not in figures
    assert "Empty piles 0" in figures


def test_what_is_nothing_but_a_name_stands_in_its_box() -> None:
    zone = Zone("campaign", "Company", (Thing("campaign scenario", "Scenario: The cellar below the old mill"),))
    panel = ZonePanel()
    part = ZonePart(zone, Detail.FULL)
    panel.apply_part(part)
    assert "cellar" not in str(panel.border_title)
    assert [row.plain for row in ZonePanel.draw(part, 45)] == ["Scenario: The cellar below the old mill"]


async def test_a_figure_of_an_earlier_round_is_put_right_from_lists(archive: Archive, sit: Seat) -> None:
    async with sit(table_of(archive, "bids", TRICKS_PLAYED)) as hand:
        hand.type("fix", "<down>", "<enter>")
        await hand.bar_holds("set ")
        hand.type("ana", "<down>", "<enter>")
        await hand.bar_holds("set ana ")
        hand.type("tricks", "<down>", "<enter>")
        await hand.bar_holds("enter ana tricks ")
        await hand.shows("round 1", hand.table.query_one(PromptList))
        hand.type("round 1", "<down>", "<enter>")
        await hand.bar_holds("enter ana tricks round 1 ")
        hand.type("2", "<enter>")
        await hand.until(lambda: hand.table.sitting.log[-1].text == "enter ana tricks 2 round 1")
