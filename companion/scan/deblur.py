"""The odds of each module where blur and movement have mixed its light with that of its neighbours.

Most modules of a box's code are known beforehand. From these the mixture is learnt, the known ones are taken out of it,
and what the others must have been is found in turns, each by what the others are thought to be.
"""

from collections.abc import Mapping, Sequence
from operator import mul

from companion.scan.field import SIDE

_RING = 2
"""So many modules about the code are seen, and mix into its edge."""
WIDE = SIDE + 2 * _RING
_HALF = [(0, 0), (0, 1), (0, 2), (1, -2), (1, -1), (1, 0), (1, 1), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)]
_STEPS = [row * WIDE + column for row, column in _HALF]
_WHOLE = [-step for step in _STEPS[:0:-1]] + _STEPS
_INNER = [row * WIDE + column for row in range(_RING, WIDE - _RING) for column in range(_RING, WIDE - _RING)]
SWEEPS = (10, 6, 6)
OVER = 1.3
REG = 1.0
SPR = 1.0


def unmixed(light: Sequence[float], dark: Mapping[tuple[int, int], int]) -> tuple[list[float], list[float], float]:
    """The odds that each of the modules is dark, and how much of the light remains unexplained, 0 for nothing.

    `light` is that of the modules and of two about them on each side.
    """
    guess = [-1.0] * (WIDE * WIDE)
    free = []
    for row in range(SIDE):
        for column in range(SIDE):
            at = (row + _RING) * WIDE + column + _RING
            one = dark.get((row, column))
            if one is None:
                free.append(at)
                guess[at] = 0.0
            else:
                guess[at] = 1.0 if one else -1.0
    sure = [0.0 if one == 0.0 else 1.0 for one in guess]
    taps, rest, noise = [], [], 0.0
    odds = dict.fromkeys(free, 0.0)
    for turn in range(3):
        # Where much is unknown around, the mixture shows badly.
        weights = [1 / (1 + 3 * sum([1 - sure[at + step] for step in _WHOLE])) for at in _INNER]
        taps, rest, noise = _mixture(light, guess, weights)
        whole = [*taps[:0:-1], *taps]
        power = sum(map(mul, whole, whole))
        for _ in range(SWEEPS[turn]):
            for at in free:
                seen = sum([tap * rest[at + step] for tap, step in zip(whole, _WHOLE, strict=True)])
                changed = (
                    max(-1.0, min(1.0, guess[at] + OVER * (seen - REG * guess[at] * noise) / (power + REG * noise)))
                    - guess[at]
                )
                if abs(changed) > 0.01:
                    guess[at] += changed
                    for tap, step in zip(whole, _WHOLE, strict=True):
                        rest[at + step] -= tap * changed
        for at in free:
            sure[at] = guess[at] ** 2
    for at in free:
        seen = sum([tap * rest[at + step] for tap, step in zip(whole, _WHOLE, strict=True)])
        spread = sum([tap * tap * (1 - sure[at + step]) for tap, step in zip(whole, _WHOLE, strict=True)])
        odds[at] = 2 * (seen + power * guess[at]) / (noise + SPR * spread)
    told = [max(-7.0, min(7.0, odds[at])) if at in odds else 7.0 * guess[at] for at in _INNER]
    left = sum(rest[at] ** 2 for at in _INNER) / len(_INNER)
    spread = sum(light[at] ** 2 for at in _INNER) / len(_INNER) - (sum(light[at] for at in _INNER) / len(_INNER)) ** 2
    return told, [light[at] - rest[at] for at in _INNER], left / max(spread, 1e-6)


def _mixture(
    light: Sequence[float], guess: Sequence[float], weights: Sequence[float]
) -> tuple[list[float], list[float], float]:
    """How much of a module's darkness is seen there and beside it; what is left of the light; its noise."""
    columns = [[guess[at + step] + (guess[at - step] if step else 0.0) for at in _INNER] for step in _STEPS]
    columns.append([1.0] * len(_INNER))
    columns.append([(at % WIDE - WIDE / 2) / 10 for at in _INNER])
    columns.append([(at // WIDE - WIDE / 2) / 10 for at in _INNER])
    seen = [light[at] for at in _INNER]
    taps = solved(columns, seen, weights, 0.3)
    rest = [0.0] * (WIDE * WIDE)
    total = weigh = 0.0
    for number, at in enumerate(_INNER):
        rest[at] = seen[number] - sum([tap * column[number] for tap, column in zip(taps, columns, strict=True)])
        total += weights[number] * rest[at] ** 2
        weigh += weights[number]
    return taps[: len(_STEPS)], rest, max(total / weigh, 4.0)


def solved(
    columns: Sequence[Sequence[float]], want: Sequence[float], weights: Sequence[float], pull: float
) -> list[float]:
    """The factors that lead from the columns to what is wanted, nearly; a little drawn towards none at all."""
    size = len(columns)
    equations = []
    for i, a in enumerate(columns):
        weighted = list(map(mul, a, weights))
        row = [sum(map(mul, weighted, b)) for b in columns]
        row[i] += pull
        equations.append([*row, sum(map(mul, weighted, want))])
    for pivot in range(size):
        first = equations[pivot][pivot] or 1e-9
        equations[pivot] = [v / first for v in equations[pivot]]
        for row_at in range(size):
            if row_at != pivot and (factor := equations[row_at][pivot]):
                equations[row_at] = [a - factor * b for a, b in zip(equations[row_at], equations[pivot], strict=True)]
    return [row[-1] for row in equations]
