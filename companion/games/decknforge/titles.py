"""What the notation's names are called on a label: `hunters-edge` is Hunter's Edge. Separate from reading names, which
needs to know all of them.
"""

from __future__ import annotations

from typing import Final

_OWNERS: Final = frozenset({"Hunters", "Wizards", "Reapers", "Towers"})


def title(name: str) -> str:
    """`hunters-edge` → `Hunter's Edge`"""
    words = name.title().split("-")
    return " ".join(f"{word[:-1]}'s" if word in _OWNERS else word for word in words)
