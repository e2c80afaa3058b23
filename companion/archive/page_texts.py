"""The texts of games' pages as sources for the registry: those stored in an archive, and files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.archive.errors import ArchiveError
from companion.archive.storage import lists
from companion.archive.storage.entries import PageKept, draft
from companion.archive.storage.lists import page_stream
from companion.archive.storage.rows import PageRow
from companion.games import registry
from companion.games.described import load
from companion.tabletop.action import NotationError
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from collections.abc import Callable
    from weakref import WeakMethod

    from companion.archive.storage.entries import NewEntry
    from companion.archive.storage.transaction import Transaction
    from companion.archive.store import Store


class KeptPages:
    """The pages stored in an archive; `find_store` opens it on first use, and never creates one.

    If the archive is gone, or cannot be opened or read, there are no pages: a lost page must not block anything else.
    """

    def __init__(self, find_store: WeakMethod[Callable[[], Store | None]]) -> None:
        self._find_store = find_store

    def _store(self) -> Store | None:
        find = self._find_store()
        return find() if find else None

    def text(self, name: str, page: str) -> str | None:
        """Return the text of a page by its digest, or, without one, of the present edition of a game that was added.

        An edition that only came with a deck or a session is used if this program has no page of that name.
        """
        if not page and registry.is_path(name):
            return None
        try:
            if (store := self._store()) is None:
                return None
            with store.reading() as transaction:
                if not page:
                    row = present_edition(transaction.pages_named(name))
                    if row is None or not (row.listed or name not in registry.ready_names()):
                        return None
                    page = row.page
                return read_text(transaction, page)
        except (ArchiveError, NotationError):
            return None

    def names(self) -> Iterable[str]:
        """Return the names of the games that were added, or that came with decks or sessions."""
        try:
            if (store := self._store()) is None:
                return ()
            with store.reading() as transaction:
                return [row.name for row in transaction.rows(PageRow) if not row.withdrawn]
        except ArchiveError:
            return ()


def read_text(transaction: Transaction, page: str) -> str | None:
    """Return the text of a page; None if it is not here. Raises ArchiveError if it is damaged."""
    entries = transaction.read(page_stream(page))
    return lists.page_text(page, entries) if entries else None


def present_edition(rows: Iterable[PageRow]) -> PageRow | None:
    """Return which of the pages of one name opens the next table.

    That is the latest edition that was added and not withdrawn, else the latest that came with a deck or session.
    """
    offered = [row for row in rows if not row.withdrawn]
    return max(offered, key=lambda row: (row.listed, row.edition, row.added), default=None)


def identity(word: str, author: str, title: str) -> tuple[str, str, str]:
    """Return what all editions of a game have in common: its own name and its author; without an author, the title."""
    return word, lists.fold(author), "" if author else lists.fold(title)


def editions_of(transaction: Transaction, page: str) -> tuple[str, ...]:
    """Return the digests of all editions here of the game on a page, its own included."""
    text = load.text_of(page) or read_text(transaction, page)
    if text is None:
        return (page,)
    own = load.headline(text)
    its = identity(own.name, own.by, own.title)
    rows = transaction.rows(PageRow)
    return (page, *(row.page for row in rows if identity(row.word, row.author, row.title) == its))


def entries_to_keep(transaction: Transaction, name: str, page: str) -> Sequence[NewEntry]:
    """Return the entries that store a page here, for a game of this name; none if it is stored, or its text is lost."""
    text = load.text_of(page) if page else None
    if text is None or transaction.length(page_stream(page)):
        return ()
    own = load.headline(text).name
    # A homebrew's game is a program, and the homebrew is called by its own word.
    return [draft(PageKept(text, "" if own == name or load.base_of(text) else name))]


class PageFiles:
    """Pages as files, by their paths."""

    def text(self, name: str, page: str) -> str | None:
        """Return the text of the page at a path; None if `name` is no path.

        Raises NotationError if no page can be read there.
        """
        return None if page or not registry.is_path(name) else read_file(Path(name))

    def names(self) -> Iterable[str]:
        """Return no names: files are not searched for."""
        return ()


_END: Final = ".toml"


def read_file(path: Path) -> str:
    """Return the text of a page's file. Raises NotationError if it is not one."""
    if path.suffix.lower() != _END:
        raise NotationError(
            phrase("“{path}” is not a page: the file of a game's page ends in {end}.", path=path, end=_END)
        )
    try:
        with path.open("rb") as file:
            content = file.read(load.MAX_BYTES + 1)
    except OSError as error:
        raise NotationError(
            phrase("“{path}” describes no game: there is no such file.", path=path)
            if isinstance(error, FileNotFoundError)
            else phrase("“{path}” describes no game: it cannot be read.", path=path)
        ) from error
    if len(content) > load.MAX_BYTES:
        raise NotationError(
            phrase(
                "“{path}” has more than {size} KiB; no game's page is that long.",
                path=path,
                size=load.MAX_BYTES // 1024,
            )
        )
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise NotationError(phrase("“{path}” is not UTF-8 text; save it as UTF-8.", path=path)) from None
