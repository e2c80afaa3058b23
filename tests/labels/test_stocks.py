"""Stocks: the geometry that research measured, aliases, and files that cannot be true."""

import re
from collections import Counter
from pathlib import Path

import pytest

from labels.geometry import A4, LETTER, MM, PaperError, SizeError, paper_of_region, parse_paper, parse_size
from labels.paper import stocks
from labels.paper.stocks import StockError

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


def test_an_unknown_stock_is_refused_with_what_is_near_it() -> None:
    with pytest.raises(StockError, match=r"“L7162x” is not known; near it are L7162.*“companion labels stocks” lists"):
        stocks.find("L7162x")
    with pytest.raises(StockError, match=r"“Herma 5160” is not known"):
        stocks.find("Herma 5160")


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("70x36mm", "are 3475 (70 × 36 mm) and "),
        ("Herma 9999 63.5 x 38.1 mm", "are L7160 (63.5 × 38.1 mm) and 4677 (63.5 × 38.1 mm);"),
        ("L9999 40 mm round", "are L7780 (40 mm round) and 4476 (40 mm round) and "),
        ("DK-99999 29 mm roll", "is DK-22210 (29 × 19 mm);"),
        ("L7161x", "are L7161 (63.5 × 46.56 mm) and 4265 (63.5 × 46.56 mm);"),
        ("L7106", "are L7160 (63.5 × 38.1 mm) and L7166 (99.06 × 93.13 mm);"),
        ("4711", "are 4771 (70 × 37.12 mm) and "),
    ],
)
def test_near_it_is_what_has_its_size_or_one_sign_else(written: str, near: str) -> None:
    with pytest.raises(StockError) as refusal:
        stocks.find(written)
    assert f"“{written}” is not known; near it {near}" in str(refusal.value)


@pytest.mark.parametrize("written", ["61528", "L71z1x", "x", "DK-99999"])
def test_digits_alone_make_no_stock_near(written: str) -> None:
    with pytest.raises(StockError, match=rf"“{written}” is not known; “companion labels stocks” lists"):
        stocks.find(written)


@pytest.mark.parametrize(
    ("name", "size", "paper"),
    [
        ("DK-22251", "62 × 40 mm", "62 x 40 mm"),
        ("DK-22246", "103.6 × 60 mm", "103.6 x 60 mm"),
        ("DK-11247", "103.6 × 164.3 mm", "103.6 x 164.3 mm"),
        ("L4737REV", "63.5 × 29.63 mm", "a4"),
        ("5026", "3.4375 × 0.9375 in", "letter"),
        ("5027", "3.4375 × 0.9375 in", "letter"),
    ],
)
def test_a_stock_is_answered_with_the_one_that_was_named(name: str, size: str, paper: str) -> None:
    stock = stocks.find(name)
    assert (stock.name, stock.size, stock.page) == (name, size, paper)
    assert name in stock.title


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *(("Avery 5160", "5160"), ("avery® 5160", "5160"), ("AVERY8160", "5160"), ("Avery  18160", "5160")),
        *(("J8160", "L7160"), ("Avery Zweckform L7160", "L7160"), ("Zweckform L7160-100", "L7160")),
        *(("l7163-40", "L7163"), ("Avery L7159", "L7159"), ("Zweckform 3490", "3475"), ("Herma 4226", "4226")),
        *(("Brother DK-11209", "DK-11209"), ("dk 11209", "DK-11209"), ("brother dk-22205", "DK-22205")),
        *(("Dymo 30252", "30252"), ("DYMO LabelWriter 99010", "30252"), ("Avery 22807", "22807")),
        *(("L7160 white", "L7160"), ("L4737REV-25", "L4737REV"), ("L4737", "L4737REV"), ("Avery L4731", "L4731REV")),
        *(("DK-22251 red/black", "DK-22251"), ("Brother DK-22251 (black, red)", "DK-22251"), ("22212", "DK-22212")),
        *(("DK 11247", "DK-11247"), ("Brother DK-22246", "DK-22246"), ("Avery 5027", "5027"), ("5026", "5026")),
        *(("2.25 x 1.25 in", "2.25x1.25in"), ("4×6", "4x6in"), ("Niimbot 50x30", "50x30mm")),
    ],
)
def test_a_code_is_understood_however_it_is_written(written: str, name: str) -> None:
    assert stocks.find(written).name == stocks.find_known(written).name == name


@pytest.mark.slow
def test_every_name_is_one_stocks_alone_and_found_behind_its_makers() -> None:
    every_stock = stocks.valid_stocks()
    names = [name for stock in every_stock for name in (stock.name, *stock.aliases)]
    keys = [re.sub(r"[\s-]", "", name.casefold()) for name in names]
    assert len(set(keys)) == len(keys)
    for stock in every_stock:
        assert stock.makers
        for maker in stock.makers:
            for name in (stock.name, *stock.aliases):
                assert stocks.find(f"{maker} {name}", every_stock) == stock


def test_two_bundled_stocks_never_have_one_name() -> None:
    # Of two entries with one name, `valid_stocks` has only the last.
    names = Counter(
        re.sub(r"[\s-]", "", name.casefold())
        for stock in stocks._read_bundled_stocks()
        for name in (stock.name, *stock.aliases)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_a_broken_entry_of_a_bundled_file_is_named() -> None:
    with pytest.raises(StockError, match=r"Stock 9 in maker\.toml cannot be used: .*unknown field `reach`"):
        stocks._convert_entry({"name": "9", "reach": 1}, "maker.toml")


def test_what_comes_along_can_be_and_says_its_source() -> None:
    for stock in stocks.valid_stocks():
        stocks.check_geometry(stock, "its file")
        assert stock.source
        assert not stock.confirmed or "," in stock.source, f"{stock.name} names one source only"


def test_a_continuous_roll_is_cut_at_any_length() -> None:
    roll = stocks.find("Brother DK-22205 100 mm")
    assert (roll.width, roll.height, roll.page) == (62, 100, "62 x 100 mm")
    assert stocks.find(roll.name) == roll
    assert stocks.find("22205 4in").height == pytest.approx(101.6)
    for wrong, says in (("DK-22205 9000 mm", "cannot be cut so: Paper of"), ("DK-11209 100 mm", "is not known")):
        with pytest.raises(StockError, match=says):
            stocks.find(wrong)


@pytest.mark.parametrize(
    ("size", "names"),
    [
        ("70x36mm", ["3475", "4360"]),
        ("70 x 36", ["3475"]),
        ("36 × 70 mm", ["3475"]),
        ("2.625x1in", ["5160"]),
        ('2-5/8" x 1"', ["5160"]),
        ("1 x 2 ⅝", ["5160"]),
        ("63.5 x 38,1 mm", ["L7160"]),
        ("40mm", ["L7780"]),
        ("40 mm round", ["L7780"]),
        ("Ø 40 mm", ["L7780"]),
        ("62x29", ["DK-11209"]),
        ("4x6", ["4x6in"]),
    ],
)
def test_a_size_finds_what_is_like_it_the_best_first(size: str, names: list[str]) -> None:
    similar = [stock.name for stock in stocks.find_by_size(parse_size(size), stocks.valid_stocks())]
    assert similar[: len(names)] == names


def test_only_what_a_ruler_could_mistake_is_like_a_size() -> None:
    for stock in stocks.find_by_size(parse_size("70x36"), stocks.valid_stocks()):
        assert sorted((stock.die.width / MM, stock.die.height / MM)) == pytest.approx([36, 70], abs=2)


@pytest.mark.parametrize("text", ["", "70", "x", "70x", "axb", "70x36km", "0x0", "1/0 x 3"])
def test_what_is_no_size_is_refused(text: str) -> None:
    if text == "70":
        assert parse_size(text) == pytest.approx((70 * MM, 70 * MM))
        return
    with pytest.raises(SizeError):
        parse_size(text)


def test_two_labels_side_by_side_lie_in_the_middle_of_their_backing() -> None:
    text = ROLL.replace("width = 4", "width = 2\ncolumns = 2\npitch_x = 2.125\nbacking = 4.5")
    pair = stocks.parse_stock(text, "pair.toml")
    assert (pair.page, pair.count, str(pair.feed)) == ("4.5 x 2 in", 2, "each row of 2 labels is a page")
    first, last = pair.box(1), pair.box(2)
    assert first.x == pytest.approx(pair.page_size[0] - last.right)
    assert last.x - first.x == pytest.approx(2.125 * 72)
    with pytest.raises(StockError, match=r"its labels are wider than their backing of 4 in"):
        stocks.parse_stock(text.replace("4.5", "4"), "pair.toml")


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
        ("radius = 2", "", "own.toml cannot be read: it lacks “radius”"),
        ("radius = 2", 'shape = "star"', 'own.toml cannot be read: line 15: write shape = "ellipse"'),
        ("radius = 2", 'shape = "ellipse"\nhole = 84', "The hole of stock own leaves nothing of its labels"),
        (NARROW, "", 'own.toml cannot be read: it lacks “name”; write name = "L7160" '),
        ("left = 10", "left = nan", "own.toml cannot be read: line 11: write left = 7.2 "),
        ('page = "a4"', 'page = "a7"', 'own.toml cannot be read: line 4: write page = "148 x 210 mm"'),
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
    assert (roll.count, roll.page, str(roll.cut)) == (1, "4 x 2 in", "a roll of 4 × 2 in")
    assert roll.box(1).right == roll.page_size[0] == 288
    assert stocks.parse_stock(ROLL.replace("4", "2.3125"), "r.toml").page_size[0] == pytest.approx(2.3125 * 72)


@pytest.mark.parametrize("width", ["4000", "0.00001"])
def test_a_roll_that_no_printer_takes_only_takes_itself_away(tmp_path: Path, width: str) -> None:
    (tmp_path / "r.toml").write_text(ROLL.replace("4", width), encoding="utf-8")
    result = stocks.load_stocks(tmp_path)
    assert len(result.stocks) == len(stocks.valid_stocks())
    assert str(result.wrong[0].reason).startswith(f"The stock {tmp_path / 'r.toml'} cannot be used: Paper ")


@pytest.mark.parametrize("text", ["", "5 x 100 mm", "3 x 4000", "a7", "210 297", "210 x 297 cm", "-1 x 2 in"])
def test_paper_that_no_printer_takes_is_refused(text: str) -> None:
    with pytest.raises(PaperError):
        parse_paper(text)


def test_paper_by_its_lengths_is_the_paper_that_has_a_name() -> None:
    assert parse_paper("8,5x11 in").fits(LETTER)
    assert parse_paper("297 × 210").fits(A4)
    assert not parse_paper("a4").fits(LETTER)


def test_stocks_of_a_folder_come_along_and_win_over_a_namesake(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(NARROW, encoding="utf-8")
    (tmp_path / "5163.toml").write_text(NARROW.replace('"own"', '"5163"'), encoding="utf-8")
    valid = stocks.valid_stocks(tmp_path)
    assert stocks.find("own", valid).title == "My own"
    assert stocks.find("5163", valid).columns == 2
    assert stocks.find("5163", valid).page == "a4"
    assert len(valid) == len(stocks.valid_stocks()) + 1


def test_a_broken_file_only_takes_itself_away(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(NARROW, encoding="utf-8")
    (tmp_path / "bad.toml").write_text("width = 'wide'", encoding="utf-8")
    result = stocks.load_stocks(tmp_path)
    assert stocks.find("own", *result).title == "My own"
    with pytest.raises(StockError, match=r"bad.toml cannot be read: line 1: write width"):
        stocks.find("bad", *result)
    with pytest.raises(StockError, match=r"“x” is not known; .* a size. The stock .*bad.toml cannot be read"):
        stocks.find("x", *result)


def test_two_stocks_with_one_alias_are_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(NARROW + 'aliases = ["5195"]\n', encoding="utf-8")
    with pytest.raises(StockError, match="both claim the name 5195"):
        stocks.valid_stocks(tmp_path)


def test_the_files_that_the_documents_show_are_stocks() -> None:
    text = (Path(__file__).parents[2] / "docs" / "printing.md").read_text(encoding="utf-8")
    documented = [
        stocks.parse_stock(block, "printing.md")
        for block in re.findall(r"```toml \w+\.toml\n(.*?)```", text, re.DOTALL)
    ]
    assert [(stock.name, stock.roll) for stock in documented] == [
        ("card", False),
        ("jam", False),
        ("roll", True),
        ("pair", True),
    ]


@pytest.mark.parametrize(
    ("locale", "paper"),
    [
        ("de_DE.UTF-8", "A4"),
        ("fr_CA.UTF-8", "Letter"),
        ("en_US", "Letter"),
        ("en_GB@euro", "A4"),
        ("C.UTF-8", "Letter"),
        ("", "Letter"),
    ],
)
def test_plain_paper_is_that_of_the_region(monkeypatch: pytest.MonkeyPatch, locale: str, paper: str) -> None:
    for name in ("LC_ALL", "LC_PAPER", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)
    assert paper_of_region().title == paper
    monkeypatch.setenv("LC_PAPER", "es_MX.UTF-8")
    assert paper_of_region().title == "Letter"
