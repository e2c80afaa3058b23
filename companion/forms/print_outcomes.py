"""The answers to how a print-out came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.archive.storage.entries import Outcome
from templates.languages.messages import Text, phrase


class OutcomeChoice(NamedTuple):
    """An answer to how a print-out came out, and its effect."""

    title: Text
    about: Text


OUTCOMES: Final[Mapping[Outcome, OutcomeChoice]] = {
    "printed": OutcomeChoice(phrase("It came out right"), phrase("Its labels count as used.")),
    "spoiled": OutcomeChoice(
        phrase("It came out wrong, and the labels are lost"),
        phrase("Their positions count as used; print again on the next ones."),
    ),
    "blank": OutcomeChoice(
        phrase("It came out wrong, or not at all: the labels are still blank"), phrase("They are free again.")
    ),
}
