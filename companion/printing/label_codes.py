"""Codes on labels: the number that each label of a deck bears, and what a number means on a deck.

Numbers are `companion.tabletop.label_numbers`; what they stand for, each game says (`PrintedMatter`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from companion.printing.wording import load_wording
from companion.tabletop.label_numbers import (
    KINDS,
    LOOSE,
    PLACES,
    CardLabel,
    ListLabel,
    LooseLabel,
    NumberedLabel,
    deck_tag,
    format_number,
)
from companion.tabletop.paper import LabelText, PrintedMatter
from companion.tabletop.records import Mark, Recognized, Record, corrections

if TYPE_CHECKING:
    from companion.tabletop.game import Game


class DeckLabels:
    """The labels of one deck, as far as they have numbers, by its record and all its marks."""

    def __init__(self, deck: str, game: Game, record: Record, marks: Sequence[Mark]) -> None:
        self.tag = deck_tag(deck)
        self._paper = game.paper or PrintedMatter()
        self._wording = load_wording(game)
        self._record = record
        self._listed = self._paper.listed(marks, self._wording)
        self._places = {text.key: place for place, text in enumerate(self._listed[:PLACES])}
        self._recognized = _recognized_spots(marks)

    def number_of(self, text: LabelText) -> str:
        """The number of a label of this deck; "" where it has none."""
        on_card = self._paper.number_on_card(text.spot) if text.spot else None
        if on_card is not None:
            return format_number(CardLabel(self.tag, *on_card))
        place = self._places.get(text.key)
        return "" if place is None else format_number(ListLabel(self.tag, place))

    def with_code(self, text: LabelText) -> LabelText:
        """The label with its number as a code."""
        return msgspec.structs.replace(text, code=self.number_of(text))

    def borne(self) -> tuple[LabelText, ...]:
        """All labels that the deck's cards bear today, with their numbers."""
        return tuple(map(self.with_code, self._paper.borne(self._record, self._wording)))

    def find_label(self, number: NumberedLabel) -> LabelText | None:
        """The label of this deck that a number names; None where it names none, or one that nobody has said the card
        of.
        """
        match number:
            case CardLabel(tag, card, kind) if tag == self.tag:
                spot = self._paper.spot_on_card(card, kind)
                return self.on_spot(spot) if spot else None
            case ListLabel(tag, place) if tag == self.tag and place < len(self._listed):
                return self.with_code(self._listed[place])
            case LooseLabel():
                spot = self._recognized.get(format_number(number), "")
                return self.on_spot(spot) if spot else None
        return None

    def on_spot(self, spot: str) -> LabelText:
        """The label that belongs on a spot."""
        return self.with_code(self._paper.on_spot(spot, self._record, self._wording))

    def kind_name(self, label: CardLabel | LooseLabel) -> str:
        """Return the part behind the card in the spot of a label of this kind, `sharp`; "" where it is that of the card
        itself, which every deck of the game bears, or the game has no such kind.
        """
        return self._paper.kind_name(label.kind)

    def kind_title(self, label: LooseLabel) -> str:
        """What a label that knows no card is called; "" where the game has no such kind."""
        texts = self._paper.starter(self._wording)
        return next((text.title for text in texts if text.kind == label.kind), "")


def _recognized_spots(marks: Sequence[Mark]) -> dict[str, str]:
    """On which spots labels that know no card were said to be; what was said last counts."""
    spots: dict[str, str] = {}
    corrected = corrections(marks)
    for number, mark in enumerate(marks, 1):
        if isinstance(mark, Recognized) and number not in corrected:
            spots |= mark.labels
    return spots


def number_loose(texts: Iterable[LabelText], draw: Callable[[int], int]) -> tuple[LabelText, ...]:
    """Labels that know no card, with a code each: their kind, and a number that none other of the kind has here.

    `draw` gives a number below another by chance. Where counting begins is left to it, so that the sheets of two homes
    are as unlikely to have the same numbers as those of one.
    """
    following: dict[int, int] = {}
    numbered = []
    for text in texts:
        if text.kind not in range(1, KINDS):
            numbered.append(text)
            continue
        number = following.get(text.kind)
        if number is None:
            number = draw(LOOSE)
        following[text.kind] = (number + 1) % LOOSE
        numbered.append(msgspec.structs.replace(text, code=format_number(LooseLabel(text.kind, number))))
    return tuple(numbered)
