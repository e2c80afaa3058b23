"""Text that fits: shrunk to five points, wrapped, or refused by name; never cut and never outside its room.

Separate because every design needs it and it needs no paper, only the width of letters.
"""

import math
from itertools import pairwise
from typing import Literal

import msgspec

from labels import fonts
from labels.fonts import Weight
from labels.label import LabelError

SMALLEST = 5.0
"""Points; below this, print on a label is no longer read but guessed."""

_LEADING = 1.17
_STEP = 0.25


class TextError(LabelError):
    """A text that does not fit its room even at the smallest size."""


class Setting(msgspec.Struct, frozen=True):
    """A text set in lines: its size and leading in points, and how far its ink reaches above and below."""

    lines: tuple[str, ...]
    weight: Weight
    size: float
    rise: float
    fall: float

    @property
    def leading(self) -> float:
        return self.size * _LEADING

    @property
    def height(self) -> float:
        return self.rise + (len(self.lines) - 1) * self.leading + self.fall


def fit(
    text: str,
    what: str,
    width: float,
    height: float,
    size: float,
    *,
    weight: Weight = "regular",
    prefer: Literal["one line", "size"] = "size",
) -> Setting:
    """The text set as large as `size` points at most, inside `width` × `height` points.

    `prefer` says what to give up first: a name stays on one line and shrinks, a sentence wraps and keeps its size.
    Raises GlyphError or TextError, calling the text `what`.
    """
    shown = fonts.clean(text)
    fonts.check(shown, what)
    for most_lines in (1, math.inf) if prefer == "one line" else (math.inf,):
        for step in range(int((size - SMALLEST) / _STEP) + 1):
            setting = _set(shown, width, height, size - step * _STEP, weight, most_lines)
            if setting is not None:
                return setting
    raise TextError(
        f"{what} is too long: “{shown}” does not fit even at {SMALLEST:g} pt; shorten it, or choose a larger stock."
    )


def _set(text: str, width: float, height: float, size: float, weight: Weight, most_lines: float) -> Setting | None:
    words = text.split(" ")
    advances = [fonts.measure(word, weight, size) for word in words]
    space = fonts.measure(" ", weight, size)
    breaks = _break(advances, space, width)
    if breaks is None or len(breaks) - 1 > most_lines:
        return None
    even = _even(advances, space, width, breaks)
    lines = tuple(" ".join(words[start:end]) for start, end in pairwise(even))
    setting = Setting(lines, weight, size, fonts.rise(text, weight) * size, fonts.fall(text, weight) * size)
    return setting if setting.height <= height else None


def _break(advances: list[float], space: float, width: float) -> list[int] | None:
    """Where each line begins, and the end; None if a word is wider than a line."""
    breaks, used = [0], -space
    for index, advance in enumerate(advances):
        if advance > width:
            return None
        if used + space + advance > width:
            breaks.append(index)
            used = -space
        used += space + advance
    return [*breaks, len(advances)]


def _even(advances: list[float], space: float, width: float, breaks: list[int]) -> list[int]:
    """The same number of lines in the narrowest column that still holds them, so that none is left a lone word."""
    if len(breaks) == 2:
        return breaks
    narrow, wide, best = 0.0, width, breaks
    while wide - narrow > space / 2:
        middle = (narrow + wide) / 2
        tried = _break(advances, space, middle)
        if tried is not None and len(tried) == len(breaks):
            best, wide = tried, middle
        else:
            narrow = middle
    return best
