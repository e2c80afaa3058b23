"""Identification of visitors: the phone behind a signed cookie, and the token that changes require."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from companion.archive.web_access import Phone
from companion.web.guard import RequestRefused
from companion.web.phones import COOKIE_LIFETIME, Phones

HOST_SESSION: Final = "host_session"
"""The key in the scope of a request for the session of the host, which `HostGuard` sets."""
_ID_BYTES: Final = 16
_NAME_LETTERS: Final = 8


def cookie_name(key: str) -> str:
    """Return the name of the cookie, which differs by archive: ports of one address share their cookies."""
    return f"companion-{_sign(key, 'name', '')[:_NAME_LETTERS]}"


def random_id() -> str:
    """Return a random id in hexadecimal digits. Browsers get one before login, so that their form can have a token."""
    return secrets.token_hex(_ID_BYTES)


def sign_cookie(key: str, who: str) -> str:
    """Return the cookie's value for an id."""
    return f"{who}.{_sign(key, 'cookie', who)}"


def verify_cookie(key: str, value: str) -> str:
    """Return the id in a cookie with a valid signature, or "" for any other text."""
    who, _, signature = value.partition(".")
    return who if who and _is_equal(signature, _sign(key, "cookie", who)) else ""


def form_token(key: str, who: str) -> str:
    """Return the token that a browser's forms must send, against cross-site request forgery."""
    return _sign(key, "token", who)


def is_form_token(key: str, who: str, text: str) -> bool:
    """Return True if a form came from a page sent to this browser."""
    return bool(who) and _is_equal(text, form_token(key, who))


def _sign(key: str, purpose: str, text: str) -> str:
    return hmac.new(bytes.fromhex(key), f"{purpose}:{text}".encode(errors="replace"), sha256).hexdigest()


def _is_equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())


_MAX_FIELDS: Final = 200


class Visitor(NamedTuple):
    """The sender of a request: `id` is from the cookie, or new; `phone` is theirs, or None if it is not admitted."""

    id: str
    key: str
    phone: Phone | None

    @property
    def is_admitted(self) -> bool:
        """Return True if the phone was admitted and is not blocked."""
        return self.phone is not None and not self.phone.away

    @property
    def token(self) -> str:
        """The token of their forms."""
        return form_token(self.key, self.id)

    def set_cookie(self, response: Response, *, secure: bool) -> None:
        """Store the id in the browser's cookie; `secure` restricts it to HTTPS."""
        response.set_cookie(
            cookie_name(self.key),
            sign_cookie(self.key, self.id),
            max_age=int(COOKIE_LIFETIME.total_seconds()),
            httponly=True,
            samesite="strict",
            secure=secure,
        )


async def find_visitor(request: Request, phones: Phones) -> Visitor:
    """Return the sender of a request, by its cookie; the host's browser counts as a phone that may do everything."""
    key = phones.doors.key
    host = str(request.scope.get(HOST_SESSION) or "")
    if host and (browser := phones.get(host)) is not None:
        return Visitor(host, key, browser)
    who = verify_cookie(key, request.cookies.get(cookie_name(key), ""))
    phone = phones.get(who)
    if who and phone is None:
        # Another program that serves this archive may have just admitted the phone, or changed the key.
        phone = await run_in_threadpool(phones.find, who)
    return Visitor(who or random_id(), key, phone)


async def read_form(request: Request, who: Visitor) -> dict[str, str]:
    """Return the fields of a form by name; repeated fields are joined by spaces.

    Raises RequestRefused if the form is unreadable or its token is wrong.
    """
    try:
        text = (await request.body()).decode()
        fields = join_fields(parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        raise RequestRefused(HTTPStatus.FORBIDDEN) from None
    if not is_form_token(who.key, who.id, fields.get("token", "")):
        raise RequestRefused(HTTPStatus.FORBIDDEN)
    return fields


def join_fields(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return fields by name; the values of a repeated field are joined by spaces."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: " ".join(several) for name, several in values.items()}


_NO_TEXT: Final = frozenset({"token", "once", "at", "read", "sure"})
"""Fields of a form without content for the table."""


def form_size(fields: Mapping[str, str]) -> int:
    """Return the size of a form's content in bytes."""
    return sum(len(text.encode(errors="replace")) for name, text in fields.items() if name not in _NO_TEXT)
