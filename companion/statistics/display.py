"""Statistics in words and in characters: win rates with how sure they are, streaks, and small charts. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from companion.games import registry
from companion.statistics.tables import BestHit, Group, Rescues, Statistics
from companion.tabletop.estimate import Estimate
from companion.tabletop.text import figure

_LEVELS: Final = " ▁▂▃▄▅▆▇█"
DOT: Final = "●"
"""Where a share is, on a scale or in a chart."""


def headline(statistics: Statistics) -> str:
    """What the table is of: `12 games, 3 Jan 2025 to 20 Nov 2026`"""
    if statistics.first is None or statistics.last is None:
        return "No game is over yet."
    first, last = map(_day_of, (statistics.first, statistics.last))
    games = f"{statistics.games:,} game{'s' if statistics.games != 1 else ''}"
    return f"{games}, {first if first == last else f'{first} to {last}'}"


def _day_of(at: datetime) -> str:
    """`3 Jan 2025`, by the clock of the place where the program runs."""
    day = at.astimezone()
    return f"{day.day} {day:%b %Y}"


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
    cells[value] = DOT
    return "".join(cells)


def streak_text(group: Group) -> str:
    """`3 won`, `2 lost`; "" where the last game was drawn, or nobody's."""
    if not group.streak:
        return ""
    return f"{abs(group.streak)} {'won' if group.streak > 0 else 'lost'}"


def column_chart(values: Sequence[int], height: int, most: int = 0, pitch: int = 1) -> tuple[str, ...]:
    """Columns beside one another, the highest as many rows high; `most` is what the height stands for.

    From one column to the next are `pitch` cells, of which the last is free where there are several.
    """
    top = most or max(values, default=0) or 1
    steps = [max(value > 0, round(value * height * 8 / top)) for value in values]
    wide = max(1, pitch - 1)
    return tuple(
        "".join((_LEVELS[min(8, max(0, step - 8 * row))] * wide).ljust(pitch) for step in steps)
        for row in range(height - 1, -1, -1)
    )


def rate_chart(rates: Sequence[Estimate | None], height: int, pitch: int = 1) -> tuple[str, ...]:
    """Shares beside one another, each a dot with its interval as a line through it: the first row is 100 %, the last
    one 0 %, the middle one marked. `height` is odd; from one to the next are `pitch` cells.
    """
    rows = [["·" if row == height // 2 else " "] * (len(rates) * pitch) for row in range(height)]
    for at, rate in enumerate(rates):
        if rate is None:
            continue
        high, value, low = (round((1 - part) * (height - 1)) for part in (rate.high, rate.value, rate.low))
        column = at * pitch + (pitch - 1) // 2
        for row in range(high, low + 1):
            rows[row][column] = "│"
        rows[high][column], rows[low][column] = "┬", "┴"
        rows[value][column] = DOT
    return tuple(map("".join, rows))


def every_month(groups: Sequence[Group]) -> Mapping[str, Group | None]:
    """Groups by month, from the first to the last of them; None for a month without games."""
    by_month = {group.key: group for group in groups}
    months = [12 * int(key[:4]) + int(key[5:]) - 1 for key in by_month]
    keys = (f"{month // 12}-{month % 12 + 1:02}" for month in range(min(months), max(months) + 1)) if months else ()
    return {key: by_month.get(key) for key in keys}


def year_marks(months: Sequence[str], pitch: int) -> str:
    """What stands below a chart of months: the first one, and each year where it begins, as far as there is room."""
    text = months[0] if months else ""
    for at, month in enumerate(months):
        if at and month.endswith("-01") and len(text) < at * pitch:
            text = text.ljust(at * pitch) + month[:4]
    return text


def hit_text(hit: BestHit) -> str:
    """`27 by Ana with K♠ on Ben, 3 Jan 2026`, and of which game."""
    with_what = f" with {hit.name}" if hit.name else ""
    on = f" on {hit.on}" if hit.on else ""
    day = _day_of(hit.at)
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
        (
            any(group.place for group in groups),
            Column("Mean place", lambda group: f"{group.place:.1f}" if group.place else ""),
        ),
        (bool(amounts), Column(amounts[:1].upper() + amounts[1:], lambda group: figure(group.amount))),
        (any(group.best for group in groups), Column("Best hit", lambda group: str(group.best or ""))),
    )
    return tuple(column for says_something, column in some if says_something)


def _counted(group: Group, number: int) -> str:
    """A number of games where somebody in particular won or lost them."""
    return figure(number) if group.rate is not None else ""


FORETOLD: Final = "What rehearsals foretell"
"""The title of what kept rehearsals say of the same."""


def extras(statistics: Statistics) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What stands out besides: a title, and sentences below it."""
    if statistics.hits:
        yield "Hardest hits", tuple(map(hit_text, statistics.hits))
    if statistics.rescues:
        yield "Who saved whom", tuple(map(rescue_text, statistics.rescues))
