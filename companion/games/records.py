"""A deck's record: the marks made on it, and what they add up to. Each game derives its own from these."""

from __future__ import annotations

import msgspec

from companion.games.game import kebab


class Mark(msgspec.Struct, frozen=True, tag_field="mark", tag=kebab):
    """One permanent mark in a deck's life. When and by whom stands in the archive's entry, not here."""


class Record(msgspec.Struct, frozen=True):
    """What every deck's record has; a game adds its own fields.

    `glory` is lifetime Glory (or what the game counts instead), `dungeons` the games completed.
    """

    game: str
    name: str
    glory: int = 0
    dungeons: int = 0
    holder: str = ""
    retired: bool = False


class Payment(msgspec.Struct, frozen=True):
    """Coppers (or what a game pays in) that came into somebody's purse, or went out of it, and why."""

    name: str
    coppers: int
    why: str
