"""A page prepared for play under the house rules of a table.

The plan has the page's counters as gauges, and the changes at the beginning of steps, turns and rounds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from companion.games.described.page.actions import OwnAction
from companion.games.described.page.amounts import HAND_WORD, PARTNER, TABLE_WORDS
from companion.games.described.page.book import DescribedBook
from companion.games.described.page.conditions import OPERATORS, Condition, parse_condition
from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
    TEAM,
    CounterDefinition,
    Description,
    Flag,
    ListedThing,
    title_of,
)
from companion.games.described.page.texts import PageTexts, as_written
from companion.games.described.rules.start_rules import with_starts
from companion.games.described.rules.state import (
    DescribedPlayer,
    DescribedTable,
    DescribedTeam,
    Figures,
    Owner,
    Piece,
    Resolution,
    rival_counter,
)
from companion.tabletop.action import Action, RuleError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.table.counters import Gauge
from companion.tabletop.table.match_result import seats_of_outcome
from companion.tabletop.table.table import Counter, Draft, Full, RoundStep, Value
from companion.tabletop.text import figure as written
from templates.languages.messages import Message, Text, any_of, joined, listed, phrase, phrase_in

TURN: Final = "turn"
ROUND: Final = "round"
SETUP: Final = "setup"
AFTER: Final = "after"
"""The step between the end of the game and its seal."""

Figure = CounterDefinition | Flag

NO_FIGURES: Final[Figures] = {}
"""The figures of an owner of whom none are known."""

_SPEAKS_OF_ME: Final = re.compile(r"(?<!\.)\b(me|others|left|right|partner)\b")
"""Words that need an acting player."""
_WORD: Final = re.compile(r"[a-z][a-z0-9-]*")


class FigureChange(NamedTuple):
    """A change of a figure at the beginning of a step, a turn or a round.

    It grows by the amount `by`; if `by` is None, it is reset to its start or to the value of the counter `to`.
    """

    of: str
    name: str
    by: int | str | None
    to: str = ""


class OutRule(NamedTuple):
    """A condition of a counter that puts its owner out, and the comparison that it makes."""

    name: str
    compare: Callable[[Any, Any], bool]
    condition: Condition


class PagePlan:
    """A page under the house rules of a table."""

    def __init__(self, page: Description, texts: PageTexts) -> None:
        """Prepare a page, as `PageTexts.translate_page` returns it."""
        self.texts = texts
        self.page = page
        self.figures: dict[str, dict[str, Figure]] = {
            SEAT: {},
            TABLE: {},
            TEAM: {},
            RIVAL: {},
            **{kind: {} for kind in page.things},
        }
        """The counters and flags, by owner and word."""
        described: dict[str, Figure] = {**page.counters, **page.flags}
        for name, figure in described.items():
            self.figures[figure.of][name] = figure
        self.outs: dict[str, tuple[OutRule, ...]] = {
            of: tuple(
                OutRule(name, OPERATORS[condition.op], condition)
                for name, figure in figures.items()
                if isinstance(figure, CounterDefinition) and figure.out
                for condition in (parse_condition(figure.out),)
            )
            for of, figures in self.figures.items()
        }
        """The conditions that put a player or thing out, by the owner of the figure."""
        self.table_words = frozenset((*TABLE_WORDS, HAND_WORD) if page.play.hand else TABLE_WORDS)
        """The words of amounts that mean a number of the table, unless the page has a counter of that name."""
        self.table_numbers = self.table_words - page.counters.keys()
        """The words of amounts that do mean a number of the table."""
        self.counts = frozenset((*page.things, *page.zones)) - page.counters.keys()
        """The kinds of things and the zones, whose words mean numbers of things in amounts."""
        self.people = frozenset((*page.tokens, *((PARTNER,) if page.play.teams else ()))) - self.listed_things.keys()
        """The words for somebody in lines of the page's own, besides those of every page: holders and partners."""
        self.limits_of_figures = {
            of: tuple(
                (name, figure)
                for name, figure in figures.items()
                if isinstance(figure, CounterDefinition) and figure.most_counter
            )
            for of, figures in self.figures.items()
        }
        """The counters whose maximum is another counter, by owner."""
        self.things_in_turn = {kind: each.by for kind, each in page.things.items() if each.by}
        """The counters by which kinds of things have turns of their own."""
        self.questions = self._questions_by_step()
        """The counters that players are asked for, by step; `question_words` has all of them."""
        self.question_words = frozenset(word for words in self.questions.values() for word in words)
        self.thing_questions = frozenset(word for word in self.question_words if page.counters[word].of in page.things)
        """Those of them that are counters of things, for which the table is asked."""
        self.limits: dict[str, Any] = {}
        """The cache of compiled limits of columns for `score_sheet`."""
        self.changes = self._changes()
        self.turn_steps = tuple(step for step in page.steps if step.of == TURN)
        self.round_steps = tuple(step for step in page.steps if step.of == ROUND)
        self.wins, self.overs = page.end.wins, page.end.overs
        """The conditions under which a side wins, and under which the game is over."""
        self.steps = {step.name: step for step in page.steps}
        self.tokens_passing = _by_time((each.passes, name) for name, each in page.tokens.items())
        self.tokens_reset = _by_time((each.reset, name) for name, each in page.tokens.items())
        """The tokens that pass on by themselves, and those that are removed, by the time."""
        self.beginner = (page.play.by_token, page.play.begins_left)
        """The token whose holder begins each round, and whether the player to the left of the holder does instead."""
        self.given = {
            of: tuple(
                name for name, f in figures.items() if isinstance(f, CounterDefinition) and not f.words and not f.sum
            )
            for of, figures in self.figures.items()
        }
        """The figures that a line can set, in the order of the page, by owner."""
        self.numbers = {
            of: {name: f for name, f in figures.items() if isinstance(f, CounterDefinition) and name in self.given[of]}
            for of, figures in self.figures.items()
        }
        """The counters that are numbers and no sums, by owner and word."""
        self.flags = {
            of: tuple(name for name, figure in figures.items() if isinstance(figure, Flag))
            for of, figures in self.figures.items()
        }
        self.reminders = {
            of: tuple((name, figure.remind) for name, figure in figures.items() if figure.remind)
            for of, figures in self.figures.items()
        }
        """The reminders for figures that are not at their start, by owner."""
        self.may: Callable[[DescribedTable, Draft], bool] = lambda *_: True
        """The check that a line of the page's own is possible with the arguments so far. The game sets it."""
        self.hand_of: Callable[[DescribedTable], int] = lambda _: 0
        """The number of cards that everybody is dealt in the present round. The game sets it."""
        self.own_actions: tuple[type[OwnAction], ...] = ()
        """The action classes of the page's own lines, in its order. The game sets them."""
        self.notes: dict[type[Action], Text] = {}
        """A short description of each own line and its costs."""
        self.gauges = {of: tuple(self._gauges(of)) for of in self.figures if of != RIVAL}
        self.gauges[SEAT] += (*(self._seat_gauges_of_teams() if page.play.teams else ()), OUT)
        self.checks: dict[Condition | str, Any] = {}
        """The cache of compiled conditions for `evaluation.check_of`."""
        self.amounts: dict[str, Any] = {}
        """The cache of compiled amounts for `amounts.amount_reader`."""
        self.by_round: dict[tuple[str, int, int], int] = {}
        """The cache of amounts that depend on the round and the number of players alone, by all three."""
        self.points: Any = None
        """The compiled points of the score sheet, cached by `score_sheet`."""
        self.effects: dict[tuple[str, str], tuple[tuple[frozenset[str], Any], ...]] = {}
        """The effects of the page's own lines by verb and key (`does` or `again`), each with the arguments it needs."""
        self.lines: dict[tuple[str, frozenset[str]], Any] = {}
        """The page's own lines by verb and given parameters, as compiled by `PossibleLines`."""
        self._rival_gauges: dict[tuple[str, ...], tuple[Gauge[DescribedTable, DescribedPlayer], ...]] = {}

    def _questions_by_step(self) -> dict[str, tuple[str, ...]]:
        page, by_step = self.page, dict[str, tuple[str, ...]]()
        for word, counter in page.counters.items():
            step = counter.ask_at or (self.bid_step if word == page.play.by_counter else "")
            if step:
                by_step[step] = (*by_step.get(step, ()), word)
        return by_step

    @cached_property
    def bid_step(self) -> str:
        """The step in which bids are made that decide the order, if the page leaves that open; else an empty string."""
        page = self.page
        is_column = page.sheet is not None and page.play.by_counter in page.sheet.columns
        steps = [step.name for step in page.steps if step.of == ROUND]
        return steps[-1] if page.play.order == "bid" and steps and not is_column else ""

    @property
    def together(self) -> bool:
        """Return True if all players act at the same time."""
        return self.page.play.order == "together"

    @property
    def round_title(self) -> Text:
        """The page's word for a round, or the usual one."""
        return self.page.play.round_title

    @cached_property
    def book(self) -> DescribedBook:
        """The cards and inscriptions of the page's decks."""
        return DescribedBook(self.page, self.texts)

    def name_of(self, piece: Piece) -> Text:
        """Return the name of a thing in play, with its number if it has one: `Guard 6`."""
        name = self.texts.name(piece.title)
        return joined(" ", (name, str(piece.number))) if piece.is_called_by_number else name

    def flag_titles(self, piece: Piece) -> tuple[Text, ...]:
        """Return the titles of the flags that a thing in play has."""
        return tuple(self.title(piece.kind, name) for name in self.flags[piece.kind] if piece.figures.get(name))

    def has_several_places(self, of: str) -> bool:
        """Return True if things of an owner lie in more than one place, so that each place must show its name."""
        return self._places[of] > 1

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """The number of places by owner: the zones, and those of kinds of things without one."""
        owners = [
            *(zone.of for zone in self.page.zones.values()),
            *(kind.of for kind in self.page.things.values() if not kind.zone),
        ]
        return {of: owners.count(of) for of in (SEAT, TABLE)}

    @cached_property
    def players(self) -> tuple[int, int]:
        """The minimum and maximum number of players."""
        least, _, most = self.page.play.players.partition("-")
        return int(least), int(most or least)

    @cached_property
    def team_words(self) -> tuple[str, ...]:
        """The words of the teams in lines: those of their titles, or else `team-1`, `team-2`."""
        titles = self.page.play.team_titles
        words = [handle(as_written(title)) for title in titles[: self.page.play.teams]]
        usual = [f"team-{number}" for number in range(1, self.page.play.teams + 1)]
        return tuple(words + usual[len(words) :])

    def team_title(self, number: int) -> Text:
        """Return the display name of a team."""
        titles = self.page.play.team_titles
        return titles[number - 1] if number <= len(titles) else phrase("Team {number}", number=number)

    @cached_property
    def table_gauges(self) -> tuple[Gauge[Any, Any], ...]:
        """The gauges of the table: rounds, the page's own counters, and token holders."""
        return table_gauges(self)

    @cached_property
    def gauges_before_begin(self) -> tuple[Gauge[Any, Any], ...]:
        """The gauges of the table before the game begins; none can be set."""
        return tuple(replace(gauge, write=None) for gauge in (self.table_gauges[0], *TABLE_GAUGES))

    def pool_gauges(self, name: str) -> tuple[Gauge[Any, Any], ...]:
        """Return the gauges of a pool: cards left and cards aside. `left` can be set only if the cards are unknown."""
        pool = self.page.pools[name]
        return pool_gauges(name, has_cards=bool(pool.cards), keeps_aside=bool(pool.cards) and pool.then == "aside")

    @cached_property
    def shown_steps(self) -> tuple[RoundStep, ...]:
        """The steps as displayed."""
        return tuple(RoundStep(step.name, title_of(step.name, step.title)) for step in self.page.steps)

    @cached_property
    def main(self) -> Mapping[str, str]:
        """The main counter of each owner, which is meant by a name and a number alone."""
        return {
            of: next((name for name in names if self._is_main(of, name)), names[0] if names else "")
            for of, names in self.given.items()
        }

    def _is_main(self, of: str, name: str) -> bool:
        figure = self.figures[of][name]
        return isinstance(figure, CounterDefinition) and figure.main

    @cached_property
    def listed_of(self) -> Mapping[str, Mapping[str, ListedThing]]:
        """The listed things, by kind and by the handle of the first copy."""
        return {kind: {handle(each.name): each for each in page.list} for kind, page in self.page.things.items()}

    @cached_property
    def listed_things(self) -> Mapping[str, ListedThing]:
        """The listed things of all kinds by handle."""
        return {word: each for things in self.listed_of.values() for word, each in things.items()}

    @cached_property
    def personal_pools(self) -> frozenset[str]:
        """The pools with a card that affects the player who draws it, or comes into play before that player."""
        things = self.page.things
        return frozenset(
            name
            for name, pool in self.page.pools.items()
            for card in pool.cards
            if (card.puts and things[card.puts].of == SEAT) or any(map(_SPEAKS_OF_ME.search, card.does))
        )

    def title(self, of: str, name: str) -> Text:
        """Return the display name of a figure; a figure of a team is one of its seats as well."""
        figures = self.figures[of] if name in self.figures[of] else self.figures[TEAM]
        return title_of(name, figures[name].title)

    def read(self, of: str, figures: Figures, name: str) -> int | str | bool:
        """Return a figure by its word from all figures of one owner. A sum is computed."""
        if (value := figures.get(name)) is not None:
            return value
        figure = self.figures[of].get(name)
        if isinstance(figure, CounterDefinition) and figure.sum:
            return sum([int(figures.get(part, 0)) for part in figure.sum])
        if isinstance(figure, CounterDefinition) and figure.follows:
            number = int(self.read(of, figures, figure.follows))
            return figure.words[max(0, bisect_right(figure.thresholds, number) - 1)]
        return False if isinstance(figure, Flag) else 0

    def clamp_figure(self, figure: CounterDefinition, value: int, figures: Figures = NO_FIGURES) -> int:
        """Return a value limited to the bounds of its counter. `figures` are all those of its owner."""
        most = figure.most
        if isinstance(most, str):
            most = int(self.read(figure.of, figures, most)) if figures else None
        if most is not None and value > most:
            value = most
        return figure.least if figure.least != "none" and value < figure.least else value

    def clamp_figures(self, of: str, figures: Figures) -> Figures:
        """Return all figures of an owner, of which none is above the counter that is its maximum."""
        for name, figure in self.limits_of_figures[of]:
            value = figures.get(name)
            if isinstance(value, int) and (clamped := self.clamp_figure(figure, value, figures)) != value:
                figures = {**figures, name: clamped}
        return figures

    def figure_of(self, state: DescribedTable, of: str, name: str) -> tuple[Figure, str] | None:
        """Return a figure by its word in a line, with the rival's seat if there is one (`damage-ben`).

        Returns None if there is no such figure.
        """
        if figure := self.figures[of].get(name):
            return figure, ""
        if of == SEAT:
            for base, figure in self.figures[RIVAL].items():
                rival = name.removeprefix(f"{base}-")
                if rival != name and state.is_seat(rival):
                    return figure, rival
        return None

    def seat_gauges(self, state: DescribedTable) -> tuple[Gauge[DescribedTable, DescribedPlayer], ...]:
        """Return the gauges of each seat: its own figures, and those kept for each rival."""
        if not self.figures[RIVAL]:
            return self.gauges[SEAT]
        seats = tuple(player.seat for player in state.players)
        if seats not in self._rival_gauges:
            rival = (
                self._rival_gauge(name, figure, player)
                for name, figure in self.figures[RIVAL].items()
                for player in state.players
            )
            highest = (
                self._highest_rival_gauge(name, figure, state.players) for name, figure in self.figures[RIVAL].items()
            )
            self._rival_gauges[seats] = (*self.gauges[SEAT], *highest, *rival)
        return self._rival_gauges[seats]

    def _changes(self) -> dict[str, tuple[FigureChange, ...]]:
        by_time: dict[str, list[FigureChange]] = {}
        for of, figures in self.figures.items():
            for name, figure in figures.items():
                if figure.reset:
                    to = figure.reset_to if isinstance(figure, CounterDefinition) else ""
                    by_time.setdefault(figure.reset, []).append(FigureChange(of, name, None, to))
                if isinstance(figure, CounterDefinition) and figure.each:
                    by_time.setdefault(figure.at or TURN, []).append(FigureChange(of, name, figure.each))
        # Refills come after the growth of the counter that they refill to.
        return {when: tuple(sorted(changes, key=lambda each: bool(each.to))) for when, changes in by_time.items()}

    def _gauges(self, of: str) -> Iterator[Gauge[Any, Any]]:
        for name, figure in self.figures[of].items():
            yield self._gauge(of, name, figure)

    def _gauge(self, of: str, name: str, figure: Figure) -> Gauge[Any, Any]:
        is_main = self.main[of] == name

        if isinstance(figure, CounterDefinition) and figure.sum:
            return Gauge(
                name,
                title_of(name, figure.title),
                lambda _, thing: self.read(of, thing.figures, name),
                why=lambda _, thing: joined(" + ", (written(int(thing.figures.get(part, 0))) for part in figure.sum)),
                top=self._full_bar(of, figure),
                big=figure.big,
                is_visible=not figure.hidden,
                full=_full_meaning(figure),
                least=None,
                is_minor=figure.hidden,
            )

        is_word_of_another = isinstance(figure, CounterDefinition) and bool(figure.follows)

        def read(_: DescribedTable, thing: Any) -> Value:
            if is_word_of_another:
                return self.read(of, thing.figures, name)
            value: Value = thing.figures.get(name, False if isinstance(figure, Flag) else 0)
            return value

        def write(state: DescribedTable, target: str, value: Any) -> DescribedTable:
            resolution = Resolution(state)
            is_limited = isinstance(figure, CounterDefinition) and figure.most_counter
            figures = _figures_of(state, of, target) if is_limited else {}
            self.write(resolution, of, target, name, self.check_value(name, figure, value, figures))
            return resolution.state

        if isinstance(figure, Flag):
            return Gauge(name, title_of(name, figure.title), read, write, keeps="yes-no", is_visible=False)
        words = figure.words
        return Gauge(
            name,
            title_of(name, figure.title),
            read,
            None if is_word_of_another else write,
            keeps="word" if words else "number",
            top=self._full_bar(of, figure),
            big=figure.big,
            is_visible=not figure.hidden,
            words=(lambda _: words) if words else None,
            titles={word: self.texts.text(word) for word in words},
            full=_full_meaning(figure),
            life=is_main,
            least=None if figure.least == "none" else figure.least,
            short=figure.short,
            steps=figure.steps,
            is_minor=figure.hidden,
        )

    def _seat_gauges_of_teams(self) -> Iterator[Gauge[Any, Any]]:
        """Yield the gauges by which each seat has the figures of its team."""

        def team_of(state: DescribedTable, player: DescribedPlayer) -> DescribedTeam:
            return state.teams[player.team - 1]

        def through_seat(gauge: Gauge[Any, Any]) -> Gauge[Any, Any]:
            def write(state: DescribedTable, target: str, value: Any) -> DescribedTable:
                assert gauge.write is not None
                after: DescribedTable = gauge.write(state, team_of(state, state.player(target)).word, value)
                return after

            why, top = gauge.why, gauge.top
            return replace(
                gauge,
                read=lambda state, player: gauge.read(state, team_of(state, player)),
                write=write if gauge.write else None,
                why=(lambda state, player: why(state, team_of(state, player))) if why else None,
                top=(lambda state, player: top(state, team_of(state, player))) if top else None,
                is_visible=gauge.is_visible and gauge.big,
                life=gauge.life and not self.given[SEAT],
                is_shared=True,
            )

        return (through_seat(gauge) for gauge in self.gauges[TEAM])

    def columns_due(self, step: str) -> tuple[str, ...]:
        """Return the columns of the sheet that must be entered before a step ends in which nobody has the turn."""
        due = self._columns_due.get(step)
        return self._columns_due[""] if due is None else due

    def columns_asked(self, step: str) -> tuple[str, ...]:
        """Return the columns that are asked for in a step and in none before; "" is the end of the last turn."""
        sheet = self.page.sheet
        if sheet is None:
            return ()
        is_last = not step or step not in self.steps or self.page.steps[-1].name == step
        asked_at = {column: sheet.at.get(column, "") for column in sheet.columns}
        return tuple([column for column, at in asked_at.items() if at == step or (not at and is_last)])

    @cached_property
    def _columns_due(self) -> Mapping[str, tuple[str, ...]]:
        """The columns that are due at the end of each step; those of a round without steps at an empty string."""
        sheet = self.page.sheet
        assert sheet is not None
        steps = [step.name for step in (self.page.steps if self.together else self.round_steps)]
        due = {}
        for number, step in enumerate((*steps, ""), 1):
            done, is_last = steps[:number], self.together and number >= len(steps)
            due[step] = tuple(
                column for column in sheet.columns if (sheet.at[column] in done if column in sheet.at else is_last)
            )
        return due

    @cached_property
    def decisive_fields(self) -> tuple[str, ...]:
        """The fields of the table that decide who is out and who has won, besides the number of rounds."""
        end = self.page.end
        texts = [*end.wins, *end.overs, *end.all_win, *end.all_lose]
        texts += [each.out for each in self.page.counters.values()]
        words = {word for text in texts for word in _WORD.findall(text)}
        fields = ["players", "teams", "figures", "pieces", "pools"]
        fields += ["tokens"] if words & self.page.tokens.keys() else []
        return (*fields, *(["round"] if words & self.table_words else []))

    @cached_property
    def simple_ends(self) -> Mapping[str, tuple[str, str, Callable[[Any, Any], bool], int]]:
        """The conditions of `win` and `over` that compare a counter of each player or team with a number, by text.

        They are judged after each line, so the owner, the counter, the comparison and the number are at hand.
        """
        simple, owner = {}, TEAM if self.page.play.teams else SEAT
        for text in (*self.wins, *self.overs):
            condition = parse_condition(text)
            figure = self.figures[owner].get(condition.counter)
            is_number = isinstance(figure, CounterDefinition) and not figure.words
            if is_number and not condition.owner and condition.left is None and isinstance(condition.value, int):
                simple[text] = (owner, condition.counter, OPERATORS[condition.op], condition.value)
        return simple

    @cached_property
    def team_gauges(self) -> tuple[Gauge[Any, Any], ...]:
        """The gauges of each team: its own figures, and the sums of its members' figures that decide the game."""
        return (*self.gauges[TEAM], *map(self._gauge_of_members, self._deciding_counters()))

    def _deciding_counters(self) -> Iterator[str]:
        """Yield the counters of seats that decide which team wins."""
        end = self.page.end
        conditions = (parse_condition(text) for text in (*end.wins, *end.overs))
        for name in dict.fromkeys((*end.deciding, *(each.counter for each in conditions))):
            figure = self.figures[SEAT].get(name)
            if isinstance(figure, CounterDefinition) and not figure.words:
                yield name

    def _gauge_of_members(self, name: str) -> Gauge[Any, Any]:
        figure = self.figures[SEAT][name]
        assert isinstance(figure, CounterDefinition)

        def values(state: DescribedTable, team: DescribedTeam) -> Iterator[int]:
            members = (player for player in state.players if player.team == team.number)
            return (int(self.read(SEAT, player.figures, name)) for player in members)

        return Gauge(
            name,
            title_of(name, figure.title),
            lambda state, team: sum(values(state, team)),
            why=lambda state, team: joined(" + ", map(written, values(state, team))),
            big=figure.big,
            full=_full_meaning(figure),
            least=None,
            short=figure.short,
        )

    def _highest_rival_gauge(self, name: str, figure: Figure, players: tuple[DescribedPlayer, ...]) -> Gauge[Any, Any]:
        """Return the gauge for the highest value against any one rival, with all of them as its explanation."""
        names = {rival_counter(name, player.seat): player.name for player in players}

        def read(_: DescribedTable, player: DescribedPlayer) -> Value:
            return max((int(player.figures.get(counter, 0)) for counter in names), default=0)

        def why(_: DescribedTable, player: DescribedPlayer) -> Text:
            figures = ((rival, int(player.figures.get(counter, 0))) for counter, rival in names.items())
            return listed(joined(" ", (rival, written(number))) for rival, number in figures if number)

        assert isinstance(figure, CounterDefinition)
        return Gauge(
            name,
            title_of(name, figure.title),
            read,
            top=self._full_bar(RIVAL, figure),
            why=why,
            big=figure.big,
            is_visible=False,
            full=_full_meaning(figure),
            short=figure.short,
            rare=True,
        )

    def _rival_gauge(self, name: str, figure: Figure, rival: DescribedPlayer) -> Gauge[Any, Any]:
        counter = rival_counter(name, rival.seat)

        def read(_: DescribedTable, player: DescribedPlayer) -> Value:
            return None if player.seat == rival.seat else player.figures.get(counter, 0)

        def write(state: DescribedTable, target: str, value: Any) -> DescribedTable:
            if target == rival.seat:
                raise RuleError(phrase("{player} has no such figure for themselves.", player=rival.name))
            resolution = Resolution(state)
            self.write(resolution, SEAT, target, counter, self.check_value(counter, figure, value))
            return resolution.state

        title = joined(": ", (title_of(name, figure.title), rival.name))
        if isinstance(figure, Flag):
            return Gauge(counter, title, read, write, keeps="yes-no", rare=True)
        return Gauge(
            counter,
            title,
            read,
            write,
            full=_full_meaning(figure),
            short=joined(" ", (figure.short or title_of(name, figure.title), rival.name)),
            steps=figure.steps,
            rare=True,
        )

    def _full_bar(self, of: str, figure: CounterDefinition) -> Callable[[DescribedTable, Any], int] | None:
        """Return the value of a full bar: `top`, `most`, or the counter that a reset refills to."""
        if figure.reset_to and figure.top is None:
            return lambda _, thing: int(self.read(of, thing.figures, figure.reset_to))
        if figure.most_counter and figure.top is None:
            return lambda _, thing: int(self.read(of, thing.figures, figure.most_counter))
        top = figure.top if figure.top is not None else figure.most_figure
        return None if top is None else lambda *_: top

    def check_value(self, name: str, figure: Figure, value: Any, figures: Mapping[str, int | str | bool] = {}) -> Any:
        """Return a value set by hand. `figures` are all those of its owner.

        Raises RuleError if the page does not allow the value.
        """
        if isinstance(figure, Flag):
            return value
        if figure.words:
            # Lines read `none` as no value, which is a word here if the page says so.
            value = "none" if value is None else value
            if value not in figure.words:
                raise RuleError(
                    phrase(
                        "{figure} is {words}, not “{word}”.",
                        figure=title_of(name, figure.title),
                        words=any_of(map(self.texts.text, figure.words)),
                        word=value,
                    )
                )
            return value
        if (clamped := self.clamp_figure(figure, value, figures)) != value:
            most = clamped if figure.most_counter and clamped < value else figure.most_figure
            raise RuleError(_describe_bounds(title_of(name, figure.title), figure, most))
        return value

    def write(self, resolution: Resolution, of: str, target: str, name: str, value: int | str | bool) -> None:
        """Set a figure of a seat, a thing or the table."""
        state = resolution.state
        if of == SEAT:
            self.write_figure(resolution, state.player(target), name, value)
        elif of == TABLE:
            self.write_figure(resolution, state, name, value)
        elif of == TEAM and state.teams:
            self.write_figure(resolution, next(team for team in state.teams if team.word == target), name, value)
        else:
            self.write_figure(resolution, state.piece(target), name, value)

    def write_figure(self, resolution: Resolution, owner: Owner, name: str, value: int | str | bool) -> None:
        """Set a figure of an owner, as it is in the present state, and lower those of which it is the maximum."""
        of = owner_of(owner)
        figures = {**owner.figures, name: value}
        resolution.write_figures(owner, self.clamp_figures(of, figures) if self.limits_of_figures[of] else figures)


def _by_time(names: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Return names by their times; those without a time are left out."""
    by_time: dict[str, tuple[str, ...]] = {}
    for when, name in names:
        if when:
            by_time[when] = (*by_time.get(when, ()), name)
    return by_time


def _figures_of(state: DescribedTable, of: str, target: str) -> Figures:
    """Return all figures of a seat, a team, the table or a thing."""
    if of == SEAT:
        return state.player(target).figures
    if of == TEAM:
        return next((team.figures for team in state.teams if team.word == target), {})
    return state.figures if of == TABLE else state.piece(target).figures


def _describe_bounds(title: Text, figure: CounterDefinition, most: int | None) -> Message:
    """Return the sentence on the bounds of a figure, of which it has at least one."""
    if most is None:
        return phrase("{figure} is at least {least} in this game.", figure=title, least=figure.least)
    if figure.least == "none":
        return phrase("{figure} is at most {most} in this game.", figure=title, most=most)
    return phrase("{figure} is from {least} to {most} in this game.", figure=title, least=figure.least, most=most)


OUT: Final = Gauge[DescribedTable, DescribedPlayer](
    "out", phrase("Out"), lambda _, player: player.out, keeps="yes-no", is_visible=False
)
"""The gauge of players who are out, by their figures or because they gave up."""


def _write_outcome(state: DescribedTable, target: str, value: str | None) -> DescribedTable:  # noqa: ARG001 – there is one table
    """Set the outcome that the players agreed on; None removes it."""
    seats = [player.seat for player in state.players]
    teams = [f"team-{player.team}" for player in state.players if player.team]
    if value not in (None, "draw", "win", "loss", *teams) and not seats_of_outcome(value, tuple(seats)):
        raise RuleError(
            phrase(
                "The outcome is a seat, several seats joined by + that share the win, draw, win, "
                "loss or none, not “{word}”.",
                word=value,
            )
        )
    if not state.round:
        raise RuleError(phrase("There is no outcome before `begin`."))
    resolution = Resolution(state)
    resolution.change(agreed=value)
    return resolution.state


def _write_active(state: DescribedTable, target: str, value: str | None) -> DescribedTable:  # noqa: ARG001 – there is one table
    seat = state.player(value or "").seat
    resolution = Resolution(state)
    resolution.change(active=seat, acting="")
    return resolution.state


def _write_round(state: DescribedTable, target: str, value: int) -> DescribedTable:  # noqa: ARG001 – there is one table
    if not (state.round and value):
        raise RuleError(phrase("Rounds are counted from 1; `begin` starts the first one."))
    resolution = Resolution(state)
    resolution.change(round=value)
    return resolution.state


def _full_meaning(counter: CounterDefinition) -> Full:
    """Return the meaning of a full counter: harm, or good if a player with too little is out."""
    return "harm" if counter.harm else "good" if counter.out.startswith("<") else ""


def pool_gauges(name: str, has_cards: bool, keeps_aside: bool) -> tuple[Gauge[Any, Any], ...]:
    """Return the gauges of a pool: the cards left, and the cards aside, hidden if the pool keeps none aside."""

    def write(state: DescribedTable, target: str, value: int) -> DescribedTable:  # noqa: ARG001 – it is this pool
        resolution = Resolution(state)
        resolution.update_pool(name, replace(state.pools[name], unnamed=value))
        return resolution.state

    return (
        Gauge("left", phrase_in("cards of a pool", "Left"), lambda _, pool: pool.size, None if has_cards else write),
        Gauge("aside", phrase_in("cards of a pool", "Aside"), lambda _, pool: len(pool.aside), is_visible=keeps_aside),
    )


TABLE_GAUGES: tuple[Gauge[DescribedTable, DescribedTable], ...] = (
    Gauge("turn", phrase("Turn"), lambda s, _: s.turn, is_visible=False),
    Gauge("step", phrase("Step"), lambda s, _: s.step or None, keeps="word", is_visible=False),
    Gauge(
        "active",
        phrase("Active"),
        lambda s, _: s.at_turn or None,
        _write_active,
        "word",
        is_visible=False,
        is_position=True,
    ),
    Gauge("outcome", phrase("Outcome"), lambda s, _: s.outcome, _write_outcome, keeps="word", is_visible=False),
)
"""The gauges of every table, besides its rounds."""


class _OutcomeOfTeams(Gauge[DescribedTable, DescribedTable], frozen=True):
    """The gauge of the outcome in a game of teams, which are also called by their own words: `jade` for `team-1`."""

    names: tuple[tuple[str, Text], ...] = ()
    """The word and the title of each team."""

    def counter(self, state: DescribedTable, thing: DescribedTable) -> Counter:
        """Return the counter as shown on a screen."""
        counter = super().counter(state, thing)
        for number, (word, title) in enumerate(self.names, 1):
            if counter.value == f"team-{number}":
                return replace(counter, same_as=(word,), word_title=title)
        return counter


def table_gauges(plan: PagePlan) -> tuple[Gauge[Any, Any], ...]:
    """Return the gauges of the table: rounds, the page's own counters, and token holders."""
    most = plan.page.play.rounds

    def read_round(state: DescribedTable, _: DescribedTable) -> int:
        if not isinstance(most, int):
            return state.rounds
        return min(state.round, most) if most else state.round  # the state counts one more after the last round

    rounds: Gauge[DescribedTable, DescribedTable] = Gauge("round", plan.round_title, read_round, _write_round)
    dealt: Gauge[DescribedTable, DescribedTable] = Gauge(
        HAND_WORD, phrase("Cards each"), lambda state, _: plan.hand_of(state), rare=True
    )
    holders = (_token_gauge(name, title_of(name, token.title)) for name, token in plan.page.tokens.items())
    # If all act at once, no seat is active, and none can be set.
    common = [replace(each, write=None) if plan.together and each.name == "active" else each for each in TABLE_GAUGES]
    if plan.page.play.teams:
        names = tuple((word, plan.team_title(number)) for number, word in enumerate(plan.team_words, 1))
        common = [_OutcomeOfTeams(**asdict(each), names=names) if each.name == "outcome" else each for each in common]
    return (rounds, *((dealt,) if plan.page.play.hand else ()), *plan.gauges[TABLE], *common, *holders)


def _token_gauge(token: str, title: Text) -> Gauge[DescribedTable, DescribedTable]:
    def write(state: DescribedTable, target: str, value: str | None) -> DescribedTable:  # noqa: ARG001 – there is one table
        resolution = Resolution(state)
        others = {each: seat for each, seat in state.tokens.items() if each != token}
        resolution.change(tokens={**others, token: state.player(value).seat} if value else others)
        return resolution.state

    return Gauge(token, title, lambda s, _: s.tokens.get(token) or None, write, keeps="word", is_visible=False)


def with_rules(page: Description, agreed: Mapping[str, str]) -> Description:
    """Return the page as changed by house rules; `agreed` has the value of each rule."""
    return with_starts(_with_values(page, agreed), agreed)


def _with_values(page: Description, agreed: Mapping[str, str]) -> Description:
    changes = {
        path: value
        for name, rule in page.house.items()
        for path, value in rule.values.get(agreed.get(name, ""), {}).items()
    }
    if not changes:
        return page
    content = msgspec.json.decode(msgspec.json.encode(replace(page, house={}, language={})))
    for path, value in changes.items():
        *parts, last = path.split(".")
        place: Any = content
        for part in parts:
            place = _part_within(place, part)
        place[last] = value
    return replace(msgspec.convert(content, Description), house=page.house, language=page.language)


def _part_within(place: Any, part: str) -> Any:
    """Return the part under a key, in a list by name or number, creating missing tables.

    Raises StopIteration if a list has no such part.
    """
    if isinstance(place, list):
        return next(each for each in place if part in (each.get("name"), str(each.get("number"))))
    return place.setdefault(part, {})


def owner_of(thing: Owner) -> str:
    """Return the owner of a thing's figures as named in `PagePlan.figures`."""
    return thing.kind if isinstance(thing, Piece) else _OWNERS[type(thing)]


_OWNERS: Final[Mapping[type[Owner], str]] = {DescribedPlayer: SEAT, DescribedTeam: TEAM, DescribedTable: TABLE}
