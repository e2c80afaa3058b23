"""What several designs do alike: grow with their label, set a stripe, centre capitals, fill a room with an effect."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, Protocol, TypeVar

import msgspec

from labels import fonts, style
from labels.errors import LabelError
from labels.geometry import Box
from labels.ink import BLACK, WHITE, Ink
from labels.null_ink import NullInk
from labels.sheet import SAFE_MARGIN
from labels.symbols import data_matrix
from labels.text import SMALLEST, Setting, TextError, fit

_T = TypeVar("_T")
_ROW: Final = 1.1
"""How high a row of a card's index is, in em."""
_SMALLER: Final = 0.9
"""From one scale that is tried to the next."""


class Tier(msgspec.Struct, frozen=True):
    """A rank among labels: told by its mark and its word, and by colour only besides."""

    title: str
    mark: str
    colour: str = style.INK


class Scaled(Hashable, Protocol):
    """A label that is laid out for the smallest usual stock, and drawn larger on larger ones."""

    def print_in(self, ink: Ink, safe: Box) -> None:
        """Draws it into the room inside the safe margin."""


def draw_scaled(ink: Ink, die: Box, label: Scaled) -> None:
    """Draws a label as large as its die cut allows; see `scale_for`."""
    most = scale(die)
    with ink.enlarge(die, most if most == 1 else scale_for(label, die.width, die.height), SAFE_MARGIN) as room:
        label.print_in(ink, room)


class Coded(Scaled, Protocol):
    """A label that may have a code in its coloured stripe, which names it: six figures; "" for none."""

    @property
    def code(self) -> str: ...


_Coded = TypeVar("_Coded", bound=Coded)


def draw_coded(ink: Ink, die: Box, label: _Coded) -> None:
    """Draws a label as `draw_scaled` does; without its code, where it would leave no room for what the label says."""
    if label.code and not shows_code(label, die.width, die.height):
        label = msgspec.structs.replace(label, code="")  # type: ignore[type-var]
    draw_scaled(ink, die, label)


@lru_cache(maxsize=1024)
def shows_code(label: Coded, width: float, height: float) -> bool:
    """Whether a label has a code, and room for it on a die of this size, in points."""
    try:
        draw_scaled(NullInk(), Box(0, 0, width, height), label)
    except LabelError:
        return False
    return bool(label.code)


@lru_cache(maxsize=512)
def scale_for(label: Scaled, width: float, height: float) -> float:
    """How much larger than on the smallest usual stock a label is drawn on one of this size: as `scale` says, but less
    where what it says would have no room then, so that a larger label never holds less than a smaller one.
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
    """How much larger than on the smallest usual stock everything is drawn at most; never smaller, and never so that
    there is room for fewer lines.
    """
    return max(1.0, min(math.sqrt(die.width * die.height / style.REFERENCE), die.height / style.HIGH))


def is_wide(room: Box) -> bool:
    """Whether there is room for text beside something."""
    return room.width >= style.WIDE * room.height


def tier_heading(tier: Tier, title: str) -> tuple[str, str]:
    """A tier's mark and its word in capitals. Raises GlyphError, naming the label, if they cannot be printed."""
    mark, word = _cleaned(tier)
    fonts.check(mark + word, f"The tier of “{title}”")
    return mark, word


@lru_cache(maxsize=64)
def _cleaned(tier: Tier) -> tuple[str, str]:
    return fonts.clean(tier.mark), fonts.clean(tier.title.upper())


def printable_text(text: str, what: str) -> str:
    """The text as it will be printed. Raises GlyphError, calling it `what`."""
    cleaned = fonts.clean(text)
    fonts.check(cleaned, what)
    return cleaned


def centred_baseline(stripe: Box, size: float) -> float:
    """The baseline that centres capitals of `size` points in a stripe."""
    return stripe.y + (stripe.height - style.CAPITALS * size) / 2


def fitting_size(text: str, what: str, width: float, size: float) -> float:
    """The size up to `size` points at which bold text is no wider than `width`. Raises TextError, calling it `what`."""
    fitting = min(size, width / (fonts.measure(text, "bold", 1) or 1))
    if fitting < SMALLEST:
        raise TextError(f"{what} is too wide for this label; shorten it, or choose a larger stock.")
    return fitting


def fits(text: str, width: float, size: float) -> bool:
    """Whether bold text of `size` points is no wider than `width`."""
    return fonts.measure(text, "bold", size) <= width


def draw_centred(ink: Ink, stripe: Box, text: str, what: str, size: float, colour: str) -> None:
    """Bold text in the middle of a stripe, smaller where it would be wider. Raises TextError, calling it `what`."""
    size = fitting_size(text, what, stripe.width, size)
    left = (stripe.width - fonts.measure(text, "bold", size)) / 2
    ink.text(stripe.x + left, centred_baseline(stripe, size), text, "bold", size, colour)


def draw_index(ink: Ink, stripe: Box, corner: tuple[str, ...], mark: str, what: str) -> None:
    """A mark in an upright stripe; with a card's rank and suit at its head, the mark goes to the foot."""
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
    """A tier's mark before its word, unless the word has it in it: `★ GRAND`, but `LEVEL 2`."""
    return word if mark in word.split() else f"{mark} {word}".strip()


def draw_stripe(ink: Ink, safe: Box, corner: tuple[str, ...], tier: Tier, title: str, code: str = "") -> Box:
    """A stripe in the tier's colour with a card and a mark in it, beside or above the room that is given back.

    Above, it has the tier's word, too, where there is room. With a `code` it is as wide as that, which stands at the
    label's left edge. Raises TextError where that leaves it no room.
    """
    mark, word = tier_heading(tier, title)
    what = f"The stripe of “{title}”"
    if is_wide(safe):
        stripe, rest = safe.cut_left(style.CODED if code else style.STRIPE, style.GAP)

        def marked(ink: Ink, stripe: Box) -> None:
            ink.fill(stripe, tier.colour, style.CORNER)
            if code:
                _draw_index_above(ink, stripe.cut_top(stripe.height - style.CODED)[0], corner, mark, what)
            else:
                draw_index(ink, stripe, corner, mark, what)

        ink.draw_repeated(stripe, marked, tier.colour, corner, mark, bool(code))
        if code:
            draw_code(ink, stripe, code)
        return rest
    stripe, rest = safe.cut_top(style.CODED if code else style.STRIPE, style.UNDER)
    ink.fill(stripe, tier.colour, style.CORNER)
    inner = Box(stripe.x + style.GAP, stripe.y, stripe.width - 2 * style.GAP, stripe.height)
    if code:
        if rest.height <= 0:
            raise TextError(f"{what} leaves no room below it; choose a larger stock.")
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
    """A code on paper of its own in the lower left corner of a coloured field."""
    field = Box(column.x + style.FRAME, column.y + style.FRAME, style.CODE, style.CODE)
    ink.fill(field, WHITE)
    ink.symbol(field, data_matrix(code))


def _draw_index_above(ink: Ink, room: Box, corner: tuple[str, ...], mark: str, what: str) -> None:
    """A card's rank and suit beside one another over a mark, in the room above a code; both in the middle of it. Where
    that is too low for both, the card alone.

    Raises TextError where it is too low for that, too.
    """
    card = "".join(corner)
    rows = [(card, style.INDEX)] * bool(card) + [(mark, style.MARK)] * bool(mark)
    if card and room.height * style.INDEX < SMALLEST * _ROW * sum(size for _, size in rows):
        rows = rows[:1]
    high = _ROW * sum(size for _, size in rows)
    scale = min(1.0, room.height / high) if rows else 1.0
    if scale * style.INDEX < SMALLEST:
        raise TextError(f"{what} has no room for what stands above its code; choose a larger stock.")
    inner = Box(room.x + style.HAIR, room.y, room.width - 2 * style.HAIR, room.height)
    top = inner.top - (inner.height - scale * high) / 2
    for sign, size in rows:
        top -= _ROW * scale * size
        draw_centred(ink, Box(inner.x, top, inner.width, _ROW * scale * size), sign, what, scale * size, WHITE)


def card_corner(card: str, what: str) -> tuple[str, ...]:
    """A card's rank and suit, to be set below one another; nothing for no card."""
    cleaned = printable_text(card, what) if card else ""
    return (cleaned[:-1], cleaned[-1]) if cleaned[-1:] in tuple("♠♥♣♦") else tuple(filter(None, (cleaned,)))


class Heading(msgspec.Struct, frozen=True):
    """A name that is set, and the room that it leaves below; `stripe` is the field it stands in, where it has one."""

    name: Setting
    room: Box
    rest: Box
    tag: str = ""
    colour: str = BLACK
    stripe: Box | None = None
    marks: tuple[tuple[str, float], ...] = ()
    code: str = ""

    def print(self, ink: Ink, *, centred: bool = False) -> Box:
        """Draws it; gives the room below."""
        if self.stripe is not None:
            self._print_in(ink, self.stripe)
            return self.rest
        ink.lines(self.room.x, self.room.top, self.name, centred=self.room.width if centred else 0.0)
        if self.tag:
            x = self.room.right - fonts.measure(self.tag, "bold", style.TAG)
            ink.text(x, self.room.top - self.name.ascent, self.tag, "bold", style.TAG, self.colour)
        return self.rest

    def lower(self, by: float) -> "Heading":
        """The same so many points further down."""
        room, rest = self.room, self.rest
        return msgspec.structs.replace(
            self,
            room=Box(room.x, room.y - by, room.width, room.height),
            rest=Box(rest.x, rest.y - by, rest.width, rest.height),
        )

    def _print_in(self, ink: Ink, stripe: Box) -> None:
        ink.fill(stripe, self.colour, style.CORNER)
        if self.code:
            # A column goes down from its left end.
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
    """What comes out at the first of the sizes at which all fits. Raises TextError where it does at none."""
    for size in sizes[:-1]:
        try:
            return setting(size)
        except TextError:
            continue
    return setting(sizes[-1])


def draw_name(ink: Ink, room: Box, title: str) -> None:
    """A name by itself, in the middle of a room."""
    setting = _set_name(title, room.width, room.height, style.FIGURE)
    ink.lines(room.x, room.top - (room.height - setting.height) / 2, setting, centred=room.width)


def _set_name(title: str, width: float, height: float, size: float, before: float = style.NAMED) -> Setting:
    what, before = f"The name of “{title}”", min(size, before)
    return fit(title, what, width, height, size, weight="bold", prefer="one line", before=before, rise=style.RISE)


def _set_heading_name(title: str, width: float, height: float, size: float, before: float = style.NAMED) -> Setting:
    """A name above something else in the usual size, or in one that is smaller, so that names on a sheet have two; in
    a smaller one still only where it has no room.
    """
    if size > style.NAMED and _name_width(title) * size > width:
        size = style.NAMED
    return _set_name(title, width, height, size, before)


def tag_beside(title: str, tag: str, width: float) -> str:
    """The tag, where there is room for it beside a name that need not be small for it; else nothing."""
    left = width - fonts.measure(tag, "bold", style.TAG) - style.GAP
    return tag if _name_width(title) * style.NAMED <= left else ""


@lru_cache(maxsize=512)
def _name_width(title: str) -> float:
    """How wide the widest of a name's lines is, in em. Raises GlyphError."""
    lines = fonts.lines(title)
    fonts.check("".join(lines), f"The name of “{title}”")
    return max([fonts.measure(line, "bold", 1) for line in lines])


def set_heading(
    room: Box, title: str, tag: str = "", colour: str = BLACK, *, keep: float = 0.0, size: float = style.TITLE
) -> Heading:
    """A title with a tag at the right end of its line, and the room that is left below it, at least `keep` high.

    Where there is no room for both, the tag is left out.
    """
    visible_tag = tag_beside(title, tag, room.width)
    taken = fonts.measure(visible_tag, "bold", style.TAG) + style.GAP if visible_tag else 0.0
    setting = _set_heading_name(title, room.width - taken, room.height - keep, size)
    gap = min(style.UNDER, room.height - setting.height - keep)
    return Heading(setting, room, room.cut_top(setting.height, gap)[1], visible_tag, colour)


def set_head(
    safe: Box, title: str, marks: tuple[tuple[str, float], ...], colour: str, size: float = style.TITLE, code: str = ""
) -> Heading:
    """A stripe as high as its name, with marks of their sizes at its right end, and the room that is left below it.

    Where there is no room for both beside one another, the marks stand below the name. A `code` stands below its left
    end, in a column of its colour. Raises TextError where that has no room.
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
        # Where the head leaves too little room below it, the code reaches into it, and the name begins behind that.
        head = set_beside(style.CODED + style.UNDER)
    if safe.height < style.CODED:
        raise TextError(f"The label of “{title}” is too low for a code; choose a larger stock.")
    rest = head.rest
    return msgspec.structs.replace(
        head, rest=Box(rest.x + style.CODED, rest.y, rest.width - style.CODED, rest.height), code=code
    )


def _beside_marks(title: str, width: float, height: float, size: float, least: float) -> Setting | None:
    """A name that leaves room for its marks; None where it would be smaller than `least` for them."""
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
    """A heading, and below it what the label does, in at most `size` points; both together in the middle of the height,
    but for a name in a stripe, which stays at the top.

    The name is smaller where that finds no room otherwise, but never so that what stands below it is larger. A `note`
    takes a line at the foot where the rest leaves room for one. Else one of the `noted` headings, which hold it, is
    printed, the first that makes nothing else smaller; else the note is left out.
    """

    def both(named: float) -> tuple[Heading, Setting]:
        name_heading = heading(named)
        most = min(size, name_heading.name.size)
        return name_heading, fit(
            text, f"The effect of “{title}”", name_heading.rest.width, name_heading.rest.height, most
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
    """The headings that can be set in this size."""
    for way in ways:
        with suppress(TextError):
            yield way(size)


def _is_as_large(heading: Heading, plain: Heading) -> bool:
    """Return True where a heading with more in it leaves its name and the room below as they are."""
    name, other = heading.name, plain.name
    shows = heading.stripe is not None or bool(heading.tag)
    return shows and (name.size, name.lines, heading.rest) == (other.size, other.lines, plain.rest)


_FOOT = style.TAG + 2.0
"""Height of a small line at the foot of a label, with the paper above it."""


def _fits_foot(note: str, width: float) -> bool:
    """Return True for a note that fonts here can print, and that a line of this width has room for."""
    words = printable_note(note)
    return bool(words) and fits(words, width, style.TAG)


def printable_note(note: str) -> str:
    """The note; "" for one that fonts here cannot print, as a label can do without."""
    try:
        return printable_text(note, "The note")
    except LabelError:
        return ""
