"""The numbers worth trying for a parameter `N` of a page's own line: those at which its conditions begin to hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from companion.games.described.page.amounts import (
    Amount,
    Name,
    Negative,
    Product,
    Sum,
    parameters_of,
    parts_of_amount,
)
from companion.games.described.page.conditions import Condition
from companion.games.described.rules.context import Context
from companion.games.described.rules.evaluation import Check, check_of
from companion.games.described.rules.plan import PagePlan
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import MAX_VALUE

USUAL: Final = 1
"""The number that is tried first, and stands for all others if nothing limits them."""

_SMALL: Final = tuple(range(2, 13))
"""Numbers to try for a place, or an entry on the score sheet."""
_MANY: Final = (*range(2, 42), *(2**power for power in range(6, 21)))
"""Numbers to try in conditions that are no straight lines, such as `N * N > 30` or `[1, 3, 6] by N = 6`."""


class NumberParameter(NamedTuple):
    """A parameter `N` of a line, with what limits it.

    `conditions` name it and only parameters that are given before it. `others` are numbers to try besides those at
    which the conditions begin or cease to hold. `can_be_none` is True if 0 is worth trying: a line for nothing is only
    offered if a condition of the page speaks of its number.
    """

    word: str
    conditions: tuple[Check, ...]
    others: tuple[int, ...]
    can_be_none: bool

    @property
    def is_limited(self) -> bool:
        """Return True if something can exclude the usual number."""
        return bool(self.conditions or self.others)


def make_number(
    plan: PagePlan, word: str, conditions: Sequence[Condition], *, is_in_when: bool, is_placed: bool
) -> NumberParameter:
    """Return a parameter with the numbers to try.

    `is_in_when` is True if a condition of the page names it, `is_placed` if it is a place or an entry, which can be
    refused without a condition.
    """
    limits = tuple(check_of(plan, condition) for condition in conditions)
    is_straight = all(_is_straight(side, word) for each in conditions for side in (each.left, each.value))
    others = (*(_SMALL if is_placed else ()), *(() if is_straight else _MANY))
    return NumberParameter(word, limits, tuple(sorted(set(others))), is_in_when or is_placed)


def numbers_to_try(context: Context, number: NumberParameter) -> Iterator[int]:
    """Yield the usual number, then those at which a condition begins or ceases to hold, then others, and 0 last.

    A condition whose sides are sums with the parameter holds for some number if and only if it holds for one of these.
    """
    yield USUAL
    if number.conditions:
        yield from sorted({each for each in _turning_points(context, number) if USUAL < each <= MAX_VALUE})
    yield from number.others
    if number.can_be_none:
        yield 0


def _turning_points(context: Context, number: NumberParameter) -> Iterator[int]:
    """Yield the whole numbers around those for which the two sides of a condition are equal."""
    words: Any = context.words
    for check in number.conditions:
        for target in _targets(context, check):
            differences = list[int]()
            for words[number.word] in (0, 1):
                try:
                    present, value = check.present.read(context, target), check.value.read(context, target)
                except RuleError:
                    break
                if not isinstance(present, int) or not isinstance(value, int):
                    break
                differences.append(present - value)
            if len(differences) < 2 or differences[0] == differences[1]:
                continue
            at = -differences[0] // (differences[1] - differences[0])
            yield from (at - 1, at, at + 1)
    words.pop(number.word, None)


def _targets(context: Context, check: Check) -> tuple[str, ...]:
    try:
        return check.targets(context)
    except RuleError:
        return ()


def _is_straight(side: int | str | Amount | None, word: str) -> bool:
    """Return True if one side of a condition grows evenly with a parameter, or does not depend on it."""
    if side is None or isinstance(side, int | str) or word not in parameters_of(side):
        return True
    match side:
        case Name():
            return True
        case Sum() | Negative():
            return all(_is_straight(part, word) for part in parts_of_amount(side))
        case Product(factors):
            bent = [factor for factor in factors if word in parameters_of(factor)]
            return len(bent) == 1 and _is_straight(bent[0], word)
    return False
