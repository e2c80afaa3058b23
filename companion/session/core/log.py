"""The log of one session and the table that results from it, with a message for each entry.

The log is append-only: undo, amend and insert are entries, too. Each leads to another history, and undo leads back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from itertools import takewhile
from random import Random
from typing import Any, Final, cast

import msgspec

from companion.games import registry
from companion.session.core.clock_times import ReadClock, RunningClock, read_clock
from companion.session.core.moments import Line, LinePreview, Moment, Position, Stopped, Undone, entered_text, line_text
from companion.session.core.renaming import NewNames, new_names
from companion.tabletop import seated_decks
from companion.tabletop.action import Action, NotationError, RuleError, Step, Tell
from companion.tabletop.game import Game
from companion.tabletop.notation.notation import FieldLookup, Notation, conceal
from companion.tabletop.table.common_actions import (
    CHECKS,
    DECKS,
    LOG,
    Amend,
    Begin,
    CloseTable,
    Insert,
    Note,
    OffRecord,
    OpenTable,
    Redo,
    RefreshDeck,
    Rename,
    ResumeFrom,
    Undo,
)
from templates.languages.messages import Finished, Message, Text, phrase, phrases


class _Chance:
    """A random generator from a seed and the number of earlier draws.

    It is built on first use: most actions do not draw.
    """

    def __init__(self, seed: int | str, draws: int) -> None:
        self._seed = f"{seed}:{draws}"

    @cached_property
    def _random(self) -> Random:
        return Random(self._seed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._random, name)


class _Revision(msgspec.Struct, frozen=True):
    """A change of earlier lines.

    `text` is the line that makes it, and `entered` the line that the user entered. `head` is the table after the
    changed line, `behind` the moments that are replayed on top of it, and `names` the new names of things in them.
    """

    text: str
    entered: str
    head: Moment
    behind: tuple[Moment, ...]
    tell: Tell
    names: NewNames = NewNames()


_FOR_SCREENS: Final = phrase("`close-table` is not kept in the log; it is only for screens.")
_ELSEWHERE: Final[tuple[type[Action], ...]] = (*CHECKS, OpenTable)
"""Actions that belong in a file and cannot be entered at a table."""


def notation_of(game: Game, known_fields: FieldLookup | None = None) -> Notation:
    """Return the notation of a game's `.table` files; `known_fields` looks up what the table knows about its cards."""
    return Notation((*DECKS, CloseTable, *LOG, *game.actions, *CHECKS), known_fields, (*_ELSEWHERE, Rename))


class Log:
    """A game's log. `preview` computes what a line would do; `add` appends it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.notation = notation_of(game, lambda action, given: game.known_fields(self.state, action, given))
        opening = OpenTable(game.word)
        text = self.notation.format(opening)
        self.lines: list[Line] = [Line(1, text, 1)]
        self.position = Position(Moment(None, opening, text, game.new(), (), 1, 1))
        self.early_seed = ""
        """The seed of chance before `begin` sets one; random unless the journal sets it."""
        self._stopped: tuple[Moment, Stopped | None] | None = None
        self._hint: tuple[Moment, Message] | None = None
        self._clock: ReadClock | None = None

    @classmethod
    def open(cls, first: str) -> Log:
        """Return an empty log from its first line (`table GAME`). Raises NotationError."""
        opening = Notation((OpenTable,)).parse(first)
        assert isinstance(opening, OpenTable)
        return cls(registry.game(opening.game))

    @property
    def state(self) -> Any:
        """The current state of the table."""
        return self.position.head.state

    def preview(
        self, action: Action, group: int, position: Position | None = None, number: int | None = None
    ) -> LinePreview:
        """Return what a line would do, without doing it. Raises RuleError if it is against the rules."""
        position = position or self.position
        number = number or len(self.lines) + 1
        if isinstance(action, _ELSEWHERE):
            raise RuleError(phrase("`{verb}` cannot be entered here; it belongs in a .table file.", verb=action.verb()))
        if isinstance(action, CloseTable):
            raise RuleError(_FOR_SCREENS)
        if isinstance(action, LOG):
            return self._of_the_log(action, position, number, group)
        if position.head.gap is not None:
            raise RuleError(self._way_on(position.head.gap))
        moment = self._follow(position.head, self._complete(position.head.state, action), number, group)
        return LinePreview(Line(number, moment.line, group), Position(moment), moment.tells)

    def _of_the_log(self, action: Action, position: Position, number: int, group: int) -> LinePreview:
        if isinstance(action, Undo):
            return self._undo(position, number, group)
        if isinstance(action, Redo):
            return self._redo(position, number, group)
        if isinstance(action, ResumeFrom):
            return self._resume_from(action, position, number, group)
        if isinstance(action, Insert):
            return self._insert(action, position, number, group)
        assert isinstance(action, Amend)
        return self._amend(action, position, number, group)

    def add(self, lines: Iterable[Line], position: Position) -> None:
        """Append previewed lines; `position` is the position after the last of them."""
        self.lines += lines
        self.position = position

    def recall(self, line: Line) -> tuple[Tell, ...]:
        """Replay a stored line. If the rules refuse it, or a line before it, the line is kept but not played.

        Raises RuleError if a line is missing.
        """
        if line.number != len(self.lines) + 1:
            raise RuleError(
                phrase(
                    "Line {line} of the log follows on line {last}; a line is missing.",
                    line=str(line.number),
                    last=str(len(self.lines)),
                )
            )
        try:
            proposal = self.preview(self.notation.parse(line.text), line.group)
        except (NotationError, RuleError) as error:
            head = self._unplayed_moment(self.position.head, line.text, line.number, line.group, error.message)
            proposal = LinePreview(line, Position(head), ())
        self.add([line], proposal.position)
        return proposal.tells

    def running_clock(self) -> RunningClock | None:
        """Return what the clock of the table has counted up to the last line; None if nobody has asked for one."""
        head = self.position.head
        if self._clock is None or self._clock[0] is not head:
            self._clock = (head, read_clock(self.game, head, self.lines, self._clock))
        return self._clock[1]

    @property
    def stopping_point(self) -> Stopped | None:
        """The point where the log stops under today's rules; None if every line that counts is played."""
        head = self.position.head
        stopped = self._stopped
        if stopped is None or stopped[0] is not head:
            stopped = self._stopped = (head, self._stop_of(head))
        return stopped[1]

    def _stop_of(self, head: Moment) -> Stopped | None:
        gap = head.gap
        if gap is None:
            return None
        unplayed = list(takewhile(lambda moment: moment.gap is gap, head.past()))
        *behind, line = (
            msgspec.structs.replace(self.lines[moment.number - 1], text=moment.text) for moment in unplayed
        )
        return Stopped(line, gap.refused, tuple(behind[::-1]))

    def _way_on(self, gap: Moment) -> Message:
        """Return the ways on at a gap; cached, as every line behind the gap stores the same text."""
        hint = self._hint
        if hint is None or hint[0] is not gap:
            hint = self._hint = (gap, _ways_on(gap))
        return hint[1]

    def moments(self) -> tuple[Moment, ...]:
        """Return the moments that count now, oldest first, without undone, amended and unplayed ones."""
        head = self.position.head
        return tuple((head.gap.before or head).past() if head.gap else head.past())[::-1]

    def before(self, number: int) -> Log | None:
        """Return the log up to before a line that counts, or None if the line does not count."""
        moment = next((moment for moment in self.position.head.past() if moment.number == number), None)
        if moment is None or moment.before is None:
            return None
        earlier = Log(self.game)
        earlier.position = Position(moment.before)
        return earlier

    def at(self, position: Position, length: int) -> Log:
        """Return the log as of when it had `length` lines and stood at this position."""
        earlier = Log(self.game)
        earlier.lines, earlier.position, earlier.early_seed = self.lines[:length], position, self.early_seed
        return earlier

    def _complete(self, state: Any, action: Action) -> Action:
        """Return an action with its random values.

        Chance depends on the seed and the number of earlier draws: a draw that is undone and repeated gives the same
        result.
        """
        seed = action.seed if isinstance(action, Begin) else state.seed
        if seed is None:
            seed = self.early_seed = self.early_seed or os.urandom(8).hex()
        return self.game.resolve(state, action, cast("Random", _Chance(seed, state.draws)))

    def _follow(self, before: Moment, action: Action, number: int, group: int) -> Moment:
        state, tells = self._apply(before.state, action)
        # The full description of a deck is for the log, not for its readers.
        text = f"{action.verb()} {action.seat}" if isinstance(action, RefreshDeck) else ""
        return Moment(before, action, self.notation.format(action), state, tells, number, group, text=text)

    def _apply(self, state: Any, action: Action) -> Step:
        """Return the table after an action: by its game, or by rereading a deck or taking it off the record.

        Raises RuleError.
        """
        if isinstance(action, OffRecord):
            return seated_decks.leave_record(self.game, state, action)
        if not isinstance(action, RefreshDeck):
            return self.game.apply(state, action)
        try:
            lines = tuple(map(self.notation.parse, action.lines))
        except NotationError as error:
            raise RuleError(
                phrase(
                    "The deck in the line of `{verb}` cannot be read: {error}", verb=action.verb(), error=error.message
                )
            ) from error
        return seated_decks.refresh_deck(self.game, state, action, lines)

    def _undo(self, position: Position, number: int, group: int) -> LinePreview:
        head = position.head
        if head.back is None:
            raise RuleError(phrase("There is nothing to undo."))
        self._refuse_if_sealed(position)
        tell = Tell(phrase("Taken back: {line}", line=entered_text(head, self.game)))
        return LinePreview(Line(number, "undo", group), Position(head.back, Undone(head, position.undone)), (tell,))

    def _redo(self, position: Position, number: int, group: int) -> LinePreview:
        if position.undone is None:
            raise RuleError(phrase("There is nothing to redo."))
        head, rest = position.undone
        tells_again = head.tells if head.entered == head.text else ()
        tell = Tell(phrase("Done again: {line}", line=entered_text(head, self.game)))
        return LinePreview(Line(number, "redo", group), Position(head, rest), (tell, *tells_again))

    def _amend(self, amend: Amend, position: Position, number: int, group: int) -> LinePreview:
        """Replace one line of the history; `rename` also carries a name that the line gave into later lines."""
        old, behind = self._from_line(amend, position)
        assert old.before is not None
        action = self._complete(old.before.state, amend.action)
        head = self._follow(old.before, action, old.number, old.group)
        names = self._new_names(old, head) if isinstance(amend, Rename) else NewNames()
        new = line_text(head, self.game, self.notation.format(conceal(action)))
        tell = Tell(phrase("Amended: {old} → {new}", old=line_text(old, self.game), new=new))
        text = self.notation.format(type(amend)(amend.line, action))
        entered = self.notation.format(Amend(amend.line, action))
        return self._played_on(_Revision(text, entered, head, behind, tell, names), position, number, group)

    def _insert(self, insert: Insert, position: Position, number: int, group: int) -> LinePreview:
        """Insert one line into the history; its number is that of the `insert` line."""
        old, behind = self._from_line(insert, position)
        assert old.before is not None
        action = self._complete(old.before.state, insert.action)
        head = self._follow(old.before, action, number, old.group)
        tell = Tell(
            phrase(
                "Inserted before line {line}, as line {number}: {text}",
                line=str(insert.line),
                number=str(number),
                text=line_text(head, self.game),
            )
        )
        text = self.notation.format(Insert(insert.line, action))
        return self._played_on(_Revision(text, text, head, (old, *behind), tell), position, number, group)

    def _from_line(self, revising: Amend | Insert, position: Position) -> tuple[Moment, tuple[Moment, ...]]:
        """Return the moment of an earlier line and the later moments, oldest first. Raises RuleError."""
        line = revising.line
        if isinstance(revising.action, (*LOG, *CHECKS)):
            verb = revising.action.verb()
            raise RuleError(
                phrase(
                    "Line {line} can only be amended to an action of the game, not to `{verb}`.",
                    line=str(line),
                    verb=verb,
                )
                if isinstance(revising, Amend)
                else phrase("Only an action of the game can be inserted, not `{verb}`.", verb=verb)
            )
        self._refuse_if_sealed(position)
        past = list(position.head.past())
        at = next((at for at, moment in enumerate(past) if moment.number == line), None)
        if at is None:
            raise RuleError(
                phrase("Line {line} has no action that counts now; look up its number in the log.", line=str(line))
            )
        before = past[at].before
        if before is not None and before.gap is not None:
            raise RuleError(_ways_on(before.gap))
        return past[at], tuple(past[:at][::-1])

    def _played_on(self, revision: _Revision, position: Position, number: int, group: int) -> LinePreview:
        """Replay the later moments of a revision; those that became illegal are left out and listed."""
        head, tells = revision.head, [revision.tell]
        for moment in revision.behind:
            try:
                head = self._replay_renamed(head, moment, revision.names)
            except RuleError as error:
                # Translators: {line} is a line of the log.
                left_out = phrase(
                    "Left out, as it no longer fits: {line} ({reason})", line=moment.text, reason=error.message
                )
                tells.append(Tell(left_out))
            else:
                if head.text != moment.text:
                    # Translators: A later line of the log that uses a changed name now.
                    tells.append(
                        Tell(
                            phrase(
                                "Changed with it: {old} → {new}",
                                old=line_text(moment, self.game),
                                new=line_text(head, self.game),
                            )
                        )
                    )
        tells += [Tell(_ways_on(head.gap))] if head.gap else []
        proposal = self._leading_to(head, revision.text, position, number, group, tuple(tells))
        proposal.position.head.entered = self.notation.conceal(revision.entered)
        return proposal

    def carries(self, amend: Amend, position: Position) -> bool:
        """Return True if an amendment changes a name and later lines that mention the thing would use the new one."""
        try:
            old, behind = self._from_line(amend, position)
            assert old.before is not None
            action = self._complete(old.before.state, amend.action)
            names = self._new_names(old, self._follow(old.before, action, old.number, old.group))
        except RuleError:
            return False
        if not any(names.changes(moment.action) for moment in behind):
            return False
        heads = [self._amend(kind(amend.line, action), position, 0, 0).position.head for kind in (Amend, Rename)]
        return len({tuple(moment.text for moment in head.past()) for head in heads}) > 1

    def _new_names(self, old: Moment, new: Moment) -> NewNames:
        assert old.before is not None
        return new_names(self.game, old.before.state, (old.action, old.state), (new.action, new.state))

    def _replay_renamed(self, head: Moment, moment: Moment, names: NewNames) -> Moment:
        """Replay a moment with the new names of the things in it.

        A name in free text may mean something else, so it is replaced only if the old one no longer fits. Raises
        RuleError.
        """
        action = names.in_action(moment.action)
        try:
            return self._again(head, moment, action)
        except RuleError:
            if (other := names.in_words(action)) == action:
                raise
            return self._again(head, moment, other)

    def _again(self, head: Moment, moment: Moment, action: Action) -> Moment:
        """Replay a moment by this action on top of another table.

        Raises RuleError if the moment was played before and no longer fits.
        """
        if moment.gap is None:
            # An action that was complete on the old table may involve chance on this one.
            return self._follow(head, self._complete(head.state, action), moment.number, moment.group)
        refused = moment.refused
        if head.gap is None:
            try:
                action = self.notation.parse(moment.line)
                if not isinstance(action, LOG):
                    return self._follow(head, self._complete(head.state, action), moment.number, moment.group)
            except (NotationError, RuleError) as error:
                refused = error.message
        return self._unplayed_moment(head, moment.line, moment.number, moment.group, refused)

    def _unplayed_moment(self, before: Moment, line: str, number: int, group: int, refused: Text) -> Moment:
        """Return the moment of a line that is kept but not played: the table stays as before the first such line."""
        text = self.notation.conceal(line)
        return Moment(before, Note(line), line, before.state, (), number, group, refused=refused, text=text)

    def _resume_from(self, action: ResumeFrom, position: Position, number: int, group: int) -> LinePreview:
        """Return to the table after an earlier line."""
        self._refuse_if_sealed(position)
        past = list(position.head.past())
        # An inserted line has a higher number than the lines after it.
        counts = any(moment.number == action.line for moment in past)
        after = list(
            takewhile(lambda moment: moment.number != action.line if counts else moment.number > action.line, past)
        )
        if not 1 <= action.line < number or not after:
            raise RuleError(
                phrase(
                    "Nothing that counts comes after line {line}; look up its number in the log.",
                    line=str(action.line),
                )
            )
        head = after[-1].before
        assert head is not None
        if head.gap is not None:
            raise RuleError(_ways_on(head.gap))
        tell = Tell(
            phrases(
                "Resumed from line {line}: {n} line after it stays in the log but no longer counts.",
                "Resumed from line {line}: {n} lines after it stay in the log but no longer count.",
                n=len(after),
                line=str(action.line),
            )
        )
        return self._leading_to(head, self.notation.format(action), position, number, group, (tell,))

    def _leading_to(
        self, head: Moment, text: str, position: Position, number: int, group: int, tells: tuple[Tell, ...]
    ) -> LinePreview:
        """Return a line that leads to another table. It is one intention; undo leads back to the table before."""
        head = Moment(
            *(head.before, head.action, head.line, head.state, head.tells, head.number, group),
            back=position.head,
            entered=self.notation.conceal(text),
            refused=head.refused,
            text=head.text,
        )
        return LinePreview(Line(number, text, group), Position(head), tells)

    def _refuse_if_sealed(self, position: Position) -> None:
        if self.game.is_recorded(position.head.state):
            raise RuleError(phrase("This game is sealed into its decks' records; a mistake is corrected there."))


def _ways_on(gap: Moment) -> Message:
    """Return the ways on when a stored log stops, as sentences."""
    return phrase(
        "Line {line} of this log, `{text}`, does not fit today's rules: {reason} `amend "
        "{line} …` replaces it and plays the later lines again; `resume-from {last}` resumes "
        "before it.",
        line=str(gap.number),
        text=gap.text,
        reason=Finished(gap.refused),
        last=str(gap.before.number if gap.before else 1),
    )
