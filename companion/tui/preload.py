"""What the screens that come next need, loaded in moments in which nobody presses a key. Separate, as nothing waits
for it: a key that comes earlier has its screen loaded on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from textual.widget import Widget

from companion.tui import screens
from companion.tui.input_queue import InputQueueApp
from companion.tui.textual_private import read_styles

_FROM_HOME: Final = (
    "companion.tui.screens.help",
    "companion.tui.screens.form",
    "companion.session.seating",
    "companion.tui.screens.deck",
    "companion.tui.screens.home",
    "companion.tui.screens.table",
    "companion.tui.forms",
    "companion.tui.print_form",
    "companion.tui.screens.print",
)
_FROM_A_TABLE: Final = (
    "companion.tui.screens.help",
    "companion.tui.screens.ceremony",
)

_PAUSE: Final = 0.02
"""Seconds between two looks whether somebody still presses keys."""


async def from_home(app: InputQueueApp) -> None:
    """Load what keys at home lead to, one piece after the other; keys go first."""
    await _import(app, _FROM_HOME)
    await _parse_styles(app)
    from companion.games import registry

    games = registry.all_games()
    for _ in registry.GAMES:
        await _nobody_types(app)
        await asyncio.to_thread(next, games, None)


async def from_a_table(app: InputQueueApp) -> None:
    """Load what keys at a table lead to."""
    await _import(app, _FROM_A_TABLE)
    await _parse_styles(app)


async def _parse_styles(app: InputQueueApp) -> None:
    """Of screens and of widgets: Textual would parse what it does not know yet as a screen comes that brings it."""
    for sheet in sorted(Path(*screens.__path__).glob("*.tcss")):
        await _nobody_types(app)
        if not app.stylesheet.has_source(str(sheet)):
            app.stylesheet.read(sheet)
            app.stylesheet.parse()
    for kind in _ours(Widget):
        await _nobody_types(app)
        read_styles(kind, app.stylesheet)
        app.stylesheet.parse()


def _ours(kind: type[Widget]) -> Iterator[type[Widget]]:
    """All kinds of it that are loaded; those of Textual that are on no screen of ours are left out."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("companion."):
            yield each
        yield from _ours(each)


async def _import(app: InputQueueApp, modules: Iterable[str]) -> None:
    for module in modules:
        await _nobody_types(app)
        await asyncio.to_thread(import_module, module)


async def _nobody_types(app: InputQueueApp) -> None:
    """Wait for a moment in which no key is left to be dealt with."""
    await asyncio.sleep(0)
    while app.has_keys_left:
        await asyncio.sleep(_PAUSE)
