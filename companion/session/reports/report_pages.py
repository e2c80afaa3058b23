"""A playtest report on paper: the contents of its Markdown, with charts of the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.session.core.evenings import corrected_actions
from companion.session.core.session import Session
from companion.session.reports.courses import GaugeCourse, read_courses
from companion.session.reports.report import (
    ANSWERS,
    NOTES,
    QUESTIONS,
    SYMPTOMS,
    lever_sentence,
    people_table,
    report_facts,
    report_notes,
    report_title,
    review_session,
)
from companion.tabletop.evenings import Review
from companion.tabletop.table.table import TableView
from labels.output.charts import Axis, Chart, ChartSection, LineChart, LinePoint
from labels.output.page import Document, PageChart, PagePart, PageTable, PageText, TableColumn
from templates.languages.messages import Message, Text, phrase


def session_charts(session: Session) -> tuple[LineChart, ...]:
    """Return the charts of a sitting's figures, round by round."""
    played = corrected_actions(session.game, session.log.position.head)
    return tuple(map(_line_chart, read_courses(session.game, played)))


def _line_chart(course: GaugeCourse) -> LineChart:
    points = tuple(LinePoint(at, values) for at, values in course.points)
    sections = tuple(ChartSection(at, title) for at, title in course.sections)
    return LineChart(course.title, Axis(str(_axis_title(course.unit))), Axis(), course.keys, points, sections)


_PLAYED: Final[Mapping[str, Message]] = {"round": phrase("rounds played"), "turn": phrase("turns played")}
"""The titles of axes by what a table counts."""


def _axis_title(unit: str) -> Text:
    return _PLAYED.get(unit, f"{unit}s played")


def make_document(session: Session, charts: Sequence[Chart]) -> Document:
    """Return the report as pages, with charts below the facts. Content that does not fit is cut off."""
    view, review = session.view(), review_session(session)
    facts = [f"{what}: {fact}" for what, fact in report_facts(session, view)]
    parts = tuple(_parts(session, view, review, charts))
    return Document(str(report_title(view)), "\n".join(facts), parts, truncates=True)


def _parts(session: Session, view: TableView, review: Review, charts: Sequence[Chart]) -> Iterator[PagePart]:
    if review.rows:
        yield _table(
            str(phrase("What happened")),
            [str(text) for text in review.headings],
            [[*map(str, row)] for row in review.rows],
        )
    yield from map(PageChart, charts)
    if view.seats:
        yield _table(str(phrase("Everybody at the end")), *people_table(view))
    if review.questions:
        yield PageText(str(QUESTIONS), tuple(_questions(review)))
    if review.symptoms:
        symptoms = tuple(f"{each.text} {each.evidence} {lever_sentence(each.lever)}" for each in review.symptoms)
        yield PageText(str(SYMPTOMS), symptoms)
    if notes := tuple(report_notes(session)):
        yield PageText(str(NOTES), notes)


def _questions(review: Review) -> Iterator[str]:
    for number, question in enumerate(review.questions, 1):
        rows = (
            f"{number}. {question.text} {ANSWERS[question.answer]}. {question.note}",
            *(f"· {each}" for each in question.evidence),
        )
        yield "\n".join(rows)


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> PageTable:
    """Return a table with columns as wide as their longest texts need."""
    longest = [max(len(cell) for cell in column) for column in zip(headings, *rows, strict=True)]
    columns = (TableColumn(head, min(30, max(6, long))) for head, long in zip(headings, longest, strict=True))
    return PageTable(title, tuple(columns), tuple(tuple(row) for row in rows))
