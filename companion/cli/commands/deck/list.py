"""`companion deck list`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
import msgspec

from companion.archive import DeckRow, deck_id, deck_records
from companion.cli import common
from companion.cli.common import (
    archive_option,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    print_table,
    sanitize,
)
from templates.languages.messages import all_of, declared, phrase


@click.command("list")
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    help="Only decks with this tag; if repeated, only decks with all of them.",
)
@common.page_options
@archive_option
@json_option
def command(tags: Sequence[str], page: common.PageOptions, archive: str | None, as_json: bool) -> None:
    """List all decks by name, page by page on a terminal.

    \b
    Examples: companion deck list
              companion deck list --tag league --all
    """
    tags = [deck_records.parse_tag(tag) for tag in tags]
    with open_archive(archive) as opened:
        decks = opened.page_of_decks("", page.at, page.limit, tags=tags)
    if as_json:
        print_json([_row_fields(row) for row in decks.rows])
    elif decks.total:
        _print_list(decks.rows)
        common.print_page_position(page, decks.rows, decks.total, phrase("decks"))
    elif tags:
        click.echo(sanitize(phrase("No deck is tagged {tags}. companion deck tag gives tags.", tags=all_of(tags))))
    else:
        click.echo(phrase("No decks yet. companion deck new --help tells how to build one."))


def _print_list(rows: Sequence[DeckRow]) -> None:
    """Print decks in columns, with one for the tags if any deck has one."""
    figures = {figure.name: figure.title for row in rows for figure in row.figures}
    tag_heading = (phrase("Tags"),) if any(row.tags for row in rows) else ()
    cells = [(*_row_cells(row, figures), *(", ".join(row.tags) for _ in tag_heading)) for row in rows]
    headings = (
        phrase("Name"),
        "ID",
        phrase("Game"),
        *map(declared, figures.values()),
        phrase("Holder"),
        phrase("Changed"),
        *tag_heading,
    )
    print_table(headings, cells)


def _row_fields(row: DeckRow) -> dict[str, object]:
    """Return a row for JSON: the figures of its game are keys like any other."""
    plain = msgspec.structs.asdict(row)
    del plain["figures"], plain["due"]
    return plain | {figure.name: figure.value for figure in row.figures}


def _row_cells(row: DeckRow, figures: Iterable[str]) -> tuple[str, ...]:
    """Return the cells of a row; a figure that its game does not have is empty."""
    name = str(phrase("{deck} (retired)", deck=row.name)) if row.retired else row.name
    values = {figure.name: str(figure.value) for figure in row.figures}
    return (
        name,
        deck_id.show(row.deck),
        row.game,
        *(values.get(figure, "") for figure in figures),
        row.holder,
        format_local_time(row.updated),
    )
