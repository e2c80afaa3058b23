"""Packs of the long road, the ready game whose decks are written on: founded, played to the seal, and what follows."""

from __future__ import annotations

from typing import Any, Final

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.decks.form import FormContext
from tests.games.described import pages

GAME: Final = "legacy"
DAYS: Final = ("next", "day ana", "next", "next", "day ben", "next", "next", "day ana", "next", "next", "day ana")
"""Four of the five days; two lines later nobody can win another."""
WRITTEN: Final = (
    "inscribe ana 9S bright",
    "inscribe ben QS soaked",
    "buy ana KH homeward",
    "answered ana market",
    "answered ben market",
    "cross-out ben QS soaked",
    "tear-up ben 3C",
    "count ana days 3",
    "count ben days 1",
    'tell ana "We heard the sea."',
    "take-home ana ben",
    "take-home ben ana",
    "answered ana wash",
)
"""Answers to everything that is asked when Ana has won."""


def founded(archive: Archive, name: str, holder: str, **answers: str) -> str:
    """A pack, founded from the form; its id."""
    form = pages.ready(GAME).decks.founding
    assert form is not None
    values: dict[str, Any] = {"name": name, "holder": holder, **answers}
    filled = form.validate_answers(values, FormContext())
    assert filled.findings == ()
    return archive.found_deck(GAME, filled.marks)


def packs(archive: Archive) -> tuple[str, str]:
    """Ana's and Ben's packs."""
    return (
        founded(archive, "Grave Choir", "Ana", road="marsh", motto="Onward"),
        founded(archive, "Moss Road", "Ben"),
    )


def seated(archive: Archive, *decks: str) -> Session:
    """A table at which both sit with a pack."""
    session = archive_journal.start(archive, GAME)
    for seat, deck in zip(("ana", "ben"), decks, strict=True):
        session.enter(f"seat {seat} deck {deck}")
    return session


def say(session: Session, *lines: str) -> Session:
    """Enter lines."""
    for line in lines:
        session.enter(line)
    return session


def over(archive: Archive) -> Session:
    """A game that is over, of which nothing is written yet."""
    return say(seated(archive, *packs(archive)), "begin seed 1", *DAYS, "next", "next", "next")


def sealed(archive: Archive) -> Session:
    """The same with everything answered, sealed."""
    return say(over(archive), *WRITTEN, "seal")
