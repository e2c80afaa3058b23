"""The search for the page's own lines that are possible now, with as few trials as necessary."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.games.described.page import actions as do
from companion.games.described.page.amounts import (
    Amount,
    Name,
    Number,
    Product,
    Sum,
    names_in,
    owners_in,
    parameters_of,
    parse_amount,
    parts_of_amount,
)
from companion.games.described.page.conditions import Condition, parse_condition
from companion.games.described.page.description import RIVAL, SEAT, Own
from companion.games.described.page.takes import TAKEN_WORD, Taken
from companion.games.described.rules import effects
from companion.games.described.rules.context import Context, Value
from companion.games.described.rules.evaluation import (
    QUANTIFIED,
    ConditionSide,
    check_of,
    condition_holds,
    condition_targets,
    sides_compare,
)
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedTable, Resolution
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.table.choices import Open, accepts, allows

if TYPE_CHECKING:
    from companion.tabletop.game import Game
    from companion.tabletop.table.table import Draft

_MOST_TRIED: Final = 16
"""The number of argument combinations to try before a line counts as impossible."""

_Sides = dict[int, dict[Any, Value | None]]
"""The values of each side of a condition at one table, by the arguments it depends on; None if it cannot be read."""


class _Word(NamedTuple):
    """A parameter of a line: its field, its conditions, and the figures that a thing must have there.

    `conditions` depend on this parameter and earlier ones only. `sides` are the sides of conditions that depend on this
    parameter alone. Values for which all of these sides are equal are interchangeable, so at most `alike` of them need
    to be tried, which is the number of parameters of the same kind. `sides` is None if values may differ in other ways.
    """

    taken: Taken
    field: str
    conditions: tuple[Condition, ...]
    figures: frozenset[str]
    sides: tuple[ConditionSide, ...] | None
    alike: int


class _CompiledLine(NamedTuple):
    """A compiled line of the page's own.

    `conditions` do not depend on any argument. `is_sure` is True if the line cannot be refused once its costs are paid,
    all conditions hold and the pools in `pools` are not empty.
    """

    conditions: tuple[Condition, ...]
    words: tuple[_Word, ...]
    is_sure: bool
    pools: tuple[str, ...]


class PossibleLines:
    """The search for possible lines at a table.

    Answers are cached, because the same table is searched several times.
    """

    def __init__(self, game: Game, plan_of: Callable[[DescribedTable], PagePlan]) -> None:
        self._game = game
        self._plan_of = plan_of
        self._state: DescribedTable | None = None
        self._answers: dict[tuple[str, str], bool] = {}

    def may(self, state: DescribedTable, answer: Draft) -> bool:
        """Return True if a line is possible now with the arguments given so far."""
        if self._state is not state:
            self._state, self._answers = state, {}
        key = (answer.action.verb(), str(answer.given.get("seat", "")))
        if key not in self._answers:
            self._answers[key] = self._can_be_done(state, answer)
        return self._answers[key]

    def _can_be_done(self, state: DescribedTable, answer: Draft) -> bool:
        """Return True if a line is possible, with the cheap checks before any trial."""
        action: Any = answer.action
        own: Own = action.own
        if own.steps and state.step not in own.steps:
            return False
        if not state.pieces and any(each.kind == "THING" and not each.optional for each in action.taken):
            return False
        seat = answer.given.get("seat", "")
        if not seat and own.whose != "table":
            return any(self.may(state, answer.having("seat", player.seat)) for player in state.playing)
        if own.once and seat and (seat, action.verb(), own.once) in state.used:
            return False
        plan = self._plan_of(state)
        if effects.asks_card(plan, state, own.does):
            cards = self._game.candidates(state, answer, "is_")
            if not isinstance(cards, Open) or not cards.fitting:
                return False
            answer = answer.having("is_", cards.fitting[0].value)
        one = {each.word: 1 for each in action.taken if each.kind == "N"}
        context = Context(plan, Resolution(state), seat, one)
        line = self._line(plan, action)
        try:
            effects.check_costs(context, own.costs)
            if not all(condition_holds(context, condition) for condition in line.conditions):
                return False
        except RuleError:
            return False
        return self._can_be_said(context, answer, line)

    def _line(self, plan: PagePlan, action: Any) -> _CompiledLine:
        verb = action.verb()
        if verb not in plan.lines:
            plan.lines[verb] = _make_line(plan, action)
        line: _CompiledLine = plan.lines[verb]
        return line

    def _can_be_said(self, context: Context, answer: Draft, line: _CompiledLine) -> bool:
        """Return True if some combination of arguments makes a line possible.

        An argument that the page forbids is not tried with each of the later arguments, and the number of trials is
        limited.
        """
        plan, state = context.plan, context.resolution.state
        is_sure = line.is_sure and all(effects.refill_pool(plan.page.pools[p], state.pools[p]).size for p in line.pools)
        if is_sure and not any(each.conditions or each.figures for each in line.words):
            return True
        if not line.words:
            return accepts(self._game, state, answer)
        words_of_line: dict[str, Any] = {}
        ways = self._argument_combinations(context._replace(words=words_of_line), answer, line.words, {}, {})
        for _ in islice(ways, _MOST_TRIED):
            if is_sure:
                return True
            draft = answer
            for each in line.words:
                draft = draft.having(each.field, words_of_line[each.taken.word])
            if allows(self._game, state, draft):
                return True
        return False

    def _argument_combinations(
        self, context: Context, answer: Draft, words: Sequence[_Word], seen: _Sides, values: dict[int, list[Any]]
    ) -> Iterator[None]:
        """Yield once for each combination of arguments that may meet the line's conditions.

        The combination is in the words of `context` while the generator is suspended.
        """
        if not words:
            yield
            return
        first, *others = words
        words_of_line: Any = context.words
        if id(first) not in values:
            values[id(first)] = list(self._distinct_values(context, answer, first, seen))
        for value in values[id(first)]:
            words_of_line[first.taken.word] = value
            if all(_may_hold(context, condition, seen) for condition in first.conditions):
                yield from self._argument_combinations(context, answer, others, seen, values)
        words_of_line.pop(first.taken.word, None)

    def _distinct_values(self, context: Context, answer: Draft, word: _Word, seen: _Sides) -> Iterator[Any]:
        """Yield the values of a parameter, leaving out those that equal earlier ones in all conditions of the line."""
        words_of_line: Any = context.words
        state = context.resolution.state
        times: dict[tuple[Any, ...], int] = {}
        for value in self._values(state, answer, word.field):
            if word.figures and not word.figures <= context.plan.figures[state.piece(value).kind].keys():
                continue
            words_of_line[word.taken.word] = value
            looks = tuple([_read_side(side, context, value, seen) for side in word.sides or ()])
            times[looks] = times.get(looks, 0) + 1
            if word.sides is None or times[looks] <= word.alike:
                yield value

    def _values(self, state: DescribedTable, answer: Draft, field: str) -> Sequence[Any]:
        candidates = self._game.candidates(state, answer, field)
        if isinstance(candidates, Open):
            return (candidates.example,)
        return [choice.value for choice in candidates]


def _make_line(plan: PagePlan, action: Any) -> _CompiledLine:
    own: Own = action.own
    *first, last = own.does or ("",)
    lines = first if last == "remove THING" else own.does
    needed = [_needed_conditions(plan, line) for line in lines]
    gives = sum(line.startswith("give ") for line in lines)
    is_sure = all(each is not None for each in needed) and gives < 2 and not own.again
    taken = tuple(each for each in action.taken if not each.optional)
    texts = (*own.when, *(chain.from_iterable(each for each in needed if each is not None) if is_sure else ()))
    conditions = [(effects.parameters_in(text), parse_condition(text)) for text in texts]
    conditions += _conditions_of_costs(plan, own, {each.word for each in taken})
    pools = tuple(line.split()[1] for line in lines if line.startswith("draw ")) if is_sure else ()
    words = tuple(_make_words(plan, own, taken, conditions, is_sure))
    return _CompiledLine(tuple(condition for words_of, condition in conditions if not words_of), words, is_sure, pools)


def _conditions_of_costs(
    plan: PagePlan, own: Own, taken: Collection[str]
) -> Iterator[tuple[frozenset[str], Condition]]:
    """Yield the conditions under which a player can pay costs that depend on parameters other than numbers."""
    for counter, price in own.costs.items():
        words = frozenset(parameters_of(parse_amount(price))) if isinstance(price, str) else frozenset()
        figure = plan.page.counters.get(counter)
        if not isinstance(price, str) or words - set(taken) or all(word.startswith("N") for word in words):
            continue
        if figure is not None and figure.least != "none":
            needed = Sum((parse_amount(price), Number(figure.least)))
            yield words, Condition("me", counter, ">=", needed)


def _make_words(
    plan: PagePlan,
    own: Own,
    taken: Sequence[Taken],
    conditions: Sequence[tuple[frozenset[str], Condition]],
    is_sure: bool,
) -> Iterator[_Word]:
    prices = (f"{counter} {price}" for counter, price in own.costs.items())
    wanted = _figures_of_things((*own.does, *prices)) if is_sure else {}
    checks = [check_of(plan, condition) for _, condition in conditions]
    sides = [side for check in checks for side in (check.present, check.value) if not side.is_word]
    so_far: set[str] = set()
    for each in taken:
        so_far.add(each.word)
        about = tuple(condition for needed, condition in conditions if each.word in needed <= so_far)
        alike = sum(other.kind == each.kind for other in taken)
        of_it = tuple(side for side in sides if side.words == (each.word,)) if is_sure else None
        # Seats are few, and which one it is can matter: one of them may hold a token.
        if each.kind != "THING" or any(each.word in side.words and len(side.words) > 1 for side in sides):
            of_it = None
        yield _Word(each, do.field_of(each), about, wanted.get(each.word, frozenset()), of_it, alike)


_OF_THING: Final = re.compile(r"\b(THING[2-9]?)[ .]([a-z][a-z0-9-]*)")
_FIGURE_OF: Final = re.compile(r"\b([a-z][a-z0-9-]*) of (THING[2-9]?)\b")


def _figures_of_things(does: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """Return the figures that the things of a line must have for its effects, by their parameters."""
    figures: dict[str, frozenset[str]] = {}
    for line in does:
        pairs = [*_OF_THING.findall(line), *((word, figure) for figure, word in _FIGURE_OF.findall(line))]
        for word, figure in pairs:
            figures[word] = figures.get(word, frozenset()) | {figure}
    return figures


def _needed_conditions(plan: PagePlan, line: str) -> tuple[str, ...] | None:
    """Return the conditions under which a page's line cannot be refused, or None if that takes a trial.

    The conditions assume that the figures exist and that the pools it draws from are not empty.
    """
    page = plan.page
    match line.split():
        case ["add" | "set", *_] if _names_listed(plan, line):
            return None  # the thing may not be in play
        case ["add" | "set", _, _, *amount] if not _is_surely_read(plan, " ".join(amount)):
            return None
        case ["add" | "set", who, counter, *_]:
            base, _, rival = counter.rpartition("-")
            if base not in plan.figures[RIVAL]:
                return ()
            # A seat has no rival figure for itself.
            if who == "others" and rival == "me":
                return ()
            seat, other = (who, rival) if who != "me" else (rival, who)
            return (f"{seat} != {other}",) if seat.startswith("SEAT") and other != seat else None
        case ["give", token, who] if token in page.tokens and (who == "me" or who.startswith("SEAT")):
            return (f"{who} has not {token}", f"{who} not out")
        case ["put", _, kind, *whose] if _without_numbers(whose) == (
            ["of", "me"] if page.things[kind].of == SEAT else []
        ):
            zone = page.zones.get(page.things[kind].zone)
            return () if zone is None or not zone.lanes else None
        case ["draw", pool, *whose] if whose in ([], ["for", "me"]):
            is_anybodys = bool(whose) or pool not in plan.personal_pools
            does = [each for card in page.pools[pool].cards for each in card.does]
            is_plain = all(map(partial(_moves_figures, plan), does))
            return () if page.pools[pool].drawn == "program" and is_anybodys and is_plain else None
    return None


def _without_numbers(words: list[str]) -> list[str]:
    """Return the end of a line `put` without its figures, if these are numbers of the line: `of me with N 2`."""
    at = words.index("with") if "with" in words else len(words)
    return words[:at] if all(word.isdecimal() or TAKEN_WORD.fullmatch(word) for word in words[at + 1 :]) else words


def _moves_figures(plan: PagePlan, line: str) -> bool:
    """Return True if a card's line only changes figures. A figure of a listed thing out of play is skipped."""
    verb, *_ = line.split()
    return verb in ("add", "set") and (_names_listed(plan, line) or _needed_conditions(plan, line) == ())


def _names_listed(plan: PagePlan, line: str) -> bool:
    """Return True if a line names a listed thing, which may not be in play."""
    return any(word in plan.listed_things for word in owners_in(line.partition(" ")[2]))


def _is_surely_read(plan: PagePlan, text: str) -> bool:
    """Return True if an amount cannot be refused: it names no rival's figure and multiplies no figures."""
    try:
        amount = parse_amount(text)
    except NotationError:
        return True  # a word
    if any(name.word.rpartition("-")[0] in plan.figures[RIVAL] for name in names_in(amount)):
        return False
    return not any(
        sum(not _is_number_of_line(name) for factor in part.factors for name in names_in(factor)) > 1
        for part in _all_parts(amount)
        if isinstance(part, Product)
    )


def _is_number_of_line(name: Name) -> bool:
    """Return True for a parameter such as `N`, for which a small number can always be typed."""
    return not name.owner and name.word.startswith("N")


def _all_parts(amount: Amount) -> Iterator[Amount]:
    yield amount
    for part in parts_of_amount(amount):
        yield from _all_parts(part)


def _may_hold(context: Context, condition: Condition, seen: _Sides) -> bool:
    """Return True if a condition holds. A condition on a figure that does not exist never holds."""
    owner = condition.owner
    try:
        if owner in QUANTIFIED:
            return condition_holds(context, condition)
        check = check_of(context.plan, condition)
        target = context.words[owner] if owner in context.words else condition_targets(context, condition)[0]
        present = _read_side(check.present, context, target, seen)
        value = _read_side(check.value, context, target, seen)
    except RuleError:
        return False
    return present is not None and value is not None and sides_compare(check, present, value)


def _read_side(side: ConditionSide, context: Context, target: str, seen: _Sides) -> Value | None:
    """Return one side of a condition, read only once for the same arguments."""
    values = seen.setdefault(id(side), {})
    words = side.words
    key = context.words[words[0]] if len(words) == 1 else tuple([context.words[word] for word in words])
    if key not in values:
        try:
            values[key] = side.read(context, target)
        except RuleError:
            values[key] = None
    return values[key]
