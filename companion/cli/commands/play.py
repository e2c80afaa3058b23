"""`companion play`: straight to a table, on a screen or in plain lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from itertools import chain
from typing import TYPE_CHECKING

import click

from companion.archive import Archive, Unknown, maintenance
from companion.archive.match_results import read_result
from companion.archive.sharing.schedule import SharingSchedule
from companion.archive.storage.rows import find_in_play
from companion.cli import screen
from companion.cli.common import Misused, archive_option, open_archive, sanitize
from companion.forms import settings
from companion.plain import opening, talk
from companion.session.table import rematch
from companion.session.table.change_listener import ChangeListener
from companion.session.table.countdown import CountdownWish, read_wish
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.plain.opening import OpenedTable


@click.command("play")
@click.argument("session", required=False)
@click.option(
    "--again", is_flag=True, help="Open the same table again after its game is over, or the next game of its match."
)
@click.option("--lines", is_flag=True, help="Use plain lines, for a screen reader or a pipe.")
@archive_option
def command(session: str | None, again: bool, lines: bool, archive: str | None) -> None:
    """Open the table of SESSION; default: the session changed last.

    With --lines, the table is plain text: each change is a sentence, and each question has numbered answers. Without
    SESSION, it asks which table to open, and can open a new one. It ends at the end of the input; everything is saved.

    With --again, a new table is opened with the people, house rules and decks of SESSION (default: the game that ended
    last); decks are in their current state.

    \b
    Examples: companion play 7K3M9QPX
              companion play --again
              companion play --lines
    """
    if again and not (lines or screen.is_terminal()):
        raise Misused(
            phrase("companion play --again opens a screen and this is no terminal; add --lines to do without one.")
        )
    if again:
        with open_archive(archive) as opened:
            session = _open_again(opened, session)
    if lines:
        with open_archive(archive, create=not session) as opened, SharingSchedule(opened):
            _run_talk(opened, session)
            maintenance.end_evening(opened)
        return
    if not screen.is_terminal():
        raise Misused(
            phrase(
                "companion play opens a screen and this is no terminal; companion play --lines does without a screen."
            )
        )
    if screen.open_table(archive, session or ""):
        return
    with open_archive(archive) as opened:
        session_id = opened.find_session(session).session if session else _find_newest(opened)
    screen.run(archive, session_id)


def _find_newest(archive: Archive) -> str:
    """Return the session changed last that can still be played. Raises Unknown if there is none."""
    if row := find_in_play([row for row in archive.sessions() if not row.is_closed]):
        return row.session
    raise Unknown(phrase("There is no table to go on with; companion opens a new one."))


def _open_again(archive: Archive, session: str | None) -> str:
    """Open the same table again, and return its session."""
    over = (row.session for row in archive.sessions() if row.sealed or read_result(archive, row.session))
    session = session or next(over, None)
    if session is None:
        raise Unknown(phrase("No game here is over yet; companion play goes on with one, companion opens a new table."))
    opened = rematch.open_rematch(archive, session)
    for note in opened.notes:
        _say(str(note))
    return opened.session


def _run_talk(archive: Archive, session: str | None) -> None:
    lines = _typed_lines()
    choice = opening.OpenedTable(session) if session else opening.open_table(archive, lines, _say)
    if choice is None:
        _say(phrase("No table was opened."))
        return
    tables = SharedSessions(archive)
    with ChangeListener(archive, tables.catch_up):
        _talk_at_tables(archive, tables, choice, lines)


def _talk_at_tables(archive: Archive, tables: SharedSessions, choice: OpenedTable, lines: Iterator[str]) -> None:
    """Talk at a table, and at those of its rematches, until the lines end or the user leaves."""
    while True:
        sitting = TableClient(tables.open(choice.session))
        # Input from a file has no user who needs warnings, hints or a countdown.
        now, reads = settings.read_settings(), sys.stdin.isatty()
        sitting.warns = reads and now.warns
        sitting.countdown.wish = (read_wish(now.clock) if reads else None) or CountdownWish()
        sitting.teaches = reads and now.teaches(not archive.has_sealed(sitting.view.game))
        if not talk.Talk(sitting, _say).run(chain(filter(None, [choice.line]), lines)):
            return
        choice = opening.OpenedTable(_open_again(archive, choice.session))


def _typed_lines() -> Iterator[str]:
    """Yield the typed lines until the input ends, or on Ctrl+C."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        # Not by iterating, which would buffer more than one line.
        while line := sys.stdin.readline():
            yield line
    except KeyboardInterrupt:
        return


def _say(text: Text) -> None:
    click.echo(sanitize(text))
