"""A session and a deck as rows of home's lists. Separate because home is painted before there is anything to list."""

from __future__ import annotations

from datetime import UTC, datetime

from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import DeckRow, Page, SessionRow, deck_id
from companion.games import registry
from companion.tui import drawing


def sessions(page: Page[SessionRow]) -> tuple[list[Option], int]:
    """A page of sessions as options, and how many there are in all."""
    return [Option(session_row(row), row.session) for row in page.rows], page.total


def decks(page: Page[DeckRow]) -> tuple[list[Option], int]:
    """A page of decks as options, and how many there are in all."""
    return [Option(deck_row(row), row.deck) for row in page.rows], page.total


def session_row(row: SessionRow) -> Content:
    """What was played, who sat there, where it stands or how it ended, and when that was."""
    title = row.title or registry.game(row.game).title
    state = f"{row.where or 'nobody'} · sealed" if row.sealed else row.where or "not begun"
    when = f"{row.changed.astimezone():%Y-%m-%d}, {_ago(row.changed)}"
    return Content.assemble((title, "bold"), f" · {drawing.single(state)}\n", (f"{when} · {row.session}", drawing.DIM))


def deck_row(row: DeckRow) -> Content:
    """A deck's name, its id, and what it has been through."""
    held = f" · {row.holder}" if row.holder else ""
    figures = " · ".join(f"{figure.title} {figure.value}" for figure in row.figures)
    told = " · ".join(part for part in ("retired" if row.retired else "", figures) if part) + held
    return Content.assemble((row.name, "bold"), "\n", (f"{deck_id.show(row.deck)} · {told}", drawing.DIM))


def now() -> datetime:
    """The time from which is counted how long ago something was."""
    return datetime.now(UTC)


def _ago(when: datetime) -> str:
    """How long ago, in the one unit that matters."""
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    minutes = int((now() - aware).total_seconds()) // 60
    if minutes < 1:
        return "just now"
    for size, unit in ((60 * 24, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
