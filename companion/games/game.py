"""What a game is: a vocabulary of actions, and pure functions from a state and an action to the next state.

Nothing in this room knows a screen, a file, a database, a clock or global randomness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from companion.games import terms
from companion.games.action import Action, DeckId, RuleError, Step
from companion.games.choices import Candidates, by_kind
from companion.games.decklist import DeckListRules
from companion.games.draft import Draft
from companion.games.form import Form
from companion.games.house import HouseRules
from companion.games.keeping import Keeping
from companion.games.paper import Paper
from companion.games.reasons import Reason, Said, told
from companion.games.records import DeckFigure, Keepsake, Mark, Payment, Record
from companion.games.review import PlayedAction, Review
from companion.games.story import of_no_game
from companion.games.table import Counter, TableView
from companion.games.terms import Term


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
        the rules accept. `companion.games.choices.choices` keeps of it what they do accept.
        """
        return by_kind(self, state, draft, field)

    def known(
        self,
        state: Any,  # noqa: ARG002 – what a game may need
        action: type[Action],  # noqa: ARG002
        said: Mapping[str, Any],  # noqa: ARG002
    ) -> Mapping[str, Any]:
        """What the table knows besides what a line says: the figures of a card that it names. Nothing is raised."""
        return {}

    def terms(self) -> tuple[Term, ...]:
        """What the code knows by itself of what can be looked up, such as keywords. What is text alone stands among the
        data: words in `words/NAME.toml`, rules by number in `rules/NAME.toml`.
        """
        return tuple(terms.of_house(self.house))

    def setup_lines(
        self,
        seat: str,  # noqa: ARG002 – what a game may need
        record: Record,  # noqa: ARG002
        coppers: int = 0,  # noqa: ARG002
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002
    ) -> tuple[Action, ...]:
        """The set-up lines that put a stored deck before a seat, so that the log replays without the archive.

        `coppers` is what the person's purse holds, `kept` how many of each keepsake they have.
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

    def reason(self, reason: Said) -> str:
        """Why something was written down, or where a table stands, in words: a code with its arguments, or what people
        said.
        """
        if not isinstance(reason, Reason) or reason.code not in ("counter", "step"):
            return told(reason)
        empty = self.view(self.new())
        name, *value = map(str, reason.args)
        titles = {part.name: part.title for part in (empty.steps if reason.code == "step" else empty.counters)}
        return " ".join((titles.get(name) or name, *value))

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark, oldest first; without more to tell, the word that each is stored under."""
        return tuple(of_no_game(mark) or f"{str(mark.__struct_config__.tag).capitalize()}." for mark in marks)
