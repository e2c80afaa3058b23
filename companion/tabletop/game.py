"""What a game is: a vocabulary of actions, and pure functions from a state and an action to the next state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import msgspec

from companion.tabletop import chance, house_rules
from companion.tabletop.action import Action, Correction, DeckId, NotationError, RuleError, Step
from companion.tabletop.choices import Candidates, by_kind
from companion.tabletop.common_actions import (
    Add,
    Coin,
    Next,
    Note,
    OffRecord,
    RefreshDeck,
    Roll,
    Rule,
    Set,
    Venue,
)
from companion.tabletop.display import Display
from companion.tabletop.glossary import Glossary
from companion.tabletop.house_rules import HouseRules, Term
from companion.tabletop.match_result import Contender, MatchResult, Ranking, Tally, TallyKind, result_of_seat
from companion.tabletop.records import (
    DeckFigure,
    Keepsake,
    Mark,
    Payment,
    ReasonOrText,
    Record,
    describe_general,
)
from companion.tabletop.state import Resolution, State, at_seat
from companion.tabletop.stored_decks import SeatedDeck, StaleMark, leave_out
from companion.tabletop.table import Counter, Draft, Prompt, TableView, WayOn

if TYPE_CHECKING:
    # What a game has for its decks, evenings and papers is loaded where that is asked for, and not for a table.
    from companion.tabletop.decklist import DeckCard, DeckListRules
    from companion.tabletop.evening import ChapterText, Evening, EveningCard, NameOf
    from companion.tabletop.form import Form
    from companion.tabletop.keeping import Keeping
    from companion.tabletop.paper import PrintedMatter
    from companion.tabletop.portrait import Portrait
    from companion.tabletop.rehearsal import Adviser, Rehearsal

SETUP: Final = "setup"
"""The step of every game before it begins."""


class ActionRule(msgspec.Struct, frozen=True):
    """What an action does, and in which steps; it gives the step that follows where it ends the present one."""

    steps: frozenset[str]
    act: Callable[[Any, Any], str | None]


def agree(resolution: Resolution[Any], action: Rule) -> None:
    """A house rule, for this session. Raises RuleError naming the known keys or values."""
    resolution.change(house=resolution.state.house.agreed(action.key, action.value))
    resolution.tell(f"House rule: {action.key} {action.value}.")


class PlayedAction(NamedTuple):
    """One action that counts, with the table before and after it.

    As corrected later, it keeps in `entered` these two tables as they were when it was entered.
    """

    before: Any
    action: Action
    after: Any
    entered: tuple[Any, Any] | None = None

    @property
    def is_absorbed(self) -> bool:
        """Return True where all that it changed was put right later, or it is what put something right."""
        if self.entered is None or self.before != self.after:
            return False
        before, after = self.entered
        return bool(before != after)

    def least_change(self, measure: Callable[[Any, Any], int]) -> int:
        """Return how much it changed by the rules, and no more than corrections left of that.

        `measure` says it of the table before and the one after.
        """
        change = measure(self.before, self.after)
        return change if self.entered is None else min(change, measure(*self.entered))


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
    page: str = ""
    """The digest of the page that describes it, of exactly that edition; "" for a game that is a program."""
    author: str = ""
    """Who wrote that page: games of one name by different authors are different games."""
    edition: ClassVar[int] = 1
    """Counts up where a ruling changes, so that a log of before may read otherwise now; sittings remember theirs."""
    title: ClassVar[str]
    credit: ClassVar[str] = ""
    """Whose game it is and under which licence, for the screen and for what is printed of it."""
    about: ClassVar[str] = ""
    """What it is, in a line for somebody who does not know it."""
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
    mark_types: ClassVar[tuple[type[Mark], ...]] = ()
    paper: ClassVar[PrintedMatter | None] = None
    """What it prints on labels and record sheets; None where its decks need neither."""
    loose: ClassVar[str] = "a loose deck: nothing is recorded for it"
    """What is taken for granted of a deck that is not stored, in few words; "" where nobody brings a deck."""
    bgg: ClassVar[int] = 0
    """Its number at BoardGameGeek, for other programs; 0 if it has none."""
    final_counters: ClassVar[tuple[str, ...]] = ()
    """The counters of a seat that are kept of a game that is over: the level or the life that was left."""
    carries_out_all: ClassVar[bool] = False
    """True where its rules carry out all that changes a figure, so that `set` and `add` only put one right; else cards
    that the program does not know change figures, too.
    """
    keeps_purses: ClassVar[bool] = False
    """Whether people have a purse here also without a stored deck, as soon as it is known who they are."""
    data: ClassVar[str] = "templates"
    """The package with its files of words and examples: `labels/NAME.toml`, `aids/NAME.toml`,
    `words/NAME.toml`, `rules/NAME.toml`, `examples/NAME/`."""

    @property
    def word(self) -> str:
        """What opens a table of it, after `table`: its name; of a homebrew that of the homebrew."""
        return self.name

    @property
    def permanent_numbers(self) -> Mapping[str, str]:
        """What the numbers of its page mean for ever, by what they number: `{"Number 7": "Moon Blade"}`."""
        return {}

    def changes_since(self, earlier: Game) -> tuple[str, ...]:  # noqa: ARG002 – of a game with pages
        """What its page, or its homebrew, changes against an earlier edition of it, in sentences."""
        return ()

    @property
    def homebrew_doubts(self) -> Sequence[tuple[str, str]]:
        """What of its homebrew can be played, and was hardly meant so: the keys, each with a sentence."""
        return ()

    @property
    def homebrew_labels(self) -> Mapping[str, str]:
        """Where its homebrew says what stands on labels: the keys, by the labels' titles."""
        return {}

    def with_homebrew(self, text: str, page: str, *, kept: bool = False) -> Game:  # noqa: ARG002 – of any game
        """The same game with what a homebrew adds to it: a text, and its digest `page`.

        Of a text that is `kept` for what was played by it, as much counts as can be read. Raises PageError, a
        NotationError, with all that is wrong with it.
        """
        raise NotationError(f"{self.title} takes no homebrew.")

    # What its decks need is loaded once somebody asks for it: a table does without.

    @property
    def keeping(self) -> Keeping | None:
        """How its decks are kept; None where a game is over when it is over."""
        return None

    @property
    def tally_kinds(self) -> tuple[TallyKind, ...]:
        """What it counts of an evening besides hits and saves, for statistics; a kind's word is for ever."""
        return ()

    @property
    def rehearsal(self) -> Rehearsal | None:
        """How simulated people play it; None where nobody has said that."""
        return None

    @property
    def adviser(self) -> Adviser | None:
        """What can be asked at a table what would help now, by lines of a kind of `Coach` among its actions; None where
        nobody has said how simulated people play it.
        """
        return None

    @property
    def founding(self) -> Form | None:
        """What it asks to found a deck; None where decks are not founded here."""
        return None

    @property
    def adopting(self) -> Form | None:
        """What it asks to take in a deck that lived on paper; None where none can be."""
        return None

    @property
    def deck_list(self) -> DeckListRules | None:
        """What makes a deck list one by its rules; None where its decks are none."""
        return None

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
        return bool(self.recorded_marks(state) or self.purses(state) or self.keepsakes(state))

    def stored_decks(self, state: Any) -> Mapping[str, SeatedDeck]:  # noqa: ARG002 – what a game may need
        """The stored decks at a table, by the seats before which they lie."""
        return {}

    def check_held(self, state: Any, seat: str, card: str) -> None:
        """Raises RuleError where the rules know that a card of a seat's deck cannot be in its hand now."""

    def recorded_marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return what a sealed game writes into its decks' records, without those that are played on off the record."""
        marks = self.marks(state)
        if not (marks and state.off_record):
            return marks
        off = {each.deck for seat, each in self.stored_decks(state).items() if seat in state.off_record}
        return {deck: own for deck, own in marks.items() if deck not in off}

    def stale_marks(
        self,
        records: Mapping[DeckId, tuple[Mark, ...]],  # noqa: ARG002 – what a game may need
        marks: Mapping[DeckId, Sequence[Mark]],  # noqa: ARG002
    ) -> tuple[StaleMark, ...]:
        """Those of the marks of a sealed game that are not true any more on decks whose records hold these marks."""
        return ()

    def without_stale(self, evening: Any, stale: Sequence[StaleMark]) -> Any:  # noqa: ARG002 – what a game may need
        """An evening that tells nothing of such marks."""
        return evening

    def refresh_deck(self, state: Any, action: RefreshDeck, lines: Sequence[Action]) -> Step:
        """The table with the deck before a seat as these set-up lines describe it now; what this game has done to the
        deck is done to it again. Raises RuleError.
        """
        name = self._name_of_deck(state, action.seat)
        if action.is_bare or action.deck != self.stored_decks(state)[action.seat].deck:
            raise RuleError(f"`{action.verb()} {action.seat}` reads {name} anew where its record is at hand.")
        resolution = self.resolution(state)
        resolution.change(off_record=tuple(seat for seat in state.off_record if seat != action.seat))
        resolution.tell(f"{name} is read anew, as its record has it now.", action.seat)
        self.read_anew(resolution, action, lines)
        if action.holder:
            resolution.change(held_elsewhere={**state.held_elsewhere, action.seat: action.holder})
        taker = self.taker(state, action.seat)
        if action.holder and taker and action.seat not in state.kept_by_holder:
            resolution.change(kept_by_holder=(*state.kept_by_holder, action.seat))
            if taker != action.seat:
                leave_out(resolution, action.seat, f"who took {name} here, as {action.holder} holds it by now.")
        return Step(resolution.state, tuple(resolution.tells))

    def read_anew(
        self,
        resolution: Any,  # noqa: ARG002 – what a game may need
        action: RefreshDeck,  # noqa: ARG002
        lines: Sequence[Action],  # noqa: ARG002
    ) -> None:
        """Put the deck before a seat as these lines describe it; see `refresh_deck`."""
        raise RuleError(f"{self.title} is played without stored decks.")

    def taker(self, state: Any, seat: str) -> str:  # noqa: ARG002 – what a game may need
        """Return the seat of who took the deck that a seat brought; "" where nobody has so far."""
        return ""

    def leave_record(self, state: Any, action: OffRecord) -> Step:
        """The table that plays on without the record of the deck before a seat. Raises RuleError."""
        name = self._name_of_deck(state, action.seat)
        if action.seat in state.off_record:
            raise RuleError(f"{name} is played on without its record already; `refresh-deck {action.seat}` leads back.")
        resolution = self.resolution(state)
        resolution.change(off_record=(*state.off_record, action.seat))
        resolution.tell(
            f"{name} is played on without its record: the seal writes nothing there; what is bought, fades or is "
            "written on its cards stands on these alone.",
            action.seat,
        )
        return Step(resolution.state, tuple(resolution.tells))

    def _name_of_deck(self, state: Any, seat: str) -> str:
        """Return the name of the stored deck before a seat. Raises RuleError if there is none, or it is sealed."""
        at_seat(self.display.people(state), seat)
        stored = self.stored_decks(state).get(seat)
        if stored is None:
            raise RuleError(f"No stored deck lies before {seat}, so there is no record of it.")
        if self.is_recorded(state):
            raise RuleError("This game is sealed into its decks' records; a mistake is mended there, by a correction.")
        return stored.name

    def adoptions(self, state: Any) -> tuple[Prompt, ...]:  # noqa: ARG002 – what a game may need
        """Offers to store what a seal would not keep of a loose deck; each lacks the deck that `adoption` describes."""
        return ()

    def adoption(self, state: Any, draft: Draft) -> Form | None:  # noqa: ARG002 – what a game may need
        """The form that makes the stored deck which a draft still lacks, of what the table knows of the loose one; None
        where a draft lacks none.
        """
        return None

    def adoption_line(self, draft: Draft, deck: DeckId, name: str) -> Action:  # noqa: ARG002 – what a game may need
        """The line by which a loose deck is stored from now on as a deck of this id and name, from its draft."""
        return draft.having(draft.missing[0].field, deck).build()

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:  # noqa: ARG002 – what a game may need
        """Fill in what chance decides, so that the action replays to the same table for ever; here of dice and coins.

        Raises RuleError where the draw itself is against the rules.
        """
        return chance.resolve_throw(action, rng) if isinstance(action, Roll | Coin) else action

    def apply(self, state: Any, action: Action) -> Step:
        """The table after a complete action. Raises RuleError and changes nothing where the rules forbid it.

        Here the actions that all games have in common: `set`, `add`, `note`, `venue`, `roll`, `coin`, `rule` and
        `next`; all others are refused.
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
            case Roll() | Coin():
                name = at_seat(self.display.people(resolution.state), action.seat).name if action.seat else ""
                chance.throw(resolution, action, name)
            case Venue(text):
                resolution.tell(f"Where the evening is: {text}.")
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

    def current_count(self, state: Any) -> int | None:
        """The number that the table counts first: its rounds or turns; None where it counts nothing."""
        return next((c.number for c in self.counters_of(state, "table") or () if c.number is not None), None)

    def round_key(self, state: Any) -> Hashable:
        """Return what tells a round or turn from every other one."""
        return self.current_count(state)

    def adds_are_play(self, state: Any) -> bool:
        """Return True where people say by `add` what happens, as nothing else changes the figures."""
        return not state.tracks_all

    def correction(self, deed: PlayedAction, previous: Action | None) -> Correction | None:  # noqa: ARG002
        """Return what an action of the game puts right, behind the `previous` one; None where it is played.

        Figures by `set` and `add` need none. See docs/corrections.md.
        """
        return None

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

    def lead_in(self, state: Any, action: Action) -> tuple[Action, ...]:  # noqa: ARG002 – what a game may need
        """What goes without saying before an action that people enter, such as what pays for it: lines of their own in
        the log. Empty where nothing is needed, or it could be done in several ways.
        """
        return ()

    def way_on(self, state: Any) -> WayOn | None:  # noqa: ARG002 – what a game may need
        """How it goes on from here where nobody says anything; None where somebody has to say something first."""
        return None

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

    def purse_lines(
        self,
        seat: str,  # noqa: ARG002 – what a game may need
        purse: int,  # noqa: ARG002
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002
    ) -> tuple[Action, ...]:
        """The set-up lines of what somebody who has no stored deck brings in a purse that is kept: its amount, and how
        many of each keepsake; see `keeps_purses`.
        """
        return ()

    def keeps_purse_of(self, state: Any, seat: str) -> bool:  # noqa: ARG002 – what a game may need
        """Return True where what a game changes in the purse of a seat is written down."""
        return self.keeps_purses

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:  # noqa: ARG002 – what a game may need
        """What the same table says again behind its seats: how the match stands, and who chooses who begins."""
        return ()

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002 – what a game may need
        """What a sealed game writes into its decks' records; empty as long as it is not sealed.

        A mark with a field `evening` is kept with what `Game.evening` gives.
        """
        return {}

    def evening(self, played: Sequence[PlayedAction]) -> Evening | None:  # noqa: ARG002 – what a game may need
        """Return the facts of an evening, from its actions as corrected; None where there is nothing yet, or never
        is.
        """
        return None

    def tallies(self, evening: Any) -> tuple[Tally, ...]:  # noqa: ARG002 – what a game may need
        """What statistics count of an evening."""
        return ()

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:  # noqa: ARG002 – what a game may need
        """How a game ended as far as the mark tells that it left on a deck; None where a mark tells of none.

        For games that were sealed before results were kept with the seal, or before as much was kept as today.
        """
        return None

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:  # noqa: ARG002
        """What a deck's story tells of an evening by the mark that it left; None where a mark tells of none.

        `name_of` says what people are called where evenings name them.
        """
        return None

    def card(self, evening: Any) -> EveningCard | None:  # noqa: ARG002 – what a game may need
        """An evening on one page."""
        return None

    def purses(self, state: Any) -> tuple[Payment, ...]:  # noqa: ARG002 – what a game may need
        """What a sealed game puts into its people's purses or takes out of them; empty as long as it is not sealed."""
        return ()

    def keepsakes(self, state: Any) -> tuple[Keepsake, ...]:  # noqa: ARG002 – what a game may need
        """What a sealed game leaves with its people besides money, or used up; empty as long as it is not sealed."""
        return ()

    def match_result(self, state: Any) -> MatchResult | None:
        """How a game ended, as facts that last; None as long as it goes on."""
        outcome = state.outcome
        if not outcome:
            return None
        people = self.display.people(state)
        seats = tuple(person.seat for person in people)
        players = (
            Contender(
                person.seat,
                person.name,
                result_of_seat(outcome, person.seat, seats),
                final=self.final_figures(state, person.seat),
            )
            for person in people
        )
        return MatchResult(outcome, tuple(players), self.current_count(state) or 0)

    def ranking(self, rules: Mapping[str, str]) -> Ranking | None:  # noqa: ARG002 – what a game may need
        """The counter by which people are ranked when a game is over, under the house rules that differ from the book;
        None if nothing but the outcome ranks them.
        """
        return None

    def final_figures(self, state: Any, seat: str) -> dict[str, int]:
        """The figures of a seat that are kept of a game that is over, by the words of its counters."""
        counters = {counter.name: counter.number for counter in self.counters_of(state, seat) or ()}
        return {name: number for name in self.final_counters if (number := counters.get(name)) is not None}

    def review(self, played: Sequence[PlayedAction]) -> Review:  # noqa: ARG002 – what a game may need
        """Return what an evening shows about the rules, from its actions as corrected."""
        return Review()

    def record(self, marks: tuple[Mark, ...]) -> Record:  # noqa: ARG002 – what a game may need
        """What a deck's marks add up to: the deck as it is today."""
        raise RuleError(f"{self.title} is played without stored decks.")

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait | None:  # noqa: ARG002 – what a game may need
        """A deck as its page shows it; None where the fields of its record are all there is to see."""
        return None

    def list_portrait(
        self,
        cards: Sequence[DeckCard],  # noqa: ARG002 – what a game may need
        against: Sequence[DeckCard] | None = None,  # noqa: ARG002
    ) -> Portrait:
        """A deck list as a page shows it; with `against` each card with how many copies more it has than there."""
        from companion.tabletop.portrait import Portrait

        return Portrait()

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:  # noqa: ARG002 – what a game may need
        """What a list of decks says of each besides its name and holder; a figure's name is for ever."""
        return ()

    @property
    def glossary(self) -> Glossary:
        """The words that lists show. A game that comes along has them in a module of their own."""
        empty = self.view(self.new())
        steps, counters = ({part.name: part.title for part in parts} for parts in (empty.steps, empty.counters))
        return Glossary(self.title, steps, counters)

    def reason(self, reason: ReasonOrText) -> str:
        """Why something was written down, or where a table stands, in words: a code with its arguments, or what people
        said.
        """
        return self.glossary.reason(reason)

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark, oldest first; without more to tell, the word that each is stored under."""
        return tuple(describe_general(mark) or f"{str(mark.__struct_config__.tag).capitalize()}." for mark in marks)


Propose = Callable[[Any, Draft], Candidates]
"""What might stand in a field, from the state and the draft that lacks it."""


class GameOfSteps(Game):
    """A game whose actions belong to steps of a round; a step may be a phase or a stage, as its book calls them."""

    rules: ClassVar[Mapping[type[Action], ActionRule]]
    """What each of its actions does, and in which steps; `set`, `add`, `note` and `venue` need none and always fit."""
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
        if not self.fits(rule, step):
            raise RuleError(self.not_now(action.verb(), rule, step))
        if isinstance(action, Rule) and step != SETUP and not self.house.changes_later(action.key):
            raise RuleError(self.not_now(action.verb(), ActionRule(frozenset({SETUP}), rule.act), step))
        return rule.act(resolution, action)

    def fits(self, rule: ActionRule, step: str) -> bool:
        """Whether an action of this rule belongs to a step."""
        return step in rule.steps

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
        return "" if rule is None or self.fits(rule, step) else self.not_now(action.verb(), rule, step)
