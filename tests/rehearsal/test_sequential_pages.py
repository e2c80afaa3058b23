"""Sweeps and searches on paper, by a game whose figures are known."""

import pypdfium2
import pytest

from companion.rehearsal import kinds
from companion.rehearsal.design import Design
from companion.rehearsal.levers import read_factorial, read_race
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.sequential import carry_out
from companion.tabletop.rehearsal import RehearsalSetting
from labels.output import page
from labels.output.charts import IntervalChart
from tests.rehearsal import toy

SETTING = RehearsalSetting("toy", 2)


def play_document(design: Design) -> page.Document:
    rehearsal = rehearsal_of("toy")
    running = kinds.begin_rehearsal(design, rehearsal)
    for _ in carry_out(running, 1, 300, toy.one_thread):
        pass
    report = kinds.make_any_report(running, rehearsal, 1)
    assert any("Dice are not thrown by hand." in line for line in kinds.report_text(report))
    assert kinds.report_plain(report)["remarks"] == ["Dice are not thrown by hand."]
    return kinds.report_document(report, rehearsal.temperaments)


def words(of: page.Document) -> str:
    with pypdfium2.PdfDocument(page.render_document(of, page.paper("a4"))) as pages:
        return " ".join(" ".join(each.get_textpage().get_text_range() for each in pages).split())


def chart(of: page.Document, title: str) -> IntervalChart:
    (one,) = (chart for chart in of.charts if chart.title == title)
    assert isinstance(one, IntervalChart)
    return one


def test_a_sweep_shows_what_each_rule_does_the_strongest_first() -> None:
    pages = play_document(read_factorial("lift,idle", "score", None, SETTING, rehearsal_of("toy"), toy.House))
    ranking = chart(pages, "Score")
    assert [row.name for row in ranking.rows][:1] == ["lift=1"]
    (strongest,) = ranking.rows[0].intervals
    assert strongest is not None
    assert strongest.value == pytest.approx(2, abs=0.2)
    assert (ranking.rows[-1].note, ranking.reference) == ("0 ± 0", 0.0)
    text = words(pages)
    assert "lift=0, or 1" in text
    assert "Dice are not thrown by hand." in text
    assert "random: Plays by lot." in text


def test_a_search_shows_all_candidates_beside_the_wish() -> None:
    pages = play_document(read_race("lift=0:1:2", "score=7", None, SETTING, rehearsal_of("toy"), toy.House))
    candidates = chart(pages, "Score")
    assert candidates.reference == 7
    assert candidates.rows[0].name == "lift=1"
    assert {row.name.removesuffix(", dropped out") for row in candidates.rows} >= {"lift=1", "lift=2"}
    text = words(pages)
    assert "Wish: Score 7.00 points" in text
    assert "Nearest: lift=1" in text
