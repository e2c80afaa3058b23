"""`companion labels design new`."""

from __future__ import annotations

import click

from companion.cli.common import any_archive_option, json_option, print_json, tell_written
from companion.cli.printing.options import translate_label_errors
from companion.printing import shelf
from companion.printing.run import find_stock
from templates.languages.messages import phrase


@click.command("new")
@click.argument("name")
@click.option("--stock", "stock_name", metavar="STOCK", help="Label stock; default: that of --from, or the usual one.")
@click.option("--from", "original", metavar="DESIGN", default="", help="Known design to begin with; default: one text.")
@any_archive_option
@json_option
def command(name: str, stock_name: str | None, original: str, as_json: bool) -> None:
    """Write a new design into your folder of designs, to change by eye or in its file.

    An existing design is never overwritten. If the design of --from does not fit on the labels of --stock, nothing is
    written.

    \b
    Example: companion labels design new plums --from jam --stock 22806
    """
    with translate_label_errors():
        stock = find_stock(stock_name) if stock_name else None
        file = shelf.create_design(name, stock, original)
    if as_json:
        print_json({"name": file.stem, "file": str(file)})
        return
    tell_written(file, phrase("yours to change; companion labels design check looks at it."))
