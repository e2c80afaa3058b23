"""Labels that go on cards: what an effect does, in two looks, and the figures of what a card stands for."""

from contextlib import suppress

import msgspec

from labels import fonts, layout, style
from labels.geometry import Box
from labels.ink import BLACK, WHITE, Ink
from labels.layout import Tier
from labels.text import Setting, TextError, fit

_AFTER_WORD, _AFTER_FIGURE = 2.0, 5.0
_WORTH_IT = 8.0
"""Figures smaller than this stand each on a line of its own."""

_Figures = tuple[tuple[str, str], ...]


class _TieredLabel(msgspec.Struct, frozen=True):
    """A label that says what an effect does; `card`, where it is given, says which card it goes on: `7♠`."""

    title: str
    effect: str
    tier: Tier
    card: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as room:
            self._print(ink, room)

    def _print(self, ink: Ink, safe: Box) -> None:
        raise NotImplementedError


class EffectLabel(_TieredLabel, frozen=True):
    """An effect beside a card's own index: a stripe with the tier's mark, the name, and what it does."""

    def _print(self, ink: Ink, safe: Box) -> None:
        wide = layout.is_wide(safe)
        mark, word = layout.told(self.tier, self.title)
        rest = layout.striped(ink, safe, layout.corner(self.card, f"The card of “{self.title}”"), mark, self.tier)
        room = layout.heading(ink, rest, self.title, word if wide else "", self.tier.colour)
        layout.effect(ink, room, self.title, self.effect)


class HeadedLabel(_TieredLabel, frozen=True):
    """An effect under a head: its name in white on the tier's colour, the tier's marks, and what it does."""

    def _print(self, ink: Ink, safe: Box) -> None:
        head, room = safe.cut_top(style.HEAD)
        ink.fill(head, self.tier.colour, style.CORNER)
        inner = Box(head.x + style.GAP, head.y, head.width - 2 * style.GAP, head.height)
        space = inner.width - self._marks(ink, inner, wide=layout.is_wide(safe)) - style.GAP
        what = f"The name of “{self.title}”"
        title = fit(self.title, what, space, head.height, style.TITLE, weight="bold", prefer="one line")
        layout.in_stripe(ink, head, inner.x, title)
        layout.effect(ink, room.cut_left(style.GAP)[1], self.title, self.effect)

    def _marks(self, ink: Ink, head: Box, *, wide: bool) -> float:
        """The card, the tier's word and its marks at the right end of the head; gives how wide they are."""
        mark, word = layout.told(self.tier, self.title)
        card = layout.printable(self.card, f"The card of “{self.title}”")
        small = " · ".join(part for part in (card, word if wide else "") if part)
        marks = fonts.measure(mark, "bold", style.NOTE)
        ink.text(head.right - marks, layout.middle(head, style.NOTE), mark, "bold", style.NOTE, WHITE)
        if not small:
            return marks
        width = fonts.measure(small, "bold", style.TAG)
        ink.text(head.right - marks - 2 - width, layout.middle(head, style.TAG), small, "bold", style.TAG, WHITE)
        return marks + 2 + width


class FiguresLabel(msgspec.Struct, frozen=True):
    """A label that gives a card a name and figures: each a word and its value, largest of all that stands there.

    `tier` sets it apart from others of its kind, and `note` says whose it is; or `effect`, which is larger, what it can
    do.
    """

    title: str
    figures: tuple[tuple[str, str], ...]
    tier: Tier | None = None
    card: str = ""
    note: str = ""
    effect: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as room:
            self._print(ink, room)

    def _print(self, ink: Ink, safe: Box) -> None:
        wide = layout.is_wide(safe)
        tier = self.tier or Tier("", "")
        mark, word = layout.told(tier, self.title)
        rest = layout.striped(ink, safe, layout.corner(self.card, f"The card of “{self.title}”"), mark, tier)
        tag = (word if mark in word.split() else f"{mark} {word}".strip()) if wide else ""
        lines = self._lines(rest.width)
        size, taken = self._widths(lines, rest.width)
        if size < style.NOTE:
            raise TextError(f"The figures of “{self.title}” are too wide for this label; choose a larger stock.")
        high = style.FIGURES * len(lines)
        if not self.figures:
            layout.effect(ink, layout.heading(ink, rest, self.title, tag, tier.colour), self.title, self._said)
        elif not self._said or (rest.width >= style.BESIDE and rest.width - taken >= style.NOTED):
            room = layout.heading(ink, rest, self.title, tag, tier.colour, high)
            end = self._figures(ink, room, lines, size)
            if self._said:
                self._print_said(ink, room, self._set(room.right - end, room.height, self._size), flush=True)
        else:
            room, said = self._above_and_below(ink, rest, tag, high)
            self._print_said(ink, room, said, flush=False)
            self._figures(ink, room.cut_top(room.height - said.height - 1)[0], lines, size)

    @property
    def _said(self) -> str:
        return self.effect or self.note

    @property
    def _size(self) -> float:
        return style.EFFECT if self.effect else style.NOTE - 0.5

    def _above_and_below(self, ink: Ink, rest: Box, tag: str, high: float) -> tuple[Box, Setting]:
        """Draws the heading; gives what it leaves for figures that are `high`, and what is to be said below them.

        That is set first and made smaller only where the name, which can shrink too, finds no room above it.
        """
        colour = self.tier.colour if self.tier else BLACK

        def set_at(size: float) -> tuple[Box, Setting]:
            said = self._set(rest.width, rest.height - high - style.NOTE - 1, size)
            return layout.heading(ink, rest, self.title, tag, colour, high + said.height + 1), said

        for size in (self._size, style.NOTE - 0.5):
            with suppress(TextError):
                return set_at(size)
        return set_at(style.TAG)

    def _lines(self, width: float) -> tuple[_Figures, ...]:
        """All figures on one line, or each on its own where that would make them small."""
        together = (self.figures,)
        return together if self._widths(together, width)[0] >= _WORTH_IT else tuple((each,) for each in self.figures)

    def _widths(self, lines: tuple[_Figures, ...], width: float) -> tuple[float, float]:
        """How large figures can be in lines of this width, and how much of it they take."""
        what = f"A figure of “{self.title}”"
        sizes = []
        for line in lines:
            words = sum(
                fonts.measure(layout.printable(word, what), "bold", style.TAG) + _AFTER_WORD for word, _ in line if word
            )
            figures = sum(fonts.measure(layout.printable(value, what), "bold", 1) for _, value in line)
            fixed = words + _AFTER_FIGURE * (len(line) - 1)
            sizes.append((min(style.FIGURE, (width - fixed) / figures) if line else style.FIGURE, fixed, figures))
        size = min(size for size, _, _ in sizes)
        return size, max(fixed + size * figures for _, fixed, figures in sizes)

    def _figures(self, ink: Ink, room: Box, lines: tuple[_Figures, ...], size: float) -> float:
        """The figures on their lines, large; gives where the longest ends."""
        drop = max(_below_the_line(fonts.clean(value)) for _, value in self.figures)
        height = room.height / len(lines)
        size = min(size, (height - 1) / (style.CAPITALS + drop))
        ends = []
        for number, line in enumerate(lines, 1):
            x, baseline = room.x, room.top - number * height + max(0.5, drop * size)
            for word, value in line:
                tag, figure = fonts.clean(word), fonts.clean(value)
                if tag:
                    ink.text(x, baseline, tag, "bold", style.TAG, style.SOFT)
                    x += fonts.measure(tag, "bold", style.TAG) + _AFTER_WORD
                ink.text(x, baseline, figure, "bold", size, BLACK)
                x += fonts.measure(figure, "bold", size) + _AFTER_FIGURE
            ends.append(x)
        return max(ends) + 1

    def _set(self, width: float, height: float, size: float) -> Setting:
        """The effect or the note in lines, not larger than `size`."""
        what = f"The {'effect' if self.effect else 'note'} of “{self.title}”"
        return fit(self._said, what, width, height, size)

    def _print_said(self, ink: Ink, room: Box, said: Setting, *, flush: bool) -> None:
        """The effect or the note at the foot of a room."""
        ends = [fonts.measure(line, "regular", said.size) for line in said.lines]
        x = room.right - max(ends) if flush else room.x
        ink.lines(x, room.y + said.height, said, BLACK if self.effect else style.SOFT)


def _below_the_line(figure: str) -> float:
    """How far a figure reaches below its line, in em: digits stand on it, a stroke does not."""
    return 0.0 if figure.isdecimal() else fonts.descent(figure, "bold")
