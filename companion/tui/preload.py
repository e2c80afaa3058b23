"""Loads the screens behind the next keys while no key is pressed.

A key that comes earlier loads its screen on the way, which then takes up to five times as long: 267 ms instead of 56 ms
for a new table, 352 ms instead of 71 ms for a new deck.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Final

from companion.tui import screens
from companion.tui.terminal.input_queue import InputQueueApp

FROM_HOME: Final = (
    "companion.tui.screens.help",
    "companion.tui.screens.form",
    "companion.session.table.seating",
    "companion.session.table.game_pages",
    "companion.tui.screens.decks.deck",
    "companion.tui.screens.people",
    "companion.tui.screens.table.table",
    "companion.session.reading.line_reading",
    "companion.forms.decks.deck_forms",
)
FROM_A_TABLE: Final = (
    "companion.session.reading.line_reading",
    "companion.tui.screens.help",
    "companion.tui.screens.table.ceremony",
)

_PAUSE: Final = 0.02
"""Seconds between two checks whether keys are still being pressed."""


async def from_home(app: InputQueueApp) -> None:
    """Load the modules behind the keys of home, one after another; keys go first.

    Loaded only on demand: games without a table at home (7 ms each and 0.8 MiB), and printing (10 ms and 0.7 MiB).
    """
    await _import(app, FROM_HOME)
    await _parse_styles(app)


async def from_a_table(app: InputQueueApp) -> None:
    """Load the modules behind the keys of a table."""
    await _import(app, FROM_A_TABLE)
    await _parse_styles(app)


async def _parse_styles(app: InputQueueApp) -> None:
    """Parse the styles of all screens, which Textual would do as each of them opens: 11 % of the time of such a key."""
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
    """Wait until no key is left to process."""
    await asyncio.sleep(0)
    while app.has_keys_left:
        await asyncio.sleep(_PAUSE)
