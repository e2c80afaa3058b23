"""The pages of the leagues: standings and pairings. People have the public names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, Unknown
from companion.archive.people import leagues
from companion.league import display, season
from companion.league.standings import show_points
from companion.web import templates
from companion.web.pages import LEAGUE_PATH, WebPages
from companion.web.visitor import Visitor
from templates.languages.messages import Message, Text, joined, phrase

_ROUND: Final = re.compile(r"[0-9]{1,4}")


class LeagueRoutes:
    """The pages of the leagues."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [
            Route("/leagues", pages.require_login(self.leagues)),
            Route("/l/{league}", pages.require_login(self.league)),
        ]

    async def leagues(self, _: Request, __: Visitor) -> Response:
        """List all leagues, running ones first."""
        rows = await run_in_threadpool(leagues.leagues, self._pages.archive)
        return HTMLResponse(templates.render("leagues.html", rows=rows, list_path="/l"))

    async def league(self, request: Request, _: Visitor) -> Response:
        """Render a league's standings, and the matches of its last round or the requested one."""
        if not LEAGUE_PATH.fullmatch(request.url.path):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        asked_round = request.query_params.get("round", "")
        number = int(asked_round) if _ROUND.fullmatch(asked_round) else None
        try:
            text = await run_in_threadpool(_render_league, self._pages.archive, request.path_params["league"], number)
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        return HTMLResponse(text)


def _render_league(archive: Archive, league: str, number: int | None) -> str:
    read = season.read_season(archive, league)
    if number is None or not 0 <= number <= read.league.rounds:
        number = read.league.rounds
    return templates.render(
        "league.html",
        league=read.row,
        about=display.describe_league(read),
        lines=list(display.narrow_rows(read, outside=True)),
        record_of=display.record_of,
        show_points=show_points,
        explanation=describe_columns(display.tie_break_names(read)),
        number=number,
        is_open=bool(read.league.open_matches()),
        title=display.round_title(read, number),
        matches=display.pairings_table(read, number, outside=True).rows if read.league.matches else (),
        rounds=range(1, read.league.rounds + 1),
    )


def describe_columns(ties: Iterable[tuple[Text, Text]]) -> Message:
    """Return what stands behind each name: the record, and these tie-breaks with their abbreviations."""
    figures = [joined(": ", pair) for pair in ties]
    if not figures:
        return phrase("Behind each name: matches won, drawn and lost.")
    # Translators: {figures} are tie-breaks, each with its abbreviation
    return phrase("Behind each name: matches won, drawn and lost; {figures}.", figures=joined("; ", figures))
