"""The way in: the PIN, asked for once a phone and an evening."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.tabletop.action import NotationError
from companion.tabletop.text import as_name
from companion.web import templates
from companion.web.pages import WAY_ON, Pages, go, message
from companion.web.visitor import Visitor, form, visitor

_LONGEST_NAME: Final = 40


class ComingIn:
    """The pages for those who are not in yet."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.routes = [Route("/pin", self.ask), Route("/pin", self.knock, methods=["POST"])]

    async def ask(self, request: Request) -> Response:
        """The form for the PIN."""
        who = await visitor(request, self._pages.phones)
        return go("/") if who.is_in else self._form(who, request.query_params.get("to", ""))

    async def knock(self, request: Request) -> Response:
        """Let a phone in whose owner knows the PIN."""
        phones = self._pages.phones
        who = await visitor(request, phones)
        said = await form(request, who)
        if who.phone is not None:
            return go("/pin")
        to, name = said.get("to", ""), said.get("name", "")[:_LONGEST_NAME]
        try:
            name = _as_name(name)
        except NotationError as error:
            return self._form(who, to, str(error))
        knock = await run_in_threadpool(phones.knock, request.scope["address"], said.get("pin", "").strip())
        if not knock.right:
            return self._form(who, to, _wrong(knock.wait), name, knock.wait)
        phone = await run_in_threadpool(phones.let_in, name)
        response = go(to if WAY_ON.fullmatch(to) else "/")
        # A new id: whoever may have seen or set the one before has nothing of it.
        Visitor(phone.phone, phones.doors.key, phone).mark(response, secret=self._pages.place.is_secret)
        return response

    def _form(self, who: Visitor, to: str, wrong: str = "", name: str = "", wait: int = 0) -> Response:
        if who.phone is not None and who.phone.away:
            text = "The host has sent this phone away. Ask at the table, if that is a mistake."
            return message("Not now", text, HTTPStatus.FORBIDDEN)
        status = HTTPStatus.TOO_MANY_REQUESTS if wait else HTTPStatus.FORBIDDEN if wrong else HTTPStatus.OK
        page = templates.page(
            "pin.html", token=who.token, to=to if WAY_ON.fullmatch(to) else "", wrong=wrong, name=name
        )
        response = HTMLResponse(page, status, {"retry-after": str(wait)} if wait else None)
        who.mark(response, secret=self._pages.place.is_secret)
        return response


def _as_name(text: str) -> str:
    """What somebody shall be called. Raises NotationError."""
    name = as_name(text, "Your name")
    if "@" in name:
        raise NotationError("Your name holds an @, by which the log knows hosts; leave it out.")
    return name


def _wrong(wait: int) -> str:
    if not wait:
        return "That is not the PIN; look at the host’s screen again."
    minutes = -(-wait // 60)
    return f"Too many wrong PINs; try again in {f'{wait} seconds' if wait <= 60 else f'{minutes} minutes'}."
