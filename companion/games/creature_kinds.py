"""Kinds of argument about creatures and what else has a handle: a handle or a seat, a change of one or two figures.

Separate from the kinds of every game because only games with things that have handles speak of them.
"""

from __future__ import annotations

from typing import Annotated, Final

from companion.games.kinds import HANDLE, Word, read_name, read_signed


def _read_change(word: str) -> tuple[int, int]:
    """What the first figure gains or loses, and the second where it is said: `+2`, `+2/-1`."""
    first, stroke, second = word.partition("/")
    return read_signed(first), read_signed(second) if stroke else 0


def _write_change(change: tuple[int, int]) -> str:
    return f"{change[0]:+d}/{change[1]:+d}" if change[1] else f"{change[0]:+d}"


CHANGE: Final = Word("±N[/±N]", _read_change, _write_change)
HANDLE_OR_SEAT: Final = Word("HANDLE|SEAT", read_name)

HandleName = Annotated[str, HANDLE]
HandleOrSeat = Annotated[str, HANDLE_OR_SEAT]
