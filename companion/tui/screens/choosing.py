"""Choosing an answer from the list by arrows, Enter and clicks, on the table's screen; typing narrows it down.

Separate from the rest of that screen, as a row of the list stands for a text: what is chosen is typed, field by field.
"""

from __future__ import annotations

import re
from typing import Final

from textual import getters

from companion.session.options import Options
from companion.session.sitting import Sitting
from companion.tui.messages import LineEntered
from companion.tui.screens.counting import CountingScreen
from companion.tui.widgets.answer_list import AnswerList
from companion.tui.widgets.prompt_list import PromptList

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
        found = Options() if self.selection.tally is not None else self.sitting.options(text)
        self._show_list(AnswerList(found, keys=_KEYS, typed=bool(text)))

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
        listed = self._list.options.rows
        if at is None or at >= len(listed):
            return
        text = listed[at].text
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
        said = self.status_line.part
        if said is not None and said.kind == "wrong" and (rules := _RULE.findall(said.text)):
            return tuple(rules)
        if answer := self._list.option:
            return (answer.title or answer.word,)
        if typed := self.bar.value.split():
            return tuple(typed[-1:])
        view, (target, counter) = self.sitting.view, self.selection.chosen
        for thing in view.things():
            if thing.target == target:
                return (thing.title, *thing.words, counter)
        flags = (flag for seat in view.seats if seat.seat == target for flag in seat.flags)
        return (counter, *flags) if target else ()
