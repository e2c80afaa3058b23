"""Users' designs, read from TOML. Errors name the part, the key and what to write."""

import difflib
import re
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import Any, Final, NamedTuple, NoReturn, TypeVar, get_args

import msgspec

from labels import handwritten, template
from labels.conditions import Condition, parse_condition
from labels.designs.own import Area, Design
from labels.designs.parts import (
    LINEAR,
    ROLES,
    SYMBOLOGIES,
    Align,
    BarcodePart,
    CodePart,
    FillPart,
    FramePart,
    Measure,
    Part,
    PicturePart,
    Placement,
    TextPart,
)
from labels.drawing import languages, style
from labels.drawing.ink import BLACK
from labels.errors import LabelError, excerpt
from labels.geometry import MM, UNITS
from labels.markup import parse_markup
from labels.paper.sheet import SAFE_MARGIN
from labels.typesetting import text
from labels.typesetting.typefaces import STANDARD, TYPEFACES
from templates.languages import messages
from templates.languages.messages import Message, all_of, any_of, listed, phrase

_KEYS: Final = ("title", "stock", "unit", "margin", "language", "area", "part")
_KINDS: Final[Mapping[str, Collection[str]]] = {
    "text": ("role", "align", "size", "typeface", "colour", "bold", "italic", "markup", "vertical", "rotate"),
    "code": ("align", "symbology", "figures", "rotate"),
    "picture": ("align", "rotate"),
    "fill": ("corner", "bleed", "rotate"),
    "frame": ("corner", "line", "rotate"),
}
_ACROSS: Final = {"left": 0.0, "centre": 0.5, "right": 1.0}
_DOWN: Final = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
LENGTH: Final = re.compile(r"(?:(\d+(?:\.\d+)?)\s*%)?\s*(?:([+-]?)\s*(\d+(?:\.\d+)?))?", re.ASCII)
"""A length as a text: a share of the label, a length, or both."""
_COLOUR: Final = re.compile("#[0-9A-Fa-f]{6}", re.ASCII)
_MAX_LENGTH: Final = 400.0
_MAX_PARTS: Final = 100
_MAX_TEXT: Final = 10_000
"""The most letters of a text; no label holds more."""
_HAIR: Final = 0.2 * MM
_AREAS: Final = get_args(Area)

_Value = TypeVar("_Value")


class DesignError(LabelError):
    """A design that cannot be read. The message names the file, the part and the key, and what to write."""


def parse_design(content: str, name: str, source: str, beside: str = "") -> Design:
    """Parse the design in a TOML text. Raises DesignError.

    `source` is the name of the text in errors, `beside` the folder of its pictures.
    """
    try:
        content_table = handwritten.load(content, "margin = 2", 'title = "Jar"')
    except handwritten.BrokenLine as error:
        raise DesignError(phrase("“{file}” is not TOML: {problem}", file=source, problem=error.message)) from error
    table = _DesignTable(content_table, phrase("“{file}”", file=source), UNITS["mm"])
    table.check_keys(_KEYS)
    unit = table.value(
        "unit", lambda value: UNITS.get(value) if isinstance(value, str) else None, phrase('"mm" or "in"'), MM
    )
    table = _DesignTable(content_table, table.where, unit)
    parts = content_table.get("part", [])
    if not parts or not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise DesignError(
            phrase(
                "“{file}” has no part; write [[part]], and below it text, code, picture, fill or frame.", file=source
            )
        )
    if len(parts) > _MAX_PARTS:
        raise DesignError(
            phrase(
                "“{file}” has {parts} parts; {most} are the most.",
                file=source,
                parts=str(len(parts)),
                most=_MAX_PARTS,
            )
        )
    return Design(
        name,
        table.value("title", _parse_words, phrase("a text in quotation marks"), name),
        tuple(
            _read_part(
                _DesignTable(part, phrase("“{file}”, part {number}", file=source, number=str(number)), unit), number
            )
            for number, part in enumerate(parts, 1)
        ),
        table.value("margin", table.length, phrase("a length, as in 1.5"), SAFE_MARGIN),
        table.value("stock", _parse_words, phrase("the name of a stock, as companion labels stocks lists it"), ""),
        beside,
        table.value("language", _parse_language, phrase("a language's code, such as en, de or fr-CA"), ""),
        table.value(
            "area",
            _parse_area,
            phrase("one of {areas}: what boxes on round labels are measured on", areas=listed(_AREAS)),
            None,
        ),
    )


class _DesignTable:
    """A table of the file that reads and validates its keys."""

    def __init__(self, values: Mapping[str, Any], where: Message, unit: float) -> None:
        self.values = values
        self.where = where
        self._unit = unit

    def wrong(self, problem: Message) -> NoReturn:
        raise DesignError(phrase("{place}: {problem}", place=self.where, problem=problem))

    def check_keys(self, keys: Collection[str]) -> None:
        """Refuse any other key, and suggest the nearest one."""
        strange = next((key for key in self.values if key not in keys), None)
        if strange is not None:
            near = difflib.get_close_matches(strange, keys, 1)
            self.wrong(
                phrase("“{key}” is no key here; write {nearest}.", key=excerpt(strange), nearest=near[0])
                if near
                else phrase("“{key}” is no key here; write one of {keys}.", key=excerpt(strange), keys=listed(keys))
            )

    def value(self, key: str, convert: Callable[[Any], _Value | None], requirement: Message, default: _Value) -> _Value:
        """Return the converted value of a key, or the default.

        `convert` returns None for a value that does not meet the `requirement`.
        """
        if key not in self.values:
            return default
        value = convert(self.values[key])
        if value is None:
            self.wrong(
                phrase(
                    "{key} is {value}; write {requirement}.",
                    key=key,
                    value=_quote_value(self.values[key]),
                    requirement=requirement,
                )
            )
        return value

    def template(self, key: str) -> template.Template:
        value = self.values[key]
        if not isinstance(value, str) or not value.strip():
            self.wrong(
                phrase(
                    '{key} is {value}; write a text in quotation marks, as in "{{name}}".',
                    key=key,
                    value=_quote_value(value),
                )
            )
        if len(value) > _MAX_TEXT:
            self.wrong(
                phrase("{key} has {letters} letters; {most} are the most.", key=key, letters=len(value), most=_MAX_TEXT)
            )
        try:
            return template.parse_template(value)
        except template.TemplateError as error:
            self.wrong(phrase("{key}: {problem}", key=key, problem=error.message))

    def length(self, value: object) -> float | None:
        """Return a length in points, or None if the value is not a length."""
        good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MAX_LENGTH
        return float(value) * self._unit if good and isinstance(value, int | float) else None

    def measure(self, value: object) -> Measure | None:
        """Return a length, a share of the label such as `50 %`, or both. Return None for any other value."""
        points = self.length(value)
        if points is not None:
            return Measure(0, points)
        match = LENGTH.fullmatch(value.strip()) if isinstance(value, str) and value.strip() else None
        if match is None or float(match[1] or 0) > 100:
            return None
        return Measure(float(match[1] or 0) / 100, float(f"{match[2] or ''}{match[3] or 0}") * self._unit)

    def place(self, value: object) -> Placement | None:
        """Return a placement from four lengths, the last two of which may be "rest".

        Return None for any other value.
        """
        if not isinstance(value, list) or len(value) != 4:
            return None
        left, top = map(self.measure, value[:2])
        if left is None or top is None:
            return None
        width, height = (
            Measure(1 - start.share, -start.points) if size == "rest" else self.measure(size)
            for start, size in zip((left, top), value[2:], strict=True)
        )
        return None if width is None or height is None else Placement(left, top, width, height)


_WHOLE: Final = Placement(Measure(0, 0), Measure(0, 0), Measure(1, 0), Measure(1, 0))
_BOX: Final = phrase(
    "four lengths from the left and top: [left, top, width, height], each a number, as in 12.5, or a share of the "
    'label, as in "50 %" or "100 % - 12"; width and height may be "rest"'
)
_COLOUR_WANTED: Final = phrase('a colour as in "#7A1020"')
_ALIGN: Final = phrase('one of left, centre, right, or of top, middle, bottom, or two: "right top"')
_SIZES: Final = phrase(
    "the smallest and the largest in points, from {smallest}: [6, 12]", smallest=f"{text.SMALLEST:g}"
)
_ROLES: Final = phrase("one of {words}", words=listed(ROLES))
_TYPEFACES: Final = phrase("one of {words}", words=listed(TYPEFACES))
_SYMBOLOGIES: Final = phrase("one of {words}", words=listed(SYMBOLOGIES))
_QUARTERS: Final = {0: 0, 90: 1, 180: 2, 270: 3}
_LEFT: Final = Align(0, 0.5, natural=True)
_CENTRE: Final = Align(0.5, 0.5)
# Columns of text begin here.
_TOP_RIGHT: Final = Align(1, 0)


def _read_part(table: _DesignTable, number: int) -> Part:
    kinds = [kind for kind in _KINDS if kind in table.values]
    if len(kinds) != 1:
        table.wrong(
            phrase(
                "it has both {kinds}; write one of them, and another [[part]] for another.",
                kinds=reduce(lambda first, second: all_of((first, second)), map(messages.name, kinds)),
            )
            if kinds
            else phrase(
                "it has none of {kinds}; write one of them, and another [[part]] for another.", kinds=listed(_KINDS)
            )
        )
    table.check_keys((kinds[0], "box", *_KINDS[kinds[0]], "when"))
    part = _READERS[kinds[0]](table, number, table.value("box", table.place, _BOX, _WHOLE))
    return msgspec.structs.replace(part, when=_read_condition(table)) if "when" in table.values else part


def _read_condition(table: _DesignTable) -> Condition:
    text = table.value("when", _parse_words, phrase('a condition, as in "{{price}}" or "{{stock}} < 5"'), "")
    try:
        return parse_condition(text)
    except LabelError as error:
        table.wrong(phrase("{key}: {problem}", key="when", problem=error.message))


def _read_text(table: _DesignTable, number: int, place: Placement) -> Part:
    vertical, turn = _read_switch(table, "vertical", False), _read_turn(table)
    words, markup = table.template("text"), _read_switch(table, "markup", False)
    if markup and vertical:
        table.wrong(phrase("a text in columns has no bold or italic words; leave out vertical or markup."))
    if markup:
        try:
            parse_markup(words)
        except LabelError as error:
            table.wrong(phrase("{key}: {problem}", key="text", problem=error.message))
    return TextPart(
        number=number,
        place=place,
        quarters=turn.quarters,
        degrees=turn.degrees,
        text=words,
        role=table.value("role", _parse_role, _ROLES, "text"),
        align=_read_align(table, _TOP_RIGHT if vertical else _LEFT),
        size=table.value("size", _parse_sizes, _SIZES, None),
        colour=table.value("colour", _parse_colour, _COLOUR_WANTED, BLACK),
        bold=_read_switch(table, "bold", None),
        italic=_read_switch(table, "italic", False),
        vertical=vertical,
        markup=markup,
        typeface=table.value("typeface", _parse_typeface, _TYPEFACES, STANDARD),
    )


def _read_code(table: _DesignTable, number: int, place: Placement) -> Part:
    symbology = table.value("symbology", _parse_symbology, _SYMBOLOGIES, "qr")
    code, align, quarters = table.template("code"), _read_align(table, _CENTRE), _read_quarters(table)
    figures = _read_switch(table, "figures", False)
    if symbology in LINEAR:
        return BarcodePart(
            number=number,
            place=place,
            quarters=quarters,
            code=code,
            align=align,
            symbology=symbology,
            figures=figures,
        )
    if figures:
        words = (messages.name(f"“{each}”") for each in LINEAR)
        table.wrong(
            phrase(
                "figures stand only below bars; write symbology = {symbologies}.",
                symbologies=reduce(lambda first, second: any_of((first, second)), words),
            )
        )
    return CodePart(number=number, place=place, quarters=quarters, code=code, align=align, symbology=symbology)


def _read_picture(table: _DesignTable, number: int, place: Placement) -> Part:
    turn = _read_turn(table)
    return PicturePart(
        number=number,
        place=place,
        quarters=turn.quarters,
        degrees=turn.degrees,
        picture=table.template("picture"),
        align=_read_align(table, _CENTRE),
    )


def _read_fill(table: _DesignTable, number: int, place: Placement) -> Part:
    colour = table.value("fill", _parse_colour, _COLOUR_WANTED, style.INK)
    bleed, degrees = _read_switch(table, "bleed", False), _read_degrees(table)
    if bleed and degrees:
        table.wrong(phrase("a fill that extends to the label's edge cannot be turned; leave out bleed or rotate."))
    return FillPart(number=number, place=place, degrees=degrees, colour=colour, corner=_read_corner(table), bleed=bleed)


def _read_frame(table: _DesignTable, number: int, place: Placement) -> Part:
    return FramePart(
        number=number,
        place=place,
        degrees=_read_degrees(table),
        colour=table.value("frame", _parse_colour, _COLOUR_WANTED, style.INK),
        corner=_read_corner(table),
        line=table.value("line", table.length, phrase("how thick it is, as in 0.3"), _HAIR),
    )


_READERS: Final[Mapping[str, Callable[[_DesignTable, int, Placement], Part]]] = {
    "text": _read_text,
    "code": _read_code,
    "picture": _read_picture,
    "fill": _read_fill,
    "frame": _read_frame,
}


def _read_corner(table: _DesignTable) -> float:
    return table.value("corner", table.length, phrase("how round its corners are, as in 1.5"), 0.0)


def _read_align(table: _DesignTable, default: Align) -> Align:
    def convert(value: object) -> Align | None:
        words = value.split() if isinstance(value, str) else []
        across = [_ACROSS[word] for word in words if word in _ACROSS]
        down = [_DOWN[word] for word in words if word in _DOWN]
        if not words or len(across) + len(down) < len(words) or max(len(across), len(down)) > 1:
            return None
        return Align((across or [default.across])[0], (down or [default.down])[0], default.natural and not across)

    return table.value("align", convert, _ALIGN, default)


class _Turn(NamedTuple):
    """A rotation: quarter turns of the content in its box, or the degrees by which the box is turned."""

    quarters: int
    degrees: int


def _read_quarters(table: _DesignTable) -> int:
    """Return the number of clockwise quarter turns of a code."""
    wanted = phrase(
        "90, 180 or 270, by how many degrees it is turned to the right; at other angles the lines of a code do not lie "
        "on the dots of a printer, and scanners miss them"
    )
    return table.value("rotate", lambda value: _QUARTERS.get(value) if type(value) is int else None, wanted, 0)


def _read_turn(table: _DesignTable) -> _Turn:
    """Return the clockwise rotation of a text or a picture."""
    degrees = _read_degrees(table)
    return _Turn(degrees // 90, 0) if degrees % 90 == 0 else _Turn(0, degrees)


def _read_degrees(table: _DesignTable) -> int:
    """Return a clockwise rotation in degrees, from 0 to 359."""
    wanted = phrase("a whole number from -359 to 359, by how many degrees it is turned to the right")
    return table.value("rotate", _parse_degrees, wanted, 0) % 360


def _parse_degrees(value: object) -> int | None:
    return value if type(value) is int and abs(value) < 360 else None


_Switch = TypeVar("_Switch", bool, bool | None)


def _read_switch(table: _DesignTable, key: str, default: _Switch) -> _Switch:
    return table.value(key, lambda value: value if isinstance(value, bool) else None, phrase("true or false"), default)


def _parse_symbology(value: object) -> str | None:
    return value if isinstance(value, str) and value in SYMBOLOGIES else None


def _parse_sizes(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2 or not all(type(size) in (int, float) for size in value):
        return None
    least, most = map(float, value)
    return (least, most) if text.SMALLEST <= least <= most <= _MAX_LENGTH else None


def _parse_unit(value: object) -> float | None:
    return UNITS.get(value) if isinstance(value, str) else None


def _parse_area(value: object) -> Area | None:
    return next((area for area in _AREAS if area == value), None)


def _parse_role(value: object) -> str | None:
    return value if isinstance(value, str) and value in ROLES else None


def _parse_typeface(value: object) -> str | None:
    return value if isinstance(value, str) and value in TYPEFACES else None


def _parse_colour(value: object) -> str | None:
    return value if isinstance(value, str) and _COLOUR.fullmatch(value) else None


def _parse_language(value: object) -> str | None:
    return value if isinstance(value, str) and languages.is_code(value) else None


def _parse_words(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _quote_value(value: object) -> str:
    """Format a value nearly as it is written in the file."""
    if isinstance(value, str):
        return f"“{excerpt(value)}”"
    return str(value).lower() if isinstance(value, bool) else excerpt(str(value))
