"""Labels without a game's words: texts of one's own, blanks to write on, boxes to count on."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec

from labels import fonts, layout, style
from labels.die import Room
from labels.geometry import SAFE_MARGIN, Box, intersection
from labels.ink import BLACK, WHITE, Ink, line, path
from labels.layout import Heading, Tier
from labels.text import SMALLEST, ShapedSetting, Span, TextError, fit_shape

_SIZE_STEP = 0.5
_TITLE_SHARE = 1.25
"""The size of the title of a round label, in sizes of its text."""
_SHARES = tuple(step / 24 for step in range(5, 17))
"""The share of its height that the title may take."""


class Plain(msgspec.Struct, frozen=True):
    """A label with a title and, where there is one, a text below it in at most `size` points."""

    title: str
    text: str = ""
    size: float = style.EFFECT

    def draw(self, ink: Ink, die: Box) -> None:
        if not isinstance(die, Room) or die.shape != "ellipse":
            layout.draw_scaled(ink, die, self)
            return
        around = die.around
        for setting in _set_in_round(self, die.translate(-around.x, -around.y)):
            top = around.y + setting.top
            for words, (left, right) in zip(setting.setting.lines, setting.spans, strict=True):
                alone = msgspec.structs.replace(setting.setting, lines=(words,))
                ink.lines(around.x + left, top, alone, centred=right - left)
                top -= alone.leading

    def scale_on(self, die: Box) -> float:
        """The factor by which it is larger than on the smallest usual stock it is drawn on this die."""
        if isinstance(die, Room) and die.shape == "ellipse":
            return layout.scale(die.around)
        return layout.scale_for(self, die.width, die.height)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        if not self.text:
            layout.draw_name(ink, safe, self.title)
            return

        def heading(size: float) -> Heading:
            return layout.set_heading(safe, self.title, size=size)

        layout.draw_effect(ink, self.title, self.text, self.size, heading, centred=not layout.is_wide(safe))


@lru_cache(maxsize=512)
def _set_in_round(label: Plain, die: Room) -> tuple[ShapedSetting, ...]:
    """The title and the text of a label as large as a round label has room for. Raises TextError."""
    scale = layout.scale(die.around)
    safe = intersection(die.ink, die.cut.inset(SAFE_MARGIN))
    what = f"The name of “{label.title}”"
    if not label.text:
        setting = fit_shape(label.title, what, safe, _span(die), 0.5, style.FIGURE * scale, weight="bold")
        if setting is not None:
            return (setting,)
    else:
        most = label.size * scale
        for step in range(math.ceil((most - SMALLEST) / _SIZE_STEP) + 1):
            ways = list(_divisions(label, what, die, safe, max(SMALLEST, most - step * _SIZE_STEP)))
            if ways:
                # What stands most nearly in the middle.
                return min(ways, key=lambda way: abs(safe.top - way[0].top - (way[1].bottom - safe.y)))
    raise TextError(
        f"{fonts.on_one_line(what)} is too long for this label, or its text is; shorten it, or choose a larger stock."
    )


def _divisions(label: Plain, what: str, die: Room, safe: Box, size: float) -> Iterator[tuple[ShapedSetting, ...]]:
    """Title and text, the text of this size, at each height at which both have room above and below."""
    for share in _SHARES:
        above, below = safe.cut_top(share * safe.height, style.UNDER)
        named = size * _TITLE_SHARE
        title = fit_shape(label.title, what, above, _span(die), 1.0, named, named, weight="bold")
        text = title and fit_shape(label.text, f"The text of “{label.title}”", below, _span(die), 0.0, size, size)
        if title and text:
            yield title, text


def _span(die: Room) -> Callable[[float, float], Span]:
    return partial(die.span, SAFE_MARGIN)


class Blank(msgspec.Struct, frozen=True):
    """A label to write on: lines, and for a tier its stripe, its mark and its word."""

    tier: Tier | None = None

    @property
    def title(self) -> str:
        return f"Blank {self.tier.title}" if self.tier else "Blank"

    def draw(self, ink: Ink, die: Box) -> None:
        layout.draw_scaled(ink, die, self)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        self._rule(ink, self._stripe(ink, safe, self.tier) if self.tier else safe)

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
# Paper around a figure inside its box, as a share of the figure's size.
_BESIDE, _ABOVE = 0.1, 0.15
_BETWEEN = 2.0
"""Points between the boxes of one run and those of the next."""
_EVEN = 0.72
"""Runs are divided evenly where their figures are no smaller for it than this share of what they could be."""


class _Grid(NamedTuple):
    """How runs of boxes fill a room: the figures' size, how wide and how high a box is, and how many stand in a line
    of each run.
    """

    size: float
    width: float
    height: float
    columns: tuple[int, ...]
    is_even: bool


class StripLabel(msgspec.Struct, frozen=True):
    """A label with boxes to count on. `runs` are words with what their boxes say, divided by spaces; each run begins a
    line. A box with a `*` behind it is dark: there something happens. `note` says what.
    """

    title: str
    runs: tuple[tuple[str, str], ...]
    note: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        layout.draw_scaled(ink, die, self)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        tag = layout.printable_text(self.note, f"The note of “{self.title}”") if layout.is_wide(safe) else ""
        name_heading = layout.set_heading(safe, self.title, tag, style.SOFT, size=style.NOTE)
        name_heading.print(ink)
        room = safe.cut_top(name_heading.name.height, style.UNDER)[1]
        runs = [
            (
                layout.printable_text(word, f"A word of “{self.title}”"),
                layout.printable_text(figures, f"“{self.title}”").split(),
            )
            for word, figures in self.runs
        ]
        widest = max(fonts.measure(word, "bold", style.TAG) for word, _ in runs)
        words, boxes = room.inset(style.HAIR / 2).cut_left(widest, style.GAP if widest else 0)
        grid = _choose_grid(boxes, [figures for _, figures in runs])
        if grid.size < style.TAG:
            raise TextError(f"The boxes of “{self.title}” are too many for this label; choose a larger stock.")
        for (word, figures), columns in zip(runs, grid.columns, strict=True):
            line = Box(words.x, boxes.top - grid.height, words.width, grid.height)
            ink.text(line.x, layout.centred_baseline(line, style.TAG), word, "bold", style.TAG, style.SOFT)
            boxes = _draw_run(ink, boxes, grid, columns, figures)


def _choose_grid(room: Box, runs: Sequence[Sequence[str]]) -> _Grid:
    """The grid with the largest figures; but one whose lines all end together, tens below tens, where it is hardly
    smaller.
    """
    grids = list(_possible_grids(room, runs))
    best = max(grids, key=lambda grid: grid.size)
    even = [grid for grid in grids if grid.is_even and grid.size >= max(style.TAG, _EVEN * best.size)]
    return max(even, key=lambda grid: (sum(columns % 10 == 0 for columns in grid.columns), grid.size), default=best)


def _possible_grids(room: Box, runs: Sequence[Sequence[str]]) -> Iterator[_Grid]:
    """Every way to fill the room with boxes of one size, long lines first."""
    figures = max(fonts.measure(box.rstrip(_DARK), "bold", 1) for run in runs for box in run)
    for most in range(max(map(len, runs)), 0, -1):
        lines = [math.ceil(len(run) / most) for run in runs]
        columns = tuple(math.ceil(len(run) / count) for run, count in zip(runs, lines, strict=True))
        height = (room.height - _BETWEEN * (len(runs) - 1)) / sum(lines)
        width = room.width / max(columns)
        size = min(height / (style.CAPITALS + 2 * _ABOVE), width / (figures + 2 * _BESIDE), style.COUNTED)
        is_even = all(len(run) % count == 0 for run, count in zip(runs, lines, strict=True))
        yield _Grid(size, width, height, columns, is_even)


def _draw_run(ink: Ink, room: Box, grid: _Grid, columns: int, figures: Sequence[str]) -> Box:
    """Draws a run of boxes at the top of the room, with one rule between neighbours; gives the room below them."""
    boxes = [
        Box(
            room.x + number % columns * grid.width,
            room.top - (number // columns + 1) * grid.height,
            grid.width,
            grid.height,
        )
        for number in range(len(figures))
    ]
    # The sides of neighbours lie on one another.
    ink.outline([path(box) for box in boxes], style.SOFT, style.HAIR)
    for box, figure in zip(boxes, figures, strict=True):
        is_dark = figure.endswith(_DARK)
        if is_dark:
            ink.fill(box.inset(-style.HAIR / 2), style.INK)
        colour = WHITE if is_dark else BLACK
        layout.draw_centred(ink, box, figure.rstrip(_DARK), "A box", grid.size, colour)
    return room.cut_top(math.ceil(len(figures) / columns) * grid.height, _BETWEEN)[1]
