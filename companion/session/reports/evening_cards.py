"""The card of a stored session, from what its seal stored, or else from its lines."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from companion.archive import Archive, SessionRow, deck_records
from companion.archive.people import people
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.evenings import card_of, entered_at, evening_of
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.evening import Evening, EveningCard, NameOf, own_name
from companion.tabletop.game import Game
from templates.languages.messages import phrase


class PresentedEvening(NamedTuple):
    """An evening's facts and its card, both with the names that people use outside the house."""

    evening: Evening
    card: EveningCard


def present_stored(archive: Archive, row: SessionRow, name_of: NameOf | None = None) -> PresentedEvening:
    """Return the evening of a stored session: from its seal if that stored one, else from its lines.

    Evenings that are published together share a `name_of`, so that each nameless person has one number in all of them.
    Raises RuleError if there is nothing to show yet, and NotationError if the game is not installed.
    """
    name_of = name_of or people.names_outside(archive)
    evening = kept_evening(archive, row)
    if evening is None:
        return _present_session(archive_journal.resume(archive, row.session), name_of)
    return present_kept(row, evening, name_of)


def present_kept(row: SessionRow, evening: Evening, name_of: NameOf) -> PresentedEvening:
    """Return the presentation of an evening that was stored by the seal of a session. Raises NotationError."""
    return _present(registry.game(row.game, row.page), evening, row.started, name_of)


def present_session(archive: Archive | None, session: Session) -> PresentedEvening:
    """Return the evening of a session that is open here. Raises RuleError if there is nothing to show yet."""
    return _present_session(session, people.names_outside(archive) if archive is not None else own_name)


def _present_session(session: Session, name_of: NameOf) -> PresentedEvening:
    evening = evening_of(session.game, session.log.position.head, session.log.lines)
    if evening is None:
        raise RuleError(
            phrase("There is nothing to show of this session yet; its card begins with the first fight or turn.")
        )
    return _present(session.game, evening, entered_at(session.log.lines[0]), name_of)


def kept_evening(archive: Archive, row: SessionRow) -> Evening | None:
    """Return the evening stored by the seal of a session; None if it is not sealed, or its seal stored none."""
    if not row.sealed:
        return None
    marks = (mark for marks in deck_records.sealed_marks(archive, row.session).values() for mark in marks)
    return next((evening for mark in marks if (evening := getattr(mark, "evening", None)) is not None), None)


def _present(game: Game, evening: Evening, when: datetime | None, name_of: NameOf) -> PresentedEvening:
    return PresentedEvening(evening.with_names(name_of), card_of(game, evening, when, name_of))
