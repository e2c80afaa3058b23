"""The labels that a game calls for: what the marks of a sealed session wrote on cards and earned for boxes.

Separate because it reads the marks of one evening, where a deck's labels are what its whole record adds up to.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from companion.archive import deck_id
from companion.games.cards import Card, pretty
from companion.games.decknforge.marks import CarriedOff, CrossedOut, Inscribed, Labelled
from companion.games.records import Mark
from companion.press import wording
from labels.designs import GloryLabel, Inscription, MonsterLabel

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from labels.label import Label


def tonight(marks: Iterable[Mark]) -> tuple[tuple[Card, Inscription | MonsterLabel], ...]:
    """What has to be stuck where: a card and its label, for each mark of a deck that a label shows.

    An inscription that was lost again on the same evening is left out.
    """
    written: dict[tuple[Card, str, bool], Inscription | MonsterLabel] = {}
    for mark in marks:
        if isinstance(mark, Inscribed):
            label = wording.inscription(mark.inscription, short(mark.card))
            written[mark.card, mark.inscription, True] = label
        elif isinstance(mark, Labelled):
            written[mark.card, mark.label, False] = wording.monster_label(mark.label, short(mark.card))
        elif isinstance(mark, CrossedOut | CarriedOff):
            written.pop((mark.card, mark.inscription, True), None)
    return tuple((card, label) for (card, _, _), label in written.items())


def evening(
    archive: "Archive", marks: Mapping[str, tuple[Mark, ...]]
) -> "tuple[tuple[DeckRow, tuple[Label, ...]], ...]":
    """For each deck of a sealed game the labels for its cards, and one for its box if its Glory grew."""
    return tuple(_due(archive, deck, made) for deck, made in marks.items())


def _due(archive: "Archive", deck: str, marks: tuple[Mark, ...]) -> "tuple[DeckRow, tuple[Label, ...]]":
    row = archive.find_deck(deck)
    stuck = tuple(label for _, label in tonight(marks))
    earned = sum(getattr(mark, "glory", 0) for mark in marks)
    return row, (*stuck, glory(row)) if earned else stuck


def glory(row: "DeckRow") -> GloryLabel:
    """The label that brings a deck's box up to date."""
    return GloryLabel(row.name, row.figure("glory"), deck_id.show(row.deck), deck_id.payload(row.deck))


def short(card: Card) -> str:
    """A card as a label has room for it: `7♠`, and `BJ` for the Black Joker."""
    return card if " " in pretty(card) else pretty(card)
