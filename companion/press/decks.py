"""Labels for decks: what their cards bear today, what an evening added, and what stands on their boxes.

Separate from wording because this comes from records and marks, and that from files of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.archive import deck_id
from companion.games import registry
from companion.games.action import NotationError
from companion.games.paper import Paper
from companion.games.records import Mark, Record
from companion.press import templates
from companion.press.drawing import drawn
from companion.press.wording import wording
from labels.designs import BoxLabel, CountLabel
from labels.errors import LabelError
from labels.label import Label

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.games.game import Game

SAMPLE_CODE = (deck_id.show("0" * 13), deck_id.payload("0" * 13))
"""An id in print and as a code, for a label of a deck that is not there yet."""


class DueLabels(NamedTuple):
    """What an evening calls for on one deck: labels for its cards, and one for its box if its figure changed."""

    row: DeckRow
    cards: tuple[Label, ...]
    box: tuple[Label, ...]

    @property
    def labels(self) -> tuple[Label, ...]:
        """All of them."""
        return (*self.cards, *self.box)


def paper_of(record: Record) -> tuple[Game, Paper]:
    """What a deck's game prints of it. Raises LabelError where that is nothing."""
    game = registry.game(record.game)
    if game.paper is None:
        known = templates.named([other.title for other in registry.all_games() if other.paper])
        raise LabelError(f"{record.name} is a deck of {record.game}; labels for cards are known for {known} only.")
    return game, game.paper


def borne(record: Record) -> tuple[Label, ...]:
    """All labels that a deck's cards bear today. Raises LabelError for a deck of a game that prints none."""
    game, paper = paper_of(record)
    return tuple(map(drawn, paper.borne(record, wording(game))))


def newest(record: Record, marks: Sequence[Mark]) -> tuple[Label, ...]:
    """The labels that came with a deck's present list, from all its marks; none where it has only had one.

    Raises LabelError as `borne` does.
    """
    game, paper = paper_of(record)
    if game.keeping is None or not game.keeping.lists(marks):
        return ()
    return tuple(map(drawn, paper.written(marks, wording(game))))


def evening(archive: Archive, marks: Mapping[str, tuple[Mark, ...]]) -> tuple[DueLabels, ...]:
    """For each deck of a sealed game the labels that its marks call for."""
    return tuple(_due(archive.find_deck(deck), made) for deck, made in marks.items())


def _due(row: DeckRow, marks: tuple[Mark, ...]) -> DueLabels:
    game = registry.game(row.game)
    paper = game.paper or Paper()
    cards = tuple(map(drawn, paper.written(marks, wording(game))))
    return DueLabels(row, cards, (count(row),) if paper.outdates_box(marks) else ())


def credit(games: Iterable[str]) -> str:
    """Whose content is printed, by the names of the games whose words it is."""
    return " ".join(dict.fromkeys(registry.game(name).credit for name in games))


def boxes(rows: Iterable[DeckRow], address: str = "") -> tuple[BoxLabel, ...]:
    """A box label for each deck, in their order: QR code, name, how far it has come, id.

    The code holds the bare id, or behind an `address` of one's own.
    """
    return tuple(box(row, address) for row in rows)


def box(row: DeckRow, address: str = "") -> BoxLabel:
    """A deck's box label."""
    note = _paper(row.game).box_note(row.figures, row.retired)
    return BoxLabel(row.name, deck_id.show(row.deck), deck_id.payload(row.deck, address), (note,) if note else ())


def _paper(game: str) -> Paper:
    """What a game prints; of one that cannot be loaded any more what every game does."""
    try:
        return registry.game(game).paper or Paper()
    except NotationError:
        return Paper()


def count(row: DeckRow, address: str = "") -> CountLabel | BoxLabel:
    """The label that brings a deck's box up to date: one of its figures, large, or the whole label where more counts.

    Raises LabelError for a deck without figures.
    """
    if not row.figures:
        raise LabelError(f"{row.name} is a deck of {row.game}, which counts nothing that a box could show.")
    figure = _paper(row.game).box_figure(row.figures)
    if figure is None:
        return box(row, address)
    code = deck_id.payload(row.deck, address)
    return CountLabel(row.name, figure.title, figure.value, deck_id.show(row.deck), code)
