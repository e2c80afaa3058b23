"""The pages of the decks: a list with a search, and each deck as it is today, with its chores."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, DeckRow, StoryLine, deck_id, deck_records
from companion.archive.chapters import Chapter
from companion.archive.people import people
from companion.archive.storage import lists
from companion.games import registry
from companion.printing import jobs as sheets
from companion.printing import order
from companion.scan import parse_typed
from companion.scan.codes import look_up
from companion.tabletop.decks.paper import RecordSheet
from companion.tabletop.records import Chore, Fact, facts
from companion.web import templates
from companion.web.pages import DECK_PATH, WebPages, message_page, redirect
from companion.web.visitor import Visitor, read_form
from labels.errors import LabelError
from templates.languages.messages import Message, Text, phrase

_MAX_DECKS: Final = 30
_MAX_SENTENCES: Final = 20
"""The most sentences of a story on a page."""
_MAX_SEARCH: Final = 200
_NOTICES: Final[dict[str, Message]] = {
    "done": phrase("That is done."),
    "not-done": phrase("That is to be done again."),
}
"""The message after a change, by the page's query."""
_NUMBER: Final = re.compile(r"[0-9]{1,7}")


class PageRange(NamedTuple):
    """A page of a long list: `at` is its first row, from 0, `length` the rows of a page, `total` all rows."""

    at: int
    length: int
    total: int

    @property
    def next_start(self) -> int | None:
        """The first row of the next page, or None on the last page."""
        return self.at + self.length if self.at + self.length < self.total else None

    @property
    def previous_start(self) -> int | None:
        """The first row of the previous page, or None on the first page."""
        return max(0, self.at - self.length) if self.at else None


class DeckPage(NamedTuple):
    """The content of a deck's page: its record sheet, or bare facts if its game prints none.

    `story`, newest first, is the part in `page_range`.
    """

    row: DeckRow
    game: Text
    sheet: RecordSheet | None
    facts: tuple[Fact, ...]
    chores: tuple[Chore, ...]
    story: tuple[StoryLine, ...]
    page_range: PageRange
    chapters: tuple[Chapter, ...] = ()
    """The same part of the story as chapters, newest first."""
    has_list: bool = False
    has_box: bool = False
    """True if what is in the box can be compared with the record."""


class DeckList(NamedTuple):
    """A page of the list of decks, each with its game and its id, for a search; `text` is "" for all."""

    rows: tuple[tuple[DeckRow, Text, str], ...]
    page_range: PageRange
    text: str


async def list_decks(request: Request, archive: Archive) -> DeckList | Response:
    """Return the decks by name that a request asks for, or the way to the only one, or to the first page."""
    text, at = request.query_params.get("q", "")[:_MAX_SEARCH].strip(), _first_row(request)
    if text:
        met = await run_in_threadpool(look_up, archive, parse_typed(text))
        if met.row is not None:
            return redirect(f"/d/{met.row.deck}")
    page = await run_in_threadpool(archive.page_of_decks, text, at, _MAX_DECKS)
    if at and not page.rows:
        here = request.url.path
        return redirect(f"{here}?{urlencode({'q': text})}" if text else here)
    rows = tuple((row, registry.title(row.game, row.page), deck_id.show(row.deck)) for row in page.rows)
    return DeckList(rows, PageRange(page.at, _MAX_DECKS, page.total), text)


class DeckRoutes:
    """The pages of the decks."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [
            Route("/decks", pages.require_login(self.decks)),
            Route("/d/{deck}", pages.require_login(self.deck)),
            # An address in capitals alone makes the largest modules on a box.
            Route("/D/{deck}", pages.require_login(self.deck)),
            Route("/d/{deck}/done", pages.require_login(self.tick), methods=["POST"]),
            Route("/d/{deck}/not-done", pages.require_login(self.untick), methods=["POST"]),
            Route("/d/{deck}/record.pdf", pages.require_login(self.sheet)),
        ]

    async def decks(self, request: Request, who: Visitor) -> Response:
        """List the decks by name, or those that match a search. An id leads to its deck at once."""
        decks = await list_decks(request, self._pages.archive)
        if isinstance(decks, Response):
            return decks
        permissions = self._pages.phones.permissions_of(who.phone) if who.phone else "look"
        html = templates.render("decks.html", **decks._asdict(), may_build=permissions in ("own", "all"))
        return HTMLResponse(html)

    async def deck(self, request: Request, who: Visitor) -> Response:
        """Render a deck as it is today, its chores, and its story."""
        row = await self._find_row(request)
        if isinstance(row, Response):
            return row
        if request.url.path != f"/d/{row.deck}":
            return redirect(f"/d/{row.deck}")
        page = await run_in_threadpool(_read_page, self._pages.archive, row, _first_row(request))
        ticks = await may_tick(self._pages, who, row)
        just_done = request.url.query == "done" and bool(page.story) and page.story[0].kind == "done"
        text = templates.render(
            "deck.html",
            page=page,
            shown_id=deck_id.show(row.deck),
            may_tick=ticks,
            may_undo=ticks and just_done,
            token=who.token,
            told=_NOTICES.get(request.url.query, ""),
        )
        return HTMLResponse(text)

    async def tick(self, request: Request, who: Visitor) -> Response:
        """Tick off a chore on a deck's cards."""
        chore = (await read_form(request, who)).get("chore", "")
        return await self._write(
            request, who, "done", lambda archive, deck, by: deck_records.tick(archive, deck, (chore,), by)
        )

    async def untick(self, request: Request, who: Visitor) -> Response:
        """Take back a tick."""
        text = (await read_form(request, who)).get("number", "")
        number = int(text) if _NUMBER.fullmatch(text) else 0
        return await self._write(
            request, who, "not-done", lambda archive, deck, by: deck_records.untick(archive, deck, number, by)
        )

    async def _write(
        self, request: Request, who: Visitor, notice: str, write: Callable[[Archive, str, str], object]
    ) -> Response:
        row = await self._find_row(request)
        if isinstance(row, Response):
            return row
        if not await may_tick(self._pages, who, row):
            text = phrase("The host does not allow your phone to do this; ask at the table.")
            return message_page(phrase("Not from this phone"), text, HTTPStatus.FORBIDDEN)
        by = who.phone.name if who.phone else ""
        with self._pages.phones.writing(who.id, 0) as entry:
            await run_in_threadpool(write, self._pages.archive, row.deck, by)
            entry.is_made = True
        return redirect(f"/d/{row.deck}?{notice}")

    async def sheet(self, request: Request, _: Visitor) -> Response:
        """Send a deck's record sheet for paper of the requested size."""
        row = await self._find_row(request)
        if isinstance(row, Response):
            return row
        document = await run_in_threadpool(
            _draw_sheet, self._pages.archive, row.deck, request.query_params.get("paper", "")
        )
        if isinstance(document, str):
            return message_page(phrase("There is no such sheet"), document, HTTPStatus.NOT_FOUND)
        headers = {"content-disposition": f'attachment; filename="{deck_id.show(row.deck)}.pdf"'}
        return Response(document, media_type="application/pdf", headers=headers)

    async def _find_row(self, request: Request) -> DeckRow | Response:
        """Return the deck of an address, or an error page. Raises HTTPException."""
        text = request.path_params["deck"]
        if not DECK_PATH.fullmatch(f"/d/{text}"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        met = await run_in_threadpool(look_up, self._pages.archive, parse_typed(text))
        return met.row or message_page(phrase("No deck is here"), met.problem, HTTPStatus.NOT_FOUND)


async def may_tick(pages: WebPages, who: Visitor, row: DeckRow) -> bool:
    """Return True if a phone may tick off chores: of any deck, or of those that its seat's person holds."""
    phone = who.phone
    permissions = pages.phones.permissions_of(phone) if phone else "look"
    if permissions != "own" or phone is None or not row.holder:
        return permissions == "all"
    for session, seat in phone.seats.items():
        table = await pages.tables.open(session)
        names = (each.name for each in table.live.session.view().seats if each.seat == seat)
        if lists.fold(row.holder) in map(lists.fold, names):
            return True
    return False


def _first_row(request: Request) -> int:
    """Return the number of the first row of a request, from 0."""
    text = request.query_params.get("at", "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _read_page(archive: Archive, row: DeckRow, at: int) -> DeckPage:
    """Read a deck's page from the archive."""
    game = registry.game(row.game, row.page)
    story = archive.story(row.deck)[::-1]
    page_range = PageRange(min(at, len(story)), _MAX_SENTENCES, len(story))
    record = archive.record(row.deck)
    times = {line.number: line.at for line in story}
    sheet = sheets.record_contents(record, archive.marks(row.deck), times) if game.paper else None
    lines = () if sheet else tuple(facts(record))
    chores = deck_records.chores(archive, row.deck)
    part = story[page_range.at : page_range.at + _MAX_SENTENCES]
    whole = archive.chapters(row.deck, people.names_outside(archive))[::-1]
    numbers = {line.number for line in part}
    kept = archive.titles(chapter.session for chapter in whole)
    parts = (chapter.among(numbers) for chapter in whole)
    chapters = tuple(each if each.session in kept else each._replace(session="") for each in parts if each is not None)
    has_list, has_box = bool(game.decks.list_parts), game.decks.keeping is not None
    return DeckPage(row, game.title, sheet, lines, chores, part, page_range, chapters, has_list, has_box)


def _draw_sheet(archive: Archive, deck: str, paper: str) -> bytes | str:
    """Return the PDF of a record sheet, or the reason that there is none."""
    try:
        return order.prepare(archive, order.PrintOrder("record", deck, paper=paper)).draw()
    except LabelError as error:
        return str(error)
