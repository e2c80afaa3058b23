"""What a game is: a vocabulary of actions, and pure functions from a state and an action to the next state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import msgspec

from companion.tabletop import house_rules
from companion.tabletop.action import Action, DeckId, RuleError, Step
from companion.tabletop.choices import Candidates, by_kind
from companion.tabletop.common_actions import Add, Next, Note, Rule, Set
from companion.tabletop.decklist import DeckListRules
from companion.tabletop.display import Display
from companion.tabletop.form import Form, Values
from companion.tabletop.house_rules import HouseRules, Term
from companion.tabletop.keeping import Keeping
from companion.tabletop.paper import PrintedMatter
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
from companion.tabletop.state import Resolution, State
from companion.tabletop.table import Counter, Draft, Prompt, TableView


class ActionRule(NamedTuple):
    """What an action does, and in which steps; it gives the step that follows where it ends the present one."""

    steps: frozenset[str]
    act: Callable[[Any, Any], str | None]


def agree(resolution: Resolution[Any], action: Rule) -> None:
    """A house rule, for this session. Raises RuleError naming the known keys or values."""
    resolution.change(house=resolution.state.house.agreed(action.key, action.value))
    resolution.tell(f"House rule: {action.key} {action.value}.")


class PlayedAction(NamedTuple):
    """One action that counts, with the table before and after it."""

    before: Any
    action: Action
    after: Any


class PlaytestQuestion(msgspec.Struct, frozen=True):
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

    questions: tuple[PlaytestQuestion, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Game:
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
    state: ClassVar[type[State]]
    """What a table is; made without arguments, the empty one."""
    display: ClassVar[Display[Any, Any]]
    """What it shows, and what `set` and `add` overwrite."""
    resolution: ClassVar[type[Resolution[Any]]] = Resolution
    """What its actions change, while one is carried out."""
    house: ClassVar[type[HouseRules]] = HouseRules
    """What people may agree on before they begin."""
    keeping: ClassVar[Keeping | None] = None
    """How its decks are kept; None where a game is over when it is over."""
    mark_types: ClassVar[tuple[type[Mark], ...]] = ()
    paper: ClassVar[PrintedMatter | None] = None
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
        return self.state()

    def seen_by(self, state: Any, viewer: str) -> Any:  # noqa: ARG002 – what a game may need
        """The table as somebody knows it, a seat or "" for everybody: without the names of what lies face down before
        others. All that is drawn, listed, completed and asked is made from that.
        """
        return state

    def is_recorded(self, state: Any) -> bool:
        """Whether a game that has come so far leaves anything in records, purses or among what people keep."""
        return bool(self.marks(state) or self.purses(state) or self.keepsakes(state))

    def adoptions(self, state: Any) -> tuple[Prompt, ...]:  # noqa: ARG002 – what a game may need
        """Offers to store what a seal would not keep of a loose deck; each lacks the deck that `adoption` describes."""
        return ()

    def adoption(self, state: Any, draft: Draft) -> Values | None:  # noqa: ARG002 – what a game may need
        """The answers to the form `adopting` that make the stored deck which a draft still lacks, from what lies on the
        table; None where a draft lacks none.
        """
        return None

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:  # noqa: ARG002 – what a game may need
        """Fill in what chance decides, so that the action replays to the same table for ever.

        Raises RuleError where the draw itself is against the rules.
        """
        return action

    def apply(self, state: Any, action: Action) -> Step:
        """The table after a complete action. Raises RuleError and changes nothing where the rules forbid it.

        Here the actions that all games have in common: `set`, `add`, `note`, `rule` and `next`; all others are refused.
        """
        resolution = self.resolution(state)
        self.carry_out(resolution, action)
        return Step(resolution.state, tuple(resolution.tells))

    def carry_out(self, resolution: Any, action: Action) -> str | None:
        """Do what an action says, and what follows from it by itself. Raises RuleError."""
        match action:
            case Set() | Add():
                self.display.overwrite(resolution, action)
            case Note(text):
                resolution.tell(f"Note: {text}")
            case Rule():
                agree(resolution, action)
            case Next():
                self._take_suggestions(resolution)
            case _:
                due = next((prompt.text for prompt in self.display.prompts(resolution.state)), "the game is over.")
                raise RuleError(f"Not now: {due}")
        return None

    def _take_suggestions(self, resolution: Resolution[Any]) -> None:
        """`next`: the suggested answer of each prompt that the table waits for. Raises RuleError without one."""
        due = [prompt.answer for prompt in self.display.prompts(resolution.state) if prompt.due]
        answers = [answer for answer in due if not answer.missing and answer.action is not Next]
        if not answers:
            raise RuleError("`next` finishes nothing here; say what is done.")
        for answer in answers:
            resolution.state, tells = self.apply(resolution.state, answer.build())
            resolution.tells += tells

    def view(self, state: Any) -> TableView:
        """What to show of this state."""
        return self.display.view(self.name, self.title, state)

    def counters_of(self, state: Any, target: str) -> tuple[Counter, ...] | None:
        """The counters that the view has of a target, None where it has none of that name.

        A long recording asks it after every line, so no more is worked out than is asked.
        """
        return self.display.counters_of(state, target)

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field that a draft lacks, with what people need to choose: at least everything that
        the rules accept. `companion.tabletop.choices.choices` keeps of it what they do accept.
        """
        return by_kind(self, state, draft, field)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What a word in a field can name, whether or not the rules take it now: for who reads what people type."""
        return self.candidates(state, draft, field)

    def out_of_step(self, state: Any, action: type[Action]) -> str:  # noqa: ARG002 – what a game may need
        """Why no line at all with this verb fits now; "" where one may."""
        return ""

    def meanings(self, state: Any, action: Action) -> tuple[Action, ...]:  # noqa: ARG002 – what a game may need
        """What a short text may mean that became this action: itself, or all that it leaves open between."""
        return (action,)

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


Propose = Callable[[Any, Draft], Candidates]
"""What might stand in a field, from the state and the draft that lacks it."""


class GameOfSteps(Game):
    """A game whose actions belong to steps of a round; a step may be a phase or a stage, as its book calls them."""

    rules: ClassVar[Mapping[type[Action], ActionRule]]
    """What each of its actions does, and in which steps; `set`, `add` and `note` need no rule and always fit."""
    proposals: ClassVar[Mapping[str, Propose]] = {}
    """What might stand in a field of this name, in any line, where its kind alone does not say it."""

    @abstractmethod
    def not_now(self, verb: str, rule: ActionRule, step: str) -> str:
        """Why an action does not fit in this step, and when it does."""
        ...

    def proposed(self, state: Any, draft: Draft, field: str) -> Candidates | None:
        """What might stand in a field, besides what is plain from its kind; None where that is all."""
        propose = self.proposals.get(field)
        return propose(state, draft) if propose else None

    def check(self, state: Any, action: Action) -> None:
        """Raises RuleError where the table takes no such action any more, whatever its step."""

    def carry_out(self, resolution: Any, action: Action) -> str | None:
        """Do what the action's rule says. Returns the step that follows where it ends the present one.

        A game adds what follows by itself. Raises RuleError.
        """
        self.check(resolution.state, action)
        rule = self.rules.get(type(action))
        if rule is None:
            return super().carry_out(resolution, action)
        step = self.display.step_of(resolution.state)
        if step not in rule.steps:
            raise RuleError(self.not_now(action.verb(), rule, step))
        return rule.act(resolution, action)

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field; nothing in a step to which the action does not belong."""
        return () if self.out_of_step(state, draft.action) else self.vocabulary(state, draft, field)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """The same in any step."""
        proposed = self.proposed(state, draft, field) if draft.action in self.rules else None
        return by_kind(self, state, draft, field) if proposed is None else proposed

    def out_of_step(self, state: Any, action: type[Action]) -> str:
        """That it belongs to other steps."""
        rule, step = self.rules.get(action), self.display.step_of(state)
        return "" if rule is None or step in rule.steps else self.not_now(action.verb(), rule, step)
