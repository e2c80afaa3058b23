"""Dates and times as messages: catalogues have the order of day, month and year, and the names of months and days.

Every function takes a day, or a moment, which is shown in the local time zone.
What machines read (JSON, CSV, names of files) has no use for these messages: it is written by `isoformat`.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from templates.languages.messages import Message, phrase, phrase_in, phrases

_WEEKDAYS: Final = (
    phrase_in("weekday", "Monday"),
    phrase_in("weekday", "Tuesday"),
    phrase_in("weekday", "Wednesday"),
    phrase_in("weekday", "Thursday"),
    phrase_in("weekday", "Friday"),
    phrase_in("weekday", "Saturday"),
    phrase_in("weekday", "Sunday"),
)
_MONTHS: Final = (
    phrase_in("month", "January"),
    phrase_in("month", "February"),
    phrase_in("month", "March"),
    phrase_in("month", "April"),
    phrase_in("month", "May"),
    phrase_in("month", "June"),
    phrase_in("month", "July"),
    phrase_in("month", "August"),
    phrase_in("month", "September"),
    phrase_in("month", "October"),
    phrase_in("month", "November"),
    phrase_in("month", "December"),
)
_SHORT_MONTHS: Final = (
    phrase_in("short month", "Jan"),
    phrase_in("short month", "Feb"),
    phrase_in("short month", "Mar"),
    phrase_in("short month", "Apr"),
    phrase_in("short month", "May"),
    phrase_in("short month", "Jun"),
    phrase_in("short month", "Jul"),
    phrase_in("short month", "Aug"),
    phrase_in("short month", "Sep"),
    phrase_in("short month", "Oct"),
    phrase_in("short month", "Nov"),
    phrase_in("short month", "Dec"),
)


def numeric_date(at: date) -> Message:
    """Return a date in digits, for columns: `2026-03-14`, in German `14.03.2026`."""
    day = _local(at)
    # Translators: A date in digits, “2026-03-14”; day and month have two digits.
    return phrase_in("date", "{year}-{month}-{day}", year=str(day.year), month=f"{day.month:02}", day=f"{day.day:02}")


def date_and_time(at: datetime) -> Message:
    """Return a date in digits with its time, for columns: `2026-03-14 19:30`, in German `14.03.2026, 19:30`."""
    # Translators: {date} is a date in digits, {time} such as “19:30”.
    return phrase_in("date", "{date} {time}", date=numeric_date(at), time=clock_time(at))


def clock_time(at: datetime) -> Message:
    """Return the time of a moment: `19:30`."""
    moment = at.astimezone()
    # Translators: A time; both parts have two digits.
    return phrase_in("date", "{hours}:{minutes}", hours=f"{moment.hour:02}", minutes=f"{moment.minute:02}")


def full_date(at: date) -> Message:
    """Return a date with the name of its month: `14 March 2026`."""
    day = _local(at)
    # Translators: A date, “14 March 2026”.
    return phrase_in("date", "{day} {month} {year}", day=_day(day), month=_MONTHS[day.month - 1], year=str(day.year))


def short_date(at: date) -> Message:
    """Return a date with the short name of its month: `14 Mar 2026`."""
    day = _local(at)
    month = _SHORT_MONTHS[day.month - 1]
    # Translators: A date with a short month, “14 Mar 2026”.
    return phrase_in("short date", "{day} {month} {year}", day=_day(day), month=month, year=str(day.year))


def long_date(at: date) -> Message:
    """Return a date with its day of the week: `Saturday, 14 March 2026`."""
    # Translators: {date} is such as “14 March 2026”.
    return phrase_in("date", "{weekday}, {date}", weekday=weekday(at), date=full_date(at))


def weekday(at: date) -> Message:
    """Return the name of a day of the week: `Saturday`."""
    return _WEEKDAYS[_local(at).weekday()]


def numeric_month(at: date) -> Message:
    """Return a month in digits, for columns: `2026-03`, in German `03.2026`."""
    day = _local(at)
    # Translators: A month in digits, “2026-03”.
    return phrase_in("date", "{year}-{month}", year=str(day.year), month=f"{day.month:02}")


def time_ago(when: datetime, now: datetime) -> Message:
    """Return how long ago a moment was, in its largest unit: `2 hours ago`. A missing time zone is that of `now`."""
    aware = when if when.tzinfo else when.replace(tzinfo=now.tzinfo)
    minutes = int((now - aware).total_seconds()) // 60
    if minutes >= 60 * 24:
        return phrases("{n} day ago", "{n} days ago", n=minutes // (60 * 24))
    if minutes >= 60:
        return phrases("{n} hour ago", "{n} hours ago", n=minutes // 60)
    if minutes >= 1:
        return phrases("{n} minute ago", "{n} minutes ago", n=minutes)
    return phrase("just now")


def duration(time: timedelta) -> Message:
    """Return a duration: `12 min` or `1 h 05 min`."""
    hours, minutes = divmod(max(0, int(time.total_seconds()) // 60), 60)
    if not hours:
        return phrase("{minutes} min", minutes=minutes)
    return phrase("{hours} h {minutes} min", hours=str(hours), minutes=f"{minutes:02}")


def _local(at: date) -> date:
    return at.astimezone() if isinstance(at, datetime) else at


def _day(day: date) -> Message | int:
    """Return the number of a day within its month; some languages write the first in another way, such as `1er`."""
    # Translators: The first day of a month in a date: “1” of “1 March 2026”, in French “1er”.
    return phrase_in("first of the month", "1") if day.day == 1 else day.day
