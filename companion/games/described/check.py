"""Random games that try a page out before it is played.

They find games that never end, figures out of bounds, and parts of a page that can never be reached.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from companion.games.described.game import DescribedGame
from companion.games.described.page import actions as do
from companion.games.described.page.amounts import names_in
from companion.games.described.page.conditions import Condition, parse_condition
from companion.games.described.page.description import SEAT, TABLE, TEAM, CounterDefinition, End
from companion.games.described.rules import effects, outcomes
from companion.games.described.rules.context import Context, PageFault, bearer_of
from companion.games.described.rules.evaluation import check_of
from companion.games.described.rules.plan import PagePlan, owner_of
from companion.games.described.rules.state import DescribedTable, Owner, Resolution
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.constructed.table import SeatPlayer
from companion.tabletop.table.choices import Open, choices, new_seat
from companion.tabletop.table.common_actions import Add, Begin, Concede, DrawAgreed, Next, Rule
from companion.tabletop.table.table import Draft
from templates.languages.messages import Message, Text, joined, phrase

MOST_LINES: Final = 300
"""The maximum lines per game. A game whose page has no condition for its end stops after a fifth of them."""
ALL_LINES: Final = 12_000
"""The maximum lines in all games together. No further game begins after them."""
ENOUGH: Final = 20
"""The draws for each card of a pool after which a card that never came is reported."""

_ENDS: Final = (Concede, DrawAgreed, do.Won, do.Lost, do.AllWon, do.TakeTurn)
"""Actions that random players never choose: a game must go on and end by itself."""


class TrialFinding(NamedTuple):
    """A finding of the random games: its place on the page (`actions.attack`, `end.win`) and the problem."""

    place: str
    text: Text


def play_random(
    game: DescribedGame, games: int = 200, seed: int = 0, goes_on: Callable[[], bool] = lambda: True
) -> tuple[TrialFinding, ...]:
    """Play random games of a page and return the findings, each once.

    The players choose among the answers that the page offers. The same `seed` gives the same findings. `goes_on` is
    called before each game but the first and returns False when time is up. Errors of the page become findings; they
    are never raised.
    """
    trial = _PageTrial(game, games)
    trial.try_rules()
    for number in range(games):
        if trial.lines >= ALL_LINES or (number and not goes_on()):
            break
        trial.play(Random(f"{seed} {number}"), steered=number % 2 == 1)
    return tuple(dict.fromkeys((*trial.findings, *trial.never())))


class _PageTrial:
    """The random games of one page and their findings so far."""

    def __init__(self, game: DescribedGame, games: int) -> None:
        self.game = game
        self.page = game.description
        self.games = games
        self.lines = 0
        self.findings: list[TrialFinding] = []
        self.done: set[str] = set()
        """The verbs of the page's own lines that were done; `refusals` counts the reasons against the others."""
        self.refusals: dict[str, Tally[Text]] = {verb: Tally() for verb in self.page.actions}
        self.steps: set[str] = set()
        self.draws: dict[str, Tally[str]] = {name: Tally() for name in self.page.pools}
        self.undrawn: dict[str, Tally[Text]] = {name: Tally() for name in self.page.pools}
        """The reasons why nothing could be drawn from each pool."""
        self.ended = 0
        self.ends: set[str] = set()
        self.plans: dict[int, PagePlan] = {}

    def try_rules(self) -> None:
        """Set each house rule to each of its values once, in a new game."""
        for rule in self.game.house.all():
            for value in rule.values:
                try:
                    self.game.apply(self.game.new(), Rule(rule.key, value))
                except PageFault as fault:
                    self.findings.append(TrialFinding(fault.place, fault.why))
                except RuleError as error:
                    self.findings.append(TrialFinding(f"house.{rule.key}.values.{value}", error.message))

    # One game

    def play(self, chance: Random, steered: bool) -> None:
        """Play one game. In a `steered` game the players change figures by hand to bring it to its end."""
        try:
            state = self._begin_table(chance)
            most = MOST_LINES if self._ends_by_itself else MOST_LINES // 5
            for number in range(most):
                self._record_step(state)
                if state.outcome:
                    break
                state = self._play_line(state, chance, steered, number)
                self.lines += 1
            self._record_step(state)
            self._count_end(state)
        except PageFault as fault:
            self.findings.append(TrialFinding(fault.place, fault.why))
        except RuleError as error:
            self.findings.append(TrialFinding("play", error.message))
        except Exception as error:  # the page must not crash a screen later
            self.findings.append(
                TrialFinding(
                    "",
                    phrase("A random game stopped with an error: {error}.", error=f"{type(error).__name__}: {error}"),
                )
            )

    def _begin_table(self, chance: Random) -> DescribedTable:
        state = self.game.new()
        least, most = self.game.plan(state).players
        for _ in range(chance.randint(least, min(most, least + 3))):
            seat = new_seat([player.seat for player in state.players]).example
            state = self._apply(state, SeatPlayer(seat), chance)
        for rule in self.game.house.all():
            if chance.random() < 0.3:
                state = self._apply(state, Rule(rule.key, chance.choice(rule.values)), chance)
        return self._apply(state, Begin(seed=chance.randrange(1000)), chance)

    def _apply(self, state: DescribedTable, action: Action, chance: Random) -> DescribedTable:
        resolved = self.game.resolve(state, action, chance)
        after: DescribedTable = self.game.apply(state, resolved).state
        verb = action.verb()
        if isinstance(action, do.OwnAction):
            self.done.add(verb)
        for name, tally in self.draws.items():
            if name in after.drawn_pools and after.draws > state.draws:
                tally[str(getattr(resolved, "is_", ""))] += 1
        return after

    def _play_line(self, state: DescribedTable, chance: Random, steered: bool, number: int) -> DescribedTable:
        """Return the table after one more line."""
        self._try_own(state, chance)
        if steered and number % 3 == 2 and (by_hand := self._towards_an_end(state, chance)):
            return self._try_action(state, by_hand, chance) or state
        prompts = [p for p in self.game.display.prompts(state) if p.answer.action not in _ENDS]
        due = [prompt for prompt in prompts if prompt.due]
        if not prompts:
            return self._apply(state, do.Won((state.players[0].seat,)), chance)
        prompt = chance.choice(due) if due and chance.random() < 0.8 else chance.choice(prompts)
        answer = prompt.answer if chance.random() < 0.4 else chance.choice(prompt.answers)
        draft: Draft | None = answer if answer.action not in _ENDS else prompt.answer
        while draft and draft.missing:
            draft = self._fill_draft(state, draft, chance)
        if draft is not None and (after := self._try_action(state, draft.build(), chance)):
            return after
        return self._try_action(state, Next(), chance) or state

    def _fill_draft(self, state: DescribedTable, draft: Draft, chance: Random) -> Draft | None:
        field = draft.missing[0].field
        options = choices(self.game, state, draft, field)
        if not options:
            return None
        if not isinstance(options, Open):
            return draft.having(field, chance.choice(options).value)
        return draft.having(field, self._fill_open(options, chance))

    def _fill_open(self, options: Open, chance: Random) -> Any:
        if options.fitting:
            return chance.choice(options.fitting).value
        if isinstance(options.example, int):
            return chance.choice((options.example, chance.randint(options.least or 0, 12)))
        return options.example

    def _try_action(self, state: DescribedTable, action: Action, chance: Random) -> DescribedTable | None:
        try:
            return self._apply(state, action, chance)
        except PageFault:
            raise
        except (RuleError, NotationError) as error:
            if isinstance(action, do.DrawFrom) and action.pool in self.undrawn:
                self.undrawn[action.pool][error.message] += 1
            return None

    def _try_own(self, state: DescribedTable, chance: Random) -> None:
        """Try one of the page's own lines that has never been done, and count the reason if it is refused."""
        verbs = [action for action in self.game.plan(state).own_actions if action.verb() not in self.done]
        if not verbs:
            return
        action = chance.choice(verbs)
        asks = ("is_",) if effects.asks_card(self.game.plan(state), state, action.own.does) else ()
        draft = Draft(action, asks=asks)
        if action.own.whose != "any" and state.active and "seat" in action.__struct_fields__:
            draft = draft.having("seat", state.active)
        while draft.missing:
            field = draft.missing[0].field
            candidates = self.game.candidates(state, draft, field)
            options = [] if isinstance(candidates, Open) else [choice.value for choice in candidates]
            value = self._fill_open(candidates, chance) if isinstance(candidates, Open) else None
            if value is None and not options:
                self.refusals[action.verb()][_NOTHING_TO_DO_WITH] += 1
                return
            draft = draft.having(field, chance.choice(options) if value is None else value)
        try:
            self._apply(state, draft.build(), chance)
        except PageFault as fault:
            self.findings.append(TrialFinding(fault.place, fault.why))
            self.done.add(action.verb())
        except RuleError as error:
            is_elsewhere = action.own.steps and state.step not in action.own.steps
            if not is_elsewhere:
                self.refusals[action.verb()][error.message] += 1

    def _towards_an_end(self, state: DescribedTable, chance: Random) -> Action | None:
        """Return a change by hand of a figure towards the end of the game or a player's elimination."""
        plan = self.game.plan(state)
        aims = list(_figure_goals(plan, state))
        if not aims:
            return None
        target, counter, least, now = chance.choice(aims)
        by = least - now
        step = by if abs(by) < 3 else int(by * chance.choice((0.2, 0.4, 1)))
        return Add(target, counter, step or (1 if by > 0 else -1)) if by else None

    # Findings

    def _record_step(self, state: DescribedTable) -> None:
        """Record the step, and report figures out of their bounds."""
        self.steps.add(state.step)
        plan = self.game.plan(state)
        things: tuple[Owner, ...] = (state, *state.teams, *state.players, *state.pieces)
        for thing in things:
            of = owner_of(thing)
            for name in plan.given[of]:
                value, figure = thing.figures.get(name), plan.numbers[of][name]
                if isinstance(value, int) and (within := plan.clamp_figure(figure, value, thing.figures)) != value:
                    most = within if figure.most_counter and within < value else figure.most_figure
                    finding = TrialFinding(f"counters.{name}", _describe_excess(value, figure, most))
                    if finding not in self.findings:
                        self.findings.append(finding)

    def _count_end(self, state: DescribedTable) -> None:
        plan = self.game.plan(state)
        if state.verdict is None:
            if state.outcome or outcomes.is_played_out(plan, state):
                self.ended += 1
                self.ends.add("rounds")
            return
        self.ended += 1
        self.ends |= set(_ends_there(plan, state))

    @property
    def _ends_by_itself(self) -> bool:
        end = self.page.end
        return bool(end.last_left or end.win or end.over or end.all_win or end.all_lose or self.page.play.rounds)

    def never(self) -> Iterator[TrialFinding]:
        """Yield a finding for each part of the page that no game reached."""
        if self.findings and not self.lines:
            return  # no game could begin
        if self._ends_by_itself and not self.ended:
            yield TrialFinding(
                "end",
                phrase(
                    "None of {games} random games ended within {lines} lines.",
                    games=str(self.games),
                    lines=str(MOST_LINES),
                ),
            )
        else:
            for place, text in self._all_ends():
                if place not in self.ends:
                    # Translators: {end} is a condition, or “all others being out”.
                    yield TrialFinding(place, phrase("No random game ended by {end}; can it ever?", end=text))
        for verb, refusals in self.refusals.items():
            if verb not in self.done:
                yield TrialFinding(f"actions.{verb}", _why_never(refusals))
        for step in self.page.steps:
            if step.name not in self.steps:
                yield TrialFinding(f"steps.{step.name}", phrase("No random game ever reached this step."))
        yield from self._never_drawn()

    def _all_ends(self) -> Iterator[tuple[str, Text]]:
        end = self.page.end
        if end.last_left:
            yield "end.last-left", phrase("only one player being left")
        for place, text in _ends_of_a_side(end):
            yield place, f"`{text}`"
        for key, conditions in (("all-win", end.all_win), ("all-lose", end.all_lose)):
            for number, text in enumerate(conditions, 1):
                yield f"end.{key}[{number}]", f"`{text}`"

    def _never_drawn(self) -> Iterator[TrialFinding]:
        for name, tally in self.draws.items():
            cards = self.page.pools[name].cards
            if not tally:
                text = phrase("Nothing was ever drawn from it.")
                if tries := self.undrawn[name]:
                    text = joined(" ", (text, phrase("Mostly: {why}", why=tries.most_common(1)[0][0])))
                yield TrialFinding(f"pools.{name}", text)
            elif tally.total() >= ENOUGH * sum(card.copies for card in cards):
                for card in cards:
                    if card.name not in tally:
                        text = phrase(
                            "“{card}” was never drawn in {draws} draws.", card=card.name, draws=str(tally.total())
                        )
                        yield TrialFinding(f"pools.{name}", text)


_NOTHING_TO_DO_WITH: Final = phrase("nothing is in play that it could be done with")


def _why_never(refusals: Tally[Text]) -> Message:
    if not refusals:
        return phrase("It could never be tried: no random game reached its steps.")
    (why, _), *_ = refusals.most_common(1)
    return phrase("It failed in all {tries} tries. Mostly: {why}", tries=str(refusals.total()), why=why)


def _describe_excess(value: int, figure: CounterDefinition, most: int | None) -> Message:
    """Return the sentence on a figure out of its bounds, of which it has at least one."""
    if most is None:
        return phrase("It reached {value}, below its minimum, {least}.", value=str(value), least=str(figure.least))
    if figure.least == "none":
        return phrase("It reached {value}, above its maximum, {most}.", value=str(value), most=str(most))
    return phrase(
        "It reached {value}, outside its range, {least} to {most}.",
        value=str(value),
        least=str(figure.least),
        most=str(most),
    )


def _figure_goals(plan: PagePlan, state: DescribedTable) -> Iterator[tuple[str, str, int, int]]:
    """Yield the figures that end the game or put a player out: owner, counter, value to reach, present value."""
    end, context = plan.page.end, Context(plan, Resolution(state))
    seats = [player.seat for player in state.playing]
    for text in (*end.wins, *end.overs, *end.all_win, *end.all_lose):
        condition = parse_condition(text)
        for target in [TABLE] if condition.owner == TABLE else seats:
            yield from _figure_goal(context, condition, target)
    for of in (SEAT, TEAM):
        for name, _, condition in plan.outs[of]:
            for target in seats:
                yield from _figure_goal(context, condition._replace(counter=name), target)


def _figure_goal(context: Context, condition: Condition, target: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield a figure by which an owner can come to meet a condition."""
    plan = context.plan
    names = (name.word for name in names_in(condition.left)) if condition.left is not None else (condition.counter,)
    check = check_of(plan, condition)
    try:
        present, goal = check.present.read(context, target), check.value.read(context, target)
    except RuleError:
        return
    counter = next((name for name in names if name in plan.page.counters), "")
    if not counter or not isinstance(present, int) or not isinstance(goal, int):
        return
    thing = bearer_of(context, target, counter)
    of = owner_of(thing)
    figure = plan.figures[of].get(counter)
    name = figure.sum[0] if isinstance(figure, CounterDefinition) and figure.sum else counter
    now = thing.figures.get(name)
    if isinstance(now, int) and not isinstance(now, bool) and name in plan.given[of]:
        yield target, name, (goal if condition.left is None else now + goal - present), now


def _ends_there(plan: PagePlan, state: DescribedTable) -> Iterator[str]:
    """Yield the places on the page of the ends that hold at a table."""
    end, context = plan.page.end, Context(plan, Resolution(state))
    for key, conditions in (("all-win", end.all_win), ("all-lose", end.all_lose)):
        for number, text in enumerate(conditions, 1):
            if outcomes.holds_for_all(context, text):
                yield f"end.{key}[{number}]"
    left = {player.team or player.seat for player in state.playing}
    if len(left) <= 1:
        yield "end.last-left"
    for place, text in _ends_of_a_side(end):
        if outcomes.holds_for_any_side(context, text):
            yield place


def _ends_of_a_side(end: End) -> Iterator[tuple[str, str]]:
    """Yield the places and texts of the conditions that a player or team must meet."""
    for key, given, texts in (("win", end.win, end.wins), ("over", end.over, end.overs)):
        for number, text in enumerate(texts, 1):
            yield (f"end.{key}" if isinstance(given, str) else f"end.{key}[{number}]"), text
