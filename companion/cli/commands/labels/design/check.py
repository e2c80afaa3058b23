"""`companion labels design check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.commands.labels.design._shared import draw_preview, plain_design, preview_option, stock_option
from companion.cli.common import (
    Misused,
    any_archive_option,
    force_option,
    json_option,
    print_json,
    sanitize,
)
from companion.cli.printing.options import ink_option, translate_label_errors
from companion.cli.printing.run import check_preview
from companion.printing import custom
from companion.printing.run import find_stock
from companion.tabletop.text import quantity, shorten_cell
from labels.designs.own import Specimen
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from pathlib import Path

    from labels.geometry import InkName


@click.command("check")
@click.argument("design", metavar="DESIGN.toml")
@stock_option
@preview_option("Draw one label with its boxes and fields as .png, .jpg or .svg.")
@ink_option
@any_archive_option
@force_option
@json_option
def command(
    design: str, stock_name: str | None, preview: Path | None, ink: InkName | None, force: bool, as_json: bool
) -> None:
    """Check a design without a table: that it can be read and that its boxes lie on the label.

    DESIGN is a file, or the name of a known design. Each error is reported with its part, its key and the correction.
    companion labels file TABLE --design DESIGN --plan then checks the table with it.

    \b
    Example: companion labels design check badge --preview badge.png
    """
    with translate_label_errors():
        check_preview(preview, None, force=force)
        own_design = custom.optional_design(design)
        if own_design is None:
            raise Misused(phrase("Name a design, or a file that ends in .toml."))
        stock = find_stock(stock_name or own_design.stock or None)
        label = Specimen(own_design)
        label.check(stock)
        custom.check_pictures(own_design)
        if preview is not None:
            draw_preview(label, stock, preview, ink, force=force)
    if as_json:
        print_json(
            {
                "name": own_design.name,
                **plain_design(own_design),
                "checked_on": stock.name,
                "parts": len(own_design.parts),
            }
        )
        return
    title = sanitize(shorten_cell(str(own_design.caption)))
    click.echo(
        phrase(
            "{title}: {parts}, which lie well on a label of {stock}.",
            title=title,
            parts=quantity(len(own_design.parts), "part"),
            stock=sanitize(stock.caption),
        )
    )
    if preview is not None:
        click.echo(phrase("It is drawn in {preview}.", preview=sanitize(str(preview))))
    if own_design.columns:
        click.echo(
            phrase(
                "A table for it has the columns {columns}.",
                columns=sanitize(shorten_cell(", ".join(own_design.columns))),
            )
        )
