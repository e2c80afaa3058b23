"""Pages of tables: all that was given is there, in its order, inside the margins, on as many pages as it takes."""

from itertools import pairwise

import msgspec
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.output import page
from labels.output.charts import Axis, Interval, IntervalChart, IntervalRow
from labels.output.page import Document, PageChart, PageTable, PageText, TableColumn
from labels.paper.calibration import UNPRINTED
from tests.examples import examples
from tests.labels.paper import Paper, aloud, read, text_in

COLUMNS = (TableColumn("Card", 1, bold=True), TableColumn("Story", 5))
CODE = ("DECK:7K3M9QPX2B4TC", "7K3M-9QPX-2B4T-C")


def _document(rows: int = 3, *, blanks: int = 0, columns: int = 1, tables: int = 1) -> Document:
    table = PageTable("Cards", COLUMNS, tuple((f"{row}♠", f"Story of row {row}") for row in range(rows)), blanks)
    return Document("Grave Choir", "A band", (table,) * tables, (("Glory", "12"),), CODE, columns)


def _texts(document: bytes) -> list[str]:
    with pypdfium2.PdfDocument(document) as opened:
        return [" ".join(each.get_textpage().get_text_range().split()) for each in opened]


@pytest.mark.parametrize("size", ["letter", "a4"])
def test_a_page_has_all_it_was_given_inside_its_margins(size: str) -> None:
    paper = page.paper(size)
    document = page.render_document(_document(5, blanks=2), paper)
    (text,) = _texts(document)
    assert text.startswith("Grave Choir A band 12 GLORY")
    assert [text.index(f"Story of row {row}") for row in range(5)] == sorted(
        text.index(f"Story of row {row}") for row in range(5)
    )
    printed = Paper(document, 150)
    body = Box(0, 0, *paper).inset(page.MARGIN)
    ink = printed.ink(Box(0, 0, *paper))
    assert ink is not None
    assert ink.x >= body.x - 1
    assert ink.right <= body.right + 1
    assert ink.top <= body.top + 1
    # Only the foot with title and id is lower than the body.
    assert ink.y >= body.y - 17
    assert read(printed.image) == [CODE[0]]


def test_a_page_is_read_aloud_by_its_headings_and_rows() -> None:
    elements = aloud(page.render_document(_document(2, blanks=1), page.paper("letter")))
    assert elements == [
        ("H1", "Grave Choir"),
        ("P", "A band 12 GLORY"),
        ("P", f"{CODE[1]} QR code: {CODE[0]}"),
        ("H2", "Cards"),
        ("TH", "CARD"),
        ("TH", "STORY"),
        ("TH", "0♠"),
        ("TD", "Story of row 0"),
        ("TH", "1♠"),
        ("TD", "Story of row 1"),
    ]


def test_a_long_table_goes_on_over_numbered_pages() -> None:
    texts = _texts(page.render_document(_document(120), page.paper("letter")))
    assert len(texts) > 1
    joined = " ".join(texts)
    assert [joined.count(f"Story of row {row} ") for row in range(0, 120, 7)] == [1] * 18
    for number, text in enumerate(texts, 1):
        assert f"Grave Choir · {number} of {len(texts)} · {CODE[1]}" in text


def test_a_heading_never_stands_at_the_foot_without_a_row() -> None:
    for rows in range(1, 46):
        for text in _texts(page.render_document(_document(rows, tables=2), page.paper("letter"))):
            body = text.split(" Grave Choir · ")[0]
            assert not body.endswith(("Cards", "STORY"))


def test_two_columns_hold_twice_as_much() -> None:
    one, two = (
        len(_texts(page.render_document(_document(80, columns=columns), page.paper("a4")))) for columns in (1, 2)
    )
    assert one > two


def _chart(rows: int) -> PageChart:
    some = tuple(IntervalRow(f"row {number}", (Interval(number, number - 1, number + 1),)) for number in range(rows))
    return PageChart(IntervalChart("Kills by card", Axis("of all kills"), some), "What it counts.")


def test_texts_and_charts_stand_between_tables_and_are_read_aloud_there() -> None:
    table = PageTable("Cards", COLUMNS, (("A♠", "Grave Wyrm"),))
    parts = (PageText("Results", ("One.", "Two.")), _chart(2), table)
    elements = aloud(page.render_document(Document("Rehearsed", "Seed 0", parts), page.paper("letter")))
    assert elements[2:] == [
        ("H2", "Results"),
        ("P", "One."),
        ("P", "Two."),
        ("H2", "Kills by card"),
        ("P", "What it counts."),
        ("Figure", "Kills by card. row 0: 0. row 1: 1."),
        ("H2", "Cards"),
        ("TH", "CARD"),
        ("TH", "STORY"),
        ("TH", "A♠"),
        ("TD", "Grave Wyrm"),
    ]


@pytest.mark.parametrize("size", ["letter", "148 x 210 mm"])
def test_a_chart_that_is_higher_than_a_page_goes_on_on_the_next(size: str) -> None:
    texts = _texts(page.render_document(Document("Rehearsed", "", (_chart(130),)), page.paper(size)))
    assert len(texts) > 2
    assert [sum(f"row {number} " in f"{text} " for text in texts) for number in range(20, 130)] == [1] * 110
    assert all(text.count("of all kills") == 1 for text in texts if "row" in text)


def test_what_happened_already_is_cut_where_it_does_not_fit() -> None:
    words = "endless " * 900
    parts = (PageText("A 🔥 title", (words, "burning 🔥 wood")), PageTable("🔥", COLUMNS, ((words, words),)))
    document = Document(words, f"🔥 {words}", parts, truncates=True)
    joined = " ".join(_texts(page.render_document(document, page.paper("letter"))))
    assert "…" in joined
    for expected in ("A title", "burning wood"):
        assert expected in joined
    with pytest.raises(LabelError):
        page.render_document(msgspec.structs.replace(document, truncates=False), page.paper("letter"))


@settings(max_examples=examples(25))
@given(st.integers(0, 90), st.integers(0, 20), st.integers(1, 2), st.integers(1, 3))
def test_however_much_there_is_none_of_it_leaves_the_page(rows: int, blanks: int, columns: int, tables: int) -> None:
    size = page.paper("letter")
    document = page.render_document(_document(rows, blanks=blanks, columns=columns, tables=tables), size)
    body = Box(0, 0, *size).inset(page.MARGIN)
    for number in range(len(_texts(document))):
        ink = Paper(document, 40, number).ink(Box(0, 0, *size))
        assert ink is not None
        assert ink.x >= body.x - 3
        assert ink.right <= body.right + 3
        assert ink.y >= body.y - 20


def test_a_text_that_no_cell_holds_is_refused_by_its_table() -> None:
    table = PageTable("Cards", COLUMNS, (("7♠", " ".join(["endless"] * 300)),))
    with pytest.raises(LabelError, match=r"“(endless )+end\w*…” in Cards of “x” is too long: it does"):
        page.render_document(Document("x", "y", (table,)), page.paper("letter"))
    with pytest.raises(LabelError, match="“🔥” in Cards of “x” has “🔥”"):
        page.render_document(Document("x", "y", (PageTable("Cards", COLUMNS, (("🔥", "hot"),)),)), page.paper("letter"))


def test_on_small_paper_a_long_foot_wraps_and_stays_on_the_page() -> None:
    credit = "Game content by its contributors, CC BY-SA 4.0; wording adapted."
    title = "The Everlasting Congregation of the Drowned Bell and of all the others who came"
    for name in ("80 x 148 mm", "105 x 148 mm"):
        width, height = page.paper(name)
        printed = page.render_document(Document(title, "A band", (), (), CODE, credit=credit), (width, height))
        ink = Paper(printed, 100).ink(Box(0, 0, width, height))
        assert ink is not None
        assert ink.right <= width - page.margin_of((width, height)) + 1
        assert ink.y >= UNPRINTED * MM
        foot = text_in(printed, Box(0, 0, width, page.MARGIN))
        assert foot.startswith(title)
        assert foot.endswith(f"{CODE[1]} {credit}")


WIDE = PageTable(
    "Bands",
    (
        TableColumn("Band", 1, bold=True),
        *(TableColumn(word, 1) for word in ("Founded", "Dungeons", "Champions", "Inscriptions")),
    ),
    (("Everlasting", "yesterday", "twelve", "innumerable", "forty-two"),),
)


def test_on_a_card_a_row_becomes_a_sentence() -> None:
    printed = page.render_document(Document("Choir", "A band", (WIDE,)), page.paper("card"))
    (text,) = _texts(printed)
    assert "Everlasting · Founded yesterday · Dungeons twelve · Champions innumerable · Inscriptions forty-two" in text


@pytest.mark.parametrize("name", ["letter", "a5", "a6"])
def test_no_word_of_a_table_is_cut_by_its_column(name: str) -> None:
    columns = (TableColumn("Card", 1), TableColumn("Inscriptions", 1), TableColumn("How", 19))
    table = PageTable("Cards", columns, (("Ace", "Everlasting", "at the founding"),))
    (text,) = _texts(page.render_document(Document("Choir", "A band", (table,)), page.paper(name)))
    assert "CARD INSCRIPTIONS HOW" in text
    assert "Ace Everlasting at the founding" in text


def test_figures_stand_flush_right_apart_from_what_follows() -> None:
    columns = (TableColumn("Name", 3, bold=True), TableColumn("HP", 1), TableColumn("Built from", 3))
    table = PageTable("Monsters", columns, (("Ash", "7", "x"), ("Fen", "23", "x"), ("Bog", "108", "x")))
    printed = page.render_document(Document("Choir", "A band", (table,)), size := page.paper("letter"))
    with pypdfium2.PdfDocument(printed) as opened:
        words = opened[0].get_textpage()
        boxes = [words.get_charbox(at) for at in range(words.count_chars())]
        text = "".join(words.get_text_range(at, 1) for at in range(words.count_chars()))
    ends = [boxes[text.index(figure) + len(figure) - 1][2] for figure in ("7", "23", "108")]
    assert max(ends) - min(ends) < 0.6
    assert min(boxes[at][0] for at, char in enumerate(text) if char == "x") - max(ends) > 6
    assert max(ends) < size[0]


@pytest.mark.parametrize("name", ["letter", "a4", "a5", "a6", "card"])
def test_lines_to_write_on_fill_the_page_seven_millimetres_apart(name: str) -> None:
    size = page.paper(name)
    paper = Paper(page.render_document(_document(3, blanks=2), size), 150)
    column = round(size[0] / 2 * paper.across)
    dark = [paper.image.convert("L").getpixel((column, row)) < 230 for row in range(paper.image.height)]  # type: ignore[operator]
    lines = [row / paper.down for row in range(1, len(dark)) if dark[row] and not dark[row - 1]]
    gaps = [lower - upper for upper, lower in pairwise(lines)]
    assert sum(abs(gap - 7 * MM) < 0.6 for gap in gaps) >= 2
    assert size[1] - lines[-1] < page.margin_of(size) + 40


def test_what_cannot_be_printed_is_left_out_and_named() -> None:
    table = PageTable("Cards", COLUMNS, (("7♠", "Fire 🔥 Drake"), ("8♠", "Echo")))
    document, wrong = page.without_unprintable(Document("Choir 🐉", "A band", (table,), facts=(("Glory", "3"),)))
    assert [sentence.split(" has ")[0] for sentence in wrong] == ["“Choir 🐉”", "“Fire 🔥 Drake”"]
    (text,) = _texts(page.render_document(document, page.paper("letter")))
    assert "7 Fire Drake" in text.replace("  ", " ")
    assert page.without_unprintable(document) == (document, ())


def test_another_paper_is_refused() -> None:
    with pytest.raises(LabelError, match="Paper is letter, a4, legal, a5, a6 or card, not “a7”"):
        page.paper("a7")


def test_the_same_page_is_the_same_bytes_at_its_true_size() -> None:
    first = page.render_document(_document(), page.paper("a4"))
    assert first == page.render_document(_document(), page.paper("a4"))
    assert b"/PrintScaling /None" in first
    assert text_in(first, Box(0, 0, 595, 842)).startswith("Grave Choir")


def test_on_small_paper_nothing_overlaps_or_it_is_refused() -> None:
    """Figures go below one another beside the code, titles of columns take lines, and the foot takes two."""
    facts = (("Glory", "12"), ("Dungeons", "3"), ("Blessed cards", "27"))
    table = PageTable("Cards", (TableColumn("Card", 1), TableColumn("Labels: dungeon, by whom", 2)), (("A", "x"),))
    credit = "Game content by its contributors, CC BY-SA 4.0; wording adapted."
    document = Document("Choir", "A band", (table,), facts, CODE, credit=credit)
    size = page.paper("105 x 148 mm")
    printed = page.render_document(document, size)
    paper = Paper(printed, 200)
    assert read(paper.image) == [CODE[0]]
    (text,) = _texts(printed)
    assert "12 GLORY 3 DUNGEONS 27 BLESSED CARDS" in text
    assert "CARD LABELS: DUNGEON, BY WHOM" in text
    assert "1 of 1" not in text
    lowest = text_in(printed, Box(0, 0, size[0], page.margin_of(size) + 8))
    assert lowest == f"Choir · {CODE[1]} {credit}"
    with pytest.raises(
        LabelError, match=r"The figure “9{40} Glory” is too wide for the page's head; choose larger paper"
    ):
        page.render_document(Document("C", "x", (), (("Glory", "9" * 40),), CODE), page.paper("80 x 148 mm"))
