"""Labels that lie side by side have their texts in one size, found by drawing without ink."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import overload

import msgspec

from labels import picture
from labels.errors import LabelError
from labels.fonts import Weight
from labels.geometry import Box
from labels.ink import BLACK, Ink
from labels.picture import Picture
from labels.sheet import Label, Sheet
from labels.symbols import Bars, Symbol
from labels.text import Setting


class NullInk(Ink):
    """Takes everything that ink takes."""

    def __init__(self) -> None:
        pass

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None:
        pass

    def outline(self, paths: Iterable[str], colour: str, width: float) -> None:
        pass

    def text(self, x: float, baseline: float, text: str, weight: Weight, size: float, colour: str) -> None:
        pass

    def lines(self, x: float, top: float, setting: Setting, colour: str = BLACK, centred: float = 0.0) -> None:
        pass

    @contextmanager
    def enlarge(self, box: Box, scale: float, margin: float = 0.0) -> Iterator[Box]:
        yield Box(0, 0, box.width / scale, box.height / scale).inset(margin)

    @contextmanager
    def span(self, text: str) -> Iterator[None]:  # noqa: ARG002
        yield

    @contextmanager
    def turn(self, x: float, y: float) -> Iterator[None]:  # noqa: ARG002
        yield

    def draw_repeated(self, box: Box, draw: Callable[[Ink, Box], None], *key: Hashable) -> None:  # noqa: ARG002
        draw(self, box)

    def draw_form(self, box: Box, name: str) -> None:
        pass

    def symbol(self, square: Box, symbol: Symbol) -> None:
        pass

    def bars(self, box: Box, bars: Bars, descent: float = 0.0) -> None:
        pass

    def picture(self, box: Box, seen: Picture, description: str) -> None:  # noqa: ARG002
        """Reads the whole picture: what is damaged shows only then."""
        _read(seen, *seen.pixels(box.width, box.height))


@lru_cache(maxsize=1024)
def _read(seen: Picture, wide: int, high: int) -> None:
    picture.load_pixels(seen, wide, high)


class _SizeRecorder(NullInk):
    """Sees in which sizes texts and figures are set."""

    def __init__(self) -> None:
        self.texts: list[float] = []
        self.figures: list[float] = []

    def text(self, x: float, baseline: float, text: str, weight: Weight, size: float, colour: str) -> None:  # noqa: ARG002
        self.figures.append(size)

    def lines(self, x: float, top: float, setting: Setting, colour: str = BLACK, centred: float = 0.0) -> None:  # noqa: ARG002
        if setting.weight == "regular":
            self.texts.append(setting.size)


class _EqualSizedSheets(Sequence[Sheet]):
    """Sheets whose labels have nothing larger than these sizes; each is made when it is looked at."""

    def __init__(self, sheets: Sequence[Sheet], most: Mapping[str, float]) -> None:
        self._sheets = sheets
        self._most = most

    def __len__(self) -> int:
        return len(self._sheets)

    @overload
    def __getitem__(self, index: int) -> Sheet: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sheet]: ...

    def __getitem__(self, index: int | slice) -> Sheet | Sequence[Sheet]:
        if isinstance(index, slice):
            return _EqualSizedSheets(self._sheets[index], self._most)
        return {position: _shrink(label, self._most) for position, label in self._sheets[index].items()}


def equalize_sizes(sheets: Sequence[Sheet], die: Box) -> Sequence[Sheet]:
    """The sheets with one size of text and one of figures for all their labels, on a die cut of this size.

    One that does not fit at all is refused by name where it is drawn. A run may be longer than memory: it is looked
    through once for the sizes, and each sheet is made again when it is drawn.
    """
    sizes_by_name: dict[str, set[float]] = {}
    for label in (label for sheet in sheets for label in sheet.values() if _adjustable_sizes(label)):
        for name, size in _sizes(label, die.width, die.height).items():
            sizes_by_name.setdefault(name, set()).add(size)
    return _EqualSizedSheets(sheets, {name: min(sizes) for name, sizes in sizes_by_name.items() if len(sizes) > 1})


def _adjustable_sizes(label: Label) -> tuple[str, ...]:
    """The sizes of a label that can be chosen: `size` of its text, where it has one, and `figure` of its figures."""
    has = {
        "size": getattr(label, "effect", "") or getattr(label, "text", ""),
        "figure": getattr(label, "figures", ()),
    }
    return tuple(name for name, there in has.items() if there and hasattr(label, name))


def _shrink(label: Label, most: Mapping[str, float]) -> Label:
    smaller = {name: most[name] for name in _adjustable_sizes(label) if most.get(name, math.inf) < getattr(label, name)}
    return msgspec.structs.replace(label, **smaller) if smaller else label  # type: ignore[type-var]


@lru_cache(maxsize=256)
def _sizes(label: Label, width: float, height: float) -> Mapping[str, float]:
    """The sizes in which a label is set; none for one that does not fit."""
    blind = _SizeRecorder()
    with suppress(LabelError):
        label.draw(blind, Box(0, 0, width, height))
    # Nothing on a label is larger than its figures.
    sizes = {"size": min(blind.texts, default=0.0), "figure": max(blind.figures, default=0.0)}
    return {name: sizes[name] for name in _adjustable_sizes(label) if sizes[name]}
