"""Words by which people call things on a table: each is given once in a game, and reads as nothing else.

Separate from the kinds of argument because whether a word is free is for the rules of a table to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from companion.games.action import Action, RuleError
from companion.games.creature_kinds import HANDLE_OR_SEAT
from companion.games.kinds import HANDLE, TARGET, Kind, Many
from companion.games.notation import grammar


def keywords_beside_handles(vocabulary: Iterable[type[Action]]) -> frozenset[str]:
    """The keywords of all lines in which a handle can stand; a thing called so could not be named there."""
    return frozenset(_keywords(vocabulary))


def _keywords(vocabulary: Iterable[type[Action]]) -> Iterator[str]:
    for action in vocabulary:
        written = grammar(action)
        if any(_is_handle(argument.kind) for argument in written.arguments):
            yield from written.keywords


def _is_handle(kind: Kind[Any]) -> bool:
    item = kind.item if isinstance(kind, Many) else kind
    return item in (HANDLE, HANDLE_OR_SEAT, TARGET)


def check_free(handle: str, given: Collection[str], seats: Collection[str], keywords: Collection[str]) -> None:
    """Raises RuleError where a new thing cannot be called so: the word was given before, or means something else."""
    if handle in given:
        raise RuleError(f"“{handle}” has named something in this game already; give this one a word of its own.")
    if handle in seats:
        raise RuleError(f"“{handle}” is somebody's seat; give this one a word of its own.")
    if handle in keywords:
        raise RuleError(f"“{handle}” is a word of the notation; give this one another name.")
