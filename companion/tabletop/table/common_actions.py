"""The actions of every game: set-up, `next`, manual overrides, notes, checks; and the check that a handle is free."""

from collections.abc import Collection, Iterable
from typing import Annotated, ClassVar, Final, Literal

from companion.tabletop.action import Action, ActionWeight, ButtonText, Questions, RuleError
from companion.tabletop.notation.arguments import (
    CLOCK,
    COUNT,
    DICE,
    GAME,
    HANDLE,
    HANDLE_OR_SEAT,
    KEY,
    NEW_COUNTER,
    ROLLED,
    SEAT,
    SEED,
    SIGNED,
    TARGET,
    VALUE,
    VALUES,
    WHOLE,
    WORDS,
    Bare,
    CounterName,
    Many,
    SeatName,
    Target,
    Text,
    Word,
    write_text,
)
from companion.tabletop.notation.notation import LineKind, grammar
from templates.languages.messages import phrase

ACTION: Final = LineKind("ACTION")
_HANDLES: Final = (HANDLE, HANDLE_OR_SEAT, TARGET)


class OpenTable(Action, frozen=True, tag="table"):
    """Open a table for a game or a homebrew; always the first line."""

    game: Annotated[str, GAME]


class Seat(Action, frozen=True, tag="seat"):
    """Seat a player, clockwise after the last one; `deck` gives them a stored deck, `person` says who they are.

    If the seat is taken already, `deck` gives its player another deck.
    """

    button_text: ClassVar[ButtonText] = phrase("Sit down")

    seat: SeatName
    name: Text = ""
    deck: Text = ""
    person: Annotated[str, VALUE] = ""

    @property
    def title(self) -> str:
        """The name as shown to others, or the word of the seat if the name is blank."""
        return self.name if self.name.strip() else self.seat.capitalize()


class Rule(Action, frozen=True, tag="rule"):
    """Agree on a house rule before the game begins; `track` and `draws` can also be changed during the game."""

    questions: ClassVar[Questions] = {"value": phrase("What does your table play?")}

    key: Annotated[str, KEY]
    value: Annotated[str, VALUE]


class Begin(Action, frozen=True, tag="begin"):
    """End the set-up; a seed makes every draw by the program repeatable."""

    seed: Annotated[int, SEED] | None = None


class Next(Action, frozen=True, tag="next"):
    """Finish the current step, with the default for everyone who has not acted, and go on."""

    weight: ClassVar[ActionWeight] = "plain"


class Set(Action, frozen=True, tag="set"):
    """Set a counter to what it is on the real table."""

    button_text: ClassVar[ButtonText] = phrase("Set it")
    questions: ClassVar[Questions] = {"target": phrase("Whose figure is it?"), "value": phrase("What is it now?")}

    target: Target
    counter: CounterName
    value: Annotated[str, VALUES]


class Add(Action, frozen=True, tag="add"):
    """Change a counter by an amount, to match the real table."""

    button_text: ClassVar[ButtonText] = phrase("Change it")
    questions: ClassVar[Questions] = {
        "target": phrase("Whose figure is it?"),
        "amount": phrase("How much more or less?"),
    }

    target: Target
    counter: CounterName
    amount: Annotated[int, SIGNED]


EACH: Final = "each"
"""The target of `track` that means every seat."""


class Track(Action, frozen=True, tag="track"):
    """Count something that the game does not: for the table, a seat or a thing, or with `each` for every seat."""

    button_text: ClassVar[ButtonText] = phrase("Count it")
    questions: ClassVar[Questions] = {
        "counter": phrase("What do you count?"),
        "target": phrase("Whose is it?"),
        "start": phrase("From which number on?"),
    }

    counter: Annotated[str, NEW_COUNTER]
    target: Annotated[str, TARGET, Bare()] = "table"
    start: Annotated[int, WHOLE] = 0


class SetClock(Action, frozen=True, tag="clock"):
    """Count the time of the table and of each turn (`up`, `pause`, `go`, `off`), or give a seat minutes of its own.

    These are for all its turns together; `each` gives them to every seat, and 0 takes them away.
    """

    button_text: ClassVar[ButtonText] = phrase("Set the clock")
    questions: ClassVar[Questions] = {
        "what": phrase("What does the clock do?"),
        "minutes": phrase("How many minutes in all?"),
    }

    what: Annotated[str, CLOCK]
    minutes: Annotated[int | None, COUNT, Bare()] = None


class Concede(Action, frozen=True, tag="concede"):
    """Leave the game."""

    weight: ClassVar[ActionWeight] = "final"

    seat: SeatName


class DrawAgreed(Action, frozen=True, tag="draw-agreed"):
    """Agree on a draw: the game is over without a winner."""

    weight: ClassVar[ActionWeight] = "final"


class Roll(Action, frozen=True, kw_only=True, tag="roll"):
    """Roll dice; `is` gives the result of real dice, each die or their sum. Without it, the program rolls."""

    seat: Annotated[str, SEAT, Bare()] = ""
    dice: Annotated[str, DICE]
    is_: Annotated[tuple[int, ...], ROLLED] = ()


class Coin(Action, frozen=True, tag="coin"):
    """Toss a coin; `is` gives the result of a real coin. Without it, the program tosses."""

    seat: Annotated[str, SEAT, Bare()] = ""
    is_: Literal["heads", "tails"] | None = None


class Coach(Action, frozen=True, tag="coach"):
    """Ask the program what would help a seat now; the log keeps only that it was asked."""

    button_text: ClassVar[ButtonText] = phrase("Ask the coach")

    seat: SeatName


class FaceDown(Action, frozen=True, tag="face-down"):
    """Choose in secret: the card or the choice lies face down until `turn-up`. The log does not have it before."""

    seat: SeatName


class TurnUp(Action, frozen=True, tag="turn-up"):
    """Turn up everything that lies face down; what was chosen on phones follows at once, in the order of the seats."""


class Note(Action, frozen=True, tag="note"):
    """Add a note to the log."""

    button_text: ClassVar[ButtonText] = phrase("Write it down")
    questions: ClassVar[Questions] = {"text": phrase("What do you say?")}

    text: Annotated[str, WORDS]


class Venue(Action, frozen=True, tag="venue"):
    """Set the place of the evening, for the history of the decks and the evening's card."""

    text: Annotated[str, WORDS]


class Undo(Action, frozen=True, tag="undo"):
    """Undo the last action."""


class Redo(Action, frozen=True, tag="redo"):
    """Redo the action that was undone last."""


class Amend(Action, frozen=True, tag="amend"):
    """Replace an earlier action; the later ones are played again after it."""

    line: Annotated[int, COUNT]
    action: Annotated[Action, ACTION]


class Rename(Amend, frozen=True, tag="rename"):
    """Replace an earlier action and rename its thing in all later lines.

    `amend` is written so where it changes a name; in logs of before it carried none.
    """


class Insert(Action, frozen=True, tag="insert"):
    """Insert a forgotten action before an earlier one; the later ones are played again after it."""

    line: Annotated[int, COUNT]
    action: Annotated[Action, ACTION]


class ResumeFrom(Action, frozen=True, tag="resume-from"):
    """Resume from an earlier line; the lines after it stay in the log but no longer count."""

    line: Annotated[int, COUNT]


def _read_lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def _write_lines(lines: tuple[str, ...]) -> str:
    return write_text("\n".join(lines))


LINES: Final = Word("LINES", _read_lines, _write_lines)


class RefreshDeck(Action, frozen=True, tag="refresh-deck"):
    """Reload the stored deck of a seat from its current record; the log keeps the new contents.

    `holder` is who holds it now, where that has changed since it was read before.
    """

    seat: SeatName
    deck: Annotated[str, VALUE] = ""
    holder: Text = ""
    lines: Annotated[tuple[str, ...], LINES] = ()

    @property
    def is_bare(self) -> bool:
        """Return True if the deck is still to be read."""
        return not self.deck


class OffRecord(Action, frozen=True, tag="off-record"):
    """Continue without the record of a seat's deck: the seal writes nothing into it."""

    seat: SeatName


class CloseTable(Action, frozen=True, tag="close-table"):
    """Close the table in its current state; only its log is kept."""

    weight: ClassVar[ActionWeight] = "final"


class Expect(Action, frozen=True, tag="expect"):
    """Check the value of a counter, or that something is `gone`. Not part of the log."""

    target: Annotated[str, TARGET]
    counter: CounterName
    values: Annotated[tuple[str, ...], Many(VALUE), Bare()] = ()


class Refuse(Action, frozen=True, tag="refuse"):
    """Check that the rules refuse an action. Not part of the log."""

    action: Annotated[Action, ACTION]


COMMON: Final[tuple[type[Action], ...]] = (
    Seat,
    Rule,
    Begin,
    Next,
    Set,
    Add,
    Track,
    SetClock,
    FaceDown,
    TurnUp,
    Note,
    Venue,
    Roll,
    Coin,
)
"""Actions that a game applies."""
REPLACEABLE: Final[tuple[type[Action], ...]] = (Track, SetClock)
"""Actions that every table has unless the page of its game has a line of its own with that verb."""
BESIDE_PLAY: Final[tuple[type[Action], ...]] = (Note, Track, SetClock)
"""Actions that leave the game as it is, so that they answer no question and close none."""
LOG: Final[tuple[type[Action], ...]] = (OpenTable, Undo, Redo, Amend, Rename, Insert, ResumeFrom)
"""Lines that change the log itself."""
DECKS: Final[tuple[type[Action], ...]] = (RefreshDeck, OffRecord)
"""Lines that update a table from the records of its decks."""
FOR_HOST: Final[tuple[type[Action], ...]] = (*DECKS, CloseTable)
"""Actions for the host alone; phones are refused."""
REVISIONS: Final = (Amend, Insert)
"""Actions that contain an action of the game and the number of its line."""
CHECKS: Final[tuple[type[Action], ...]] = (Expect, Refuse)
"""Lines that a file may hold besides the log."""


def check_brings_deck(action: Seat) -> None:
    """Raise RuleError if a line for a taken seat brings no other deck."""
    if not action.deck:
        raise RuleError(
            phrase(
                "{seat} has a seat already; every seat needs a word of its own, "
                'and `seat {seat} deck "NAME"` brings another deck.',
                seat=action.seat,
            )
        )


def keywords_beside_handles(vocabulary: Iterable[type[Action]]) -> frozenset[str]:
    """Return the keywords of all lines that can contain a handle; a thing with such a name could not be referred to.

    The keyword of `track` does not count: older logs may have things of that name.
    """
    lines = [grammar(action) for action in vocabulary if action is not Track]
    return frozenset(
        keyword
        for line in lines
        if any(getattr(argument.kind, "item", argument.kind) in _HANDLES for argument in line.arguments)
        for keyword in line.keywords
    )


def check_free(handle: str, given: Collection[str], seats: Collection[str], keywords: Collection[str]) -> None:
    """Raise RuleError if a handle cannot name a new thing: it was given before, or has another meaning."""
    if handle in given:
        raise RuleError(
            phrase("“{word}” has named something in this game already; give this one a word of its own.", word=handle)
        )
    if handle in seats:
        raise RuleError(phrase("“{word}” is somebody's seat; give this one a word of its own.", word=handle))
    if handle in keywords:
        raise RuleError(phrase("“{word}” is a word of the notation; give this one another name.", word=handle))
