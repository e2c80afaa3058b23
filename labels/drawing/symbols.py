"""Machine-readable symbols as vectors in whole modules, encoded by zxing-cpp.

They are Data Matrix, PDF417, Code 128, Code 39, EAN-13, UPC-A, ITF-14, and those of GS1. QR codes are in `qr.py`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from labels.drawing import gs1
from labels.errors import LabelError, excerpt
from labels.geometry import MM
from templates.languages.messages import Message, Text, phrase

SMALLEST_MODULE: Final = 0.396 * MM
"""The smallest printed module that GS1 allows; phones miss smaller ones in a bad print."""

SMALLEST_BAR: Final = 0.25 * MM
"""The thinnest bar that a printer with 203 dots per inch draws in two dots."""
SMALLEST_EAN_BAR: Final = 0.264 * MM
"""The smallest width of an EAN-13's thinnest bar that GS1 allows: 80 % of its nominal width."""
LARGEST_BAR: Final = 0.66 * MM
"""The largest width of an EAN-13's thinnest bar that GS1 allows; scanners held near cannot see wider symbols whole."""
SHORTEST_BAR: Final = 5 * MM
"""The least height of bars that a hand-held scanner crosses entirely."""

SMALLEST_ITF_BAR: Final = 0.495 * MM
"""The narrowest bars of an ITF-14 that GS1 allows: half of their nominal width."""

_DATA_MATRIX_QUIET_ZONE: Final = 1
_PDF417_QUIET_ZONE: Final = 2
_PDF417_ROW: Final = 3
"""Height of a row in modules."""
_LINEAR_QUIET_ZONES: Final = (10, 10)
# The left one is larger, as the first figure stands there.
_EAN_13_QUIET_ZONES: Final = (11, 7)
_UPC_A_QUIET_ZONES: Final = (9, 9)
_EAN_DIGITS: Final = 13
_UPC_DIGITS: Final = 12
_ITF_DIGITS: Final = 14
# Positions of an EAN-13's figures, in modules from its first bar: one before it, and two times six between guards.
_EAN_CELLS: Final = (-9, *range(3, 45, 7), *range(50, 92, 7))
# Positions of a UPC-A's figures: the first and the last stand beside its bars.
_UPC_CELLS: Final = (-9, *range(10, 45, 7), *range(50, 85, 7), 97)
_CELL: Final = 7
_ITF_BEARER: Final = 2
"""Modules of the bars above and below an ITF-14, which keep a slanted scan from reading only a part of it."""
_PRINTABLE: Final = re.compile("[ -~]+")
_CODE_39: Final = re.compile("[0-9A-Z $%+./-]+")
_GS1_128_CHARACTERS: Final = 48
_ENCODER_ERROR: Final = re.compile(r"Error \d+: (.*) \(retval: \d+\)")


class Symbol(msgspec.Struct, frozen=True):
    """A two-dimensional symbol.

    `title` is the name of its kind and `side` its width in modules without the quiet zone. `path` has its dark modules
    as PDF rectangles, at one unit a module. `quiet_zone` is the white paper that a reader needs around it, in modules.
    `height` is its height in modules if it is not square, and `smallest` the least width of a module in points.
    """

    title: str
    text: str
    side: int
    path: str
    quiet_zone: int
    height: int = 0
    smallest: float = SMALLEST_MODULE

    @property
    def outer(self) -> int:
        """The width in modules with the quiet zone."""
        return self.side + 2 * self.quiet_zone

    @property
    def outer_height(self) -> int:
        """The height in modules with the quiet zone."""
        return (self.height or self.side) + 2 * self.quiet_zone


class Figures(NamedTuple):
    """Human-readable text below bars, centred in `width` modules from `start` on."""

    text: str
    start: int
    width: int


class Bars(msgspec.Struct, frozen=True):
    """A linear symbol.

    `title` is the name of its kind and `width` its width in modules without its quiet zones. `path` has its bars as PDF
    rectangles, at one unit a module, of height 1. `quiet_zones` is the white paper that a scanner needs before and
    behind them, in modules. `guards` are the bars that reach down between its figures. `smallest` is the least width of
    a module in points, and `bearer` the thickness of the bars above and below, in modules.
    """

    title: str
    text: str
    width: int
    path: str
    guards: str
    quiet_zones: tuple[int, int]
    figures: tuple[Figures, ...]
    smallest: float
    bearer: int = 0

    @property
    def outer(self) -> int:
        """The width in modules with the quiet zones."""
        return self.width + sum(self.quiet_zones)


@lru_cache(maxsize=512)
def data_matrix(text: str) -> Symbol:
    """Return the square Data Matrix for `text`: six figures take 10 × 10 modules.

    Raises LabelError for a text that is too long.
    """
    try:
        rows = _encode(text, "DataMatrix", force_square=True, **_marks(text))
    except ValueError as error:
        raise LabelError(phrase("“{text}” is too long for a Data Matrix; shorten it.", text=excerpt(text))) from error
    return _square("Data Matrix", text, rows)


@lru_cache(maxsize=512)
def pdf417(text: str) -> Symbol:
    """Return the PDF417 for `text`, in proportions that suit its length.

    Raises LabelError for a text that is too long.
    """
    try:
        rows = _encode(text, "PDF417", **_marks(text))
    except ValueError as error:
        raise LabelError(phrase("“{text}” is too long for a PDF417; shorten it.", text=excerpt(text))) from error
    height = len(rows)
    starts = range(0, height, _PDF417_ROW)
    path = " ".join(_path(rows[start], height - start - _PDF417_ROW, _PDF417_ROW) for start in starts)
    return Symbol("PDF417", text, len(rows[0]), path, _PDF417_QUIET_ZONE, height, SMALLEST_BAR)


@lru_cache(maxsize=512)
def gs1_data_matrix(text: str) -> Symbol:
    """Return the square Data Matrix for a GS1 text, such as `(01)04012345678901(10)L-7`, with its separators.

    Raises LabelError for a text that breaks the rules of GS1 or is too long.
    """
    elements = gs1.parse_elements(text)
    return _square("GS1 DataMatrix", elements, _encode_gs1(elements, "DataMatrix", force_square=True))


@lru_cache(maxsize=512)
def gs1_128(text: str) -> Bars:
    """Return the GS1-128 for a GS1 text, such as `(01)04012345678901(10)L-7`: a Code 128 with its separators.

    Raises LabelError for a text that breaks the rules of GS1 or is too long.
    """
    elements = gs1.parse_elements(text)
    if len(re.sub("[()]", "", elements)) > _GS1_128_CHARACTERS:
        raise LabelError(
            phrase(
                "“{text}” is too long for GS1-128, which holds {most} characters; shorten it, or write {line}.",
                text=excerpt(text),
                most=_GS1_128_CHARACTERS,
                line='symbology = "gs1-datamatrix"',
            )
        )
    return _linear("GS1-128", elements, _encode_gs1(elements, "Code128"))


def _encode_gs1(elements: str, barcode_format: str, **options: bool) -> list[bytes]:
    try:
        return _encode(elements, barcode_format, gs1=True, **options)
    except ValueError as error:
        match = _ENCODER_ERROR.fullmatch(str(error))
        reason: Text = f"{match[1][0].lower()}{match[1][1:]}" if match else phrase("the symbol cannot hold it")
        raise LabelError(
            phrase("“{text}” is no text of GS1: {reason}; correct it.", text=excerpt(elements), reason=reason)
        ) from error


@lru_cache(maxsize=512)
def code_128(text: str) -> Bars:
    """Return the Code 128 for `text`. Raises LabelError for unsupported characters, and for a text that is too long."""
    characters = phrase("figures, the signs of a keyboard and letters without accents")
    return _encode_text(text, "Code 128", _PRINTABLE, characters, "datamatrix")


@lru_cache(maxsize=512)
def code_39(text: str) -> Bars:
    """Return the Code 39 for `text`. Raises LabelError for unsupported characters, and for a text that is too long."""
    characters = phrase("figures, capitals without accents, spaces and the signs - . $ / + %")
    return _encode_text(text, "Code 39", _CODE_39, characters, "code128")


def _encode_text(text: str, title: str, allowed: re.Pattern[str], characters: Message, other: str) -> Bars:
    """Return the bars for a text of `allowed` characters, named `characters` in errors.

    `other` is the symbology to suggest. Raises LabelError for other characters, and for a text that is too long.
    """
    strange = allowed.sub("", text)
    if strange:
        raise LabelError(
            phrase(
                "“{text}” has {symbol}, and {code} holds only {characters}; leave it out, or write {line}.",
                text=excerpt(text),
                symbol=phrase("a line break") if strange[0] in "\r\n" else f"“{strange[0]}”",
                code=title,
                characters=characters,
                line=f'symbology = "{other}"',
            )
        )
    try:
        rows = _encode(text, title.replace(" ", ""))
    except ValueError as error:
        raise LabelError(
            phrase("“{text}” is too long for {code}; shorten it.", text=excerpt(text), code=title)
        ) from error
    return _linear(title, text, rows)


@lru_cache(maxsize=512)
def ean_13(text: str) -> Bars:
    """Return the EAN-13 for its 13 figures, or for the first 12, without check digit. Spaces and hyphens are ignored.

    Raises LabelError for other texts, for a wrong check digit, and for 12 ambiguous figures.
    """
    number = gs1.complete_number(text, _EAN_DIGITS, "EAN-13")
    digits = re.sub("[ -]", "", text)
    if len(digits) < _EAN_DIGITS and gs1.check_digit(digits[:-1]) == digits[-1]:
        raise LabelError(
            phrase(
                "“{text}” may be a UPC with its check digit, or an EAN-13 without one; write all 13 figures: {first} "
                "or {second}.",
                text=text,
                first=f"0{digits}",
                second=number,
            )
        )
    rows = _encode(number, "EAN13")
    return _retail("EAN-13", number, rows, _EAN_CELLS, _EAN_13_QUIET_ZONES)


@lru_cache(maxsize=512)
def upc_a(text: str) -> Bars:
    """Return the UPC-A for its 12 figures, or for the first 11, without check digit. Spaces and hyphens are ignored.

    Raises LabelError for other texts, and for a wrong check digit.
    """
    number = gs1.complete_number(text, _UPC_DIGITS, "UPC-A")
    rows = _encode(number, "UPCA")
    return _retail("UPC-A", number, rows, _UPC_CELLS, _UPC_A_QUIET_ZONES)


@lru_cache(maxsize=512)
def itf_14(text: str) -> Bars:
    """Return the ITF-14 of a case for its 14 figures, or for the first 13, without check digit.

    Spaces and hyphens are ignored. Raises LabelError for other texts, and for a wrong check digit.
    """
    number = gs1.complete_number(text, _ITF_DIGITS, "ITF-14")
    bars = _linear("ITF-14", number, _encode(number, "ITF"))
    return msgspec.structs.replace(bars, smallest=SMALLEST_ITF_BAR, bearer=_ITF_BEARER)


def _marks(text: str) -> dict[str, str]:
    """Return options that declare the encoding of bytes beyond ASCII: “¡” alone was read as Japanese."""
    return {} if text.isascii() else {"eci": "UTF-8"}


def _square(title: str, text: str, rows: Sequence[bytes]) -> Symbol:
    side = len(rows)
    path = " ".join(_path(row, side - 1 - number) for number, row in enumerate(rows))
    return Symbol(title, text, side, path, _DATA_MATRIX_QUIET_ZONE)


def _linear(title: str, text: str, rows: Sequence[bytes]) -> Bars:
    """Return bars of one height, with their text centred below them."""
    width = len(rows[0])
    return Bars(
        title, text, width, _path(rows[0], 0), "", _LINEAR_QUIET_ZONES, (Figures(text, 0, width),), SMALLEST_BAR
    )


def _retail(title: str, number: str, rows: Sequence[bytes], cells: Sequence[int], quiet_zones: tuple[int, int]) -> Bars:
    """Return bars of which some reach down between the figures, each of which stands in a cell."""
    figures = tuple(Figures(digit, cell, _CELL) for digit, cell in zip(number, cells, strict=True))
    path, guards = _path(rows[0], 0), _path(rows[-1], 0)
    return Bars(title, number, len(rows[0]), path, guards, quiet_zones, figures, SMALLEST_EAN_BAR)


def _encode(text: str, barcode_format: str, **options: Any) -> list[bytes]:
    """Return the modules of a symbol row by row from the top. A byte is 0 for a dark module, else 255.

    Raises ValueError for a text that the format cannot hold.
    """
    import zxingcpp

    barcode: Any = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat[barcode_format], **options)
    image = barcode.to_image(add_quiet_zones=False)
    height, width = image.shape
    modules = bytes(image)
    return [modules[start : start + width] for start in range(0, height * width, width)]


def _path(row: bytes, height: int, thickness: int = 1) -> str:
    """Return the rectangles of the runs of dark modules in a row at this height."""
    return " ".join(f"{start} {height} {length} {thickness} re" for start, length in _runs(row))


def _runs(row: bytes) -> Iterator[tuple[int, int]]:
    """Return the start and length of each run of dark modules."""
    return ((run.start(), run.end() - run.start()) for run in re.finditer(b"\x00+", row))
