"""Vertical text in columns from the right: Chinese and Japanese characters upright, other scripts on their side."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

import msgspec

from labels.drawing.ink import BLACK, Ink
from labels.geometry import Box
from labels.typesetting import fonts, line_breaks
from labels.typesetting.fonts import Weight
from labels.typesetting.text import SMALLEST, TextError
from templates.languages.messages import Text, phrase

_COLUMN = 1.25
"""Distance from one column to the next, in em."""
_STEP = 0.25
# Height of an upright character's centre above its baseline, in em.
_MIDDLE = 0.38
# These stand in the upper right of their square.
_CORNER = frozenset("、。，．")
# These are turned, like text on its side.
_TURNED = frozenset("ー〜～…‥―（）「」『』【】〈〉《》［］｛｝：；")


class _Token(msgspec.Struct, frozen=True):
    """An unbreakable part of a column: an upright character, or a word on its side, with its length in em."""

    text: str
    upright: bool
    length: float


class VerticalSetting(msgspec.Struct, frozen=True):
    """A text set in columns, from the right: its size in points, and the width and height of all columns."""

    text: str
    columns: tuple[tuple[_Token, ...], ...]
    weight: Weight
    size: float

    @property
    def width(self) -> float:
        return self.size * (1 + (len(self.columns) - 1) * _COLUMN)

    @property
    def height(self) -> float:
        return self.size * max(sum(token.length for token in column) for column in self.columns)


def fit_vertical(
    text: str, what: Text, width: float, height: float, size: float, *, weight: Weight = "regular"
) -> VerticalSetting:
    """Set the text in columns as large as possible up to `size` points, inside `width` × `height` points.

    Its line breaks begin columns. Raises GlyphError or TextError, naming the text `what`.
    """
    breakable = fonts.lines(text, breakable=True)
    lines = [line_breaks.remove_controls(line) for line in breakable]
    fonts.check("".join(lines), what)
    measured = [[tuple(_split_tokens(piece, weight)) for piece in line_breaks.split_line(line)] for line in breakable]
    for step in range(int((size - SMALLEST) / _STEP) + 1):
        smaller = size - step * _STEP
        columns = [column for pieces in measured for column in _break(pieces, height / smaller)]
        setting = VerticalSetting(" ".join(lines), tuple(columns), weight, smaller)
        if setting.width <= width and setting.height <= height:
            return setting
    raise TextError(
        phrase(
            "{text} is too long: it does not fit from top to bottom even at {size} pt; shorten it, or choose a larger "
            "stock.",
            text=fonts.OnOneLine(what),
            size=f"{SMALLEST:g}",
        )
    )


def draw_vertical(ink: Ink, room: Box, setting: VerticalSetting, colour: str = BLACK) -> None:
    """Draw a set text into the room's upper right corner."""
    with ink.span(setting.text):
        for number, column in enumerate(setting.columns):
            _draw_column(ink, room, setting, column, number, colour)


def _draw_column(
    ink: Ink, room: Box, setting: VerticalSetting, column: tuple[_Token, ...], number: int, colour: str
) -> None:
    size, weight = setting.size, setting.weight
    middle = room.right - size * (0.5 + number * _COLUMN)
    ends = accumulate((token.length for token in column), initial=0.0)
    for token, start in zip(column, ends, strict=False):
        top = room.top - size * start
        if token.upright:
            shift = 0.5 * size if token.text in _CORNER else 0.0
            x = middle - fonts.measure(token.text, weight, size) / 2 + shift
            ink.text(x, top - (0.5 + _MIDDLE) * size + shift, token.text, weight, size, colour)
        else:
            with ink.turn(middle - _MIDDLE * size, top):
                ink.text(0, 0, token.text, weight, size, colour)


def _split_tokens(piece: str, weight: Weight) -> Iterator[_Token]:
    for upright, chars in groupby(line_breaks.remove_controls(piece), _is_upright):
        if upright:
            yield from (_Token(char, True, 1.0) for char in chars)
        else:
            turned = "".join(chars)
            yield _Token(turned, False, fonts.measure(turned, weight, 1))


def _is_upright(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF" and char not in _TURNED


def _break(pieces: Sequence[tuple[_Token, ...]], height: float) -> Iterator[tuple[_Token, ...]]:
    """Yield the columns of a line. A piece longer than a column stands alone in one."""
    column, used = list[_Token](), 0.0
    for piece in pieces:
        length = sum(token.length for token in piece)
        if column and used + length > height:
            yield tuple(column)
            column, used = [], 0.0
        column += piece
        used += length
    yield tuple(column)
