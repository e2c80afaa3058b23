"""A finished PDF becomes a file, and its preview with it: both or neither."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

from labels import previews, proof

Fresh = Callable[[Path], AbstractContextManager[Path]]
"""Gives a path to write to, which becomes the one that was asked for when the block ends well."""

Draw = Callable[[BinaryIO], object]
"""Writes a PDF, which may be larger than memory, as far as it is drawn."""


@contextmanager
def written(draw: Draw, output: Path | None, fresh: Fresh, preview: Path | None = None) -> Iterator[Path]:
    """Draws the PDF and writes it and its preview, both or neither: neither too where the block does not end well.

    Gives where the PDF lies meanwhile; without an `output` that is all that becomes of it. Raises PreviewError for a
    preview that has no known ending.
    """
    with ExitStack() as files:
        document = files.enter_context(_passing() if output is None else fresh(output))
        with document.open("wb") as out:
            draw(out)
        if preview is not None:
            draw_page = previews.drawing(preview)
            for path, number in zip(_numbered(preview), range(1, proof.count(document) + 1), strict=False):
                draw_page(document, number, files.enter_context(fresh(path)))
        yield document


@contextmanager
def _passing() -> Iterator[Path]:
    """A file that is gone when the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "print.pdf"


def _numbered(path: Path) -> Iterator[Path]:
    """The path itself, then FILE-2.png, FILE-3.png and so on for further sheets."""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")
