"""Label stocks: the geometry of a sheet or a roll, and the known stocks by name, alias or size."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, reduce
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from labels import handwritten
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
from labels.paper.die import Die, Outline, Shape
from labels.paper.stockfile import StockError as StockError
from labels.paper.stockfile import fill_roll, parse_values
from templates.languages import messages
from templates.languages.messages import Message, Text, all_of, declared, joined, phrase, phrases

# Labels whose die cuts should touch may overlap by a rounding error in the published figures.
_TOLERANCE = 0.01 * MM


class Lengths(Message):
    """The measures of a label: `1.75 × 0.66 in`; in languages other than English `44.5 × 16.8 mm`, with their signs."""

    __slots__ = ("lengths", "unit")

    def __init__(self, lengths: tuple[float, ...], unit: str) -> None:
        self.lengths = lengths
        self.unit = unit

    def render(self, language: messages.Language) -> str:
        is_english = language.code.partition("-")[0] == messages.ENGLISH.code
        if self.unit == "in" and not is_english:
            return Lengths(tuple(round(each * INCH / MM, 1) for each in self.lengths), "mm").render(language)
        return f"{' × '.join(_write_length(each, language) for each in self.lengths)} {self.unit}"

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.lengths, self.unit)


def _write_length(length: float, language: messages.Language) -> str:
    """Return a length with as many places after its decimal sign as it needs."""
    _, _, places = f"{length:g}".partition(".")
    return language.write_number(length, len(places))


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of labels, or a roll, on which every row of labels is a page.

    Lengths are in `unit`, as in the file; `box` returns points. A label with the shape of an `ellipse` is round if its
    sides are equal. `hole` is the diameter of a round hole in its middle. `margin_x` and `margin_y` are the strips that
    a roll's printer leaves blank at the sides, and at top and bottom; `dpi` is its resolution. A label that is `turned`
    leaves the printer on its side, and a `continuous` roll is cut at any length; once it is, `uncut_title` is that of
    the roll. `ink` is the default ink. `makers` are the makers whose names may precede its name. `source` is the origin
    of the figures. They are `confirmed` if two independent sources agree within 0.3 mm.
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
    uncut_title: str = ""

    @property
    def caption(self) -> Message:
        """The title in the language of the reader; that of a user's own stock is as it was written."""
        if self.uncut_title:
            length = f"{self.height:.6g} {self.unit}"
            return phrase("{stock}, cut at {length}", stock=declared(self.uncut_title), length=length)
        return declared(self.title)

    @property
    def count(self) -> int:
        """The number of labels on a sheet."""
        return self.columns * self.rows

    @property
    def paper(self) -> Paper:
        """The page that is fed to a printer."""
        return parse_paper(self.page)

    @property
    def page_size(self) -> tuple[float, float]:
        """The page's width and height in points."""
        return self.paper.size

    @property
    def media(self) -> str:
        """The CUPS name of the page in the orientation in which it is fed to the printer."""
        width, height = self.page_size
        return media(height, width) if self.turned else self.paper.media

    @property
    def dot(self) -> float:
        """Size of a dot of the printer in points; 0 for sheets, which fit any printer."""
        return INCH / self.dpi if self.dpi else 0.0

    @property
    def die(self) -> Die:
        """The die cut of a label."""
        point = UNITS[self.unit]
        return Die(self.shape, *(length * point for length in (self.width, self.height, self.radius, self.hole)))

    def outlines(self, place: Box) -> tuple[Outline, ...]:
        """Return the edge of a label in this box, and its hole if it has one."""
        return self.die.outlines(place)

    @property
    def size(self) -> Text:
        """The size of a label in its stock's unit: `1.75 × 0.66 in`, `40 mm round`, `60 × 40 mm oval`.

        Languages other than English have millimetres instead of inches.
        """
        if self.shape == "rectangle":
            size: Text = Lengths((self.width, self.height), self.unit)
            return phrase("{size} with a hole", size=size) if self.hole else size
        if self.width == self.height:
            size = Lengths((self.width,), self.unit)
            return phrase("{size} round with a hole", size=size) if self.hole else phrase("{size} round", size=size)
        size = Lengths((self.width, self.height), self.unit)
        return phrase("{size} oval with a hole", size=size) if self.hole else phrase("{size} oval", size=size)

    @property
    def cut(self) -> Message:
        """A short description of the page's layout: `4 × 15 of 1.75 × 0.66 in`."""
        if not self.roll:
            return phrase(
                "{columns} × {rows} of {size}", columns=str(self.columns), rows=str(self.rows), size=self.size
            )
        if self.count > 1:
            return phrase("a roll of {size}, {count} side by side", size=self.size, count=str(self.count))
        return phrase("a roll of {size}", size=self.size)

    @property
    def feed(self) -> Message:
        """A description of the page of a roll."""
        return phrases("each label is a page", "each row of {n} labels is a page", n=self.count)

    def cell(self, position: int) -> tuple[int, int]:
        """Return the column and row, from 0, of a position counted from 1 in the stock's order."""
        if self.order == "down":
            column, row = divmod(position - 1, self.rows)
        else:
            row, column = divmod(position - 1, self.columns)
        return column, row

    def box(self, position: int) -> Box:
        """Return the die cut of a position, counted from 1 in the stock's order.

        It is in points from the page's bottom left.
        """
        column, row = self.cell(position)
        point = UNITS[self.unit]
        left = (self.left + column * self.pitch_x) * point
        top = (self.top + row * self.pitch_y) * point
        height = self.height * point
        return Box(left, self.page_size[1] - top - height, self.width * point, height)

    def room(self, position: int) -> Box:
        """Return the box that a label is drawn into. It has the same size at every position.

        It is the largest part of the die cut in which a label that keeps the safe margin has no ink too near to a round
        edge or a hole, or beyond the printer's reach.
        """
        place = self.box(position)
        return self._inside.translate(place.x, place.y)

    @property
    def _inside(self) -> Box:
        point = UNITS[self.unit]
        # The printer's blank strip begins at the edge of the backing.
        x, y = self.margin_x - self.left, self.margin_y - self.top
        return self.die.room(x * point, y * point)

    def mirror(self) -> "Stock":
        """Return the stock with its back up, turned over along its long edge."""
        width, height = (length / UNITS[self.unit] for length in self.page_size)
        if width > height:
            return msgspec.structs.replace(self, top=height - self.top - (self.rows - 1) * self.pitch_y - self.height)
        return msgspec.structs.replace(self, left=width - self.left - (self.columns - 1) * self.pitch_x - self.width)

    def mirrored_position(self, position: int) -> int:
        """Return the position of the mirrored sheet behind this one."""
        column, row = self.cell(position)
        width, height = self.page_size
        column, row = (column, self.rows - 1 - row) if width > height else (self.columns - 1 - column, row)
        return 1 + (column * self.rows + row if self.order == "down" else row * self.columns + column)

    def single(self, dpi: int) -> "Stock":
        """Return the stock as single labels, each a page of its own without backing, drawn in dots of this size."""
        return msgspec.structs.replace(
            self,
            page=f"{self.width:.6g} x {self.height:.6g} {self.unit}",
            columns=1,
            rows=1,
            left=0.0,
            top=0.0,
            margin_x=max(0.0, self.margin_x - self.left),
            margin_y=max(0.0, self.margin_y - self.top),
            turned=False,
            dpi=dpi,
        )

    def cut_at(self, length: float, unit: str) -> "Stock":
        """Return a continuous roll cut to labels of this length.

        Raises StockError for a length that no printer takes.
        """
        along = round(length * UNITS[unit] / UNITS[self.unit], 6)
        measure = f"{along:.6g}"
        page = f"{self.width:.6g} x {measure} {self.unit}"
        try:
            parse_paper(page)
        except PaperError as error:
            problem = phrase("{stock} cannot be cut so: {problem}", stock=self.caption, problem=error.message)
            raise StockError(problem) from error
        return msgspec.structs.replace(
            self,
            name=f"{self.name} {measure} {self.unit}",
            title=f"{self.title}, cut at {measure} {self.unit}",
            uncut_title=self.title,
            aliases=(),
            page=page,
            height=along,
            pitch_y=along,
        )


def parse_stock(text: str, source: str) -> Stock:
    """Parse the stock in a TOML text. `source` is the text's name in errors.

    Raises StockError if the text cannot be read, or if its labels overlap or leave the page.
    """
    stock = msgspec.convert(parse_values(text, source), Stock)
    check_geometry(stock, source)
    return stock


def check_geometry(stock: Stock, source: str) -> None:
    """Raise StockError if labels of a stock overlap, leave the page, or have no room for content."""
    point = UNITS[stock.unit]
    if stock.columns > 1 and (stock.width - stock.pitch_x) * point > _TOLERANCE:
        raise StockError(
            phrase(
                "Labels of stock {stock} overlap: its columns repeat every {pitch} {unit}, but a label takes {size} "
                "{unit}; write pitch_x = {size} or more in {file}.",
                stock=stock.name,
                pitch=f"{stock.pitch_x:g}",
                unit=stock.unit,
                size=f"{stock.width:g}",
                file=source,
            )
        )
    if stock.rows > 1 and (stock.height - stock.pitch_y) * point > _TOLERANCE:
        raise StockError(
            phrase(
                "Labels of stock {stock} overlap: its rows repeat every {pitch} {unit}, but a label takes {size} "
                "{unit}; write pitch_y = {size} or more in {file}.",
                stock=stock.name,
                pitch=f"{stock.pitch_y:g}",
                unit=stock.unit,
                size=f"{stock.height:g}",
                file=source,
            )
        )
    last, page = stock.box(stock.count), stock.paper
    if last.right > page.width + _TOLERANCE:
        raise StockError(
            phrase(
                "Labels of stock {stock} leave the {page} page at its right edge; see {file}.",
                stock=stock.name,
                page=page.name,
                file=source,
            )
        )
    if last.y < -_TOLERANCE:
        raise StockError(
            phrase(
                "Labels of stock {stock} leave the {page} page at its foot; see {file}.",
                stock=stock.name,
                page=page.name,
                file=source,
            )
        )
    if 2 * stock.radius > min(stock.width, stock.height):
        raise StockError(
            phrase(
                "The corner radius of stock {stock} is more than half a label; see {file}.",
                stock=stock.name,
                file=source,
            )
        )
    room = stock.room(1)
    if min(room.width, room.height) <= 2 * SAFE_MARGIN:
        raise StockError(_nothing_left(stock, source))


def _nothing_left(stock: Stock, source: str) -> Message:
    """Return the sentence for labels that have no room for content."""
    has_margins = bool(stock.margin_x or stock.margin_y)
    if stock.hole and not has_margins:
        return phrase(
            "The hole of stock {stock} leaves nothing of its labels; see {file}.", stock=stock.name, file=source
        )
    if (stock.shape == "ellipse" or stock.radius) and not has_margins:
        return phrase(
            "The shape of stock {stock} leaves nothing of its labels; see {file}.", stock=stock.name, file=source
        )
    return phrase(
        "The margins of stock {stock} leave nothing of its labels; see {file}.", stock=stock.name, file=source
    )


class BrokenStock(NamedTuple):
    """A stock that cannot be used: its possible names, and the problem in a sentence."""

    names: frozenset[str]
    reason: Text


class Stocks(NamedTuple):
    """The known stocks, sheets before rolls and by name, and the problems of others."""

    stocks: tuple[Stock, ...]
    wrong: tuple[BrokenStock, ...] = ()


class _StockFile(NamedTuple):
    file: str
    stock: Stock


def load_stocks(own: Path | None = None) -> Stocks:
    """Load the bundled stocks and those of the folder `own`, which replace bundled ones of the same name.

    An invalid file affects no other. Two files with the same name are both invalid, and no stock is found under it.
    """
    filed, wrong = [], []
    for file in handwritten.list_toml_files(own) if own is not None else ():
        try:
            filed.append(_StockFile(str(file), parse_stock(_read_stock_text(file), str(file))))
        except StockError as error:
            wrong.append(BrokenStock(frozenset({_key(file.name.removesuffix(".toml"))}), error.message))
    stocks = {stock.name: stock for stock in _all_bundled_stocks()}
    names = _stocks_by_name(stocks.values())
    for key, group in groupby(sorted(filed, key=_file_key), _file_key):
        first, *others = group
        if others:
            problem = phrase(
                "The name “{name}” is given to two stocks: {files}; give one of them another name.",
                name=first.stock.name,
                files=_and_each(each.file for each in (first, *others)),
            )
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
    """Return all stocks. Raises StockError if any is invalid."""
    result = load_stocks(own)
    if result.wrong:
        raise StockError(result.wrong[0].reason)
    return result.stocks


_ENTRY = "[[stock]]\n"


@cache
def _all_bundled_stocks() -> tuple[Stock, ...]:
    """Return the bundled stocks; reading them takes a tenth of a second."""
    return tuple(_read_bundled_stocks())


def _read_bundled_stocks(text: str = "") -> list[Stock]:
    """Read the bundled stocks, one file for each maker. With a `text` only entries that contain it are read.

    Tests validate all of them as `parse_stock` does.
    """
    stocks = []
    for file in (resources.files("templates") / "stocks").iterdir():
        if file.name.endswith(".toml"):
            shared, *entries = file.read_text(encoding="utf-8").split(_ENTRY)
            wanted = [entry for entry in entries if text in entry]
            if wanted:
                maker = tomllib.loads(_ENTRY.join((shared, *wanted)))
                shared_keys = {key: value for key, value in maker.items() if key != "stock"}
                stocks += [_convert_entry({**shared_keys, **entry}, file.name) for entry in maker["stock"]]
    return stocks


def _convert_entry(entry: dict[str, Any], file: str) -> Stock:
    """Convert an entry of a bundled file. Raises StockError, which names the entry that cannot be used."""
    try:
        return msgspec.convert(fill_roll(entry, file) if entry.get("roll") else entry, Stock)
    except msgspec.ValidationError as error:
        raise StockError(
            phrase(
                "Stock {stock} in {file} cannot be used: {problem}.",
                stock=entry.get("name"),
                file=file,
                problem=str(error),
            )
        ) from error


def find_known(name: str, own: Path | None = None) -> Stock:
    """Find a stock as `find` does among `load_stocks`, but read no other bundled stocks if possible.

    Raises StockError.
    """
    if own is None or not handwritten.list_toml_files(own):
        names = _stocks_by_name(_read_bundled_stocks(f'"{name.strip()}"'))
        if _key(name) in names:
            return names[_key(name)]
    return find(name, *load_stocks(own))


def _read_stock_text(file: Traversable) -> str:
    try:
        return handwritten.read_toml_text(file)
    except handwritten.TooLarge as error:
        raise StockError(
            phrase("The stock {file} cannot be read: {problem}.", file=str(file), problem=error.message)
        ) from error
    except UnicodeDecodeError as error:
        raise StockError(
            phrase("The stock {file} cannot be read: it is not text; save it as UTF-8.", file=str(file))
        ) from error
    except OSError as error:
        raise StockError(
            phrase("The stock {file} cannot be read: {problem}.", file=str(file), problem=error.strerror or str(error))
        ) from error


_UNHEARD = re.compile(r"[\s\-‐‑–—_®™]+")
"""Characters that are ignored in a name: DK-11209, dk 11209, Avery® 5160®."""
_MOST_NEAR = 3
_SHORTEST_NAME = 3
"""The fewest characters of a name that is matched with one character wrong."""
_ROLL = re.compile(r"\b(?:dk|rolls?|rolle|dymo|brother|zebra)\b", re.IGNORECASE)
_BY = re.compile(r"[x×*]\s*\d")
_MEASURE = re.compile(r"[x×*øØ⌀∅\"″”]|mm|cm|in\b|inch|round", re.IGNORECASE)
"""A sign that a number is a size."""
_LONGEST_NAME = 200
"""The longest name that may be followed by a length: of a longer one, every split would be tried."""
_PACK_SIZE = re.compile(r"-\d{1,3}$")
"""The number of sheets in a box, which many makers append to the name: L7160-100."""
_COLOURS = re.compile(
    r"(?:[\s,(/+&-]+(?:white|black|red|blue|green|yellow|clear|transparent|matt?|gloss(?:y)?|on|and)\b)+\s*\)?$",
    re.IGNORECASE,
)
"""Colours after a name, as in `DK-22251 (red/black)`: the roll of each colour has its own number."""
_REMOVABLE = "rev"
"""The ending of Avery's names for removable labels that are otherwise cut like another stock."""
_REMOVABLE_ENDING = re.compile(rf"\s*{_REMOVABLE}$", re.IGNORECASE)
_LENGTH = re.compile(r"(?P<name>.+?)[\s,x×]+(?P<length>\d+(?:[.,]\d+)?)\s*(?P<unit>mm|in)", re.IGNORECASE)


def _key(name: str) -> str:
    """Normalize a name for comparison."""
    folded = name.strip().casefold().replace("×", "x")
    return _UNHEARD.sub("", folded) or folded


def _file_key(filed: _StockFile) -> str:
    return _key(filed.stock.name)


def _names_of(stock: Stock) -> tuple[str, ...]:
    return tuple(map(_key, (stock.name, *stock.aliases)))


def _stocks_by_name(stocks: Iterable[Stock]) -> dict[str, Stock]:
    return {name: stock for stock in stocks for name in _names_of(stock)}


def _name_conflict(filed: _StockFile, names: dict[str, Stock]) -> Message | None:
    """Return the problem of a stock with the name of another one that it does not replace, or None."""
    mine = filed.stock
    for name in (mine.name, *mine.aliases):
        other = names.get(_key(name), mine)
        if _key(other.name) != _key(mine.name):
            return phrase(
                "Stocks {stock} and {own_stock} both claim the name {name}; write another one in {file}.",
                stock=other.name,
                own_stock=mine.name,
                name=name,
                file=filed.file,
            )
    return None


class UnknownStock(StockError):
    """A name of which no stock is known; `brief` says so without the command that lists stocks, for forms."""

    def __init__(self, name: str, near: Sequence[str], broken: Sequence[Text]) -> None:
        super().__init__(joined(" ", (_unknown_stock(name, near), *broken)))
        self.brief = joined(" ", (_brief_unknown(name, near), *broken))


def find(name: str, stocks: Iterable[Stock] | None = None, wrong: Iterable[BrokenStock] = ()) -> Stock:
    """Return the stock of this name or alias.

    The name may follow its maker's name, and may have spaces, hyphens and the size of the pack. A continuous roll may
    have a length, as in `DK-22205 100 mm`. Colours and REV after a name, and a missing REV, are ignored. Raises
    StockError with similar names, or with the reason of a `wrong` stock.
    """
    names = _stocks_by_name(valid_stocks() if stocks is None else stocks)
    key = _key(name)
    reason = next((each.reason for each in wrong if key in each.names), None)
    if reason is not None:
        raise StockError(reason)
    stock = _look_up_written(name, names) or _cut_roll(name, names)
    if stock is None:
        raise UnknownStock(name, _near_stocks(name, names), [each.reason for each in wrong])
    return stock


def _unknown_stock(name: str, near: Sequence[str]) -> Message:
    if not near:
        return phrase(
            "The stock “{stock}” is not known; “companion labels stocks” lists those that are, and with --like 70x36mm "
            "those of a size.",
            stock=name,
        )
    return phrases(
        "The stock “{stock}” is not known; near it is {nearest}; “companion labels stocks” lists those that are, and "
        "with --like 70x36mm those of a size.",
        "The stock “{stock}” is not known; near it are {nearest}; “companion labels stocks” lists those that are, and "
        "with --like 70x36mm those of a size.",
        n=len(near),
        stock=name,
        nearest=_and_each(near),
    )


def _brief_unknown(name: str, near: Sequence[str]) -> Message:
    if not near:
        return phrase(
            "No labels are known as “{stock}”: write the number on the pack, or choose from the list, which narrows to "
            "a number or a size as you type.",
            stock=name,
        )
    return phrases(
        "No labels are known as “{stock}”; near it is {nearest}. Write the number on the pack, or choose from the "
        "list.",
        "No labels are known as “{stock}”; near it are {nearest}. Write the number on the pack, or choose from the "
        "list.",
        n=len(near),
        stock=name,
        nearest=_and_each(near),
    )


def _and_each(names: Iterable[str]) -> Message:
    """Return names with “and” between each two, as some have commas."""
    return reduce(lambda first, second: all_of((first, second)), map(messages.name, names))


def _look_up_written(name: str, names: Mapping[str, Stock]) -> Stock | None:
    """Return the stock of a name that may be followed by a pack's size, colours or REV, or lack REV."""
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
    """Return up to three stocks that the user may have meant, each with its size.

    They are those of the size in the name, or those whose names differ by one character, with others of the same size.
    """
    every_stock = list({stock.name: stock for stock in names.values()}.values())
    size = _written_size(name)
    if size is not None:
        is_roll = _ROLL.search(name) is not None
        alike = [stock for stock in find_by_size(size, every_stock) if not stock.continuous]
        if not _BY.search(name):
            # A single number is the width of a round label, or of a roll.
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
    """Return the size at the end of a name, as in `Herma 70 x 36 mm`, in points, or None."""
    words = _ROLL.sub("", name[:_LONGEST_NAME]).split()
    for start in range(len(words)):
        text = " ".join(words[start:])
        if _MEASURE.search(text):
            with suppress(SizeError):
                return parse_size(text)
    return None


def _differ_once(one: str, other: str) -> bool:
    """Return True if two texts differ by one character, added, missing or other, or by two swapped ones."""
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
    # Each possible maker's name is tried: “Avery Zweckform L7160” is no “Zweckform L7160” of Avery.
    for maker in sorted({maker for stock in names.values() for maker in stock.makers}, key=len, reverse=True):
        stock = names.get(key.removeprefix(_key(maker)))
        if key.startswith(_key(maker)) and stock is not None and maker in stock.makers:
            return stock
    return None


def _cut_roll(name: str, names: Mapping[str, Stock]) -> Stock | None:
    """Return a continuous roll with the length that follows its name, or None."""
    match = _LENGTH.fullmatch(name.strip()) if len(name) <= _LONGEST_NAME else None
    roll = _look_up(match["name"], names) if match else None
    if match is None or roll is None or not roll.continuous:
        return None
    return roll.cut_at(float(match["length"].replace(",", ".")), match["unit"].lower())


LIKENESS = 2 * MM
"""Tolerance for labels measured with a ruler, in points."""


def find_by_size(size: tuple[float, float], stocks: Iterable[Stock]) -> list[Stock]:
    """Return the stocks whose labels have this size in points, in either orientation, within LIKENESS.

    Those that differ least come first; of equal ones, confirmed before unconfirmed, sheets before rolls.
    """

    def difference(stock: Stock) -> tuple[float, float]:
        """Return the larger difference of the two sides, and the sum of both, in points."""
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
            # Differences below a tenth of a millimetre are not noticeable.
            ranked.append(((round(both / MM, 1), upright > lying, not stock.confirmed, stock.roll, stock.name), stock))
    return [stock for _, stock in sorted(ranked, key=lambda each: each[0])]
