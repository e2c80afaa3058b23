"""A preview of what a seal would write: each deck's new sentences and each purse's changes.

It is separate from the session, which does not know the archive: the sentences depend on each deck's story so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.archive import Archive
from companion.archive.storage.lists import deck_stream, new_marks
from companion.session.core.moved_decks import due_records
from companion.session.core.sealing import Sealing
from companion.session.core.session import Session
from companion.session.reading.table_questions import left_open
from companion.tabletop.action import Action, DeckId
from companion.tabletop.game import Game
from companion.tabletop.records import Keepsake, Mark, Payment
from templates.languages.messages import Message, Text, phrase, phrases, signed


class DeckPreview(NamedTuple):
    """The sentences that would be written into a deck's record, one for each mark."""

    deck: DeckId
    name: str
    sentences: tuple[Text, ...]


class PursePreview(NamedTuple):
    """A person's purse before and after, with the reasons; `person` is their id if it is known."""

    name: str
    person: str
    before: int
    after: int
    sentences: tuple[Text, ...]


class SealPreview(NamedTuple):
    """All changes that a seal would make, its further messages, and the prompts that are still open."""

    decks: tuple[DeckPreview, ...]
    purses: tuple[PursePreview, ...]
    notes: tuple[Text, ...]
    open: tuple[Text, ...]


def preview_seal(archive: Archive, session: Session, seal: Action) -> SealPreview:
    """Preview what an action that seals would write.

    A deck whose record has moved on since the table read it comes first in `open`. Raises RuleError, and ArchiveError
    if the archive would refuse the seal.
    """
    last = session.preview(seal)[-1]
    sealing = Sealing.of(session.game, last.position.head, session.log.lines)
    moved = session.look_at_decks()
    due = due_records(archive, session.game, sealing)
    return SealPreview(
        tuple(_deck(archive, session.game, deck, marks) for deck, marks in due.marks.items()),
        tuple(_purse(archive, session.game, payments) for payments in _by_person(sealing.payments)),
        (*(tell.text for tell in last.tells), *([sealing.lacks] if sealing.lacks else []), *due.left_out),
        (*(each.text for each in moved), *left_open(session.view())),
    )


def _deck(archive: Archive, game: Game, text: DeckId, new: Sequence[Mark]) -> DeckPreview:
    row = archive.find_deck(text)
    marks, new = archive.marks(row.deck), new_marks(archive.entries(deck_stream(row.deck)), new)
    return DeckPreview(row.deck, row.name, game.decks.story((*marks, *new))[len(marks) :])


def _by_person(payments: Iterable[Payment | Keepsake]) -> Iterable[Sequence[Payment | Keepsake]]:
    """Group payments by person, in the order of the table."""
    people: dict[tuple[str, str], list[Payment | Keepsake]] = {}
    for payment in payments:
        people.setdefault((payment.name, payment.person), []).append(payment)
    return people.values()


def _purse(archive: Archive, game: Game, payments: Sequence[Payment | Keepsake]) -> PursePreview:
    one = payments[0]
    before = archive.purse(one.name, one.person)
    change = sum(payment.amount for payment in payments if isinstance(payment, Payment))
    return PursePreview(
        one.name, one.person, before, before + change, tuple(_describe_change(game, each) for each in payments)
    )


def _describe_change(game: Game, payment: Payment | Keepsake) -> Message:
    """Return a change as a row: the amount, and the reason."""
    if isinstance(payment, Payment):
        # Translators: {change} is an amount such as “+3”.
        return phrase("{change}: {reason}", change=signed(payment.amount), reason=game.reason(payment.reason))
    # Translators: {things} are what a person keeps beside their purse.
    if payment.change > 0:
        return phrases("{n} {things} more is kept", "{n} {things} more is kept", n=payment.change, things=payment.what)
    return phrases("{n} {things} fewer is kept", "{n} {things} fewer is kept", n=-payment.change, things=payment.what)
