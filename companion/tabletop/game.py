"""The interface of a game: a vocabulary of actions, and pure functions from a state and an action to the next state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from companion.tabletop.action import Action, DeckId, NotationError, RuleError, Step
from companion.tabletop.decks.stored_decks import SeatedDeck
from companion.tabletop.evenings import GameEvenings
from companion.tabletop.game_corrections import GameCorrections
from companion.tabletop.glossary import Glossary
from companion.tabletop.homebrew import GameHomebrew
from companion.tabletop.purses import GamePurses
from companion.tabletop.records import Mark, ReasonOrText, Record
from companion.tabletop.results import GameResults
from companion.tabletop.table import chance, face_down, house_rules, table_clock
from companion.tabletop.table.choices import Candidates, by_kind
from companion.tabletop.table.common_actions import (
    Add,
    Coin,
    FaceDown,
    Next,
    Note,
    RefreshDeck,
    Roll,
    Rule,
    Set,
    SetClock,
    Track,
    TurnUp,
    Venue,
)
from companion.tabletop.table.display import Display
from companion.tabletop.table.house_rules import HouseRules, Term
from companion.tabletop.table.state import Resolution, State, at_seat
from companion.tabletop.table.table import Counter, Draft, SheetEntry, TableView, WayOn
from templates.languages.messages import Language, Text, phrase

if TYPE_CHECKING:
    # Code for decks and paper is loaded on demand: a table does not need it.
    from companion.tabletop.decks.game_decks import GameDecks
    from companion.tabletop.decks.paper import PrintedMatter
    from companion.tabletop.rehearsal import Adviser, Rehearsal

SETUP: Final = "setup"
"""The step of every game before it begins."""


class ActionRule(msgspec.Struct, frozen=True):
    """The effect of an action, and the steps in which it is allowed; `act` returns the next step or None."""

    steps: frozenset[str]
    act: Callable[[Any, Any], str | None]


def agree(resolution: Resolution[Any], action: Rule) -> None:
    """Apply a house rule for this session. Raises RuleError naming the known keys or values."""
    resolution.change(house=resolution.state.house.change_rule(action.key, action.value))
    key = resolution.state.house.find(action.key).key
    resolution.tell(phrase("House rule: {rule}.", rule=house_rules.state_rule(key, action.value)))


class Game:
    """The rules of one game. Every method is pure.

    These are the parts that a table needs at each step; the others are `corrections`, `decks`, `evenings`, `homebrew`,
    `purses`, `rehearsal` and `results`. A game without stored decks inherits from this and leaves out everything about
    records; a game without chance leaves out `resolve`.
    """

    name: ClassVar[str]
    """The word after `table`."""
    page: str = ""
    """The digest of exactly that edition of the page that describes it; "" for a game implemented in code."""
    author: str = ""
    """The author of that page: games of one name by different authors are different games."""
    edition: ClassVar[int] = 1
    """Incremented when a ruling changes, so that an older log may replay differently; sittings store theirs."""
    title: ClassVar[Text]
    credit: ClassVar[Text] = ""
    """The author and the licence of the game, for the screen and for prints."""
    about: ClassVar[Text] = ""
    """A one-line description for newcomers."""
    actions: ClassVar[tuple[type[Action], ...]]
    """The vocabulary, besides the lines of the log itself (`undo`, `redo`, `amend`)."""
    state: ClassVar[type[State]]
    """The type of a table; made without arguments, the empty one."""
    display: ClassVar[Display[Any, Any]]
    """The display of a table, and the fields that `set` and `add` overwrite."""
    resolution: ClassVar[type[Resolution[Any]]] = Resolution
    """The type that carries out the actions and holds the changes."""
    house: ClassVar[type[HouseRules]] = HouseRules
    """The rules that players may agree on before they begin."""
    mark_types: ClassVar[tuple[type[Mark], ...]] = ()
    paper: ClassVar[PrintedMatter | None] = None
    """The labels and record sheets that it prints; None if its decks need neither."""
    loose: ClassVar[Text] = phrase("a loose deck")
    """The title of a deck that is not stored; "" if players bring no decks."""
    loose_about: ClassVar[Text] = phrase("nothing is recorded for it")
    """The assumption about such a deck, in a few words."""
    bgg: ClassVar[int] = 0
    """Its number at BoardGameGeek, for other programs; 0 if it has none."""
    final_counters: ClassVar[tuple[str, ...]] = ()
    """The seat counters that are kept after the game: the remaining level or life."""
    carries_out_all: ClassVar[bool] = False
    """True if its rules carry out every change of a figure, so that `set` and `add` are only corrections.

    Otherwise cards that the program does not know change figures too.
    """
    asks_before_end: ClassVar[bool] = False
    """True if whatever puts a player out or ends the game must be confirmed, because a slip cannot be told from it."""
    data: ClassVar[str] = "templates"
    """The package with its data files.

    They are `labels/NAME.toml`, `aids/NAME.toml`, `words/NAME.toml`, `rules/NAME.toml` and `examples/NAME/`.
    """

    @property
    def word(self) -> str:
        """The word that opens a table of it, after `table`: the name of the game, or of its homebrew."""
        return self.name

    @property
    def homebrew(self) -> GameHomebrew:
        """Its homebrew, or the page that describes it."""
        return GameHomebrew()

    def with_homebrew(self, text: str, page: str, *, kept: bool = False) -> Game:  # noqa: ARG002 – used by overrides
        """Return the game with the additions of a homebrew: a text, and its digest `page`.

        With `kept`, for the stored text of an earlier game, unreadable parts are ignored. Raises PageError, a
        NotationError, with all that is wrong with it.
        """
        raise NotationError(phrase("{game} does not support homebrews.", game=self.title))

    @property
    def decks(self) -> GameDecks:
        """Its stored decks: forms, stories, portraits and figures."""
        from companion.tabletop.decks.game_decks import GameDecks  # a table does not need it

        return GameDecks()

    @property
    def evenings(self) -> GameEvenings:
        """Its evenings: facts, tallies, summaries and reviews."""
        return GameEvenings()

    @property
    def purses(self) -> GamePurses:
        """The purses of its players: payments, keepsakes, and the lines that bring them to a table."""
        return GamePurses()

    @property
    def results(self) -> GameResults:
        """Its results: who won, final figures, rankings and rematches."""
        return GameResults(self.display, self.final_counters)

    @property
    def corrections(self) -> GameCorrections:
        """Its corrections by lines of its own, and how far back corrections reach."""
        return GameCorrections(self.display)

    @property
    def rehearsal(self) -> Rehearsal | None:
        """The simulation of its players; None if there is none."""
        return None

    @property
    def adviser(self) -> Adviser | None:
        """The adviser that answers `Coach` actions at a table; None if the game has no simulated players."""
        return None

    def new(self) -> Any:
        """Return the empty table, before set-up."""
        return self.state()

    def seen_by(self, state: Any, viewer: str) -> Any:  # noqa: ARG002 – used by overrides
        """Return the table as a viewer knows it: without the names of other players' face-down cards.

        The viewer is a seat, or "" for the public view. Everything that is drawn, listed, completed or asked is
        computed from this table.
        """
        return state

    def is_recorded(self, state: Any) -> bool:
        """Return True if a game in this state leaves anything in records, purses or keepsakes."""
        return bool(recorded_marks(self, state) or self.purses.payments(state) or self.purses.keepsakes(state))

    def is_sealed(self, state: Any) -> bool:
        """Return True if a game in this state was sealed, also if it left nothing in any record."""
        return self.is_recorded(state)

    def stored_decks(self, state: Any) -> Mapping[str, SeatedDeck]:  # noqa: ARG002 – used by overrides
        """Return the stored decks at a table, by the seats before which they lie."""
        return {}

    def check_held(self, state: Any, seat: str, card: str) -> None:
        """Raise RuleError if the rules know that a card of a seat's deck cannot be in its hand now."""

    def read_anew(
        self,
        resolution: Any,  # noqa: ARG002 – used by overrides
        action: RefreshDeck,  # noqa: ARG002
        lines: Sequence[Action],  # noqa: ARG002
    ) -> None:
        """Set the deck before a seat to the one that these lines describe; see `companion.tabletop.seated_decks`."""
        raise RuleError(phrase("{game} is played without stored decks.", game=self.title))

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:  # noqa: ARG002 – used by overrides
        """Return the action with the results of chance, so that it always replays the same; here of dice and coins.

        Raises RuleError if the draw itself is against the rules.
        """
        return chance.resolve_throw(action, rng) if isinstance(action, Roll | Coin) else action

    def apply(self, state: Any, action: Action) -> Step:
        """Return the table after a complete action. Raises RuleError, and changes nothing, if the rules forbid it.

        The base class handles the actions that all games share: `set`, `add`, `track`, `clock`, `note`, `venue`,
        `roll`, `coin`, `rule`, `face-down`, `turn-up` and `next`; it refuses all others.
        """
        resolution = self.resolution(state)
        self.carry_out(resolution, action)
        if resolution.state.face_down:
            face_down.drop_answered(resolution, self.display.secret_seats(resolution.state))
        if resolution.state.extra_counters:
            self.display.drop_lost_counters(resolution)
        return Step(resolution.state, tuple(resolution.tells))

    def carry_out(self, resolution: Any, action: Action) -> str | None:
        """Apply an action and its automatic consequences. Raises RuleError."""
        match action:
            case Set() | Add():
                self.display.overwrite(resolution, action)
            case Note() | Venue() | Track() | SetClock():
                self._carry_out_beside_play(resolution, action)
            case Roll() | Coin():
                name = at_seat(self.display.people(resolution.state), action.seat).name if action.seat else ""
                chance.throw(resolution, action, name)
            case Rule():
                agree(resolution, action)
            case Next():
                _take_suggestions(self, resolution)
            case FaceDown(seat):
                player = at_seat(self.display.people(resolution.state), seat)
                face_down.lay_face_down(resolution, seat, player.name, self.display.secret_seats(resolution.state))
            case TurnUp():
                face_down.turn_up(resolution)
            case _:
                due = next((prompt.text for prompt in self.display.prompts(resolution.state)), None)
                # Translators: {due} is the question that must be answered first.
                raise RuleError(
                    phrase("Not now: the game is over.") if due is None else phrase("Not now: {due}", due=due)
                )
        return None

    def _carry_out_beside_play(self, resolution: Any, action: Note | Venue | Track | SetClock) -> None:
        match action:
            case Note(text):
                resolution.tell(phrase("Note: {text}", text=text))
            case Venue(text):
                resolution.tell(phrase("Place of the evening: {venue}.", venue=text))
            case Track():
                self.display.track(resolution, action)
            case SetClock():
                table_clock.set_clock(resolution, action, self.display.people(resolution.state))

    def view(self, state: Any) -> TableView:
        """Return the view of this state."""
        return self.display.view(self.name, self.title, state)

    def counters_of(self, state: Any, target: str) -> tuple[Counter, ...] | None:
        """Return the counters of a target in the view, or None if the name is unknown.

        A long recording calls this after every line, so it computes only this target.
        """
        return self.display.counters_of(state, target)

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return the candidates for a field of a draft, with what players need to choose: at least all legal ones.

        `companion.tabletop.table.choices.choices` filters out those that the rules refuse.
        """
        return by_kind(self, state, draft, field)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return everything that a word in a field can name, even if the rules do not accept it now.

        Readers of typed text use it.
        """
        return self.candidates(state, draft, field)

    def entries(self, state: Any, seat: str) -> tuple[SheetEntry, ...]:  # noqa: ARG002 – used by overrides
        """Return the figures that a seat or team enters in this round, in the order in which it is asked for them."""
        return ()

    def figures_to_correct(self, state: Any, seat: str) -> tuple[Draft, ...]:  # noqa: ARG002 – used by overrides
        """Return the drafts that correct what a seat or team has entered, one for each column of the score sheet.

        Each asks for the round first, whose choices tell the present figures, and then for the right figure.
        """
        return ()

    def out_of_step(self, state: Any, action: type[Action]) -> Text:  # noqa: ARG002 – used by overrides
        """Return the reason why no line with this verb fits now; "" if one may."""
        return ""

    def meanings(self, state: Any, action: Action) -> tuple[Action, ...]:  # noqa: ARG002 – used by overrides
        """Return the possible meanings of a short text that was read as this action; only the action if it is clear."""
        return (action,)

    def lead_in(self, state: Any, action: Action) -> tuple[Action, ...]:  # noqa: ARG002 – used by overrides
        """Return the actions implied before an entered action, such as payments; they become separate lines of the log.

        Empty if none is needed, or if there are several ways to do it.
        """
        return ()

    def way_on(self, state: Any) -> WayOn | None:  # noqa: ARG002 – used by overrides
        """Return how the game continues if nobody enters anything; None if input is needed first."""
        return None

    def known_fields(
        self,
        state: Any,  # noqa: ARG002 – used by overrides
        action: type[Action],  # noqa: ARG002
        given: Mapping[str, Any],  # noqa: ARG002
    ) -> Mapping[str, Any]:
        """Return the fields that the table can add to a line, such as the figures of a named card. Never raises."""
        return {}

    def local_verb(self, verb: str, language: Language) -> str:
        """Return the word of a language for a verb, as its speakers may type it; else the verb."""
        return language.translate(verb, "verb")

    def terms(self) -> tuple[Term, ...]:
        """Return the lookup terms that are defined in code, such as keywords.

        Terms that are only text are data: words in `words/NAME.toml`, rules by number in `rules/NAME.toml`.
        """
        return tuple(house_rules.of_house(self.house))

    def setup_lines(
        self,
        seat: str,  # noqa: ARG002 – used by overrides
        record: Record,  # noqa: ARG002
        purse: int = 0,  # noqa: ARG002
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002
    ) -> tuple[Action, ...]:
        """Return the set-up lines that put a stored deck before a seat, so that the log replays without the archive.

        `purse` is the amount in the person's purse, `kept` the number of each of their keepsakes. The first line seats
        the deck, and gives more of it than its id: an id alone requests a lookup of the deck.
        """
        raise RuleError(phrase("{game} is played without stored decks; seat people by their names.", game=self.title))

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002 – used by overrides
        """Return the marks that a sealed game writes into its decks' records; empty if it is not sealed.

        A mark with a field `evening` is stored with the result of `GameEvenings.evening`.
        """
        return {}

    def record(self, marks: tuple[Mark, ...]) -> Record:  # noqa: ARG002 – used by overrides
        """Return the present state of a deck, computed from its marks."""
        raise RuleError(phrase("{game} is played without stored decks.", game=self.title))

    @property
    def glossary(self) -> Glossary:
        """The words for lists. A built-in game has them in a separate module."""
        empty = self.view(self.new())
        steps, counters = ({part.name: part.title for part in parts} for parts in (empty.steps, empty.counters))
        return Glossary(self.title, steps, counters)

    def reason(self, reason: ReasonOrText) -> Text:
        """Return a reason in words: a code with its arguments, or the user's own text.

        Reasons explain why something was recorded, or what state a table is in.
        """
        return self.glossary.reason(reason)


def recorded_marks(game: Game, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:
    """Return the marks that a sealed game writes into the records of its decks; none for decks off the record."""
    marks = game.marks(state)
    if not (marks and state.off_record):
        return marks
    off = {each.deck for seat, each in game.stored_decks(state).items() if seat in state.off_record}
    return {deck: own for deck, own in marks.items() if deck not in off}


def _take_suggestions(game: Game, resolution: Resolution[Any]) -> None:
    """Apply the suggested answer of each prompt that the table waits for. Raises RuleError if there is none."""
    due = [prompt.answer for prompt in game.display.prompts(resolution.state) if prompt.due]
    answers = [answer for answer in due if not answer.missing and answer.action is not Next]
    if not answers:
        raise RuleError(phrase("`next` has nothing to finish here; enter what was done."))
    for answer in answers:
        resolution.state, tells = game.apply(resolution.state, answer.build())
        resolution.tells += tells


Propose = Callable[[Any, Draft], Candidates]
"""A function that returns the candidates for a field, from the state and the draft that lacks it."""


class GameOfSteps(Game):
    """A game whose actions belong to steps of a round; a step may be a phase or a stage, as its book calls them."""

    rules: ClassVar[Mapping[type[Action], ActionRule]]
    """The rule of each action; `set`, `add`, `note` and `venue` need none and are always allowed."""
    proposals: ClassVar[Mapping[str, Propose]] = {}
    """The candidates for fields by name, in any line, if the kind of the field is not enough."""

    @abstractmethod
    def not_now(self, verb: str, rule: ActionRule, step: str) -> Text:
        """Return the reason why an action does not fit in this step, and the steps in which it does."""
        ...

    def propose_candidates(self, state: Any, draft: Draft, field: str) -> Candidates | None:
        """Return the candidates for a field that go beyond its kind; None if there are none."""
        propose = self.proposals.get(field)
        return propose(state, draft) if propose else None

    def check(self, state: Any, action: Action) -> None:
        """Raise RuleError if the table accepts no such action any more, in any step."""

    def carry_out(self, resolution: Any, action: Action) -> str | None:
        """Apply the rule of an action. Returns the next step if the action ends the present one.

        A game adds automatic consequences. Raises RuleError.
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
        """Return True if an action with this rule belongs to a step."""
        return step in rule.steps

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return the candidates for a field; none if the action does not belong to the present step."""
        return () if self.out_of_step(state, draft.action) else self.vocabulary(state, draft, field)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return the candidates for a field in any step."""
        proposed = self.propose_candidates(state, draft, field) if draft.action in self.rules else None
        return by_kind(self, state, draft, field) if proposed is None else proposed

    def out_of_step(self, state: Any, action: type[Action]) -> Text:
        """Return the reason if the action belongs to other steps, else ""."""
        rule, step = self.rules.get(action), self.display.step_of(state)
        return "" if rule is None or self.fits(rule, step) else self.not_now(action.verb(), rule, step)
