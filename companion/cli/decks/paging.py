"""How much of a long list is printed: on a terminal its first page, elsewhere all of it, and what was asked for.

Separate because a pipe or a file wants every row, while nobody reads 20,000 of them on a screen.
"""

import functools
import sys
from collections.abc import Callable, Sized
from typing import Any, NamedTuple

import click

from companion.archive.lists import PAGE
from companion.cli.common import Misused, Refused

_MOST = click.IntRange(1, 1_000_000)


class PageOptions(NamedTuple):
    """Which page is asked for, from 1 on, and how many rows it has; a `limit` of None is the whole list."""

    page: int
    limit: int | None

    @property
    def at(self) -> int:
        """The number of the first row, from 0."""
        return (self.page - 1) * (self.limit or 0)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--page`, `--limit` and `--all`; the command gets what they say as `asked`. Stands above `json_option`."""

    @click.option("--page", type=_MOST, metavar="N", help="That page of the list.")
    @click.option("--limit", type=_MOST, metavar="N", help=f"So many a page; {PAGE} if not said.")
    @click.option("--all", "whole", is_flag=True, help="The whole list, also on a terminal.")
    @functools.wraps(command)
    def paged(*, page: int | None, limit: int | None, whole: bool, **given: Any) -> Any:
        if whole and (page or limit):
            raise Misused("--all is the whole list; leave out --page and --limit, or --all.")
        some = page or limit or not (whole or given["as_json"] or not sys.stdout.isatty())
        return command(asked=PageOptions(page or 1, (limit or PAGE) if some else None), **given)

    return paged


def tell_the_rest(asked: PageOptions, shown: Sized, total: int, things: str) -> None:
    """Says on stderr which rows were shown, and how to see the others. Raises Refused for a page past the end."""
    if not shown and total:
        last = -(-total // (asked.limit or total))
        raise Refused(f"There is no page {asked.page}: of {asked.limit} {things} each, page {last} is the last.")
    last = asked.at + len(shown)
    if last < total or asked.at:
        more = f"; --page {asked.page + 1} shows the next" if last < total else ""
        click.echo(f"{asked.at + 1:,} to {last:,} of {total:,} {things}{more}, --all all of them.", err=True)
