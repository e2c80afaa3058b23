"""Shared parts of the commands of `companion labels design`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.cli.common import fresh_file
from companion.forms.plain_paper import ink_name
from labels.designs.own import specimen_page
from labels.output import proof

if TYPE_CHECKING:
    from labels.designs.own import Design
    from labels.geometry import InkName
    from labels.paper.sheet import Label
    from labels.paper.stocks import Stock


_DPI: Final = 300
"""The resolution of a single label, which is viewed more closely than a page."""

stock_option = click.option(
    "--stock", "stock_name", metavar="NAME", help="Label stock; default: the one that the design names."
)


def preview_option(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option of a file that one label is drawn into; `what` is its help."""
    return click.option("--preview", type=click.Path(path_type=Path), metavar="FILE.png", help=what)


def draw_preview(label: Label, stock: Stock, file: Path, ink: InkName | None, *, force: bool) -> None:
    """Draw one label into a file of the kind that its name says. Raises as `fresh_file`, and LabelError."""
    with fresh_file(file, force=force) as draft:
        proof.preview_writer(file, _DPI)(specimen_page(label, stock, ink_name(ink)), 1, draft)


def plain_design(design: Design) -> dict[str, Any]:
    return {"title": design.title, "stock": design.stock, "fields": design.fields}
