"""The conditions of a page: `level >= 10`, `table time = night`, `me has not crown`, `me.gold >= 2 * THING.price`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, cast

from companion.games.described.page.amounts import (
    ALONE,
    PARTNER,
    SEVERAL,
    Amount,
    Name,
    Number,
    Standing,
    all_parts,
    names_in,
    parse_amount,
)
from companion.games.described.page.takes import OWNER_WORD, TAKEN_WORD, normalize_owner, normalize_word
from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, listed, phrase

Operator = Literal["<", "<=", "=", "!=", ">=", ">", "has", "has not", "in", "not in", "out", "not out"]

OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
"""The comparison functions by their signs."""

OWNERS: Final = ("me", "each", "any", "table", "others", "left", "right")
"""The possible owners of a condition, besides the parameters of a line."""

POOL_COUNTERS: Final = ("left", "aside")
"""The counters of a pool in conditions: the cards left to draw, and the cards that lie aside."""

_SPELLINGS: Final = {"==": "=", "≤": "<=", "=<": "<=", "≥": ">=", "=>": ">=", "≠": "!=", "<>": "!="}
_PARTS: Final = re.compile(r"[<>=!≤≥≠]+|[^\s<>=!≤≥≠]+")
_SIGNS: Final = "<>=!≤≥≠"
_FIGURE: Final = re.compile(r"[+-]?[0-9]{1,7}")
_WORD: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PARAMETER: Final = re.compile(f"{TAKEN_WORD.pattern}|{OWNER_WORD.pattern}")
_OWNER: Final = re.compile(r"\s*owner\s+of\s+THING([2-9]?)(?=\s)", re.IGNORECASE)
_CALCULATES: Final = re.compile(r"[+*×·()\[\],]|(?<![A-Za-z0-9])-")
"""A sign of an amount that is calculated."""
_BEGINS: Final = re.compile(r"[A-Za-z]")
_IS: Final[tuple[list[str], ...]] = ([], ["is"], ["not"], ["is", "not"])
"""The words that can stand between a thing and the `in` before its place."""
_LONGEST: Final = 200


class Condition(NamedTuple):
    """A parsed condition.

    `owner` is one of OWNERS, a parameter of the line (`SEAT`, `THING2`), `OWNER` for the owner of `THING`, a pool, or
    an empty string for the seat or thing concerned. `counter` is a counter, one of POOL_COUNTERS for a pool, or an
    empty string for the counter that an `out = "<= 0"` belongs to. `value` is a figure, a word, another counter,
    possibly of another owner (`THING.power`), a parameter of the line (`N`), or an amount that is made from several of
    them. With `has` it is a token, a flag, or a thing parameter; with `in` it is a zone; with `out` it is an empty
    string. `left` is an amount that is compared instead of a counter: `me.strength + N > 3`.
    """

    owner: str
    counter: str
    op: Operator
    value: int | str | Amount
    left: Amount | None = None


@lru_cache(4096)
def parse_condition(text: str) -> Condition:
    """Parse a condition without checking that its words exist.

    Raises NotationError, which explains the syntax, if the text is no condition. The cache serves the house rules of a
    page, each of which parses the same conditions again.
    """
    if len(text) > _LONGEST:
        raise NotationError(phrase("A condition has at most {most} symbols; split it into several.", most=_LONGEST))
    plain = text.replace("−", "-")
    of_thing = _OWNER.match(plain)
    written = _PARTS.findall(f"OWNER{of_thing[1]}{plain[of_thing.end() :]}" if of_thing else plain)
    parts = [_normalize_word(word) for word in written]
    if parts[-1:] == ["out"] and len(whose := [part for part in parts[:-1] if part != "not"]) < 2:
        is_out: Operator = "not out" if parts[-2:-1] == ["not"] else "out"
        if parts[:-1] in ([*whose], [*whose, "not"]):
            return Condition(_check_owner(whose[0], text) if whose else "", "", is_out, "")
    if "in" in parts[-3:-1] and parts[-1][0] not in _SIGNS and parts[-2] not in OPERATORS:
        return _parse_place(parts, text)
    if "has" in parts[:2]:
        before, behind = parts[: parts.index("has")], parts[parts.index("has") + 1 :]
        has: Operator = "has not" if behind[1:] and behind[0] in ("not", "no") else "has"
        behind = behind[1:] if has == "has not" else behind
        if len(behind) != 1:
            raise _unreadable_error(text)
        return Condition(_check_owner(before[0], text) if before else "", "", has, _check_word(behind[0], text))
    signs = [at for at, part in enumerate(parts) if part[0] in _SIGNS]
    if len(signs) != 1 or len(parts) < signs[0] + 2:
        raise _unreadable_error(text)
    at = signs[0]
    op = _SPELLINGS.get(parts[at], parts[at])
    if op not in OPERATORS:
        raise NotationError(phrase("{sign} is not a comparison; write <, <=, =, !=, >= or >.", sign=in_quotes(op)))
    owner, counter, left = _parse_left(written[:at], text)
    return Condition(owner, counter, cast("Operator", op), _parse_right(written[at + 1 :], text), left)


def _parse_place(parts: list[str], text: str) -> Condition:
    """Return a condition on the place of a thing: `THING in bench`, `THING is not in zone bench`."""
    match parts:
        case [owner, *between, "in", "zone", zone] | [owner, *between, "in", zone] if between in _IS:
            op: Operator = "not in" if "not" in between else "in"
            return Condition(_check_owner(owner, text), "", op, _check_word(zone, text))
    raise _unreadable_error(text)


def _parse_left(parts: list[str], text: str) -> tuple[str, str, Amount | None]:
    """Return the owner and the counter of the left side of a comparison, or the amount there."""
    if not parts:
        return "", "", None
    if not any(map(_CALCULATES.search, parts)) and "of" not in parts:
        if len(parts) > 2:
            raise _unreadable_error(text)
        if not (len(parts) == 1 and ("." in parts[0] or parts[0].isdecimal())):
            return _parse_owner_and_counter(parts, text)
    owner, first = "", _normalize_word(parts[0])
    if len(parts) > 1 and (first in OWNERS or _PARAMETER.fullmatch(first)) and _BEGINS.match(parts[1]):
        owner, parts = first, parts[1:]
    amount = _parse_side(parts, text)
    if isinstance(amount, Name) and not owner and amount.owner not in SEVERAL:
        if _WORD.fullmatch(amount.owner) and amount.owner not in OWNERS and not _is_pool(amount.owner, amount.word):
            return "", "", amount  # a thing of a list, by its word
        if amount.owner == "any":
            raise NotationError(
                phrase(
                    "{text}: write “any {counter}”, with a space; a dot stands in amounts.",
                    text=in_quotes(text),
                    counter=amount.word,
                )
            )
        is_pool = _is_pool(amount.owner, amount.word)
        return amount.owner if is_pool else _check_owner(amount.owner, text), amount.word, None
    return owner, "", amount


@lru_cache(4096)
def depends_on_others(text: str) -> bool:
    """Return True if a condition names the figures of other players; False if it cannot be read."""
    return waits_for_others(text) or any(
        isinstance(part, Standing) or (isinstance(part, Name) and part.pick)
        for side in sides_of(text)
        for part in all_parts(side)
    )


@lru_cache(4096)
def waits_for_others(text: str) -> bool:
    """Return True if a condition only makes sense once all players have their figures; False if it cannot be read.

    A standing, and the most or fewest of several figures, compare with those who have one already.
    """
    names = [name for side in sides_of(text) for name in names_in(side)]
    return any(name.owner in (*SEVERAL, "any", "left", "right", PARTNER) and not name.pick for name in names)


def sides_of(text: str) -> tuple[Amount, ...]:
    """Return the amounts that a condition compares; none if it cannot be read."""
    try:
        condition = parse_condition(text)
    except NotationError:
        return ()
    owner, counter, _, value, left = condition
    whose, _, word = value.rpartition(".") if isinstance(value, str) else ("", "", "")
    sides: list[Amount] = [Name(owner, counter)]
    sides += [left] if left is not None else []
    sides += [Name(whose, word)] if isinstance(value, str) else [] if isinstance(value, int) else [value]
    return tuple(sides)


def with_amount(condition: Condition, words: Collection[str]) -> Condition:
    """Return a condition whose counter is an amount if it is one of these words: `round >= 3`, `table round >= 3`."""
    if condition.owner not in ("", "table") or condition.left is not None or condition.counter not in words:
        return condition
    return condition._replace(owner="", counter="", left=Name("", condition.counter))


def _parse_owner_and_counter(words: list[str], text: str) -> tuple[str, str, None]:
    parts = [_normalize_word(word) for word in words]
    counter = _check_word(parts[-1], text)
    if counter in OWNERS and not (len(parts) > 1 and _is_pool(parts[0], counter)):
        raise NotationError(
            phrase(
                "{text} does not say which counter of {owner} it means; write it as “level >= 10”, “table time = "
                "night”, “me has crown” or “each out”.",
                text=in_quotes(text),
                owner=in_quotes(counter),
            )
        )
    if len(parts) == 1:
        return "", counter, None
    return parts[0] if _is_pool(parts[0], counter) else _check_owner(parts[0], text), counter, None


def _parse_right(parts: list[str], text: str) -> int | str | Amount:
    """Return the right side of a comparison: a number, a word or counter, or an amount."""
    if len(parts) == 1 and not _CALCULATES.search(parts[0]) and parts[0].partition(".")[0] not in SEVERAL:
        return _parse_value(_normalize_word(parts[0]), text)
    if len(parts) == 2 and not any(map(_CALCULATES.search, parts)):
        owner = _normalize_word(parts[0])
        if owner in ALONE or _PARAMETER.fullmatch(owner):
            return f"{owner}.{_check_word(_normalize_word(parts[1]), text)}"
    amount = _parse_side(parts, text)
    match amount:
        case Number(value):
            return value
        case Name("", word):
            return word
        case Name(owner, word) if owner not in SEVERAL and (owner in OWNERS or _PARAMETER.fullmatch(owner)):
            return f"{_check_owner(owner, text)}.{word}"
    return amount


def _parse_side(parts: list[str], text: str) -> Amount:
    """Return the amount on one side of a comparison."""
    side = " ".join(parts)
    try:
        return parse_amount(side)
    except NotationError:
        if _CALCULATES.search(side.replace(",", "")):
            raise
        raise _unreadable_error(text) from None


def _is_pool(word: str, counter: str) -> bool:
    """Return True if a word can only be a pool, because its counter is one of POOL_COUNTERS."""
    is_somebody = word in OWNERS or _PARAMETER.fullmatch(word)
    return counter in POOL_COUNTERS and not is_somebody and bool(_WORD.fullmatch(word))


def _check_owner(word: str, text: str) -> str:
    """Return the owner in a condition. Whether a word of the page means anybody is for the page to say."""
    if word in OWNERS or _PARAMETER.fullmatch(word) or _WORD.fullmatch(word):
        return word
    raise NotationError(describe_nobody(word, text))


def describe_nobody(word: str, text: str, others: Iterable[str] = ()) -> Message:
    """Return a message that a word is nobody in a condition; `others` are words of the page that would be somebody."""
    return phrase(
        "{word} in {text} is nobody that a condition can be about; write {owners}, or a word that the line takes.",
        word=in_quotes(word),
        text=in_quotes(text),
        owners=listed((*OWNERS, *others)),
    )


def _normalize_word(word: str) -> str:
    """Return a word in lower case, except for its parameters, such as those of `THING.damage-SEAT`."""
    if OWNER_WORD.fullmatch(word):
        return word
    owner, dot, counter = word.partition(".")
    return f"{normalize_owner(owner)}.{normalize_word(counter)}" if dot else normalize_word(word)


def _check_word(word: str, text: str) -> str:
    """Return the text if it is a word of the page, a parameter, or a counter for a seat parameter."""
    head, _, tail = word.rpartition("-")
    if _PARAMETER.fullmatch(word) or _WORD.fullmatch(head if _PARAMETER.fullmatch(tail) else word):
        return word
    raise _unreadable_error(text)


def _parse_value(word: str, text: str) -> int | str | Amount:
    if _FIGURE.fullmatch(word):
        return int(word)
    owner, dot, counter = word.partition(".")
    if not dot:
        return _check_word(word, text)
    if owner in OWNERS or _PARAMETER.fullmatch(owner) or not _WORD.fullmatch(owner):
        return f"{_check_owner(owner, text)}.{_check_word(counter, text)}"
    return Name(owner, _check_word(counter, text))


def _unreadable_error(text: str) -> NotationError:
    return NotationError(
        phrase(
            "{text} is not a condition; write it as “level >= 10”, “table time = night”, “me has crown” or “each out”.",
            text=in_quotes(text),
        )
    )
