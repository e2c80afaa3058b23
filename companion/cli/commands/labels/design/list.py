"""`companion labels design list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from companion.cli.commands.labels.design._shared import plain_design
from companion.cli.common import any_archive_option, json_option, print_json, print_table, sanitize
from companion.printing import designs, shelf
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.printing.designs import DesignEntry


_HEADINGS: Final = (phrase("Design"), phrase("Shape"), phrase("Labels"), phrase("Columns"), "")


@click.command("list")
@any_archive_option
@json_option
def command(as_json: bool) -> None:
    """List the known designs by their use, with their shape, labels and fields.

    Put your own into table-companion/designs in your configuration folder. A file that cannot be read is reported with
    its error, and the others are listed.

    \b
    Example: companion labels design list
    """
    groups = shelf.list_shelf()
    if as_json:
        print_json([_plain_entry(entry) for entry in designs.list_designs()])
        return
    for group in groups:
        click.echo(group.title)
        print_table(_HEADINGS, [_entry_cells(entry) for entry in group.entries])
        click.echo()
    click.echo(
        phrase("Change one by eye: “companion serve --open” opens the host’s pages; choose “Label designs” there.")
    )
    click.echo(sanitize(phrase("Yours lie in {designs_folder}.", designs_folder=designs.designs_folder())))


def _entry_cells(entry: DesignEntry) -> tuple[Text, ...]:
    """Return the cells of a design in the list; a broken one has its error instead of a title."""
    if entry.design is None:
        return (entry.name, "", "", "", entry.wrong)
    shape = shelf.find_shape(entry.design)
    shape_title: Text = shelf.SHAPE_TITLES[shape] if shape else ""
    return (entry.name, shape_title, entry.design.stock, ", ".join(entry.design.columns), entry.design.caption)


def _plain_entry(entry: DesignEntry) -> dict[str, Any]:
    """Return a design for JSON: the name of its file, its owner, and its content or its errors."""
    content = plain_design(entry.design) if entry.design else {"title": "", "stock": "", "fields": ()}
    shape = shelf.find_shape(entry.design) if entry.design else None
    return {"name": entry.name, "own": entry.own, **content, "shape": shape or "", "wrong": str(entry.wrong)}
