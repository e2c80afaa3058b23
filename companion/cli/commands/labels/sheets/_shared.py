"""Shared parts of the commands of `companion labels sheets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from companion.archive import stationery
from companion.cli.common import Misused, end_refused, open_archive, print_json, sanitize
from companion.cli.printing.options import translate_label_errors
from companion.printing.run import find_stock
from labels.paper import sheet
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive.storage.entries import Outcome
    from companion.archive.storage.rows import SheetRow
    from labels.paper.stocks import Stock


def print_all(archive: str | None, *, as_json: bool) -> None:
    with open_archive(archive) as opened:
        rows = stationery.sheets(opened)
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo(phrase("No sheet is remembered yet. companion labels sheets new NAME begins one."))
    else:
        wrong = dict.fromkeys(reason for row in rows if (reason := try_draw(row)))
        click.echo(str(sheet.KEY))
        if wrong:
            end_refused(wrong)


def try_draw(row: SheetRow) -> str:
    """Draw a sheet, or only its heading if its stock is wrong, and return the error."""
    try:
        print_sheet(row)
    except Misused as error:
        return error.message
    return ""


def print_sheet(row: SheetRow) -> None:
    """Print a sheet: a line about it, and its map."""
    free, waiting = len(row.free), len(row.waiting)
    click.echo(
        sanitize(
            phrase(
                "{sheet} (stock {stock}): {free} of {count} free, {waiting} waiting",
                sheet=row.name,
                stock=row.stock,
                free=free,
                count=row.count,
                waiting=waiting,
            )
            if waiting
            else phrase(
                "{sheet} (stock {stock}): {free} of {count} free",
                sheet=row.name,
                stock=row.stock,
                free=free,
                count=row.count,
            )
        )
    )
    with translate_label_errors():
        stock = find_stock(row.stock)
    for line in sheet.draw_map(stock, sheet.position_signs(row.free, row.waiting)):
        click.echo(line)


def settle_sheets(names: Sequence[str], outcome: Outcome, archive: str | None) -> None:
    with open_archive(archive) as opened:
        rows = [stationery.find_sheet(opened, name) for name in names] if names else stationery.sheets(opened)
        waiting = [row for row in rows if row.waiting]
        stationery.settle(opened, [row.name for row in waiting], outcome)
    for row in waiting:
        click.echo(
            phrase(
                "{sheet}: {positions} {outcome}.",
                sheet=sanitize(row.name),
                positions=sheet.format_positions(row.waiting),
                outcome=OUTCOMES[outcome],
            )
        )
    if not waiting:
        click.echo(phrase("Nothing waits for an answer."))


OUTCOMES = {"printed": phrase("used"), "spoiled": phrase("spoiled, and gone"), "blank": phrase("free again")}


def parse_positions(text: str, row: SheetRow) -> tuple[int, ...]:
    with translate_label_errors():
        stock: Stock = find_stock(row.stock)
        return sheet.parse_positions(text, stock)
