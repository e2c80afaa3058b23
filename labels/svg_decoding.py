"""SVG as pixels, in the child that decodes pictures: resvg draws it, and only what is in the file itself."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Final
from xml.etree import ElementTree

from PIL import Image

from labels.sandbox import BadFile

LONGEST: Final = 1800
"""An SVG has no size of its own: its longer side counts as so many pixels, which are 6 inches of paper."""
FINER: Final = 2
"""It is drawn so many times as fine as other pictures, since its edges are sharp."""

_DPI: Final = 96
"""Of CSS, in which a millimetre is a length of so many pixels."""
_ROOT: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE\s+svg|!--|svg|\w+:svg)\b|<!--", re.IGNORECASE)
_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_REFERENCES: Final = ("href", "{http://www.w3.org/1999/xlink}href")
# What takes in a file by its name; a link only leads to one.
_TAKES_IN: Final = frozenset(f"{_NAMESPACE}{tag}" for tag in ("image", "feImage", "use"))


def is_svg(head: bytes) -> bool:
    """Whether a file that begins like that is XML, as an SVG is."""
    return _ROOT.match(head) is not None


def draw_svg(content: bytes, width: int, height: int) -> Image.Image:
    """An SVG as large as goes into so many pixels, or as large as it counts where both are 0.

    Raises BadFile where it is none, and where it needs other files: pictures, or fonts.
    """
    import resvg_py

    root = _parse(content)
    if not width:
        # Its size stands at its head, and what is in it need not be drawn for that.
        if "viewBox" in root.attrib or {"width", "height"} <= root.attrib.keys():
            root[:] = []
        width = height = LONGEST
    try:
        png = resvg_py.svg_to_bytes(
            ElementTree.tostring(root, encoding="unicode"), width=width, height=height, dpi=_DPI, skip_system_fonts=True
        )
    except ValueError as error:
        raise BadFile("is damaged; save it anew.") from error
    return Image.open(BytesIO(png), formats=("PNG",))


def _parse(content: bytes) -> ElementTree.Element:
    """The root of an SVG. Raises BadFile."""
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise BadFile(f"is damaged in line {error.position[0]}; save it anew.") from error
    if root.tag != f"{_NAMESPACE}svg":
        raise BadFile("is no picture that can be printed; PNG, JPEG, WebP, GIF and SVG can.")
    for reference in _references(root):
        if not reference.startswith(("#", "data:")):
            raise BadFile(f"needs another file, “{reference[:60]}”; save it with that embedded.")
    if any("".join(text.itertext()).strip() for text in root.iter(f"{_NAMESPACE}text")):
        raise BadFile("has text in it, which needs a font; save it with its text as paths.")
    return root


def _references(root: ElementTree.Element) -> Iterator[str]:
    """What is taken in from elsewhere."""
    for element in root.iter():
        if element.tag in _TAKES_IN:
            yield from (element.attrib[key].strip() for key in _REFERENCES if key in element.attrib)
