"""`companion labels sheets new`."""

from __future__ import annotations

import click

from companion.archive import stationery
from companion.cli.commands.labels.sheets._shared import print_sheet
from companion.cli.common import Misused, archive_option, open_archive
from companion.cli.printing import options
from companion.cli.printing.options import translate_label_errors
from companion.printing.run import find_stock, first_sheet
from labels.paper import sheet
from templates.languages.messages import phrase


@click.command("new")
@click.argument("name")
@click.option(
    "--stock", "stock_name", metavar="NAME", help="Label stock of the sheet, by name or alias.  [default: 18294]"
)
@click.option("--start", type=int, metavar="N", help="First free position of the sheet.")
@click.option("--free", metavar="LIST", help="Free positions of the sheet, such as 3,7,20-40.")
@archive_option
def command(name: str, stock_name: str | None, start: int | None, free: str | None, archive: str | None) -> None:
    """Add a sheet with a name and its free positions.

    \b
    Example: companion labels sheets new "blue folder" --start 16
    """
    if start is not None and free is not None:
        raise Misused(phrase("Give --start or --free, not both."))
    if not name.strip():
        raise Misused(phrase("A sheet needs a name to be found by."))
    with translate_label_errors():
        stock = find_stock(options.stock_name(stock_name))
        if stock.roll:
            raise Misused(
                phrase(
                    "{stock} is a roll, where {feed}: there is no sheet to keep count of.",
                    stock=stock.name,
                    feed=stock.feed,
                )
            )
        partial_sheets = first_sheet(stock, start, free)
    positions = partial_sheets[0].free if partial_sheets else sheet.all_positions(stock)
    with open_archive(archive, create=True) as opened:
        stationery.begin_sheet(opened, name, stock.name, stock.count, positions)
        print_sheet(stationery.find_sheet(opened, name))
