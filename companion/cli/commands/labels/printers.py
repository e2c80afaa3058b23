"""`companion labels printers`."""

from __future__ import annotations

import click

from companion.archive import stationery
from companion.cli.common import archive_option, json_option, open_archive, print_list
from templates.languages.messages import phrase


@click.command("printers")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List the calibrated printers.

    \b
    Example: companion labels printers
    """
    with open_archive(archive) as opened:
        rows = stationery.printers(opened)
    print_list(
        rows,
        (
            phrase("Printer"),
            phrase("Right"),
            phrase("Down"),
            phrase("Scale across"),
            phrase("Scale down"),
        ),
        lambda row: (row.name, f"{row.dx:+g} mm", f"{row.dy:+g} mm", f"{row.sx:g}", f"{row.sy:g}"),
        phrase("No printer is calibrated yet. companion labels calibrate NAME asks for four distances."),
        as_json=as_json,
    )
