"""QR codes as vectors: one path of merged runs in whole modules, which every printer draws sharply at any size.

Separate because it turns a text into shapes and knows no page. zxing-cpp's encoder is some twenty times faster than
the `qrcode` library, and it is here already for reading.
"""

import math

import msgspec

from labels.geometry import MM
from labels.native import unhurried

QUIET_ZONE = 4
"""Modules of white paper that a reader needs around the code."""

SMALLEST_MODULE = 0.396 * MM
"""What GS1 asks of a printed module at least; phones lose smaller ones in a bad print."""

_DARK = 0


class Symbol(msgspec.Struct, frozen=True):
    """A QR code: its side in modules without the quiet zone, and its dark modules as PDF rectangles, one a module."""

    side: int
    path: str

    @property
    def outer(self) -> int:
        """The side in modules with the quiet zone."""
        return self.side + 2 * QUIET_ZONE


def rows(text: str) -> tuple[bytes, ...]:
    """The code for `text` at level M, row by row from the top; a byte is 0 where the module is dark, else 255."""
    with unhurried("zxingcpp"):
        import zxingcpp

    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    pixels = memoryview(code.to_image(scale=1, add_quiet_zones=False)).tobytes()  # type: ignore[arg-type]
    side = math.isqrt(len(pixels))
    return tuple(pixels[row * side : (row + 1) * side] for row in range(side))


def symbol(text: str) -> Symbol:
    """The code for `text` with its dark modules merged into as few rectangles as go without searching."""
    matrix = rows(text)
    side = len(matrix)
    open_runs: dict[tuple[int, int], int] = {}
    parts: list[str] = []
    for row, modules in enumerate((*matrix, b"")):
        runs = dict.fromkeys(_runs(modules), row)
        for run, first in open_runs.items():
            if run in runs:
                runs[run] = first
            else:
                parts.append(f"{run[0]} {side - row} {run[1]} {row - first} re")
        open_runs = runs
    return Symbol(side, " ".join(parts))


def _runs(modules: bytes) -> list[tuple[int, int]]:
    """Start and length of each run of dark modules."""
    found: list[tuple[int, int]] = []
    start = modules.find(_DARK)
    while start >= 0:
        end = modules.find(255, start)
        if end < 0:
            end = len(modules)
        found.append((start, end - start))
        start = modules.find(_DARK, end)
    return found
