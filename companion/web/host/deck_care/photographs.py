"""The page that compares a deck with its record by photographs, and corrects the record as the host confirms."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import ArchiveError, DeckRow
from companion.printing import label_audit
from companion.printing.label_audit import LabelAudit, LabelCorrection
from companion.scan import PictureError
from companion.scan.spread import Spread, draw_labels, read_labels
from companion.tabletop.action import RuleError
from companion.web.guard import BodyLimit
from companion.web.host.deck_care.versions import find_deck_row
from companion.web.host.decks import DECKS_PATH
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from companion.web.scanning import pack_jpeg
from companion.web.sharing.forms import SentFile, read_files, read_parts
from companion.web.sharing.upload_folder import make_folder
from labels.sandbox import Sandbox
from templates.languages.messages import Text, joined, phrase, phrases

SPREAD_PATH: Final = "/host/audit/photographs"
_TAKE_PATH: Final = f"{SPREAD_PATH}/take"
SPREAD_LIMIT: Final = BodyLimit(60 * 2**20, 120.0)
"""The limit of a form with photographs: three of the largest, or as many as a deck needs from a telephone."""
_MAX_PHOTOGRAPHS: Final = 12
"""The most photographs of a deck that are compared together."""
_MAX_DECKS: Final = 8
"""The most decks of which photographs are kept, those of all sessions counted."""
_MAX_NAME: Final = 80
_READ_SECONDS: Final = 60.0
"""The time limit for reading a photograph."""
_NICENESS: Final = 10
"""Lower priority than the table."""
_ROOM: Final = (1200, 1200)
"""The most pixels across and down of a photograph with its labels framed."""


class _Photograph(NamedTuple):
    """A photograph that was sent: where it lies, its name, and the labels in it."""

    path: Path
    name: str
    spread: Spread


class ShownCorrection(NamedTuple):
    """A correction that can be confirmed; the key names it in a form."""

    key: str
    text: Text


class CardEntry(NamedTuple):
    """What was typed as the card of a label from a starter sheet, and why it was refused."""

    number: str = ""
    card: str = ""
    wrong: Text = ""


class SpreadRoutes:
    """The page of a deck's photographs. They are kept until the page begins anew, at the latest with the program."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._reading = threading.Lock()
        self._photographs: OrderedDict[tuple[str, str], list[_Photograph]] = OrderedDict()
        """The photographs by session and deck."""
        self._folder: Path | None = None
        self._received = 0
        self.routes = [
            Route(SPREAD_PATH, pages.require_host(self.show)),
            Route(SPREAD_PATH, pages.require_host(self.receive), methods=["POST"]),
            Route(_TAKE_PATH, pages.require_host(self.take), methods=["POST"]),
            Route(f"{SPREAD_PATH}/{{number}}.jpg", pages.require_host(self.show_picture)),
        ]

    async def show(self, request: Request, host: Host) -> Response:
        """Show what the photographs of a deck say about its record."""
        return await run_in_threadpool(self._show, request.query_params.get("deck", ""), host)

    def _show(
        self,
        deck: str,
        host: Host,
        wrong: Sequence[Text] = (),
        entry: CardEntry | None = None,
        status: HTTPStatus = HTTPStatus.OK,
    ) -> Response:
        row = find_deck_row(self._pages.archive, deck)
        photographs = self._list_photographs(host, row)
        audit = self._compare(row, photographs) if photographs else None
        return self._pages.render_host(
            "host/photographs.html",
            host,
            here=DECKS_PATH,
            status=status,
            path=SPREAD_PATH,
            take_path=_TAKE_PATH,
            row=row,
            photographs=[photograph.name for photograph in photographs],
            audit=audit,
            corrections=[ShownCorrection(_key_of(each), each.text) for each in audit.proposals] if audit else [],
            wrong=wrong,
            entry=entry or CardEntry(),
        )

    def _list_photographs(self, host: Host, row: DeckRow) -> list[_Photograph]:
        return self._photographs.get((host.id, row.deck), [])

    def _compare(self, row: DeckRow, photographs: Sequence[_Photograph]) -> LabelAudit:
        doubts = (each.spread.describe_doubt(each.name) for each in photographs)
        pictures = [each.spread.numbers for each in photographs]
        return label_audit.audit_deck(self._pages.archive, row, pictures, joined(" ", filter(None, doubts)))

    async def receive(self, request: Request, host: Host) -> Response:
        """Read the labels in photographs that were sent, and compare them with the record."""
        body = await request.body()
        parts = read_parts(body)
        self._pages.check_token(host, parts.get("token", b"").decode("latin-1"))
        deck = parts.get("deck", b"").decode(errors="replace")
        return await run_in_threadpool(self._receive, deck, read_files(body), host)

    def _receive(self, deck: str, files: Sequence[SentFile], host: Host) -> Response:
        row = find_deck_row(self._pages.archive, deck)
        with self._reading:
            wrong = self._add_all(row, files, host)
        if wrong:
            return self._show(deck, host, wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return redirect(f"{SPREAD_PATH}?deck={row.deck}#result")

    def _add_all(self, row: DeckRow, files: Sequence[SentFile], host: Host) -> list[Text]:
        """Add photographs to those of a deck; return the reasons why some were put aside."""
        kept = [*self._list_photographs(host, row)]
        if not files:
            return [phrase("Choose a photograph first.")]
        if len(kept) + len(files) > _MAX_PHOTOGRAPHS:
            return [
                phrases(
                    "At most {n} photograph is compared at once; begin anew, or send fewer.",
                    "At most {n} photographs are compared at once; begin anew, or send fewer.",
                    n=_MAX_PHOTOGRAPHS,
                )
            ]
        wrong: list[Text] = []
        for file in files:
            photograph = self._save(file)
            try:
                photograph = photograph._replace(spread=_read_photograph(photograph))
            except PictureError as error:
                wrong.append(str(error))
                photograph.path.unlink(missing_ok=True)
                continue
            # Pictures of another deck must not be combined with those of this one.
            if refusal := self._compare(row, [*kept, photograph]).refusal:
                wrong.append(phrase("{title}: {text}", title=photograph.name, text=refusal))
                photograph.path.unlink(missing_ok=True)
                continue
            kept.append(photograph)
        self._keep(host, row, kept)
        return wrong

    def _save(self, file: SentFile) -> _Photograph:
        """Write a photograph into the folder of this page, and return it unread."""
        if self._folder is None:
            self._folder = make_folder(self)
        self._received += 1
        path = self._folder / f"photograph-{self._received}"
        path.write_bytes(file.content)
        return _Photograph(path, file.name[-_MAX_NAME:], Spread(0, 0, ()))

    def _keep(self, host: Host, row: DeckRow, photographs: list[_Photograph]) -> None:
        """Keep the photographs of a deck in place of those before; the decks looked at longest ago make room."""
        key = (host.id, row.deck)
        before = self._photographs.pop(key, [])
        gone = [each for each in before if each not in photographs]
        if photographs:
            self._photographs[key] = photographs
        while len(self._photographs) > _MAX_DECKS:
            gone += self._photographs.popitem(last=False)[1]
        for each in gone:
            each.path.unlink(missing_ok=True)

    async def take(self, request: Request, host: Host) -> Response:
        """Write down a correction, all of them, or the card of a label; or put the photographs aside."""
        fields = await self._pages.read_host_form(request, host)
        return await run_in_threadpool(self._take, fields, host)

    def _take(self, fields: dict[str, str], host: Host) -> Response:
        deck = fields.get("deck", "")
        row = find_deck_row(self._pages.archive, deck)
        if "anew" in fields:
            with self._reading:
                self._keep(host, row, [])
            return redirect(f"{SPREAD_PATH}?deck={row.deck}")
        photographs = self._list_photographs(host, row)
        if not photographs:
            text = phrase("The photographs are no longer here; send them again.")
            return self._show(deck, host, [text], status=HTTPStatus.CONFLICT)
        audit = self._compare(row, photographs)
        entry = CardEntry(fields.get("number", ""), fields.get("card", ""))
        try:
            chosen = self._choose_corrections(audit, fields.get("take", ""), entry)
        except RuleError as error:
            refused = entry._replace(wrong=error.message)
            return self._show(deck, host, entry=refused, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        try:
            sentences = label_audit.take_proposals(self._pages.archive, row, chosen) if chosen else ()
        except (ArchiveError, RuleError) as error:
            return self._show(deck, host, [error.message], status=HTTPStatus.CONFLICT)
        if not sentences:
            text = phrase("The record has changed meanwhile, and nothing was stored. Look at what differs now.")
            return self._show(deck, host, [text], status=HTTPStatus.CONFLICT)
        self._pages.door.leave_message(host.id, joined(" ", sentences))
        return redirect(f"{SPREAD_PATH}?deck={row.deck}")

    def _choose_corrections(self, audit: LabelAudit, key: str, entry: CardEntry) -> list[LabelCorrection]:
        """Return the corrections that a form names, none if they no longer apply. Raises RuleError for a wrong card."""
        if not entry.number:
            return [each for each in audit.proposals if key in ("all", _key_of(each))]
        question = next((each for each in audit.questions if each.number == entry.number), None)
        if question is None:
            return []
        if not entry.card.strip():
            raise RuleError(phrase("Type the card that this label is on."))
        return [label_audit.answer_question(self._pages.archive, audit.row, question, entry.card)]

    async def show_picture(self, request: Request, host: Host) -> Response:
        """Send a photograph with every label framed."""
        deck, number = request.query_params.get("deck", ""), request.path_params["number"]
        return await run_in_threadpool(self._show_picture, deck, number, host)

    def _show_picture(self, deck: str, number: str, host: Host) -> Response:
        row = find_deck_row(self._pages.archive, deck)
        photographs = self._list_photographs(host, row)
        if number not in {str(each) for each in range(1, len(photographs) + 1)}:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        photograph = photographs[int(number) - 1]
        names = self._compare(row, photographs).names
        sandbox = Sandbox("companion.scan.worker", niceness=_NICENESS)
        try:
            with self._reading:
                picture = draw_labels(photograph.path, photograph.spread, names, room=_ROOM, sandbox=sandbox)
        except PictureError:
            # It was put aside meanwhile.
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        finally:
            sandbox.close()
        return Response(pack_jpeg(picture), media_type="image/jpeg", headers={"cache-control": "no-store"})


def _read_photograph(photograph: _Photograph) -> Spread:
    """Return the labels in a photograph, which a process of its own opens. Raises PictureError."""
    sandbox = Sandbox("companion.scan.worker", niceness=_NICENESS)
    try:
        return read_labels(
            photograph.path, name=photograph.name, sandbox=sandbox, until=time.monotonic() + _READ_SECONDS
        )
    finally:
        sandbox.close()


def _key_of(correction: LabelCorrection) -> str:
    """Return a key of what a correction changes, which stays the same whatever else was changed."""
    changes = (correction.chores, correction.spots, correction.recognized)
    return sha256(msgspec.json.encode(changes)).hexdigest()[:16]
