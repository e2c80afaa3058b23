"""Quantiles for the intervals of rehearsals: Clopper's and Pearson's of shares, Byar's of counts, Student's t.

Throughout, `z` sets the width of an interval: the number of standard errors on each side of a normal one.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from companion.tabletop.estimate import Estimate, Z

_DIGITS: Final = 9
"""Decimal places of results: logarithms differ in the last digits between machines, and figures must not."""
_STEPS: Final = 100
_NEAR: Final = 1e-12
"""Limits of the search for a quantile: its number of steps, and the length of a step that ends it."""
_TERMS: Final = 10_000
_ENOUGH: Final = 1e-15
"""Limits of a continued fraction: its number of terms, and the change by one term that ends it."""
_NEARLY_NORMAL: Final = 1e4
"""Degrees of freedom above which Student's t equals its first correction."""
_MANY: Final = 1e8
"""Events above which a count's interval is the normal one, as differences of large numbers lose digits."""


def clopper_pearson(successes: float, units: float, z: float = Z) -> Estimate:
    """Return a share of units with its exact interval, whose coverage is never below its level.

    `units` need not be an integer: for correlated units it is the effective number (Korn and Graubard, 1998). Source:
    Clopper and Pearson, Biometrika 26 (1934). For 0 of 60, the upper end is 6.0 %.
    """
    tail, failures = _tail(z), units - successes
    low = beta_quantile(tail, successes, failures + 1) if successes > 0 else 0.0
    high = beta_quantile(1 - tail, successes + 1, failures) if failures > 0 else 1.0
    return Estimate(successes / units, low, high)


def poisson_interval(events: float, z: float = Z) -> tuple[float, float]:
    """Return the interval of the expected number of events, given the observed one: Byar's approximation.

    For 0 events the upper end is 3.67 (exactly 3.69); it is two-sided, so it exceeds the 3 of the rule of three.
    Source: Breslow and Day, Statistical Methods in Cancer Research II (1987), page 69.
    """
    if events > _MANY:
        half = z * math.sqrt(events)
        return events - half, events + half
    more = events + 1
    low = events * max(0.0, 1 - 1 / (9 * events) - z / (3 * math.sqrt(events))) ** 3 if events else 0.0
    return low, more * (1 - 1 / (9 * more) + z / (3 * math.sqrt(more))) ** 3


@cache
def student_z(z: float, freedom: float) -> float:
    """Return the half-width, in standard errors, of an interval whose standard error is itself estimated (Student's t).

    `freedom` is the number of degrees of freedom, above 0.
    """
    if freedom > _NEARLY_NORMAL:
        return z * (1 + (z * z + 1) / (4 * freedom))
    x = beta_quantile(2 * _tail(z), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - x) / x) if x else math.inf


def beta_quantile(part: float, a: float, b: float) -> float:
    """Return the value below which the given part of a beta distribution lies."""
    low, high, x = 0.0, 1.0, a / (a + b)
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    for _ in range(_STEPS):
        miss = _beta_part(x, a, b) - part
        low, high = (low, x) if miss > 0 else (x, high)
        density = math.exp((a - 1) * math.log(x) + (b - 1) * math.log1p(-x) - log_beta)
        # Newton's step, or bisection if that would leave the known bounds.
        following = x - miss / density if density else low
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) < _NEAR:
            break
        x = following
    return round(x, _DIGITS)


def _tail(z: float) -> float:
    """Return the part of a normal distribution beyond `z` standard deviations on one side."""
    return math.erfc(z / math.sqrt(2)) / 2


def _beta_part(x: float, a: float, b: float) -> float:
    """Return the part of a beta distribution below a value: the regularised incomplete beta function."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_part(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) / a / _beta_fraction(x, a, b)


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Compute 1 + d₁/(1 + d₂/(1 + …)) by Lentz's method (NIST Digital Library of Mathematical Functions, 8.17.22)."""
    value, upper, lower = 1.0, 1.0, 0.0
    for term in range(1, _TERMS):
        half = term // 2
        if term % 2:
            d = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            d = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + d * lower)
        upper = 1 + d / upper
        value *= upper * lower
        if abs(upper * lower - 1) < _ENOUGH:
            break
    return value
