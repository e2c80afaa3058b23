"""The typefaces of designs: they come with the program and their licences, differ, and print all characters."""

from importlib import resources
from io import BytesIO
from typing import get_args

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.output import pdf
from labels.paper import sheet, stocks
from labels.typesetting import fonts, typefaces
from labels.typesetting.text import fit
from labels.typesetting.typefaces import STANDARD, TYPEFACES, Weight, find_weight
from tests.labels.paper import printed
from tests.labels.samples import own

STOCK = stocks.find("5163")
WEIGHTS: tuple[Weight, ...] = get_args(Weight)
SENTENCE = "Žluťoučký kůň, Привет, Γειά σου, שלום, ½ 12,50 € ★ ♠"


def test_every_typeface_has_all_weights() -> None:
    weights = {
        find_weight(typeface, bold=bold, italic=italic)
        for typeface in TYPEFACES
        for bold in (False, True)
        for italic in (False, True)
    }
    assert weights == set(WEIGHTS)
    assert {typefaces.standard_weight(weight) for weight in WEIGHTS} == set(WEIGHTS[:4])


@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_weight_prints_what_the_standard_one_prints(weight: Weight) -> None:
    pieces = fonts.pieces(fonts.clean(SENTENCE), weight)
    assert fonts.measure(fonts.clean(SENTENCE), weight, 1) > 5
    own_faces = {piece.face for piece in pieces}
    assert fonts.face(weight) in own_faces
    assert fonts.pieces("Jam", weight) == (fonts.TextPiece(fonts.face(weight), "Jam"),)


@given(st.text("abcXYZ äéß 0123 Жя Ωλ ★♠א,.", min_size=1, max_size=20), st.sampled_from(WEIGHTS))
def test_no_line_of_any_typeface_is_wider_than_its_room(text: str, weight: Weight) -> None:
    setting = fit(text, "the text", 500, 500, 10, weight=weight)
    assert all(fonts.measure(line, weight, setting.size) <= 500 for line in setting.lines)


def test_bold_and_typefaces_differ_on_paper() -> None:
    def count_ink(typeface: str, bold: str) -> int:
        label = own(
            f'[[part]]\ntext = "x"\ntypeface = "{typeface}"\nbold = {bold}\nsize = [20, 20]\nbox = [3, 3, 90, 12]\n',
            "Quince jam",
        )
        return printed(label, STOCK, 100).part(STOCK.box(1)).histogram()[0]

    for typeface in TYPEFACES:
        assert count_ink(typeface, "true") > 1.1 * count_ink(typeface, "false")
    assert len({fonts.measure("Quince jam", find_weight(each, bold=False, italic=False), 1) for each in TYPEFACES}) == 6
    assert fonts.measure("Quince jam", "condensed regular", 1) < 0.9 * fonts.measure("Quince jam", "regular", 1)


def test_several_weights_on_a_page_are_embedded_and_read_as_text() -> None:
    faces = [("serif", "true"), ("serif", "false"), ("hand", "true"), ("mono", "false")]
    parts = "".join(
        f'[[part]]\ntext = "{{a}}"\ntypeface = "{typeface}"\nbold = {bold}\nbox = [3, {3 + 8 * number}, 90, 8]\n'
        for number, (typeface, bold) in enumerate(faces)
    )
    words = ("Наклейка 1", "Żurek 2", "Crème 3", "Ölkrug 4")
    label = own(parts, *words)
    document = pdf.render_sheets(sheet.place_labels([label], STOCK), STOCK, pdf.Setup("A label"))
    with pypdfium2.PdfDocument(BytesIO(document)) as opened:
        text = opened[0].get_textpage().get_text_range()
    assert [line.strip() for line in text.splitlines() if line.strip()] == list(words)
    assert all(name in document for name in (b"Lora-Bold", b"Lora-Regular", b"Caveat-Bold", b"CascadiaMono-Regular"))


def test_a_design_without_a_typeface_has_the_standard_one() -> None:
    plain, named = (own(f'[[part]]\ntext = "{{a}}"\n{key}', "Jam") for key in ("", f'typeface = "{STANDARD}"\n'))
    documents = [
        pdf.render_sheets(sheet.place_labels([label], STOCK), STOCK, pdf.Setup("A label")) for label in (plain, named)
    ]
    assert documents[0] == documents[1]


def test_each_font_has_its_licence_beside_it() -> None:
    files = {file.name for file in (resources.files("templates") / "typefaces").iterdir()}
    families = {name.partition(".")[0].partition("-")[0] for name in files if name.endswith(".ttf")}
    assert families
    for family in families:
        licence = (resources.files("templates") / "typefaces" / f"{family}-OFL.txt").read_text(encoding="utf-8")
        assert "SIL Open Font License, Version 1.1" in licence
