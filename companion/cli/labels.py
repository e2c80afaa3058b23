"""`companion labels`: sheets of labels as PDF, ready for the printer.

The libraries that print are loaded by the command that prints, not by looking at its help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from companion.cli.common import Misused, archive_option, find_deck, force_option, fresh_file, json_option, print_json

if TYPE_CHECKING:
    from labels.label import Label
    from labels.sheet import Sheet
    from labels.stocks import Stock

_STOCK = "18294"

_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.group("labels")
def command() -> None:
    """Print labels for cards and boxes.

    \b
    Example: companion labels starter -o starter.pdf
    """


def _paper_options(command: _Command) -> _Command:
    """Adds `output`, `preview`, `stock_name` and `force`, which every command that prints has."""
    for option in (
        force_option,
        click.option("--preview", type=click.Path(path_type=Path), metavar="FILE.png", help="Also draw a picture."),
        click.option("--stock", "stock_name", default=_STOCK, show_default=True, help="Label stock, by name or alias."),
        click.option(
            "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="PDF to write.", required=True
        ),
    ):
        command = option(command)
    return command


def _run_options(command: _Command) -> _Command:
    """Adds `start`, `free` and `outlines`, which every command that fills sheets has."""
    for option in (
        click.option("--outlines", is_flag=True, help="Draw the die cuts, for a proof on plain paper."),
        click.option("--free", metavar="LIST", help="Free positions of the first sheet, as in 3,7,20-40."),
        click.option("--start", type=int, metavar="N", help="First free position of the first sheet."),
    ):
        command = option(command)
    return command


@command.command()
@_run_options
@_paper_options
def starter(**options: Any) -> None:
    """DecknForge's sheet of 60 labels.

    They stand in the order of the rulebook: Monster labels, Commons, Uncommons, Rares and Mythics.

    \b
    Example: companion labels starter -o starter.pdf --preview starter.png
    """
    from companion.press.wording import starter

    _print_run(starter(), "DecknForge starter sheet", **options)


@command.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@_run_options
@_paper_options
@archive_option
def box(decks: tuple[str, ...], archive: str | None, **options: Any) -> None:
    """Labels for boxes, with QR code.

    Each shows its deck's name, Glory and id. DECK is an id in any spelling, the beginning of no other deck's name, or
    a picture of the QR code on its box.

    \b
    Example: companion labels box ashen 7K3M-9QPX-2B4T-C -o boxes.pdf --start 7
    """
    from companion.archive import Archive
    from companion.press.boxes import boxes

    with Archive.open(archive) as opened:
        rows = [find_deck(opened, text) for text in decks]
    _print_run(boxes(rows), "Box labels", **options)


@command.command("test-page")
@_paper_options
def test_page(output: Path, preview: Path | None, stock_name: str, force: bool) -> None:
    """A test page for plain paper.

    It shows where each position of the stock lies, with rulers to measure the printer by.

    \b
    Example: companion labels test-page --stock L7651 -o test.pdf
    """
    from labels import testpage

    stock = _stock(stock_name)
    _write(testpage.page(stock), output, preview, force=force)
    click.echo(f"Test page for {stock.title}: {output}. Print at 100 % on plain paper.")


@command.command("stocks")
@json_option
def list_stocks(as_json: bool) -> None:
    """The label stocks that are known.

    A stock of your own is a TOML file like theirs, in the folder table-companion/stocks where programs keep their
    configuration.

    \b
    Example: companion labels stocks --json
    """
    known = _known()
    if as_json:
        print_json(known)
        return
    for stock in known:
        grid = f"{stock.columns} × {stock.rows}"
        click.echo(f"{stock.name:<9} {stock.page:<7} {grid:<7} {stock.size:<17} {stock.order:<7} {stock.title}")
        if stock.aliases:
            click.echo(f"{'':<9} also {', '.join(stock.aliases)}")


def _print_run(
    run: Sequence[Label],
    title: str,
    *,
    output: Path,
    preview: Path | None,
    stock_name: str,
    start: int | None,
    free: str | None,
    outlines: bool,
    force: bool,
) -> None:
    """Places the labels, writes the PDF, and tells what went where."""
    from labels import pdf, sheet

    stock = _stock(stock_name)
    sheets = sheet.place(run, stock, _at_hand(stock, start, free))
    _write(pdf.sheets(sheets, stock, title=title, outlines=outlines), output, preview, force=force)
    click.echo(_plan(sheets, stock, output))


def _known() -> tuple[Stock, ...]:
    """The stocks that come along, and those in the folder `stocks` of the user's configuration."""
    from platformdirs import user_config_path

    from labels import stocks

    try:
        return stocks.known(user_config_path("table-companion", appauthor=False) / "stocks")
    except stocks.StockError as error:
        raise Misused(str(error)) from error


def _stock(name: str) -> Stock:
    from labels import stocks

    try:
        return stocks.find(name, _known())
    except stocks.StockError as error:
        raise Misused(str(error)) from error


def _at_hand(stock: Stock, start: int | None, free: str | None) -> list[tuple[int, ...]]:
    from labels import sheet

    if start is not None and free is not None:
        raise Misused("Give --start or --free, not both.")
    try:
        if free is not None:
            return [sheet.positions(free, stock)]
        return [] if start is None else [sheet.every(stock, start)]
    except sheet.PositionError as error:
        raise Misused(str(error)) from error


def _plan(sheets: Sequence[Sheet], stock: Stock, output: Path) -> str:
    count = sum(len(each) for each in sheets)
    labels = "1 label" if count == 1 else f"{count} labels"
    on = "1 sheet" if len(sheets) == 1 else f"{len(sheets)} sheets"
    last = max(sheets[-1])
    return f"{labels} on {on} of {stock.name}, the last at position {last}: {output}. Print at 100 %."


def _write(document: bytes, output: Path, preview: Path | None, *, force: bool) -> None:
    """Writes the PDF and its preview, both or neither."""
    if preview is not None and preview.resolve() == output.resolve():
        raise Misused("The preview needs a file of its own.")
    with ExitStack() as files:
        files.enter_context(fresh_file(output, force=force)).write_bytes(document)
        if preview is not None:
            for path, picture in zip(_numbered(preview), _pictures(document), strict=False):
                picture.save(files.enter_context(fresh_file(path, force=force)), format="PNG")


def _pictures(document: bytes) -> Iterator[Any]:
    from labels import proof

    return proof.pages(document)


def _numbered(path: Path) -> Iterator[Path]:
    """The path itself, then FILE-2.png, FILE-3.png and so on for further sheets."""
    yield path
    number = 2
    while True:
        yield path.with_stem(f"{path.stem}-{number}")
        number += 1
