"""The screen for a deck's next version: the form of the swaps, and a preview of the deck."""

from __future__ import annotations

from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.types import CSSPathType

from companion.forms.decks.deck_forms import RebuildForm
from companion.tui.screens.base import STYLES
from companion.tui.screens.form import FormScreen
from companion.tui.widgets.portrait import PortraitPage
from templates.languages.messages import phrase


class RebuildScreen(FormScreen):
    """The form of `RebuildForm` with its preview."""

    CSS_PATH: ClassVar[CSSPathType | None] = [STYLES / "form.tcss", STYLES / "rebuild.tcss"]

    page = getters.query_one("#portrait", PortraitPage)

    def __init__(self, form: RebuildForm) -> None:
        super().__init__([form.game], lambda _: form, {})
        self._form = form

    def beside(self) -> ComposeResult:
        """Yield the preview of the deck."""
        page = PortraitPage(id="portrait")
        page.border_title = str(phrase("So it would be"))
        page.can_focus = False
        yield page

    def show_form(self) -> None:
        """Show the form, and preview the deck."""
        super().show_form()
        self.page.show_portrait(self._form.portrait)
