"""Dates in the order and the words of each language."""

from datetime import date, datetime, timedelta

import pytest

from templates.languages import catalogues
from templates.languages.dates import (
    date_and_time,
    duration,
    full_date,
    long_date,
    numeric_date,
    numeric_month,
    short_date,
    time_ago,
    weekday,
)
from templates.languages.messages import Language

NOON = datetime(2026, 11, 1, 12, 5)


def _language(code: str) -> Language:
    language = catalogues.find_language(code)
    assert language is not None
    return language


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", "2026-11-01; 2026-11-01 12:05; 1 November 2026; Sunday, 1 November 2026; 1 Nov 2026; 2026-11"),
        ("de", "01.11.2026; 01.11.2026, 12:05; 1. November 2026; Sonntag, 1. November 2026; 1. Nov. 2026; 11.2026"),
        ("fr", "01/11/2026; 01/11/2026 12:05; 1er novembre 2026; dimanche 1er novembre 2026; 1er nov. 2026; 11/2026"),
        (
            "es",
            "01/11/2026; 01/11/2026, 12:05; 1 de noviembre de 2026; domingo, 1 de noviembre de 2026; 1 nov 2026; "
            "11/2026",
        ),
    ],
)
def test_each_language_writes_dates_its_way(code: str, texts: str) -> None:
    writers = (numeric_date, date_and_time, full_date, long_date, short_date, numeric_month)
    assert "; ".join(write(NOON).render(_language(code)) for write in writers) == texts


def test_a_day_needs_no_time() -> None:
    assert str(full_date(date(2026, 11, 29))) == "29 November 2026"
    assert weekday(date(2026, 11, 29)).render(_language("de")) == "Sonntag"


@pytest.mark.parametrize(
    ("passed", "english", "german"),
    [
        (timedelta(days=3, hours=5), "3 days ago", "vor 3 Tagen"),
        (timedelta(days=1), "1 day ago", "vor 1 Tag"),
        (timedelta(hours=2), "2 hours ago", "vor 2 Stunden"),
        (timedelta(minutes=1), "1 minute ago", "vor 1 Minute"),
        (timedelta(seconds=-5), "just now", "gerade eben"),
    ],
)
def test_time_passes_in_the_largest_unit(passed: timedelta, english: str, german: str) -> None:
    message = time_ago(NOON - passed, NOON)
    assert (str(message), message.render(_language("de"))) == (english, german)


def test_a_duration_has_hours_and_minutes() -> None:
    assert [str(duration(timedelta(minutes=n))) for n in (12, 65)] == ["12 min", "1 h 05 min"]
