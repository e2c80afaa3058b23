"""What must hold, as a page says it: `level >= 10`, `table time = night`, `me has not crown`, `bag left = 0`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, cast

from companion.games.described.takes import TAKEN_WORD
from companion.tabletop.action import NotationError
from companion.tabletop.text import quoted

Operator = Literal["<", "<=", "=", "!=", ">=", ">", "has", "has not", "out", "not out"]

OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
"""What compares, by how it is written."""

OWNERS: Final = ("me", "each", "any", "table", "others")
"""Who a condition can speak of, besides the words that a line takes."""

POOL_COUNTERS: Final = ("left", "aside")
"""What a condition can say of a pool: how many can be drawn, and how many lie aside."""

_SPELLINGS: Final = {"==": "=", "≤": "<=", "=<": "<=", "≥": ">=", "=>": ">=", "≠": "!=", "<>": "!="}
_PARTS: Final = re.compile(r"[<>=!≤≥≠]+|[^\s<>=!≤≥≠]+")
_FIGURE: Final = re.compile(r"[+-]?[0-9]{1,7}")
_WORD: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 200
_EXAMPLES: Final = "write it as “level >= 10”, “table time = night”, “me has crown” or “each out”"


class Condition(NamedTuple):
    """What must hold of whom.

    `owner` is `me`, `each`, `any`, `table`, `others`, a word that the line takes (`SEAT`, `THING2`), a pool, or "" for
    the seat or thing concerned. `counter` is a counter, or with `out = "<= 0"` "" for the one that says so; of a pool
    it is one of POOL_COUNTERS. `value` is a figure, a word, another counter, also of somebody or something else
    (`THING.power`), or a word that the line takes (`N`); with `has` it is a token, a flag, or a thing that the line
    takes, with `out` "".
    """

    owner: str
    counter: str
    op: Operator
    value: int | str


@lru_cache(4096)
def parse_condition(text: str) -> Condition:
    """Read what a condition says, whether or not its words exist. Raises NotationError saying how one is written.

    The same one is parsed again for each house rule of a page.
    """
    if len(text) > _LONGEST:
        raise NotationError(f"A condition has at most {_LONGEST} symbols; split it into several.")
    parts = [_spelt(word) for word in _PARTS.findall(text.replace("−", "-"))]
    if parts[-1:] == ["out"] and len(whose := [part for part in parts[:-1] if part != "not"]) < 2:
        is_out: Operator = "not out" if parts[-2:-1] == ["not"] else "out"
        if parts[:-1] in ([*whose], [*whose, "not"]):
            return Condition(_owner(whose[0], text) if whose else "", "", is_out, "")
    if "has" in parts[:2]:
        before, behind = parts[: parts.index("has")], parts[parts.index("has") + 1 :]
        has: Operator = "has not" if behind[1:] and behind[0] in ("not", "no") else "has"
        behind = behind[1:] if has == "has not" else behind
        if len(behind) != 1:
            raise _unreadable(text)
        return Condition(_owner(before[0], text) if before else "", "", has, _named(behind[0], text))
    at = next((at for at, part in enumerate(parts) if part[0] in "<>=!≤≥≠"), -1)
    if at not in (0, 1, 2) or len(parts) != at + 2:
        raise _unreadable(text)
    op = _SPELLINGS.get(parts[at], parts[at])
    if op not in OPERATORS:
        raise NotationError(f"{quoted(op)} compares nothing; write <, <=, =, !=, >= or >.")
    counter = _named(parts[at - 1], text) if at else ""
    if counter in OWNERS:
        raise NotationError(f"{quoted(text)} does not say which counter of {quoted(counter)} it means; {_EXAMPLES}.")
    owner = "" if at < 2 else parts[0] if _is_pool(parts[0], counter) else _owner(parts[0], text)
    return Condition(owner, counter, cast("Operator", op), _value(parts[-1], text))


def _is_pool(word: str, counter: str) -> bool:
    """Whether a word can only be a pool, as what is said of it is said of nothing else."""
    is_somebody = word in OWNERS or TAKEN_WORD.fullmatch(word)
    return counter in POOL_COUNTERS and not is_somebody and bool(_WORD.fullmatch(word))


def _owner(word: str, text: str) -> str:
    if word in OWNERS or TAKEN_WORD.fullmatch(word):
        return word
    raise NotationError(
        f"{quoted(word)} in {quoted(text)} is nobody whom a condition can speak of; that is {', '.join(OWNERS)}, "
        "or a word that the line takes."
    )


def _spelt(word: str) -> str:
    """In small letters, but for what the line takes, which may stand behind a counter: `damage-SEAT`."""
    owner, dot, counter = word.partition(".")
    if dot:
        return f"{owner if TAKEN_WORD.fullmatch(owner) else owner.lower()}.{counter.lower()}"
    head, dash, tail = word.rpartition("-")
    return f"{head.lower()}{dash}{tail}" if TAKEN_WORD.fullmatch(tail) else word.lower()


def _named(word: str, text: str) -> str:
    """A word of the page or of the line, or a counter for a seat that the line takes."""
    head, _, tail = word.rpartition("-")
    if TAKEN_WORD.fullmatch(word) or _WORD.fullmatch(head if TAKEN_WORD.fullmatch(tail) else word):
        return word
    raise _unreadable(text)


def _value(word: str, text: str) -> int | str:
    if _FIGURE.fullmatch(word):
        return int(word)
    owner, dot, counter = word.partition(".")
    return f"{_owner(owner, text)}.{_named(counter, text)}" if dot else _named(word, text)


def _unreadable(text: str) -> NotationError:
    return NotationError(f"{quoted(text)} is no condition; {_EXAMPLES}.")
