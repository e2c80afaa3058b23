"""The host's home page: the tables that wait, what is to be done by hand, and the last evening."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, SessionRow, stationery
from companion.archive.deck_records import OpenChores
from companion.archive.overview import PlayedDeck, read_overview
from companion.archive.sharing import deck_decisions
from companion.archive.storage.rows import SheetRow, describe_game_result
from companion.games import registry
from companion.web.host.door import HOST_PATH
from companion.web.host.frame import Host, HostPages
from templates.languages.dates import numeric_date, time_ago
from templates.languages.messages import Text, joined, phrase

_MAX_TABLES: Final = 12
"""The most open tables that are listed; `/tables` lists more."""


class ListedTable(NamedTuple):
    """An open table: its title, its game if that is not the title, its state, and when it was changed."""

    session: str
    title: str
    game: Text
    state: Text
    when: Text
    needs_seal: bool


class LastGame(NamedTuple):
    """The last game that is over: its title, its result without a full stop, and what happened to its decks."""

    session: str
    title: str
    result: Text
    when: Text
    has_card: bool
    decks: tuple[PlayedDeck, ...]


class HomeView(NamedTuple):
    """The content of the home page. `due_decks` is the number of decks with chores, of which `due` are shown;
    `open_questions` are about decks that went on at another device as well. `loss` says that the archive is older than
    this computer last saw it; "" if it is not.
    """

    tables: tuple[ListedTable, ...]
    last: LastGame | None
    due: tuple[OpenChores, ...]
    due_decks: int
    waiting: tuple[SheetRow, ...]
    """The sheets of which nobody has said how they came out."""
    open_questions: int
    loss: Text


class HomeRoutes:
    """The home page."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [Route(HOST_PATH, pages.require_host(self.home))]

    async def home(self, _: Request, host: Host) -> Response:
        """Show what waits, what is due, and the last evening."""
        view = await run_in_threadpool(read_home, self._pages.archive)
        return self._pages.render_host("host/home.html", host, here=HOST_PATH, view=view)


def read_home(archive: Archive) -> HomeView:
    """Read the content of the home page. Raises ArchiveError."""
    overview, now = read_overview(archive), archive.now()
    rows = sorted(archive.page_of_sessions().rows, key=lambda row: not row.needs_seal)
    tables = (row for row in rows if not row.is_closed)
    return HomeView(
        tuple(_list_tables(tables, now))[:_MAX_TABLES],
        _describe_last(overview.last, overview.decks, now) if overview.last else None,
        overview.due,
        overview.due_decks,
        stationery.list_waiting_sheets(archive),
        deck_decisions.count_questions(archive),
        archive.store.loss_reason,
    )


def _list_tables(rows: Iterator[SessionRow], now: datetime) -> Iterator[ListedTable]:
    for row in rows:
        game = registry.title(row.game, row.page)
        states: list[Text] = [row.where or phrase("not begun")]
        states += [phrase("not sealed yet")] if row.needs_seal else []
        title = row.title or str(game)
        yield ListedTable(
            row.session,
            title,
            game if row.title else "",
            joined(" · ", states),
            joined(", ", (numeric_date(row.changed), time_ago(row.changed, now))),
            row.needs_seal,
        )


def _describe_last(row: SessionRow, decks: tuple[PlayedDeck, ...], now: datetime) -> LastGame:
    title = row.title or str(registry.title(row.game, row.page))
    return LastGame(
        row.session,
        title,
        describe_game_result(row),
        time_ago(row.changed, now),
        row.is_closed,
        tuple(deck for deck in decks if deck.sentence),
    )
