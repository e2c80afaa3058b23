"""The phones of the evening: how they come in, who is in, and what each may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from math import inf
from typing import Final, NamedTuple

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Unknown
from companion.archive.web_access import PERMISSIONS, Permissions, Phone
from companion.web.guard import Site
from companion.web.host.frame import Host, HostPages
from companion.web.pages import message_page, redirect
from companion.web.phones import Phones
from companion.web.sharing.games import draw_symbol
from templates.languages.dates import clock_time
from templates.languages.messages import Text, phrase

PHONES_PATH: Final = "/host/phones"
_MAY: Final[Mapping[Permissions, Text]] = {
    "look": phrase("look on only"),
    "own": phrase("answer for their own seat"),
    "all": phrase("do everything"),
}


class PermissionChoice(NamedTuple):
    """A choice of what phones may do."""

    value: Permissions
    text: Text


CHOICES: Final = tuple(PermissionChoice(value, _MAY[value]) for value in PERMISSIONS)


class ListedPhone(NamedTuple):
    """A phone in the list: its state in words, and what the host can choose for it."""

    phone: str
    label: str
    seat: str
    state: Text
    since: Text
    is_here: bool
    is_waiting: bool
    is_away: bool
    permissions: Permissions


class PhonesRoutes:
    """The page of the phones."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._phones = pages.pages.phones
        self.routes = [
            Route(PHONES_PATH, pages.require_host(self.phones)),
            Route(PHONES_PATH, pages.require_host(self.change), methods=["POST"]),
        ]

    async def phones(self, _: Request, host: Host) -> Response:
        """Show the code and the PIN, and list the phones."""
        locked = await run_in_threadpool(self._refresh)
        doors, site = self._phones.doors, self._pages.pages.site
        url = find_url(site)
        return self._pages.render_host(
            "host/phones.html",
            host,
            here=PHONES_PATH,
            pin=doors.pin,
            url=url,
            notices=site.notices,
            symbol=_draw_invitation(f"{url}/j/{self._phones.invitation}"),
            locked=locked,
            rows=[list_phone(phone, self._phones) for phone in self._phones.all()],
            choices=CHOICES,
            permissions=doors.permissions,
            is_face_down=doors.face_down,
        )

    def _refresh(self) -> int:
        """Read the phones again; return the seconds for which nobody can log in by PIN."""
        self._phones.refresh()
        return self._phones.locked_seconds()

    async def change(self, request: Request, host: Host) -> Response:
        """Do what a button says, and show the page again."""
        fields = await self._pages.read_host_form(request, host)
        run = self._find_change(fields)
        if run is None:
            text = phrase("This button is not known here. Load the page again; nothing was changed.")
            return message_page(phrase("Not so"), text, HTTPStatus.BAD_REQUEST)
        try:
            await run_in_threadpool(run)
        except Unknown as error:
            return message_page(phrase("That phone is gone"), str(error), HTTPStatus.CONFLICT)
        # Pages that are open on phones follow at once.
        self._pages.pages.notify()
        return redirect(PHONES_PATH)

    def _find_change(self, fields: Mapping[str, str]) -> Callable[[], None] | None:
        """Return what a form asks for, or None if it is no form of this page."""
        phones, phone, value = self._phones, fields.get("phone", ""), fields.get("permissions", "")
        match fields.get("do", ""):
            case "away":
                return lambda: phones.send_away(phone)
            case "back":
                return lambda: phones.send_away(phone, away=False)
            case "pin":
                return phones.renew_pin
            case "face-down" | "face-up" as way:
                return lambda: phones.choose_face_down(is_on=way == "face-down")
            case "allow" if value in PERMISSIONS and phone:
                return lambda: phones.allow(phone, value)
            case "allow-all" if value in PERMISSIONS:
                return lambda: phones.allow_all(value)
        return None


def find_url(site: Site) -> str:
    """Return the address for phones."""
    return (site.url or min(site.origins, default="")).rstrip("/")


def _draw_invitation(url: str) -> Markup:
    """Return the code of an address. In capitals, which mean the same, it is smaller."""
    return draw_symbol(url.upper())


def list_phone(phone: Phone, phones: Phones) -> ListedPhone:
    """Return a phone as the page lists it."""
    since, seen = clock_time(phone.since), clock_time(phone.seen)
    return ListedPhone(
        phone.phone,
        phone.label,
        phone.seat.capitalize(),
        _describe_state(phone, phones.held_seconds(phone)),
        phrase("asked at {since}", since=since)
        if phone.waiting
        else phrase("came in at {since}, seen at {seen}", since=since, seen=seen),
        phones.is_here(phone) and not phone.away,
        phone.waiting,
        phone.away and not phone.waiting,
        phones.permissions_of(phone),
    )


def _describe_state(phone: Phone, held_seconds: float) -> Text:
    """Return what is unusual about a phone, or ""."""
    if phone.waiting:
        return phrase("asks to come in")
    if phone.away:
        return phrase("sent away")
    if held_seconds == inf:
        return phrase("has sent too many entries tonight")
    if held_seconds:
        return phrase("sends too many entries, waits {seconds} s", seconds=f"{held_seconds:.0f}")
    return ""
