"""What happened at a table, and what was entered there, as one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.action import Tell
from companion.session.log import Moment


def in_short(moments: Sequence[Moment]) -> str:
    """An intention in few words; "" for none."""
    if not moments:
        return ""
    return moments[0].text if len(moments) == 1 else f"{len(moments)} lines"


def lines(moments: Iterable[Moment]) -> str:
    """The lines of an intention."""
    return ", ".join(moment.text for moment in moments)


def sentences(tells: Iterable[Tell]) -> str:
    """What happened, in one go."""
    return "  ".join(tell.text for tell in tells)


def ended(text: str) -> str:
    """A text as a sentence among others."""
    return text if text.endswith((".", "!", "?", ")")) else f"{text}."
