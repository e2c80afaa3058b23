"""Proofs: a PDF's pages as pictures, for a look before paper is spent.

Separate because it reads finished PDFs and shares nothing with drawing them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from labels.geometry import INCH

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

PREVIEW_DPI = 150

# The renderer rounds sizes up: what a float has too much would cost a row of pixels and stretch the page.
_SHY = 1 - 1e-9


class Proof:
    """An open PDF."""

    def __init__(self, document: "PdfDocument") -> None:
        self._document = document

    def __len__(self) -> int:
        return len(self._document)

    def size(self, number: int) -> tuple[float, float]:
        """Width and height of a page, counted from 1, as it is looked at, in points."""
        width, height = self._document[number - 1].get_size()
        return width, height

    def picture(self, number: int, dpi: float = PREVIEW_DPI) -> "Image":
        """A page, counted from 1, as a picture in colour."""
        drawn = self._document[number - 1].render(scale=_SHY * dpi / INCH)
        picture: Image = drawn.to_pil().convert("RGB")
        return picture


@contextmanager
def opened(pdf: bytes | Path) -> Iterator[Proof]:
    """Opens a PDF, once for whatever is asked of it."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        yield Proof(document)


def count(pdf: bytes | Path) -> int:
    """How many pages a PDF has."""
    with opened(pdf) as proof:
        return len(proof)


def page(pdf: bytes | Path, number: int, dpi: float = PREVIEW_DPI) -> "Image":
    """One page, counted from 1, as a picture in colour."""
    with opened(pdf) as proof:
        return proof.picture(number, dpi)


def pages(pdf: bytes | Path, dpi: float = PREVIEW_DPI) -> Iterator["Image"]:
    """Each page as a picture in colour."""
    with opened(pdf) as proof:
        for number in range(1, len(proof) + 1):
            yield proof.picture(number, dpi)
