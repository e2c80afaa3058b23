"""Stocks: the geometry that research measured, aliases, and files that cannot be true."""

import re
from pathlib import Path

import pytest

from labels import stocks
from labels.geometry import A4, LETTER, MM, PaperError, parse_paper
from labels.stocks import StockError

NARROW = """
name = "own"
title = "My own"
page = "a4"
order = "across"
columns = 2
rows = 3
unit = "mm"
width = 90
height = 50
left = 10
top = 10
pitch_x = 100
pitch_y = 60
radius = 2
"""

ROLL = 'name = "r"\ntitle = "R"\nroll = true\nunit = "in"\nwidth = 4\nheight = 2\nradius = 0\n'


@pytest.mark.parametrize(
    ("name", "columns", "rows", "right", "bottom"),
    [
        # The margins that are left at the right and the foot, in mm; on Avery's sheets they mirror left and top.
        ("18294", 4, 15, 0.3 * 25.4, 0.55 * 25.4),
        ("5160", 3, 10, 0.1875 * 25.4, 0.5 * 25.4),
        ("5167", 4, 20, 0.28125 * 25.4, 0.5 * 25.4),
        ("5163", 2, 5, 0.1564 * 25.4, 0.5 * 25.4),
        ("22805", 4, 6, 0.78125 * 25.4, 0.5 * 25.4),
        ("22806", 3, 4, 0.625 * 25.4, 0.626 * 25.4),
        ("94102", 8, 10, 0.375 * 25.4, 0.625 * 25.4),
        ("L7651", 5, 13, 4.67, 10.89),
        ("L7160", 3, 7, 7.22, 15.15),
        ("L4731REV", 7, 27, 8.45, 13.5),
    ],
)
def test_stocks_of_the_research(name: str, columns: int, rows: int, right: float, bottom: float) -> None:
    stock = stocks.find(name)
    assert (stock.columns, stock.rows) == (columns, rows)
    last = stock.box(stock.count)
    assert (stock.page_size[0] - last.right) / MM == pytest.approx(right, abs=0.01)
    assert last.y / MM == pytest.approx(bottom, abs=0.01)


def test_an_alias_in_any_case_finds_its_stock() -> None:
    assert {stocks.find(name).name for name in ("5195", "8195", " 18195 ", "88695")} == {"18294"}
    assert stocks.find("l7651").name == "L7651"


def test_an_unknown_stock_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(StockError, match=r"“4711” is not known; known are 18294, .*L7651"):
        stocks.find("4711")


def test_18294_counts_down_its_columns_and_5160_across_its_rows() -> None:
    down, across = stocks.find("18294"), stocks.find("5160")
    assert [down.cell(position) for position in (1, 2, 15, 16, 60)] == [(0, 0), (0, 1), (0, 14), (1, 0), (3, 14)]
    assert [across.cell(position) for position in (1, 2, 3, 4, 30)] == [(0, 0), (1, 0), (2, 0), (0, 1), (2, 9)]


@pytest.mark.parametrize(
    ("change", "to", "says"),
    [
        ("pitch_x = 100", "pitch_x = 80", "Labels of stock own overlap: its columns repeat every 80 mm"),
        ("pitch_y = 60", "pitch_y = 49.9", "Labels of stock own overlap: its rows"),
        ("left = 10", "left = 20.5", "Labels of stock own leave the a4 page at its right edge"),
        ("rows = 3", "rows = 5", "Labels of stock own leave the a4 page at its foot"),
        ("radius = 2", "radius = 26", "corner radius of stock own is more than half a label"),
        ("width = 90", "width = -90", r"own.toml cannot be read: line 9: write width = 63.5 \(a label's width, more"),
        ("rows = 3", "rows = 0", r"own.toml cannot be read: line 7: write rows = 7 \(a whole number from 1 to 100\)"),
        ("rows = 3", "raws = 3", "own.toml cannot be read: line 7 has “raws”; write rows = 7 "),
        ("rows = 3", "rows = 3\nxyzzy = 1", "own.toml cannot be read: line 8 has “xyzzy”; leave it out"),
        ("rows = 3\n", "", "own.toml cannot be read: it lacks “rows”; write rows = 7 "),
        (NARROW, "", 'own.toml cannot be read: it lacks “name”; write name = "L7160" '),
        ("left = 10", "left = nan", "own.toml cannot be read: line 11: write left = 7.2 "),
        ('page = "a4"', 'page = "a5"', 'own.toml cannot be read: line 4: write page = "148 x 210 mm"'),
        ("rows = 3", "rows =", "own.toml cannot be read: line 7 is not as it must be; write one thing a line"),
        ("radius = 2", "[rows]", "own.toml cannot be read: line 1"),
    ],
)
def test_a_stock_that_cannot_be_is_refused_by_name(change: str, to: str, says: str) -> None:
    with pytest.raises(StockError, match=says):
        stocks.parse_stock(NARROW.replace(change, to), "own.toml")


def test_any_page_size_and_a_roll_of_ones_own() -> None:
    postcard = stocks.parse_stock(NARROW.replace('"a4"', '"210 x 190 mm"'), "own.toml")
    assert postcard.page_size == pytest.approx((210 * MM, 190 * MM))
    roll = stocks.parse_stock(ROLL, "r.toml")
    assert (roll.count, roll.page, roll.cut) == (1, "4 x 2 in", "a roll of 4 × 2 in")
    assert roll.box(1).right == roll.page_size[0] == 288
    assert stocks.parse_stock(ROLL.replace("4", "2.3125"), "r.toml").page_size[0] == pytest.approx(2.3125 * 72)


@pytest.mark.parametrize("width", ["4000", "0.00001"])
def test_a_roll_that_no_printer_takes_only_takes_itself_away(tmp_path: Path, width: str) -> None:
    (tmp_path / "r.toml").write_text(ROLL.replace("4", width))
    result = stocks.load_stocks(tmp_path)
    assert len(result.stocks) == len(stocks.valid_stocks())
    assert result.wrong[0].reason.startswith(f"The stock {tmp_path / 'r.toml'} cannot be used: Paper ")


@pytest.mark.parametrize("text", ["", "5 x 100 mm", "3 x 4000", "a5", "210 297", "210 x 297 cm", "-1 x 2 in"])
def test_paper_that_no_printer_takes_is_refused(text: str) -> None:
    with pytest.raises(PaperError):
        parse_paper(text)


def test_paper_by_its_lengths_is_the_paper_that_has_a_name() -> None:
    assert parse_paper("8,5x11 in").fits(LETTER)
    assert parse_paper("297 × 210").fits(A4)
    assert not parse_paper("a4").fits(LETTER)


def test_stocks_of_a_folder_come_along_and_win_over_a_namesake(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(NARROW)
    (tmp_path / "5163.toml").write_text(NARROW.replace('"own"', '"5163"'))
    valid = stocks.valid_stocks(tmp_path)
    assert stocks.find("own", valid).title == "My own"
    assert stocks.find("5163", valid).columns == 2
    assert stocks.find("5163", valid).page == "a4"
    assert len(valid) == len(stocks.valid_stocks()) + 1


def test_a_broken_file_only_takes_itself_away(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(NARROW)
    (tmp_path / "bad.toml").write_text("width = 'wide'")
    result = stocks.load_stocks(tmp_path)
    assert stocks.find("own", *result).title == "My own"
    with pytest.raises(StockError, match=r"bad.toml cannot be read: line 1: write width"):
        stocks.find("bad", *result)
    with pytest.raises(
        StockError, match=r"“x” is not known; known are .* aliases. The stock .*bad.toml cannot be read"
    ):
        stocks.find("x", *result)


def test_two_stocks_with_one_alias_are_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(NARROW + 'aliases = ["5195"]\n')
    with pytest.raises(StockError, match="both claim the name 5195"):
        stocks.valid_stocks(tmp_path)


def test_the_files_that_the_documents_show_are_stocks() -> None:
    text = (Path(__file__).parents[2] / "docs" / "printing.md").read_text(encoding="utf-8")
    documented = [
        stocks.parse_stock(block, "printing.md")
        for block in re.findall(r"```toml \w+\.toml\n(.*?)```", text, re.DOTALL)
    ]
    assert [(stock.name, stock.roll) for stock in documented] == [("card", False), ("jam", False), ("roll", True), ("pair", True)]
