"""Forms that are opened from several screens: settings, a printer's calibration, looking through a box.

Separate because what they ask comes from rooms that are loaded only when somebody opens one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module

from textual.screen import Screen

from companion.archive import Archive, DeckRow
from companion.games.action import RuleError
from companion.session.filling import Fillable, Outcome
from companion.tui import look
from companion.tui.screens.form import FormScreen
from companion.tui.screens.typing import Telling


async def open_calibration(screen: Telling, archive: Archive, printer: str, span: tuple[float, float]) -> None:
    """Let somebody measure a printer, of whose page if it was printed for one, where B lies at a `span` from A; what
    came of it is told.
    """
    await asyncio.to_thread(import_module, "companion.tui.calibration_form")
    from companion.tui.calibration_form import CalibrationForm

    async def measured(outcome: Outcome | None) -> None:
        if outcome is not None:
            screen.say(outcome.told)

    await _open(screen, lambda: CalibrationForm(archive, printer, span), measured)


async def open_settings(screen: Telling, archive: Archive) -> None:
    """Let somebody choose how things are on this machine."""
    await asyncio.to_thread(import_module, "companion.tui.settings_form")
    from companion.tui.settings_form import SettingsForm

    app = screen.app
    themes = sorted(name for name in app.available_themes if name != "textual-ansi")

    async def kept(outcome: Outcome | None) -> None:
        if outcome is not None:
            app.notify(outcome.told, markup=False)

    await _open(screen, lambda: SettingsForm(archive, app.theme, themes, app.themes.wear_soon), kept)


async def open_audit(
    screen: Telling, archive: Archive, row: DeckRow, done: Callable[[Outcome | None], Awaitable[None]]
) -> None:
    """Let somebody compare a box with its record."""
    from companion.tui.audit_form import AuditForm

    try:
        form = await asyncio.to_thread(AuditForm, archive, row)
    except RuleError as error:
        screen.say(look.told(error), wrong=True)
        return
    await _open(screen, lambda: form, done)


async def _open(
    screen: Telling, form: Callable[[], Fillable], done: Callable[[Outcome | None], Awaitable[None]]
) -> None:
    made = await asyncio.to_thread(form)
    pushed: Screen[Outcome | None] = FormScreen(["form"], lambda _: made, {})
    await screen.app.push_screen(pushed, done)
