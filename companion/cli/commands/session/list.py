"""`companion session list`."""

from __future__ import annotations

import click

from companion.archive.exchange import play_removal
from companion.cli.commands.session._shared import imported_cells, imported_fields, row_cells, row_fields
from companion.cli.common import archive_option, json_option, open_archive, print_list
from templates.languages.messages import phrase


@click.command("list")
@click.option("--imported", is_flag=True, help="List the games that were imported instead, newest first.")
@archive_option
@json_option
def command(imported: bool, archive: str | None, as_json: bool) -> None:
    """List all sessions, the most recently changed first.

    \b
    Example: companion session list
    """
    with open_archive(archive) as opened:
        if imported:
            print_list(
                play_removal.list_plays(opened),
                (phrase("Id"), phrase("Game"), phrase("Day"), phrase("Players"), phrase("Standing")),
                imported_cells,
                phrase("No game was imported yet; companion session import FILE does so."),
                as_json=as_json,
                plain=imported_fields,
            )
            return
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
