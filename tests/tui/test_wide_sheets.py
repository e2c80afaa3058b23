"""Score sheets with many columns on small screens: the question and its answers are always there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive
from companion.tui.widgets.score_sheet import shorten_titles
from tests.games.described.shown import table_of
from tests.tui.conftest import Seat
from tests.tui.test_whole_figures import screen_of

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


BOXES: Final = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "bonus", "three-alike", "four-alike", "full-house"),
    *("small-row", "large-row", "five-alike", "chance", "extra"),
)
BOXES_PAGE: Final = f"""
name = "boxes"
title = "Boxes"
[play]
players = "2-5"
order = "together"
rounds = 3
[counters.points]
least = "none"
[sheet]
columns = [{", ".join(f'"{each}"' for each in BOXES)}]
[[sheet.points]]
points = "aces + twos"
"""


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
async def test_columns_that_do_not_fit_are_shortened_and_never_cut(
    archive: Archive, sit: Seat, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = tmp_path / "boxes.toml"
    page.write_text(BOXES_PAGE, encoding="utf-8")
    rows = [f"enter {seat} {column} 15" for seat in SEATS[:2] for column in BOXES]
    table = table_of(archive, str(page), (*(f"seat {seat}" for seat in SEATS[:2]), "begin seed 1", *rows, "next"))
    async with sit(table, size=size) as hand:
        await hand.settle()
        head = next(row for row in screen_of(hand) if row.count("/") == len(BOXES) - 1 and not re.search(r"\d", row))
        words = re.sub(r"^.*· |[│─╭╮]", "", head).strip().split("/")
        assert len(words) == len(set(words))
        assert "…" not in head
        assert all(word[0].lower() == box[0] for word, box in zip(words, BOXES, strict=True))


@given(
    st.lists(st.text("abcd 12", min_size=1, max_size=9).map(str.strip).filter(bool), min_size=2, unique=True),
    st.integers(5, 60),
)
def test_short_titles_fit_and_differ(titles: list[str], room: int) -> None:
    short = shorten_titles("/".join(titles), room)
    words = short.split("/")
    assert len(short) <= room
    assert not short or len(words) == len(set(words)) == len(titles)
    assert not short or all(word[0] == title[0] for word, title in zip(words, titles, strict=True))


@pytest.mark.parametrize(
    ("titles", "room", "short"),
    [
        ("Bid/Tricks/Bonus", 12, "Bid/Tri/Bon"),
        ("Red 1/Red 2/Blue", 14, "Red1/Red2/Blue"),
        ("Red 1/Red 2/Blue", 10, "R1/R2/Bl"),
        ("Threes/Three alike/Full house", 15, "Thrs/Thra/Full"),
        ("Bid/Tricks/Bonus", 7, ""),
    ],
)
def test_titles_keep_their_first_letters_and_what_tells_them_apart(titles: str, room: int, short: str) -> None:
    assert shorten_titles(titles, room) == short
