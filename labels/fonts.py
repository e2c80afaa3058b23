"""The one type family, FiraGO, embedded; what it cannot show is known before anything is drawn.

Separate because reportlab drops a glyph that a font lacks without a word, which on a label is a misprint for ever.
"""

import re
import sys
import unicodedata
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from itertools import groupby
from struct import unpack_from
from typing import Any, Literal, get_args

import msgspec

from labels.label import LabelError
from labels.pips import PIPS

Weight = Literal["regular", "bold"]

_SOURCES: Mapping[Weight, str] = {"regular": "figo", "bold": "figbo"}
_SUBSTITUTES = str.maketrans({"⭐": "★", "\ufe0e": None, "\ufe0f": None, "'": "’"})
_PLAIN_RISE = 0.82
_PLAIN_FALL = 0.22
# All but the space that holds two words together.
_SPACES = re.compile(r"[^\S\u00a0]+")
# Marks that stand for themselves must be placed by their neighbours' shapes, which takes more than widths.
_MARKS = frozenset({"Mn", "Mc", "Me", "Cf"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


class GlyphError(LabelError):
    """A text with characters that cannot be printed."""


class Face(msgspec.Struct, frozen=True):
    """One weight of the family: reportlab's font, and in em how wide, low and high each of its characters is."""

    font: Any
    advances: Mapping[str, float]
    feet: Mapping[str, float]
    heads: Mapping[str, float]


class Piece(msgspec.Struct, frozen=True):
    """Neighbouring characters drawn the same way, and their advance in em; `face` is None for pips."""

    face: Face | None
    text: str
    advance: float


@cache
def face(weight: Weight) -> Face:
    """The face of this weight, made known to reportlab on first use."""
    import pymupdf_fonts
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = f"FiraGO-{weight}"
    font = TTFont(name, BytesIO(pymupdf_fonts.myfont(_SOURCES[weight])), asciiReadable=False)
    pdfmetrics.registerFont(font)
    advances = {chr(code): width / 1000 for code, width in font.face.charWidths.items()}
    extents = {chr(code): extent for code, extent in _extents(font.face)}
    feet = {char: -low for char, (low, _) in extents.items()}
    return Face(font, advances, feet, {char: high for char, (_, high) in extents.items()})


def _extents(font: Any) -> Iterator[tuple[int, tuple[float, float]]]:
    """The lowest and highest point of each character's outline in em, which reportlab does not keep."""
    long_offsets = font.get_table("head")[51] == 1
    places = array("I" if long_offsets else "H", font.get_table("loca"))
    if sys.byteorder == "little":
        places.byteswap()
    outlines, unit = font.get_table("glyf"), 1 if long_offsets else 2
    for code, glyph in font.charToGlyph.items():
        start = places[glyph] * unit
        if places[glyph + 1] * unit > start:
            _, _, low, _, high = unpack_from(">5h", outlines, start)
            yield code, (low / font.unitsPerEm, high / font.unitsPerEm)


def names() -> tuple[str, ...]:
    """The names of all faces, made known to reportlab."""
    return tuple(face(weight).font.fontName for weight in get_args(Weight))


def clean(text: str) -> str:
    """The text as it will be printed: composed, spaces single, ’ for ', ★ for ⭐, and without emoji selectors."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text).translate(_SUBSTITUTES)).strip()


def check(text: str, what: str) -> None:
    """Raises GlyphError, calling the text `what`, if a character of a cleaned text cannot be printed."""
    backwards = [char for char in text if unicodedata.bidirectional(char) in _RIGHT_TO_LEFT]
    if backwards:
        raise GlyphError(f"{what} has {_listed(backwards)}, written from right to left, which cannot be printed yet.")
    missing = [char for char in text if char not in _printable() or unicodedata.category(char) in _MARKS]
    if missing:
        raise GlyphError(
            f"{what} has {_listed(missing)}, which no font here can print; write it with other characters."
        )


@cache
def _printable() -> frozenset[str]:
    return frozenset(face("regular").advances.keys() & face("bold").advances.keys() | PIPS.keys())


def _listed(characters: list[str]) -> str:
    return ", ".join(f"“{char}” (U+{ord(char):04X})" for char in dict.fromkeys(characters))


def pieces(text: str, weight: Weight) -> tuple[Piece, ...]:
    """A checked text, cut where letters and pips meet."""
    letters = face(weight)
    return tuple(
        Piece(None if pip else letters, part, measure(part, weight, 1))
        for pip, part in ((pip, "".join(chars)) for pip, chars in groupby(text, PIPS.__contains__))
    )


def measure(text: str, weight: Weight, size: float) -> float:
    """The width of a checked text in points."""
    advances = face(weight).advances
    return size * sum(PIPS[char].advance if char in PIPS else advances[char] for char in text)


def rise(text: str, weight: Weight) -> float:
    """How far above the baseline a checked text's ink reaches, in em; at least as far as plain letters."""
    heads = face(weight).heads
    return max((_PLAIN_RISE, *(heads.get(char, 0.0) for char in text)))


def fall(text: str, weight: Weight) -> float:
    """How far below the baseline a checked text's ink reaches, in em; at least as far as plain letters."""
    feet = face(weight).feet
    return max((_PLAIN_FALL, *(feet.get(char, 0.0) for char in text)))
