"""What a column does to the part that it is dropped on: it fills the part, or joins what the part says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from labels.designs.parts import CodePart, Part, PicturePart, TextPart
from labels.template import column_of, normalize_field
from templates.languages.messages import Text, phrase

ONE_FIELD: Final = re.compile(r"\{([^{}]+)\}")


def replaces_content(part: Part, source: str, columns: Iterable[str]) -> bool:
    """Return True if a column takes the place of what a part says: of a field that no column fills, or of nothing."""
    alone = ONE_FIELD.fullmatch(source.strip())
    is_filled = alone is not None and column_of(normalize_field(alone[1])) in map(normalize_field, columns)
    is_code = isinstance(part, CodePart)
    return isinstance(part, PicturePart) or not source.strip() or (alone is not None and (is_code or not is_filled))


def describe_drop(part: Part, source: str, columns: Iterable[str]) -> Text:
    """Return what a column does that is dropped on a part, "" if the part shows none."""
    is_replaced = replaces_content(part, source, columns)
    match part:
        case TextPart():
            return phrase("Takes the place of this text") if is_replaced else phrase("Joins this text")
        case CodePart():
            return phrase("Fills this code") if is_replaced else phrase("Joins the content of this code")
        case PicturePart():
            return phrase("Fills this picture")
    return ""
