"""The cursor in the list of answers to a table's question, and the words that help explains at it."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from companion.session.reading.table_questions import Question
from companion.session.table.table_client import TableClient
from companion.tui.widgets.answer_grid import FEW, AnswerGrid
from companion.tui.widgets.bars import Status
from companion.tui.widgets.prompt_list import AnswerList
from templates.languages.messages import phrase

_KEYS: Final = phrase("↓ into the list")
_KEYS_OR_NUMBER: Final = phrase("type its number and Enter, or ↓ into the list")
_KEYS_INSIDE: Final = phrase("arrow keys and Enter, F1 explains")
_RULE: Final = re.compile(r"\b[A-Z]\d+\.[A-Z]?\d+\b")
"""The number of a rule, as messages quote it."""


class AnswerCursor:
    """A cursor in the list of answers to the first question of a sitting, or of completions of the typed text."""

    def __init__(self, sitting: TableClient) -> None:
        self.answers = AnswerList()
        """The visible list, with the row of the cursor."""
        self._sitting = sitting
        self._texts_taken: list[tuple[str, str]] = []
        """Texts that were taken from the list, the newest last, each with the previous text of the bar."""
        self._ambiguous = ""
        """The entered text that could stand for several lines, which are listed until something else is typed."""

    def ask_which(self, text: str) -> bool:
        """List exactly the lines that an entered text could stand for; return False if it is not ambiguous."""
        self._ambiguous = text
        return self._list_ways(text)

    def _list_ways(self, text: str) -> bool:
        """List the lines that the ambiguous text could stand for, with the cursor on the one whose number is typed.

        Return False, and forget the ambiguous text, if another text is typed or nothing is ambiguous.
        """
        answers = self._sitting.possible_answers(self._ambiguous) if self._ambiguous else ()
        row = int(text) - 1 if text.isdecimal() else -1
        if len(answers) <= 1 or not (text == self._ambiguous or 0 <= row < len(answers)):
            self._ambiguous = ""
            return False
        chosen = None if text == self._ambiguous else row
        keys = str(_KEYS_OR_NUMBER if chosen is None else _KEYS_INSIDE)
        verbs = self._sitting.verb_titles
        self.answers = AnswerList(Question(answers=answers), chosen, keys, typed=True, verbs=verbs, is_numbered=True)
        return True

    def fill(self, text: str) -> None:
        """List the answers to the question, the lines that an ambiguous text could stand for, or the completions of
        this text; nothing while a counter is being changed.
        """
        if not text:
            self._texts_taken.clear()
        if self._sitting.selection.tally is None and self._list_ways(text):
            return
        question = Question() if self._sitting.selection.tally is not None else self._sitting.options(text)
        # After many answers, such as cards, other offers would not be seen.
        offers = () if text or len(question.answers) > FEW else self._sitting.offers()
        question = msgspec.structs.replace(question, answers=(*question.answers, *offers)) if offers else question
        self.answers = AnswerList(
            question, keys=str(_KEYS), typed=bool(text), offers=len(offers), verbs=self._sitting.verb_titles
        )

    @property
    def is_inside(self) -> bool:
        """True if the cursor is on a row, which Enter would take."""
        return self.answers.chosen is not None

    def move(self, by: int, cards: AnswerGrid | None = None) -> bool:
        """Move the cursor into the list or the grid of `cards`, and on in it; above the first row, or with 0, out of
        it.

        Return False if nothing changed.
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
        outside = _KEYS_OR_NUMBER if self.answers.is_numbered else _KEYS
        keys = str(outside if row is None else _KEYS_INSIDE)
        self.answers = msgspec.structs.replace(self.answers, chosen=row, keys=keys)

    def move_beside(self, by: int, height: int, cards: AnswerGrid | None = None) -> bool:
        """Move the cursor to the answer in the next column, of `height` rows each, or on the next page; stay if there
        is none.

        Return False outside of the list, and if all answers are below each other.
        """
        at, last = self.answers.chosen, len(self.answers.question.answers) - 1
        if at is not None and cards is not None:
            self._go(cards.beside(at, by))
            return True
        if at is None or (self.answers.typed and last < height):
            return False
        row = min(at + by * height, last)
        # The last column may be shorter.
        if row // height != at // height and row >= 0:
            self.move(row - at)
        return True

    def move_to(self, row: int) -> bool:
        """Move the cursor to a row of any page."""
        return self.move(row - (-1 if self.answers.chosen is None else self.answers.chosen))

    def take(self, row: int, text: str) -> str:
        """Return the text that continues with a row, and remember the previous `text` of the bar."""
        following = f"{self.answers.question.answers[row].line} "
        self._texts_taken.append((text, following))
        return following

    def take_back(self, text: str) -> str | None:
        """Return the text of the bar before the last row was taken; None if there was none, or more was typed since."""
        if not self._texts_taken or self._texts_taken[-1][1] != text:
            return None
        return self._texts_taken.pop()[0]

    def words_to_explain(self, text: str, status: Status | None) -> tuple[str, ...]:
        """Return the words that a request for help refers to.

        These are the rules that a refusal names, else the chosen row, else the last word of the text, else the title,
        the labels or keywords, the flags and the counter of the chosen seat or thing.
        """
        if status is not None and status.kind == "wrong" and (rules := _RULE.findall(status.text)):
            return tuple(rules)
        if answer := self.answers.answer:
            return (str(answer.title or answer.name),)
        if words := text.split():
            return tuple(words[-1:])
        view, (target, counter) = self._sitting.view, self._sitting.selection.chosen
        for thing in view.things():
            if thing.target == target:
                return (str(thing.title), *thing.words, counter)
        flags = (flag for seat in view.seats if seat.seat == target for flag in seat.flags)
        return (counter, *map(str, flags)) if target else ()
