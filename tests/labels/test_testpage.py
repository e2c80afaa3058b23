"""The test page of every stock: what is said about it stands on no label."""

import pytest

from labels.geometry import Box
from labels.output import testpage
from labels.paper import stocks
from labels.paper.stocks import Stock
from tests.labels.paper import text_in

_HEAD = "If you measure something else"


@pytest.mark.parametrize(
    "stock", [stock for stock in stocks.valid_stocks() if not stock.roll], ids=lambda stock: stock.name
)
def test_the_head_overprints_no_label(stock: Stock) -> None:
    head = testpage._set_head(stock, "Office")
    tops = testpage._place_head(stock, head)
    dies = [stock.box(position) for position in range(1, stock.count + 1)]
    for setting, top in zip(head, tops or [], strict=bool(tops)):
        assert all(top <= die.y or top - setting.height >= die.top for die in dies)


@pytest.mark.parametrize("name", ["L7160", "5160", "L7169", "3427", "3652", "5126", "4358"])
def test_all_of_the_head_is_printed(name: str) -> None:
    stock = stocks.find(name)
    document = testpage.render_test_page(stock)
    places = testpage._place_head(stock, testpage._set_head(stock, ""))
    assert _HEAD in text_in(document, Box(0, 0, *stock.page_size), 0 if places else 1)


@pytest.mark.parametrize("name", ["L7160", "5160", "18294", "L7780"])
def test_usual_stocks_have_one_page(name: str) -> None:
    stock = stocks.find(name)
    assert testpage._place_head(stock, testpage._set_head(stock, ""))
