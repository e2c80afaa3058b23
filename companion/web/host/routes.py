"""The routes of the host's pages."""

from __future__ import annotations

from typing import Final

from starlette.routing import Route

from companion.web.host.ending import EndingRoutes
from companion.web.host.entering import EnteringRoutes
from companion.web.host.frame import HostPages
from companion.web.host.home import HomeRoutes
from companion.web.host.new_table import AgainRoutes, NewTablePage
from companion.web.host.phones import PhonesRoutes
from companion.web.host.printing import PrintPage
from companion.web.host.settings_page import CalibrationPage, SettingsPage

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
)
"""The classes of all pages: each takes the `HostPages`, and has `routes`."""


def list_host_routes(pages: HostPages) -> list[Route]:
    """Return the routes of all pages, and offer them in the navigation."""
    routes = [route for kind in _ROUTE_CLASSES for route in kind(pages).routes]
    pages.offer(routes)
    return routes
