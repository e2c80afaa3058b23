"""The scale of a chart: its ticks, and the positions of values between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from labels.output.charts import SMALLEST, Axis, number_text


class Scale(NamedTuple):
    """A mapping from values to positions, with the ticks to draw.

    Values from `low` to `high` are mapped to `length` points from `start` on.
    """

    low: float
    high: float
    start: float
    length: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Return the position of a value. Values beyond the scale are placed at its end."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * self.length


def make_scale(
    axis: Axis,
    values: Iterable[float],
    start: float,
    length: float,
    *,
    pitch: Callable[[str], float],
    zero: bool = False,
) -> Scale:
    """Return a scale that contains all values, with as many ticks as fit beside one another by their `pitch`."""
    finite = [value for value in values if math.isfinite(value)]
    whole = all(value == int(value) for value in finite) and not axis.is_share
    low = axis.low if axis.low is not None else min((*finite, 0.0) if zero or not finite else finite)
    high = axis.high if axis.high is not None else max((*finite, 0.0) if zero or not finite else finite)
    if high - low <= max(abs(low) * 1e-9, abs(high) * 1e-9, SMALLEST):
        room = max(abs(high) * 0.1, 0.01 if axis.is_share else 1.0)
        low, high = (low if axis.low is not None else low - (0 if zero else room)), high + room
    best = None
    for count in range(10, 0, -1):
        step = _round_step((high - low) / count)
        if whole:
            step = max(1.0, step)
        ticks = _ticks(low, high, step, axis)
        longest = max((pitch(text) for _, text in ticks), default=0.0)
        ends = ticks[-1][0] - ticks[0][0] if ticks else 0.0
        span = max(high, ticks[-1][0]) - min(low, ticks[0][0]) if ticks else 1.0
        if len(ticks) < 2 or longest * (len(ticks) - 1) <= length * ends / span:
            best = ticks
            break
    best = best or ticks
    if best and axis.low is None:
        low = min(low, best[0][0])
    if best and axis.high is None:
        high = max(high, best[-1][0])
    return Scale(low, high, start, length, tuple(best))


def _ticks(low: float, high: float, step: float, axis: Axis) -> list[tuple[float, str]]:
    """Return round ticks.

    They reach from one before the lowest value to one after the highest, or stay between fixed ends.
    """
    first = math.ceil(low / step - 1e-9) if axis.low is not None else math.floor(low / step + 1e-9)
    last = math.floor(high / step + 1e-9) if axis.high is not None else math.ceil(high / step - 1e-9)
    size = step * 100 if axis.is_share else step
    decimals = max(0, -math.floor(math.log10(size) + 1e-9))
    return [(at * step, number_text(at * step, decimals, is_share=axis.is_share)) for at in range(first, last + 1)]


def _round_step(step: float) -> float:
    """Return the next of 1, 2, 5, 10, 20 …"""
    size = 10.0 ** math.floor(math.log10(step))
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= step * (1 - 1e-9))
