"""The evaluation of a page's conditions at a table, and their wording for players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from companion.games.described.page.conditions import OPERATORS, POOL_COUNTERS, Condition
from companion.games.described.page.description import RIVAL, SEAT, TABLE, CounterDefinition, title_of
from companion.games.described.page.takes import TAKEN_WORD
from companion.games.described.rules.context import (
    Context,
    Value,
    counter_of,
    find_bearer,
    name_of,
    targets_of,
    value_of,
)
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedPlayer
from companion.tabletop.action import RuleError
from companion.tabletop.text import figure as written

QUANTIFIED: Final = ("each", "any", "others")
"""Condition owners that mean several seats."""
_NOBODY: Final = " "
"""The holder of a token that no seat holds; equal to no seat."""


class ConditionSide(NamedTuple):
    """One of the two sides that a condition compares.

    `read` takes a context and the target of the condition, and raises RuleError if there is nothing to read. `words`
    are the words of the line on which the side depends. `is_word` is True if the side is such a word itself.
    """

    read: Callable[[Context, str], Value]
    words: tuple[str, ...] = ()
    is_word: bool = False


class Check(NamedTuple):
    """A compiled condition: the present value, the value to compare it with, and the comparison sign."""

    present: ConditionSide
    value: ConditionSide
    sign: str


def check_of(plan: PagePlan, condition: Condition) -> Check:
    """Return the compiled form of a condition, cached in the plan."""
    check: Check | None = plan.checks.get(condition)
    if check is None:
        check = plan.checks[condition] = _make_check(plan, condition)
    return check


def condition_holds(context: Context, condition: Condition, subject: str = "") -> bool:
    """Return True if a condition holds.

    If the condition names no owner, `subject` is the seat or thing concerned. Raises RuleError if a side cannot be
    read.
    """
    check = check_of(context.plan, condition)
    results = (
        sides_compare(check, check.present.read(context, target), check.value.read(context, target))
        for target in condition_targets(context, condition, subject)
    )
    return any(results) if condition.owner == "any" else all(results)


def condition_targets(context: Context, condition: Condition, subject: str = "") -> tuple[str, ...]:
    """Return the targets of a condition, named as in `set`. Raises RuleError if there is none."""
    owner = condition.owner
    if owner in QUANTIFIED:
        seats = (player.seat for player in context.resolution.state.players)
        return tuple(seat for seat in seats if owner != "others" or seat != context.me)
    if condition.counter in POOL_COUNTERS and owner in context.plan.page.pools:
        return (owner,)
    return targets_of(context, owner) if owner else (subject or context.me,)


def sides_compare(check: Check, present: Value, value: Value) -> bool:
    """Return True if the two sides of a condition compare as its sign requires."""
    if isinstance(present, str) or isinstance(value, str):
        return OPERATORS[check.sign](str(present), str(value)) if check.sign in ("=", "!=") else False
    return OPERATORS[check.sign](present, value)


def is_so(context: Context, condition: Condition, player: DescribedPlayer) -> bool:
    """Return True if a condition holds for a seat. A comparison of a figure with a number skips compilation."""
    if not condition.owner and isinstance(condition.value, int):
        figures = context.plan.figures[SEAT]
        figure = figures.get(condition.counter)
        if isinstance(figure, CounterDefinition) and not figure.words:
            return OPERATORS[condition.op](context.plan.read(SEAT, player.figures, condition.counter), condition.value)
    return condition_holds(context, condition, player.seat)


def _make_check(plan: PagePlan, condition: Condition) -> Check:
    owner, counter, op, value = condition
    whose = _parameter_words(owner)
    match op:
        case "out" | "not out":
            return Check(ConditionSide(_is_out, whose), _constant_side(op == "out"), "=")
        case "has" | "has not":
            sign = "=" if op == "has" else "!="
            word = str(value)
            if _parameter_words(word):
                owner_of_thing = ConditionSide(
                    lambda context, _: context.resolution.state.piece(str(context.words[word])).owner, (word,)
                )
                return Check(owner_of_thing, ConditionSide(_read_target, whose, is_word=True), sign)
            if word in plan.page.tokens:
                holder = ConditionSide(lambda context, _: context.resolution.state.tokens.get(word, _NOBODY))
                return Check(holder, ConditionSide(_read_target, whose, is_word=True), sign)
            return Check(
                ConditionSide(lambda context, target: bool(value_of(context, target, word)), whose),
                _constant_side(True),
                sign,
            )
    if _parameter_words(counter):
        word_itself = ConditionSide(lambda context, _: context.words[counter], (counter,), is_word=True)
        other = ConditionSide(lambda context, _: context.me) if value == "me" else _make_value(plan, value, whose)
        return Check(word_itself, other, op)
    if counter in POOL_COUNTERS and owner in plan.page.pools:
        left = ConditionSide(lambda context, _: _left_or_aside(context, owner, counter))
        return Check(left, _make_value(plan, value, whose), op)
    figure = plan.page.counters.get(counter)
    if counter in plan.page.flags or (figure is not None and figure.words):
        is_holding = {"yes": True, "no": False}.get(str(value)) if figure is None else None
        is_so = _make_word(str(value)) if is_holding is None else _constant_side(is_holding)
        return Check(_make_figure(plan, counter, whose), is_so, op)
    return Check(_make_figure(plan, counter, whose), _make_value(plan, value, whose), op)


def _make_figure(plan: PagePlan, counter: str, whose: tuple[str, ...]) -> ConditionSide:
    """Return the side that reads a counter of the target, including a counter kept for a rival."""
    base, _, rival = counter.rpartition("-")
    if base not in plan.figures[RIVAL]:
        return ConditionSide(lambda context, target: value_of(context, target, counter), whose)
    words = (*whose, *_parameter_words(rival))
    return ConditionSide(lambda context, target: value_of(context, target, counter_of(context, counter)), words)


def _make_word(word: str) -> ConditionSide:
    """Return the side for a literal word, or for the value given for it in the line."""
    return ConditionSide(lambda context, _: context.words.get(word, word), _parameter_words(word), is_word=True)


def _make_value(plan: PagePlan, value: int | str, whose: tuple[str, ...]) -> ConditionSide:
    """Return the side for a number, a value given in the line, or a counter, which may belong to another owner."""
    if isinstance(value, int):
        return _constant_side(value)
    owner, dot, counter = value.rpartition(".")
    if not dot:
        return _make_figure(plan, value, whose) if value in plan.page.counters else _make_word(value)

    def read(context: Context, _: str) -> Value:
        return value_of(context, targets_of(context, owner)[0], counter_of(context, counter))

    return ConditionSide(read, (*_parameter_words(owner), *_parameter_words(counter.rpartition("-")[2])))


def _parameter_words(word: str) -> tuple[str, ...]:
    return (word,) if TAKEN_WORD.fullmatch(word) else ()


def _constant_side(value: Value) -> ConditionSide:
    return ConditionSide(lambda *_: value)


def _read_target(context: Context, target: str) -> str:  # noqa: ARG001 – sides are read alike
    return target


def _is_out(context: Context, target: str) -> bool:
    return any(player.out for player in context.resolution.state.players if player.seat == target)


def _left_or_aside(context: Context, pool: str, counter: str) -> int:
    now = context.resolution.state.pools[pool]
    return now.size if counter == "left" else len(now.aside)


_COMPARED: Final[Mapping[str, str]] = {
    "<": "less than {}",
    "<=": "at most {}",
    "=": "{}",
    "!=": "not {}",
    ">=": "at least {}",
    ">": "more than {}",
}


def describe_condition(context: Context, condition: Condition) -> str:
    """Return a condition as displayed text: `Ana's Level is at least 3`, `Ash Wolf is not exhausted`."""
    who = _people_meant(context, condition.owner or "me")
    plural = "" if condition.owner in ("each", "any", "others") else "'s"
    match condition.op:
        case "out" | "not out":
            return f"{who} is {condition.op} of the game"
        case "has" | "has not":
            return f"{who} {_describe_having(context, condition)}"
    title = _figure_title(context, condition.owner, condition.counter)
    if condition.owner == TABLE:
        whose = title
    elif condition.counter in context.words:
        whose = _people_meant(context, condition.counter)
    elif condition.owner in context.plan.page.pools:
        return f"{who} has {_describe_comparison(context, condition)} {condition.counter}"
    else:
        whose = f"{who}'s {title}" if plural else f"the {title} of {who}"
    return f"{whose} is {_describe_comparison(context, condition)}"


def _describe_comparison(context: Context, condition: Condition) -> str:
    value = context.words.get(condition.value, condition.value) if isinstance(condition.value, str) else condition.value
    whose, dot, counter = str(value).rpartition(".")
    if dot:
        text = f"{_people_meant(context, whose)}'s {_figure_title(context, whose, counter)}"
    elif isinstance(value, int):
        text = written(value)
    elif condition.counter in context.words:
        text = _people_meant(context, str(condition.value))
    else:
        is_figure = any(value in figures for figures in context.plan.figures.values())
        text = f"their {_figure_title(context, condition.owner, value)}" if is_figure else str(value)
    return _COMPARED[condition.op].format(text)


def _describe_having(context: Context, condition: Condition) -> str:
    word, has_not = str(condition.value), condition.op == "has not"
    if word in context.words:
        return f"does not own {_people_meant(context, word)}" if has_not else f"owns {_people_meant(context, word)}"
    if word in context.plan.page.tokens:
        title = title_of(word, context.plan.page.tokens[word].title)
        return f"does not have the {title}" if has_not else f"has the {title}"
    flag = context.plan.page.flags.get(word)
    title = title_of(word, flag.title if flag else "").lower()
    return f"is {'not ' if has_not else ''}{title}"


def _people_meant(context: Context, word: str) -> str:
    """Return the name of the seat, pool or thing that a word of a condition means."""
    general = {"each": "everybody", "any": "somebody", "others": "everybody else", "table": "the table"}
    if word in general:
        return general[word]
    pool = context.plan.page.pools.get(word)
    if pool is not None:
        return title_of(word, pool.title)
    try:
        return name_of(find_bearer(context.resolution.state, targets_of(context, word)[0]))
    except RuleError:
        return "somebody" if word == "me" else str(context.words.get(word, word))


def _figure_title(context: Context, owner: str, counter: str) -> str:
    """Return the display name of a counter, including one kept for a rival (`damage-SEAT`)."""
    base, dash, rival = counter.rpartition("-")
    if dash and base in context.plan.figures[RIVAL]:
        return f"{context.plan.title(RIVAL, base)} ({_people_meant(context, rival)})"
    of = {TABLE: TABLE}.get(owner, SEAT)
    for figures in (context.plan.figures[of], *context.plan.figures.values()):
        if counter in figures:
            return title_of(counter, figures[counter].title)
    return title_of(counter)
