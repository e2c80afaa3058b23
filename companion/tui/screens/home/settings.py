"""The screen for the settings of this machine; it leads to the doctor."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from companion.archive import Archive
from companion.forms.settings_form import ScreenLooks, SettingsForm
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.table.choices import Choice
from companion.tui import drawing, keymap
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.form import FormScreen
from companion.tui.screens.home.home_lists import SearchingScreen
from companion.tui.themes import OWN, THEME_TITLES
from companion.tui.widgets.bars import Key
from templates.languages.messages import current_language, phrase

if TYPE_CHECKING:
    from companion.forms.health import AreaChecks


class SettingsScreen(FormScreen):
    """The form for the settings. `check_network` is for the doctor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "doctor", "Doctor", id="settings.doctor", tooltip="Check the terminal, printers, archive …"),
    ]

    def __init__(self, archive: Archive, form: Fillable, check_network: AreaChecks) -> None:
        super().__init__(["form"], lambda _: form, {})
        self._archive = archive
        self._check_network = check_network

    def keys(self) -> Iterator[Key]:
        """Yield the most important keys of the form, then the doctor's, then the others."""
        of_form: Iterator[Key] = super().keys()
        own = {key[2]: key for key in of_form}
        yield from [own.pop(action) for action in ("screen.enter", "screen.finish", "screen.leave") if action in own]
        yield (key_name(self, "settings.doctor"), phrase("Doctor"), "screen.doctor")
        yield from own.values()

    async def action_doctor(self) -> None:
        """Check everything that the program uses on this machine."""
        from companion.tui.screens.home.doctor import DoctorScreen

        await self.app.push_screen(DoctorScreen(self._archive, self._check_network))


async def open_settings(screen: StatusScreen, archive: Archive) -> None:
    """Open the form for the settings of this machine."""
    app = screen.app
    names = [*(theme.name for theme in OWN), *sorted(set(app.available_themes) - {theme.name for theme in OWN})]
    themes = [Choice(name, THEME_TITLES.get(name, "")) for name in names]
    keys = phrase("Keys of your own: {file}", file=drawing.near_home(keymap.keymap_file()))
    looks = ScreenLooks(app.theme, themes, app.themes.apply_from_thread, keys)
    language = current_language()

    async def show_result(outcome: FormResult | None) -> None:
        if current_language() is not language and isinstance(screen, SearchingScreen):
            await screen.show_language()
        if outcome is not None:
            app.add_note(str(outcome.message))

    form = await asyncio.to_thread(SettingsForm, archive, looks)
    await app.push_screen(SettingsScreen(archive, form, app.check_network), show_result)
