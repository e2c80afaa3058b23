"""Tags: words by which people find decks again. Each is a mark in its deck's stream, so it travels with the story.

Separate because only here tags are given and taken away; which ones a deck has stands in its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from companion.archive import lists
from companion.archive.archive import Archive
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.records import Tagged
from companion.tabletop.text import as_name, visible_form

_LONGEST: Final = 40

of: Final = lists.tags_of


def tag(archive: Archive, deck: str, tags: Sequence[str], off: Sequence[str] = ()) -> tuple[str, ...]:
    """Gives a deck tags and takes others away; gives those that it has then. Nothing is written where it has them so.

    Raises RuleError for a tag that is none, Unknown, Conflict.
    """
    marks = archive.marks(deck)
    has = {visible_form(known): known for known in of(marks)}
    new = _once(word for word in map(spelled, tags) if visible_form(word) not in has)
    gone = _once(has[visible_form(word)] for word in map(spelled, off) if visible_form(word) in has)
    if not new and not gone:
        return of(marks)
    made = Tagged(new, gone)
    archive.mark(deck, len(marks) + 1, [made])
    return of((*marks, made))


def _once(words: Iterable[str]) -> tuple[str, ...]:
    """Each tag as it was said first; those that look alike are one."""
    said: dict[str, str] = {}
    for word in words:
        said.setdefault(visible_form(word), word)
    return tuple(said.values())


def spelled(text: str) -> str:
    """A tag as it is kept, from what was typed for it. Raises RuleError for one that is none."""
    try:
        word = as_name(text)
    except NotationError:
        word = ""
    if not 0 < len(word) <= _LONGEST:
        raise RuleError(f"A tag is a word or a few, of at most {_LONGEST} letters, such as league.")
    return word
