"""Charts of win rates and numbers of games as pictures in markup; the figures stand in a table beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Final

from markupsafe import Markup

from companion.statistics.display import every_month
from companion.statistics.tables import Group
from companion.tabletop.estimate import Estimate
from labels.output.chart_scale import Scale
from labels.output.charts import Interval

_ROW: Final = 16
"""Units for an interval."""
_MOST_MONTHS: Final = 24
"""The newest months that a chart has; the table has all."""
_PITCH: Final = 14
"""Units from one month to the next."""
_LEFT: Final = 36
"""Units for the labels of the axis."""
_TOP: Final = 6
_SHARES: Final = 80
"""Units from 0 to 100 %."""
_COLUMNS: Final = 40
"""The height of the longest column in units."""
_GAP: Final = 14
_YEARS: Final = 14
_ZOOM: Final = 1.5
"""Pixels of a unit where there is room."""
_AXIS: Final = Markup('<path class="scale" d="M{0} {1}H{2}"/><text x="{3}" y="{4}" text-anchor="end">{5}</text>')
_COLUMN: Final = Markup('<rect x="{0}" y="{1}" width="{2}" height="{3}"/>')
_SHARE: Final = Markup('<path class="range" d="M{0} {1}V{3}"/><circle cx="{0}" cy="{2}" r="3"/>')


def draw_interval(rate: Estimate | None) -> Markup:
    """Draw a share on a scale from 0 to 100 %: a dot, its interval as a line through it, and a mark at the half."""
    if rate is None:
        return Markup("")
    low, value, high = (round(100 * part, 1) for part in (rate.low, rate.value, rate.high))
    return Markup(
        '<svg class="interval" viewBox="-4 0 108 16" aria-hidden="true" focusable="false">'
        '<path class="scale" d="M0 8H100M50 2V14"/><path class="range" d="M{0} 8H{2}M{0} 5V11M{2} 5V11"/>'
        '<circle cx="{1}" cy="8" r="3.5"/></svg>'
    ).format(low, value, high)


def draw_intervals(intervals: Sequence[Interval | None], scale: Scale, reference: float | None = None) -> Markup:
    """Draw values with their intervals on a scale of 100 units, each series below the one before and with its mark.

    `reference` is a line to compare them with.
    """
    height = _ROW * max(1, len(intervals))
    parts = [Markup('<path class="scale" d="M0 {0}H100"/>').format(height - 1)]
    if reference is not None:
        x = round(scale.place(reference), 1)
        parts.append(Markup('<path class="scale reference" d="M{0} 0V{1}"/>').format(x, height))
    for number, interval in enumerate(intervals):
        if interval is not None and isfinite(interval.value):
            middle = _ROW * number + _ROW / 2
            low, value, high = (round(scale.place(each), 1) for each in (interval.low, interval.value, interval.high))
            line = Markup('<path class="range" d="M{0} {1}H{2}"/>').format(low, middle, high)
            parts += [line, _draw_mark(value, middle, number)]
    whole = '<svg class="interval rows-{0}" viewBox="-4 0 108 {1}" aria-hidden="true" focusable="false">{2}</svg>'
    return Markup(whole).format(max(1, len(intervals)), height, Markup("").join(parts))


def draw_key(number: int) -> Markup:
    """Draw the mark of a series for the key of a chart."""
    whole = '<svg class="key" viewBox="0 0 16 16" aria-hidden="true" focusable="false">{0}</svg>'
    return Markup(whole).format(_draw_mark(8, 8, number))


def _draw_mark(x: float, y: float, number: int) -> Markup:
    """Draw a dot for the first series, and a square for the others."""
    if number == 0:
        return Markup('<circle cx="{0}" cy="{1}" r="3.5"/>').format(x, y)
    return Markup('<rect x="{0}" y="{1}" width="6" height="6"/>').format(round(x - 3, 1), y - 3)


def draw_months(groups: Sequence[Group]) -> Markup:
    """Draw the newest months of a game: the share that was won, if there are win rates, above the number of games.

    The markup is empty for fewer than two months.
    """
    months = every_month(groups)
    newest = [*months.items()][-_MOST_MONTHS:]
    if len(newest) < 2:
        return Markup("")
    has_rates = any(group and group.rate for _, group in newest)
    shares = _SHARES if has_rates else 0
    base = _TOP + shares + (_GAP if has_rates else 0) + _COLUMNS
    width, height = _LEFT + _PITCH * len(newest), base + _YEARS
    parts = [
        *(_draw_shares(newest, width) if has_rates else ()),
        *_draw_columns(newest, base),
        *_draw_years(newest, base),
    ]
    whole = '<svg class="months" viewBox="0 0 {0} {1}" width="{3}" aria-hidden="true" focusable="false">{2}</svg>'
    return Markup(whole).format(width, height, Markup("").join(parts), round(width * _ZOOM))


def _middle(at: int) -> float:
    return _LEFT + _PITCH * (at + 0.5)


def _draw_shares(months: Sequence[tuple[str, Group | None]], width: int) -> Iterator[Markup]:
    """Yield the axis of the shares, and each month's dot with its interval."""
    for part in (0, 50, 100):
        y = _TOP + _SHARES * (100 - part) / 100
        yield _AXIS.format(_LEFT, y, width, _LEFT - 4, y + 3, f"{part} %")
    for at, (_, group) in enumerate(months):
        if group is not None and group.rate is not None:
            value, low, high = (round(_TOP + _SHARES * (1 - part), 1) for part in group.rate)
            yield _SHARE.format(_middle(at), low, value, high)


def _draw_columns(months: Sequence[tuple[str, Group | None]], base: int) -> Iterator[Markup]:
    """Yield a column of the number of games for each month, and the largest number as its label."""
    most = max(group.games for _, group in months if group)
    yield _AXIS.format(_LEFT, base, _LEFT + _PITCH * len(months), _LEFT - 4, base - _COLUMNS + 8, most)
    for at, (_, group) in enumerate(months):
        if group is not None:
            height = round(max(1.0, _COLUMNS * group.games / most), 1)
            yield _COLUMN.format(_middle(at) - 4, round(base - height, 1), 8, height)


def _draw_years(months: Sequence[tuple[str, Group | None]], base: int) -> Iterator[Markup]:
    """Yield the first month, and each year at its beginning if there is room."""
    last = -_MOST_MONTHS
    for at, (month, _) in enumerate(months):
        if at == 0 or (month.endswith("-01") and at - last >= 4):
            last = at
            text = month if at == 0 else month[:4]
            yield Markup('<text x="{0}" y="{1}">{2}</text>').format(_LEFT + _PITCH * at, base + 11, text)
