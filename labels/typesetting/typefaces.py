"""The typefaces that designs can choose, and the weights of each.

They are open fonts: those of `templates/typefaces`, whose weights are made from one file for upright and one for italic
letters, and those of pymupdf_fonts. Characters that a typeface lacks are set in the standard one.
"""

from collections.abc import Mapping
from importlib import resources
from typing import Final, Literal, NamedTuple, get_args

from labels.typesetting import shaping

Weight = Literal[
    "regular",
    "bold",
    "italic",
    "bold italic",
    "serif regular",
    "serif bold",
    "serif italic",
    "serif bold italic",
    "condensed regular",
    "condensed bold",
    "condensed italic",
    "condensed bold italic",
    "rounded regular",
    "rounded bold",
    "rounded italic",
    "rounded bold italic",
    "hand regular",
    "hand bold",
    "hand italic",
    "hand bold italic",
    "mono regular",
    "mono bold",
    "mono italic",
    "mono bold italic",
]
"""A weight of the standard typeface, or of another one, whose name stands before it."""

STANDARD: Final = "sans"
TYPEFACES: Final = (STANDARD, "serif", "condensed", "rounded", "hand", "mono")
"""The typefaces, by their names in designs."""
BOLD: Final = 700
_REGULAR: Final = 400


class Typeface(NamedTuple):
    """The name of a font and the files of its upright and italic letters in `templates/typefaces`."""

    name: str
    upright: str
    italic: str


_FILES: Final[Mapping[str, Typeface]] = {
    "serif": Typeface("Lora", "Lora.ttf", "Lora-Italic.ttf"),
    "condensed": Typeface("RobotoCondensed", "RobotoCondensed.ttf", "RobotoCondensed-Italic.ttf"),
    "rounded": Typeface("Nunito", "Nunito.ttf", "Nunito-Italic.ttf"),
    # It has no italic letters of its own, as all of its letters lean.
    "hand": Typeface("Caveat", "Caveat.ttf", "Caveat.ttf"),
}


def find_typeface(weight: Weight) -> str:
    """Return the typeface of a weight."""
    first = weight.partition(" ")[0]
    return first if first in TYPEFACES else STANDARD


def is_bold(weight: Weight) -> bool:
    return "bold" in weight


def is_italic(weight: Weight) -> bool:
    return "italic" in weight


_WEIGHTS: Final[Mapping[tuple[str, bool, bool], Weight]] = {
    (find_typeface(weight), is_bold(weight), is_italic(weight)): weight for weight in get_args(Weight)
}


def find_weight(typeface: str, *, bold: bool, italic: bool) -> Weight:
    """Return a weight of a typeface."""
    return _WEIGHTS[typeface, bold, italic]


def standard_weight(weight: Weight) -> Weight:
    """Return the same weight of the standard typeface."""
    return _WEIGHTS[STANDARD, is_bold(weight), is_italic(weight)]


def font_name(weight: Weight) -> str:
    """Return the name of a font in PDF files, which is another one for each weight; "" for that of the font itself."""
    typeface = _FILES.get(find_typeface(weight))
    if typeface is None:
        return ""
    style = f"{'Bold' if is_bold(weight) else ''}{'Italic' if is_italic(weight) else ''}" or "Regular"
    return f"{typeface.name}-{style}"


def make_font(weight: Weight) -> bytes:
    """Return a weight of a typeface of `templates/typefaces`, as a TrueType file. This takes some 50 milliseconds."""
    harfbuzz = shaping.load_harfbuzz()
    typeface = _FILES[find_typeface(weight)]
    file = resources.files("templates") / "typefaces" / (typeface.italic if is_italic(weight) else typeface.upright)
    face = harfbuzz.Face(harfbuzz.Blob(file.read_bytes()))
    wanted = harfbuzz.SubsetInput()
    wanted.keep_everything()
    wanted.pin_axis_location(face, "wght", BOLD if is_bold(weight) else _REGULAR)
    font: bytes = wanted.subset(face).blob.data
    return font
