"""Labels that go on a deck's box: its QR code beside or above what people read of it."""

import msgspec

from labels import fonts, layout, qr, style
from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.ink import BLACK, Ink
from labels.label import SAFE_MARGIN
from labels.text import Setting, fit

_LINE_GAP = 0.5
_LINE_GAP_AT_MOST = 1.8
_ID_GAP_AT_MOST = 12.0
# The least room for a box label's text, wide enough for an id beside the code, high enough for four lines below it.
_BESIDE = 58.0
_BELOW = 34.0


class BoxLabel(msgspec.Struct, frozen=True):
    """A label for a deck's box: the QR code of `payload`, the deck's name, some notes, its id in print."""

    title: str
    shown_id: str
    payload: str
    notes: tuple[str, ...] = ()

    def draw(self, ink: Ink, die: Box) -> None:
        room = _code(ink, die, self.title, self.payload)
        with ink.enlarged(room, layout.scale(die)) as box:
            self._print(ink, box)

    def _print(self, ink: Ink, room: Box) -> None:
        """The name, the notes below it, and the id somewhat apart, all in the middle of the room."""
        foot = self._line(f"The id of “{self.title}”", self.shown_id, room)
        notes = [self._line(f"The note “{note}” of “{self.title}”", note, room) for note in self.notes]
        free = room.height - foot.height - sum(note.height for note in notes)
        what = f"The name “{self.title}”"
        most = free - _LINE_GAP * (1 + len(notes))
        name = fit(self.title, what, room.width, most, style.NAME, weight="bold", prefer="one line")
        _stack(ink, room, (name, *notes), foot)

    def _line(self, what: str, text: str, room: Box) -> Setting:
        height = room.height / (2 + len(self.notes)) - _LINE_GAP
        return fit(text, what, room.width, height, style.NOTE, prefer="one line")


class CountLabel(msgspec.Struct, frozen=True):
    """A label that brings a box up to date: a large figure, its word, whose it is, and the proof."""

    name: str
    word: str
    figure: int
    shown_id: str
    payload: str

    @property
    def title(self) -> str:
        return f"{self.word} {self.figure} of {self.name}"

    def draw(self, ink: Ink, die: Box) -> None:
        room = _code(ink, die, self.title, self.payload)
        with ink.enlarged(room, layout.scale(die)) as box:
            self._print(ink, box)

    def _print(self, ink: Ink, room: Box) -> None:
        line = room.height / 4 - _LINE_GAP
        foot = fit(self.shown_id, f"The id of “{self.title}”", room.width, line, style.NOTE, prefer="one line")
        name = fit(self.name, f"The name “{self.name}”", room.width, 0.47 * room.height, style.NOTE, prefer="one line")
        left = room.height - foot.height - name.height - 2 * _LINE_GAP
        size = min(style.FIGURE, left / (style.CAPITALS + 0.08))
        figure, tag = str(self.figure), layout.printable(self.word.upper(), f"The word of “{self.title}”")
        width = fonts.measure(figure, "bold", size)
        top = room.top - max(0.0, (left - size * style.CAPITALS) / 3)
        baseline = top - size * style.CAPITALS
        ink.text(room.x, baseline, figure, "bold", size, BLACK)
        if width + 3 + fonts.measure(tag, "bold", style.TAG) <= room.width:
            ink.text(room.x + width + 3, baseline, tag, "bold", style.TAG, style.SOFT)
        ink.lines(room.x, room.y + foot.height + name.height + _LINE_GAP, name)
        ink.lines(room.x, room.y + foot.height, foot)


def _code(ink: Ink, die: Box, title: str, payload: str) -> Box:
    """Draws the code and gives the room for text. Raises LabelError where the label is too small for both."""
    code = qr.symbol(payload)
    square, room = _divide(die, code)
    if square.width / code.outer < qr.SMALLEST_MODULE:
        raise LabelError(
            f"The QR code of “{title}” would have modules of {square.width / code.outer / MM:.2f} mm on this "
            f"label, and phones need {qr.SMALLEST_MODULE / MM:.2f} mm; choose a larger stock."
        )
    ink.symbol(square, code)
    return room


def _divide(die: Box, code: qr.Symbol) -> tuple[Box, Box]:
    """The square of code and quiet zone, and the room for text: beside or below, where the code can be larger.

    The quiet zone may run through the safe margin, as it is paper without ink, but never beyond the die cut.
    """
    safe, scale = die.inset(SAFE_MARGIN), layout.scale(die)
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


def _stack(ink: Ink, room: Box, settings: tuple[Setting, ...], foot: Setting) -> None:
    """Lines below one another, and one for the foot somewhat apart from them, all in the middle of the room."""
    free = room.height - foot.height - sum(setting.height for setting in settings)
    gap = min(_LINE_GAP_AT_MOST, free / len(settings))
    free -= gap * (len(settings) - 1)
    apart = min(_ID_GAP_AT_MOST, free)
    top = room.top - (free - apart) / 2
    for setting, below in zip(settings, (*[gap] * (len(settings) - 1), apart), strict=True):
        ink.lines(room.x, top, setting)
        top -= setting.height + below
    ink.lines(room.x, top, foot)
