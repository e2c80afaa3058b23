"""Tables as spreadsheets save them: workbooks, texts in any encoding, numbers and dates that need no column."""

import zipfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.printing import custom
from companion.printing.spreadsheets import encodings, tables
from companion.printing.spreadsheets.encodings import EncodingUnclear
from companion.printing.spreadsheets.tables import FileError, WorksheetOptions
from labels.designs.own import OwnLabel
from labels.errors import LabelError
from labels.paper import stocks
from tests.printing.workbooks import Cell, write_ods, write_xlsx

ROWS: Sequence[Sequence[Cell]] = [
    ["Name", "count", "when", "price", None, ""],
    ["Ana\nMüller", 2, date(2026, 11, 26), 1.5, None, None],
    [],
    ["007", 0, None, "free", None, ""],
    [12, 1, None, 1e9, None],
]
WRITERS: dict[str, Callable[[Path], Path]] = {
    "xlsx": lambda path: write_xlsx(path, {"Addresses": ROWS, "Other": [["name"], ["x"]]}),
    "ods": lambda path: write_ods(path, {"Addresses": ROWS, "Other": [["name"], ["x"]]}),
}


def rows(path: Path, encoding: str | None = None, worksheet: str = "") -> tuple[list[tuple[int, dict[str, str]]], str]:
    """The rows of a file with their numbers, and what is remarked of it."""
    with tables.open_table(path, encoding=encoding, worksheet=WorksheetOptions(worksheet)) as table:
        read = [(row.line, dict(row.values)) for row in table.rows()]
        assert [(row.line, dict(row.values)) for row in map(table.row, range(len(read)))] == read
        return read, " ".join(map(str, table.remarks))


@pytest.mark.parametrize("kind", WRITERS)
def test_a_workbook_is_read_as_people_see_it(tmp_path: Path, kind: str) -> None:
    read, remark = rows(WRITERS[kind](tmp_path / f"a.{kind}"))
    assert read == [
        (2, {"name": "Ana\nMüller", "count": "2", "when": "2026-11-26", "price": "1.5"}),
        (4, {"name": "007", "count": "0", "when": "", "price": "free"}),
        (5, {"name": "12", "count": "1", "when": "", "price": "1000000000"}),
    ]
    assert "this is the sheet “Addresses”; --worksheet NAME takes another: “Other”." in remark


@pytest.mark.parametrize("kind", WRITERS)
def test_another_sheet_is_taken_by_its_name(tmp_path: Path, kind: str) -> None:
    path = WRITERS[kind](tmp_path / f"a.{kind}")
    assert rows(path, worksheet=" other ") == ([(2, {"name": "x"})], "")
    with pytest.raises(FileError, match="has no sheet “Third”; its sheets are “Addresses”, “Other”"):
        rows(path, worksheet="Third")


def test_a_table_may_begin_further_down_and_hidden_sheets_are_none(tmp_path: Path) -> None:
    new: Sequence[Sequence[Cell]] = [[], [None, None], [None, "name"], [], [None, "Ana"]]
    path = write_xlsx(tmp_path / "a.xlsx", {"Old": [["name"], ["x"]], "New": new}, hidden=["Old"])
    assert rows(path) == ([(5, {"name": "Ana"})], "")


def test_a_fault_in_a_workbook_is_told_by_its_row(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", {"A": [["name", "count"], ["Two\nlines", 1], ["Ana", "many"]]})
    with (
        pytest.raises(FileError, match=r"Row 3 of .*: count is a whole number from 0 to 10000, not “many”"),
        tables.open_table(path) as table,
    ):
        custom.own_labels(table, tmp_path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is no workbook, or a damaged one"),
        (b"PK\x03\x04 and more", "is no workbook, or a damaged one"),
        (b"name\nAna\n", "is no workbook, or a damaged one"),
    ],
)
@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_no_workbook_is_told(tmp_path: Path, kind: str, content: bytes, says: str) -> None:
    (tmp_path / f"a.{kind}").write_bytes(content)
    with pytest.raises(FileError, match=says):
        rows(tmp_path / f"a.{kind}")


@pytest.mark.slow
def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", {"A": [["name"]]})
    with zipfile.ZipFile(path) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    begin, end = parts["xl/worksheets/sheet1.xml"].split(b"</sheetData>")
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w", zipfile.ZIP_DEFLATED) as bomb:
        for name, content in parts.items():
            if name != "xl/worksheets/sheet1.xml":
                bomb.writestr(name, content)
        with bomb.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(begin + b'<row r="2"><c r="A2" t="inlineStr"><is><t>')
            for _ in range(1200):
                sheet.write(b"x" * 2**20)
            sheet.write(b"</t></is></c></row></sheetData>" + end)
    with pytest.raises(FileError, match=r"takes more room or time than a table may|damaged"):
        rows(tmp_path / "b.xlsx")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "windows-1252", "iso-8859-1"]
)
def test_a_text_is_read_in_the_encoding_it_shows(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes("name;text\r\nKäse;déjà vu\r\nMüller’s;“so”\r\n".encode(encoding, "replace"))
    read, remark = rows(tmp_path / "a.csv")
    assert [row["name"][:4] for _, row in read] == ["Käse", "Müll"]
    assert bool(remark) == (encoding in ("windows-1252", "iso-8859-1"))


def test_a_guess_is_told_with_its_words(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("name\nKäse\nStraße 3 €\n".encode("windows-1252"))
    _, remark = rows(tmp_path / "a.csv")
    assert "is not in UTF-8 and was read as Windows-1252: “Käse”, “Straße”" in remark


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("name\nПривет\n", "windows-1251"),
        ("name\nSławek Żak\n", "windows-1250"),
        ("name\nMüller\n", "mac-roman"),
    ],
)
def test_where_the_encoding_is_unclear_people_are_asked(tmp_path: Path, text: str, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    with pytest.raises(EncodingUnclear, match=f"--encoding {encoding} ") as refused:
        rows(tmp_path / "a.csv")
    word = text.split()[1]
    assert f"“{word}”" in str(refused.value)
    seen: dict[str, str] = {}

    def choose(readings: dict[str, str]) -> str:
        seen.update(readings)
        return encoding

    with tables.open_table(tmp_path / "a.csv", choose=choose) as table:  # type: ignore[arg-type]
        assert [row.values["name"] for row in table.rows()] == text.splitlines()[1:]
    assert seen[encoding] == word
    assert rows(tmp_path / "a.csv", encoding=encoding)[0][0][1]["name"].startswith(word)


@given(st.text(st.characters(exclude_categories=["C"]), min_size=1).filter(lambda text: text.strip(" ,;\t\u00a0\"'")))
def test_utf_8_is_never_taken_for_anything_else(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("texts") / "a.csv"
    path.write_bytes(b"name\n" + text.encode())
    with path.open("rb") as file:
        assert encodings.guess_encoding(file, "It") == encodings.EncodingGuess("utf-8-sig")


@pytest.mark.parametrize("name", ["latin-17", "base64", "zip", "rot13", "", "\0"])
def test_what_is_no_encoding_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.csv").write_text("name\nAna\n", encoding="utf-8")
    with pytest.raises(LabelError, match="is no encoding; write utf-8, utf-16, or an older one such as windows-1252"):
        rows(tmp_path / "a.csv", encoding=name)


def test_what_is_said_wrongly_of_an_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("name\nKäse\n".encode("windows-1252"))
    with pytest.raises(LabelError, match="is not text in UTF-8; save it as that, or say by"):
        rows(tmp_path / "a.csv", encoding="utf8")


def labels(tmp_path: Path, design: str, text: str) -> list[tuple[str, ...]]:
    """What the parts of each label say, on the last day of February."""
    (tmp_path / "d.toml").write_text(design, encoding="utf-8")
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with tables.open_table(tmp_path / "a.csv") as table:
        own = custom.own_labels(
            table,
            tmp_path,
            design=custom.optional_design(str(tmp_path / "d.toml")),
            stock=stocks.find("5163"),
            today=date(2027, 2, 28),
        )
        assert tuple(own) == own[:]
        return [label.words for label in own if isinstance(label, OwnLabel)]


def test_each_copy_is_counted_and_says_when_it_was_printed(tmp_path: Path) -> None:
    design = (
        '[[part]]\ntext = "{name} {#:098}"\nbox = [0, 0, "100 %", "50 %"]\n'
        '[[part]]\ntext = "{today+1:D.M.YY}"\nbox = [0, 25, 40, 20]\n'
    )
    assert labels(tmp_path, design, "name,count\nJam,2\nTea,0\nRye,1\n") == [
        ("Jam 098", "1.3.27"),
        ("Jam 099", "1.3.27"),
        ("Rye 100", "1.3.27"),
    ]


def test_a_column_of_that_name_comes_first(tmp_path: Path) -> None:
    design = '[[part]]\ntext = "{#} {today}"\n'
    assert labels(tmp_path, design, "#,today\n7,Monday\n") == [("7 Monday",)]


def test_what_is_empty_takes_its_words_along(tmp_path: Path) -> None:
    design = (
        '[[part]]\ntext = "{name}\\nBest before {date}, {grams} g"\nbox = [0, 0, "60 %", "rest"]\n'
        '[[part]]\ncode = "https://e.org/{id}"\nbox = ["70 %", 0, "rest", "rest"]\n'
    )
    text = "name,date,grams,id\nJam,May,200,7\nJam,,200,\nJam,May,,\nJam,,,\n"
    assert labels(tmp_path, design, text) == [
        ("Jam\nBest before May, 200 g", "https://e.org/7"),
        ("Jam\n200 g", ""),
        ("Jam\nBest before May", ""),
        ("Jam", ""),
    ]
