"""Dates in fields: read as people write them, and printed in the format of the field and the language of the design."""

from datetime import date, datetime, time
from pathlib import Path

import pytest

from companion.printing import custom
from companion.printing.date_fields import format_moment, parse_moment
from companion.printing.spreadsheets import tables
from companion.printing.spreadsheets.tables import FileError
from labels.designs.own import OwnLabel
from labels.errors import LabelError

THURSDAY = date(2026, 11, 5)


def _words(folder: Path, text: str, rows: str, head: str = "", language: str = "") -> list[str]:
    """Return the words that a design with one text prints on the labels of a table."""
    (folder / "design.toml").write_text(f"{head}\n[[part]]\ntext = '{text}'\n", encoding="utf-8")
    (folder / "rows.csv").write_text(rows, encoding="utf-8")
    with tables.open_table(folder / "rows.csv") as table:
        design = custom.optional_design(str(folder / "design.toml"))
        labels = custom.own_labels(table, folder, design=design, today=date(2028, 2, 28), language=language)
        return [label.words[0] for label in labels if isinstance(label, OwnLabel)]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("#", "1"),
        ("#:0003", "0003"),
        ("#:99", "99"),
        ("today", "2028-02-28"),
        ("today+2", "2028-03-01"),
        ("today:DD.MM.YYYY", "28.02.2028"),
        ("Today + 7: D MMM YY", "6 Mar 28"),
        ("today:MMMM D, YYYY", "February 28, 2028"),
        ("today:D of MMMM", "28 of February"),
        ("today:DDDD", "Monday"),
    ],
)
def test_numbers_and_dates_need_no_column(tmp_path: Path, field: str, text: str) -> None:
    assert _words(tmp_path, f"{{name}} {{{field}}}", "name\nAna\n") == [f"Ana {text}"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("", "Thursday 5 November 2026, Nov, Thu"),
        ("de", "Donnerstag 5 November 2026, Nov, Do"),
        ("DE-at", "Donnerstag 5 November 2026, Nov, Do"),
        ("fr-CA", "jeudi 5 novembre 2026, nov, jeu"),
        ("no", "torsdag 5 november 2026, nov, tor"),
        ("pl", "czwartek 5 listopada 2026, lis, czw"),
        ("ja", "木曜日 5 11月 2026, 11月, 木"),
        ("sr-Latn", "četvrtak 5 novembar 2026, nov, čet"),
    ],
)
def test_names_follow_the_language(language: str, text: str) -> None:
    assert format_moment(THURSDAY, "DDDD D MMMM YYYY, MMM, DDD", language) == text


@pytest.mark.parametrize(
    ("language", "spelling", "text"),
    [
        ("cs", "MMMM YYYY", "listopad 2026"),
        ("fi", "DDDD", "torstai"),
        ("ru", "D MMMM", "5 ноября"),
        ("ru", "MMMM", "ноябрь"),
    ],
)
def test_a_month_without_a_day_is_named_as_it_stands_alone(language: str, spelling: str, text: str) -> None:
    assert format_moment(THURSDAY, spelling, language) == text


def test_a_design_prints_in_its_language(tmp_path: Path) -> None:
    rows = "name,since\nAna,2026-03-01\nBen,\n"
    text = "{name} {since:D. MMMM YYYY}"
    assert _words(tmp_path, text, rows, 'language = "de"') == ["Ana 1. März 2026", "Ben"]
    assert _words(tmp_path, text, rows, 'language = "de"', language="it") == ["Ana 1. marzo 2026", "Ben"]


def test_a_language_without_names_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the names of months and days in “tlh” are not known; write MM"):
        _words(tmp_path, "{today:D MMMM}", "name\nAna\n", 'language = "tlh"')
    assert _words(tmp_path, "{today:D.M.}", "name\nAna\n", 'language = "tlh"') == ["28.2."]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-12", date(2026, 5, 12)),
        ("2026/5/12", date(2026, 5, 12)),
        ("12.05.2026", date(2026, 5, 12)),
        ("12. 5. 26", date(2026, 5, 12)),
        ("13/05/2026", date(2026, 5, 13)),
        ("5/13/2026", date(2026, 5, 13)),
        ("5/5/2026", date(2026, 5, 5)),
        ("12-May-99", date(1999, 5, 12)),
        ("Dienstag, 12. Mai 2026", date(2026, 5, 12)),
        ("May 12, 2026", date(2026, 5, 12)),
        ("02.01.1895", date(1895, 1, 2)),
        ("2026-05-12T18:30:05Z", datetime(2026, 5, 12, 18, 30, 5)),
        ("12.05.2026 6:30 pm", datetime(2026, 5, 12, 18, 30)),
        ("12:05 AM", time(0, 5)),
        ("18:30", time(18, 30)),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, moment: date | time) -> None:
    assert parse_moment(text, "de") == moment


@pytest.mark.parametrize("text", ["soon", "46154", "2026-02-30", "12.13.2026", "25:00", "13:00 pm", "12 Foo 2026", "T"])
def test_what_is_no_date_is_told(text: str) -> None:
    with pytest.raises(LabelError, match="is no date that can be read; write it as 2026-05-12"):
        parse_moment(text, "")


def test_a_day_that_may_be_two_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        FileError, match=r"Line 2 .*\{since:DD\.MM\.YYYY\} cannot.* may be 2026-05-12 or 2026-12-05; write"
    ):
        _words(tmp_path, "{since:DD.MM.YYYY}", "since\n12/05/2026\n")


@pytest.mark.parametrize(
    ("moment", "spelling", "problem"),
    [(time(18, 30), "DD.MM.", "is a time without a day"), (THURSDAY, "h:mm", "is a day without a time")],
)
def test_nothing_is_printed_that_a_cell_does_not_say(moment: date | time, spelling: str, problem: str) -> None:
    with pytest.raises(LabelError, match=problem):
        format_moment(moment, spelling, "")


@pytest.mark.parametrize(
    ("spelling", "text"),
    [
        ("h:mm", "18:05"),
        ("h:mm AM/PM", "6:05 PM"),
        ("D.M. hh:mm:ss", "5.11. 18:05:09"),
        ("YYYY年M月D日", "2026年11月5日"),
    ],
)
def test_an_m_beside_hours_is_minutes(spelling: str, text: str) -> None:
    assert format_moment(datetime(2026, 11, 5, 18, 5, 9), spelling, "") == text


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        ("since:foo", "“foo” is no format of a date: write {since:DD.MM.YYYY}, with D for days"),
        ("sinec:DD.MM.YYYY", "rows.csv”; write {since:DD.MM.YYYY}."),
    ],
)
def test_a_field_that_nothing_fills_is_told_with_the_right_spelling(tmp_path: Path, field: str, problem: str) -> None:
    with pytest.raises(FileError) as refusal:
        _words(tmp_path, f"{{{field}}}", "since\n2026-03-01\n")
    assert problem in str(refusal.value)


@pytest.mark.parametrize("column", ["since:dd", "Since: DD"])
def test_a_column_wins_over_a_format(tmp_path: Path, column: str) -> None:
    assert _words(tmp_path, "{since:DD}", f"{column},since\nx,2026-03-01\n".replace(": DD", ":DD")) == ["x"]


def test_typed_rows_are_asked_for_the_column(tmp_path: Path) -> None:
    (tmp_path / "design.toml").write_text(
        "[[part]]\ntext = '{since:DD.MM.YYYY} {since:YYYY} {today}'\n", encoding="utf-8"
    )
    assert custom.fields_of(custom.optional_design(str(tmp_path / "design.toml"))) == ("since", "count")
