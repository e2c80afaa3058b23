"""What a game puts on paper, as data: what its labels say, and what a deck's record sheet tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from companion.tabletop.records import DeckFigure, Mark, Record

LabelDesign = Literal["plain", "effect", "headed", "figures", "strip"]
"""How a label looks: a title over a text, an effect beside a card's index, an effect under a head, large figures, rows
of boxes to count on.
"""


class LabelTier(msgspec.Struct, frozen=True):
    """A rank among labels: its word, the mark that tells it in black and white, and its colour as `#RRGGBB`."""

    title: str
    mark: str
    colour: str = "#2B2F36"


class LabelText(msgspec.Struct, frozen=True):
    """What one label says; each design shows of it what it has room for.

    `card` is the card that it goes on, as short as a corner needs it (`7♠`), `figures` are words with their values (in
    a strip with what its boxes say, divided by spaces; a `*` behind one makes it dark), and `note` is something small,
    such as whose it is. The designs `effect` and `headed` need a tier. `own` is the name of a design of somebody's own
    that is used instead where it is known, and `number` what the text has in its list.

    `spot` is where on its deck it stands, as `companion.tabletop.keeping` names it; "" where decks have no such spots.
    `kind` is what a label that knows no card has in place of it: from 1, as its game counts what there is, 0 for none.
    `code` is what a code on it holds, once it is to have one: six figures (`companion.tabletop.label_numbers`).
    """

    title: str
    text: str = ""
    design: LabelDesign = "plain"
    tier: LabelTier | None = None
    figures: tuple[tuple[str, str], ...] = ()
    card: str = ""
    note: str = ""
    own: str = ""
    number: int = 0
    spot: str = ""
    kind: int = 0
    code: str = ""

    def on(self, card: str, spot: str = "") -> LabelText:
        """The same label for a certain card, on a spot of its deck."""
        return msgspec.structs.replace(self, card=card, spot=spot, kind=0)

    @property
    def full_title(self) -> str:
        """`Sharp on 5♣`"""
        return f"{self.title} on {self.card}" if self.card else self.title

    @property
    def key(self) -> str | LabelText:
        """What makes two labels of one deck the same label: their spot, or all they say."""
        return self.spot or self


def boxes(first: int, last: int, dark: int | None = None) -> str:
    """What the boxes of a strip say that counts from one figure to another: `1 2 3*`."""
    return " ".join(f"{figure}*" if figure == dark else str(figure) for figure in range(first, last + 1))


class Wording(msgspec.Struct, frozen=True):
    """The label texts that stand as data beside a game, where people edit them without touching code.

    `texts` are found by kind and name, as the notation writes it (`hunters-edge`); `starter` is a starter sheet, in its
    order and with all copies.
    """

    texts: Mapping[tuple[str, str], LabelText] = {}
    starter: tuple[LabelText, ...] = ()


class SheetColumn(msgspec.Struct, frozen=True):
    """A column of a table: its title, and its share of the width."""

    title: str
    share: float = 1.0
    bold: bool = False


class SheetTable(msgspec.Struct, frozen=True):
    """Rows of text under a title, and `blanks` empty rows below them to go on by hand."""

    title: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    blanks: int = 0


class RecordSheet(msgspec.Struct, frozen=True):
    """A page about one deck: a line below its name, figures with what they count, tables."""

    subtitle: str
    tables: tuple[SheetTable, ...]
    facts: tuple[tuple[str, str], ...] = ()


class TableAid(msgspec.Struct, frozen=True):
    """What everybody asks while a game is played: tables of two columns under titles."""

    title: str
    subtitle: str
    tables: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class DatedMark(msgspec.Struct, frozen=True):
    """A mark in force, the day on which it was made (`2026-03-14`), and its sentence in the deck's story."""

    mark: Mark
    day: str
    sentence: str


class PrintedMatter:
    """What a game prints. Every method is pure; a game overrides those that it has something to say in.

    `wording` is what stands in the game's file of label texts, handed in because a game reads no files.
    """

    def __init__(self, *starter: LabelText) -> None:
        """`starter`: labels that everybody needs once, besides those of the file."""
        self._starter = starter

    def starter(self, wording: Wording) -> tuple[LabelText, ...]:
        """The labels that everybody needs once; none where the game has no such sheet."""
        return (*wording.starter, *self._starter)

    def paper_deck(self) -> str:
        """An example of a deck that lived on paper, as a file to be filled in; "" where it stands among the game's
        files, or there is none.
        """
        return ""

    def paper_deck_with(self, spots: Sequence[str], kinds: Sequence[str]) -> str:  # noqa: ARG002
        """The file of a deck that lived on paper as far as labels tell it: those on certain `spots`, and the `kinds` of
        those that know no card. The rest is left to be filled in. "" where the game takes no deck in so.
        """
        return ""

    def aid(self) -> TableAid | None:
        """The table aid; None where the game has it in its file, or has none."""
        return None

    def borne(self, record: Record, wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002 – what a game may need
        """All labels that a deck's cards bear today."""
        return ()

    def written(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """The labels that one evening's marks put on a deck's cards."""
        return ()

    def number_on_card(self, spot: str) -> tuple[int, int] | None:  # noqa: ARG002
        """The card and the kind, each from 0, that number the label of a spot on every deck; for ever the same. None
        for a spot whose label is numbered by its deck's own list, and where there are no such spots.
        """
        return None

    def spot_on_card(self, card: int, kind: int) -> str:  # noqa: ARG002
        """The spot that a card and a kind number; "" for none."""
        return ""

    def kind_name(self, kind: int) -> str:  # noqa: ARG002
        """What stands behind a card in the spot of a label of a `kind` that goes on any card; "" for no such kind."""
        return ""

    def listed(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """The labels that are numbered by their deck's own list: all that its cards ever bore and `number_on_card` does
        not number, in the order in which they came. Marks that come later never change what stands before.
        """
        return ()

    def on_spot(self, spot: str, record: Record, wording: Wording) -> LabelText:  # noqa: ARG002
        """The label that belongs on a spot, whether or not the deck bears it today."""
        return LabelText(spot, spot=spot)

    def outdates_box(self, marks: Sequence[Mark]) -> bool:  # noqa: ARG002
        """Whether after these marks the box needs another label."""
        return False

    def names_box(self, marks: Sequence[Mark]) -> bool:  # noqa: ARG002
        """Return True where nobody has written the deck's name on its box before these marks."""
        return False

    def box_figure(self, figures: Sequence[DeckFigure]) -> DeckFigure | None:
        """The figure that brings a box up to date, large on a label of its own; None where a box gets a whole label."""
        return figures[0] if figures else None

    def box_note(self, figures: Sequence[DeckFigure], retired: bool) -> str:
        """What a box says below its deck's name, of the figures that lists show."""
        return "retired" if retired else " · ".join(f"{figure.title} {figure.value}" for figure in figures)

    def sheet(self, record: Record, marks: Sequence[DatedMark], wording: Wording) -> RecordSheet:  # noqa: ARG002
        """A deck's record sheet, from its record and its marks in force: here its story, with room to go on by hand."""
        columns = (SheetColumn("Date", 1.7), SheetColumn("What happened", 8))
        story = SheetTable("Story", columns, tuple((mark.day, mark.sentence) for mark in marks), blanks=8)
        return RecordSheet(f"held by {record.holder}" if record.holder else "", (story,))


class Printable(Protocol):
    """What must be known of a game to print for it. A `Game` says it, too; its rules take longer to load than a sheet
    takes to be printed.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def credit(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def data(self) -> str: ...
    @property
    def paper(self) -> PrintedMatter | None: ...


class Imprint(msgspec.Struct, frozen=True):
    """The same without the rules: see `companion.tabletop.game.Game` for each."""

    name: str
    title: str
    paper: PrintedMatter
    credit: str = ""
    data: str = "templates"
    about: str = ""
