"""A page as SVG: true to size, its code is read, its letters are outlines where the PDF has them, pictures included."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from PIL import Image, ImageDraw

from labels.output import pdf, proof
from labels.paper import sheet, stocks
from tests.labels.paper import read
from tests.labels.samples import SWIFT, box_label

STOCK = stocks.find("18294")
SCALE = 4.0
HREF = "{http://www.w3.org/1999/xlink}href"


class Move(NamedTuple):
    """An SVG matrix."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def then(self, inner: "Move") -> "Move":
        """What moves by `inner` and then by this."""
        return Move(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            *self.point(inner.e, inner.f),
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point comes to lie."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


def shapes(
    node: ElementTree.Element, move: Move, letters: dict[str, str]
) -> Iterator[tuple[str, list[list[tuple[float, float]]]]]:
    """The fill and the outlines of every path, curves by their handles, in points from the top left corner."""
    if node.tag.endswith("defs"):
        letters |= {f"#{letter.get('id')}": letter.get("d", "") for letter in node}
        return
    transform = node.get("transform")
    if transform:
        move = move.then(Move(*map(float, re.findall(r"[-\d.e]+", transform))))
    for part in re.findall("M[^M]*", letters.get(node.get(HREF, ""), node.get("d", ""))):
        numbers = [float(number) for number in re.findall(r"[-\d.e]+", part)]
        yield (
            node.get("fill", ""),
            [[move.point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]],
        )
    for inner in node:
        yield from shapes(inner, move, letters)


def test_code_and_letters_stand_where_they_stand_in_the_pdf() -> None:
    label = box_label()
    document = pdf.render_sheets(sheet.place_labels([label, SWIFT], STOCK), STOCK, pdf.Setup("x"))
    page = ElementTree.fromstring(proof.page_as_svg(document, 1))
    assert (page.get("width"), page.get("height"), page.get("viewBox")) == ("215.90mm", "279.40mm", "0 0 612 792")
    paper = Image.new("L", (int(612 * SCALE), int(792 * SCALE)), 255)
    pen = ImageDraw.Draw(paper)
    letters = 0
    for fill, outlines in shapes(page, Move(1, 0, 0, 1, 0, 0), {}):
        for outline in outlines:
            if fill == "#000000" and len(outline) == len("abcda"):
                pen.polygon([(x * SCALE, y * SCALE) for x, y in outline], fill=0)
            inside = STOCK.box(1)
            letters += all(inside.x < x < inside.right and inside.y < 792 - y < inside.top for x, y in outline)
    assert [text.partition(":")[0] for text in read(paper)] == [label.payload.partition(":")[0]]
    assert letters > len("The Ashen Court")


def test_a_letter_that_comes_again_has_one_outline() -> None:
    page = proof.page_as_svg(pdf.render_sheets(sheet.place_labels([SWIFT, SWIFT], STOCK), STOCK, pdf.Setup("x")), 1)
    outlines = re.findall(r'<path id="[^"]+" d="([^"]+)"', page)
    assert len(set(outlines)) == len(outlines) < page.count("<use ") / 2


def test_dotted_lines_stay_dotted() -> None:
    run = sheet.place_labels([SWIFT], STOCK)
    inks = [pdf.Setup("x", outlines=True, ink=ink) for ink in ("black", "colour")]
    in_black, in_colour = (proof.page_as_svg(pdf.render_sheets(run, STOCK, setup), 1) for setup in inks)
    assert 'stroke-dasharray="0.7094 1.419"' in in_black
    assert "stroke-dasharray" not in in_colour
