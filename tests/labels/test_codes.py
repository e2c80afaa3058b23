"""Codes of every kind on paper, turned or not: read at printers' dots, with white paper around, or refused."""

import pytest

from labels import designfile, pdf, sheet, stocks
from labels.designs.own import OwnLabel, Specimen
from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.null_ink import NullInk
from labels.sheet import SAFE_MARGIN
from labels.stocks import Stock
from tests.labels.paper import Paper, printed, read_all, strays, text_in
from tests.labels.samples import own

STOCK = stocks.find("5163")
KINDS = {
    "qr": ("QR Code", "https://example.org/7"),
    "datamatrix": ("Data Matrix", "004711"),
    "code128": ("Code 128", "JAR-07 b"),
    "ean13": ("EAN-13", "4006381333931"),
}
SIZES = {"qr": (16, 16), "datamatrix": (7, 7), "code128": (36, 12), "ean13": (34, 12)}
"""Millimetres that a code of each kind needs, about."""


def coded(symbology: str, degrees: int = 0, more: str = "") -> OwnLabel:
    """A label with a code in a box of about its size, in the middle of the label."""
    width, height = SIZES[symbology] if degrees % 180 == 0 else SIZES[symbology][::-1]
    box = f'["50 % - {width / 2}", "50 % - {height / 2}", {width}, {height}]'
    turned = f"rotate = {degrees}\n" if degrees else ""
    return own(f'[[part]]\ncode = "{{a}}"\nsymbology = "{symbology}"\nbox = {box}\n{turned}{more}', KINDS[symbology][1])


@pytest.mark.parametrize("dpi", [203, 300])
@pytest.mark.parametrize("name", ["5163", "5160", "L7160", "22806", "DK-11209", "30334"])
@pytest.mark.parametrize("symbology", KINDS)
def test_every_kind_is_read_at_the_dots_of_printers(symbology: str, name: str, dpi: int) -> None:
    stock = stocks.find(name)
    paper = printed(coded(symbology), stock, dpi)
    assert [code[:2] for code in read_all(paper.part(stock.box(1)))] == [KINDS[symbology]]
    one_bit = paper.part(stock.box(1)).point(lambda grey: 255 if grey > 127 else 0)
    assert [code[:2] for code in read_all(one_bit)] == [KINDS[symbology]]


@pytest.mark.parametrize("degrees", [90, 180, 270])
@pytest.mark.parametrize("symbology", ["qr", "code128", "ean13"])
def test_a_turned_code_is_read_and_stays_in_its_box(symbology: str, degrees: int) -> None:
    figures = "figures = true\n" if symbology != "qr" else ""
    paper = printed(coded(symbology, degrees, figures), STOCK)
    assert read_all(paper.part(STOCK.box(1))) == [(*KINDS[symbology], degrees)]
    width, height = SIZES[symbology] if degrees == 180 else SIZES[symbology][::-1]
    die = STOCK.box(1)
    box = Box(die.x + (die.width - width * MM) / 2, die.y + (die.height - height * MM) / 2, width * MM, height * MM)
    ink = paper.ink(die)
    assert ink is not None
    assert min(ink.x - box.x, ink.y - box.y, box.right - ink.right, box.top - ink.top) > -0.5


@pytest.mark.parametrize(("symbology", "modules"), [("code128", (10, 10)), ("ean13", (11, 7))])
@pytest.mark.parametrize("align", ["left", "centre", "right"])
def test_bars_have_white_beside_them_and_stay_in_the_margin(
    symbology: str, modules: tuple[int, int], align: str
) -> None:
    stock = stocks.find("5160")
    box = f'symbology = "{symbology}"\nbox = [0, 0, 42, "100 %"]\nalign = "{align}"'
    paper = printed(own(f'[[part]]\ncode = "{{a}}"\n{box}\n', KINDS[symbology][1]), stock, 600)
    assert strays(paper, stock, SAFE_MARGIN) is None
    die = stock.box(1)
    ink = paper.ink(die)
    assert ink is not None
    count = {"code128": 123, "ean13": 95}[symbology]
    module = ink.width / count
    assert ink.x - modules[0] * module >= die.x - 0.2
    assert ink.right + modules[1] * module <= die.x + 42 * MM + 0.2


def test_figures_stand_below_bars_and_are_copied_as_one_number() -> None:
    label = own('[[part]]\ncode = "{a}"\nsymbology = "ean13"\nfigures = true\nbox = [5, 5, 60, 30]\n', "400638133393")
    document = pdf.render_sheets(sheet.place_labels([label], STOCK), STOCK, pdf.Setup("A label"))
    die, plain = (
        STOCK.box(1),
        own('[[part]]\ncode = "{a}"\nsymbology = "ean13"\nbox = [5, 5, 60, 30]\n', "400638133393"),
    )
    assert "4006381333931" in text_in(document, die).replace(" ", "")
    whole, bars = Paper(document, 300).ink(die), printed(plain, STOCK).ink(die)
    assert whole is not None
    assert bars is not None
    # The first figure stands before the bars.
    assert whole.x < bars.x - MM
    assert whole.height <= bars.height + 0.5


def test_equal_bars_are_stored_once_for_a_whole_sheet() -> None:
    label = coded("code128")
    document = pdf.render_sheets(sheet.place_labels([label] * STOCK.count, STOCK), STOCK, pdf.Setup("Labels"))
    assert document.count(b"/Subtype /Form") == 1
    assert len(read_all(Paper(document, 200).image)) == STOCK.count


@pytest.mark.parametrize(
    ("part", "word", "stock", "says"),
    [
        (
            'symbology = "code128"\nbox = [5, 5, 30, 12]',
            "JAR-0007-XL",
            STOCK,
            "would be 30.0 mm wide .* need 4[0-9.]+ mm",
        ),
        ('symbology = "ean13"\nbox = [5, 5, 25, 12]', "4006381333931", STOCK, "would be 25.0 mm wide .* need 29.8 mm"),
        ('symbology = "code128"\nbox = [5, 5, 60, 4]', "A", STOCK, "leaves 4.0 mm for the height of its bars"),
        (
            'symbology = "code128"\nfigures = true\nbox = [5, 5, 60, 6]',
            "A",
            STOCK,
            "a scanner needs 5.0 mm; make it higher, leave out its figures",
        ),
        ('symbology = "datamatrix"\nbox = [5, 5, 5, 5]', "004711 and more", STOCK, "The Data Matrix “{a}” would be"),
        ('symbology = "ean13"', "4006381333932", STOCK, "would be 1; correct the number"),
        ('symbology = "code128"', "Käse", STOCK, "“Käse” has “ä”, and Code 128 holds only"),
    ],
)
def test_a_code_that_cannot_be_read_is_refused(part: str, word: str, stock: Stock, says: str) -> None:
    with pytest.raises(LabelError, match=says):
        own(f'[[part]]\ncode = "{{a}}"\n{part}\n', word).draw(NullInk(), stock.box(1))


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ('symbology = "ean13"\nbox = [5, 5, 20, 20]', "leaves 20.0 mm of width, and EAN-13 needs 29.8 mm at least"),
        ('symbology = "code128"\nbox = [5, 5, 10, 20]', "leaves 10.0 mm of width, and Code 128 needs 1[0-9.]+ mm"),
        ('symbology = "code128"\nrotate = 90\nbox = [5, 5, 20, 10]', "leaves 10.0 mm of width, and Code 128 needs"),
        ('symbology = "datamatrix"\nbox = [5, 5, 4, 4]', "leaves 4.0 mm for it with the white around it"),
        ('symbology = "ean13"\nfigures = true\nbox = [5, 5, 40, 6]', "for the height of its bars"),
    ],
)
def test_a_box_in_which_no_code_could_stand_is_told(part: str, says: str) -> None:
    design = designfile.parse_design(f'[[part]]\ncode = "{{a}}"\n{part}\n', "jar", "jar.toml")
    with pytest.raises(LabelError, match=says):
        Specimen(design).check(STOCK)


def test_a_design_shows_an_example_of_its_bars() -> None:
    design = designfile.parse_design('[[part]]\ncode = "{a}"\nsymbology = "ean13"\n', "jar", "jar.toml")
    assert [code[0] for code in read_all(printed(Specimen(design), STOCK).part(STOCK.box(1)))] == ["EAN-13"]
