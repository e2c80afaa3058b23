"""`companion game list`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from companion.archive.exchange import pages
from companion.cli.common import archive_option, json_option, open_archive, print_list
from companion.cli.pages import origin
from companion.games import listing, registry
from companion.games.described import load
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.archive import Archive


class _GameRow(NamedTuple):
    """A game in the list; `origin` describes its source, `page` is the digest of its page."""

    name: str
    title: str
    origin: Text
    author: str
    edition: int
    decks: int
    sessions: int
    page: str
    suits: Text = ""


@click.command("list")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List all games: built-in games, ready pages, and the pages that you added, with their editions.

    \b
    Example: companion game list
    """
    with open_archive(archive, scratch=not archive) as opened:
        rows = tuple(_list_games(opened))
    headings = (
        phrase("Game"),
        phrase("Title"),
        phrase("From"),
        phrase("By"),
        phrase("Edition"),
        phrase("Decks"),
        phrase("Sessions"),
        # Translators: The heading of the well-known games that a page suits.
        phrase("Suits"),
    )
    print_list(
        rows, headings, _row_cells, phrase("There is no game."), as_json=as_json, plain=lambda row: row._asdict()
    )


def _row_cells(row: _GameRow) -> tuple[Text, ...]:
    figures = (str(figure) if figure else "" for figure in (row.edition if row.page else 0, row.decks, row.sessions))
    return (row.name, _title(row), row.origin, row.author, *figures, row.suits)


def _title(row: _GameRow) -> Text:
    """Return the title of a game in the reader's language, if its page has a translation; programs read the other."""
    text = registry.ready_text(row.name) if row.page else None
    is_ready = text is not None and load.digest_of(text) == row.page
    return listing.head_of(text, row.name).title if text is not None and is_ready else row.title


def _list_games(archive: Archive) -> Iterator[_GameRow]:
    """Yield all games, with their numbers of decks and sessions."""
    counts, kept = pages.uses(archive), pages.pages(archive)
    here = {row.page for row in kept}
    for name in registry.GAMES:
        yield _GameRow(name, str(registry.title(name)), phrase("a program"), "", 1, *counts.get((name, ""), (0, 0)), "")
    for name in registry.ready_names():
        text = registry.ready_text(name) or ""
        page, own = load.digest_of(text), load.headline(text)
        decks, sessions = pages.count_uses(counts, page)
        suits = listing.head_of(text, name).suits
        yield _GameRow(name, own.title, phrase("a ready page"), own.by, own.edition, decks, sessions, page, suits)
        here.discard(page)
    for row in kept:
        if row.page in here:
            decks, sessions = pages.count_uses(counts, row.page)
            suits = listing.head_of(pages.text_of(archive, row.page), row.name).suits
            yield _GameRow(row.name, row.title, origin(row), row.author, row.edition, decks, sessions, row.page, suits)
