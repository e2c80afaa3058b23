"""What several designs do alike: grow with their label, set a stripe, centre capitals, fill a room with an effect."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from labels import fonts, style
from labels.geometry import Box
from labels.ink import BLACK, WHITE, Ink
from labels.label import SAFE_MARGIN
from labels.text import Setting, TextError, fit


class Tier(msgspec.Struct, frozen=True):
    """A rank among labels: told by its mark and its word, and by colour only besides."""

    title: str
    mark: str
    colour: str = style.INK


@contextmanager
def safe(ink: Ink, die: Box) -> Iterator[Box]:
    """The room inside the safe margin of a die cut, with everything drawn larger on a larger label."""
    with ink.enlarged(die, scale(die)) as box:
        yield box.inset(SAFE_MARGIN)


def scale(die: Box) -> float:
    """How much larger than on the smallest usual stock everything is drawn; never smaller."""
    return max(1.0, math.sqrt(die.width * die.height / style.REFERENCE))


def is_wide(room: Box) -> bool:
    """Whether there is room for text beside something."""
    return room.width >= style.WIDE * room.height


def told(tier: Tier, title: str) -> tuple[str, str]:
    """A tier's mark and its word in capitals. Raises GlyphError, naming the label, if they cannot be printed."""
    return printable(tier.mark, f"The tier of “{title}”"), printable(tier.title.upper(), f"The tier of “{title}”")


def printable(text: str, what: str) -> str:
    """The text as it will be printed. Raises GlyphError, calling it `what`."""
    shown = fonts.clean(text)
    fonts.check(shown, what)
    return shown


def middle(stripe: Box, size: float) -> float:
    """The baseline that centres capitals of `size` points in a stripe."""
    return stripe.y + (stripe.height - style.CAPITALS * size) / 2


def centred(ink: Ink, stripe: Box, text: str, size: float, colour: str) -> None:
    """Bold text in the middle of a stripe."""
    width = fonts.measure(text, "bold", size)
    ink.text(stripe.x + (stripe.width - width) / 2, middle(stripe, size), text, "bold", size, colour)


def index(ink: Ink, stripe: Box, corner: tuple[str, ...], mark: str, colour: str = WHITE) -> None:
    """A mark in an upright stripe; with a card's rank and suit at its head, the mark goes to the foot."""
    if not corner:
        centred(ink, stripe, mark, style.MARK, colour)
        return
    size = min(style.INDEX, stripe.height / (len(corner) + 1) / 1.25)
    for number, sign in enumerate(corner):
        cell = Box(stripe.x, stripe.top - 1 - (number + 1) * 1.1 * size, stripe.width, 1.1 * size)
        wide = fonts.measure(sign, "bold", size)
        centred(ink, cell, sign, min(size, 0.94 * size * stripe.width / wide), colour)
    centred(ink, Box(stripe.x, stripe.y + 1, stripe.width, 1.1 * size), mark, min(size * 1.2, style.MARK), colour)


def striped(ink: Ink, safe: Box, corner: tuple[str, ...], mark: str, tier: Tier) -> Box:
    """A stripe in the tier's colour with a card and a mark in it, beside or above the room that is given back."""
    if is_wide(safe):
        stripe, rest = safe.cut_left(style.STRIPE, style.GAP)
        ink.fill(stripe, tier.colour, style.CORNER)
        index(ink, stripe, corner, mark)
    else:
        stripe, rest = safe.cut_top(style.STRIPE, 1.0)
        ink.fill(stripe, tier.colour, style.CORNER)
        centred(ink, stripe, f"{''.join(corner)} {mark}".strip(), style.NAME, WHITE)
    return rest


def corner(card: str, what: str) -> tuple[str, ...]:
    """A card's rank and suit, to be set below one another; nothing for no card."""
    shown = printable(card, what) if card else ""
    return (shown[:-1], shown[-1]) if shown[-1:] in tuple("♠♥♣♦") else tuple(filter(None, (shown,)))


def in_stripe(ink: Ink, stripe: Box, x: float, setting: Setting) -> None:
    """A set text in white, from `x` on, in the middle of a stripe's height."""
    if len(setting.lines) == 1:
        ink.text(x, middle(stripe, setting.size), setting.lines[0], "bold", setting.size, WHITE)
    else:
        ink.lines(x, stripe.top - (stripe.height - setting.height) / 2, setting, WHITE)


def effect(ink: Ink, room: Box, title: str, text: str) -> None:
    """What a label does, in the middle of the height of what room there is."""
    setting = fit(text, f"The effect of “{title}”", room.width, room.height, style.EFFECT)
    ink.lines(room.x, room.top - (room.height - setting.height) / 2, setting)


def heading(
    ink: Ink, room: Box, title: str, tag: str, colour: str = BLACK, keep: float = 0.0, size: float = style.TITLE
) -> Box:
    """A title with a tag at the right end of its line, and the room that is left below it, at least `keep` high.

    Where there is no room for both, the tag is left out.
    """
    taken = fonts.measure(tag, "bold", style.TAG) + style.GAP if tag else 0.0
    what = f"The name of “{title}”"
    try:
        setting = fit(title, what, room.width - taken, room.height - keep, size, weight="bold", prefer="one line")
    except TextError:
        if not tag:
            raise
        return heading(ink, room, title, "", colour, keep, size)
    ink.lines(room.x, room.top, setting)
    if tag:
        ink.text(room.right - taken + style.GAP, room.top - setting.ascent, tag, "bold", style.TAG, colour)
    return room.cut_top(setting.height)[1]
