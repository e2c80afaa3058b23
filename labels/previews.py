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


def _png(pdf: bytes | Path, number: int, path: Path) -> None:
    proof.page(pdf, number).save(path, format="PNG", dpi=(proof.PREVIEW_DPI,) * 2)


def _jpeg(pdf: bytes | Path, number: int, path: Path) -> None:
    proof.page(pdf, number).save(path, format="JPEG", quality=90, dpi=(proof.PREVIEW_DPI,) * 2)


def _svg(pdf: bytes | Path, number: int, path: Path) -> None:
    from labels import svg

    path.write_text(svg.page(pdf, number), encoding="utf-8")


_KINDS: Final[Mapping[str, Drawing]] = {"": _png, ".png": _png, ".jpg": _jpeg, ".jpeg": _jpeg, ".svg": _svg}


def drawing(path: Path) -> Drawing:
    """How a preview of this name is drawn. Raises PreviewError."""
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise PreviewError(f"A preview ends in .png, .jpg or .svg; “{path.name}” ends in none of these.")
    return kind
