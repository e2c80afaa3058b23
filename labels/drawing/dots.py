"""Dots of printers that print no greys: their size, and the colours that count as ink."""

from typing import Final

from labels.geometry import INCH

DOTS: Final = 203
"""Dots to an inch of the coarsest label printers. Finer printers keep all of them."""
DOT: Final = INCH / DOTS
"""Size of a dot of the coarsest label printers, in points."""
LINE: Final = 2 * DOT
"""Smallest thickness of a line, in points: a single dot may fall between two of a printer's."""
_LIGHT: Final = 0.5
"""A colour of this brightness or more, from 0 to 1, counts as paper rather than ink."""
_WEIGHTS: Final = (0.299, 0.587, 0.114)


def brightness(colour: str) -> float:
    """Return the brightness of `#RRGGBB`, from 0 for black to 1 for white."""
    return sum(weight * int(colour[at : at + 2], 16) for weight, at in zip(_WEIGHTS, (1, 3, 5), strict=True)) / 255


def is_dark(colour: str) -> bool:
    """Return True if a colour counts as ink rather than paper."""
    return brightness(colour) < _LIGHT
