"""Label stocks: the geometry of a sheet or a roll, and those that are known, by name, alias or size."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from labels import handwritten
from labels.die import Die, Outline, Shape
from labels.geometry import (
    INCH,
    MM,
    SAFE_MARGIN,
    UNITS,
    Box,
    InkName,
    Paper,
    PaperError,
    SizeError,
    media,
    parse_paper,
    parse_size,
)
from labels.stockfile import StockError as StockError
from labels.stockfile import fill_roll, parse_values

# Two labels whose die cuts are meant to touch may overlap by a rounding in the published figures.
_TOLERANCE = 0.01 * MM


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of labels, or a roll, on which every row of labels is a page. Lengths are in `unit`, as the file has
    them; `box` gives points.

    A label with the shape of an `ellipse` is round where it is as high as wide; `hole` is how wide a round hole in its
    middle is. `margin_x` and `margin_y` are what a roll's printer leaves blank at the sides, and at the top and the
    foot, and `dpi` how many dots to an inch it has; a label that is `turned` comes out of it on its side, and a
    `continuous` roll is cut at any length. `ink` is what it is printed with where nobody says otherwise. `makers` are
    who may be named before its name. `source` says where the figures come from; they are `confirmed` where two sources
    that do not know of each other agree within 0.3 mm.
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
    continuous: bool = False
    shape: Shape = "rectangle"
    hole: float = 0.0
    dpi: int = 0
    makers: tuple[str, ...] = ()
    source: str = ""
    confirmed: bool = True

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
    def dot(self) -> float:
        """A dot of a roll's printer, in points; 0 for sheets, which any printer takes."""
        return INCH / self.dpi if self.roll and self.dpi else 0.0

    @property
    def die(self) -> Die:
        """How a label is cut."""
        point = UNITS[self.unit]
        return Die(self.shape, *(length * point for length in (self.width, self.height, self.radius, self.hole)))

    def outlines(self, place: Box) -> tuple[Outline, ...]:
        """The edge of a label that lies in this box, and its hole where it has one."""
        return self.die.outlines(place)

    @property
    def size(self) -> str:
        """A label's size as its stock's unit writes it: `1.75 × 0.66 in`, `40 mm round`, `60 × 40 mm oval`."""
        across = f"{self.width:g}"
        if self.shape == "ellipse" and self.width == self.height:
            size = f"{across} {self.unit} round"
        else:
            size = f"{across} × {self.height:g} {self.unit}{' oval' if self.shape == 'ellipse' else ''}"
        return f"{size} with a hole" if self.hole else size

    @property
    def cut(self) -> str:
        """How a page is cut, in short: `4 × 15 of 1.75 × 0.66 in`."""
        if not self.roll:
            return f"{self.columns} × {self.rows} of {self.size}"
        return f"a roll of {self.size}{f', {self.count} side by side' if self.count > 1 else ''}"

    @property
    def feed(self) -> str:
        """What a page of a roll is, in words."""
        return "each label is a page" if self.count == 1 else f"each row of {self.count} labels is a page"

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
        """What a label is drawn into: as much of its die cut, which keeps the safe margin by itself, that no ink comes
        too near to a round edge or a hole, nor to where the printer does not reach. It is as large at any position.
        """
        place = self.box(position)
        return self._inside.translate(place.x, place.y)

    @property
    def _inside(self) -> Box:
        point = UNITS[self.unit]
        # What a printer leaves blank begins at the edge of the backing.
        x, y = self.margin_x - self.left, self.margin_y - self.top
        return self.die.room(x * point, y * point)

    def mirror(self) -> "Stock":
        """The sheet as it lies with its back up, turned over its long edge."""
        width, height = (length / UNITS[self.unit] for length in self.page_size)
        if width > height:
            return msgspec.structs.replace(self, top=height - self.top - (self.rows - 1) * self.pitch_y - self.height)
        return msgspec.structs.replace(self, left=width - self.left - (self.columns - 1) * self.pitch_x - self.width)

    def mirrored_position(self, position: int) -> int:
        """The position of the mirrored sheet that lies on the back of this one."""
        column, row = self.cell(position)
        width, height = self.page_size
        column, row = (column, self.rows - 1 - row) if width > height else (self.columns - 1 - column, row)
        return 1 + (column * self.rows + row if self.order == "down" else row * self.columns + column)

    def cut_at(self, length: float, unit: str) -> "Stock":
        """A continuous roll whose labels are so long. Raises StockError for a length that no printer takes."""
        along = round(length * UNITS[unit] / UNITS[self.unit], 6)
        measure = f"{along:.6g}"
        page = f"{self.width:.6g} x {measure} {self.unit}"
        try:
            parse_paper(page)
        except PaperError as error:
            raise StockError(f"{self.title} cannot be cut so: {error}") from error
        return msgspec.structs.replace(
            self,
            name=f"{self.name} {measure} {self.unit}",
            title=f"{self.title}, cut at {measure} {self.unit}",
            aliases=(),
            page=page,
            height=along,
            pitch_y=along,
        )


def parse_stock(text: str, source: str) -> Stock:
    """The stock that a TOML text describes; `source` is how errors name the text.

    Raises StockError if the text cannot be read, or if its labels overlap or leave the page.
    """
    stock = msgspec.convert(parse_values(text, source), Stock)
    check_geometry(stock, source)
    return stock


def check_geometry(stock: Stock, source: str) -> None:
    """Raises StockError where labels of a stock overlap, leave the page, or have no room for anything."""
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
        what = "hole" if stock.hole else "shape" if stock.shape == "ellipse" or stock.radius else "margins"
        what = "margins" if stock.margin_x or stock.margin_y else what
        plural = "leave" if what == "margins" else "leaves"
        raise StockError(f"The {what} of stock {stock.name} {plural} nothing of its labels; see {source}.")


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
    for file in handwritten.list_toml_files(own) if own is not None else ():
        try:
            filed.append(_StockFile(str(file), parse_stock(_text(file), str(file))))
        except StockError as error:
            wrong.append(BrokenStock(frozenset({_key(file.name.removesuffix(".toml"))}), str(error)))
    stocks = {stock.name: stock for stock in _bundled_stocks()}
    names = _names(stocks.values())
    for key, group in groupby(sorted(filed, key=_file_key), _file_key):
        first, *others = group
        if others:
            files = " and ".join(each.file for each in (first, *others))
            problem = f"The name “{first.stock.name}” is given to two stocks: {files}; give one of them another name."
            wrong.append(BrokenStock(frozenset({key}), problem))
            continue
        claimed = _name_conflict(first, names)
        if claimed is None:
            namesake = names.get(key)
            if namesake is not None:
                del stocks[namesake.name]
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


_ENTRY = "[[stock]]\n"


def _bundled_stocks(text: str = "") -> list[Stock]:
    """The stocks that come along, of which a maker's are one file; with a `text` only those in whose entry it stands.

    Tests look at all of them as `parse_stock` would.
    """
    tables = []
    for file in (resources.files("templates") / "stocks").iterdir():
        if file.name.endswith(".toml"):
            shared, *entries = file.read_text(encoding="utf-8").split(_ENTRY)
            wanted = [entry for entry in entries if text in entry]
            if wanted:
                maker = tomllib.loads(_ENTRY.join((shared, *wanted)))
                shared_keys = {key: value for key, value in maker.items() if key != "stock"}
                filled = ({**shared_keys, **entry} for entry in maker["stock"])
                tables += [fill_roll(entry, file.name) if entry.get("roll") else entry for entry in filled]
    return msgspec.convert(tables, list[Stock])


def find_known(name: str, own: Path | None = None) -> Stock:
    """As `find` among `load_stocks`; one that comes along is found without reading the others. Raises StockError."""
    if own is None or not handwritten.list_toml_files(own):
        names = _names(_bundled_stocks(f'"{name.strip()}"'))
        if _key(name) in names:
            return names[_key(name)]
    return find(name, *load_stocks(own))


def _text(file: Traversable) -> str:
    try:
        return handwritten.read_toml_text(file)
    except handwritten.TooLarge as error:
        raise StockError(f"The stock {file} cannot be read: {error}.") from error
    except UnicodeDecodeError as error:
        raise StockError(f"The stock {file} cannot be read: it is not text; save it as UTF-8.") from error
    except OSError as error:
        raise StockError(f"The stock {file} cannot be read: {error.strerror or error}.") from error


_UNHEARD = re.compile(r"[\s\-‐‑–—_®™]+")
"""What makes no difference in a name: DK-11209, dk 11209, Avery® 5160®."""
_MOST_NEAR = 3
_SHORTEST_NAME = 3
"""Signs of a name that may be one with a sign wrong."""
_ROLL = re.compile(r"\b(?:dk|rolls?|rolle|dymo|brother|zebra)\b", re.IGNORECASE)
_BY = re.compile(r"[x×*]\s*\d")
_MEASURE = re.compile(r"[x×*øØ⌀∅\"″”]|mm|cm|in\b|inch|round", re.IGNORECASE)
"""A sign by which a figure is a size."""
_LONGEST_NAME = 200
"""Symbols of a name that a length may stand behind: of a longer one, each way to divide it would be tried."""
_PACK_SIZE = re.compile(r"-\d{1,3}$")
"""How many sheets are in a box, as many makers write it behind the name: L7160-100."""
_COLOURS = re.compile(
    r"(?:[\s,(/+&-]+(?:white|black|red|blue|green|yellow|clear|transparent|matt?|gloss(?:y)?|on|and)\b)+\s*\)?$",
    re.IGNORECASE,
)
"""Colours behind a name, as in `DK-22251 (red/black)`: a roll of each colour has a number of its own."""
_REMOVABLE = "rev"
"""Ending of Avery's names for sheets that are cut like another one and can be taken off again."""
_REMOVABLE_ENDING = re.compile(rf"\s*{_REMOVABLE}$", re.IGNORECASE)
_LENGTH = re.compile(r"(?P<name>.+?)[\s,x×]+(?P<length>\d+(?:[.,]\d+)?)\s*(?P<unit>mm|in)", re.IGNORECASE)


def _key(name: str) -> str:
    """What two ways to write one name have in common."""
    folded = name.strip().casefold().replace("×", "x")
    return _UNHEARD.sub("", folded) or folded


def _file_key(filed: _StockFile) -> str:
    return _key(filed.stock.name)


def _names_of(stock: Stock) -> tuple[str, ...]:
    return tuple(map(_key, (stock.name, *stock.aliases)))


def _names(stocks: Iterable[Stock]) -> dict[str, Stock]:
    return {name: stock for stock in stocks for name in _names_of(stock)}


def _name_conflict(filed: _StockFile, names: dict[str, Stock]) -> str | None:
    """What is wrong where a stock has the name of another one that it does not replace."""
    mine = filed.stock
    for name in (mine.name, *mine.aliases):
        other = names.get(_key(name), mine)
        if _key(other.name) != _key(mine.name):
            return f"Stocks {other.name} and {mine.name} both claim the name {name}; write another one in {filed.file}."
    return None


def find(name: str, stocks: Iterable[Stock] | None = None, wrong: Iterable[BrokenStock] = ()) -> Stock:
    """The stock of this name or alias, however it is written: alone or behind its maker's name, with or without spaces,
    hyphens and the size of the pack; a continuous roll also with a length, as in `DK-22205 100 mm`.

    Colours and REV behind a name, and a missing REV, make no difference. Raises StockError naming what is near it, or
    what is `wrong`.
    """
    names = _names(valid_stocks() if stocks is None else stocks)
    key = _key(name)
    reason = next((each.reason for each in wrong if key in each.names), None)
    if reason is not None:
        raise StockError(reason)
    stock = _look_up_written(name, names) or _cut_roll(name, names)
    if stock is None:
        near = _near_stocks(name, names)
        nearest = f"near it {'are' if len(near) > 1 else 'is'} {' and '.join(near)}; " if near else ""
        also = "".join(f" {each.reason}" for each in wrong)
        raise StockError(
            f"The stock “{name}” is not known; {nearest}“companion labels stocks” lists those that are, and with "
            f"--like 70x36mm those of a size.{also}"
        )
    return stock


def _look_up_written(name: str, names: Mapping[str, Stock]) -> Stock | None:
    """The stock of a name that may have a pack's size, colours or REV behind it, or lack REV."""
    written = name.strip()[:_LONGEST_NAME]
    plain = _COLOURS.sub("", written)
    spellings = dict.fromkeys((name, *(each for text in (written, plain) for each in (text, _PACK_SIZE.sub("", text)))))
    ends = (
        *spellings,
        *(_REMOVABLE_ENDING.sub("", each) for each in spellings),
        *(f"{each}{_REMOVABLE}" for each in spellings),
    )
    return next(filter(None, (_look_up(each, names) for each in ends)), None)


def _near_stocks(name: str, names: Mapping[str, Stock]) -> list[str]:
    """Up to three stocks that somebody may have meant, each with its size: those of the size that the name gives, else
    those with a name that has one sign more, less or other, and what has labels of the same size.
    """
    every_stock = list({stock.name: stock for stock in names.values()}.values())
    size = _written_size(name)
    if size is not None:
        is_roll = _ROLL.search(name) is not None
        alike = [stock for stock in find_by_size(size, every_stock) if not stock.continuous]
        if not _BY.search(name):
            # One figure is the width of a round label, or of a roll.
            alike = [stock for stock in alike if stock.shape == "ellipse"]
            alike += [stock for stock in every_stock if stock.continuous and abs(stock.die.width - size[0]) <= LIKENESS]
        of_kind = [stock for stock in alike if stock.roll == is_roll] or alike
        return [f"{stock.name} ({stock.size})" for stock in of_kind[:_MOST_NEAR]]
    key = _key(name)
    written = {stock.name: each for stock in every_stock for each in stock.aliases if _differ_once(key, _key(each))}
    written |= {stock.name: stock.name for stock in every_stock if _differ_once(key, _key(stock.name))}
    near = [stock for stock in every_stock if stock.name in written]
    if len(near) == 1:
        first = near[0]
        alike = find_by_size((first.die.width, first.die.height), every_stock)
        near += [each for each in alike if each is not first and (each.roll, each.shape) == (first.roll, first.shape)]
    return [f"{written.get(stock.name, stock.name)} ({stock.size})" for stock in near[:_MOST_NEAR]]


def _written_size(name: str) -> tuple[float, float] | None:
    """The size that stands at the end of a name, as in `Herma 70 x 36 mm`, in points; None for none."""
    words = _ROLL.sub("", name[:_LONGEST_NAME]).split()
    for start in range(len(words)):
        text = " ".join(words[start:])
        if _MEASURE.search(text):
            with suppress(SizeError):
                return parse_size(text)
    return None


def _differ_once(one: str, other: str) -> bool:
    """Return True if one text becomes the other by one sign more, less or other, or by two that change places."""
    if min(len(one), len(other)) < _SHORTEST_NAME:
        return False
    start = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        return abs(len(one) - len(other)) == 1
    one, other = one[start:], other[start:]
    is_swapped = one[:2] == other[1::-1] and one[2:] == other[2:]
    return is_swapped or one[1:] == other[1:] or one == other[1:] or one[1:] == other


def _look_up(name: str, names: Mapping[str, Stock]) -> Stock | None:
    key = _key(name)
    if key in names:
        return names[key]
    # Each maker's name is tried that somebody could mean: “Avery Zweckform L7160” is no “Zweckform L7160” of Avery.
    for maker in sorted({maker for stock in names.values() for maker in stock.makers}, key=len, reverse=True):
        stock = names.get(key.removeprefix(_key(maker)))
        if key.startswith(_key(maker)) and stock is not None and maker in stock.makers:
            return stock
    return None


def _cut_roll(name: str, names: Mapping[str, Stock]) -> Stock | None:
    """A continuous roll with the length that stands behind its name."""
    match = _LENGTH.fullmatch(name.strip()) if len(name) <= _LONGEST_NAME else None
    roll = _look_up(match["name"], names) if match else None
    if match is None or roll is None or not roll.continuous:
        return None
    return roll.cut_at(float(match["length"].replace(",", ".")), match["unit"].lower())


LIKENESS = 2 * MM
"""How far a label measured with a ruler may be off."""


def find_by_size(size: tuple[float, float], stocks: Iterable[Stock]) -> list[Stock]:
    """The stocks whose labels have this width and height in points, or lie across it, as well as a ruler tells.

    Those that differ least come first; of those that are alike, what is sure before what is not, sheets before rolls.
    """

    def difference(stock: Stock) -> tuple[float, float]:
        """The larger difference of the two sides, and both; in points."""
        width, height = stock.die.width, stock.die.height
        sides = (abs(width - size[0]), abs(height - size[1]))
        return max(sides), sum(sides)

    def across(stock: Stock) -> tuple[float, float]:
        width, height = stock.die.width, stock.die.height
        sides = (abs(height - size[0]), abs(width - size[1]))
        return max(sides), sum(sides)

    ranked = []
    for stock in stocks:
        upright, lying = difference(stock), across(stock)
        most, both = min(upright, lying)
        if most <= LIKENESS:
            # To a tenth of a millimetre nobody can tell them apart.
            ranked.append(((round(both / MM, 1), upright > lying, not stock.confirmed, stock.roll, stock.name), stock))
    return [stock for _, stock in sorted(ranked, key=lambda each: each[0])]
