"""QR codes as vectors: one path of runs in whole modules, which every printer draws sharply at any size."""

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from labels.drawing.symbols import SMALLEST_MODULE as SMALLEST_MODULE
from labels.drawing.symbols import Symbol

if TYPE_CHECKING:
    from labels.drawing.qr_encoding import VersionLayout

QUIET_ZONE = 4
"""Modules of white paper that a reader needs around the code."""


def rows(text: str) -> tuple[bytes, ...]:
    """Return the code for `text` at level M, row by row from the top. A byte is 0 for a dark module, else 255.

    Raises LabelError for a text that is too long for a code.
    """
    layout, bits = _encode(text)
    greys = bits.translate({ord("1"): "\x00", ord("0"): "\xff"}).encode("latin-1")
    side = layout.side
    return tuple(greys[start : start + side] for start in range(0, len(greys), side))


def symbol(text: str) -> Symbol:
    """Return the code for `text`, drawn in runs of dark modules. Raises LabelError for a text that is too long."""
    layout, bits = _encode(text)
    path = "".join([rectangles[bits[part]] for part, rectangles in layout.pieces]).rstrip()
    return Symbol("QR code", text, layout.side, path, QUIET_ZONE)


def _encode(text: str) -> tuple["VersionLayout", str]:
    """Return the layout of the smallest version that holds a text, and its modules from the top left, 1 for dark."""
    _import_qrcode()
    from labels.drawing import qr_encoding

    return qr_encoding.encode(text)


@cache
def _import_qrcode() -> None:
    """Import the package without PIL, which nothing here draws with.

    Importing PIL takes as long as drawing two dozen codes.
    """
    drawers = "qrcode.image.styles.moduledrawers.pil"
    if "qrcode" not in sys.modules:
        sys.modules[drawers] = None  # type: ignore[assignment]
        import_module("qrcode")
        sys.modules.pop(drawers, None)
