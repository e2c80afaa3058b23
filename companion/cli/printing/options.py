"""The options of commands that print, and what was given for them as one value."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from companion.cli.common import Misused, archive_option, force_option


class PaperOptions(NamedTuple):
    """Where a PDF goes, for which printer, and what to do with it besides."""

    output: Path | None
    preview: Path | None
    printer: str | None
    open: bool
    force: bool
    archive: str | None

    @property
    def file(self) -> Path:
        """The PDF to write. Raises UsageError where none was named."""
        if self.output is None:
            raise click.UsageError("Missing option '-o' / '--output'.", click.get_current_context())
        return self.output


class Placing(NamedTuple):
    """Onto which positions of which sheets labels go, and whether they are only planned."""

    stock: str | None
    start: int | None
    free: str | None
    sheets: tuple[str, ...]
    outlines: bool
    plan: bool


def paper_options(command: Callable[..., Any]) -> Any:
    """Adds the options of everything that is printed; the command gets `paper`."""

    @wraps(command)
    def gathered(
        *arguments: Any,
        output: Path | None,
        preview: Path | None,
        printer: str | None,
        show: bool,
        force: bool,
        archive: str | None,
        **rest: Any,
    ) -> Any:
        return command(*arguments, paper=PaperOptions(output, preview, printer, show, force, archive), **rest)

    return _with_options(
        gathered,
        click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="PDF to write."),
        click.option("--preview", type=click.Path(path_type=Path), metavar="FILE.png", help="Also draw a picture."),
        click.option("--printer", metavar="NAME", help="Print with the calibration of this printer."),
        click.option("--open", "show", is_flag=True, help="Open the PDF in the system's viewer."),
        force_option,
        archive_option,
    )


def run_options(command: Callable[..., Any]) -> Any:
    """Adds the options of everything that fills sheets of labels; the command gets `paper` and `placing`."""

    @wraps(command)
    def gathered(
        *arguments: Any,
        stock: str | None,
        start: int | None,
        free: str | None,
        sheets: tuple[str, ...],
        outlines: bool,
        plan: bool,
        **rest: Any,
    ) -> Any:
        if sum(bool(each) for each in (start is not None, free is not None, sheets)) > 1:
            raise Misused("Give --start, --free or --sheet, not several.")
        return command(*arguments, placing=Placing(stock, start, free, sheets, outlines, plan), **rest)

    return _with_options(
        paper_options(gathered),
        click.option("--stock", metavar="NAME", help="Label stock, by name or alias; 18294 where nothing else says."),
        click.option("--start", type=int, metavar="N", help="First free position of the first sheet."),
        click.option("--free", metavar="LIST", help="Free positions of the first sheet, as in 3,7,20-40."),
        click.option(
            "--sheet",
            "sheets",
            multiple=True,
            metavar="NAME",
            help="A sheet that the archive remembers; may be given several times.",
        ),
        click.option("--outlines", is_flag=True, help="Draw the die cuts, for a proof on plain paper."),
        click.option("--plan", is_flag=True, help="Only tell which label comes where; print nothing."),
    )


def _with_options(command: Any, *options: Callable[[Any], Any]) -> Any:
    """A command with options, which help lists in this order, before those that it has already."""
    for option in reversed(options):
        command = option(command)
    return command
