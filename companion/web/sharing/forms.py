"""Forms with files, as browsers send them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.requests import Request

from companion.web import visitor
from companion.web.guard import RequestRefused
from companion.web.visitor import Visitor

_MAX_PARTS: Final = 20
"""The most parts of a form that are searched; ours have at most fourteen."""
_NAME: Final = re.compile(rb'\bname="([a-z]{1,16})"')
_FILE_NAME: Final = re.compile(rb'\bfilename="([^"\r\n]{0,400})"')


def read_parts(body: bytes) -> Mapping[str, bytes]:
    """Return the parts of a form by name, the first of each name; none if the body is no such form."""
    parts: dict[str, bytes] = {}
    for head, content in _split_parts(body):
        if match := _NAME.search(head):
            parts.setdefault(match[1].decode(), content)
    return parts


class SentFile(NamedTuple):
    """A file that a browser has sent: its name, and its content."""

    name: str
    content: bytes


def read_files(body: bytes) -> Sequence[SentFile]:
    """Return the files in a form in their order; a field without a chosen file has none."""
    files = ((_FILE_NAME.search(head), content) for head, content in _split_parts(body))
    return [SentFile(name[1].decode("utf-8", "replace"), content) for name, content in files if name and name[1]]


def read_file_name(body: bytes) -> str:
    """Return the name of the first file in a form as its browser sends it, or ""."""
    return next((file.name for file in read_files(body)), "")


def _split_parts(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the head and the content of each part."""
    delimiter = body.partition(b"\r\n")[0]
    if not delimiter.startswith(b"--"):
        return
    for part in body.split(b"\r\n" + delimiter, _MAX_PARTS)[:_MAX_PARTS]:
        head, _, content = part.partition(b"\r\n\r\n")
        yield head, content


async def read_file_form(request: Request, who: Visitor) -> Mapping[str, bytes]:
    """Return the parts of a form with a file. Raises RequestRefused if its token is wrong."""
    parts = read_parts(await request.body())
    token = parts.get("token", b"").decode("latin-1")
    if not visitor.is_form_token(who.key, who.id, token):
        raise RequestRefused(HTTPStatus.FORBIDDEN)
    return parts
