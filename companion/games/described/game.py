"""A game described on a page, as a `Game`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import msgspec
from msgspec.structs import replace

from companion.games.described.decks.paper import mark_types_of, paper_of
from companion.games.described.decks.purses import PagePurses
from companion.games.described.page import actions as do
from companion.games.described.page import deck_lines
from companion.games.described.page.book import DescribedBook
from companion.games.described.page.campaign import CAMPAIGN
from companion.games.described.page.conditions import parse_condition
from companion.games.described.page.description import SEAT, TEAM, Description, KindDefinition, title_of
from companion.games.described.page.takes import Taken
from companion.games.described.page.texts import PageTexts, ToldSentence, as_written, told_words
from companion.games.described.records import REASONS
from companion.games.described.rules import after, asking, effects, outcomes, score_sheet, turns, zones
from companion.games.described.rules.amounts import hand_of
from companion.games.described.rules.context import Context, PageFault, find_team
from companion.games.described.rules.corrections import PageCorrections
from companion.games.described.rules.effects import Effect
from companion.games.described.rules.evaluation import check_of, describe_condition
from companion.games.described.rules.plan import TURN, PagePlan, with_rules
from companion.games.described.rules.possible import PossibleLines
from companion.games.described.rules.results import PageResults
from companion.games.described.rules.start_rules import house_fields, started_counter, started_counters
from companion.games.described.rules.state import CampaignAtTable, DescribedPlayer, DescribedTable, Piece, Resolution
from companion.games.described.view import DescribedDisplay, describe_line, next_stop
from companion.games.page_text import Unfinished
from companion.tabletop.action import Action, DeckId, NotationError, RuleError, Step
from companion.tabletop.constructed import table
from companion.tabletop.decks.decklist import handle
from companion.tabletop.decks.stored_decks import SeatedDeck
from companion.tabletop.evenings import GameEvenings
from companion.tabletop.game import Game, agree
from companion.tabletop.notation.notation import Notation
from companion.tabletop.records import Mark, Reason, ReasonOrText, Record, describe_reason
from companion.tabletop.table import common_actions
from companion.tabletop.table.choices import Candidates, Choice, Open, by_kind
from companion.tabletop.table.common_actions import (
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
from companion.tabletop.table.display import counters
from companion.tabletop.table.extra_counters import counters_on
from companion.tabletop.table.house_rules import HouseRules, RuleQuestion, Term, drawing, term_of
from companion.tabletop.table.state import put_at_seat
from companion.tabletop.table.table import Draft, SheetEntry, TableView, WayOn
from companion.tabletop.text import in_quotes
from templates.languages.messages import Finished, Language, Message, Text, any_of, joined, listed, phrase, phrase_in

if TYPE_CHECKING:
    # The parts for decks and evenings are imported on first use; a table does not need them.
    from companion.games.described.decks.game_decks import PageDecks
    from companion.games.described.page.game_homebrew import PageHomebrew

_SETUP: Final[tuple[type[Action], ...]] = (
    common_actions.Seat,
    Rule,
    Begin,
    do.First,
    table.Match,
    table.FirstChoice,
    table.Lists,
    *deck_lines.BROUGHT,
    deck_lines.CampaignHas,
    deck_lines.PlayScenario,
    deck_lines.BringPurse,
)
_ALWAYS: Final[tuple[type[Action], ...]] = (
    Note,
    Venue,
    common_actions.Roll,
    common_actions.Coin,
    common_actions.Set,
    Add,
    common_actions.Track,
    common_actions.SetClock,
)

_MOST_PLANS: Final = 64
"""The number of plans cached for different house rules."""
_MOST_LINES: Final = 512
"""The number of lines cached that a page's own lines do; they recur often, and are tried before they are offered."""
_COPY: Final = r"-\d+$"
"""The end of the word of one more thing of the same name: `wolf-2`."""


class DescribedGame(Game):
    """A game defined by its page. `page` is the digest of the page's text."""

    state: ClassVar[type[DescribedTable]] = DescribedTable
    resolution: ClassVar[type[Resolution]] = Resolution
    asks_before_end: ClassVar[bool] = True
    data: ClassVar[str] = ""

    def __init__(self, description: Description, page: str = "", name: str = "") -> None:
        self.texts = PageTexts.of_page(description)
        readable = self.texts.translate_page(description)
        own = {verb: do.own_action(verb, own) for verb, own in readable.actions.items()}
        game: Any = self  # the base class declares these as class attributes
        game.name = name or description.name
        game.title = readable.title
        game.credit = readable.credit
        game.about = readable.about
        game.edition = description.edition
        game.bgg = description.bgg
        game.page = page
        game.loose = DescribedGame.loose if description.decks else ""
        game.actions = do.vocabulary(description, table.SeatPlayer, tuple(own.values()))
        game.house = _house_rules_class(readable, self.texts)
        game.display = DescribedDisplay(self.plan)
        game.paper = paper_of(readable, self.texts)
        game.mark_types = mark_types_of(description)
        game.final_counters = tuple(
            name
            for name, counter in description.counters.items()
            if counter.of in (SEAT, TEAM) and not counter.words and not counter.hidden
        )
        self.description = description
        """The page as it is written."""
        self.readable_page = readable
        """The page with messages in place of its texts."""
        self._own = own
        self._plan_of = lru_cache(_MOST_PLANS)(self._make_plan)
        self._last_plan: tuple[HouseRules, PagePlan] | None = None
        self._possible = PossibleLines(self, self.plan)
        self._read_line = lru_cache(_MOST_LINES)(self._parse_line)

    # The page

    @cached_property
    def decks(self) -> PageDecks:
        """Its stored decks, as the page defines them."""
        from companion.games.described.decks.game_decks import decks_of

        return decks_of(self.readable_page, self.texts, self.name)

    @cached_property
    def homebrew(self) -> PageHomebrew:
        """Its page, for users and for the archive."""
        from companion.games.described.page.game_homebrew import PageHomebrew

        return PageHomebrew(self.description)

    def plan(self, state: DescribedTable) -> PagePlan:
        """Return the page as prepared under the house rules of a table."""
        last = self._last_plan
        # Most lines leave the house rules as they are, and comparing all of them takes longer than some lines.
        if last is None or last[0] is not state.house:
            last = self._last_plan = (state.house, self._plan_of(state.house))
        return last[1]

    def _make_plan(self, house: HouseRules) -> PagePlan:
        page = with_rules(self.description, dict(house.changed_rules()))
        # The house rules themselves are the same under all rules, and may be many.
        readable = (
            self.readable_page if page is self.description else self.texts.translate_page(replace(page, house={}))
        )
        plan = PagePlan(replace(readable, house=self.readable_page.house), self.texts)
        plan.own_actions = tuple(self._own.values())
        plan.may = self._possible.may
        plan.hand_of = partial(hand_of, plan)
        plan.notes = {action: describe_line(plan, action.own) for action in plan.own_actions}
        return plan

    def new(self) -> DescribedTable:
        """Return an empty table before the set-up."""
        return DescribedTable(house=self.house())

    def local_verb(self, verb: str, language: Language) -> str:
        """Return the word of a language for a verb: of the page's own lines, what the page says."""
        own = self.texts.text(verb).render(language) if verb in self._own else verb
        return own if own != verb else super().local_verb(verb, language)

    def terms(self) -> tuple[Term, ...]:
        """Return the terms to look up: words and rules of the page, inscriptions, and house rules."""
        page, say = self.readable_page, self.texts.name
        words = (Term(word, text, called=say(word)) for word, text in page.words.items())
        book = DescribedBook(page, self.texts)
        written = (
            Term(each.name, say(each.text), book.inscription_word, called=say(each.name))
            for each in book.decks.inscriptions
            if each.text
        )
        rules = (
            term_of(phrase("Rule {number}", number=number), text, phrase_in("noun", "rule"), number)
            for number, text in page.rules.items()
        )
        return (*words, *written, *rules, *super().terms())

    # Actions

    def resolve(self, state: DescribedTable, action: Action, rng: Random) -> Action:
        """Resolve chance: lots, the order of a round, and draws from a pool."""
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

    def apply(self, state: DescribedTable, action: Action) -> Step:
        """Apply an action, and number the things that came into play."""
        after, tells = super().apply(state, action)
        return Step(after if after.pieces is state.pieces else table.with_numbers(after), tells)

    def carry_out(self, resolution: Resolution, action: Action) -> str | None:
        """Perform an action and its consequences. Raises RuleError if it is against the rules."""
        state = resolution.state
        context = Context(self.plan(state), resolution)
        if isinstance(action, deck_lines.AFTER):
            after.carry_out(context, action)
            return None
        if not (isinstance(action, do.Enter) and score_sheet.can_correct_after(context.plan, state, action.column)):
            table.check_goes_on(state, action)
        if not isinstance(action, _ALWAYS):
            self._check_time(state, action)
        try:
            self._carry_out(context, action)
        except (NotationError, RuleError):
            raise
        except Exception as error:  # an unforeseen error of the page must not end the evening
            raise _page_fault(f"the line {action.verb()}", error) from error
        return None

    def _carry_out(self, context: Context, action: Action) -> None:
        resolution = context.resolution
        if not self._run_action(context, action):
            super().carry_out(resolution, action)
        if resolution.state.round:
            was_over = resolution.state.outcome is not None
            outcomes.settle_outcome(Context(self.plan(resolution.state), resolution))
            if was_over:
                turns.resume_rounds(context)
            self._pass_on(context)

    def _check_time(self, state: DescribedTable, action: Action) -> None:
        """Raise RuleError if a set-up action comes after the beginning of the game, or another action before it."""
        verb = action.verb()
        if isinstance(action, Rule) and state.round and self._changes_later(action.key):
            return
        is_setup = _is_setup(type(action))
        if is_setup and state.round:
            raise RuleError(
                phrase("`{verb}` belongs to the set-up, and the game has begun; `undo` leads back.", verb=verb)
            )
        if not is_setup and not state.round:
            raise RuleError(phrase("`{verb}` comes after `begin`.", verb=verb))

    def _changes_later(self, key: str) -> bool:
        """Return True if a house rule may change during the game: who draws, but none that changes the page."""
        return self.house.find(key).key not in self.description.house

    def _run_action(self, context: Context, action: Action) -> bool:
        """Perform an action of described games; return False for all others. Raises RuleError if it is refused."""
        if isinstance(action, do.OwnAction):
            self._own_line(context, action)
        elif isinstance(action, do.DrawFrom):
            effects.draw(context, action, self._run_line)
        elif isinstance(action, Add):
            return self._add_to_figure(context, action)
        elif isinstance(action, common_actions.Set) and action.counter in context.plan.question_words:
            asking.answer_by_set(context, action, partial(super().carry_out, context.resolution, action))
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

    def _check_rule(self, state: DescribedTable, action: Rule) -> None:
        """Raise PageFault if the page cannot be changed by its house rule, or RuleError for a start out of bounds."""
        try:
            plan = self.plan(state)
        except Exception as error:
            raise _page_fault(f"house.{action.key}.values.{action.value}", error) from error
        word = started_counter(self.description, self.house.find(action.key).key)
        if word and isinstance(start := plan.page.counters[word].start, int):
            plan.check_value(word, plan.page.counters[word], start)

    def _add_to_figure(self, context: Context, action: Add) -> bool:
        """Change a figure of a seat, a thing or the page's table; return False for any other figure."""
        state, (target, counter, by) = context.resolution.state, (action.target, action.counter, action.amount)
        if not state.round or target in state.pools:
            return False
        if any(each.name == counter for each in counters_on(state, target)):
            return False
        if target == "table" and counter not in context.plan.figures["table"]:
            return False
        effects.change(context, target, counter, by)
        asking.note_answer(context, target, counter)
        return True

    def _pass_on(self, context: Context) -> None:
        """Start the next turn if the active player is out, or the thing whose turn it is has left."""
        state = context.resolution.state
        if state.outcome is not None or not state.at_turn:
            return
        if state.acting:
            is_out = all(piece.handle != state.acting for piece in state.pieces)
        else:
            is_out = state.player(state.active).out
        if is_out and turns.due_entry(context.plan, state) is None:
            turns.next_turn(context)

    # The page's own lines

    def _own_line(self, context: Context, action: do.OwnAction) -> None:
        own, state = action.own, context.resolution.state
        verb, seat = action.verb(), getattr(action, "seat", "")
        self._check_own(state, own, verb, seat)
        words = {taken.word: getattr(action, do.field_of(taken)) for taken in action.taken}
        for taken in action.taken:
            if taken.kind == "SEAT" and (named := words[taken.word]) and find_team(state, named) is None:
                state.player(named)  # a seat must exist even if nothing is done to it
        if card := getattr(action, "is_", ""):
            words["is"] = card
        mine = context._replace(me=seat, words={word: value for word, value in words.items() if value is not None})
        for number, text in enumerate(own.when, 1):
            if effects.parameters_in(text) <= mine.words.keys():
                self._check_when(mine, action, text, f"actions.{verb}.when[{number}]")
        step = context.plan.steps.get(state.step)
        if step is not None and step.must and not state.acted:
            context.resolution.change(acted=True)
        context.resolution.tell(_tell_own(mine, action, words), seat, by_hand=bool(own.do))
        effects.pay(mine, own.costs)
        context.resolution.unplaced = {}
        key = "again" if own.again and (seat, verb, TURN) in state.used else "does"
        for number, (needs, effect) in enumerate(self._effects_of(context.plan, verb, key), 1):
            if needs <= mine.words.keys():
                self._do_effect(mine, effect, f"actions.{verb}.{key}[{number}]")
        zones.settle_places(mine)
        if period := own.once or (TURN if own.again else ""):
            context.resolution.change(used=context.resolution.state.used | {(seat, verb, period)})

    def _check_when(self, context: Context, action: do.OwnAction, text: str, place: str) -> None:
        """Raise RuleError if a condition does not hold or cannot be evaluated."""
        try:
            is_so = check_of(context.plan, text).holds(context)
        except RuleError as error:
            why = phrase("`{verb}` is not possible here: {why}", verb=action.verb(), why=error.message)
            raise RuleError(why) from None
        except Exception as error:
            raise _page_fault(place, error) from error
        if not is_so:
            what = describe_condition(context._replace(titles=action.own.titles), parse_condition(text))
            # Translators: {condition} is such as “Ana's Gold is at least 3”.
            raise RuleError(phrase("`{verb}` is only possible if {condition}.", verb=action.verb(), condition=what))

    def _do_effect(self, context: Context, effect: Effect, place: str) -> None:
        try:
            effect(context)
        except _Unreadable as error:
            raise PageFault(place, error.message) from None
        except (NotationError, RuleError):
            raise
        except Exception as error:  # a page can be wrong in unforeseen ways
            raise _page_fault(place, error) from error

    def _check_own(self, state: DescribedTable, own: Any, verb: str, seat: str) -> None:
        """Raise RuleError if a line is not allowed now, or not for this seat."""
        if seat and state.player(seat).out:
            raise RuleError(phrase("{player} is out of the game.", player=state.player(seat).name))
        if own.whose == "turn" and state.active and state.active != seat:
            raise RuleError(
                phrase(
                    "It is {player}'s turn; `turn {seat}` changes that.",
                    player=state.player(state.active).name,
                    seat=seat,
                )
            )
        if own.steps and state.step not in own.steps:
            steps = self.plan(state).steps
            titles = [title_of(step, steps[step].title if step in steps else "") for step in (*own.steps, state.step)]
            *named, now = titles
            raise RuleError(
                phrase(
                    "`{verb}` belongs to {steps}; the current step is {step}.", verb=verb, steps=any_of(named), step=now
                )
            )
        if own.once and (seat, verb, own.once) in state.used:
            raise RuleError(_describe_limit(verb, own.once, state.player(seat).name if seat else ""))

    def _effects_of(self, plan: PagePlan, verb: str, key: str) -> tuple[tuple[frozenset[str], Effect], ...]:
        """Return the effects that a line has under `does` or `again`, each with the arguments it requires."""
        if (verb, key) not in plan.effects:
            lines = getattr(plan.page.actions[verb], key)
            plan.effects[verb, key] = tuple(
                (effects.parameters_in(line), effects.read_effect(line, self._run_line)) for line in lines
            )
        return plan.effects[verb, key]

    @cached_property
    def _notation(self) -> Notation:
        return Notation(self.actions)

    def _parse_line(self, line: str) -> Action:
        """Parse a line of the table from a page's line. Raises NotationError if it cannot be parsed."""
        return self._notation.parse(line)

    def _run_line(self, context: Context, line: str) -> None:
        """Perform a line of the table from a page's line. Raises RuleError if it cannot be parsed or is not allowed."""
        try:
            action = self._read_line(line)
        except NotationError as error:
            raise _Unreadable(phrase("`{line}` is not possible: {why}", line=line, why=error.message)) from None
        if isinstance(action, do.DrawFrom) and not action.is_:
            action = replace(action, is_=str(context.words.get("is", "")))
        if isinstance(action, (*_SETUP, *_ALWAYS)) or not self._run_action(context, action):
            raise _Unreadable(phrase("A page's own line cannot do `{line}`.", line=line))

    # Choices, and the way on

    def candidates(self, state: DescribedTable, draft: Draft, field: str) -> Candidates:
        """Return the possible values of a field."""
        return self.vocabulary(state, draft, field)

    def vocabulary(self, state: DescribedTable, draft: Draft, field: str) -> Candidates:
        """Return the values that a word in a field can name."""
        if issubclass(draft.action, deck_lines.LINES):
            proposed = after.candidates(self.plan(state), state, draft, field)
        else:
            proposed = self._page_candidates(state, draft, field)
        return by_kind(self, state, draft, field) if proposed is None else proposed

    def entries(self, state: DescribedTable, seat: str) -> tuple[SheetEntry, ...]:
        """Return the figures that a seat or team enters: counters that are asked for, and columns of the sheet."""
        is_there = state.is_seat(seat) or find_team(state, seat) is not None
        plan = self.plan(state)
        is_over = state.outcome is not None and (state.sealed or not (state.rows or state.entered))
        if not state.round or is_over or not is_there:
            return ()
        return tuple(
            SheetEntry(
                Draft(do.Enter, {"seat": seat, "column": word}, title=asking.name_button(plan, word)),
                word,
                asking.title_of_word(plan, word),
                is_open,
                score_sheet.total_of_entry(plan, state, seat, word),
                asking.is_free(plan, word),
                self._earlier_entry(state, seat, word),
            )
            for word, is_open in turns.words_of_seat(plan, state, seat)
        )

    def figures_to_correct(self, state: DescribedTable, seat: str) -> tuple[Draft, ...]:
        """Return the drafts that correct the entries of a seat or team, one for each column of the score sheet."""
        plan = self.plan(state)
        return tuple(
            Draft(
                do.Enter,
                {"seat": seat, "column": column},
                phrase("on the score sheet"),
                asks=("round",),
                order=("round",),
                title=score_sheet.column_title(plan, column),
            )
            for column in (() if state.sealed else score_sheet.columns_to_correct(plan, state, seat))
        )

    def _earlier_entry(self, state: DescribedTable, seat: str, word: str) -> Draft | None:
        """Return the draft that corrects the last row, if a column is asked for later in this round; else None."""
        plan = self.plan(state)
        is_later = asking.is_column(plan, word) and not state.at_turn and word not in plan.columns_due(state.step)
        if not is_later or not state.rows or state.outcome is not None:
            return None
        given = {"seat": seat, "column": word, "round": len(state.rows)}
        return Draft(do.Enter, given, title=asking.name_button(plan, word))

    def _page_candidates(self, state: DescribedTable, draft: Draft, field: str) -> Candidates | None:
        page = self.plan(state).page
        action = draft.action
        if field == "best_of":
            return Open(phrase("the maximum number of games, which is odd"), 3, least=1, fitting=table.USUAL_MATCHES)
        if issubclass(action, do.OwnAction):
            return self._of_own(state, draft, field)
        if field == "seats":
            return self._seat_choices(state, draft)
        if issubclass(action, do.First) and field == "seat":
            return (*_player_choices(state), Choice(table.LOT, phrase("by lot")))
        if issubclass(action, do.GiveToken):
            if field == "token":
                return _title_choices(page.tokens)
            return (*_player_choices(state), Choice("", phrase("nobody")))
        if issubclass(action, do.Put) and field == "handle":
            return self._new_things(state, draft)
        if issubclass(action, do.Move | do.Become | do.Remove) and field in ("handle", "name"):
            return self._of_piece(state, draft, field)
        if issubclass(action, _OF_PAGE):
            return self._of_page(state, draft, field)
        return None

    def _of_piece(self, state: DescribedTable, draft: Draft, field: str) -> Candidates:
        """Return the things in play, or the names that a thing can take."""
        if field == "handle":
            return _piece_choices(self.plan(state), state)
        names = self._names_to_become(state, str(draft.given.get("handle", "")))
        return Open(phrase("a text"), "something", fitting=self._name_choices(names))

    def _of_page(self, state: DescribedTable, draft: Draft, field: str) -> Candidates | None:
        page = self.plan(state).page
        match field:
            case "seat" if draft.action is do.TakeTurn:
                return _turn_choices(self.plan(state), state)
            case "kind":
                return _title_choices(self._kinds_listing(state, draft) or page.things)
            case "zone":
                return _title_choices(page.zones)
            case "pool":
                return _title_choices(page.pools)
            case "column":
                plan = self.plan(state)
                return tuple(Choice(word, asking.title_of_word(plan, word)) for word in asking.words_to_enter(plan))
            case "is_" | "card":
                return self._in_pool(state, str(draft.given.get("pool", "")), field)
            case "figure" | "round":
                return self._of_entry(state, draft, field)
            case "lane":
                return Open(phrase("which lane"), self._free_lane(state, draft), least=1)
            case "with_":
                return Open(phrase("its figures"), (1,), least=1)
        return None

    def _of_entry(self, state: DescribedTable, draft: Draft, field: str) -> Candidates | None:
        return self._figures_to_enter(state, draft) if field == "figure" else self._rounds_to_correct(state, draft)

    def _rounds_to_correct(self, state: DescribedTable, draft: Draft) -> Candidates | None:
        """Return the rounds in which a seat has a row, the newest first, each with its present figure in a column.

        A figure that is there already is meant for the present round, so that the rules refuse it instead of asking.
        """
        plan, seat, column = self.plan(state), str(draft.given.get("seat", "")), str(draft.given.get("column", ""))
        is_column = asking.is_column(plan, column) and score_sheet.has_entries(plan, state, seat)
        if not is_column or "figure" in draft.given:
            return None
        title = score_sheet.column_title(plan, column)
        return tuple(
            Choice(number, joined(" ", (plan.round_title, number)), joined(" ", (title, present)))
            for number, present in reversed([*score_sheet.rounds_to_correct(plan, state, seat, column)])
        )

    def _figures_to_enter(self, state: DescribedTable, draft: Draft) -> Open:
        """Return the figures that can be entered; those that a limit leaves are listed if they have an end."""
        plan, what = self.plan(state), phrase("a whole number")
        seat, word = str(draft.given.get("seat", "")), str(draft.given.get("column", ""))
        least = asking.least_of(plan, word)
        is_finished = 0 < draft.given.get("round", 0) <= len(state.rows)  # limits are those of the present round
        if not state.is_seat(seat) or draft.given.get("is_allowed") or is_finished or not asking.limits_of(plan, word):
            return Open(what, max(1, least))
        possible, excluded = asking.divide_figures(Context(plan, Resolution(state)), seat, word)
        # A list that stopped at any figure would read as if no larger or smaller one were possible.
        is_whole = asking.are_all_listed(plan, state, word, possible, excluded)
        listed = tuple(Choice(figure, str(figure)) for figure in possible) if is_whole else ()
        unfit = tuple(Choice(figure, str(figure)) for figure in excluded)
        nearest = min(possible, key=abs, default=max(1, least))
        return Open(what, nearest, fitting=listed, unfit=unfit)

    def _of_own(self, state: DescribedTable, draft: Draft, field: str) -> Candidates | None:
        """Return the possible values of a field of the page's own line. None of them needs the table's view."""
        action: Any = draft.action
        if field == "seat":
            return _player_choices(state)
        if field == "is_":
            return self._in_pool(state, effects.drawn_pool(action.own.does), field)
        taken = next(each for each in action.taken if do.field_of(each) == field)
        match taken.kind:
            case "SEAT":
                return _player_choices(state)
            case "THING":
                return _piece_choices(self.plan(state), state)
            case "N":
                return Open(phrase("a whole number"), self._possible.number(state, draft, field), least=0)
            case "choice":
                return tuple(Choice(word, self.texts.text(word)) for word in taken.choices)
        return Open(phrase("a text"), "something", fitting=self._names_given(state, draft, taken))

    def _names_given(self, state: DescribedTable, draft: Draft, taken: Taken) -> tuple[Choice, ...]:
        """Return the listed names that a line gives to a thing: one that it puts into play, or that becomes another."""
        action: Any = draft.action
        lines = [line.split() for line in action.own.does]
        kinds = [line[2] for line in lines if line[:2] == ["put", taken.word] and line[2:]]
        names = dict(self._listed_texts(state, kinds, str(draft.given.get("seat", ""))))
        fields = {each.word: do.field_of(each) for each in action.taken}
        for word in [line[1] for line in lines if line[:1] == ["become"] and line[2:] == [taken.word]]:
            thing = str(draft.given.get(fields[word], "")) if word in fields else word
            names |= self._names_to_become(state, thing)
        return self._name_choices(names)

    def _name_choices(self, names: Mapping[str, Text]) -> tuple[Choice, ...]:
        return tuple(Choice(name, self.texts.name(name), text) for name, text in names.items())

    def _names_to_become(self, state: DescribedTable, thing: str) -> dict[str, Text]:
        """Return the other listed names of a thing's kind with their texts; those of all kinds if it is not known."""
        piece = next((piece for piece in state.pieces if piece.handle == thing), None)
        if piece is None:
            return dict(self._listed_texts(state, [*self.plan(state).page.things], ""))
        listed = self._listed_texts(state, [piece.kind], piece.owner)
        return {name: text for name, text in listed if handle(name) != handle(piece.title)}

    def _listed_texts(self, state: DescribedTable, kinds: Sequence[str], whose: str) -> Iterator[tuple[str, Text]]:
        """Yield the names and texts of the page's listed things of these kinds.

        For kinds that belong to seats, the cards with such figures in the player's deck list follow. The page's own
        thing takes precedence over a card of the same name.
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

    def _in_pool(self, state: DescribedTable, name: str, field: str) -> Open:
        """Return the cards that can be drawn from a pool, or returned to it."""
        plan, now = self.plan(state), state.pools.get(name)
        names: tuple[str, ...] = ()
        if now and name in plan.page.pools:
            names = effects.refill_pool(plan, state, name).left if field == "is_" else now.aside
        return Open(
            phrase("which one"),
            names[0] if names else "…",
            fitting=tuple(Choice(name, name) for name in dict.fromkeys(names)),
        )

    def _free_lane(self, state: DescribedTable, draft: Draft) -> int:
        page = self.plan(state).page
        kind = page.things.get(str(draft.given.get("kind", "")))
        piece = next((piece for piece in state.pieces if piece.handle == draft.given.get("handle")), None)
        zone = str(draft.given.get("zone", "")) or (piece.zone if piece else kind.zone if kind else "")
        owner = draft.given.get("of", "") or (piece.owner if piece else "")
        taken = {each.lane for each in state.pieces if each.zone == zone and owner in ("", each.owner)}
        return next(lane for lane in range(1, len(taken) + 2) if lane not in taken)

    def _seat_choices(self, state: DescribedTable, draft: Draft) -> Candidates:
        """Return the choices for several seats: the winners, or the order of a round."""
        so_far = draft.given.get("seats", ())
        left = tuple(choice for choice in _player_choices(state) if choice.value not in so_far)
        if issubclass(draft.action, do.Order):
            order = tuple(player.seat for player in state.playing)
            names = " – ".join(player.name for player in state.playing)
            left = tuple(choice for choice in left if choice.value in order)
            return Open(
                phrase("everybody, in order"),
                order,
                least=len(order),
                most=len(order),
                of=left,
                fitting=(Choice(("lot",), phrase("by lot")), Choice(order, names)),
            )
        # Teams win together; a player of one can still be named.
        people = tuple(Choice(team.word, self.plan(state).team_title(team.number)) for team in state.teams)
        people = people or _player_choices(state)
        left = (*people, *left) if state.teams else left
        each = tuple(Choice((choice.value,), choice.title) for choice in people)
        return Open(phrase("who"), (people[0].value,), least=1, most=len(people), of=left, fitting=each)

    def _kinds_listing(self, state: DescribedTable, draft: Draft) -> Mapping[str, KindDefinition]:
        """Return the kinds that list a thing with the word of a draft; none for a new thing."""
        word, plan = str(draft.given.get("handle", "")), self.plan(state)
        words = {word, re.sub(_COPY, "", word)}
        return {name: kind for name, kind in plan.page.things.items() if words & plan.listed_of[name].keys()}

    def _new_things(self, state: DescribedTable, draft: Draft) -> Open:
        page = self.plan(state).page
        kinds = [str(draft.given["kind"])] if "kind" in draft.given else [*page.things]
        listed = self._listed_texts(state, kinds, str(draft.given.get("of", "")))
        fitting = tuple(Choice(effects.free_handle(state, name), self.texts.name(name), text) for name, text in listed)
        return Open(phrase("a word for it"), effects.free_handle(state, handle("thing")), fitting=fitting)

    def way_on(self, state: DescribedTable) -> WayOn | None:
        """Return `next` as the way on, or None if something must be done first.

        Going on takes confirmation if players still have possible lines, if the step is the last one, or if it has
        instructions for the cards. Skipping the lines of a step skips what is left of the turn's work with the cards,
        but no lines of a later step. In a game with a shared outcome, each step is a decision of its own: skipping a
        turn must not skip the actions of the opposing cards.
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
        # What is skipped begins with the word of what is being skipped. So each step has a shorter word than those
        # before it, and the cards have the longest one.
        names = [each.name for each in steps]
        later = len(names) - names.index(state.step) if state.step in names else 0
        number = later if to_go_on.others else len(names) + 1
        left_out = f"{state.at_turn or state.round}{' later' * number}"
        if self.description.end.all_win or self.description.end.all_lose:
            left_out = f"{state.round} {left_out} {state.step}"
        return WayOn(Next(), next_stop(plan, state), says, left_out)

    # The outcome

    def view(self, state: DescribedTable) -> TableView:
        """Return the view with the score of the match.

        The house rules of the page affect the start of a game, so they are not offered later.
        """
        view = super().view(state)
        later = tuple(prompt for prompt in view.later if prompt.answer.given["key"] not in self.description.house)
        return msgspec.structs.replace(view, match=table.score_text(state), later=later)

    @property
    def results(self) -> PageResults:
        """Its results, with teams and shared outcomes, ranked as the page says."""
        return PageResults(self.display, self.final_counters, self.description, self.plan)

    @property
    def corrections(self) -> PageCorrections:
        """The corrections of entries on the score sheet."""
        return PageCorrections(self)

    # Decks

    def setup_lines(
        self,
        seat: str,
        record: Record,
        purse: int = 0,
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002 – a page knows no keepsakes
    ) -> tuple[Action, ...]:
        """Return the set-up lines of a stored deck and of its holder's purse."""
        lines = self.decks.setup_lines(seat, record)
        return (*lines, *self.purses.setup_lines(seat, purse))

    def stored_decks(self, state: DescribedTable) -> Mapping[str, SeatedDeck]:
        """Return the stored decks at the table by seat."""
        return {
            seat: SeatedDeck(deck.deck, after.deck_name(self.plan(state), state, seat))
            for seat, deck in state.brought.items()
            if deck.deck
        }

    def read_anew(self, resolution: Resolution, action: RefreshDeck, lines: Sequence[Action]) -> None:
        """Replace a deck by its present version: its list, or its inscriptions, and the purse that came with it."""
        table.read_anew(resolution, action, lines)
        after.read_anew(Context(self.plan(resolution.state), resolution), action.seat, lines)

    def is_sealed(self, state: DescribedTable) -> bool:
        """Return True once the game was sealed, whatever it wrote."""
        return state.sealed

    def marks(self, state: DescribedTable) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return the marks that the sealed game adds to the records of its stored decks."""
        result = self.results.match_result(state) if state.sealed else None
        return self.decks.sealed_marks(self.plan(state), state, result) if result else {}

    @cached_property
    def purses(self) -> PagePurses:
        """Its purses, if the page has money."""
        return PagePurses(self.description, self.plan)

    def reason(self, reason: ReasonOrText) -> Text:
        """Return the reason for a change of a purse, or the state of a table, as text."""
        own = isinstance(reason, Reason) and reason.code in REASONS
        return describe_reason(reason, REASONS) if own else super().reason(reason)

    def record(self, marks: tuple[Mark, ...]) -> Record:
        """Return the present record of a deck."""
        return self.decks.record(marks)

    @cached_property
    def evenings(self) -> GameEvenings:
        """The facts of an evening, and its summaries."""
        from companion.games.described.decks.evenings import evenings_of

        return evenings_of(self.readable_page, self.texts, self.display)


def _seat(context: Context, action: table.SeatPlayer) -> None:
    resolution, state = context.resolution, context.resolution.state
    if action.seat == CAMPAIGN and context.plan.page.campaign:
        _bring_campaign(context, action)
        return
    _, most = context.plan.players
    is_seated = state.is_seat(action.seat)
    if is_seated:
        check_brings_deck(action)
        brought = {"borne": state.borne, "torn": state.torn, "purses": state.purses}
        resolution.change(**{field: _of_others(by_seat, action.seat) for field, by_seat in brought.items()})
    if action.seat in (*_NO_SEATS, *context.plan.page.pools, *context.plan.team_words):
        raise RuleError(
            phrase(
                "{word} means something else in the lines of this game; choose another word.",
                word=in_quotes(action.seat),
            )
        )
    if len(state.players) >= most and not is_seated:
        raise RuleError(phrase("{game} is for {most} players at most.", game=context.plan.page.title, most=most))
    resolution.change(players=put_at_seat(state.players, DescribedPlayer(action.seat, action.title)))
    table.bring(resolution, action)
    if not is_seated:
        resolution.tell(phrase("{player} sits down.", player=action.title), action.seat)


def _bring_campaign(context: Context, action: table.SeatPlayer) -> None:
    """Bring the record of a campaign, which belongs to the whole table. Raises RuleError without one."""
    if not action.deck:
        raise RuleError(phrase("`seat campaign` needs a record: `seat campaign deck NAME`."))
    is_first = CAMPAIGN not in context.resolution.state.brought
    context.resolution.change(campaign=CampaignAtTable())
    table.bring(context.resolution, action)
    if is_first:
        text = phrase("The campaign {campaign} goes on.", campaign=action.called or action.title)
        context.resolution.tell(text)


def _of_others(by_seat: Mapping[str, Any], seat: str) -> dict[str, Any]:
    """Return the entries of the other seats."""
    return {other: what for other, what in by_seat.items() if other != seat}


def _first(context: Context, action: do.First) -> None:
    context.resolution.change(first=table.settle_first(context.resolution, action))


def _begin(context: Context, action: Begin) -> None:
    context.resolution.change(seed=action.seed)
    turns.begin_game(context)


def _agree_winners(context: Context, action: do.Won) -> None:
    state = context.resolution.state
    won = [player for word in dict.fromkeys(action.seats) for player in _players_named(state, word)]
    teams = {player.team for player in won}
    is_team = len(teams) == 1 and 0 not in teams
    _agree(context, f"team-{teams.pop()}" if is_team else "+".join(dict.fromkeys(player.seat for player in won)))


def _players_named(state: DescribedTable, word: str) -> tuple[DescribedPlayer, ...]:
    """Return the player at a seat, or the members of a team. Raises RuleError if nobody is called so."""
    team = find_team(state, word)
    if team is None:
        return (state.player(word),)
    return tuple(player for player in state.players if player.team == team.number)


def _agree(context: Context, outcome: str) -> None:
    context.resolution.change(agreed=outcome)
    context.resolution.tell(outcomes.describe_outcome(context.plan, context.resolution.state, outcome), decides=True)


def _concede(context: Context, action: Concede) -> None:
    """Take a player who gives up out of the game. The last one left wins, unless the page has a shared outcome."""
    resolution, player = context.resolution, context.resolution.state.player(action.seat)
    if player.out:
        raise RuleError(phrase("{player} is already out of the game.", player=player.name))
    resolution.update_player(player.seat, out=True, conceded=True, place=len(resolution.state.playing))
    resolution.tell(phrase("{player} concedes.", player=player.name), player.seat, decides=True)
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
    do.GiveToken: lambda context, action: effects.give(context, action.token, action.seat),
    do.Put: effects.put,
    do.Move: zones.move,
    do.Become: effects.become,
    do.Remove: lambda context, action: effects.remove(context, action.handle),
    do.Return: effects.return_card,
    do.Shuffle: lambda context, action: effects.shuffle(context, action.pool),
    do.Enter: asking.enter_figure,
    do.Won: _agree_winners,
    do.Lost: lambda context, _: _agree(context, "loss"),
    do.AllWon: lambda context, _: _agree(context, "win"),
    DrawAgreed: lambda context, action: table.agree_on_draw(context.resolution, action),
    Concede: _concede,
    table.Lists: lambda context, action: table.list_card(context.resolution, action),
    table.SealMatch: lambda context, _: after.seal(context),
}
"""The rules for the actions of every described game."""

_OF_PAGE: Final = (do.TakeTurn, do.Put, do.Move, do.DrawFrom, do.Return, do.Shuffle, do.Enter)
"""The actions whose arguments are words of the page."""

_NO_SEATS: Final = ("none", "nobody", "table", table.LOT)
"""Words that mean no seat in place of one."""


@lru_cache(256)
def _is_setup(kind: type[Action]) -> bool:
    return issubclass(kind, _SETUP)


class _Unreadable(RuleError):
    """A line in a page's line that cannot be performed. The caller knows its place on the page."""


def _page_fault(place: str, error: Exception) -> PageFault:
    """Return the fault for an unexpected error at a place on the page."""
    why = f"{type(error).__name__}: {error}"
    return PageFault(place, phrase("{error}. `set` changes figures by hand.", error=why))


def _describe_limit(verb: str, period: str, player: str) -> Message:
    """Return the sentence on a line that was done already in this turn, round or game, by a player or by all."""
    if period == "turn":
        if player:
            return phrase(
                "`{verb}` is possible once a turn, and {player} has already done it.", verb=verb, player=player
            )
        return phrase("`{verb}` is possible once a turn, and it has already been done.", verb=verb)
    if period == "round":
        if player:
            return phrase(
                "`{verb}` is possible once a round, and {player} has already done it.", verb=verb, player=player
            )
        return phrase("`{verb}` is possible once a round, and it has already been done.", verb=verb)
    if player:
        return phrase("`{verb}` is possible once a game, and {player} has already done it.", verb=verb, player=player)
    return phrase("`{verb}` is possible once a game, and it has already been done.", verb=verb)


def _tell_own(context: Context, action: do.OwnAction, words: Mapping[str, Any]) -> Text:
    """Return the log entry for a page's own line: its `tell` sentence with names, or its title and arguments."""
    own, state = action.own, context.resolution.state
    # The card that is drawn has a sentence of its own.
    values = {word: _as_told(context, value) for word, value in words.items() if value is not None and word != "is"}
    who = state.player(context.me).name if context.me else ""
    names_actor = bool(own.tell) and "me" in told_words(as_written(own.tell))
    title = own.title or context.plan.texts.title(action.verb())
    if own.tell:
        text: Text = Finished(ToldSentence(own.tell, {"me": who, **values}), begins=True)
    elif values:
        text = phrase("{line} ({words}).", line=Unfinished(title, begins=True), words=listed(values.values()))
    else:
        text = Finished(title, begins=True)
    if who and not names_actor:
        text = joined(": ", (who, text))
    return joined(" ", (text, own.do)) if own.do else text


def _piece_choices(plan: PagePlan, state: DescribedTable) -> tuple[Choice, ...]:
    """Return the things in play, each with the figures and flags by which players choose one."""
    return tuple(Choice(piece.handle, plan.name_of(piece), _marks_of(plan, state, piece)) for piece in state.pieces)


def _marks_of(plan: PagePlan, state: DescribedTable, piece: Piece) -> Text:
    """Return the visible figures of a thing, and its flags: `Cost 2, Health 4, Tapped`."""
    visible = (each for each in counters(plan.gauges[piece.kind], state, piece) if each.is_visible)
    figures = (joined(" ", (each.brief_caption, each.figure)) for each in visible if each.says_something)
    return listed((*figures, *plan.flag_titles(piece)))


def _turn_choices(plan: PagePlan, state: DescribedTable) -> tuple[Choice, ...]:
    """Return the players, and the things that have turns of their own."""
    things = (piece for piece in state.pieces if piece.kind in plan.things_in_turn)
    return (*_player_choices(state), *(Choice(piece.handle, plan.name_of(piece)) for piece in things))


def _player_choices(state: DescribedTable) -> tuple[Choice, ...]:
    return tuple(Choice(player.seat, player.name) for player in state.players)


def _title_choices(words: Mapping[str, Any]) -> tuple[Choice, ...]:
    return tuple(Choice(word, title_of(word, each.title)) for word, each in words.items())


def _as_told(context: Context, value: object) -> Text:
    """Return an argument as displayed text, with the names of seats and things."""
    state, text = context.resolution.state, str(value)
    for player in state.players:
        if player.seat == text:
            return player.name
    for piece in state.pieces:
        if piece.handle == text:
            return context.plan.name_of(piece)
    return context.plan.texts.name(text)


def _house_rules_class(page: Description, texts: PageTexts) -> type[HouseRules]:
    """Return the house rules of a page as a class that `rule` reads."""
    fields: list[Any] = []
    pools = [title_of(name, pool.title) for name, pool in page.pools.items() if pool.drawn == "program"]
    if pools and "draws" not in page.house:
        who: Any = Literal["program", "table"]
        who_draws = drawing(phrase("from {pools}", pools=listed(pools)), is_given=True)
        fields.append(("draws", Annotated[who, who_draws], "program"))
    numbers = started_counters(page)
    for word, rule in page.house.items():
        if not rule.values:
            continue
        values = tuple(rule.values)
        question = RuleQuestion(
            title_of(word, rule.title),
            rule.ask,
            {value: texts.title(value) for value in values},
            {value: joined(": ", (title_of(word, rule.title), texts.title(value))) for value in values},
        )
        meta = msgspec.Meta(description=as_written(rule.ask), extra={"question": question, "text": rule.ask})
        choices: Any = Literal[values] | int if word in numbers else Literal[values]
        fields.append((word.replace("-", "_"), Annotated[choices, meta], values[0]))
    fields += house_fields(page)
    if not fields:
        return HouseRules
    rules_class: Any = msgspec.defstruct("PageRules", fields, bases=(HouseRules,), frozen=True, module=__name__)
    rules: type[HouseRules] = rules_class
    return rules
