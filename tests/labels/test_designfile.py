"""Designs as people write them: what is wrong is told by its part and key, with what to write."""

import pytest

from labels import designfile
from labels.designfile import DesignError
from labels.designs.parts import FillPart, FramePart, Measure, TextPart
from labels.geometry import INCH, MM

TEXT = '[[part]]\ntext = "{name}"\n'


def test_everything_that_a_design_can_say() -> None:
    design = designfile.parse_design(
        'title = "Jar"\nstock = "5163"\nunit = "in"\nmargin = 0.1\n'
        '[[part]]\ntext = "{name}"\nrole = "title"\nalign = "right top"\nsize = [6, 12]\ncolour = "#7A1020"\n'
        'box = [0.5, "10 %", "50 % - 0.25", "rest"]\n'
        '[[part]]\nfill = "#1B6B42"\ncorner = 0.1\n[[part]]\nframe = "#000000"\nline = 0.01\n'
        '[[part]]\ncode = "{link}"\n[[part]]\npicture = "photos/{name}.png"\n',
        "jar",
        "jar.toml",
    )
    text, fill, frame, *_ = design.parts
    assert (design.title, design.stock, design.margin, design.fields) == ("Jar", "5163", 0.1 * INCH, ("name", "link"))
    assert isinstance(text, TextPart)
    assert (text.role, text.align.across, text.align.down, text.size) == ("title", 1, 0, (6, 12))
    assert text.place.left == Measure(0, 36)
    assert text.place.width == Measure(0.5, -18)
    assert text.place.box(200, 100).y == pytest.approx(0)
    assert isinstance(fill, FillPart)
    assert isinstance(frame, FramePart)
    assert fill.corner == pytest.approx(7.2)
    assert frame.line == pytest.approx(0.72)


def test_lengths_are_millimetres_where_nothing_else_is_said() -> None:
    design = designfile.parse_design(f"{TEXT}box = [1, 2, 30, 10]\n", "jar", "jar.toml")
    box = design.parts[0].place.box(100 * MM, 50 * MM)
    assert [length / MM for length in (box.x, box.y, box.width, box.height)] == pytest.approx([1, 38, 30, 10])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[[part]", "“jar.toml” is not TOML: line 1 is not as it must be; write one thing a line, as in margin = 2"),
        ('title = "Jar\n[[part]]', "“jar.toml” is not TOML: line 1 is not as it must be"),
        (f"part = {'[' * 9999}", "“jar.toml” is not TOML: line 1 is not as it must be"),
        ("", "“jar.toml” has no part; write [[part]], and below it text, code, picture, fill or frame"),
        ("part = 3", "has no part"),
        (f'titel = "x"\n{TEXT}', "“jar.toml”: “titel” is no key here; write title."),
        (f"title = 3\n{TEXT}", "“jar.toml”: title is 3; write a text in quotation marks"),
        (f'unit = "cm"\n{TEXT}', '“jar.toml”: unit is “cm”; write "mm" or "in"'),
        (f"margin = -1\n{TEXT}", "“jar.toml”: margin is -1; write a length"),
        (
            "[[part]]\nbox = [0, 0, 1, 1]\n",
            "part 1: it has none of text, code, picture, fill, frame; write one",
        ),
        (f'{TEXT}code = "x"\n', "part 1: it has both text and code; write one of them, and another [[part]]"),
        (f'{TEXT}{TEXT}color = "#000000"\n', "part 2: “color” is no key here; write colour."),
        (f"{TEXT}corner = 1\n", "part 1: “corner” is no key here"),
        ("[[part]]\ntext = 3\n", 'part 1: text is 3; write a text in quotation marks, as in "{name}"'),
        ('[[part]]\ntext = "{"\n', "part 1: text: “{” has a brace without a field"),
        (TEXT * 101, "“jar.toml” has 101 parts; 100 are the most"),
        (f'[[part]]\ntext = "{"x" * 10_001}"\n', "part 1: text has 10,001 letters; 10,000 are the most"),
        (f"{TEXT}role = [1]\n", "part 1: role is [1]; write one of title"),
        (f'{TEXT}role = "big"\n', "part 1: role is “big”; write one of title, text, small, figure"),
        (f'{TEXT}align = "left right"\n', "part 1: align is “left right”; write one of left, centre, right"),
        (f'{TEXT}align = "center"\n', "part 1: align is “center”; write one of left, centre, right"),
        (f"{TEXT}size = [12, 6]\n", "part 1: size is [12, 6]; write the smallest and the largest in points"),
        (f"{TEXT}size = [1, 6]\n", "part 1: size is [1, 6]; write the smallest"),
        (f'{TEXT}colour = "red"\n', 'part 1: colour is “red”; write a colour as in "#7A1020"'),
        ("[[part]]\nfill = true\n", "part 1: fill is true; write a colour"),
        (f'{TEXT}typeface = "Arial"\n', "part 1: typeface is “Arial”; write one of sans, serif, condensed, rounded"),
        (f"{TEXT}when = true\n", "part 1: when is true; write a condition, as in"),
        (f'{TEXT}when = "vegan"\n', "part 1: when: “vegan” is no condition; write"),
        ('[[part]]\nframe = "#000000"\nwhen = "{a} <"\n', "part 1: when: “{a} <” compares with nothing"),
        (f"{TEXT}box = [1, 2, 3]\n", "part 1: box is [1, 2, 3]; write four lengths"),
        (f'{TEXT}box = [0, 0, "half", 3]\n', "part 1: box is [0, 0, 'half', 3]; write four lengths"),
        (f'{TEXT}box = [0, 0, "120 %", 3]\n', "write four lengths"),
        (f'{TEXT}box = ["rest", 0, 1, 3]\n', "write four lengths"),
        (f"{TEXT}box = [nan, 0, inf, 3]\n", "write four lengths"),
    ],
)
def test_what_is_wrong_is_told_with_its_part_and_key(content: str, says: str) -> None:
    with pytest.raises(DesignError) as error:
        designfile.parse_design(content, "jar", "jar.toml")
    assert says in str(error.value)
