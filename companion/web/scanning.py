"""The page that scans a box: a phone sends a photograph, and is led to the deck whose code is on it."""

from __future__ import annotations

import re
import time
from asyncio import Semaphore
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, DeckRow
from companion.scan import Code, CodeKind, PictureError, read
from companion.scan.codes import CodeMatch, look_up
from companion.tabletop.text import quantity
from companion.web import templates, visitor
from companion.web.guard import BodyLimit, RequestRefused
from companion.web.pages import Pages, redirect
from companion.web.visitor import Visitor
from labels.sandbox import Sandbox

if TYPE_CHECKING:
    from companion.printing.label_audit import LabelAudit

SCAN_PATH: Final = "/scan"
_MAX_MEGABYTES: Final = 20
_HEAD_BYTES: Final = 4096
"""Bytes of a form within which its token must come, which is before the picture."""
PICTURE_LIMIT: Final = BodyLimit(_MAX_MEGABYTES * 1024 * 1024 + _HEAD_BYTES, 60.0)
_MAX_UPLOADS: Final = 8
"""Pictures received at a time, one a phone; each needs twice the size of PICTURE_LIMIT on disk at most."""
_MAX_READERS: Final = 2
_READ_SECONDS: Final = 15.0
"""Seconds after which the reading of a picture is given up."""
_NICENESS: Final = 10
"""The table comes first."""
_MAX_CODES: Final = 50
_MAX_PICTURES: Final = 16
"""Framed pictures that are kept, one a phone."""
_PICTURE_ROOM: Final = (1200, 1200)
"""Pixels across and down of a framed picture."""
_BODY: Final = "body"
_NAME: Final = "Your picture"
_FIELD: Final = b'name="picture"'
_MAX_PARTS: Final = 8
"""Parts of a form that are looked at; ours has two."""
_TOKEN: Final = re.compile(rb'name="token"\r\n\r\n(\w+)\r\n')
_BUSY: Final = "Others send pictures right now; send yours again in a moment."
_ALREADY_SENDING: Final = "This phone is sending a picture already; wait until that one is read."
_REFUSALS: Final = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"That picture is larger than {_MAX_MEGABYTES} MB; take a smaller one.",
    HTTPStatus.REQUEST_TIMEOUT: "That picture came too slowly; go closer to the network, or type the id.",
}


class _Busy(Exception):
    """No further picture can be received now; the message says why."""


class ScanRoutes:
    """The page that scans a box."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._sending: set[str] = set()
        self._reading = Semaphore(_MAX_READERS)
        self._pictures: dict[str, bytes] = {}
        self.routes = [
            Route(SCAN_PATH, pages.require_login(self.show_form)),
            Route(SCAN_PATH, pages.require_login(self.scan), methods=["POST"]),
            Route("/scan/picture.jpg", pages.require_login(self.show_picture)),
        ]

    async def show_form(self, _: Request, who: Visitor) -> Response:
        """The form for a photograph, and one for the id."""
        return _form_page(who)

    async def scan(self, request: Request, who: Visitor) -> Response:
        """The page of the deck whose code the photograph shows; else what the codes on it are."""
        try:
            codes, spread = await self._read(request, who)
        except _Busy as busy:
            return _form_page(who, str(busy), HTTPStatus.SERVICE_UNAVAILABLE, {"retry-after": "5"})
        except RequestRefused as refused:
            if refused.status not in _REFUSALS:
                raise
            # What still comes of it is not waited for.
            return _form_page(who, _REFUSALS[refused.status], refused.status, {"connection": "close"})
        except PictureError as error:
            return _form_page(who, str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        if spread is not None:
            return self._spread_page(who, spread)
        results = await run_in_threadpool(lambda: [look_up(self._pages.archive, code) for code in codes])
        decks = {each.row.deck for each in results if each.row is not None}
        if len(decks) == 1 and len(results) == 1:
            return redirect(f"/d/{decks.pop()}")
        if len(results) == 1:
            return _form_page(who, _describe_problem(results[0]), HTTPStatus.UNPROCESSABLE_ENTITY)
        return HTMLResponse(
            templates.render("scanned.html", results=[(each.row, _describe_problem(each)) for each in results])
        )

    def _spread_page(self, who: Visitor, spread: _SpreadSeen) -> Response:
        """What a photograph of a spread deck shows; the picture is kept for this phone alone, until its next one."""
        if spread.audit is None:
            return _form_page(who, _describe_strangers(spread), HTTPStatus.UNPROCESSABLE_ENTITY)
        self._pictures.pop(who.id, None)
        self._pictures[who.id] = spread.picture
        while len(self._pictures) > _MAX_PICTURES:
            del self._pictures[next(iter(self._pictures))]
        audit = spread.audit
        lists = (
            ("Still to be stuck", [text.full_title for text in audit.missing if text.spot in audit.due]),
            (
                "Not seen: photograph these closer",
                [text.full_title for text in audit.missing if text.spot not in audit.due],
            ),
            ("Should not be there", [each.text for each in audit.of("extra")]),
            ("Of another deck", [f"{each.text}, {each.note}" for each in audit.of("foreign")]),
            ("Not known", [f"{each.text}, {each.note}" for each in audit.of("unsure")]),
        )
        done = [each.text for each in audit.proposals if each.chores]
        other = [each.text for each in audit.proposals if not each.chores]
        return HTMLResponse(
            templates.render(
                "spread.html",
                row=audit.row,
                summary=audit.summary,
                lists=[(title, texts) for title, texts in lists if texts],
                done=done,
                other=other,
            )
        )

    async def show_picture(self, _: Request, who: Visitor) -> Response:
        """The photograph that this phone sent last, every label framed."""
        picture = self._pictures.get(who.id)
        if picture is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(picture, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def _read(self, request: Request, who: Visitor) -> tuple[Sequence[Code], _SpreadSeen | None]:
        """The codes on the picture of a form, or where there are none and it shows a spread deck, what that is.

        Raises _Busy, RequestRefused or PictureError.
        """
        with self._upload(who.id), TemporaryDirectory(prefix="companion-") as folder:
            body = Path(folder) / _BODY
            await _save(_checked_body(request, who), body)
            async with self._reading:
                return await run_in_threadpool(_read_picture, self._pages.archive, body)

    @contextmanager
    def _upload(self, phone: str) -> Iterator[None]:
        """Counts an upload while it lasts. Raises _Busy."""
        if phone in self._sending or len(self._sending) >= _MAX_UPLOADS:
            raise _Busy(_ALREADY_SENDING if phone in self._sending else _BUSY)
        self._sending.add(phone)
        try:
            yield
        finally:
            self._sending.discard(phone)


async def _checked_body(request: Request, who: Visitor) -> AsyncIterator[bytes]:
    """The body of a form in pieces, once its token was right. Raises RequestRefused."""
    head = b""
    checked = False
    async for piece in request.stream():
        if checked:
            yield piece
            continue
        head += piece
        if len(head) >= _HEAD_BYTES or _TOKEN.search(head):
            _check_token(head[:_HEAD_BYTES], who)
            checked = True
            yield head
    if not checked:
        _check_token(head, who)


def _check_token(head: bytes, who: Visitor) -> None:
    token = _TOKEN.search(head)
    if not token or not visitor.is_form_token(who.key, who.id, token[1].decode("latin-1")):
        raise RequestRefused(HTTPStatus.FORBIDDEN)


async def _save(pieces: AsyncIterator[bytes], path: Path) -> None:
    try:
        with path.open("wb") as file:
            async for piece in pieces:
                await run_in_threadpool(file.write, piece)
    except ClientDisconnect:
        raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None


class _SpreadSeen(NamedTuple):
    """What a photograph of a spread deck shows: beside the record of the deck that its labels name, with the picture as
    a JPEG, every label framed. Where they name none, or several would fit, the `rows` that may be it.
    """

    labels: int
    rows: Sequence[DeckRow]
    audit: LabelAudit | None = None
    picture: bytes = b""


def _read_picture(archive: Archive, body: Path) -> tuple[Sequence[Code], _SpreadSeen | None]:
    """What is on the picture of a form, read by a process that gets no other picture. Raises PictureError."""
    picture = body.with_name("picture")
    picture.write_bytes(_extract_picture(body.read_bytes()))
    if not picture.stat().st_size:
        raise PictureError("No picture came: take one first.")
    sandbox = Sandbox("companion.scan.worker", niceness=_NICENESS)
    try:
        until = time.monotonic() + _READ_SECONDS
        codes = read(picture, name=_NAME, photo=True, sandbox=sandbox, until=until)[:_MAX_CODES]
        if not all(code.kind is CodeKind.NOTHING for code in codes):
            return codes, None
        return codes, _read_spread(archive, picture, sandbox, until)
    finally:
        sandbox.close()


def _read_spread(archive: Archive, picture: Path, sandbox: Sandbox, until: float) -> _SpreadSeen | None:
    """A spread deck in a picture without a box's code; None where it shows no label."""
    from PIL import Image

    from companion.printing import label_audit
    from companion.scan.spread import draw_labels, read_labels

    spread = read_labels(picture, name=_NAME, sandbox=sandbox, until=until)
    if not spread.labels:
        return None
    rows = label_audit.find_decks(archive, [spread.numbers])
    if len(rows) != 1:
        return _SpreadSeen(len(spread.labels), rows)
    audit = label_audit.audit_deck(archive, rows[0], [spread.numbers])
    framed = draw_labels(picture, spread, audit.names, room=_PICTURE_ROOM, sandbox=sandbox)
    packed = BytesIO()
    Image.frombytes("RGB", (framed.width, framed.height), framed.content).save(packed, "JPEG", quality=80)
    return _SpreadSeen(len(spread.labels), rows, audit, packed.getvalue())


def _describe_strangers(spread: _SpreadSeen) -> str:
    """Why labels lead to no deck."""
    if spread.rows:
        names = " or ".join(row.name for row in spread.rows)
        return f"These labels may be those of {names}: look it up below, by the id on its box."
    return f"{quantity(spread.labels, 'label')} with a code, and no deck here that bears them."


def _extract_picture(body: bytes) -> bytes:
    """The picture among the parts of a form; b"" where there is none."""
    delimiter = body.partition(b"\r\n")[0]
    if not delimiter.startswith(b"--"):
        return b""
    for part in body.split(b"\r\n" + delimiter, _MAX_PARTS)[:_MAX_PARTS]:
        head, _, content = part.partition(b"\r\n\r\n")
        if _FIELD in head:
            return content
    return b""


def _describe_problem(met: CodeMatch) -> str:
    """What is wrong with a code, and who can take in the deck of a passport."""
    return f"{met.problem}; the host’s screen can take it in from this passport." if met.can_adopt else met.problem


def _form_page(
    who: Visitor, wrong: str = "", status: HTTPStatus = HTTPStatus.OK, headers: dict[str, str] | None = None
) -> Response:
    return HTMLResponse(templates.render("scan.html", token=who.token, wrong=wrong), status, headers)
