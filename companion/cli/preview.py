"""What a camera sees, as half blocks in the terminal. Separate because only a camera shows moving pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDTH = 48


@contextmanager
def preview() -> Iterator[Callable[[Image | None], None]]:
    """Gives what shows a picture in place of the one before; nothing is shown where there is no terminal to show it in.

    None takes the picture away, as lines that are printed below it would go with it.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.live import Live
    from rich_pixels import Pixels

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:

        def show(picture: Image | None) -> None:
            if picture is None:
                live.update("", refresh=True)
                return
            small = picture.resize((_WIDTH, max(2, _WIDTH * picture.height // picture.width)))
            live.update(Pixels.from_image(small.convert("RGB")), refresh=True)

        yield show
