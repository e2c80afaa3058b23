"""Whose request it is: the phone behind a cookie, and the token that its changes must bring."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from companion.archive.doors import Phone
from companion.web import signing
from companion.web.guard import Refused
from companion.web.phones import EVENING, Phones

_MOST_FIELDS: Final = 200


class Visitor(NamedTuple):
    """Who asks: `who` is the id in their cookie, or a fresh one; `phone` is theirs, None where they were not let in."""

    who: str
    key: str
    phone: Phone | None

    @property
    def is_in(self) -> bool:
        """Whether they see what is on the table."""
        return self.phone is not None and not self.phone.away

    @property
    def token(self) -> str:
        """What their forms send along."""
        return signing.token(self.key, self.who)

    def mark(self, response: Response, *, secret: bool) -> None:
        """Have their browser keep who they are; `secret` where nobody on the way can read it."""
        response.set_cookie(
            signing.cookie_name(self.key),
            signing.signed(self.key, self.who),
            max_age=int(EVENING.total_seconds()),
            httponly=True,
            samesite="strict",
            secure=secret,
        )


async def visitor(request: Request, phones: Phones) -> Visitor:
    """Who sent a request."""
    key = phones.doors.key
    who = signing.read(key, request.cookies.get(signing.cookie_name(key), ""))
    phone = phones.get(who)
    if who and phone is None:
        # Another program that serves this archive may have let them in, or have changed the key, this very moment.
        phone = await run_in_threadpool(phones.find, who)
    return Visitor(who or signing.stranger(), key, phone)


async def form(request: Request, who: Visitor) -> dict[str, str]:
    """What a form of one of our pages says. Raises Refused for any other, which its token tells."""
    try:
        text = (await request.body()).decode()
        said = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise Refused(HTTPStatus.FORBIDDEN) from None
    if not signing.is_token(who.key, who.who, said.get("token", "")):
        raise Refused(HTTPStatus.FORBIDDEN)
    return said
