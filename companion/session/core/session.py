"""A session: it plays lines of notation, stores them in its journal, and shows the table.

The journal comes first: the table shows only lines that are stored.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from itertools import chain, repeat
from typing import Any, NamedTuple, Protocol

import msgspec

from companion.session.core.action_expansion import ActionExpander, reads_shelf
from companion.session.core.decks_in_play import (
    MovedDeck,
    find_decks_in_play,
)
from companion.session.core.log import Log
from companion.session.core.moments import Line, LinePreview, Moment, Position, Stopped
from companion.session.core.sealing import Sealing

# Those who write a shelf find its whole interface here, too.
from companion.session.core.shelf import Belongings, RecordShelf, Shelf, UnclearPerson  # noqa: F401
from companion.tabletop.action import Action, NotationError, RuleError, Tell
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import refuse_absurd
from companion.tabletop.notation.notation import Notation, figures, grammar, names
from companion.tabletop.table.common_actions import (
    Amend,
    FaceDown,
    Redo,
    RefreshDeck,
    Rename,
    ResumeFrom,
    TurnUp,
    Undo,
)
from companion.tabletop.table.table import Counter, Prompt, TableView, draft
from companion.tabletop.text import as_line, as_name, refuse_unseen
from templates.languages.messages import Finished, Text, joined, phrase, phrases


class SecretChoice(NamedTuple):
    """A choice that lies face down: its line in table notation, its writer, and the length of the log before it."""

    line: str
    length: int
    by: str


class Journal(Protocol):
    """The store of a sitting's lines."""

    session: str
    """The id of the sitting in the store."""
    sealed: bool
    """True if the marks and payments of the game are already written."""

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> Sequence[Text] | None:
        """Write the lines, and what a sealed game leaves behind with them, durably: all of it or nothing.

        Returns a sentence for each mark that the records omit because it is stale. Raises Conflict if another process
        wrote in between, here or into the record of a deck; then nothing is written.
        """
        ...

    def later(self, number: int) -> Sequence[Line]:
        """Return the lines that others have stored after this line number."""
        ...

    def secret_choices(self) -> Mapping[str, SecretChoice]:
        """Return the choices that lie face down, by seat. Raises the journal's errors."""
        ...


def _now() -> str:
    # Interned, because the many lines of a file are played within a few seconds.
    return sys.intern(datetime.now(UTC).isoformat(timespec="seconds"))


class Session:
    """A sitting at a table. Every change is one call of `enter`, `do`, `undo` or `redo`, and is one intention."""

    def __init__(self, log: Log, journal: Journal | None = None, shelf: Shelf | None = None, by: str = "") -> None:
        self.log = log
        self._journal = journal
        if journal is not None:
            log.early_seed = journal.session
        self._shelf = shelf
        self._records = shelf if isinstance(shelf, RecordShelf) else None
        self._by = by
        self._viewer: str | None = None
        self._last_concealed: tuple[Any, Any] | None = None
        self._viewed: tuple[Any, TableView] | None = None
        self._sealing: tuple[Position, int, Sealing] | None = None
        self._newest: list[tuple[Any, TableView]] = []
        # Shared by all copies of the session, one for each viewer.
        self._moved: list[MovedDeck] = []
        self.remarks: tuple[Text, ...] = ()
        """Sentences on the last intention that do not come from the game: on records, and on other tables."""
        self._previewed: tuple[Position, tuple[Action, ...], list[LinePreview]] | None = None

    @classmethod
    def new(cls, game: Game, journal: Journal | None = None, shelf: Shelf | None = None, by: str = "") -> Session:
        """Open a new table and store its first line."""
        session = cls(Log(game), journal, shelf, by)
        if journal is not None:
            first = msgspec.structs.replace(session.log.lines[0], at=_now(), by=by)
            session.log.lines[0] = first
            journal.keep([first], Sealing(), session.view())
        return session

    @classmethod
    def resume(
        cls,
        lines: Iterable[Line],
        journal: Journal | None = None,
        shelf: Shelf | None = None,
        by: str = "",
        game: Game | None = None,
    ) -> Session:
        """Rebuild a table from stored lines, including its undo history; `stopping_point` reports a refused line.

        `game` holds the rules with which the table was opened, if its first line alone does not identify them. Raises
        NotationError if no known game has the first line, and RuleError if a line is missing.
        """
        first, *rest = lines
        log = Log(game) if game is not None else Log.open(first.text)
        log.lines[0] = first
        for line in rest:
            log.recall(line)
        return cls(log, journal, shelf, by)

    @property
    def id(self) -> str:
        """The id of this sitting in its journal; "" without a journal."""
        return self._journal.session if self._journal else ""

    @property
    def game(self) -> Game:
        """The rules in force."""
        return self.log.game

    @property
    def notation(self) -> Notation:
        """The notation of this table."""
        return self.log.notation

    def seen_by(self, viewer: str) -> Session:
        """Return this session as a viewer knows it: a seat, or "" for the public.

        Its state, its view and everything derived from them hide what lies face down before others. Both sessions share
        one log: an action in either is done in both.
        """
        seen = self._copy()
        seen._viewer = viewer
        return seen

    def at(self, position: Position, length: int) -> Session:
        """Return a read-only session as of when its log had `length` lines and stood at this position."""
        earlier = self._copy()
        earlier.log = self.log.at(position, length)
        return earlier

    def _copy(self) -> Session:
        copied = copy(self)
        copied._last_concealed = copied._viewed = copied._previewed = None
        return copied

    def conceal(self, state: Any) -> Any:
        """Return a state as this session's viewer knows it."""
        if self._viewer is None or not state.keeps_secrets:
            return state
        last = self._last_concealed
        if last is None or last[0] is not state:
            last = self._last_concealed = (state, self.game.seen_by(state, self._viewer))
        return last[1]

    @property
    def state(self) -> Any:
        """The current state of the game, as this session's viewer knows it."""
        return self.conceal(self.log.state)

    @property
    def stopping_point(self) -> Stopped | None:
        """The line at which the log stops because today's rules refuse it; None if they accept every line that counts.

        The table then stands before that line. To go on, `amend` that line or `resume-from` the one before it.
        """
        return self.log.stopping_point

    def view(self) -> TableView:
        """Return the current view of the table; built once for each state and then cached.

        If the log stops, its question replaces the prompts of the game: amend the line, or resume from before it.
        """
        view = self.table()
        stopped = self.stopping_point
        if stopped is not None:
            return msgspec.structs.replace(view, **self._ways_on(stopped))
        prompts = tuple(each.prompt for each in self.moved_decks)
        return msgspec.structs.replace(view, prompts=(*prompts, *view.prompts)) if prompts else view

    @property
    def moved_decks(self) -> tuple[MovedDeck, ...]:
        """The decks whose records had moved on at the last check, until a line here says what becomes of them."""
        if not self._moved:
            return ()
        decks = find_decks_in_play(self.game, self.log.position.head, self.log.lines)
        return tuple(
            each for each in self._moved if (deck := decks.get(each.seat)) is not None and deck.line == each.line
        )

    def look_at_decks(self) -> tuple[MovedDeck, ...]:
        """Check whether the record of a deck has moved on since this table read it, and return the decks concerned.

        Another table, a manual entry or an import may have changed the record. Raises the archive's errors.
        """
        if self._records is None or self._journal is None or self._journal.sealed or self.stopping_point is not None:
            return ()
        decks = find_decks_in_play(self.game, self.log.position.head, self.log.lines)
        moved = self._records.changes(decks) if decks else ()
        # This table's own seal moves its decks' records on. That is no news, even if it is noticed during the write.
        if moved and (self._journal.sealed or self.is_behind()):
            return ()
        self._moved[:] = moved
        return self.moved_decks

    def table(self) -> TableView:
        """Return the view by the rules of the game, even if the log stops before a line."""
        return self.view_of(self.log.state)

    def counters_of(self, target: str) -> tuple[Counter, ...] | None:
        """Return the counters of `table`, a seat or a thing, as `table` shows them; None if there is no such target."""
        return self.game.counters_of(self.state, target)

    def targets(self) -> tuple[str, ...]:
        """Return the names of everything that has counters now."""
        return self.table().targets()

    def _ways_on(self, stopped: Stopped) -> dict[str, Any]:
        """Return the prompts and hints of a view whose log stops."""
        line = stopped.line
        sentences = [
            phrase(
                "Line {line}, `{text}`, does not fit today's rules: {reason}",
                line=str(line.number),
                text=line.text,
                reason=Finished(stopped.why),
            )
        ]
        if stopped.behind:
            count = len(stopped.behind)
            sentences.append(phrases("{n} line after it waits.", "{n} lines after it wait.", n=count))
        if self._journal is not None and self._journal.sealed:
            sentences.append(phrase("This game is sealed, so it can only be viewed."))
            return {"prompts": (), "hints": (joined(" ", sentences),)}
        last = self.moments()[-1].number if self.moments() else 1
        # Translators: Two remarks beside answers: what they do with a line of the log.
        amend = draft(Amend, phrase("replaces it and plays the later lines again"), line=line.number)
        resume = draft(ResumeFrom, phrase("resumes before it"), line=last)
        return {"prompts": (Prompt(joined(" ", sentences), amend, others=(resume,)),), "hints": ()}

    def view_of(self, state: Any) -> TableView:
        """Return the view of a state of this game, as this session's viewer knows it."""
        viewed = self._viewed
        if viewed is None or viewed[0] is not state:
            # One screen may read while another one writes: each gets the view that it asked for.
            viewed = self._viewed = (state, self._asking_owner(self._draw(self.conceal(state))))
        return viewed[1]

    def _draw(self, concealed_state: Any) -> TableView:
        """Return the view of a state, built once for all viewers who know the same of it."""
        for state, view in tuple(self._newest):
            if state is concealed_state:
                return view
        view = self.game.view(concealed_state)
        self._newest[:] = [(concealed_state, view)]
        return view

    def _asking_owner(self, view: TableView) -> TableView:
        """Return the view for a seat, with a further answer beside each answer that can carry secrets of that seat."""
        if not self._viewer or not any(grammar(action).secrets for action in self.game.actions):
            return view
        return msgspec.structs.replace(view, prompts=tuple(map(self._with_secrets, view.prompts)))

    def _with_secrets(self, prompt: Prompt) -> Prompt:
        own = (answer for answer in prompt.answers if answer.given.get("seat") == self._viewer)
        further = [
            msgspec.structs.replace(answer, note=_secret_note(answer.note), asks=asks)
            for answer in own
            if (asks := tuple(field for field in grammar(answer.action).secrets if field not in answer.given))
        ]
        return msgspec.structs.replace(prompt, others=(*prompt.others, *further)) if further else prompt

    def enter(self, text: str) -> tuple[Tell, ...]:
        """Parse a line of notation and do it. Raises NotationError, RuleError or the journal's errors."""
        return self.do(self.notation.parse(text))

    def do(self, *actions: Action, by: str = "") -> tuple[Tell, ...]:
        """Do all of these actions as one intention, or none of them. Return the messages.

        `undo` and `redo` apply to the whole last intention. `by` names the person who acts if it is not the user of
        this program.
        """
        if actions == (Undo(),):
            return self.undo(by)
        if actions == (Redo(),):
            return self.redo(by)
        chosen = self._with_secret_choices(actions)
        proposals = self.preview(*(action for action, _ in chosen))
        # Whoever chose an answer in secret has written it.
        writers = [writer for _, writer in chosen] if len(proposals) == len(chosen) else []
        return self._take(proposals, by, writers)

    def secret_choices(self) -> dict[str, SecretChoice]:
        """Return the choices that lie face down now, by seat, in the order of the seats. Raises the journal's errors.

        Only `turn-up` and the player who chose may read them.
        """
        if not self.log.state.face_down or self._journal is None:
            return {}
        choices = self._journal.secret_choices()
        return {seat: choices[seat] for seat in self._seats() if self.lies_face_down(seat, choices.get(seat))}

    def lies_face_down(self, seat: str, choice: SecretChoice | None) -> bool:
        """Return True if a stored choice is the one that a seat has announced, and that still lies face down."""
        if choice is None or seat not in self.log.state.face_down:
            return False
        announcements = (each for each in reversed(self.moments()) if each.action == FaceDown(seat))
        number = next((moment.number for moment in announcements), 0)
        # A card on the real table may be announced after a choice was taken back.
        return number > choice.length and self.log.lines[number - 1].by == choice.by

    def _seats(self) -> tuple[str, ...]:
        return tuple(person.seat for person in self.game.display.people(self.log.state))

    def _with_secret_choices(self, actions: tuple[Action, ...]) -> list[tuple[Action, str]]:
        """Return actions with those that lie face down behind `turn-up`, as far as the rules accept them by now.

        Each has its writer, "" for who acts now. A preview of `turn-up` does not have them, so that nobody reads there
        what it would show.
        """
        if not any(isinstance(action, TurnUp) for action in actions):
            return [(action, "") for action in actions]
        position, number = self.log.position, len(self.log.lines)
        group, turned = self.log.lines[-1].group + 1, list[tuple[Action, str]]()
        for action in actions:
            behind = self.secret_choices().values() if isinstance(action, TurnUp) else ()
            number += 1
            position = self.log.preview(action, group, position, number).position
            turned.append((action, ""))
            for choice in behind:
                # The table may have changed since it was chosen: its player is asked again.
                with contextlib.suppress(NotationError, RuleError):
                    chosen = self.notation.parse(choice.line)
                    position = self.log.preview(chosen, group, position, number + 1).position
                    number += 1
                    turned.append((chosen, choice.by))
        return turned

    def preview(self, *actions: Action) -> list[LinePreview]:
        """Return what an intention would do, without doing it.

        The result is cached until the log moves on, so that previewing an intention and then doing it computes it once.
        Raises RuleError, or NotationError for a value that no line can hold.
        """
        if self._previewed and self._previewed[0] is self.log.position and self._previewed[1] == actions:
            return self._previewed[2]
        if self._journal is not None and self._journal.sealed and self.log.position.head.gap is not None:
            raise RuleError(
                phrase(
                    "This game was sealed under older rules; it can be viewed as far as it fits today's "
                    "rules, and a mistake is corrected in the decks' records."
                )
            )
        for action in actions:
            # Only new input is checked: an older log is played as it stands.
            as_line(self.notation.format(action))
            for name in names(action):
                refuse_unseen(name)
                as_name(name)
            refuse_absurd(figures(action))
        group = self.log.lines[-1].group + 1
        position, number = self.log.position, len(self.log.lines)
        proposals: list[LinePreview] = []
        for action, read in ActionExpander(self.log, self._shelf, self._moved).expand(actions):
            number += 1
            if type(action) is Amend and self.log.carries(action, position):
                action = Rename(action.line, action.action)
            proposal = self.log.preview(action, group, position, number)
            proposals.append(proposal._replace(line=msgspec.structs.replace(proposal.line, read=read)))
            position = proposal.position
        if not any(map(reads_shelf, actions)):  # the contents of a shelf may change meanwhile
            self._previewed = (self.log.position, actions, proposals)
        return proposals

    def undo(self, by: str = "") -> tuple[Tell, ...]:
        """Undo the last action."""
        return self._take(self.preview(*[Undo()] * max(1, len(self.undoable()))), by)

    def redo(self, by: str = "") -> tuple[Tell, ...]:
        """Redo the last intention that was taken back."""
        return self._take(self.preview(*[Redo()] * max(1, len(self.redoable()))), by)

    def undoable(self) -> tuple[Moment, ...]:
        """Return the moments that `undo` would take back, newest first."""
        taken: list[Moment] = []
        moment: Moment | None = self.log.position.head
        while moment is not None and moment.back is not None and moment.group == self.log.position.head.group:
            taken.append(moment)
            moment = moment.back
        return tuple(taken)

    def redoable(self) -> tuple[Moment, ...]:
        """Return the moments that `redo` would restore, in order."""
        undone = self.log.position.undone
        again: list[Moment] = []
        while undone is not None and undone.moment.group == (again or [undone.moment])[0].group:
            again.append(undone.moment)
            undone = undone.before
        return tuple(again)

    def sealing(self) -> Sealing:
        """Return what the game leaves behind as it stands; summed up once for each line and then cached."""
        position, number, last = self.log.position, len(self.log.lines), self._sealing
        if last is None or last[0] is not position or last[1] != number:
            last = self._sealing = (position, number, Sealing.of(self.game, position.head, self.log.lines))
        return last[2]

    def moments(self) -> tuple[Moment, ...]:
        """Return the moments that count now, oldest first."""
        return self.log.moments()

    def before(self, number: int) -> Session | None:
        """Return a read-only session of the table before a line that counts, or None if the line does not count."""
        log = self.log.before(number)
        return None if log is None else Session(log, shelf=self._shelf)

    def writers(self) -> Mapping[int, str]:
        """Return the writer of each line by its number, or an empty mapping if one person wrote them all."""
        by = {line.number: line.by for line in self.log.lines}
        return by if len(set(by.values())) > 1 else {}

    def decks(self, text: str, seat: str = "") -> tuple[tuple[str, str], ...]:
        """Return stored decks for a seat whose names contain this text and that are not here, each with its holder."""
        lie_here = {seat.title for seat in self.view().seats}
        decks = self._shelf.decks(text, self.game, seat) if self._shelf else ()
        return tuple(deck for deck in decks if deck[0] not in lie_here)

    def leave(self, text: str) -> tuple[Tell, ...]:
        """Append a line of a recorded log as `resume` does: the line is kept but not played if the rules refuse it."""
        last = self.log.lines[-1]
        return self.log.recall(Line(last.number + 1, text, last.group + 1))

    def is_behind(self) -> bool:
        """Return True if others have stored lines that are not loaded yet. Raises the journal's errors."""
        return self._journal is not None and bool(self._journal.later(len(self.log.lines)))

    def follow(self) -> None:
        """Load the lines that others have stored since, as `resume` does. Raises the journal's errors."""
        for line in self._journal.later(len(self.log.lines)) if self._journal else ():
            self.log.recall(line)

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the log as this session's viewer may read them; whole once the game keeps no secrets."""
        lines = (line.text for line in self.log.lines)
        if self._viewer is None or not self.log.state.keeps_secrets:
            return tuple(lines)
        return tuple(self.notation.conceal(line, self._viewer) for line in lines)

    def export(self) -> str:
        """Return the log as the text of a `.table` file; see `lines`."""
        return "".join(f"{line}\n" for line in self.lines())

    def _take(self, proposals: Sequence[LinePreview], by: str, writers: Sequence[str] = ()) -> tuple[Tell, ...]:
        """Store the lines first, then show them: a line that the journal refuses never happened.

        `writers` are those of the lines, each "" if it is `by`.
        """
        at, by = _now(), by or self._by
        lines = [
            msgspec.structs.replace(proposal.line, at=at, by=writer or by)
            for proposal, writer in zip(proposals, writers or repeat(""), strict=False)
        ]
        position, remarks = proposals[-1].position, list[Text]()
        if self._journal is not None:
            sealing = Sealing.of(self.game, position.head, chain(self.log.lines, lines))
            is_sealed = self._journal.sealed
            left_out = self._journal.keep(lines, sealing, self.view_of(position.head.state))
            remarks += [] if is_sealed else [*([sealing.lacks] if sealing.lacks else []), *(left_out or ())]
        self.log.add(lines, position)
        remarks += self._other_tables(position.head, lines)
        self.remarks = tuple(remarks)
        tells = (tell for proposal in proposals for tell in proposal.tells)
        return (*tells, *map(Tell, remarks))

    def _other_tables(self, head: Moment, lines: Sequence[Line]) -> Iterator[Text]:
        """Yield a sentence for each other table at which a deck seated by these lines sits."""
        seated = {reading.deck for line in lines for reading in line.read}
        for seat, stored in self.game.stored_decks(head.state).items() if seated and self._records else ():
            assert self._records is not None
            is_new = stored.deck in seated and not any(
                isinstance(moment.action, RefreshDeck) and moment.action.seat == seat
                for moment in head.past()
                if moment.number >= lines[0].number
            )
            for table in self._records.other_tables(stored.deck, self.id) if is_new else ():
                # Translators: {table} is “table 4K7Q”, and may say how far its game is.
                yield phrase("{deck} is also at {table}.", deck=stored.name, table=table)


def _secret_note(note: Text) -> Text:
    """Return the note of an answer that carries secrets of its seat."""
    # Translators: The answer says which card it is; only its player reads that.
    return (
        phrase("{note}: note which one; only you see it", note=note)
        if note
        else phrase("note which one; only you see it")
    )
