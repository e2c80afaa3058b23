"""The grid of cards to choose from, in the usual order: a row per suit, a column per rank, those with an
effect first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from textual.content import Content

from companion.session.reading.table_questions import Answer
from companion.tabletop.notation.cards import JOKERS, PACK, RANKS, SUITS
from companion.tui import drawing
from companion.tui.widgets.panel import chosen_row
from templates.languages.messages import parts_of

FEW: Final = 8
"""The number of cards up to which a list with their effects is quicker than a grid."""
_INDENT: Final = 1
_LEAST, _MOST = 4, 7
"""Columns of a card: minimum and maximum."""
_NONE: Final = "·"


class AnswerGrid(msgspec.Struct, frozen=True):
    """Answers by their numbers, in rows: first those with a row of their own, then the cards of each suit by rank.

    `alone` is the number of answers with a row of their own, `cell` the columns of a card.
    """

    rows: tuple[tuple[int | None, ...], ...]
    alone: int
    cell: int

    def beside(self, at: int, by: int) -> int:
        """Return the next answer to the right (1) or left (−1) in the same row; the same one at the end."""
        row, column = self._find_cell(at)
        further = self.rows[row][column + 1 :] if by > 0 else self.rows[row][:column][::-1]
        return next((each for each in further if each is not None), at)

    def below(self, at: int, by: int) -> int | None:
        """Return the nearest answer in the row below (1) or above (−1) that has any; the same one at the end, None
        above the first row.
        """
        row, column = self._find_cell(at)
        further = self.rows[row + 1 :] if by > 0 else self.rows[:row][::-1]
        for candidates in further:
            there = [index for index, each in enumerate(candidates) if each is not None]
            if there:
                return candidates[min(there, key=lambda index: abs(index - column))]
        return at if by > 0 else None

    @property
    def first(self) -> int:
        """The answer that ↓ leads to first."""
        return next(each for row in self.rows for each in row if each is not None)

    def _find_cell(self, at: int) -> tuple[int, int]:
        return next((row, each.index(at)) for row, each in enumerate(self.rows) if at in each)


def answer_grid(answers: Sequence[Answer], width: int, most: int) -> AnswerGrid | None:
    """Arrange cards in at most `most` rows of `width` columns; return None if they are few, or do not fit."""
    cards = {answer.name: at for at, answer in enumerate(answers) if answer.name in PACK}
    suits = [suit for suit in SUITS if any(card[-1] == suit and card not in JOKERS for card in cards)]
    if len(cards) <= FEW or len(suits) > most:
        return None
    room = most - len(suits)
    # Answers that are no cards always have a row of their own.
    others = [at for at, answer in enumerate(answers) if answer.name not in PACK]
    # An effect of a card is a further detail.
    effective = [at for at in cards.values() if len(parts_of(" · ", answers[at].detail)) > 1]
    alone = [*effective[: max(0, room - len(others))], *others]
    ranks = [rank for rank in RANKS if any(card[:-1] == rank and cards[card] not in alone for card in cards)]
    rows = [[_find_position(cards, f"{rank}{suit}", alone) for rank in ranks] for suit in suits]
    for at, joker in enumerate(card for card in JOKERS if card in cards):
        rows[at % len(rows)].append(_find_position(cards, joker, alone))
    columns = max(map(len, rows))
    cell = min(_MOST, (width - _INDENT) // columns)
    if cell < _LEAST or len(alone) > room:
        return None
    padded = (tuple(row) + (None,) * (columns - len(row)) for row in rows)
    on_grid = tuple(row for row in padded if any(each is not None for each in row))
    return AnswerGrid((*((at,) for at in alone), *on_grid), len(alone), cell)


def _find_position(cards: dict[str, int], card: str, alone: Sequence[int]) -> int | None:
    at = cards.get(card)
    return None if at in alone else at


def grid_rows(
    grid: AnswerGrid, answers: Sequence[Answer], chosen: int | None
) -> list[list[tuple[Content, int | None]]]:
    """Return the rows of cards, without the answers that have a row of their own."""
    return [[(_draw_cell(answers, at, grid.cell, chosen), at) for at in row] for row in grid.rows[grid.alone :]]


def _draw_cell(answers: Sequence[Answer], at: int | None, cell: int, chosen: int | None) -> Content:
    if at is None:
        return Content.styled(_NONE.center(cell), "$line")
    answer = answers[at]
    name = Content.styled(f" {drawing.with_signs(answer.name)}", drawing.BOLD).pad_right(1)
    name = name.pad_right(max(0, cell - 1 - name.cell_length))
    content = chosen_row(name) if at == chosen else name
    return content.pad_right(cell - content.cell_length)
