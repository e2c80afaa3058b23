"""`companion labels stocks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.common import any_archive_option, end_refused, json_option, print_json, print_table, sanitize
from companion.cli.printing import options
from companion.cli.printing.options import translate_label_errors
from companion.printing.run import known_stocks
from labels.designs import has_room
from labels.geometry import parse_size
from labels.paper.stocks import find_by_size

if TYPE_CHECKING:
    from labels.geometry import Paper
    from labels.paper.stocks import Stock


_ALIASES = 6
"""The number of other names of a stock in a list; there can be forty."""


@click.command("stocks")
@click.option("--like", metavar="SIZE", help="Those whose labels have this size, as 70x36mm, 2.625x1in or 40mm.")
@click.option("--paper", type=options.PaperType(), metavar="SIZE", help="Those on this paper: letter, a4 or a size.")
@any_archive_option
@json_option
def command(like: str | None, paper: Paper | None, as_json: bool) -> None:
    """The label stocks that are known, or those that are like a sheet in your hand.

    Measure one of its labels with a ruler and give --like: what differs by no more than 2 mm is listed, the best first.
    A stock of your own is a TOML file, in the folder table-companion/stocks where programs keep their configuration;
    docs/printing.md shows one. A file that is wrong is named, and the others are listed all the same.

    \b
    Example: companion labels stocks --like 70x36mm --paper a4
    """
    stocks, broken = known_stocks()
    listed = [stock for stock in stocks if paper is None or (not stock.roll and stock.paper.fits(paper))]
    with translate_label_errors():
        listed = listed if like is None else find_by_size(parse_size(like), listed)
    if as_json:
        print_json([{**msgspec.to_builtins(stock), "count": stock.count} for stock in listed])
    elif listed:
        print_table(("", "PAPER", "LABELS", "EACH", "COUNTED", ""), [_stock_cells(stock) for stock in listed])
    if broken or not (listed or as_json):
        on = "" if paper is None else f" on {paper.title} paper"
        size = "" if like is None else f" of {sanitize(like)}"
        nothing = f"No stock has labels{size}{on}; docs/printing.md shows how to describe one of your own."
        end_refused([*(() if listed or as_json else (nothing,)), *(each.reason for each in broken)])


def _stock_cells(stock: Stock) -> tuple[str, ...]:
    names = ", ".join(stock.aliases[:_ALIASES]) + (", …" if len(stock.aliases) > _ALIASES else "")
    also = f" (also {names})" if names else ""
    paper, order = ("roll", "") if stock.roll else (stock.paper.title, stock.order)
    without = "" if has_room(stock.room(1)) else "; too small for box labels"
    unsure = "" if stock.confirmed else "; not confirmed, try it first"
    return stock.name, paper, str(stock.count), stock.size, order, f"{stock.title}{also}{without}{unsure}"
