"""Letters stand as near to one another as the family's own pairs say, in print as in what was measured."""

import pytest
from reportlab.pdfbase.pdfmetrics import getFont

from labels.drawing.ink import BLACK, Ink
from labels.geometry import Box
from labels.output import pdf
from labels.typesetting import fonts
from tests.labels.paper import Paper, text_in

WAVE = "AVATAR +1 To Ty"


@pytest.mark.parametrize(
    ("pair", "units"),
    [("To", -55), ("K+", -34), ("+1", -70), ("Yo", -59), ("AV", 0), ("12", 0), ("nn", 0), ("Та", -50)],
)
def test_pairs_are_those_of_the_family(pair: str, units: int) -> None:
    """As readers of the font's tables have them: lists of pairs, and classes of letters; nearer by what can be seen."""
    apart = sum(fonts.measure(char, "regular", 1000) for char in pair)
    assert fonts.measure(pair, "regular", 1000) - apart == pytest.approx(units)


def _draw_wave(ink: Ink) -> None:
    ink.text(20, 50, WAVE, "regular", 40, BLACK)


def test_kerned_text_is_as_wide_as_measured_and_still_text() -> None:
    document = pdf.render_pages([_draw_wave], (400, 120), "x")
    ink = Paper(document, 150).ink(Box(0, 0, 400, 120))
    assert ink is not None
    width = fonts.measure(WAVE, "regular", 40)
    apart = sum(getFont("FiraGO-regular").stringWidth(char, 40) for char in WAVE)
    assert apart - width > 5
    # A letter has paper at its sides; here it is little.
    assert width - 3 < ink.width < width
    assert text_in(document, Box(0, 0, 400, 120)) == WAVE


def test_right_to_left_words_and_spaces_are_not_kerned() -> None:
    words = [fonts.measure(word, "bold", 1) for word in ("To", "Ty")]
    assert fonts.measure("To Ty", "bold", 1) == pytest.approx(sum(words) + fonts.measure(" ", "bold", 1))
    assert not fonts.moves("שלום", "regular")
