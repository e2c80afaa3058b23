"""What can go wrong with an archive, each as one sentence for the person who asked."""

from collections.abc import Iterable
from typing import Literal

from companion.tabletop.errors import SentenceError

Look = Literal[
    "decks",
    "sessions",
    "people",
    "phones",
    "printers",
    "sheets",
    "leagues",
    "rehearsals",
    "games",
    "backups",
    "damage",
    "loss",
]
"""What there is to look at where something goes wrong. How that is done, a shell, a screen and a phone say each in
their own way; so a sentence names a command only where nothing but a shell can do it, as with a file that is lost.
"""


class ArchiveError(SentenceError):
    """The archive cannot do what was asked; the message says why, and `look` where the way out begins."""

    def __init__(self, sentence: str = "", look: Look | None = None) -> None:
        super().__init__(sentence)
        self.look = look


class Unreadable(ArchiveError):
    """What was named as an archive is none, cannot be opened, or was written by a newer program."""


class NoArchive(Unreadable):
    """There is no archive where one was named, and who asked only looks, so that none is begun."""


class Conflict(ArchiveError):
    """Somebody else wrote first: the stream is longer than the appender knew."""


class Locked(Unreadable):
    """The archive's file is locked by another program for as long as anybody waits, or cannot be locked at all."""


class Displaced(ArchiveError):
    """The archive's file, or its log, was deleted, renamed or replaced while it was open: nothing is written to it."""


class Unsure(ArchiveError):
    """The connection broke while something was kept, and nobody can say yet whether it was; it may be repeated."""


class Unknown(ArchiveError):
    """Nothing, or more than one thing, in the archive goes by this name or id."""


class Ambiguous(ArchiveError):
    """A name that several people have, where one of them is meant."""


class NameTaken(ArchiveError):
    """A deck of this game, active or retired, has that name already (V1.15)."""


class Damaged(ArchiveError, ValueError):
    """What is stored somewhere is no longer what can be stored there: a date without a day, facts that are no JSON."""


def list_some(names: Iterable[str]) -> str:
    """The first few of several that may be meant, for a sentence."""
    first = list(names)
    return ", ".join(first[:5]) + (" …" if len(first) > 5 else "")
