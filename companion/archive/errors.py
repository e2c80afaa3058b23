"""Errors of the archive, each as one sentence for the user."""

from collections.abc import Iterable
from typing import Literal

from companion.tabletop.errors import SentenceError
from templates.languages.messages import Language, Message, Text, listed, phrase, render_value

Look = Literal[
    "decks",
    "sessions",
    "imported",
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
"""The thing to look at after an error.

Shell, screen and phone explain in their own ways how to do that; so a sentence names a command only if nothing but a
shell can run it, as for a lost file.
"""


class ArchiveError(SentenceError):
    """The archive cannot do what was requested; the message says why, and `look` names what to look at."""

    def __init__(self, sentence: Text = "", look: Look | None = None) -> None:
        super().__init__(sentence)
        self.look = look


class Unreadable(ArchiveError):
    """The given path or URL is no archive, cannot be opened, or was written by a newer program."""


class NoArchive(Unreadable):
    """There is no archive at the given place, and the caller only reads, so that none is created."""


class Conflict(ArchiveError):
    """Another writer was first: the stream is longer than the appender knew."""


class Locked(Unreadable):
    """The archive's file stayed locked by another program for the whole wait, or cannot be locked at all."""


class Displaced(ArchiveError):
    """The archive's file, or its log, was deleted, renamed or replaced while it was open: nothing is written to it."""


class Unsure(ArchiveError):
    """The connection broke during a write whose outcome is not known yet; the write may be repeated."""


class Unknown(ArchiveError):
    """Nothing in the archive has this name or id, or several things have."""


class Ambiguous(ArchiveError):
    """A name that several people have, used for one of them."""


class NameTaken(ArchiveError):
    """A deck of this game, active or retired, has that name already (V1.15)."""


class PersonExists(ArchiveError):
    """Somebody else has or had the new name of a person; `other` is the id of that one, or the name without an id."""

    def __init__(self, sentence: Text, other: str) -> None:
        super().__init__(sentence)
        self.other = other


class Damaged(ArchiveError, ValueError):
    """A stored value is no longer one that can be stored there: a date without a day, facts that are not JSON."""


def list_some(names: Iterable[object], most: int = 5) -> Message:
    """List the first few of several candidates, for a sentence."""
    first = list(names)
    some = listed(first[:most])
    return phrase("{names} …", names=some) if len(first) > most else some


def describe_error(error: Exception) -> Text:
    """Return the sentence of an error, or the text of one that is not ours."""
    return error.message if isinstance(error, SentenceError) else str(error)


class Clause(Message):
    """A sentence without its full stop, for use in brackets or before another full stop."""

    __slots__ = ("sentence",)

    def __init__(self, sentence: Text) -> None:
        self.sentence = sentence

    def render(self, language: Language) -> str:
        """Return the sentence in a language, without full stops at its end."""
        return render_value(self.sentence, language).rstrip(".。")

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.sentence,)

    def __bool__(self) -> bool:
        return bool(self.sentence)
