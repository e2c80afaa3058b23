"""The login by PIN, once for each phone and evening."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive.web_access import Phone, SeatTaken
from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.text import as_name
from companion.web import templates
from companion.web.pages import RETURN_PATH, WebPages, message_page, redirect
from companion.web.phones import host_name
from companion.web.visitor import Visitor, find_visitor, read_form
from templates.languages.messages import Message, Text, phrase, phrases

_MAX_NAME: Final = 40
_MINUTE: Final = 60
_TOO_MANY_ASK: Final = phrase(
    "Too many people at your address ask to log in; scan the code on the host’s screen, or type the current PIN in a "
    "minute."
)
_OLD_CODE: Final = phrase(
    "That code is from another evening; scan the one on the host’s screen, or type the six digits."
)


class SeatChoice(NamedTuple):
    """A seat of a table as shown on the login page. `is_free` means that no phone holds it."""

    session: str
    seat: str
    name: str
    is_free: bool


class InvitedTable(NamedTuple):
    """Tonight's table as shown behind the code on the host's screen. `title` and `host` are "" if they are unknown."""

    game: Text
    title: str
    host: str
    seats: Sequence[SeatChoice]


class LoginRoutes:
    """The pages for phones that are not admitted yet."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [
            Route("/pin", self.show_form),
            Route("/pin", self.log_in, methods=["POST"]),
            # Codes hold the address in capitals.
            *(Route(f"/{letter}/{{secret}}", self.show_invitation) for letter in "jJ"),
        ]

    async def show_form(self, request: Request) -> Response:
        """Render the form for the PIN."""
        who = await find_visitor(request, self._pages.phones)
        return redirect("/") if who.is_admitted else self._form(who, request.query_params.get("to", ""))

    async def show_invitation(self, request: Request) -> Response:
        """Render the login behind the code on the host's screen: the seats of the table, without a PIN."""
        phones = self._pages.phones
        who = await find_visitor(request, phones)
        if who.is_admitted:
            return redirect("/")
        secret = request.path_params["secret"]
        if phones.is_invited(secret):
            return self._form(who, "", invitation=secret, table=await self._find_table())
        attempt = await run_in_threadpool(phones.knock, request.scope["address"], "")
        return self._form(who, "", _describe_wrong_pin(attempt.wait) if attempt.wait else _OLD_CODE, wait=attempt.wait)

    async def _find_table(self) -> InvitedTable | None:
        """Return tonight's table with its seats, each marked if no phone holds it; None without such a table."""
        row = await self._pages.find_tonights_row()
        if row is None:
            return None
        table = await self._pages.tables.open(row.session)
        holder = self._pages.phones.holder
        seats = [
            SeatChoice(row.session, seat.seat, seat.name, holder(row.session, seat.seat) is None)
            for seat in table.live.session.view().seats
        ]
        return InvitedTable(registry.title(row.game, row.page), row.title, host_name(self._pages.archive.by), seats)

    async def log_in(self, request: Request) -> Response:
        """Admit a phone that sends the right PIN."""
        phones = self._pages.phones
        who = await find_visitor(request, phones)
        fields = await read_form(request, who)
        if who.phone is not None and not who.phone.waiting:
            return redirect("/pin")
        target, name = fields.get("to", ""), fields.get("name", "")[:_MAX_NAME]
        try:
            name = _check_name(name)
        except NotationError as error:
            return self._form(who, target, str(error))
        if not phones.is_invited(fields.get("invitation", "")):
            attempt = await run_in_threadpool(phones.knock, request.scope["address"], fields.get("pin", "").strip())
            if attempt.wait and name and who.phone is None:
                # The host can admit a known name even while the PIN is locked.
                pin = fields.get("pin", "").strip()
                asking = await run_in_threadpool(phones.ask_to_come_in, request.scope["address"], pin, name)
                return (
                    self._form(who, target, _TOO_MANY_ASK, name, attempt.wait)
                    if asking is None
                    else self._enter(asking, "/pin")
                )
            if not attempt.right:
                return self._form(who, target, _describe_wrong_pin(attempt.wait), name, attempt.wait)
        # Without a choice, a phone gets the free seat with the same name.
        table = await self._find_table()
        free = [each for each in table.seats if each.is_free] if table else []
        wish = fields.get("seat", "")
        seat = next((each for each in free if wish == each.seat or (not wish and _is_same(name, each.name))), None)
        phone = who.phone
        if phone is None:
            phone = await run_in_threadpool(phones.let_in, name or (seat.name if seat else ""))
        else:
            # A phone that has waited is admitted under the announced name.
            await run_in_threadpool(lambda: phones.send_away(who.id, away=False))
        if seat is not None:
            with suppress(SeatTaken):  # they choose another seat at the table
                await run_in_threadpool(phones.sit, phone.phone, seat.session, seat.seat, if_free=True)
            target = target or f"/t/{seat.session}"
        return self._enter(phone, target if RETURN_PATH.fullmatch(target) else "/")

    def _enter(self, phone: Phone, path: str) -> Response:
        """Redirect a phone with a new id, so that a stolen or planted earlier id is worthless."""
        response = redirect(path)
        who = Visitor(phone.phone, self._pages.phones.doors.key, phone)
        who.set_cookie(response, secure=self._pages.site.is_encrypted)
        return response

    def _form(
        self,
        who: Visitor,
        target: str,
        wrong: Text = "",
        name: str = "",
        wait: int = 0,
        *,
        invitation: str = "",
        table: InvitedTable | None = None,
    ) -> Response:
        asked_host = who.phone if who.phone is not None and who.phone.waiting else None
        if who.phone is not None and who.phone.away and asked_host is None:
            text = phrase("The host has removed this phone. If that is a mistake, ask at the table.")
            return message_page(phrase("Not now"), text, HTTPStatus.FORBIDDEN)
        status = HTTPStatus.TOO_MANY_REQUESTS if wait else HTTPStatus.FORBIDDEN if wrong else HTTPStatus.OK
        page = templates.render(
            "pin.html",
            token=who.token,
            to=target if RETURN_PATH.fullmatch(target) else "",
            wrong=wrong,
            name=name,
            invitation=invitation,
            table=table,
            seats=table.seats if table else (),
            permissions=self._pages.phones.doors.permissions,
            asked_host=asked_host,
        )
        response = HTMLResponse(page, status, {"retry-after": str(wait)} if wait else None)
        who.set_cookie(response, secure=self._pages.site.is_encrypted)
        return response


def _is_same(name: str, other: str) -> bool:
    return bool(name) and name.casefold() == other.casefold()


def _check_name(text: str) -> str:
    """Normalize a name for storage. Raises NotationError."""
    name = as_name(text, phrase("Your name"))
    if "@" in unicodedata.normalize("NFKC", name):
        raise NotationError(phrase("Names cannot contain an @, which marks hosts in the log; leave it out."))
    return name


def _describe_wrong_pin(wait: int) -> Message:
    if not wait:
        return phrase("This is not the PIN; look at the host’s screen again.")
    if wait <= _MINUTE:
        return phrases(
            "Too many wrong PINs; try again in {n} seconds, or type your name, and the host can let you in.",
            "Too many wrong PINs; try again in {n} seconds, or type your name, and the host can let you in.",
            n=wait,
        )
    return phrases(
        "Too many wrong PINs; try again in {n} minutes, or type your name, and the host can let you in.",
        "Too many wrong PINs; try again in {n} minutes, or type your name, and the host can let you in.",
        n=-(-wait // _MINUTE),
    )
