"""Codes on labels: the number of each label of a deck, and the label of each number.

Numbers are defined in `companion.tabletop.decks.label_numbers`. Each game defines their meaning (`PrintedMatter`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from companion.printing.wording import load_wording
from companion.tabletop.decks.label_numbers import (
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
from companion.tabletop.decks.paper import LabelText, PrintedMatter
from companion.tabletop.records import Mark, Recognized, Record, corrections
from templates.languages.messages import Text

if TYPE_CHECKING:
    from companion.tabletop.game import Game


class DeckLabels:
    """The numbered labels of one deck, from its record and all its marks."""

    def __init__(self, deck: str, game: Game, record: Record, marks: Sequence[Mark]) -> None:
        self.tag = deck_tag(deck)
        self._paper = game.paper or PrintedMatter()
        self._wording = load_wording(game)
        self._record = record
        self._listed = self._paper.listed_labels(marks, self._wording)
        self._places = {text.key: place for place, text in enumerate(self._listed[:PLACES])}
        self._recognized = _recognized_spots(marks)

    def number_of(self, text: LabelText) -> str:
        """Return the number of a label of this deck, or "" if it has none."""
        on_card = self._paper.number_on_card(text.spot) if text.spot else None
        if on_card is not None:
            return format_number(CardLabel(self.tag, *on_card))
        place = self._places.get(text.key)
        return "" if place is None else format_number(ListLabel(self.tag, place))

    def with_code(self, text: LabelText) -> LabelText:
        """Return the label with its number as a code."""
        return msgspec.structs.replace(text, code=self.number_of(text))

    def borne(self) -> tuple[LabelText, ...]:
        """Return all labels that the deck's cards bear today, with their numbers."""
        return tuple(map(self.with_code, self._paper.current_labels(self._record, self._wording)))

    def find_label(self, number: NumberedLabel) -> LabelText | None:
        """Return the label of this deck with a number, or None if there is none, or if its card is unknown."""
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
        """Return the label that belongs on a spot."""
        return self.with_code(self._paper.on_spot(spot, self._record, self._wording))

    def kind_name(self, label: CardLabel | LooseLabel) -> str:
        """Return the part after the card in the spot of a label of this kind, such as `sharp`.

        Return "" for the kind of the card itself, which every deck of the game bears, and for unknown kinds.
        """
        return self._paper.kind_name(label.kind)

    def kind_title(self, label: LooseLabel) -> Text:
        """Return the title of a label from a starter sheet, or "" if the game has no such kind."""
        texts = self._paper.starter(self._wording)
        return next((text.title for text in texts if text.kind == label.kind), "")


def _recognized_spots(marks: Sequence[Mark]) -> dict[str, str]:
    """Return the recorded spots of labels from starter sheets, by number. The last record counts."""
    spots: dict[str, str] = {}
    corrected = corrections(marks)
    for number, mark in enumerate(marks, 1):
        if isinstance(mark, Recognized) and number not in corrected:
            spots |= mark.labels
    return spots


def number_loose(texts: Iterable[LabelText], draw: Callable[[int], int]) -> tuple[LabelText, ...]:
    """Return labels without a card with a code each: their kind, and a number unique to that kind here.

    `draw` returns a random number below its argument, which is where counting begins, so that sheets of two homes
    rarely have the same numbers.
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
