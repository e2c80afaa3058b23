"""The pictures of label stocks in docs/stocks.md: each sheet and roll in small, with its name.

Run where a stock has changed: python -m tests.docs.stock_pictures
"""

from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Final

from labels.paper import stocks
from labels.paper.stocks import Stock
from tests.docs.documents import DOCS

MAKERS: Final = ("avery-letter", "avery-a4", "zweckform", "herma", "brother", "dymo", "thermal")
"""The files of stocks that come along, in the order of the page."""

_SCALE: Final = 0.17
"""Of a point, in a picture where a point is a pixel."""
_ACROSS: Final = 900.0
_GAP: Final = 14.0
_CAPTION: Final = 14.0


def stocks_of(maker: str) -> list[Stock]:
    """The stocks of one of `MAKERS`, in the order of their file."""
    text = (resources.files("templates") / "stocks" / f"{maker}.toml").read_text(encoding="utf-8")
    names = [line.partition('"')[2].rstrip('"') for line in text.splitlines() if line.startswith("name = ")]
    return [stocks.find(each) for each in names]


def picture_name(maker: str) -> str:
    """The name of the picture of a maker's stocks."""
    return f"stocks-{maker}.svg"


def draw_stocks(maker: str) -> str:
    """The stocks of a maker as SVG, in rows."""
    listed = stocks_of(maker)
    elements: list[str] = []
    top = _GAP
    for row in _rows(listed):
        height = max(stock.page_size[1] * _SCALE for stock in row)
        left = _GAP
        for stock in row:
            elements += _sheet(stock, left, top + height - stock.page_size[1] * _SCALE)
            elements.append(f'<text x="{left:g}" y="{top + height + 11:.1f}">{stock.name}</text>')
            left = round(left + _width(stock) + _GAP, 1)
        top = round(top + height + _CAPTION + _GAP, 1)
    size = f'width="{_ACROSS:g}" height="{top:g}" viewBox="0 0 {_ACROSS:g} {top:g}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="9" fill="#2b2f36">',
            f'<rect width="{_ACROSS:g}" height="{top:g}" fill="#eceef1"/>',
            *elements,
            "</svg>\n",
        ]
    )


def _width(stock: Stock) -> float:
    """What a stock takes in its row, with room for its name."""
    return max(stock.page_size[0] * _SCALE, 5.6 * len(stock.name))


def _rows(listed: Sequence[Stock]) -> Iterator[list[Stock]]:
    row: list[Stock] = []
    taken = _GAP
    for stock in listed:
        wide = _width(stock) + _GAP
        if row and taken + wide > _ACROSS:
            yield row
            row, taken = [], _GAP
        row.append(stock)
        taken += wide
    yield row


def _sheet(stock: Stock, left: float, top: float) -> Iterator[str]:
    width, height = (length * _SCALE for length in stock.page_size)
    yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="#ffffff"/>'
    for position in range(1, stock.count + 1):
        for number, (box, radius, radius_y) in enumerate(stock.outlines(stock.box(position))):
            x, y = left + box.x * _SCALE, top + height - box.top * _SCALE
            corner = f' rx="{radius * _SCALE:.1f}" ry="{radius_y * _SCALE:.1f}"' if radius else ""
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{box.width * _SCALE:.1f}" height="{box.height * _SCALE:.1f}"'
                f'{corner} fill="{"#ffffff" if number else "#f6e7c8"}" stroke="#8a8f98" stroke-width="0.4"/>'
            )


if __name__ == "__main__":
    for each in MAKERS:
        (DOCS / "pictures" / picture_name(each)).write_text(draw_stocks(each), encoding="utf-8")
