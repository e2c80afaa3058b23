"""Figures, bars and rows: as wide as they may be, and nothing lost on the way."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from companion.tabletop.table.table import Counter, Full, RoundStep, Thing, Zone
from companion.tui import blocks, drawing
from companion.tui.blocks import enlarge_text, spell_first_word, width_of
from companion.tui.drawing import Detail
from companion.tui.widgets.bars import KeyBar, KeyEffect, steps_in
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.zones import LanesPanel, LanesPart

NAMES = st.text("abcdefghijklmnop", min_size=1, max_size=12)


@given(value=st.integers(-5, 200), top=st.integers(1, 150), width=st.integers(1, 60))
def test_a_bar_is_empty_only_at_nothing_and_full_only_at_the_top(value: int, top: int, width: int) -> None:
    bar = drawing.draw_bar(value, top, width).plain
    assert len(bar) == width
    assert (set(bar) != {"░"}) == (value > 0)
    if 0 < value < top and width > 1:
        assert "░" in bar


@given(st.integers(-999, 9999))
def test_figures_are_three_rows_of_one_width(number: int) -> None:
    rows = blocks.figure_rows(number)
    assert {len(row) for row in rows} == {4 * len(str(number)) - 1}
    assert set("".join(rows)) <= set(" █▀▄"), "thick strokes"


@given(pieces=st.lists(NAMES, min_size=1, max_size=12), width=st.integers(12, 60))
def test_pieces_flow_into_rows_that_fit_and_none_is_lost(pieces: list[str], width: int) -> None:
    rows = drawing.lay_out_rows(map(Content, pieces), width)
    assert all(row.cell_length <= width for row in rows)
    assert [name for row in rows for name in row.plain.split(drawing.BULLET)] == pieces


@given(names=st.lists(NAMES, min_size=1, max_size=12, unique=True), width=st.integers(20, 80), data=st.data())
def test_the_present_step_is_always_in_sight(names: list[str], width: int, data: st.DataObject) -> None:
    present = data.draw(st.sampled_from(names))
    row = steps_in(tuple(RoundStep(name, name.capitalize()) for name in names), present, width)
    assert row.cell_length <= width
    assert f"▶{present.capitalize()}◀" in row.plain


def test_a_thing_shows_its_figure_its_sums_and_its_notes() -> None:
    boss = Thing(
        "boss",
        "Grave Wyrm",
        (
            Counter("hp", 45, "HP", top=54, big=True),
            Counter("atk", 5, "ATK", why="3 + 1 Vicious + 1"),
            Counter("x", None),
        ),
        ("Tough: each card 1 less",),
        starred=True,
    )
    rows = [row.plain for row in drawing.draw_portrait(boss, 60, large=True)]
    assert rows[0].startswith(blocks.figure_rows(45)[0])
    assert "HP of 54" in rows[0]
    assert "ATK 5 (3 + 1 Vicious + 1)" in rows[2]
    assert rows[3] == "Tough: each card 1 less"
    assert drawing.name_of(boss) == "★ Grave Wyrm"


def test_a_row_names_what_is_and_leaves_out_what_is_not() -> None:
    wolf = Thing("wolf", "Wolf", (Counter("hp", 3, "HP", top=6), Counter("cranked", False), Counter("asleep", True)))
    (row,) = drawing.row_of(wolf, 60)
    assert row.plain.startswith("Wolf  HP  3/6")
    assert "Asleep" in row.plain
    assert "ranked" not in row.plain
    (brief,) = drawing.row_of(wolf, 16, large=False)
    assert brief.cell_length <= 16


@given(number=st.integers(-99, 9999), scale=st.integers(1, 3))
def test_enlarged_figures_are_a_block_as_wide_as_their_digits(number: int, scale: int) -> None:
    rows = enlarge_text(str(number), scale)
    assert len(rows) == 5 * scale
    assert {len(row) for row in rows} == {(4 * len(str(number)) - 1) * 2 * scale}


class FaultyPanel(Panel[str]):
    """A panel with a fault."""

    @staticmethod
    def draw(part: str, width: int) -> list[Content]:
        """Fails."""
        raise KeyError(part, width)


def test_a_panel_that_cannot_be_drawn_says_so() -> None:
    panel = FaultyPanel()
    panel.part = "hp"
    assert (panel.needs(60), panel.needs(40)) == (1, 2)


def test_a_narrow_seat_keeps_its_figure_without_the_zones_title() -> None:
    zone = Zone("revealed", "Revealed", (Thing("ana's 8S", "8♠", (Counter("value", 8, "F"),)),))
    assert [row.plain for row in drawing.zone_rows(zone, 20, large=False)] == ["Revealed 8♠ F 8"]
    assert [row.plain for row in drawing.zone_rows(zone, 12, large=False)] == ["8♠ F 8"]


def test_numbers_of_a_text_are_drawn_with_what_is_between() -> None:
    assert blocks.figure_rows("P3 D2/5") == tuple(
        f"{three}     {two} {slash} {five}"
        for three, two, slash, five in zip(
            blocks.figure_rows(3), blocks.figure_rows(2), ("  █", "▄▀ ", "▀  "), blocks.figure_rows(5), strict=True
        )
    )
    assert blocks.figure_rows("−4") == blocks.figure_rows(-4)
    assert (blocks.has_figure("P3"), blocks.has_figure("permanent")) == (True, False)


@pytest.mark.parametrize(("full", "shapes"), [("good", "██▅▂ "), ("harm", "▂▅▅█ "), ("", "████ ")])
def test_the_fewer_hit_points_the_thinner_the_bar(full: Full, shapes: str) -> None:
    counters = [Counter("hp", value, top=20, full=full) for value in (20, 11, 10, 5, 0)]
    bars = [drawing.draw_gauge(each, 30).plain for each in counters]
    assert [bar for bar, shape in zip(bars, shapes, strict=True) if shape.strip() and shape not in bar] == []


@pytest.mark.parametrize(
    ("typed", "on_screen"),
    [
        ("reveal ana 9S", "reveal ana 9♠"),
        ("foil ana ben pay 2D 10C", "foil ana ben pay 2♦ 10♣"),
        ("cy:AH", "cy:A♥"),
        ("4S,4D", "4♠,4♦"),
        ("BJ and 9♥ stay", "BJ and 9♥ stay"),
        ("7K3M-9QPX-2B-4D", "7K3M-9QPX-2B-4D"),
        ("9H JD 6C QC 4S", "9♥ J♦ 6♣ Q♣ 4♠"),
        ("THE SAME AS BEFORE", "THE SAME AS BEFORE"),
    ],
)
def test_cards_have_signs_and_no_letters(typed: str, on_screen: str) -> None:
    assert drawing.with_signs(typed) == on_screen
    styled = drawing.card_signs(Content.styled(typed, "bold"))
    assert styled.plain == on_screen
    assert [str(span.style) for span in styled.spans] == ["bold"]


def test_a_harmful_counter_has_its_colours_reversed() -> None:
    tones = [drawing.counter_colour(Counter("hp", value, top=30, full="good")) for value in (30, 14, 3)]
    assert tones == [
        drawing.counter_colour(Counter("damage", 30 - value, top=30, full="harm")) for value in (30, 14, 3)
    ]
    assert len(set(tones)) == 3


WOLF = Thing("wolf", "Ash Wolf", (), ("Flight: only Flight blocks it", "Ronum 2"), brief="3/4", flags=("asleep",))


def test_a_thing_among_many_tells_more_where_there_is_more_room() -> None:
    texts = [drawing.draw_piece(WOLF, detail).plain for detail in (Detail.HEADS, Detail.NAMES, Detail.ROWS)]
    assert texts == ["Ash Wolf 3/4", "Ash Wolf 3/4 asleep", "Ash Wolf 3/4 asleep, Flight, Ronum 2"]
    assert [row.plain for row in drawing.explain_thing(WOLF)] == [
        "asleep",
        "Flight: only Flight blocks it",
        "Ronum 2",
    ]


@given(names=st.lists(NAMES, min_size=1, max_size=12), width=st.integers(20, 80), detail=st.sampled_from(Detail))
def test_things_side_by_side_are_all_there_and_fit(names: list[str], width: int, detail: Detail) -> None:
    things = tuple(Thing(name, name, brief="10/12") for name in names)
    rows = drawing.side_by_side(things, detail, width)
    assert all(row.cell_length <= width for row in rows)
    assert [word for row in rows for word in row.plain.split() if word[0] not in "1·"] == names


@given(rows=st.lists(NAMES, min_size=2, max_size=9), width=st.integers(9, 30), data=st.data())
def test_what_is_cut_tells_how_much_is_missing(rows: list[str], width: int, data: st.DataObject) -> None:
    most = data.draw(st.integers(1, len(rows) - 1))
    cut = [row.plain for row in drawing.cut_rows([Content(row) for row in rows], most, width)]
    assert len(cut) == most
    assert cut[: most - 1] == rows[: most - 1]
    whole = cut[-1].startswith(rows[most - 1])
    assert f"… {len(rows) - most + (0 if whole else 1)} more" in cut[-1]


def lanes(*names: str) -> tuple[Zone, ...]:
    """A side of as many lanes as names; an empty name is an empty lane."""
    things = [(Thing(name, name, brief="3/4", flags=("asleep",)),) if name else () for name in names]
    return tuple(Zone(f"lane-{at}", f"Lane {at}", lying, column=at) for at, lying in enumerate(things, 1))


@given(
    sides=st.lists(st.lists(st.one_of(NAMES, st.just("")), min_size=5, max_size=5), min_size=1, max_size=3),
    width=st.integers(40, 200),
    detail=st.sampled_from(Detail),
)
def test_lanes_fill_their_room_and_show_who_stands_there(sides: list[list[str]], width: int, detail: Detail) -> None:
    part = LanesPart(tuple(lanes(*names) for names in sides), detail)
    rows = LanesPanel.draw(part, width)
    assert {row.cell_length for row in rows} == {width}
    text = "".join("".join(row.plain.split()) for row in rows)
    assert text.count("·") == sum(not name for names in sides for name in names)
    if detail is not Detail.HEADS and width >= 80:
        assert all(name in text for names in sides for name in names)
    heights = [len(brief) for brief in LanesPanel.briefer(part, width)]
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] == 2 * len(sides) - 1


@given(width=st.integers(18, 60), name=st.text("abcdefgh ", min_size=1, max_size=40).filter(str.strip))
def test_a_figure_is_whole_beside_a_name_that_is_cut(width: int, name: str) -> None:
    boss = Thing("boss", name.strip(), (Counter("hp", 37, "HP", 66, big=True), Counter("atk", 4, "ATK")))
    (row,) = drawing.row_of(boss, width, large=False)
    assert "37/66" in row.plain
    assert row.cell_length <= width


@given(name=st.text("aAbMwzäÉ -", min_size=1, max_size=8))
def test_a_name_is_spelled_in_letters_that_are_drawn(name: str) -> None:
    rows = enlarge_text(spell_first_word(name), 1)
    assert len(rows) == 5
    assert {len(row) for row in rows} == {width_of(spell_first_word(name), 1)}


@pytest.mark.parametrize("width", [40, 78, 118, 198])
def test_bars_use_the_width_that_there_is(width: int) -> None:
    hurt = Counter("hp", 10, "HP", top=20, big=True)
    assert drawing.draw_gauge(hurt, width).cell_length >= width - 1
    assert max(row.cell_length for row in drawing.draw_figure(hurt, [], width)) == width
    minion = Thing("ana:AH", "Moth Queen", (hurt, Counter("atk", 2, "ATK")))
    (row,) = drawing.row_of(minion, width, named=False)
    assert row.cell_length >= width - 4


@pytest.mark.parametrize("width", range(30, 140, 5))
def test_no_text_of_a_key_is_cut(width: int) -> None:
    keys = (
        ("Esc", "Back", ""),
        ("Enter", "Open their deck", ""),
        ("F4", "Nickname", ""),
        ("F8", "Forget them", ""),
        ("F1", "Help", ""),
        ("^Z", KeyEffect("Undo damage ben", "Undo"), ""),
    )
    row = KeyBar.draw(keys, width)[0].plain
    entries = [entry.strip() for entry in re.split(r"  +(?=(?:Esc|Enter|F\d|\^.)  )", row)]
    whole = [f"{key}  {does}" for key, does, _ in (*keys, ("^P", "More", ""))]
    assert len(row) <= width
    assert set(entries) <= {*whole, "^Z  Undo"}
    assert entries[-1] == "^P  More"
    assert [entry for entry in whole if entry in entries] == [entry for entry in entries if entry != "^Z  Undo"]


def test_keys_say_all_they_do_in_the_room_of_those_left_out() -> None:
    keys = (
        *(("Enter", "Go on", ""), ("Esc", "Back", ""), ("F1", "Help", "")),
        *(("^S", KeyEffect("Mend the record", "Finish"), ""), ("Tab", "Next", ""), ("^Z", "Undo", "")),
    )
    rows = {width: KeyBar.draw(keys, width)[0].plain.strip() for width in (93, 87, 80, 66)}
    assert rows[93].endswith("^S  Mend the record   Tab  Next   ^Z  Undo   ^P  More")
    assert rows[87].endswith("^S  Mend the record   Tab  Next   ^P  More")
    assert rows[80].endswith("^S  Finish   Tab  Next   ^P  More")
    assert rows[66].endswith("^S  Finish   ^P  More")


@given(st.lists(st.text("ab ", min_size=1, max_size=9), min_size=1), st.integers(4, 30), st.integers(0, 12))
def test_what_goes_on_stands_further_in_and_nothing_is_lost(words: list[str], width: int, indent: int) -> None:
    text = " ".join(" ".join(words).split()) or "a"
    first, *rest = drawing.wrap_with_indent(Content(text), width, indent)
    assert all(row.cell_length <= width for row in (first, *rest))
    assert "".join(row.plain for row in (first, *rest)).replace(" ", "") == text.replace(" ", "")
    if width > 2 * indent:
        assert all(row.plain[:indent].isspace() or not indent for row in rest)


@given(values=st.lists(st.integers(0, 999), min_size=1, max_size=8), width=st.integers(24, 90))
def test_a_row_says_when_figures_of_a_thing_are_left_out(values: list[int], width: int) -> None:
    counters = tuple(Counter(f"figure-{number}", value) for number, value in enumerate(values))
    (row,) = drawing.row_of(Thing("wolf", "Wolf", counters), width, large=False)
    text = row.plain.rstrip()
    assert row.cell_length <= width
    has_all = all(f"Figure-{number} {value}" in text for number, value in enumerate(values))
    assert text.endswith("…") != has_all
