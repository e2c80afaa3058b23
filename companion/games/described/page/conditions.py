"""The conditions of a page: `level >= 10`, `table time = night`, `me has not crown`, `bag left = 0`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, cast

from companion.games.described.page.takes import TAKEN_WORD
from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import listed, phrase

Operator = Literal["<", "<=", "=", "!=", ">=", ">", "has", "has not", "out", "not out"]

OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
"""The comparison functions by their signs."""

OWNERS: Final = ("me", "each", "any", "table", "others")
"""The possible owners of a condition, besides the parameters of a line."""

POOL_COUNTERS: Final = ("left", "aside")
"""The counters of a pool in conditions: the cards left to draw, and the cards that lie aside."""

_SPELLINGS: Final = {"==": "=", "≤": "<=", "=<": "<=", "≥": ">=", "=>": ">=", "≠": "!=", "<>": "!="}
_PARTS: Final = re.compile(r"[<>=!≤≥≠]+|[^\s<>=!≤≥≠]+")
_FIGURE: Final = re.compile(r"[+-]?[0-9]{1,7}")
_WORD: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 200


class Condition(NamedTuple):
    """A parsed condition.

    `owner` is `me`, `each`, `any`, `table`, `others`, a parameter of the line (`SEAT`, `THING2`), a pool, or an empty
    string for the seat or thing concerned. `counter` is a counter, one of POOL_COUNTERS for a pool, or an empty string
    for the counter that an `out = "<= 0"` belongs to. `value` is a figure, a word, another counter, possibly of another
    owner (`THING.power`), or a parameter of the line (`N`). With `has` it is a token, a flag, or a thing parameter;
    with `out` it is an empty string.
    """

    owner: str
    counter: str
    op: Operator
    value: int | str


@lru_cache(4096)
def parse_condition(text: str) -> Condition:
    """Parse a condition without checking that its words exist.

    Raises NotationError, which explains the syntax, if the text is no condition. The cache serves the house rules of a
    page, each of which parses the same conditions again.
    """
    if len(text) > _LONGEST:
        raise NotationError(phrase("A condition has at most {most} symbols; split it into several.", most=_LONGEST))
    parts = [_normalize_word(word) for word in _PARTS.findall(text.replace("−", "-"))]
    if parts[-1:] == ["out"] and len(whose := [part for part in parts[:-1] if part != "not"]) < 2:
        is_out: Operator = "not out" if parts[-2:-1] == ["not"] else "out"
        if parts[:-1] in ([*whose], [*whose, "not"]):
            return Condition(_check_owner(whose[0], text) if whose else "", "", is_out, "")
    if "has" in parts[:2]:
        before, behind = parts[: parts.index("has")], parts[parts.index("has") + 1 :]
        has: Operator = "has not" if behind[1:] and behind[0] in ("not", "no") else "has"
        behind = behind[1:] if has == "has not" else behind
        if len(behind) != 1:
            raise _unreadable_error(text)
        return Condition(_check_owner(before[0], text) if before else "", "", has, _check_word(behind[0], text))
    at = next((at for at, part in enumerate(parts) if part[0] in "<>=!≤≥≠"), -1)
    if at not in (0, 1, 2) or len(parts) != at + 2:
        raise _unreadable_error(text)
    op = _SPELLINGS.get(parts[at], parts[at])
    if op not in OPERATORS:
        raise NotationError(phrase("{sign} is not a comparison; write <, <=, =, !=, >= or >.", sign=in_quotes(op)))
    counter = _check_word(parts[at - 1], text) if at else ""
    if counter in OWNERS:
        raise NotationError(
            phrase(
                "{text} does not say which counter of {owner} it means; write it as “level >= 10”, “table time = "
                "night”, “me has crown” or “each out”.",
                text=in_quotes(text),
                owner=in_quotes(counter),
            )
        )
    owner = "" if at < 2 else parts[0] if _is_pool(parts[0], counter) else _check_owner(parts[0], text)
    return Condition(owner, counter, cast("Operator", op), _parse_value(parts[-1], text))


def _is_pool(word: str, counter: str) -> bool:
    """Return True if a word can only be a pool, because its counter is one of POOL_COUNTERS."""
    is_somebody = word in OWNERS or TAKEN_WORD.fullmatch(word)
    return counter in POOL_COUNTERS and not is_somebody and bool(_WORD.fullmatch(word))


def _check_owner(word: str, text: str) -> str:
    if word in OWNERS or TAKEN_WORD.fullmatch(word):
        return word
    raise NotationError(
        phrase(
            "{word} in {text} is nobody that a condition can be about; write {owners}, or a word that the line takes.",
            word=in_quotes(word),
            text=in_quotes(text),
            owners=listed(OWNERS),
        )
    )


def _normalize_word(word: str) -> str:
    """Return a word in lower case, except for a parameter, which may follow a counter: `damage-SEAT`."""
    owner, dot, counter = word.partition(".")
    if dot:
        return f"{owner if TAKEN_WORD.fullmatch(owner) else owner.lower()}.{counter.lower()}"
    head, dash, tail = word.rpartition("-")
    return f"{head.lower()}{dash}{tail}" if TAKEN_WORD.fullmatch(tail) else word.lower()


def _check_word(word: str, text: str) -> str:
    """Return the text if it is a word of the page, a parameter, or a counter for a seat parameter."""
    head, _, tail = word.rpartition("-")
    if TAKEN_WORD.fullmatch(word) or _WORD.fullmatch(head if TAKEN_WORD.fullmatch(tail) else word):
        return word
    raise _unreadable_error(text)


def _parse_value(word: str, text: str) -> int | str:
    if _FIGURE.fullmatch(word):
        return int(word)
    owner, dot, counter = word.partition(".")
    return f"{_check_owner(owner, text)}.{_check_word(counter, text)}" if dot else _check_word(word, text)


def _unreadable_error(text: str) -> NotationError:
    return NotationError(
        phrase(
            "{text} is not a condition; write it as “level >= 10”, “table time = night”, “me has crown” or “each out”.",
            text=in_quotes(text),
        )
    )
