"""Levers and wishes as users type them: `pressure=3,foil-cost` selects house rules and the values to try, `win=0.55` a
figure and the value wished for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from companion.rehearsal.design import Factorial, Lever, Race
from companion.rehearsal.kinds import find_figure
from companion.rehearsal.search import make_race
from companion.tabletop.action import NotationError
from companion.tabletop.rehearsal import Figure, Rehearsal, RehearsalSetting
from companion.tabletop.table.house_rules import HouseRules
from templates.languages.messages import phrase


def read_factorial(
    sweep: str,
    figure: str,
    margin: float | None,
    setting: RehearsalSetting,
    rehearsal: Rehearsal,
    house: type[HouseRules],
) -> Factorial:
    """Read a sweep of levers, with the key of a figure ("" for the first) and a margin in points or the figure's unit.

    Raises NotationError, or RuleError if the sweep is too large or a lever unknown.
    """
    setting, levers = read_levers(sweep.split(","), setting, house)
    chosen = find_figure(rehearsal, figure or rehearsal.figures[0].key)
    design = Factorial(setting, levers, chosen.key, _as_value(margin, chosen))
    design.check()
    return design


def read_race(
    sweep: str,
    wish: str,
    margin: float | None,
    setting: RehearsalSetting,
    rehearsal: Rehearsal,
    house: type[HouseRules],
) -> Race:
    """Read a race of levers for a wish, `FIGURE=VALUE`. Raises NotationError, or RuleError if it is impossible."""
    setting, levers = read_levers(sweep.split(","), setting, house)
    key, _, value = wish.partition("=")
    figure = find_figure(rehearsal, key.strip())
    return make_race(setting, levers, figure, _read_value(value.strip(), figure), _as_value(margin, figure))


def _as_value(margin: float | None, figure: Figure) -> float | None:
    if margin is not None and not math.isfinite(margin):
        raise NotationError(
            phrase("A margin of {margin} makes no sense; write a number, such as 2.", margin=str(margin))
        )
    return margin / 100 if margin is not None and figure.is_part else margin


def _read_value(text: str, figure: Figure) -> float:
    """Read a value of a figure; shares also in per cent."""
    number, example = text.removesuffix("%"), f"{figure.key}={'0.55' if figure.is_part else '3'}"
    try:
        value = float(number) / (100 if number != text else 1)
    except ValueError as error:
        raise NotationError(
            phrase(
                "“{text}” is not a figure with its value; write FIGURE=VALUE, such as {example}.",
                text=text,
                example=example,
            )
        ) from error
    if not (0 <= value <= 1 if figure.is_part else math.isfinite(value)):
        raise NotationError(
            phrase(
                "{figure} cannot be {value}; write a value that it can have, such as {example}.",
                figure=figure.caption,
                value=text,
                example=example,
            )
        )
    return value


def read_levers(
    words: Sequence[str], setting: RehearsalSetting, house: type[HouseRules]
) -> tuple[RehearsalSetting, tuple[Lever, ...]]:
    """Read the levers from one word each; return the setting without their rules, and the levers.

    `KEY=VALUE` tries the setting's present value against that value. `KEY=VALUE:VALUE:…` tries exactly these; the
    others are compared with the first. A bare `KEY` tries the present value against the one other value that the game
    names. Keys and values may be written as for `rule`. Raises NotationError, or RuleError for an unknown key or value.
    """
    rules = {house.find(key).key: _value(house, key, value) for key, value in setting.rules}
    levers: list[Lever] = []
    for word in words:
        lever = _read_lever(word, rules, house)
        if any(lever.key == other.key for other in levers):
            raise NotationError(
                phrase("{lever} is given twice; write its values one after another: {lever}=A:B.", lever=lever.key)
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
            example = f"{rule.key}={':'.join((now, *others))}" if others else f"{rule.key}={now}:…"
            raise NotationError(
                phrase(
                    "Give another value for {rule} besides {value}, such as {example}.",
                    rule=rule.key,
                    value=now,
                    example=example,
                )
            )
        return Lever(rule.key, (now, *others))
    values = tuple(_value(house, rule.key, value.strip()) for value in text.split(":"))
    if len(values) == 1:
        values = (now, *values)
    if len({*values}) < len(values):
        raise NotationError(
            phrase(
                "{lever} has a value twice; each value is tried once (it is {value} now).",
                lever=f"{rule.key}={':'.join(values)}",
                value=now,
            )
        )
    return Lever(rule.key, values)


def _value(house: type[HouseRules], key: str, word: str) -> str:
    """Return a value in the game's spelling."""
    return house().change_rule(key, word).value(house.find(key).key)
