"""Texts with fields, `{name}, table {table}`, filled from a row. A field is a name, without formats or attributes."""

import difflib
import re
from collections.abc import Collection, Mapping

import msgspec

from labels.errors import LabelError

_TOKEN = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")


class TemplateError(LabelError):
    """A text with fields that cannot be read."""


class Template(msgspec.Struct, frozen=True):
    """A text whose pieces are by turns words and the name of a field: `pieces[1]` is the first field."""

    pieces: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields in their order."""
        return self.pieces[1::2]

    @property
    def source(self) -> str:
        """The text as it was written."""
        words = (piece.replace("{", "{{").replace("}", "}}") for piece in self.pieces[::2])
        fields = (f"{{{field}}}" for field in self.fields)
        return "".join(f"{word}{next(fields, '')}" for word in words)

    def filled(self, row: Mapping[str, str]) -> str:
        """The text with what the row has in its fields; nothing for a field that it lacks."""
        if len(self.pieces) == 1:
            return self.pieces[0]
        return "".join(row.get(piece, "") if number % 2 else piece for number, piece in enumerate(self.pieces)).strip()


def parse_template(text: str) -> Template:
    """A text as somebody wrote it. Raises TemplateError for a brace that opens or closes nothing."""
    pieces, end = [""], 0
    for token in _TOKEN.finditer(text):
        pieces[-1] += text[end : token.start()]
        end = token.end()
        if token[0] in ("{{", "}}"):
            pieces[-1] += token[0][0]
        elif not token[0].strip("{} "):
            raise TemplateError(f"“{text}” has a brace without a field; write {{name}}, or {{{{ for a brace to print.")
        else:
            pieces += [normalize_field(token[0][1:-1]), ""]
    pieces[-1] += text[end:]
    return Template(tuple(pieces))


def normalize_field(field: str) -> str:
    """A field's or column's name as it is compared: in small letters, without spaces around it."""
    return " ".join(field.split()).casefold()


def nearest(field: str, columns: Collection[str]) -> str:
    """What to write for a field that is no column: the column that is nearest to it, else all there are."""
    matches = difflib.get_close_matches(field, columns, 1, 0.6)
    return f"write {{{matches[0]}}}" if matches else f"the columns are {', '.join(columns) or 'none'}"
