"""Labels without a game's words: texts of one's own, blanks to write on, boxes to count on."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from labels import fonts, layout, style
from labels.geometry import Box
from labels.ink import BLACK, WHITE, Ink, line, path
from labels.layout import Heading, Tier
from labels.text import TextError


class Plain(msgspec.Struct, frozen=True):
    """A label with a title and, where there is one, a text below it in at most `size` points."""

    title: str
    text: str = ""
    size: float = style.EFFECT

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe_room(ink, die) as safe:
            if not self.text:
                layout.draw_name(ink, safe, self.title)
                return

            def heading(size: float) -> Heading:
                return layout.set_heading(safe, self.title, size=size)

            layout.draw_effect(ink, self.title, self.text, self.size, heading, centred=not layout.is_wide(safe))


class Blank(msgspec.Struct, frozen=True):
    """A label to write on: lines, and for a tier its stripe, its mark and its word."""

    tier: Tier | None = None

    @property
    def title(self) -> str:
        return f"Blank {self.tier.title}" if self.tier else "Blank"

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe_room(ink, die) as room:
            self._rule(ink, self._stripe(ink, room, self.tier) if self.tier else room)

    def _stripe(self, ink: Ink, safe: Box, tier: Tier) -> Box:
        rest = layout.draw_stripe(ink, safe, (), tier, self.title)
        if layout.is_wide(safe):
            word = layout.tier_heading(tier, self.title)[1]
            size = layout.fitting_size(word, f"The tier of “{self.title}”", rest.width, style.TAG)
            tag = Box(rest.x, rest.top - size, rest.width, size)
            ink.text(tag.x, layout.centred_baseline(tag, size), word, "bold", size, tier.colour)
        return rest

    def _rule(self, ink: Ink, room: Box) -> None:
        """Lines as far apart as a pen needs, the lowest at the foot."""
        count = max(1, int((room.height - 2) / style.WRITING))
        heights = (room.y + style.HAIR + number * style.WRITING for number in range(count))
        ink.outline([line(room.x, y, room.right, y) for y in heights], style.RULE, style.HAIR)


_DARK = "*"
# Paper around a figure inside its box, and between two lines of boxes, as a share of the figure's size.
_BESIDE, _ABOVE = 0.1, 0.15
_BETWEEN = 1.0


class _Grid(NamedTuple):
    """How runs of boxes fill a room: the figures' size, the most boxes in a line, and how high a line is."""

    size: float
    columns: int
    height: float


class StripLabel(msgspec.Struct, frozen=True):
    """A label with boxes to count on. `runs` are words with what their boxes say, divided by spaces; each run begins a
    line. A box with a `*` behind it is dark: there something happens. `note` says what.
    """

    title: str
    runs: tuple[tuple[str, str], ...]
    note: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe_room(ink, die) as room:
            self._print(ink, room)

    def _print(self, ink: Ink, safe: Box) -> None:
        tag = layout.printable_text(self.note, f"The note of “{self.title}”") if layout.is_wide(safe) else ""
        name_heading = layout.set_heading(safe, self.title, tag, style.SOFT, size=style.NOTE)
        name_heading.print(ink)
        room = safe.cut_top(name_heading.name.height, style.UNDER - _BETWEEN)[1]
        runs = [
            (
                layout.printable_text(word, f"A word of “{self.title}”"),
                layout.printable_text(figures, f"“{self.title}”").split(),
            )
            for word, figures in self.runs
        ]
        widest = max(fonts.measure(word, "bold", style.TAG) for word, _ in runs)
        words, boxes = room.cut_left(widest, style.GAP if widest else 0)
        grid = max(_possible_grids(boxes, [figures for _, figures in runs]), key=lambda each: each.size)
        if grid.size < style.TAG:
            raise TextError(f"The boxes of “{self.title}” are too many for this label; choose a larger stock.")
        for word, figures in runs:
            line = Box(words.x, boxes.top - grid.height, words.width, grid.height - _BETWEEN)
            ink.text(line.x, layout.centred_baseline(line, style.TAG), word, "bold", style.TAG, style.SOFT)
            boxes = _draw_run(ink, boxes, grid, figures)


def _possible_grids(room: Box, runs: Sequence[Sequence[str]]) -> Iterator[_Grid]:
    """Every way to fill the room, long lines first."""
    figures = max(fonts.measure(box.rstrip(_DARK), "bold", 1) for run in runs for box in run)
    for columns in range(max(map(len, runs)), 0, -1):
        shapes = [_shape(len(run), columns) for run in runs]
        height = room.height / sum(lines for lines, _ in shapes)
        high = (height - _BETWEEN) / (style.CAPITALS + 2 * _ABOVE)
        wide = room.width / max(across for _, across in shapes) / (figures + 2 * _BESIDE)
        yield _Grid(min(high, wide, style.COUNTED), columns, height)


def _shape(boxes: int, columns: int) -> tuple[int, int]:
    """Lines, and boxes in each, for so many boxes with at most `columns` in a line: as even as can be."""
    lines = math.ceil(boxes / columns)
    return lines, math.ceil(boxes / lines)


def _draw_run(ink: Ink, room: Box, grid: _Grid, figures: Sequence[str]) -> Box:
    """Draws a run of boxes at the top of the room; gives the room below them."""
    lines, columns = _shape(len(figures), grid.columns)
    width = room.width / columns
    for number, figure in enumerate(figures):
        line, column = divmod(number, columns)
        x, y = room.x + column * width, room.top - (line + 1) * grid.height
        _draw_box(ink, Box(x, y, width, grid.height - _BETWEEN), figure, grid.size)
    return room.cut_top(lines * grid.height)[1]


def _draw_box(ink: Ink, box: Box, figure: str, size: float) -> None:
    """A box with its figure in the middle, dark where something happens."""
    inner = box.inset(style.HAIR / 2)
    dark = figure.endswith(_DARK)
    if dark:
        ink.fill(box, style.INK)
    else:
        ink.outline([path(inner)], style.SOFT, style.HAIR)
    layout.draw_centred(ink, box, figure.rstrip(_DARK), "A box", size, WHITE if dark else BLACK)
