"""Texts of messages, so that tests compare what people read."""

from __future__ import annotations

from typing import Any

import msgspec

from templates.languages.messages import Message


def render_texts(value: Any) -> Any:
    """Return a value with the texts of all its messages: a choice, a note, or a tuple of them."""
    if isinstance(value, Message):
        return str(value)
    if isinstance(value, tuple):
        return tuple(map(render_texts, value))
    if isinstance(value, msgspec.Struct):
        return type(value)(*(render_texts(getattr(value, field)) for field in value.__struct_fields__))
    return value
