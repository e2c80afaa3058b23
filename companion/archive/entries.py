"""What the archive's streams hold: one entry a thing that happened, never changed, numbered from 0 in each stream."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

import msgspec

from companion.archive.errors import ArchiveError

T = TypeVar("T")


class NewEntry(NamedTuple):
    """An entry that is yet to be appended: what kind it is, and its body as JSON."""

    kind: str
    body: str


class LogLine(NamedTuple):
    """A line as it stands in a session's log; `number` counts from 1 and is its seq in the stream."""

    number: int
    at: datetime
    by: str
    line: str
    group: int


class Entry(msgspec.Struct, frozen=True):
    """An entry as it stands in the archive. `at` is UTC, `by` says who wrote it, `body` is JSON.

    `session` is the sitting that wrote it by its seal; "" where it was written otherwise.
    """

    stream: str
    seq: int
    at: datetime
    by: str
    kind: str
    body: str
    session: str = ""

    def holds(self, kind: type[msgspec.Struct]) -> bool:
        """Whether the body is a `kind`, one of the structs of this module."""
        return self.kind == _KINDS[kind]

    def read(self, kind: type[T]) -> T:
        """The body as a `kind` (a struct, or a union of marks). Raises ArchiveError if it is something else."""
        try:
            return msgspec.json.decode(self.body, type=kind)
        except msgspec.MsgspecError as error:
            raise ArchiveError(f"Entry {self.seq} of {self.stream} cannot be read: {error}.") from error


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first entry of a session or of a deck: which game it is of, and what the session's table is called."""

    game: str
    title: str = ""


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a session's log in table notation.

    Lines of one `group` are undone together. `standing` is where the session stands now, as lists show it; empty where
    it did not change. `seals` names the decks whose records this line writes; only the line that ends a game has it.
    """

    line: str
    group: int = 0
    standing: str = ""
    seals: tuple[str, ...] | None = None


class Coppers(msgspec.Struct, frozen=True):
    """A wizard's purse changes by `change` Coppers."""

    wizard: str
    change: int
    why: str = ""


_KINDS: dict[type[msgspec.Struct], str] = {Opened: "opened", StoredLine: "line", Coppers: "coppers"}


def draft(body: msgspec.Struct) -> NewEntry:
    """The entry that writes `body` down; a mark's kind is its tag."""
    kind = _KINDS.get(type(body)) or str(body.__struct_config__.tag)
    return NewEntry(kind, msgspec.json.encode(body).decode())


def drafts(bodies: Sequence[msgspec.Struct]) -> tuple[NewEntry, ...]:
    """The entries that write `bodies` down, in order."""
    return tuple(draft(body) for body in bodies)
