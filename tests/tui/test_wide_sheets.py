"""Score sheets with many columns on small screens: the question and its answers are always there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from companion.archive import Archive
from tests.games.described.shown import table_of
from tests.tui.conftest import Seat

COLUMNS: Final = ("maki", "tempura", "sashimi", "dumplings", "nigiri", "wasabi", "puddings")
PAGE: Final = f"""
name = "dishes"
title = "Dishes"
[play]
players = "2-5"
order = "together"
rounds = 3
[[steps]]
name = "pick"
do = "Pick a card, turn up together, pass the hand to the left, until no card is left."
[counters.points]
least = "none"
big = true
[sheet]
secret = [{", ".join(f'"{each}"' for each in COLUMNS)}]
columns = [{", ".join(f'"{each}"' for each in COLUMNS)}]
[[sheet.points]]
points = "maki + nigiri"
[end]
most = "points"
"""
SEATS: Final = ("ana", "ben", "cleo", "dan", "eva")


@pytest.mark.parametrize("size", [(60, 18), (70, 20), (60, 24), (80, 20)])
async def test_the_question_is_there_beside_a_wide_sheet(
    archive: Archive, sit: Seat, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = tmp_path / "dishes.toml"
    page.write_text(PAGE, encoding="utf-8")
    rows = [f"enter {seat} {column} 15" for seat in SEATS for column in COLUMNS]
    seats = [f"seat {seat}" for seat in SEATS]
    table = table_of(archive, str(page), (*seats, "begin seed 1", *rows, "next"))
    async with sit(table, size=size) as hand:
        await hand.settle()
        prompts = hand.table.prompt_list
        text = hand.text_of(prompts)
        assert "Ana: Maki?" in text
        assert "type a whole number" in text


@pytest.mark.parametrize(("size", "words"), [((120, 40), "Ma/Te/Sa/Du/Ni/Wa/Pu"), ((160, 40), "Maki/Tempura/Sashimi")])
async def test_short_titles_say_what_the_cells_are(
    archive: Archive, sit: Seat, tmp_path: Path, size: tuple[int, int], words: str
) -> None:
    short = ", ".join(f'{each} = "{each[:2].capitalize()}"' for each in COLUMNS)
    long = ", ".join(f'{each} = "{each.capitalize()} on this table"' for each in COLUMNS[3:])
    page = tmp_path / "dishes.toml"
    page.write_text(PAGE.replace("[sheet]", f"[sheet]\nshort = {{ {short} }}\ntitles = {{ {long} }}"), encoding="utf-8")
    table = table_of(archive, str(page), ("seat ana", "seat ben", "begin seed 1", "enter ana maki 3"))
    async with sit(table, size=size) as hand:
        await hand.settle()
        (sheet,) = hand.table.tabletop.board.query("ScoreSheetPanel")
        assert words in f"{sheet.border_title} {hand.text_of(sheet)}"
        await hand.pilot.resize_terminal(200, 40)
        await hand.settle()
        assert "Maki/Tempura/Sashimi" in f"{sheet.border_title} {hand.text_of(sheet)}"
        await hand.pilot.resize_terminal(*size)
        await hand.settle()
        assert words in f"{sheet.border_title} {hand.text_of(sheet)}"
