"""What the forms of a design's page change: each button is one change that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.printing import designs
from companion.web import templates
from companion.web.host.designs.design_desk import DesignTable, OpenDesign
from companion.web.host.designs.design_view import Field, list_fields, list_settings, read_unit
from companion.web.host.designs.dropped_columns import ONE_FIELD, replaces_content
from companion.web.host.designs.new_parts import KIND_TITLES, add_part, refit_code
from companion.web.host.designs.turned_parts import turn_part
from companion.web.sharing.upload_folder import clean_name
from labels.designs.parts import LINEAR, SYMBOLOGIES
from labels.editing import frames
from labels.editing.boxes import Frame
from labels.editing.editor import Editor
from labels.editing.values import Value
from labels.errors import LabelError, excerpt
from labels.geometry import MM, UNITS
from labels.template import column_of, normalize_field
from labels.typesetting.text import SMALLEST
from templates.languages.messages import phrase

_LENGTHS: Final = ("left", "top", "width", "height")
_LEAST_SPACED: Final = 3
_FOR_SHOPS: Final = ("ean13", "upca")
_COPY_DISTANCE: Final = 2 * MM


class ChangeForm(NamedTuple):
    """A form of the page: its fields in order, the selected part, the parts that are ticked, and the table beside."""

    fields: Mapping[str, str]
    part: int
    ticked: Sequence[int] = ()
    table: DesignTable | None = None

    @property
    def button(self) -> str:
        """The button that sent it."""
        return self.fields.get("do", "")


def change_design(editor: Editor, form: ChangeForm) -> int | None:
    """Do what a form asks for, and return the part that is selected then; None if it is no form of this page.

    Raises LabelError, and nothing is changed then.
    """
    verb, _, detail = form.button.partition("-")
    if verb == "add" and detail in KIND_TITLES:
        return add_part(editor, detail, form.table)
    if verb == "symbology" and detail in SYMBOLOGIES:
        refit_code(editor, form.part, _code_keys(editor, form.part, detail), _box_kind(detail))
        return form.part
    if verb == "distribute" and detail in frames.DIRECTIONS:
        _distribute_parts(editor, form, detail)
        return form.part
    if verb == "align" and detail in frames.EDGES:
        _align_parts(editor, form, detail)
        return form.part
    change = _CHANGES.get(form.button)
    if change is None:
        return None
    selected = change(editor, form)
    return form.part if selected is None else selected


def _undo(editor: Editor, _: ChangeForm) -> None:
    editor.undo()


def _redo(editor: Editor, _: ChangeForm) -> None:
    editor.redo()


def _place(editor: Editor, form: ChangeForm) -> None:
    """Move and resize a part as it was on the page, in points."""
    editor.place_part(form.part, Frame(*(_read_number(form.fields.get(name, "")) for name in _LENGTHS)))


def _turn_part(editor: Editor, form: ChangeForm) -> None:
    """Turn a part as it was on the page."""
    turn = _read_turn(form.fields.get("rotate", ""))
    if not isinstance(turn, int):
        raise LabelError(phrase("“{text}” is no angle; write whole degrees, as in 30.", text=excerpt(str(turn))))
    turn_part(editor, form.part, turn % 360)


def _raise_part(editor: Editor, form: ChangeForm) -> None:
    editor.reorder_part(form.part, editor.position(form.part) + 1)


def _lower_part(editor: Editor, form: ChangeForm) -> None:
    editor.reorder_part(form.part, editor.position(form.part) - 1)


def _copy_part(editor: Editor, form: ChangeForm) -> int:
    return editor.copy_part(form.part, _find_copy(editor, form.part))


def _remove_parts(editor: Editor, form: ChangeForm) -> int:
    """Remove the selected part, with all others that are ticked if it is, and return one near it in the list."""
    parts = _list_meant(editor, form)
    at = editor.position(form.part)
    editor.remove_parts(parts)
    return editor.parts[min(at, len(editor.parts) - 1)]


def _list_meant(editor: Editor, form: ChangeForm) -> list[int]:
    """Return the parts that a change of the selected part is about: all ticked ones if it is ticked, too."""
    ticked = [part for part in form.ticked if part in editor.parts]
    return ticked if form.part in ticked else [form.part]


def _move_parts(editor: Editor, form: ChangeForm) -> None:
    """Move the selected part and the ticked ones together, by points."""
    right, down = (_read_number(form.fields.get(name, "")) for name in ("right", "down"))
    editor.move_parts(_list_meant(editor, form), right, down)


def _find_copy(editor: Editor, part: int) -> Frame:
    """Return a frame for a copy: below the part, above it or beside it, or a little aside if it fits nowhere."""
    frame, inner = editor.frame(part), frames.label_frame(editor.design, editor.die)
    distance = 1 * MM
    for right, down in (
        (0.0, frame.height + distance),
        (frame.width + distance, 0.0),
        (0.0, -frame.height - distance),
        (-frame.width - distance, 0.0),
    ):
        copy = frame.move(right, down)
        if copy.left >= 0 and copy.top >= 0 and copy.right <= inner.right and copy.bottom <= inner.bottom:
            return copy
    right = min(_COPY_DISTANCE, max(0.0, inner.right - frame.right))
    return frame.move(right, min(_COPY_DISTANCE, max(0.0, inner.bottom - frame.bottom)))


def _align_parts(editor: Editor, form: ChangeForm, edge: str) -> None:
    """Align the ticked parts with each other or with the label, or the selected part alone with the label."""
    parts = [part for part in form.ticked if part in editor.parts]
    among_parts = form.fields.get("among") == "parts"
    if among_parts and len(parts) < 2:
        raise LabelError(phrase("Tick two or more parts in the list, to align them with each other."))
    editor.align_parts(
        parts or [form.part], next(each for each in frames.EDGES if each == edge), to_label=not among_parts
    )


def _distribute_parts(editor: Editor, form: ChangeForm, direction: str) -> None:
    """Space the ticked parts evenly."""
    parts = [part for part in form.ticked if part in editor.parts]
    if len(parts) < _LEAST_SPACED:
        raise LabelError(phrase("Tick three or more parts in the list, to make the gaps between them equal."))
    editor.distribute_parts(parts, next(each for each in frames.DIRECTIONS if each == direction))


def _insert_text(editor: Editor, form: ChangeForm) -> int:
    """Add a text with a column where it was dropped on the label, in points."""
    left, top = (_read_number(form.fields.get(name, "")) for name in ("left", "top"))
    return add_part(editor, "text", form.table, column=form.fields.get("column", ""), at=Frame(left, top, 0, 0))


def _insert_field(editor: Editor, form: ChangeForm) -> None:
    """Put a column into a part as a field."""
    _put_field(editor, form, f"{{{form.fields.get('column', '')}}}")


def _insert_format(editor: Editor, form: ChangeForm) -> None:
    """Give a column of a text a format: in place of the field with this column, or as a further field."""
    field = form.fields.get("field", "")
    wanted, (key, source) = ONE_FIELD.fullmatch(field), _source_of(editor, form.part)
    column = wanted[1].partition(":")[0] if wanted else ""
    for match in ONE_FIELD.finditer(source) if key == "text" else ():
        if normalize_field(match[1].partition(":")[0]) == normalize_field(column):
            editor.set_key(form.part, key, f"{source[: match.start()]}{field}{source[match.end() :]}")
            return
    _put_field(editor, form, field)


def _put_field(editor: Editor, form: ChangeForm, field: str) -> None:
    """Put a field into a part: in place of a field that no column fills, else behind its text."""
    key, source = _source_of(editor, form.part)
    if key in ("fill", "frame"):
        raise LabelError(phrase("A colour shows no column; select a text, a code or a picture first."))
    columns = form.table.columns if form.table is not None else ()
    is_replaced = replaces_content(editor.design.parts[editor.position(form.part)], source, columns)
    editor.set_key(form.part, key, field if is_replaced else f"{source} {field}")


def take_picture(opened: OpenDesign, part: int, file_name: str, content: bytes) -> None:
    """Save a picture beside the designs of the user. A part that no column fills shows it from then on.

    Raises LabelError.
    """
    editor = opened.editor
    if not content.strip():
        raise LabelError(phrase("No picture was sent: choose a file first."))
    name = clean_name(file_name)
    designs.save_picture(name, content)
    source, each = editor.value(part, "picture"), editor.design.parts[editor.position(part)]
    columns = opened.table.columns if opened.table is not None else ()
    is_filled = each.template is not None and any(column_of(field) in columns for field in each.template.fields)
    if source is not None and not is_filled:
        editor.set_key(part, "picture", name)


def _source_of(editor: Editor, part: int) -> tuple[str, str]:
    """Return the key that says what a part is, and its value."""
    for key in ("text", "code", "picture", "fill", "frame"):
        value = editor.value(part, key)
        if isinstance(value, str):
            return key, value
    raise AssertionError(part)


def _set_part(editor: Editor, form: ChangeForm) -> None:
    """Change what differs from the form as it was displayed."""
    part, fields = form.part, form.fields
    old, unit = editor.frame(part), read_unit(editor)
    changed = _find_changed(list_fields(editor, part), fields)
    values = {name: read(changed[name]) for name, read in _READERS.items() if name in changed}
    if "source" in changed:
        values[_source_of(editor, part)[0]] = changed["source"]
    if {"across", "down"} & changed.keys():
        values["align"] = " ".join(filter(None, (fields.get("across"), fields.get("down")))) or None
    if {"when_column", "when_test", "when_value"} & changed.keys():
        values["when"] = _write_condition(fields)
    if {"least", "most"} & changed.keys():
        values["size"] = _read_sizes(fields.get("least", ""), fields.get("most", ""))
    lengths = {name: _read_number(changed[name]) * UNITS[unit] for name in _LENGTHS if name in changed}
    if values or lengths:
        editor.set_keys(part, values, old._replace(**lengths) if lengths else None)


def _code_keys(editor: Editor, part: int, symbology: str) -> dict[str, Value | None]:
    """Return the keys of a code that becomes one of this kind. Bars for shops show their number."""
    is_bars = editor.value(part, "symbology") in LINEAR
    figures = True if symbology in _FOR_SHOPS else editor.value(part, "figures") if is_bars else None
    return {"symbology": symbology, "figures": figures if symbology in LINEAR else None}


def _box_kind(symbology: str) -> str:
    return "barcode" if symbology in LINEAR else "code"


def _set_design(editor: Editor, form: ChangeForm) -> None:
    values: dict[str, Value | None] = {}
    for name, value in _find_changed(list_settings(editor), form.fields).items():
        if name == "margin":
            values[name] = _read_number(value) if value else None
        else:
            values[name] = value or None
    if values:
        editor.set_keys(None, values)


def _find_changed(form: Iterable[Field], fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields whose values are not those that the page shows."""
    values = {field: _plain(fields.get(field.name, "")) for field in form}
    return {field.name: value for field, value in values.items() if value != templates.clean_lines(field.value)}


def _read_sizes(least: str, most: str) -> list[float] | None:
    """Return the smallest and the largest size, None if both are left empty. A size alone is that of both limits."""
    if not least.strip() and not most.strip():
        return None
    smallest = _read_number(least) if least.strip() else SMALLEST
    return [smallest, _read_number(most) if most.strip() else smallest]


def _read_number(text: str) -> float:
    """Read a number with a decimal point or comma. Raises LabelError."""
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        number = float("nan")
    if not -100_000 < number < 100_000:
        raise LabelError(phrase("“{text}” is no number; write one as in 12.5.", text=excerpt(text)))
    return number


def _read_switch(text: str) -> bool:
    return text == "on"


def _read_bold(text: str) -> bool | None:
    return {"yes": True, "no": False}.get(text)


def _write_condition(fields: Mapping[str, str]) -> str | None:
    """Return a condition from its column, its comparison and its value, or None for always. Raises LabelError."""
    column, test, value = (fields.get(f"when_{name}", "").strip() for name in ("column", "test", "value"))
    if not column:
        return None
    if test.startswith("is "):
        return f"{{{column}}} {test}"
    if not value:
        raise LabelError(phrase("Write the text or number that the column is compared with."))
    return f"{{{column}}} {test} {value}"


def _read_turn(text: str) -> Value | None:
    digits = text.strip().removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 5 else text


def _plain(text: str) -> str:
    """Return a field as it is stored: browsers send the ends of lines in the old way."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


_CHANGES: Final[Mapping[str, Callable[[Editor, ChangeForm], int | None]]] = {
    "undo": _undo,
    "redo": _redo,
    "set": _set_part,
    "settings": _set_design,
    "place": _place,
    "turn": _turn_part,
    "move": _move_parts,
    "insert": _insert_field,
    "insert-format": _insert_format,
    "insert-text": _insert_text,
    "copy": _copy_part,
    "remove": _remove_parts,
    "up": _raise_part,
    "down": _lower_part,
}
"""The changes of buttons; each returns the part that is selected then, or None for the same one."""
_READERS: Final[Mapping[str, Callable[[str], Value | None]]] = {
    **dict.fromkeys(("role", "typeface", "colour"), str),
    **dict.fromkeys(("italic", "markup", "vertical", "figures", "bleed"), _read_switch),
    **dict.fromkeys(("corner", "line"), _read_number),
    "bold": _read_bold,
    "rotate": _read_turn,
}
"""The readers that turn fields of a part into values of its keys of the same name."""
