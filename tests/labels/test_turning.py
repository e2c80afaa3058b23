"""Parts that are turned by any angle: they stay on their label, off codes, and are legible in one bit."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from labels import designfile
from labels.designfile import DesignError
from labels.designs.own import OwnLabel, Specimen
from labels.designs.turning import covers, turn_corners
from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import SAFE_MARGIN
from tests.examples import examples
from tests.labels.paper import Paper, printed, strays
from tests.labels.samples import own

STOCK = stocks.find("5163")
SIDES = st.tuples(st.integers(5, 60), st.integers(3, 40), st.integers(4, 40), st.integers(4, 30))


@settings(max_examples=examples(24))
@given(
    st.sampled_from(['text = "Wg"\nsize = [5.5, 40]', 'picture = "{file}"', 'fill = "#000000"', 'frame = "#000000"']),
    st.integers(-359, 359).filter(lambda degrees: degrees % 90),
    SIDES,
    st.sampled_from(["5163", "L7780"]),
    st.sampled_from(["colour", "black"]),
)
def test_no_turned_part_leaves_its_label(
    tmp_path_factory: pytest.TempPathFactory,
    part: str,
    degrees: int,
    sides: tuple[int, int, int, int],
    stock: str,
    ink: str,
) -> None:
    file = tmp_path_factory.getbasetemp() / "dark.png"
    if not file.exists():
        Image.new("L", (40, 40), 0).save(file)
    label = own(f"[[part]]\n{part.format(file=file)}\nbox = {list(sides)}\nrotate = {degrees}\n", "Wg")
    place = stocks.find(stock)
    try:
        Specimen(label.design).check(place)
        if "picture" in part:
            label = OwnLabel(label.design, (str(file),))
        setup = pdf.Setup("A label", ink="black" if ink == "black" else "colour")
        paper = Paper(pdf.render_sheets(sheet.place_labels([label], place), place, setup), 100)
    except LabelError:
        return
    assert strays(paper, place, SAFE_MARGIN) is None


def test_a_part_is_turned_clockwise_about_its_middle() -> None:
    label = own('[[part]]\nfill = "#000000"\nbox = [20, 20, 40, 1]\nrotate = 30\n', "")
    die, paper = STOCK.box(1), printed(label, STOCK, 200)
    ink = paper.ink(die)
    assert ink is not None
    middle = ((ink.x + ink.right) / 2 - die.x, die.top - (ink.y + ink.top) / 2)
    assert middle == pytest.approx((40 * MM, 20.5 * MM), abs=0.5)
    assert ink.width / MM == pytest.approx(40 * math.cos(math.radians(30)) + 0.5, abs=0.4)
    left = paper.ink(Box(ink.x, ink.y, 5 * MM, ink.height))
    assert left is not None
    assert left.top == pytest.approx(ink.top, abs=0.5), "its left end rises"


def test_a_line_that_is_turned_by_90_degrees_is_upright() -> None:
    ink = printed(own('[[part]]\nfill = "#000000"\nbox = [20, 20, 20, 1]\nrotate = 90\n', ""), STOCK).ink(STOCK.box(1))
    assert ink is not None
    assert (ink.width / MM, ink.height / MM) == pytest.approx((1, 20), abs=0.2)


def test_a_text_on_a_turned_field_is_legible_in_one_bit() -> None:
    place = "box = [15, 19, 50, 10]\nrotate = 30\n"
    band = f'[[part]]\nfill = "#7A1020"\n{place}'
    label = own(
        f'{band}[[part]]\ntext = "HHHH"\nrole = "figure"\nalign = "centre middle"\ncolour = "#FFFFFF"\n{place}', "", "H"
    )

    def count_ink(each: OwnLabel) -> int:
        setup = pdf.Setup("A label", ink="black")
        paper = Paper(pdf.render_sheets(sheet.place_labels([each], STOCK), STOCK, setup), 200)
        return paper.part(STOCK.box(1)).histogram()[0]

    assert count_ink(label) < 0.97 * count_ink(own(band, ""))


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (
            'code = "{a}"\nrotate = 45',
            "rotate is 45; write 90, 180 or 270, by how many degrees it is turned to the right; at",
        ),
        ('text = "{a}"\nrotate = 12.5', "rotate is 12.5; write a whole number from -359 to 359"),
        ('text = "{a}"\nrotate = 360', "rotate is 360; write a whole number"),
        ('frame = "#000000"\nrotate = true', "rotate is true; write a whole number"),
        ('fill = "#000000"\nbleed = true\nrotate = 5', "cannot be turned; leave out bleed or rotate"),
    ],
)
def test_what_cannot_be_turned_is_told(part: str, says: str) -> None:
    with pytest.raises(DesignError) as error:
        designfile.parse_design(f"[[part]]\n{part}\n", "jar", "jar.toml")
    assert says in str(error.value)


def test_a_turned_part_that_would_leave_the_label_is_refused() -> None:
    design = own('[[part]]\ntext = "{a}"\nbox = [3, 3, 60, 10]\nrotate = 30\n', "x").design
    with pytest.raises(LabelError, match=r"the text “\{a\}” .* turned by 30°, leaves the label or lies in its margin"):
        Specimen(design).check(STOCK)


def test_a_turned_part_may_pass_by_a_code_but_not_over_it() -> None:
    code = '[[part]]\ncode = "{a}"\nbox = [3, 27, 20, 20]\n'
    line = '[[part]]\nfill = "#000000"\nbox = [{}, 20, 44, 0.5]\nrotate = 45\n'
    Specimen(own(code + line.format(5), "x").design).check(STOCK)
    with pytest.raises(LabelError, match="lies over the QR code"):
        Specimen(own(code + line.format(2).replace("= 45", "= -45"), "x").design).check(STOCK)


@given(SIDES, SIDES, st.integers(0, 359))
def test_two_boxes_cover_each_other_or_neither_does(one: tuple[int, ...], other: tuple[int, ...], turn: int) -> None:
    box, place = Box(*map(float, one)), Box(*map(float, other))
    corners = turn_corners(box, turn)
    inside = [x for x, y in corners if place.x + 1 < x < place.right - 1 and place.y + 1 < y < place.top - 1]
    if inside:
        assert covers(corners, place, 0.1)
    around = Box(min(x for x, _ in corners), min(y for _, y in corners), 0, 0)
    if around.x > place.right or around.y > place.top:
        assert not covers(corners, place, 0.1)
