"""Plays a `.table` file: every line, its checks included; and what was recorded elsewhere, played into an archive."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import msgspec

from companion.archive import Archive, deck_records, page_texts
from companion.games import registry
from companion.session import archive_journal
from companion.session.session import Session, Shelf
from companion.tabletop.action import Action, NotationError, RuleError, Tell
from companion.tabletop.arguments import Words
from companion.tabletop.cards import read_card
from companion.tabletop.common_actions import CHECKS, REVISIONS, Expect, OpenTable, Refuse, Rename, ResumeFrom
from companion.tabletop.form import FormContext, Values
from companion.tabletop.game import Game
from companion.tabletop.notation import Notation, Unsaid, leaves_open
from companion.tabletop.table import Counter
from companion.tabletop.text import LONGEST_LINE, as_line, quoted, sanitize

MOST_BYTES: Final = 5_000_000
"""Of a file: some hundred times the longest evening."""
MOST_LINES: Final = 200_000
"""Of a file that say something, and those that its corrections may play again."""
_MOST_UNMET: Final = 50
"""Checks that do not hold; each of them is told."""
_MOST_UNREAD: Final = 1_000
"""Lines that nobody can read, and that a later one answers for."""
_NUMBER: Final = re.compile(r"(-?)0*([0-9]+)")
_ROW: Final = re.compile(r"\S[^\n]*")
"""What stands in a line, without the space before it."""
_CORRECTING: Final = re.compile(
    rf'"?({"|".join(kind.verb() for kind in (*REVISIONS, Rename, ResumeFrom))})"?\s+"?0*([0-9]{{1,9}})(?![0-9])',
    re.IGNORECASE,
)


class UnreadableLine(NotationError):
    """A line that is no notation, by its number in the file."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


class IllegalLine(RuleError):
    """A line that the rules refuse, by its number in the file."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


class PlayedLine(msgspec.Struct, frozen=True):
    """What one line of the file led to. `failure` says why a check did not hold ("" where it did)."""

    number: int
    text: str
    tells: tuple[Tell, ...] = ()
    failure: str = ""


class Replay:
    """A file on its way through a session; iterate to play it line by line.

    The whole file is read before the first line is played. Raises UnreadableLine where a line is no notation.
    """

    def __init__(self, text: str, shelf: Shelf | None = None, folder: Path | None = None) -> None:
        """`folder` is where the file lies: the page of its game may lie beside it."""
        rows = _rows(text)
        number, first = next(rows, (1, ""))
        if not first:
            raise UnreadableLine(number, "The file holds no line; a session begins with `table GAME`.")
        with _reading(number):
            self.session = Session.new(_game_of(first, folder), shelf=shelf)
        self._lines = array("L", [number])
        """The numbers of the lines that were played, and beside each, in `_ends`, how long the log was then."""
        self._ends = array("L", [1])
        self._replayed = self._failed = 0
        self._answered = _Answered(text)
        self._unread: set[int] = set()
        self._actions = deque(self._actions_of(rows))

    def _actions_of(self, rows: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str, Action | str]]:
        """Each row with its action, or with why it cannot be read where a later line answers for it.

        Raises UnreadableLine for the first that can never be.
        """
        for number, row in rows:
            action = self._read(row)
            if not isinstance(action, NotationError):
                yield number, row, action
                continue
            if not isinstance(action, Unsaid):
                # A later line may answer for it; a check is never kept.
                is_check = Words.of(row).keyword() in {check.verb() for check in CHECKS}
                if number not in self._answered or is_check or len(self._unread) == _MOST_UNREAD:
                    raise UnreadableLine(number, str(action)) from None
                self._unread.add(number)
            yield number, row, str(action)

    def __iter__(self) -> Iterator[PlayedLine]:
        # What is played goes on in the log alone.
        while self._actions:
            yield self._play(*self._actions.popleft())
        if (stopped := self.session.stopped) is not None:
            number = self._lines[bisect_left(self._ends, stopped.line.number)]
            raise (UnreadableLine if number in self._unread else IllegalLine)(number, stopped.why)

    def _read(self, row: str) -> Action | NotationError:
        """The action of a row, or what is wrong with it."""
        try:
            action = self.session.notation.parse(row)
        except NotationError as error:
            return error
        if isinstance(action, Expect) and not action.values and action.counter != "gone":
            return NotationError("VALUE is missing. Write: expect TARGET COUNTER VALUE, or: expect THING gone.")
        return action

    def _play(self, number: int, row: str, read: Action | str) -> PlayedLine:
        """One line. Raises IllegalLine; a check that fails is told, so that the next can be looked at too.

        A line that leaves open what stands on a card is read again, as the table knows the card by now or never.
        """
        action: Action | NotationError = self._read(row) if isinstance(read, str) or leaves_open(read) else read
        if isinstance(action, Unsaid) and number not in self._answered:
            raise UnreadableLine(number, str(action))
        try:
            if isinstance(action, Expect):
                return PlayedLine(number, row, failure=self._unmet(action))
            if isinstance(action, Refuse):
                return PlayedLine(number, row, failure=self._accepted(action.action))
            tells = self._done(number, row, action)
        except RuleError as error:
            raise IllegalLine(number, str(error)) from None
        except NotationError as error:
            raise UnreadableLine(number, str(error)) from None
        self._lines.append(number)
        self._ends.append(len(self.session.log.lines))
        return PlayedLine(number, row, tells)

    def _done(self, number: int, row: str, action: Action | NotationError) -> tuple[Tell, ...]:
        """What a line leads to; one that is refused is kept where a later line answers for it. Raises RuleError."""
        if isinstance(action, NotationError):
            return self.session.leave(row)
        if isinstance(action, OpenTable):
            raise RuleError("A file is one game; `table` stands in its first line and nowhere else.")
        counted = self._by_log_number(action)
        try:
            return self.session.do(counted)
        except (NotationError, RuleError):
            if number not in self._answered:
                raise
            return self.session.leave(self.session.notation.format(counted))

    def _unmet(self, expect: Expect) -> str:
        """Why a check does not hold, "" where it does. Raises RuleError where too many did not before."""
        failure = unmet(self.session, expect)
        self._failed += bool(failure)
        if self._failed > _MOST_UNMET:
            raise RuleError(f"More than {_MOST_UNMET:,} checks up to here do not hold.")
        return failure

    def _accepted(self, action: Action) -> str:
        if isinstance(action, CHECKS):
            raise RuleError(f"`refuse` needs an action of the game; `{action.verb()}` is a check itself.")
        try:
            self.session.preview(self._by_log_number(action))
        except RuleError:
            return ""
        return f"The rules allow `{self.session.notation.format(action)}`."

    def _by_log_number(self, action: Action) -> Action:
        """In a file, `amend`, `insert` and `resume-from` count the file's lines; in the log, the log's."""
        if not isinstance(action, (*REVISIONS, ResumeFrom)):
            return action
        at = bisect_left(self._lines, action.line)
        if self._lines[at : at + 1] != array("L", [action.line]):
            raise RuleError(f"Line {action.line} of this file holds no action before this one.")
        line = self._ends[at]
        self._replayed += len(self.session.log.lines) - line
        if self._replayed > MOST_LINES:
            raise RuleError(f"The corrections up to here play more than {MOST_LINES:,} lines again.")
        return msgspec.structs.replace(action, line=line)


def _game_of(first: str, folder: Path | None) -> Game:
    """The game of a file, from its first line: a page named by its path or lying beside the file, or a game that is
    known. Raises NotationError.
    """
    opening = Notation((OpenTable,)).parse(first)
    assert isinstance(opening, OpenTable)
    name = opening.game
    if folder is None or registry.is_program(name):
        return registry.game(name)
    if registry.is_path(name):
        return registry.game(str(folder / name))
    beside = folder / page_name(name)
    return registry.from_text(page_texts.read_file(beside), name) if beside.is_file() else registry.game(name)


def page_name(game: str) -> str:
    """What the file of a game's page is called, beside the file of a session."""
    return f"{game}.toml"


class _Answered(Container[int]):
    """The numbers of lines that may be refused, because a later line amends them (or one before), or plays on before.

    So the log of a sitting that went on under other rules can be read from its file.
    """

    def __init__(self, text: str) -> None:
        spans: list[tuple[int, int]] = []
        for number, row in _rows(text) if _CORRECTING.search(text) else ():
            if (correction := _CORRECTING.match(row)) is None:
                continue
            first = int(correction[2]) + (correction[1].lower() == ResumeFrom.verb())
            # Whatever lies between is answered by the later one as well.
            while spans and spans[-1][0] >= first:
                spans.pop()
            if first < number:
                spans.append((max(first, spans[-1][1]) if spans else first, number))
        self._firsts = [first for first, _ in spans]
        self._ends = [end for _, end in spans]

    def __contains__(self, number: object) -> bool:
        assert isinstance(number, int)
        at = bisect_right(self._firsts, number) - 1
        return at >= 0 and number < self._ends[at]


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, by their numbers. Raises UnreadableLine where one, or all of them, are too long."""
    number, counted, at = 1, 0, 0
    for row in _ROW.finditer(text):
        number, at = number + text.count("\n", at, row.start()), row.start()
        command = row[0]
        if command[0] == "#" and len(command) <= LONGEST_LINE:
            continue
        command = sanitize(command.strip())
        with _reading(number):
            if not _says_something(command):
                continue
            counted += 1
            if counted > MOST_LINES:
                raise NotationError(f"The file says more than {MOST_LINES:,} lines; no sitting is that long.")
        yield number, command


@contextmanager
def _reading(number: int) -> Iterator[None]:
    try:
        yield
    except NotationError as error:
        raise UnreadableLine(number, str(error)) from None


def read_table_file(file: Path) -> str:
    """The text of a `.table` file. Raises NotationError where that is none, or more than any sitting makes."""
    with file.open("rb") as opened:
        return decode_table_text(opened, f"“{file}”")


def decode_table_text(opened: BinaryIO, name: str) -> str:
    """The same of one that is open already; `name` begins the sentence that refuses it.

    No more of it is read than a sitting may have, so whatever else it is, that is known at once.
    """
    content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise NotationError(f"{name} has more than {MOST_BYTES // 1_000_000} MB; no sitting is that long.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotationError(f"{name} is not text in UTF-8; a session is recorded as one.") from None


def _says_something(row: str) -> bool:
    as_line(row)
    return ('"' not in row and row[0] != "#") or bool(Words.of(row))


class _Counted(Protocol):
    """What has counters: a session, or a view of its table."""

    def counters_of(self, target: str) -> tuple[Counter, ...] | None: ...

    def targets(self) -> tuple[str, ...]: ...


def unmet(table: _Counted, expect: Expect) -> str:
    """Why an expectation does not hold on a table, or "" where it does."""
    counters = table.counters_of(expect.target)
    if expect.counter == "gone" and not expect.values:
        return "" if counters is None else f"{expect.target} is still there."
    if counters is None:
        return f"There is no {quoted(expect.target)} on the table; there are {', '.join(table.targets())}."
    counter = next((counter for counter in counters if counter.name == expect.counter), None)
    if counter is None:
        names = ", ".join(counter.name for counter in counters)
        return f"{expect.target} has no counter {quoted(expect.counter)}; it has {names}."
    if _same(counter, expect.values):
        return ""
    wanted = quoted(" ".join(expect.values) or "none")[1:-1]
    return f"{expect.target} {expect.counter} is {counter.text}, expected {wanted}."


def _same(counter: Counter, words: tuple[str, ...]) -> bool:
    """Whether a counter's value is what the words say.

    Numbers are compared as numbers (`020` is 20, as `set` reads it). Lists are compared as sets, in any order and
    however often a word stands in them, unless their order matters.
    """
    expected = tuple(map(_canonical, words or ("none",)))
    if not isinstance(counter.value, tuple):
        return expected == (_canonical(counter.text),)
    held = tuple(map(_canonical, counter.value))
    expected = () if expected == ("none",) else expected
    return expected == held if counter.ordered else set(expected) == set(held)


def _canonical(word: str) -> str:
    """A card in its one spelling, a number without zeros before it, any other word in lower case."""
    if _NUMBER.fullmatch(word):
        return _NUMBER.sub(r"\1\2", word)
    try:
        return read_card(word)
    except NotationError:
        return word.lower()


def as_json(session: Session) -> dict[str, Any]:
    """The final state: every counter by its name in the notation."""
    view = session.view()
    counters = {target: view.counters_of(target) or () for target in view.targets()}
    values = {target: {counter.name: counter.value for counter in of} for target, of in counters.items()}
    seats = {seat.seat for seat in view.seats}
    return {
        "game": view.game,
        "outcome": view.outcome,
        "step": view.step,
        "table": values["table"],
        "seats": {target: of for target, of in values.items() if target in seats},
        "things": {target: of for target, of in values.items() if target not in seats and target != "table"},
        "lines": list(session.lines()),
    }


def found_decks(archive: Archive, game: Game, answers: Iterable[Values]) -> tuple[str, ...]:
    """Founds decks as their game's form would, their first labels stuck; gives their ids.

    Raises NotationError or RuleError where the form refuses one, NameTaken.
    """
    form = game.founding
    decks = []
    for deck_answers in answers if form else ():
        assert form is not None
        filled = form.filled(
            deck_answers,
            FormContext(taken=deck_records.names_taken(archive, game.name, str(deck_answers[form.fields[0].name]))),
        )
        deck, _ = deck_records.new_deck(archive, game, filled)
        decks.append(deck)
        put_away(archive, (deck,))
    return tuple(decks)


def play(archive: Archive, text: str, title: str) -> str:
    """Plays what a `.table` file says, line by line, to its end, and keeps it; gives the session's id.

    Raises NotationError, RuleError, Unknown.
    """
    replay = Replay(text, shelf=archive_journal.ArchiveShelf(archive))
    for line in replay:
        if line.failure:
            raise RuleError(f"line {line.number}: {line.failure}")
    return archive_journal.keep(archive, replay.session, title)


def put_away(archive: Archive, decks: Iterable[str]) -> None:
    """Ticks off everything that is to be done by hand to some decks."""
    for deck in decks:
        if deck_records.chores(archive, deck):
            deck_records.tick(archive, deck, ("all",))
