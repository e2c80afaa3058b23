"""The page that scans a box: a phone sends a photograph, and is redirected to the deck with that code."""

from __future__ import annotations

import re
import time
from asyncio import Semaphore
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, DeckRow
from companion.archive.exchange.page_codes import PageCode, PageCodeError
from companion.archive.web_access import Hand
from companion.printing import label_audit
from companion.scan import Code, CodeKind, PictureError, read
from companion.scan.codes import CodeMatch, look_up, page_parts
from companion.scan.spread import DrawnPhotograph, Spread, draw_labels, read_labels
from companion.session.reading import line_reading
from companion.session.reading.seen_cards import SeenAnswer, answer_by_labels, brought_decks, describe_seen
from companion.session.table.confirmations import ActionDone, Rejected, Reply
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError
from companion.tabletop.table.common_actions import FOR_HOST
from companion.web import hands, templates, visitor
from companion.web.decks import may_tick
from companion.web.guard import BodyLimit, RequestRefused
from companion.web.pages import WebPages, message_page, redirect
from companion.web.phones import Audience
from companion.web.sharing.desk import SharingDesk
from companion.web.sharing.forms import read_parts
from companion.web.sharing.games import OFFER_PATH
from companion.web.tables import SharedTable, find_audience
from companion.web.visitor import Visitor, form_size, read_form
from labels.sandbox import Sandbox
from templates.languages.messages import Text, any_of, joined, phrase, phrases

if TYPE_CHECKING:
    from companion.printing.label_audit import LabelAudit

T = TypeVar("T")

SCAN_PATH: Final = "/scan"
_MAX_MEGABYTES: Final = 20
_HEAD_BYTES: Final = 4096
"""Bytes of a form within which its token must appear, before the picture."""
_PICTURE_BYTES: Final = _MAX_MEGABYTES * 1024 * 1024
PICTURE_LIMIT: Final = BodyLimit(_PICTURE_BYTES + _HEAD_BYTES, 60.0)
_MAX_UPLOADS: Final = 8
"""The most concurrent uploads, one for each phone; each needs at most twice PICTURE_LIMIT on disk."""
_MAX_READERS: Final = 2
_READ_SECONDS: Final = 30.0
"""Timeout in seconds for reading a picture; on a slow Windows, loading OpenCV takes half of it."""
_NICENESS: Final = 10
"""Lower priority than the table."""
_MAX_CODES: Final = 50
_MAX_UNREAD: Final = 2
"""The most pictures in memory that may be searched longer, one for each phone."""
_MAX_PICTURES: Final = 16
"""The most framed pictures in memory, one for each phone."""
_PICTURE_ROOM: Final = (1200, 1200)
"""The most pixels across and down of a framed picture."""
_NO_DECKS: Final = (CodeKind.PAGE, CodeKind.UNSEEN, CodeKind.UNREAD)
"""The results in a picture with codes of a game's page that lead to no deck."""
_BODY: Final = "body"
_PICTURE: Final = "picture"
_NO_PICTURE: Final = phrase("No picture was sent: take one first.")
_GONE: Final = phrase("That picture is no longer here; send it again.")
_NAME: Final = phrase("Your picture")
_TOKEN: Final = re.compile(rb'name="token"\r\n\r\n(\w+)\r\n')
_BUSY: Final = phrase("Other phones are sending pictures right now; send yours again in a moment.")
_ALREADY_SENDING: Final = phrase("This phone is already sending a picture; wait until it has been read.")
_REFUSALS: Final = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: phrase(
        "The picture is larger than {megabytes} MB; take a smaller one.", megabytes=_MAX_MEGABYTES
    ),
    HTTPStatus.REQUEST_TIMEOUT: phrase("The picture arrived too slowly; move closer to the router, or type the id."),
}


class _Busy(Exception):
    """A refusal to receive another picture now. The message has the reason."""


class ScanRoutes:
    """The pages that scan boxes and cards."""

    def __init__(self, pages: WebPages, desk: SharingDesk) -> None:
        self._pages = pages
        self._desk = desk
        self._sending: set[str] = set()
        self._reading = Semaphore(_MAX_READERS)
        self._pictures: dict[str, bytes] = {}
        self._unread: dict[str, bytes] = {}
        self.routes = [
            Route(SCAN_PATH, pages.require_login(self.show_form)),
            Route(SCAN_PATH, pages.require_login(self.scan), methods=["POST"]),
            Route("/scan/picture.jpg", pages.require_login(self.show_picture)),
            Route("/t/{session}/photo", pages.require_login(self.show_table_form)),
            Route("/t/{session}/photo", pages.require_login(self.take), methods=["POST"]),
        ]

    async def show_form(self, _: Request, who: Visitor) -> Response:
        """Render the forms for a photograph and for the id."""
        return _form_page(who)

    async def show_table_form(self, request: Request, who: Visitor) -> Response:
        """Render the form for a photograph of the cards on a table, or in a player's hand."""
        table = await self._pages.find_table(request)
        return _form_page(who, table=table.live.session.id, hand="hand" in request.query_params)

    async def scan(self, request: Request, who: Visitor) -> Response:
        """Redirect to the deck whose code the photograph shows, or list its codes.

        A photograph of the cards on a table offers the answers of their labels. One of a hand only fills that hand.
        """
        hand = "hand" in request.query_params
        table = await self._pages.find_table(request) if "table" in request.query_params else None
        session = "" if table is None else table.live.session.id
        try:
            if table is not None:
                by_photograph = self._hold_by_photograph if hand else self._answer_by_photograph
                return await by_photograph(request, who, table)
            codes, spread = await self._read(request, who, partial(_read_picture, self._pages.archive))
            if spread is not None and spread.search_left:
                spread = None
        except _Busy as busy:
            return _form_page(who, str(busy), HTTPStatus.SERVICE_UNAVAILABLE, {"retry-after": "5"}, session, hand=hand)
        except RequestRefused as refused:
            if refused.status not in _REFUSALS:
                raise
            # The rest of the body is not awaited.
            refusal = _REFUSALS[refused.status]
            return _form_page(who, refusal, refused.status, {"connection": "close"}, session, hand=hand)
        except PictureError as error:
            return _form_page(who, str(error), HTTPStatus.UNPROCESSABLE_ENTITY, table=session, hand=hand)
        if spread is not None:
            return await self._spread_page(who, spread)
        return await self._show_codes(who, codes)

    async def _show_codes(self, who: Visitor, codes: Sequence[Code]) -> Response:
        """Redirect to the deck of the only code, or list the codes; those of a game's page are collected."""
        parts = page_parts(codes)
        others = [code for code in codes if code.kind not in _NO_DECKS] if parts else codes
        results = await run_in_threadpool(lambda: [look_up(self._pages.archive, code) for code in others])
        if parts:
            return self._collect_page(who, parts, results)
        decks = {each.row.deck for each in results if each.row is not None}
        if len(decks) == 1 and len(results) == 1:
            return redirect(f"/d/{decks.pop()}")
        if len(results) == 1 and not (results[0].can_adopt and templates.is_for_host()):
            longer = who.id in self._unread
            return _form_page(who, _describe_problem(results[0]), HTTPStatus.UNPROCESSABLE_ENTITY, longer=longer)
        rows = [_list_match(each) for each in results]
        return HTMLResponse(templates.render("scanned.html", results=rows, offered=False, token=who.token))

    def _collect_page(self, who: Visitor, parts: tuple[PageCode, ...], results: Sequence[CodeMatch]) -> Response:
        """Add the codes of a game's page to those that this phone has read, and show what the page is when it is whole.

        `results` are the other codes in the picture.
        """
        try:
            scans = self._desk.scan(who.id, parts)
        except PageCodeError as error:
            return _form_page(who, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        if not results and len(scans) == 1:
            (scan,) = scans
            return redirect(OFFER_PATH) if scan.text else _form_page(who, done=scan.describe())
        rows = [_list_match(each) for each in results]
        rows += [(None, scan.describe(), "") for scan in scans]
        offered = any(scan.text for scan in scans)
        return HTMLResponse(templates.render("scanned.html", results=rows, offered=offered, token=who.token))

    async def _spread_page(self, who: Visitor, spread: _SpreadSeen) -> Response:
        """Render the audit of a spread deck. The picture is kept for this phone alone, until its next one."""
        if spread.audit is None or spread.audit.refusal:
            sentence = spread.audit.refusal if spread.audit is not None else _describe_strangers(spread)
            return _form_page(who, sentence, HTTPStatus.UNPROCESSABLE_ENTITY)
        self._pictures.pop(who.id, None)
        self._pictures[who.id] = spread.picture
        while len(self._pictures) > _MAX_PICTURES:
            del self._pictures[next(iter(self._pictures))]
        audit = spread.audit
        done = [(each.text, chore) for each in audit.proposals for chore in each.chores]
        other = [each.text for each in audit.proposals if not each.chores]
        return HTMLResponse(
            templates.render(
                "spread.html",
                row=audit.row,
                summary=audit.summary,
                lists=audit.findings,
                done=done,
                may_tick=await may_tick(self._pages, who, audit.row),
                token=who.token,
                other=other,
            )
        )

    async def show_picture(self, _: Request, who: Visitor) -> Response:
        """Send the last photograph of this phone, with every label framed."""
        picture = self._pictures.get(who.id)
        if picture is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(picture, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def _answer_by_photograph(self, request: Request, who: Visitor, table: SharedTable) -> Response:
        """Offer the answers of the labels on the cards of a table, for one tap here, or one Enter at the host's screen.

        Raises the errors of `_read`.
        """
        archive, session = self._pages.archive, table.live.session
        viewer = find_audience(self._pages.phones, who.id, session.id)
        if viewer is None:
            return redirect("/pin")

        spread = await self._read(request, who, _read_labels)
        decks = brought_decks(session)
        labels = await run_in_threadpool(lambda: label_audit.find_cards(archive, decks, spread.numbers))
        answer = await run_in_threadpool(lambda: answer_by_labels(session, labels))
        sentence = describe_seen(session, labels, answer, len(spread.labels))
        if not answer.actions:
            longer = who.id in self._unread
            return _form_page(who, sentence, HTTPStatus.UNPROCESSABLE_ENTITY, table=session.id, longer=longer)
        if viewer.permissions != "look":
            line = ", ".join(map(session.notation.format, answer.actions))
            origin = phrase("{player} has photographed the cards.", player=viewer.by)
            table.live.suggest(line, joined(" ", (origin, sentence)))
        own = await run_in_threadpool(lambda: answer_by_labels(session, labels, viewer.answers))
        return HTMLResponse(
            templates.render(
                "photo.html",
                session=session.id,
                token=who.token,
                at=table.live.length,
                sentence=sentence,
                texts=answer.texts,
                own=own.texts,
                line=", ".join(map(session.notation.format, own.actions)),
            )
        )

    async def _hold_by_photograph(self, request: Request, who: Visitor, table: SharedTable) -> Response:
        """Add the cards whose labels are seen to the hand of the phone's seat, without notifying others.

        Raises the errors of `_read`.
        """
        archive, session = self._pages.archive, table.live.session
        viewer = find_audience(self._pages.phones, who.id, session.id)
        if viewer is None or not viewer.holds_cards():
            return redirect("/pin" if viewer is None else f"/t/{session.id}")

        spread = await self._read(request, who, _read_labels)
        decks = {seat: deck for seat, deck in brought_decks(session).items() if seat == viewer.seat}
        labels = await run_in_threadpool(lambda: label_audit.find_cards(archive, decks, spread.numbers))
        seen = [label.spot.partition(" ")[0] or str(label.title) for label in labels.get(viewer.seat, ())]
        if not seen:
            sentence = describe_seen(session, {}, SeenAnswer((), (), ()), len(spread.labels))
            longer = who.id in self._unread
            return _form_page(
                who, sentence, HTTPStatus.UNPROCESSABLE_ENTITY, table=session.id, hand=True, longer=longer
            )
        held = hands.cards_left(viewer.hand, session, viewer.seat)
        # The picture may also show labels of cards that are on the table.
        fitting = [card for card in dict.fromkeys(seen) if hands.can_be_held(card, session, viewer.seat)]
        cards = (*held, *hands.divide(fitting, map(hands.key_of, held))[1])
        hand = Hand(cards[: hands.MAX_CARDS], table.live.length)
        phones = self._pages.phones
        with phones.writing(who.id, len(cards)) as entry:
            # Another phone may have taken the seat while the picture arrived.
            entry.is_made = await run_in_threadpool(phones.save_hand, who.id, session.id, viewer.seat, hand)
        return redirect(f"/t/{session.id}#mine")

    async def take(self, request: Request, who: Visitor) -> Response:
        """Submit the answers of a photograph of the cards, unless the log has grown since."""
        fields = await read_form(request, who)
        table = await self._pages.find_table(request)
        path = f"/t/{table.live.session.id}"
        viewer = find_audience(self._pages.phones, who.id, table.live.session.id)
        if viewer is None:
            return redirect("/pin")
        with self._pages.phones.writing(who.id, form_size(fields)) as entry:
            reply = await run_in_threadpool(_take_line, table.sitting(viewer), viewer, fields)
            entry.is_made = isinstance(reply, ActionDone)
        if isinstance(reply, ActionDone):
            return redirect(path)
        return message_page(phrase("Not done"), reply.sentence, HTTPStatus.CONFLICT)

    async def _read(self, request: Request, who: Visitor, read_picture: Callable[[Path, bool], T]) -> T:
        """Receive the body of a form with a picture, and return what `read_picture` reads quickly.

        If that leaves something to search, the picture is kept: a form with `longer` has it read thoroughly. Raises
        _Busy, RequestRefused or PictureError.
        """
        is_longer = "longer" in request.query_params
        with self._upload(who.id), TemporaryDirectory(prefix="companion-") as folder:
            picture = Path(folder) / _PICTURE
            if is_longer:
                await read_form(request, who)
                content = self._unread.pop(who.id, b"")
            else:
                body = Path(folder) / _BODY
                await _save_upload(_checked_body(request, who), body)
                content = await run_in_threadpool(lambda: read_parts(body.read_bytes()).get("picture", b""))
            self._unread.pop(who.id, None)
            if not content:
                raise PictureError(str(_GONE if is_longer else _NO_PICTURE))
            async with self._reading:
                await run_in_threadpool(picture.write_bytes, content)
                result = await run_in_threadpool(read_picture, picture, is_longer)
            if _has_search_left(result):
                self._unread[who.id] = content
                while len(self._unread) > _MAX_UNREAD:
                    del self._unread[next(iter(self._unread))]
            return result

    @contextmanager
    def _upload(self, phone: str) -> Iterator[None]:
        """Count an upload during the block. Raises _Busy."""
        if phone in self._sending or len(self._sending) >= _MAX_UPLOADS:
            raise _Busy(_ALREADY_SENDING if phone in self._sending else _BUSY)
        self._sending.add(phone)
        try:
            yield
        finally:
            self._sending.discard(phone)


async def _checked_body(request: Request, who: Visitor) -> AsyncIterator[bytes]:
    """Yield the body of a form in pieces, after checking its token. Raises RequestRefused."""
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


async def _save_upload(pieces: AsyncIterator[bytes], path: Path) -> None:
    try:
        with path.open("wb") as file:
            async for piece in pieces:
                await run_in_threadpool(file.write, piece)
    except ClientDisconnect:
        raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None


class _SpreadSeen(NamedTuple):
    """The content of a photograph of a spread deck: its audit, with the framed picture as a JPEG.

    If its labels name no deck, or several are as likely, `rows` has the candidates.
    """

    labels: int
    rows: Sequence[DeckRow]
    doubt: Text = ""
    audit: LabelAudit | None = None
    picture: bytes = b""
    search_left: bool = False


def _has_search_left(result: object) -> bool:
    """Return True if a quick search found nothing, and a longer one may."""
    spread = result[1] if isinstance(result, tuple) else result
    return isinstance(spread, Spread | _SpreadSeen) and spread.search_left


def _read_picture(archive: Archive, picture: Path, thoroughly: bool) -> tuple[Sequence[Code], _SpreadSeen | None]:
    """Return the codes in a picture, or the spread deck if there are none. Raises PictureError.

    A separate process reads each picture.
    """
    sandbox = Sandbox("companion.scan.worker", niceness=_NICENESS)
    try:
        until = time.monotonic() + _READ_SECONDS
        codes = read(picture, name=str(_NAME), photo=True, sandbox=sandbox, until=until)[:_MAX_CODES]
        if not all(code.kind is CodeKind.NOTHING for code in codes):
            return codes, None
        return codes, _read_spread(archive, picture, sandbox, until, quickly=not thoroughly)
    finally:
        sandbox.close()


def _read_labels(picture: Path, thoroughly: bool) -> Spread:
    """Return the labels in a picture, read by a process of its own. Raises PictureError."""
    sandbox = Sandbox("companion.scan.worker", niceness=_NICENESS)
    try:
        until = time.monotonic() + _READ_SECONDS
        return read_labels(picture, name=str(_NAME), quickly=not thoroughly, sandbox=sandbox, until=until)
    finally:
        sandbox.close()


def _take_line(sitting: TableClient, viewer: Audience, fields: Mapping[str, str]) -> Reply:
    """Submit the line that a page has shown, if all of it answers questions that its phone may answer now."""
    session = sitting.session
    if str(len(session.log.lines)) != fields.get("at", ""):
        return Rejected(str(phrase("The game has continued since; look at the table, and photograph the cards again.")))
    try:
        actions = line_reading.read_line(fields.get("line", ""), session)
    except NotationError as error:
        return Rejected(str(error))
    answers = [
        (prompt.seat, draft.action)
        for prompt in session.view().prompts
        if viewer.answers(prompt)
        for draft in prompt.answers
    ]
    if not all(
        (getattr(action, "seat", ""), type(action)) in answers and not isinstance(action, FOR_HOST)
        for action in actions
    ):
        return Rejected(str(phrase("The host allows this phone to answer only for its own seat.")))
    return sitting.submit(*actions)


def _read_spread(
    archive: Archive, picture: Path, sandbox: Sandbox, until: float, *, quickly: bool
) -> _SpreadSeen | None:
    """Return the spread deck in a picture without a box's code, or None if it shows no label."""
    spread = read_labels(picture, name=str(_NAME), quickly=quickly, sandbox=sandbox, until=until)
    if not spread.labels:
        return _SpreadSeen(0, (), search_left=True) if spread.search_left else None
    rows = label_audit.find_decks(archive, [spread.numbers])
    doubt = spread.describe_doubt(str(_NAME))
    if len(rows) != 1:
        return _SpreadSeen(len(spread.labels), rows, doubt)
    audit = label_audit.audit_deck(archive, rows[0], [spread.numbers], doubt)
    framed = draw_labels(picture, spread, audit.names, room=_PICTURE_ROOM, sandbox=sandbox)
    return _SpreadSeen(len(spread.labels), rows, doubt, audit, pack_jpeg(framed))


def pack_jpeg(picture: DrawnPhotograph) -> bytes:
    """Return a photograph that was drawn as the colours of its dots as a JPEG."""
    from PIL import Image

    packed = BytesIO()
    Image.frombytes("RGB", (picture.width, picture.height), picture.content).save(packed, "JPEG", quality=80)
    return packed.getvalue()


def _describe_strangers(spread: _SpreadSeen) -> Text:
    """Return the reason that labels identify no deck."""
    if spread.rows:
        return phrase(
            "These labels may be those of {decks}: look it up below, by the id on its box.",
            decks=any_of(row.name for row in spread.rows),
        )
    sentence = phrases(
        "{n} label with a code, and no deck here that bears them.",
        "{n} labels with a code, and no deck here that bears them.",
        n=spread.labels,
    )
    return joined(" ", (sentence, spread.doubt)) if spread.doubt else sentence


def _list_match(met: CodeMatch) -> tuple[DeckRow | None, Text, str]:
    """Return the deck of a code, or its problem, and for the host the passport from which the deck can be taken in."""
    return met.row, _describe_problem(met), met.code.text if met.can_adopt and templates.is_for_host() else ""


def _describe_problem(met: CodeMatch) -> Text:
    """Return the problem of a code, and for a passport the way to adopt its deck."""
    if met.can_adopt and templates.is_for_host():
        return phrase("{problem}.", problem=met.problem)
    if met.can_adopt:
        return phrase("{problem}; the host’s screen can take it in from this passport.", problem=met.problem)
    return met.problem


def _form_page(
    who: Visitor,
    wrong: Text = "",
    status: HTTPStatus = HTTPStatus.OK,
    headers: dict[str, str] | None = None,
    table: str = "",
    *,
    hand: bool = False,
    longer: bool = False,
    done: Text = "",
) -> Response:
    html = templates.render(
        "scan.html",
        token=who.token,
        wrong=wrong,
        done=done,
        table=table,
        hand=hand,
        longer=longer,
        limit=_PICTURE_BYTES,
    )
    return HTMLResponse(html, status, headers)
