"""What the archive's streams hold: one entry a thing that happened, never changed, numbered from 0 in each stream."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, cast

import msgspec

from companion.archive.errors import ArchiveError
from companion.tabletop.records import Reason, ReasonOrText

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


def log_lines(entries: Sequence["Entry"]) -> tuple[LogLine, ...]:
    """The lines among a session's entries."""
    read = ((entry, entry.read(StoredLine)) for entry in entries if entry.holds(StoredLine))
    return tuple(LogLine(entry.seq, entry.at, entry.by, line.line, line.group) for entry, line in read)


@cache
def decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    """What reads bodies of a kind; made once, as making it takes ten times as long as reading."""
    return msgspec.json.Decoder(kind)


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
            read: T = decoder(cast("Any", kind)).decode(self.body)
        except msgspec.MsgspecError as error:
            raise unreadable_entry(self.stream, self.seq, error) from error
        return read


def unreadable_entry(stream: str, seq: int, why: Exception) -> ArchiveError:
    """The error that says that an entry's body cannot be read."""
    return ArchiveError(f"Entry {seq} of {stream} cannot be read: {why}.")


class StreamOpened(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first entry of a session or of a deck: which game it is of, and what the session's table is called.

    `edition` is that of the game's rules by which the session was begun.
    """

    game: str
    title: str = ""
    edition: int = 1


class Standing(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a sitting stands, as facts: the names of who sits there, and what its game tells of the table."""

    seats: tuple[str, ...] = ()
    facts: tuple[Reason, ...] = ()


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a session's log in table notation.

    Lines of one `group` are undone together. `standing` is where the session stands now, as lists show it (a sentence
    in entries of before); empty where it did not change. `seals` names the decks whose records this line writes; only
    the line that ends a game has it. `edition` is that of the rules in force from here on; 0 where it did not change.
    """

    line: str
    group: int = 0
    standing: str | Standing = ""
    seals: tuple[str, ...] | None = None
    edition: int = 0


class PersonIntroduced(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody is known from now on. `kept_as` is the name under which a purse was kept before people had ids."""

    name: str
    kept_as: str = ""


class PersonRenamed(msgspec.Struct, frozen=True):
    """Somebody is called otherwise from now on."""

    name: str


class PersonMerged(msgspec.Struct, frozen=True):
    """Somebody turned out to be a person who is known already: purse and decks are theirs."""

    into: str


class PurseChange(msgspec.Struct, frozen=True):
    """A purse changes by so much, and why; the sentence for a reason is made by `game`.

    `name` is whom it was paid to; the stream says the person.
    """

    name: str = msgspec.field(name="wizard")
    change: int
    why: ReasonOrText = ""
    game: str = ""


class KeepsakeChange(msgspec.Struct, frozen=True):
    """Somebody keeps so many more (or fewer) of something from a `game` for the next; `what` is the game's own word."""

    name: str
    what: str
    change: int
    game: str


Positions = tuple[int, ...]
Outcome = Literal["printed", "spoiled", "blank"]
"""How a run came out: well; badly, so that its labels are lost; or not at all, so that they are free again."""


class SheetBegun(msgspec.Struct, frozen=True, tag="begun"):
    """A sheet came to hand, or one of this name again: of which stock, with how many labels and which of them free."""

    name: str
    stock: str
    count: int
    free: Positions


class PositionsClaimed(msgspec.Struct, frozen=True, tag="claimed"):
    """Labels were printed for these positions; nobody has said yet how they came out."""

    positions: Positions


class ClaimsSettled(msgspec.Struct, frozen=True, tag="settled"):
    """Somebody said how all that was claimed came out."""

    outcome: Outcome


class PositionsReturned(msgspec.Struct, frozen=True, tag="given-back"):
    """These positions are free after all."""

    positions: Positions


class PositionsUsed(msgspec.Struct, frozen=True, tag="used-up"):
    """These positions are gone without a run that says so: peeled off, torn, printed elsewhere."""

    positions: Positions


class PutAway(msgspec.Struct, frozen=True, tag="put-away"):
    """The sheet or printer is no longer at hand."""


class PrinterCalibrated(msgspec.Struct, frozen=True, tag="calibrated"):
    """What a printer needs to hit the paper: shifts right and down in mm, and scales."""

    name: str
    dx: float
    dy: float
    sx: float
    sy: float


# The kinds under which bodies are stored are for ever, whatever their classes are called.
_KINDS: dict[type[msgspec.Struct], str] = {
    StreamOpened: "opened",
    StoredLine: "line",
    PersonIntroduced: "introduced",
    PersonRenamed: "renamed",
    PersonMerged: "merged",
    PurseChange: "coppers",
    KeepsakeChange: "keepsake",
}


def draft(body: msgspec.Struct) -> NewEntry:
    """The entry that writes `body` down; a mark's kind is its tag."""
    kind = _KINDS.get(type(body)) or str(body.__struct_config__.tag)
    return NewEntry(kind, msgspec.json.encode(body).decode())


def drafts(bodies: Sequence[msgspec.Struct]) -> tuple[NewEntry, ...]:
    """The entries that write `bodies` down, in order."""
    return tuple(draft(body) for body in bodies)
