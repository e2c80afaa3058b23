"""Actions, and what comes of them: the words in which rules, log and screen speak of what is done at a table."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, ClassVar, Final, NamedTuple, Self

import msgspec

from companion.tabletop.errors import SentenceError

DeckId = str
"""The 13 symbols of a deck's id; see `companion.archive.deck_id`."""

NEW_PERSON: Final = "new"
"""What `seat … person` says of somebody of a known name who is somebody else."""


class NotationError(SentenceError, ValueError):
    """A line that cannot be read."""


class AmbiguousLine(NotationError):
    """A text that could be several lines; `lines` are all of them, whole."""

    def __init__(self, message: str, lines: Iterable[str]) -> None:
        super().__init__(message)
        self.lines = tuple(lines)


class RuleError(SentenceError, ValueError):
    """An action that is against the rules; the message names the rule and the way out."""


def written_out(name: str) -> str:
    """Stands where a class has no tag of its own: what is stored under a tag must not change with a class name."""
    if name in ("Action", "Mark"):
        return name.lower()
    raise TypeError(f'{name} needs a tag: class {name}(…, frozen=True, tag="…")')


class Action(msgspec.Struct, frozen=True, tag_field="verb", tag=written_out):
    """One thing done at the table, as one line of notation; its `tag` is the verb, and lasts as long as any log.

    A subclass names its arguments and their kinds once (see `companion.tabletop.notation`); its docstring is its help.
    """

    is_quiet: ClassVar[bool] = False
    """Whether it comes by the dozen, so that a log leaves out those of which the rules tell nothing."""

    describes_deck: ClassVar[bool] = False
    """Whether it says what a deck is like that is not stored, so that the same table again says it too."""

    asks_twice: ClassVar[bool] = False
    """Whether it is asked once more before it is done, as nothing leads back from it at the table."""

    @classmethod
    def verb(cls) -> str:
        """The first word of the line."""
        return str(cls.__struct_config__.tag)


class Tell(msgspec.Struct, frozen=True):
    """A sentence of what happened. Never stored; replay derives it again.

    `seat` is whom it concerns ("" for the table); `by_hand` says that somebody must now do it with real cards, and
    `lasting` that it stays on them: it may be stuck or crossed out before anybody thinks of `undo`; `decides` that the
    game turned on it, so that it is told again when all is over. `own` is what its seat alone reads instead, with what
    lies face down. `now` says that it is whose turn comes or what is faced from here on: where there is no room for
    all that happened, it is told all the same.
    """

    text: str
    seat: str = ""
    by_hand: bool = False
    lasting: bool = False
    decides: bool = False
    own: str = ""
    now: bool = False

    def seen_by(self, viewer: str) -> Self:
        """The sentence as somebody reads it: a seat, or "" for everybody."""
        return msgspec.structs.replace(self, text=self.own) if self.own and self.seat == viewer else self


def permanent_changes(tells: Iterable[Tell]) -> tuple[str, ...]:
    """What people may have stuck, written or crossed out for good by now, in sentences; before it is undone, ask."""
    return tuple(tell.text for tell in tells if tell.lasting)


class Step(NamedTuple):
    """What `apply` gives back: the next state, and what there is to tell of the way there."""

    state: Any
    tells: tuple[Tell, ...] = ()


class Correction(NamedTuple):
    """A line that puts something right.

    `of` is what it corrects: a figure of a thing, or which thing lies there. `stands` returns True for a table that
    still shows what is replaced, and `put_right` gives such a table as it should have been; it may raise RuleError.
    `reach` is how many rounds or turns it goes back over what the rules brought about; None: as far as that stands.
    `through_entries`: what people had entered by hand is replaced since then, however long ago that was.
    """

    of: Hashable
    stands: Callable[[Any], bool]
    put_right: Callable[[Any], Any]
    reach: int | None = None
    through_entries: bool = True
