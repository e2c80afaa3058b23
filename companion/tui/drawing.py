"""Text as it is styled and laid into rows: figures, bars, columns. Pure, and knows no game: all screens use it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from textual.content import Content
from textual.renderables.digits import DIGITS, DIGITS3X3_BOLD

BULLET: Final = " · "
DIM: Final = "$text-muted"
BOLD: Final = "bold"
FLAG: Final = "$text-warning"

_ROWS: Final = 3
_DRAWN_APART: Final = {"/": ("  ╱", " ╱ ", "╱  "), " ": ("  ",) * _ROWS}
_STROKES: Final = DIGITS3X3_BOLD


def single(text: str) -> str:
    """A text whose every glyph is one cell wide: terminals do not agree on how wide an emoji is."""
    return text.replace("⭐", "★").replace("\ufe0f", "")


def near_home(path: Path) -> str:
    """A path as people write it: what lies in their own folder begins with `~`."""
    return f"~/{path.relative_to(Path.home()).as_posix()}" if path.is_relative_to(Path.home()) else str(path)


def in_brief(sentences: Iterable[str]) -> str:
    """The first of several sentences, and how many more there are."""
    first, *others = map(single, sentences)
    return f"{first}, and {len(others)} more" if others else first


def figure(number: int | str) -> tuple[str, str, str]:
    """A number, or the numbers of a text such as `P3 D2/5`, three rows high; letters are left out."""
    rows = ["", "", ""]
    for character in str(number):
        for row, stroke in enumerate(_strokes(character)):
            rows[row] += stroke
    return rows[0], rows[1], rows[2]


def _strokes(character: str) -> tuple[str, ...]:
    if character.isdecimal() or character in "-−":
        at = DIGITS.index(character.replace("−", "-")) * _ROWS
        return tuple(f"{_STROKES[at + row]:<3}" for row in range(_ROWS))
    return _DRAWN_APART.get(character, ("", "", ""))


def has_figure(text: str) -> bool:
    """Whether there is a number in a text that can be drawn three rows high."""
    return any(character.isdecimal() for character in text)


def bar(value: int, top: int, width: int, style: str = "") -> Content:
    """How full a counter is; what is left shows one block at least, and only a full one shows all of them."""
    full = 0 if value <= 0 or top <= 0 else max(1, min(width, width * value // top))
    return Content.assemble(("█" * full, style), ("░" * (width - full), DIM))


def flow(pieces: Iterable[Content], width: int, between: str = BULLET) -> list[Content]:
    """Pieces in as few rows as they fit into, none broken apart that fits a row."""
    rows: list[Content] = []
    for piece in pieces:
        joined = rows[-1] + between + piece if rows else piece
        if rows and joined.cell_length <= width:
            rows[-1] = joined
        else:
            rows += wrapped(piece, width)
    return rows


def wrapped(content: Content, width: int) -> list[Content]:
    """Content in rows of at most a width."""
    return [content] if content.cell_length <= width else content.wrap(max(width, 1))


def indented(content: Content, width: int, indent: int) -> list[Content]:
    """Content in rows of at most a width, those behind the first that much further in."""
    if content.cell_length <= width:
        return [content]
    first, *rest = content.wrap(max(width - indent, 1))
    return [first, *(Content(" " * indent) + row for row in rest)]


def grid(pieces: Sequence[Content], width: int) -> list[Content]:
    """Pieces in columns, as many as there is room for; what is wider than a row is broken."""
    lengths = [each.cell_length for each in pieces]
    for columns in range(min(len(pieces), max(1, width // _NARROWEST)), 1, -1):
        widths = [max(lengths[at::columns]) for at in range(columns)]
        if sum(widths) + _APART * (columns - 1) <= width:
            return [_beside(pieces[at : at + columns], widths) for at in range(0, len(pieces), columns)]
    return [row for each in pieces for row in hanging([each], width)]


def hanging(pieces: Sequence[Content], width: int) -> list[Content]:
    """Pieces in as few rows as they fit into; all but the first row stand further in."""
    first, *others = flow(pieces, width)
    return [first, *(row.pad_left(1) for row in flow(others, width - 1))]


def cut(rows: Sequence[Content], most: int, width: int) -> list[Content]:
    """So many rows, and behind the last one, or in place of it, how many are missing."""
    missing = len(rows) - most
    for kept, told in ((most, missing), (most - 1, missing + 1)):
        more = Content.styled(f"… {told} more", "$text-warning")
        last = rows[kept - 1].rstrip() + "  " if kept == most else Content("")
        if last.cell_length + more.cell_length <= width:
            break
    return [*rows[: most - 1], last + more]


def _beside(pieces: Sequence[Content], widths: Sequence[int]) -> Content:
    last = len(pieces) - 1
    padded = (each if at == last else each.pad_right(widths[at] - each.cell_length) for at, each in enumerate(pieces))
    return Content(" " * _APART).join(padded)


_NARROWEST: Final = 8
_APART: Final = 2
