"""The evaluation of a page's amounts at a table, compiled once for each plan, and their wording for players."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from typing import Any

from companion.games.described.page.amounts import (
    HAND_WORD,
    PLAYERS_WORD,
    SEVERAL,
    Amount,
    Extreme,
    Name,
    Negative,
    Number,
    Product,
    Rounding,
    Standing,
    Sum,
    ValueTable,
    names_in,
    parse_amount,
)
from companion.games.described.page.conditions import POOL_COUNTERS
from companion.games.described.page.description import RIVAL, TABLE, TEAM, CounterDefinition
from companion.games.described.page.takes import TAKEN_WORD
from companion.games.described.rules.context import (
    Context,
    Value,
    counter_of,
    find_team,
    targets_of,
    targets_of_counter,
    team_word,
    value_of,
)
from companion.games.described.rules.plan import Figure, PagePlan
from companion.games.described.rules.state import DescribedTable, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import MAX_VALUE
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

Reader = Callable[[Any, Any], int]
"""A compiled amount. It takes a context and the owner concerned, whose counters are meant by words alone."""
Rivals = Callable[[Any, Any], Iterable[Any]]
"""A function that returns all owners with whom a standing compares, from a context and the owner concerned."""


def read_amount(context: Context, text: str, target: str = "") -> int:
    """Return the value of an amount on the page; `target` is the seat or thing whose counters are meant by words alone.

    Raises RuleError if a figure is missing, or if the value is beyond the limit of all figures.
    """
    value = amount_reader(context.plan, text)(context, target or context.me)
    if abs(value) > MAX_VALUE:
        raise RuleError(
            phrase(
                "{amount} comes to {value} here; no figure goes beyond {most}.",
                amount=in_quotes(text),
                value=value,
                most=MAX_VALUE,
            )
        )
    return value


def amount_reader(plan: PagePlan, text: str) -> Reader:
    """Return the compiled form of an amount, cached in the plan."""
    reader: Reader | None = plan.amounts.get(text)
    if reader is None:
        reader = plan.amounts[text] = compile_for(plan, parse_amount(text))
    return reader


def compile_for(plan: PagePlan, amount: Amount) -> Reader:
    """Return an amount of a page as a function."""
    return compile_amount(
        amount, lambda name: _name_reader(plan, name), plan.players[0], lambda part: _rivals_in(plan, part)
    )


def compile_amount(
    amount: Amount,
    name_reader: Callable[[Name], Reader],
    fewest: int = 1,
    rivals_in: Callable[[Amount], Rivals] = lambda _: lambda *_: (),
) -> Reader:
    """Return an amount as a function.

    `name_reader` returns the functions that read its names, and `rivals_in` those that find with whom a standing by an
    amount compares. Values by players begin with those for the `fewest`.
    """

    def compile_part(part: Amount) -> Reader:
        return compile_amount(part, name_reader, fewest, rivals_in)

    match amount:
        case Number(value):
            return lambda _context, _target: value
        case Name():
            return name_reader(amount)
        case Negative(inner):
            read = compile_part(inner)
            return lambda context, target: -read(context, target)
        case Sum(parts) | Product(parts) | Extreme(_, parts):
            readers = [compile_part(each) for each in parts]
            return reduce(partial(_combine, _combiner(amount)), readers)
        case Rounding(is_up, inner, step):
            read = compile_part(inner)
            if is_up:
                return lambda context, target: -(-read(context, target) // step) * step
            return lambda context, target: read(context, target) // step * step
        case Standing(_, _, inner):
            return _standing_reader(amount, compile_part(inner), rivals_in(inner))
        case ValueTable(by=by):
            read, values = compile_part(by), amount.all_values
            first, last = first_place(amount, fewest), len(values) - 1
            return lambda context, target: values[min(max(read(context, target) - first, 0), last)]
    raise AssertionError(amount)


def first_place(table: ValueTable, fewest: int) -> int:
    """Return the place of the first value of a table: by players, that of the `fewest`."""
    if table.first is not None:
        return table.first
    return fewest if table.by == Name("", PLAYERS_WORD) else 1


def _standing_reader(standing: Standing, read: Reader, rivals: Rivals) -> Reader:
    """Return the function that reads a standing; `read` reads the figure of one of the `rivals`."""
    owner = standing.owner

    def read_rank(context: Any, target: str) -> int:
        whose = targets_of(context, owner)[0] if owner else target
        mine = read(context, whose)
        return 1 + sum(read(context, each) > mine for each in rivals(context, whose))

    def count_ties(context: Any, target: str) -> int:
        whose = targets_of(context, owner)[0] if owner else target
        mine = read(context, whose)
        return max(1, sum(read(context, each) == mine for each in rivals(context, whose)))

    return read_rank if standing.word == "rank" else count_ties


def _rivals_in(plan: PagePlan, amount: Amount) -> Rivals:
    """Return the function that finds all with whom a standing by an amount compares: seats or, by a team's, teams."""
    words = {name.word for name in names_in(amount) if not name.owner}
    is_of_teams = not words.isdisjoint(plan.figures[TEAM])

    def rivals(context: Context, target: str) -> Iterable[str]:
        state = context.resolution.state
        if state.teams and (is_of_teams or find_team(state, target)):
            return [team_word(state, number) for number in dict.fromkeys(player.team for player in state.playing)]
        seats = [player.seat for player in state.players if not player.out]
        for word in words.intersection(plan.questions.get(state.step, ())) if not state.active else ():
            # While players are asked for it, those who have not answered have no such figure yet.
            answers = state.replies.get(word, ())
            seats = [seat for seat in seats if seat in answers or seat == target]
        return seats

    return rivals


def _combiner(amount: Sum | Product | Extreme) -> Callable[[int, int], int]:
    match amount:
        case Sum():
            return operator.add
        case Product():
            return operator.mul
    return max if amount.is_largest else min


def _combine(operation: Callable[[int, int], int], first: Reader, second: Reader) -> Reader:
    """Return the function that combines two amounts."""
    return lambda context, target: operation(first(context, target), second(context, target))


def _name_reader(plan: PagePlan, name: Name) -> Reader:
    owner, word = name.owner, name.word
    if word in POOL_COUNTERS and owner in plan.page.pools:
        return lambda context, _: cards_of_pool(context, owner, word)
    if not owner and TAKEN_WORD.fullmatch(word):
        return lambda context, _: _figure_in(_parameter_value(context, word), word)
    if owner in ("", TABLE) and word in plan.table_numbers:
        return table_number(word)
    if word.rpartition("-")[0] not in plan.figures[RIVAL]:
        return _counter_reader(name)
    if not owner:
        return lambda context, target: _figure_in(value_of(context, target, counter_of(context, word)), word)
    if owner in SEVERAL:
        gather = gatherer_of(name)
        return lambda context, _: gather(
            _figure_in(value_of(context, target, counter_of(context, word)), str(name))
            for target in targets_of(context, owner)
        )

    def read(context: Context, _: str) -> int:
        return _figure_in(value_of(context, targets_of(context, owner)[0], counter_of(context, word)), str(name))

    return read


def gatherer_of(name: Name) -> Callable[[Iterable[int]], int]:
    """Return the function that makes one figure of those of several: their sum, or the most or fewest of them."""
    if not name.pick:
        return sum
    is_most = name.pick == "most"
    return lambda figures: max(figures, default=0) if is_most else min(figures, default=0)


def _counter_reader(name: Name) -> Reader:
    """Return the function that reads a counter that is not kept for a rival."""
    owner, word, text = name.owner, name.word, str(name)
    if not owner:
        return lambda context, target: _figure_in(value_of(context, target, word), text)
    if owner in SEVERAL:
        gather = gatherer_of(name)
        return lambda context, _: gather(
            _figure_in(value_of(context, target, word), text) for target in targets_of_counter(context, owner, word)
        )
    return lambda context, _: _figure_in(value_of(context, targets_of(context, owner)[0], word), text)


def table_number(word: str) -> Reader:
    """Return the function that reads a number of the table: of the round, the players, or the cards dealt."""
    if word == HAND_WORD:
        return lambda context, _: context.plan.hand_of(context.resolution.state)
    if word == PLAYERS_WORD:
        return lambda context, _: len(context.resolution.state.players)
    return lambda context, _: present_round(context.plan, context.resolution.state)


def _number_begun(word: str) -> Reader:
    """Return the function that reads a number of the table on which the number of rounds depends."""
    if word in (HAND_WORD, PLAYERS_WORD):
        return table_number(word)
    return lambda context, _: max(1, context.resolution.state.round)


def present_round(plan: PagePlan, state: DescribedTable) -> int:
    """Return the number of the round that is played; after the game, that of its last round."""
    rounds, number = plan.page.play.rounds, max(1, state.round)
    # The state counts one more after the last round.
    return min(number, rounds_of(plan, state)) if rounds and number > 1 else number


def cards_of_pool(context: Context, pool: str, counter: str) -> int:
    """Return the number of cards left in a pool, or aside."""
    now = context.resolution.state.pools[pool]
    return now.size if counter == "left" else len(now.aside)


def _parameter_value(context: Context, word: str) -> object:
    number = context.words.get(word)
    if number is None:
        raise RuleError(phrase("Say how much: {word} is missing.", word=in_quotes(word)))
    return number


def _figure_in(value: object, text: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RuleError(phrase("{word} is not a figure here.", word=in_quotes(text)))
    return value


# Starts


def start_of(plan: PagePlan, state: DescribedTable, figure: Figure) -> Value:
    """Return the start value of a figure at this moment of the game, within its bounds."""
    if not isinstance(figure, CounterDefinition):
        return figure.start
    if figure.words:
        return figure.words[0]
    if not figure.start_by_players:
        return figure.start if isinstance(figure.start, int) else _start_value(plan, state, figure, figure.start)
    return _start_value(plan, state, figure, figure.start_by_players.get(str(len(state.players)), figure.start))


def _start_value(plan: PagePlan, state: DescribedTable, figure: CounterDefinition, start: int | str) -> int:
    """Return a number, or the value of an amount of the table's figures within the bounds of its counter."""
    if isinstance(start, int):
        return start
    return plan.clamp_figure(figure, read_amount(Context(plan, Resolution(state)), start, TABLE))


def starts_of(plan: PagePlan, state: DescribedTable, of: str, given: Mapping[str, int | str] = {}) -> dict[str, Value]:
    """Return all initial figures of a seat, the table or a kind of thing; `given` replaces the defaults."""
    starts = {
        name: _start_value(plan, state, figure, given[name])
        if name in given and isinstance(figure, CounterDefinition)
        else start_of(plan, state, figure)
        for name, figure in plan.figures[of].items()
        if not isinstance(figure, CounterDefinition) or not figure.is_computed
    }
    return {**plan.clamp_figures(of, starts)} if plan.limits_of_figures[of] else starts


def rounds_of(plan: PagePlan, state: DescribedTable) -> int:
    """Return the number of rounds after which the game is over; 0 if nothing limits them."""
    rounds = plan.page.play.rounds
    return rounds if isinstance(rounds, int) else max(1, _read_by_round(plan, state, rounds, _number_begun))


def size_of(plan: PagePlan, state: DescribedTable, pool: str) -> int:
    """Return the number of cards of a pool whose cards have no names."""
    size = plan.page.pools[pool].size
    return size if isinstance(size, int) else max(0, read_amount(Context(plan, Resolution(state)), size, TABLE))


def hand_of(plan: PagePlan, state: DescribedTable) -> int:
    """Return the number of cards that everybody is dealt in the present round; 0 if the page does not say."""
    hand = plan.page.play.hand
    return hand if isinstance(hand, int) else max(0, _read_by_round(plan, state, hand))


def _read_by_round(
    plan: PagePlan, state: DescribedTable, text: str, number_of: Callable[[str], Reader] = table_number
) -> int:
    """Return the value of an amount that depends on the round and the number of players alone, cached in the plan."""
    at = (text, state.round, len(state.players))
    value = plan.by_round.get(at)
    if value is None:
        read = compile_amount(parse_amount(text), lambda name: number_of(name.word), plan.players[0])
        value = plan.by_round[at] = read(Context(plan, Resolution(state)), "")
    return value
