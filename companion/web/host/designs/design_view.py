"""What the page of a design shows: its label, its parts, and a form for the selected part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from companion.web.host.designs.design_desk import OpenDesign
from labels.designs.own import Design
from labels.designs.parts import (
    ROLES,
    SYMBOLOGIES,
    BarcodePart,
    CodePart,
    FillPart,
    FramePart,
    Part,
    PicturePart,
    TextPart,
)
from labels.editing import frames
from labels.editing.boxes import Frame
from labels.editing.editor import Editor
from labels.editing.frames import Edge
from labels.geometry import MM, UNITS, Box
from templates.languages.messages import Text, phrase, phrase_in

AROUND: Final = 4.0
"""Points of paper around a label in its picture, as `specimen_page` draws it."""
KIND_TITLES: Final[Mapping[str, Text]] = {
    "text": phrase_in("part of a label", "Text"),
    "code": phrase_in("part of a label", "Code"),
    "picture": phrase_in("part of a label", "Picture"),
    "line": phrase_in("part of a label", "Line"),
    "fill": phrase_in("part of a label", "Area of colour"),
    "frame": phrase_in("part of a label", "Frame"),
}
"""The parts that can be added, by name; a line is a low area of colour."""
EDGE_TITLES: Final[Mapping[Edge, Text]] = {
    "left": phrase("Left edges"),
    "centre": phrase("Centres"),
    "right": phrase("Right edges"),
    "top": phrase("Top edges"),
    "middle": phrase("Middles"),
    "bottom": phrase("Bottom edges"),
}
_ROLE_TITLES: Final[Mapping[str, Text]] = {
    "title": phrase("title: bold, on one line if possible"),
    "text": phrase("text"),
    "small": phrase("small text"),
    "figure": phrase("figure: large and bold"),
}
_ACROSS: Final[Mapping[str, Text]] = {
    "": phrase("as usual"),
    "left": phrase_in("alignment", "left"),
    "centre": phrase_in("alignment", "centre"),
    "right": phrase_in("alignment", "right"),
}
_DOWN: Final[Mapping[str, Text]] = {
    "": phrase("as usual"),
    "top": phrase_in("alignment", "top"),
    "middle": phrase_in("alignment", "middle"),
    "bottom": phrase_in("alignment", "bottom"),
}
_BOLD: Final[Mapping[str, Text]] = {"": phrase("as usual"), "yes": phrase("yes"), "no": phrase("no")}
_TURNS: Final[Mapping[str, Text]] = {"0": phrase("not turned"), "90": "90°", "180": "180°", "270": "270°"}
_STEPS: Final = 24
"""The places across and down in which room for a new part is sought."""
_LEAST_CODE: Final = 14 * MM
_DECIMALS: Final = {"mm": 2, "in": 3}


class Choice(NamedTuple):
    """A choice of a field."""

    value: str
    title: Text


class Field(NamedTuple):
    """A field of a form: `kind` is text, lines, number, choice, switch or colour."""

    name: str
    title: Text
    kind: str
    value: str
    choices: tuple[Choice, ...] = ()
    unit: str = ""


class PartRow(NamedTuple):
    """A part in the list: its id, its position from 1, its kind, its source, and its frame in points."""

    part: int
    number: int
    kind: Text
    source: str
    frame: Frame
    area: Frame
    is_selected: bool


class DesignView(NamedTuple):
    """The content of the page.

    Lengths of the drawing are in points, those of the form in the unit of the file, of `unit_points` points.
    """

    name: str
    title: Text
    own: bool
    is_stored: bool
    fits: bool
    can_undo: bool
    can_redo: bool
    stock: Text
    width: float
    height: float
    guides: frames.Guides
    parts: tuple[PartRow, ...]
    selected: PartRow | None
    fields: tuple[Field, ...]
    settings: tuple[Field, ...]
    columns: tuple[str, ...]
    rows: int
    row: int
    cells: tuple[tuple[str, str], ...]
    remarks: tuple[Text, ...]
    version: str
    fault: Text
    unit: str
    unit_points: float

    @property
    def ids(self) -> str:
        """The position in the page's address."""
        return f"part={self.selected.part if self.selected else ''}&row={self.row}"


def read_view(opened: OpenDesign, part: int, row: int) -> DesignView:
    """Return the page of a design with a part selected, and a row of its table. Raises LabelError."""
    editor, table = opened.editor, opened.table
    die = editor.die
    part = part if part in editor.parts else editor.parts[0]
    row = min(max(1, row), len(table.rows)) if table else 0
    rows = tuple(_list_parts(editor, die, part))
    selected = next(each for each in rows if each.is_selected)
    unit = read_unit(editor)
    return DesignView(
        name=opened.name,
        title=editor.design.caption,
        own=opened.own,
        is_stored=opened.is_stored,
        fits=editor.fits,
        can_undo=editor.can_undo,
        can_redo=editor.can_redo,
        stock=editor.stock.caption,
        width=die.around.width,
        height=die.around.height,
        guides=frames.find_guides(editor.design, die),
        parts=rows,
        selected=selected,
        fields=tuple(list_fields(editor, part)),
        settings=tuple(list_settings(editor)),
        columns=table.columns if table else (),
        rows=len(table.rows) if table else 0,
        row=row,
        cells=tuple((column, table.rows[row - 1].get(column, "")) for column in table.columns) if table else (),
        remarks=table.remarks if table else (),
        version=opened.version(row),
        fault=opened.find_fault(row),
        unit=unit,
        unit_points=UNITS[unit],
    )


def read_unit(editor: Editor) -> str:
    """Return the unit of a design's lengths."""
    return str(editor.value(None, "unit") or "mm")


def _list_parts(editor: Editor, die: Box, selected: int) -> Iterator[PartRow]:
    design = editor.design
    boxes, areas = frames.find_frames(design, die), frames.find_areas(design, die)
    for number, (part, each) in enumerate(zip(editor.parts, design.parts, strict=True)):
        kind = KIND_TITLES[each.kind]
        yield PartRow(part, number + 1, kind, _source(each), boxes[number], areas[number], part == selected)


def _source(part: Part) -> str:
    return part.colour if isinstance(part, FillPart | FramePart) else part.source


def list_fields(editor: Editor, part: int) -> Iterator[Field]:
    """Yield the fields of a part, as they are displayed."""
    each, unit = editor.design.parts[editor.position(part)], read_unit(editor)
    yield from _source_fields(each, str(editor.value(part, each.kind)))
    titles = (phrase("From the left"), phrase("From the top"), phrase("Width"), phrase("Height"))
    for name, title, length in zip(Frame._fields, titles, editor.frame(part), strict=True):
        yield Field(name, title, "number", write_length(length, unit), unit=unit)
    if isinstance(each, FillPart | FramePart):
        yield from _area_fields(each, unit)
        return
    if isinstance(each, TextPart):
        yield from _text_fields(each)
    if isinstance(each, BarcodePart):
        yield _switch("figures", phrase("Content printed below the bars"), is_on=each.figures)
    across, down = _read_align(editor, part)
    yield Field("across", phrase("Aligned across"), "choice", across, _choices(_ACROSS))
    yield Field("down", phrase("Aligned up and down"), "choice", down, _choices(_DOWN))
    yield Field("rotate", phrase("Turned clockwise"), "choice", str(each.quarters * 90), _choices(_TURNS))


def _source_fields(part: Part, source: str) -> Iterator[Field]:
    match part:
        case TextPart():
            title = phrase("Text; {braces} are filled from the table", braces="{…}")
            yield Field("source", title, "lines", source)
        case CodePart():
            yield Field("source", phrase("Content of the code"), "lines", source)
            names = tuple(Choice(name, symbology.title) for name, symbology in SYMBOLOGIES.items())
            yield Field("symbology", phrase("Kind of code"), "choice", part.symbology, names)
        case PicturePart():
            title = phrase("File of the picture, or the column with it")
            yield Field("source", title, "text", source)
        case FillPart() | FramePart():
            yield Field("source", phrase("Colour"), "colour", source.lower())


def _area_fields(part: FillPart | FramePart, unit: str) -> Iterator[Field]:
    yield Field("corner", phrase("Radius of the corners"), "number", write_length(part.corner, unit), unit=unit)
    if isinstance(part, FillPart):
        yield _switch("bleed", phrase("Extends to the edge of the label"), is_on=part.bleed)
    else:
        yield Field("line", phrase("Thickness of the line"), "number", write_length(part.line, unit), unit=unit)


def _text_fields(text: TextPart) -> Iterator[Field]:
    roles = {name: _ROLE_TITLES.get(name, name) for name in ROLES}
    yield Field("role", phrase("Purpose"), "choice", text.role, _choices(roles))
    least, most = (f"{size:g}" for size in text.size) if text.size else ("", "")
    yield Field("least", phrase("Smallest size; empty for the usual one"), "number", least, unit="pt")
    yield Field("most", phrase("Largest size; empty for the usual one"), "number", most, unit="pt")
    yield Field("colour", phrase("Colour"), "colour", text.colour.lower())
    bold = {True: "yes", False: "no", None: ""}[text.bold]
    yield Field("bold", phrase("Bold"), "choice", bold, _choices(_BOLD))
    yield _switch("italic", phrase("Italic"), is_on=text.italic)
    yield _switch("vertical", phrase("In columns from top to bottom"), is_on=text.vertical)


def list_settings(editor: Editor) -> Iterator[Field]:
    """Yield the fields of the design as a whole."""
    design: Design = editor.design
    areas = {"": phrase("as usual"), "label": phrase("the whole label"), "inside": phrase("the largest box inside")}
    unit = read_unit(editor)
    yield Field("title", phrase("Title"), "text", str(editor.value(None, "title") or ""))
    yield Field("stock", phrase("Labels (stock)"), "stock", design.stock)
    yield Field("margin", phrase("Margin without ink"), "number", write_length(design.margin, unit), unit=unit)
    yield Field("language", phrase("Language of the texts, as de or fr-CA"), "text", design.language)
    yield Field("area", phrase("Lengths on round labels begin at"), "choice", design.area or "", _choices(areas))


def write_length(points: float, unit: str) -> str:
    """Format a length in points as a number of a form."""
    number = f"{points / UNITS[unit]:.{_DECIMALS[unit]}f}".rstrip("0").rstrip(".")
    return "0" if number in ("-0", "") else number


def _read_align(editor: Editor, part: int) -> tuple[str, str]:
    words = str(editor.value(part, "align") or "").split()
    across = next((word for word in words if word in _ACROSS), "")
    return across, next((word for word in words if word in _DOWN), "")


def _switch(name: str, title: Text, *, is_on: bool) -> Field:
    return Field(name, title, "switch", "on" if is_on else "")


def _choices(titles: Mapping[str, Text]) -> tuple[Choice, ...]:
    return tuple(Choice(value, title) for value, title in titles.items())


def find_room(editor: Editor, kind: str) -> Frame:
    """Return a frame for a new part where it covers no other, or at least no code; in the middle if there is none."""
    design, die = editor.design, editor.die
    inner = frames.label_frame(design, die)
    pairs = list(zip(design.parts, frames.find_frames(design, die), strict=True))
    codes = [frame for part, frame in pairs if isinstance(part, CodePart)]
    others = [frame for part, frame in pairs if not isinstance(part, FramePart)]
    if kind == "frame":
        # Around all of a round label it is a ring.
        is_ring = editor.stock.die.shape == "ellipse" and design.spans_round
        return Frame(0, 0, die.around.width, die.around.height) if is_ring else inner
    for taken in (others,) if kind == "code" else (others, codes):
        for scale in (1.0, 0.7, 0.5):
            for frame in _list_places(inner, *_new_size(kind, inner, scale)):
                if not any(_overlap(frame, other) for other in taken):
                    return frame
    width, height = _new_size(kind, inner, 1.0)
    return Frame(inner.left + (inner.width - width) / 2, inner.top + (inner.height - height) / 2, width, height)


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
        "text": (inner.width * 0.5 * scale, max(inner.height * 0.2 * scale, 4 * MM)),
        "code": (max(_LEAST_CODE, side * 0.4 * scale),) * 2,
        "picture": (side * 0.4 * scale, side * 0.4 * scale),
        "line": (inner.width * 0.5 * scale, 0.5 * MM),
        "fill": (inner.width * 0.3 * scale, inner.height * 0.2 * scale),
    }
    width, height = (max(0.5 * MM, int(length / MM * 2) / 2 * MM) for length in sizes[kind])
    return min(width, inner.width), min(height, inner.height)


def _overlap(one: Frame, other: Frame) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 0 and min(one.bottom, other.bottom) - max(one.top, other.top) > 0
