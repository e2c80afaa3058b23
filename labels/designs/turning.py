"""Boxes that are turned about their middle: their corners, and whether they stay on a label and off other boxes."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from labels.geometry import Box
from labels.paper.die import InnerBox

Corner = tuple[float, float]

_TOLERANCE: Final = 0.01
"""In points, for rounding."""


def turn_corners(box: Box, degrees: float) -> tuple[Corner, ...]:
    """Return the corners of a box that is turned clockwise about its middle."""
    middle, angle = (box.x + box.width / 2, box.y + box.height / 2), -math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    halves = [(across * box.width / 2, up * box.height / 2) for across, up in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return tuple((middle[0] + x * cos - y * sin, middle[1] + x * sin + y * cos) for x, y in halves)


def is_on_label(corners: Sequence[Corner], die: Box, margin: float) -> bool:
    """Return True if a turned box stays `margin` points inside the edge of a label, also of a round one."""
    if isinstance(die, InnerBox) and die.shape == "ellipse":
        ink, is_round = die.ink, True
    else:
        ink, is_round = Box(die.x, die.y, die.width, die.height).inset(margin), False
    for x, y in corners:
        left, right = die.span(margin, y, y) if isinstance(die, InnerBox) and is_round else (ink.x, ink.right)
        if not (left - _TOLERANCE <= x <= right + _TOLERANCE and ink.y - _TOLERANCE <= y <= ink.top + _TOLERANCE):
            return False
    return True


def covers(corners: Sequence[Corner], box: Box, tolerance: float) -> bool:
    """Return True if a turned box covers more than `tolerance` points of another box, in every direction."""
    other = turn_corners(box, 0)
    for first, second in pairwise(corners[:3]):
        length = math.hypot(second[0] - first[0], second[1] - first[1]) or 1.0
        if _overlap(corners, other, ((second[0] - first[0]) / length, (second[1] - first[1]) / length)) <= tolerance:
            return False
    return all(_overlap(corners, other, axis) > tolerance for axis in ((1.0, 0.0), (0.0, 1.0)))


def _overlap(one: Sequence[Corner], other: Sequence[Corner], axis: Corner) -> float:
    """Return by how much two shapes overlap in a direction."""
    (low, high), (least, most) = (
        (min(along), max(along)) for along in ([x * axis[0] + y * axis[1] for x, y in shape] for shape in (one, other))
    )
    return min(high, most) - max(low, least)
