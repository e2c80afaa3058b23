"""Proofs: a PDF's pages as pictures, for a look before paper is spent.

Separate because it reads finished PDFs and shares nothing with drawing them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from labels.geometry import INCH, Box

if TYPE_CHECKING:
    from PIL.Image import Image

PREVIEW_DPI = 150


def pages(pdf: bytes, dpi: float = PREVIEW_DPI) -> Iterator["Image"]:
    """Each page as a picture in colour."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            yield page.render(scale=dpi / INCH).to_pil().convert("RGB")


def detail(pdf: bytes, box: Box, dpi: float, page: int = 0) -> "Image":
    """A part of a page as a picture in greys; much quicker than the whole page at the same resolution."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        sheet = document[page]
        width, height = sheet.get_size()
        crop = (box.x, box.y, width - box.right, height - box.top)
        picture: Image = sheet.render(scale=dpi / INCH, crop=crop, grayscale=True).to_pil()
        return picture
