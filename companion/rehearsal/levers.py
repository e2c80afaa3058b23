"""Levers as people write them: `pressure=3,foil-cost` says which house rules are turned, and to what."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.rehearsal.design import Lever
from companion.tabletop.action import NotationError
from companion.tabletop.house_rules import HouseRules
from companion.tabletop.rehearsal import Setting


def read_levers(words: Sequence[str], setting: Setting, house: type[HouseRules]) -> tuple[Setting, tuple[Lever, ...]]:
    """The setting without the rules that are turned, and the levers, from one word each.

    `KEY=VALUE` is what the setting has now against that value, `KEY=VALUE:VALUE:…` are exactly these, the first is what
    others are compared with, and a bare `KEY` is now against the one other value that the game names. Keys and values
    may be written as for `rule`. Raises NotationError, and RuleError for an unknown key or value.
    """
    rules = {house.find(key).key: _value(house, key, value) for key, value in setting.rules}
    levers: list[Lever] = []
    for word in words:
        lever = _read_lever(word, rules, house)
        if any(lever.key == other.key for other in levers):
            raise NotationError(
                f"{lever.key} stands there twice; write its values behind one another: {lever.key}=A:B."
            )
        levers.append(lever)
    turned = {lever.key for lever in levers}
    kept = tuple(sorted((key, value) for key, value in rules.items() if key not in turned))
    return msgspec.structs.replace(setting, rules=kept), tuple(levers)


def _read_lever(word: str, rules: dict[str, str], house: type[HouseRules]) -> Lever:
    key, equals, text = word.strip().partition("=")
    rule = house.find(key)
    now = rules.get(rule.key, rule.book)
    if not equals:
        others = tuple(value for value in (rule.book, *rule.others) if value != now)
        if len(others) != 1:
            possible = f", such as {rule.key}={':'.join((now, *others))}" if others else f", such as {rule.key}={now}:…"
            raise NotationError(f"Say what {rule.key} is to be besides {now}{possible}.")
        return Lever(rule.key, (now, *others))
    values = tuple(_value(house, rule.key, value.strip()) for value in text.split(":"))
    if len(values) == 1:
        values = (now, *values)
    if len({*values}) < len(values):
        raise NotationError(f"{rule.key}={':'.join(values)} says a value twice; each is tried once ({now} is it now).")
    return Lever(rule.key, values)


def _value(house: type[HouseRules], key: str, word: str) -> str:
    """A value as the game writes it."""
    return house().agreed(key, word).value(house.find(key).key)
