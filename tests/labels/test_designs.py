"""Every design with its longest content on every stock: inside the safe margin, or refused by name; codes read back."""

from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageFilter

from labels import layout
from labels.designs import BlankLabel, EffectLabel, FiguresLabel, HeadedLabel, Plain, has_room
from labels.drawing import style
from labels.drawing.ink import Ink
from labels.drawing.null_ink import NullInk
from labels.errors import LabelError
from labels.geometry import Box
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import SAFE_MARGIN, Label
from labels.paper.stocks import Stock
from labels.typesetting.fonts import Weight
from tests.labels.paper import ROLLS, SHEETS, Paper, printed, read, sized, smallest, strays, text_in
from tests.labels.samples import ECHO, HARD, LONGEST, LONGEST_CODED, SWIFT, UNCOMMON, box_label, count_label, figures

# What is too small for a whole sentence, or for a code and an id beside it.
SMALL = {"L4731REV", "94102"}

ALL = [pytest.param(stock, id=stock.name) for stock in SHEETS]
ROOMY = [pytest.param(stock, id=stock.name) for stock in SHEETS if stock.name not in SMALL]


def _name(label: Any) -> str:
    return f"{type(label).__name__}-{label.title}-{getattr(label, 'card', '')}"


def _full(label: Label, stock: Stock, dpi: float) -> Paper:
    """A sheet that has the label on every position."""
    return Paper(pdf.render_sheets([dict.fromkeys(range(1, stock.count + 1), label)], stock, pdf.Setup("Full")), dpi)


@pytest.mark.sample(4)
@pytest.mark.parametrize("stock", ROOMY)
@pytest.mark.parametrize("label", [SWIFT, ECHO, *LONGEST, *LONGEST_CODED], ids=_name)
def test_ink_stays_inside_the_safe_margin_on_every_stock(stock: Stock, label: Label) -> None:
    paper = _full(label, stock, 300)
    assert strays(paper, stock, SAFE_MARGIN) is None
    assert all(paper.ink(stock.box(position)) is not None for position in range(1, stock.count + 1))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", sorted(SMALL))
@pytest.mark.parametrize("label", [SWIFT, ECHO, *LONGEST, *LONGEST_CODED], ids=_name)
def test_on_the_smallest_stocks_a_label_fits_or_is_refused(name: str, label: Label) -> None:
    stock = stocks.find(name)
    refusal = _refusal(label, stock)
    if refusal is None:
        assert strays(_full(label, stock, 600), stock, SAFE_MARGIN) is None
    else:
        assert "choose a larger stock" in refusal
        assert label.title in refusal or label.title.split(" of ")[-1] in refusal


def _refusal(label: Label, stock: Stock) -> str | None:
    try:
        _full(label, stock, 72)
    except LabelError as error:
        return str(error)
    return None


@pytest.mark.parametrize(("name", "fits"), [("94102", True), ("L4731REV", False)])
def test_a_common_label_fits_three_quarters_of_an_inch(name: str, fits: bool) -> None:
    if fits:
        assert strays(_full(SWIFT, stocks.find(name), 600), stocks.find(name), SAFE_MARGIN) is None
        return
    with pytest.raises(LabelError, match="The effect of “Swift” is too long"):
        _full(SWIFT, stocks.find(name), 600)


@pytest.mark.parametrize("stock", ROOMY)
@pytest.mark.parametrize("label", LONGEST_CODED, ids=_name)
@pytest.mark.parametrize("dpi", [150, 300, 600])
def test_codes_read_back_on_every_stock(stock: Stock, label: Any, dpi: int) -> None:
    paper = Paper(pdf.render_sheets(sheet.place_labels([label], stock), stock, pdf.Setup("A label")), dpi)
    assert paper.codes(stock.box(1)) == [label.payload]


@pytest.mark.parametrize("stock", ROOMY)
@pytest.mark.parametrize("label", LONGEST_CODED, ids=_name)
def test_codes_read_back_after_the_worst_print(stock: Stock, label: Any) -> None:
    """Ink that spreads, a printer that shrinks to 96 %, and a page that lies askew."""
    clean = printed(label, stock, 300).part(stock.box(1)).filter(ImageFilter.MinFilter(3))
    shrunk = clean.resize((round(clean.width * 0.96), round(clean.height * 0.96)), Image.Resampling.BILINEAR)
    assert read(shrunk.rotate(1, Image.Resampling.BILINEAR, fillcolor=255)) == [label.payload]


@pytest.mark.parametrize("dpi", [300, 600])
@pytest.mark.parametrize("name", ["Grave Choir", "The Everlasting Congregation"])
def test_three_quarters_of_an_inch_have_code_name_and_id(name: str, dpi: int) -> None:
    stock, label = stocks.find("94102"), box_label(name, 999)
    document = pdf.render_sheets([dict.fromkeys(range(1, stock.count + 1), label)], stock, pdf.Setup("x"))
    paper, die = Paper(document, dpi), stock.box(80)
    assert paper.codes(die) == [label.payload]
    text = text_in(document, die)
    assert name in text
    assert label.shown_id.replace("-", " ") in text
    assert strays(paper, stock, SAFE_MARGIN) is None


def test_the_smallest_box_label_that_counts_says_figure_and_word() -> None:
    stock, label = stocks.find("94102"), count_label(figure=12)
    document = pdf.render_sheets([{1: label}], stock, pdf.Setup("x"))
    assert "Glory 12" in text_in(document, stock.box(1))
    assert Paper(document, 300).codes(stock.box(1)) == [label.payload]


@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("label", [SWIFT, ECHO, *LONGEST, *LONGEST_CODED], ids=_name)
def test_nothing_is_printed_under_five_and_a_half_points(stock: Stock, label: Label) -> None:
    with suppress(LabelError):
        document = pdf.render_sheets([{1: label}], stock, pdf.Setup("x"))
        assert not text_in(document, stock.box(1)) or smallest(document) >= 5.5


@pytest.mark.parametrize("stock", ROOMY)
def test_a_long_name_on_a_box_is_larger_than_what_is_below(stock: Stock) -> None:
    label = box_label("The Ashen Court of Westmarch", 12)
    sizes = dict(sized(pdf.render_sheets([{1: label}], stock, pdf.Setup("x"))))
    assert sizes["The Ashen Court"] == sizes["of Westmarch"] > sizes[label.notes[0]] >= 5.5


@pytest.mark.parametrize("name", ["22805", "22806"])
@pytest.mark.parametrize(
    "label", [box_label(), count_label(), ECHO, Plain("Ana", "Sits left."), figures("Imp", 6, 1)], ids=_name
)
def test_on_square_labels_all_stands_in_the_middle(name: str, label: Label) -> None:
    stock = stocks.find(name)
    die = stock.box(1)
    below = Box(die.x, die.y, die.width, die.height * 0.4)
    ink = printed(label, stock, 150).ink(below)
    assert ink is not None
    assert ink.x - die.x == pytest.approx(die.right - ink.right, abs=0.03 * die.width)


def test_a_name_keeps_paper_from_the_stripe_above_it() -> None:
    stock = stocks.find("22805")
    die = stock.box(1)
    paper = printed(EffectLabel("ÄÖÜ", "x", UNCOMMON), stock, 300)
    foot = die.top - (SAFE_MARGIN + style.STRIPE) * layout.scale(die)
    assert paper.ink(Box(die.x, foot - 1.5, die.width, 1.4)) is None


SIZES = [(40, 20), (40, 47), (54, 28), (60, 80), (72, 36), (108, 60), (144, 108)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_on_an_own_stock_ink_stays_inside_or_is_refused(size: tuple[int, int]) -> None:
    """Whatever the shape: figures, marks and words are measured before they are drawn."""
    die = Box(20, 20, *size)
    odd = (
        count_label("A", 1, figure=123_456_789),
        EffectLabel("Echo", "x y", HARD, "10♠"),
        figures("The Weeping Gargoyle", 130, 15, legend=True, card="10♠", note="Grave Choir"),
        BlankLabel(UNCOMMON),
    )
    for label in (*odd, *LONGEST, *LONGEST_CODED):
        with suppress(LabelError):
            paper = Paper(pdf.render_pages([partial(_in, label, die)], (die.right + 20, die.top + 20), "x"), 150)
            ink = paper.ink(Box(0, 0, die.right + 20, die.top + 20))
            assert ink is not None
            inner = die.inset(SAFE_MARGIN - 1 / paper.across)
            assert (ink.x >= inner.x, ink.right <= inner.right) == (True, True), label
            assert (ink.y >= inner.y, ink.top <= inner.top) == (True, True), label


def _in(label: Label, die: Box, ink: Ink) -> None:
    label.draw(ink, die)


@pytest.mark.parametrize("stock", [*SHEETS, *ROLLS], ids=lambda stock: stock.name)
def test_a_stock_has_room_for_a_code_where_its_label_prints(stock: Stock) -> None:
    assert has_room(stock.room(1)) == (_refusal(box_label("Ana"), stock) is None)


def test_a_creature_shows_what_the_table_asks_of_it() -> None:
    stock = stocks.find("18294")
    gargoyle = figures("The Weeping Gargoyle", 23, 4, legend=True, card="A♠", note="Grave Choir")
    document = pdf.render_sheets([{1: gargoyle}], stock, pdf.Setup("x"))
    text = text_in(document, stock.box(1))
    for part in ("The Weeping Gargoyle", "LEGEND", "HP 23", "ATK 4", "Grave Choir"):
        assert part in text


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        (figures("Imp", 6, 1, card="A♠"), figures("Imp", 6, 1, card="A♣")),
        (figures("Imp", 6, 1, card="A♠"), figures("Imp", 6, 1, legend=True, card="A♠")),
        (EffectLabel("Echo", "x", UNCOMMON, "7♥"), EffectLabel("Echo", "x", UNCOMMON, "7♦")),
        (EffectLabel("Echo", "x", UNCOMMON), EffectLabel("Echo", "x", UNCOMMON, "7♦")),
        (HeadedLabel("Doom", "x", HARD, "A♥"), HeadedLabel("Doom", "x", HARD, "A♦")),
        (count_label(figure=12), count_label(figure=13)),
    ],
)
def test_what_differs_can_be_told_apart_in_black_and_white(plain: Label, other: Label) -> None:
    """Suits are glyphs, and the pictures are grey."""
    stock = stocks.find("18294")
    first, second = (printed(label, stock, 300).part(stock.box(1)).tobytes() for label in (plain, other))
    assert first != second


def test_figures_shrink_then_stack_then_are_refused() -> None:
    def foot(figure: str, name: str) -> str:
        stock = stocks.find(name)
        label = FiguresLabel("Imp", (("POWER", figure), ("ENDURANCE", figure)))
        document = pdf.render_sheets([{1: label}], stock, pdf.Setup("x"))
        assert strays(Paper(document, 300), stock, SAFE_MARGIN) is None
        die = stock.box(1)
        return text_in(document, Box(die.x, die.y, die.width, 0.25 * die.height))

    assert foot("18", "18294") == "POWER 18 ENDURANCE 18"
    assert foot("123", "18294") == "POWER 123 ENDURANCE 123"
    assert foot("1234", "22805") == "ENDURANCE 1234"
    with pytest.raises(LabelError, match="The figures of “Imp” are too wide for this label; choose a larger stock"):
        foot(40 * "1", "18294")


def test_figures_that_leave_no_room_are_named_not_the_text() -> None:
    figures = (("POWER", "5"), ("ENDURANCE", "5"))
    for name, label, what in (
        ("94102", FiguresLabel("Giant", figures, note="Ash"), "note"),
        ("94102", FiguresLabel("Giant", figures, effect="Bites."), "effect"),
        ("L4731REV", FiguresLabel("Giant", figures), "name"),
    ):
        reason = f"The figures of “Giant” leave no room for its {what} on this label; choose a larger stock."
        assert _refusal(label, stocks.find(name)) == reason
    longer = FiguresLabel("The Everlasting Giant of the Deep", figures)
    assert str(_refusal(longer, stocks.find("94102"))).startswith("The name of “The Everlasting Giant of the Deep” is")


@pytest.mark.parametrize(("hp", "atk"), [(27, 5), (188, 28), (1300, 128)])
def test_figures_below_a_short_name_stay_on_the_smallest_labels(hp: int, atk: int) -> None:
    """A short name leaves them all the height that there is, and what is high is wide."""
    small = stocks.find("94102")
    for stock in (small, msgspec.structs.replace(small, name="own", width=0.6, height=0.9)):
        label = figures("Imp", hp, atk, legend=True)
        refusal = _refusal(label, stock)
        assert refusal is None or "choose a larger stock" in refusal
        assert refusal is not None or strays(printed(label, stock, 300), stock, SAFE_MARGIN) is None


def test_an_unprintable_character_is_named_with_its_label() -> None:
    stock = stocks.find("18294")
    with pytest.raises(LabelError, match="The name of “Imp 🔥” has “🔥”"):
        printed(figures("Imp 🔥", 6, 1), stock, 72)
    with pytest.raises(LabelError, match="The note of “Imp” has “🔥”"):
        printed(figures("Imp", 6, 1, note="🔥"), stock, 72)
    with pytest.raises(LabelError, match="The card of “Echo” has"):
        printed(EffectLabel("Echo", "x", UNCOMMON, "🂡"), stock, 72)


class _Seen(NullInk):
    """Sees how large each figure is."""

    def __init__(self) -> None:
        self.sizes: dict[str, float] = {}

    def text(self, x: float, baseline: float, text: str, weight: Weight, size: float, colour: str) -> None:  # noqa: ARG002
        self.sizes[text] = size


def test_figures_with_nothing_said_beside_them_use_the_room() -> None:
    alone, noted = _Seen(), _Seen()
    for ink, note in ((alone, ""), (noted, "Grave Choir")):
        figures("Imp", 6, 1, note=note).draw(ink, stocks.find("18294").room(1))
    assert alone.sizes["6"] == alone.sizes["1"] > noted.sizes["6"]
    assert alone.sizes["HP"] == noted.sizes["HP"]
