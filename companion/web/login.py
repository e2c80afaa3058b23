"""The login: the PIN, asked for once a phone and an evening."""

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
from companion.web.pages import RETURN_PATH, Pages, message_page, redirect
from companion.web.visitor import Visitor, find_visitor, read_form

_MAX_NAME: Final = 40


class LoginRoutes:
    """The pages for phones that were not let in yet."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.routes = [Route("/pin", self.show_form), Route("/pin", self.log_in, methods=["POST"])]

    async def show_form(self, request: Request) -> Response:
        """The form for the PIN."""
        who = await find_visitor(request, self._pages.phones)
        return redirect("/") if who.is_admitted else self._form(who, request.query_params.get("to", ""))

    async def log_in(self, request: Request) -> Response:
        """Let a phone in that sends the right PIN."""
        phones = self._pages.phones
        who = await find_visitor(request, phones)
        fields = await read_form(request, who)
        if who.phone is not None:
            return redirect("/pin")
        target, name = fields.get("to", ""), fields.get("name", "")[:_MAX_NAME]
        try:
            name = _check_name(name)
        except NotationError as error:
            return self._form(who, target, str(error))
        attempt = await run_in_threadpool(phones.knock, request.scope["address"], fields.get("pin", "").strip())
        if not attempt.right:
            return self._form(who, target, _describe_wrong_pin(attempt.wait), name, attempt.wait)
        phone = await run_in_threadpool(phones.let_in, name)
        response = redirect(target if RETURN_PATH.fullmatch(target) else "/")
        # A new id, so that whoever saw or set the one before gains nothing by it.
        Visitor(phone.phone, phones.doors.key, phone).set_cookie(response, secure=self._pages.site.is_encrypted)
        return response

    def _form(self, who: Visitor, target: str, wrong: str = "", name: str = "", wait: int = 0) -> Response:
        if who.phone is not None and who.phone.away:
            text = "The host has sent this phone away. Ask at the table, if that is a mistake."
            return message_page("Not now", text, HTTPStatus.FORBIDDEN)
        status = HTTPStatus.TOO_MANY_REQUESTS if wait else HTTPStatus.FORBIDDEN if wrong else HTTPStatus.OK
        page = templates.render(
            "pin.html", token=who.token, to=target if RETURN_PATH.fullmatch(target) else "", wrong=wrong, name=name
        )
        response = HTMLResponse(page, status, {"retry-after": str(wait)} if wait else None)
        who.set_cookie(response, secure=self._pages.site.is_encrypted)
        return response


def _check_name(text: str) -> str:
    """A name as it is stored. Raises NotationError."""
    name = as_name(text, "Your name")
    if "@" in name:
        raise NotationError("Your name holds an @, by which the log knows hosts; leave it out.")
    return name


def _describe_wrong_pin(wait: int) -> str:
    if not wait:
        return "That is not the PIN; look at the host’s screen again."
    minutes = -(-wait // 60)
    return f"Too many wrong PINs; try again in {f'{wait} seconds' if wait <= 60 else f'{minutes} minutes'}."
