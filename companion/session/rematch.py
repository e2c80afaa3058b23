"""The same table again: the people, decks and house rules of a game that is over, at a table of their own.

Decks come as they are today, so people may change them between two games. A match of several games goes on with its
next one; who lost chooses who begins, where the game has that custom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from companion.archive import Archive, ArchiveError
from companion.archive.lists import deck_stream, fold, marks_of
from companion.session import archive_journal
from companion.session.session import Belongings, Session
from companion.session.table_questions import is_over
from companion.tabletop.action import Action, RuleError
from companion.tabletop.common_actions import Rule, Seat
from companion.tabletop.match_result import MatchResult
from companion.tabletop.notation import write
from companion.tabletop.records import Record

AGAIN: Final = "Again"
"""What a key does where no match goes on."""


_NEWEST: Final = 10
"""Tables among which one is looked for that waits already."""


class Rematch(msgspec.Struct, frozen=True):
    """A table that was opened: its session, and what is otherwise than at the table before, in sentences."""

    session: str
    notes: tuple[str, ...] = ()


def describe_next(session: Session) -> str:
    """What follows a game, for a key: `Game 2` of its match, or `Again` for the same table; "" as long as none may."""
    result = session.sealing().result
    if result is None or why_not(session):
        return ""
    score = result.score
    return AGAIN if result.is_match_over else f"Game {score.game + 1}"


def open_rematch(archive: Archive, session: str, by: str = "") -> Rematch:
    """Open the same table again, or the next game of its match; `by` as for a new session.

    Raises RuleError where the game is not over or waits to be sealed, Unknown where there is no such session,
    NotationError where its game is not here.
    """
    before = archive_journal.resume(archive, session, by)
    result = before.sealing().result
    why = why_not(before)
    if result is None or why:
        raise RuleError(why)
    opening = _Opening(archive, before, result, by)
    opening.set_up()
    there = _opened_before(archive, opening.session)
    title = archive.find_session(session).title
    # A table that waits already is none besides.
    remarks = (remark for remark in opening.remarks if not there or there not in remark)
    return Rematch(there or archive_journal.keep(archive, opening.session, title), (*opening.notes, *remarks))


def _opened_before(archive: Archive, session: Session) -> str:
    """A table that was set up exactly so, and where nobody has done anything yet; "" for none."""
    lines = session.lines()
    rows = archive.page_of_sessions(count=_NEWEST).rows
    alike = (row.session for row in rows if (row.game, row.lines) == (session.game.name, len(lines)))
    return next((each for each in alike if tuple(line.line for line in archive.lines(each)) == lines), "")


def why_not(session: Session) -> str:
    """Why a table cannot be played again yet; "" where it can."""
    if session.sealing().result is None:
        return "This game is not over yet; once it is, the same table can be opened again."
    if is_over(session.view()) and not session.sealing().writes:
        return "This game is over and not in its decks' records yet; `seal` writes it there, then play again."
    return ""


class _Opening:
    """A table that is set up as another one was."""

    def __init__(self, archive: Archive, before: Session, result: MatchResult, by: str) -> None:
        self.session = Session.new(before.game, None, archive_journal.ArchiveShelf(archive), by)
        self.notes: list[str] = []
        self.remarks: list[str] = []
        """Sentences on other tables at which its decks sit."""
        self._archive = archive
        self._before = before
        self._result = result
        self._shelf = archive_journal.ArchiveShelf(archive)
        self._lines = [moment.action for moment in before.moments()]
        self._seats = {action.seat: action for action in self._lines if isinstance(action, Seat)}
        self._brought = dict(self._stored_decks())

    def _stored_decks(self) -> Iterator[tuple[str, str]]:
        """The stored decks by the seats that brought them, loose ones that were adopted after the game among them."""
        for seat, action in self._seats.items():
            player = self._result.player(seat)
            if deck := action.deck or (player.deck if player else ""):
                yield seat, deck

    def set_up(self) -> None:
        """House rules and seats as they were, with decks and purses as they are now, then what the game says of the
        next one.
        """
        decks, seats = self._decks(), set[str]()
        for action in self._lines:
            if isinstance(action, Rule):
                self._do(action)
            elif isinstance(action, Seat):
                # A seat whose deck was changed stands there twice.
                if action.seat not in seats:
                    self._seat(self._seats[action.seat], decks.get(action.seat, ""))
                seats.add(action.seat)
            elif action.describes_deck and self._is_loose_as_before(getattr(action, "seat", ""), decks):
                self._do(action)
        for action in self._before.game.rematch_lines(self._result):
            self._do(action)

    def _do(self, action: Action) -> None:
        try:
            self.session.do(action)
        except RuleError as error:
            self.notes.append(f"Left out: {write(action)} ({error})")

    def _seat(self, action: Seat, deck: str) -> None:
        """Somebody sits down again with a stored deck as it is today, or else with a loose one."""
        if deck:
            line = write(Seat(action.seat, action.name, deck, action.person))
            try:
                self.session.do(self.session.notation.parse(line))
            except (RuleError, ArchiveError) as error:
                self.notes.append(f"{action.title} sits here with a loose deck: {error}")
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
        if purse and not game.keeps_purses:  # else seating somebody brings it
            for brought in game.purse_lines(action.seat, purse.amount, purse.kept_of(game)):
                self._do(brought)

    def _kept_purse(self, action: Seat) -> Belongings | None:
        """Return the purse of whoever has a loose deck; None where the game before kept none of theirs."""
        if not self._before.game.keeps_purse_of(self._before.state, action.seat):
            return None
        player = self._result.player(action.seat)
        try:
            return self._shelf.purse(action.title, (player.person if player else "") or action.person)
        except RuleError as error:
            self.notes.append(f"{action.title} sits here with an empty purse: {error}")
            return None

    def _is_loose_as_before(self, seat: str, decks: Mapping[str, str]) -> bool:
        """Return True for a seat that brought a loose deck, and brings the same one again."""
        return seat in self._seats and seat not in self._brought and seat not in decks

    def _note_version(self, seat: str, deck: str) -> None:
        row, before = self._archive.find_deck(deck), self._result.player(seat)
        version = row.figure("version")
        if before and before.deck == row.deck and before.version not in (0, version):
            self.notes.append(f"{row.name} is version {version} now.")

    def _decks(self) -> Mapping[str, str]:
        """The stored decks by the seats before which they lie now: one that went to somebody else at this table in that
        game lies before them.
        """
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
            self.notes.append(f"{self._seats[seat].title} holds {self._record(deck).name} now.")
        for seat in decks.keys() - moved.keys():
            self.notes.append(f"{self._seats[seat].title} sits here with a loose deck.")
        return moved

    def _record(self, deck: str) -> Record:
        return self._archive.record(deck)

    def _holder(self, deck: str) -> str:
        """The seat of whoever got a deck in that game; "" where nobody here did."""
        try:
            entries = self._archive.entries(deck_stream(self._archive.find_deck(deck).deck))
        except ArchiveError as error:
            self.notes.append(str(error))
            return ""
        # A loose deck that was adopted after that game begins in it.
        of_game = (at for at, entry in enumerate(entries) if entry.session == self._before.id and at > 1)
        sealed = next(of_game, len(entries))
        then, now = (self._before.game.record(marks_of(some)) for some in (entries[:sealed], entries))
        if (then.holder, then.person) == (now.holder, now.person):
            return ""
        return next((seat for seat, action in self._seats.items() if _is(action, now)), "")


def _is(action: Seat, record: Record) -> bool:
    """Whether somebody who sat there holds a deck."""
    if action.person and record.person:
        return action.person == record.person
    return fold(action.title) == fold(record.holder)
