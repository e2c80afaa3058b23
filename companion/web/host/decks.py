"""The host's pages of decks: the list, and the forms that build a deck or adopt one from paper."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, Unknown, deck_id
from companion.forms.decks.deck_forms import LabelledDeckForm, NewDeck, new_deck_forms
from companion.games import registry
from companion.scan import PictureError
from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import Fillable, FormResult
from companion.statistics import deck_history
from companion.tabletop.decks.form import Values
from companion.web.decks import list_decks
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from companion.web.sharing.forms import read_parts
from labels.errors import LabelError
from templates.languages.messages import phrase

DECKS_PATH: Final = "/host/decks"
PHOTOGRAPH_PATH: Final = "/host/adopt/photo"


class DecksRoutes:
    """The list of all decks, with the ways to new ones."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(DECKS_PATH, pages.require_host(self.decks)),
            Route(f"{DECKS_PATH}/{{deck}}/history.{{kind:str}}", pages.require_host(self.history)),
        ]

    async def decks(self, request: Request, host: Host) -> Response:
        """List the decks by name, or those that match a search."""
        decks = await list_decks(request, self._pages.archive)
        if isinstance(decks, Response):
            return decks
        return self._pages.render_host("host/decks.html", host, here=DECKS_PATH, **decks._asdict())

    async def history(self, request: Request, _: Host) -> Response:
        """Send the history of a deck as data, or as a table for spreadsheets."""
        deck, kind = request.path_params["deck"], request.path_params["kind"]
        if kind not in _HISTORY_KINDS:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            content = await run_in_threadpool(_write_history, self._pages.archive, deck, kind)
        except (Unknown, deck_id.DeckIdError):
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        headers = {"content-disposition": f'attachment; filename="{deck}-history.{kind}"'}
        return Response(content, media_type=_HISTORY_KINDS[kind], headers=headers)


_HISTORY_KINDS: Final[Mapping[str, str]] = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
"""The files that a history can be, with their media types."""


def _write_history(archive: Archive, deck: str, kind: str) -> bytes:
    """Return the history of a deck. Raises Unknown, ArchiveError."""
    row = archive.find_deck(deck)
    if kind == "csv":
        return deck_history.history_csv(archive, row).encode()
    plain = msgspec.json.encode(deck_history.plain_history(archive, row), enc_hook=str)
    return msgspec.json.format(plain, indent=2) + b"\n"


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
    """The form that adopts a deck from its paper; a photograph of the spread deck fills in its labels."""

    template = "host/adopt.html"
    path = "/host/adopt"
    draft_name = "Adopt"
    title = phrase("Adopt a deck")
    how = "Adopt"

    def __init__(self, pages: HostPages) -> None:
        super().__init__(pages)
        self._reading = threading.Lock()
        self.routes.append(Route(PHOTOGRAPH_PATH, pages.require_host(self.fill_in), methods=["POST"]))

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return whether the form can be filled in from a photograph."""
        form = filled.form
        takes = isinstance(form, LabelledDeckForm) and form.takes_photographs
        return {"takes_photographs": takes, "photograph_path": PHOTOGRAPH_PATH}

    async def fill_in(self, request: Request, host: Host) -> Response:
        """Fill in the labels in a photograph that was sent."""
        parts = read_parts(await request.body())
        self._pages.check_token(host, parts.get("token", b"").decode("latin-1"))
        game = parts.get("game", b"").decode(errors="replace")
        return await run_in_threadpool(self._fill_in, game, parts.get("picture", b""), host)

    def _fill_in(self, game: str, picture: bytes, host: Host) -> Response:
        if game not in {each.name for each in self.list_games(game)}:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        filled, _ = self.read_draft(game)
        form = filled.form
        if not isinstance(form, LabelledDeckForm) or not form.takes_photographs:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            answers = self._read_picture(form, filled, picture)
        except (PictureError, LabelError) as error:
            self._pages.door.leave_message(host.id, str(error))
            return redirect(self.find_path(game))
        if answers == filled.values:
            text = phrase("No label with a code was found. Lay the cards side by side in good light, and try again.")
        else:
            text = phrase("The labels from the photograph are filled in; add the rest.")
            with self._lock:
                self.remember_visit(host, game)
            self.keep_answers(game, FilledForm(form, Answers(filled.answers.fields, answers)))
        self._pages.door.leave_message(host.id, text)
        return redirect(self.find_path(game))

    def _read_picture(self, form: LabelledDeckForm, filled: FilledForm, picture: bytes) -> Values:
        """Return the answers completed from a picture, one after the other. Raises PictureError or LabelError."""
        if not picture:
            raise PictureError(str(phrase("Choose a photograph first.")))
        with self._reading, TemporaryDirectory(prefix="companion-") as folder:
            file = Path(folder) / "picture"
            file.write_bytes(picture)
            return form.read_photograph(filled.values, file, str(phrase("The picture")))
