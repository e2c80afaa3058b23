"""Labels for a deck's box: its QR code beside or above readable text."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple

import msgspec

from labels import layout
from labels.drawing import qr, style
from labels.drawing.ink import BLACK, Ink
from labels.errors import LabelError
from labels.geometry import Box
from labels.paper.sheet import SAFE_MARGIN
from labels.typesetting import fonts
from labels.typesetting.text import SMALLEST, TextError, TextSetting, fit
from templates.languages.messages import phrase

_LINE_GAP = 0.75
_LINE_GAP_AT_MOST = 1.8
_HAIR = 0.25
"""Tolerance for shapes at the very edge of their room, which may come out a dot beyond it."""
_BELOW_NAME = 2.6
_ID_GAP_AT_MOST = 12.0
# The least room for a box label's text: wide enough for an id beside the code, high enough for four lines below it.
_BESIDE = 58.0
_BELOW = 34.0
# A note rarely wraps with this much room beside the code. A code with modules this many times the smallest can spare
# it.
_ROOMY = 64.0
_EASY = 1.3
# Room left beside and below a code on the smallest labels: for an id in groups of four, and for a name.
_CORNER = 17.0
_DECK_MODULES = 21
_BEFORE_WORD = 3.0
# Paper above and below a large figure, as a share of its size.
_AROUND = 0.2
# Tolerance for rounding errors in the size of a module.
_GRACE = 1e-6


class _Room(NamedTuple):
    """The room for text: one box, `centred` or not, or with a separate box `beside` the code for the id.

    `code` is the box of the modules of a code that stands beside all of the text.
    """

    text: Box
    centred: bool = False
    beside: Box | None = None
    code: Box | None = None

    def lines(self, ink: Ink, top: float, setting: TextSetting) -> None:
        """Draw a set text whose ink begins below `top`."""
        ink.lines(self.text.x, top, setting, centred=self.text.width if self.centred else 0.0)


class BoxLabel(msgspec.Struct, frozen=True):
    """A label for a deck's box: the QR code of `payload`, the deck's name, notes and its id in print.

    The smallest labels with room for a code leave the notes out. On others, notes that do not fit are shortened, unless
    it is not one that `shortens`: first the words between their marks, then the last of these are left out.
    """

    title: str
    shown_id: str
    payload: str
    notes: tuple[str, ...] = ()
    shortens: bool = True

    def draw(self, ink: Ink, die: Box) -> None:
        with _draw_code(ink, die, self.title, self.payload) as room:
            if room.beside is None:
                self._print(ink, room)
            else:
                _draw_small(ink, room.text, room.beside, self.title, self.title, self.shown_id)

    def _print(self, ink: Ink, room: _Room) -> None:
        """Draw the name, the notes below it, and the id a little apart, vertically centred.

        The text below the name shrinks before the name becomes as small as that text.
        """
        foot, above = self._set_text(room)
        if not self._print_beside(ink, room, foot, above):
            _draw_stack(ink, room, above, foot)

    def _set_text(self, room: _Room) -> tuple[TextSetting, tuple[TextSetting, ...]]:
        """Return the id, and the name with as much of the notes as fits."""
        for notes in _shorter_notes(self.notes) if self.shortens else ():
            with suppress(TextError):
                return self._set_notes(room, notes)
        return self._set_notes(room, () if self.shortens else self.notes)

    def _set_notes(self, room: _Room, texts: tuple[str, ...]) -> tuple[TextSetting, tuple[TextSetting, ...]]:
        def set_at(small: float) -> tuple[TextSetting, tuple[TextSetting, ...]]:
            foot, *notes = _fit_same_size(small, self._lines(room.text, texts))
            free = room.text.height - foot.height - sum(note.height for note in notes)
            name = _set_name(self.title, room.text.width, free - _LINE_GAP * (1 + len(notes)), style.NAME)
            if name.size <= small > SMALLEST:
                raise TextError(phrase("The name is no larger than what stands below it."))
            return foot, (name, *notes)

        return layout.first_fitting((style.NOTE, SMALLEST), set_at)

    def _print_beside(self, ink: Ink, room: _Room, foot: TextSetting, above: tuple[TextSetting, ...]) -> bool:
        """Align the name with the top of a code beside it and the id with its bottom, unless the name gets too small.

        Return True if they were drawn.
        """
        if room.code is None:
            return False
        name, *notes = above
        left = room.code.height - foot.height - sum(note.height + _BELOW_NAME for note in notes) - _BELOW_NAME
        if left <= 0:
            return False
        with suppress(TextError):
            name = _set_name(self.title, room.text.width, left, name.size)
            if name.size >= min(above[0].size, style.NAMED):
                # Capitals, not the highest letters, align with the top of the code.
                top = min(room.text.top - _HAIR, room.code.top + name.ascent - style.CAPITALS * name.size)
                for setting in (name, *notes):
                    room.lines(ink, top, setting)
                    top -= setting.height + _BELOW_NAME
                room.lines(ink, room.code.y + foot.ascent + (len(foot.lines) - 1) * foot.leading, foot)
                return True
        return False

    def _lines(self, room: Box, notes: tuple[str, ...]) -> list[Callable[[float], TextSetting]]:
        """Return functions that set the id and the notes in a given size, each on one line."""
        height = room.height / (2 + len(notes)) - _LINE_GAP
        texts = [(phrase("The id of “{label}”", label=self.title), self.shown_id)]
        texts += [(phrase("The note “{note}” of “{label}”", note=note, label=self.title), note) for note in notes]
        return [partial(fit, text, what, room.width, height, prefer="one line") for what, text in texts]


_BETWEEN = " · "
_LETTERS = (12, 8, 5)
"""The letters to which words of a note are cut, longest first."""


def _shorter_notes(notes: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield notes in full, then with shorter words before their figures, then without the last of their parts."""
    parts = [note.split(_BETWEEN) for note in notes]
    yield notes
    for most in _LETTERS:
        parts = [[_shorten_words(part, most) for part in note] for note in parts]
        yield tuple(map(_BETWEEN.join, parts))
    while any(len(note) > 1 for note in parts):
        parts = [note[: max(1, len(note) - 1)] for note in parts]
        yield tuple(_BETWEEN.join([*note, "…"]) for note in parts)
    yield ()


def _shorten_words(part: str, most: int) -> str:
    """Return a part of a note, such as `Wolves chased away 12`, with at most this many letters before its figure."""
    words, _, figure = part.rpartition(" ")
    return f"{words[: most - 1].rstrip()}… {figure}" if figure.isdecimal() and len(words) > most else part


class CountLabel(msgspec.Struct, frozen=True):
    """A label that updates a box: a large figure, its word, the owner's name and the code.

    The smallest labels with room for a code show figure and word in place of the name.
    """

    name: str
    word: str
    figure: int
    shown_id: str
    payload: str

    @property
    def title(self) -> str:
        return str(phrase("{word} {figure} of {deck}", word=self.word, figure=str(self.figure), deck=self.name))

    def draw(self, ink: Ink, die: Box) -> None:
        with _draw_code(ink, die, self.title, self.payload) as room:
            if room.beside is None:
                self._print(ink, room)
            else:
                _draw_small(ink, room.text, room.beside, self.title, f"{self.word} {self.figure}", self.shown_id)

    def _print(self, ink: Ink, room: _Room) -> None:
        text = room.text
        line = text.height / 4
        foot, name = _fit_same_size(
            style.NOTE,
            [
                partial(
                    fit,
                    self.shown_id,
                    phrase("The id of “{label}”", label=self.title),
                    text.width,
                    line,
                    prefer="one line",
                ),
                partial(
                    fit,
                    self.name,
                    phrase("The name “{name}”", name=self.name),
                    text.width,
                    0.47 * text.height,
                    prefer="one line",
                    before=style.NOTE - 0.5,
                ),
            ],
        )
        left = text.height - foot.height - name.height
        gap = min(_LINE_GAP_AT_MOST, max(_LINE_GAP, (left - (style.CAPITALS + _AROUND) * style.FIGURE) / 2))
        left -= 2 * gap
        self._count(ink, room, Box(text.x, text.top - left, text.width, left))
        room.lines(ink, text.y + foot.height + gap + name.height, name)
        room.lines(ink, text.y + foot.height, foot)

    def _count(self, ink: Ink, room: _Room, place: Box) -> None:
        """Draw the figure as large as possible, and its word beside it if that fits."""
        figure, tag = (
            str(self.figure),
            layout.printable_text(self.word.upper(), phrase("The word of “{label}”", label=self.title)),
        )
        most = min(style.FIGURE, place.height / (style.CAPITALS + _AROUND))
        size = layout.fitting_size(figure, phrase("The figure of “{label}”", label=self.title), place.width, most)
        width = fonts.measure(figure, "bold", size)
        beside = _BEFORE_WORD + fonts.measure(tag, "bold", style.TAG)
        has_tag = width + beside <= place.width
        x = place.x + ((place.width - width - (beside if has_tag else 0.0)) / 2 if room.centred else 0.0)
        baseline = place.top - max(0.0, (place.height - size * style.CAPITALS) / 3) - size * style.CAPITALS
        ink.text(x, baseline, figure, "bold", size, BLACK)
        if has_tag:
            ink.text(x + width + _BEFORE_WORD, baseline, tag, "bold", style.TAG, style.SOFT)


@contextmanager
def _draw_code(ink: Ink, die: Box, title: str, payload: str) -> Iterator[_Room]:
    """Draw the code and yield the room for text. Everything is drawn larger on a larger label.

    Raises LabelError if the label is too small for both.
    """
    code, scale = qr.symbol(payload), layout.scale(die)
    with ink.enlarge(die, scale) as box:
        square, room = _split_die(box, code.outer * qr.SMALLEST_MODULE / scale)
        module = square.width * scale / code.outer
        if module < qr.SMALLEST_MODULE - _GRACE:
            raise LabelError(
                phrase(
                    "The QR code of “{label}” would be too small on this label for phones to read; choose a larger "
                    "stock.",
                    label=title,
                )
                if code.side == _DECK_MODULES
                else phrase(
                    "The QR code of “{label}” would be too small on this label for phones to read; choose a larger "
                    "stock, or a shorter address.",
                    label=title,
                )
            )
        square = ink.fit_square(square, code.outer)
        ink.symbol(square, code)
        quiet = qr.QUIET_ZONE * square.width / code.outer
        yield room if room.centred or room.beside else room._replace(code=square.inset(quiet))


def has_room(die: Box) -> bool:
    """Return True if a label of this size has room for the code of a deck."""
    scale = layout.scale(die)
    smallest = (_DECK_MODULES + 2 * qr.QUIET_ZONE) * qr.SMALLEST_MODULE / scale
    return _split_die(Box(0, 0, die.width / scale, die.height / scale), smallest)[0].width >= smallest - _GRACE


def _split_die(die: Box, smallest: float) -> tuple[Box, _Room]:
    """Return the square of the code with its quiet zone, at least `smallest` points wide, and the room for text.

    The text stands beside or below the code, whichever allows a larger code; on the smallest labels it does both. The
    quiet zone may overlap the safe margin, as it is blank paper, but never crosses the die cut.
    """
    safe = die.inset(SAFE_MARGIN)
    across = safe.right - die.x
    beside = min(die.height, across - _BESIDE, max(across - _ROOMY, _EASY * smallest))
    below = min(die.width, max(safe.top - die.y - _BELOW, min(smallest, safe.top - die.y)))
    corner = min(safe.right - die.x, safe.top - die.y) - _CORNER
    if beside >= below:
        square = Box(die.x, die.y + (die.height - beside) / 2, beside, beside)
        return square, _Room(Box(square.right, safe.y, safe.right - square.right, safe.height))
    if safe.top - die.y - below >= _BELOW or corner < smallest:
        square = Box(die.x + (die.width - below) / 2, die.top - below, below, below)
        return square, _Room(Box(safe.x, safe.y, safe.width, square.y - safe.y), centred=True)
    square = Box(die.x, die.top - corner, corner, corner)
    column = Box(square.right, square.y, safe.right - square.right, safe.top - square.y)
    return square, _Room(Box(safe.x, safe.y, safe.width, square.y - safe.y), beside=column)


def _set_name(name: str, width: float, height: float, size: float) -> TextSetting:
    what = phrase("The name “{name}”", name=name)
    return fit(name, what, width, height, size, weight="bold", prefer="one line", before=style.NAMED)


def _fit_same_size(most: float, lines: Sequence[Callable[[float], TextSetting]]) -> list[TextSetting]:
    """Set lines in one size: the largest up to `most` that suits every line."""
    settings = [line(most) for line in lines]
    size = min(setting.size for setting in settings)
    return [setting if setting.size == size else line(size) for setting, line in zip(settings, lines, strict=True)]


def _draw_small(ink: Ink, below: Box, beside: Box, title: str, caption: str, shown_id: str) -> None:
    """Draw a name below the code and the id beside it, as on the smallest labels."""
    id_setting = fit(
        shown_id.replace("-", "\n"),
        phrase("The id of “{label}”", label=title),
        beside.width,
        beside.height,
        style.NOTE,
        prefer="one line",
    )
    ink.lines(beside.x, beside.top - (beside.height - id_setting.height) / 2, id_setting)
    setting = _set_name(caption, below.width, below.height, style.NAMED)
    ink.lines(below.x, below.top - (below.height - setting.height) / 2, setting)


def _draw_stack(ink: Ink, room: _Room, settings: tuple[TextSetting, ...], foot: TextSetting) -> None:
    """Draw lines below one another and a foot a little apart from them, vertically centred in the room."""
    text = room.text
    free = text.height - foot.height - sum(setting.height for setting in settings)
    gap = min(_LINE_GAP_AT_MOST, free / len(settings))
    free -= gap * (len(settings) - 1)
    apart = min(_ID_GAP_AT_MOST, 2 * free / 3)
    top = text.top - (free - apart) / 2
    for setting, below in zip(settings, (*[gap] * (len(settings) - 1), apart), strict=True):
        room.lines(ink, top, setting)
        top -= setting.height + below
    room.lines(ink, top, foot)
