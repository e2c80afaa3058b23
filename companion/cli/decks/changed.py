"""What programs are told of a deck that has just been changed. Separate because whatever changes one tells the same."""

from collections.abc import Sequence

from companion.archive import Archive, shelf
from companion.cli.common import print_json


def print_changed(archive: Archive, deck: str, warnings: Sequence[str] = ()) -> None:
    """Prints what the deck is called now, the mark that was made last, and what is left to do by hand."""
    row = archive.find_deck(deck)
    print_json(
        {
            "deck": row.deck,
            "name": row.name,
            "mark": archive.story(row.deck)[-1]._asdict(),
            "warnings": warnings,
            "chores": [{"chore": chore.id, "text": chore.text} for chore in shelf.chores(archive, row.deck)],
        }
    )
