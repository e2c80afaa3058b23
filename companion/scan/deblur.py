"""Recovery of the modules from a picture in which blur and movement mixed each with its neighbours.

Most modules of a box's code are known beforehand. The mixture is fitted to these; then the others are adjusted, in turn
and never beyond black and white, until all together explain the observed light.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter, mul, sub
from typing import NamedTuple

from companion.scan.qr_layout import SIDE

RING = 2
"""The number of modules around the code that are sampled, because they mix into its edge."""
_WIDTH = SIDE + 2 * RING
_INNER = tuple(row * _WIDTH + column for row in range(RING, _WIDTH - RING) for column in range(RING, _WIDTH - RING))
# Camera shake is symmetric: right neighbours count as much as left ones.
_HALF = (0, 1, 2, *(row * _WIDTH + column for row in (1, 2) for column in range(-2, 3)))
_WHOLE = (*(-step for step in _HALF[:0:-1]), *_HALF)
_SLOPES = ([(at % _WIDTH - _WIDTH / 2) / 10 for at in _INNER], [(at // _WIDTH - _WIDTH / 2) / 10 for at in _INNER])
_RIDGE = 0.3
_LEAST_NOISE = 4.0
_SWEEPS = (9, 6, 5)
_STRIDE = 1.3
_STILL = 0.02
_SUREST = 7.0


class Modules(NamedTuple):
    """The log-odds that each module is dark; the light that they explain; the unexplained share, 0 for none."""

    odds: list[float]
    expected: list[float]
    unexplained: float


class _Mixture(NamedTuple):
    """The weights with which a module's darkness is seen at it and around it; the residual light; its noise."""

    taps: tuple[float, ...]
    rest: list[float]
    noise: float


def deblur_modules(light: Sequence[float], dark: Mapping[tuple[int, int], int]) -> Modules:
    """Recover the modules from the light of all modules and of two around them on each side.

    `dark` has the known modules, 1 for dark.
    """
    start, free, weights = _initial_guess(frozenset((row, column, one) for (row, column), one in dark.items()))
    guess = list(start)
    mixture = _mixture(light, guess, weights)
    for turn, sweeps in enumerate(_SWEEPS):
        if turn:
            # A stain or a glare is not a mixture of neighbours.
            weights = [1 / (1 + rest * rest / (4 * mixture.noise)) for rest in _at_modules(mixture.rest)]
            mixture = _mixture(light, guess, weights)
        _explain(mixture, guess, free, sweeps)
    odds = _odds(mixture, guess, free)
    rest = _at_modules(mixture.rest)
    seen = _at_modules(light)
    mean = sum(seen) / len(seen)
    spread = sum(map(mul, seen, seen)) / len(seen) - mean * mean
    unexplained = sum(map(mul, rest, rest)) / len(rest) / max(spread, 1e-6)
    return Modules(odds, list(map(sub, seen, rest)), unexplained)


_at_modules = itemgetter(*_INNER)
_about = {at: itemgetter(*(at + step for step in _WHOLE)) for at in _INNER}


@lru_cache(16)
def _initial_guess(dark: frozenset[tuple[int, int, int]]) -> tuple[list[float], list[int], list[float]]:
    """Return the first guess for the known modules.

    Returns:
        All modules and their ring, −1 for light, 1 for dark and 0 for unknown; the unknown ones; and a weight for each
        module, which is low if much around it is unknown.
    """
    start = [-1.0] * (_WIDTH * _WIDTH)
    for at in _INNER:
        start[at] = 0.0
    for row, column, one in dark:
        start[(row + RING) * _WIDTH + column + RING] = 1.0 if one else -1.0
    weights = [1 / (1 + 3 * _about[at](start).count(0.0)) for at in _INNER]
    return start, [at for at in _INNER if not start[at]], weights


def _mixture(light: Sequence[float], guess: Sequence[float], weights: Sequence[float]) -> _Mixture:
    around = [_about[at](guess) for at in _INNER]
    both = list(zip(*around, strict=True))
    middle = len(_WHOLE) // 2
    columns: list[Sequence[float]] = [both[middle]]
    columns += [
        list(map(sum, zip(both[middle + step], both[middle - step], strict=True))) for step in range(1, middle + 1)
    ]
    columns += [[1.0] * len(_INNER), *_SLOPES]
    seen = _at_modules(light)
    factors = least_squares(columns, seen, weights, _RIDGE)
    half = factors[: middle + 1]
    left = list(seen)
    for factor, column in zip(factors, columns, strict=True):
        left = [value - factor * each for value, each in zip(left, column, strict=True)]
    rest = [0.0] * (_WIDTH * _WIDTH)
    for at, value in zip(_INNER, left, strict=True):
        rest[at] = value
    squares = list(map(mul, left, left))
    noise = sum(map(mul, squares, weights)) / sum(weights)
    return _Mixture((*half[:0:-1], *half), rest, max(noise, _LEAST_NOISE))


def _explain(mixture: _Mixture, guess: list[float], free: Sequence[int], sweeps: int) -> None:
    """Adjust the unknown modules, and the residual light with them."""
    taps, rest, noise = mixture
    power = sum(map(mul, taps, taps)) + noise
    for _ in range(sweeps):
        most = 0.0
        for at in free:
            correlation = sum(map(mul, taps, _about[at](rest))) - noise * guess[at]
            before = guess[at]
            now = before + _STRIDE * correlation / power
            now = 1.0 if now > 1 else -1.0 if now < -1 else now
            change = now - before
            if change > _STILL or change < -_STILL:
                guess[at] = now
                for step, tap in zip(_WHOLE, taps, strict=True):
                    rest[at + step] -= tap * change
                most = max(most, abs(change))
        if most < 3 * _STILL:
            break


def _odds(mixture: _Mixture, guess: Sequence[float], free: Sequence[int]) -> list[float]:
    taps, rest, noise = mixture
    squares = [tap * tap for tap in taps]
    power = sum(squares)
    vague = [1 - each * each for each in guess]
    strange = list(map(mul, rest, rest))
    odds = {
        at: 2
        * (sum(map(mul, taps, _about[at](rest))) + power * guess[at])
        / (noise + sum(map(mul, squares, _about[at](vague))) + sum(map(mul, squares, _about[at](strange))) / power)
        for at in free
    }
    return [max(-_SUREST, min(_SUREST, odds.get(at, _SUREST * guess[at]))) for at in _INNER]


def least_squares(
    columns: Sequence[Sequence[float]], want: Sequence[float], weights: Sequence[float] | None, pull: float
) -> list[float]:
    """Fit factors that combine the columns to `want` by weighted least squares, with a slight `pull` towards zero."""
    size = len(columns)
    equations = [[0.0] * (size + 1) for _ in columns]
    for i, a in enumerate(columns):
        weighted = list(map(mul, a, weights)) if weights else a
        for j in range(i, size):
            equations[i][j] = equations[j][i] = sum(map(mul, weighted, columns[j]))
        equations[i][i] += pull
        equations[i][size] = sum(map(mul, weighted, want))
    for pivot in range(size):
        first = equations[pivot][pivot] or 1e-9
        equations[pivot] = [v / first for v in equations[pivot]]
        for row in range(size):
            if row != pivot and (factor := equations[row][pivot]):
                equations[row] = [a - factor * b for a, b in zip(equations[row], equations[pivot], strict=True)]
    return [row[-1] for row in equations]
