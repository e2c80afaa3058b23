"""The designs: inscriptions, Monster labels and box labels, and the one place where their type and measures stand.

Separate because a design is looks only: what the words are comes in, where it goes is the sheet's affair.
"""

import math

import msgspec

from labels import fonts, qr
from labels.geometry import INCH, MM, Box
from labels.ink import WHITE, Ink
from labels.label import SAFE_MARGIN, LabelError
from labels.text import SMALLEST, Setting, fit

TITLE = 9.5
EFFECT = 7.5
TAG = SMALLEST
NAME = 10.0
NOTE = 6.5

_MARK = 11.0
_BAND = 10.5
_GAP = 3.5
_LINE_GAP = 0.5
_LINE_GAP_AT_MOST = 1.8
_ID_GAP_AT_MOST = 12.0
# Type and measures are those for a label of 18294; a label with more room has everything larger in proportion.
_REFERENCE = 1.75 * 0.66 * INCH**2
_CORNER = 1.6
# The least room for a box label's text, wide enough for an id beside the code, high enough for four lines below it.
_BESIDE = 58.0
_BELOW = 34.0
# A label less wide than this many times its height has no room for text beside a mark or a code.
_WIDE = 1.6


class Tier(msgspec.Struct, frozen=True):
    """A rank of inscriptions or Monster labels: told by its mark and its word, and by colour only besides."""

    title: str
    mark: str
    colour: str


class Inscription(msgspec.Struct, frozen=True):
    """A label that goes on a player's card: a band with the tier's mark, the name, and what it does."""

    title: str
    effect: str
    tier: Tier

    def draw(self, ink: Ink, die: Box) -> None:
        with ink.enlarged(die, _scale(die)) as box:
            self._print(ink, box.inset(SAFE_MARGIN))

    def _print(self, ink: Ink, safe: Box) -> None:
        wide = _is_wide(safe)
        band, rest = safe.cut_left(_BAND, _GAP) if wide else safe.cut_top(_BAND, 1.0)
        ink.fill(band, self.tier.colour, _CORNER)
        mark, word = _told(self.tier, self.title)
        _centred(ink, band, mark, _MARK, WHITE)
        tag = fonts.measure(word, "bold", TAG) if wide else 0.0
        what, space = f"The name of “{self.title}”", rest.width - (tag + _GAP if wide else 0)
        title = fit(self.title, what, space, rest.height, TITLE, weight="bold", prefer="one line")
        ink.lines(rest.x, rest.top, title)
        if wide:
            ink.text(rest.right - tag, rest.top - title.rise, word, "bold", TAG, self.tier.colour)
        _, room = rest.cut_top(title.height)
        _effect(ink, room, self.title, self.effect)


class MonsterLabel(msgspec.Struct, frozen=True):
    """A label that goes on a Boss or Minion: its name in white on the tier's colour, its marks, and what it does."""

    title: str
    effect: str
    tier: Tier

    def draw(self, ink: Ink, die: Box) -> None:
        with ink.enlarged(die, _scale(die)) as box:
            self._print(ink, box.inset(SAFE_MARGIN))

    def _print(self, ink: Ink, safe: Box) -> None:
        head, room = safe.cut_top(_BAND + 1.5)
        ink.fill(head, self.tier.colour, _CORNER)
        inner = Box(head.x + _GAP, head.y, head.width - 2 * _GAP, head.height)
        mark, word = _told(self.tier, self.title)
        marks = fonts.measure(mark, "bold", NOTE)
        ink.text(inner.right - marks, _middle(head, NOTE), mark, "bold", NOTE, WHITE)
        space = inner.width - marks - _GAP
        if _is_wide(safe):
            width = fonts.measure(word, "bold", TAG)
            ink.text(inner.right - marks - 2 - width, _middle(head, TAG), word, "bold", TAG, WHITE)
            space -= width + 2
        what = f"The name of “{self.title}”"
        title = fit(self.title, what, space, head.height, TITLE, weight="bold", prefer="one line")
        _in_band(ink, head, inner.x, title)
        _effect(ink, room.cut_left(_GAP)[1], self.title, self.effect)


class BoxLabel(msgspec.Struct, frozen=True):
    """A label for a deck's box: the QR code of `payload`, the deck's name, notes such as its Glory, its id in print."""

    title: str
    shown_id: str
    payload: str
    notes: tuple[str, ...] = ()

    def draw(self, ink: Ink, die: Box) -> None:
        code = qr.symbol(self.payload)
        square, room = self._divide(die, code)
        if square.width / code.outer < qr.SMALLEST_MODULE:
            raise LabelError(
                f"The QR code of “{self.title}” would have modules of {square.width / code.outer / MM:.2f} mm on this "
                f"label, and phones need {qr.SMALLEST_MODULE / MM:.2f} mm; choose a larger stock."
            )
        ink.symbol(square, code)
        with ink.enlarged(room, _scale(die)) as box:
            self._print(ink, box)

    def _print(self, ink: Ink, room: Box) -> None:
        """The name, the notes below it, and the id somewhat apart, all in the middle of the room."""
        foot = self._line(f"The id of “{self.title}”", self.shown_id, room)
        notes = [self._line(f"The note “{note}” of “{self.title}”", note, room) for note in self.notes]
        free = room.height - foot.height - sum(note.height for note in notes)
        what = f"The name “{self.title}”"
        most = free - _LINE_GAP * (1 + len(notes))
        name = fit(self.title, what, room.width, most, NAME, weight="bold", prefer="one line")
        free -= name.height
        gap = min(_LINE_GAP_AT_MOST, free / (1 + len(notes)))
        free -= gap * len(notes)
        apart = min(_ID_GAP_AT_MOST, free)
        top = room.top - (free - apart) / 2
        for setting, below in zip((name, *notes), (*[gap] * len(notes), apart), strict=True):
            ink.lines(room.x, top, setting)
            top -= setting.height + below
        ink.lines(room.x, top, foot)

    def _line(self, what: str, text: str, room: Box) -> Setting:
        height = room.height / (2 + len(self.notes)) - _LINE_GAP
        return fit(text, what, room.width, height, NOTE, prefer="one line")

    def _divide(self, die: Box, code: qr.Symbol) -> tuple[Box, Box]:
        """The square of code and quiet zone, and the room for text: beside or below, where the code can be larger.

        The quiet zone may run through the safe margin, as it is paper without ink, but never beyond the die cut.
        """
        safe, scale = die.inset(SAFE_MARGIN), _scale(die)
        beside = min(die.height, safe.right - die.x - _BESIDE * scale)
        smallest = code.outer * qr.SMALLEST_MODULE
        below = min(die.width, max(safe.top - die.y - _BELOW * scale, min(smallest, safe.top - die.y)))
        if beside >= below:
            square = Box(die.x, die.y + (die.height - beside) / 2, beside, beside)
            quiet = qr.QUIET_ZONE * beside / code.outer
            # Name and id line up with the code where it is as high as the label.
            margin = quiet if beside == die.height else SAFE_MARGIN
            return square, Box(square.right, die.y + margin, safe.right - square.right, die.height - 2 * margin)
        square = Box(die.x + (die.width - below) / 2, die.top - below, below, below)
        return square, Box(safe.x, safe.y, safe.width, square.y - safe.y)


def _scale(die: Box) -> float:
    """How much larger than on the smallest common stock everything is drawn; never smaller."""
    return max(1.0, math.sqrt(die.width * die.height / _REFERENCE))


def _is_wide(safe: Box) -> bool:
    return safe.width >= _WIDE * safe.height


def _told(tier: Tier, title: str) -> tuple[str, str]:
    """A tier's mark and its word in capitals. Raises GlyphError, naming the label, if they cannot be printed."""
    mark, word = fonts.clean(tier.mark), fonts.clean(tier.title.upper())
    fonts.check(mark + word, f"The tier of “{title}”")
    return mark, word


def _middle(band: Box, size: float) -> float:
    """The baseline that centres capitals of `size` points in a band."""
    return band.y + (band.height - 0.69 * size) / 2


def _centred(ink: Ink, band: Box, text: str, size: float, colour: str) -> None:
    width = fonts.measure(text, "bold", size)
    ink.text(band.x + (band.width - width) / 2, _middle(band, size), text, "bold", size, colour)


def _in_band(ink: Ink, band: Box, x: float, setting: Setting) -> None:
    if len(setting.lines) == 1:
        ink.text(x, _middle(band, setting.size), setting.lines[0], "bold", setting.size, WHITE)
    else:
        ink.lines(x, band.top - (band.height - setting.height) / 2, setting, WHITE)


def _effect(ink: Ink, room: Box, title: str, effect: str) -> None:
    setting = fit(effect, f"The effect of “{title}”", room.width, room.height, EFFECT)
    ink.lines(room.x, room.top - (room.height - setting.height) / 2, setting)
