"""Suits, a star and the marks of tiers as outlines.

The text family has none of them, the PDF standard's symbol fonts are not embedded, and reportlab cannot embed the OFL
fonts that have them. Drawn as paths they look the same in every viewer and printer.
"""

import math

import msgspec


class Pip(msgspec.Struct, frozen=True):
    """A glyph as PDF path operators on an em of 1000 units, with its baseline at 0, and its advance in em."""

    advance: float
    path: str


def _polygon_path(*points: tuple[float, float]) -> str:
    start, *rest = [f"{x:.0f} {y:.0f}" for x, y in points]
    return " ".join([f"{start} m", *(f"{point} l" for point in rest), "h"])


def _disc_path(x: float, y: float, radius: float) -> str:
    # The control arms of four cubic curves that approximate a circle.
    arm = 0.5523 * radius
    return (
        f"{x + radius:.0f} {y:.0f} m "
        f"{x + radius:.0f} {y + arm:.0f} {x + arm:.0f} {y + radius:.0f} {x:.0f} {y + radius:.0f} c "
        f"{x - arm:.0f} {y + radius:.0f} {x - radius:.0f} {y + arm:.0f} {x - radius:.0f} {y:.0f} c "
        f"{x - radius:.0f} {y - arm:.0f} {x - arm:.0f} {y - radius:.0f} {x:.0f} {y - radius:.0f} c "
        f"{x + arm:.0f} {y - radius:.0f} {x + radius:.0f} {y - arm:.0f} {x + radius:.0f} {y:.0f} c h"
    )


def _star_path(points: int, x: float, y: float, outer: float, inner: float) -> str:
    corners = []
    for step in range(2 * points):
        angle = math.pi / 2 + step * math.pi / points
        radius = inner if step % 2 else outer
        corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return _polygon_path(*corners)


def _stem_path(centre: int, half: int) -> str:
    left, right = centre - half, centre + half
    return (
        f"{left} -10 m {right} -10 l {centre + half // 4} 40 {centre + 24} 120 {centre + 18} 330 c "
        f"{centre - 18} 330 l {centre - 24} 120 {centre - half // 4} 40 {left} -10 c h"
    )


_SPADE = (
    "320 715 m 285 590 30 455 30 258 c 30 140 108 78 188 78 c 240 78 285 106 320 160 c "
    "355 106 400 78 452 78 c 532 78 610 140 610 258 c 610 455 355 590 320 715 c h " + _stem_path(320, 130)
)
_HEART = (
    "320 -15 m 285 110 30 260 30 490 c 30 625 115 700 205 700 c 262 700 300 668 320 615 c "
    "340 668 378 700 435 700 c 525 700 610 625 610 490 c 610 260 355 110 320 -15 c h"
)
_DIAMOND = (
    "290 -20 m 225 105 135 235 30 345 c 135 455 225 585 290 710 c 355 585 445 455 550 345 c 445 235 355 105 290 -20 c h"
)
_CLUB = " ".join(
    (_disc_path(350, 545, 165), _disc_path(187, 277, 165), _disc_path(513, 277, 165), _stem_path(350, 140))
)
_SPARK = (
    "350 -30 m 375 225 455 305 710 330 c 455 355 375 435 350 690 c 325 435 245 355 -10 330 c "
    "245 305 325 225 350 -30 c h"
)

PIPS = {
    "♠": Pip(0.64, _SPADE),
    "♥": Pip(0.64, _HEART),
    "♦": Pip(0.58, _DIAMOND),
    "♣": Pip(0.70, _CLUB),
    "★": Pip(0.76, _star_path(5, 380, 330, 385, 150)),
    "●": Pip(0.70, _disc_path(350, 340, 290)),
    "■": Pip(0.70, _polygon_path((90, 80), (90, 600), (610, 600), (610, 80))),
    "◆": Pip(0.70, _polygon_path((350, -20), (0, 340), (350, 700), (700, 340))),
    "▲": Pip(0.70, _polygon_path((30, 30), (350, 640), (670, 30))),
    "✦": Pip(0.70, _SPARK),
}
