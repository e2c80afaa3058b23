"""The one type family, FiraGO, embedded; what it cannot show is known before anything is drawn.

Separate because reportlab drops a glyph that a font lacks without a word, which on a label is a misprint for ever.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import Literal, get_args

import msgspec

from labels.label import LabelError
from labels.pips import PIPS

Weight = Literal["regular", "bold"]

_SOURCES: Mapping[Weight, str] = {"regular": "figo", "bold": "figbo"}
_SUBSTITUTES = str.maketrans({"⭐": "★", "\ufe0e": None, "\ufe0f": None, "\u00a0": " ", "\t": " ", "\n": " ", "'": "’"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


class GlyphError(LabelError):
    """A text with characters that cannot be printed."""


class Face(msgspec.Struct, frozen=True):
    """One weight of the family: its name for the PDF and the advance of each of its characters in em."""

    name: str
    advances: Mapping[str, float]


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
    return Face(name, {chr(code): width / 1000 for code, width in font.face.charWidths.items()})


def names() -> tuple[str, ...]:
    """The names of all faces, made known to reportlab."""
    return tuple(face(weight).name for weight in get_args(Weight))


def clean(text: str) -> str:
    """The text as it will be printed: composed, spaces single, ’ for ', ★ for ⭐, and without emoji selectors."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_SUBSTITUTES).split())


def check(text: str, what: str) -> None:
    """Raises GlyphError, calling the text `what`, if a character of a cleaned text cannot be printed."""
    backwards = [char for char in text if unicodedata.bidirectional(char) in _RIGHT_TO_LEFT]
    if backwards:
        raise GlyphError(f"{what} has {_listed(backwards)}, written from right to left, which cannot be printed yet.")
    missing = [char for char in text if char not in _printable()]
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
        Piece(None if pip else letters, part, sum(advance(char, weight) for char in part))
        for pip, part in ((pip, "".join(chars)) for pip, chars in groupby(text, PIPS.__contains__))
    )


def advance(char: str, weight: Weight) -> float:
    """The width of one character in em."""
    pip = PIPS.get(char)
    return face(weight).advances[char] if pip is None else pip.advance


def measure(text: str, weight: Weight, size: float) -> float:
    """The width of a checked text in points."""
    advances = face(weight).advances
    return size * sum(PIPS[char].advance if char in PIPS else advances[char] for char in text)


def rise(text: str) -> float:
    """How far above the baseline a text's ink may reach, in em; accents above capitals reach highest."""
    return 0.96 if _is_accented(text) else 0.76


def fall(text: str) -> float:
    """How far below the baseline a text's ink may reach, in em."""
    return 0.29 if _is_accented(text) else 0.22


def _is_accented(text: str) -> bool:
    return not text.isascii() and unicodedata.normalize("NFD", text) != text
