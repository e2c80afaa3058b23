"""Tonight's labels: what a sealed sitting calls for, onto which sheet, as a file that is written once.

Separate from the labels of decks in general: here a sitting says which, and a sheet remembers what was taken of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.press import run
from companion.press.decks import DueLabels, credit, evening
from companion.press.run import PrintRun

if TYPE_CHECKING:
    from companion.archive import Archive

TITLE = "Tonight's labels"


def due(archive: Archive, session: str) -> tuple[DueLabels, ...]:
    """For each deck of a sealed sitting the labels that its seal calls for."""
    from companion.archive import shelf

    return evening(archive, shelf.sealed_marks(archive, session))


def credited(decks: Sequence[DueLabels]) -> str:
    """Whose words stand on these labels."""
    return credit(deck.row.game for deck in decks if deck.cards)


def laid(archive: Archive, decks: Sequence[DueLabels], sheet: str = "") -> PrintRun:
    """The labels on what is free of a sheet at hand, then on whole ones; "" for whole ones of the usual stock.

    Raises Unknown, LabelError.
    """
    labels = [label for deck in decks for label in deck.labels]
    stock, at_hand = run.remembered(archive, [sheet], None) if sheet else (run.find_stock(None), ())
    return run.impose(labels, TITLE, stock, at_hand, credited(decks))


def write(archive: Archive, laid_out: PrintRun, path: Path) -> None:
    """Writes the PDF and takes its positions of the sheets that are remembered: both, or neither.

    Raises LabelError, OSError (FileExistsError too), Unknown where a sheet has changed meanwhile.
    """
    from companion.archive import stationery

    document = laid_out.document()
    with path.open("xb") as file:
        file.write(document)
    try:
        stationery.claim(archive, laid_out.claims)
    except BaseException:
        path.unlink()
        raise
