"""Backs: every second page lies behind the one before when the sheet is turned over its long edge."""

from pathlib import Path

import msgspec
import pypdfium2
import pytest

from companion.printing import custom
from companion.printing.run import PrintRun, impose
from companion.printing.spreadsheets import tables
from companion.printing.spreadsheets.tables import FileError
from labels.geometry import Box
from labels.output import pdf
from labels.paper import stocks
from labels.paper.stocks import Stock
from tests.labels.paper import text_in

BACKS = "name,text,back\nBasil,in the sun,Ocimum basilicum\nParsley,half shade,Petroselinum\nSage,dry soil,\n"


def two_sided(tmp_path: Path, content: str, stock: Stock, design: str = "") -> PrintRun:
    file = tmp_path / "tags.csv"
    file.write_text(content, encoding="utf-8")
    with tables.open_table(file) as table:
        labels = custom.own_labels(table, tmp_path, design=custom.optional_design(design), stock=stock)
        setup = pdf.Setup("Tags", two_sided=labels.two_sided)
        return impose(tuple(labels), stock, setup, wanted=tuple(labels.wanted))


def behind(stock: Stock, position: int) -> Box:
    """Where the back of a label lies, seen from behind."""
    box, (width, height) = stock.box(position), stock.page_size
    if width > height:
        return Box(box.x, height - box.top, box.width, box.height)
    return Box(width - box.right, box.y, box.width, box.height)


def pages_of(document: bytes) -> int:
    with pypdfium2.PdfDocument(document) as opened:
        return len(opened)


@pytest.mark.parametrize("name", ["5163", "L7160", "18294", "L7780", "3475"])
def test_each_back_lies_behind_its_label(tmp_path: Path, name: str) -> None:
    stock = stocks.find(name)
    document = two_sided(tmp_path, BACKS, stock).document()
    assert pages_of(document) == 2
    assert text_in(document, stock.box(1), 0).startswith("Basil")
    assert text_in(document, behind(stock, 1), 1) == "Ocimum basilicum"
    assert text_in(document, behind(stock, 2), 1) == "Petroselinum"
    assert text_in(document, behind(stock, 3), 1) == ""


def test_a_sheet_off_the_middle_is_mirrored_as_it_lies() -> None:
    stock = stocks.find("L7160")
    uneven = msgspec.structs.replace(stock, left=2.0)
    mirrored = uneven.mirror()
    for position in range(1, uneven.count + 1):
        back = mirrored.box(uneven.mirrored_position(position))
        assert back.x == pytest.approx(behind(uneven, position).x)
        assert back.y == pytest.approx(behind(uneven, position).y)


def test_each_sheet_has_its_own_back(tmp_path: Path) -> None:
    stock = stocks.find("5163")
    rows = "".join(f"Tag {number},,back {number}\n" for number in range(1, 13))
    document = two_sided(tmp_path, f"name,text,back\n{rows}", stock).document()
    assert pages_of(document) == 4
    assert text_in(document, behind(stock, 2), 3) == "back 12"


def test_copies_and_positions_have_their_backs(tmp_path: Path) -> None:
    stock = stocks.find("5163")
    document = two_sided(tmp_path, "name,count,position,back\nA,2,7,one\nB,1,2,two\n", stock).document()
    assert [text_in(document, behind(stock, at), 1) for at in (7, 8, 2, 1)] == ["one", "one", "two", ""]


def test_without_backs_nothing_changes(tmp_path: Path) -> None:
    stock = stocks.find("5163")
    run = two_sided(tmp_path, "name,back\nA,\nB,\n", stock)
    assert (run.setup.two_sided, pages_of(run.document())) == (False, 1)


def test_a_design_that_shows_the_column_has_no_back(tmp_path: Path) -> None:
    design = tmp_path / "front.toml"
    design.write_text('[[part]]\ntext = "{name} {back}"\n', encoding="utf-8")
    assert not two_sided(tmp_path, BACKS, stocks.find("5163"), str(design)).setup.two_sided


def test_printers_are_asked_for_both_sides(tmp_path: Path) -> None:
    stock = stocks.find("5163")
    assert b"/DuplexFlipLongEdge" in two_sided(tmp_path, BACKS, stock).document()
    assert b"/Simplex" in two_sided(tmp_path, "name\nA\n", stock).document()


@pytest.mark.parametrize(
    ("content", "stock", "says"),
    [
        (
            BACKS,
            "DK-11209",
            "DK-11209 is a roll, which is printed on one side; leave out the column",
        ),
        (f"name,back\nA,{'Long ' * 300}\n", "18294", "The text “{back}” is too long"),
    ],
)
def test_a_back_that_cannot_be_printed_is_told_by_line(tmp_path: Path, content: str, stock: str, says: str) -> None:
    with pytest.raises(FileError) as error:
        two_sided(tmp_path, content, stocks.find(stock))
    assert says in str(error.value)
