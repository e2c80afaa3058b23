"""The pages of the decks: all of them with a search, and each as it is today, with what is to be done to it by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, DeckRow, StoryLine, deck_id, lists, shelf
from companion.games import registry
from companion.scan import parse_typed
from companion.scan.codes import look_up
from companion.tabletop.paper import RecordSheet
from companion.tabletop.records import Chore, Fact, Mark, Record, facts
from companion.web import templates
from companion.web.pages import DECK, Pages, go, message
from companion.web.visitor import Visitor, form

_LISTED: Final = 30
_TOLD: Final = 20
"""Sentences of a story that a page has."""
_LONGEST_SEARCH: Final = 200
_TOLD_OF: Final = {"done": "That is done.", "not-done": "That is to be done again."}
"""What a page says after a change, by what its address says."""
_NUMBER: Final = re.compile(r"[0-9]{1,7}")


class Part(NamedTuple):
    """Where a page of a long list begins, from 0, how many there are in all, and where those beside it begin."""

    at: int
    length: int
    total: int

    @property
    def later(self) -> int | None:
        """Where the next page begins; None on the last one."""
        return self.at + self.length if self.at + self.length < self.total else None

    @property
    def before(self) -> int | None:
        """Where the page before begins; None on the first one."""
        return max(0, self.at - self.length) if self.at else None


class DeckPage(NamedTuple):
    """A deck as its page shows it: in the words of its record sheet, or as bare facts where its game prints none.

    Of its story, newest first, it has a part.
    """

    row: DeckRow
    game: str
    sheet: RecordSheet | None
    facts: tuple[Fact, ...]
    chores: tuple[Chore, ...]
    story: tuple[StoryLine, ...]
    part: Part


class Decks:
    """The pages of the decks."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.routes = [
            Route("/decks", pages.inside(self.decks)),
            Route("/d/{deck}", pages.inside(self.deck)),
            # An address in capitals alone makes the largest modules on a box.
            Route("/D/{deck}", pages.inside(self.deck)),
            Route("/d/{deck}/done", pages.inside(self.tick), methods=["POST"]),
            Route("/d/{deck}/not-done", pages.inside(self.untick), methods=["POST"]),
            Route("/d/{deck}/record.pdf", pages.inside(self.sheet)),
        ]

    async def decks(self, request: Request, _: Visitor) -> Response:
        """All decks by name, or those that a search finds; an id leads to its deck at once."""
        text, at = request.query_params.get("q", "")[:_LONGEST_SEARCH].strip(), _number(request)
        archive = self._pages.archive
        if text:
            met = await run_in_threadpool(look_up, archive, parse_typed(text))
            if met.row is not None:
                return go(f"/d/{met.row.deck}")
        found = await run_in_threadpool(archive.page_of_decks, text, at, _LISTED)
        part = Part(found.at, _LISTED, found.total)
        rows = [(row, registry.title(row.game), deck_id.show(row.deck)) for row in found.rows]
        return HTMLResponse(templates.page("decks.html", rows=rows, part=part, text=text))

    async def deck(self, request: Request, who: Visitor) -> Response:
        """What a deck is today, what is to be done to it by hand, and its story."""
        row = await self._row(request)
        if isinstance(row, Response):
            return row
        if request.url.path != f"/d/{row.deck}":
            return go(f"/d/{row.deck}")
        page = await run_in_threadpool(_read, self._pages.archive, row, _number(request))
        may_tick = await self._may_tick(who, row)
        just_done = request.url.query == "done" and bool(page.story) and page.story[0].kind == "done"
        text = templates.page(
            "deck.html",
            page=page,
            shown_id=deck_id.show(row.deck),
            may_tick=may_tick,
            may_undo=may_tick and just_done,
            token=who.token,
            told=_TOLD_OF.get(request.url.query, ""),
        )
        return HTMLResponse(text)

    async def tick(self, request: Request, who: Visitor) -> Response:
        """Something was done by hand to a deck's cards."""
        wanted = (await form(request, who)).get("chore", "")
        return await self._write(
            request, who, "done", lambda archive, deck, by: shelf.tick(archive, deck, (wanted,), by)
        )

    async def untick(self, request: Request, who: Visitor) -> Response:
        """It was not done after all."""
        said = (await form(request, who)).get("number", "")
        number = int(said) if _NUMBER.fullmatch(said) else 0
        return await self._write(
            request, who, "not-done", lambda archive, deck, by: shelf.untick(archive, deck, number, by)
        )

    async def _write(
        self, request: Request, who: Visitor, done: str, what: Callable[[Archive, str, str], object]
    ) -> Response:
        row = await self._row(request)
        if isinstance(row, Response):
            return row
        if not await self._may_tick(who, row):
            text = "The host has not opened this deck to your phone; ask at the table."
            return message("Not from this phone", text, HTTPStatus.FORBIDDEN)
        by = who.phone.name if who.phone else ""
        await run_in_threadpool(what, self._pages.archive, row.deck, by)
        return go(f"/d/{row.deck}?{done}")

    async def sheet(self, request: Request, _: Visitor) -> Response:
        """A deck's record sheet, for paper of the size that is asked for."""
        row = await self._row(request)
        if isinstance(row, Response):
            return row
        drawn = await run_in_threadpool(_sheet, self._pages.archive, row.deck, request.query_params.get("paper", ""))
        if isinstance(drawn, str):
            return message("There is no such sheet", drawn, HTTPStatus.NOT_FOUND)
        named = {"content-disposition": f'attachment; filename="{deck_id.show(row.deck)}.pdf"'}
        return Response(drawn, media_type="application/pdf", headers=named)

    async def _row(self, request: Request) -> DeckRow | Response:
        """The deck that an address names, or the page that says why there is none."""
        text = request.path_params["deck"]
        if not DECK.fullmatch(f"/d/{text}"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        met = await run_in_threadpool(look_up, self._pages.archive, parse_typed(text))
        return met.row or message("No deck is here", met.problem, HTTPStatus.NOT_FOUND)

    async def _may_tick(self, who: Visitor, row: DeckRow) -> bool:
        """Whether this phone may say what was done: to any deck, or to those that its seat's person holds."""
        phone = who.phone
        hands = self._pages.phones.hands(phone) if phone else "look"
        if hands != "own" or phone is None or not (phone.session and row.holder):
            return hands == "all"
        shown = await self._pages.tables.open(phone.session)
        names = (seat.name for seat in shown.live.session.view().seats if seat.seat == phone.seat)
        return lists.fold(row.holder) in map(lists.fold, names)


def _number(request: Request) -> int:
    """The number of the first row that is asked for."""
    text = request.query_params.get("at", "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _read(archive: Archive, row: DeckRow, at: int) -> DeckPage:
    """A deck's page, as the archive has it at this moment."""
    game = registry.game(row.game)
    story = archive.story(row.deck)[::-1]
    part = Part(min(at, len(story)), _TOLD, len(story))
    record = archive.record(row.deck)
    sheet = _contents(record, archive.marks(row.deck), story) if game.paper else None
    told = () if sheet else tuple(facts(record))
    chores = shelf.chores(archive, row.deck)
    return DeckPage(row, game.title, sheet, told, chores, story[part.at : part.at + _TOLD], part)


def _contents(known: Record, marks: Sequence[Mark], story: Sequence[StoryLine]) -> RecordSheet:
    """What a deck's record sheet says."""
    from companion.printing import jobs as record

    return record.record_contents(known, marks, {line.number: line.at for line in story})


def _sheet(archive: Archive, deck: str, paper: str) -> bytes | str:
    """The PDF of a record sheet, or why there is none."""
    from companion.printing import order
    from labels.errors import LabelError

    try:
        return order.prepare(archive, order.Order("record", deck, paper=paper)).draw()
    except LabelError as error:
        return str(error)
