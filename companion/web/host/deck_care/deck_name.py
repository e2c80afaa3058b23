"""The page that renames a deck."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import ArchiveError, deck_records
from companion.forms import settings
from companion.printing import order
from companion.tabletop.action import RuleError
from companion.tabletop.records import Reason
from companion.web.host.deck_care.versions import find_deck_row
from companion.web.host.decks import DECKS_PATH
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from templates.languages.messages import Text, joined, phrase

NAME_PATH: Final = "/host/deck-name"


class DeckNameRoutes:
    """The form with a deck's name."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(NAME_PATH, pages.require_host(self.show)),
            Route(NAME_PATH, pages.require_host(self.rename), methods=["POST"]),
        ]

    async def show(self, request: Request, host: Host) -> Response:
        """Show the name of a deck, to change it."""
        return await run_in_threadpool(self._show_form, request.query_params.get("deck", ""), host)

    def _show_form(
        self, deck: str, host: Host, typed: str = "", wrong: Text = "", status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        row = find_deck_row(self._pages.archive, deck)
        return self._pages.render_host(
            "host/deck_name.html", host, here=DECKS_PATH, status=status, row=row, typed=typed or row.name, wrong=wrong
        )

    async def rename(self, request: Request, host: Host) -> Response:
        """Rename a deck."""
        fields = await self._pages.read_host_form(request, host)
        return await run_in_threadpool(self._rename, fields.get("deck", ""), fields.get("name", ""), host)

    def _rename(self, deck: str, name: str, host: Host) -> Response:
        archive = self._pages.archive
        row = find_deck_row(archive, deck)
        try:
            deck_records.rename_deck(archive, row.deck, name, Reason("renamed"))
        except (ArchiveError, RuleError) as error:
            return self._show_form(deck, host, name, error.message, HTTPStatus.CONFLICT)
        renamed = archive.find_deck(row.deck).name
        refusal = order.box_refusal(renamed, settings.read_settings().stock)
        message = phrase("{name} is called {renamed} now.", name=row.name, renamed=renamed)
        self._pages.door.leave_message(host.id, joined(" ", filter(None, (message, refusal))))
        return redirect(f"/d/{row.deck}")
