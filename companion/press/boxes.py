"""Labels for decks' boxes: what the record says a box should show, and the code that opens it.

Separate from wording because this comes from the archive's lists and that from a file of words.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.archive import deck_id
from labels.designs import BoxLabel

if TYPE_CHECKING:
    from companion.archive.lists import DeckRow


def boxes(decks: "Iterable[DeckRow]") -> tuple[BoxLabel, ...]:
    """A box label for each deck, in their order: QR code, name, Glory and dungeons so far, id."""
    return tuple(
        BoxLabel(
            title=row.name,
            shown_id=deck_id.show(row.deck),
            payload=deck_id.payload(row.deck),
            notes=(_note(row),),
        )
        for row in decks
    )


def _note(row: "DeckRow") -> str:
    dungeons = row.figure("dungeons")
    played = "1 dungeon" if dungeons == 1 else f"{dungeons} dungeons"
    return f"Glory {row.figure('glory')} · {'retired' if row.retired else played}"
