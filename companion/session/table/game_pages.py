"""Games described by users, for screens: list them, and add a new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.archive import Archive
from companion.archive.exchange import pages
from companion.games import listing, registry
from companion.games.described import load
from companion.games.listing import ListedGame
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import joined

if TYPE_CHECKING:
    from companion.archive.storage.rows import PageRow
    from companion.games.described.page.description import Description


def added_games(archive: Archive) -> tuple[ListedGame, ...]:
    """Return the games and homebrews added to this archive, sorted by title. Raises ArchiveError."""
    rows = (row for row in pages.pages(archive) if row.listed and not row.withdrawn)
    named = {row.name: row for row in sorted(rows, key=lambda row: (row.edition, row.added))}
    listed = (_list_row(row, pages.text_of(archive, row.page)) for row in named.values())
    return tuple(sorted(listed, key=lambda each: alphabetical_key(str(each.title))))


def _list_row(row: PageRow, text: str) -> ListedGame:
    """Return a game with the description on its page, or a homebrew with the title of its base game."""
    if base := load.base_of(text):
        return ListedGame(row.name, joined(": ", (registry.title(base), row.title)), "", "homebrew")
    head = listing.head_of(text, row.name)
    return head._replace(name=row.name, origin="added")


def all_games(archive: Archive) -> Iterator[ListedGame]:
    """Yield all games: programs first, then the user's own, then those described on bundled pages.

    Raises ArchiveError.
    """
    own = added_games(archive)
    names = {each.name for each in own}
    yield from listing.programs()
    yield from own
    yield from (each for each in listing.ready() if each.name not in names)


def description_of(name: str) -> Description:
    """Return the description on the page of a game. Raises NotationError."""
    game = registry.game(name)
    description: Description = game.description  # type: ignore[attr-defined]
    return description


def keep_page(archive: Archive, text: str) -> str:
    """Add a game by the text of its page; return the word after `table`. Raises NotationError or ArchiveError."""
    return pages.add_page(archive, text).present.name
