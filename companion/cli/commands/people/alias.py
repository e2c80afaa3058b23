"""`companion people alias`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.common import Misused, archive_option, json_option, open_archive, print_json, sanitize
from templates.languages.messages import phrase


@click.command("alias")
@click.argument("person")
@click.argument("nickname", default="")
@click.option("--hidden", is_flag=True, help="Show no name, but “Player 7” instead.")
@click.option("--off", is_flag=True, help="Use the real name again.")
@archive_option
@json_option
def command(person: str, nickname: str, hidden: bool, off: bool, archive: str | None, as_json: bool) -> None:
    """Set the public name of a person, for everything that is shared, such as standings on a page, as CSV or on a
    sheet.

    \b
    Example: companion people alias Ana "Grey Fox"
             companion people alias Ben --hidden
             companion people alias Ana --off
    """
    if bool(nickname) + hidden + off != 1:
        raise Misused(phrase("Say one of a nickname, --hidden, or --off."))
    with open_archive(archive) as opened:
        row = people.set_alias(opened, person, nickname, hidden=hidden)
    if as_json:
        print_json({"person": row.person, "name": row.name, "nickname": row.nickname, "hidden": row.hidden})
        return
    click.echo(
        sanitize(
            phrase("{name} ({person}) is not named at all in public.", name=row.name, person=row.person)
            if row.hidden
            else phrase(
                "{name} ({person}) is called {called} in public.",
                name=row.name,
                person=row.person,
                called=row.nickname or row.name,
            )
        )
    )
