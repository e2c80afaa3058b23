"""Runs: free positions, ranges, and labels that spill onto the next sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.paper import sheet, stocks
from labels.paper.sheet import AvailableSheet, PositionError
from tests.labels.samples import ECHO, SWIFT, box_label

STOCK = stocks.find("18294")

free_positions = st.lists(st.integers(1, STOCK.count), unique=True)


def test_a_list_of_positions_is_read_in_the_order_of_the_sheet() -> None:
    assert sheet.parse_positions("20-22, 7,3", STOCK) == (3, 7, 20, 21, 22)
    assert sheet.parse_positions("60", STOCK) == (60,)
    assert sheet.all_positions(STOCK, 59) == (59, 60)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3,x", "“x” is not a position"),
        ("", "“” is not a position"),
        ("3,,4", "“” is not a position"),
        ("-3", "“-3” is not a position"),
        ("9-3", "runs backwards; write 3-9"),
        ("58-61", "Stock 18294 has positions 1 to 60, not 61"),
        ("0", "positions 1 to 60, not 0"),
        ("3,5,1-4", "Position 3 is named twice"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(text: str, says: str) -> None:
    with pytest.raises(PositionError, match=says):
        sheet.parse_positions(text, STOCK)


def test_a_start_beyond_the_sheet_is_refused() -> None:
    with pytest.raises(PositionError, match="positions 1 to 60, not 61"):
        sheet.all_positions(STOCK, 61)


def test_a_run_spills_from_the_sheets_at_hand_onto_a_whole_one() -> None:
    run = sheet.place_labels([SWIFT, ECHO, SWIFT, ECHO], STOCK, [(7, 3), (), (60,)])
    assert list(run) == [{3: SWIFT, 7: ECHO}, {60: SWIFT}, {1: ECHO}]


@given(st.integers(0, 200), st.lists(free_positions, max_size=4))
def test_each_label_is_placed_once_in_order_where_it_is_free(count: int, at_hand: list[list[int]]) -> None:
    labels = [box_label(number=number) for number in range(count)]
    run = sheet.place_labels(labels, STOCK, at_hand)
    assert [label for each in run for _, label in sorted(each.items())] == labels
    partly = [set(free) for free in at_hand if free]
    for used, free in zip(run, partly, strict=False):
        assert used.keys() <= free
    for used in run[len(partly) :]:
        assert sorted(used) == list(range(1, len(used) + 1))
    assert all(run)
    # Nothing is begun before what is at hand is full.
    for used, free in zip(run[:-1], partly, strict=False):
        assert used.keys() == free


@given(st.sets(st.integers(1, STOCK.count), min_size=1))
def test_positions_written_as_a_list_are_read_back(wanted: set[int]) -> None:
    assert sheet.parse_positions(",".join(map(str, wanted)), STOCK) == tuple(sorted(wanted))


@pytest.mark.parametrize("stock", stocks.valid_stocks(), ids=lambda stock: stock.name)
def test_positions_of_every_stock_lie_apart_and_on_the_page(stock: stocks.Stock) -> None:
    boxes = [stock.box(position) for position in range(1, stock.count + 1)]
    assert len({(round(box.x, 3), round(box.y, 3)) for box in boxes}) == stock.count
    for box in boxes:
        assert box.x >= 0
        assert box.y >= -0.03
        assert box.right <= stock.page_size[0] + 0.03
        assert box.top <= stock.page_size[1]


def test_a_label_goes_to_its_position_on_this_sheet_or_the_next() -> None:
    labels = [box_label(number=number) for number in range(5)]
    placed = list(sheet.fill_sheets(labels, STOCK, [(2, 3, 9)], wanted=[3, 0, 0, 7, 2]))
    assert [dict(page) for page in placed] == [
        {3: labels[0], 9: labels[1]},
        {1: labels[2], 7: labels[3], 2: labels[4]},
    ]
    with pytest.raises(PositionError, match="has positions 1 to 60, not 61"):
        list(sheet.fill_sheets(labels, STOCK, wanted=[61, 0, 0, 0, 0]))


@pytest.mark.parametrize(
    ("wanted", "pages"),
    [
        ([3, 1, 0, 3], [{3: 0, 1: 1, 2: 2}, {3: 3}]),
        ([9, 8, 7, 6, 5], [{9: 0, 8: 1, 7: 2, 6: 3, 5: 4}]),
        ([0, 1, 0, 2], [{3: 0, 1: 1, 4: 2, 2: 3}]),
        ([60, 2, 2, 60, 1], [{60: 0, 2: 1}, {2: 2, 60: 3, 1: 4}]),
        ([60, 0, 1], [{60: 0}, {2: 1, 1: 2}]),
    ],
)
def test_positions_in_any_order_share_a_sheet(wanted: list[int], pages: list[dict[int, int]]) -> None:
    labels = [box_label(number=number) for number in range(len(wanted))]
    placed = sheet.fill_sheets(labels, STOCK, wanted=wanted)
    assert [dict(page) for page in placed] == [{at: labels[index] for at, index in page.items()} for page in pages]


def test_a_sheet_without_the_wanted_position_is_not_claimed() -> None:
    laid = sheet.impose([ECHO], STOCK, [AvailableSheet("blue", (1, 2))], wanted=[5])
    assert [(imposed.name, dict(imposed.labels)) for imposed in laid.sheets] == [("", {5: ECHO})]
