"""Label stocks: the geometry of a sheet, read from TOML and refused where it cannot be.

Separate because a stock is data: a new one is a file, here or in a folder of the user's, and never code.
"""

import tomllib
from collections.abc import Iterable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from labels.errors import LabelError
from labels.geometry import INCH, MM, Box

PAGES = {"letter": (8.5 * INCH, 11 * INCH), "a4": (210 * MM, 297 * MM)}
UNITS = {"in": INCH, "mm": MM}

# Two labels whose die cuts are meant to touch may overlap by a rounding in the published figures.
_TOLERANCE = 0.01 * MM

_Length = Annotated[float, msgspec.Meta(gt=0)]
_Margin = Annotated[float, msgspec.Meta(ge=0)]
_Count = Annotated[int, msgspec.Meta(ge=1, le=100)]


class StockError(LabelError):
    """A stock that is not known, cannot be read, or cannot exist."""


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of labels. Lengths are in `unit`, as the file has them; `box` gives points."""

    name: str
    title: str
    page: Literal["letter", "a4"]
    order: Literal["down", "across"]
    columns: _Count
    rows: _Count
    unit: Literal["in", "mm"]
    width: _Length
    height: _Length
    left: _Margin
    top: _Margin
    pitch_x: _Length
    pitch_y: _Length
    radius: _Margin
    aliases: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many labels a sheet has."""
        return self.columns * self.rows

    @property
    def page_size(self) -> tuple[float, float]:
        """The page's width and height in points."""
        return PAGES[self.page]

    @property
    def corner(self) -> float:
        """The radius of the die's corners in points."""
        return self.radius * UNITS[self.unit]

    @property
    def size(self) -> str:
        """A label's size as its stock's unit writes it: `1.75 × 0.66 in`."""
        return f"{self.width:g} × {self.height:g} {self.unit}"

    def cell(self, position: int) -> tuple[int, int]:
        """Column and row, from 0, of a position counted from 1 in the stock's order."""
        if self.order == "down":
            column, row = divmod(position - 1, self.rows)
        else:
            row, column = divmod(position - 1, self.columns)
        return column, row

    def box(self, position: int) -> Box:
        """The die cut of a position counted from 1 in the stock's order, in points from the page's bottom left."""
        column, row = self.cell(position)
        point = UNITS[self.unit]
        left = (self.left + column * self.pitch_x) * point
        top = (self.top + row * self.pitch_y) * point
        height = self.height * point
        return Box(left, self.page_size[1] - top - height, self.width * point, height)


def read(text: str, source: str) -> Stock:
    """The stock that a TOML text describes; `source` is how errors name the text.

    Raises StockError if the text cannot be read, or if its labels overlap or leave the page.
    """
    try:
        stock = msgspec.convert(tomllib.loads(text), Stock)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise StockError(f"The stock {source} cannot be read: {error}.") from error
    _check(stock)
    return stock


def _check(stock: Stock) -> None:
    point = UNITS[stock.unit]
    for pitch, size, count, neighbours in (
        (stock.pitch_x, stock.width, stock.columns, "columns"),
        (stock.pitch_y, stock.height, stock.rows, "rows"),
    ):
        over = (size - pitch) * point
        if count > 1 and over > _TOLERANCE:
            raise StockError(
                f"Labels of stock {stock.name} overlap: its {neighbours} repeat every {pitch:g} {stock.unit}, "
                f"but a label takes {size:g} {stock.unit}."
            )
    last = stock.box(stock.count)
    if last.right > stock.page_size[0] + _TOLERANCE:
        raise StockError(f"Labels of stock {stock.name} leave the {stock.page} page at its right edge.")
    if last.y < -_TOLERANCE:
        raise StockError(f"Labels of stock {stock.name} leave the {stock.page} page at its foot.")
    if 2 * stock.radius > min(stock.width, stock.height):
        raise StockError(f"The corner radius of stock {stock.name} is more than half a label.")


def known(own: Path | None = None) -> tuple[Stock, ...]:
    """The stocks that come along, and those of the folder `own`, which win over a namesake; sorted by name.

    Raises StockError if one of them is wrong or if two claim one alias.
    """
    folders: list[Traversable] = [resources.files("templates") / "stocks"]
    if own is not None and own.is_dir():
        folders.append(own)
    stocks: dict[str, Stock] = {}
    for folder in folders:
        for file in folder.iterdir():
            if file.name.endswith(".toml"):
                stock = read(_text(file), str(file))
                stocks[stock.name] = stock
    found = tuple(sorted(stocks.values(), key=lambda stock: stock.name))
    _names(found)
    return found


def _text(file: Traversable) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StockError(f"The stock {file} cannot be read: {error}.") from error


def find(name: str, stocks: Iterable[Stock] | None = None) -> Stock:
    """The stock of this name or alias, in any case. Raises StockError naming the known stocks."""
    names = _names(known() if stocks is None else stocks)
    stock = names.get(name.strip().casefold())
    if stock is None:
        listed = ", ".join(sorted({stock.name for stock in names.values()}))
        raise StockError(f"The stock “{name}” is not known; known are {listed} and their aliases.")
    return stock


def _names(stocks: Iterable[Stock]) -> dict[str, Stock]:
    names: dict[str, Stock] = {}
    for stock in stocks:
        for name in (stock.name, *stock.aliases):
            other = names.setdefault(name.casefold(), stock)
            if other is not stock:
                raise StockError(f"Stocks {other.name} and {stock.name} both claim the name {name}.")
    return names
