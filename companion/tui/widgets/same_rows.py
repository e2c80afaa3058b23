"""Whether a list's rows are there already: a list that is made anew is laid out and drawn anew, changed or not."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets.option_list import Option


def same_rows(shown: Sequence[Option], wanted: Sequence[Option]) -> bool:
    """Whether rows say the same in the same looks, and can be chosen alike."""
    return len(shown) == len(wanted) and all(map(_same, shown, wanted))


def _same(one: Option, other: Option) -> bool:
    if (one.id, one.disabled) != (other.id, other.disabled):
        return False
    if isinstance(one.prompt, Content) and isinstance(other.prompt, Content):
        return one.prompt.is_same(other.prompt)
    return one.prompt == other.prompt
