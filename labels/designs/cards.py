"""Labels for cards: an effect, in two looks, and the figures of what a card represents."""

from collections.abc import Iterator
from functools import partial
from typing import Protocol

import msgspec

from labels import layout
from labels.drawing import style
from labels.drawing.ink import BLACK, Ink
from labels.geometry import Box
from labels.layout import Heading, TierMark
from labels.typesetting import fonts
from labels.typesetting.text import SMALLEST, TextError, TextSetting, fit
from templates.languages.messages import Message, phrase

_AFTER_WORD, _AFTER_FIGURE = 2.0, 5.0
_AROUND = 1.25
"""Least space above and below figures and notes, in addition to their neighbours' own."""
_ROUND = 0.5
"""The furthest that round figures reach below their baseline."""
_ABOVE_NOTE = 2.0
"""Space between a figure's own space and a note below it."""
_MIN_SHARED_LINE = 8.0
"""Figures smaller than this stand each on a line of its own."""

_NOTED_SHARE = 0.7
"""The largest share of a head's width that its marks take if a note is among them."""

_Figures = tuple[tuple[str, str], ...]
_Marks = tuple[tuple[str, float], ...]


class _Headings(Protocol):
    """A function that sets the name in at most `size` points above a room at least `keep` points high."""

    def __call__(self, size: float, keep: float = 0.0) -> Heading: ...


class _TieredLabel(msgspec.Struct, frozen=True):
    """A label with an effect in at most `size` points.

    `card`, if given, is the card that the label goes on: `7♠`. `code` is the content of a code in the coloured stripe,
    drawn if it fits. `note` names the owner, if there is room: small at the foot, or beside the name.
    """

    title: str
    effect: str
    tier: TierMark
    card: str = ""
    size: float = style.EFFECT
    code: str = ""
    note: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        layout.draw_coded(ink, die, self)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        raise NotImplementedError

    def _draw_under_head(self, ink: Ink, safe: Box) -> None:
        """Draw the effect under a head with the name."""
        marks = self._marks(safe)

        def head(marks: _Marks, size: float) -> Heading:
            name_heading = layout.set_head(safe, self.title, marks, self.tier.colour, size, self.code)
            margin = style.GAP if safe.width > style.TINY or self.code else 0.0
            return msgspec.structs.replace(name_heading, rest=name_heading.rest.cut_left(margin)[1])

        noted = [partial(head, each) for each in self._noted_marks(safe)]
        first = partial(head, marks)
        layout.draw_effect(ink, self.title, self.effect, self.size, first, note=self.note, noted=noted)

    def _noted_marks(self, safe: Box) -> Iterator[_Marks]:
        """Yield the marks of a head with the note among them: beside the tier's word, then in its place."""
        note = layout.printable_note(self.note)
        if not note or not layout.is_wide(safe):
            return
        mark, word = layout.tier_heading(self.tier, self.title)
        for parts in ((self.card, note, word), (self.card, note)):
            small = " · ".join(filter(None, parts))
            if layout.fits(f"{small} {mark}", safe.width * _NOTED_SHARE, style.TAG):
                yield (small, style.TAG), (mark, style.NOTE)

    def _marks(self, safe: Box) -> _Marks:
        """Return the texts at the right end of a head, with their sizes: the card, the tier's word and its marks.

        The word is left out if the name would get less than half of the width.
        """
        mark, word = layout.tier_heading(self.tier, self.title)
        card = layout.printable_text(self.card, phrase("The card of “{label}”", label=self.title))
        small = " · ".join(part for part in (card, word if layout.is_wide(safe) else "") if part)
        if card and not layout.fits(f"{small} {mark}", safe.width / 2, style.NOTE):
            small = card
        size = style.NOTE if safe.width > style.TINY else style.TAG
        return ((small, style.TAG), (mark, size)) if small else ((mark, size),)


class EffectLabel(_TieredLabel, frozen=True):
    """An effect beside a card's own index: a stripe with the tier's mark, the name and the effect."""

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        if max(safe.width, safe.height) <= style.TINY:
            self._draw_under_head(ink, safe)
            return
        wide = layout.is_wide(safe)
        card = layout.card_corner(self.card, phrase("The card of “{label}”", label=self.title))
        rest = layout.draw_stripe(ink, safe, card, self.tier, self.title, self.code)
        word = layout.tier_heading(self.tier, self.title)[1] if wide else ""

        def heading(tag: str, size: float) -> Heading:
            return layout.set_heading(rest, self.title, tag, self.tier.colour, size=size)

        note = layout.printable_note(self.note) if wide else ""
        tags = [" · ".join(filter(None, (note, word))), note] if note else []
        noted = [partial(heading, tag) for tag in tags]
        first = partial(heading, word)
        layout.draw_effect(
            ink, self.title, self.effect, self.size, first, centred=not wide, note=self.note, noted=noted
        )


class HeadedLabel(_TieredLabel, frozen=True):
    """An effect under a head: its name in white on the tier's colour, the tier's marks and the effect."""

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        self._draw_under_head(ink, safe)


class FiguresLabel(msgspec.Struct, frozen=True):
    """A label with a card's name and figures, each a word and its value, in the largest type of the label.

    `tier` sets it apart from others of its kind. `note` names the owner. `effect`, in at most `size` points, replaces
    the note. `figure` is the largest size of figures, and `code` the content of a code as on other labels.
    """

    title: str
    figures: tuple[tuple[str, str], ...]
    tier: TierMark | None = None
    card: str = ""
    note: str = ""
    effect: str = ""
    size: float = style.EFFECT
    figure: float = style.ALONE
    code: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        layout.draw_coded(ink, die, self)

    def print_in(self, ink: Ink, safe: Box) -> None:
        """See `layout.Scaled`."""
        wide = layout.is_wide(safe)
        tier = self.tier or TierMark("", "")
        card = layout.card_corner(self.card, phrase("The card of “{label}”", label=self.title))
        rest = layout.draw_stripe(ink, safe, card, tier, self.title, self.code)
        tag = layout.format_tag(*layout.tier_heading(tier, self.title)) if wide else ""

        def heading(size: float, keep: float = 0.0) -> Heading:
            if keep:
                self._check_left(
                    rest.height - keep,
                    phrase(
                        "The figures of “{label}” leave no room for its name on this label; choose a larger stock.",
                        label=self.title,
                    ),
                )
            return layout.set_heading(rest, self.title, tag, tier.colour, keep=keep, size=size)

        # The tag of a rare card is shown somewhere, if not beside its name.
        rare = "" if layout.tag_beside(self.title, tag, rest.width) else tag
        words = self.effect or "\n".join(part for part in (rare, self.note) if part)
        if not self.figures:
            layout.draw_effect(ink, self.title, words, self._size, heading, centred=not wide)
            return
        lines = self._lines(rest.width)
        tall = max(style.FIGURE, style.FIGURE_SHARE * rest.height) if words else style.ALONE
        size, taken = self._widths(lines, rest.width, min(self.figure, tall if wide else style.FIGURE))
        if size < style.NOTE:
            raise TextError(
                phrase("The figures of “{label}” are too wide for this label; choose a larger stock.", label=self.title)
            )
        if wide and rest.width >= style.BESIDE and (not words or rest.width - taken >= style.NOTED):
            self._draw_side_by_side(ink, rest, lines, size, words, heading)
        else:
            self._draw_stacked(ink, rest, lines, size, words, heading, centred=not wide)

    @property
    def _size(self) -> float:
        return self.size if self.effect else style.NOTE - 0.5

    @property
    def _colour(self) -> str:
        return BLACK if self.effect else style.SOFT

    def _draw_side_by_side(
        self, ink: Ink, rest: Box, lines: tuple[_Figures, ...], size: float, words: str, heading: _Headings
    ) -> None:
        """Draw the name, and below it the figures with the effect or note at their right."""
        high = style.FIGURES * len(lines)
        taken = max(_line_width(line, size) for line in lines) + _AFTER_FIGURE + 1

        def set_below(named: float) -> tuple[Heading, TextSetting | None]:
            if not words:
                return heading(named, high), None
            setting = self._set(words, rest.width - taken, rest.height - 1.1 * named, self._size)
            apart = _AROUND if named > style.NOTE else 0.0
            return heading(named, max(high, setting.height + apart)), setting

        name_heading, setting = layout.first_fitting((style.TITLE, style.NAMED, style.NOTE), set_below)
        room = name_heading.print(ink)
        # The last line beside the figures has the same baseline.
        self._figures(ink, room, lines, size, 0.0 if setting is None else setting.descent)
        if setting is not None:
            widest = max(fonts.measure(line, "regular", setting.size) for line in setting.lines)
            beside = msgspec.structs.replace(setting, width=widest)
            ink.lines(room.right - widest, room.y + setting.height, beside, self._colour)

    def _draw_stacked(
        self,
        ink: Ink,
        rest: Box,
        lines: tuple[_Figures, ...],
        size: float,
        words: str,
        heading: _Headings,
        *,
        centred: bool,
    ) -> None:
        """Draw the name, the figures below it, and below them the effect or note.

        The effect or note is set first. It shrinks only if the name, which can shrink too, finds no room above it.
        """
        high = style.FIGURES * len(lines)

        def set_above(largest: float) -> tuple[Heading, TextSetting | None]:
            if not words:
                return heading(style.TITLE, high), None
            joined = self._join_on_one_line(words, rest.width, largest)
            setting = self._set(joined, rest.width, rest.height - high - style.NOTE - _ABOVE_NOTE, largest)
            return heading(style.TITLE, high + setting.height + _ABOVE_NOTE), setting

        name_heading, setting = layout.first_fitting((self._size, style.NOTE - 0.5, SMALLEST), set_above)
        room = name_heading.print(ink, centred=centred)
        if setting is not None:
            top = room.y + setting.height
            ink.lines(room.x, top, setting, self._colour, centred=room.width if centred else 0.0)
            room = room.cut_top(room.height - setting.height - _ABOVE_NOTE)[0]
        self._figures(ink, room, lines, size, centred=centred)

    def _lines(self, width: float) -> tuple[_Figures, ...]:
        """Return all figures on one line, or each on its own line if one line would make them small."""
        together = (self.figures,)
        return (
            together
            if self._widths(together, width)[0] >= _MIN_SHARED_LINE
            else tuple((each,) for each in self.figures)
        )

    def _widths(self, lines: tuple[_Figures, ...], width: float, most: float = style.FIGURE) -> tuple[float, float]:
        """Return the largest size of figures in lines of this width, `most` at most, and the width that they take."""
        what = phrase("A figure of “{label}”", label=self.title)
        sizes = []
        for line in lines:
            words = sum(
                fonts.measure(layout.printable_text(word, what), "bold", style.TAG) + _AFTER_WORD
                for word, _ in line
                if word
            )
            figures = sum(fonts.measure(layout.printable_text(value, what), "bold", 1) for _, value in line)
            fixed = words + _AFTER_FIGURE * (len(line) - 1)
            sizes.append((min(most, (width - fixed) / figures) if line else most, fixed, figures))
        size = min(size for size, _, _ in sizes)
        return size, max(fixed + size * figures for _, fixed, figures in sizes)

    def _figures(
        self,
        ink: Ink,
        room: Box,
        lines: tuple[_Figures, ...],
        size: float,
        foot: float | None = None,
        *,
        centred: bool = False,
    ) -> None:
        """Draw the figures on their lines, `foot` points above the room's bottom, or without `foot` in its middle."""
        rise, drop = _reach("".join(fonts.clean(value) for _, value in self.figures))
        height = room.height / len(lines)
        below = _AROUND if foot is None else max(_ROUND, foot)
        size = min(size, (height - _AROUND - below) / style.CAPITALS, height / (rise + drop))
        below = max(drop * size, (height - style.CAPITALS * size) / 2 if foot is None else below)
        for number, line in enumerate(lines, 1):
            x, baseline = room.x, room.top - number * height + below
            if centred:
                x += (room.width - _line_width(line, size)) / 2
            for word, value in line:
                tag, figure = fonts.clean(word), fonts.clean(value)
                if tag:
                    ink.text(x, baseline, tag, "bold", style.TAG, style.SOFT)
                    x += fonts.measure(tag, "bold", style.TAG) + _AFTER_WORD
                ink.text(x, baseline, figure, "bold", size, BLACK)
                x += fonts.measure(figure, "bold", size) + _AFTER_FIGURE

    def _join_on_one_line(self, words: str, width: float, size: float) -> str:
        """Join two texts on one line if both fit in this size."""
        joined = layout.printable_text(words.replace("\n", " · "), self._what)
        return joined if fonts.measure(joined, "regular", size) <= width else words

    def _set(self, words: str, width: float, height: float, size: float) -> TextSetting:
        """Set the effect or the note in lines, no larger than `size`."""
        self._check_left(height, self._no_room)
        return fit(words, self._what, width, height, size)

    @property
    def _what(self) -> Message:
        """The effect or note, as errors name it."""
        if self.effect:
            return phrase("The effect of “{label}”", label=self.title)
        return phrase("The note of “{label}”", label=self.title)

    @property
    def _no_room(self) -> Message:
        """The error if figures leave no room for the effect or the note."""
        if self.effect:
            return phrase(
                "The figures of “{label}” leave no room for its effect on this label; choose a larger stock.",
                label=self.title,
            )
        return phrase(
            "The figures of “{label}” leave no room for its note on this label; choose a larger stock.",
            label=self.title,
        )

    def _check_left(self, height: float, problem: Message) -> None:
        """Raise TextError with a problem if a height has no room for even one short line."""
        if height < sum(fonts.reach("", "regular")) * SMALLEST:
            raise TextError(problem)


def _line_width(line: _Figures, size: float) -> float:
    """Return the width of a line of words and figures."""
    words = sum(fonts.measure(fonts.clean(word), "bold", style.TAG) + _AFTER_WORD for word, _ in line if word)
    figures = sum(fonts.measure(fonts.clean(value), "bold", size) for _, value in line)
    return words + figures + _AFTER_FIGURE * (len(line) - 1)


def _reach(figures: str) -> tuple[float, float]:
    """Return how far figures reach above and below their baseline, in em. Digits count alike, however round."""
    extents = [fonts.extent(char, "bold") for char in figures if not char.isdecimal()]
    return max([style.CAPITALS, *(high for _, high in extents)]), max([0.0, *(low for low, _ in extents)])
