"""Choosing an answer from the list, and a counter to change, by keys and clicks on the table's screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from textual import getters, on
from textual.timer import Timer

from companion.session.options import Options
from companion.session.selection import Selection, as_action, as_text
from companion.session.table_client import Sitting
from companion.tabletop.common_actions import Note
from companion.tui.messages import ActionsSubmitted, LineEntered, TargetChosen
from companion.tui.screens.base import SizedScreen
from companion.tui.textual_private.faults import FaultTolerant
from companion.tui.widgets.bars import Status, StatusLine
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.prompt_list import AnswerList, PromptList

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


_KEYS: Final = "↓ into the list"
_INSIDE: Final = "arrow keys and Enter, F1 explains"
_RULE: Final = re.compile(r"\b[A-Z]\d+\.[A-Z]?\d+\b")
"""The number of a rule, as messages quote it."""


class ChoosingScreen(CountingScreen):
    """A screen with a sitting, the list of its answers below the first question, and how far somebody went into it."""

    prompt_list = getters.query_one(PromptList)

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting.selection)
        self.sitting = sitting
        self._list = AnswerList()
        self._way_back: list[tuple[str, str]] = []
        """Texts that were chosen, the newest last, each with what stood there before."""

    def list_answers(self) -> None:
        """Show what can answer the question, or what can follow what is typed."""
        text = self.bar.value
        if not text:
            self._way_back.clear()
        options = Options() if self.selection.tally is not None else self.sitting.options(text)
        self._show_list(AnswerList(options, keys=_KEYS, typed=bool(text)))

    def _show_list(self, part: AnswerList) -> None:
        self._list = part
        if self.prompt_list.part is not None:
            self.prompt_list.show(self.prompt_list.part._replace(answers=part))

    def choose_answer(self, by: int) -> bool:
        """Into the list and on in it; above the first row, or with 0, out of it. False where that did nothing."""
        at, count = self._list.chosen, len(self._list.options.rows)
        if (at is None and by <= 0) or count == 0:
            return False
        to = -1 if at is None else at
        to = min(to + by, count - 1) if by else -1
        self._show_list(
            self._list._replace(chosen=to, keys=_INSIDE) if to >= 0 else self._list._replace(chosen=None, keys=_KEYS)
        )
        answer = self._list.option
        self.hint(answer.detail if answer else self.sitting.explain(self.bar.value))
        return True

    def choose_beside(self, by: int) -> bool:
        """To the answer in the column beside, or on the page beside; where none is, the chosen one stays chosen. False
        outside of the list, and where all answers stand below each other.
        """
        at, last, column = self._list.chosen, len(self._list.options.rows) - 1, self.prompt_list.column
        if at is None or (self.bar.value and last < column):
            return False
        to = min(at + by * column, last)
        # The last column may be a short one.
        if to // column != at // column and to >= 0:
            self.choose_answer(to - at)
        return True

    def action_turn_list(self, to: int) -> None:
        """To a row of another page, as with the mouse."""
        at = self._list.chosen
        self.choose_answer(to - (-1 if at is None else at))

    @property
    def is_choosing(self) -> bool:
        """Whether Enter would take a row of the list."""
        return self._list.chosen is not None

    def action_take_answer(self, at: int | None = None, enter: bool = True) -> None:
        """Take a row, by default the chosen one: enter what it says where that is all; else go on."""
        at = self._list.chosen if at is None else at
        rows = self._list.options.rows
        if at is None or at >= len(rows):
            return
        text = rows[at].text
        if enter and self.sitting.is_whole(text):
            self.post_message(LineEntered(text))
            return
        self._way_back.append((self.bar.value, f"{text} "))
        self.begin_line(f"{text} ")

    def step_back(self) -> bool:
        """Take back the last word that was chosen; False where none was, or something was typed behind it."""
        if self.choose_answer(0):
            return True
        if not self._way_back or self._way_back[-1][1] != self.bar.value:
            return False
        self.begin_line(self._way_back.pop()[0])
        return True

    def asked_about(self) -> tuple[str, ...]:
        """The words that somebody means who asks what something says: the rules that a refusal names, else the chosen
        row, else the last word typed, else of the chosen seat or thing: its title, labels or keywords, flags, counter.
        """
        status = self.status_line.part
        if status is not None and status.kind == "wrong" and (rules := _RULE.findall(status.text)):
            return tuple(rules)
        if answer := self._list.option:
            return (answer.title or answer.word,)
        if words := self.bar.value.split():
            return tuple(words[-1:])
        view, (target, counter) = self.sitting.view, self.selection.chosen
        for thing in view.things():
            if thing.target == target:
                return (thing.title, *thing.words, counter)
        flags = (flag for seat in view.seats if seat.seat == target for flag in seat.flags)
        return (counter, *flags) if target else ()
