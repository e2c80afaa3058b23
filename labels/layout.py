"""Layout shared by several designs: scaling to the label, stripes, centred capitals, and a room filled by an effect."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, Protocol, TypeVar

import msgspec

from labels.drawing import style
from labels.drawing.ink import BLACK, WHITE, Ink
from labels.drawing.null_ink import NullInk
from labels.drawing.symbols import data_matrix
from labels.errors import LabelError
from labels.geometry import Box
from labels.paper.sheet import SAFE_MARGIN
from labels.typesetting import fonts
from labels.typesetting.text import SMALLEST, TextError, TextSetting, fit
from templates.languages.messages import Text, phrase

_T = TypeVar("_T")
_ROW: Final = 1.1
"""Height of a row of a card's index, in em."""
_SMALLER: Final = 0.9
"""The factor from one scale that is tried to the next."""


class TierMark(msgspec.Struct, frozen=True):
    """A rank among labels, marked by a sign and a word, and by colour in addition."""

    title: str
    mark: str
    colour: str = style.INK


class Scaled(Hashable, Protocol):
    """A label that is laid out for the smallest usual stock, and enlarged on larger ones."""

    def print_in(self, ink: Ink, safe: Box) -> None:
        """Draw the label into the room inside the safe margin."""


def draw_scaled(ink: Ink, die: Box, label: Scaled) -> None:
    """Draw a label as large as its die cut allows; see `scale_for`."""
    most = scale(die)
    with ink.enlarge(die, most if most == 1 else scale_for(label, die.width, die.height), SAFE_MARGIN) as room:
        label.print_in(ink, room)


class Coded(Scaled, Protocol):
    """A label with an optional code in its coloured stripe that identifies it: six figures, or "" for none."""

    @property
    def code(self) -> str: ...


_Coded = TypeVar("_Coded", bound=Coded)


def draw_coded(ink: Ink, die: Box, label: _Coded) -> None:
    """Draw a label as `draw_scaled` does, and leave its code out if the rest would not fit."""
    if label.code and not shows_code(label, die.width, die.height):
        label = msgspec.structs.replace(label, code="")  # type: ignore[type-var]
    draw_scaled(ink, die, label)


@lru_cache(maxsize=1024)
def shows_code(label: Coded, width: float, height: float) -> bool:
    """Return True if a label has a code, and room for it on a die of this size, in points."""
    try:
        draw_scaled(NullInk(), Box(0, 0, width, height), label)
    except LabelError:
        return False
    return bool(label.code)


@lru_cache(maxsize=512)
def scale_for(label: Scaled, width: float, height: float) -> float:
    """Return the factor by which a label is enlarged on a die of this size, relative to the smallest usual stock.

    It is the one that `scale` returns, or a smaller one if the content would not fit, so that a larger label never
    holds less than a smaller one.
    """
    die = Box(0, 0, width, height)
    most, blind = scale(die), NullInk()
    tried = most
    while tried > 1:
        try:
            label.print_in(blind, Box(0, 0, width / tried, height / tried).inset(SAFE_MARGIN))
        except TextError:
            tried *= _SMALLER
        except LabelError:
            return most
        else:
            return tried
    return 1.0


def scale(die: Box) -> float:
    """Return the largest factor for enlargement, relative to the smallest usual stock.

    It is at least 1, and never reduces the number of lines that fit.
    """
    return max(1.0, min(math.sqrt(die.width * die.height / style.REFERENCE), die.height / style.HIGH))


def is_wide(room: Box) -> bool:
    """Return True if text fits beside something in a room."""
    return room.width >= style.WIDE * room.height


def tier_heading(tier: TierMark, title: str) -> tuple[str, str]:
    """Return a tier's mark and its word in capitals. Raises GlyphError, naming the label, if they cannot be printed."""
    mark, word = _clean_tier_texts(tier)
    fonts.check(mark + word, phrase("The tier of “{label}”", label=title))
    return mark, word


@lru_cache(maxsize=64)
def _clean_tier_texts(tier: TierMark) -> tuple[str, str]:
    return fonts.clean(tier.mark), fonts.clean(tier.title.upper())


def printable_text(text: str, what: Text) -> str:
    """Return the text as it is printed. Raises GlyphError, naming it `what`."""
    cleaned = fonts.clean(text)
    fonts.check(cleaned, what)
    return cleaned


def centred_baseline(stripe: Box, size: float) -> float:
    """Return the baseline that centres capitals of `size` points in a stripe."""
    return stripe.y + (stripe.height - style.CAPITALS * size) / 2


def fitting_size(text: str, what: Text, width: float, size: float) -> float:
    """Return the size up to `size` at which bold text is no wider than `width`. Raises TextError, naming it `what`."""
    fitting = min(size, width / (fonts.measure(text, "bold", 1) or 1))
    if fitting < SMALLEST:
        raise TextError(phrase("{text} is too wide for this label; shorten it, or choose a larger stock.", text=what))
    return fitting


def fits(text: str, width: float, size: float) -> bool:
    """Return True if bold text of `size` points is no wider than `width`."""
    return fonts.measure(text, "bold", size) <= width


def draw_centred(ink: Ink, stripe: Box, text: str, what: Text, size: float, colour: str) -> None:
    """Draw bold text in the middle of a stripe, smaller if it is too wide. Raises TextError, naming it `what`."""
    size = fitting_size(text, what, stripe.width, size)
    left = (stripe.width - fonts.measure(text, "bold", size)) / 2
    ink.text(stripe.x + left, centred_baseline(stripe, size), text, "bold", size, colour)


def draw_index(ink: Ink, stripe: Box, corner: tuple[str, ...], mark: str, what: Text) -> None:
    """Draw a mark in an upright stripe. With a card's rank and suit at the top, the mark goes to the bottom."""
    inner = Box(stripe.x + style.HAIR, stripe.y, stripe.width - 2 * style.HAIR, stripe.height)
    if not corner:
        draw_centred(ink, inner, mark, what, style.MARK, WHITE)
        return
    size = min(style.INDEX, stripe.height / (len(corner) + 1) / 1.25)
    for number, sign in enumerate(corner):
        cell = Box(inner.x, inner.top - 1 - (number + 1) * 1.1 * size, inner.width, 1.1 * size)
        draw_centred(ink, cell, sign, what, size, WHITE)
    foot = Box(inner.x, inner.y + 1, inner.width, 1.1 * size)
    draw_centred(ink, foot, mark, what, min(size * 1.2, style.MARK), WHITE)


def format_tag(mark: str, word: str) -> str:
    """Return a tier's mark before its word, unless the word contains it: `★ GRAND`, but `LEVEL 2`."""
    return word if mark in word.split() else f"{mark} {word}".strip()


def draw_stripe(ink: Ink, safe: Box, corner: tuple[str, ...], tier: TierMark, title: str, code: str = "") -> Box:
    """Draw a stripe in the tier's colour with a card and a mark, and return the room beside or below it.

    A stripe above the room has the tier's word, too, if that fits. With a `code` the stripe is as wide as the code,
    which stands at the label's left edge. Raises TextError if the code leaves no room.
    """
    mark, word = tier_heading(tier, title)
    what = phrase("The stripe of “{label}”", label=title)
    if is_wide(safe):
        stripe, rest = safe.cut_left(style.CODED if code else style.STRIPE, style.GAP)

        def draw_marked_stripe(ink: Ink, stripe: Box) -> None:
            ink.fill(stripe, tier.colour, style.CORNER)
            if code:
                _draw_index_above(ink, stripe.cut_top(stripe.height - style.CODED)[0], corner, mark, what)
            else:
                draw_index(ink, stripe, corner, mark, what)

        ink.draw_repeated(stripe, draw_marked_stripe, tier.colour, corner, mark, bool(code))
        if code:
            draw_code(ink, stripe, code)
        return rest
    stripe, rest = safe.cut_top(style.CODED if code else style.STRIPE, style.UNDER)
    ink.fill(stripe, tier.colour, style.CORNER)
    inner = Box(stripe.x + style.GAP, stripe.y, stripe.width - 2 * style.GAP, stripe.height)
    if code:
        if rest.height <= 0:
            raise TextError(phrase("{text} leaves no room below it; choose a larger stock.", text=what))
        draw_code(ink, stripe, code)
        taken = style.CODED + style.UNDER
        inner = Box(stripe.x + taken, stripe.y, stripe.width - taken - style.GAP, stripe.height)
    card = "".join(corner)
    if not card:
        tag = format_tag(mark, word)
        draw_centred(ink, inner, tag if fits(tag, inner.width, style.NOTE) else mark, what, style.COUNTED, WHITE)
        return rest
    size = fitting_size(f"{card} {mark}", what, inner.width, style.NAME)
    ink.text(inner.x, centred_baseline(inner, size), card, "bold", size, WHITE)
    left = inner.cut_left(fonts.measure(f"{card} ", "bold", size))[1]
    tag = format_tag(mark, word)
    small = min(size, style.NOTE)
    tag = tag if fits(tag, left.width, small) else mark
    ink.text(left.right - fonts.measure(tag, "bold", small), centred_baseline(left, small), tag, "bold", small, WHITE)
    return rest


def draw_code(ink: Ink, column: Box, code: str) -> None:
    """Draw a code on a white field in the lower left corner of a coloured field."""
    field = Box(column.x + style.FRAME, column.y + style.FRAME, style.CODE, style.CODE)
    ink.fill(field, WHITE)
    ink.symbol(field, data_matrix(code))


def _draw_index_above(ink: Ink, room: Box, corner: tuple[str, ...], mark: str, what: Text) -> None:
    """Draw a card's rank and suit over a mark, centred in the room above a code.

    If both do not fit, only the card is drawn. Raises TextError if that does not fit either.
    """
    card = "".join(corner)
    rows = [(card, style.INDEX)] * bool(card) + [(mark, style.MARK)] * bool(mark)
    if card and room.height * style.INDEX < SMALLEST * _ROW * sum(size for _, size in rows):
        rows = rows[:1]
    high = _ROW * sum(size for _, size in rows)
    scale = min(1.0, room.height / high) if rows else 1.0
    if scale * style.INDEX < SMALLEST:
        raise TextError(phrase("{text} has no room for what stands above its code; choose a larger stock.", text=what))
    inner = Box(room.x + style.HAIR, room.y, room.width - 2 * style.HAIR, room.height)
    top = inner.top - (inner.height - scale * high) / 2
    for sign, size in rows:
        top -= _ROW * scale * size
        draw_centred(ink, Box(inner.x, top, inner.width, _ROW * scale * size), sign, what, scale * size, WHITE)


def card_corner(card: str, what: Text) -> tuple[str, ...]:
    """Return a card's rank and suit, to be set below one another, or nothing for no card."""
    cleaned = printable_text(card, what) if card else ""
    return (cleaned[:-1], cleaned[-1]) if cleaned[-1:] in tuple("♠♥♣♦") else tuple(filter(None, (cleaned,)))


class Heading(msgspec.Struct, frozen=True):
    """A name that is set, and the room below it. `stripe` is the field around it, if there is one."""

    name: TextSetting
    room: Box
    rest: Box
    tag: str = ""
    colour: str = BLACK
    stripe: Box | None = None
    marks: tuple[tuple[str, float], ...] = ()
    code: str = ""

    def print(self, ink: Ink, *, centred: bool = False) -> Box:
        """Draw the heading, and return the room below."""
        if self.stripe is not None:
            self._print_in(ink, self.stripe)
            return self.rest
        ink.lines(self.room.x, self.room.top, self.name, centred=self.room.width if centred else 0.0)
        if self.tag:
            x = self.room.right - fonts.measure(self.tag, "bold", style.TAG)
            ink.text(x, self.room.top - self.name.ascent, self.tag, "bold", style.TAG, self.colour)
        return self.rest

    def lower(self, by: float) -> "Heading":
        """Return the heading moved down by `by` points."""
        room, rest = self.room, self.rest
        return msgspec.structs.replace(
            self,
            room=Box(room.x, room.y - by, room.width, room.height),
            rest=Box(rest.x, rest.y - by, rest.width, rest.height),
        )

    def _print_in(self, ink: Ink, stripe: Box) -> None:
        ink.fill(stripe, self.colour, style.CORNER)
        if self.code:
            # A column extends down from its left end.
            column = Box(stripe.x, self.rest.y, style.CODED, stripe.top - self.rest.y)
            ink.fill(column, self.colour, style.CORNER)
            draw_code(ink, column, self.code)
        name, marked = self.name, self.room
        if len(name.lines) == 1:
            (line,) = name.lines
            ink.text(marked.x + name.indent(line), centred_baseline(marked, name.size), line, "bold", name.size, WHITE)
        else:
            ink.lines(marked.x, marked.top - (marked.height - name.height) / 2, name, WHITE)
        x = marked.right
        row = stripe if marked.height == stripe.height else Box(0, stripe.y, 0, style.STRIPE)
        for mark, size in reversed(self.marks):
            x -= fonts.measure(mark, "bold", size)
            ink.text(x, centred_baseline(row, size), mark, "bold", size, WHITE)
            x -= style.UNDER


def first_fitting(sizes: Sequence[float], setting: Callable[[float], _T]) -> _T:
    """Return the setting at the first size at which everything fits. Raises TextError if no size fits."""
    for size in sizes[:-1]:
        try:
            return setting(size)
        except TextError:
            continue
    return setting(sizes[-1])


def draw_name(ink: Ink, room: Box, title: str) -> None:
    """Draw a name alone, in the middle of a room."""
    setting = _set_name(title, room.width, room.height, style.FIGURE)
    ink.lines(room.x, room.top - (room.height - setting.height) / 2, setting, centred=room.width)


def _set_name(title: str, width: float, height: float, size: float, before: float = style.NAMED) -> TextSetting:
    what, before = phrase("The name of “{label}”", label=title), min(size, before)
    return fit(title, what, width, height, size, weight="bold", prefer="one line", before=before, rise=style.RISE)


def _set_heading_name(title: str, width: float, height: float, size: float, before: float = style.NAMED) -> TextSetting:
    """Set a name above something else in the usual size, or in the next smaller one.

    So names on a sheet have two sizes. A name becomes smaller still only if it does not fit.
    """
    if size > style.NAMED and _name_width(title) * size > width:
        size = style.NAMED
    return _set_name(title, width, height, size, before)


def tag_beside(title: str, tag: str, width: float) -> str:
    """Return the tag if it fits beside a name that is not small, or ""."""
    left = width - fonts.measure(tag, "bold", style.TAG) - style.GAP
    return tag if _name_width(title) * style.NAMED <= left else ""


@lru_cache(maxsize=512)
def _name_width(title: str) -> float:
    """Return the width of the widest line of a name in em. Raises GlyphError."""
    lines = fonts.lines(title)
    fonts.check("".join(lines), phrase("The name of “{label}”", label=title))
    return max([fonts.measure(line, "bold", 1) for line in lines])


def set_heading(
    room: Box, title: str, tag: str = "", colour: str = BLACK, *, keep: float = 0.0, size: float = style.TITLE
) -> Heading:
    """Set a title with a tag at the right end of its line, above a room at least `keep` points high.

    The tag is left out if both do not fit.
    """
    visible_tag = tag_beside(title, tag, room.width)
    taken = fonts.measure(visible_tag, "bold", style.TAG) + style.GAP if visible_tag else 0.0
    setting = _set_heading_name(title, room.width - taken, room.height - keep, size)
    gap = min(style.UNDER, room.height - setting.height - keep)
    return Heading(setting, room, room.cut_top(setting.height, gap)[1], visible_tag, colour)


def set_head(
    safe: Box, title: str, marks: tuple[tuple[str, float], ...], colour: str, size: float = style.TITLE, code: str = ""
) -> Heading:
    """Set a stripe as high as its name, with sized marks at its right end, and the room below it.

    If both do not fit beside one another, the marks stand below the name. A `code` stands below the stripe's left end,
    in a column of its colour. Raises TextError if the code does not fit.
    """
    margin, size = (style.GAP, size) if safe.width > style.TINY else (style.UNDER, min(size, style.NAMED))
    taken = sum(fonts.measure(mark, "bold", size) + style.UNDER for mark, size in marks) + style.UNDER
    least = min(size, *(size for _, size in marks))

    def set_beside(left: float) -> Heading:
        space = safe.width - left - margin
        name, below = _beside_marks(title, space - taken, safe.height / 2, size, least), 0.0
        if name is None:
            name, below = _set_heading_name(title, space, safe.height / 2, size, style.NOTE), style.STRIPE - style.UNDER
        height = max(style.HEAD, name.height + margin - 1 + below)
        stripe, rest = safe.cut_top(height, style.UNDER)
        room = Box(stripe.x + left, stripe.y + below, space, height - below)
        return Heading(name, room, rest, colour=colour, stripe=stripe, marks=marks)

    head = set_beside(margin)
    if not code:
        return head
    assert head.stripe is not None
    if head.stripe.y - safe.y < style.CODED:
        # If the head leaves too little room below it, the code extends into it, and the name begins after the code.
        head = set_beside(style.CODED + style.UNDER)
    if safe.height < style.CODED:
        raise TextError(phrase("The label of “{label}” is too low for a code; choose a larger stock.", label=title))
    rest = head.rest
    return msgspec.structs.replace(
        head, rest=Box(rest.x + style.CODED, rest.y, rest.width - style.CODED, rest.height), code=code
    )


def _beside_marks(title: str, width: float, height: float, size: float, least: float) -> TextSetting | None:
    """Return a name that leaves room for its marks, or None if they would make it smaller than `least`."""
    try:
        name = _set_heading_name(title, width, height, size, style.NOTE)
    except TextError:
        return None
    return name if name.size >= least else None


_NAMES = (style.TITLE, style.NAMED, style.NOTE, SMALLEST)


def draw_effect(
    ink: Ink,
    title: str,
    text: str,
    size: float,
    heading: Callable[[float], Heading],
    *,
    centred: bool = False,
    note: str = "",
    noted: Sequence[Callable[[float], Heading]] = (),
) -> None:
    """Draw a heading, and below it the effect in at most `size` points, both vertically centred.

    A name in a stripe stays at the top. The name shrinks if the effect does not fit otherwise, but never below the size
    of the effect. A `note` takes a line at the bottom if there is room for one. Otherwise the first of the `noted`
    headings, which contain it, is drawn that makes nothing else smaller. If there is none, the note is left out.
    """

    def both(named: float) -> tuple[Heading, TextSetting]:
        name_heading = heading(named)
        most = min(size, name_heading.name.size)
        return name_heading, fit(
            text,
            phrase("The effect of “{label}”", label=title),
            name_heading.rest.width,
            name_heading.rest.height,
            most,
        )

    name_heading, setting = first_fitting(_NAMES, both)
    free = name_heading.rest.height - setting.height
    has_foot = free >= _FOOT and _fits_foot(note, name_heading.rest.width)
    if note and not has_foot:
        named = name_heading.name.size
        alike = (each for each in _headings(noted, named) if _is_as_large(each, name_heading))
        name_heading = next(alike, name_heading)
    foot = name_heading.rest.y
    lowered = (free - _FOOT if has_foot else free) / 2
    if name_heading.stripe is None:
        name_heading = name_heading.lower(lowered)
    room = name_heading.print(ink, centred=centred)
    top = name_heading.rest.top if name_heading.stripe is None else room.top - lowered
    ink.lines(room.x, top, setting, centred=room.width if centred else 0.0)
    if has_foot:
        words = printable_note(note)
        x = room.x + (room.width - fonts.measure(words, "regular", style.TAG)) / 2 if centred else room.x
        ink.text(x, foot + fonts.reach(words, "regular")[1] * style.TAG, words, "regular", style.TAG, style.SOFT)


def _headings(ways: Sequence[Callable[[float], Heading]], size: float) -> Iterator[Heading]:
    """Yield the headings that can be set in this size."""
    for way in ways:
        with suppress(TextError):
            yield way(size)


def _is_as_large(heading: Heading, plain: Heading) -> bool:
    """Return True if a heading with more content leaves its name and the room below unchanged."""
    name, other = heading.name, plain.name
    shows = heading.stripe is not None or bool(heading.tag)
    return shows and (name.size, name.lines, heading.rest) == (other.size, other.lines, plain.rest)


_FOOT = style.TAG + 2.0
"""Height of a small line at the bottom of a label, with the space above it."""


def _fits_foot(note: str, width: float) -> bool:
    """Return True for a note that can be printed, and that fits a line of this width."""
    words = printable_note(note)
    return bool(words) and fits(words, width, style.TAG)


def printable_note(note: str) -> str:
    """Return the note, or "" if it cannot be printed, as a label is complete without it."""
    try:
        return printable_text(note, phrase("The note"))
    except LabelError:
        return ""
