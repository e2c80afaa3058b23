"""The pictures of label designs in docs/designs.md: each design with its sample, at one scale, with its name.

Run where a design has changed: python -m tests.docs.design_pictures
"""

from collections.abc import Iterator, Mapping
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from companion.printing import shelf
from companion.printing.designs import DesignEntry
from companion.printing.run import find_stock
from companion.printing.shelf import ShelfGroup
from labels.designs.own import specimen_page
from labels.output import proof
from tests.docs.documents import DOCS

_DPI: Final = 100
_WIDTH: Final = 980
_GAP: Final = 14
_CAPTION: Final = 20
_COLOURS: Final = 48
_GROUND, _INK = "#eceef1", "#2b2f36"


def groups() -> Mapping[str, ShelfGroup]:
    """The groups of bundled designs, by the names of their pictures."""
    bundled = (group for group in shelf.list_shelf() if not any(entry.own for entry in group.entries))
    return {group_picture_name(str(group.title).lower().replace(" ", "-")): group for group in bundled}


def group_picture_name(group: str) -> str:
    """The name of the picture of a group."""
    return f"designs-{group}.png"


def draw_group(group: ShelfGroup) -> Image.Image:
    """Draw the designs of a group in rows: on sheets in colour, and on rolls in black."""
    rows = list(_rows([(entry.name, _draw_design(entry)) for entry in group.entries]))
    height = _GAP + sum(max(picture.height for _, picture in row) + _CAPTION + _GAP for row in rows)
    whole = Image.new("RGB", (_WIDTH, height), _GROUND)
    draw, font = ImageDraw.Draw(whole), ImageFont.load_default(14)
    top = _GAP
    for row in rows:
        left, high = _GAP, max(picture.height for _, picture in row)
        for name, picture in row:
            whole.paste(picture, (left, top + high - picture.height))
            draw.text((left, top + high + 2), name, _INK, font)
            left += _width(name, picture) + _GAP
        top += high + _CAPTION + _GAP
    return whole.quantize(_COLOURS)


def _draw_design(entry: DesignEntry) -> Image.Image:
    assert entry.design is not None, entry.wrong
    stock = find_stock(entry.design.stock or None)
    return proof.page_as_picture(specimen_page(shelf.draw_sample(entry.design, stock), stock), 1, _DPI).convert("RGB")


def _width(name: str, picture: Image.Image) -> int:
    """What a design takes in its row, with room for its name."""
    return max(picture.width, 8 * len(name))


def _rows(pictures: list[tuple[str, Image.Image]]) -> Iterator[list[tuple[str, Image.Image]]]:
    row: list[tuple[str, Image.Image]] = []
    taken = _GAP
    for name, picture in pictures:
        wide = _width(name, picture) + _GAP
        if row and taken + wide > _WIDTH:
            yield row
            row, taken = [], _GAP
        row.append((name, picture))
        taken += wide
    yield row


if __name__ == "__main__":
    for file, each in groups().items():
        draw_group(each).save(DOCS / "pictures" / file, optimize=True)
