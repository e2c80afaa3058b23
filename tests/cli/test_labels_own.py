"""`companion labels file` and `design`: own labels from a table to paper, and all that is wrong told at once."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from click.testing import Result
from PIL import Image

from labels.paper import stocks
from tests.labels.paper import Paper, text_in
from tests.printing.workbooks import Formula, write_xlsx
from tests.terminal import Terminal

STOCK = stocks.find("5163")
GUEST = (
    '[[part]]\ntext = "{name}"\nrole = "title"\nbox = [30, 5, 40, 10]\n'
    '[[part]]\ntext = "Table {table}"\nbox = [30, 20, 40, 10]\n'
    '[[part]]\npicture = "{photo}"\nbox = [2, 5, 25, 25]\n'
    '[[part]]\ncode = "{link}"\nbox = ["100 % - 25", 0, "rest", 25]\n'
)


@pytest.fixture
def guests(labels: Callable[..., Result]) -> Callable[..., Result]:
    """Prints a table of guests in a design of one's own."""
    Path("guest.toml").write_text(f'stock = "5163"\n{GUEST}', encoding="utf-8")
    Image.new("L", (30, 30)).save("ana.png")
    Path("guests.csv").write_text("name,table,link,photo,position\nAna,3,HELLO,ana.png,\nBen,4,,,5\n", encoding="utf-8")
    return lambda *options: labels("file", "guests.csv", "--design", "guest.toml", *options)


def test_a_table_is_printed_in_a_design_of_ones_own(guests: Callable[..., Result]) -> None:
    result = guests("-o", "guests.pdf", "--preview", "guests.svg")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("2 labels on 1 sheet of 5163, the last at position 5: guests.pdf.")
    document = Path("guests.pdf").read_bytes()
    assert text_in(document, STOCK.box(1)) == "Ana Table 3"
    assert text_in(document, STOCK.box(5)) == "Ben Table 4"
    paper = Paper(document, 200)
    assert paper.codes(STOCK.box(1)) == ["HELLO"]
    assert not paper.codes(STOCK.box(5))
    assert Path("guests.svg").read_text(encoding="utf-8").count("<image") == 1


def test_a_plan_previews_the_first_sheet_and_prints_nothing(guests: Callable[..., Result]) -> None:
    result = guests("--plan", "--preview", "first.png", "--start", "10")
    assert result.stdout.endswith("The first sheet is drawn in first.png.\n")
    assert result.exit_code == 0, result.stderr
    assert "10  Ana" in result.stdout
    assert sorted(path.name for path in Path().iterdir() if path.suffix in (".pdf", ".png")) == ["ana.png", "first.png"]


def test_all_faults_are_told_at_once_and_nothing_is_written(guests: Callable[..., Result]) -> None:
    rows = "Ana,3,HELLO,nobody.png,\nBen,4,,,11\n" + "Clara,5,,,x\n" * 30
    Path("guests.csv").write_text(f"name,table,link,photo,position\n{rows}", encoding="utf-8")
    refused = guests("-o", "guests.pdf")
    assert refused.exit_code == 2
    lines = refused.stderr.splitlines()
    assert lines[0].startswith("Line 2 of “guests.csv”: there is no picture “nobody.png”")
    assert lines[1] == "Line 3 of “guests.csv”: stock 5163 has positions 1 to 10, not 11."
    assert lines[-1] == "… and 12 more."
    assert not Path("guests.pdf").exists()


def test_what_comes_through_a_pipe_needs_its_kind(labels: Callable[..., Result]) -> None:
    refused = labels("file", "-", "-o", "a.pdf")
    assert (refused.exit_code, "has no ending; say what it is, as in --format csv" in refused.stderr) == (2, True)


def test_designs_are_listed_with_those_that_are_broken(labels: Callable[..., Result], own_stocks: Path) -> None:
    folder = own_stocks.parent / "designs"
    folder.mkdir()
    (folder / "guest.toml").write_text(GUEST, encoding="utf-8")
    (folder / "broken.toml").write_text('[[part]]\ntext = "{name}"\nboxx = 3\n', encoding="utf-8")
    output = labels("design", "list").stdout
    assert "part 1: “boxx” is no key here; write box." in output
    assert "name, table, photo, link" in output
    assert labels("design", "check", "Guest", "--stock", "5163").exit_code == 0
    refused = labels("design", "check", "broken")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)


def test_designs_are_data_for_programs_too(labels: Callable[..., Result], own_stocks: Path) -> None:
    folder = own_stocks.parent / "designs"
    folder.mkdir()
    (folder / "broken.toml").write_text("[[part]]\nboxx = 3\n", encoding="utf-8")
    listed = {each["name"]: each for each in json.loads(labels("design", "list", "--json").stdout)}
    assert listed["badge"] | {"title": ""} == {
        "name": "badge",
        "own": False,
        "title": "",
        "stock": "5163",
        "fields": ["photo", "name", "role", "table", "link"],
        "shape": "rectangle",
        "wrong": "",
    }
    assert (listed["broken"]["own"], "none of text, code" in listed["broken"]["wrong"]) == (True, True)
    checked = json.loads(labels("design", "check", "badge", "--json", "--preview", "badge.png").stdout)
    assert (checked["name"], checked["checked_on"], checked["fields"][0]) == ("badge", "5163", "photo")


def test_an_example_goes_through_a_pipe_with_nothing_else_on_it(labels: Callable[..., Result]) -> None:
    result = labels("design", "example", "badge", "-o", "-")
    assert result.stdout == labels("design", "example", "badge").stdout
    assert result.stderr.startswith("standard output: yours to change")


@pytest.mark.parametrize(("name", "kind"), [("a.jpg", "JPEG"), ("a.png", "PNG")])
def test_a_design_is_drawn_as_its_files_name_says(labels: Callable[..., Result], name: str, kind: str) -> None:
    assert labels("design", "check", "badge", "--preview", name).exit_code == 0
    with Image.open(name) as image:
        assert (image.format, image.width > 1200) == (kind, True)


def test_a_design_is_drawn_as_svg_and_never_between_sentences(labels: Callable[..., Result]) -> None:
    assert labels("design", "check", "badge", "--preview", "a.svg").exit_code == 0
    assert Path("a.svg").read_text(encoding="utf-8").startswith("<?xml")
    for name, says in (("-", "A preview is a file"), ("a.gif", "ends in .png, .jpg or .svg")):
        refused = labels("design", "check", "badge", "--preview", name)
        assert (refused.exit_code, refused.stdout, says in refused.stderr) == (2, "", True)


def test_an_example_is_a_design_to_begin_with(labels: Callable[..., Result]) -> None:
    assert labels("design", "example", "badge", "-o", "mine.toml").exit_code == 0
    assert labels("design", "example").stdout == Path("mine.toml").read_text(encoding="utf-8")
    result = labels("design", "check", "mine.toml", "--preview", "mine.png")
    assert "A table for it has the columns photo, name, role, table, link." in result.stdout
    assert "It is drawn in mine.png." in result.stdout
    assert Image.open("mine.png").width > 1200


def test_a_check_finds_a_picture_that_is_not_beside_the_design(labels: Callable[..., Result]) -> None:
    Path("mine.toml").write_text('[[part]]\npicture = "logo.png"\n', encoding="utf-8")
    refused = labels("design", "check", "mine.toml")
    assert (refused.exit_code, refused.stderr.startswith("In the design “mine” there is no picture “logo.png”")) == (
        2,
        True,
    )
    Image.new("L", (4, 4)).save("logo.png")
    assert labels("design", "check", "mine.toml").exit_code == 0


def test_a_design_is_shown_with_what_each_column_needs(labels: Callable[..., Result]) -> None:
    result = labels("design", "show", "badge", "--preview", "badge.png")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[:2] == ["Badge", "Labels: Avery 5163, 10 shipping labels, 4 × 2 in"]
    assert "1 the picture “{photo}” 2 mm 2 mm 26.4 × 46.7 mm" in lines
    assert "photo the file of a picture beside the table" in lines
    assert "link the content of the QR code “{link}”" in lines
    with Image.open("badge.png") as picture:
        assert picture.width > 1000
    assert labels("design", "show", "badge", "--preview", "badge.png").exit_code == 1


def test_formats_and_conditions_are_needs_of_columns(labels: Callable[..., Result]) -> None:
    Path("dated.toml").write_text(
        '[[part]]\ntext = "{day:D MMM YYYY} {price:0.00}"\nbox = [2, 2, 30, 8]\n'
        '[[part]]\nfill = "#7A1020"\nwhen = "{diet} = vegan"\nbox = [2, 11, 9, 2]\n',
        encoding="utf-8",
    )
    content = json.loads(labels("design", "show", "dated.toml", "--stock", "5163", "--json").stdout)
    assert content["columns"] == {
        "day": ["a date, such as 2026-12-24"],
        "price": ["a number"],
        "diet": ["a value that decides whether the fill “#7A1020” is printed"],
    }
    assert [part["box"] for part in content["parts"]] == [[2, 2, 30, 8], [2, 11, 9, 2]]


def test_a_new_design_lies_in_the_users_folder(labels: Callable[..., Result], own_stocks: Path) -> None:
    folder = own_stocks.parent / "designs"
    assert labels("design", "new", "plums", "--from", "jam", "--stock", "L7160").exit_code == 0
    assert labels("design", "new", "plain", "--stock", "DK-11209").exit_code == 0
    answer = json.loads(labels("design", "new", "any", "--from", "code", "--json").stdout)
    assert answer == {"name": "any", "file": str(folder / "any.toml")}
    Path("mine.toml").write_text(GUEST, encoding="utf-8")
    assert labels("design", "new", "guests", "--from", "mine.toml", "--stock", "5163").exit_code == 0
    listed = {each["name"]: each for each in json.loads(labels("design", "list", "--json").stdout)}
    own = {name: (each["title"], each["stock"]) for name, each in listed.items() if each["own"]}
    assert own == {
        "any": ("any", ""),
        "guests": ("guests", "5163"),
        "plain": ("plain", "DK-11209"),
        "plums": ("plums", "L7160"),
    }
    assert labels("design", "check", "plain").exit_code == 0
    before = (folder / "plums.toml").read_bytes()
    refused = labels("design", "new", "Plums")
    assert (refused.exit_code, refused.stderr) == (2, "There is a design “Plums” already; choose another name.\n")
    assert (folder / "plums.toml").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "bagde"), "There is no design “bagde”; write badge, or name a file that ends in .toml."),
        (("new", "a/b"), "“a/b” is no name of a design; "),
        (("new", "jam"), "There is a design “jam” already; choose another name."),
        (("new", "mine", "--from", "bagde"), "There is no design “bagde”; write badge, "),
        (
            ("new", "mine", "--from", "guest.toml", "--stock", "18294"),
            "The box of the text “{name}” in the design “mine”",
        ),
        (("check", "nothing.toml"), "There is no design in “nothing.toml”"),
        (("check", "guest"), "There is no design “guest”; write guest.toml."),
        (("check", "bagde"), "There is no design “bagde”; write badge, or name a file that ends in .toml."),
        (
            ("check", "guest.toml", "--stock", "18294"),
            "The box of the text “{name}” in the design “guest” leaves the",
        ),
        (("example", "nothing"), "There is no example “nothing”; there are "),
    ],
)
@pytest.mark.usefixtures("guests")
def test_a_design_that_cannot_be_is_told_in_one_sentence(
    labels: Callable[..., Result], arguments: tuple[str, ...], says: str
) -> None:
    refused = labels("design", *arguments)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.startswith(says)


def test_own_words_are_read_aloud_in_their_language(guests: Callable[..., Result]) -> None:
    assert guests("-o", "guests.pdf", "--language", "de-AT").exit_code == 0
    with pikepdf.open("guests.pdf") as document:
        assert str(document.Root.Lang) == "de-AT"
    Path("guest.toml").write_text(
        'language = "fr"\n' + Path("guest.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    assert guests("-o", "design.pdf").exit_code == 0
    with pikepdf.open("design.pdf") as document:
        assert str(document.Root.Lang) == "fr"
    refused = guests("-o", "other.pdf", "--language", "German!")
    assert refused.exit_code == 2
    assert refused.stderr == "“German!” is no language; write its code, such as en, de or fr-CA.\n"
    assert not Path("other.pdf").exists()


@pytest.mark.linux
def test_a_table_prints_whose_name_is_no_text(labels: Callable[..., Result]) -> None:
    name = os.fsdecode(b"jar\xff\x01.csv")
    Path(name).write_text("name\nBasil\n", encoding="utf-8")
    result = labels("file", name, "-o", "jars.pdf")
    assert result.exit_code == 0, result.stderr
    with pikepdf.open("jars.pdf") as document:
        assert str(document.docinfo.Title) == "jar··"


def test_a_formula_without_its_value_stops_the_print(labels: Callable[..., Result]) -> None:
    write_xlsx(Path("a.xlsx"), {"A": [["name", "text"], ["Plum", Formula("2.5*1.19")], ["Pear", "x"]]})
    refused = labels("file", "a.xlsx", "-o", "a.pdf")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Cell B2 of “a.xlsx” has a formula without a value.\nOpen the file in its program")
    assert not Path("a.pdf").exists()
    result = labels("file", "a.xlsx", "-o", "a.pdf", "--empty-errors")
    assert result.exit_code == 0, result.stderr
    assert text_in(Path("a.pdf").read_bytes(), stocks.find("18294").box(1)) == "Plum"


def test_hidden_rows_are_printed_only_if_that_is_said(labels: Callable[..., Result]) -> None:
    write_xlsx(Path("a.xlsx"), {"A": [["name"], ["Plum"], ["Pear"], ["Fig"]]}, hidden_rows=[3])
    refused = labels("file", "a.xlsx", "-o", "a.pdf")
    assert (refused.exit_code, "1 row is hidden, by hand or by a filter; say --hidden-rows skip" in refused.stderr) == (
        2,
        True,
    )
    assert labels("file", "a.xlsx", "-o", "a.pdf", "--hidden-rows", "skip").stdout.startswith("2 labels")
    assert labels("file", "a.xlsx", "-o", "b.pdf", "--hidden-rows", "print").stdout.startswith("3 labels")


@pytest.mark.sample(2)
@pytest.mark.posix
@pytest.mark.parametrize(("answer", "count"), [("y", 3), ("n", 2)])
def test_hidden_rows_are_asked_about_at_a_terminal(tmp_path: Path, answer: str, count: int) -> None:
    write_xlsx(tmp_path / "a.xlsx", {"A": [["name"], ["Plum"], ["Pear"], ["Fig"]]}, hidden_rows=[3])
    command = (sys.executable, "-m", "companion.cli", "labels", "file", str(tmp_path / "a.xlsx"))
    with Terminal((*command, "-o", str(tmp_path / "a.pdf"))) as terminal:
        terminal.until("1 row is hidden, by hand or by a filter. Print hidden rows, too?")
        terminal.press(f"{answer}\r")
        terminal.until(f"{count} labels")
        assert terminal.ended() == 0


def test_a_title_above_a_table_is_remarked(labels: Callable[..., Result]) -> None:
    write_xlsx(Path("a.xlsx"), {"A": [["Jars of 2026"], [], ["name", "text"], ["Plum", "x"]]})
    result = labels("file", "a.xlsx", "-o", "a.pdf")
    assert result.exit_code == 0
    assert result.stderr == "In “a.xlsx” “Jars of 2026” is taken for a title, and row 3 for the names of the columns.\n"
