"""The sums behind the points of a score sheet, such as `3 × 10 + 5`, reckoned when somebody reads them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.described.page.amount_texts import describe_amount
from companion.games.described.page.amounts import Amount, Negative, Number, Product, Sum
from companion.games.described.rules.context import Context
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.score_sheet import Entries, RowContext, compile_in_row, terms_of_points
from companion.games.described.rules.state import DescribedTable, Resolution
from templates.languages.messages import Language, Message, Text, render_value


class RowSum(Message):
    """The sum behind the points of a seat or team in a finished row of the sheet; it renders to "" for a lone figure.

    Tables are shown far more often than sums are read, so it is reckoned only when it is rendered.
    """

    __slots__ = ("_entered", "_number", "_plan", "_side", "_state")

    def __init__(self, plan: PagePlan, state: DescribedTable, number: int, entered: Entries, side: str) -> None:
        self._plan, self._state = plan, state
        self._number, self._entered, self._side = number, entered, side

    def render(self, language: Language) -> str:
        return render_value(_describe_row(self._plan, self._state, self._number, self._entered, self._side), language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self._plan.page.name, self._number, self._entered, self._side)


def _describe_row(plan: PagePlan, state: DescribedTable, number: int, entered: Entries, side: str) -> Text:
    row = RowContext(Context(plan, Resolution(state)), entered, number)
    terms = [_with_figures(plan, row, side, term) for term in terms_of_points(row, side)]
    parts = [part for term in terms for part in _split_sum(term) if _value(part)]
    if not parts or (len(parts) == 1 and not isinstance(_without_sign(parts[0]), Product)):
        return ""
    first = parts[0]
    if isinstance(first, Negative) and isinstance(first.amount, Product):
        # −2 × 3 rather than −(2 × 3)
        factor, *others = first.amount.factors
        parts[0] = Product((Negative(factor), *others))
    return describe_amount(Sum(tuple(parts)), lambda name: name.word)


def _with_figures(plan: PagePlan, row: RowContext, side: str, amount: Amount) -> Amount:
    """Return an amount with its names, and everything but sums and products, as the figures of an entry."""
    match amount:
        case Number(value):
            return _number(value)
        case Negative(inner):
            return _negate(_with_figures(plan, row, side, inner))
        case Sum(terms):
            return Sum(tuple(_with_figures(plan, row, side, term) for term in terms))
        case Product(factors):
            signed = [_with_figures(plan, row, side, factor) for factor in factors]
            is_negative = sum(isinstance(factor, Negative) for factor in signed) % 2 == 1
            product = Product(tuple(map(_without_sign, signed)))
            return Negative(product) if is_negative else product
    return _number(compile_in_row(plan, amount)(row, row.entered.get(side, {})))


def _split_sum(amount: Amount) -> Iterator[Amount]:
    """Yield the terms of a sum, with those of sums in it; any other amount is its only term."""
    match amount:
        case Sum(terms):
            for term in terms:
                yield from _split_sum(term)
        case Negative(Sum(terms)):
            for term in terms:
                yield from map(_negate, _split_sum(term))
        case _:
            yield amount


def _number(value: int) -> Amount:
    return Negative(Number(-value)) if value < 0 else Number(value)


def _negate(amount: Amount) -> Amount:
    return amount.amount if isinstance(amount, Negative) else Negative(amount)


def _without_sign(amount: Amount) -> Amount:
    return amount.amount if isinstance(amount, Negative) else amount


def _value(amount: Amount) -> int:
    """Return the value of an amount of figures."""
    match amount:
        case Number(value):
            return value
        case Negative(inner):
            return -_value(inner)
        case Sum(terms):
            return sum(map(_value, terms))
        case Product(factors):
            product = 1
            for factor in factors:
                product *= _value(factor)
            return product
    raise AssertionError(amount)
