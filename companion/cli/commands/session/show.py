"""`companion session show`."""

from __future__ import annotations

import click

from companion.cli.commands.session._shared import find_session, row_cells, row_fields
from companion.cli.common import (
    archive_option,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    print_table,
    sanitize,
)
from companion.session.core import archive_journal
from templates.languages.messages import joined, phrase


@click.command("show")
@click.argument("session", required=False)
@archive_option
@json_option
def command(session: str | None, archive: str | None, as_json: bool) -> None:
    """Print the log of a session; default: the session changed last.

    SESSION is an id or the beginning of one. Face-down cards are not named before the seal.

    \b
    Example: companion session show K3QX
    """
    with open_archive(archive) as opened:
        row = find_session(opened, session)
        lines = archive_journal.lines_for_everybody(opened, row)
        cells, plain = row_cells(row), row_fields(row)
    if as_json:
        print_json({"session": plain, "log": [line._asdict() for line in lines]})
        return
    click.echo(sanitize(joined(" · ", (cell for cell in (row.title, *cells[:2], cells[-1]) if cell))))
    print_table(
        (phrase("Line"), phrase("When"), phrase("By"), phrase("Entered")),
        [(str(line.number), format_local_time(line.at), line.by, line.line) for line in lines],
    )
