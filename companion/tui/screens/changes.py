"""Changing a counter with a key or two: choose a seat, press + and -. Separate from the table, which enters it."""

from __future__ import annotations

from textual import on
from textual.binding import Binding
from textual.screen import Screen
from textual.timer import Timer

from companion.games.lines import Add
from companion.games.table import TableView
from companion.tui import choosing
from companion.tui.choosing import NOTHING, Choice
from companion.tui.fault_tolerant import FaultTolerant
from companion.tui.messages import ActionsSubmitted, SeatChosen
from companion.tui.tally import Tally

TALLY = 1.0
"""Seconds after the last press of `+` or `-` that end the change."""


def _digit(number: str) -> Binding:
    tip = f"Choose seat {number}" if number != "0" else "Choose what lies in the middle"
    return Binding(number, f"digit('{number}')", tip, id=f"table.choose{number}", show=False, tooltip=tip)


CHANGE_KEYS = (
    Binding("plus", "press(1)", "+", id="table.more", tooltip="One more of the chosen counter"),
    Binding("minus", "press(-1)", "−", id="table.less", tooltip="One less of the chosen counter"),
    Binding("space", "reason", "Say why", id="table.reason", show=False, tooltip="Say why the counter is changed"),
    Binding("c", "counter", "Counter", id="table.counter", tooltip="Another counter of the chosen seat"),
    *map(_digit, "0123456789"),
)
"""The keys of these actions, for the screen that has them."""


class Changes(FaultTolerant, Screen[None]):
    """A screen on which a counter is chosen and changed; what is keyed in becomes one `ActionsSubmitted`."""

    view: TableView

    def __init__(self) -> None:
        super().__init__()
        self.choice: Choice = NOTHING
        self.tally: Tally | None = None
        self._ends: Timer | None = None

    async def show_choice(self) -> None:
        """Draw what depends on the chosen counter."""
        raise NotImplementedError

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something."""
        raise NotImplementedError

    def begin_line(self, text: str) -> None:
        """Put a text to go on with into the command bar."""
        raise NotImplementedError

    async def action_digit(self, digit: str) -> None:
        """A digit chooses a seat, or goes on with the number of the change that is running."""
        if self.tally is not None:
            self.tally.digit(digit)
            await self._tallied()
        else:
            await self._choose(choosing.numbered(self.view, int(digit)), f"There is no seat {digit}.")

    @on(SeatChosen)
    async def clicked(self, message: SeatChosen) -> None:
        """A seat was chosen with the mouse."""
        await self._choose(choosing.numbered(self.view, message.number), "There is no such seat.")

    async def action_choose_next(self, by: int) -> None:
        """Choose the seat or thing beside the chosen one."""
        await self._choose(choosing.beside(self.view, self.choice, by), "Nobody sits here yet.")

    async def action_counter(self) -> None:
        """Choose another counter."""
        await self._choose(choosing.other_counter(self.view, self.choice), "Choose a seat first, with ← or →.")

    async def action_press(self, sign: int) -> None:
        """Change the chosen counter; the presses of one moment are one change."""
        if self.choice == NOTHING:
            self.say("Choose a seat first: ← or →, or its number.", wrong=True)
            return
        if self.tally is None:
            self.tally = Tally(*self.choice)
        self.tally.press(sign)
        await self._tallied()

    async def action_reason(self) -> None:
        """Go on with the change that is running as a text, behind which stands why."""
        tally = self._stop_tally()
        if tally is None:
            self.say("Change a counter first: choose a seat, then + or −; Space then says why.", wrong=True)
            return
        self.begin_line(f"add {tally.target} {tally.counter} {tally.amount:+d} ")
        await self.show_choice()

    async def action_let_go(self) -> None:
        """Drop the change that is running, else choose nothing; else close the log."""
        if self.tally is None and self.choice == NOTHING:
            self.remove_class("-log", "-far")
        if self.tally is None:
            self.choice = NOTHING
        self._stop_tally()
        await self.show_choice()

    async def _choose(self, choice: Choice, otherwise: str) -> None:
        self.end_tally()
        if choice == NOTHING:
            self.say(otherwise, wrong=True)
            return
        self.choice = choice
        name, title = choosing.name(self.view, choice), choosing.title(self.view, choice)
        self.say(f"{name}: + and − change {title}, c chooses another counter, Esc lets go.")
        await self.show_choice()

    async def _tallied(self) -> None:
        if self._ends is not None:
            self._ends.stop()
        self._ends = self.set_timer(TALLY, self.end_tally)
        await self.show_choice()

    def end_tally(self) -> None:
        """Enter the change that is running as one line."""
        tally = self._stop_tally()
        if tally is not None and tally.amount:
            self.post_message(ActionsSubmitted((Add(tally.target, tally.counter, tally.amount),)))
        elif tally is not None:
            self.call_later(self.show_choice)

    def _stop_tally(self) -> Tally | None:
        if self._ends is not None:
            self._ends.stop()
        tally, self.tally, self._ends = self.tally, None, None
        return tally
