"""What a phone carries: a cookie that only we can have made, and a token that only our pages know.

Separate because it is nothing but a key and texts: no request, no archive.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import Final

_ID_BYTES: Final = 16
_NAME_LETTERS: Final = 8


def cookie_name(key: str) -> str:
    """What the cookie is called: archives served at one address under several ports must not take each other's."""
    return f"companion-{_made(key, 'name', '')[:_NAME_LETTERS]}"


def stranger() -> str:
    """An id for a browser that was not let in yet, so that its form can have a token."""
    return secrets.token_hex(_ID_BYTES)


def signed(key: str, who: str) -> str:
    """The cookie's value for an id."""
    return f"{who}.{_made(key, 'cookie', who)}"


def read(key: str, value: str) -> str:
    """The id of a cookie that we have signed; "" for any other text."""
    who, _, signature = value.partition(".")
    return who if who and _same(signature, _made(key, "cookie", who)) else ""


def token(key: str, who: str) -> str:
    """What a form of our page sends along with every change."""
    return _made(key, "token", who)


def is_token(key: str, who: str, said: str) -> bool:
    """Whether a form was one of our pages, as this browser got it."""
    return bool(who) and _same(said, token(key, who))


def _made(key: str, purpose: str, text: str) -> str:
    return hmac.new(bytes.fromhex(key), f"{purpose}:{text}".encode(errors="replace"), sha256).hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
