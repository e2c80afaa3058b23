"""Rematches: another table with the players, decks and house rules of a finished game.

Decks come as they are today, so they may be changed between two games. A match of several games continues with its next
one; the loser chooses who begins if the game has that custom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError
from companion.archive.storage.lists import deck_stream, fold, marks_of
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.core.shelf import Belongings
from companion.session.reading.table_questions import is_over
from companion.session.table.shared_session import SharedSessions
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.notation import write
from companion.tabletop.records import Record
from companion.tabletop.table.common_actions import Rule, Seat
from companion.tabletop.table.match_result import MatchResult
from templates.languages.messages import Text, phrase

AGAIN: Final = phrase("Again")
"""The label of the key if no match continues."""


_NEWEST: Final = 10
"""Number of newest tables among which an identical, unused one is looked for."""


class Rematch(msgspec.Struct, frozen=True):
    """A table that was opened: its session, and sentences on what differs from the table before."""

    session: str
    notes: tuple[Text, ...] = ()


def describe_next(session: Session) -> Text:
    """Return the label for what follows a game: `Game 2` of its match, or `Again`; "" while neither is possible."""
    result = session.sealing().result
    if result is None or why_not(session):
        return ""
    score = result.score
    # Translators: The next game of a match.
    return AGAIN if result.is_match_over else phrase("Game {number}", number=str(score.game + 1))


def open_rematch(archive: Archive, session: str, by: str = "") -> Rematch:
    """Open the same table again, or the next game of its match; `by` as for a new session.

    Raises RuleError if the game is not over or is not sealed yet, Unknown if there is no such session, and
    NotationError if its game is not installed.
    """
    before = archive_journal.resume(archive, session, by)
    result = before.sealing().result
    why = why_not(before)
    if result is None or why:
        raise RuleError(why)
    opening = _RematchSetup(archive, before, result, by)
    opening.set_up()
    there = _opened_before(archive, opening.session)
    title = archive.find_session(session).title
    # The waiting table is not another table.
    remarks = (remark for remark in opening.remarks if not there or there not in remark)
    return Rematch(there or archive_journal.keep(archive, opening.session, title), (*opening.notes, *remarks))


def _opened_before(archive: Archive, session: Session) -> str:
    """Return a table that was set up identically and not used yet; "" if there is none."""
    lines = session.lines()
    rows = archive.page_of_sessions(count=_NEWEST).rows
    alike = (row.session for row in rows if (row.game, row.lines) == (session.game.name, len(lines)))
    return next((each for each in alike if tuple(line.line for line in archive.lines(each)) == lines), "")


def why_not(session: Session) -> Text:
    """Return the reason why a table cannot be played again yet; "" if it can."""
    if session.sealing().result is None:
        return phrase("This game is not over yet; once it is, the same table can be opened again.")
    if is_over(session.view()) and not session.sealing().is_sealed:
        return phrase("This game is over and not in its decks' records yet; `seal` writes it there, then play again.")
    return ""


class FollowingTable(NamedTuple):
    """A newer open table of the same people: its session, its game's title, and its seats with their players' names.

    `is_same_game` is False if another game is played there.
    """

    session: str
    title: Text
    seats: tuple[tuple[str, str], ...]
    is_same_game: bool = True

    def seat_of(self, name: str) -> str:
        """Return the seat of a player there by name, or "" if nobody has that name."""
        return next((seat for seat, other in self.seats if fold(other) == fold(name)), "")


def find_following(archive: Archive, sessions: SharedSessions, session: Session) -> FollowingTable | None:
    """Return the newest open table that was begun after a finished one, with nobody who did not sit there, or None.

    A table of the same game comes before one of another game. Raises ArchiveError, NotationError or RuleError.
    """
    people = {fold(seat.name) for seat in session.view().seats}
    begun = archive.find_session(session.id).started
    rows = archive.page_of_sessions(count=_NEWEST).rows
    for row in sorted(rows, key=lambda row: row.game != session.game.name):
        if row.is_closed or row.started <= begun or row.session == session.id or isinstance(row.standing, str):
            continue
        names = {fold(name) for name in row.standing.seats}
        if names and names <= people:
            view = sessions.open(row.session).session.view()
            seats = tuple((seat.seat, seat.name) for seat in view.seats)
            return FollowingTable(row.session, view.title, seats, row.game == session.game.name)
    return None


class _RematchSetup:
    """A table that is being set up like an earlier one."""

    def __init__(self, archive: Archive, before: Session, result: MatchResult, by: str) -> None:
        self.session = Session.new(before.game, None, archive_journal.ArchiveShelf(archive), by)
        self.notes: list[Text] = []
        self.remarks: list[Text] = []
        """Sentences on other tables at which its decks sit."""
        self._archive = archive
        self._before = before
        self._result = result
        self._shelf = archive_journal.ArchiveShelf(archive)
        self._lines = [moment.action for moment in before.moments()]
        self._seats = {action.seat: action for action in self._lines if isinstance(action, Seat)}
        self._brought = dict(self._stored_decks())

    def _stored_decks(self) -> Iterator[tuple[str, str]]:
        """Yield the stored decks with the seats that brought them, including loose ones adopted after the game."""
        for seat, action in self._seats.items():
            player = self._result.player(seat)
            if deck := action.deck or (player.deck if player else ""):
                yield seat, deck

    def set_up(self) -> None:
        """Set up the table: house rules and seats as they were, decks and purses as they are now, and the lines for a
        rematch.
        """
        decks, seats = self._decks(), set[str]()
        for action in self._lines:
            if isinstance(action, Rule):
                self._do(action)
            elif isinstance(action, Seat):
                # A seat whose deck was changed occurs twice.
                if action.seat not in seats:
                    self._seat(self._seats[action.seat], decks.get(action.seat, ""))
                seats.add(action.seat)
            elif action.describes_deck and self._is_loose_as_before(getattr(action, "seat", ""), decks):
                self._do(action)
        for action in self._before.game.results.rematch_lines(self._result):
            self._do(action)

    def _do(self, action: Action) -> None:
        try:
            self.session.do(action)
        except RuleError as error:
            # Translators: {line} is a line of notation.
            self.notes.append(phrase("Left out: {line} ({reason})", line=write(action), reason=error.message))

    def _seat(self, action: Seat, deck: str) -> None:
        """Seat a player again, with a stored deck as it is today, or else with a loose one."""
        if deck:
            line = write(Seat(action.seat, action.name, deck, action.person))
            try:
                self.session.do(self.session.notation.parse(line))
            except (RuleError, ArchiveError) as error:
                note = phrase(
                    "{player} sits here with a loose deck: {reason}", player=action.title, reason=error.message
                )
                self.notes.append(note)
            else:
                self._note_version(action.seat, deck)
                self.remarks += self.session.remarks
                return
        purse = self._kept_purse(action)
        person = (purse.person if purse else "") or action.person
        if action.verb() == Seat.verb() and action.seat not in self._brought:
            self.session.do(msgspec.structs.replace(action, person=person))
        else:
            self.session.enter(write(Seat(action.seat, action.name, "", person)))
        game = self.session.game
        if purse and not game.purses.without_decks:  # otherwise the seat brings it
            for brought in game.purses.setup_lines(action.seat, purse.amount, purse.kept_of(game)):
                self._do(brought)

    def _kept_purse(self, action: Seat) -> Belongings | None:
        """Return the purse of a player with a loose deck; None if the earlier game kept none."""
        if not self._before.game.purses.is_kept(self._before.state, action.seat):
            return None
        player = self._result.player(action.seat)
        try:
            return self._shelf.purse(action.title, (player.person if player else "") or action.person)
        except RuleError as error:
            note = phrase("{player} sits here with an empty purse: {reason}", player=action.title, reason=error.message)
            self.notes.append(note)
            return None

    def _is_loose_as_before(self, seat: str, decks: Mapping[str, str]) -> bool:
        """Return True for a seat that brought a loose deck, and brings the same one again."""
        return seat in self._seats and seat not in self._brought and seat not in decks

    def _note_version(self, seat: str, deck: str) -> None:
        row, before = self._archive.find_deck(deck), self._result.player(seat)
        version = row.figure("version")
        if before and before.deck == row.deck and before.version not in (0, version):
            self.notes.append(phrase("{deck} is version {version} now.", deck=row.name, version=str(version)))

    def _decks(self) -> Mapping[str, str]:
        """Return the stored decks by seat; a deck that changed hands in that game is at the seat of its new holder."""
        decks = self._brought
        holders: dict[str, str] = {}
        for seat, deck in decks.items():
            now = self._holder(deck)
            if now and now != seat:
                holders[now] = deck
        if not holders:
            return decks
        left = {seat: deck for seat, deck in decks.items() if deck not in holders.values()}
        moved = {**left, **holders}
        for seat, deck in holders.items():
            holder, name = self._seats[seat].title, self._archive.record(deck).name
            self.notes.append(phrase("{player} holds {deck} now.", player=holder, deck=name))
        for seat in decks.keys() - moved.keys():
            self.notes.append(phrase("{player} sits here with a loose deck.", player=self._seats[seat].title))
        return moved

    def _holder(self, deck: str) -> str:
        """Return the seat of the player who got a deck in that game; "" if there is none at this table."""
        try:
            entries = self._archive.entries(deck_stream(self._archive.find_deck(deck).deck))
        except ArchiveError as error:
            self.notes.append(error.message)
            return ""
        # The record of a loose deck that was adopted after that game begins in its session.
        of_game = (at for at, entry in enumerate(entries) if entry.session == self._before.id and at > 1)
        sealed = next(of_game, len(entries))
        then, now = (self._before.game.record(marks_of(some)) for some in (entries[:sealed], entries))
        if (then.holder, then.person) == (now.holder, now.person):
            return ""
        return next((seat for seat, action in self._seats.items() if _is(action, now)), "")


def _is(action: Seat, record: Record) -> bool:
    """Return True if the player of a seat holds a deck."""
    if action.person and record.person:
        return action.person == record.person
    return fold(action.title) == fold(record.holder)
