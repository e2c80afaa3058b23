"""The host's pages of decks: the list, and the forms that build a deck or adopt one from paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.forms.deck_forms import LabelledDeckForm, NewDeck, new_deck_forms
from companion.games import registry
from companion.session.table.form_filling import Fillable, FormResult
from companion.web.decks import list_decks
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.frame import Host, HostPages
from templates.languages.messages import phrase

DECKS_PATH = "/host/decks"


class DecksRoutes:
    """The list of all decks, with the ways to new ones."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [Route(DECKS_PATH, pages.require_host(self.decks))]

    async def decks(self, request: Request, host: Host) -> Response:
        """List the decks by name, or those that match a search."""
        decks = await list_decks(request, self._pages.archive)
        if isinstance(decks, Response):
            return decks
        return self._pages.render_host("host/decks.html", host, here=DECKS_PATH, **decks._asdict())


class _NewDeckPage(FormPage):
    """A form for a new deck; it leads to the page of the deck."""

    here = DECKS_PATH
    how: ClassVar[NewDeck]

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return the games with such a form."""
        return [OfferedGame(name, registry.title(name)) for name in new_deck_forms(self.archive, self.how)]

    def open_form(self, game: str) -> Fillable:
        """Return the form of a game."""
        form = new_deck_forms(self.archive, self.how)[game]
        return LabelledDeckForm(self.archive, registry.game(game), form, self.how)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the new deck's page."""
        return f"/d/{outcome.id}"


class BuildPage(_NewDeckPage):
    """The form that builds a deck."""

    path = "/host/build"
    draft_name = "Found"
    title = phrase("Build a deck")
    how = "Build"


class AdoptPage(_NewDeckPage):
    """The form that adopts a deck from its paper."""

    path = "/host/adopt"
    draft_name = "Adopt"
    title = phrase("Adopt a deck")
    how = "Adopt"
