"""Previews: a page as a file that people can look at, of the kind that its name's ending says.

Separate because proofs are for whoever measures pages, and these are files.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from labels import proof
from labels.errors import LabelError


class PreviewError(LabelError):
    """A file whose name does not say how a page should be drawn."""


Drawing = Callable[[bytes | Path, int, Path], None]
"""Draws one page of a PDF, counted from 1, into a file."""
_Drawing = Callable[[bytes | Path, int, Path, int], None]


def _png(pdf: bytes | Path, number: int, path: Path, dpi: int) -> None:
    proof.page(pdf, number, dpi).save(path, format="PNG", dpi=(dpi, dpi))


def _jpeg(pdf: bytes | Path, number: int, path: Path, dpi: int) -> None:
    proof.page(pdf, number, dpi).save(path, format="JPEG", quality=90, dpi=(dpi, dpi))


def _svg(pdf: bytes | Path, number: int, path: Path, dpi: int) -> None:  # noqa: ARG001
    from labels import svg

    path.write_text(svg.page(pdf, number), encoding="utf-8")


_KINDS: Final[Mapping[str, _Drawing]] = {"": _png, ".png": _png, ".jpg": _jpeg, ".jpeg": _jpeg, ".svg": _svg}


def drawing(path: Path, dpi: int = proof.PREVIEW_DPI) -> Drawing:
    """How a preview of this name is drawn, with so many dots an inch where it has dots. Raises PreviewError."""
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise PreviewError(f"A preview ends in .png, .jpg or .svg; “{path.name}” ends in none of these.")
    return lambda pdf, number, into: kind(pdf, number, into, dpi)
