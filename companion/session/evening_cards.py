"""The card of a stored session: from what its seal kept, or else from its lines."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from companion.archive import Archive, SessionRow, deck_records, people
from companion.games import registry
from companion.session import archive_journal
from companion.session.evenings import card_of, entered_at, evening_of
from companion.session.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.evening import Evening, EveningCard, NameOf, own_name
from companion.tabletop.game import Game


class PresentedEvening(NamedTuple):
    """An evening's facts, and the card that shows them, both with people as they are called outside of the house."""

    evening: Evening
    card: EveningCard


def present_stored(archive: Archive, row: SessionRow, name_of: NameOf | None = None) -> PresentedEvening:
    """The evening of a stored session: a sealed one's as it was kept, any other's from its lines.

    Where several evenings go out together, they share a `name_of`, so that whoever is nameless has one number in all.
    Raises RuleError where there is nothing to show yet, NotationError where its game is not here.
    """
    name_of = name_of or people.names_outside(archive)
    evening = kept_evening(archive, row)
    if evening is None:
        return _present_session(archive_journal.resume(archive, row.session), name_of)
    return present_kept(row, evening, name_of)


def present_kept(row: SessionRow, evening: Evening, name_of: NameOf) -> PresentedEvening:
    """What the seal of a session kept of its evening, for whoever has read it. Raises NotationError."""
    return _present(registry.game(row.game, row.page), evening, row.started, name_of)


def present_session(archive: Archive | None, session: Session) -> PresentedEvening:
    """The evening of a session that is open here. Raises RuleError where there is nothing to show yet."""
    return _present_session(session, people.names_outside(archive) if archive is not None else own_name)


def _present_session(session: Session, name_of: NameOf) -> PresentedEvening:
    evening = evening_of(session.game, session.log.position.head, session.log.lines)
    if evening is None:
        raise RuleError("There is nothing to show of this session yet; its card begins with the first fight or turn.")
    return _present(session.game, evening, entered_at(session.log.lines[0]), name_of)


def kept_evening(archive: Archive, row: SessionRow) -> Evening | None:
    """What the seal of a session kept of its evening; None where it was sealed before that was kept, or is not."""
    if not row.sealed:
        return None
    marks = (mark for marks in deck_records.sealed_marks(archive, row.session).values() for mark in marks)
    return next((evening for mark in marks if (evening := getattr(mark, "evening", None)) is not None), None)


def _present(game: Game, evening: Evening, when: datetime | None, name_of: NameOf) -> PresentedEvening:
    return PresentedEvening(evening.presented(name_of), card_of(game, evening, when, name_of))
