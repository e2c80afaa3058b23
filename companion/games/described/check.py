"""Random games that try a page out before it is played.

They find games that never end, figures out of bounds, and parts of a page that can never be reached.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from companion.games.described.ends import ends_of_a_side, ends_there, figure_goals
from companion.games.described.game import DescribedGame
from companion.games.described.page import actions as do
from companion.games.described.page.description import SEAT, TABLE, CounterDefinition, Flag
from companion.games.described.rules import effects, outcomes
from companion.games.described.rules.context import PageFault
from companion.games.described.rules.plan import Figure, PagePlan, owner_of
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, DescribedTeam, Owner
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.constructed.table import SeatPlayer
from companion.tabletop.table.choices import Open, choices, new_seat
from companion.tabletop.table.common_actions import Add, Begin, Concede, DrawAgreed, Next, Rule, Set
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

_MOST_LAID: Final = 8
"""The most things that are laid at the beginning of some steered games."""


_TRIES_BY_HAND: Final = 400
"""The maximum tries of a line that no game reached, each after figures were set by hand."""
_MOST_TABLES: Final = 6
"""The maximum tables that are kept in each step, for these tries."""


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
        trial.play(Random(f"{seed} {number}"), steered=number % 2 == 1, laid=number % 4 == 3)
    trial.try_by_hand(Random(f"{seed} by hand"), goes_on)
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
        self.tables: dict[str, list[DescribedTable]] = {}
        """Tables of the games so far, by step."""
        self.words_of_effects = {
            word for own in self.page.actions.values() for line in (*own.does, *own.again) for word in line.split()
        }
        """The words of the lines that the page's own lines do."""

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

    def play(self, chance: Random, steered: bool, laid: bool) -> None:
        """Play one game.

        In a `steered` game the players change figures by hand to bring it to its end; in a `laid` one things are in
        play from its beginning.
        """
        try:
            state = self._begin_table(chance)
            state = self._lay_things(state, chance) if laid else state
            most = MOST_LINES if self._ends_by_itself else MOST_LINES // 5
            for number in range(most):
                self._record_step(state)
                if state.outcome:
                    break
                self._keep_table(state, chance)
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
            if rule.values and chance.random() < 0.3:
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

    def _lay_things(self, state: DescribedTable, chance: Random) -> DescribedTable:
        """Return the table with things in any places, with any figures, for the lines that need several of them."""
        plan = self.game.plan(state)
        page = plan.page
        for _ in range(chance.randint(2, _MOST_LAID)) if page.things else ():
            kind = chance.choice([*page.things])
            thing = page.things[kind]
            zones = [word for word, zone in page.zones.items() if zone.of == thing.of]
            word = effects.free_handle(state, chance.choice(thing.list).name if thing.list else kind)
            owner = chance.choice(state.players).seat if thing.of == SEAT else ""
            put = do.Put(word, kind, owner, zone=chance.choice(zones) if zones else "")
            state = self._try_action(state, put, chance) or state
            if any(piece.handle == word for piece in state.pieces):
                for figure, definition in plan.figures[kind].items():
                    if chance.random() < 0.5:
                        value = _any_value(definition, chance)
                        state = self._try_action(state, Set(word, figure, value), chance) or state
        return state

    def try_by_hand(self, chance: Random, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Try the lines that no game reached, after players have set figures by hand, as real cards may want it."""
        for verb, own in self.page.actions.items():
            steps = [step for step in self.tables if not own.steps or step in own.steps]
            words = re.findall(r"[\w-]+", f"{own.when} {own.costs} {own.does}")
            for _ in range(_TRIES_BY_HAND if steps else 0):
                if verb in self.done or not goes_on():
                    break
                state = chance.choice(self.tables[chance.choice(steps)])
                for _ in range(chance.randint(1, 6)):
                    state = self._set_by_hand(state, words, chance) or state
                actions = [each for each in self.game.plan(state).own_actions if each.verb() == verb]
                if actions and not state.outcome:
                    self._try_line(state, actions[0], chance, counts=False)

    def _keep_table(self, state: DescribedTable, chance: Random) -> None:
        """Keep some tables of each step, those with the most things if there are enough."""
        tables = self.tables.setdefault(state.step, [])
        if len(tables) < _MOST_TABLES:
            tables.append(state)
        elif len(state.pieces) >= len(tables[at := chance.randrange(_MOST_TABLES)].pieces):
            tables[at] = state

    def _set_by_hand(self, state: DescribedTable, words: Sequence[str], chance: Random) -> DescribedTable | None:
        """Return the table with a figure set by hand, mostly one of the `words` of a line; None if it is refused.

        A number is one of those words, one of another figure of the same owner, or a bit more or less than that. A flag
        is set only if a line of the page does so as well: otherwise nobody knows that it is meant to be set by hand.
        """
        plan = self.game.plan(state)
        owners: tuple[Owner, ...] = (state, *state.teams, *state.players, *state.pieces)
        named = {word for word in words if not word.isdecimal()}
        of_owners = [
            (owner, name)
            for owner in owners
            for name, figure in plan.figures[owner_of(owner)].items()
            if not isinstance(figure, Flag) or name in self.words_of_effects
        ]
        among = [each for each in of_owners if each[1] in named] if chance.random() < 0.8 else []
        if not of_owners:
            return None
        owner, name = chance.choice(among or of_owners)
        figure = plan.figures[owner_of(owner)][name]
        value = _any_value(figure, chance)
        if not isinstance(figure, Flag) and not figure.words and chance.random() < 0.7:
            near = [int(word) for word in words if word.isdecimal()]
            others = [each for each in owner.figures.values() if isinstance(each, int)]
            value = str(chance.choice((*near, *others, 0)) + chance.choice((-1, 0, 0, 1)))
        return self._try_action(state, Set(_target_of(owner), name, value), chance)

    def _try_own(self, state: DescribedTable, chance: Random) -> None:
        """Try one of the page's own lines that has never been done, and count the reason if it is refused."""
        if actions := [action for action in self.game.plan(state).own_actions if action.verb() not in self.done]:
            self._try_line(state, chance.choice(actions), chance)

    def _try_line(
        self, state: DescribedTable, action: type[do.OwnAction], chance: Random, *, counts: bool = True
    ) -> None:
        """Try a line of the page with any values. If it is refused and `counts`, count the reason."""
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
                self.refusals[action.verb()][_NOTHING_TO_DO_WITH] += counts
                return
            draft = draft.having(field, chance.choice(options) if value is None else value)
        try:
            self._apply(state, draft.build(), chance)
        except PageFault as fault:
            self.findings.append(TrialFinding(fault.place, fault.why))
            self.done.add(action.verb())
        except RuleError as error:
            is_elsewhere = action.own.steps and state.step not in action.own.steps
            if counts and not is_elsewhere:
                self.refusals[action.verb()][error.message] += 1

    def _towards_an_end(self, state: DescribedTable, chance: Random) -> Action | None:
        """Return a change by hand of a figure towards the end of the game or a player's elimination."""
        plan = self.game.plan(state)
        aims = list(figure_goals(plan, state))
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
        self.ends |= set(ends_there(plan, state))

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
        for place, text in ends_of_a_side(end):
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


def _target_of(owner: Owner) -> str:
    """Return the name of an owner of figures in notation."""
    match owner:
        case DescribedPlayer():
            return owner.seat
        case DescribedTeam():
            return owner.word
        case DescribedTable():
            return TABLE
        case _:
            return owner.handle


_NOTHING_TO_DO_WITH: Final = phrase("nothing is in play that it could be done with")


def _why_never(refusals: Tally[Text]) -> Message:
    if not refusals:
        return phrase("It could never be tried: no random game reached its steps.")
    (why, _), *_ = refusals.most_common(1)
    return phrase("It failed in all {tries} tries. Mostly: {why}", tries=str(refusals.total()), why=why)


def _any_value(figure: Figure, chance: Random) -> str:
    """Return a value of a figure or flag of a thing, as it is typed."""
    if isinstance(figure, Flag):
        return chance.choice(("yes", "no"))
    return chance.choice(figure.words) if figure.words else str(chance.randint(0, 6))


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
