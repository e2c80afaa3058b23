"""Symbols that machines read, as vectors in whole modules: Data Matrix, Code 128 and EAN-13, which zxing-cpp encodes.

QR codes are in `qr.py`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from labels.errors import LabelError, excerpt
from labels.geometry import MM

SMALLEST_BAR: Final = 0.25 * MM
"""The thinnest bar that a printer of 203 dots to an inch draws in two of them."""
SMALLEST_EAN_BAR: Final = 0.264 * MM
"""What GS1 asks of the thinnest bar of an EAN-13 at least: 80 % of its nominal width."""
LARGEST_BAR: Final = 0.66 * MM
"""What GS1 allows the thinnest bar of an EAN-13 at most; scanners that are held near see no wider symbols whole."""
SHORTEST_BAR: Final = 5 * MM
"""How high bars are at least, so that a scanner held by hand crosses all of them."""

_DATA_MATRIX_QUIET_ZONE: Final = 1
_CODE_128_QUIET_ZONE: Final = 10
# At the left more, where the first figure stands.
_EAN_13_QUIET_ZONES: Final = (11, 7)
_EAN_DIGITS: Final = 13
# Where the figures of an EAN-13 stand, in modules from its first bar: one before it, and two times six between guards.
_EAN_CELLS: Final = (-9, *range(3, 45, 7), *range(50, 92, 7))
_CELL: Final = 7
_PRINTABLE: Final = re.compile("[ -~]+")


class Symbol(msgspec.Struct, frozen=True):
    """A square symbol: what people call its kind, its text, its side in modules without the quiet zone, its dark
    modules as PDF rectangles, one a module, and how many modules of white paper a reader needs around it.
    """

    title: str
    text: str
    side: int
    path: str
    quiet_zone: int

    @property
    def outer(self) -> int:
        """The side in modules with the quiet zone."""
        return self.side + 2 * self.quiet_zone


class Figures(NamedTuple):
    """What stands below bars for people: a text in the middle of so many modules from `start` on."""

    text: str
    start: int
    width: int


class Bars(msgspec.Struct, frozen=True):
    """A linear symbol: what people call its kind, its text, its width in modules without its quiet zones, its bars as
    PDF rectangles, one module wide and as high as all of it, and the white paper that a scanner needs before and behind
    them, in modules.

    `guards` are those bars that reach down between its figures, and `smallest` is how wide a module is at least, in
    points.
    """

    title: str
    text: str
    width: int
    path: str
    guards: str
    quiet_zones: tuple[int, int]
    figures: tuple[Figures, ...]
    smallest: float

    @property
    def outer(self) -> int:
        """The width in modules with the quiet zones."""
        return self.width + sum(self.quiet_zones)


@lru_cache(maxsize=512)
def data_matrix(text: str) -> Symbol:
    """The square Data Matrix for `text`: six figures take 10 × 10 modules. Raises LabelError for a text that is too
    long.
    """
    import zxingcpp

    # Without a mark of what they are, readers guess at bytes beyond ASCII: “¡” alone was read as Japanese.
    marks = {} if text.isascii() else {"eci": "UTF-8"}
    try:
        rows = _rows(zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.DataMatrix, force_square=True, **marks))
    except ValueError as error:
        raise LabelError(f"“{excerpt(text)}” is too long for a Data Matrix; shorten it.") from error
    side = len(rows)
    path = " ".join(_path(row, side - 1 - number) for number, row in enumerate(rows))
    return Symbol("Data Matrix", text, side, path, _DATA_MATRIX_QUIET_ZONE)


@lru_cache(maxsize=512)
def code_128(text: str) -> Bars:
    """The Code 128 for `text`. Raises LabelError for characters that it lacks, and for a text that is too long."""
    import zxingcpp

    strange = _PRINTABLE.sub("", text)
    if strange:
        what = "a line break" if strange[0] in "\r\n" else f"“{strange[0]}”"
        raise LabelError(
            f"“{excerpt(text)}” has {what}, and Code 128 holds only figures, the signs of a keyboard and "
            'letters without accents; leave it out, or write symbology = "datamatrix".'
        )
    try:
        rows = _rows(zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.Code128))
    except ValueError as error:
        raise LabelError(f"“{excerpt(text)}” is too long for Code 128; shorten it.") from error
    width = len(rows[0])
    quiet_zones = (_CODE_128_QUIET_ZONE, _CODE_128_QUIET_ZONE)
    return Bars("Code 128", text, width, _path(rows[0], 0), "", quiet_zones, (Figures(text, 0, width),), SMALLEST_BAR)


@lru_cache(maxsize=512)
def ean_13(text: str) -> Bars:
    """The EAN-13 for its 13 figures, or for the 12 before the one that checks them; spaces and hyphens do not count.

    Raises LabelError for other texts, for a wrong check digit, and for 12 figures that can be read in two ways.
    """
    digits = re.sub("[ -]", "", text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) in (_EAN_DIGITS - 1, _EAN_DIGITS)):
        raise LabelError(
            f"“{excerpt(text)}” is no EAN-13, which has 13 figures, or 12 without the one that checks them."
        )
    barcode = _ean_barcode(digits[: _EAN_DIGITS - 1])
    number = str(barcode.text)
    if len(digits) == _EAN_DIGITS and number != digits:
        raise LabelError(
            f"“{text}” is no EAN-13: after its first 12 figures the last, which checks them, would be {number[-1]}; "
            "correct the number."
        )
    if len(digits) < _EAN_DIGITS and _ean_barcode(f"0{digits[:-1]}").text == f"0{digits}":
        raise LabelError(
            f"“{text}” may be a UPC with its check digit, or an EAN-13 without one; write all 13 figures: 0{digits} or "
            f"{number}."
        )
    rows = _rows(barcode)
    figures = tuple(Figures(digit, cell, _CELL) for digit, cell in zip(number, _EAN_CELLS, strict=True))
    path, guards = _path(rows[0], 0), _path(rows[-1], 0)
    return Bars("EAN-13", number, len(rows[0]), path, guards, _EAN_13_QUIET_ZONES, figures, SMALLEST_EAN_BAR)


def _ean_barcode(digits: str) -> Any:
    """The barcode of 12 figures and the one that checks them."""
    import zxingcpp

    return zxingcpp.create_barcode(digits, zxingcpp.BarcodeFormat.EAN13)


def _rows(barcode: Any) -> list[bytes]:
    """The modules row by row from the top; a byte is 0 where the module is dark, else 255."""
    image = barcode.to_image(add_quiet_zones=False)
    height, width = image.shape
    modules = bytes(image)
    return [modules[start : start + width] for start in range(0, height * width, width)]


def _path(row: bytes, height: int) -> str:
    """The rectangles of the runs of dark modules in a row at this height."""
    return " ".join(f"{start} {height} {length} 1 re" for start, length in _runs(row))


def _runs(row: bytes) -> Iterator[tuple[int, int]]:
    """Start and length of each run of dark modules."""
    return ((run.start(), run.end() - run.start()) for run in re.finditer(b"\x00+", row))
