"""House rules of any game: what `rule KEY VALUE` changes, read from the types of a game's own rules."""

from __future__ import annotations

from functools import cache
from typing import Any, Self, get_args, get_type_hints

import msgspec

from companion.games.action import RuleError


class HouseRules(msgspec.Struct, frozen=True):
    """The rules in force. A game names its own as fields: a truth, a whole number, or one of a few words."""

    def changed(self) -> tuple[tuple[str, str], ...]:
        """The rules that differ from the book, as `rule` writes them."""
        pairs = ((field.name, getattr(self, field.name), field.default) for field in msgspec.structs.fields(self))
        return tuple((_key(name), _word(value)) for name, value, default in pairs if value != default)

    def agreed(self, key: str, word: str) -> Self:
        """These rules with one changed. Raises RuleError naming the known keys or values."""
        hints = _hints(type(self))
        name = next((name for name in hints if _plain(name) == _plain(key)), None)
        if name is None:
            raise RuleError(f"There is no house rule “{key}”; known are: {', '.join(map(_key, hints))}.")
        return msgspec.structs.replace(self, **{name: _read(_key(name), hints[name], word)})


@cache
def _hints(house: type[HouseRules]) -> dict[str, Any]:
    return get_type_hints(house)


def _plain(word: str) -> str:
    """`afterReset`, `after-reset` and `after_reset` are the same word."""
    return word.lower().replace("-", "").replace("_", "")


def _key(name: str) -> str:
    return name.replace("_", "-")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _read(key: str, hint: Any, word: str) -> Any:
    """The value that a word stands for, by the type of the rule."""
    if hint is bool:
        if word.lower() in ("yes", "true", "on"):
            return True
        if word.lower() in ("no", "false", "off"):
            return False
        raise RuleError(f"The rule {key} is yes or no; “{word}” is neither.")
    if choices := [choice for choice in get_args(hint) if isinstance(choice, str)]:
        for choice in choices:
            if _plain(choice) == _plain(word):
                return choice
        raise RuleError(f"The rule {key} takes {' or '.join(choices)}, not “{word}”.")
    if word.lower() == "none" and hint is not int:
        return None
    if word.isascii() and word.isdecimal():
        return int(word)
    raise RuleError(f"The rule {key} takes a whole number, not “{word}”.")
