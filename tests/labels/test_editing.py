"""Design files that are edited: what an edit does not concern stays as it was, to the byte."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labels.designfile import DesignError
from labels.designs.own import Specimen
from labels.editing import edits, frames
from labels.editing.boxes import Frame
from labels.editing.editor import Editor
from labels.editing.frames import DIRECTIONS, EDGES
from labels.editing.scanner import scan_design
from labels.editing.values import write_value
from labels.errors import LabelError
from labels.geometry import MM
from labels.paper import stocks
from labels.paper.stocks import Stock
from tests.docs import documents
from tests.examples import examples

DESIGNS = sorted((Path(__file__).parents[2] / "templates" / "designs").glob("*.toml"))
STRANGE = """\ufeff# A file of somebody with habits.
  "title"   = 'Jar "one"' # the title
stock="5163"
margin = 2.0

[[ part ]] # the name
  text = \"\"\"
{name}
of {place}\"\"\"
  box = [ 3, 3.0, # from the left and top
          "50 %", 'rest', ]

# It is a line.
# A red one.
[["part"]]
fill = "#7A1020"
box = ["5%", "80 %", "100 % - 29", "1.50 %"]
  # nothing here

[[part]]
size = [6, 12]
text = "{since:D \\"de\\" MMMM}"
align = "left top"
box = [3.00, 24.0, "60 %", 8]
# the end"""


def find_stock(name: str) -> Stock:
    return stocks.find(name or "5163")


def open_design(text: str, name: str = "jar") -> Editor:
    return Editor(text, name, f"{name}.toml", find_stock)


def example_designs() -> Iterator[tuple[str, str]]:
    for file in DESIGNS:
        yield file.stem, file.read_bytes().decode()
    for document in documents.all_documents():
        for block in documents.blocks(document):
            if block.kind == "toml" and "[[part]]" in block.text and "\ntext" in block.text:
                yield f"{document.parent.name}/{block.name}", block.text
    yield "strange", STRANGE
    yield "strange, of Windows", STRANGE.replace("\n", "\r\n")
    yield "strange, of old", STRANGE.replace("\n", "\r")


EXAMPLES = [pytest.param(text, id=name) for name, text in example_designs()]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_part_moved_and_back_leaves_the_same_bytes(text: str) -> None:
    editor = open_design(text)
    assert editor.text == text
    ways = [(0.1, 0.0), (0.0, 0.1), (1.0, 2.0), (-0.7, -0.3), (-1.2, 0.0), (0.0, -3.3)]
    for part in editor.parts:
        for right, down in ways:
            try:
                editor.move_part(part, right * MM, down * MM)
            except LabelError:
                continue
            assert editor.text != text
            editor.move_part(part, -right * MM, -down * MM)
            assert editor.text == text


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_part_is_moved_by_what_is_asked_for(text: str) -> None:
    editor = open_design(text)
    for part in editor.parts:
        before = editor.frame(part)
        others = [editor.frame(other) for other in editor.parts if other != part]
        try:
            editor.move_part(part, 0.7 * MM, 0.4 * MM)
        except LabelError:
            continue
        wanted = before.move(0.7 * MM, 0.4 * MM)
        assert editor.frame(part) == pytest.approx(wanted, abs=0.02 * MM)
        assert [editor.frame(other) for other in editor.parts if other != part] == others


def parts_of(editor: Editor) -> dict[int, str]:
    scan = scan_design(editor.text)
    return {part: edits.read_part(scan, number) for number, part in enumerate(editor.parts)}


def random_group_edit(editor: Editor, rng: Random) -> set[int]:
    """Make an edit of several parts, and return the parts that it concerns."""
    parts, some = editor.parts, rng.sample(editor.parts, min(2, len(editor.parts)))
    match rng.randrange(4):
        case 0:
            editor.remove_parts(some)
            return set(some)
        case 1:
            editor.distribute_parts(parts, rng.choice(DIRECTIONS))
        case 2:
            editor.move_parts(parts, rng.uniform(-1, 1) * MM, rng.uniform(-1, 1) * MM)
        case _:
            with editor.one_change():
                copy = editor.copy_part(some[0], editor.frame(some[0]))
                editor.place_part(copy, Frame(*(rng.uniform(0, 30) * MM for _ in range(4))))
                editor.set_key(some[0], "box", None)
            return {some[0], copy}
    return set(parts)


def random_edit(editor: Editor, rng: Random) -> set[int]:
    """Make an edit that chance chooses, and return the parts that it concerns."""
    part = rng.choice(editor.parts)
    before = set(editor.parts)
    frame = Frame(*(rng.uniform(0, 30) * MM for _ in range(4)))
    keys: list[tuple[str, object]] = [
        *(("bold", True), ("bold", False), ("size", (6, 14.5)), ("size", (7, 9)), ("align", "right")),
        *(
            ("text", 'a "b"\n\\ ü {name}'),
            ("colour", "#123456"),
            ("rotate", 90),
            ("rotate", -7),
            ("corner", 1.25),
            ("bold", None),
        ),
        *(("when", '{kind} = "vegan"'), ("when", "{stock} < 5"), ("when", "{kind"), ("when", None)),
    ]
    match rng.randrange(10):
        case 0:
            return {editor.add_part(rng.choice(["text", "picture"]), "{new}", frame)}
        case 1 if len(before) > 1:
            editor.remove_part(part)
            return {part}
        case 2:
            return {editor.copy_part(part, editor.frame(part).move(MM, MM))}
        case 3:
            editor.reorder_part(part, rng.randrange(len(before)))
            return set()
        case 4:
            key, value = rng.choice(keys)
            editor.set_key(part, key, value)  # type: ignore[arg-type]
        case 5:
            editor.set_key(None, *rng.choice([("title", "New"), ("margin", 1.2), ("title", None), ("stock", "5163")]))  # type: ignore[arg-type]
            return set()
        case 6:
            some = rng.sample(editor.parts, min(3, len(editor.parts)))
            editor.align_parts(some, rng.choice(EDGES), to_label=rng.random() < 0.5)
            return set(some)
        case 7:
            editor.place_part(part, frame)
        case 8:
            return random_group_edit(editor, rng)
        case _:
            editor.move_part(part, rng.uniform(-3, 3) * MM, rng.uniform(-3, 3) * MM)
    return {part}


@settings(max_examples=examples(4))
@given(st.sampled_from([text for _, text in example_designs()]), st.integers(0, 10**6))
def test_five_hundred_edits_lead_back_to_the_start(text: str, seed: int) -> None:
    editor, rng = open_design(text), Random(seed)
    after = text
    for _ in range(500):
        before, parts = editor.text, parts_of(editor)
        try:
            concerned = random_edit(editor, rng)
        except LabelError:
            assert editor.text == before
            assert parts_of(editor) == parts
            continue
        now = parts_of(editor)
        untouched = set(parts) & set(now) - concerned
        assert {part: now[part] for part in untouched} == {part: parts[part] for part in untouched}
        Specimen(editor.design).check(editor.stock)
        after = editor.text
    while editor.can_undo:
        editor.undo()
    assert (editor.text, parts_of(editor)) == (text, parts_of(open_design(text)))
    while editor.can_redo:
        editor.redo()
    assert editor.text == after


def refuse_second(editor: Editor) -> None:
    with editor.one_change():
        editor.set_key(1, "bold", True)
        editor.move_part(2, 40 * MM, 0)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda editor: editor.set_key(1, "colour", "red"), 'part 1: colour is “red”; write a colour as in "#7A1020".'),
        (lambda editor: editor.set_key(1, "corner", 2), "part 1: “corner” is no key here"),
        (lambda editor: editor.set_key(1, "text", "{"), "text: “{” has a brace without a field"),
        (lambda editor: editor.set_key(1, "text", "\ud800"), "would have half of a symbol, which cannot be saved"),
        (lambda editor: editor.set_key(None, "unit", "in"), "“unit” cannot be changed here"),
        (lambda editor: editor.set_key(None, "stock", "no such"), "no such"),
        (lambda editor: editor.move_part(1, -9 * MM, 0), "begins outside of the label; move it in"),
        (lambda editor: editor.move_part(2, 40 * MM, 0), "leaves the label at its right edge"),
        (lambda editor: editor.set_key(None, "stock", "94102"), "leaves the label at its"),
        (lambda editor: editor.add_part("circle", "x", Frame(0, 0, 9, 9)), "it has none of text, code, picture"),
        (
            lambda editor: editor.add_part("code", "{link}", Frame(9 * MM, 9 * MM, 15 * MM, 15 * MM)),
            "lies over the QR code “{link}”",
        ),
        (lambda editor: editor.remove_part(9), "This part is no longer there"),
        (lambda editor: editor.remove_parts([1, 2]), "A design has one part at least"),
        (refuse_second, "leaves the label at its right edge"),
    ],
)
def test_what_is_refused_changes_nothing(edit: Callable[[Editor], object], says: str) -> None:
    text = '[[part]]\ntext = "{name}"\nbox = [3, 3, 40, 10]\n\n[[part]]\nfill = "#000000"\nbox = [3, 20, 60, 1]\n'
    editor = open_design(text)
    with pytest.raises(LabelError) as error:
        edit(editor)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert (editor.text, editor.parts, editor.can_undo) == (text, (1, 2), False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no part"),
        ("[[part]]", "part 1: it has none of text"),
        ("a." * 50_000 + "a = 1", "more than 8 names"),
        (f"part = {'[' * 9_999}", "is not TOML"),
        ("#" * 2_000_001, "more than 2 MB"),
        ('[[part]]\ntext = "a"\n' * 101, "100 are the most"),
        ('[[part]]\ntext = "\x00"', "is not TOML"),
        ('part = [{ text = "{name}" }]', "has its parts in one list, which cannot be edited here; write [[part]]"),
        ('[[part]]\ntext.a = "b"', "text is"),
        ('[part]\ntext = "b"', "has no part"),
    ],
)
def test_what_is_no_design_is_not_opened(text: str, says: str) -> None:
    with pytest.raises(DesignError) as error:
        open_design(text)
    assert says in str(error.value)


def test_numbers_are_written_as_the_file_writes_them() -> None:
    editor = open_design(STRANGE)
    name, line, since = editor.parts
    editor.move_part(name, 1.25 * MM, -1 * MM)
    assert '[ 4.25, 2.0, # from the left and top\n          "50 %", "100 % - 3", ]' in editor.text
    editor.move_part(line, 5.08 * MM, -5.08 * MM)
    assert 'box = ["10%", "70 %", "100 % - 29", "1.50 %"]\n  # nothing here' in editor.text
    editor.place_part(since, editor.frame(since)._replace(left=5 * MM, height=9.5 * MM))
    assert 'box = [5.00, 24.0, "60 %", 9.5]\n# the end' in editor.text
    editor.set_key(name, "bold", True)
    assert '"50 %", "100 % - 3", ]\n  bold = true\n\n# It is a line.' in editor.text
    editor.set_key(None, "title", "Jar two")
    assert "\n  \"title\"   = 'Jar two' # the title\n" in editor.text
    editor.set_key(name, "text", "{name}\nfrom {place}")
    assert '\n  text = """\n{name}\nfrom {place}"""\n' in editor.text
    editor.set_key(since, "size", (6, 14))
    assert "\nsize = [6, 14]\n" in editor.text


def test_a_design_in_inches_stays_in_inches() -> None:
    editor = open_design('unit = "in"\n[[part]]\ntext = "{name}"\nbox = [0.25, 0.5, 2, 1]\n')
    editor.move_part(1, 2.54 * MM, 0.1 * MM)
    assert "box = [0.35, 0.5039, 2, 1]" in editor.text
    editor.move_part(1, -2.54 * MM, -0.1 * MM)
    assert "box = [0.25, 0.5, 2, 1]" in editor.text


def test_a_key_that_is_taken_back_leaves_no_trace() -> None:
    for text in ('[[part]]\ntext = "a"', '[[part]]\r\ntext = "a"\r\n\r\n# end', '# A design\n[[part]]\ntext = "a"\n'):
        editor = open_design(text)
        for part, key, value in ((1, "bold", True), (None, "title", "A"), (None, "margin", 2)):
            editor.set_key(part, key, value)
            assert editor.value(part, key) == value
        for part, key in ((1, "bold"), (None, "margin")):
            editor.set_key(part, key, None)
        assert editor.text.endswith(text.removeprefix("# A design\n"))


def test_parts_change_places_and_keep_their_comments() -> None:
    editor = open_design("# top\n\n# one\n[[part]]\ntext = 'a'\n\n\n# two\n[[part]]\ntext = 'b'")
    editor.reorder_part(2, 0)
    assert editor.text == "# top\n\n# two\n[[part]]\ntext = 'b'\n\n\n# one\n[[part]]\ntext = 'a'"
    assert editor.parts == (2, 1)
    editor.remove_part(1)
    assert editor.text == "# top\n\n# two\n[[part]]\ntext = 'b'"
    copy = editor.copy_part(2, editor.frame(2))
    assert editor.text == "# top\n\n# two\n[[part]]\ntext = 'b'\n\n[[part]]\ntext = 'b'"
    assert editor.parts == (2, copy)


def test_on_a_round_label_other_parts_stay_when_a_code_is_added() -> None:
    editor = open_design('stock = "L7780"\n[[part]]\ntext = "{name}"\nbox = ["10 %", "10 %", "80 %", "30 %"]\n')
    before = editor.frame(1)
    code = editor.add_part("code", "{link}", Frame(12 * MM, 17 * MM, 16 * MM, 16 * MM))
    assert 'area = "label"' in editor.text
    assert editor.frame(1) == before
    assert editor.frame(code) == pytest.approx(Frame(12 * MM, 17 * MM, 16 * MM, 16 * MM), abs=0.02 * MM)
    editor.undo()
    assert "area" not in editor.text


@pytest.mark.parametrize(("edge", "to_label"), [(edge, to_label) for edge in EDGES for to_label in (False, True)])
def test_parts_are_aligned_with_each_other_or_the_label(edge: frames.Edge, *, to_label: bool) -> None:
    editor = open_design(
        '[[part]]\ntext = "a"\nbox = [10, 5, 20, 8]\n[[part]]\nfill = "#000000"\nbox = ["50 %", 20, "25 %", 2]\n'
    )
    editor.align_parts(editor.parts, edge, to_label=to_label)
    one, two = map(editor.frame, editor.parts)
    around = editor.die.around
    margin = 1.5 * MM
    values = {
        "left": (one.left, two.left, 10 * MM, margin),
        "centre": (one.left + one.width / 2, two.left + two.width / 2, None, around.width / 2),
        "right": (one.right, two.right, 0.75 * around.width, around.width - margin),
        "top": (one.top, two.top, 5 * MM, margin),
        "middle": (one.top + one.height / 2, two.top + two.height / 2, 13.5 * MM, around.height / 2),
        "bottom": (one.bottom, two.bottom, 22 * MM, around.height - margin),
    }
    first, second, among, label = values[edge]
    assert first == pytest.approx(second, abs=0.02 * MM)
    if to_label or among is not None:
        assert first == pytest.approx(label if to_label else among, abs=0.02 * MM)


def test_frames_are_spaced_evenly_in_their_order() -> None:
    spaced = frames.distribute([Frame(30, 5, 10, 9), Frame(0, 7, 4, 9), Frame(8, 0, 6, 9)], "across")
    assert spaced == [Frame(30, 5, 10, 9), Frame(0, 7, 4, 9), Frame(14, 0, 6, 9)]
    assert frames.distribute([Frame(0, 0, 5, 5)], "down") == [Frame(0, 0, 5, 5)]


def test_a_frame_is_drawn_to_lines_nearby_and_no_others() -> None:
    editor = open_design('[[part]]\ntext = "a"\nbox = [10, 5, 20, 8]\n[[part]]\ntext = "b"\nbox = [40, 20, 10, 5]\n')
    guides = frames.find_guides(editor.design, editor.die, moving=[1])
    frame = Frame(29.4 * MM, 1.2 * MM, 10 * MM, 5 * MM)
    near = frames.snap(frame, guides)
    assert near.frame == pytest.approx(Frame(30 * MM, 1.5 * MM, 10 * MM, 5 * MM), abs=0.01)
    assert (near.across, near.down) == pytest.approx((30 * MM, 1.5 * MM), abs=0.01)
    far = Frame(12.1 * MM, 33 * MM, 3 * MM, 3 * MM)
    assert frames.snap(far, guides) == frames.Snap(far, None, None)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from([None, '"a"', "'a'", '"""\na"""', "'''a'''"]))
def test_every_text_is_written_and_read_back(text: str, old: str | None) -> None:
    assert tomllib.loads(f"x = {write_value(text, old, chr(10))}") == {"x": text}


@given(st.lists(st.floats(0, 400).map(lambda size: round(size, 3)), max_size=4), st.sampled_from([None, "[ 1,\n2.50]"]))
def test_all_numbers_are_written_and_read_back(numbers: list[float], old: str | None) -> None:
    assert tomllib.loads(f"x = {write_value(numbers, old, chr(10))}") == {"x": numbers}
