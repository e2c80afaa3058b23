"""The page that scans a box: a phone sends a photograph, and is led to the deck whose code is on it."""

from __future__ import annotations

import re
import time
from asyncio import Semaphore
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.scan import Code, PictureError, read
from companion.scan.codes import CodeMatch, look_up
from companion.web import templates, visitor
from companion.web.guard import Limit, Refused
from companion.web.pages import Pages, go
from companion.web.visitor import Visitor
from labels.sandbox import Sandbox

ADDRESS: Final = "/scan"
_MEGABYTES: Final = 20
_HEAD: Final = 4096
"""Bytes of a form within which its token must have come: before the picture."""
LIMIT: Final = Limit(_MEGABYTES * 1024 * 1024 + _HEAD, 60.0)
_SENT_AT_ONCE: Final = 8
"""Pictures that are taken in at a time, one a phone: none of them needs more room than LIMIT, twice."""
_READ_AT_ONCE: Final = 2
_SECONDS: Final = 15.0
"""Seconds after which nobody reads a picture any more, whatever it is."""
_NICENESS: Final = 10
"""The table comes first."""
_MOST_CODES: Final = 50
_BODY: Final = "body"
_NAME: Final = "Your picture"
_FIELD: Final = b'name="picture"'
_MOST_PARTS: Final = 8
"""Parts of a form that are looked at; ours has two."""
_TOKEN: Final = re.compile(rb'name="token"\r\n\r\n(\w+)\r\n')
_BUSY: Final = "Others send pictures right now; send yours again in a moment."
_TWICE: Final = "This phone is sending a picture already; wait until that one is read."
_REFUSED: Final = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"That picture is larger than {_MEGABYTES} MB; take a smaller one.",
    HTTPStatus.REQUEST_TIMEOUT: "That picture came too slowly; go closer to the network, or type the id.",
}


class _NotNow(Exception):
    """There is no room for one more picture; the sentence says why."""


class Scanning:
    """The page that scans a box."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._sending: set[str] = set()
        self._reading = Semaphore(_READ_AT_ONCE)
        self.routes = [
            Route(ADDRESS, pages.inside(self.ask)),
            Route(ADDRESS, pages.inside(self.scan), methods=["POST"]),
        ]

    async def ask(self, _: Request, who: Visitor) -> Response:
        """The form for a photograph, and one for the id."""
        return _page(who)

    async def scan(self, request: Request, who: Visitor) -> Response:
        """A deck's page, where the photograph shows one deck's code; else what the codes on it are."""
        try:
            codes = await self._read(request, who)
        except _NotNow as told:
            return _page(who, str(told), HTTPStatus.SERVICE_UNAVAILABLE, {"retry-after": "5"})
        except Refused as refused:
            if refused.status not in _REFUSED:
                raise
            # What still comes of it is not waited for.
            return _page(who, _REFUSED[refused.status], refused.status, {"connection": "close"})
        except PictureError as error:
            return _page(who, str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        met = await run_in_threadpool(lambda: [look_up(self._pages.archive, code) for code in codes])
        decks = {each.row.deck for each in met if each.row is not None}
        if len(decks) == 1 and len(met) == 1:
            return go(f"/d/{decks.pop()}")
        if len(met) == 1:
            return _page(who, _problem(met[0]), HTTPStatus.UNPROCESSABLE_ENTITY)
        return HTMLResponse(templates.page("scanned.html", met=[(each.row, _problem(each)) for each in met]))

    async def _read(self, request: Request, who: Visitor) -> Sequence[Code]:
        """The codes on the picture that is sent. Raises _NotNow, Refused, PictureError."""
        with self._turn(who.who), TemporaryDirectory(prefix="companion-") as folder:
            body = Path(folder) / _BODY
            await _keep(_checked(request, who), body)
            async with self._reading:
                return await run_in_threadpool(_codes, body)

    @contextmanager
    def _turn(self, phone: str) -> Iterator[None]:
        if phone in self._sending or len(self._sending) >= _SENT_AT_ONCE:
            raise _NotNow(_TWICE if phone in self._sending else _BUSY)
        self._sending.add(phone)
        try:
            yield
        finally:
            self._sending.discard(phone)


async def _checked(request: Request, who: Visitor) -> AsyncIterator[bytes]:
    """The body of a form of ours, piece by piece; its token comes before its picture. Raises Refused for any other."""
    head = b""
    checked = False
    async for piece in request.stream():
        if checked:
            yield piece
            continue
        head += piece
        if len(head) >= _HEAD or _TOKEN.search(head):
            _check(head[:_HEAD], who)
            checked = True
            yield head
    if not checked:
        _check(head, who)


def _check(head: bytes, who: Visitor) -> None:
    token = _TOKEN.search(head)
    if not token or not visitor.is_token(who.key, who.who, token[1].decode("latin-1")):
        raise Refused(HTTPStatus.FORBIDDEN)


async def _keep(pieces: AsyncIterator[bytes], path: Path) -> None:
    try:
        with path.open("wb") as file:
            async for piece in pieces:
                await run_in_threadpool(file.write, piece)
    except ClientDisconnect:
        raise Refused(HTTPStatus.REQUEST_TIMEOUT) from None


def _codes(body: Path) -> Sequence[Code]:
    """What a child that knows no other picture sees on the one in a form. Raises PictureError."""
    picture = body.with_name("picture")
    picture.write_bytes(_sent(body.read_bytes()))
    if not picture.stat().st_size:
        raise PictureError("No picture came: take one first.")
    sandbox = Sandbox("companion.scan.worker", niceness=_NICENESS)
    try:
        until = time.monotonic() + _SECONDS
        return read(picture, name=_NAME, photo=True, sandbox=sandbox, until=until)[:_MOST_CODES]
    finally:
        sandbox.close()


def _sent(body: bytes) -> bytes:
    """The picture among the parts of a form; empty where there is none."""
    delimiter = body.partition(b"\r\n")[0]
    if not delimiter.startswith(b"--"):
        return b""
    for part in body.split(b"\r\n" + delimiter, _MOST_PARTS)[:_MOST_PARTS]:
        head, _, content = part.partition(b"\r\n\r\n")
        if _FIELD in head:
            return content
    return b""


def _problem(met: CodeMatch) -> str:
    """What is wrong with a code; its passport is taken in where decks are kept."""
    return f"{met.problem}; the host’s screen can take it in from this passport." if met.can_adopt else met.problem


def _page(
    who: Visitor, wrong: str = "", status: HTTPStatus = HTTPStatus.OK, headers: dict[str, str] | None = None
) -> Response:
    return HTMLResponse(templates.page("scan.html", token=who.token, wrong=wrong), status, headers)
