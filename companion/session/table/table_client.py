"""The client of one screen at a table: the screen shows its view and forwards the user's input.

Methods that write may be called from any thread. They wait for the disk and for other writers, so a screen with an
event loop calls them outside it. Methods that read never wait. `selection` belongs to the thread that draws the screen.
User errors are reported as a Reply, never raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from companion.archive import ArchiveError, Conflict
from companion.archive.errors import Unsure
from companion.archive.storage.waiting import waits
from companion.session import reading
from companion.session.core import changes
from companion.session.core.decks_in_play import MovedDeck
from companion.session.core.moments import (
    Moment,
    Position,
    amends,
    describe_moment,
    join_lines,
    join_sentences,
    join_texts,
    with_full_stop,
)
from companion.session.core.session import Session
from companion.session.reading.selection import Selection
from companion.session.reading.table_questions import due_prompts
from companion.session.table import coaching, confirmations, going_on
from companion.session.table.coaching import Coaching
from companion.session.table.concurrent_lines import are_independent
from companion.session.table.confirmations import (
    ActionDone,
    Closed,
    Confirmation,
    ConfirmationNeeded,
    Rejected,
    Reloaded,
    Reply,
)
from companion.session.table.shared_session import Listener, News, SharedSession
from companion.session.table.table_reader import Intention, TableReader
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.notation import ENDS, conceal
from companion.tabletop.table import face_down
from companion.tabletop.table.common_actions import Begin, CloseTable, Coach, Redo, TurnUp, Undo
from companion.tabletop.table.table import TableView
from templates.languages.messages import Message, Text, joined, phrase

_GONE_ON = phrase(
    "Another window has played on at this table, so nothing was done here. This window "
    "now shows the newest state; enter your line again if it is still right."
)


_OCCUPIED = phrase(
    "Another line is being kept at this table and waits for the archive; repeat this one once that is done."
)

PATIENCE: Final = 10.0
"""Seconds that a line waits for other writers at this table, and for a server."""
_LOOK_EVERY: Final = 0.1


class _IntentionReading(NamedTuple):
    """An intention as read on one table.

    An `unsaid` one was suggested, and a `shortened` one was chosen by fewer words than its line has.
    """

    actions: Intention
    unsaid: bool = False
    shortened: bool = False


_Read = Callable[[Session], _IntentionReading]
"""A function that reads typed or chosen input on a table. Raises NotationError or RuleError."""


class _Unconfirmed(NamedTuple):
    """The intention that awaits confirmation, with its question."""

    reading: _IntentionReading
    question: Confirmation


class _Seen(NamedTuple):
    """A table as a screen last saw it: the length and position of the log, and the decks that had moved on."""

    length: int
    position: Position
    moved: tuple[MovedDeck, ...]


class _Doubt(msgspec.Struct, frozen=True):
    """Input of which it is uncertain whether it was stored: the length of the log before it, and its first line."""

    entered: str | Intention
    length: int
    line: str


class TableClient(TableReader):
    """One screen at a live session: its selection, its pending confirmation, and how far it has seen the log."""

    def __init__(self, live: SharedSession, by: str = "", viewer: str = "") -> None:
        """Open a client at a live session.

        `by` names the person who acts here if it is not the user of this program. `viewer` is the seat that the screen
        is for, or "" for one that everybody sees.
        """
        super().__init__(live, viewer)
        self._by = by
        self._seen = self._look()
        self._unconfirmed: _Unconfirmed | None = None
        self._earlier: list[Text] = []
        """Sentences on what others did before the current input."""
        self._brought: list[News] = []
        """Lines of other programs loaded meanwhile, which the other screens here do not know yet."""
        self._doubt: _Doubt | None = None
        self.warns = True
        """True if the user wants a confirmation before `next` costs a player the game."""
        self.selection = Selection(lambda: self.view)

    def another(self, by: str = "", viewer: str = "") -> TableClient:
        """Return another client of the same table with the same preferences; `by` and `viewer` as for the first."""
        client = TableClient(self._live, by, viewer)
        client.warns, client.teaches = self.warns, self.teaches
        return client

    # Input

    def enter(self, text: str, *, goes_on: bool = False) -> Reply:
        """Do what typed words mean on the table that this screen shows; `goes_on` also goes on, as one intention."""
        return self._write(lambda session: self._read_text(text, session, goes_on), text)

    def _read_text(self, text: str, session: Session, goes_on: bool) -> _IntentionReading:
        if going_on.is_word(text):
            going_on.check_unmistakable(text, session)
            return self._read_course(session)
        try:
            actions = reading.line_reading.read_line(text, session)
        except NotationError as error:
            coaching.check_asked(text, session)
            raise error
        shortened = not reading.line_reading.says_whole(text, actions[-1])
        if goes_on and self._is_of_game(actions):
            actions = going_on.course(session, actions).actions
        return _IntentionReading(actions, shortened=shortened)

    def submit(self, *actions: Action, shortened: bool = False) -> Reply:
        """Do all of these actions as one intention, or none of them.

        `shortened` means that they were chosen by fewer words than their line has; an intention
        that puts a player out must then be confirmed.
        """
        return self._write(lambda _: _IntentionReading(actions, shortened=shortened), actions)

    def go_on(self) -> Reply:
        """Do the suggested actions up to the next decision, as one intention."""
        return self._write(self._read_course)

    def _read_course(self, session: Session) -> _IntentionReading:
        actions = (self.course if session is self.session else going_on.course(session)).actions
        if not actions:
            question = next((prompt.text for prompt in due_prompts(session.view())), phrase("nothing is asked now"))
            # Translators: {question} is what must be answered first, or “nothing is asked now.”
            raise RuleError(phrase("Nothing goes on by itself here: {question}", question=with_full_stop(question)))
        return _IntentionReading(actions, unsaid=True)

    def undo(self) -> Reply:
        """Undo the last action."""
        return self.submit(Undo())

    def redo(self) -> Reply:
        """Redo the last intention that was taken back."""
        return self.submit(Redo())

    def confirm(self) -> Reply:
        """Do the intention that awaits confirmation."""
        pending = self._unconfirmed
        if pending is None:
            return Rejected(phrase("There is nothing to confirm."))
        return self._write(lambda _: pending.reading)

    @property
    def asks_confirmation(self) -> bool:
        """Return True if an intention awaits confirmation."""
        return self._unconfirmed is not None

    def let_be(self) -> None:
        """Drop the pending confirmation; the same intention must then be confirmed again."""
        self._unconfirmed = None

    def _do_reading(self, intention: _IntentionReading, text: str) -> Reply:
        """Do an intention; `text` is what was typed for it, or "" if it was chosen."""
        actions = intention.actions
        try:
            reply = self._submit(intention)
        except RuleError as error:
            if text and len(actions) == 1 and (way_out := reading.afterthoughts.late_entry(actions[0], self.session)):
                raise RuleError(joined(" ", (error.message, way_out))) from error
            raise
        if text and isinstance(reply, ActionDone) and any(conceal(action) is not action for action in actions):
            return msgspec.structs.replace(reply, recall=", ".join(self.notation.format(conceal(a)) for a in actions))
        return reply

    def _submit(self, intention: _IntentionReading) -> Reply:
        actions = intention.actions
        if actions == (CloseTable(),):
            return Closed(phrase("The table stays as it is."))
        if any(isinstance(action, Begin) or action.verb() == ENDS for action in actions) and self.look_at_decks():
            return self._ask_about_decks()
        actions = reading.line_reading.with_lead_in(actions, self.session)
        reading.figure_reading.refuse_no_change(self.session, actions)
        pending, self._unconfirmed = self._unconfirmed, None
        # Repeating an intention confirms it, in the words that led to the question.
        if pending is not None and pending.reading.actions == actions:
            intention = pending.reading
        question = confirmations.required_confirmation(
            self.session, actions, self.warns, unsaid=intention.unsaid, shortened=intention.shortened
        )
        is_confirmed = pending is not None and (pending.reading.actions, pending.question) == (actions, question)
        if question is not None and not is_confirmed:
            self._unconfirmed = _Unconfirmed(intention._replace(actions=actions), question)
            return ConfirmationNeeded(question)
        return self._do(actions)

    def look_at_decks(self) -> bool:
        """Return True if a deck's record has moved on since this table read it; the view then prompts for a decision.

        Raises ArchiveError.
        """
        return bool(self.session.look_at_decks())

    def _ask_about_decks(self) -> Reloaded:
        """Return the reply if the records of decks here have moved on: the table now prompts for a decision."""
        self._unconfirmed = None
        moved = self.session.moved_decks
        unanswered = phrase("Nothing was done: decide first how the table goes on.")
        return Reloaded(joined(" ", (*(each.text for each in moved), unanswered)))

    def _do(self, actions: Intention) -> ActionDone:
        question = self._ask_coach(actions)
        # The reply is public.
        session, public = self.session, self.session.seen_by("") if self._viewer else self.session
        before = public.view()
        undone, redone = session.undoable(), session.redoable()
        try:
            tells = session.do(*actions, by=self._by)
        except Unsure:
            line = session.preview(*actions)[0].line.text
            self._doubt = _Doubt(actions, len(session.log.lines), line)
            raise
        if actions == (Undo(),):
            sentences = [phrase("Taken back: {lines}.", lines=join_lines(undone[::-1], session.game))]
            sentences += _amendment_changes(undone, before, public)
            if by_hand := [t.text for m in undone if not amends(m) for t in m.tells if t.by_hand]:
                # Translators: {sentences} tell what players did with the real cards.
                sentences.append(phrase("With the cards, undo: {sentences}", sentences=joined(" ", by_hand)))
            return ActionDone(tells, joined(" ", sentences))
        if actions == (Redo(),):
            again = phrase("Done again: {lines}.", lines=join_lines(redone, session.game))
            return ActionDone(tells, joined(" ", (again, *_amendment_changes(redone, before, public))))
        done = session.undoable()[::-1]
        if len(done) != len(actions) or any(map(amends, done)):
            return ActionDone(tells, join_sentences(tells))
        happened = [tell.text for moment in done for tell in describe_moment(moment, session.game)]
        texts = (*(happened or [join_lines(done, session.game)]), *session.remarks)
        return ActionDone(tells, join_texts(texts), coaching=question)

    def _ask_coach(self, actions: Intention) -> Coaching | None:
        """Return the question to the coach with its earlier arguments, or None if the coach is not asked.

        Raises RuleError before anything is stored if the coach has no answer.
        """
        if len(actions) != 1 or not isinstance(actions[0], Coach):
            return None
        questions, key = self._live.coach_questions, (self._by, self._viewer, actions[0].seat)
        coaching_now = Coaching.of(self.session, actions[0], questions.get(key), self._live.coach_advice)
        questions[key] = coaching_now.question
        return coaching_now

    def _write(self, read: _Read, entered: str | Intention = ()) -> Reply:
        """Do one intention at a time; once it is stored, notify the other screens."""
        with waits.at_most(PATIENCE), waits.waiting():
            while not self._live.lock.acquire(timeout=_LOOK_EVERY, is_guest=bool(self._by)):
                if waits.seconds_left < 0:
                    return Rejected(_OCCUPIED)
            try:
                before, doubt = self._live.length, self._doubt
                text = entered if isinstance(entered, str) else ""
                self._earlier.clear()
                self._brought.clear()
                reply = self._kept_before(entered) or self._attempt(read, text)
                if isinstance(reply, ActionDone):
                    reply = self._turn_up(reply)
                reply = msgspec.structs.replace(reply, earlier=join_texts(self._earlier) if self._earlier else "")
                if isinstance(reply, ActionDone):
                    self._doubt = None
                elif self._doubt is not None and self._doubt is not doubt:
                    self._doubt = msgspec.structs.replace(self._doubt, entered=entered)
                self._seen = self._look()
                after = self._live.length
            finally:
                self._live.lock.release()
        for news in self._brought:
            self._live.tell(news, by=self)
        if isinstance(reply, ActionDone) and after != before:
            self._live.tell(News(after, reply.sentence), by=self)
        return reply

    def _turn_up(self, reply: ActionDone) -> ActionDone:
        """Turn up the secret choices if everybody has chosen now, and some of them on phones.

        A failure leaves them face down: the table asks for it.
        """
        session = self.session
        if not session.log.state.face_down or session.log.lines[-1].text in (Undo.verb(), Redo.verb()):
            return reply
        if not face_down.is_complete(session.view().prompts):
            return reply
        try:
            tells = self._live.session.do(TurnUp()) if session.secret_choices() else ()
        except (RuleError, ArchiveError):
            return reply
        sentence = join_texts((reply.sentence, *(tell.text for tell in tells)))
        return msgspec.structs.replace(reply, tells=(*reply.tells, *tells), sentence=sentence)

    def _kept_before(self, entered: str | Intention) -> ActionDone | None:
        """Return the reply if the same input was uncertain before, and has turned out to be stored; else None."""
        doubt, lines = self._doubt, self.session.log.lines
        if doubt is None or len(lines) <= doubt.length:
            return None
        self._doubt = None
        if entered != doubt.entered or lines[doubt.length].text != doubt.line:
            return None
        recall = self.notation.conceal(entered) if isinstance(entered, str) else ""
        line = self.session.lines()[doubt.length]
        kept = phrase("That was kept already, as line {number}: {line}.", number=str(doubt.length + 1), line=line)
        return ActionDone((), kept, recall)

    def _attempt(self, read: _Read, text: str) -> Reply:
        """Do an intention. It is stored before it is shown, so a failure changes nothing.

        If others have written in between and the input still means the same, it is done on the current table, and
        repeated as long as another writer comes first.
        """
        while True:
            try:
                is_still_meant, before = self._is_still_meant(read), self._seen.length
                if self.follow() and self._live.length > before:
                    self._earlier.append(self._live.elsewhere(before))
                if not is_still_meant:
                    has_moved = self._live.length == before and self.session.moved_decks
                    return self._ask_about_decks() if has_moved else Reloaded(_GONE_ON)
                return self._do_reading(read(self.session), text)
            except Conflict:
                before = self._live.length
                reply = self._reload_log()
                if not isinstance(reply, Reloaded) or self._live.length == before or waits.seconds_left < 0:
                    return reply
            except (NotationError, RuleError, ArchiveError) as error:
                return Rejected(error.message, getattr(error, "look", None))
            # Whatever the error is, the evening goes on with the table as it was.
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"
                return Rejected(phrase("That failed and nothing was changed ({fault}).", fault=fault))

    def _is_still_meant(self, read: _Read) -> bool:
        """Return True if the input still means what it meant on the table that this screen saw.

        The table is unchanged, or the input means the same on both tables and is independent of the lines between them.
        """
        seen, now = self._seen, self._look()
        if (seen.length, seen.moved) == (now.length, now.moved):
            return True
        earlier = self.session.at(seen.position, seen.length)
        meant = _read_or_none(read, earlier)
        if seen.moved != now.moved or meant != _read_or_none(read, self.session):
            return False
        if meant is None:
            return True  # it is refused with the reason
        try:
            written = [self.notation.parse(line.text) for line in self.session.log.lines[seen.length :]]
        except NotationError:
            return False
        return are_independent(meant.actions, written, earlier.view(), self.view)

    def _reload_log(self) -> Reply:
        """Load what another process has written, here or into the record of a deck, and return the reply."""
        before = self._live.length
        try:
            self._live.reload()
            if self._live.length != before:
                self._brought.append(self._live.news_from_elsewhere(before))
            if self.look_at_decks() and self._live.length == before:
                return self._ask_about_decks()
        except (NotationError, RuleError, ArchiveError) as error:
            text = phrase(
                "Another window has played on, and what it wrote cannot be read: {reason}", reason=error.message
            )
            return Rejected(text, getattr(error, "look", None))
        return Reloaded(_GONE_ON)

    # Other screens

    def watch(self, listener: Listener) -> None:
        """Call `listener` when another screen has changed the table.

        It runs in the thread of that screen: it must hand over to its own thread, call `follow`, and draw.
        """
        self._live.subscribe(self, listener)

    def leave(self) -> None:
        """Stop listening to the table."""
        self._live.unsubscribe(self)

    def follow(self) -> bool:
        """Update the position that this screen has seen. Return True if others have changed the table since."""
        with self._live.lock:
            seen, now = self._seen, self._look()
            if (seen.length, seen.moved) == (now.length, now.moved):
                return False
            # The pending confirmation may be about another table.
            pending = self._unconfirmed
            if pending is not None and not self._is_still_meant(lambda _: pending.reading):
                self._unconfirmed = None
            self._seen = now
            return True

    def _look(self) -> _Seen:
        # Read the length first: one line too many between two looks is checked, one too few would go unnoticed.
        length = self._live.length
        return _Seen(length, self.session.log.position, self.session.moved_decks)


def _read_or_none(read: _Read, session: Session) -> _IntentionReading | None:
    try:
        return read(session)
    except (NotationError, RuleError):
        return None


def _amendment_changes(moments: tuple[Moment, ...], before: TableView, session: Session) -> tuple[Message, ...]:
    """Return a sentence on the figures that changed if an amendment was undone or redone, else nothing."""
    if not any(map(amends, moments)):
        return ()
    text = changes.describe(changes.differences(before, session.view()))
    return (text,) if text else ()
