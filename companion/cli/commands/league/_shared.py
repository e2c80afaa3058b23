"""Shared parts of the commands of `companion league`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from companion.cli.common import (
    force_option,
    fresh_file,
    output_option,
    print_json,
    print_or_write,
    print_table,
    sanitize,
    tell_written,
)
from companion.cli.printing.options import PaperType
from companion.forms.plain_paper import plain_paper
from companion.league import display, season
from companion.league.league import UNPAIRED
from companion.league.season import Season
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from labels.geometry import Paper


def sheet_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `-o`, `--csv`, `--paper` and `--force`; the command gets `out`, `as_csv`, `paper` and `force`."""
    for option in (
        force_option,
        click.option(
            "--paper",
            type=PaperType(),
            metavar="PAPER",
            help="letter, a4, legal, a5, a6, card, or a size such as 148x210mm.",
        ),
        click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet."),
        output_option("File to write: a sheet to print, or CSV if the name ends in .csv."),
    ):
        command = option(command)
    return command


class Kinds(NamedTuple):
    """The forms of output: a table of rows, a PDF for a size of paper, and their title."""

    table: Callable[..., display.TableOfRows]
    draw: Callable[[tuple[float, float]], bytes]
    title: Text


def print_or_draw(
    read: Season, kinds: Kinds, out: Path | None, paper: Paper | None, *, as_csv: bool, force: bool
) -> None:
    """Print a table, or write it as CSV or as a sheet to print."""
    if as_csv or (out is not None and out.suffix == ".csv"):
        print_or_write(
            kinds.table(outside=True).as_csv(), out, phrase("{kinds} as CSV.", kinds=kinds.title), force=force
        )
    elif out is not None:
        with fresh_file(out, force=force) as draft:
            draft.write_bytes(kinds.draw(plain_paper(paper).size))
        tell_written(out, phrase("{kinds}, a sheet to print.", kinds=kinds.title))
    else:
        click.echo(sanitize(f"{read.row.name} · {kinds.title} · {display.describe_league(read)}"))
        table = kinds.table()
        print_table(table.headings, table.rows)


def result_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options shared by `enter` and `correct`: the match, and its exceptions."""
    for option in (
        click.option(
            "--round", "number", type=click.IntRange(0, 10_000), metavar="N", help="Round; default: the last one."
        ),
        click.option("--absent", metavar="PERSON", multiple=True, help="Person who did not come; can be repeated."),
        click.option("--draw", "level", is_flag=True, help="The match was a draw."),
        click.argument("result", nargs=-1, metavar="PERSON PERSON… [2-1]"),
        click.argument("league"),
    ):
        command = option(command)
    return command


def print_match(after: Season, people: Sequence[str], number: int | None, *, as_json: bool) -> None:
    """Print the result of a match, and the number of open matches in its round."""
    match = season.find_match(after, people, number)
    if as_json:
        print_json(display.plain_pairings(after, match.round))
        return
    where = display.round_title(after, match.round)
    ended = season.describe_result(after, match) or phrase("no result")
    click.echo(
        sanitize(
            phrase(
                "{where}, table {table}: {after}: {ended}.",
                where=where,
                table=match.table,
                after=display.pairing(after, match),
                ended=ended,
            )
        )
    )
    left = sum(other.is_open for other in after.league.round(match.round))
    if match.round != UNPAIRED:
        click.echo(
            phrase("{left} still open.", left=left)
            if left
            else phrase("All results of round {round} are in.", round=match.round)
        )


def print_change(after: Season, sentence: Text, *, as_json: bool) -> None:
    if as_json:
        print_json(display.plain_league(after))
    else:
        click.echo(sanitize(sentence))
