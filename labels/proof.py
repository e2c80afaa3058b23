"""Proofs: a PDF's pages as pictures, for a look before paper is spent.

Separate because it reads finished PDFs and shares nothing with drawing them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labels.geometry import INCH

if TYPE_CHECKING:
    from PIL.Image import Image

PREVIEW_DPI = 150

# The renderer rounds sizes up: what a float has too much would cost a row of pixels and stretch the page.
_SHY = 1 - 1e-9


def count(pdf: bytes | Path) -> int:
    """How many pages a PDF has."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        return len(document)


def page(pdf: bytes | Path, number: int, dpi: float = PREVIEW_DPI) -> "Image":
    """One page, counted from 1, as a picture in colour."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        return _picture(document[number - 1], dpi)


def pages(pdf: bytes | Path, dpi: float = PREVIEW_DPI) -> Iterator["Image"]:
    """Each page as a picture in colour."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            yield _picture(page, dpi)


def _picture(page: Any, dpi: float) -> "Image":
    picture: Image = page.render(scale=_SHY * dpi / INCH).to_pil().convert("RGB")
    return picture
