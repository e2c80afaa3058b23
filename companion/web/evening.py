"""The evening's card on phones: a page, and the same as a picture or PDF to keep or send."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive
from companion.printing.evening_page import write_card
from companion.session.core.session import Session
from companion.session.reports import evening_cards
from companion.statistics.plays import bgstats_link, read_plays
from companion.tabletop.action import RuleError
from companion.tabletop.evening import EveningCard
from companion.web import templates
from companion.web.pages import WebPages, message_page, redirect
from companion.web.tables import find_audience
from companion.web.visitor import Visitor
from templates.languages.messages import current_language, phrase, phrase_in

_TYPES = {"png": "image/png", "pdf": "application/pdf"}


class EveningRoutes:
    """The pages of a table's card, for everyone who may see the table."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        # One at a time: a picture takes a second of computing, and the table's own pages continue meanwhile.
        self._drawing = asyncio.Lock()
        self.routes = [
            Route("/t/{session}/card", pages.require_login(self.card)),
            Route("/t/{session}/card.{kind:str}", pages.require_login(self.file)),
        ]

    async def card(self, request: Request, who: Visitor) -> Response:
        """Render the card as a page."""
        session = request.path_params["session"]

        def render(card: EveningCard) -> Response:
            link = next(map(bgstats_link, read_plays(self._pages.archive, session)), "")
            return HTMLResponse(templates.render("card.html", card=card, session=session, bgstats=link))

        return await self._with_card(request, who, render)

    async def file(self, request: Request, who: Visitor) -> Response:
        """Send the card as a file to download."""
        kind = request.path_params["kind"]
        if kind not in _TYPES:
            return message_page(
                phrase("No such file"), phrase("A card can be saved as a picture or as a PDF."), HTTPStatus.NOT_FOUND
            )
        headers = {"content-disposition": _name_download(kind)}
        async with self._drawing:
            return await self._with_card(
                request,
                who,
                lambda card: Response(
                    _draw(card, kind, current_language().code), media_type=_TYPES[kind], headers=headers
                ),
            )

    async def _with_card(self, request: Request, who: Visitor, respond: Callable[[EveningCard], Response]) -> Response:
        """Respond with a card in a worker thread, or with an error page if there is none."""
        table = await self._pages.find_table(request)
        if find_audience(self._pages.phones, who.id, table.live.session.id) is None:
            return redirect("/pin")
        try:
            return await run_in_threadpool(lambda: respond(_read_card(self._pages.archive, table.live.session)))
        except RuleError as error:
            return message_page(phrase("No card yet"), str(error), HTTPStatus.NOT_FOUND)


def _name_download(kind: str) -> str:
    """Return the header that names a file in the reader's language, with an English name for letters beyond ASCII."""
    # Translators: The name of the file with the card of an evening; one word, without its ending.
    name = str(phrase_in("file name", "evening"))
    if name.isascii():
        return f'attachment; filename="{name}.{kind}"'
    return f"attachment; filename=\"evening.{kind}\"; filename*=UTF-8''{quote(name)}.{kind}"


def _read_card(archive: Archive, session: Session) -> EveningCard:
    row = archive.find_session(session.id)
    kept = evening_cards.present_stored(archive, row) if row.sealed else None
    return (kept or evening_cards.present_session(archive, session)).card


@lru_cache(maxsize=8)
def _draw(card: EveningCard, kind: str, language: str) -> bytes:  # noqa: ARG001 – it tells drawings apart
    """Draw a card in the current language, whose code is `language`."""
    return write_card(card, kind)
