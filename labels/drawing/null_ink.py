"""An ink that draws nothing, to test labels before any page begins."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from labels.drawing import picture
from labels.drawing.ink import BLACK, Ink
from labels.drawing.picture import Picture
from labels.drawing.symbols import Bars, Symbol
from labels.geometry import Box
from labels.typesetting.fonts import Weight
from labels.typesetting.text import TextSetting


class NullInk(Ink):
    """An ink that accepts everything and draws nothing."""

    def __init__(self) -> None:
        pass

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None:
        pass

    def outline(self, paths: Iterable[str], colour: str, width: float) -> None:
        pass

    def text(self, x: float, baseline: float, text: str, weight: Weight, size: float, colour: str) -> None:
        pass

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = BLACK, centred: float = 0.0) -> None:
        pass

    @contextmanager
    def enlarge(self, box: Box, scale: float, margin: float = 0.0) -> Iterator[Box]:
        yield Box(0, 0, box.width / scale, box.height / scale).inset(margin)

    @contextmanager
    def span(self, text: str) -> Iterator[None]:  # noqa: ARG002
        yield

    @contextmanager
    def clip(self, outline: str) -> Iterator[None]:  # noqa: ARG002
        yield

    @contextmanager
    def turn(self, x: float, y: float) -> Iterator[None]:  # noqa: ARG002
        yield

    @contextmanager
    def rotate(self, degrees: float, x: float, y: float) -> Iterator[None]:  # noqa: ARG002
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
        """Decode the whole picture, as only that reveals damage."""
        _read(seen, *seen.pixels(box.width, box.height))


@lru_cache(maxsize=1024)
def _read(seen: Picture, wide: int, high: int) -> None:
    picture.load_pixels(seen, wide, high)
