"""The kinds of streams: the list of each, its plural, and how somebody watches while all of a kind are gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from companion.archive.lists import NAMED_PURSE, DeckRow, NamedPurseRow, PersonRow, Row, SessionRow
from companion.archive.sheets import PrinterRow, SheetRow

LISTS: Final[Mapping[str, type[Row]]] = {
    "session": SessionRow,
    "deck": DeckRow,
    "person": PersonRow,
    NAMED_PURSE: NamedPurseRow,
    "sheet": SheetRow,
    "printer": PrinterRow,
}
"""The list of each kind of stream."""

_PLURALS: Final = {"person": "people", NAMED_PURSE: "purses"}


def plural(kind: str) -> str:
    """What a list of this kind of stream is a list of."""
    return _PLURALS.get(kind, f"{kind}s")


Watch = Callable[[str, Sequence[str]], Iterable[str]]
"""Hands on the streams of a kind one by one, so that somebody can see how far it is."""


def unwatched(_: str, streams: Sequence[str]) -> Iterable[str]:
    """Nobody looks on."""
    return streams
