"""Text in columns: from top to bottom, the first column at the right, and words of other scripts turned."""

import pytest

from labels.geometry import Box
from labels.output import pdf
from labels.typesetting.fonts import Weight
from labels.typesetting.text import SMALLEST, TextError
from labels.vertical import VerticalSetting, draw_vertical, fit_vertical
from tests.labels.paper import Paper, text_in

PAGE = Box(0, 0, 120, 200)
ROOM = Box(20, 20, 80, 160)


def page_of(setting: VerticalSetting) -> bytes:
    return pdf.render_pages([lambda ink: draw_vertical(ink, ROOM, setting)], (PAGE.width, PAGE.height), "x")


@pytest.mark.parametrize("weight", ["regular", "bold", "italic"])
def test_words_lie_on_their_side_and_begin_at_the_upper_right(weight: Weight) -> None:
    setting = fit_vertical("Hedge Jam", "The name", ROOM.width, ROOM.height, 20, weight=weight)
    ink = Paper(page_of(setting), 200).ink(PAGE)
    assert ink is not None
    assert len(setting.columns) == 1
    assert ink.top == pytest.approx(ROOM.top, abs=3)
    assert ink.height > 3 * ink.width
    assert ROOM.right - 1.25 * 20 < ink.x < ink.right <= ROOM.right + 0.5


def test_the_next_column_stands_to_the_left() -> None:
    setting = fit_vertical("Hedge Jam of the seven deep woods", "The name", ROOM.width, ROOM.height, 20)
    ink = Paper(page_of(setting), 200).ink(PAGE)
    assert ink is not None
    assert len(setting.columns) >= 2
    assert ink.width == pytest.approx(setting.width, abs=8)
    assert ink.x >= ROOM.x
    assert ink.y >= ROOM.y
    assert text_in(page_of(setting), PAGE) == "Hedge Jam of the seven deep woods"


def test_what_is_written_in_lines_begins_columns() -> None:
    setting = fit_vertical("Jam\nPlum", "The name", ROOM.width, ROOM.height, 20)
    assert len(setting.columns) == 2
    assert text_in(page_of(setting), PAGE) == "Jam Plum"


def test_it_shrinks_and_then_is_refused_by_name() -> None:
    small = fit_vertical("Hedge Jam of the seven deep woods", "The name", 40, 60, 20)
    assert SMALLEST <= small.size < 20
    with pytest.raises(TextError, match=r"The name is too long: it does not fit from top to bottom even at 5\.5 pt"):
        fit_vertical("Hedge Jam of the seven deep woods", "The name", 12, 20, 20)
