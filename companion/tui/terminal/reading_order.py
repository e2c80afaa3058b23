"""Text from right to left in reading order: most terminals draw letters from left to right, in the order in which they
come.

Loaded when the first such letter is drawn. Each text between frames and gaps is ordered by itself, so that columns stay
in their places.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from arabic_reshaper import ArabicReshaper
from bidi import algorithm
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from companion.tui.terminal.terminal import RIGHT_TO_LEFT
from templates.languages.messages import current_language

_GAPS: Final = re.compile(r"\s{2,}|\s*[─-◿⠀-⣿]\s*| · |^\s+|\s+$")
"""The separators between two texts of a row: blanks, frames, bars and bullets."""

# A ligature would be narrower than its letters, and move everything behind it.
_RESHAPER: Final = ArabicReshaper(
    {"delete_harakat": False, "support_ligatures": False, "use_unshaped_instead_of_isolated": True}
)


class _Letter(NamedTuple):
    """A letter with the marks on it, and its style."""

    text: str
    style: Style | None


def order_segments(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a row with the texts from right to left in reading order; each letter keeps its style."""
    letters = [letter for segment in segments if not segment.control for letter in _split_letters(segment)]
    row = "".join(letter.text[0] for letter in letters)
    ordered, end = list[_Letter](), 0
    for gap in _GAPS.finditer(row):
        ordered += _order_text(letters[end : gap.start()])
        ordered += letters[gap.start() : gap.end()]
        end = gap.end()
    ordered += _order_text(letters[end:])
    styled = groupby(ordered, key=lambda letter: letter.style)
    controls = [segment for segment in segments if segment.control]
    return [*(Segment("".join(letter.text for letter in some), style) for style, some in styled), *controls]


def _split_letters(segment: Segment) -> Iterator[_Letter]:
    """Yield the letters of a segment, each with the marks behind it that have no width."""
    letter = ""
    for symbol in segment.text:
        if letter and cell_len(symbol):
            yield _Letter(letter, segment.style)
            letter = ""
        letter += symbol
    if letter:
        yield _Letter(letter, segment.style)


def _order_text(letters: Sequence[_Letter]) -> Sequence[_Letter]:
    """Return a text in the order in which it is drawn from left to right, with joined Arabic letters."""
    text = "".join(letter.text[0] for letter in letters)
    if not RIGHT_TO_LEFT.search(text):
        return letters
    joined: str = _RESHAPER.reshape(text)
    text = joined if len(joined) == len(text) else text
    return [letters[at]._replace(text=symbol + letters[at].text[1:]) for at, symbol in _visual_order(text)]


def _visual_order(text: str) -> Iterator[tuple[int, str]]:
    """Yield the places of the symbols of a text from left to right, and the symbols; brackets are mirrored.

    A sentence has the direction of its language, whatever name it begins with; a name alone has its own.
    """
    is_mixed = any(unicodedata.bidirectional(symbol) == "L" for symbol in text)
    base = "R" if current_language().is_rtl or not is_mixed else "L"
    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = algorithm.PARAGRAPH_LEVELS[base], base
    algorithm.get_embedding_levels(text, storage)
    for at, symbol in enumerate(storage["chars"]):
        symbol["at"] = at
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    algorithm.reorder_resolved_levels(storage, False)
    algorithm.apply_mirroring(storage, False)
    yield from ((symbol["at"], symbol["ch"]) for symbol in storage["chars"])
