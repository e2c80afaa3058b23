"""Why something was written down, kept as a code with its arguments; the sentence is made when it is shown.

So the wording, and one day the language, can change without a stored entry being touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec


class Reason(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reason that the program gives. Codes are for ever, like everything that is stored; arguments are facts."""

    code: str
    args: tuple[int | str, ...] = ()


Said = str | Reason
"""People's own words, which stay as they are, or a reason of the program."""

Texts = Mapping[str, Callable[..., str]]
"""How reasons are told, by their codes; each takes the arguments of its code."""

GENERAL: Final[Texts] = {
    "renamed": "a new name".format,
    "box-looked-through": "the box was looked through".format,
    "told-elsewhere-holds": "the story as told in another home holds".format,
    "told-here-holds": "told otherwise in another home; the story as told here holds".format,
    "decided-later": "two homes decided differently, and what was decided later holds".format,
    "ticked-by-mistake": "ticked off by mistake".format,
    "ticked-at-once": "ticked off by mistake, and taken back at once".format,
    "by-hand": "set by hand".format,
    "outcome": str,
    "won": "{} won".format,
    "draw": "a draw".format,
}
"""Reasons that have nothing to do with any one game."""


def told(said: Said, texts: Texts = GENERAL) -> str:
    """The words for a reason; of one that no text is known for (a newer program's), its code and arguments."""
    if isinstance(said, str):
        return said
    text = texts.get(said.code) or GENERAL.get(said.code)
    try:
        return text(*said.args) if text else _plain(said)
    except (TypeError, ValueError, LookupError, AttributeError):
        return _plain(said)


def _plain(reason: Reason) -> str:
    return " ".join(map(str, (reason.code, *reason.args)))
