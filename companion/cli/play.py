"""`companion play`: straight to a table."""

import sys

import click

from companion.archive import Archive, Unknown
from companion.cli.common import Misused, archive_option


@click.command("play")
@click.argument("session", required=False)
@archive_option
def command(session: str | None, archive: str | None) -> None:
    """Open the table of SESSION; without SESSION that of the one changed last.

    \b
    Example: companion play 7K3M9QPX
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Misused(
            "companion play opens a screen and this is no terminal; companion play --help tells what it does."
        )
    with Archive.open(archive) as opened:
        found = opened.find_session(session).session if session else _newest(opened)
    from companion.tui.app import run

    run(archive, found)


def _newest(archive: Archive) -> str:
    """The session changed last that can still be played."""
    for row in archive.sessions():
        if not row.sealed:
            return row.session
    raise Unknown("There is no table to go on with; companion opens a new one.")
