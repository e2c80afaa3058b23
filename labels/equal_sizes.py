"""Equal text sizes on labels that lie side by side, found by drawing without ink."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Final, overload

import msgspec

from labels import layout
from labels.designs.plain import Plain
from labels.drawing.ink import BLACK
from labels.drawing.null_ink import NullInk
from labels.drawing.style import LEAST_EQUAL
from labels.errors import LabelError
from labels.geometry import Box
from labels.paper.sheet import Label, Sheet
from labels.typesetting.fonts import Weight
from labels.typesetting.text import TextSetting

_SMALLER_SHARE: Final = 0.1
"""The share of a run's labels that may have smaller text than the others."""


class _SizeRecorder(NullInk):
    """An ink that records the sizes of texts and figures, in points on the paper."""

    def __init__(self) -> None:
        self.texts: list[float] = []
        self.figures: list[float] = []
        self._scale = 1.0

    @contextmanager
    def enlarge(self, box: Box, scale: float, margin: float = 0.0) -> Iterator[Box]:
        before = self._scale
        self._scale *= scale
        with super().enlarge(box, scale, margin) as inner:
            yield inner
        self._scale = before

    def text(self, x: float, baseline: float, text: str, weight: Weight, size: float, colour: str) -> None:  # noqa: ARG002
        self.figures.append(size * self._scale)

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = BLACK, centred: float = 0.0) -> None:  # noqa: ARG002
        if setting.weight == "regular":
            self.texts.append(setting.size * self._scale)


class _EqualSizedSheets(Sequence[Sheet]):
    """Sheets whose labels are limited to these sizes. Each sheet is made on access."""

    def __init__(self, sheets: Sequence[Sheet], die: Box, most: Mapping[str, float]) -> None:
        self._sheets = sheets
        self._die = die
        self._most = most

    def __len__(self) -> int:
        return len(self._sheets)

    @overload
    def __getitem__(self, index: int) -> Sheet: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sheet]: ...

    def __getitem__(self, index: int | slice) -> Sheet | Sequence[Sheet]:
        if isinstance(index, slice):
            return _EqualSizedSheets(self._sheets[index], self._die, self._most)
        return {
            position: _shrink_label(label, self._die, self._most) for position, label in self._sheets[index].items()
        }


def equalize_sizes(sheets: Sequence[Sheet], die: Box) -> Sequence[Sheet]:
    """Return the sheets with one size of text and one of figures for all labels, on a die cut of this size.

    The size is the largest that nine of ten labels have room for, so that one long text does not shrink the others.
    Labels with less room have smaller text. A label that does not fit at all raises an error with its name when it is
    drawn. A run may be larger than memory: it is read once for the sizes, and each sheet is made again when it is
    drawn.
    """
    counts_by_name: dict[str, Counter[float]] = {}
    for label in (label for sheet in sheets for label in sheet.values() if _adjustable_sizes(label)):
        for name, size in _sizes(label, die).items():
            counts_by_name.setdefault(name, Counter())[round(size, 3)] += 1
    most = {name: _common_size(counts) for name, counts in counts_by_name.items() if len(counts) > 1}
    return _EqualSizedSheets(sheets, die, most)


def _common_size(counts: Counter[float]) -> float:
    """Return the largest size for which all but a tenth of the labels have room, but no size that is hard to read."""
    allowed, below = counts.total() * _SMALLER_SHARE, 0
    for size in sorted(counts):
        below += counts[size]
        if below > allowed:
            return max(size, LEAST_EQUAL)
    return max(counts)


def _adjustable_sizes(label: Label) -> tuple[str, ...]:
    """Return the adjustable sizes of a label: `size` if it has text, and `figure` if it has figures."""
    has = {
        "size": getattr(label, "effect", "") or getattr(label, "text", ""),
        "figure": getattr(label, "figures", ()),
    }
    return tuple(name for name, there in has.items() if there and hasattr(label, name))


def _shrink_label(label: Label, die: Box, most: Mapping[str, float]) -> Label:
    names = [name for name in _adjustable_sizes(label) if name in most]
    if not names:
        return label
    scale = label.scale_on(die) if isinstance(label, Plain) else layout.scale_for(label, die.width, die.height)
    smaller = {name: most[name] / scale for name in names if most[name] / scale < getattr(label, name)}
    return msgspec.structs.replace(label, **smaller) if smaller else label  # type: ignore[type-var]


@lru_cache(maxsize=256)
def _sizes(label: Label, die: Box) -> Mapping[str, float]:
    """Return the sizes in which a label is set, or none if it does not fit."""
    blind = _SizeRecorder()
    with suppress(LabelError):
        label.draw(blind, die)
    # Nothing on a label is larger than its figures.
    sizes = {"size": min(blind.texts, default=0.0), "figure": max(blind.figures, default=0.0)}
    return {name: sizes[name] for name in _adjustable_sizes(label) if sizes[name]}
