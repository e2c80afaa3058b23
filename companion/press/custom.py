"""Labels of one's own, from a TOML or CSV file: name, text, tier, count.

Separate because it reads what people wrote by hand, and so owes them the line in which something is wrong.
"""

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from companion.games.paper import LabelText
from companion.press import wording
from companion.press.drawing import drawn
from labels import fonts
from labels.errors import LabelError
from labels.label import Label

COLUMNS = ("name", "text", "tier", "count")
_MOST = 10_000


class FileError(LabelError):
    """A file of labels that cannot be read as one; the sentence names the file and the line."""


class _Row(NamedTuple):
    line: int
    values: Mapping[str, Any]


def read(path: Path) -> tuple[Label, ...]:
    """The labels that a file asks for, each as often as its count says. Raises FileError, or OSError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"“{path}” is not text: write it as TOML or CSV in UTF-8.") from error
    kind = path.suffix.lower()
    if kind not in (".toml", ".csv"):
        raise FileError(f"“{path}” ends in neither .toml nor .csv; name it by what it is.")
    rows = _toml(text, path) if kind == ".toml" else _csv(text, path)
    labels = tuple(label for row in rows for label in _labels(row, path))
    if not labels:
        raise FileError(f"“{path}” asks for no label; it needs {'[[label]] tables' if kind == '.toml' else 'rows'}.")
    if len(labels) > _MOST:
        raise FileError(f"“{path}” asks for {len(labels)} labels; {_MOST} is the most for one file.")
    return labels


def _toml(text: str, path: Path) -> Iterator[_Row]:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"“{path}” is not TOML: {error}.") from error
    strange = [key for key in found if key != "label"]
    rows = found.get("label", [])
    if strange or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        what = f"“{strange[0]}”" if strange else "“label”"
        raise FileError(f"“{path}” has {what} where [[label]] tables are expected, each with {_listed()}.")
    # The parser keeps no lines, so they are where the tables' heads are.
    heads = [number for number, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*label\s*\]\]", line)]
    lines = heads if len(heads) == len(rows) else [1] * len(rows)
    yield from map(_Row, lines, rows)


def _csv(text: str, path: Path) -> Iterator[_Row]:
    first = text.partition("\n")[0]
    # Kept as they are, so that a break inside of quotation marks stays one.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        heads = [head.strip().lower() for head in next(reader, [])]
        _check_columns(heads, path)
        end = reader.line_num
        for cells in reader:
            line, end = end + 1, reader.line_num
            if any(cell.strip() for cell in cells):
                if len(cells) > len(heads):
                    raise FileError(
                        f"Line {line} of “{path}” has {len(cells)} cells for {len(heads)} columns; "
                        "put a text with commas in quotation marks."
                    )
                yield _Row(line, dict(zip(heads, cells, strict=False)))
    except csv.Error as error:
        raise FileError(f"Line {reader.line_num} of “{path}” cannot be read: {error}.") from error


def _check_columns(heads: list[str], path: Path) -> None:
    strange = [head for head in heads if head not in COLUMNS]
    if "name" not in heads or strange or len(set(heads)) < len(heads):
        raise FileError(f"Line 1 of “{path}” must name the columns: {_listed()}; it has “{','.join(heads)}”.")


def _listed() -> str:
    return "name, and where wanted text, tier, count"


def _labels(row: _Row, path: Path) -> tuple[Label, ...]:
    where = f"Line {row.line} of “{path}”"
    strange = [key for key in row.values if key not in COLUMNS]
    if strange:
        raise FileError(f"{where} has “{strange[0]}”, which is none of {', '.join(COLUMNS)}.")
    name, text, tier = (_text(row, key, where) for key in ("name", "text", "tier"))
    if not name:
        raise FileError(f"{where} has no name.")
    return (_label(name, text, tier, where),) * _count(row.values.get("count", 1), where)


def _text(row: _Row, key: str, where: str) -> str:
    value = row.values.get(key, "")
    if not isinstance(value, str):
        raise FileError(f"{where}: {key} is a text in quotation marks, not {value}.")
    lines = fonts.lines(value)
    try:
        fonts.check("".join(lines), f"the {key} “{' '.join(lines)}”")
    except fonts.GlyphError as error:
        raise FileError(f"{where}: {error}") from error
    return "\n".join(lines)


def _count(value: object, where: str) -> int:
    if isinstance(value, str):
        value = int(value) if value.strip().isdecimal() else value if value.strip() else 1
    if type(value) is not int or not 0 <= value <= _MOST:
        raise FileError(f"{where}: count is a whole number up to {_MOST}, not “{value}”.")
    return value


def _label(name: str, text: str, tier: str, where: str) -> Label:
    if not tier:
        return drawn(LabelText(name, text))
    known = wording.tiers()
    if tier.lower() not in known:
        raise FileError(f"{where}: “{tier}” is not a tier; tiers are {', '.join(known)}, or leave it empty.")
    look = known[tier.lower()]
    if not text:
        raise FileError(f"{where}: a label of a tier needs a text; “{name}” has none.")
    return drawn(LabelText(name, text, look.design, look.tier))
