"""`companion play`: straight to a table, on a screen or in plain lines."""

import sys
from collections.abc import Iterable, Iterator
from io import TextIOWrapper

import click

from companion.archive import Archive, Unknown, fast_read
from companion.archive.lists import session_stream
from companion.cli.common import Misused, archive_option, open_archive, sanitize


@click.command("play")
@click.argument("session", required=False)
@click.option("--lines", is_flag=True, help="In plain lines, for a screen reader or a pipe.")
@archive_option
def command(session: str | None, lines: bool, archive: str | None) -> None:
    """Open the table of SESSION; without SESSION that of the one changed last.

    With --lines nothing is drawn: each change is a sentence, each question has numbered answers; without SESSION
    it asks which table, and opens new ones. The end of the input ends it, and everything is kept.

    \b
    Examples: companion play 7K3M9QPX
              companion play --lines
    """
    if lines:
        from companion.archive import maintenance

        with open_archive(archive, create=not session) as opened:
            _talk(opened, session)
            maintenance.end_evening(opened)
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Misused(
            "companion play opens a screen and this is no terminal; companion play --lines does without a screen."
        )
    snapshot = fast_read.read_session(archive, session or "")
    if snapshot:
        session_id = snapshot[0].stream.removeprefix(session_stream(""))
    else:
        with open_archive(archive) as opened:
            session_id = opened.find_session(session).session if session else _find_newest(opened)
    from companion.cli import serve
    from companion.tui.app import run

    run(archive, session_id, snapshot, serve.serve_beside)


def _find_newest(archive: Archive) -> str:
    """The session changed last that can still be played."""
    for row in archive.sessions():
        if not row.sealed:
            return row.session
    raise Unknown("There is no table to go on with; companion opens a new one.")


def _talk(archive: Archive, session: str | None) -> None:
    from companion.plain import opening, talk
    from companion.session.shared_session import SharedSessions
    from companion.session.table_client import TableClient
    from companion.tui import settings

    lines = _typed_lines()
    choice = opening.OpenedTable(session) if session else opening.open_table(archive, lines, _say)
    if choice is None:
        _say("No table was opened.")
        return
    sitting = TableClient(SharedSessions(archive).open(choice.session))
    # Lines from a file have nobody who could think again.
    sitting.warns = sys.stdin.isatty() and settings.read_settings().warns
    talk.Talk(sitting, _say).run(_chain_lines(choice.line, lines))


def _typed_lines() -> Iterator[str]:
    """What is typed, line by line, until it ends or somebody presses Ctrl+C."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        # Not by iterating, which would wait for more lines than one.
        while line := sys.stdin.readline():
            yield line
    except KeyboardInterrupt:
        return


def _chain_lines(first: str, lines: Iterable[str]) -> Iterator[str]:
    """A line that was typed already, then all others."""
    if first:
        yield first
    yield from lines


def _say(text: str) -> None:
    click.echo(sanitize(text))
