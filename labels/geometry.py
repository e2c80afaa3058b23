"""Lengths and rectangles in points, and the papers that printers take."""

import os
import re
import unicodedata
from typing import Final, Literal, NamedTuple, get_args

import msgspec

from labels.errors import LabelError
from templates.languages.messages import any_of, phrase

INCH = 72.0
MM = INCH / 25.4

SAFE_MARGIN = 1.5 * MM
"""No ink comes nearer to the die cut than this: printers feed paper askew by up to a millimetre."""


InkName = Literal["colour", "black"]
"""The ink of a print: all colours, or black alone, for printers that print a dot or leave it out."""
INK_NAMES: Final = get_args(InkName)


class Box(msgspec.Struct, frozen=True):
    """A rectangle: its bottom left corner, its width and its height, in points."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def top(self) -> float:
        return self.y + self.height

    @property
    def around(self) -> "Box":
        """The box of the whole label, of which this one may be the printable part."""
        return self

    def translate(self, right: float, up: float) -> "Box":
        """Return this box moved `right` and `up` by points."""
        return Box(self.x + right, self.y + up, self.width, self.height)

    def inset(self, margin: float) -> "Box":
        """Return this box, `margin` points smaller on every side."""
        return Box(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def cut_left(self, width: float, gap: float = 0.0) -> tuple["Box", "Box"]:
        """Return the leftmost `width` points, and what remains to the right of a `gap`."""
        taken = width + gap
        return (
            Box(self.x, self.y, width, self.height),
            Box(self.x + taken, self.y, self.width - taken, self.height),
        )

    def cut_top(self, height: float, gap: float = 0.0) -> tuple["Box", "Box"]:
        """Return the topmost `height` points, and what remains below a `gap`."""
        taken = height + gap
        return (
            Box(self.x, self.top - height, self.width, height),
            Box(self.x, self.y, self.width, self.height - taken),
        )


def intersection(box: Box, other: Box) -> Box:
    """Return the box that two boxes have in common. Its width or height is 0 or less if they do not overlap."""
    x, y = max(box.x, other.x), max(box.y, other.y)
    return Box(x, y, min(box.right, other.right) - x, min(box.top, other.top) - y)


UNITS = {"in": INCH, "mm": MM}

# A smaller page holds no label, and a larger one fits no printer.
_MIN_EDGE, _MAX_EDGE = 10 * MM, 2000 * MM
# Sheets of one paper differ by this much between makers.
_SAME_PAPER_TOLERANCE = 1 * MM
_LENGTH = r"(\d{1,4}(?:[.,]\d{1,6})?)"
_SIZE = re.compile(rf"\s*{_LENGTH}\s*(mm|in)?\s*[x×]\s*{_LENGTH}\s*(mm|in)?\s*", re.IGNORECASE)


class PaperError(LabelError):
    """A paper that no printer could take."""


class Paper(NamedTuple):
    """A page: its title, its name in files and options, its width and height in points."""

    title: str
    name: str
    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points."""
        return self.width, self.height

    @property
    def is_custom(self) -> bool:
        """Return True if printing systems have no name for the paper, only lengths."""
        return self.name not in NAMED or self.name == CARD.name

    @property
    def measures(self) -> str:
        """Width and height as text: `105 × 148 mm`."""
        return f"{self.width / MM:.0f} × {self.height / MM:.0f} mm"

    @property
    def media(self) -> str:
        """The paper's name in CUPS."""
        return media(self.width, self.height) if self.is_custom else self.title

    def fits(self, other: "Paper") -> bool:
        """Return True if it is the same paper, in either orientation."""
        mine, others = sorted(self.size), sorted(other.size)
        return all(abs(one - two) < _SAME_PAPER_TOLERANCE for one, two in zip(mine, others, strict=True))


LETTER = Paper("Letter", "letter", 8.5 * INCH, 11 * INCH)
A4 = Paper("A4", "a4", 210 * MM, 297 * MM)
CARD = Paper("Index card", "card", 3 * INCH, 5 * INCH)
"""A card of 3 × 5 in, the smallest that most printers take.

Folded once, it is as wide as a playing card and less high, so that it fits in a deck's box.
"""
NAMED = {
    paper.name: paper
    for paper in (
        *(LETTER, A4, Paper("Legal", "legal", 8.5 * INCH, 14 * INCH)),
        *(Paper("A5", "a5", 148 * MM, 210 * MM), Paper("A6", "a6", 105 * MM, 148 * MM), CARD),
    )
}

_OF_LETTER: Final = frozenset(
    ["US", "CA", "MX", "PR", "PH", "CL", "CO", "VE", "GT", "SV", "CR", "NI", "HN", "PA", "DO"]
)
"""The regions whose printers have Letter in them; A4 is the paper of all others."""


def paper_of_region() -> Paper:
    """Return the plain paper of the region that the system's locale names; Letter if it names none."""
    locale = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_PAPER", "LANG"))), "")
    region = re.split(r"[.@]", locale)[0].partition("_")[2].upper()
    return A4 if region and region not in _OF_LETTER else LETTER


def is_paper(text: str) -> bool:
    """Return True if a text names a paper."""
    try:
        return bool(parse_paper(text))
    except PaperError:
        return False


def media(width: float, height: float) -> str:
    """Return the CUPS name of a page of custom size, from its width and height in points."""
    return f"Custom.{width / MM:.4g}x{height / MM:.4g}mm"


def parse_paper(text: str) -> Paper:
    """Parse a name of `NAMED` or two lengths such as `148 x 210 mm`. The default unit is mm. Raises PaperError."""
    wanted = " ".join(text.lower().split())
    named = next((paper for paper in NAMED.values() if wanted in (paper.name, paper.title.lower())), None)
    if named is not None:
        return named
    match = _SIZE.fullmatch(text)
    if match is None:
        raise PaperError(
            phrase(
                "Paper is {papers}, not “{paper}”; or say its width and height, as 148 x 210 mm.",
                papers=any_of(NAMED),
                paper=text,
            )
        )
    unit = (match[4] or match[2] or "mm").lower()
    across, down = (float(match[at].replace(",", ".")) for at in (1, 3))
    width, height = across * UNITS[unit], down * UNITS[unit]
    if not (min(width, height) >= _MIN_EDGE and max(width, height) <= _MAX_EDGE):
        raise PaperError(
            phrase(
                "Paper of {size} fits no printer; from 10 mm to 2000 mm is possible.",
                size=f"{across:g} × {down:g} {unit}",
            )
        )
    return Paper(f"{across:g} × {down:g} {unit}", f"{across:g} x {down:g} {unit}", width, height)


class SizeError(LabelError):
    """A size that cannot be parsed."""


_SIDE = r"""(\d{1,4}(?:[.,]\d{1,6})?|\d{1,3}/\d{1,3}|\d{1,2}[\s-]+\d{1,3}/\d{1,3}|\d{0,2}\s*[½¼¾⅓⅔⅛⅜⅝⅞])"""
_UNIT = r"""\s*(mm|cm|inch(?:es)?|in|["″”])?\s*"""
_LABEL_SIZE = re.compile(rf"\s*{_SIDE}{_UNIT}[x×*]\s*{_SIDE}{_UNIT}", re.IGNORECASE)
_ROUND_SIZE = re.compile(rf"\s*[øØ⌀∅]?\s*{_SIDE}{_UNIT}(?:round)?\s*", re.IGNORECASE)
_MOST_INCHES = 12
"""Sheets of labels in inches are no larger, and labels in millimetres are never this small on both sides."""


def parse_size(text: str) -> tuple[float, float]:
    """Parse a width and a height into points: `70x36mm`, `2.625 x 1 in`, `2-5/8" x 1"`, `40 mm round` or `Ø 40 mm`.

    Without a unit they are millimetres, or inches if no label is so small. Raises SizeError.
    """
    match = _LABEL_SIZE.fullmatch(text) or _ROUND_SIZE.fullmatch(text)
    if match is None:
        raise SizeError(
            phrase("“{size}” is not the size of a label; write it as 70x36mm, 2.625x1in or 40mm.", size=text)
        )
    sides = [_parse_side(side) for side in match.groups()[::2]]
    units = [unit.lower() for unit in match.groups()[1::2] if unit]
    unit = units[-1] if units else "in" if max(sides) < _MOST_INCHES else "mm"
    points = {"mm": MM, "cm": 10 * MM}.get(unit, INCH)
    if min(sides) <= 0:
        raise SizeError(phrase("“{size}” is not the size of a label; its sides are more than 0.", size=text))
    return sides[0] * points, sides[-1] * points


def _parse_side(text: str) -> float:
    """Parse a number as on rulers and boxes: `2.625`, `2,625`, `5/8`, `2-5/8`, `2 ⅝`."""
    whole = 0.0
    for part in re.findall(r"\d+/\d+|[½¼¾⅓⅔⅛⅜⅝⅞]|\d+(?:[.,]\d+)?", text):
        if "/" in part:
            above, below = map(int, part.split("/"))
            whole += above / below if below else 0.0
        else:
            whole += unicodedata.numeric(part) if not part[0].isdecimal() else float(part.replace(",", "."))
    return whole
