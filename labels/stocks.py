"""Label stocks: the geometry of a sheet or a roll, those known under a name, and their TOML files."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from labels import handwritten
from labels.errors import LabelError
from labels.geometry import (
    INK_NAMES,
    MM,
    SAFE_MARGIN,
    UNITS,
    Box,
    InkName,
    Paper,
    PaperError,
    is_paper,
    media,
    parse_paper,
)

_MAX_PER_ROW = 100
"""Labels in a row or column."""


class StockError(LabelError):
    """A stock that is not known, cannot be read, or cannot exist."""


class _Key(NamedTuple):
    """One line of the file: what it may be, in words, and an example."""

    may_be: Callable[[object], bool]
    requirement: str
    example: str


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_count(value: object) -> bool:
    return type(value) is int and 1 <= value <= _MAX_PER_ROW


def _is_margin(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(number := float(str(value))) and number >= 0


def _is_length(value: object) -> bool:
    return _is_margin(value) and value != 0


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_KEYS: Mapping[str, _Key] = {
    "name": _Key(_is_text, "what it is called, in quotation marks", '"L7160"'),
    "title": _Key(_is_text, "what stands beside its name in lists, in quotation marks", '"Avery L7160, 21 labels"'),
    "aliases": _Key(_are_names, "other names, each in quotation marks, between brackets", '["5195"]'),
    "roll": _Key(_is_flag, "true for labels on a roll, else false", "true"),
    "page": _Key(
        lambda value: isinstance(value, str) and is_paper(value),
        "letter, a4, or a width and a height, in quotation marks",
        '"148 x 210 mm"',
    ),
    "order": _Key(lambda value: value in ("down", "across"), '"down" or "across": how positions count', '"across"'),
    "columns": _Key(_is_count, f"a whole number from 1 to {_MAX_PER_ROW}", "3"),
    "rows": _Key(_is_count, f"a whole number from 1 to {_MAX_PER_ROW}", "7"),
    "unit": _Key(lambda value: value in ("in", "mm"), '"mm" or "in", for all lengths', '"mm"'),
    "width": _Key(_is_length, "a label's width, more than 0", "63.5"),
    "height": _Key(_is_length, "a label's height, more than 0", "38.1"),
    "left": _Key(_is_margin, "from the page's left edge to the first label", "7.2"),
    "top": _Key(_is_margin, "from the page's top edge to the first label", "15.1"),
    "pitch_x": _Key(_is_length, "from a label's left edge to that of the next", "66"),
    "pitch_y": _Key(_is_length, "from a label's top edge to that of the next", "38.1"),
    "radius": _Key(_is_margin, "the radius of a label's corners, 0 or more", "1.5"),
    "margin_x": _Key(_is_margin, "what a roll's printer leaves blank at the sides", "1.5"),
    "margin_y": _Key(_is_margin, "what a roll's printer leaves blank at top and foot", "3"),
    "ink": _Key(
        lambda value: value in INK_NAMES,
        '"black" or "colour": what its printer knows; black for a roll',
        '"colour"',
    ),
    "turned": _Key(_is_flag, "true where a roll's labels come out on their side, else false", "true"),
}
_OPTIONAL = frozenset({"aliases", "roll", "margin_x", "margin_y", "ink", "turned"})
_ROLL_KEYS = frozenset({"name", "title", "unit", "width", "height", "radius"})
"""What a roll's file must say; the rest follows, since its page is the label."""


def parse_values(text: str, source: str) -> dict[str, Any]:
    """What a stock's file says, each part as it must be; what follows of a roll is filled in.

    Raises StockError, which names the source, the line, and what to write there.
    """
    try:
        values = handwritten.load(text, "rows = 7", 'unit = "mm"')
    except handwritten.BrokenLine as error:
        raise StockError(f"The stock {source} cannot be read: {error}") from error
    for key, value in values.items():
        _check_value(key, value, text, source)
    is_roll = values.get("roll") is True
    for key, part in _KEYS.items():
        needed = key in _ROLL_KEYS if is_roll else key not in _OPTIONAL
        if needed and key not in values:
            raise StockError(f"The stock {source} cannot be read: it lacks “{key}”; write {_example_line(key, part)}.")
    return {**_roll_defaults(values, source), **values} if is_roll else values


def _check_value(key: str, value: object, text: str, source: str) -> None:
    part = _KEYS.get(key)
    if part is None:
        candidates = get_close_matches(key, _KEYS, 1)
        remedy = f"write {_example_line(candidates[0], _KEYS[candidates[0]])}" if candidates else "leave it out"
        raise StockError(f"The stock {source} cannot be read: line {_line_number(key, text)} has “{key}”; {remedy}.")
    if not part.may_be(value):
        raise StockError(
            f"The stock {source} cannot be read: line {_line_number(key, text)}: write {_example_line(key, part)}."
        )


def _example_line(key: str, part: _Key) -> str:
    return f"{key} = {part.example} ({part.requirement})"


def _line_number(key: str, text: str) -> int:
    begins = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}\b""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if begins.match(line)), 1)


def _roll_defaults(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    width, height = values["width"], values["height"]
    page = f"{width:.6g} x {height:.6g} {values['unit']}"
    try:
        parse_paper(page)
    except PaperError as error:
        raise StockError(f"The stock {source} cannot be used: {error}") from error
    once = {"ink": "black", "columns": 1, "rows": 1, "left": 0, "top": 0, "pitch_x": width, "pitch_y": height}
    return {"page": page, "order": "across", **once}


# Two labels whose die cuts are meant to touch may overlap by a rounding in the published figures.
_TOLERANCE = 0.01 * MM


class Stock(msgspec.Struct, frozen=True):
    """A sheet of labels, or a roll, on which every label is a page. Lengths are in `unit`, as the file has them; `box`
    gives points.

    `margin_x` and `margin_y` are what a roll's printer leaves blank at the sides, and at the top and the foot; a label
    that is `turned` comes out of it on its side. `ink` is what it is printed with where nobody says otherwise.
    """

    name: str
    title: str
    page: str
    order: Literal["down", "across"]
    columns: int
    rows: int
    unit: Literal["in", "mm"]
    width: float
    height: float
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    radius: float
    aliases: tuple[str, ...] = ()
    roll: bool = False
    margin_x: float = 0.0
    margin_y: float = 0.0
    ink: InkName = "colour"
    turned: bool = False

    @property
    def count(self) -> int:
        """How many labels a sheet has."""
        return self.columns * self.rows

    @property
    def paper(self) -> Paper:
        """The page that a printer is fed with."""
        return parse_paper(self.page)

    @property
    def page_size(self) -> tuple[float, float]:
        """The page's width and height in points."""
        return self.paper.size

    @property
    def media(self) -> str:
        """What CUPS calls the page as the printer is fed with it."""
        width, height = self.page_size
        return media(height, width) if self.turned else self.paper.media

    @property
    def corner(self) -> float:
        """The radius of the die's corners in points."""
        return self.radius * UNITS[self.unit]

    @property
    def size(self) -> str:
        """A label's size as its stock's unit writes it: `1.75 × 0.66 in`."""
        return f"{self.width:g} × {self.height:g} {self.unit}"

    @property
    def cut(self) -> str:
        """How a page is cut, in short: `4 × 15 of 1.75 × 0.66 in`."""
        return f"a roll of {self.size}" if self.roll else f"{self.columns} × {self.rows} of {self.size}"

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

    def room(self, position: int) -> Box:
        """What a label is drawn into: the die cut, smaller where its printer reaches less far than a label's ink."""
        die, point = self.box(position), UNITS[self.unit]
        x, y = (max(0.0, margin * point - SAFE_MARGIN) for margin in (self.margin_x, self.margin_y))
        return Box(die.x + x, die.y + y, die.width - 2 * x, die.height - 2 * y)


def parse_stock(text: str, source: str) -> Stock:
    """The stock that a TOML text describes; `source` is how errors name the text.

    Raises StockError if the text cannot be read, or if its labels overlap or leave the page.
    """
    stock = msgspec.convert(parse_values(text, source), Stock)
    _check_stock(stock, source)
    return stock


def _check_stock(stock: Stock, source: str) -> None:
    point = UNITS[stock.unit]
    for pitch, size, count, neighbours, key in (
        (stock.pitch_x, stock.width, stock.columns, "columns", "pitch_x"),
        (stock.pitch_y, stock.height, stock.rows, "rows", "pitch_y"),
    ):
        over = (size - pitch) * point
        if count > 1 and over > _TOLERANCE:
            raise StockError(
                f"Labels of stock {stock.name} overlap: its {neighbours} repeat every {pitch:g} {stock.unit}, "
                f"but a label takes {size:g} {stock.unit}; write {key} = {size:g} or more in {source}."
            )
    last, page = stock.box(stock.count), stock.paper
    if last.right > page.width + _TOLERANCE:
        raise StockError(f"Labels of stock {stock.name} leave the {page.name} page at its right edge; see {source}.")
    if last.y < -_TOLERANCE:
        raise StockError(f"Labels of stock {stock.name} leave the {page.name} page at its foot; see {source}.")
    if 2 * stock.radius > min(stock.width, stock.height):
        raise StockError(f"The corner radius of stock {stock.name} is more than half a label; see {source}.")
    room = stock.room(1)
    if min(room.width, room.height) <= 2 * SAFE_MARGIN:
        raise StockError(f"The margins of stock {stock.name} leave nothing of its labels; see {source}.")


class BrokenStock(NamedTuple):
    """A stock that cannot be used: the names by which somebody may ask for it, and what is wrong, in a sentence."""

    names: frozenset[str]
    reason: str


class Stocks(NamedTuple):
    """The stocks that are known, sheets before rolls and by name, and what is wrong with others."""

    stocks: tuple[Stock, ...]
    wrong: tuple[BrokenStock, ...] = ()


class _StockFile(NamedTuple):
    file: str
    stock: Stock


def load_stocks(own: Path | None = None) -> Stocks:
    """The stocks that come along, and those of the folder `own`, which win over a namesake.

    A file that is wrong only takes itself away. Two files with one name are both wrong, and nothing is found under it.
    """
    filed, wrong = [], []
    for file in sorted(own.glob("*.toml")) if own is not None and own.is_dir() else ():
        try:
            filed.append(_StockFile(str(file), parse_stock(_text(file), str(file))))
        except StockError as error:
            wrong.append(BrokenStock(frozenset({file.name.removesuffix(".toml").casefold()}), str(error)))
    bundled = (file for file in (resources.files("templates") / "stocks").iterdir() if file.name.endswith(".toml"))
    stocks = {stock.name: stock for stock in (parse_stock(_text(file), file.name) for file in bundled)}
    names = _names(stocks.values())
    for key, group in groupby(sorted(filed, key=_key), _key):
        first, *others = group
        if others:
            files = " and ".join(each.file for each in (first, *others))
            problem = f"The name “{first.stock.name}” is given to two stocks: {files}; give one of them another name."
            wrong.append(BrokenStock(frozenset({key}), problem))
            continue
        claimed = _name_conflict(first, names)
        if claimed is None:
            stocks[first.stock.name] = first.stock
            names |= dict.fromkeys(_names_of(first.stock), first.stock)
        else:
            wrong.append(BrokenStock(frozenset({key}), claimed))
    return Stocks(tuple(sorted(stocks.values(), key=lambda stock: (stock.roll, stock.name))), tuple(wrong))


def valid_stocks(own: Path | None = None) -> tuple[Stock, ...]:
    """The same where nothing may be wrong. Raises StockError."""
    result = load_stocks(own)
    if result.wrong:
        raise StockError(result.wrong[0].reason)
    return result.stocks


def _text(file: Traversable) -> str:
    try:
        return handwritten.read_toml_text(file)
    except handwritten.TooLarge as error:
        raise StockError(f"The stock {file} cannot be read: {error}.") from error
    except UnicodeDecodeError as error:
        raise StockError(f"The stock {file} cannot be read: it is not text; save it as UTF-8.") from error
    except OSError as error:
        raise StockError(f"The stock {file} cannot be read: {error.strerror or error}.") from error


def _key(filed: _StockFile) -> str:
    return filed.stock.name.casefold()


def _names_of(stock: Stock) -> tuple[str, ...]:
    return tuple(name.casefold() for name in (stock.name, *stock.aliases))


def _names(stocks: Iterable[Stock]) -> dict[str, Stock]:
    return {name: stock for stock in stocks for name in _names_of(stock)}


def _name_conflict(filed: _StockFile, names: dict[str, Stock]) -> str | None:
    """What is wrong where a stock has the name of another one that it does not replace."""
    mine = filed.stock
    for name in (mine.name, *mine.aliases):
        other = names.get(name.casefold(), mine)
        if other.name.casefold() != mine.name.casefold():
            return f"Stocks {other.name} and {mine.name} both claim the name {name}; write another one in {filed.file}."
    return None


def find(name: str, stocks: Iterable[Stock] | None = None, wrong: Iterable[BrokenStock] = ()) -> Stock:
    """The stock of this name or alias, in any case. Raises StockError naming the known stocks, or what is `wrong`."""
    names = _names(valid_stocks() if stocks is None else stocks)
    key = name.strip().casefold()
    reason = next((each.reason for each in wrong if key in each.names), None)
    if reason is not None:
        raise StockError(reason)
    stock = names.get(key)
    if stock is None:
        names_in_order = ", ".join(sorted({stock.name for stock in names.values()}))
        also = "".join(f" {each.reason}" for each in wrong)
        raise StockError(f"The stock “{name}” is not known; known are {names_in_order} and their aliases.{also}")
    return stock
