"""Figures, bars and rows: as wide as they may be, and nothing lost on the way."""

from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from companion.games.table import Counter, RoundStep, Thing, Zone
from companion.tui import drawing
from companion.tui.widgets.head import steps_in
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.scoreboard import enlarged

NAMES = st.text("abcdefghijklmnop", min_size=1, max_size=12)


@given(value=st.integers(-5, 200), top=st.integers(1, 150), width=st.integers(1, 60))
def test_a_bar_is_empty_only_at_nothing_and_full_only_at_the_top(value: int, top: int, width: int) -> None:
    bar = drawing.bar(value, top, width).plain
    assert len(bar) == width
    assert ("█" in bar) == (value > 0)
    if 0 < value < top and width > 1:
        assert "░" in bar


@given(st.integers(-999, 9999))
def test_figures_are_three_rows_of_one_width(number: int) -> None:
    rows = drawing.figure(number)
    assert {len(row) for row in rows} == {3 * len(str(number))}


@given(pieces=st.lists(NAMES, min_size=1, max_size=12), width=st.integers(12, 60))
def test_pieces_flow_into_rows_that_fit_and_none_is_lost(pieces: list[str], width: int) -> None:
    rows = drawing.flow(map(Content, pieces), width)
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
        legend=True,
    )
    rows = [row.plain for row in drawing.portrait(boss, 60, large=True)]
    assert rows[0].startswith(drawing.figure(45)[0])
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
    rows = enlarged(str(number), scale)
    assert len(rows) == 5 * scale
    assert {len(row) for row in rows} == {(4 * len(str(number)) - 1) * 2 * scale}


class Broken(Panel[str]):
    """A panel with a fault."""

    @staticmethod
    def draw(part: str, width: int) -> list[Content]:
        """Fails."""
        raise KeyError(part, width)


def test_a_panel_that_cannot_be_drawn_says_so() -> None:
    panel = Broken()
    panel.part = "hp"
    assert panel.needs(40) == 1


def test_a_narrow_seat_keeps_the_figure_rather_than_the_word_for_its_place() -> None:
    zone = Zone("revealed", "Revealed", (Thing("ana's 8S", "8♠", (Counter("value", 8, "F"),)),))
    assert [row.plain for row in drawing.zone_rows(zone, 20, large=False)] == ["Revealed 8♠ F 8"]
    assert [row.plain for row in drawing.zone_rows(zone, 12, large=False)] == ["8♠ F 8"]
