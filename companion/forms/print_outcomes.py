"""The answers to how a print-out came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from companion.archive import Archive, stationery
from companion.archive.storage.entries import Outcome
from templates.languages.messages import Text, phrase


class OutcomeChoice(NamedTuple):
    """An answer to how a print-out came out: what it will do, and what it has done."""

    title: Text
    about: Text
    done: Text


OUTCOMES: Final[Mapping[Outcome, OutcomeChoice]] = {
    "printed": OutcomeChoice(
        phrase("It came out right"), phrase("Marks its labels as used."), phrase("Its labels count as used.")
    ),
    "spoiled": OutcomeChoice(
        phrase("It came out wrong, and the labels are lost"),
        phrase("Marks their positions as used, so that you print again on the next ones."),
        phrase("Their positions count as used; print again on the next ones."),
    ),
    "blank": OutcomeChoice(
        phrase("It came out wrong, or not at all: the labels are still blank"),
        phrase("Makes their positions free again."),
        phrase("They are free again."),
    ),
}


def settle_print_out(
    archive: Archive, sheets: Iterable[str], take_back: Callable[[], None] | None, outcome: Outcome
) -> Text:
    """Store how a print-out came out, and return what that has done. Raises ArchiveError.

    `sheets` are the names of the sheets that wait for it; for a sheet without a name, `take_back` frees its labels.
    """
    if take_back is None:
        stationery.settle(archive, tuple(sheets), outcome)
    elif outcome == "blank":
        take_back()
    return OUTCOMES[outcome].done
