"""What the page of a design shows: its label, its parts, and a form for the selected part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from companion.printing.format_examples import FormatExample, list_formats
from companion.web.host.designs.code_kinds import CodeKind, list_code_kinds
from companion.web.host.designs.design_desk import OpenDesign
from companion.web.host.designs.dropped_columns import describe_drop
from companion.web.host.designs.new_parts import KIND_TITLES, is_number_of_goods
from companion.web.host.designs.turned_parts import turn_step
from labels.designs.own import Design
from labels.designs.parts import (
    ROLES,
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
from labels.editing.frames import Direction, Edge
from labels.geometry import UNITS, Box
from labels.template import column_of, normalize_field
from templates.languages.messages import Text, phrase, phrase_in

AROUND: Final = 4.0
"""Points of paper around a label in its picture, as `specimen_page` draws it."""
EDGE_TITLES: Final[Mapping[Edge, Text]] = {
    "left": phrase("Left edges"),
    "centre": phrase("Centres"),
    "right": phrase("Right edges"),
    "top": phrase("Top edges"),
    "middle": phrase("Middles"),
    "bottom": phrase("Bottom edges"),
}
DIRECTION_TITLES: Final[Mapping[Direction, Text]] = {
    "across": phrase("Equal gaps across"),
    "down": phrase("Equal gaps down"),
}
_ROLE_TITLES: Final[Mapping[str, Text]] = {
    "title": phrase("title: bold, on one line if possible"),
    "text": phrase("text"),
    "small": phrase("small text"),
    "figure": phrase("figure: large and bold"),
}
_TYPEFACE_TITLES: Final[Mapping[str, Text]] = {
    "sans": phrase_in("typeface", "standard"),
    "serif": phrase_in("typeface", "with serifs"),
    "condensed": phrase_in("typeface", "narrow"),
    "rounded": phrase_in("typeface", "rounded"),
    "hand": phrase_in("typeface", "as written by hand"),
    "mono": phrase_in("typeface", "letters of one width"),
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
_TESTS: Final[Mapping[str, Text]] = {
    "is not empty": phrase_in("condition", "is not empty"),
    "is empty": phrase_in("condition", "is empty"),
    "=": phrase_in("condition", "is"),
    "!=": phrase_in("condition", "is not"),
    "<": phrase_in("condition", "is less than"),
    "<=": phrase_in("condition", "is at most"),
    ">": phrase_in("condition", "is more than"),
    ">=": phrase_in("condition", "is at least"),
}
_DECIMALS: Final = {"mm": 2, "in": 3}
_RULER_STEPS: Final[Mapping[str, tuple[float, ...]]] = {"mm": (5, 10, 20, 50, 100), "in": (0.5, 1, 2, 5)}
"""The distances between the numbers of a ruler, of which the first is taken that gives no more than `_MOST_NUMBERS`."""
_SMALL_TICKS: Final = {"mm": 10, "in": 8}
_MOST_NUMBERS: Final = 13
_THINNEST_RULER: Final = 3.0
_RULER_SHARE: Final = 0.045


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


class Tick(NamedTuple):
    """A tick of a ruler: its position in points, and its number, "" for a small tick."""

    at: float
    number: str


class Rulers(NamedTuple):
    """The rulers above and beside a label: their thickness in points, their unit, and their ticks."""

    thickness: float
    unit: str
    across: tuple[Tick, ...]
    down: tuple[Tick, ...]


class ColumnFormats(NamedTuple):
    """The formats that are offered for a column with dates or numbers."""

    column: str
    examples: Sequence[FormatExample]


class PartRow(NamedTuple):
    """A part in the list: its id, its position from 1, its kind, its source, and its frame in points.

    `drop_text` says what a column does that is dropped on it, "" for a part that shows none. `degrees` is the angle by
    which its box is turned, `rotation` that of its content, and `turn_step` the step in which it turns with Shift.
    """

    part: int
    number: int
    kind: Text
    source: str
    frame: Frame
    area: Frame
    is_selected: bool
    drop_text: Text
    degrees: int
    rotation: int
    turn_step: int

    @property
    def surface(self) -> float:
        """The surface of the part in square points; of parts that lie on each other, the smaller one is pressed."""
        return self.frame.width * self.frame.height


class DesignView(NamedTuple):
    """The content of the page.

    Lengths of the drawing are in points, those of the form in the unit of the file, of `unit_points` points.
    """

    name: str
    title: Text
    own: bool
    is_stored: bool
    is_new: bool
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
    code_kinds: tuple[CodeKind, ...]
    formats: tuple[ColumnFormats, ...]
    takes_picture: bool
    prints_rows: bool
    marks_words: bool
    rulers: Rulers
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
    def saves_here(self) -> bool:
        """Return True if the design is saved under its name without replacing one of the program."""
        return self.own or self.is_new


def read_view(opened: OpenDesign, part: int, row: int) -> DesignView:
    """Return the page of a design with a part selected, and a row of its table. Raises LabelError."""
    editor, table = opened.editor, opened.table
    die = editor.die
    part = part if part in editor.parts else editor.parts[0]
    row = min(max(1, row), len(table.rows)) if table else 0
    rows = tuple(_list_parts(editor, die, part, table.columns if table else ()))
    selected = next(each for each in rows if each.is_selected)
    unit = read_unit(editor)
    return DesignView(
        name=opened.name,
        title=editor.design.caption,
        own=opened.own,
        is_stored=opened.is_stored,
        is_new=opened.stored_text is None,
        fits=editor.fits,
        can_undo=editor.can_undo,
        can_redo=editor.can_redo,
        stock=editor.stock.caption,
        width=die.around.width,
        height=die.around.height,
        guides=frames.find_guides(editor.design, die),
        parts=rows,
        selected=selected,
        fields=tuple(list_fields(editor, part, table.columns if table else ())),
        settings=tuple(list_settings(editor)),
        code_kinds=tuple(_list_code_kinds(opened, part, row)),
        prints_rows=table is not None and bool(table.content),
        marks_words=_marks_words(editor.design.parts[editor.position(part)]),
        formats=tuple(_list_formats(opened, part)),
        takes_picture=isinstance(editor.design.parts[editor.position(part)], PicturePart),
        rulers=_draw_rulers(die.around, unit),
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


def _marks_words(part: Part) -> bool:
    """Return True for a text in which single words can be bold or italic."""
    return isinstance(part, TextPart) and not part.vertical


def _list_formats(opened: OpenDesign, part: int) -> Iterator[ColumnFormats]:
    """Yield the columns for which a text has formats to choose from."""
    table, design = opened.table, opened.editor.design
    text = design.parts[opened.editor.position(part)]
    if table is None or not isinstance(text, TextPart):
        return
    names = {normalize_field(column_of(field)) for field in text.template.fields}
    for column in table.columns:
        if normalize_field(column) not in names:
            continue
        cells = [row.get(column, "") for row in table.rows]
        examples = () if is_number_of_goods(cells) else list_formats(column, cells, design.language)
        # Formats may write the first row alike.
        different = {example.text: example for example in reversed(examples)}
        if different:
            yield ColumnFormats(column, [example for example in examples if different[example.text] is example])


def _list_code_kinds(opened: OpenDesign, part: int, row: int) -> Iterator[CodeKind]:
    each = opened.editor.design.parts[opened.editor.position(part)]
    if isinstance(each, CodePart):
        yield from list_code_kinds(each, opened.table.rows[row - 1] if opened.table else None)


def _draw_rulers(label: Box, unit: str) -> Rulers:
    """Return the rulers of a label: with a number at each centimetre or inch, at fewer if the label is large."""
    longest = max(label.width, label.height)
    whole = next((count for count in _RULER_STEPS[unit] if longest / (count * UNITS[unit]) <= _MOST_NUMBERS), 100)

    def ticks(length: float) -> tuple[Tick, ...]:
        small = whole * UNITS[unit] / _SMALL_TICKS[unit]
        count = int(length / small + 0.01) + 1
        numbers = (f"{number / _SMALL_TICKS[unit] * whole:g}" for number in range(count))
        return tuple(
            Tick(round(number * small, 3), text if number % _SMALL_TICKS[unit] == 0 else "")
            for number, text in enumerate(numbers)
        )

    return Rulers(max(_THINNEST_RULER, longest * _RULER_SHARE), unit, ticks(label.width), ticks(label.height))


def _list_parts(editor: Editor, die: Box, selected: int, columns: Sequence[str]) -> Iterator[PartRow]:
    design = editor.design
    boxes, areas = frames.find_frames(design, die), frames.find_areas(design, die)
    for number, (part, each) in enumerate(zip(editor.parts, design.parts, strict=True)):
        kind, template = KIND_TITLES[each.kind], each.template
        yield PartRow(
            part,
            number + 1,
            kind,
            _source(each),
            boxes[number],
            areas[number],
            part == selected,
            describe_drop(each, template.source, columns) if template is not None else "",
            each.degrees,
            each.rotation,
            turn_step(each),
        )


def _source(part: Part) -> str:
    return part.colour if isinstance(part, FillPart | FramePart) else part.source


def list_fields(editor: Editor, part: int, columns: Sequence[str] = ()) -> Iterator[Field]:
    """Yield the fields of a part, as they are displayed beside a table with these columns."""
    each, unit = editor.design.parts[editor.position(part)], read_unit(editor)
    yield from _source_fields(each, str(editor.value(part, each.kind)))
    titles = (phrase("From the left"), phrase("From the top"), phrase("Width"), phrase("Height"))
    for name, title, length in zip(Frame._fields, titles, editor.frame(part), strict=True):
        yield Field(name, title, "number", write_length(length, unit), unit=unit)
    if isinstance(each, FillPart | FramePart):
        yield from _area_fields(each, unit)
    else:
        if isinstance(each, TextPart):
            yield from _text_fields(each)
        if isinstance(each, BarcodePart):
            yield _switch("figures", phrase("Content printed below the bars"), is_on=each.figures)
        across, down = _read_align(editor, part)
        yield Field("across", phrase("Aligned across"), "choice", across, _choices(_ACROSS))
        yield Field("down", phrase("Aligned up and down"), "choice", down, _choices(_DOWN))
    if isinstance(each, CodePart):
        yield Field("rotate", phrase("Turned clockwise"), "choice", str(each.rotation), _choices(_TURNS))
    else:
        yield Field("rotate", phrase("Turned clockwise"), "number", str(each.rotation), unit="°")
    yield from _condition_fields(each, editor.design, columns)


def _condition_fields(part: Part, design: Design, columns: Sequence[str]) -> Iterator[Field]:
    """Yield the fields of a part's condition: a column, a comparison, and the value that it is compared with."""
    when = part.when
    names = dict.fromkeys((*map(normalize_field, columns), *design.columns, *([when.field] if when else [])))
    choices = (Choice("", phrase("always")), *(Choice(name, name) for name in names))
    yield Field("when_column", phrase("Printed if this column"), "choice", when.field if when else "", choices)
    test = when.comparison if when else "is not empty"
    yield Field("when_test", phrase("compares like this"), "choice", test, _choices(_TESTS))
    yield Field("when_value", phrase("with this text or number"), "text", when.value if when else "")


def _source_fields(part: Part, source: str) -> Iterator[Field]:
    match part:
        case TextPart():
            title = phrase("Text; {braces} are filled from the table", braces="{…}")
            yield Field("source", title, "lines", source)
        case CodePart():
            yield Field("source", phrase("Content of the code"), "lines", source)
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
    yield Field("typeface", phrase("Typeface"), "choice", text.typeface, _choices(_TYPEFACE_TITLES))
    least, most = (f"{size:g}" for size in text.size) if text.size else ("", "")
    yield Field("least", phrase("Smallest size; empty for the usual one"), "number", least, unit="pt")
    yield Field("most", phrase("Largest size; empty for the usual one"), "number", most, unit="pt")
    yield Field("colour", phrase("Colour"), "colour", text.colour.lower())
    bold = {True: "yes", False: "no", None: ""}[text.bold]
    yield Field("bold", phrase("Bold"), "choice", bold, _choices(_BOLD))
    yield _switch("italic", phrase("Italic"), is_on=text.italic)
    marks = phrase("{bold} and {italic} within the text are printed so", bold="**…**", italic="*…*")
    yield _switch("markup", marks, is_on=text.markup)
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
