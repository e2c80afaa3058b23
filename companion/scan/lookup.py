"""From a code to the deck it is for: whether that deck is here, and if not, whether its passport can bring it.

Separate from reading codes, which asks no archive.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.archive import Archive, ArchiveError, DeckRow, Unknown, deck_id, passport
from companion.archive.errors import Look
from companion.scan.code import Code, CodeKind

_WAYS_IN = "import its file, or adopt it from the passport on its record sheet"


class Met(NamedTuple):
    """A code, and the deck's row where it is here; else what is wrong, and whether its passport can bring it, or the
    deck is at another home. The way out may begin at what there is to `look` at.
    """

    code: Code
    row: DeckRow | None = None
    problem: str = ""
    can_adopt: bool = False
    is_elsewhere: bool = False
    look: Look | None = None


def look_up(archive: Archive, code: Code) -> Met:
    """What a code leads to here."""
    if code.deck is None:
        return Met(code, problem=code.problem or "")
    try:
        if code.kind is CodeKind.PASSPORT and not passport.knows(archive, passport.read(code.text)):
            return _stranger(archive, code)
        return Met(code, archive.find_deck(code.deck))
    except Unknown:
        problem = f"Deck {deck_id.show(code.deck)} is one of ours, but not in this archive: {_WAYS_IN}."
        return Met(code, problem=problem, is_elsewhere=True)
    except ArchiveError as error:
        return Met(code, problem=str(error), look=error.look)


def adopt(archive: Archive, code: Code) -> Met:
    """Takes in the deck of a passport, and gives what the code leads to then. Raises ArchiveError."""
    passport.adopt(archive, passport.read(code.text))
    return look_up(archive, code)


def _stranger(archive: Archive, code: Code) -> Met:
    """A passport of a deck that is not here. Raises ArchiveError where it could not be taken in."""
    shown = passport.read(code.text)
    passport.check_new(archive, shown)
    told = f"The passport of {shown.record().name} ({deck_id.show(shown.deck)})"
    return Met(code, problem=f"{told}; the deck is not here", can_adopt=True)
