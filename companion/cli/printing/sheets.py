"""`companion labels sheets`: the partly used sheets, as maps, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from companion.cli.common import Misused, archive_option, end_refused, json_option, open_archive, print_json, sanitize
from companion.cli.printing import options
from companion.cli.printing.run import translate_label_errors

if TYPE_CHECKING:
    from companion.archive.storage.entries import Outcome
    from companion.archive.storage.rows import SheetRow
    from labels.paper.stocks import Stock


@click.group("sheets", invoke_without_command=True)
@archive_option
@json_option
@click.pass_context
def command(context: click.Context, archive: str | None, as_json: bool) -> None:
    """The partly used sheets that the archive remembers, drawn as they lie before you.

    Begin one with its name; then --sheet NAME prints on what is free of it. Its positions count as used once you say
    that they were printed well.

    \b
    Example: companion labels sheets new "blue folder" --free 3,7,20-40
             companion labels box grave -o box.pdf --sheet "blue folder"
             companion labels sheets printed "blue folder"
    """
    if context.invoked_subcommand is None:
        _print_all(archive, as_json=as_json)
    else:
        context.find_root().params["archive"] = archive


def _print_all(archive: str | None, *, as_json: bool) -> None:
    from companion.archive import stationery
    from labels.paper import sheet

    with open_archive(archive) as opened:
        rows = stationery.sheets(opened)
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo("No sheet is remembered yet. companion labels sheets new NAME begins one.")
    else:
        wrong = dict.fromkeys(reason for row in rows if (reason := _try_draw(row)))
        click.echo(sheet.KEY)
        if wrong:
            end_refused(wrong)


def _try_draw(row: SheetRow) -> str:
    """Draw a sheet, or only its heading if its stock is wrong, and return the error."""
    try:
        _print_sheet(row)
    except Misused as error:
        return error.message
    return ""


def _print_sheet(row: SheetRow) -> None:
    """Print a sheet: a line about it, and its map."""
    from companion.printing.run import find_stock
    from labels.paper import sheet

    waiting = f", {len(row.waiting)} waiting" if row.waiting else ""
    click.echo(sanitize(f"{row.name} (stock {row.stock}): {len(row.free)} of {row.count} free{waiting}"))
    with translate_label_errors():
        stock = find_stock(row.stock)
    for line in sheet.draw_map(stock, sheet.position_signs(row.free, row.waiting)):
        click.echo(line)


@command.command()
@click.argument("name")
@click.option("--stock", "stock_name", metavar="NAME", help="Its label stock, by name or alias.  [default: 18294]")
@click.option("--start", type=int, metavar="N", help="Its first free position.")
@click.option("--free", metavar="LIST", help="Its free positions, as in 3,7,20-40.")
@archive_option
def new(name: str, stock_name: str | None, start: int | None, free: str | None, archive: str | None) -> None:
    """Begin a sheet: a name to find it by, and what is free of it.

    \b
    Example: companion labels sheets new "blue folder" --start 16
    """
    from companion.archive import stationery
    from companion.printing.run import find_stock, first_sheet
    from labels.paper import sheet

    if start is not None and free is not None:
        raise Misused("Give --start or --free, not both.")
    if not name.strip():
        raise Misused("A sheet needs a name to be found by.")
    with translate_label_errors():
        stock = find_stock(options.stock_name(stock_name))
        if stock.roll:
            raise Misused(f"{stock.name} is a roll, where {stock.feed}: there is no sheet to keep count of.")
        partial_sheets = first_sheet(stock, start, free)
    positions = partial_sheets[0].free if partial_sheets else sheet.all_positions(stock)
    with open_archive(archive, create=True) as opened:
        stationery.begin_sheet(opened, name, stock.name, stock.count, positions)
        _print_sheet(stationery.find_sheet(opened, name))


def _add_outcome_command(outcome: Outcome, sentence: str) -> click.Command:
    """Return a command that records an outcome of the pending labels on sheets."""

    @click.argument("names", nargs=-1, metavar="[NAME]…")
    @archive_option
    def settle(names: tuple[str, ...], archive: str | None) -> None:
        _settle_sheets(names, outcome, archive)

    example = f"\b\nExample: companion labels sheets {outcome}"
    about = f"{sentence}\n\nWithout NAME all sheets that wait are meant.\n\n{example}"
    return command.command(outcome, help=about)(settle)


_add_outcome_command("printed", "What waits on the sheets came out right, and is used.")
_add_outcome_command("spoiled", "What waits on the sheets came out wrong: its labels are lost.")
_add_outcome_command("blank", "What waits on the sheets was never printed: its positions are free again.")


def _settle_sheets(names: Sequence[str], outcome: Outcome, archive: str | None) -> None:
    from companion.archive import stationery
    from labels.paper import sheet

    with open_archive(archive) as opened:
        rows = [stationery.find_sheet(opened, name) for name in names] if names else stationery.sheets(opened)
        waiting = [row for row in rows if row.waiting]
        stationery.settle(opened, [row.name for row in waiting], outcome)
    for row in waiting:
        click.echo(f"{sanitize(row.name)}: {sheet.format_positions(row.waiting)} {_OUTCOMES[outcome]}.")
    if not waiting:
        click.echo("Nothing waits for an answer.")


_OUTCOMES = {"printed": "used", "spoiled": "spoiled, and gone", "blank": "free again"}


@command.command("give-back")
@click.argument("name")
@click.argument("positions", metavar="LIST")
@archive_option
def give_back(name: str, positions: str, archive: str | None) -> None:
    """Positions of a sheet are free after all.

    \b
    Example: companion labels sheets give-back "blue folder" 3,7,20-22
    """
    from companion.archive import stationery

    with open_archive(archive) as opened:
        row = stationery.find_sheet(opened, name)
        _print_sheet(stationery.give_back(opened, name, _parse_positions(positions, row)))


@command.command("use")
@click.argument("name")
@click.argument("positions", metavar="LIST")
@archive_option
def use(name: str, positions: str, archive: str | None) -> None:
    """Positions of a sheet are gone: peeled off, torn, or printed without the companion.

    \b
    Example: companion labels sheets use "blue folder" 1-5
    """
    from companion.archive import stationery

    with open_archive(archive) as opened:
        row = stationery.find_sheet(opened, name)
        _print_sheet(stationery.use_up(opened, name, _parse_positions(positions, row)))


def _parse_positions(text: str, row: SheetRow) -> tuple[int, ...]:
    from companion.printing.run import find_stock
    from labels.paper import sheet

    with translate_label_errors():
        stock: Stock = find_stock(row.stock)
        return sheet.parse_positions(text, stock)


@command.command("put-away")
@click.argument("name")
@archive_option
def put_away(name: str, archive: str | None) -> None:
    """A sheet is no longer at hand; its name is free for another.

    \b
    Example: companion labels sheets put-away "blue folder"
    """
    from companion.archive import stationery

    with open_archive(archive) as opened:
        stationery.put_away(opened, name)
    click.echo(f"“{sanitize(name)}” is put away.")
