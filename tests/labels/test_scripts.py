"""Scripts whose letters change with their neighbours, marks over letters, and what is read from the right."""

import re
from itertools import pairwise

import pytest
import uharfbuzz
from hypothesis import example, given
from hypothesis import strategies as st

from labels import designfile
from labels.designs.own import OwnLabel
from labels.drawing.ink import BLACK, Ink
from labels.geometry import Box
from labels.output import pdf
from labels.paper.stocks import find
from labels.typesetting import font_files, fonts, shaping
from labels.typesetting.fonts import Weight
from labels.typesetting.line_breaks import split_line
from labels.typesetting.text import fit
from tests.labels.paper import Paper, printed, text_in
from tests.labels.samples import box_label

PAGE = Box(0, 0, 400, 120)
STOCK = find("5163")


def line_of(written: str, weight: Weight = "regular") -> bytes:
    """A page with a large line of text on it."""
    cleaned = fonts.clean(written)
    fonts.check(cleaned, "The line")

    def draw(ink: Ink) -> None:
        ink.text(50, 50, cleaned, weight, 40, BLACK)

    return pdf.render_pages([draw], (PAGE.width, PAGE.height), "x")


def ink_in_line(written: str, box: Box = PAGE, weight: Weight = "regular") -> Box:
    ink = Paper(line_of(written, weight), 200).ink(box)
    assert ink is not None
    return ink


@pytest.mark.parametrize("written", ["क्षत्रिय हिन्दी", "ที่นี่ น้ำ", "q̃ Vie\u030at", "Q̃ ẍ n\u0303"])
def test_what_is_shaped_is_copied_and_found_as_it_was_written(written: str) -> None:
    assert text_in(line_of(written), PAGE) == text_in(line_of(written, "bold italic"), PAGE)
    copied = text_in(line_of(written), PAGE)
    assert fonts.clean(copied) == fonts.clean(written)


@pytest.mark.parametrize("written", ["क्षत्रिय", "ที่นี่", "हिन्दी"])
def test_a_word_is_as_wide_as_its_script_asks(written: str) -> None:
    """As HarfBuzz measures it with the family's tables, which join letters and stand marks over one another."""
    font = uharfbuzz.Font(uharfbuzz.Face(font_files.family_font("regular")))
    buffer = uharfbuzz.Buffer()
    buffer.add_str(written)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    units = sum(place.x_advance for place in buffer.glyph_positions)
    assert fonts.measure(written, "regular", 1000) == pytest.approx(units)
    assert abs(ink_in_line(written).width - units * 0.04) < 7


def test_letters_that_join_have_a_shape_of_their_own() -> None:
    joined, apart = ink_in_line("क्ष"), ink_in_line("क ष")
    assert joined.width < 0.7 * apart.width


@pytest.mark.parametrize(("letter", "mark"), [("q", "\u0303"), ("Q", "\u0303"), ("e", "\u030a"), ("น", "\u0e48")])
def test_a_mark_stands_over_its_letter_with_white_between(letter: str, mark: str) -> None:
    alone, both = ink_in_line(letter), ink_in_line(letter + mark)
    assert both.top > alone.top + 3
    above = Box(0, alone.top + 0.7, PAGE.width, PAGE.top - alone.top - 0.7)
    placed = ink_in_line(letter + mark, above)
    assert alone.x - 4 < placed.x < placed.right < alone.right + 4


def test_a_second_mark_stands_over_the_first() -> None:
    assert ink_in_line("ที่").top > ink_in_line("ที").top + 3


def test_what_is_above_a_letter_is_in_the_height_of_its_line() -> None:
    ascent, _ = fonts.reach(fonts.clean("Q̃"), "regular")
    assert ink_in_line("Q̃").top - 50 <= ascent * 40 + 0.5
    assert ascent > fonts.reach("Q", "regular")[0]


def test_points_of_hebrew_stand_under_their_letter() -> None:
    plain, pointed = ink_in_line("שלום"), ink_in_line("שָלום")
    assert pointed.y < plain.y - 2
    below = ink_in_line("שָלום", Box(0, 0, PAGE.width, plain.y - 0.7))
    # It is the first letter, and so the one at the right.
    assert below.x > plain.x + plain.width / 2
    assert pointed.width == pytest.approx(plain.width, abs=1)


def test_italic_slants_and_bold_italic_is_darker() -> None:
    def lean(weight: Weight) -> float:
        """How much further right the upper part of an l stands than the lower."""
        whole = ink_in_line("l", weight=weight)
        low = ink_in_line("l", Box(0, whole.y, PAGE.width, 4), weight)
        high = ink_in_line("l", Box(0, whole.top - 4, PAGE.width, 4), weight)
        return high.x - low.x

    assert abs(lean("regular")) < 1
    assert lean("italic") > 2
    assert lean("bold italic") > 2
    assert ink_in_line("I", weight="bold italic").width > ink_in_line("I", weight="italic").width + 1


def test_what_is_read_from_the_right_stands_at_the_right_edge() -> None:
    die, ends = STOCK.box(1), []
    for name in ("שלום עולם", "Salem"):
        design = '[[part]]\ntext = "{a}"\nbox = [10, 10, 60, 30]\nalign = "top"\n'
        paper = printed(OwnLabel(designfile.parse_design(design, "jar", "jar.toml"), (name,)), STOCK, 200)
        ink = paper.ink(die)
        assert ink is not None
        ends.append((ink.x - die.x, ink.right - die.x))
    (_, right), (left, _) = ends
    assert right == pytest.approx(70 * 72 / 25.4, abs=1.5)
    assert left == pytest.approx(10 * 72 / 25.4, abs=1.5)


def test_a_part_that_is_aligned_left_stays_there() -> None:
    design = '[[part]]\ntext = "{a}"\nbox = [10, 10, 60, 30]\nalign = "left"\n'
    ink = printed(OwnLabel(designfile.parse_design(design, "jar", "jar.toml"), ("שלום",)), STOCK, 200).ink(STOCK.box(1))
    assert ink is not None
    assert ink.x - STOCK.box(1).x == pytest.approx(10 * 72 / 25.4, abs=1.5)


def test_lines_from_the_right_end_on_one_edge() -> None:
    setting = fit("ראשון שני שלישי רביעי", "The name", 60, 60, 12)
    assert len(setting.lines) > 1
    document = pdf.render_pages([lambda ink: ink.lines(50, 110, setting)], (PAGE.width, PAGE.height), "x")
    paper, bottom = Paper(document, 200), 110 - setting.ascent - setting.descent * 0.4
    edges = [
        paper.ink(Box(0, bottom - number * setting.leading, PAGE.width, 8)) for number in range(len(setting.lines))
    ]
    assert all(edge is not None and edge.right == pytest.approx(110, abs=1.5) for edge in edges)


@pytest.mark.parametrize(
    ("written", "syllables"),
    [
        ("สวัสดีประเทศไทย", ["สวัส", "ดี", "ประ", "เทศ", "ไทย"]),
        ("แยมมะม่วง", ["แยม", "มะ", "ม่วง"]),
        ("น้ำปลา ศุกร์", ["น้ำ", "ปลา ", "ศุกร์"]),
        ("จันทร์เจ้า (ไทย)", ["จันทร์", "เจ้า ", "(ไทย)"]),
    ],
)
def test_thai_lines_break_between_syllables(written: str, syllables: list[str]) -> None:
    assert split_line(fonts.clean(written)) == syllables


@given(st.text("กขรลวนมเแไะาิีุ่้์ำั ab(", max_size=30))
@example("a ่")
def test_no_mark_is_parted_from_its_letter(written: str) -> None:
    written = " ".join(written.split()) or "ก"
    for before, after in pairwise(split_line(written)):
        assert not before.endswith(("เ", "แ", "ไ")) or re.match("[เแไ]", after)
        assert not shaping.is_mark(after[0])


def test_a_thai_name_wraps_where_it_has_no_spaces() -> None:
    setting = fit("สวัสดีประเทศไทยแยมมะม่วง", "The name", 50, 60, 9)
    assert len(setting.lines) > 1
    assert all(fonts.measure(line, "regular", setting.size) <= 50.2 for line in setting.lines)


@pytest.mark.parametrize(
    ("written", "font"), [("தமிழ்", "Noto Sans Tamil"), ("한글", "Nanum Gothic"), ("のり", "VL Gothic")]
)
def test_a_script_without_a_font_says_which_would_help(written: str, font: str) -> None:
    with pytest.raises(fonts.GlyphError, match=f"which no font here can print; install {font}, or write it with"):
        fit(written, "The name", 200, 40, 10)


def test_a_box_label_prints_a_name_in_each_script() -> None:
    for name in ("หนี้", "क्षत्रिय", "q̃"):
        document = pdf.render_sheets([{1: box_label(name)}], STOCK, pdf.Setup("x"))
        assert name in text_in(document, STOCK.box(1))
