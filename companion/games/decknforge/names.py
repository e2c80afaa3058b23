"""Inscriptions and labels by their names, as people type them or read them off a label."""

from __future__ import annotations

from difflib import get_close_matches

from companion.games.action import NotationError
from companion.games.decknforge.inscriptions import INSCRIPTIONS
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.titles import title as title


def inscription(text: str) -> str:
    """An inscription by its name in the notation or on its label, in any case. Raises NotationError."""
    return _known(text, tuple(INSCRIPTIONS), "an inscription")


def label(text: str) -> str:
    """A Monster label by its name in the notation or on its label, in any case. Raises NotationError."""
    return _known(text, tuple(LABELS), "a Monster label")


def _known(text: str, names: tuple[str, ...], what: str) -> str:
    name = "-".join(text.lower().replace("'", "").replace("’", "").replace("-", " ").split())
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}."
    raise NotationError(f"“{text}” is not {what}; {meant}")
