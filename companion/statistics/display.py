"""Statistics in words and in characters: win rates with intervals, streaks, and small charts. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from companion.games import registry
from companion.statistics.tables import BestHit, Group, Rescues, Statistics
from companion.tabletop.estimate import Estimate
from companion.tabletop.text import figure
from templates.languages.dates import duration, short_date
from templates.languages.messages import Finished, Message, Text, phrase, phrase_in, phrases

_LEVELS: Final = " ▁▂▃▄▅▆▇█"
DOT: Final = "●"
"""The marker of a share, on a scale or in a chart."""


def headline(statistics: Statistics) -> Message:
    """Describe what the table covers: `12 games, 3 Jan 2025 to 20 Nov 2026`"""
    if statistics.first is None or statistics.last is None:
        return phrase("No game is over yet.")
    first, last = map(short_date, (statistics.first, statistics.last))
    if first == last:
        return phrases("{n} game, {date}", "{n} games, {date}", n=statistics.games, date=first)
    return phrases(
        "{n} game, {first} to {last}", "{n} games, {first} to {last}", n=statistics.games, first=first, last=last
    )


def rate_text(rate: Estimate | None) -> str:
    """Format a share and its 95 % interval: `54 % (48–60)`."""
    if rate is None:
        return "–"
    return f"{100 * rate.value:.0f} % ({100 * rate.low:.0f}–{100 * rate.high:.0f})"


def interval_plot(rate: Estimate | None, width: int) -> str:
    """Draw a share on a scale from 0 to 100 %: a dot, its interval as a line through it, and a mark at the half.

    Empty if there is no share.
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


def streak_text(group: Group) -> Text:
    """Format a streak: `3 won`, `2 lost`; "" if the last game was drawn, or the group has no streaks."""
    if not group.streak:
        return ""
    if group.streak > 0:
        return phrases("{n} won", "{n} won", n=group.streak)
    return phrases("{n} lost", "{n} lost", n=-group.streak)


def minutes_text(group: Group) -> Text:
    """Format the mean time of the group's own turns in a game with a clock; "" if there is none."""
    return duration(timedelta(minutes=group.minutes)) if group.minutes else ""


def column_chart(values: Sequence[int], height: int, most: int = 0, pitch: int = 1) -> tuple[str, ...]:
    """Draw columns side by side, the highest `height` rows high; `most` is the value of the full height.

    Columns are `pitch` cells apart; the last cell is free if there are several.
    """
    top = most or max(values, default=0) or 1
    steps = [max(value > 0, round(value * height * 8 / top)) for value in values]
    wide = max(1, pitch - 1)
    return tuple(
        "".join((_LEVELS[min(8, max(0, step - 8 * row))] * wide).ljust(pitch) for step in steps)
        for row in range(height - 1, -1, -1)
    )


def rate_chart(rates: Sequence[Estimate | None], height: int, pitch: int = 1) -> tuple[str, ...]:
    """Draw shares side by side, each a dot with its interval as a line through it.

    The first row is 100 %, the last one 0 %, and the middle one marked. `height` is odd; shares are `pitch` cells
    apart.
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
    """Return groups by month, from the first to the last; None for a month without games."""
    by_month = {group.key: group for group in groups}
    months = [12 * int(key[:4]) + int(key[5:]) - 1 for key in by_month]
    keys = (f"{month // 12}-{month % 12 + 1:02}" for month in range(min(months), max(months) + 1)) if months else ()
    return {key: by_month.get(key) for key in keys}


def year_marks(months: Sequence[str], pitch: int) -> str:
    """Return the axis below a chart of months: the first month, and each year at its beginning, if there is room."""
    text = months[0] if months else ""
    for at, month in enumerate(months):
        if at and month.endswith("-01") and len(text) < at * pitch:
            text = text.ljust(at * pitch) + month[:4]
    return text


def hit_text(hit: BestHit) -> Message:
    """Describe a hit: `27 by Ana with K♠ on Ben, 3 Jan 2026`, and its game."""
    amount, by, date, game = figure(hit.amount), hit.by, short_date(hit.at), registry.title(hit.game)
    if hit.name and hit.on:
        return phrase(
            "{amount} by {player} with {card} on {target}, {date} ({game})",
            amount=amount,
            player=by,
            card=hit.name,
            target=hit.on,
            date=date,
            game=game,
        )
    if hit.name:
        return phrase(
            "{amount} by {player} with {card}, {date} ({game})",
            amount=amount,
            player=by,
            card=hit.name,
            date=date,
            game=game,
        )
    if hit.on:
        return phrase(
            "{amount} by {player} on {target}, {date} ({game})",
            amount=amount,
            player=by,
            target=hit.on,
            date=date,
            game=game,
        )
    return phrase("{amount} by {player}, {date} ({game})", amount=amount, player=by, date=date, game=game)


def rescue_text(rescue: Rescues) -> Message:
    """Describe rescues: `Ana kept Ben from falling, 3 times`."""
    return phrases(
        "{player} kept {other} from falling",
        "{player} kept {other} from falling, {n} times",
        n=rescue.times,
        player=rescue.by,
        other=rescue.other,
    )


class GroupColumn(NamedTuple):
    """A column of the table: its title, and its cell for a group."""

    title: Text
    cell: Callable[[Group], Text]


def columns_of(statistics: Statistics) -> tuple[GroupColumn, ...]:
    """Return the columns that have content for any group."""
    groups, amounts = statistics.groups, statistics.amounts
    some = (
        (True, GroupColumn(statistics.title, lambda group: group.title)),
        (True, GroupColumn(phrase_in("heading", "Games"), lambda group: figure(group.games))),
        (
            any(group.rate for group in groups),
            GroupColumn(phrase_in("heading", "Won"), lambda group: _games_text(group, group.won)),
        ),
        (
            any(group.rate for group in groups),
            GroupColumn(phrase_in("heading", "Lost"), lambda group: _games_text(group, group.lost)),
        ),
        (
            any(group.draws for group in groups),
            GroupColumn(phrase_in("heading", "Drawn"), lambda group: _games_text(group, group.draws)),
        ),
        (
            any(group.rate for group in groups),
            GroupColumn(phrase_in("heading", "Win rate (95 %)"), lambda group: rate_text(group.rate)),
        ),
        (any(group.streak for group in groups), GroupColumn(phrase_in("heading", "Streak"), streak_text)),
        (
            any(group.longest for group in groups),
            GroupColumn(phrase_in("heading", "Longest"), lambda group: str(group.longest or "")),
        ),
        (
            any(group.place for group in groups),
            GroupColumn(
                phrase_in("heading", "Average place"), lambda group: f"{group.place:.1f}" if group.place else ""
            ),
        ),
        (bool(amounts), GroupColumn(Finished(amounts, begins=True, ends=False), lambda group: figure(group.amount))),
        (
            any(group.best for group in groups),
            GroupColumn(phrase_in("heading", "Best hit"), lambda group: str(group.best or "")),
        ),
        (any(group.minutes for group in groups), GroupColumn(phrase_in("heading", "Own turns"), minutes_text)),
    )
    return tuple(column for says_something, column in some if says_something)


def _games_text(group: Group, number: int) -> str:
    """Format a number of games if the group can win or lose them."""
    return figure(number) if group.rate is not None else ""


FORETOLD: Final = phrase("What rehearsals predict")
"""The title of the predictions of stored rehearsals for the same games."""


def extras(statistics: Statistics) -> Iterator[tuple[Text, tuple[Text, ...]]]:
    """Yield further findings: a title, and sentences below it."""
    if statistics.hits:
        yield phrase("Hardest hits"), tuple(map(hit_text, statistics.hits))
    if statistics.rescues:
        yield phrase("Who saved whom"), tuple(map(rescue_text, statistics.rescues))
