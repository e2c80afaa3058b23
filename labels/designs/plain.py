"""Labels without a game's words: free texts, blanks to write on and boxes to count on."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec

from labels import layout
from labels.drawing import style
from labels.drawing.ink import BLACK, WHITE, Ink, line, path
from labels.geometry import SAFE_MARGIN, Box, intersection
from labels.layout import Heading, TierMark
from labels.paper.die import InnerBox
from labels.typesetting import fonts
from labels.typesetting.text import SMALLEST, ShapedSetting, Span, TextError, fit_shape
from templates.languages.messages import Text, phrase, phrase_in

_SIZE_STEP = 0.5
_TITLE_SHARE = 1.25
"""Size of the title of a round label, as a multiple of its text size."""
_SHARES = tuple(step / 24 for step in range(5, 17))
"""Shares of the label's height that the title may take."""


class Plain(msgspec.Struct, frozen=True):
    """A label with a title and, optionally, a text below it in at most `size` points."""

    title: str
    text: str = ""
    size: float = style.EFFECT

    def draw(self, ink: Ink, die: Box) -> None:
        if not isinstance(die, InnerBox) or die.shape != "ellipse":
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
        """Return the factor by which the label is enlarged on this die, relative to the smallest usual stock."""
        if isinstance(die, InnerBox) and die.shape == "ellipse":
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
def _set_in_round(label: Plain, die: InnerBox) -> tuple[ShapedSetting, ...]:
    """Set the title and the text as large as a round label allows. Raises TextError."""
    scale = layout.scale(die.around)
    safe = intersection(die.ink, die.cut.inset(SAFE_MARGIN))
    what = phrase("The name of “{label}”", label=label.title)
    if not label.text:
        setting = fit_shape(label.title, what, safe, _span(die), 0.5, style.FIGURE * scale, weight="bold")
        if setting is not None:
            return (setting,)
    else:
        most = label.size * scale
        for step in range(math.ceil((most - SMALLEST) / _SIZE_STEP) + 1):
            ways = list(_divisions(label, what, die, safe, max(SMALLEST, most - step * _SIZE_STEP)))
            if ways:
                # The division that is nearest to the vertical centre.
                return min(ways, key=lambda way: abs(safe.top - way[0].top - (way[1].bottom - safe.y)))
    raise TextError(
        phrase(
            "{text} is too long for this label, or its text is; shorten it, or choose a larger stock.",
            text=fonts.OnOneLine(what),
        )
    )


def _divisions(label: Plain, what: Text, die: InnerBox, safe: Box, size: float) -> Iterator[tuple[ShapedSetting, ...]]:
    """Yield the title and the text in this size, for each division of the height that has room for both."""
    for share in _SHARES:
        above, below = safe.cut_top(share * safe.height, style.UNDER)
        named = size * _TITLE_SHARE
        title = fit_shape(label.title, what, above, _span(die), 1.0, named, named, weight="bold")
        text = title and fit_shape(
            label.text, phrase("The text of “{label}”", label=label.title), below, _span(die), 0.0, size, size
        )
        if title and text:
            yield title, text


def _span(die: InnerBox) -> Callable[[float, float], Span]:
    return partial(die.span, SAFE_MARGIN)


class BlankLabel(msgspec.Struct, frozen=True):
    """A label to write on: ruled lines, and for a tier its stripe, mark and word."""

    tier: TierMark | None = None

    @property
    def title(self) -> str:
        return str(phrase("Blank {tier}", tier=self.tier.title) if self.tier else phrase_in("label", "Blank"))

    def draw(self, ink: Ink, die: Box) -> None:
        layout.draw_scaled(ink, die, self)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        self._rule(ink, self._stripe(ink, safe, self.tier) if self.tier else safe)

    def _stripe(self, ink: Ink, safe: Box, tier: TierMark) -> Box:
        rest = layout.draw_stripe(ink, safe, (), tier, self.title)
        if layout.is_wide(safe):
            word = layout.tier_heading(tier, self.title)[1]
            size = layout.fitting_size(word, phrase("The tier of “{label}”", label=self.title), rest.width, style.TAG)
            tag = Box(rest.x, rest.top - size, rest.width, size)
            ink.text(tag.x, layout.centred_baseline(tag, size), word, "bold", size, tier.colour)
        return rest

    def _rule(self, ink: Ink, room: Box) -> None:
        """Draw lines as far apart as handwriting needs, the lowest at the bottom."""
        count = max(1, int((room.height - 2) / style.WRITING))
        heights = (room.y + style.HAIR + number * style.WRITING for number in range(count))
        ink.outline([line(room.x, y, room.right, y) for y in heights], style.RULE, style.HAIR)


_DARK = "*"
# Paper around a figure inside its box, as a share of the figure's size.
_BESIDE, _ABOVE = 0.1, 0.15
_BETWEEN = 2.0
"""Points between the boxes of two runs."""
_EVEN = 0.72
"""Runs are divided evenly if their figures keep at least this share of their largest possible size."""


class _BoxGrid(NamedTuple):
    """A grid of boxes that fills a room: the size of its figures, the size of a box, and the columns of each run."""

    size: float
    width: float
    height: float
    columns: tuple[int, ...]
    is_even: bool


class StripLabel(msgspec.Struct, frozen=True):
    """A label with boxes to count on.

    `runs` are words with the texts of their boxes, separated by spaces; each run begins a line. A box marked with `*`
    is dark: something happens there. `note` explains it.
    """

    title: str
    runs: tuple[tuple[str, str], ...]
    note: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        layout.draw_scaled(ink, die, self)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        tag = (
            layout.printable_text(self.note, phrase("The note of “{label}”", label=self.title))
            if layout.is_wide(safe)
            else ""
        )
        name_heading = layout.set_heading(safe, self.title, tag, style.SOFT, size=style.NOTE)
        name_heading.print(ink)
        room = safe.cut_top(name_heading.name.height, style.UNDER)[1]
        runs = [
            (
                layout.printable_text(word, phrase("A word of “{label}”", label=self.title)),
                layout.printable_text(figures, f"“{self.title}”").split(),
            )
            for word, figures in self.runs
        ]
        widest = max(fonts.measure(word, "bold", style.TAG) for word, _ in runs)
        words, boxes = room.inset(style.HAIR / 2).cut_left(widest, style.GAP if widest else 0)
        grid = _choose_grid(boxes, [figures for _, figures in runs])
        if grid.size < style.TAG:
            raise TextError(
                phrase("The boxes of “{label}” are too many for this label; choose a larger stock.", label=self.title)
            )
        for (word, figures), columns in zip(runs, grid.columns, strict=True):
            line = Box(words.x, boxes.top - grid.height, words.width, grid.height)
            ink.text(line.x, layout.centred_baseline(line, style.TAG), word, "bold", style.TAG, style.SOFT)
            boxes = _draw_run(ink, boxes, grid, columns, figures)


def _choose_grid(room: Box, runs: Sequence[Sequence[str]]) -> _BoxGrid:
    """Choose the grid with the largest figures.

    An even grid, preferably with tens below tens, is chosen if its figures are hardly smaller.
    """
    grids = list(_possible_grids(room, runs))
    best = max(grids, key=lambda grid: grid.size)
    even = [grid for grid in grids if grid.is_even and grid.size >= max(style.TAG, _EVEN * best.size)]
    return max(even, key=lambda grid: (sum(columns % 10 == 0 for columns in grid.columns), grid.size), default=best)


def _possible_grids(room: Box, runs: Sequence[Sequence[str]]) -> Iterator[_BoxGrid]:
    """Yield every grid that fills the room with boxes of one size, longest lines first."""
    figures = max(fonts.measure(box.rstrip(_DARK), "bold", 1) for run in runs for box in run)
    for most in range(max(map(len, runs)), 0, -1):
        lines = [math.ceil(len(run) / most) for run in runs]
        columns = tuple(math.ceil(len(run) / count) for run, count in zip(runs, lines, strict=True))
        height = (room.height - _BETWEEN * (len(runs) - 1)) / sum(lines)
        width = room.width / max(columns)
        size = min(height / (style.CAPITALS + 2 * _ABOVE), width / (figures + 2 * _BESIDE), style.COUNTED)
        is_even = all(len(run) % count == 0 for run, count in zip(runs, lines, strict=True))
        yield _BoxGrid(size, width, height, columns, is_even)


def _draw_run(ink: Ink, room: Box, grid: _BoxGrid, columns: int, figures: Sequence[str]) -> Box:
    """Draw a run of boxes at the top of the room, with one rule between neighbours. Return the room below them."""
    boxes = [
        Box(
            room.x + number % columns * grid.width,
            room.top - (number // columns + 1) * grid.height,
            grid.width,
            grid.height,
        )
        for number in range(len(figures))
    ]
    # The sides of neighbouring boxes coincide.
    ink.outline([path(box) for box in boxes], style.SOFT, style.HAIR)
    for box, figure in zip(boxes, figures, strict=True):
        is_dark = figure.endswith(_DARK)
        if is_dark:
            ink.fill(box.inset(-style.HAIR / 2), style.INK)
        colour = WHITE if is_dark else BLACK
        layout.draw_centred(ink, box, figure.rstrip(_DARK), phrase("A box"), grid.size, colour)
    return room.cut_top(math.ceil(len(figures) / columns) * grid.height, _BETWEEN)[1]
