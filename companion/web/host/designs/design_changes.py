"""What the forms of a design's page change: each button is one change that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.web import templates
from companion.web.host.designs.design_view import KIND_TITLES, Field, find_room, list_fields, list_settings, read_unit
from labels.designs.parts import LINEAR
from labels.editing import frames
from labels.editing.boxes import Frame
from labels.editing.editor import Editor
from labels.editing.values import Value
from labels.errors import LabelError, excerpt
from labels.geometry import MM, UNITS
from labels.typesetting.text import SMALLEST
from templates.languages.messages import phrase

_LENGTHS: Final = ("left", "top", "width", "height")
_COPY_DISTANCE: Final = 2 * MM
_NEW_SOURCES: Final = {"text": "{name}", "code": "{code}", "picture": "{picture}"}
_NEW_COLOUR: Final = "#2B2F36"


class ChangeForm(NamedTuple):
    """A form of the page: its fields in order, the selected part, and the parts that are ticked."""

    fields: Mapping[str, str]
    part: int
    ticked: Sequence[int] = ()

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
        return _add_part(editor, detail)
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


def _raise_part(editor: Editor, form: ChangeForm) -> None:
    editor.reorder_part(form.part, editor.position(form.part) + 1)


def _lower_part(editor: Editor, form: ChangeForm) -> None:
    editor.reorder_part(form.part, editor.position(form.part) - 1)


def _copy_part(editor: Editor, form: ChangeForm) -> int:
    return editor.copy_part(form.part, _find_copy(editor, form.part))


def _add_part(editor: Editor, kind: str) -> int:
    frame = find_room(editor, kind)
    if kind in _NEW_SOURCES:
        return editor.add_part(kind, _free_field(editor, _NEW_SOURCES[kind]), frame)
    return editor.add_part("fill" if kind == "line" else kind, _NEW_COLOUR, frame)


def _free_field(editor: Editor, field: str) -> str:
    """Return a field that no part shows yet: `{text}` beside `{name}`, and then `{text2}`."""
    fields = [f"{{{name}}}" for name in editor.design.fields]
    names = [field, *([] if field != "{name}" else ["{text}"]), *(f"{{text{number}}}" for number in range(2, 102))]
    return next(name for name in names if name not in fields) if field == "{name}" else field


def _remove_part(editor: Editor, form: ChangeForm) -> int:
    """Remove a part, and return the one that takes its place in the list."""
    others = [each for each in editor.parts if each != form.part]
    at = editor.position(form.part)
    editor.remove_part(form.part)
    return others[min(at, len(others) - 1)]


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


def _insert_field(editor: Editor, form: ChangeForm) -> None:
    """Add a column to the text of a part as a field."""
    key, source = _source_of(editor, form.part)
    if key in ("fill", "frame"):
        raise LabelError(phrase("A colour shows no column; select a text, a code or a picture first."))
    field = f"{{{form.fields.get('column', '')}}}"
    empty = key == "picture" or not source.strip()
    editor.set_key(form.part, key, field if empty else f"{source} {field}")


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
    if "symbology" in changed and changed["symbology"] not in LINEAR:
        values["figures"] = None
    if {"across", "down"} & changed.keys():
        values["align"] = " ".join(filter(None, (fields.get("across"), fields.get("down")))) or None
    if {"least", "most"} & changed.keys():
        values["size"] = _read_sizes(fields.get("least", ""), fields.get("most", ""))
    lengths = {name: _read_number(changed[name]) * UNITS[unit] for name in _LENGTHS if name in changed}
    if values or lengths:
        editor.set_keys(part, values, old._replace(**lengths) if lengths else None)


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


def _read_turn(text: str) -> Value | None:
    return int(text) if text.isascii() and text.isdecimal() else text


def _plain(text: str) -> str:
    """Return a field as it is stored: browsers send the ends of lines in the old way."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


_CHANGES: Final[Mapping[str, Callable[[Editor, ChangeForm], int | None]]] = {
    "undo": _undo,
    "redo": _redo,
    "set": _set_part,
    "settings": _set_design,
    "place": _place,
    "insert": _insert_field,
    "copy": _copy_part,
    "remove": _remove_part,
    "up": _raise_part,
    "down": _lower_part,
}
"""The changes of buttons; each returns the part that is selected then, or None for the same one."""
_READERS: Final[Mapping[str, Callable[[str], Value | None]]] = {
    **dict.fromkeys(("role", "colour", "symbology"), str),
    **dict.fromkeys(("italic", "vertical", "figures", "bleed"), _read_switch),
    **dict.fromkeys(("corner", "line"), _read_number),
    "bold": _read_bold,
    "rotate": _read_turn,
}
"""The readers that turn fields of a part into values of its keys of the same name."""
