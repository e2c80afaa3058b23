"""The shape of a die cut: its outline, and the largest box inside it that keeps its distance."""

import math
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from labels.geometry import SAFE_MARGIN, Box

Shape = Literal["rectangle", "ellipse"]

_STEPS = 90
"""Number of corners that are tried for a box, along a quarter of the outline."""


class Outline(NamedTuple):
    """A box with round corners, as `ink.path` draws it. It is an ellipse if the radii are half of its sides."""

    box: Box
    radius: float
    radius_y: float


class InnerBox(Box, frozen=True):
    """The largest box inside a die that is not itself a box, and what surrounds it.

    `cut` is the die. `ink` is the box within the printer's reach that keeps the safe margin to the die's sides. An
    `ellipse` has more room above and beside the box.
    """

    cut: Box
    ink: Box
    shape: Shape = "rectangle"
    radius: float = 0.0

    @property
    def around(self) -> Box:
        """The box of the whole label."""
        return self.cut

    @property
    def outline(self) -> Outline:
        """The edge of the label."""
        return self.outline_at(0)

    def outline_at(self, margin: float) -> Outline:
        """Return the outline `margin` points inside the edge."""
        inner = self.cut.inset(margin)
        if self.shape == "ellipse":
            return Outline(inner, inner.width / 2, inner.height / 2)
        return Outline(inner, max(0.0, self.radius - margin), max(0.0, self.radius - margin))

    def translate(self, right: float, up: float) -> "InnerBox":
        return msgspec.structs.replace(
            self,
            x=self.x + right,
            y=self.y + up,
            cut=self.cut.translate(right, up),
            ink=self.ink.translate(right, up),
        )

    def span(self, margin: float, low: float, high: float) -> tuple[float, float]:
        """Return the left and right limits of ink between two heights, `margin` points inside a round edge."""
        middle = self.cut.x + self.cut.width / 2
        centre = self.cut.y + self.cut.height / 2
        half = min(_half_width(self.cut.width / 2, self.cut.height / 2, margin, y - centre) for y in (low, high))
        return max(middle - half, self.ink.x), min(middle + half, self.ink.right)


@lru_cache(maxsize=64)
def _quarter(a: float, b: float, margin: float) -> tuple[list[float], list[float]]:
    """Return the heights above an ellipse's centre of the points of a line, and their distances beside it.

    The line keeps `margin` points inside the ellipse with the half axes `a` and `b`.
    """
    heights, halves = [], []
    for cos, sin in ((math.cos(angle), math.sin(angle)) for angle in _angles()):
        normal = margin / math.hypot(b * cos, a * sin)
        heights.append((b - normal * a) * sin)
        halves.append((a - normal * b) * cos)
    return heights, halves


def _half_width(a: float, b: float, margin: float, y: float) -> float:
    """Return half the width of the line at a height, or 0 above and below it.

    The line is straight between two of its points, and so lies slightly further inside.
    """
    heights, halves = _quarter(a, b, margin)
    at = bisect_right(heights, abs(y))
    if at == len(heights):
        return 0.0
    share = (abs(y) - heights[at - 1]) / (heights[at] - heights[at - 1])
    return halves[at - 1] + share * (halves[at] - halves[at - 1])


def _angles() -> Iterator[float]:
    """Return angles from the side of a die to its top."""
    return (math.pi / 2 * step / _STEPS for step in range(_STEPS + 1))


class Die(NamedTuple):
    """A die cut, in points: round or with round corners, with a round hole of diameter `hole` if that is not 0."""

    shape: Shape
    width: float
    height: float
    radius: float
    hole: float = 0.0

    def outlines(self, place: Box) -> tuple[Outline, ...]:
        """Return the cut outlines of a die in this box: its edge, and its hole."""
        half = (place.width / 2, place.height / 2)
        edge = Outline(place, *half) if self.shape == "ellipse" else Outline(place, self.radius, self.radius)
        if not self.hole:
            return (edge,)
        radius = self.hole / 2
        round_hole = Box(place.x + half[0] - radius, place.y + half[1] - radius, self.hole, self.hole)
        return edge, Outline(round_hole, radius, radius)

    def room(self, blank_x: float, blank_y: float) -> Box:
        """Return the box that a label is drawn into, from the die's bottom left. Drawings keep the safe margin to it.

        Ink then stays the safe margin away from the die's edge and its hole, and off the strips that the printer leaves
        blank at the sides and at top and bottom. Corner radii up to 5.1 mm take nothing away: what keeps the safe
        margin to the sides lies inside them, too. Beside a hole it is the largest such box to the right of it or below
        it. The box is empty if the die has no room.
        """
        return _inner_room(self, blank_x, blank_y)


@lru_cache(maxsize=256)
def _inner_room(die: Die, blank_x: float, blank_y: float) -> Box:
    least = max(blank_x, SAFE_MARGIN), max(blank_y, SAFE_MARGIN)
    insets = [(max(x, least[0]) - SAFE_MARGIN, max(y, least[1]) - SAFE_MARGIN) for x, y in _corners(die, *least)]
    rooms = [Box(x, y, die.width - 2 * x, die.height - 2 * y) for x, y in insets]
    if die.hole:
        right, below = (die.width + die.hole) / 2, (die.height - die.hole) / 2
        rooms = [Box(room.x, room.y, room.width, below - room.y) for room in rooms] + [
            Box(right, room.y, room.right - right, room.height) for room in rooms
        ]
    # The first of two that are equal but for rounding: it lies below the hole.
    room, cut = max(rooms, key=_inked_area), Box(0, 0, die.width, die.height)
    if die.hole or room == cut:
        return room
    ink = Box(least[0], least[1], die.width - 2 * least[0], die.height - 2 * least[1])
    return InnerBox(room.x, room.y, room.width, room.height, cut, ink, die.shape, die.radius)


def _inked_area(room: Box) -> float:
    ink = room.inset(SAFE_MARGIN)
    return round(max(0.0, ink.width) * max(0.0, ink.height), 6)


def _corners(die: Die, least_x: float, least_y: float) -> Iterator[tuple[float, float]]:
    """Yield positions for a corner of the ink as near to the die's corner as possible.

    Each is a pair of distances from the die's side and bottom.
    """
    angles = _angles()
    if die.shape == "ellipse":
        a, b = die.width / 2, die.height / 2
        for cos, sin in ((math.cos(angle), math.sin(angle)) for angle in angles):
            normal = SAFE_MARGIN / math.hypot(b * cos, a * sin)
            yield a - (a - normal * b) * cos, b - (b - normal * a) * sin
    elif _keeps_inside(die.radius, least_x, least_y):
        yield least_x, least_y
    else:
        inside = die.radius - SAFE_MARGIN
        for angle in angles:
            yield die.radius - inside * math.cos(angle), die.radius - inside * math.sin(angle)


def _keeps_inside(radius: float, x: float, y: float) -> bool:
    """Return True if a corner at this distance from the sides of a die lies inside its round corner."""
    return math.hypot(max(0.0, radius - x), max(0.0, radius - y)) <= radius
