"""The pages of games: a list, each game's page as a file and as QR codes, and the form that takes in a page.

Everybody may look and take files away. Only phones that may do everything can add a game, and only after they have seen
what its page is and what it will keep.
"""

from __future__ import annotations

import re
from asyncio import Semaphore
from collections.abc import Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Final, NamedTuple

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError
from companion.archive.exchange import page_codes, page_offers, pages
from companion.archive.exchange.page_offers import PageOffer
from companion.games import listing, registry
from companion.games.described import load
from companion.games.described.page.overview import describe_page
from companion.tabletop.action import NotationError
from companion.web import templates
from companion.web.guard import BodyLimit
from companion.web.pages import WebPages, message_page, redirect
from companion.web.sharing.desk import HeldPage, SharingDesk
from companion.web.sharing.forms import read_file_form
from companion.web.visitor import Visitor, read_form
from labels.drawing import qr
from templates.languages.messages import Text, phrase

GAMES_PATH: Final = "/games"
OFFER_PATH: Final = "/games/offer"
LOOK_PATH: Final = "/games/look"
PAGE_LIMIT: Final = BodyLimit(2 * load.MAX_BYTES + 8192, 30.0)
"""The limit of the form with a page: its text as a file, and once more as text, whatever that is."""
_GAME_PATH: Final = re.compile(r"[0-9a-f]{16}")
_DARK: Final = re.compile(b"\x00+")
_MAX_READERS: Final = 2
"""The most pages that are read at a time."""
_MAX_PAGES: Final = 200
_NUMBER: Final = re.compile(r"[0-9]{1,2}")
_NOT_ALLOWED: Final = phrase("The host does not allow your phone to do this; ask at the table.")


class SharedPage(NamedTuple):
    """A page in the list: its digest, the word of its game, its title, its author and its edition."""

    page: str
    name: str
    title: Text
    by: str
    edition: int


class GameRoutes:
    """The pages of games."""

    def __init__(self, pages: WebPages, desk: SharingDesk) -> None:
        self._pages = pages
        self._desk = desk
        self._reading = Semaphore(_MAX_READERS)
        self.routes = [
            Route(GAMES_PATH, pages.require_login(self.games)),
            Route(LOOK_PATH, pages.require_login(self.look), methods=["POST"]),
            Route(OFFER_PATH, pages.require_login(self.offer)),
            Route("/games/take", pages.require_login(self.take), methods=["POST"]),
            Route("/g/{page}", pages.require_login(self.game)),
            Route("/g/{page}/page.toml", pages.require_login(self.file)),
            Route("/g/{page}/codes", pages.require_login(self.codes)),
        ]

    async def games(self, _: Request, who: Visitor) -> Response:
        """List the games that have a page, and the form that takes in another."""
        return await self._list_page(who)

    async def game(self, request: Request, _: Visitor) -> Response:
        """Render what a page is and keeps, with the ways to take it away."""
        page, text = await self._find_text(request)
        sentences = await run_in_threadpool(describe_kept, text)
        headline = load.headline(text)
        return HTMLResponse(templates.render("game.html", page=page, title=headline.title, sentences=sentences))

    async def file(self, request: Request, _: Visitor) -> Response:
        """Send the text of a page as a file."""
        _page, text = await self._find_text(request)
        name = load.headline(text).name
        headers = {"content-disposition": f'attachment; filename="{name}.toml"'}
        return Response(text.encode(), media_type="application/toml; charset=utf-8", headers=headers)

    async def codes(self, request: Request, _: Visitor) -> Response:
        """Render one of the QR codes of a page, with links to the others."""
        page, text = await self._find_text(request)
        number_text = request.query_params.get("at", "1")
        try:
            codes = await run_in_threadpool(page_codes.write_codes, text)
        except ArchiveError as error:
            return message_page(phrase("No such file"), error.message, HTTPStatus.NOT_FOUND)
        number = min(max(1, int(number_text)), len(codes)) if _NUMBER.fullmatch(number_text) else 1
        html = templates.render(
            "game_codes.html",
            page=page,
            title=load.headline(text).title,
            number=number,
            count=len(codes),
            symbol=draw_symbol(codes[number - 1]),
        )
        return HTMLResponse(html)

    async def look(self, request: Request, who: Visitor) -> Response:
        """Show what a page is that was sent as a file or as text, before it is taken."""
        parts = await read_file_form(request, who)
        if not self._may_take(who):
            return message_page(phrase("Not from this phone"), _NOT_ALLOWED, HTTPStatus.FORBIDDEN)
        try:
            held = HeldPage(_read_text(parts), parts.get("name", b"").decode("utf-8", "replace").strip()[:40])
            async with self._reading:
                offer = await run_in_threadpool(page_offers.prepare_offer, self._pages.archive, held.text, held.name)
        except (NotationError, ArchiveError) as error:
            return await self._list_page(who, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        self._desk.hold(who.id, held)
        return self._offer_page(who, offer)

    async def offer(self, _: Request, who: Visitor) -> Response:
        """Show what a page is whose codes were scanned, before it is taken."""
        held = self._desk.held(who.id)
        if held is None:
            return redirect(GAMES_PATH)
        try:
            async with self._reading:
                offer = await run_in_threadpool(page_offers.prepare_offer, self._pages.archive, held.text, held.name)
        except (NotationError, ArchiveError) as error:
            self._desk.release(who.id)
            return await self._list_page(who, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        return self._offer_page(who, offer)

    async def take(self, request: Request, who: Visitor) -> Response:
        """Add the game whose page was shown before, and show its page."""
        fields = await read_form(request, who)
        if not self._may_take(who):
            return message_page(phrase("Not from this phone"), _NOT_ALLOWED, HTTPStatus.FORBIDDEN)
        held = self._desk.held(who.id, fields.get("page", "-"))
        if held is None:
            return await self._list_page(
                who, phrase("That page is no longer here; send it again."), HTTPStatus.CONFLICT
            )
        try:
            with self._pages.phones.writing(who.id, len(held.text)) as entry:
                await run_in_threadpool(pages.add_page, self._pages.archive, held.text, held.name)
                entry.is_made = True
        except (NotationError, ArchiveError) as error:
            return await self._list_page(who, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        self._desk.release(who.id)
        return redirect(f"/g/{held.page}")

    def _may_take(self, who: Visitor) -> bool:
        return who.phone is not None and self._pages.phones.permissions_of(who.phone) == "all"

    async def _list_page(self, who: Visitor, wrong: Text = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
        rows = await run_in_threadpool(lambda: [*list_pages(self._pages.archive)][:_MAX_PAGES])
        may_take, kib = self._may_take(who), load.MAX_BYTES // 1024
        html = templates.render("games.html", rows=rows, token=who.token, may_take=may_take, wrong=wrong, kib=kib)
        return HTMLResponse(html, status)

    def _offer_page(self, who: Visitor, offer: PageOffer) -> Response:
        return HTMLResponse(
            templates.render("game_offer.html", offer=offer, token=who.token, may_take=self._may_take(who))
        )

    async def _find_text(self, request: Request) -> tuple[str, str]:
        """Return the digest and the text of the page of an address. Raises HTTPException."""
        page = request.path_params["page"]
        if not _GAME_PATH.fullmatch(page):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        text = await run_in_threadpool(_text_of, self._pages.archive, page)
        if not text:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return page, text


def list_pages(archive: Archive) -> Iterator[SharedPage]:
    """Yield the pages that can be shared: those of the archive that were not withdrawn, then the ready ones."""
    rows = [row for row in pages.pages(archive) if not row.withdrawn]
    for row in rows:
        yield SharedPage(row.page, row.name, row.title, row.author, row.edition)
    here = {row.page for row in rows}
    for name in registry.ready_names():
        text = registry.ready_text(name) or ""
        page, own = load.digest_of(text), load.headline(text)
        if page not in here:
            yield SharedPage(page, name, listing.head_of(text, name).title, own.by, own.edition)


def _text_of(archive: Archive, page: str) -> str:
    """Return the text of a page in the archive, or of a ready page; "" if there is none."""
    ready = (registry.ready_text(name) or "" for name in registry.ready_names())
    return next((text for text in ready if load.digest_of(text) == page), "") or pages.text_of(archive, page)


def describe_kept(text: str) -> tuple[Text, ...]:
    """Return sentences about a page that is here; of a homebrew, or a page that can no longer be read, only a few."""
    try:
        rules = registry.from_text(text, kept=True)
    except NotationError as error:
        return (error.message,)
    if hasattr(rules, "readable_page"):
        return describe_page(rules.readable_page)
    return (phrase("A homebrew for {game}.", game=rules.title),)


def _read_text(parts: Mapping[str, bytes]) -> str:
    """Return the text of a page from a form: its file, or else what was pasted. Raises NotationError."""
    content = parts.get("file", b"") or parts.get("text", b"")
    if not content.strip():
        raise NotationError(phrase("No page was sent: choose its file, or paste its text."))
    if len(content) > load.MAX_BYTES:
        raise NotationError(
            phrase("That has more than {size} KiB; no game's page is that long.", size=load.MAX_BYTES // 1024)
        )
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise NotationError(phrase("That is not UTF-8 text; save the page as UTF-8, and send it again.")) from None


@lru_cache(maxsize=64)
def draw_symbol(text: str) -> Markup:
    """Return the QR code of a text as a picture in markup, black on white with its quiet zone."""
    rows = qr.rows(text)
    side = len(rows) + 2 * qr.QUIET_ZONE
    runs = ((run.start(), number, len(run[0])) for number, row in enumerate(rows) for run in _DARK.finditer(row))
    path = "".join(f"M{x + qr.QUIET_ZONE} {y + qr.QUIET_ZONE}h{length}v1h-{length}z" for x, y, length in runs)
    return Markup(
        '<svg class="code" viewBox="0 0 {0} {0}" shape-rendering="crispEdges" role="img" aria-labelledby="place">'
        '<path fill="#fff" d="M0 0h{0}v{0}H0z"/><path fill="#000" d="{1}"/></svg>'
    ).format(side, path)
