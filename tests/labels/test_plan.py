"""The plan of a run: what comes where, what stays free, and the sheet as a map in characters."""

from hypothesis import given
from hypothesis import strategies as st

from labels.paper import sheet, stocks
from labels.paper.sheet import AvailableSheet
from tests.labels.samples import ECHO, SWIFT, box_label

STOCK = stocks.find("18294")


def test_a_run_over_several_sheets_says_what_stays_free_of_each() -> None:
    laid = sheet.impose(
        [SWIFT, SWIFT, ECHO],
        STOCK,
        [AvailableSheet("red", (60,)), AvailableSheet("full", ()), AvailableSheet("blue", (3, 7, 9))],
    )
    assert [(each.name, dict(each.labels), each.free_positions) for each in laid.sheets] == [
        ("red", {60: SWIFT}, ()),
        ("blue", {3: SWIFT, 7: ECHO}, (9,)),
    ]
    assert laid.count == 3


def test_what_does_not_fit_goes_on_new_sheets() -> None:
    laid = sheet.impose([SWIFT] * 62, STOCK, [AvailableSheet("red", (60,))])
    assert [(each.name, len(each.labels), len(each.free_positions)) for each in laid.sheets] == [
        ("red", 1, 0),
        ("", 60, 0),
        ("", 1, 59),
    ]


def test_the_plan_in_words() -> None:
    lines = list(sheet.describe_plan(sheet.impose([SWIFT, SWIFT, ECHO], STOCK, [AvailableSheet("red", (3, 4, 7, 59))])))
    assert lines[0] == "Sheet 1 (“red”): 3 labels, 1 free afterwards."
    assert lines[3] == "   3■  18×  33×  48×"
    assert lines[14] == "  14×  29×  44×  59·"
    assert lines[16:] == ["      3-4  Swift", "        7  Echo"]


def test_what_waits_for_an_answer_is_marked_in_the_plan_too() -> None:
    lines = list(sheet.describe_plan(sheet.impose([SWIFT], STOCK, [AvailableSheet("red", (3, 4), waiting=(1, 2))])))
    assert [line.split()[0] for line in lines[1:6]] == ["1?", "2?", "3■", "4·", "5×"]


def test_a_map_lies_as_the_sheet_does() -> None:
    down = list(sheet.draw_map(STOCK, {2: sheet.FREE, 16: sheet.WAITING}))
    across = list(sheet.draw_map(stocks.find("5160"), {2: sheet.FREE}))
    assert (len(down), len(across)) == (15, 10)
    assert down[0].split() == ["1×", "16?", "31×", "46×"]
    assert down[1].split()[0] == "2·"
    assert across[0].split() == ["1×", "2·", "3×"]


@given(st.sets(st.integers(1, 60), min_size=1))
def test_a_list_of_positions_can_be_typed_as_it_is_told(positions: set[int]) -> None:
    assert sheet.parse_positions(sheet.format_positions(tuple(positions)), STOCK) == tuple(sorted(positions))


@given(st.integers(1, 150), st.lists(st.sets(st.integers(1, 60)), max_size=3))
def test_nothing_is_lost_or_printed_over(count: int, free: list[set[int]]) -> None:
    hands = [AvailableSheet(f"sheet {number}", tuple(sorted(each))) for number, each in enumerate(free)]
    laid = sheet.impose([box_label(number=number) for number in range(count)], STOCK, hands)
    assert laid.count == count
    for each in laid.sheets:
        positions = {hand.name: hand.free for hand in hands}.get(each.name, sheet.all_positions(STOCK))
        assert set(each.labels) <= set(positions)
        assert set(each.labels) | set(each.free_positions) == set(positions)
