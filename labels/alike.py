"""Labels that lie side by side have their texts in one size: the largest that suits every one of them.

Separate because each label is drawn for itself, and only a run knows what else lies on the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache

import msgspec

from labels.errors import LabelError
from labels.geometry import Box
from labels.ink import BLACK, Ink
from labels.label import Label
from labels.sheet import Sheet
from labels.text import Setting


class _Blind(Ink):
    """Draws nothing, and sees in which sizes texts are set."""

    def __init__(self) -> None:
        self.sizes: list[float] = []

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None: ...

    def outline(self, paths: Iterable[str], colour: str, width: float) -> None: ...

    def text(self, x: float, baseline: float, text: str, weight: str, size: float, colour: str) -> None: ...

    def lines(self, x: float, top: float, setting: Setting, colour: str = BLACK, centred: float = 0.0) -> None:  # noqa: ARG002
        if setting.weight == "regular":
            self.sizes.append(setting.size)

    @contextmanager
    def enlarged(self, box: Box, scale: float) -> Iterator[Box]:
        yield Box(0, 0, box.width / scale, box.height / scale)


def alike(sheets: Sequence[Sheet], die: Box) -> list[Sheet]:
    """The sheets with one size of text for all their labels, on a die cut of this size.

    One that does not fit at all stays as it is: it is refused by name where it is drawn.
    """
    labels = dict.fromkeys(label for sheet in sheets for label in sheet.values())
    found = {label: size for label in labels if (size := _size(label, die.width, die.height))}
    common = min(found.values(), default=0.0)
    sized = {label: _sized(label, common) for label in found}
    return [{position: sized.get(label, label) for position, label in sheet.items()} for sheet in sheets]


def _sized(label: Label, size: float) -> Label:
    if getattr(label, "size", size) <= size:
        return label
    smaller: Label = msgspec.structs.replace(label, size=size)  # type: ignore[type-var]
    return smaller


@lru_cache(maxsize=256)
def _size(label: Label, width: float, height: float) -> float | None:
    """The size of a label's text; None for one without, or whose text has no size to choose."""
    told = getattr(label, "effect", "") or getattr(label, "text", "")
    if not told or not hasattr(label, "size"):
        return None
    blind = _Blind()
    with suppress(LabelError):
        label.draw(blind, Box(0, 0, width, height))
    return min(blind.sizes, default=None)
