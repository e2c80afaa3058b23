"""The statistics for the host: who wins how often, as a table and charts; and the games that were imported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, DeckRow
from companion.archive.deck_id import DeckIdError
from companion.archive.exchange import play_removal
from companion.archive.storage.plays import ImportedPlay
from companion.archive.storage.results import games_of_results
from companion.archive.storage.rows import PAGE
from companion.games import registry
from companion.rehearsal.forecast import forecasts
from companion.statistics import display
from companion.statistics.plays import as_csv, read_plays
from companion.statistics.tables import GROUPINGS, Group, compute_statistics, kinds_of_games
from companion.web.decks import PageRange
from companion.web.host.charts import draw_interval, draw_months
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from templates.languages.messages import Text, WithinSentence, phrase

STATISTICS_PATH: Final = "/host/statistics"
PLAYS_PATH: Final = f"{STATISTICS_PATH}/imported"
_NUMBER: Final = re.compile(r"[0-9]{1,7}")
_MAX_SEARCH: Final = 200


class FilterChoice(NamedTuple):
    """A choice of a filter: its word and its title."""

    word: str
    title: Text


class Filters(NamedTuple):
    """The filters of the page: the grouping, the typed deck, the word of a game, and True to add up different games."""

    by: str = "person"
    deck: str = ""
    game: str = ""
    is_together: bool = False

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Filters:
        """Return the filters of an address."""
        deck, game = (fields.get(name, "")[:_MAX_SEARCH].strip() for name in ("deck", "game"))
        return cls(fields.get("by", "person"), deck, game, "together" in fields)


class MonthsChart(NamedTuple):
    """The chart of a game's months; `title` is "" if it is of all games."""

    title: Text
    picture: Markup
    has_rates: bool


class StatisticsView(NamedTuple):
    """The content of the page."""

    filters: Filters
    deck: DeckRow | None
    groupings: tuple[FilterChoice, ...]
    games: tuple[FilterChoice, ...]
    title: Text
    headline: Text
    remark: Text
    has_games: bool
    columns: tuple[Text, ...]
    rows: tuple[tuple[tuple[Text, ...], Markup], ...]
    charts: tuple[MonthsChart, ...]
    extras: tuple[tuple[Text, tuple[Text, ...]], ...]

    @property
    def has_intervals(self) -> bool:
        """True if any row has a win rate."""
        return any(picture for _, picture in self.rows)


class StatisticsRoutes:
    """The pages of the statistics."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(STATISTICS_PATH, pages.require_host(self.statistics)),
            Route(f"{STATISTICS_PATH}/games.csv", pages.require_host(self.csv)),
            Route(PLAYS_PATH, pages.require_host(self.plays)),
            Route(PLAYS_PATH, pages.require_host(self.change_play), methods=["POST"]),
        ]

    async def statistics(self, request: Request, host: Host) -> Response:
        """Show the table of a grouping, with its charts."""
        filters, archive = Filters.read(request.query_params), self._pages.archive
        wrong: Text = ""
        status = HTTPStatus.OK
        try:
            view = await run_in_threadpool(read_statistics, archive, filters)
        except (ArchiveError, DeckIdError) as error:
            if not filters.deck:
                raise
            wrong, status = error.message, HTTPStatus.UNPROCESSABLE_ENTITY
            view = await run_in_threadpool(read_statistics, archive, filters._replace(deck=""))
        return self._pages.render_host(
            "host/statistics.html", host, here=STATISTICS_PATH, status=status, view=view, wrong=wrong
        )

    async def csv(self, _: Request, __: Host) -> Response:
        """Send all finished games as a table for spreadsheets; people have their public names."""
        text = await run_in_threadpool(lambda: as_csv(read_plays(self._pages.archive)))
        headers = {"content-disposition": 'attachment; filename="games.csv"'}
        return Response(text.encode(), media_type="text/csv; charset=utf-8", headers=headers)

    async def plays(self, request: Request, host: Host) -> Response:
        """List the games that were imported, newest first, or those that match a search."""
        text, at = request.query_params.get("q", "")[:_MAX_SEARCH].strip(), request.query_params.get("at", "")
        changed = request.query_params.get("changed", "")
        done: Text = ""
        if changed:
            with suppress(ArchiveError):
                done = _describe_change(await run_in_threadpool(play_removal.find_play, self._pages.archive, changed))
        return await self._plays_page(host, text, int(at) if _NUMBER.fullmatch(at) else 0, done)

    async def _plays_page(
        self,
        host: Host,
        text: str = "",
        at: int = 0,
        done: Text = "",
        wrong: Text = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> Response:
        rows = await run_in_threadpool(play_removal.find_plays, self._pages.archive, text)
        at = min(at, max(0, len(rows) - 1))
        return self._pages.render_host(
            "host/plays.html",
            host,
            here=STATISTICS_PATH,
            status=status,
            rows=[(play, play_removal.describe_play(play)) for play in rows[at : at + PAGE]],
            page_range=PageRange(at, PAGE, len(rows)),
            text=text,
            done=done,
            wrong=wrong,
        )

    async def change_play(self, request: Request, host: Host) -> Response:
        """Remove an imported game, so that it no longer counts, or bring it back."""
        fields = await self._pages.read_host_form(request, host)
        changes = {"remove": play_removal.remove_play, "restore": play_removal.restore_play}
        change = changes.get(fields.get("do", ""))
        if change is None:
            wrong = phrase("This button is not known here. Load the page again; nothing was changed.")
            return await self._plays_page(host, wrong=wrong, status=HTTPStatus.BAD_REQUEST)
        try:
            play = await run_in_threadpool(change, self._pages.archive, fields.get("play", ""))
        except ArchiveError as error:
            return await self._plays_page(host, wrong=error.message, status=HTTPStatus.CONFLICT)
        return redirect(f"{PLAYS_PATH}?{urlencode({'q': fields.get('q', '')[:_MAX_SEARCH], 'changed': play.id})}")


def _describe_change(play: ImportedPlay) -> Text:
    name = play_removal.name_play(play)
    if play.is_removed:
        return phrase("{play} is removed: it no longer counts, and can be brought back.", play=name)
    return phrase("{play} counts again.", play=name)


def read_statistics(archive: Archive, filters: Filters) -> StatisticsView:
    """Count the games that the filters choose.

    Raises ArchiveError, also for an unknown deck, or DeckIdError for a mistyped id.
    """
    kinds = kinds_of_games(archive)
    titles = {**GROUPINGS, **{word: kind.title for word, kind in kinds.items()}}
    filters = filters if filters.by in titles else filters._replace(by="person")
    deck = archive.find_deck(filters.deck) if filters.deck else None
    with archive.store.reading() as transaction:
        played = dict(games_of_results(transaction))
    statistics = compute_statistics(
        archive, filters.by, deck.deck if deck else "", filters.game, kinds, together=filters.is_together
    )
    columns = display.columns_of(statistics)
    extras = [*display.extras(statistics)]
    if deck is None and (foretold := forecasts(archive, filters.game)):
        extras.append((display.FORETOLD, tuple(each.text for each in foretold)))
    return StatisticsView(
        filters,
        deck,
        # Translators: {grouping} is what games are grouped by, such as “person” or “deck”.
        tuple(
            FilterChoice(word, phrase("by {grouping}", grouping=WithinSentence(title)))
            for word, title in titles.items()
        ),
        tuple(FilterChoice(name, registry.title(name, page)) for name, page in played.items()),
        statistics.title,
        display.headline(statistics),
        statistics.remark,
        bool(statistics.games),
        tuple(column.title for column in columns),
        tuple(
            (tuple(column.cell(group) for column in columns), draw_interval(group.rate)) for group in statistics.groups
        ),
        tuple(_draw_charts(statistics.groups) if statistics.by == "month" else ()),
        tuple(extras),
    )


def _draw_charts(groups: tuple[Group, ...]) -> Iterator[MonthsChart]:
    for game, months in groupby(groups, lambda group: group.game):
        of_game = [*months]
        if picture := draw_months(of_game):
            has_rates = any(group.rate for group in of_game)
            yield MonthsChart(registry.title(game) if game else "", picture, has_rates)
