"""Where somebody is in the list of answers to a table's question, and what asking for help means there."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from companion.session.table_client import TableClient
from companion.session.table_questions import Question
from companion.tui.widgets.answer_grid import FEW, AnswerGrid
from companion.tui.widgets.bars import Status
from companion.tui.widgets.prompt_list import AnswerList

_KEYS: Final = "↓ into the list"
_KEYS_INSIDE: Final = "arrow keys and Enter, F1 explains"
_RULE: Final = re.compile(r"\b[A-Z]\d+\.[A-Z]?\d+\b")
"""The number of a rule, as messages quote it."""


class AnswerCursor:
    """A cursor in the list of what can answer the first question of a sitting, or follow what is typed."""

    def __init__(self, sitting: TableClient) -> None:
        self.answers = AnswerList()
        """The list as it is shown, with the row that the cursor is on."""
        self._sitting = sitting
        self._texts_taken: list[tuple[str, str]] = []
        """Texts that were taken from the list, the newest last, each with the one that stood in the bar before."""

    def fill(self, text: str) -> None:
        """List what can answer the question, or follow this text; nothing while a counter is being changed."""
        if not text:
            self._texts_taken.clear()
        question = Question() if self._sitting.selection.tally is not None else self._sitting.options(text)
        # Behind many answers, such as cards, nobody would look for what else there is.
        offers = () if text or len(question.answers) > FEW else self._sitting.offers()
        question = msgspec.structs.replace(question, answers=(*question.answers, *offers)) if offers else question
        self.answers = AnswerList(question, keys=_KEYS, typed=bool(text), offers=len(offers))

    @property
    def is_inside(self) -> bool:
        """Whether the cursor is on a row, which Enter would take."""
        return self.answers.chosen is not None

    def move(self, by: int, cards: AnswerGrid | None = None) -> bool:
        """Go into the list, or the `cards` as they stand, and on in it; above the first row, or with 0, out of it.

        False where that did nothing.
        """
        at, count = self.answers.chosen, len(self.answers.question.answers)
        if (at is None and by <= 0) or count == 0:
            return False
        if cards is not None and by:
            self._go(cards.first if at is None else cards.below(at, by))
        else:
            row = min((-1 if at is None else at) + by, count - 1) if by else -1
            self._go(row if row >= 0 else None)
        return True

    def _go(self, row: int | None) -> None:
        self.answers = msgspec.structs.replace(self.answers, chosen=row, keys=_KEYS if row is None else _KEYS_INSIDE)

    def move_beside(self, by: int, height: int, cards: AnswerGrid | None = None) -> bool:
        """Go to the answer in the column beside, of so many rows each, or on the page beside; stay where none is.

        False outside of the list, and where all answers stand below each other.
        """
        at, last = self.answers.chosen, len(self.answers.question.answers) - 1
        if at is not None and cards is not None:
            self._go(cards.beside(at, by))
            return True
        if at is None or (self.answers.typed and last < height):
            return False
        row = min(at + by * height, last)
        # The last column may be a short one.
        if row // height != at // height and row >= 0:
            self.move(row - at)
        return True

    def move_to(self, row: int) -> bool:
        """Go to a row, of whichever page."""
        return self.move(row - (-1 if self.answers.chosen is None else self.answers.chosen))

    def take(self, row: int, text: str) -> str:
        """The text that goes on with a row, taken while this text stood in the bar."""
        following = f"{self.answers.question.answers[row].line} "
        self._texts_taken.append((text, following))
        return following

    def take_back(self, text: str) -> str | None:
        """What stood in the bar before the last row was taken; None where none was, or more was typed since."""
        if not self._texts_taken or self._texts_taken[-1][1] != text:
            return None
        return self._texts_taken.pop()[0]

    def words_to_explain(self, text: str, status: Status | None) -> tuple[str, ...]:
        """The words that somebody means who asks for help: the rules that a refusal names, else the chosen row, else
        the last word of this text, else the title, labels or keywords, flags and counter of the chosen seat or thing.
        """
        if status is not None and status.kind == "wrong" and (rules := _RULE.findall(status.text)):
            return tuple(rules)
        if answer := self.answers.answer:
            return (answer.title or answer.name,)
        if words := text.split():
            return tuple(words[-1:])
        view, (target, counter) = self._sitting.view, self._sitting.selection.chosen
        for thing in view.things():
            if thing.target == target:
                return (thing.title, *thing.words, counter)
        flags = (flag for seat in view.seats if seat.seat == target for flag in seat.flags)
        return (counter, *flags) if target else ()
