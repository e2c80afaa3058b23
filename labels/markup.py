"""Bold and italic in the words of a text: `**bold**`, `*italic*` and `***both***`; a backslash makes \\* an asterisk.

Only the words of the design are marked up. What a row fills into them is printed as it is.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from labels.errors import LabelError, excerpt
from labels.template import Template
from labels.typesetting.emphasis import Emphasis, emphasize
from templates.languages.messages import phrase

_TOKEN: Final = re.compile(r"\\[*\\]|\*\*|\*|[^*\\]+|\\")


class MarkedTemplate(NamedTuple):
    """A text with fields whose words are emphasized, and for each field in order its column and its emphasis."""

    template: Template
    fields: Sequence[tuple[str, Emphasis]]

    def fill(self, row: Mapping[str, str]) -> str:
        """Return the text with its fields filled from a row, with marks of emphasis."""
        values = {
            str(number): emphasize(row.get(field, ""), emphasis) for number, (field, emphasis) in enumerate(self.fields)
        }
        return self.template.fill_fields(values)


@lru_cache(maxsize=256)
def parse_markup(template: Template) -> MarkedTemplate:
    """Parse the markup of a text with fields. Raises LabelError if an emphasis does not end."""
    pieces, fields, current = list[str](), list[tuple[str, Emphasis]](), Emphasis()
    for number, piece in enumerate(template.pieces):
        if number % 2:
            pieces.append(str(number // 2))
            fields.append((piece, current))
            continue
        words = []
        for token in _TOKEN.findall(piece):
            if token == "**":
                current = current._replace(bold=not current.bold)
            elif token == "*":
                current = current._replace(italic=not current.italic)
            else:
                words.append(emphasize(token[-1] if token in (r"\*", r"\\") else token, current))
        pieces.append("".join(words))
    if current != Emphasis():
        raise LabelError(
            phrase(
                "“{text}” has {mark} where bold or italic begins, and none where it ends; write {mark} there too, or "
                "{escaped} for an asterisk that is printed.",
                text=excerpt(template.source),
                mark="**" if current.bold else "*",
                escaped=r"\*",
            )
        )
    return MarkedTemplate(Template(tuple(pieces)), fields)
