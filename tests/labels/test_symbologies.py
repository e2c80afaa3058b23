"""Every kind of code that a design may ask for is read back from the printed page."""

import pytest
import zxingcpp

from labels.designfile import DesignError, parse_design
from labels.designs.own import Design, OwnLabel, Specimen
from labels.designs.parts import LINEAR, SYMBOLOGIES
from labels.drawing.null_ink import NullInk
from labels.errors import LabelError
from labels.geometry import InkName
from labels.output import pdf
from labels.paper import stocks
from tests.labels.paper import Paper

STOCK = stocks.find("L7166")
GS1 = "(01)09501101530003(10)AB-123(17)260531"

READINGS = (
    # As zxing-cpp calls it, and its identifier by ISO/IEC 15424: “]C1” and “]d2” say that the marks of GS1 are there.
    ("qr", "https://example.org/Käse", "https://example.org/Käse", "]Q1"),
    ("datamatrix", "Käse 12", "Käse 12", "]d1"),
    ("code128", "Box 12/b", "Box 12/b", "]C0"),
    ("ean13", "400638133393", "4006381333931", "]E0"),
    ("upca", "03600029145", "036000291452", "]E0"),
    ("upca", "0 12345-67890 5", "012345678905", "]E0"),
    ("code39", "SHELF 7-B $/+%.", "SHELF 7-B $/+%.", "]A0"),
    ("itf14", "1540014128876", "15400141288763", "]I1"),
    ("itf14", "00012345600012", "00012345600012", "]I1"),
    ("pdf417", "Grüße aus Łódź, Regal 12", "Grüße aus Łódź, Regal 12", "]L2"),
    ("gs1-128", GS1, GS1, "]C1"),
    ("gs1-128", " (01) 0950110153000 (15) 261200", "(01)09501101530003(15)261200", "]C1"),
    ("gs1-datamatrix", GS1, GS1, "]d2"),
    ("gs1-datamatrix", "(00)34012345000000001(21)a", "(00)340123450000000017(21)a", "]d2"),
)


def _design(symbology: str, more: str = "") -> Design:
    return parse_design(f'[[part]]\ncode = "{{code}}"\nsymbology = "{symbology}"\n{more}', "code", "code.toml")


def test_every_symbology_is_read() -> None:
    assert {symbology for symbology, *_ in READINGS} == SYMBOLOGIES.keys()


@pytest.mark.parametrize("ink", ["colour", "black"])
@pytest.mark.parametrize(("symbology", "text", "reading", "identifier"), READINGS)
def test_a_code_is_read_from_the_page(symbology: str, text: str, reading: str, identifier: str, ink: InkName) -> None:
    more = "figures = true" if symbology in LINEAR else ""
    label = OwnLabel(_design(symbology, more), (text,))
    paper = Paper(pdf.render_sheets([{2: label}], STOCK, pdf.Setup("Code", ink=ink)), 300)
    codes = zxingcpp.read_barcodes(paper.part(STOCK.box(2)).convert("L"))
    text_read = {code.text.removeprefix("0") if symbology == "upca" else code.text for code in codes}
    assert text_read == {reading}
    assert [code.symbology_identifier for code in codes] == [identifier]


def test_the_parts_of_a_gs1_text_are_told_apart_by_a_mark() -> None:
    label = OwnLabel(_design("gs1-datamatrix"), (GS1,))
    paper = Paper(pdf.render_sheets([{1: label}], STOCK, pdf.Setup("Code")), 300)
    (code,) = zxingcpp.read_barcodes(paper.part(STOCK.box(1)).convert("L"))
    # The lot has no fixed length, so FNC1 ends it.
    assert code.bytes == b"010950110153000310AB-123\x1d17260531"


def test_bars_of_an_itf_14_stand_between_two_bearers() -> None:
    label = OwnLabel(_design("itf14"), ("15400141288763",))
    paper = Paper(pdf.render_sheets([{1: label}], STOCK, pdf.Setup("Code")), 600)
    image = paper.part(STOCK.box(1)).convert("L")
    dark = [image.crop((0, row, image.width, row + 1)).histogram()[0] for row in range(image.height)]
    rows = [row for row, count in enumerate(dark) if count]
    middle = dark[image.height // 2]
    assert min(dark[rows[3]], dark[rows[-4]]) > 1.5 * middle


@pytest.mark.parametrize("symbology", SYMBOLOGIES)
def test_a_specimen_shows_every_symbology(symbology: str) -> None:
    specimen = Specimen(_design(symbology))
    specimen.check(STOCK)
    specimen.draw(NullInk(), STOCK.room(1))


@pytest.mark.parametrize("symbology", SYMBOLOGIES)
def test_a_code_too_large_for_its_label_is_refused(symbology: str) -> None:
    with pytest.raises(LabelError, match=r"The box of the .* leaves .*mm"):
        Specimen(_design(symbology, "box = [2, 2, 4, 4]")).check(STOCK)


@pytest.mark.parametrize(
    ("symbology", "text", "problem"),
    [
        (
            "upca",
            "036000291453",
            "no UPC-A: after its first 11 figures the last, which checks them, would be 2; correct",
        ),
        ("upca", "4006381333931", "no UPC-A, which has 12 figures, or 11 without the one that checks them"),
        ("upca", "3.6E+10", "no UPC-A, which has 12 figures"),
        ("itf14", "15400141288760", "no ITF-14: after its first 13 figures the last, which checks them, would be 3"),
        ("itf14", "4006381333931x", "no ITF-14, which has 14 figures"),
        ("code39", "Shelf", "has “h”, and Code 39 holds only figures, capitals"),
        ("code39", "A*B", "has “\\*”, and Code 39 holds only"),
        ("code39", "A\nB", "has a line break, and Code 39 holds only"),
        ("code39", "A" * 90, "is too long for Code 39; shorten it"),
        ("pdf417", "€" * 900, "is too long for the PDF417 “{code}”; shorten it"),
        ("gs1-128", "09501101530003", "is no text of GS1; write each identifier in parentheses before its value"),
        ("gs1-128", "(10)a(b", "is no text of GS1; write each identifier in parentheses"),
        ("gs1-128", "(01)09501101530004", "no number for \\(01\\): after its first 13 figures the last, .* would be 3"),
        ("gs1-128", "(00)12345", "no number for \\(00\\), which has 18 figures"),
        ("gs1-128", "(17)261331", "“261331” for \\(17\\) is no date; write it as YYMMDD"),
        ("gs1-128", "(10)Käse", "“Käse” for \\(10\\) has “ä”, and GS1 allows only figures"),
        ("gs1-128", "(10)a b", "for \\(10\\) has a space, and GS1"),
        ("gs1-128", "(777)x", "is no text of GS1: invalid AI \\(777\\); correct it"),
        ("gs1-128", "(10)" + "x" * 21, "is no text of GS1: invalid data length for AI \\(10\\); correct it"),
        ("gs1-128", "(91)" + "x" * 40 + "(92)" + "y" * 40, "is too long for GS1-128, which holds 48 characters"),
        ("gs1-datamatrix", "(01)12", "no number for \\(01\\), which has 14 figures"),
        ("gs1-datamatrix", "(3103)12", "invalid data length for AI \\(3103\\); correct it"),
    ],
)
def test_what_a_code_cannot_hold_is_refused(symbology: str, text: str, problem: str) -> None:
    with pytest.raises(LabelError, match=problem):
        OwnLabel(_design(symbology), (text,)).draw(NullInk(), STOCK.room(1))


def test_an_unknown_symbology_is_told_with_all_there_are() -> None:
    with pytest.raises(
        DesignError, match=r"symbology is “aztec”; write one of qr, .*, upca, .*, gs1-128, gs1-datamatrix"
    ):
        _design("aztec")
