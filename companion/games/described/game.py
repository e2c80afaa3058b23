"""Any game that is described on a page, as a `Game`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import msgspec
from msgspec.structs import replace

from companion.games.described import actions as do
from companion.games.described import after, deck_lines, effects, turns
from companion.games.described.book import Book
from companion.games.described.conditions import parse_condition
from companion.games.described.context import Context, PageFault
from companion.games.described.corrections import correct_entry
from companion.games.described.description import SEAT, Description, title_of
from companion.games.described.effects import Effect
from companion.games.described.evaluation import describe_condition, holds
from companion.games.described.paper import mark_types_of, paper_of
from companion.games.described.places import places_of, ranking_of
from companion.games.described.plan import Plan, with_rules
from companion.games.described.possible import PossibleLines
from companion.games.described.records import REASONS
from companion.games.described.state import Player, Resolution, Table
from companion.games.described.takes import TAKEN_WORD, Taken
from companion.games.described.view import DescribedDisplay, describe_line
from companion.tabletop import common_actions
from companion.tabletop.action import Action, Correction, DeckId, NotationError, RuleError, Step
from companion.tabletop.choices import Candidates, Choice, Open, by_kind
from companion.tabletop.common_actions import (
    Add,
    Begin,
    Concede,
    DrawAgreed,
    Next,
    Note,
    RefreshDeck,
    Rule,
    Venue,
    check_brings_deck,
)
from companion.tabletop.constructed import table
from companion.tabletop.decklist import DeckCard, DeckListRules, handle
from companion.tabletop.evening import ChapterText, Evening, EveningCard, NameOf
from companion.tabletop.game import Game, PlayedAction, agree
from companion.tabletop.house_rules import HouseRules, RuleQuestion, Term, drawing
from companion.tabletop.match_result import Contender, MatchResult, Ranking, Result, Tally, TallyKind
from companion.tabletop.notation import Notation
from companion.tabletop.portrait import Portrait
from companion.tabletop.records import DeckFigure, Mark, Payment, Reason, ReasonOrText, Record, describe_reason
from companion.tabletop.state import put_at_seat
from companion.tabletop.stored_decks import SeatedDeck, StaleMark
from companion.tabletop.table import Draft, TableView, WayOn
from companion.tabletop.text import quoted

if TYPE_CHECKING:
    # What it has for decks and evenings is loaded where that is asked for, and not for a table.
    from companion.games.described.shelf import Shelf
    from companion.tabletop.form import Form
    from companion.tabletop.keeping import Keeping

_SETUP: Final[tuple[type[Action], ...]] = (
    common_actions.Seat,
    Rule,
    Begin,
    do.First,
    table.Match,
    table.FirstChoice,
    table.Lists,
    *deck_lines.BROUGHT,
    deck_lines.BringPurse,
)
_ALWAYS: Final[tuple[type[Action], ...]] = (
    Note,
    Venue,
    common_actions.Roll,
    common_actions.Coin,
    common_actions.Set,
    Add,
)

_MOST_PLANS: Final = 64
"""House rules, as agreed at different tables, for which what the page comes to is kept ready."""


class DescribedGame(Game):
    """A game from its page. `page` is the digest of the text that it was read from."""

    state: ClassVar[type[Table]] = Table
    resolution: ClassVar[type[Resolution]] = Resolution
    data: ClassVar[str] = ""

    def __init__(self, description: Description, page: str = "", name: str = "") -> None:
        own = {verb: do.own_action(verb, own) for verb, own in description.actions.items()}
        game: Any = self  # what other games say of their class, this one says of itself
        game.name = name or description.name
        game.title = description.title
        game.credit = description.credit
        game.about = description.about
        game.edition = description.edition
        game.bgg = description.bgg
        game.page = page
        game.loose = DescribedGame.loose if description.decks else ""
        game.actions = do.vocabulary(description, table.SeatPlayer, tuple(own.values()))
        game.house = _house(description)
        game.display = DescribedDisplay(self.plan)
        game.paper = paper_of(description)
        game.keeps_purses = description.purse is not None
        game.mark_types = mark_types_of(description)
        game.final_counters = tuple(
            name
            for name, counter in description.counters.items()
            if counter.of == SEAT and not counter.words and not counter.hidden
        )
        self.description = description
        self._own = own
        self._plan_of = lru_cache(_MOST_PLANS)(self._make_plan)
        self._possible = PossibleLines(self, self.plan)
        self._notation: Notation | None = None

    # What the page comes to.

    @cached_property
    def _shelf(self) -> Shelf:
        """What the page does with decks."""
        from companion.games.described.shelf import shelf_of

        return shelf_of(self.description, self.name, self.display)

    def changes_since(self, earlier: Game) -> tuple[str, ...]:
        """What its page changes against an earlier edition."""
        from companion.games.described.editions import describe_changes

        return describe_changes(earlier.description, self.description) if isinstance(earlier, DescribedGame) else ()

    @property
    def permanent_numbers(self) -> Mapping[str, str]:
        """What the numbers of its inscriptions mean."""
        from companion.games.described.numbers import permanent_numbers

        return permanent_numbers(self.description)

    @property
    def keeping(self) -> Keeping | None:
        """How its decks are kept."""
        return self._shelf.keeping

    @property
    def founding(self) -> Form | None:
        """What founds a deck."""
        return self._shelf.founding

    @property
    def adopting(self) -> Form | None:
        """What takes in a deck that lived on paper."""
        return self._shelf.adopting

    @property
    def deck_list(self) -> DeckListRules | None:
        """What makes a deck list one by the page."""
        return self._shelf.deck_list

    def plan(self, state: Table) -> Plan:
        """What the page says under the house rules of a table."""
        return self._plan_of(state.house)

    def _make_plan(self, house: HouseRules) -> Plan:
        plan = Plan(with_rules(self.description, dict(house.changed())))
        plan.own_actions = tuple(self._own.values())
        plan.may = self._possible.may
        plan.notes = {action: describe_line(plan, action.own) for action in plan.own_actions}
        return plan

    def new(self) -> Table:
        """The empty table, before set-up."""
        return Table(house=self.house())

    def terms(self) -> tuple[Term, ...]:
        """The words and rules of the page, its inscriptions, and its house rules."""
        page = self.description
        words = (Term(word, text) for word, text in page.words.items())
        book = Book(page)
        written = (Term(each.name, each.text, book.called) for each in book.decks.inscriptions if each.text)
        rules = (Term(f"Rule {number}", text, "rule", number) for number, text in page.rules.items())
        return (*words, *written, *rules, *super().terms())

    # What is done.

    def resolve(self, state: Table, action: Action, rng: Random) -> Action:
        """Lots, the order of a round, and what is drawn from a pool."""
        match action:
            case do.First():
                return table.draw_lot(state, action, rng)
            case do.Order(("lot",)):
                seats = [player.seat for player in state.playing]
                rng.shuffle(seats)
                return do.Order(tuple(seats), by_lot=True)
            case do.DrawFrom(pool, _, "", is_drawn) if state.round and (is_drawn or not state.house.table_draws):
                return replace(action, is_=effects.draw_by_chance(self.plan(state), state, pool, rng))
            case do.OwnAction() if (
                "is_" in action.__struct_fields__
                and not action.is_  # type: ignore[attr-defined]
                and state.round
                and (action.is_drawn or not state.house.table_draws)  # type: ignore[attr-defined]
            ):
                pool = effects.drawn_pool(action.own.does)
                return replace(action, is_=effects.draw_by_chance(self.plan(state), state, pool, rng))
        return super().resolve(state, action, rng)

    def apply(self, state: Table, action: Action) -> Step:
        """The table after it, with a number for whatever came into play."""
        after, tells = super().apply(state, action)
        return Step(table.with_numbers(after), tells)

    def carry_out(self, resolution: Resolution, action: Action) -> str | None:
        """Do what an action says, and what follows from it by itself. Raises RuleError."""
        state = resolution.state
        context = Context(self.plan(state), resolution)
        if isinstance(action, deck_lines.AFTER):
            after.carry_out(context, action)
            return None
        table.check_goes_on(state, action)
        if not isinstance(action, _ALWAYS):
            self._check_time(state, action)
        try:
            self._carry_out(resolution, action)
        except (NotationError, RuleError):
            raise
        except Exception as error:  # whatever a page may lead to that nobody has thought of: it hurts no evening
            raise _broken(f"the line {action.verb()}", error) from error
        return None

    def _carry_out(self, resolution: Resolution, action: Action) -> None:
        context = Context(self.plan(resolution.state), resolution)
        if not self._done(context, action):
            super().carry_out(resolution, action)
        if resolution.state.round:
            effects.settle(context._replace(plan=self.plan(resolution.state)))
            self._pass_on(context)

    def _check_time(self, state: Table, action: Action) -> None:
        """Raises RuleError where an action belongs to the set-up and the game has begun, or the other way round."""
        verb = action.verb()
        if isinstance(action, _SETUP) and state.round:
            raise RuleError(f"`{verb}` belongs to the set-up, and the game has begun; `undo` leads back.")
        if not isinstance(action, _SETUP) and not state.round:
            raise RuleError(f"`{verb}` comes after `begin`.")

    def _done(self, context: Context, action: Action) -> bool:
        """Do what is a described game's own; False where an action is as in any other game. Raises RuleError."""
        if isinstance(action, do.OwnAction):
            self._own_line(context, action)
        elif isinstance(action, do.DrawFrom):
            effects.draw(context, action, self._line)
        elif isinstance(action, Add):
            return self._added(context, action)
        elif isinstance(action, Rule):
            agree(context.resolution, action)
            self._check_rule(context.resolution.state, action)
        elif rule := _RULES.get(type(action)):
            rule(context, action)
        elif bring := after.BROUGHT.get(type(action)):
            bring(context, action)
        else:
            return False
        return True

    def _check_rule(self, state: Table, action: Rule) -> None:
        """Raises RuleError where the page cannot be changed as its house rule says."""
        try:
            self.plan(state)
        except Exception as error:
            raise _broken(f"house.{action.key}.values.{action.value}", error) from error

    def _added(self, context: Context, action: Add) -> bool:
        """A figure of a seat, a thing or the page's table goes up or down, with what moves with it."""
        state, (target, counter, by) = context.resolution.state, (action.target, action.counter, action.amount)
        if not state.round or target in state.pools:
            return False
        if target == "table" and counter not in context.plan.figures["table"]:
            return False
        effects.change(context, target, counter, by)
        return True

    def _pass_on(self, context: Context) -> None:
        """Where who has the turn is out, the next one's begins."""
        state = context.resolution.state
        is_out = state.active and state.outcome is None and state.player(state.active).out
        if is_out and turns.due_entry(context.plan, state) is None:
            turns.next_turn(context)

    # The page's own lines.

    def _own_line(self, context: Context, action: do.OwnAction) -> None:
        own, state = action.own, context.resolution.state
        verb, seat = action.verb(), getattr(action, "seat", "")
        self._check_own(state, own, verb, seat)
        words = {taken.word: getattr(action, do.field_of(taken)) for taken in action.taken}
        if card := getattr(action, "is_", ""):
            words["is"] = card
        mine = context._replace(me=seat, words={word: value for word, value in words.items() if value is not None})
        for number, text in enumerate(own.when, 1):
            if effects.needs(text) <= mine.words.keys():
                self._check_when(mine, action, text, f"actions.{verb}.when[{number}]")
        context.resolution.tell(_tell_own(mine, action, words), seat, by_hand=bool(own.do))
        effects.pay(mine, own.costs)
        for number, (needs, effect) in enumerate(self._effects_of(context.plan, verb), 1):
            if needs <= mine.words.keys():
                self._do_effect(mine, effect, f"actions.{verb}.does[{number}]")
        if own.once:
            context.resolution.change(used=context.resolution.state.used | {(seat, verb, own.once)})

    def _check_when(self, context: Context, action: do.OwnAction, text: str, place: str) -> None:
        """Raises RuleError where what must hold does not, or the page says it of nothing that is there."""
        try:
            is_so = holds(context, parse_condition(text))
        except RuleError as error:
            raise RuleError(f"`{action.verb()}` cannot be said here: {error}") from None
        except Exception as error:
            raise _broken(place, error) from error
        if not is_so:
            what = describe_condition(context, parse_condition(text))
            raise RuleError(f"`{action.verb()}` is for when {what}.")

    def _do_effect(self, context: Context, effect: Effect, place: str) -> None:
        try:
            effect(context)
        except _Unreadable as error:
            raise PageFault(place, str(error)) from None
        except (NotationError, RuleError):
            raise
        except Exception as error:  # a page can be wrong in more ways than anybody has thought of
            raise _broken(place, error) from error

    def _check_own(self, state: Table, own: Any, verb: str, seat: str) -> None:
        """Raises RuleError where a line does not fit now, or not for this seat."""
        if seat and state.player(seat).out:
            raise RuleError(f"{state.player(seat).name} is out of the game.")
        if own.whose == "turn" and state.active and state.active != seat:
            raise RuleError(f"It is {state.player(state.active).name}'s turn; `turn {seat}` makes it another's.")
        if own.steps and state.step not in own.steps:
            steps = self.plan(state).steps
            named, now = (
                " or ".join(title_of(step, steps[step].title if step in steps else "") for step in names)
                for names in (own.steps, (state.step,))
            )
            raise RuleError(f"`{verb}` belongs to {named}; now is {now}.")
        if own.once and (seat, verb, own.once) in state.used:
            whose = f"{state.player(seat).name} has done that" if seat else "that was done"
            raise RuleError(f"`{verb}` can be done once a {own.once}, and {whose}.")

    def _effects_of(self, plan: Plan, verb: str) -> tuple[tuple[frozenset[str], Effect], ...]:
        """What a line does, each with the words that must have been said for it."""
        if verb not in plan.effects:
            lines = plan.page.actions[verb].does
            plan.effects[verb] = tuple((effects.needs(line), effects.read_effect(line, self._line)) for line in lines)
        return plan.effects[verb]

    def _line(self, context: Context, line: str) -> None:
        """A line of the table that a page's line says. Raises RuleError where it cannot be read."""
        if self._notation is None:
            self._notation = Notation(self.actions)
        try:
            action = self._notation.parse(line)
        except NotationError as error:
            raise _Unreadable(f"`{line}` cannot be done: {error}") from None
        if isinstance(action, do.DrawFrom) and not action.is_:
            action = replace(action, is_=str(context.words.get("is", "")))
        if isinstance(action, (*_SETUP, *_ALWAYS)) or not self._done(context, action):
            raise _Unreadable(f"`{line}` is no part of what a line can do.")

    # What can be chosen, and how it goes on.

    def candidates(self, state: Table, draft: Draft, field: str) -> Candidates:
        """What might stand in a field."""
        return self.vocabulary(state, draft, field)

    def vocabulary(self, state: Table, draft: Draft, field: str) -> Candidates:
        """What a word in a field can name."""
        if issubclass(draft.action, deck_lines.LINES):
            proposed = after.candidates(self.plan(state), state, draft, field)
        else:
            proposed = self._proposed(state, draft, field)
        return by_kind(self, state, draft, field) if proposed is None else proposed

    def _proposed(self, state: Table, draft: Draft, field: str) -> Candidates | None:
        page = self.plan(state).page
        action = draft.action
        if field == "best_of":
            return Open("the most games that are played, an odd number", 3, least=1, fitting=table.USUAL_MATCHES)
        if issubclass(action, do.OwnAction):
            return self._of_own(state, draft, field)
        if field == "seats":
            return self._seats(state, draft)
        if issubclass(action, do.First) and field == "seat":
            return (*_people(state), Choice(table.LOT, "by lot"))
        if issubclass(action, do.Give):
            if field == "token":
                return _titled(page.tokens)
            return (*_people(state), Choice("", "nobody"))
        if issubclass(action, do.Put) and field == "handle":
            return self._new_things(state, draft)
        if issubclass(action, do.Move | do.Remove) and field == "handle":
            return _pieces(state)
        if issubclass(action, do.Put | do.Move | do.DrawFrom | do.Return | do.Shuffle | do.Enter):
            return self._of_page(state, draft, field)
        return None

    def _of_page(self, state: Table, draft: Draft, field: str) -> Candidates | None:
        page = self.plan(state).page
        match field:
            case "kind":
                return _titled(page.things)
            case "zone":
                return _titled(page.zones)
            case "pool":
                return _titled(page.pools)
            case "column":
                columns = page.sheet.columns if page.sheet else ()
                return tuple(Choice(column, effects.plan_title(self.plan(state), column)) for column in columns)
            case "is_" | "card":
                return self._in_pool(state, str(draft.given.get("pool", "")), field)
            case "figure":
                return Open("a whole number", max(1, page.sheet.least if page.sheet else 1))
            case "lane":
                return Open("which lane", self._free_lane(state, draft), least=1)
            case "with_":
                return Open("its figures", (1,), least=1)
        return None

    def _of_own(self, state: Table, draft: Draft, field: str) -> Candidates | None:
        """What can stand in a line of the page's own; nothing of it needs the whole view."""
        action: Any = draft.action
        if field == "seat":
            return _people(state)
        if field == "is_":
            return self._in_pool(state, effects.drawn_pool(action.own.does), field)
        taken = next(each for each in action.taken if do.field_of(each) == field)
        match taken.kind:
            case "SEAT":
                return _people(state)
            case "THING":
                return _pieces(state)
            case "N":
                return Open("a whole number", 1, least=0)
            case "choice":
                return tuple(map(Choice, taken.choices))
        return Open("a text", "something", fitting=self._names_to_put(state, draft, taken))

    def _names_to_put(self, state: Table, draft: Draft, taken: Taken) -> tuple[Choice, ...]:
        """The names of things that a line puts into play by the name that was said."""
        action: Any = draft.action
        lines = (line.split() for line in action.own.does)
        kinds = [line[2] for line in lines if line[:2] == ["put", taken.word] and line[2:]]
        whose = str(draft.given.get("seat", ""))
        return tuple(Choice(name, name, text) for name, text in self._listed(state, kinds, whose))

    def _listed(self, state: Table, kinds: Sequence[str], whose: str) -> Iterator[tuple[str, str]]:
        """The things of these kinds that the page lists, and the cards with such figures in the deck list of who puts
        things of theirs into play; one that the page has itself comes as the page has it.
        """
        things = {kind: self.plan(state).page.things[kind] for kind in kinds if kind in self.plan(state).page.things}
        listed = {each.name: each.text for thing in things.values() for each in thing.list}
        yield from listed.items()
        own = [kind for kind, thing in things.items() if thing.of == SEAT]
        counters = {name for kind in own for name in self.plan(state).given[kind]}
        brought = state.brought.get(whose or state.active)
        for card in brought.cards.values() if brought else ():
            if effects.figures_on(card, counters) and card.name not in listed:
                yield card.name, ", ".join(card.remarks)

    def _in_pool(self, state: Table, name: str, field: str) -> Open:
        """Which can be drawn of a pool, or put back into it."""
        pool, now = self.plan(state).page.pools.get(name), state.pools.get(name)
        names: tuple[str, ...] = ()
        if pool and now:
            names = effects.refilled(pool, now).left if field == "is_" else now.aside
        return Open(
            "which one", names[0] if names else "…", fitting=tuple(Choice(name, name) for name in dict.fromkeys(names))
        )

    def _free_lane(self, state: Table, draft: Draft) -> int:
        page = self.plan(state).page
        kind = page.things.get(str(draft.given.get("kind", "")))
        piece = next((piece for piece in state.pieces if piece.handle == draft.given.get("handle")), None)
        zone = str(draft.given.get("zone", "")) or (piece.zone if piece else kind.zone if kind else "")
        owner = draft.given.get("of", "") or (piece.owner if piece else "")
        taken = {each.lane for each in state.pieces if each.zone == zone and owner in ("", each.owner)}
        return next(lane for lane in range(1, len(taken) + 2) if lane not in taken)

    def _seats(self, state: Table, draft: Draft) -> Candidates:
        """Several seats: who has won, or in which order all act."""
        so_far = draft.given.get("seats", ())
        left = tuple(choice for choice in _people(state) if choice.value not in so_far)
        if issubclass(draft.action, do.Order):
            order = tuple(player.seat for player in state.playing)
            names = " – ".join(player.name for player in state.playing)
            left = tuple(choice for choice in left if choice.value in order)
            return Open(
                "everybody in their order",
                order,
                least=len(order),
                most=len(order),
                of=left,
                fitting=(Choice(("lot",), "by lot"), Choice(order, names)),
            )
        people = _people(state)
        each = tuple(Choice((choice.value,), choice.title) for choice in people)
        return Open("who", (people[0].value,), least=1, most=len(people), of=left, fitting=each)

    def _new_things(self, state: Table, draft: Draft) -> Open:
        page = self.plan(state).page
        kinds = [str(draft.given["kind"])] if "kind" in draft.given else [*page.things]
        listed = self._listed(state, kinds, str(draft.given.get("of", "")))
        fitting = tuple(Choice(effects.free_handle(state, name), name, text) for name, text in listed)
        return Open("a word for it", effects.free_handle(state, handle("thing")), fitting=fitting)

    def way_on(self, state: Table) -> WayOn | None:
        """The next step, turn or round; what can be done in a turn is left out only when told so, and not by who leaves
        out a step of it in which there is nothing to do but to look after the cards.

        Where all play together, each step of which the page says what is done is one of its own: what the cards of the
        other side do is left out by nobody who leaves out a turn.
        """
        if not state.round or state.outcome or state.step == turns.ORDER:
            return None
        prompts = tuple(self.display.prompts(state))
        to_go_on = next((prompt for prompt in prompts if prompt.answer.action is Next), None)
        if to_go_on is None or any(prompt.due and prompt is not to_go_on for prompt in prompts):
            return None
        plan = self.plan(state)
        steps = turns.steps_of(plan, state)
        step = plan.steps.get(state.step)
        is_last = not steps or state.step == steps[-1].name
        says = to_go_on.text if to_go_on.others or is_last or (step and step.do) else ""
        left_out = f"{state.active or state.round}" if to_go_on.others else f"{state.active or state.round} cards"
        if self.description.end.all_win or self.description.end.all_lose:
            left_out = f"{state.round} {left_out} {state.step}"
        return WayOn(Next(), to_go_on.answer.note.removeprefix("on: "), says, left_out)

    # How it ended.

    def view(self, state: Table) -> TableView:
        """What to show, with the score of the match. House rules change what a game begins with, so none later."""
        return msgspec.structs.replace(super().view(state), match=table.score_text(state), later=())

    def match_result(self, state: Table) -> MatchResult | None:
        """How it ended: for each seat, as a team may win, or all together."""
        outcome = state.outcome
        if not outcome:
            return None
        plan = self.plan(state)
        won = {player.seat for player in effects.winners(state, outcome)}
        places = places_of(plan, state)
        everybody = _TOGETHER.get(outcome)
        players = tuple(
            Contender(
                player.seat,
                player.name,
                everybody or ("won" if player.seat in won else "lost"),
                final=self.final_figures(state, player.seat),
                place=places.get(player.seat, 0),
            )
            for player in state.players
        )
        result = table.match_result(state, MatchResult(outcome, players, state.turn))
        return msgspec.structs.replace(result, first="") if plan.together else result

    def ranking(self, rules: Mapping[str, str]) -> Ranking | None:
        """The counter by which the page ranks people under house rules."""
        return ranking_of(with_rules(self.description, rules))

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:
        """The next game of a match that goes on, or a new match of as many."""
        return tuple(table.rematch_lines(result)) if len(result.players) == 2 else ()

    # Decks, and what a game leaves: see `Shelf`.

    def setup_lines(
        self, seat: str, record: Record, purse: int = 0, kept: Mapping[str, int] = MappingProxyType({})
    ) -> tuple[Action, ...]:
        """The set-up lines of a stored deck, and of the purse that its holder brings."""
        lines = self._shelf.setup_lines(seat, record, purse, kept)
        return (*lines, *self.purse_lines(seat, purse))

    def purse_lines(
        self,
        seat: str,
        purse: int,
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002 – a page knows no keepsakes
    ) -> tuple[Action, ...]:
        """What somebody brings; none where the page knows no purse, or it is empty."""
        return (deck_lines.BringPurse(seat, purse),) if purse > 0 and self.keeps_purses else ()

    def stored_decks(self, state: Table) -> Mapping[str, SeatedDeck]:
        """The stored decks that were brought."""
        return {
            seat: SeatedDeck(deck.deck, after.deck_name(self.plan(state), state, seat))
            for seat, deck in state.brought.items()
            if deck.deck
        }

    def read_anew(self, resolution: Resolution, action: RefreshDeck, lines: Sequence[Action]) -> None:
        """Know the deck as it is now: its list, or what its cards bear; and the purse that came with it."""
        table.read_anew(resolution, action, lines)
        after.read_anew(Context(self.plan(resolution.state), resolution), action.seat, lines)

    def taker(self, state: Table, seat: str) -> str:
        """Return who takes it home."""
        return next((taker for taker, owner in state.homes.items() if owner == seat), "")

    def stale_marks(
        self, records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]]
    ) -> tuple[StaleMark, ...]:
        """Return what was crossed out or torn up meanwhile."""
        return self._shelf.stale_marks(records, marks)

    def without_stale(self, evening: Any, stale: Sequence[StaleMark]) -> Any:
        """An evening without what of it is stale."""
        return self._shelf.without_stale(evening, stale)

    def marks(self, state: Table) -> Mapping[DeckId, tuple[Mark, ...]]:
        """What the sealed game writes into the records of its stored decks."""
        result = self.match_result(state) if state.sealed else None
        return self._shelf.written(state, result) if result else {}

    def purses(self, state: Table) -> tuple[Payment, ...]:
        """What goes home with people."""
        return tuple(after.payments(self.plan(state), state))

    def reason(self, reason: ReasonOrText) -> str:
        """Why a purse changed, and where a table stands."""
        own = isinstance(reason, Reason) and reason.code in REASONS
        return describe_reason(reason, REASONS) if own else super().reason(reason)

    def record(self, marks: tuple[Mark, ...]) -> Record:
        """A deck as it is today."""
        return self._shelf.record(marks)

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait | None:
        """A deck as its page shows it."""
        return self._shelf.portrait(record, marks)

    def list_portrait(self, cards: Sequence[DeckCard], against: Sequence[DeckCard] | None = None) -> Portrait:
        """A deck list as a page shows it."""
        return self._shelf.list_portrait(cards, against)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """What a list of decks says of each."""
        return self._shelf.figures(record)

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark, oldest first."""
        return self._shelf.story(marks)

    def adds_are_play(self, state: Table) -> bool:  # noqa: ARG002 – on every page
        """`add` is how people say what a page leaves to them."""
        return True

    def correction(self, deed: PlayedAction, previous: Action | None) -> Correction | None:
        """Return what is put right on the score sheet, or a figure."""
        if isinstance(deed.action, do.Enter):
            return correct_entry(self, deed)
        return super().correction(deed, previous)

    def evening(self, played: Sequence[PlayedAction]) -> Evening | None:
        """How the game went."""
        return self._shelf.evening(played)

    @property
    def tally_kinds(self) -> tuple[TallyKind, ...]:
        """What stands on its decks, where they bear anything."""
        return self._shelf.tally_kinds

    def tallies(self, evening: Any) -> tuple[Tally, ...]:
        """What statistics count of a game."""
        return self._shelf.tallies(evening)

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:
        """How a game ended, from the mark that it left on a deck."""
        return self._shelf.played_result(mark, deck)

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:
        """A game in a deck's story."""
        return self._shelf.chapter(mark, deck, name_of)

    def card(self, evening: Any) -> EveningCard | None:
        """The evening on one page."""
        return self._shelf.card(evening)


def _seat(context: Context, action: table.SeatPlayer) -> None:
    resolution, state = context.resolution, context.resolution.state
    _, most = context.plan.players
    is_seated = any(player.seat == action.seat for player in state.players)
    if is_seated:
        check_brings_deck(action)
        brought = {"borne": state.borne, "torn": state.torn, "purses": state.purses}
        resolution.change(**{field: _of_others(by_seat, action.seat) for field, by_seat in brought.items()})
    if action.seat in (*_NO_SEATS, *context.plan.page.pools):
        raise RuleError(f"{quoted(action.seat)} means something else in the lines of this game; take another word.")
    if len(state.players) >= most and not is_seated:
        raise RuleError(f"{context.plan.page.title} is for {most} players at most.")
    resolution.change(players=put_at_seat(state.players, Player(action.seat, action.title)))
    table.bring(resolution, action)
    if not is_seated:
        resolution.tell(f"{action.title} sits down.", action.seat)


def _of_others(by_seat: Mapping[str, Any], seat: str) -> dict[str, Any]:
    """Return what others have, by their seats."""
    return {other: what for other, what in by_seat.items() if other != seat}


def _first(context: Context, action: do.First) -> None:
    context.resolution.change(first=table.settle_first(context.resolution, action))


def _begin(context: Context, action: Begin) -> None:
    context.resolution.change(seed=action.seed)
    turns.begin(context)


def _won(context: Context, action: do.Won) -> None:
    won = [context.resolution.state.player(seat) for seat in dict.fromkeys(action.seats)]
    teams = {player.team for player in won}
    is_team = len(teams) == 1 and 0 not in teams
    _agree(context, f"team-{teams.pop()}" if is_team else "+".join(player.seat for player in won))


def _agree(context: Context, outcome: str) -> None:
    context.resolution.change(agreed=outcome)
    context.resolution.tell(effects.describe_outcome(context.resolution.state, outcome), decides=True)


def _concede(context: Context, action: Concede) -> None:
    """Who gives up is out; who is left alone has won then, whatever the page says of the end."""
    resolution, player = context.resolution, context.resolution.state.player(action.seat)
    if player.out:
        raise RuleError(f"{player.name} is out of the game already.")
    resolution.update_player(player.seat, out=True, conceded=True, place=len(resolution.state.playing))
    resolution.tell(f"{player.name} gives the game up.", player.seat, decides=True)
    effects.leave_with(context, player.seat)
    playing, end = resolution.state.playing, context.plan.page.end
    if not playing:
        _agree(context, "loss" if end.all_win or end.all_lose or len(resolution.state.players) == 1 else "draw")
    elif len({player.team or player.seat for player in playing}) == 1 and not (end.all_win or end.all_lose):
        _agree(context, f"team-{playing[0].team}" if playing[0].team else playing[0].seat)


_RULES: Final[Mapping[type[Action], Callable[[Context, Any], None]]] = {
    table.SeatPlayer: _seat,
    do.First: _first,
    table.Match: lambda context, action: table.begin_match(context.resolution, action),
    table.FirstChoice: lambda context, action: table.give_first_choice(context.resolution, action),
    Begin: _begin,
    Next: lambda context, _: turns.go_on(context),
    do.TakeTurn: lambda context, action: turns.take_turn(context, action.seat),
    do.Order: lambda context, action: turns.set_order(context, action.seats),
    do.Give: lambda context, action: effects.give(context, action.token, action.seat),
    do.Put: effects.put,
    do.Move: effects.move,
    do.Remove: lambda context, action: effects.remove(context, action.handle),
    do.Return: effects.return_card,
    do.Shuffle: lambda context, action: effects.shuffle(context, action.pool),
    do.Enter: effects.enter,
    do.Won: _won,
    do.Lost: lambda context, _: _agree(context, "loss"),
    do.AllWon: lambda context, _: _agree(context, "win"),
    DrawAgreed: lambda context, action: table.agree_on_draw(context.resolution, action),
    Concede: _concede,
    table.Lists: lambda context, action: table.list_card(context.resolution, action),
    table.Seal: lambda context, _: after.seal(context),
}
"""What each line does that every described game has."""

_TOGETHER: Final[Mapping[str, Result]] = {"draw": "draw", "win": "won", "loss": "lost"}


_NO_SEATS: Final = ("none", "nobody", "table", table.LOT)
"""Words that stand where a seat can, and mean none."""


class _Unreadable(RuleError):
    """A line of the page's that says nothing here; whoever does it knows the place."""


def _broken(place: str, error: Exception) -> PageFault:
    """What is said where a page does what it cannot, by the place in it."""
    return PageFault(place, f"{type(error).__name__}: {error}. `set` changes figures by hand.")


_TOLD_WORD: Final = re.compile(rf"\b(?:me|{TAKEN_WORD.pattern})\b")


def _tell_own(context: Context, action: do.OwnAction, words: Mapping[str, Any]) -> str:
    """What the log says of a line of the page's own: its sentence with names in it, or its title and what was said."""
    own, state = action.own, context.resolution.state
    values = {word: _as_told(state, value) for word, value in words.items() if value is not None}
    who = state.player(context.me).name if context.me else ""
    names = {"me": who, **values}
    text = _TOLD_WORD.sub(lambda match: names.get(match[0], ""), own.tell) if own.tell else ""
    if text:
        text = " ".join(text.split())
        before = "" if not who or re.search(r"\bme\b", own.tell) else f"{who}: "
    else:
        before = f"{who}: " if who else ""
        title = (own.title or title_of(action.verb())).rstrip(".")
        what = ", ".join(values.values())
        text = f"{title} ({what})" if what else title
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f"{before}{text[:1].upper()}{text[1:]}{stop}{f' {own.do}' if own.do else ''}"


def _pieces(state: Table) -> tuple[Choice, ...]:
    return tuple(Choice(piece.handle, piece.title) for piece in state.pieces)


def _people(state: Table) -> tuple[Choice, ...]:
    return tuple(Choice(player.seat, player.name) for player in state.players)


def _titled(words: Mapping[str, Any]) -> tuple[Choice, ...]:
    return tuple(Choice(word, title_of(word, each.title)) for word, each in words.items())


def _as_told(state: Table, value: object) -> str:
    """What was said, as people read it: names of seats and things."""
    names = {player.seat: player.name for player in state.players}
    names |= {piece.handle: piece.title for piece in state.pieces}
    return names.get(str(value), str(value))


def _house(page: Description) -> type[HouseRules]:
    """The house rules of a page, as a class that `rule` reads."""
    fields: list[Any] = []
    pools = [title_of(name, pool.title) for name, pool in page.pools.items() if pool.drawn == "program"]
    if pools and "draws" not in page.house:
        who: Any = Literal["program", "table"]
        fields.append(("draws", Annotated[who, drawing(f"from {', '.join(pools)}")], "program"))
    for word, rule in page.house.items():
        if not rule.values:
            continue
        values = tuple(rule.values)
        question = RuleQuestion(
            title_of(word, rule.title),
            rule.ask,
            {value: title_of(value) for value in values},
            {value: f"{title_of(word, rule.title)}: {value}" for value in values},
        )
        meta = msgspec.Meta(description=rule.ask, extra={"question": question})
        choices: Any = Literal[values]
        fields.append((word.replace("-", "_"), Annotated[choices, meta], values[0]))
    if not fields:
        return HouseRules
    rules_class: Any = msgspec.defstruct("PageRules", fields, bases=(HouseRules,), frozen=True, module=__name__)
    rules: type[HouseRules] = rules_class
    return rules
