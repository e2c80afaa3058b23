"""Forms with files, as browsers send them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.requests import Request

from companion.web import visitor
from companion.web.guard import RequestRefused
from companion.web.visitor import Visitor

_MAX_PARTS: Final = 20
"""The most parts of a form that are searched; ours have at most fourteen."""
_MAX_HEADS: Final = 65_536
"""The most bytes in which the name of a file is searched; the fields before it are short."""
_NAME: Final = re.compile(rb'\bname="([a-z]{1,16})"')


def read_parts(body: bytes) -> Mapping[str, bytes]:
    """Return the parts of a form by name, the first of each name; none if the body is no such form."""
    delimiter = body.partition(b"\r\n")[0]
    if not delimiter.startswith(b"--"):
        return {}
    parts: dict[str, bytes] = {}
    for part in body.split(b"\r\n" + delimiter, _MAX_PARTS)[:_MAX_PARTS]:
        head, _, content = part.partition(b"\r\n\r\n")
        if match := _NAME.search(head):
            parts.setdefault(match[1].decode(), content)
    return parts


def find_file_name(body: bytes, part: str) -> str:
    """Return the name of the file in a part of a form, "" if there is none."""
    match = re.search(rb'\bname="%b"; filename="([^"\r\n]{1,400})"' % re.escape(part.encode()), body[:_MAX_HEADS])
    return match[1].decode(errors="replace") if match else ""


async def read_file_form(request: Request, who: Visitor) -> Mapping[str, bytes]:
    """Return the parts of a form with a file. Raises RequestRefused if its token is wrong."""
    parts = read_parts(await request.body())
    token = parts.get("token", b"").decode("latin-1")
    if not visitor.is_form_token(who.key, who.id, token):
        raise RequestRefused(HTTPStatus.FORBIDDEN)
    return parts
