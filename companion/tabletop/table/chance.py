"""Dice and coins in any game: the program throws them, or players enter the result from the table."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import parse_dice
from companion.tabletop.table.common_actions import Coin, Roll
from companion.tabletop.table.state import Resolution
from companion.tabletop.words import title_of_word
from templates.languages.messages import phrase

Throw = Roll | Coin


def resolve_throw(action: Throw, rng: Random) -> Throw:
    """Return the throw with a result, drawn from `rng` unless the players entered one."""
    if isinstance(action, Coin):
        return action if action.is_ else msgspec.structs.replace(action, is_=rng.choice(("heads", "tails")))
    if action.is_:
        return action
    count, sides, _ = parse_dice(action.dice)
    return msgspec.structs.replace(action, is_=tuple(rng.randint(1, sides) for _ in range(count)))


def throw(resolution: Resolution[Any], action: Throw, name: str) -> None:
    """Report the result of a throw by `name` ("" for no player). Raises RuleError for an impossible result."""
    resolution.change(draws=resolution.state.draws + 1)
    if isinstance(action, Coin):
        side = title_of_word(action.is_ or "")
        if name:
            resolution.tell(phrase("{player} tosses a coin: {side}.", player=name, side=side), action.seat)
        else:
            resolution.tell(phrase("The coin falls: {side}.", side=side), action.seat)
        return
    _, _, plus = parse_dice(action.dice)
    _check(action)
    parts = " + ".join(map(str, action.is_)) + (f" {'+' if plus > 0 else '−'} {abs(plus)}" if plus else "")
    total = f" = {sum(action.is_) + plus}" if len(action.is_) > 1 or plus else ""
    if name:
        text = phrase("{player} rolls {dice}: {sum}.", player=name, dice=action.dice, sum=f"{parts}{total}")
    else:
        # Translators: Dice and what they show: 2d6: 3 + 4 = 7.
        text = phrase("{dice}: {sum}.", dice=action.dice, sum=f"{parts}{total}")
    resolution.tell(text, action.seat)


def _check(action: Roll) -> None:
    """Raise RuleError unless the dice can show these numbers: one for each die, or their sum alone."""
    count, sides, _ = parse_dice(action.dice)
    is_sum = len(action.is_) == 1 and count > 1
    least, most = (count, count * sides) if is_sum else (1, sides)
    if not is_sum and len(action.is_) != count:
        raise RuleError(
            phrase(
                "{dice} is {count} dice; say what each shows, or their sum alone.", dice=action.dice, count=str(count)
            )
        )
    for pips in action.is_:
        if not least <= pips <= most:
            values = {"dice": action.dice, "least": str(least), "most": str(most), "pips": str(pips)}
            if is_sum:
                raise RuleError(phrase("{dice}: the dice together show {least} to {most}, not {pips}.", **values))
            raise RuleError(phrase("{dice}: the dice show {least} to {most}, not {pips}.", **values))
