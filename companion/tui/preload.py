"""What the next keys lead to, loaded in moments in which nobody presses one. A key that comes earlier has its screen
loaded on the way, which then takes up to five times as long: 267 ms instead of 56 ms for a new table, 352 ms instead of
71 ms for a new deck.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Final

from companion.tui import screens
from companion.tui.input_queue import InputQueueApp

FROM_HOME: Final = (
    "companion.tui.screens.help",
    "companion.tui.screens.form",
    "companion.session.seating",
    "companion.session.game_pages",
    "companion.tui.screens.deck",
    "companion.tui.screens.people",
    "companion.tui.screens.table",
    "companion.session.line_reading",
    "companion.tui.forms",
)
FROM_A_TABLE: Final = (
    "companion.session.line_reading",
    "companion.tui.screens.help",
    "companion.tui.screens.ceremony",
)

_PAUSE: Final = 0.02
"""Seconds between two looks whether somebody still presses keys."""


async def from_home(app: InputQueueApp) -> None:
    """Load what keys at home lead to, one piece after the other; keys go first.

    Left for when somebody asks for it: games that home shows no tables of (7 ms each and 0.8 MiB), and what prints
    (10 ms and 0.7 MiB).
    """
    await _import(app, FROM_HOME)
    await _parse_styles(app)


async def from_a_table(app: InputQueueApp) -> None:
    """Load what keys at a table lead to."""
    await _import(app, FROM_A_TABLE)
    await _parse_styles(app)


async def _parse_styles(app: InputQueueApp) -> None:
    """Parse the styles of all screens, which Textual would do as each of them comes: 11 % of such a key's time."""
    for sheet in sorted(Path(*screens.__path__).glob("*.tcss")):
        await _nobody_types(app)
        if not app.stylesheet.has_source(str(sheet)):
            app.stylesheet.read(sheet)
            app.stylesheet.parse()


async def _import(app: InputQueueApp, modules: Iterable[str]) -> None:
    for module in modules:
        await _nobody_types(app)
        await asyncio.to_thread(import_module, module)


async def _nobody_types(app: InputQueueApp) -> None:
    """Wait for a moment in which no key is left to be dealt with."""
    await asyncio.sleep(0)
    while app.has_keys_left:
        await asyncio.sleep(_PAUSE)
