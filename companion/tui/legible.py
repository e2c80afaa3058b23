"""A filter for all text: readable on its background, in the colours of the terminal, suits in two colours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from rich.color import Color as RichColour
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_RED_SUIT: Final = re.compile("(?:10|[2-9AJKQ])?[♥♦]\ufe0e?")
_GRAPHICS: Final = re.compile(r"[\s─-◿⠀-⣿·]*")
"""Lines, blocks and dots: they need not be readable."""

_STEPS: Final = 20
_MOST_STYLES: Final = 8192
"""Styles in the cache: the picture of a page has thousands."""
_NO_DIM: Final = Style(dim=False)
_DIM: Final = 0.7
"""The share of its colour that dim text keeps."""

_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_CUBE: Final = tuple(Color(red, green, blue) for red in _LEVELS for green in _LEVELS for blue in _LEVELS)
_GREYS: Final = tuple(Color(8 + 10 * at, 8 + 10 * at, 8 + 10 * at) for at in range(24))
_DULL, _BRIGHT = (0, 170), (85, 255)
_SIXTEEN: Final = (
    *(
        Color(r, 85 if (r, g, b) == (170, 170, 0) else g, b)
        for r in _DULL
        for g in _DULL
        for b in _DULL
    ),
    *(Color(r, g, b) for r in _BRIGHT for g in _BRIGHT for b in _BRIGHT),
)  # fmt: skip
PALETTES: Final = {256: (*_CUBE, *_GREYS), 16: _SIXTEEN}
"""The colours of terminals with few colours, without those that users configure."""


class Looks(msgspec.Struct, frozen=True):
    """The settings for all text: its minimum contrast, the colour of hearts and diamonds, the number of colours (0 for
    any), and the background on which all text but red suits is black ("" for none).
    """

    contrast: float
    suit_red: str
    colours: int = 0
    inverse: str = ""


def luminance(colour: Color) -> float:
    """Return the relative luminance of a colour, from 0 to 1, as WCAG defines it."""
    red, green, blue = (_linear(value / 255) for value in colour.rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as WCAG defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=1024)
def raise_contrast(text: Color, ground: Color, least: float) -> Color:
    """Return a colour unchanged if its contrast on a ground suffices, else as much lighter or darker as that takes."""
    if contrast(text, ground) >= least:
        return text
    ends = Color(255, 255, 255), Color(0, 0, 0)
    end = max(ends, key=lambda each: contrast(each, ground))
    blends = (text.blend(end, step / _STEPS, alpha=1.0) for step in range(1, _STEPS + 1))
    return next((blend for blend in blends if contrast(blend, ground) >= least), end)


@lru_cache(maxsize=8192)
def nearest(colour: Color, colours: int, ground: Color | None = None, least: float = 1.0) -> Color:
    """Return the nearest colour of a palette among those with enough contrast on a ground."""
    return min(
        (each for each in PALETTES[colours] if ground is None or contrast(each, ground) >= least),
        key=lambda each: _distance(each, colour),
    )


def _distance(one: Color, other: Color) -> float:
    return sum(weight * (a - b) ** 2 for weight, a, b in zip((3, 4, 2), one.rgb, other.rgb, strict=True))


class LegibleFilter(LineFilter):
    """A filter that makes text legible; graphics such as frames keep their colour."""

    def __init__(self, looks: Looks) -> None:
        super().__init__()
        self._looks = looks
        self._red = Color.parse(looks.suit_red)
        self._inverse = Color.parse(looks.inverse) if looks.inverse else None
        self._styles: dict[tuple[Style, Color, bool, bool], Style] = {}

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in legible styles; those with red suits are split."""
        result: list[Segment] = []
        for segment in segments:
            text, style, control = segment
            if control or style is None:
                result.append(segment)
            elif "♥" in text or "♦" in text:
                result += self._parts(text, style, background)
            else:
                is_graphic = _GRAPHICS.fullmatch(text) is not None
                result.append(Segment(text, self._style(style, background, is_graphic=is_graphic)))
        return result

    def _parts(self, text: str, style: Style, background: Color) -> Iterator[Segment]:
        end = 0
        for match in _RED_SUIT.finditer(text):
            if match.start() > end:
                yield Segment(text[end : match.start()], self._style(style, background))
            yield Segment(match[0], self._style(style, background, red=True))
            end = match.end()
        if end < len(text):
            yield Segment(text[end:], self._style(style, background))

    def _style(self, style: Style, background: Color, *, is_graphic: bool = False, red: bool = False) -> Style:
        key = style, background, is_graphic, red
        legible = self._styles.get(key)
        if legible is None:
            if len(self._styles) >= _MOST_STYLES:
                self._styles.clear()
            legible = self._styles[key] = self._legible(*key)
        return legible

    def _legible(self, style: Style, background: Color, is_graphic: bool, red: bool) -> Style:
        colours, least = self._looks.colours, self._looks.contrast
        behind, before = _triplet(style.bgcolor), _triplet(style.color)
        if before is None or (style.bgcolor is not None and behind is None):
            return style  # colours that only the terminal knows
        ground = behind or background
        if style.reverse:
            ground, before = before, ground
        if style.dim:
            before = ground.blend(before, _DIM, alpha=1.0)
        if colours:
            ground = nearest(ground, colours)
        before = self._red if red else before
        if self._inverse is not None and ground == self._inverse and (not is_graphic or before == ground):
            before = nearest(Color(170, 0, 0) if red else Color(0, 0, 0), colours)
        if not is_graphic:
            before = raise_contrast(before, ground, least)
        if colours:
            before = nearest(before, colours) if is_graphic else nearest(before, colours, ground, least)
        if style.reverse:
            ground, before = before, ground
        return style + Style.from_color(before.rich_color, ground.rich_color) + _NO_DIM


def _triplet(colour: RichColour | None) -> Color | None:
    return None if colour is None or colour.triplet is None else Color(*colour.triplet)


@lru_cache(maxsize=8)
def legible_filter(looks: Looks) -> LegibleFilter:
    """Return the filter of a theme, the same object each time: Textual caches drawn lines by it."""
    return LegibleFilter(looks)


def text_segments(rows: Sequence[Sequence[Segment]]) -> Iterator[Segment]:
    """Yield the segments of rows that must be readable, not only visible."""
    for row in rows:
        for segment in row:
            if not segment.control and _GRAPHICS.fullmatch(segment.text) is None:
                yield segment
