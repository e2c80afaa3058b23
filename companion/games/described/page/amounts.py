"""The amounts of a page: `3`, `-N`, `2 * N + me.level`, `max(0, THING.power - SEAT.armour)`, `[3, 5, 8] by round`.

An amount is a sum or product of whole numbers, the parameters of a line, and counters. It has no loops and no division,
and is always a whole number. `parse_amount` reads it, `str(amount)` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from companion.games.described.page.takes import TAKEN_WORD, normalize_owner, normalize_word
from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

ROUND_WORDS: Final = ("round", "rounds")
"""The words for the number of the present round."""
PLAYERS_WORD: Final = "players"
"""The word for the number of players."""
TABLE_WORDS: Final = (*ROUND_WORDS, PLAYERS_WORD)
"""The words that mean a number of every table, unless the page has a counter of that name."""
HAND_WORD: Final = "hand"
"""The word for the cards that everybody is dealt in the present round, if the page says how many."""
SEVERAL: Final = ("each", "others")
"""The owners whose counters are added up."""

MOST_TERMS: Final = 12
"""The maximum number of terms in an amount."""
_MOST_VALUES: Final = 40
_MOST_SYMBOLS: Final = 200
_MOST_DEPTH: Final = 12


class _Amount(msgspec.Struct, frozen=True):
    """An amount, or a part of one; `str()` writes it as on a page."""


class Number(_Amount, frozen=True):
    """A whole number."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class Name(_Amount, frozen=True):
    """A counter of an owner (`me.level`), or a word alone: a parameter, a counter of those concerned, or `round`."""

    owner: str
    word: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.word}" if self.owner else self.word


class Negative(_Amount, frozen=True):
    """The negative of an amount."""

    amount: Amount

    def __str__(self) -> str:
        return f"-{_write_factor(self.amount)}"


class Sum(_Amount, frozen=True):
    """Amounts that are added up."""

    terms: tuple[Amount, ...]

    def __str__(self) -> str:
        first, *others = self.terms
        return _write_term(first) + "".join(
            f" - {_write_term(each.amount)}" if isinstance(each, Negative) else f" + {_write_term(each)}"
            for each in others
        )


class Product(_Amount, frozen=True):
    """Amounts that are multiplied."""

    factors: tuple[Amount, ...]

    def __str__(self) -> str:
        return " * ".join(map(_write_factor, self.factors))


class Extreme(_Amount, frozen=True):
    """The largest or the smallest of several amounts."""

    is_largest: bool
    amounts: tuple[Amount, ...]

    def __str__(self) -> str:
        return f"{'max' if self.is_largest else 'min'}({', '.join(map(str, self.amounts))})"


class ValueTable(_Amount, frozen=True):
    """A value picked from a list by the place that another amount gives, such as the number of the round."""

    values: tuple[int, ...]
    by: Amount

    def __str__(self) -> str:
        is_plain = isinstance(self.by, Name | Extreme) or (isinstance(self.by, Number) and self.by.value >= 0)
        return f"[{', '.join(map(str, self.values))}] by {self.by if is_plain else f'({self.by})'}"


Amount = Number | Name | Negative | Sum | Product | Extreme | ValueTable


def _write_term(amount: Amount) -> str:
    return f"({amount})" if isinstance(amount, Sum) else str(amount)


def _write_factor(amount: Amount) -> str:
    return f"({amount})" if isinstance(amount, Sum | Product) else str(amount)


def parts_of_amount(amount: Amount) -> tuple[Amount, ...]:
    """Return the amounts from which an amount is made; none for a number or a name."""
    match amount:
        case Negative(inner):
            return (inner,)
        case Sum(parts) | Product(parts):
            return parts
        case Extreme(_, parts):
            return parts
        case ValueTable(_, by):
            return (by,)
    return ()


def names_in(amount: Amount) -> Iterator[Name]:
    """Yield the names in an amount, from left to right."""
    if isinstance(amount, Name):
        yield amount
    for part in parts_of_amount(amount):
        yield from names_in(part)


def parameters_of(amount: Amount) -> tuple[str, ...]:
    """Return the parameters of the line on which an amount depends, each once: `N`, or `SEAT` in `damage-SEAT`."""
    words = (word for name in names_in(amount) for word in (name.owner, name.word, name.word.rpartition("-")[2]))
    return tuple(dict.fromkeys(word for word in words if TAKEN_WORD.fullmatch(word)))


@lru_cache(4096)
def parse_amount(text: str) -> Amount:
    """Parse an amount without checking that its words exist. Raises NotationError, which explains the syntax."""
    if len(text) > _MOST_SYMBOLS:
        raise NotationError(phrase("An amount has at most {most} symbols.", most=_MOST_SYMBOLS))
    reader = _AmountReader(text)
    amount = reader.read_sum()
    reader.check_end()
    if reader.terms > MOST_TERMS:
        values = {"amount": in_quotes(text), "number": reader.terms, "most": MOST_TERMS}
        raise NotationError(phrase("{amount} has {number} terms; an amount has at most {most}.", **values))
    return amount


_TOKENS: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|[0-9]+|\S)")
_NUMBER: Final = re.compile(r"[0-9]{1,7}")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_SPELLINGS: Final = str.maketrans({"−": "-", "×": "*", "·": "*"})


class _AmountReader:
    """A reader of the symbols of an amount, one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._symbols: list[str] = _TOKENS.findall(text.translate(_SPELLINGS))
        self._at = 0
        self._depth = 0
        self.terms = 0

    def read_sum(self) -> Amount:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise self._error()
        terms = [self._read_product()]
        while (sign := self._next()) in ("+", "-"):
            self._at += 1
            term = self._read_product()
            terms.append(Negative(term) if sign == "-" else term)
        self._depth -= 1
        return Sum(tuple(terms)) if len(terms) > 1 else terms[0]

    def check_end(self) -> None:
        if self._at < len(self._symbols):
            raise self._error()

    def _read_product(self) -> Amount:
        factors = [self._read_factor()]
        while self._takes("*"):
            factors.append(self._read_factor())
        return Product(tuple(factors)) if len(factors) > 1 else factors[0]

    def _read_factor(self) -> Amount:
        sign = self._next()
        if sign not in ("+", "-"):
            return self._read_single()
        self._at += 1
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise self._error()
        amount = self._read_factor()
        self._depth -= 1
        if sign == "+":
            return amount
        return Number(-amount.value) if isinstance(amount, Number) and amount.value >= 0 else Negative(amount)

    def _read_single(self) -> Amount:
        symbol = self._next()
        self._at += 1
        if _NUMBER.fullmatch(symbol):
            self.terms += 1
            return Number(int(symbol))
        if symbol == "(":
            amount = self.read_sum()
            self._expect(")")
            return amount
        if symbol == "[":
            return self._read_table()
        if symbol.lower() in ("max", "min") and self._takes("("):
            amounts = [self.read_sum()]
            while self._takes(","):
                amounts.append(self.read_sum())
            self._expect(")")
            return Extreme(symbol.lower() == "max", tuple(amounts))
        if _NAME.fullmatch(symbol):
            return self._read_name(symbol)
        self._at -= 1
        raise self._error()

    def _read_name(self, first: str) -> Name:
        self.terms += 1
        if self._takes("."):
            return Name(normalize_owner(first), normalize_word(self._read_word()))
        if self._next().lower() == "of":
            self._at += 1
            return Name(normalize_owner(self._read_word()), normalize_word(first))
        return Name("", normalize_word(first))

    def _read_table(self) -> ValueTable:
        values = [self._read_whole_number()]
        while self._takes(","):
            values.append(self._read_whole_number())
        self._expect("]")
        self.terms += 1
        if len(values) > _MOST_VALUES:
            raise NotationError(phrase("A list of values has at most {most} of them.", most=_MOST_VALUES))
        if self._next().lower() != "by":
            return ValueTable(tuple(values), Name("", ROUND_WORDS[0]))
        self._at += 1
        return ValueTable(tuple(values), self._read_single())

    def _read_whole_number(self) -> int:
        is_negative = self._takes("-")
        symbol = self._next()
        if not _NUMBER.fullmatch(symbol):
            raise self._error()
        self._at += 1
        return -int(symbol) if is_negative else int(symbol)

    def _read_word(self) -> str:
        symbol = self._next()
        if not _NAME.fullmatch(symbol):
            raise self._error()
        self._at += 1
        return symbol

    def _next(self) -> str:
        return self._symbols[self._at] if self._at < len(self._symbols) else ""

    def _takes(self, symbol: str) -> bool:
        if self._next() != symbol:
            return False
        self._at += 1
        return True

    def _expect(self, symbol: str) -> None:
        if not self._takes(symbol):
            raise self._error()

    def _error(self) -> NotationError:
        values = {"amount": in_quotes(self._text), "symbol": in_quotes(self._next())}
        if self._next():
            return NotationError(
                phrase(
                    "{amount} is not an amount, because of {symbol}; write it as “3”, “2 * N”, “me.level + 1” or "
                    "“[3, 5, 8] by round”.",
                    **values,
                )
            )
        return NotationError(
            phrase("{amount} is not a whole amount; write it as “3”, “2 * N” or “me.level + 1”.", **values)
        )


def split_amounts(words: Iterable[str]) -> list[str]:
    """Join words that belong to one amount because a bracket is still open: `(2`, `*`, `N)`, `3` are two amounts."""
    amounts: list[str] = []
    open_brackets = 0
    for word in words:
        if open_brackets > 0:
            amounts[-1] += f" {word}"
        else:
            amounts.append(word)
        open_brackets += sum(word.count(each) for each in "([") - sum(word.count(each) for each in ")]")
    return amounts


_OWNERS: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]*)(?:\.[A-Za-z0-9-]+)?")


def owners_in(line: str) -> Iterator[str]:
    """Yield the words of a line that can name whoever or whatever has a figure: `mill` in `-mill.water`."""
    return (match[1] for match in _OWNERS.finditer(line))
