"""How a label is composed, as a reader sees it: what belongs together, what comes first, and where the white is."""

from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labels import layout
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel, Plain, has_room
from labels.drawing import style
from labels.drawing.ink import BLACK
from labels.drawing.null_ink import NullInk
from labels.drawing.symbols import Symbol
from labels.equal_sizes import equalize_sizes
from labels.errors import LabelError
from labels.geometry import Box
from labels.paper import stocks
from labels.paper.sheet import SAFE_MARGIN, Label
from labels.paper.stocks import Stock
from labels.typesetting.fonts import Weight
from labels.typesetting.text import TextSetting
from tests.examples import examples
from tests.labels.paper import ROLLS, SHEETS
from tests.labels.samples import DAMAGE, HARD, UNCOMMON, box_label, count_label, figures

ALL = [pytest.param(stock, id=stock.name) for stock in (*SHEETS, *ROLLS)]
TALL = ["5163", "L7160", "L7651", "DK-11202", "30323"]
"""Wide stocks on which a note stands below the figures."""


class _Line(NamedTuple):
    """A line as it is drawn, in points on a label that nothing enlarges; `top` is where its capitals end."""

    baseline: float
    size: float

    @property
    def top(self) -> float:
        return self.baseline + style.CAPITALS * self.size


class _InkRecorder(NullInk):
    """Sees where each line, each field and each code stands."""

    def __init__(self, label: Label, name: str) -> None:
        self.line_of: dict[str, _Line] = {}
        self.fields: list[Box] = []
        self.codes: list[Box] = []
        label.draw(self, stocks.find(name).box(1))

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None:  # noqa: ARG002
        self.fields.append(box)

    def symbol(self, square: Box, symbol: Symbol) -> None:  # noqa: ARG002
        self.codes.append(square)

    def text(self, x: float, baseline: float, text: str, weight: Weight, size: float, colour: str) -> None:  # noqa: ARG002
        self.line_of[text] = _Line(baseline, size)

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = BLACK, centred: float = 0.0) -> None:  # noqa: ARG002
        for number, line in enumerate(setting.lines):
            self.line_of[line] = _Line(top - setting.ascent - number * setting.leading, setting.size)

    def __getitem__(self, text: str) -> _Line:
        return self.line_of[text]


@pytest.mark.parametrize("name", TALL)
def test_figures_stand_midway_between_their_name_and_their_note(name: str) -> None:
    seen = _InkRecorder(figures("Wolf", 6, 1, note="Grave Choir"), name)
    above = seen["Wolf"].baseline - seen["6"].top
    below = seen["6"].baseline - seen["Grave Choir"].top
    assert below > 3
    assert above == pytest.approx(below, abs=3)


@pytest.mark.parametrize("name", TALL)
def test_figures_without_a_note_are_larger_and_stand_midway_too(name: str) -> None:
    noted, alone = (_InkRecorder(figures("Wolf", 6, 1, note=note), name) for note in ("Grave Choir", ""))
    assert alone["6"].size > noted["6"].size
    above, below = alone["Wolf"].baseline - alone["6"].top, alone["6"].baseline
    assert above == pytest.approx(below - SAFE_MARGIN, abs=5)


def test_figures_grow_with_the_height_of_their_label() -> None:
    low, high = (_InkRecorder(figures("Wolf", 6, 1, note="Grave Choir"), name)["6"].size for name in ("18294", "L7160"))
    assert high > low


@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("note", ["", "Grave Choir", "The Everlasting Congregation"])
def test_figures_keep_paper_above_and_below_them(stock: Stock, note: str) -> None:
    with suppress(LabelError):
        seen = _InkRecorder(figures("Imp", 6, 1, card="10♠", note=note), stock.name)
        others = [
            line for text, line in seen.line_of.items() if text not in ("", "10", "♠", "10♠", "HP", "6", "ATK", "1")
        ]
        for line in others:
            beside = line.baseline < seen["6"].top and seen["6"].baseline < line.top
            apart = max(line.baseline - 0.22 * line.size - seen["6"].top, seen["6"].baseline - line.top)
            assert beside or apart >= 1.2, (line, seen["6"])


@pytest.mark.parametrize("name", ["18294", "5167", "DK-11203"])
def test_what_stands_beside_figures_stands_on_their_line(name: str) -> None:
    """Whatever sign is in the figures: digits stand still where a minus comes in."""
    digits, minus = (
        _InkRecorder(FiguresLabel("Wolf", (("HP", "9"), ("ATK", atk)), note="Ashen Gang"), name) for atk in ("2", "−2")
    )
    baselines = {round(seen[text].baseline, 6) for seen in (digits, minus) for text in ("9", "Ashen Gang")}
    assert baselines == {round(minus["−2"].baseline, 6)}
    assert digits["9"].size == minus["9"].size


def test_a_rare_card_and_its_band_share_a_line_where_they_fit() -> None:
    def note_lines(title: str, note: str) -> list[str]:
        lines = _InkRecorder(figures(title, 30, 5, legend=True, note=note), "5163").line_of
        return [line for line in lines if "LEGEND" in line or line in note]

    assert note_lines("The Weeping Gargoyle", "Grave Choir") == ["★ LEGEND · Grave Choir"]
    assert note_lines("The Weeping Gargoyle", "The Everlasting Congregation") == [
        "★ LEGEND",
        "The Everlasting Congregation",
    ]


@pytest.mark.parametrize("name", ["22805", "22806", "94102", "DK-11221"])
def test_a_name_keeps_paper_from_the_edge_of_its_field(name: str) -> None:
    seen = _InkRecorder(HeadedLabel("Counterspell of the Deep", "x", HARD, "10♠"), name)
    (field,) = seen.fields
    first = seen["Counterspell"]
    assert field.top - first.top >= 1.4
    assert "of the Deep" in seen.line_of


@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("design", [Plain("Blue\nWizard", "One line\nand two"), EffectLabel("A", "x\ny", UNCOMMON)])
def test_no_text_is_larger_than_its_name(stock: Stock, design: Label) -> None:
    with suppress(LabelError):
        seen = _InkRecorder(design, stock.name)
        first, *_, last = [
            line.size for text, line in seen.line_of.items() if text not in ("■", "UNCOMMON", "■ UNCOMMON")
        ]
        assert first >= last


def test_lines_of_a_name_are_nearer_than_what_stands_below() -> None:
    seen = _InkRecorder(box_label("The Ashen Court of Westmarch", 12), "5167")
    first, second, note = (seen[line] for line in ("The Ashen Court", "of Westmarch", "Glory 12 · 12 dungeons"))
    between = (first.baseline - second.top) / first.size
    assert (second.baseline - note.top) / first.size > between


@pytest.mark.parametrize("stock", ALL)
def test_small_lines_of_a_label_have_one_size(stock: Stock) -> None:
    box, count = box_label("The Ashen Court", 12), count_label("The Ashen Court of Westmarch", 12)
    for label, small in ((box, "Glory 12"), (count, "The Ashen Court")):
        with suppress(LabelError):
            sizes = {
                line.size
                for text, line in _InkRecorder(label, stock.name).line_of.items()
                if text.startswith((small, "0"))
            }
            assert len(sizes) == 1


@pytest.mark.parametrize("name", ["18294", "5160"])
def test_whose_a_count_is_takes_two_lines_before_it_is_small(name: str) -> None:
    seen = _InkRecorder(count_label("The Everlasting Congregation", 12), name)
    assert seen["The Everlasting"].size == seen["Congregation"].size >= 6


@pytest.mark.parametrize("name", ["18294", "5160"])
def test_what_stands_beside_figures_keeps_paper_from_a_long_name(name: str) -> None:
    seen = _InkRecorder(
        figures("Grandmother of the Seven Depths", 30, 5, legend=True, note="The Everlasting Congregation"), name
    )
    named = seen["of the Seven Depths"]
    assert named.baseline - 0.22 * named.size - seen["★ LEGEND"].top >= 1.5


@pytest.mark.parametrize("stock", ALL)
def test_a_code_is_not_lost_on_a_large_label(stock: Stock) -> None:
    """With the white around it, it takes about half of the shorter side at least."""
    die = stock.box(1)
    if has_room(die):
        (code,) = _InkRecorder(box_label("The Ashen Court", 12), stock.name).codes
        assert code.width * layout.scale(die) >= 0.48 * min(die.width, die.height)


LONG_NAME = "Donaudampfschifffahrtsgesellschaft"
INGREDIENTS = (
    "Wheat flour, water, rye sourdough (rye flour, water), sunflower seeds 6 %, linseed 4 %, barley malt, sea salt, "
    "yeast. May contain traces of sesame, nuts, soy and milk. Keep it dry and at room temperature; freeze what you do "
    "not eat in three days. Baked today at the mill by the river, Mill Lane 3, Oldtown. Ask us: 555 0100."
)


WIDE = [each for each in ALL if each.values[0].box(1).width >= stocks.find("5167").box(1).width]  # type: ignore[union-attr]


@pytest.mark.parametrize("stock", WIDE)
def test_a_long_name_prints_on_every_label_that_is_wide_enough(stock: Stock) -> None:
    figures(LONG_NAME, 23, 4).draw(NullInk(), stock.box(1))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.floats(1, 4),
    st.floats(1, 4),
    st.sampled_from(["Echo", "The Everlasting Congregation", LONG_NAME]),
    st.lists(st.sampled_from(INGREDIENTS.split()), min_size=1, max_size=90).map(" ".join),
    st.sampled_from(["18294", "5167", "L7651"]),
)
def test_what_a_small_label_holds_each_larger_one_holds(
    across: float, down: float, name: str, words: str, stock: str
) -> None:
    die = stocks.find(stock).box(1)
    larger = Box(0, 0, die.width * across, die.height * down)
    for label in (Plain(name, words), EffectLabel(name, words, UNCOMMON), HeadedLabel(name, words, HARD)):
        try:
            label.draw(NullInk(), die)
        except LabelError:
            continue
        # What becomes high and narrow is laid out in another way.
        if layout.is_wide(larger) == layout.is_wide(die):
            label.draw(NullInk(), larger)


@pytest.mark.parametrize("name", ["5163", "22806", "5164", "L7168"])
def test_a_whole_list_of_ingredients_fits_a_large_label(name: str) -> None:
    seen = _InkRecorder(Plain("Mill bread", INGREDIENTS), name)
    assert " ".join(text for text in seen.line_of if text != "Mill bread") == INGREDIENTS


def test_short_words_are_large_and_stand_in_the_middle_with_their_name() -> None:
    seen, die = _InkRecorder(Plain("Echo", "Draw 2."), "18294"), stocks.find("18294").box(1)
    name, words = seen["Echo"], seen["Draw 2."]
    assert words.size == style.EFFECT == 9
    assert die.height - name.top == pytest.approx(words.baseline, abs=2.5)


def test_text_hangs_by_a_fixed_distance_below_any_name() -> None:
    gaps = [
        seen[name].baseline - seen["Draw 2."].baseline
        for name in ("Echo", "Wyvern lady", "ana")
        for seen in [_InkRecorder(Plain(name, "Draw 2."), "18294")]
    ]
    assert max(gaps) - min(gaps) < 2.1


def test_names_of_a_run_have_two_sizes() -> None:
    names = [
        "Echo",
        "Swift",
        "The Everlasting Choir",
        "The Everlasting Congregation",
        "Banner of Ash",
        "Tower Memory",
    ]
    sizes = {
        max(line.size for text, line in _InkRecorder(Plain(name, "Draw 2."), "18294").line_of.items() if text in name)
        for name in names
    }
    assert sizes == {style.TITLE, style.NAMED}


def test_one_long_text_makes_no_other_small() -> None:
    short = [Plain(f"Name {number}", "ATK +1 in the first round of the fight.") for number in range(19)]
    stock = stocks.find("18294")
    sheets = equalize_sizes([dict(enumerate([*short, Plain("Long", INGREDIENTS[:150])], 1))], stock.box(1))
    sizes = {label.title: label.size for label in sheets[0].values() if isinstance(label, Plain)}
    assert len({sizes[label.title] for label in short}) == 1
    assert min(sizes.values()) >= style.LEAST_EQUAL


def test_damage_to_thirty_is_three_lines_of_ten_equal_boxes() -> None:
    seen = _InkRecorder(DAMAGE, "18294")
    baselines = [round(seen[str(number)].baseline, 3) for number in range(1, 31)]
    assert [baselines.count(each) for each in sorted(set(baselines))] == [10, 10, 10]


@pytest.mark.parametrize("name", ["5160", "5163"])
def test_a_boxs_name_begins_where_its_code_does_and_the_id_ends_there(name: str) -> None:
    label = box_label("Grave Choir", 12)
    seen = _InkRecorder(label, name)
    (square,) = seen.codes
    quiet = square.inset(4 * square.width / 29)
    assert seen["Grave Choir"].top == pytest.approx(quiet.top, abs=1.2)
    assert seen[label.shown_id].baseline == pytest.approx(quiet.y, abs=1.6)
