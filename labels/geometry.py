"""Lengths and boxes on paper, in points from the page's bottom left, as PDF counts them.

Separate because stocks, designs and ink all speak of boxes and none of them needs the others for it.
"""

import msgspec

INCH = 72.0
MM = INCH / 25.4

SAFE_MARGIN = 1.5 * MM
"""No ink comes nearer to the die cut than this: printers feed paper askew by up to a millimetre."""


class Box(msgspec.Struct, frozen=True):
    """A rectangle: its bottom left corner, its width and its height, in points."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def top(self) -> float:
        return self.y + self.height

    def inset(self, margin: float) -> "Box":
        """This box, `margin` points smaller on every side."""
        return Box(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def cut_left(self, width: float, gap: float = 0.0) -> tuple["Box", "Box"]:
        """The leftmost `width` points, and what remains to the right of a `gap`."""
        taken = width + gap
        return (
            Box(self.x, self.y, width, self.height),
            Box(self.x + taken, self.y, self.width - taken, self.height),
        )

    def cut_top(self, height: float, gap: float = 0.0) -> tuple["Box", "Box"]:
        """The topmost `height` points, and what remains below a `gap`."""
        taken = height + gap
        return (
            Box(self.x, self.top - height, self.width, height),
            Box(self.x, self.y, self.width, self.height - taken),
        )
