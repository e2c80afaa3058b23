"""Matching of photographs to decks, by the numbers of the labels in them.

Two of 200 decks share a tag, so one label proves little. A deck explains the labels that its own record calls for, and
the deck that explains most of a photograph is the one in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial, reduce
from typing import Final, NamedTuple

from companion.archive import Archive, DeckRow, deck_records
from companion.games import registry
from companion.printing.jobs import deck_labels
from companion.tabletop.action import NotationError
from companion.tabletop.decks.label_numbers import (
    CardLabel,
    ListLabel,
    LooseLabel,
    NumberedLabel,
    deck_tag,
    parse_number,
)
from companion.tabletop.decks.paper import LabelText
from companion.tabletop.records import Recognized
from templates.languages import messages
from templates.languages.messages import Message, any_of, phrase, phrases

ENOUGH: Final = 3
"""Number of agreeing labels that identify a deck."""
_SHARE: Final = 0.5
"""The share of the labels with its tag that a deck must explain to match a photograph.

Labels that every deck of its game bears on the same cards do not count, as they match any deck.
"""


class DeckCandidate:
    """A deck that may be in a photograph, with its labels."""

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        self.row = row
        self.labels = deck_labels(archive, row.deck)
        self.chores = deck_records.chores(archive, row.deck)
        self.borne = self.labels.borne()
        self.expected = Counter(text.code for text in self.borne if text.code)
        """The number of times that the deck bears each code today, by its record."""
        struck = (chore.spot for chore in self.chores if not chore.value)
        self._struck = {self.labels.on_spot(spot).code for spot in struck} - {""}

    def find_explained(self, number: NumberedLabel | None) -> LabelText | None:
        """Return the label of this deck with a number, if the deck bears it or it is still to be crossed out there."""
        text = self.labels.find_label(number) if number is not None else None
        return text if text is not None and (text.code in self.expected or text.code in self._struck) else None

    def count_explained(self, numbers: Mapping[str, int]) -> int:
        """Count the labels that the deck explains. Surplus copies of a label do not count."""
        seen: Counter[str] = Counter()
        for number, count in numbers.items():
            if text := self.find_explained(parse_number(number)):
                seen[text.code] += count
        return sum(min(count, max(1, self.expected[code])) for code, count in seen.items())

    def is_likely(self, numbers: Iterable[str]) -> bool:
        """Return True if the deck explains most of the labels that may be its own, or any if only others are there."""
        labels = [*map(parse_number, numbers)]
        tagged = [label for label in labels if isinstance(label, CardLabel | ListLabel)]
        telling = [label for label in tagged if label.tag == self.labels.tag and self._is_telling(label)]
        if telling:
            return sum(self.find_explained(label) is not None for label in telling) >= _SHARE * len(telling)
        return not tagged or any(self.find_explained(label) is not None for label in labels)

    def _is_telling(self, label: CardLabel | ListLabel) -> bool:
        return isinstance(label, ListLabel) or bool(self.labels.kind_name(label))


class DeckIndex:
    """An index of an archive's decks by the tags of their labels. Only possible matches are read."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._rows: dict[int, list[DeckRow]] | None = None
        self._candidates: dict[str, DeckCandidate] = {}
        self._recognizing: tuple[DeckRow, ...] | None = None

    def candidate(self, row: DeckRow) -> DeckCandidate:
        """Return a deck with its labels. Raises Unknown."""
        if row.deck not in self._candidates:
            self._candidates[row.deck] = DeckCandidate(self._archive, row)
        return self._candidates[row.deck]

    def find_candidates(self, number: NumberedLabel | None) -> Sequence[DeckCandidate]:
        """Return the decks that may bear a label: those of its tag, or those with known labels of starter sheets."""
        match number:
            case CardLabel() | ListLabel():
                return [*map(self.candidate, self._rows_by_tag().get(number.tag, ()))]
            case LooseLabel():
                return [*map(self.candidate, self._rows_with_loose())]
        return ()

    def find_owners(self, number: NumberedLabel | None, but: str = "") -> Sequence[DeckCandidate]:
        """Return the decks, except the deck `but`, that explain a label."""
        candidates = (each for each in self.find_candidates(number) if each.row.deck != but)
        return [each for each in candidates if each.find_explained(number) is not None]

    def rank(self, numbers: Mapping[str, int]) -> list[tuple[int, DeckCandidate]]:
        """Return the decks that explain any of the labels, with the number explained, the best first."""
        candidates_by_label = (each for number in map(parse_number, numbers) for each in self.find_candidates(number))
        candidates = {each.row.deck: each for each in candidates_by_label}.values()
        counts = [(each.count_explained(numbers), each) for each in candidates]
        return sorted((each for each in counts if each[0]), key=lambda each: -each[0])

    def _rows_by_tag(self) -> Mapping[int, Sequence[DeckRow]]:
        if self._rows is None:
            self._rows = {}
            for row in filter(_is_known, self._archive.decks()):
                self._rows.setdefault(deck_tag(row.deck), []).append(row)
        return self._rows

    def _rows_with_loose(self) -> Collection[DeckRow]:
        if self._recognizing is None:
            decks = self._archive.decks_marked(Recognized)
            rows = (row for same_tag in self._rows_by_tag().values() for row in same_tag)
            self._recognizing = tuple(row for row in rows if row.deck in decks)
        return self._recognizing


def _is_known(row: DeckRow) -> bool:
    """Return True if a deck's game is available."""
    try:
        registry.game(row.game, row.page)
    except NotationError:
        return False
    return True


def count_numbers(pictures: Iterable[Sequence[str]]) -> Counter[str]:
    """Count how often each number was seen, at most in one picture: pictures of one deck overlap."""
    numbers: Counter[str] = Counter()
    for picture in pictures:
        numbers |= Counter(picture)
    return numbers


def either_of(names: Iterable[str]) -> Message:
    """Return names of which one counts, with “or” between each two, as each is of two words or more."""
    return reduce(lambda first, second: any_of((first, second)), map(messages.name, names))


class Mismatch(NamedTuple):
    """The reason that pictures are not compared with a deck, and the deck that they show, if that is clear."""

    sentence: Message
    shows: DeckRow | None = None


def find_mismatch(index: DeckIndex, row: DeckRow, pictures: Sequence[Sequence[str]]) -> Mismatch | None:
    """Return the reason that pictures do not match this deck, or None.

    Another deck may explain them better or as well, or no deck may.
    """
    for number, picture in enumerate(pictures, 1) if len(pictures) > 1 else ():
        ranking = index.rank(Counter(picture))
        if ranking and ranking[0][0] >= ENOUGH:
            better = _find_better(index, row, Counter(picture), partial(_one_shows, number))
            if better is not None:
                return better
    numbers = count_numbers(pictures)
    shows = _picture_shows if len(pictures) == 1 else _pictures_show
    return _find_better(index, row, numbers, shows) or _find_doubt(index, row, numbers)


_Shows = Callable[[str, str], Message]
"""The clause that pictures show one deck and not another."""


def _one_shows(number: int, other: str, deck: str) -> Message:
    # Translators: this and the two below continue with “: 3 of 6 labels are as its record has them …”.
    return phrase("Picture {number} shows {shown}, not {deck}", number=str(number), shown=other, deck=deck)


def _picture_shows(other: str, deck: str) -> Message:
    return phrase("The picture shows {shown}, not {deck}", shown=other, deck=deck)


def _pictures_show(other: str, deck: str) -> Message:
    return phrase("The pictures show {shown}, not {deck}", shown=other, deck=deck)


def _labels(numbers: Counter[str]) -> Message:
    return phrases("{n} label", "{n} labels", n=numbers.total())


def _find_better(index: DeckIndex, row: DeckRow, numbers: Counter[str], shows: _Shows) -> Mismatch | None:
    """Return the mismatch if another deck explains labels better than this one, or None."""
    own = index.candidate(row).count_explained(numbers)
    count, best = next(iter(index.rank(numbers)), (0, None))
    if best is None or count <= own:
        return None
    return Mismatch(
        phrases(
            "{shows}: {n} of {labels} is as its record has them, and {own} as that of {deck} has them. Nothing is "
            "compared; photograph {deck}, or audit {shown}.",
            "{shows}: {n} of {labels} are as its record has them, and {own} as that of {deck} has them. Nothing is "
            "compared; photograph {deck}, or audit {shown}.",
            n=count,
            shows=shows(best.row.name, row.name),
            labels=_labels(numbers),
            own=own,
            deck=row.name,
            shown=best.row.name,
        ),
        best.row,
    )


def _find_doubt(index: DeckIndex, row: DeckRow, numbers: Counter[str]) -> Mismatch | None:
    """Return the mismatch if the labels may be those of another deck, or of none here, or None."""
    candidate = index.candidate(row)
    own = candidate.count_explained(numbers)
    ranking = index.rank(numbers)
    equal = [
        each.row.name
        for count, each in ranking
        if count == own and each.labels.tag == candidate.labels.tag and each.row.deck != row.deck
    ]
    if equal:
        return Mismatch(
            phrase(
                "These labels can be those of {deck} or of {others}: nothing is compared; photograph more cards in one "
                "picture.",
                deck=row.name,
                others=either_of(equal),
            )
        )
    if not candidate.is_likely(numbers):
        return Mismatch(
            phrases(
                "{n} of {labels} is as the record of {deck} has them, and no deck here explains more; it may be a deck "
                "that is not in this archive. Nothing is compared; photograph more cards of {deck} in one picture.",
                "{n} of {labels} are as the record of {deck} has them, and no deck here explains more; it may be a "
                "deck that is not in this archive. Nothing is compared; photograph more cards of {deck} in one "
                "picture.",
                n=own,
                labels=_labels(numbers),
                deck=row.name,
            )
        )
    return None
