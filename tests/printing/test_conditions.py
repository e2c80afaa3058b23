"""Conditions of parts in a run: each row decides what is printed, and what cannot be compared is told by its row."""

from pathlib import Path

import pytest

from companion.printing import custom
from companion.printing.spreadsheets import tables
from companion.printing.spreadsheets.tables import FileError
from labels.designs.own import OwnLabel

PARTS = """language = "de"
[[part]]
text = "{name}"
[[part]]
fill = "#7A1020"
box = [3, 30, 5, 5]
when = "{kind} = vegan"
[[part]]
text = "few left"
when = "{stock} < 2.5"
[[part]]
text = "first of all"
when = "{#} = 1"
"""


def _words(folder: Path, rows: str, parts: str = PARTS) -> list[tuple[str, ...]]:
    (folder / "design.toml").write_text(parts, encoding="utf-8")
    (folder / "rows.csv").write_text(rows, encoding="utf-8")
    with tables.open_table(folder / "rows.csv") as table:
        design = custom.optional_design(str(folder / "design.toml"))
        return [label.words for label in custom.own_labels(table, folder, design=design) if isinstance(label, OwnLabel)]


def test_each_row_decides_what_is_printed(tmp_path: Path) -> None:
    rows = 'name,kind,stock\nJam,vegan,"2,4"\nHoney,,2.6\nBread,VEGAN,\n'
    assert _words(tmp_path, rows) == [
        ("Jam", "#7A1020", "few left", "first of all"),
        ("Honey", "", "", ""),
        ("Bread", "#7A1020", "", ""),
    ]


def test_what_is_no_number_is_told_with_its_part_and_column(tmp_path: Path) -> None:
    with pytest.raises(FileError) as error:
        _words(tmp_path, "name,kind,stock\nJam,,many\n")
    says = "the condition “{stock} < 2.5” of the text “few left” cannot be checked: “many” is no number"
    assert says in str(error.value)
    (problem,) = error.value.by_line.values()
    assert getattr(problem, "column", "") == "stock"


def test_a_column_of_a_condition_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"has \{kind\}, which is no column of .*; the columns are name, stock"):
        _words(tmp_path, "name,stock\nJam,3\n")


def test_a_label_may_be_left_empty_by_its_conditions_only(tmp_path: Path) -> None:
    parts = '[[part]]\ntext = "{name}"\nwhen = "{kind}"\n'
    assert _words(tmp_path, "name,kind\nJam,\n", parts) == [("",)]
    with pytest.raises(FileError, match="a label with nothing on it is not printed"):
        _words(tmp_path, "name,kind\n,vegan\n", parts)
