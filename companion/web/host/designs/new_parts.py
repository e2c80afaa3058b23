"""New parts of a design: the kinds that one click adds, what each shows at first, and room for it on the label."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from heapq import nlargest
from typing import Final, NamedTuple

import msgspec

from companion.web.host.designs.design_desk import DesignTable
from labels import template
from labels.designs.parts import CodePart, FillPart, FramePart, TextPart
from labels.drawing.null_ink import NullInk
from labels.editing import frames
from labels.editing.boxes import Frame
from labels.editing.editor import Editor
from labels.editing.values import Value
from labels.errors import LabelError
from labels.geometry import MM
from labels.typesetting.text import SMALLEST
from templates.languages.messages import Text, phrase_in

KIND_TITLES: Final[Mapping[str, Text]] = {
    "text": phrase_in("part of a label", "Text"),
    "code": phrase_in("part of a label", "Code"),
    "barcode": phrase_in("part of a label", "Barcode"),
    "picture": phrase_in("part of a label", "Picture"),
    "line": phrase_in("part of a label", "Line"),
    "fill": phrase_in("part of a label", "Area of colour"),
    "circle": phrase_in("part of a label", "Circle"),
    "frame": phrase_in("part of a label", "Frame"),
    "ring": phrase_in("part of a label", "Ring"),
}
"""The parts that can be added, by name. Some are others with further keys: a line is a low area of colour."""


class _Start(NamedTuple):
    """The start of a new part: its kind in the file, further keys, and the column that it shows without a table."""

    kind: str
    values: Mapping[str, Value] = {}
    field: str = ""


_ROUND: Final[Mapping[str, Value]] = {"corner": 100}
"""A radius beyond that of any label makes a square round, also after it was made larger."""
_STARTS: Final[Mapping[str, _Start]] = {
    "text": _Start("text", field="name"),
    "code": _Start("code", field="code"),
    "barcode": _Start("code", {"symbology": "ean13", "figures": True}, "ean"),
    "picture": _Start("picture", field="picture"),
    "line": _Start("fill"),
    "fill": _Start("fill"),
    "circle": _Start("fill", _ROUND),
    "frame": _Start("frame"),
    "ring": _Start("frame", _ROUND),
}
_NEW_COLOUR: Final = "#2B2F36"
_STEPS: Final = 24
"""The places across and down in which room for a new part is sought."""
_LEAST_CODE: Final = 14 * MM
_BARCODE_WIDTH: Final = 31 * MM
"""An EAN-13 of the smallest size, with the white beside it."""
_LEAST_BARS: Final = 9 * MM
_GAP: Final = 1 * MM
_NARROW: Final = 40 * MM
_LEAST_TEXT: Final = 8 * MM
"""A text is not made narrower than this for the sake of a code."""
_LEAST_HEIGHT: Final = 3 * MM
_TEXT_STEPS: Final = 30
"""The heights that are tried for a text with much to say, each a millimetre more than the one before."""
_GOOD_SIZE: Final = 7.0
"""A text is made larger until its rows can be read well at arm's length, in points."""
_TRIED_ROWS: Final = 5
_BACKGROUND: Final = 0.5
"""An area of colour that takes more than this share of a label is behind its other parts."""
_PICTURE_FILE: Final = re.compile(r".+\.(png|jpe?g|svg|webp|gif|bmp|tiff?)", re.IGNORECASE)
_NUMBER_OF_GOODS: Final = re.compile(r"[\d -]{8,20}", re.ASCII)
_DAY: Final = re.compile(r"\d{1,4}[-. ]\d{1,2}[-. ]\d{1,4}", re.ASCII)
_ADDRESS: Final = re.compile(r"\w{2,8}:\S+")
_LOOKS: Final[Mapping[str, Callable[[str], object]]] = {
    "code": _ADDRESS.fullmatch,
    "barcode": lambda cell: is_number_of_goods([cell]),
    "picture": _PICTURE_FILE.fullmatch,
}
"""The looks of cells that suit a kind of part; a text takes any column that suits none of these."""


def add_part(editor: Editor, kind: str, table: DesignTable | None, *, column: str = "", at: Frame | None = None) -> int:
    """Add a part of a kind where there is room, and return its id. Raises LabelError.

    It shows a column, by default one of the table that suits it and is on no part yet. A text lies around
    `at` if possible.
    """
    start = _STARTS[kind]
    field = column or (_choose_field(editor, kind, start.field, table) if start.field else "")
    source = f"{{{field}}}" if field else _NEW_COLOUR

    def add(frame: Frame) -> int:
        return editor.add_part(start.kind, source, frame, values=start.values)

    part = _add_text(editor, source, table, at) if kind == "text" else None
    if part is not None:
        return part
    frame = find_room(editor, kind)
    if frame is not None:
        return add(frame)
    with editor.one_change():
        return add(_make_room(editor, kind))


def find_room(editor: Editor, kind: str) -> Frame | None:
    """Return a frame for a part where it covers no other, or at least no code. Return None if there is no such room."""
    design, die = editor.design, editor.die
    inner = frames.label_frame(design, die)
    pairs = list(zip(design.parts, frames.find_frames(design, die), strict=True))
    codes = [frame for part, frame in pairs if isinstance(part, CodePart)]
    others = _list_obstacles(editor)
    if kind in ("frame", "ring") and _is_round(editor):
        # Around all of a round label it is a ring.
        return Frame(0, 0, die.around.width, die.around.height)
    if kind == "frame":
        return inner
    if kind == "line":
        return _find_line(inner, others)
    for taken in (others,) if kind in ("code", "barcode") else (others, codes):
        for scale in (1.0, 0.7, 0.5):
            for frame in _list_places(inner, *_new_size(kind, inner, scale)):
                if not any(_overlap(frame, other) for other in taken):
                    return frame
    return None


def _is_round(editor: Editor) -> bool:
    """Return True if the parts lie on the whole of a round label."""
    return editor.stock.die.shape == "ellipse" and editor.design.spans_round


def _make_room(editor: Editor, kind: str) -> Frame:
    """Return a frame for a part where there is no room for it: for a code, others are made narrower."""
    inner = frames.label_frame(editor.design, editor.die)
    width, height = _new_size(kind, inner, 0.5)
    frame = Frame(inner.left + (inner.width - width) / 2, inner.top + (inner.height - height) / 2, width, height)
    if kind not in ("code", "barcode"):
        return frame
    frame = frame._replace(left=inner.right - width)
    end = frame.left - _GAP
    for part, each in zip(editor.parts, editor.design.parts, strict=True):
        old = editor.frame(part)
        if isinstance(each, TextPart) and _overlap(old, frame) and end - old.left >= _LEAST_TEXT:
            editor.place_part(part, old._replace(width=end - old.left))
    return frame


def _find_line(inner: Frame, others: list[Frame]) -> Frame:
    """Return a frame for a line: below all parts if there is room, else as near to that as possible."""
    wanted = max((other.bottom for other in others), default=inner.top) + _GAP
    spaced = [other._replace(top=other.top - _GAP, height=other.height + 2 * _GAP) for other in others]
    for taken in (spaced, others, []):
        for scale in (1.0, 0.7, 0.5):
            size = _new_size("line", inner, scale)
            for frame in sorted(_list_places(inner, *size), key=lambda each: (abs(each.top - wanted), each.left)):
                if not any(_overlap(frame, other) for other in taken):
                    return frame
    raise AssertionError(inner)


def _list_obstacles(editor: Editor, at: Frame | None = None) -> list[Frame]:
    """Return the frames that a new part must not cover: no background, on which all others lie or which `at` is on."""
    design, die = editor.design, editor.die
    inner = frames.label_frame(design, die)
    obstacles = []
    for part, frame in zip(design.parts, frames.find_frames(design, die), strict=True):
        is_large = frame.width * frame.height > _BACKGROUND * inner.width * inner.height
        is_under = at is not None and min(frame.width, frame.height) > _LEAST_HEIGHT and _holds(frame, at)
        if not isinstance(part, FramePart) and not (isinstance(part, FillPart) and (is_large or is_under)):
            obstacles.append(frame)
    return obstacles


def _holds(frame: Frame, at: Frame) -> bool:
    return frame.left <= at.left <= frame.right and frame.top <= at.top <= frame.bottom


def _add_text(editor: Editor, source: str, table: DesignTable | None, at: Frame | None) -> int | None:
    """Add a text where it covers no other part, large enough for its rows. Return None if there is no such room."""
    groups = [_list_text_frames(editor, None)] if at is None else [_list_frames_at(editor, at)]
    groups += [_list_text_frames(editor, at)] if at is not None else []
    part, first, small = None, None, None
    values: Mapping[str, Value] = {"align": "centre"} if _is_round(editor) else {}
    with editor.one_change():
        for group in groups:
            for frame in group:
                try:
                    if part is None:
                        part = editor.add_part("text", source, frame, values=values)
                    else:
                        editor.place_part(part, frame)
                except LabelError:
                    continue
                first = first or frame
                if _fits(editor, part, table, _GOOD_SIZE):
                    return part
                if small is None and _fits(editor, part, table, SMALLEST):
                    small = frame
            if part is not None and small is not None:
                break
        if part is not None and (frame_left := small or first) is not None:
            editor.place_part(part, frame_left)
    return part


def _fits(editor: Editor, part: int, table: DesignTable | None, size: float) -> bool:
    """Return True if a text can show the longest rows of a table at a size in points."""
    design, die, position = editor.design, editor.die, editor.position(part)
    text = design.parts[position]
    if table is None or not isinstance(text, TextPart):
        return True
    words = nlargest(_TRIED_ROWS, {text.fill(row) for row in table.rows}, key=len)
    sized = msgspec.structs.replace(text, size=(size, size))
    try:
        room = design.rooms(die)[position]
        for each in filter(None, words):
            sized.draw(NullInk(), room, die.around if design.spans_round else die, each)
    except LabelError:
        return False
    return True


def _list_text_sizes(inner: Frame) -> Iterator[tuple[float, float]]:
    """Yield the usual size of a text, then the whole width with more and more lines."""
    width, height = _new_size("text", inner, 1.0)
    yield width, height
    for step in range(_TEXT_STEPS):
        if (taller := height + step * MM) <= inner.height:
            yield inner.width, taller


def _list_text_frames(editor: Editor, at: Frame | None) -> Iterator[Frame]:
    """Yield free frames for a text, one of each size: the first one, or that nearest to a place."""
    inner, others = frames.label_frame(editor.design, editor.die), _list_obstacles(editor, at)
    small = (_new_size("text", inner, scale) for scale in (0.7, 0.5))
    for size in (*_list_text_sizes(inner), *small):
        places: Iterable[Frame] = _list_places(inner, *size)
        if at is not None:
            places = sorted(places, key=partial(_distance, at.move(-size[0] / 2, -size[1] / 2)))
        free = (frame for frame in places if not any(_overlap(frame, other) for other in others))
        if (frame := next(free, None)) is not None:
            yield frame


def _list_frames_at(editor: Editor, at: Frame) -> Iterator[Frame]:
    """Yield frames for a text that was dropped at a place: around it, and not beyond other parts."""
    inner, others = frames.label_frame(editor.design, editor.die), _list_obstacles(editor, at)
    for size in _list_text_sizes(inner):
        frame = _fit_at(inner, others, at, *size)
        if frame is not None:
            yield frame


def _fit_at(inner: Frame, others: Iterable[Frame], at: Frame, width: float, height: float) -> Frame | None:
    """Return a frame of at most this size around a place, or None if others leave too little room there."""
    middle = min(max(at.top, inner.top), inner.bottom)
    beside = [other for other in others if other.top < middle < other.bottom]
    start = max([inner.left, *(other.right + _GAP for other in beside if other.right <= at.left)])
    end = min([inner.right, *(other.left - _GAP for other in beside if other.left >= at.left)])
    width = min(width, end - start)
    left = min(max(start, at.left - width / 2), end - width)
    near = [other for other in others if other.left < left + width and other.right > left]
    top = max([inner.top, *(other.bottom for other in near if other.top + other.bottom <= 2 * middle)])
    bottom = min([inner.bottom, *(other.top for other in near if other.top + other.bottom > 2 * middle)])
    height = min(height, bottom - top)
    if width < min(_LEAST_TEXT, inner.width) or height < _LEAST_HEIGHT:
        return None
    return Frame(left, min(max(top, middle - height / 2), bottom - height), width, height)


def _list_places(inner: Frame, width: float, height: float) -> Iterator[Frame]:
    """Yield frames of a size all over a label, from the left and the top."""
    for down in range(_STEPS + 1):
        for right in range(_STEPS + 1):
            left = inner.left + (inner.width - width) * right / _STEPS
            yield Frame(left, inner.top + (inner.height - height) * down / _STEPS, width, height)


def _new_size(kind: str, inner: Frame, scale: float) -> tuple[float, float]:
    """Return the width and height of a new part, in steps of half a millimetre."""
    side = min(inner.width, inner.height)
    sizes = {
        "text": _text_size(inner, scale),
        "code": (max(_LEAST_CODE, side * 0.4 * scale),) * 2,
        "barcode": (max(_BARCODE_WIDTH, inner.width * 0.5 * scale), max(_LEAST_BARS, inner.height * 0.3 * scale)),
        "picture": (side * 0.4 * scale, side * 0.4 * scale),
        "line": (inner.width * 0.5 * scale, 0.5 * MM),
        "fill": (inner.width * 0.3 * scale, inner.height * 0.2 * scale),
        "circle": (side * 0.3 * scale, side * 0.3 * scale),
        "ring": (side * 0.3 * scale, side * 0.3 * scale),
        "frame": (inner.width, inner.height),
    }
    width, height = (max(0.5 * MM, int(length / MM * 2) / 2 * MM) for length in sizes[kind])
    return min(width, inner.width), min(height, inner.height)


def _text_size(inner: Frame, scale: float) -> tuple[float, float]:
    """Return the size of a new text, which has the whole width and more lines on a narrow label."""
    is_narrow = inner.width < _NARROW
    width, height = (inner.width, 0.4) if is_narrow else (inner.width * 0.5 * scale, 0.2)
    return width, max(inner.height * height * scale, 4 * MM)


def _overlap(one: Frame, other: Frame) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 0 and min(one.bottom, other.bottom) - max(one.top, other.top) > 0


def _choose_field(editor: Editor, kind: str, usual: str, table: DesignTable | None) -> str:
    """Return the field of a new part: a column of the table that no part shows yet, else a name that is free."""
    used = set(editor.design.columns)
    if table is not None:
        free = [column for column in table.columns if template.normalize_field(column) not in used]
        column = next((each for each in free if _suits(kind, each, table)), None)
        if column is not None:
            return column
    if kind != "text" or usual not in used:
        return usual
    return next(name for name in _number_names("text") if name not in used)


def _suits(kind: str, column: str, table: DesignTable) -> bool:
    """Return True if a part of this kind is likely to show a column, by its cells."""
    cells = [cell.strip() for row in table.rows if (cell := row.get(template.normalize_field(column), "")).strip()]
    if kind in _LOOKS:
        return bool(cells) and all(map(_LOOKS[kind], cells))
    return not cells or not any(all(map(looks, cells)) for looks in _LOOKS.values())


def _number_names(name: str) -> Iterable[str]:
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1


def is_number_of_goods(cells: Iterable[str]) -> bool:
    """Return True if all cells that are not empty have the digits of an article, which are no quantity."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(map(_NUMBER_OF_GOODS.fullmatch, filled)) and not any(map(_DAY.fullmatch, filled))


def refit_code(editor: Editor, part: int, values: Mapping[str, Value | None], kind: str) -> None:
    """Change the kind of a code. If its box is too small for it, it gets one for which there is room.

    Raises LabelError, and nothing is changed then.
    """
    try:
        editor.set_keys(part, values)
    except LabelError:
        inner, old = frames.label_frame(editor.design, editor.die), editor.frame(part)
        others = [editor.frame(each) for each in editor.parts if each != part]
        for scale in (1.0, 0.7, 0.5):
            size = _new_size(kind, inner, scale)
            places = sorted(_list_places(inner, *size), key=lambda frame: _distance(frame, old))
            place = next((each for each in places if not any(_overlap(each, other) for other in others)), None)
            if place is not None:
                editor.set_keys(part, values, place)
                return
        raise


def _distance(one: Frame, other: Frame) -> float:
    return abs(one.left - other.left) + abs(one.top - other.top)
