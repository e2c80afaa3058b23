"""`companion league list`."""

from __future__ import annotations

import click

from companion.archive.people import leagues
from companion.cli.common import archive_option, format_local_time, json_option, open_archive, print_list
from companion.league.display import FORMS
from templates.languages.messages import phrase


@click.command("list")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List all leagues, open ones first.

    \b
    Example: companion league list
    """
    with open_archive(archive) as opened:
        rows = leagues.leagues(opened)
    print_list(
        rows,
        (
            phrase("Name"),
            "ID",
            phrase("Game"),
            phrase("Form"),
            phrase("People"),
            phrase("Rounds"),
            phrase("Changed"),
            "",
        ),
        lambda row: (
            row.name,
            row.league,
            row.game,
            FORMS[row.form],
            str(row.people),
            str(row.rounds),
            format_local_time(row.updated),
            phrase("closed") if row.closed else "",
        ),
        phrase("No leagues yet. companion league new --help tells how to begin one."),
        as_json=as_json,
    )
