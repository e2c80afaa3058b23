"""Labels that lie side by side have their texts in one size: the largest that suits every one of them.

Separate because each label is drawn for itself, and only a run knows what else lies on the table.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import overload

import msgspec

from labels.dry import DryInk
from labels.errors import LabelError
from labels.geometry import Box
from labels.ink import BLACK
from labels.label import Label
from labels.sheet import Sheet
from labels.text import Setting


class _Blind(DryInk):
    """Sees in which sizes texts are set."""

    def __init__(self) -> None:
        self.sizes: list[float] = []

    def lines(self, x: float, top: float, setting: Setting, colour: str = BLACK, centred: float = 0.0) -> None:  # noqa: ARG002
        if setting.weight == "regular":
            self.sizes.append(setting.size)


class _Alike(Sequence[Sheet]):
    """Sheets whose labels have no text larger than a size; each is made when it is looked at."""

    def __init__(self, sheets: Sequence[Sheet], size: float) -> None:
        self._sheets = sheets
        self._size = size

    def __len__(self) -> int:
        return len(self._sheets)

    @overload
    def __getitem__(self, index: int) -> Sheet: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sheet]: ...

    def __getitem__(self, index: int | slice) -> Sheet | Sequence[Sheet]:
        if isinstance(index, slice):
            return _Alike(self._sheets[index], self._size)
        return {position: _sized(label, self._size) for position, label in self._sheets[index].items()}


def alike(sheets: Sequence[Sheet], die: Box) -> Sequence[Sheet]:
    """The sheets with one size of text for all their labels, on a die cut of this size.

    One that does not fit at all is refused by name where it is drawn. A run may be longer than memory: it is looked
    through once for the size, and each sheet is made again when it is drawn.
    """
    return _Alike(sheets, min(_sizes(sheets, die), default=0.0))


def _sizes(sheets: Sequence[Sheet], die: Box) -> Iterator[float]:
    labels = (label for sheet in sheets for label in sheet.values() if _told(label))
    return filter(None, (_size(label, die.width, die.height) for label in labels))


def _told(label: Label) -> str:
    """The text of a label that has one, whose size can be chosen."""
    text: str = getattr(label, "effect", "") or getattr(label, "text", "")
    return text if hasattr(label, "size") else ""


def _sized(label: Label, size: float) -> Label:
    if not size or not _told(label) or getattr(label, "size", size) <= size:
        return label
    smaller: Label = msgspec.structs.replace(label, size=size)  # type: ignore[type-var]
    return smaller


@lru_cache(maxsize=256)
def _size(label: Label, width: float, height: float) -> float | None:
    """The size in which a label's text is set; None for one that does not fit."""
    blind = _Blind()
    with suppress(LabelError):
        label.draw(blind, Box(0, 0, width, height))
    return min(blind.sizes, default=None)
