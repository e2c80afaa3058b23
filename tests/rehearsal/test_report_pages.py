"""The report of a rehearsal on paper and as SVG: all figures are there, in words, charts and tables."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import Report, make_report, value_text
from companion.rehearsal.report_pages import make_document
from companion.rehearsal.run import play_batch
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import RehearsalSetting
from labels.output import page
from labels.output.charts import IntervalChart
from labels.output.page import Document, PageChart, PageTable, PageText

GREEDY = RehearsalSetting("decknforge", 2, temperaments=("greedy",))
PRESSED = RehearsalSetting("decknforge", 2, rules=(("pressure", "3"),), temperaments=("greedy",))


@cache
def whole_report(*, compares: bool = False) -> Report:
    rehearsal = rehearsal_of("decknforge")
    setting, against = (PRESSED, GREEDY) if compares else (GREEDY, None)
    design = Comparison(setting, against) if against else OneSetting(setting)
    sums = play_batch(design, 4, 0, 6)
    return make_report((*rehearsal.figures, *rehearsal.tables), setting, against, 4, sums)


def document(*, compares: bool = False) -> Document:
    return make_document(whole_report(compares=compares), rehearsal_of("decknforge").temperaments)


def intervals(title: str, *, compares: bool = False) -> IntervalChart:
    charts = {chart.title: chart for chart in make_document(whole_report(compares=compares), ()).charts}
    chart = charts[title]
    assert isinstance(chart, IntervalChart)
    return chart


def sentences(whole: Document) -> str:
    return " ".join(text for part in whole.parts if isinstance(part, PageText) for text in part.paragraphs)


def test_a_report_has_every_figure_with_its_meaning() -> None:
    (figures, meanings) = (part for part in document().parts if isinstance(part, PageTable))
    whole = [row for row in whole_report().rows if not row.name]
    assert [row[0] for row in figures.rows] == [row.figure.title for row in whole]
    for row, (_, value) in zip(whole, figures.rows, strict=True):
        assert value.startswith(value_text(row.estimate.value, row.is_part))
    assert {row.figure.text for row in whole_report().rows} == {text for _, text, _ in meanings.rows}


def test_the_headline_is_said_in_words_with_its_interval() -> None:
    (win, *_) = whole_report().rows
    ends = f"{value_text(win.estimate.low, True)}–{value_text(win.estimate.high, True)}"
    assert f"Dungeons won: {value_text(win.estimate.value, True)} % ({ends})." in sentences(document())
    assert document().facts[0] == ("Dungeons won", f"{value_text(win.estimate.value, True)} %")


def test_shares_stand_beside_those_of_the_other_setting() -> None:
    chart = intervals("All shares", compares=True)
    assert chart.keys == ("pressure=3", "the rules as printed")
    rows = [row for row in whole_report(compares=True).rows if row.is_part and not row.name]
    assert [row.name for row in chart.rows] == [row.figure.title for row in rows]
    intervals_of_rows = [tuple(each and tuple(each) for each in row.intervals) for row in chart.rows]
    assert intervals_of_rows == [(tuple(row.estimate), tuple(row.other or ())) for row in rows]


def test_differences_stand_beside_a_line_at_0() -> None:
    chart = intervals("What changes", compares=True)
    assert chart.reference == 0
    rows = {row.figure.title: row.difference for row in whole_report(compares=True).rows if not row.name}
    for row in chart.rows:
        (interval,) = row.intervals
        difference = rows[row.name]
        assert isinstance(difference, Estimate)
        assert interval == pytest.approx(tuple(100 * end for end in difference))


def test_names_of_which_nothing_came_are_only_named() -> None:
    parts = [part for part in document().parts if isinstance(part, PageChart) and part.chart.title == "Kills by card"]
    (part,) = parts
    chart = intervals("Kills by card")
    never = [row.name for row in whole_report().rows if row.figure.key == "kill-card" and not row.estimate.value]
    assert never
    assert part.note.endswith(f"Never: {', '.join(name[:1].upper() + name[1:] for name in never)}.")
    assert not {row.name.lower() for row in chart.rows} & {name.lower() for name in never}


def test_the_pages_hold_what_the_report_says() -> None:
    printed = page.render_document(document(compares=True), page.paper("a4"))
    with pypdfium2.PdfDocument(printed) as opened:
        text = " ".join(" ".join(each.get_textpage().get_text_range().split()) for each in opened)
        assert len(opened) > 2
    for expected in (
        "DecknForge, rehearsed",
        "6 games for 2 (greedy, greedy), seed 4",
        "What changes",
        "Coppers by seat",
    ):
        assert expected in text
    for title in (part.title for part in document().parts if isinstance(part, PageTable | PageText)):
        assert title in text


@pytest.fixture
def rehearse(tmp_path: Path) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        few = ["--players", "2", "--games", "2", "--jobs", "1"]
        return CliRunner().invoke(main, ["rehearse", "decknforge", *few, *arguments, "--archive", str(tmp_path / "a")])

    return run


def test_a_report_is_written_as_its_name_says(rehearse: Callable[..., Result], tmp_path: Path) -> None:
    for name, begins in (("a.pdf", b"%PDF-1.7"), ("b.SVG", b"<?xml")):
        result = rehearse("-o", str(tmp_path / name))
        assert result.exit_code == 0, result.output
        assert (tmp_path / name).read_bytes().startswith(begins)
    svg = (tmp_path / "b.SVG").read_text(encoding="utf-8")
    assert "<title>DecknForge, rehearsed</title>" in svg
    assert re.search("Dungeons won: [0-9.]+ %", svg)


def test_what_cannot_be_written_is_said_before_anything_is_played(
    rehearse: Callable[..., Result], tmp_path: Path
) -> None:
    many = ("--games", "100000000")
    refused = rehearse("-o", str(tmp_path / "report.docx"), *many)
    assert (refused.exit_code, refused.stderr) == (
        2,
        "A report is written as .pdf, .svg, .txt, .csv or .json, not as .docx.\n",
    )
    (tmp_path / "report.pdf").write_text("mine", encoding="utf-8")
    refused = rehearse("-o", str(tmp_path / "report.pdf"), *many)
    assert (refused.exit_code, (tmp_path / "report.pdf").read_text(encoding="utf-8")) == (1, "mine")
