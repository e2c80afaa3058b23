"""The company of the lighthouse road, the ready game with a campaign: founded, and played game after game."""

from __future__ import annotations

from typing import Any, Final

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.decks.form import FormContext
from tests.games.described import pages

GAME: Final = "campaign"
WON: Final = ("onward ana 4", "search ben 2", "next", "next", "onward ana 4")
LOST: Final = ("fall ana", "fall ana", "fall ben", "fall ben", "fall ben", "next")


def found_record(archive: Archive, name: str, holder: str, **answers: str) -> str:
    """Found a hero, or with `campaign` a logbook; return its id."""
    form = pages.ready(GAME).decks.founding
    assert form is not None
    values: dict[str, Any] = {"name": name, "holder": holder, **answers}
    filled = form.validate_answers(values, FormContext())
    assert filled.findings == ()
    return archive.found_deck(GAME, filled.marks)


def company(archive: Archive) -> tuple[str, str, str]:
    """Found a logbook and two heroes, Mira of Ana and Odo of Ben."""
    logbook = found_record(archive, "The Gull Company", "Ana", campaign="yes")
    return logbook, found_record(archive, "Mira", "Ana", **{"class": "Pilot"}), found_record(archive, "Odo", "Ben")


def seat(archive: Archive, logbook: str, *heroes: str) -> Session:
    """Open a table at which the company goes on."""
    session = archive_journal.start(archive, GAME)
    enter(session, f"seat campaign deck {logbook}")
    return enter(session, *(f"seat {who} deck {hero}" for who, hero in zip(("ana", "ben"), heroes, strict=True)))


def enter(session: Session, *lines: str) -> Session:
    """Enter lines."""
    for line in lines:
        session.enter(line)
    return session


def first_game(archive: Archive, *decks: str) -> Session:
    """The empty harbour, won and sealed."""
    return enter(
        seat(archive, *decks),
        *("scenario harbour", "begin seed 1", *WON, "finish harbour", "figure gold 6", "count campaign renown 2"),
        *("count ana experience 2", "count ben experience 1", "inscribe ana 9S steady", "inscribe ben QH keen-eyed"),
        *('tell campaign "We heard the sea."', "seal"),
    )


def second_game(archive: Archive, *decks: str) -> Session:
    """The marsh, lost: the danger is too great."""
    return enter(seat(archive, *decks), "scenario marsh", "begin seed 2", "search ana 3", *LOST, "unlock bell", "seal")


def third_game(archive: Archive, *decks: str) -> Session:
    """The pass, won; Mira retires."""
    return enter(
        seat(archive, *decks),
        *("scenario pass", "begin seed 3", *WON, "finish pass", "count campaign renown 1", "retire ana", "seal"),
    )
