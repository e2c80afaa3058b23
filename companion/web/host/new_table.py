"""The page of a new table: who plays, with which decks, and what is agreed on; and a finished table again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, SessionStanding
from companion.forms import settings
from companion.games import registry
from companion.session.table import game_pages, rematch
from companion.session.table.form_filling import Fillable, FormResult
from companion.session.table.seating import TableForm
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.table.choices import Open
from companion.tabletop.table.house_rules import TABLE
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.frame import Host, HostPages
from companion.web.pages import message_page, redirect
from templates.languages.messages import Message, all_of, phrase

NEW_PATH: Final = "/host/new"
AGAIN_PATH: Final = "/host/again"
_SEAT: Final = "seat"
_SIT: Final = "sit"
_GROUP: Final = "group"
_MAX_PEOPLE: Final = 12
"""The most people who are offered as buttons; others are typed."""
_MAX_GROUPS: Final = 2
"""The most groups of the last evenings that are offered."""


class PeopleGroup(NamedTuple):
    """The people of an earlier table, by its session."""

    session: str
    names: Message


class NewTablePage(FormPage):
    """The page of a new table. Known people take a seat by one click each, the people of the last evening together."""

    template = "host/new_table.html"
    path = NEW_PATH
    draft_name = "table"
    title = phrase("New table")

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return all games."""
        return [OfferedGame(each.name, each.title, each.about) for each in game_pages.all_games(self.archive)]

    def open_form(self, game: str) -> Fillable:
        """Return the form for a table of a game."""
        return TableForm(self.archive, registry.game(game), settings.read_settings().draws or TABLE)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the new table."""
        return f"/t/{outcome.id}"

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return the people and groups who can take a seat by one click."""
        room = next((field for field in filled.state.fields if field.name == _SEAT), None)
        count = filled.answers.count(room) if room is not None else 0
        has_room = room is not None and filled.answers.room(room) > count
        candidates = filled.form.candidates(filled.values, FormPlace(_SEAT, count, "name"), "") if has_room else ()
        names = [str(each.value) for each in candidates.fitting] if isinstance(candidates, Open) else []
        groups = list(list_groups(self.archive)) if not count else []
        return {"people": names[:_MAX_PEOPLE], "groups": groups}

    def apply_button(self, button: str, game: str, filled: FilledForm) -> None:  # noqa: ARG002
        """Seat a person, or the people of an earlier table."""
        kind, _, who = button.partition(" ")
        if kind == _SIT:
            seat_person(filled, who)
        elif kind == _GROUP:
            row = self.archive.find_session(who)
            for name in row.standing.seats if isinstance(row.standing, SessionStanding) else ():
                seat_person(filled, name)
        filled.settle()


def seat_person(filled: FilledForm, name: str) -> None:
    """Seat a person behind the others; the form takes the deck that they hold."""
    room = next(field for field in filled.state.fields if field.name == _SEAT)
    filled.put(FormPlace(_SEAT, filled.answers.count(room), "name"), name)


def list_groups(archive: Archive) -> Iterator[PeopleGroup]:
    """Yield the people of the last tables, each group once. Raises ArchiveError."""
    groups: dict[frozenset[str], PeopleGroup] = {}
    for row in archive.page_of_sessions().rows:
        names = row.standing.seats if isinstance(row.standing, SessionStanding) else ()
        if len(names) > 1:
            groups.setdefault(frozenset(names), PeopleGroup(row.session, all_of(names)))
    yield from [*groups.values()][:_MAX_GROUPS]


class AgainRoutes:
    """A finished table again: with its people, decks and house rules, or the next game of its match."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [Route(AGAIN_PATH, pages.require_host(self.again), methods=["POST"])]

    async def again(self, request: Request, host: Host) -> Response:
        """Open the table again, and go there."""
        fields = await self._pages.read_host_form(request, host)
        archive, session = self._pages.archive, fields.get("session", "")
        try:
            following = await run_in_threadpool(rematch.open_rematch, archive, session)
        except (ArchiveError, NotationError, RuleError) as error:
            return message_page(phrase("Not again yet"), str(error), HTTPStatus.CONFLICT)
        return redirect(f"/t/{following.session}")
