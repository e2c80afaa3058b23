"""`companion labels design show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from companion.cli.commands.labels.design._shared import draw_preview, plain_design, preview_option, stock_option
from companion.cli.common import (
    any_archive_option,
    force_option,
    json_option,
    print_json,
    print_table,
    sanitize,
)
from companion.cli.printing.options import ink_option, translate_label_errors
from companion.cli.printing.run import check_preview
from companion.printing import designs, shelf
from companion.printing.run import find_stock
from companion.tabletop.text import shorten_cell
from labels.editing.frames import find_frames
from labels.geometry import MM
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from pathlib import Path

    from labels.designs.own import Design
    from labels.editing.boxes import Frame
    from labels.geometry import InkName


_PART_HEADINGS: Final = ("", phrase("Part"), phrase("From the left"), phrase("From the top"), phrase("Size"))
_COLUMN_HEADINGS: Final = (phrase("Column"), phrase("Needs"))


@click.command("show")
@click.argument("name", metavar="DESIGN")
@stock_option
@preview_option("Draw one label as .png, .jpg or .svg, filled from the design's sample if it has one.")
@ink_option
@any_archive_option
@force_option
@json_option
def command(
    name: str, stock_name: str | None, preview: Path | None, ink: InkName | None, force: bool, as_json: bool
) -> None:
    """Show a design: its labels, its parts, and what each column of a table for it needs.

    DESIGN is a file that ends in .toml, or the name of a known design.

    \b
    Example: companion labels design show jam --preview jam.png
    """
    with translate_label_errors():
        check_preview(preview, None, force=force)
        design = designs.find_design(name)
        stock = find_stock(stock_name or design.stock or None)
        frames = find_frames(design, stock.room(1))
        if preview is not None:
            draw_preview(shelf.draw_sample(design, stock), stock, preview, ink, force=force)
    if as_json:
        print_json(_plain_content(design, stock.name, frames))
        return
    click.echo(sanitize(shorten_cell(str(design.caption))))
    click.echo(phrase("Labels: {stock}, {size}", stock=sanitize(stock.caption), size=str(stock.size)))
    click.echo()
    print_table(
        _PART_HEADINGS,
        [
            (str(part.number), part.quoted_name, *_frame_cells(frame))
            for part, frame in zip(design.parts, frames, strict=True)
        ],
    )
    if design.columns:
        click.echo()
        print_table(
            _COLUMN_HEADINGS,
            [(column, joined("; ", needs)) for column, needs in shelf.describe_columns(design).items()],
        )
    if preview is not None:
        click.echo()
        click.echo(phrase("It is drawn in {preview}.", preview=sanitize(str(preview))))


def _frame_cells(frame: Frame) -> tuple[Text, Text, Text]:
    left, top, width, height = (f"{length:g}" for length in _millimetres(frame))
    return f"{left} mm", f"{top} mm", f"{width} × {height} mm"


def _millimetres(frame: Frame) -> list[float]:
    # Adding 0.0 makes a negative zero a plain one.
    return [round(length / MM, 1) + 0.0 for length in frame]


def _plain_content(design: Design, stock: str, frames: tuple[Frame, ...]) -> dict[str, object]:
    """Return a design for JSON; each box has the left and top edge, the width and the height in millimetres."""
    return {
        "name": design.name,
        **plain_design(design),
        "shown_on": stock,
        "parts": [
            {"kind": part.kind, "source": part.source, "box": _millimetres(frame)}
            for part, frame in zip(design.parts, frames, strict=True)
        ],
        "columns": {column: [str(need) for need in needs] for column, needs in shelf.describe_columns(design).items()},
    }
