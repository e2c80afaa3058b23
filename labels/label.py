"""What a label is: a frozen value that can draw itself into a box.

Separate so that sheets and PDF know labels without knowing a single design.
"""

from typing import Protocol

from labels.geometry import SAFE_MARGIN as SAFE_MARGIN
from labels.geometry import Box
from labels.ink import Ink


class Label(Protocol):
    """Anything that can be stuck on a card or a box. Equal labels are drawn once in a file, so it must be hashable."""

    @property
    def title(self) -> str:
        """What people call this label."""

    def draw(self, ink: Ink, die: Box) -> None:
        """Draws the label into its die cut, keeping the safe margin. Raises LabelError if something does not fit."""

    def __hash__(self) -> int: ...
