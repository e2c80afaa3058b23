"""Bold and italic within a text: of the design's words only, on any line, in any direction, and read as plain text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labels import designfile
from labels.designfile import DesignError
from labels.designs.own import Specimen
from labels.geometry import MM
from labels.markup import parse_markup
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.template import parse_template
from labels.typesetting import emphasis, fonts
from labels.typesetting.emphasis import Emphasis
from labels.typesetting.fonts import GlyphError
from labels.typesetting.text import TextError, fit
from tests.labels.paper import printed
from tests.labels.samples import own

BOLD, ITALIC, BOTH = Emphasis(bold=True), Emphasis(italic=True), Emphasis(bold=True, italic=True)
LETTERS = st.text("ab é-/.\u00adאבگب(), 12日A\u0301", max_size=30)
RUNS = st.lists(st.tuples(LETTERS, st.sampled_from([emphasis.NONE, BOLD, ITALIC, BOTH])), min_size=1, max_size=5)


def _fill(text: str, **row: str) -> str:
    """Return a text that is filled from a row, with each of its emphasized runs in angle brackets."""
    marked = parse_markup(parse_template(text)).fill(row)
    names = {emphasis.NONE: "{}", BOLD: "<b {}>", ITALIC: "<i {}>", BOTH: "<bi {}>"}
    return "".join(names[each].format(run) for run, each in emphasis.read_marks(marked).runs())


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("**Jam**", "<b Jam>"),
        ("*Jam*", "<i Jam>"),
        ("***Jam***", "<bi Jam>"),
        ("*a **b** c*", "<i a> <bi b> <i c>"),
        ("H**2**O", "H<b 2>O"),
        (r"2 \* 3 \\ \n", r"2 * 3 \ \n"),
        ("snake_case", "snake_case"),
        ("**{a}**, {b}", "<b x>, *y*"),
        ("**with {a}, {none}** {b}", "<b with> <b x,> *y*"),
        ("**{none}, {a}**", "<b x>"),
        ("**Price:** {none}", ""),
    ],
)
def test_words_are_marked_up_and_data_is_not(text: str, filled: str) -> None:
    assert _fill(text, a="x", b="*y*") == filled


@given(st.text(f"ab*\\_ \n{emphasis.MARKS}"), st.sampled_from(["", "*", "**", "***"]))
def test_no_data_is_ever_markup(data: str, mark: str) -> None:
    wanted = Emphasis(bold=len(mark) > 1, italic=len(mark) % 2 == 1)
    text = emphasis.read_marks(parse_markup(parse_template(f"{mark}{{a}}{mark}")).fill({"a": data}))
    assert text.text == emphasis.remove_marks(data).strip() or not emphasis.remove_marks(data).strip()
    assert all(each == wanted for char, each in zip(text.text, text.emphases, strict=True) if not char.isspace())


def test_without_markup_asterisks_are_printed_and_marks_refused() -> None:
    label = own('[[part]]\ntext = "**{a}**"\n', "**Jam**")
    assert printed(label, stocks.find("5163"), 100).ink(stocks.find("5163").box(1)) is not None
    assert label.title == "**Jam**"
    with pytest.raises(GlyphError):
        fit(emphasis.emphasize("Jam", BOLD), "the text", 100, 100, 9)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (
            'text = "**Jam"',
            "part 1: text: “**Jam” has ** where bold or italic begins, and none where it ends; write **",
        ),
        ('text = "2 * 3"', r"has * where bold or italic begins, and none where it ends; write * there too, or \* for"),
        (
            'text = "Jam"\nvertical = true',
            "a text in columns has no bold or italic words; leave out vertical or markup",
        ),
    ],
)
def test_markup_that_does_not_end_is_told(part: str, says: str) -> None:
    with pytest.raises(DesignError) as error:
        designfile.parse_design(f"[[part]]\n{part}\nmarkup = true\n", "jar", "jar.toml")
    assert says in str(error.value)


@given(RUNS, st.integers(20, 200), st.integers(10, 60))
@example([("\u00ad", BOTH)], 20, 10)
def test_no_letter_is_lost_and_no_line_is_too_wide(runs: list[tuple[str, Emphasis]], width: int, height: int) -> None:
    text = "".join(emphasis.emphasize(run, each) for run, each in runs)
    plain = emphasis.remove_marks(text)
    try:
        setting = fit(text, "the text", width, height, 12, emphasized=True)
    except (TextError, GlyphError):
        return
    lines = [emphasis.remove_marks(line) for line in setting.lines]
    assert all(fonts.measure(line, "regular", setting.size) <= width + 1e-6 for line in setting.lines)
    letters = "".join(fonts.undo_shaping("".join(fonts.lines(plain))).split())
    assert "".join(fonts.undo_shaping("".join(lines)).split()).replace("-", "") == letters.replace("-", "")


@given(LETTERS, st.integers(20, 200))
def test_a_text_without_emphasis_is_set_as_ever(text: str, width: int) -> None:
    def lines(*, emphasized: bool) -> object:
        try:
            return fit(text, "the text", width, 60, 12, emphasized=emphasized)
        except (TextError, GlyphError) as error:
            return str(error)

    assert lines(emphasized=True) == lines(emphasized=False)


@given(RUNS)
def test_letters_stand_in_the_same_order_with_and_without_emphasis(runs: list[tuple[str, Emphasis]]) -> None:
    text = "".join(emphasis.emphasize(run, each) for run, each in runs)
    (line, *others) = fonts.emphasized_lines(text)
    plain = emphasis.remove_marks(line)
    try:
        fonts.check(plain, "the text")
    except GlyphError:
        return
    visual = ["".join(piece.text for piece in fonts.pieces(each, "regular")) for each in (line, plain)]
    assert not others
    assert visual[0] == visual[1]
    assert emphasis.write_marks(emphasis.read_marks(line)) == line


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_bold_words_are_heavier_and_read_as_plain_text(ink: str) -> None:
    design = '[[part]]\ntext = "{}"\nmarkup = true\nsize = [20, 20]\nbox = [5, 5, 80, 10]\n'
    stock = stocks.find("5163")

    def print_label(text: str) -> tuple[int, bytes]:
        label = own(design.format(text), "")
        label = own(design.format(text), label.design.parts[0].fill({}))
        setup = pdf.Setup("A label", ink="black" if ink == "black" else "colour")
        document = pdf.render_sheets(sheet.place_labels([label], stock), stock, setup)
        return printed(label, stock, 200).part(stock.box(1)).histogram()[0], document

    (plain, _), (bold, document) = print_label("Jam of quinces"), print_label("Jam of **quinces**")
    assert bold > plain * 1.05
    with_text = own(design.format("Jam of **quinces**"), "").design
    Specimen(with_text).check(stock)
    assert document


def test_hyphens_and_shapes_work_with_emphasis() -> None:
    design = (
        '[[part]]\ntext = "**Straw\\u00adberry** jam with *much* fruit"\nmarkup = true\nsize = [9, 9]\n'
        'align = "centre middle"\nbox = ["5 %", "5 %", "90 %", "90 %"]\n'
    )
    words = own(design).design.parts[0].fill({})
    stock = stocks.find("L7780")
    ink = printed(own(design, words), stock, 150).ink(stock.box(1))
    assert ink is not None
    assert ink.width < 40 * MM
    setting = fit(words, "the text", 36, 80, 9, emphasized=True)
    assert [emphasis.remove_marks(line) for line in setting.lines][:2] == ["Straw-", "berry"]
