"""`companion session list`."""

from __future__ import annotations

import click

from companion.cli.commands.session._shared import row_cells, row_fields
from companion.cli.common import archive_option, json_option, open_archive, print_list
from templates.languages.messages import phrase


@click.command("list")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List all sessions, the most recently changed first.

    \b
    Example: companion session list
    """
    with open_archive(archive) as opened:
        rows = opened.sessions()
        headings = (
            phrase("Session"),
            phrase("Game"),
            phrase("Title"),
            phrase("Changed"),
            phrase("Lines"),
            phrase("Standing"),
        )
        # While the archive is open: the state of a table of a page depends on the page.
        print_list(
            rows,
            headings,
            row_cells,
            phrase("No sessions yet. companion opens a table."),
            as_json=as_json,
            plain=row_fields,
        )
