"""Actions and their results: the vocabulary that rules, log and screen share for moves at a table."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

import msgspec

from companion.tabletop.errors import SentenceError
from templates.languages.messages import Text

DeckId = str
"""The 13 symbols of a deck's id; see `companion.archive.deck_id`."""

ActionWeight = Literal["", "plain", "final"]
"""The consequence of an action as buttons show it: it does something, it declines something, or it gives up."""

ButtonText = Text
"""The words on the button that carries an action out."""

Questions = Mapping[str, Text]
"""Questions for the fields of an action, by field."""

NEW_PERSON: Final = "new"
"""The value of `person` on a `seat` line for a new person whose name is already in use."""


class NotationError(SentenceError, ValueError):
    """A line that cannot be read."""


class AmbiguousLine(NotationError):
    """A text that could be one of several lines; `lines` are all of them, complete."""

    def __init__(self, message: Text, lines: Iterable[str]) -> None:
        super().__init__(message)
        self.lines = tuple(lines)


class RuleError(SentenceError, ValueError):
    """An action that is against the rules; the message names the rule and the way out."""


def written_out(name: str) -> str:
    """Return the tag of a base class, and raise TypeError for any other class that sets no tag.

    Stored data holds the tags, so a tag must not depend on the name of a class.
    """
    if name in ("Action", "Mark"):
        return name.lower()
    raise TypeError(f'{name} needs a tag: class {name}(…, frozen=True, tag="…")')


class Action(msgspec.Struct, frozen=True, tag_field="verb", tag=written_out):
    """One action at the table, written as one line of notation; its `tag` is the verb.

    Logs store the verb, so it must never change. A subclass declares each argument and its kind once (see
    `companion.tabletop.notation.notation`); its docstring is its help text.
    """

    is_quiet: ClassVar[bool] = False
    """True if this action is so frequent that a log omits it when the rules report nothing."""

    describes_deck: ClassVar[bool] = False
    """True if this action describes a deck that is not stored, so that a rematch at the same table repeats it."""

    asks_twice: ClassVar[bool] = False
    """True if this action needs a confirmation, because nothing at the table leads back from it."""

    weight: ClassVar[ActionWeight] = ""
    """The look of a button for this action: plain if it declines an offer, final if it gives up or ends."""

    questions: ClassVar[Questions] = MappingProxyType({})
    """The questions for its fields, by field, if those that all actions share do not say what is meant."""
    field_titles: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """The display names of its fields, by field, if a page gives them."""

    button_text: ClassVar[ButtonText] = ""
    """The words on the button that carries it out, if its verb is a word that only lines use, such as `among`."""

    help_text: ClassVar[Text] = ""
    """The help of an action that is declared elsewhere than in a docstring, such as on the page of a game."""

    @property
    def sure(self) -> Text:
        """The question that is put before this action is done; "" for none."""
        return ""

    @classmethod
    def verb(cls) -> str:
        """Return the first word of the line."""
        return str(cls.__struct_config__.tag)


class Tell(msgspec.Struct, frozen=True):
    """A sentence about something that happened. It is never stored; replay derives it again.

    `seat` is the seat that it concerns ("" for the table). `by_hand`: a player must now do it with real cards.
    `lasting`: it stays on the cards, and may be stuck on or crossed out before anyone thinks of `undo`. `decides`: it
    decided the game, and is shown again at the end. `own` replaces the text for its own seat, and includes face-down
    cards. `now`: it announces the next turn or the next thing to face, and is shown even if there is no room for
    everything that happened.
    """

    text: Text
    seat: str = ""
    by_hand: bool = False
    lasting: bool = False
    decides: bool = False
    own: Text = ""
    now: bool = False

    def seen_by(self, viewer: str) -> Self:
        """Return the sentence as `viewer` reads it: a seat, or "" for the public view."""
        return msgspec.structs.replace(self, text=self.own) if self.own and self.seat == viewer else self


def permanent_changes(tells: Iterable[Tell]) -> tuple[Text, ...]:
    """Return the sentences about changes that players may have made to real cards for good: ask before undoing them."""
    return tuple(tell.text for tell in tells if tell.lasting)


class Step(NamedTuple):
    """The result of `apply`: the next state, and the sentences about how the table got there."""

    state: Any
    tells: tuple[Tell, ...] = ()


class Correction(NamedTuple):
    """A line that corrects an error.

    `of` identifies what it corrects: a figure of a thing, or which thing lies there. `stands` returns True for a table
    that still shows the value being replaced. `put_right` returns such a table as it should have been; it may raise
    RuleError. `reach` is the number of rounds or turns over which it also replaces results of the rules; None: as long
    as `stands` holds. `through_entries`: it also replaces a value entered by hand, however long ago.
    """

    of: Hashable
    stands: Callable[[Any], bool]
    put_right: Callable[[Any], Any]
    reach: int | None = None
    through_entries: bool = True
