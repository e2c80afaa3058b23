"""The prints of constructed decks: labels of cards, the note on the box, and the record sheet.

A game adds the text of the label of one card (`card_labels`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.keeping import final_figures, match_score, opponents
from companion.tabletop.constructed.record import ConstructedRecord, versions
from companion.tabletop.decks.decklist import DeckCard, ListedCard, by_key, change_text, part_sizes
from companion.tabletop.decks.keeping import ListVersion
from companion.tabletop.decks.paper import (
    RETIRED,
    DatedMark,
    LabelText,
    LabelTier,
    PrintedMatter,
    RecordSheet,
    SheetColumn,
    SheetTable,
    Wording,
)
from companion.tabletop.records import Corrected, DeckFigure, Mark, Record, describe_reason
from companion.tabletop.table.match_result import Result
from templates.languages.messages import Finished, Message, Text, declared, joined, listed, phrase, phrase_in

_STRIPS: Final = 4

# Translators: The titles of the two rows of boxes on a strip that counts in tens and ones, in capital letters.
TENS: Final = phrase_in("label", "TENS")
ONES: Final = phrase_in("label", "ONES")


def counted_from(start: int) -> Message:
    """Return the note on a strip that counts down from a number."""
    # Translators: The note on a strip of boxes that counts down.
    return phrase("from {number}", number=start)


# The number of blank rows on a record sheet for entries by hand.
_VERSIONS, _MATCHES = 2, 5

# Translators: The messages from here on are headings of narrow columns.
_VERSION: Final = phrase("Version")
_DATE: Final = phrase("Date")
_CARD_COLUMNS: Final = (
    SheetColumn(phrase("Copies"), 0.8, bold=True),
    SheetColumn(phrase("Card"), 2.4, bold=True),
    SheetColumn(phrase_in("card", "Says"), 7.6),
)
_VERSION_COLUMNS: Final = (
    *(SheetColumn(_VERSION, 0.8, bold=True), SheetColumn(_DATE, 1.3), SheetColumn(phrase("Cards"), 2.4)),
    SheetColumn(phrase("What changed"), 6.3),
)
_MATCH_COLUMNS: Final = (
    *(SheetColumn(phrase("Match"), 0.8, bold=True), SheetColumn(_DATE, 1.3), SheetColumn(_VERSION, 0.8)),
    *(SheetColumn(phrase("Player"), 1.6), SheetColumn(phrase("Against"), 3.1)),
    *(SheetColumn(phrase("Result"), 0.9), SheetColumn(phrase("Turns"), 0.8)),
    SheetColumn(phrase("At the end"), 2.1),
)


def card_label(
    card: ListedCard, tier: LabelTier, figures: Iterable[tuple[Text, str]], words: Iterable[Text], kind: Text = ""
) -> LabelText:
    """Return the label of a card: its name, its figures, other important words, and below these its kind."""
    text = joined("\n", filter(None, (listed(words), kind)))
    return LabelText(card.name, design="figures", tier=tier, figures=tuple(figures), text=text)


class ConstructedPaper(PrintedMatter):
    """See `companion.tabletop.decks.paper.PrintedMatter`; `title` is that of the game.

    Each of the `strips` is on a starter sheet four times: for two players, with a spare one each if they are marked
    with pens.
    """

    def __init__(self, title: Text, *strips: LabelText) -> None:
        super().__init__(*(strip for strip in strips for _ in range(_STRIPS)))
        self._title = title

    @abstractmethod
    def card_labels(self, card: ListedCard) -> Iterable[LabelText]:
        """Return the labels of one copy of a card; none if its line has nothing for a label."""
        ...

    def current_labels(self, record: Record, wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels of every copy of every card, from the remarks of its list."""
        assert isinstance(record, ConstructedRecord)
        return tuple(self._labels((card, card.copies) for card in record.cards))

    def new_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels for the last of these lists: for new copies, and for cards whose label changed.

        A match writes on no card.
        """
        lists = versions(marks)
        return tuple(self._labels(self._new(*lists[-2:]))) if len(lists) > 1 else ()

    def _new(self, before: ListVersion, now: ListVersion) -> Iterator[tuple[DeckCard, int]]:
        """Yield the cards that need labels after a change of the list, each with the number of copies."""
        had = by_key(before.cards)
        for card in now.cards:
            old = had.get(card.key)
            same = old is not None and tuple(self.card_labels(old.listed_card)) == tuple(
                self.card_labels(card.listed_card)
            )
            yield card, max(0, card.copies - old.copies) if old and same else card.copies

    def listed_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return all labels of all its lists; a changed text is another label."""
        lists = (each.cards for mark in marks for each in _as_told(mark) if isinstance(each, m.Built | m.Rebuilt))
        labels = (label for cards in lists for card in cards for label in self.card_labels(card.listed_card))
        return tuple(dict.fromkeys(labels))

    def _labels(self, cards: Iterable[tuple[DeckCard, int]]) -> Iterator[LabelText]:
        for card, copies in cards:
            for label in self.card_labels(card.listed_card):
                yield from (label,) * copies

    def outdates_box(self, marks: Sequence[Mark]) -> bool:
        """Return True if a match was won or lost, or the deck has another version."""
        return any(
            isinstance(mark, m.Rebuilt) or (isinstance(mark, m.ConstructedPlayed) and mark.result != "draw")
            for mark in marks
        )

    def box_figure(self, figures: Sequence[DeckFigure]) -> DeckFigure | None:  # noqa: ARG002
        """Return None: both wins and losses count, so a box gets a complete new label."""
        return None

    def box_note(self, figures: Sequence[DeckFigure], retired: bool) -> Text:
        """Return the text for a box: `v2 · 3 won · 1 lost`"""
        version, won, lost = (str(figure.value) for figure in figures)
        # Translators: Short for “version”, followed by its number.
        edition = phrase("v{version}", version=version)
        results = (RETIRED,) if retired else (phrase("{won} won", won=won), phrase("{lost} lost", lost=lost))
        return joined(" · ", (edition, *results))

    def sheet(self, record: Record, marks: Sequence[DatedMark], wording: Wording) -> RecordSheet:  # noqa: ARG002
        """Return the list by its parts, its versions with their changes, and the matches."""
        assert isinstance(record, ConstructedRecord)
        # Translators: The messages from here on are titles of figures: so many matches were won.
        facts = (
            (phrase_in("figure", "version"), record.version),
            (phrase_in("figure", "won"), record.won),
            (phrase_in("figure", "lost"), record.lost),
            (phrase_in("figure", "drawn"), record.draws),
        )
        return RecordSheet(
            subtitle=joined(" · ", self._subtitle(record, marks)),
            tables=(*_parts(record.cards), _versions(marks), _matches(marks)),
            facts=tuple((word, str(figure)) for word, figure in facts),
        )

    def _subtitle(self, record: ConstructedRecord, dated: Sequence[DatedMark]) -> Iterator[Text]:
        built = next((each for each in dated if isinstance(each.mark, m.Built)), None)
        if built is not None and isinstance(built.mark, m.Built):
            game, day = self._title, built.day
            if built.mark.story:
                yield phrase("{game} deck, here since {day}", game=game, day=day)
            elif built.mark.holder:
                yield phrase("{game} deck, built {day} by {player}", game=game, day=day, player=built.mark.holder)
            else:
                yield phrase("{game} deck, built {day}", game=game, day=day)
        if record.retired:
            yield RETIRED
        elif record.holder:
            yield phrase("held by {holder}", holder=record.holder)


def _as_told(mark: Mark) -> tuple[Mark | None, ...]:
    """Return a mark, or a correction with its replacement."""
    return (mark, mark.instead) if isinstance(mark, Corrected) else (mark,)


def _parts(cards: Sequence[DeckCard]) -> Iterator[SheetTable]:
    """Yield a table for each part of the list."""
    for part, group in groupby(cards, key=lambda card: card.part):
        listed = tuple(group)
        rows = tuple((str(card.copies), card.name, ", ".join(card.says)) for card in listed)
        copies = str(sum(card.copies for card in listed))
        # Translators: {part} is the word of a part of a deck: “Main: 60 cards”.
        name = Finished(declared(part), begins=True, ends=False)
        title = phrase("{part}: {number} cards", part=name, number=copies)
        yield SheetTable(title, _CARD_COLUMNS, rows)


def _versions(dated: Sequence[DatedMark]) -> SheetTable:
    """Return a table of all lists of the deck, with the changes from one to the next."""
    lists = versions([each.mark for each in dated])
    rows = []
    for number, version in enumerate(lists):
        cause = dated[version.mark - 1]
        before = lists[number - 1].cards if number else None
        changed = change_text(before, version.cards) if before is not None else phrase("the first list known here")
        why = _why(cause.mark)
        changed = phrase("{change} ({reason})", change=changed, reason=why) if why else changed
        rows.append((str(version.version), cause.day, part_sizes(version.cards), changed))
    return SheetTable(phrase("Versions"), _VERSION_COLUMNS, tuple(rows), blanks=_VERSIONS)


def _why(mark: Mark) -> Text:
    """Return the reason and the author of a new list, or ""."""
    if not isinstance(mark, m.Rebuilt):
        return ""
    reason = describe_reason(mark.reason)
    if not mark.by:
        return reason
    if not reason:
        return phrase("by {player}", player=mark.by)
    return phrase("{reason}, by {player}", reason=reason, player=mark.by)


_RESULTS: Final[dict[Result, Text]] = {
    "won": phrase_in("result", "won"),
    "lost": phrase_in("result", "lost"),
    "draw": phrase_in("result", "draw"),
}


def _matches(dated: Sequence[DatedMark]) -> SheetTable:
    played = [(each.day, each.mark) for each in dated if isinstance(each.mark, m.ConstructedPlayed)]
    rows = tuple(
        (
            *(str(number), day, str(match.version), match.player, opponents(match)),
            *(_RESULTS[match.result], str(match.turns) if match.turns else ""),
            joined("; ", (part for part in (final_figures(match), match_score(match)) if part)),
        )
        for number, (day, match) in enumerate(played, 1)
    )
    return SheetTable(phrase("Matches"), _MATCH_COLUMNS, rows, blanks=_MATCHES)
