"""The routes of the host's pages."""

from __future__ import annotations

from typing import Final

from starlette.routing import Route

from companion.web.host.after_game import AfterGameRoutes, LooseDeckPage
from companion.web.host.archive_care.archive import ArchiveRoutes
from companion.web.host.archive_care.decisions import DecisionRoutes
from companion.web.host.archive_care.importing import ImportRoutes
from companion.web.host.deck_care.deck_changes import AuditPage, RebuildPage
from companion.web.host.deck_care.deck_name import DeckNameRoutes
from companion.web.host.deck_care.league_rounds import LeagueRoundsRoutes
from companion.web.host.deck_care.new_league import LeaguesPage
from companion.web.host.deck_care.photographs import SpreadRoutes
from companion.web.host.deck_care.play_importing import PlayImportPage
from companion.web.host.deck_care.versions import VersionRoutes
from companion.web.host.decks import AdoptPage, BuildPage, DecksRoutes
from companion.web.host.designs.designer import DesignerRoutes
from companion.web.host.doctor import DoctorRoutes
from companion.web.host.ending import EndingRoutes
from companion.web.host.entering import EnteringRoutes
from companion.web.host.frame import HostPages
from companion.web.host.home import HomeRoutes
from companion.web.host.new_table import AgainRoutes, NewTablePage
from companion.web.host.own_games.game_editor import GameEditorRoutes
from companion.web.host.own_games.game_form_page import GameFormPage
from companion.web.host.own_games.games import HostGameRoutes
from companion.web.host.people import PeopleRoutes
from companion.web.host.phones import PhonesRoutes
from companion.web.host.printing.page import PrintPage
from companion.web.host.printing.settings import CalibrationPage, SettingsPage
from companion.web.host.rehearsals import RehearsalsPage
from companion.web.host.statistics import StatisticsRoutes

_ROUTE_CLASSES: Final = (
    EnteringRoutes,
    EndingRoutes,
    HomeRoutes,
    NewTablePage,
    AgainRoutes,
    PhonesRoutes,
    PrintPage,
    SettingsPage,
    CalibrationPage,
    AfterGameRoutes,
    LooseDeckPage,
    DecksRoutes,
    BuildPage,
    AdoptPage,
    AuditPage,
    RebuildPage,
    HostGameRoutes,
    GameEditorRoutes,
    GameFormPage,
    ArchiveRoutes,
    PeopleRoutes,
    LeaguesPage,
    LeagueRoundsRoutes,
    StatisticsRoutes,
    RehearsalsPage,
    PlayImportPage,
    DesignerRoutes,
    ImportRoutes,
    DecisionRoutes,
    VersionRoutes,
    DeckNameRoutes,
    SpreadRoutes,
    DoctorRoutes,
)
"""The classes of all pages: each takes the `HostPages`, and has `routes`."""


def list_host_routes(pages: HostPages) -> list[Route]:
    """Return the routes of all pages, and offer them in the navigation."""
    routes = [route for kind in _ROUTE_CLASSES for route in kind(pages).routes]
    pages.offer(routes)
    return routes
