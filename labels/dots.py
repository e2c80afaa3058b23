"""Dots in place of greys: how large they are where printers have nothing else, and which colours are ink there."""

from typing import Final

from labels.geometry import INCH

DOTS: Final = 203
"""To an inch, as the coarsest label printers have them; finer ones keep them all."""
DOT: Final = INCH / DOTS
"""A dot of the coarsest label printers, in points."""
LINE: Final = 2 * DOT
"""How thick a line is at least: one dot alone may fall between two of a printer's."""
_LIGHT: Final = 0.5
"""From this brightness on, of 1, a colour is paper rather than ink."""
_WEIGHTS: Final = (0.299, 0.587, 0.114)


def brightness(colour: str) -> float:
    """How bright `#RRGGBB` looks, from 0 for black to 1 for white."""
    return sum(weight * int(colour[at : at + 2], 16) for weight, at in zip(_WEIGHTS, (1, 3, 5), strict=True)) / 255


def is_dark(colour: str) -> bool:
    """Whether a colour is ink rather than paper."""
    return brightness(colour) < _LIGHT
