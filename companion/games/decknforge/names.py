"""Inscriptions and labels as they are printed: the notation writes `hunters-edge`, a label says Hunter's Edge."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from companion.games.action import NotationError
from companion.games.decknforge.inscriptions import INSCRIPTIONS
from companion.games.decknforge.labels import LABELS

_OWNERS: Final = frozenset({"Hunters", "Wizards", "Reapers", "Towers"})


def title(name: str) -> str:
    """`hunters-edge` → `Hunter's Edge`"""
    words = name.title().split("-")
    return " ".join(f"{word[:-1]}'s" if word in _OWNERS else word for word in words)


def inscription(text: str) -> str:
    """An inscription by its name in the notation or on its label, in any case. Raises NotationError."""
    return _known(text, tuple(INSCRIPTIONS), "inscription")


def label(text: str) -> str:
    """A Monster label by its name in the notation or on its label, in any case. Raises NotationError."""
    return _known(text, tuple(LABELS), "Monster label")


def _known(text: str, names: tuple[str, ...], what: str) -> str:
    name = "-".join(text.lower().replace("'", "").replace("’", "").replace("-", " ").split())
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}."
    raise NotationError(f"“{text}” is not a {what}; {meant}")
