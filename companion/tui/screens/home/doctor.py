"""The doctor screen: checks of this machine, what to do about problems, and which keys arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive
from companion.forms.health import AreaChecks, HealthCheck, Status, run_checks, summarize_checks
from companion.tui import drawing, frame
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.terminal.terminal import TerminalFacts
from companion.tui.terminal_checks import check_terminal
from templates.languages.messages import Text, phrase, phrase_in

_MARKS: Final[Mapping[Status, tuple[str, str]]] = {
    "good": ("✓", "$text-success"),
    "optional": ("·", drawing.DIM),
    "todo": ("✗", "$text-error"),
}
_WORDS: Final[Mapping[Status, Text]] = {
    # Translators: The result of a check.
    "good": phrase_in("check", "Good"),
    "optional": phrase_in("check", "Optional"),
    "todo": phrase_in("check", "To do"),
}


class DoctorScreen(ListScreen):
    """The checks of this machine, the problems first; names each key that arrives and has no binding here."""

    heading = phrase("Doctor")
    placeholder = phrase("type what to look for, or press a key to test it")
    verb = phrase("Look again")
    nothing = phrase("A moment …")

    def __init__(self, archive: Archive, check_network: AreaChecks) -> None:
        super().__init__(archive)
        self._check_network = check_network
        self._checks: Sequence[HealthCheck] = ()

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the checks, the problems first."""
        if not self._checks:
            self._checks = self._look()
        rows = enumerate(self._checks)
        ordered = sorted(rows, key=lambda row: row[1].status != "todo")
        return [
            Option(_row(check), str(number))
            for number, check in ordered
            if fits(text, str(check.area_title), str(check.title), str(check.text))
        ]

    def _look(self) -> Sequence[HealthCheck]:
        # The terminal can be asked for the width of symbols only while no screen is on it.
        terminal = TerminalFacts(self.app.console.color_system or "", *self.app.size, "utf-8")
        own: dict[str, AreaChecks] = {"Terminal": partial(check_terminal, terminal), "Phones": self._check_network}
        return run_checks(str(self.archive.store.file or self.archive.name), own)

    def describe_row(self, row: str) -> Content:
        """Describe the state, and what to do."""
        check = self._checks[int(row)]
        _, style = _MARKS[check.status]
        title = Content.styled(f"{check.area_title}: {check.title}", drawing.BOLD)
        return Content("\n").join(
            [
                title,
                Content.styled(str(_WORDS[check.status]), style),
                Content(""),
                Content(drawing.narrow_glyphs(str(frame.add_hint(check.text, check.look)))),
            ]
        )

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – what a list may need
        """Run all checks again."""
        self._checks = await asyncio.to_thread(self._look)
        await self.refill(row)
        self.say(summarize_checks(self._checks), wrong=any(check.status == "todo" for check in self._checks))

    def on_key(self, event: events.Key) -> None:
        """Name a key that neither types nor has a binding here, so that the user sees which keys arrive."""
        super().on_key(event)
        if not event.is_printable and event.key not in self.active_bindings:
            # Translators: A key that was pressed to see whether the program gets it.
            self.say(phrase("{key} arrives.", key=self.app.get_key_display(Binding(event.key, ""))))


def _row(check: HealthCheck) -> Content:
    mark, style = _MARKS[check.status]
    is_whole_area = check.name == check.area
    title = str(check.title) if is_whole_area else f"{check.area_title}: {check.title}"
    return Content.assemble((f"{mark} ", style), title)
