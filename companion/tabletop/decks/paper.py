"""The data of a game's prints: the texts of labels, and the record sheet of a deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol

import msgspec

from companion.tabletop.records import DeckFigure, Mark, Record
from templates.languages.messages import Text, joined, phrase, phrase_in

LabelDesign = Literal["plain", "effect", "headed", "figures", "strip"]
"""The layout of a label.

A title over a text, an effect beside the index of a card, an effect under a head, large figures, or rows of boxes to
count on.
"""


class LabelTier(msgspec.Struct, frozen=True):
    """A rank of labels: its title, the mark that identifies it in black and white, and its colour as `#RRGGBB`."""

    title: Text
    mark: str
    colour: str = "#2B2F36"


class LabelText(msgspec.Struct, frozen=True):
    """The text of one label; each design prints as much of it as fits.

    `card` is the card that it goes on, short enough for a corner (`7♠`). `figures` are words with their values (in a
    strip with the texts of its boxes, separated by spaces; a trailing `*` makes one dark). `note` is a small remark,
    such as its owner. The designs `effect` and `headed` need a tier. `own` is the name of a custom design that replaces
    `design` if it exists, and `number` is the number of the text in its list.

    `spot` is its place on the deck, as named by `companion.tabletop.decks.keeping`; "" if decks have no such spots.
    `kind` replaces the spot of a label without a card: from 1, as its game counts kinds, 0 for none. `code` is the
    content of its printed code, once it has one: six digits (`companion.tabletop.decks.label_numbers`).
    """

    title: Text
    text: Text = ""
    design: LabelDesign = "plain"
    tier: LabelTier | None = None
    figures: tuple[tuple[Text, str], ...] = ()
    card: str = ""
    note: Text = ""
    own: str = ""
    number: int = 0
    spot: str = ""
    kind: int = 0
    code: str = ""

    def on(self, card: str, spot: str = "") -> LabelText:
        """Return the label for a given card, on a spot of its deck."""
        return msgspec.structs.replace(self, card=card, spot=spot, kind=0)

    @property
    def full_title(self) -> Text:
        """The title with the card: `Sharp on 5♣`"""
        return phrase("{label} on {card}", label=self.title, card=self.card) if self.card else self.title

    @property
    def key(self) -> str | LabelText:
        """The identity of a label on its deck: its spot, or the whole label."""
        return self.spot or self


def boxes(first: int, last: int, dark: int | None = None) -> str:
    """Return the box texts of a strip that counts from one number to another: `1 2 3*`."""
    return " ".join(f"{figure}*" if figure == dark else str(figure) for figure in range(first, last + 1))


class Wording(msgspec.Struct, frozen=True):
    """The label texts of a game's data file, which users can edit without touching code.

    `texts` are found by kind and name in notation (`hunters-edge`). `starter` is a starter sheet, in its order and with
    all copies.
    """

    texts: Mapping[tuple[str, str], LabelText] = {}
    starter: tuple[LabelText, ...] = ()


class SheetColumn(msgspec.Struct, frozen=True):
    """A column of a table: its title, and its share of the width."""

    title: Text
    share: float = 1.0
    bold: bool = False


class SheetTable(msgspec.Struct, frozen=True):
    """Rows of text under a title, with `blanks` empty rows for entries by hand."""

    title: Text
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[Text, ...], ...]
    blanks: int = 0


class RecordSheet(msgspec.Struct, frozen=True):
    """A page about one deck: a line below its name, figures with their titles, tables."""

    subtitle: Text
    tables: tuple[SheetTable, ...]
    facts: tuple[tuple[Text, str], ...] = ()


class TableAid(msgspec.Struct, frozen=True):
    """A table aid with what players look up during a game: tables of two columns under titles."""

    title: Text
    subtitle: Text
    tables: tuple[tuple[Text, tuple[tuple[Text, Text], ...]], ...]


# Translators: It stands on the box of a deck that is not played any more.
RETIRED: Final = phrase_in("deck", "retired")


class DatedMark(msgspec.Struct, frozen=True):
    """A mark in force, the date on which it was made (`2026-03-14`), and its sentence in the deck's story."""

    mark: Mark
    day: str
    sentence: Text


class PrintedMatter:
    """The prints of a game. Every method is pure; a game overrides those that it needs.

    `wording` is the content of the game's file of label texts, passed in because a game reads no files.
    """

    def __init__(self, *starter: LabelText) -> None:
        """Create the prints; `starter` are labels that every group needs once, besides those of the file."""
        self._starter = starter

    def starter(self, wording: Wording) -> tuple[LabelText, ...]:
        """Return the labels that every group needs once; none if the game has no such sheet."""
        return (*wording.starter, *self._starter)

    def paper_deck(self) -> str:
        """Return an example file for a deck that existed on paper.

        "" if there is none, or it is among the game's files.
        """
        return ""

    def paper_deck_with(self, spots: Sequence[str], kinds: Sequence[str]) -> str:  # noqa: ARG002
        """Return the file of a paper deck, filled in as far as its labels tell.

        The labels are those on certain `spots`, and the `kinds` of those without a card. The user fills in the rest. ""
        if the game takes no decks in this way.
        """
        return ""

    def aid(self) -> TableAid | None:
        """Return the table aid; None if the game has it in a file, or has none."""
        return None

    def current_labels(self, record: Record, wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002 – used by overrides
        """Return all labels on the cards of a deck today."""
        return ()

    def new_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels that the marks of one evening put on the cards of a deck."""
        return ()

    def number_on_card(self, spot: str) -> tuple[int, int] | None:  # noqa: ARG002
        """Return the card and the kind, each from 0, of the number on a spot's label; they never change.

        None if the label is numbered by its deck's own list, or there are no such spots.
        """
        return None

    def spot_on_card(self, card: int, kind: int) -> str:  # noqa: ARG002
        """Return the spot for the numbers of a card and a kind; "" for none."""
        return ""

    def kind_name(self, kind: int) -> str:  # noqa: ARG002
        """Return the suffix after the card in the spot of a `kind` of label for any card; "" for no such kind."""
        return ""

    def listed_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels that are numbered by their deck's own list, in the order in which they came.

        They are all labels that its cards ever had and `number_on_card` does not number. Later marks never change
        earlier positions.
        """
        return ()

    def on_spot(self, spot: str, record: Record, wording: Wording) -> LabelText:  # noqa: ARG002
        """Return the label that belongs on a spot, even if the deck does not have it today."""
        return LabelText(spot, spot=spot)

    def outdates_box(self, marks: Sequence[Mark]) -> bool:  # noqa: ARG002
        """Return True if the box needs a new label after these marks."""
        return False

    def names_box(self, marks: Sequence[Mark]) -> bool:  # noqa: ARG002
        """Return True if the deck's name was not on its box before these marks."""
        return False

    def box_figure(self, figures: Sequence[DeckFigure]) -> DeckFigure | None:
        """Return the figure that a box gets on a large label of its own; None if it needs a complete label."""
        return figures[0] if figures else None

    def box_note(self, figures: Sequence[DeckFigure], retired: bool) -> Text:
        """Return the text below the deck's name on a box, made of the figures in lists."""
        if retired:
            return RETIRED
        return joined(" · ", (joined(" ", (figure.caption, str(figure.value))) for figure in figures))

    def sheet(self, record: Record, marks: Sequence[DatedMark], wording: Wording) -> RecordSheet:  # noqa: ARG002
        """Return a deck's record sheet from its record and its marks in force; by default its story and blank rows."""
        columns = (SheetColumn(phrase("Date"), 1.7), SheetColumn(phrase("What happened"), 8))
        story = SheetTable(phrase("Story"), columns, tuple((mark.day, mark.sentence) for mark in marks), blanks=8)
        return RecordSheet(phrase("held by {holder}", holder=record.holder) if record.holder else "", (story,))


class Printable(Protocol):
    """The part of a game that printing needs.

    A `Game` has it too, but its rules take longer to load than a sheet takes to print.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> Text: ...
    @property
    def credit(self) -> Text: ...
    @property
    def about(self) -> Text: ...
    @property
    def data(self) -> str: ...
    @property
    def paper(self) -> PrintedMatter | None: ...


class Imprint(msgspec.Struct, frozen=True):
    """The data for printing without the rules; see `companion.tabletop.game.Game` for each field."""

    name: str
    title: Text
    paper: PrintedMatter
    credit: Text = ""
    data: str = "templates"
    about: Text = ""
