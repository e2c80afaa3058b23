"""`companion homebrew list`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from companion.archive.exchange import pages
from companion.cli.common import archive_option, json_option, open_archive, print_list
from companion.cli.pages import origin
from companion.games.described import load
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.archive import Archive


class _HomebrewRow(NamedTuple):
    """A homebrew in the list; `game` is the one that it belongs to, `page` the digest of its text."""

    name: str
    title: str
    game: str
    origin: Text
    author: str
    edition: int
    decks: int
    sessions: int
    page: str


@click.command("list")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List the homebrews: those that you added and those that came with decks, with their editions.

    \b
    Example: companion homebrew list
    """
    with open_archive(archive, scratch=not archive) as opened:
        rows = tuple(_list_homebrews(opened))
    headings = (
        phrase("Homebrew"),
        phrase("Title"),
        phrase("Game"),
        phrase("From"),
        phrase("By"),
        phrase("Edition"),
        phrase("Decks"),
        phrase("Sessions"),
    )
    print_list(
        rows, headings, _row_cells, phrase("There is no homebrew."), as_json=as_json, plain=lambda row: row._asdict()
    )


def _row_cells(row: _HomebrewRow) -> tuple[Text, ...]:
    figures = (str(figure) if figure else "" for figure in (row.edition, row.decks, row.sessions))
    return (row.name, row.title, row.game, row.origin, row.author, *figures)


def _list_homebrews(archive: Archive) -> Iterator[_HomebrewRow]:
    counts = pages.uses(archive)
    for row in pages.pages(archive):
        if base := load.base_of(pages.text_of(archive, row.page)):
            decks, sessions = pages.count_uses(counts, row.page)
            yield _HomebrewRow(
                row.name, row.title, base, origin(row), row.author, row.edition, decks, sessions, row.page
            )
