"""Choosing a counter and changing it by keys and clicks, on the table's screen.

Separate from the rest of that screen, which forwards what is finished: this here is not yet an action.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from textual import getters, on
from textual.timer import Timer

from companion.games.lines import Note
from companion.session.selection import Selection, as_action, as_text
from companion.tui.messages import ActionsSubmitted, TargetChosen
from companion.tui.screens.sized import SizedScreen
from companion.tui.textual_private.faults import FaultTolerant
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.status_line import Status, StatusLine

TALLY = 1.0
"""Seconds after the last press of `+` or `-` that end the change."""

_A_NUMBER = re.compile(r"(\d{1,4})(?:\s+(\S.*)?)?")
"""How much the counter is changed by that `+` or `−` stands before, and why."""


class CountingScreen(FaultTolerant, SizedScreen[None]):
    """A screen with a selection, a command bar, and a line to say something."""

    bar = getters.query_one(CommandBar)
    status_line = getters.query_one(StatusLine)

    def __init__(self, selection: Selection) -> None:
        super().__init__()
        self.selection = selection
        self.moment = TALLY
        self._tally_ends: Timer | None = None

    async def show_choice(self) -> None:
        """Draw what depends on what is chosen."""
        raise NotImplementedError

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something below the command bar."""
        self.status_line.show(Status(text, "wrong" if wrong else "told"))

    def hint(self, text: str = "") -> None:
        """Tell what keys do just now; it goes with that."""
        self.status_line.show(Status(text, "help"))

    def begin_line(self, text: str) -> None:
        """Put a text to go on with into the command bar."""
        self.bar.put(text)
        self.set_focus(self.bar)

    @on(TargetChosen)
    async def clicked(self, message: TargetChosen) -> None:
        """A seat or a thing was chosen with the mouse."""
        await self._choose(lambda: self.selection.choose(message.target), "Nothing of it can be changed so.")

    async def action_choose_next(self, by: int) -> None:
        """Choose the seat or thing beside the chosen one."""
        await self._choose(lambda: self.selection.move(by), "Nobody sits here yet.")

    async def action_choose_counter(self, by: int) -> None:
        """Choose another counter."""
        await self._choose(lambda: self.selection.move_counter(by), "Choose a seat first, with ← or →.")

    async def _choose(self, choose: Callable[[], bool], otherwise: str) -> None:
        self.end_tally()
        if not choose():
            self.say(otherwise, wrong=True)
            return
        name, title = self.selection.name, self.selection.title
        self.hint(f"{name}: + and − change {title}, ↑ and ↓ choose another counter, Esc lets go.")
        await self.show_choice()

    async def action_press(self, sign: int) -> None:
        """Change the chosen counter; the presses of one moment are one change."""
        if self.selection.press(sign):
            await self._tallied()
        else:
            self.say("Choose a seat or a thing first, with ← or →.", wrong=True)

    async def _tallied(self) -> None:
        self.hold_tally()
        self._tally_ends = self.set_timer(self.moment, self.end_tally)
        tally = self.selection.tally
        change = f"{tally.amount:+d}".replace("-", "−") if tally else ""
        self.hint(f"{self.selection.name}: {self.selection.title} {change}? Space says why, Esc drops it.")
        await self.show_choice()

    def hold_tally(self) -> None:
        """Let the change that is running wait for Enter."""
        if self._tally_ends is not None:
            self._tally_ends.stop()
        self._tally_ends = None

    def end_tally(self) -> None:
        """Enter the change that is running as one line; behind the number that was typed stands why."""
        self.hold_tally()
        tally = self.selection.take_tally()
        if tally is None:
            return
        number = _A_NUMBER.fullmatch(self.bar.value)
        if number:
            self.bar.put("")
        if tally.amount:
            reason = (Note(number[2]),) if number and number[2] else ()
            self.post_message(ActionsSubmitted((as_action(tally), *reason)))
        else:
            self.call_later(self.show_choice)

    async def action_reason(self) -> None:
        """Go on with the change that is running as a text, behind which stands why."""
        self.hold_tally()
        tally = self.selection.take_tally()
        if tally is None:
            self.hint("Change a counter first: choose a seat, then + or −; Space then says why.")
            return
        self.begin_line(as_text(tally))
        await self.show_choice()

    async def number_of_tally(self, text: str) -> None:
        """A number behind `+` or `−` is by how much; any other text is a line of its own."""
        tally = self.selection.tally
        if tally is None:
            return
        number = _A_NUMBER.fullmatch(text)
        tally.number = int(number[1]) if number else None
        if text and not number:
            self.end_tally()
        elif text:
            self.hold_tally()
            await self.show_choice()
