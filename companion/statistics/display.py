"""Statistics in words and in characters: win rates with how sure they are, streaks, and small charts. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from companion.games import registry
from companion.statistics.tables import BestHit, Group, Rescues, Statistics
from companion.tabletop.estimate import Estimate
from companion.tabletop.text import figure

_LEVELS: Final = " ▁▂▃▄▅▆▇█"


def headline(statistics: Statistics) -> str:
    """What the table is of: `12 games, 3 Jan 2025 to 20 Nov 2026`"""
    if statistics.first is None or statistics.last is None:
        return "No game is over yet."
    first, last = (f"{at.astimezone():%-d %b %Y}" for at in (statistics.first, statistics.last))
    games = f"{statistics.games:,} game{'s' if statistics.games != 1 else ''}"
    return f"{games}, {first if first == last else f'{first} to {last}'}"


def rate_text(rate: Estimate | None) -> str:
    """`54 % (48–60)`: the share, and between which it lies in 95 of 100 such cases."""
    if rate is None:
        return "–"
    return f"{100 * rate.value:.0f} % ({100 * rate.low:.0f}–{100 * rate.high:.0f})"


def interval_plot(rate: Estimate | None, width: int) -> str:
    """A share on a scale from 0 to 100 %: a dot, its interval as a line through it, and a mark at the half.

    Nothing is drawn where there is no share.
    """
    if rate is None:
        return " " * width
    cells = ["·"] * width
    cells[width // 2] = "┊"
    low, value, high = (min(width - 1, int(part * width)) for part in (rate.low, rate.value, rate.high))
    cells[low : high + 1] = ["─"] * (high + 1 - low)
    cells[low], cells[high] = "├", "┤"
    cells[value] = "●"
    return "".join(cells)


def streak_text(group: Group) -> str:
    """`3 won`, `2 lost`; "" where the last game was drawn, or nobody's."""
    if not group.streak:
        return ""
    return f"{abs(group.streak)} {'won' if group.streak > 0 else 'lost'}"


def column_chart(values: Sequence[int], height: int, most: int = 0) -> tuple[str, ...]:
    """Columns beside one another, the highest as many rows high; `most` is what the height stands for."""
    top = most or max(values, default=0) or 1
    steps = [max(value > 0, round(value * height * 8 / top)) for value in values]
    return tuple(
        "".join(_LEVELS[min(8, max(0, step - 8 * row))] for step in steps) for row in range(height - 1, -1, -1)
    )


def hit_text(hit: BestHit) -> str:
    """`27 by Ana with K♠ on Ben, 3 Jan 2026`, and of which game."""
    with_what = f" with {hit.name}" if hit.name else ""
    on = f" on {hit.on}" if hit.on else ""
    day = f"{hit.at.astimezone():%-d %b %Y}"
    return f"{figure(hit.amount)} by {hit.by}{with_what}{on}, {day} ({registry.title(hit.game)})"


def rescue_text(rescue: Rescues) -> str:
    """`Ana kept Ben from falling, 3 times`"""
    return f"{rescue.by} kept {rescue.other} from falling{f', {rescue.times} times' if rescue.times > 1 else ''}"


class Column(NamedTuple):
    """A column of the table: what stands above it, and what it says of a group."""

    title: str
    cell: Callable[[Group], str]


def columns_of(statistics: Statistics) -> tuple[Column, ...]:
    """The columns that say something of any group."""
    groups, amounts = statistics.groups, statistics.amounts
    some = (
        (True, Column(statistics.title, lambda group: group.title)),
        (True, Column("Games", lambda group: figure(group.games))),
        (any(group.rate for group in groups), Column("Won", lambda group: _counted(group, group.won))),
        (any(group.rate for group in groups), Column("Lost", lambda group: _counted(group, group.lost))),
        (any(group.draws for group in groups), Column("Drawn", lambda group: _counted(group, group.draws))),
        (any(group.rate for group in groups), Column("Win rate (95 %)", lambda group: rate_text(group.rate))),
        (any(group.streak for group in groups), Column("Streak", streak_text)),
        (any(group.longest for group in groups), Column("Longest", lambda group: str(group.longest or ""))),
        (bool(amounts), Column(amounts[:1].upper() + amounts[1:], lambda group: figure(group.amount))),
        (any(group.best for group in groups), Column("Best hit", lambda group: str(group.best or ""))),
    )
    return tuple(column for says_something, column in some if says_something)


def _counted(group: Group, number: int) -> str:
    """A number of games where somebody in particular won or lost them."""
    return figure(number) if group.rate is not None else ""


def extras(statistics: Statistics) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What stands out besides: a title, and sentences below it."""
    if statistics.hits:
        yield "Hardest hits", tuple(map(hit_text, statistics.hits))
    if statistics.rescues:
        yield "Who saved whom", tuple(map(rescue_text, statistics.rescues))
