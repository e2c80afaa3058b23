"""The host's page of a league: its rounds and results, its standings, who takes part, and sheets to hang up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, Unknown
from companion.archive.people import people
from companion.forms.plain_paper import ink_name, plain_paper
from companion.league import display, season, sheet
from companion.league.entering import Meaning
from companion.league.league import UNPAIRED, LeagueMatch
from companion.league.season import Season
from companion.league.standings import LeagueStanding, show_points
from companion.tabletop.action import NotationError
from companion.web.host.deck_care.league_buttons import (
    CAREFUL,
    CHANGED,
    Question,
    RoundForm,
    find_question,
    read_number,
    run_button,
)
from companion.web.host.deck_care.new_league import LeaguesPage
from companion.web.host.frame import Host, HostPages
from companion.web.leagues import describe_columns
from companion.web.pages import LEAGUE_PATH, redirect
from labels.errors import LabelError
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Text, phrase

_MOST_KNOWN: Final = 200
"""The most people of the archive that are offered to join."""
_MEANINGS: Final[Mapping[Meaning, Text]] = {
    "games": phrase("games won"),
    "places": phrase("places"),
    "scores": phrase("scores"),
}


class NamedPerson(NamedTuple):
    """A person of the league: the id, and the name at home."""

    person: str
    name: str


class ShownMatch(NamedTuple):
    """A match of the round: who plays, and how it ended; `figures` fill in its fields.

    `offer` describes the game of `session`, which was played here and decides the match; "" if there is none.
    """

    match: LeagueMatch
    title: str
    people: tuple[NamedPerson, ...]
    result: Text
    figures: tuple[str, ...]
    drawn_games: str
    meaning: Meaning
    offer: Text = ""
    session: str = ""


class FreshFields(NamedTuple):
    """The fields of a form that was refused, to be shown again: its match, and the figures."""

    table: int
    figures: tuple[str, ...]


class LeagueView(NamedTuple):
    """The content of the page. `free` have no match in the round, or only a bye; `candidates` could join."""

    read: Season
    number: int
    about: Text
    title: Text
    matches: tuple[ShownMatch, ...]
    rounds: tuple[int, ...]
    has_unpaired: bool
    is_last: bool
    is_ready: bool
    lines: tuple[tuple[LeagueStanding, str, Sequence[tuple[Text, str]]], ...]
    explanation: Text
    active: tuple[NamedPerson, ...]
    without_match: tuple[NamedPerson, ...]
    free: tuple[NamedPerson, ...]
    candidates: tuple[str, ...]
    meanings: tuple[tuple[Meaning, Text], ...]


class LeagueRoundsRoutes:
    """The page of a league, and its sheets."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        path = f"{LeaguesPage.path}/{{league}}"
        self.routes = [
            Route(path, pages.require_host(self.show)),
            Route(path, pages.require_host(self.change), methods=["POST"]),
            Route(f"{path}/standings.{{kind:str}}", pages.require_host(self.send_standings)),
            Route(f"{path}/pairings.{{kind:str}}", pages.require_host(self.send_pairings)),
        ]

    async def show(self, request: Request, host: Host) -> Response:
        """Show a league with the requested round, by default the last one."""
        number = read_number(request.query_params.get("round", ""))
        return await run_in_threadpool(self._show, request.path_params["league"], number, host)

    def _show(self, league: str, number: int | None, host: Host) -> Response:
        return self._render(host, find_season(self._pages.archive, league), number)

    def _render(
        self,
        host: Host,
        read: Season,
        number: int | None,
        *,
        wrong: Text = "",
        question: Question | None = None,
        fresh: FreshFields | None = None,
        status: HTTPStatus = HTTPStatus.OK,
    ) -> Response:
        view = read_league(self._pages.archive, read, number, fresh)
        return self._pages.render_host(
            "host/league.html",
            host,
            here=LeaguesPage.path,
            status=status,
            view=view,
            path=league_path(read),
            lines=view.lines,
            explanation=view.explanation,
            record_of=display.record_of,
            show_points=show_points,
            question=question,
            wrong=wrong,
        )

    async def change(self, request: Request, host: Host) -> Response:
        """Do what the pressed button says, and show the round again."""
        fields = await self._pages.read_host_fields(request, host)
        return await run_in_threadpool(self._change, request.path_params["league"], fields, host)

    def _change(self, league: str, fields: Sequence[tuple[str, str]], host: Host) -> Response:
        archive = self._pages.archive
        read, form = find_season(archive, league), RoundForm(fields)
        number = min(form.number, read.league.rounds)
        refuse = partial(self._render, host, read, number)
        if form.button in CAREFUL and form.at != str(read.row.length):
            return refuse(wrong=CHANGED, status=HTTPStatus.CONFLICT)
        if (question := find_question(read, form)) is not None:
            return refuse(question=question)
        try:
            done, text = run_button(archive, read, form)
        except (ArchiveError, NotationError) as error:
            fresh = FreshFields(form.table, form.figures)
            return refuse(wrong=error.message, fresh=fresh, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        self._pages.door.leave_message(host.id, text)
        if form.button in ("next", "again"):
            return redirect(league_path(done))
        place = f"#table-{form.table}" if form.table else ""
        return redirect(f"{league_path(done)}?round={UNPAIRED if form.is_unpaired else number}{place}")

    # Sheets and tables

    async def send_standings(self, request: Request, _: Host) -> Response:
        """Send the standings as a sheet to print or a table for spreadsheets, with the public names."""
        league, kind = request.path_params["league"], request.path_params["kind"]
        return await run_in_threadpool(self._send, league, kind, None)

    async def send_pairings(self, request: Request, _: Host) -> Response:
        """Send a round, by default the last one, as `send_standings` does."""
        league, kind = request.path_params["league"], request.path_params["kind"]
        number = read_number(request.query_params.get("round", ""))
        return await run_in_threadpool(self._send, league, kind, -1 if number is None else number)

    def _send(self, league: str, kind: str, number: int | None) -> Response:
        read = find_season(self._pages.archive, league)
        if number is not None and not 0 <= number <= read.league.rounds:
            number = read.league.rounds
        content: str | bytes
        if kind == "csv":
            table = display.standings_table if number is None else partial(display.pairings_table, number=number)
            content, media_type = table(read, outside=True).as_csv(), "text/csv; charset=utf-8"
        elif kind == "pdf":
            content, media_type = _draw_sheet(read, number), "application/pdf"
        else:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        name = f"{read.row.league}-{'standings' if number is None else f'round-{number}'}.{kind}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=media_type, headers=headers)


def _draw_sheet(read: Season, number: int | None) -> bytes:
    """Return a sheet on the usual paper. Raises ArchiveError if the paper is too small."""
    size, ink = plain_paper(None).size, ink_name(None) or "colour"
    try:
        if number is None:
            return sheet.standings_sheet(read, size, ink)
        return sheet.pairings_sheet(read, number, size, ink)
    except LabelError as error:
        raise ArchiveError(str(error)) from error


def league_path(read: Season) -> str:
    """Return the path of a league's page for the host."""
    return f"{LeaguesPage.path}/{read.row.league}"


def find_season(archive: Archive, league: str) -> Season:
    """Return the league of an address. Raises HTTPException."""
    if LEAGUE_PATH.fullmatch(f"/l/{league}"):
        try:
            read = season.read_season(archive, league)
        except Unknown:
            pass
        else:
            if read.row.league == league:
                return read
    raise HTTPException(HTTPStatus.NOT_FOUND)


# The content of the page


def read_league(
    archive: Archive, read: Season, number: int | None = None, fresh: FreshFields | None = None
) -> LeagueView:
    """Read the content of the page with a round, by default the last one."""
    league = read.league
    if number is None or number > league.rounds:
        number = league.rounds
    of_round = league.round(number)
    offers = {} if league.closed else {offer.match: offer for offer in season.find_offers(archive, read)}
    matches = [_show_match(read, match, fresh) for match in of_round]
    for at, match in enumerate(of_round):
        if offer := offers.get(match):
            offer_text, session = season.describe_offer(read, offer), offer.outcome.result.session
            matches[at] = matches[at]._replace(offer=offer_text, session=session)
    paired = {person for match in of_round for person in match.people}
    playing = {person for match in of_round if not match.is_bye for person in match.people}
    active = _name_people(read, league.active)
    names = {person.name for person in people.page_of_people(archive, count=_MOST_KNOWN).rows}
    return LeagueView(
        read,
        number,
        display.describe_league(read),
        display.round_title(read, number) if number or of_round else phrase("Rounds"),
        tuple(matches),
        tuple(range(1, league.rounds + 1)),
        bool(league.round(UNPAIRED)),
        number == league.rounds,
        not season.may_draw(read),
        tuple(display.narrow_rows(read)),
        describe_columns(display.tie_break_names(read)),
        active,
        tuple(person for person in active if person.person not in paired) if number else (),
        tuple(person for person in active if person.person not in playing) if number else (),
        tuple(sorted(names - {person.name for person in active}, key=alphabetical_key)),
        tuple((meaning, _MEANINGS[meaning]) for meaning in _list_meanings(read, league.created.seats)),
    )


def _name_people(read: Season, persons: Sequence[str]) -> tuple[NamedPerson, ...]:
    named = (NamedPerson(person, read.name(person)) for person in persons)
    return tuple(sorted(named, key=lambda each: alphabetical_key(each.name)))


def _show_match(read: Season, match: LeagueMatch, fresh: FreshFields | None) -> ShownMatch:
    result, meaning = match.result, next(iter(_list_meanings(read, len(match.people))))
    figures: Sequence[object] = ()
    if result is not None and not result.absent:
        figures = result.scores or (result.places if len(match.people) > 2 else result.games)
        meaning = "scores" if result.scores else meaning if meaning != "scores" else "places"
    if fresh is not None and fresh.table == match.table and len(fresh.figures) == len(match.people):
        figures = fresh.figures
    return ShownMatch(
        match,
        display.pairing(read, match),
        tuple(NamedPerson(person, read.name(person)) for person in match.people),
        season.describe_result(read, match),
        tuple(map(str, figures)) or ("",) * len(match.people),
        str(result.games_drawn or "") if result is not None else "",
        meaning,
    )


def _list_meanings(read: Season, count: int) -> tuple[Meaning, ...]:
    """Return what the figures of a match of so many people can mean, the usual meaning first."""
    scoring = read.league.created.scoring
    first: Meaning = "games" if count == 2 else "places"
    return ("scores", first) if scoring.by_score or scoring.order == "score" else (first, "scores")
