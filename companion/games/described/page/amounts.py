"""The amounts of a page: `3`, `-N`, `2 * N + me.level`, `max(0, THING.power - SEAT.armour)`, `[3, 5, 8] by round`.

An amount is a sum or product of whole numbers, the parameters of a line, counters, and the standing of players by them
(`[6, 3] by rank of coins`). It has no loops and no division, and is always a whole number. `parse_amount` reads it,
`str(amount)` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal

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
"""The owners whose counters are added up, or of which `most of` and `fewest of` pick one."""
ALONE: Final = ("me", "left", "right", "table")
"""The owners that mean one player, or the table, besides the parameters of a line."""

Pick = Literal["", "most", "fewest"]
"""The words before `of` that pick the largest or smallest figure of several players; otherwise these are added up."""
StandingWord = Literal["rank", "ties"]
"""The words before `of` for the standing of a player among all."""

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
    """A counter of an owner (`me.level`), or a word alone: a parameter, a counter of those concerned, or `round`.

    Of several players (`each.level`), the counters are added up unless `pick` says which one is meant.
    """

    owner: str
    word: str
    pick: Pick = ""

    def __str__(self) -> str:
        text = f"{self.owner}.{self.word}" if self.owner else self.word
        return f"{self.pick} of {text}" if self.pick else text


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


class Standing(_Amount, frozen=True):
    """The standing of a player among all, or of a team, by an amount of the counters of each.

    `rank` is 1 for the most, and one more for each player with more; `ties` is the number of players with as much, the
    player included. An `owner` is the player who is meant; otherwise it is whoever the amount is about.
    """

    word: StandingWord
    owner: str
    amount: Amount

    def __str__(self) -> str:
        if self.owner:
            return f"{self.word} of {self.owner}.{self.amount}"
        is_plain = isinstance(self.amount, Number | Name | Negative | Extreme | Standing)
        return f"{self.word} of {self.amount if is_plain else f'({self.amount})'}"


class ValueTable(_Amount, frozen=True):
    """A value picked from a list by the place that another amount gives, such as the number of the round.

    The places begin with `first`; if it is None, with 1 or, by players, with the fewest of the page.
    """

    values: tuple[int, ...]
    by: Amount
    first: int | None = None

    def __str__(self) -> str:
        is_plain = isinstance(self.by, Name | Extreme | Standing) or (
            isinstance(self.by, Number) and self.by.value >= 0
        )
        begins = "" if self.first is None else f" from {self.first}"
        return f"[{', '.join(map(str, self.values))}] by {self.by if is_plain else f'({self.by})'}{begins}"

    @property
    def all_values(self) -> tuple[int, ...]:
        """The values and, by rank, the 0 of whoever is behind the last one."""
        is_by_rank = isinstance(self.by, Standing) and self.by.word == "rank" and self.first is None
        return (*self.values, 0) if is_by_rank else self.values


Amount = Number | Name | Negative | Sum | Product | Extreme | Standing | ValueTable


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
        case Standing(amount=inner):
            return (inner,)
        case ValueTable(by=by):
            return (by,)
    return ()


def all_parts(amount: Amount) -> Iterator[Amount]:
    """Yield an amount and all amounts from which it is made, from left to right."""
    yield amount
    for part in parts_of_amount(amount):
        yield from all_parts(part)


def names_in(amount: Amount) -> Iterator[Name]:
    """Yield the names in an amount, from left to right."""
    return (part for part in all_parts(amount) if isinstance(part, Name))


def parameters_of(amount: Amount) -> tuple[str, ...]:
    """Return the parameters of the line on which an amount depends, each once: `N`, or `SEAT` in `damage-SEAT`."""
    words: list[str] = []
    for part in all_parts(amount):
        if isinstance(part, Name):
            words += (part.owner, part.word, part.word.rpartition("-")[2])
        elif isinstance(part, Standing):
            words.append(part.owner)
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


def _is_owner(word: str) -> bool:
    """Return True if a word can only mean whoever or whatever has a counter: `rank of THING` is its counter."""
    return word in (*ALONE, *SEVERAL) or (word.startswith(("SEAT", "THING")) and bool(TAKEN_WORD.fullmatch(word)))


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

    def _read_name(self, first: str) -> Amount:
        self.terms += 1
        if self._takes("."):
            return Name(normalize_owner(first), normalize_word(self._read_word()))
        if self._next().lower() != "of":
            return Name("", normalize_word(first))
        self._at += 1
        word, owner = first.lower(), normalize_owner(self._next())
        if word in ("rank", "ties") and (self._next(1) == "." or not _is_owner(owner)):
            return self._read_standing("rank" if word == "rank" else "ties")
        if word in ("most", "fewest") and self._next(1) == ".":
            return self._read_pick("most" if word == "most" else "fewest")
        return Name(normalize_owner(self._read_word()), normalize_word(first))

    def _read_standing(self, word: StandingWord) -> Standing:
        """Read the amount behind `rank of` or `ties of`, and the player whose standing it is."""
        amount = self._read_factor()
        if isinstance(amount, Name) and amount.owner and not amount.pick:
            return Standing(word, amount.owner, Name("", amount.word))
        return Standing(word, "", amount)

    def _read_pick(self, pick: Pick) -> Name:
        """Read the counter behind `most of` or `fewest of`."""
        owner = normalize_owner(self._read_word())
        self._expect(".")
        name = Name(owner, normalize_word(self._read_word()), pick)
        if owner not in SEVERAL:
            raise NotationError(
                phrase(
                    "{amount}: “{pick} of” picks one of several players; write “{pick} of each.{word}” or “{pick} of "
                    "others.{word}”.",
                    amount=in_quotes(self._text),
                    pick=pick,
                    word=name.word,
                )
            )
        return name

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
        by = self._read_single()
        if self._next().lower() != "from":
            return ValueTable(tuple(values), by)
        self._at += 1
        return ValueTable(tuple(values), by, self._read_whole_number())

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

    def _next(self, ahead: int = 0) -> str:
        return self._symbols[self._at + ahead] if self._at + ahead < len(self._symbols) else ""

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
