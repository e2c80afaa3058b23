"""Passports of decks from other archives: the host takes a deck in from the one that a photograph shows."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import ArchiveError
from companion.scan import codes
from companion.web.pages import WebPages, message_page, redirect
from companion.web.templates import is_for_host
from companion.web.visitor import Visitor, read_form
from templates.languages.messages import phrase

PASSPORT_PATH: Final = "/scan/passport"
_MAX_TEXT: Final = 4000


class PassportRoutes:
    """The button that takes in the deck of a passport."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [Route(PASSPORT_PATH, pages.require_login(self.adopt), methods=["POST"])]

    async def adopt(self, request: Request, who: Visitor) -> Response:
        """Take in the deck of a passport, and show it. Phones may not, whatever else they may do."""
        fields = await read_form(request, who)
        if not is_for_host():
            text = phrase("Only the host takes in decks from passports.")
            return message_page(phrase("Not from this phone"), text, HTTPStatus.FORBIDDEN)
        code = codes.parse_typed(fields.get("code", "")[:_MAX_TEXT])
        if code.kind is not codes.CodeKind.PASSPORT:
            problem = code.problem or phrase("This is no passport of a deck.")
            return message_page(phrase("Not done"), problem, HTTPStatus.UNPROCESSABLE_ENTITY)
        try:
            match = await run_in_threadpool(codes.adopt, self._pages.archive, code)
        except ArchiveError as error:
            return message_page(phrase("Not done"), error.message, HTTPStatus.CONFLICT)
        if match.row is None:
            return message_page(phrase("Not done"), match.problem, HTTPStatus.CONFLICT)
        return redirect(f"/d/{match.row.deck}")
