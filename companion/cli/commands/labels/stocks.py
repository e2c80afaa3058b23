"""`companion labels stocks`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
import msgspec

from companion.cli.common import any_archive_option, end_refused, json_option, print_json, print_table, sanitize
from companion.cli.printing import options
from companion.cli.printing.options import translate_label_errors
from companion.printing.run import known_stocks
from labels.designs import has_room
from labels.geometry import parse_size
from labels.paper.stocks import find_by_size
from templates.languages.messages import Message, Text, joined, listed, phrase, phrase_in

if TYPE_CHECKING:
    from labels.geometry import Paper
    from labels.paper.stocks import Stock


_ALIASES = 6
"""The number of other names of a stock in a list; there can be forty."""
_ORDERS: Final = {
    # Translators: the order in which the labels of a sheet are counted
    "across": phrase_in("order of labels", "across"),
    "down": phrase_in("order of labels", "down"),
}


@click.command("stocks")
@click.option(
    "--like", metavar="SIZE", help="Only stocks with labels of this size, such as 70x36mm, 2.625x1in or 40mm."
)
@click.option(
    "--paper", type=options.PaperType(), metavar="SIZE", help="Only stocks on this paper: letter, a4 or a size."
)
@any_archive_option
@json_option
def command(like: str | None, paper: Paper | None, as_json: bool) -> None:
    """List the known label stocks, or those that match a sheet you have.

    Measure one of its labels with a ruler and pass the size as --like: stocks within 2 mm are listed, the best match
    first. A stock of your own is a TOML file in table-companion/stocks in your configuration folder; docs/printing.md
    shows one. A file with an error is reported, and the others are listed.

    \b
    Example: companion labels stocks --like 70x36mm --paper a4
    """
    stocks, broken = known_stocks()
    matches = [stock for stock in stocks if paper is None or (not stock.roll and stock.paper.fits(paper))]
    with translate_label_errors():
        matches = matches if like is None else find_by_size(parse_size(like), matches)
    if as_json:
        print_json([{**msgspec.to_builtins(stock), "count": stock.count} for stock in matches])
    elif matches:
        print_table(
            ("", phrase("Paper"), phrase("Labels"), phrase("Each"), phrase("Counted"), ""),
            [_stock_cells(stock) for stock in matches],
        )
    if broken or not (matches or as_json):
        nothing = _describe_none(None if like is None else sanitize(like), None if paper is None else paper.title)
        end_refused([*(() if matches or as_json else (nothing,)), *(each.reason for each in broken)])


def _describe_none(size: str | None, paper: str | None) -> Message:
    if size is not None and paper is not None:
        return phrase(
            "No stock has labels of {size} on {paper} paper; docs/printing.md shows how to describe one of your own.",
            size=size,
            paper=paper,
        )
    if size is not None:
        return phrase(
            "No stock has labels of {size}; docs/printing.md shows how to describe one of your own.", size=size
        )
    if paper is not None:
        return phrase(
            "No stock has labels on {paper} paper; docs/printing.md shows how to describe one of your own.", paper=paper
        )
    return phrase("No stock has labels; docs/printing.md shows how to describe one of your own.")


def _stock_cells(stock: Stock) -> tuple[Text, ...]:
    names = [*stock.aliases[:_ALIASES], *(("…",) if len(stock.aliases) > _ALIASES else ())]
    title = phrase("{stock} (also {names})", stock=stock.caption, names=listed(names)) if names else stock.caption
    remarks = (
        *(() if has_room(stock.room(1)) else (phrase("too small for box labels"),)),
        *(() if stock.confirmed else (phrase("not confirmed, try it first"),)),
    )
    paper = phrase("roll") if stock.roll else stock.paper.title
    order = "" if stock.roll else _ORDERS[stock.order]
    return stock.name, paper, str(stock.count), str(stock.size), order, joined("; ", (title, *remarks))
