"""Labels of one's own: tables as people write them, and errors that name every line, all at once."""

import os
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PIL import Image

from companion.printing import custom, designs
from companion.printing.spreadsheets import tables
from companion.printing.spreadsheets.tables import FileError
from labels.designfile import DesignError
from labels.designs import EffectLabel, HeadedLabel, Plain
from labels.designs.own import OwnLabel
from labels.errors import LabelError
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from labels.paper.stocks import Stock

STOCK = stocks.find("5163")
CARD = '[[part]]\ntext = "{name}"\n[[part]]\npicture = "{photo}"\nbox = [0, 0, "30 %", "rest"]\n'


def _read(
    tmp_path: Path, name: str, text: str, design: str = "", stock: Stock | None = None
) -> tuple[Sequence[Label], tuple[int, ...]]:
    """The labels of a file, and the positions that they must go to."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    with tables.open_table(path) as table:
        labels = custom.own_labels(table, tmp_path, design=custom.optional_design(design), stock=stock)
        assert tuple(labels) == labels[:] == tuple(labels[at] for at in range(len(labels)))
        return tuple(labels), tuple(labels.wanted)


def _labels(tmp_path: Path, name: str, text: str, design: str = "") -> Sequence[Label]:
    return _read(tmp_path, name, text, design)[0]


def _words(labels: Sequence[Label]) -> list[tuple[str, ...]]:
    return [label.words for label in labels if isinstance(label, OwnLabel)]


@pytest.fixture
def card(tmp_path: Path) -> str:
    """A design with a text and a picture."""
    (tmp_path / "card.toml").write_text(CARD, encoding="utf-8")
    return str(tmp_path / "card.toml")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("custom.csv", "name,text,tier,count\nGlow,Shines in the dark.,Rare,2\nAna,,,\n"),
        ("custom.csv", "\ufeffName;Text;Tier;Count\r\nGlow;Shines in the dark.;rare;2\r\n\r\nAna\r\n"),
        ("custom.csv", "name,text,tier,count\rGlow,Shines in the dark.,Rare,2\rAna,,,\r"),
        ("custom.csv", "text\tcount\tname\ttier\nShines in the dark.\t2\tGlow\tRARE\n\t1\tAna\t\n"),
        ("custom.csv", "\ufeffsep=;\r\nName;Text;Tier;Count\r\nGlow;Shines in the dark.;rare;2\r\nAna\r\n"),
        ("custom.csv", '"SEP=|"\nname|text|tier|count\nGlow|Shines in the dark.|rare|2\nAna\n'),
        ("custom.tsv", "sep=\t\rname\ttext\ttier\tcount\rGlow\tShines in the dark.\trare\t2\rAna\r"),
        ("custom.tsv", "name\ttext\ttier\tcount\nGlow\tShines in the dark.\tRare\t2\nAna\n"),
        (
            "custom.jsonl",
            '{"name": "Glow", "Text": "Shines in the dark.", "tier": "rare", "count": 2}\n\n'
            '{"name": "Ana", "text": null}\n',
        ),
        (
            "custom.toml",
            '[[label]]\nname = "Glow"\ntext = "Shines in the dark."\ntier = "Rare"\ncount = 2\n'
            '[[label]]\nname = "Ana"\n',
        ),
    ],
    ids=[
        *("commas", "as a spreadsheet in Europe saves it", "old line ends", "tabs"),
        *("as Excel is told", "in quotation marks", "told and old", "TSV", "JSON lines", "TOML"),
    ],
)
def test_a_table_in_any_dialect(tmp_path: Path, file: str, text: str) -> None:
    glow, again, ana = _labels(tmp_path, file, text)
    assert isinstance(glow, EffectLabel)
    assert (glow.title, glow.effect, glow.tier.title) == ("Glow", "Shines in the dark.", "Rare")
    assert again == glow
    assert ana == Plain("Ana")


def test_toml_with_a_monster_label_and_text_with_commas(tmp_path: Path) -> None:
    bitten = '[[label]]\nname = "Bite"\ntext = "Now, and then, it bites."\ntier = "hard"\n'
    bite, *rest = _labels(tmp_path, "custom.toml", bitten + '\n[[label]]\nname = "Ana"\ncount = 3\n')
    assert isinstance(bite, HeadedLabel)
    assert bite.tier.mark == "▲▲▲"
    assert rest == [Plain("Ana")] * 3


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'name,text\n"Blue\nWizard","One\u2028two."\nAna,\n'),
        ("a.csv", 'name,text\r\n"Blue\rWizard","One\r\ntwo."\r\nAna,\r\n'),
        (
            "a.toml",
            '[[label]]\nname = "Blue\\nWizard"\ntext = """\nOne\ntwo."""\n[[label]]\nname = "\ufeffA\u00adna"',
        ),
    ],
)
def test_line_breaks_stay_and_make_no_label(tmp_path: Path, name: str, text: str) -> None:
    assert _labels(tmp_path, name, text) == (Plain("Blue\nWizard", "One\ntwo."), Plain("Ana"))


def test_a_row_with_a_code_or_picture_gets_a_design_with_room(tmp_path: Path) -> None:
    Image.new("L", (4, 4)).save(tmp_path / "a.png")
    labels = _labels(tmp_path, "a.csv", "name,code,picture\nA,HELLO,\nB,,a.png\nC,HELLO,a.png\nD,,\n")
    names = [label.design.name for label in labels if isinstance(label, OwnLabel)]
    assert names == ["code", "picture", "picture-code"]
    assert labels[3] == Plain("D")


def test_any_column_fills_a_field_of_a_design(tmp_path: Path, card: str) -> None:
    (tmp_path / "photos").mkdir()
    Image.new("L", (4, 4)).save(tmp_path / "photos" / "a.png")
    text = '"First  NAME",photo\n"Ana\nSilva",photos/a.png\nBen,\n'
    (tmp_path / "card.toml").write_text(CARD.replace("{name}", "Dear {first name}, {{hello}}"), encoding="utf-8")
    ana, ben = _words(_labels(tmp_path, "a.csv", text, card))
    assert ana == ("Dear Ana\nSilva, {hello}", str((tmp_path / "photos" / "a.png").resolve()))
    assert ben == ("Dear Ben, {hello}", "")


def test_figures_stay_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "price.toml").write_text('[[part]]\ntext = "{price}"\n', encoding="utf-8")
    labels = _labels(tmp_path, "a.jsonl", '{"price": 1.50}\n{"price": 7e0}\n', str(tmp_path / "price.toml"))
    assert _words(labels) == [("1.50",), ("7e0",)]


def test_each_row_may_name_its_design(tmp_path: Path) -> None:
    (tmp_path / "price.toml").write_text('[[part]]\ntext = "{price}"\n', encoding="utf-8")
    labels = _labels(tmp_path, "a.csv", "name,price,design\nA,,plain\nB,3,price.toml\nC,,\n")
    assert _words(labels) == [("3",)]
    assert (labels[0], labels[2]) == (Plain("A"), Plain("C"))
    with pytest.raises(FileError, match=r"Line 2 of .* has “price”, which is none of name, text"):
        _labels(tmp_path, "a.csv", "name,price,design\nA,3,\n")


def test_a_label_goes_to_the_position_that_its_row_names(tmp_path: Path) -> None:
    _, wanted = _read(tmp_path, "a.csv", "name,position,count\nA,3,2\nB,,\nC,1,\n", stock=STOCK)
    assert wanted == (3, 0, 0, 1)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", "", "Line 1 of .* must name the columns"),
        ("a.csv", "sep=;\n", "Line 2 of .* must name the columns, each once; it is empty"),
        ("a.csv", "sep=;\ntext\nx\n", "Line 2 of .* must name the columns: name"),
        ("a.csv", 'sep=;\nname;count\n"x\ny";\nz;many\n', "Line 5 of .*: count is a whole number"),
        ("a.csv", 'sep=;\nname\n"x', "Line 3 of .* has a quotation mark that is never closed"),
        ("a.csv", "text\nx\n", "Line 1 of .* must name the columns: name, and where wanted text, tier, count"),
        ("a.csv", "name,name\nx,y\n", "Line 1 of .* must name the columns, each once; it has “name” twice"),
        (
            "a.csv",
            "name,colour\nx,red\n",
            "Line 1 of .* must name the columns.*it has “name,colour”. Other",
        ),
        ("a.csv", "name\n", "asks for no label"),
        ("a.csv", "name,text\nGlow,Now, and then\n", "Line 2 of .* has 3 cells for 2 columns"),
        (
            "a.csv",
            "name,tier,text\nGlow,rare,x\nGlimmer,epic,x\n",
            "Line 3 of .*: “epic” is not a tier; tiers are easy",
        ),
        (
            "a.csv",
            "name,count\nGlow,1\n\nGlow,lots\n",
            "Line 4 of .*: count is a whole number from 0 to 10000, not “lots”",
        ),
        ("a.csv", "name,count\nGlow,-1\n", "Line 2 of .*: count"),
        ("a.csv", "name,count\nGlow,0\n", "asks for no label"),
        ("a.csv", "name,text\n,words\n", "Line 2 of .* has no name"),
        ("a.csv", "name,tier\nGlow,rare\n", "Line 2 of .*: a label of a tier needs a text; “Glow” has none"),
        ("a.csv", "name,text,tier,code\nGlow,x,rare,x\n", "Line 2 of .*: a label of a tier has no room for a code"),
        ("a.csv", "name,code\nGlow,a\x00b\n", "Line 2 of .*: the text of a code has U\\+0000, a control symbol"),
        ("a.csv", "name\nFire 🔥\n", "Line 2 of .*: the name “Fire 🔥” has “🔥” .* an emoji"),
        ("a.csv", "name\nFire\0\n", "Line 2 of .*: the name “Fire·” has NUL .U.0000., which no font"),
        ("a.csv", 'name,count\n"Blue\nWizard",lots\n', "Line 2 of .*: count is a whole number"),
        ("a.csv", 'name,count\n"Blue\nWizard",1\nGlow,lots\n', "Line 4 of .*: count is a whole number"),
        ("a.csv", 'name,text\n"Two\nlines",x\nGlow,x,y\n', "Line 4 of .* has 3 cells"),
        ("a.csv", 'name,text\nGlow,"open\n', "Line 2 of .* has a quotation mark that is never closed"),
        ("a.csv", "name,count\n" + "Glow,10000\n" * 101, "asks for 1010000 labels; 1000000 is the most"),
        # They are counted without memory for each, which would be half a gigabyte.
        ("a.csv", "name,count\n" + "Glow,10000\n" * 6000, "asks for 60000000 labels; 1000000 is the most"),
        ("a.csv", f"name\n{'x' * 2**20}\n", "has a line of more than 1 MB; that is no table"),
        ("a.csv", "name,position\nGlow,11\n", "Line 2 of .*: stock 5163 has positions 1 to 10, not 11"),
        ("a.csv", "name,picture\nGlow,../a.png\n", "Line 2 of .*: the picture “../a.png” lies outside of the folder"),
        ("a.csv", "name,picture\nGlow,/a.png\n", "Line 2 of .*: the picture “/a.png” lies outside of the folder"),
        ("a.csv", "name,picture\nGlow,a.png\n", "Line 2 of .*: there is no picture “a.png” in the folder"),
        ("a.csv", "name,position\nGlow,0\n", "Line 2 of .*: position is a whole number from 1 to 10000, not “0”"),
        ("a.csv", "name,picture\nGlow,a.csv\n", "Line 2 of .*: .*is no picture that can be printed"),
        ("a.csv", "name,design\nGlow,../a.toml\n", "Line 2 of .*: the design “../a.toml” lies outside of the folder"),
        ("a.csv", "name,design\nGlow,cod\n", "Line 2 of .*: There is no design “cod”; write code, or name a file"),
        ("a.csv", f"name\n{'Glow ' * 4000}\n", "Line 2 of .*: The name of .* does not fit even at"),
        ("a.toml", "[[label]]\nname = \n", r"is not TOML: .*line 2"),
        ("a.toml", '[[label]]\nname = "open\n', r"is not TOML: line 2 is not as it must be; write one thing a line"),
        ("a.csv", 'name,text\nGlow,x\nGleam,"open\nto\nthe end\n', "Line 3 of .* has a quotation mark that is never"),
        ("a.toml", "", "asks for no label"),
        ("a.toml", 'title = "x"\n', r"has “title” where \[\[label\]\] tables are expected"),
        ("a.toml", "label = 3\n", r"has “label” where \[\[label\]\] tables are expected"),
        (
            "a.toml",
            '[[label]]\nname = "a"\n\n[[label]]\nnmae = "b"\n',
            "Line 4 of .* has “nmae”, which is none",
        ),
        ("a.toml", '[[label]]\nname = "a"\n[[label]]\nname = 3\n', "Line 3 of .*: name is a text in quotation marks"),
        ("a.toml", '[[label]]\nname = "a"\ncount = 1.5\n', "Line 1 of .*: count is a whole number"),
        ("a.jsonl", '{"name": "a"}\n{"name": }\n', "Line 2 of .* is not JSON; write an object on each line"),
        ("a.jsonl", "[1]\n", "Line 1 of .* is no object"),
        ("a.jsonl", '{"name": "a", "name": "b"}\n', "Line 1 of .* has “name” twice; leave one of them out"),
        ("a.jsonl", '{"name": "a", " Name": "b"}\n', "Line 1 of .* has “name” twice"),
        ("a.toml", '[[label]]\nname = "a"\nName = "b"\n', "Line 1 of .* has “name” twice"),
        ("a.toml", f"label = {'[' * 9999}", "is not TOML: line 1 is not as it must be"),
        ("a.toml", f"[[label]]\ncount = {'9' * 9999}", "is not TOML: line 2 is not as it must be"),
        (
            "a.csv",
            f"name\n{'x' * 140_000}\n",
            "Line 2 of .* has more text in a cell than any label holds",
        ),
        ("a.jsonl", '{"name": ["a"]}\n', "Line 1 of .*: name is neither a text nor a number"),
        ("a.txt", "name\nx\n", r"ends in none of .toml, .csv, .tsv, .jsonl, .xlsx.* and .ods; save it .*--format csv"),
        (
            "a.csv",
            "name,picture\nGlow,a\0.png\n",
            "Line 2 of .*: the picture “a·.png” cannot be read; correct its name",
        ),
        ("a.csv", "name,design\nGlow,a\0.toml\n", "Line 2 of .*: the design “a·.toml” cannot be read; correct its"),
        (
            "a.csv",
            "name,,text,\nGlow,,x,,,\nGlow,y,x\n",
            "Line 3 of .* has “y” in a column without a name; name it in l",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(FileError, match=says):
        _read(tmp_path, name, text, stock=STOCK)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", "nme,photo\nA,\n", "The design “card” has {name}, which is no column of .*; write {nme}."),
        ("a.csv", "title\nA\n", "has {name}, which is no column of .*; the columns are title."),
        ("a.jsonl", '{"name": "A"}\n{"nome": "B"}\n', "The design “card” has {photo}, which is no column"),
        (
            "a.csv",
            "name,photo,count\nA,,\n,,1\n",
            "Line 3 of .* has nothing for {name}, {photo}; a label with nothing on it",
        ),
    ],
)
def test_a_field_that_nothing_fills_is_told(tmp_path: Path, card: str, name: str, text: str, says: str) -> None:
    with pytest.raises(FileError, match=says):
        _read(tmp_path, name, text, card)


def test_a_design_without_room_is_named_once_others_by_line(tmp_path: Path) -> None:
    (tmp_path / "wide.toml").write_text('[[part]]\ntext = "{name}"\nbox = [0, 0, 90, 5]\n', encoding="utf-8")
    text = "name,position\nA,\nB,\nC,9999\n"
    with pytest.raises(FileError) as error:
        _read(tmp_path, "a.csv", text, str(tmp_path / "wide.toml"), stock=stocks.find("18294"))
    design, row = str(error.value).splitlines()
    assert design.startswith("The box of the text “{name}” in the design “wide” leaves the label at its right edge")
    assert row.startswith("Line 4 of ")


def test_unfilled_fields_are_named_with_all_wrong_lines(tmp_path: Path, card: str) -> None:
    with pytest.raises(FileError) as error:
        _read(tmp_path, "a.csv", "title,count,design\nA,,\nB,two,\nC,,nope\n", card)
    name, photo, second, third = str(error.value).split("\n")
    assert "{name}, which is no column" in name
    assert "{photo}, which is no column" in photo
    assert "Line 3 of" in second
    assert "Line 4 of" in third


def test_a_missing_picture_is_named_with_its_folder_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("name,picture\nGlow,a.png\n", encoding="utf-8")
    with (
        pytest.raises(FileError, match=re.escape(f"“a.png” in the folder “{tmp_path.resolve()}”; copy it there, or")),
        tables.open_table(Path("a.csv")) as table,
    ):
        custom.own_labels(table, Path())


def test_all_wrong_lines_are_named_at_once_up_to_a_limit(tmp_path: Path) -> None:
    rows = "".join(f"Glow {number},{'x' if number % 2 else 1}\n" for number in range(100))
    with pytest.raises(FileError) as error:
        _read(tmp_path, "a.csv", f"name,count\n{'Glow ' * 4000},1\n{rows}", stock=STOCK)
    first, second, *_, last = str(error.value).split("\n")
    assert first.startswith("Line 2 of")
    assert "does not fit" in first
    assert "Line 4 of" in second
    assert last == "… and 31 more."


@pytest.mark.posix
def test_a_link_leads_to_no_picture_outside_of_the_folder(tmp_path: Path) -> None:
    Image.new("L", (4, 4)).save(tmp_path / "secret.png")
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "a.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(FileError, match=r"the picture “a\.png” lies outside of the folder"):
        _read(tmp_path / "table", "a.csv", "name,picture\nGlow,a.png\n")


def test_a_picture_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with (
        pytest.raises(LabelError, match="is not text; save it"),
        tables.open_table(tmp_path / "a.csv") as table,
    ):
        custom.own_labels(table, tmp_path)


@pytest.mark.posix
def test_what_comes_through_a_pipe_can_be_read_twice(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    threading.Thread(target=(tmp_path / "pipe").write_text, args=("name\nAna\nBen\n",)).start()
    with tables.open_table(tmp_path / "pipe", "csv") as table:
        labels = custom.own_labels(table, tmp_path)
        assert list(labels) == list(labels) == [Plain("Ana"), Plain("Ben")]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Writes a design into the user's folder."""
    monkeypatch.setattr(designs, "designs_folder", lambda: tmp_path / "designs")
    (tmp_path / "designs").mkdir()

    def write(name: str, content: str) -> None:
        (tmp_path / "designs" / name).write_text(content, encoding="utf-8")

    return write


def test_an_own_design_is_found_by_name_and_wins_over_a_namesake(
    own: Callable[[str, str], None],
) -> None:
    own("Code.toml", CARD)
    assert designs.find_design("code").fields == ("name", "photo")


def test_a_broken_design_only_takes_itself_away(own: Callable[[str, str], None]) -> None:
    own("broken.toml", 'part = "x"')
    own("card.toml", CARD)
    entries = {each.name: each for each in designs.list_designs()}
    assert entries["broken"].design is None
    assert "broken.toml” has no part; write [[part]]" in entries["broken"].wrong
    assert entries["card"].design is not None
    with pytest.raises(DesignError, match="has no part"):
        designs.find_design("broken")


def test_rows_in_any_order_share_a_sheet(tmp_path: Path) -> None:
    """Two rows that ask for position 3 go onto two sheets, all others onto the first."""
    (tmp_path / "d2.toml").write_text('[[part]]\ntext = "{name}"\n', encoding="utf-8")
    content = "name,design,position\nA,,3\nB,d2.toml,1\nC,plain,\nD,,3\n"
    labels, wanted = _read(tmp_path, "positions-unsorted.csv", content, stock=STOCK)
    first, second = sheet.fill_sheets(labels, STOCK, wanted=wanted)
    assert {at: label.title for at, label in first.items()} == {3: "A", 1: "B", 2: "C"}
    assert {at: label.title for at, label in second.items()} == {3: "D"}
