"""Labels that go on cards: what an effect does, in two looks, and the figures of what a card stands for."""

import msgspec

from labels import fonts, layout, style
from labels.geometry import Box
from labels.ink import BLACK, WHITE, Ink
from labels.layout import Tier
from labels.text import TextError, fit

_AFTER_WORD, _AFTER_FIGURE = 2.0, 5.0


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
        size, taken = self._widths(rest.width)
        beside = rest.width >= style.BESIDE and rest.width - taken >= style.NOTED
        keep = style.FIGURES if beside or not self._said else 2 * style.FIGURES
        room = layout.heading(ink, rest, self.title, tag, tier.colour, keep)
        if self.figures:
            self._figures(ink, room, size, beside=beside)
        elif self._said:
            layout.effect(ink, room, self.title, self._said)

    @property
    def _said(self) -> str:
        return self.effect or self.note

    def _widths(self, width: float) -> tuple[float, float]:
        """How large figures can be in a line of this width, and how much of it they take."""
        what = f"A figure of “{self.title}”"
        words = sum(fonts.measure(layout.printable(word, what), "bold", style.TAG) for word, _ in self.figures)
        figures = sum(fonts.measure(layout.printable(value, what), "bold", 1) for _, value in self.figures)
        words += sum(_AFTER_WORD for word, _ in self.figures if word) + _AFTER_FIGURE * (len(self.figures) - 1)
        size = min(style.FIGURE, (width - words) / figures) if figures else style.FIGURE
        if size < style.NOTE:
            raise TextError(f"The figures of “{self.title}” are too wide for this label; choose a larger stock.")
        return size, words + size * figures

    def _figures(self, ink: Ink, room: Box, size: float, *, beside: bool) -> None:
        """The figures on one line, large, and the note beside or below them."""
        line = room if beside or not self._said else room.cut_top(room.height * 0.6)[0]
        size = min(size, (line.height - 1) / style.CAPITALS)
        x = room.x
        for word, value in self.figures:
            tag, figure = fonts.clean(word), fonts.clean(value)
            if tag:
                ink.text(x, line.y + 0.5, tag, "bold", style.TAG, style.SOFT)
                x += fonts.measure(tag, "bold", style.TAG) + _AFTER_WORD
            ink.text(x, line.y + 0.5, figure, "bold", size, BLACK)
            x += fonts.measure(figure, "bold", size) + _AFTER_FIGURE
        if self._said:
            right = Box(x + 1, room.y, room.right - x - 1, room.height)
            self._print_note(
                ink, right if beside else Box(room.x, room.y, room.width, line.y - room.y - 1), flush=beside
            )

    def _print_note(self, ink: Ink, room: Box, *, flush: bool) -> None:
        what = f"The {'effect' if self.effect else 'note'} of “{self.title}”"
        size = style.EFFECT if self.effect else style.NOTE - 0.5
        setting = fit(self._said, what, room.width, room.height, size)
        ends = [fonts.measure(line, "regular", setting.size) for line in setting.lines]
        x = room.right - max(ends) if flush else room.x
        ink.lines(x, room.y + setting.height, setting, BLACK if self.effect else style.SOFT)
