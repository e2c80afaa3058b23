"""Where to look when something goes wrong, on these screens: what an error leaves to whoever shows it.

Separate as every screen that shows errors of the archive says it, and none is the one it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.archive.errors import Look

_SHOWN_BY: Final[Mapping[str, str]] = {
    "damage": "Archive (^O at home) checks it and goes back to a backup",
    "loss": "Archive (^O at home) goes back to a backup, and “Take it as it is” there goes on with it",
}
"""Whatever else there is to look at stands in lists where it is asked for."""


def told(error: Exception) -> str:
    """The sentence of an error, with what to press where that leads on."""
    return led_on(str(error), getattr(error, "look", None))


def led_on(sentence: str, look: Look | None) -> str:
    """A sentence, with what to press where that leads to what there is to look at."""
    way = _SHOWN_BY.get(look or "")
    return f"{sentence.rstrip('.')}; {way}." if way else sentence
