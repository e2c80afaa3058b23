"""SVG to pixels, in the child process that decodes pictures: resvg draws only what the file itself contains."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Final
from xml.etree import ElementTree

from PIL import Image

from labels.picture_refusals import PictureRefusal
from labels.sandbox import BadFile

LONGEST: Final = 1800
"""The longer side of an SVG in pixels, as it has no size of its own; equal to 6 inches of paper."""
FINER: Final = 2
"""SVG is drawn at this multiple of the resolution of other pictures, since its edges are sharp."""

_DPI: Final = 96
"""Pixels per inch in CSS, which define the length of a millimetre."""
_ROOT: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE\s+svg|!--|svg|\w+:svg)\b|<!--", re.IGNORECASE)
_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_REFERENCES: Final = ("href", "{http://www.w3.org/1999/xlink}href")
# Elements that include a file by reference; a link only leads to one.
_TAKES_IN: Final = frozenset(f"{_NAMESPACE}{tag}" for tag in ("image", "feImage", "use"))


def is_svg(head: bytes) -> bool:
    """Return True if the beginning of a file is XML, as for an SVG."""
    return _ROOT.match(head) is not None


def draw_svg(content: bytes, width: int, height: int) -> Image.Image:
    """Draw an SVG as large as fits into `width` × `height` pixels, or in its default size if both are 0.

    Raises BadFile if the content is no SVG, or if it needs other files: pictures, or fonts.
    """
    import resvg_py

    root = _parse(content)
    if not width:
        # The size is in the root element, so the content need not be drawn for it.
        if "viewBox" in root.attrib or {"width", "height"} <= root.attrib.keys():
            root[:] = []
        width = height = LONGEST
    try:
        png = resvg_py.svg_to_bytes(
            ElementTree.tostring(root, encoding="unicode"), width=width, height=height, dpi=_DPI, skip_system_fonts=True
        )
    except ValueError as error:
        raise BadFile(PictureRefusal.DAMAGED) from error
    return Image.open(BytesIO(png), formats=("PNG",))


def _parse(content: bytes) -> ElementTree.Element:
    """Return the root of an SVG. Raises BadFile."""
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise BadFile(PictureRefusal.DAMAGED_LINE, str(error.position[0])) from error
    if root.tag != f"{_NAMESPACE}svg":
        raise BadFile(PictureRefusal.NO_PICTURE)
    for reference in _references(root):
        if not reference.startswith(("#", "data:")):
            raise BadFile(PictureRefusal.NEEDS_FILE, reference[:60])
    if any("".join(text.itertext()).strip() for text in root.iter(f"{_NAMESPACE}text")):
        raise BadFile(PictureRefusal.HAS_TEXT)
    return root


def _references(root: ElementTree.Element) -> Iterator[str]:
    """Yield the references to included content."""
    for element in root.iter():
        if element.tag in _TAKES_IN:
            yield from (element.attrib[key].strip() for key in _REFERENCES if key in element.attrib)
