"""`companion labels design`: the user's own designs; to begin with an example, and to preview and check one without a
table.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.common import (
    Misused,
    any_archive_option,
    force_option,
    fresh_file,
    json_option,
    output_option,
    print_json,
    print_table,
    sanitize,
    tell_written,
)
from companion.cli.printing.options import ink_name, ink_option
from companion.cli.printing.run import check_preview, translate_label_errors
from companion.tabletop.text import shorten_cell

if TYPE_CHECKING:
    from companion.printing.designs import DesignEntry
    from labels.designs.own import Design
    from labels.geometry import InkName

_DPI = 300
"""The resolution of a single label, which is viewed more closely than a page."""


@click.group("design")
def command() -> None:
    """Designs of your own: how labels look that are filled from a table.

    A design is a TOML file; docs/own-labels.md walks through one.

    \b
    Example: companion labels design example badge
    """


@command.command("list")
@any_archive_option
@json_option
def list_designs(as_json: bool) -> None:
    """The designs that are known by their names, and their fields.

    Your own lie in the folder table-companion/designs where programs keep their configuration. A file that cannot be
    read is named with what is wrong, and takes nothing else away.

    \b
    Example: companion labels design list
    """
    from companion.printing import designs

    rows = [_plain_entry(each) for each in designs.list_designs()]
    if as_json:
        print_json(rows)
        return
    cells = [
        (each["name"], "yours" if each["own"] else "", ", ".join(each["fields"]), each["wrong"] or each["title"])
        for each in rows
    ]
    print_table(("DESIGN", "", "FIELDS", ""), cells)
    click.echo(sanitize(f"Yours lie in {designs.designs_folder()}."))


def _plain_entry(entry: DesignEntry) -> dict[str, Any]:
    """Return a design for JSON: the name of its file, its owner, and its content or its errors."""
    content = _plain_design(entry.design) if entry.design else {"title": "", "stock": "", "fields": ()}
    return {"name": entry.name, "own": entry.own, **content, "wrong": entry.wrong}


def _plain_design(design: Design) -> dict[str, Any]:
    return {"title": design.title, "stock": design.stock, "fields": design.fields}


@command.command("example")
@click.argument("name", default="badge")
@output_option("Write it into a file.", "--output")
@any_archive_option
@force_option
def example(name: str, output: Path | None, force: bool) -> None:
    """The file of a design that comes along, to begin your own with.

    \b
    Example: companion labels design example badge -o mine.toml
    """
    from companion.printing import designs

    with translate_label_errors():
        content = designs.example_design(name)
    if output is None:
        click.echo(content, nl=False)
        return
    with fresh_file(output, force=force) as draft:
        draft.write_text(content, encoding="utf-8", newline="\n")
    tell_written(output, "yours to change; companion labels design check looks at it.")


@command.command("check")
@click.argument("design", metavar="DESIGN.toml")
@click.option("--stock", "stock_name", metavar="NAME", help="The label stock; else the one that the design names.")
@click.option(
    "--preview",
    type=click.Path(path_type=Path),
    metavar="FILE.png",
    help="Draw one label, with its boxes and fields: .png, .jpg or .svg.",
)
@ink_option
@any_archive_option
@force_option
@json_option
def check(
    design: str, stock_name: str | None, preview: Path | None, ink: InkName | None, force: bool, as_json: bool
) -> None:
    """Check a design, before there is any table: whether it can be read and its boxes lie on the label.

    DESIGN is a file, or the name of a design that is known. What is wrong is named with its part and key, and what to
    write. companion labels file TABLE --design DESIGN --plan then checks the table with it.

    \b
    Example: companion labels design check badge --preview badge.png
    """
    from companion.printing import custom
    from companion.printing.run import find_stock
    from labels.designs.own import Specimen, specimen_page
    from labels.output import proof

    with translate_label_errors():
        check_preview(preview, None, force=force)
        own_design = custom.optional_design(design)
        if own_design is None:
            raise Misused("Name a design, or a file that ends in .toml.")
        stock = find_stock(stock_name or own_design.stock or None)
        label = Specimen(own_design)
        label.check(stock)
        custom.check_pictures(own_design)
        if preview is not None:
            with fresh_file(preview, force=force) as draft:
                proof.preview_writer(preview, _DPI)(specimen_page(label, stock, ink_name(ink)), 1, draft)
    if as_json:
        print_json(
            {
                "name": own_design.name,
                **_plain_design(own_design),
                "checked_on": stock.name,
                "parts": len(own_design.parts),
            }
        )
        return
    title = sanitize(shorten_cell(own_design.title))
    click.echo(f"{title}: {_count_parts(own_design)}, which lie well on a label of {sanitize(stock.title)}.")
    if preview is not None:
        click.echo(f"It is drawn in {sanitize(str(preview))}.")
    if own_design.columns:
        click.echo(f"A table for it has the columns {sanitize(shorten_cell(', '.join(own_design.columns)))}.")


def _count_parts(design: Design) -> str:
    return "1 part" if len(design.parts) == 1 else f"{len(design.parts)} parts"
