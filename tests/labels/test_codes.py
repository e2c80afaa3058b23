"""Codes that name labels: read from every print, at the left edge, and never in the way of what a label says."""

import msgspec
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from labels import layout
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from labels.drawing.null_ink import NullInk
from labels.errors import LabelError
from labels.geometry import MM, Box, InkName
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.stocks import Stock
from tests.examples import examples
from tests.labels.paper import ROLLS, SHEETS, Paper
from tests.labels.samples import EASY, UNCOMMON, figures

CODE = "060865"
DATA_MATRIX = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.DataMatrix)
CODED = (
    EffectLabel("Echo", "Its Convert counts twice.", UNCOMMON, "10♣", code=CODE),
    HeadedLabel("Swift", "ATK +1 in the first round.", EASY, code=CODE),
    msgspec.structs.replace(figures("Imp", 6, 1, card="A♠"), code=CODE),
)
SMALL = ("L4731REV", "94102", "DK-11221", "8983")
"""Stocks of which some labels have no room for a code."""


@pytest.mark.parametrize("ink", ["colour", "black"])
@pytest.mark.parametrize("stock", [*SHEETS, *ROLLS], ids=lambda stock: stock.name)
def test_a_code_is_read_at_the_left_edge_of_every_print(stock: Stock, ink: InkName) -> None:
    room = stock.room(1)
    coded = [label for label in CODED if layout.shows_code(label, room.width, room.height)]
    if stock.name not in SMALL:
        assert len(coded) == len(CODED)
    for label in coded:
        document = pdf.render_sheets([{1: label}], stock, pdf.Setup("Code", ink=ink))
        paper = Paper(document, 300)
        part = paper.part(room)
        (code,) = zxingcpp.read_barcodes(part.convert("L"), DATA_MATRIX)
        assert code.text == CODE
        corners = (code.position.top_left, code.position.top_right, code.position.bottom_left)
        left = min(corner.x for corner in corners) / part.width * room.width
        side = (corners[1].x - corners[0].x) / part.width * room.width
        # Ten modules of half a millimetre at least, and paper of one module before them.
        assert side >= 4.8 * MM
        assert left < 0.2 * room.width + 3 * MM


@settings(max_examples=examples(60), deadline=None)
@given(
    st.text("abcdefgh ", min_size=1, max_size=30).filter(str.strip),
    st.text("abcdefgh  .", max_size=90),
    st.sampled_from([stock.name for stock in SHEETS]),
    st.sampled_from(["", "7♠", "10♣"]),
)
def test_a_label_with_a_code_prints_whatever_it_prints_without(title: str, words: str, name: str, card: str) -> None:
    room = stocks.find(name).room(1)
    for label in (
        EffectLabel(title, words, UNCOMMON, card),
        HeadedLabel(title, words, EASY, card),
        FiguresLabel(title, (("HP", "23"), ("ATK", "4")), card=card, note=words[:20]),
    ):
        if _prints(label, room):
            assert _prints(msgspec.structs.replace(label, code=CODE), room)


def _prints(label: sheet.Label, room: Box) -> bool:
    try:
        label.draw(NullInk(), room)
    except LabelError:
        return False
    return True


def test_a_label_too_full_for_a_code_has_none() -> None:
    die = stocks.find("94102").room(1)
    full = HeadedLabel("Rampage of the Deep", "ATK grows every round: +1, +2, +3 and so on.", EASY)
    coded = msgspec.structs.replace(full, code=CODE)
    assert not layout.shows_code(coded, die.width, die.height)
    documents = [pdf.render_sheets([{1: label}], stocks.find("94102"), pdf.Setup("Code")) for label in (full, coded)]
    assert documents[0] == documents[1]
