"""Shaping of scripts whose letters depend on their neighbours, and of combining marks: HarfBuzz places their glyphs.

Everything else is drawn letter by letter, which is far faster.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any, cast

import msgspec

# Brahmic scripts from Devanagari to Sinhala, Thai, Lao, Tibetan, Burmese and Khmer; and the joiners of letters.
_SCRIPTS = "\u0900-\u109f\u1780-\u17ff\u1cd0-\u1cff\ua8e0-\ua8ff"
_JOINERS = "\u200c\u200d"
RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""Ranges of right-to-left characters, for a pattern."""

_NEEDED_BY_SCRIPT = re.compile(f"[{_SCRIPTS}]")
_STRAY_JOINER = re.compile(f"(?<![{_SCRIPTS}])[{_JOINERS}]")
_PRIVATE = range(0xE000, 0xF900)


class Glyph(msgspec.Struct, frozen=True, gc=False):
    """A glyph of a font, as its private-use character, and its position in em from the start of its run."""

    char: str
    x: float
    y: float


def load_harfbuzz() -> ModuleType:
    """Return the library that reads and shapes fonts, which only some designs and languages need."""
    import uharfbuzz

    return cast("ModuleType", uharfbuzz)


class Shaper:
    """A shaper of runs in one font of reportlab's, which maps each glyph in use to a private-use character.

    The font's subsets hold characters only. This way they can hold glyphs without a character.
    """

    def __init__(self, font: Any, number: int) -> None:
        harfbuzz = load_harfbuzz()
        self._shape = font.face
        self._face = harfbuzz.Face(harfbuzz.Blob(bytes(font.face._ttf_data)), number)
        self._font = harfbuzz.Font(self._face)
        self._new_buffer, self._shape_buffer = harfbuzz.Buffer, harfbuzz.shape
        # The order is the same in every process, whatever was shaped before.
        self._free = [code for code in _PRIVATE if code not in font.face.charToGlyph]
        self._codes = dict[int, int]()

    def shape(self, run: str) -> tuple[float, tuple[Glyph, ...]]:
        """Return the width of a run in em, and its glyphs from the left. Raises LookupError if a font has too many."""
        buffer = self._new_buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        self._shape_buffer(self._font, buffer)
        em, x, glyphs = float(self._face.upem), 0.0, []
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            char = self._char(info.codepoint)
            glyphs.append(Glyph(char, (x + place.x_offset) / em, place.y_offset / em))
            x += place.x_advance
        return x / em, tuple(glyphs)

    def expect(self, chars: Iterable[str]) -> None:
        """Register the glyphs of private-use characters."""
        for char in chars:
            self._char(self._free.index(ord(char)))

    def _char(self, glyph: int) -> str:
        if glyph not in self._codes:
            code = self._codes[glyph] = self._free[glyph]
            self._shape.charToGlyph[code] = glyph
            self._shape.charWidths[code] = self._shape.hmetrics[glyph][0] * 1000 / self._shape.unitsPerEm
        return chr(self._codes[glyph])


def is_mark(char: str) -> bool:
    """Return True for a combining mark, over, under or around the letter before it."""
    return unicodedata.category(char) in ("Mn", "Mc", "Me")


def is_simple(char: str) -> bool:
    """Return True for a character that can be drawn alone."""
    return not is_mark(char) and char not in _JOINERS and not _NEEDED_BY_SCRIPT.match(char)


def remove_joiners(text: str) -> str:
    """Return the text without joiners outside the scripts that need them."""
    return _STRAY_JOINER.sub("", text)


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the runs of a line in visual order from the left, each with True if it is shaped.

    Shaped runs are in reading order. The others are drawn letter by letter.
    """
    at = 0
    for match in _run_pattern("".join(sorted({char for char in text if is_mark(char)}))).finditer(text):
        if match.start() > at:
            yield False, text[at : match.start()]
        # In right-to-left text, marks come before their letter.
        yield True, match[0][::-1] if match["right"] else match[0]
        at = match.end()
    if at < len(text):
        yield False, text[at:]


@lru_cache(maxsize=64)
def _run_pattern(marks: str) -> re.Pattern[str]:
    """Return a pattern for a run of a script that is shaped, or a letter with some of these marks."""
    script = f"[{_SCRIPTS}{_JOINERS}]"
    if not marks:
        return re.compile(f"{script}+|(?P<right>(?!))")
    mark = f"[{re.escape(marks)}]"
    letter = f"(?!{mark})[{RIGHT_TO_LEFT}]"
    return re.compile(
        f"(?P<right>{mark}+{letter})|{script}(?:{script}|{mark})*"
        f"|(?!{mark})[^ \u00a0]{mark}+(?!{mark}|{letter})|{mark}+"
    )
