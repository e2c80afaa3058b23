"""Scripts whose letters change with their neighbours, and marks that stand over letters: HarfBuzz places their glyphs.

Everything else is drawn letter by letter, which is faster by far.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

# Brahmic scripts from Devanagari to Sinhala, Thai, Lao, Tibetan, Burmese and Khmer; and what joins or parts letters.
_SCRIPTS = "\u0900-\u109f\u1780-\u17ff\u1cd0-\u1cff\ua8e0-\ua8ff"
_JOINERS = "\u200c\u200d"
RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The ranges of what is written from right to left, for a pattern."""

_NEEDED_BY_SCRIPT = re.compile(f"[{_SCRIPTS}]")
_STRAY_JOINER = re.compile(f"(?<![{_SCRIPTS}])[{_JOINERS}]")
_PRIVATE = range(0xE000, 0xF900)


class Glyph(msgspec.Struct, frozen=True, gc=False):
    """A glyph of a font, by the private character that stands for it, and where it stands in em from the beginning of
    its run.
    """

    char: str
    x: float
    y: float


class Shaper:
    """Shapes runs in one font of reportlab's, in which it lists each glyph that it uses as a private character.

    So the font's subsets, which know characters only, take glyphs that no character has.
    """

    def __init__(self, font: Any, number: int) -> None:
        import uharfbuzz

        self._shape = font.face
        self._face = uharfbuzz.Face(uharfbuzz.Blob(bytes(font.face._ttf_data)), number)
        self._font = uharfbuzz.Font(self._face)
        # The same in every process, whatever was shaped before.
        self._free = [code for code in _PRIVATE if code not in font.face.charToGlyph]
        self._codes = dict[int, int]()

    def shape(self, run: str) -> tuple[float, tuple[Glyph, ...]]:
        """How wide a run is in em, and its glyphs from the left. Raises LookupError for a font with too many."""
        import uharfbuzz

        buffer = uharfbuzz.Buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        uharfbuzz.shape(self._font, buffer)
        em, x, glyphs = float(self._face.upem), 0.0, []
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            char = self._char(info.codepoint)
            glyphs.append(Glyph(char, (x + place.x_offset) / em, place.y_offset / em))
            x += place.x_advance
        return x / em, tuple(glyphs)

    def expect(self, chars: Iterable[str]) -> None:
        """Lists the glyphs that private characters stand for."""
        for char in chars:
            self._char(self._free.index(ord(char)))

    def _char(self, glyph: int) -> str:
        if glyph not in self._codes:
            code = self._codes[glyph] = self._free[glyph]
            self._shape.charToGlyph[code] = glyph
            self._shape.charWidths[code] = self._shape.hmetrics[glyph][0] * 1000 / self._shape.unitsPerEm
        return chr(self._codes[glyph])


def is_mark(char: str) -> bool:
    """Whether it stands over, under or around the letter before."""
    return unicodedata.category(char) in ("Mn", "Mc", "Me")


def is_simple(char: str) -> bool:
    """Whether it can be drawn by itself."""
    return not is_mark(char) and char not in _JOINERS and not _NEEDED_BY_SCRIPT.match(char)


def remove_joiners(text: str) -> str:
    """The text without what joins or parts letters, where it is of no script that asks for it."""
    return _STRAY_JOINER.sub("", text)


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """A line as it is drawn from the left, cut into runs that are shaped, in the order in which they are read, and
    those that are drawn letter by letter; each with whether it is shaped.
    """
    at = 0
    for match in _shaped("".join(sorted({char for char in text if is_mark(char)}))).finditer(text):
        if match.start() > at:
            yield False, text[at : match.start()]
        # From the right, marks come before their letter.
        yield True, match[0][::-1] if match["right"] else match[0]
        at = match.end()
    if at < len(text):
        yield False, text[at:]


@lru_cache(maxsize=64)
def _shaped(marks: str) -> re.Pattern[str]:
    """A run of a script that is shaped, or a letter with some of these marks."""
    script = f"[{_SCRIPTS}{_JOINERS}]"
    if not marks:
        return re.compile(f"{script}+|(?P<right>(?!))")
    mark = f"[{re.escape(marks)}]"
    letter = f"(?!{mark})[{RIGHT_TO_LEFT}]"
    return re.compile(
        f"(?P<right>{mark}+{letter})|{script}(?:{script}|{mark})*"
        f"|(?!{mark})[^ \u00a0]{mark}+(?!{mark}|{letter})|{mark}+"
    )
