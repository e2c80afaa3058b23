"""The search for the page's own lines that are possible now, with as few trials as necessary."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from companion.games.described.page import actions as do
from companion.games.described.page.amounts import (
    Name,
    Number,
    Product,
    Sum,
    all_parts,
    names_in,
    owners_in,
    parameters_of,
    parse_amount,
)
from companion.games.described.page.conditions import Condition, parse_condition
from companion.games.described.page.description import RIVAL, SEAT, Own
from companion.games.described.page.takes import TAKEN_WORD, Taken
from companion.games.described.rules import effects
from companion.games.described.rules.context import Context, Value
from companion.games.described.rules.evaluation import (
    Check,
    ConditionSide,
    check_of,
)
from companion.games.described.rules.numbers import USUAL, NumberParameter, make_number, numbers_to_try
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedTable, Resolution
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.table.choices import Open, accepts, allows
from companion.tabletop.table.table import Draft

if TYPE_CHECKING:
    from companion.tabletop.game import Game

_MOST_TRIED: Final = 16
"""The number of argument combinations to try before a line counts as impossible."""

_NOTHING: Final = frozenset[str]()


class _Word(NamedTuple):
    """A parameter of a line: its field, its conditions, and the figures that a thing must have there.

    `conditions` depend on this parameter and earlier ones only. `sides` are the sides of conditions that depend on this
    parameter alone. Values for which all of these sides are equal are interchangeable, so at most `alike` of them need
    to be tried, which is the number of parameters of the same kind. `sides` is None if values may differ in other ways.
    `number` has the values to try for a number.
    """

    taken: Taken
    field: str
    conditions: tuple[Check, ...]
    figures: frozenset[str]
    sides: tuple[ConditionSide, ...] | None
    alike: int
    number: NumberParameter | None


class _CompiledLine(NamedTuple):
    """A compiled line of the page's own.

    `needs_thing` is True if it cannot be done without a thing in play. `conditions` do not depend on any argument.
    `orders` are the orders in which its parameters are tried: several numbers that limit each other are tried with each
    of them last. `is_sure` is True if the line cannot be refused once its costs are paid, all conditions hold and the
    pools in `pools` are not empty; `is_free` is True if its arguments are free as well.
    """

    own: Own
    needs_thing: bool
    conditions: tuple[Check, ...]
    orders: tuple[tuple[_Word, ...], ...]
    is_sure: bool
    is_free: bool
    pools: tuple[str, ...]


class PossibleLines:
    """The search for possible lines at a table.

    Answers are cached, because the same table is searched several times.
    """

    def __init__(self, game: Game, plan_of: Callable[[DescribedTable], PagePlan]) -> None:
        self._game = game
        self._plan_of = plan_of
        self._state: DescribedTable | None = None
        self._answers: dict[tuple[type[Action], str], bool] = {}

    def may(self, state: DescribedTable, answer: Draft) -> bool:
        """Return True if a line is possible now with the arguments given so far."""
        return self._may(self._plan_of(state), state, answer.action, answer.given.get("seat", ""))

    def _may(self, plan: PagePlan, state: DescribedTable, action: type[Action], seat: str) -> bool:
        if self._state is not state:
            self._state, self._answers = state, {}
        answer = self._answers.get((action, seat))
        if answer is None:
            answer = self._answers[action, seat] = self._can_be_done(plan, state, action, seat)
        return answer

    def number(self, state: DescribedTable, answer: Draft, field: str) -> int:
        """Return a number with which a line can be completed; the usual one if nothing limits it, or if none fits."""
        action: Any = answer.action
        given = (each.word for each in action.taken if do.field_of(each) in answer.given)
        word = next(each.word for each in action.taken if do.field_of(each) == field)
        plan = self._plan_of(state)
        line = self._line(plan, action, frozenset((*given, word)))
        if not any(each.number.is_limited for words in line.orders for each in words if each.number):
            return USUAL
        whole = self._with_card(plan, state, answer, line)
        if whole is None:
            return USUAL
        seat = str(answer.given.get("seat", ""))
        is_anybodys = not seat and action.own.whose != "table"
        for player in [each.seat for each in state.playing] if is_anybodys else [seat]:
            context = Context(plan, Resolution(state), player)
            draft = whole.having("seat", player) if is_anybodys else whole
            arguments = self._find_arguments(context, draft, line)
            if arguments is not None:
                return int(arguments.get(word, USUAL))
        return USUAL

    def _can_be_done(self, plan: PagePlan, state: DescribedTable, action: type[Action], seat: str) -> bool:
        """Return True if a line is possible, with the cheap checks before any trial."""
        line = self._line(plan, action)
        own = line.own
        if (own.steps and state.step not in own.steps) or (line.needs_thing and not state.pieces):
            return False
        if not seat and own.whose != "table":
            return any(self._may(plan, state, action, player.seat) for player in state.playing)
        if own.once and seat and (seat, action.verb(), own.once) in state.used:
            return False
        context = Context(plan, Resolution(state), seat)
        try:
            if own.costs:
                effects.check_costs(context, own.costs)
            for check in line.conditions:
                if not check.holds(context):
                    return False
        except RuleError:
            return False
        answer = self._with_card(plan, state, Draft(action, {"seat": seat} if seat else {}), line)
        return answer is not None and self._find_arguments(context, answer, line) is not None

    def _with_card(self, plan: PagePlan, state: DescribedTable, answer: Draft, line: _CompiledLine) -> Draft | None:
        """Return a line with one of the cards that can be drawn, if players name it; None if there is none."""
        if "is_" in answer.given or not effects.asks_card(plan, state, line.own.does):
            return answer
        cards = self._game.candidates(state, answer, "is_")
        if not isinstance(cards, Open) or not cards.fitting:
            return None
        return answer.having("is_", cards.fitting[0].value)

    def _line(self, plan: PagePlan, action: Any, given: frozenset[str] = _NOTHING) -> _CompiledLine:
        """Return the compiled form of a line, with its optional parameters that are `given`."""
        line: _CompiledLine | None = plan.lines.get((action, given))
        if line is None:
            taken = tuple(each for each in action.taken if not each.optional or each.word in given)
            line = plan.lines[action, given] = _make_line(plan, action, taken)
        return line

    def _find_arguments(self, context: Context, answer: Draft, line: _CompiledLine) -> Mapping[str, Any] | None:
        """Return arguments that make a line possible, besides those that it has; None if there are none.

        Arguments that do not matter are left out. An argument that the page forbids is not tried with each of the later
        arguments, and the number of trials is limited.
        """
        plan, state = context.plan, context.resolution.state
        is_sure = line.is_sure and all(effects.refill_pool(plan, state, pool).size for pool in line.pools)
        if is_sure and line.is_free:
            return {}
        if not line.orders[0]:
            return {} if accepts(self._game, state, answer) else None
        for words in line.orders:
            arguments = _Search(self._game, context, answer, words, is_sure).find()
            if arguments is not None:
                return arguments
        return None


class _Search:
    """The search for arguments with which a line is possible."""

    def __init__(self, game: Game, context: Context, answer: Draft, words: Sequence[_Word], is_sure: bool) -> None:
        self._game = game
        self._arguments: dict[str, Any] = {}
        self._context = context._replace(words=self._arguments)
        self._answer = answer
        self._words = words
        self._is_sure = is_sure
        self._values: list[Sequence[Any] | None] = [None] * len(words)
        self._tried = 0

    def find(self) -> Mapping[str, Any] | None:
        """Return the arguments by their parameters, or None if there are none."""
        return self._arguments if self._succeeds(0) else None

    def _succeeds(self, at: int) -> bool:
        """Return True if a combination of arguments for the words from `at` on makes the line possible."""
        if at == len(self._words):
            self._tried += 1
            return self._is_sure or self._is_allowed()
        word = self._words[at]
        for value in self._values_to_try(at, word):
            self._arguments[word.taken.word] = value
            if self._holds(word.conditions) and self._succeeds(at + 1):
                return True
            if self._tried >= _MOST_TRIED:
                break
        self._arguments.pop(word.taken.word, None)
        return False

    def _values_to_try(self, at: int, word: _Word) -> Iterable[Any]:
        if word.field in self._answer.given:
            return (self._answer.given[word.field],)
        if word.number is not None:
            # The numbers to try depend on the arguments before them.
            return numbers_to_try(self._context, word.number)
        values = self._values[at]
        if values is None:
            values = self._values[at] = self._distinct_values(word)
        return values

    def _is_allowed(self) -> bool:
        given = {word.field: self._arguments[word.taken.word] for word in self._words}
        draft = replace(self._answer, given={**self._answer.given, **given})
        return allows(self._game, self._context.resolution.state, draft)

    def _holds(self, conditions: Iterable[Check]) -> bool:
        """Return True if conditions hold. One on a figure that does not exist never holds."""
        context = self._context
        try:
            for check in conditions:
                if not check.holds(context):
                    return False
        except RuleError:
            return False
        return True

    def _distinct_values(self, word: _Word) -> Sequence[Any]:
        """Return the values of a parameter, leaving out those that equal earlier ones in all conditions of the line."""
        values = self._all_values(word)
        if word.figures:
            figures, state = self._context.plan.figures, self._context.resolution.state
            values = [value for value in values if word.figures <= figures[state.piece(value).kind].keys()]
        if not word.sides or len(values) <= word.alike:
            return values if word.sides is None else values[: word.alike]
        times: dict[tuple[Any, ...], int] = {}
        distinct = []
        for value in values:
            self._arguments[word.taken.word] = value
            looks = tuple([_read_side(side, self._context, value) for side in word.sides])
            times[looks] = times.get(looks, 0) + 1
            if times[looks] <= word.alike:
                distinct.append(value)
        return distinct

    def _all_values(self, word: _Word) -> Sequence[Any]:
        state, taken = self._context.resolution.state, word.taken
        match taken.kind:
            case "SEAT":
                return [player.seat for player in state.players]
            case "THING":
                return [piece.handle for piece in state.pieces]
            case "choice":
                return taken.choices
        candidates = self._game.candidates(state, self._answer, word.field)
        return (candidates.example,) if isinstance(candidates, Open) else [choice.value for choice in candidates]


def _make_line(plan: PagePlan, action: Any, taken: Sequence[Taken]) -> _CompiledLine:
    own: Own = action.own
    *first, last = own.does or ("",)
    lines = first if last == "remove THING" else own.does
    needed = [_needed_conditions(plan, line) for line in lines]
    gives = sum(line.startswith("give ") for line in lines)
    # What a line does from the second time on needs the same, or is tried.
    again = {_needed_conditions(plan, line) for line in own.again}
    is_sure = all(each is not None for each in needed) and gives < 2 and again <= {*needed}
    texts = (*own.when, *(chain.from_iterable(each for each in needed if each is not None) if is_sure else ()))
    conditions = [(effects.parameters_in(text), parse_condition(text)) for text in texts]
    conditions += _conditions_of_costs(plan, own, {each.word for each in taken})
    orders = tuple(
        tuple(_make_words(plan, own, order, conditions, is_sure)) for order in _orders_of_trial(taken, conditions)
    )
    return _CompiledLine(
        own,
        any(each.kind == "THING" and not each.optional for each in action.taken),
        tuple(check_of(plan, condition) for words_of, condition in conditions if not words_of),
        orders,
        is_sure,
        not any(each.conditions or each.figures for each in orders[0]),
        tuple(line.split()[1] for line in lines if line.startswith("draw ")) if is_sure else (),
    )


def _orders_of_trial(
    taken: Sequence[Taken], conditions: Iterable[tuple[frozenset[str], Condition]]
) -> Iterator[tuple[Taken, ...]]:
    """Yield the orders in which the parameters of a line are tried, as the last number depends on those before it.

    Numbers come before everything else if no condition compares them with it.
    """
    numbers = [each for each in taken if each.kind == "N"]
    others = [each for each in taken if each.kind != "N"]
    words = {each.word for each in numbers}
    together = [needed for needed, _ in conditions if needed & words]
    is_first = all(needed <= words for needed in together)
    limit_each_other = any(len(needed & words) > 1 for needed in together)
    for at in range(len(numbers) if limit_each_other else 1):
        turned = (*numbers[at + 1 :], *numbers[: at + 1])
        yield (*turned, *others) if is_first else (*others, *turned)


def _conditions_of_costs(
    plan: PagePlan, own: Own, taken: Collection[str]
) -> Iterator[tuple[frozenset[str], Condition]]:
    """Yield the conditions under which a player can pay costs that depend on parameters."""
    for counter, price in own.costs.items():
        words = frozenset(parameters_of(parse_amount(price))) if isinstance(price, str) else frozenset()
        figure = plan.page.counters.get(counter)
        if not isinstance(price, str) or not words or words - set(taken):
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
        number = _make_number(plan, own, each.word, about, is_sure) if each.kind == "N" else None
        alike = sum(other.kind == each.kind for other in taken)
        of_it = tuple(side for side in sides if side.words == (each.word,)) if is_sure else None
        # Seats are few, and which one it is can matter: one of them may hold a token.
        if each.kind != "THING" or any(each.word in side.words and len(side.words) > 1 for side in sides):
            of_it = None
        conditions_here = tuple(check_of(plan, condition) for condition in about)
        figures = wanted.get(each.word, frozenset())
        yield _Word(each, do.field_of(each), conditions_here, figures, of_it, alike, number)


def _make_number(
    plan: PagePlan, own: Own, word: str, conditions: Sequence[Condition], is_sure: bool
) -> NumberParameter:
    is_in_when = any(word in effects.parameters_in(text) for text in own.when)
    places = (line for line in own.does if not line.startswith(("add ", "set ")))
    is_placed = not is_sure and any(word in effects.parameters_in(line) for line in places)
    return make_number(plan, word, conditions, is_in_when=is_in_when, is_placed=is_placed)


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
    match line.split():
        case ["shuffle", pool]:
            return (f"{pool} aside >= 1",)
        case ["all-won" | "lost"] | ["won", "me"]:
            return ()
    return _conditions_of_change(plan, line)


def _conditions_of_change(plan: PagePlan, line: str) -> tuple[str, ...] | None:
    """Return the conditions for a line that changes a figure, a token or a thing, or draws a card."""
    page = plan.page
    match line.split():
        case ["add" | "set", *_] if _names_listed(plan, line) or not plan.people.isdisjoint(owners_in(line)):
            return None  # the thing may not be in play, and nobody may hold the token
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
        for part in all_parts(amount)
        if isinstance(part, Product)
    )


def _is_number_of_line(name: Name) -> bool:
    """Return True for a parameter such as `N`, for which a small number can always be typed."""
    return not name.owner and name.word.startswith("N")


def _read_side(side: ConditionSide, context: Context, target: str) -> Value | None:
    """Return one side of a condition; None if it cannot be read."""
    try:
        return side.read(context, target)
    except RuleError:
        return None
