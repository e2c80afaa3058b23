"""The middle of the table for a television or a tablet: a read-only page for the whole room."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.web import templates
from companion.web.pages import WebPages, redirect
from companion.web.table_routes import render_sections, stream_news
from companion.web.tables import EVERYBODY, PageKind
from companion.web.visitor import Visitor

SCREEN_PAGE: Final = PageKind(("board", "newest"), public=True)
"""A page for all eyes: it shows no private information, whichever seat's phone has opened it."""


class ScreenRoutes:
    """The page for a television, of one table and of tonight's, and its event stream."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [
            Route("/screen", pages.require_login(self.tonights)),
            Route("/t/{session}/screen", pages.require_login(self.screen)),
            Route("/t/{session}/screen/news", self.news),
        ]

    async def tonights(self, _: Request, __: Visitor) -> Response:
        """Redirect to the screen of tonight's table, or ask which table is meant.

        The address is short enough for a remote control.
        """
        session = await self._pages.find_tonights()
        if session:
            return redirect(f"/t/{session}/screen")
        rows = await self._pages.list_tables()
        if not rows:
            return redirect("/tables")
        return HTMLResponse(templates.render("tables.html", tables=rows, is_for_screen=True))

    async def screen(self, request: Request, who: Visitor) -> Response:
        """Render a table for the whole room."""
        table = await self._pages.find_table(request)
        parts = await render_sections(table, EVERYBODY, who.token, SCREEN_PAGE)
        return HTMLResponse(templates.render("screen.html", **parts))

    async def news(self, request: Request) -> Response:
        """Stream the events of that page."""
        return await stream_news(self._pages, request, SCREEN_PAGE)
