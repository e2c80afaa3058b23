"""`companion labels design list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from companion.cli.commands.labels.design._shared import plain_design
from companion.cli.common import any_archive_option, json_option, print_json, print_table, sanitize
from companion.printing import designs
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.printing.designs import DesignEntry


@click.command("list")
@any_archive_option
@json_option
def command(as_json: bool) -> None:
    """List the known designs with their fields.

    Put your own into table-companion/designs in your configuration folder. A file that cannot be read is reported with
    its error, and the others are listed.

    \b
    Example: companion labels design list
    """
    entries = designs.list_designs()
    rows = [_plain_entry(entry) for entry in entries]
    if as_json:
        print_json(rows)
        return
    cells = [
        (
            each["name"],
            phrase("yours") if each["own"] else "",
            ", ".join(each["fields"]),
            entry.wrong or (entry.design.caption if entry.design else ""),
        )
        for entry, each in zip(entries, rows, strict=True)
    ]
    print_table((phrase("Design"), "", phrase("Fields"), ""), cells)
    click.echo(sanitize(phrase("Yours lie in {designs_folder}.", designs_folder=designs.designs_folder())))


def _plain_entry(entry: DesignEntry) -> dict[str, Any]:
    """Return a design for JSON: the name of its file, its owner, and its content or its errors."""
    content = plain_design(entry.design) if entry.design else {"title": "", "stock": "", "fields": ()}
    return {"name": entry.name, "own": entry.own, **content, "wrong": str(entry.wrong)}
