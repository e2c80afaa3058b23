"""Designs of one's own on paper: parts stand in their boxes, inside the margin, and codes are read."""

from importlib import resources
from pathlib import Path

import pytest
from PIL import Image

from labels import designfile
from labels.designs import own as specimen
from labels.designs.own import OwnLabel, Specimen
from labels.drawing.ink import BLACK
from labels.drawing.null_ink import NullInk
from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.output import proof
from labels.paper import stocks
from labels.paper.sheet import SAFE_MARGIN
from labels.typesetting.text import TextSetting
from tests.labels.paper import printed, read_all, strays
from tests.labels.samples import LONGEST, LONGEST_CODED, own

STOCK = stocks.find("5163")
ALONG = [
    resources.files("templates") / "designs" / f"{name}.toml"
    for name in ("back", "badge", "code", "code128", "ean13", "jam", "picture", "picture-code", "shelf")
]
"""The designs for labels of any size; tests/printing/test_shelf.py tries those for labels of one size."""


def ink_of(label: OwnLabel, box: Box | None = None) -> Box:
    """Where its ink is, from the label's bottom left, in millimetres."""
    die = STOCK.box(1)
    ink = printed(label, STOCK, 200).ink(box or die)
    assert ink is not None
    return Box((ink.x - die.x) / MM, (ink.y - die.y) / MM, ink.width / MM, ink.height / MM)


@pytest.mark.parametrize(("across", "down"), [("left", "top"), ("right", "bottom"), ("centre", "middle")])
def test_a_part_stands_in_its_box_as_it_is_aligned(across: str, down: str) -> None:
    box = 'role = "figure"\nbox = [10, 10.8, 60, 30]\nsize = [20, 20]'
    ink = ink_of(own(f'[[part]]\ntext = "{{a}}"\n{box}\nalign = "{across} {down}"\n', "HH"))
    sides, free = (ink.x - 10, 70 - ink.right), (ink.y - 10, 40 - ink.top)
    left = {"left": sides[0], "right": sides[1], "centre": sides[0] - sides[1]}
    below = {"top": free[1], "bottom": free[0], "middle": free[0] - free[1]}
    assert left[across] == pytest.approx(0, abs=1)
    assert below[down] == pytest.approx(0, abs=2.5)


def test_a_code_is_read_and_stays_in_its_box_with_its_quiet_zone() -> None:
    label = own('[[part]]\ncode = "{a}"\nbox = ["100 % - 30", 0, 30, 30]\n', "https://example.org/héllo")
    die = STOCK.box(1)
    assert printed(label, STOCK, 200).codes(die) == ["https://example.org/héllo"]
    ink = ink_of(label)
    assert ink.x >= 101.6 - 30 + 2
    assert ink.x + ink.width <= 101.6 - SAFE_MARGIN / MM + 0.2


def test_what_is_empty_is_left_out() -> None:
    label = own('[[part]]\ntext = "{a}"\n[[part]]\nfill = "#000000"\nbox = [10, 10, 5, 1]\n', "", "")
    assert ink_of(label).width == pytest.approx(5, abs=0.3)
    assert label.title == "jar"


@pytest.mark.parametrize("file", ALONG, ids=lambda file: file.name)
@pytest.mark.parametrize("name", ["5163", "18294", "L7160"])
def test_bundled_designs_stay_inside_the_margin_and_are_read(tmp_path: Path, file: Path, name: str) -> None:
    Image.linear_gradient("L").save(tmp_path / "photo.png")
    stock = stocks.find(name)
    design = designfile.parse_design(file.read_text(encoding="utf-8"), file.name, file.name)
    row = {field: field.title() for field in design.fields} | {"ean13": "4006381333931"}
    row |= dict.fromkeys(("photo", "picture"), str(tmp_path / "photo.png"))
    if design.name == "badge.toml" and name == "18294":
        row["link"] = ""
    label = OwnLabel(design, tuple(part.template.fill_fields(row) if part.template else "" for part in design.parts))
    paper = printed(label, stock, 300)
    assert strays(paper, stock, SAFE_MARGIN) is None
    payloads = {row.get(field, "") for field in ("code", "link", "code128", "ean13") if field in design.fields} - {""}
    assert {text for _, text, _ in read_all(paper.part(stock.box(1)))} == payloads


@pytest.mark.parametrize(
    ("parts", "words", "says"),
    [
        ('text = "{a}"\nbox = [0, 0, 120, 5]', "x", "leaves the label at its right edge: it ends at 120.0 mm"),
        ('text = "{a}"\nbox = [0, 45, 20, 20]', "x", "leaves the label at its bottom edge: it ends at 65.0 mm"),
        ('text = "{a}"\nbox = ["50 % - 60", 0, 20, 20]', "x", "begins outside of the label"),
        ('text = "{a}"\nbox = ["130", 0, "rest", 20]', "x", "begins outside of the label"),
        ('text = "{a}"\nbox = [5, 5, 30, 1.5]', "x", "leaves 1.5 mm of height, and a line of 5.5 pt needs 2.0 mm"),
        ('text = "{a}"\nbox = [0, 0, 1, 20]', "x", "lies in the label's margin of 1.5 mm"),
        ('text = "{a}"\nbox = [5, 5, 10, 4]', "much " * 20, "The text “{a}” is too long"),
        ('text = "{a}"\nbox = [5, 5, 30, 6]\nsize = [12, 14]', "much too long for that", "does not fit even at 12 pt"),
        ('code = "{a}"\nbox = [0, 0, 12, 12]', "x" * 60, "would be 12.0 mm with the white"),
        ('code = "{a}"', "x" * 1001, "is too long for the QR code “{a}”"),
        (
            'code = "{a}"\n[[part]]\ntext = "{a}"',
            "x",
            "the text “{a}” lies over the QR code “{a}”, which no phone could",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_its_part(parts: str, words: str, says: str) -> None:
    label = own(f"[[part]]\n{parts}\n", *[words] * (1 + parts.count("[[part]]")))
    with pytest.raises(LabelError) as error:
        label.draw(NullInk(), STOCK.box(1))
    assert says in str(error.value)


def test_a_long_title_wraps_before_it_is_smaller_than_allowed() -> None:
    label = own(
        '[[part]]\ntext = "{a}"\nrole = "title"\nsize = [9, 14]\nbox = [5, 5, 30, 12]\n', "Maximiliane von Heide"
    )
    label.draw(NullInk(), STOCK.box(1))


@pytest.mark.parametrize("label", [*LONGEST, *LONGEST_CODED], ids=lambda label: f"{type(label).__name__}")
def test_dry_ink_takes_what_ink_takes(label: OwnLabel) -> None:
    label.draw(NullInk(), stocks.find("18294").box(1))


def test_a_design_is_shown_with_its_fields_without_a_table() -> None:
    design = designfile.parse_design(
        '[[part]]\ntext = "{name}"\nbox = [5, 5, 40, 10]\n[[part]]\npicture = "{p}"\n', "j", "j"
    )
    label = Specimen(design)
    label.check(STOCK)
    assert proof.page_as_picture(specimen.specimen_page(label, STOCK), 1).width == pytest.approx(
        (101.6 * MM + 8) / 72 * 150, abs=2
    )
    with pytest.raises(LabelError, match="leaves the label"):
        label.check(stocks.find("94102"))


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (
            'code = "{a}"\nbox = [0, 0, 6, 6]',
            r"leaves 6.0 mm for it .* the shortest needs 11.5 mm; make it larger",
        ),
        ('text = "{a}"\nbox = [5, 5, 30, 3]\nsize = [9, 12]', r"leaves 3.0 mm of height, and a line of 9 pt needs"),
        ('text = "always"\nbox = [5, 5, 3, 3]', r"The text “always” is too long"),
    ],
)
def test_a_design_whose_boxes_hold_nothing_is_refused(part: str, says: str) -> None:
    with pytest.raises(LabelError, match=says):
        Specimen(designfile.parse_design(f"[[part]]\n{part}\n", "jar", "jar.toml")).check(STOCK)


STACKED = """
[[part]]
text = "{name}"
role = "title"
box = [40, 8, 50, 12]
align = "left bottom"
[[part]]
text = "{text}"
box = [40, 22, 50, 12]
align = "left top"
"""


def test_a_name_alone_stands_in_the_middle_of_both_rooms() -> None:
    both, alone = (ink_of(own(STACKED, "HHH", text)) for text in ("xxx", ""))
    assert alone.y + alone.height / 2 == pytest.approx(50.8 - (8 + 34) / 2, abs=0.6)
    assert both.top > alone.top + 1
    ruled = own(f'{STACKED}[[part]]\nfill = "#000000"\nbox = [40, 20.5, 50, 0.5]\n', "HHH", "", "")
    assert ink_of(ruled).top == pytest.approx(both.top, abs=0.3)


class _Sizes(NullInk):
    """Sees how large each line is set."""

    def __init__(self) -> None:
        self.sizes: list[float] = []

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = BLACK, centred: float = 0.0) -> None:  # noqa: ARG002
        self.sizes.append(setting.size)


@pytest.mark.parametrize("letters", [3, 10, 14])
def test_no_text_of_a_design_is_larger_than_its_title(letters: int) -> None:
    seen = _Sizes()
    own(STACKED.replace("[40, 8, 50, 12]", "[40, 8, 22, 12]"), "H" * letters, "short").draw(seen, STOCK.box(1))
    title, text = seen.sizes
    assert text <= title
    assert (text < 12) == (letters > 3)
