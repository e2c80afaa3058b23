"""What a game is: a vocabulary of actions, and pure functions from a state and an action to the next state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.tabletop import house_rules
from companion.tabletop.action import Action, DeckId, RuleError, State, Step, Tell
from companion.tabletop.choices import Candidates, by_kind
from companion.tabletop.common_actions import Note, Rule
from companion.tabletop.decklist import DeckListRules
from companion.tabletop.form import Form
from companion.tabletop.house_rules import HouseRules, Term
from companion.tabletop.keeping import Keeping
from companion.tabletop.paper import Paper
from companion.tabletop.records import (
    DeckFigure,
    Keepsake,
    Mark,
    Payment,
    Reason,
    ReasonOrText,
    Record,
    describe_general,
    describe_reason,
)
from companion.tabletop.table import Counter, Draft, TableView

Table = TypeVar("Table", bound=State)


class ActionRule(NamedTuple):
    """What an action does, and in which steps; it gives the step that follows where it ends the present one."""

    steps: frozenset[str]
    act: Callable[[Any, Any], str | None]


class Resolution(Generic[Table]):
    """What one action sets in motion: the table so far, and what there is to tell of it."""

    __slots__ = ("state", "tells")

    def __init__(self, state: Table) -> None:
        self.state = state
        self.tells: list[Tell] = []

    def change(self, **fields: Any) -> None:
        """Change fields of the table."""
        self.state = msgspec.structs.replace(self.state, **fields)

    def tell(
        self, text: str, seat: str = "", by_hand: bool = False, lasting: bool = False, decides: bool = False
    ) -> None:
        """Say what happened; `by_hand` where somebody must now do it with real cards."""
        self.tells.append(Tell(text, seat, by_hand, lasting, decides))


class Seated(Protocol):
    """Somebody at a table, by the word that lines use."""

    @property
    def seat(self) -> str:
        """Their seat."""
        ...


Person = TypeVar("Person", bound=Seated)


def at_seat(people: Sequence[Person], seat: str) -> Person:
    """Who sits at a seat. Raises RuleError where nobody does."""
    for person in people:
        if person.seat == seat:
            return person
    seats = ", ".join(person.seat for person in people) or "nobody yet"
    raise RuleError(f"Nobody sits at “{seat}”; at the table are: {seats}.")


def with_seat(people: tuple[Person, ...], seat: str, **fields: Any) -> tuple[Person, ...]:
    """Everybody, with fields changed of whoever sits at a seat."""
    everybody: tuple[Any, ...] = people
    return tuple(msgspec.structs.replace(one, **fields) if one.seat == seat else one for one in everybody)


def note(resolution: Resolution[Any], action: Note) -> None:
    """A note is told, and changes nothing."""
    resolution.tell(f"Note: {action.text}")


def agree(resolution: Resolution[Any], action: Rule) -> None:
    """A house rule, for this session. Raises RuleError naming the known keys or values."""
    resolution.change(house=resolution.state.house.agreed(action.key, action.value))
    resolution.tell(f"House rule: {action.key} {action.value}.")


class PlayedAction(NamedTuple):
    """One action that counts, with the table before and after it."""

    before: Any
    action: Action
    after: Any


class Question(msgspec.Struct, frozen=True):
    """A question about the evening. `answer` is yes, no, or "" where nobody has answered and the log cannot.

    `evidence` is what the log says to it, `note` what people said.
    """

    key: str
    text: str
    answer: str = ""
    evidence: tuple[str, ...] = ()
    note: str = ""


class Symptom(msgspec.Struct, frozen=True):
    """Something that did not work, the evidence of the log, and the lever that the rulebook proposes."""

    text: str
    evidence: str
    lever: str


class Review(msgspec.Struct, frozen=True):
    """A whole evening. `headings` and `rows` are a table of its fights (or what a game counts instead)."""

    questions: tuple[Question, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Game(Protocol):
    """One game's rules. Every method is pure.

    A game whose decks are not kept inherits from this and leaves out what has to do with records; one in which nothing
    is left to chance leaves out `resolve`.
    """

    name: ClassVar[str]
    """The word after `table`."""
    edition: ClassVar[int] = 1
    """Counts up where a ruling changes, so that a log of before may read otherwise now; sittings remember theirs."""
    title: ClassVar[str]
    credit: ClassVar[str] = ""
    """Whose game it is and under which licence, for the screen and for what is printed of it."""
    actions: ClassVar[tuple[type[Action], ...]]
    """The vocabulary, besides the lines of the log itself (`undo`, `redo`, `amend`)."""
    house: ClassVar[type[HouseRules]] = HouseRules
    """What people may agree on before they begin."""
    keeping: ClassVar[Keeping | None] = None
    """How its decks are kept; None where a game is over when it is over."""
    mark_types: ClassVar[tuple[type[Mark], ...]] = ()
    paper: ClassVar[Paper | None] = None
    """What it prints on labels and record sheets; None where its decks need neither."""
    founding: ClassVar[Form | None] = None
    """What it asks to found a deck; None where decks are not founded here."""
    adopting: ClassVar[Form | None] = None
    """What it asks to take in a deck that lived on paper."""
    deck_list: ClassVar[DeckListRules | None] = None
    """What makes a deck list one by its rules."""
    loose: ClassVar[str] = "a loose deck: nothing is recorded for it"
    """What is taken for granted of a deck that is not stored, in few words."""
    data: ClassVar[str] = "templates"
    """The package with its files of words and examples: `labels/NAME.toml`, `aids/NAME.toml`,
    `words/NAME.toml`, `rules/NAME.toml`, `examples/NAME/`."""

    def new(self) -> Any:
        """The empty table, before set-up."""
        ...

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:  # noqa: ARG002 – what a game may need
        """Fill in what chance decides, so that the action replays to the same table for ever.

        Raises RuleError where the draw itself is against the rules.
        """
        return action

    def apply(self, state: Any, action: Action) -> Step:
        """The table after a complete action. Raises RuleError and changes nothing where the rules forbid it."""
        ...

    def view(self, state: Any) -> TableView:
        """What to show of this state."""
        ...

    def counters_of(self, state: Any, target: str) -> tuple[Counter, ...] | None:
        """The counters that the view has of a target, None where it has none of that name.

        A long recording asks it after every line, so a game whose view is costly works out no more than is asked.
        """
        return self.view(state).counters_of(target)

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field that a draft lacks, with what people need to choose: at least everything that
        the rules accept. `companion.tabletop.choices.choices` keeps of it what they do accept.
        """
        return by_kind(self, state, draft, field)

    def known_fields(
        self,
        state: Any,  # noqa: ARG002 – what a game may need
        action: type[Action],  # noqa: ARG002
        given: Mapping[str, Any],  # noqa: ARG002
    ) -> Mapping[str, Any]:
        """What the table knows besides what a line says: the figures of a card that it names. Nothing is raised."""
        return {}

    def terms(self) -> tuple[Term, ...]:
        """What the code knows by itself of what can be looked up, such as keywords. What is text alone stands among the
        data: words in `words/NAME.toml`, rules by number in `rules/NAME.toml`.
        """
        return tuple(house_rules.of_house(self.house))

    def setup_lines(
        self,
        seat: str,  # noqa: ARG002 – what a game may need
        record: Record,  # noqa: ARG002
        purse: int = 0,  # noqa: ARG002
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002
    ) -> tuple[Action, ...]:
        """The set-up lines that put a stored deck before a seat, so that the log replays without the archive.

        `purse` is what the person's purse holds, `kept` how many of each keepsake they have.
        The first seats it, and says more of the deck than its id: an id alone asks for the deck to be looked up.
        """
        raise RuleError(f"{self.title} is played without stored decks; seat people by their names.")

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002 – what a game may need
        """What a sealed game writes into its decks' records; empty as long as it is not sealed."""
        return {}

    def purses(self, state: Any) -> tuple[Payment, ...]:  # noqa: ARG002 – what a game may need
        """What a sealed game puts into its people's purses or takes out of them; empty as long as it is not sealed."""
        return ()

    def keepsakes(self, state: Any) -> tuple[Keepsake, ...]:  # noqa: ARG002 – what a game may need
        """What a sealed game leaves with its people besides money, or used up; empty as long as it is not sealed."""
        return ()

    def review(self, played: Sequence[PlayedAction]) -> Review:  # noqa: ARG002 – what a game may need
        """What an evening shows about the rules."""
        return Review()

    def record(self, marks: tuple[Mark, ...]) -> Record:  # noqa: ARG002 – what a game may need
        """What a deck's marks add up to: the deck as it is today."""
        raise RuleError(f"{self.title} is played without stored decks.")

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:  # noqa: ARG002 – what a game may need
        """What a list of decks says of each besides its name and holder; a figure's name is for ever."""
        return ()

    def reason(self, reason: ReasonOrText) -> str:
        """Why something was written down, or where a table stands, in words: a code with its arguments, or what people
        said.
        """
        if not isinstance(reason, Reason) or reason.code not in ("counter", "step"):
            return describe_reason(reason)
        empty = self.view(self.new())
        name, *value = map(str, reason.args)
        titles = {part.name: part.title for part in (empty.steps if reason.code == "step" else empty.counters)}
        return " ".join((titles.get(name) or name, *value))

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark, oldest first; without more to tell, the word that each is stored under."""
        return tuple(describe_general(mark) or f"{str(mark.__struct_config__.tag).capitalize()}." for mark in marks)


class GameOfSteps(Game):
    """It has `apply` and `candidates` from here. A step may be a phase or a stage, as its book calls them."""

    rules: ClassVar[Mapping[type[Action], ActionRule]]
    """What each of its actions does, and in which steps."""
    resolution: ClassVar[type[Resolution[Any]]]
    """What its actions change, while one is carried out."""

    @abstractmethod
    def step_of(self, state: Any) -> str:
        """The step in which the table is, `setup` before the game."""
        ...

    @abstractmethod
    def not_now(self, verb: str, rule: ActionRule, step: str) -> str:
        """Why an action does not fit in this step, and when it does."""
        ...

    @abstractmethod
    def proposed(self, state: Any, draft: Draft, field: str) -> Candidates | None:
        """What might stand in a field, besides what is plain from its kind; None where that is all."""
        ...

    def check(self, state: Any, action: Action) -> None:
        """Raises RuleError where the table takes no such action any more, whatever its step."""

    def carry_out(self, rule: ActionRule, resolution: Any, action: Action) -> None:
        """Does what an action says, and what follows from it by itself. Raises RuleError."""
        rule.act(resolution, action)

    def apply(self, state: Any, action: Action) -> Step:
        """The table after an action, and what there is to tell. Raises RuleError."""
        rule = self.rules[type(action)]
        self.check(state, action)
        step = self.step_of(state)
        if step not in rule.steps:
            raise RuleError(self.not_now(action.verb(), rule, step))
        resolution = self.resolution(state)
        self.carry_out(rule, resolution, action)
        return Step(resolution.state, tuple(resolution.tells))

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field; nothing in a step to which the action does not belong."""
        if self.step_of(state) not in self.rules[draft.action].steps:
            return ()
        proposed = self.proposed(state, draft, field)
        return by_kind(self, state, draft, field) if proposed is None else proposed
