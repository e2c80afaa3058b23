"""All pages and their addresses: each kind of pages names its own in a module beside this one."""

from __future__ import annotations

from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.archive import ArchiveError
from companion.tabletop.action import NotationError, RuleError
from companion.web import pages as answers
from companion.web import templates
from companion.web.decks import Decks
from companion.web.guard import Guard, Limit, Refused
from companion.web.login import ComingIn
from companion.web.pages import Pages
from companion.web.scanning import ADDRESS, LIMIT, Scanning
from companion.web.table_routes import AtTable, TakingPart

_KINDS: Final = (ComingIn, AtTable, TakingPart, Decks, Scanning)

LIMITS: Final[dict[str, Limit]] = {ADDRESS: LIMIT}
"""Paths that take in more than a form does, each with what it takes."""

_FOR_EVER: Final = "public, max-age=31536000, immutable"


def application(pages: Pages, most_of_one: int) -> ASGIApp:
    """What a server runs; it answers at most so many requests of one address at a time."""
    routes = [route for kind in _KINDS for route in kind(pages).routes]
    routes += [Route(f"/{name}", _file) for name in templates.FILES]
    errors = {
        Refused: answers.refused,
        HTTPException: answers.no_page,
        ArchiveError: answers.cannot,
        NotationError: answers.cannot,
        RuleError: answers.cannot,
        Exception: answers.failed,
    }
    made = Starlette(routes=routes, exception_handlers=errors)
    made.router.redirect_slashes = False
    return Guard(made, pages.place, LIMITS, most_of_one)


async def _file(request: Request) -> Response:
    """The style, the script and the icon of all pages."""
    name = request.url.path[1:]
    return Response(templates.file(name), media_type=templates.FILES[name], headers={"cache-control": _FOR_EVER})
