"""The list of games that have a page: those of the host and the ready ones, found by words, and new ones to begin."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import ArchiveError
from companion.archive.exchange import pages as kept_pages
from companion.forms.page_editor import PageEditor
from companion.games import registry
from companion.games.game_search import find_games
from companion.games.listing import ListedGame
from companion.session.table import game_pages
from companion.tabletop.action import NotationError
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from companion.web.sharing.games import describe_kept
from templates.languages.messages import Text

HOST_GAMES_PATH: Final = "/host/games"
GAME_FORM_PATH: Final = "/host/new-game"
"""The form that describes a game by a few answers."""
_MAX_QUERY: Final = 200
MAX_NAME: Final = 80
"""The most letters of a word for a game that are read."""


class GameRow(NamedTuple):
    """A game in the list: where its page is opened, what is said of it, and what it asks and keeps."""

    path: str
    title: Text
    about: Text
    suits: Text
    keeps: tuple[Text, ...]


class GameList(NamedTuple):
    """The games that match; `unsaved` are pages that were begun. `has_all_words` is as in `GameMatches`."""

    own: tuple[GameRow, ...]
    ready: tuple[GameRow, ...]
    unsaved: tuple[str, ...]
    has_all_words: bool


class HostGameRoutes:
    """The list of games, and the form that begins a page."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._editor = PageEditor(pages.archive)
        self.routes = [
            Route(HOST_GAMES_PATH, pages.require_host(self.list)),
            Route(HOST_GAMES_PATH, pages.require_host(self.begin), methods=["POST"]),
        ]

    async def list(self, request: Request, host: Host) -> Response:
        """List the games, or those that match the words of a search."""
        return await self._render(host, request.query_params.get("q", "")[:_MAX_QUERY].strip())

    async def begin(self, request: Request, host: Host) -> Response:
        """Begin a page with the template, and open it."""
        fields = await self._pages.read_host_form(request, host)
        name = fields.get("name", "").strip()[:MAX_NAME]
        try:
            await run_in_threadpool(self._editor.begin, name)
        except (NotationError, ArchiveError) as error:
            return await self._render(host, "", name, error.message)
        return redirect(page_path(name))

    async def _render(self, host: Host, query: str, name: str = "", refused: Text = "") -> Response:
        listed = await run_in_threadpool(self._list_games, query)
        return self._pages.render_host(
            "host/games.html",
            host,
            here=HOST_GAMES_PATH,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK,
            games=listed,
            query=query,
            name=name,
            refused=refused,
        )

    def _list_games(self, query: str) -> GameList:
        described = [each for each in game_pages.all_games(self._pages.archive) if each.origin != "program"]
        matches = find_games(described, query)
        rows = [(each.origin == "ready", self._make_row(each)) for each in matches.games]
        return GameList(
            tuple(row for is_ready, row in rows if not is_ready),
            tuple(row for is_ready, row in rows if is_ready),
            () if query else tuple(self._editor.list_unsaved()),
            matches.has_all_words,
        )

    def _make_row(self, game: ListedGame) -> GameRow:
        row = None if game.origin == "ready" else kept_pages.find_present(self._pages.archive, game.name)
        text = kept_pages.text_of(self._pages.archive, row.page) if row else registry.ready_text(game.name) or ""
        # A homebrew is no page of a game; it is shown as phones show it.
        path = f"/g/{row.page}" if row and game.origin == "homebrew" else page_path(game.name)
        return GameRow(path, game.title, game.about, game.suits, describe_kept(text) if text else ())


def page_path(name: str) -> str:
    """Return the path at which the page of a game is edited."""
    return f"{HOST_GAMES_PATH}/{name}"
