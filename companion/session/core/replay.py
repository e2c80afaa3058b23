"""Play `.table` files line by line, checks included, and import games recorded elsewhere into an archive."""

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
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.core.shelf import Shelf
from companion.tabletop.action import Action, NotationError, RuleError, Tell
from companion.tabletop.decks.form import FormContext, Values
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import Words
from companion.tabletop.notation.cards import read_card
from companion.tabletop.notation.notation import Notation, Unsaid, leaves_open
from companion.tabletop.table.common_actions import CHECKS, REVISIONS, Expect, OpenTable, Refuse, Rename, ResumeFrom
from companion.tabletop.table.table import Counter
from companion.tabletop.text import LONGEST_LINE, as_line, in_quotes, quote_text, sanitize
from templates.languages.messages import Message, Text, listed, phrase, phrases

MOST_BYTES: Final = 5_000_000
"""Maximum size of a file in bytes: about a hundred times the longest evening."""
MOST_LINES: Final = 200_000
"""Maximum number of lines with content in a file, and of lines that its corrections may replay."""
_MOST_UNMET: Final = 50
"""Maximum number of failed checks; each of them is reported."""
_MOST_UNREAD: Final = 1_000
"""Maximum number of unreadable lines that a later line corrects."""
_TOGETHER: Final = "+"
"""The sign between seats that share a win."""
_NUMBER: Final = re.compile(r"(-?)0*([0-9]+)")
_ROW: Final = re.compile(r"\S[^\n]*")
"""The content of a line, without leading space."""
_CORRECTING: Final = re.compile(
    rf'"?({"|".join(kind.verb() for kind in (*REVISIONS, Rename, ResumeFrom))})"?\s+"?0*([0-9]{{1,9}})(?![0-9])',
    re.IGNORECASE,
)


def _in_line(number: int, reason: Text) -> Message:
    # Translators: A line of a file, and what is wrong with it.
    return phrase("line {line}: {reason}", line=str(number), reason=reason)


class UnreadableLine(NotationError):
    """A line that is not valid notation, with its number in the file."""

    def __init__(self, number: int, reason: Text) -> None:
        super().__init__(_in_line(number, reason))
        self.number = number
        self.reason = reason


class IllegalLine(RuleError):
    """A line that the rules refuse, with its number in the file."""

    def __init__(self, number: int, reason: Text) -> None:
        super().__init__(_in_line(number, reason))
        self.number = number
        self.reason = reason


class PlayedLine(msgspec.Struct, frozen=True):
    """The result of one line of the file. `failure` is the reason why a check failed, or an empty string."""

    number: int
    text: str
    tells: tuple[Tell, ...] = ()
    failure: Text = ""


class Replay:
    """A file being played through a session; iterate to play it line by line.

    The whole file is parsed before the first line is played. Raises UnreadableLine if a line is not valid notation.
    """

    def __init__(self, text: str, shelf: Shelf | None = None, folder: Path | None = None) -> None:
        """Open the session. `folder` contains the file, and may contain the page of its game."""
        rows = _rows(text)
        number, first = next(rows, (1, ""))
        if not first:
            raise UnreadableLine(number, phrase("The file has no lines; a session begins with `table GAME`."))
        with _reading(number):
            self.session = Session.new(_game_of(first, folder), shelf=shelf)
        self._lines = array("L", [number])
        """The numbers of the played lines; `_ends` holds the length of the log after each of them."""
        self._ends = array("L", [1])
        self._replayed = self._failed = 0
        self._answered = _Answered(text)
        self._unread: set[int] = set()
        self._actions = deque(self._actions_of(rows))

    def _actions_of(self, rows: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str, Action | str]]:
        """Yield each row with its action, or with the parse error if a later line corrects the row.

        Raises UnreadableLine for the first row that can never be read.
        """
        for number, row in rows:
            action = self._read(row)
            if not isinstance(action, NotationError):
                yield number, row, action
                continue
            if not isinstance(action, Unsaid):
                # A later line may correct it. A check is never kept in the log, so it cannot be corrected.
                is_check = Words.of(row).keyword() in {check.verb() for check in CHECKS}
                if number not in self._answered or is_check or len(self._unread) == _MOST_UNREAD:
                    raise UnreadableLine(number, action.message) from None
                self._unread.add(number)
            yield number, row, str(action)

    def __iter__(self) -> Iterator[PlayedLine]:
        # Played lines are dropped here; only the log keeps them.
        while self._actions:
            yield self._play(*self._actions.popleft())
        if (stopped := self.session.stopping_point) is not None:
            number = self._lines[bisect_left(self._ends, stopped.line.number)]
            raise (UnreadableLine if number in self._unread else IllegalLine)(number, stopped.why)

    def _read(self, row: str) -> Action | NotationError:
        """Return the action of a row, or the error in it."""
        try:
            action = self.session.notation.parse(row)
        except NotationError as error:
            return error
        if isinstance(action, Expect) and not action.values and action.counter != "gone":
            return NotationError(phrase("VALUE is missing. Write: expect TARGET COUNTER VALUE, or: expect THING gone."))
        return action

    def _play(self, number: int, row: str, read: Action | str) -> PlayedLine:
        """Play one line. Raises IllegalLine. A failed check is reported, so that later checks run, too.

        A line that leaves open what a card says is parsed again: by now the table knows the card, or never will.
        """
        action: Action | NotationError = self._read(row) if isinstance(read, str) or leaves_open(read) else read
        if isinstance(action, Unsaid) and number not in self._answered:
            raise UnreadableLine(number, action.message)
        try:
            if isinstance(action, Expect):
                return PlayedLine(number, row, failure=self._unmet(action))
            if isinstance(action, Refuse):
                return PlayedLine(number, row, failure=self._refuse_failure(action.action))
            tells = self._play_action(number, row, action)
        except RuleError as error:
            raise IllegalLine(number, error.message) from None
        except NotationError as error:
            raise UnreadableLine(number, error.message) from None
        self._lines.append(number)
        self._ends.append(len(self.session.log.lines))
        return PlayedLine(number, row, tells)

    def _play_action(self, number: int, row: str, action: Action | NotationError) -> tuple[Tell, ...]:
        """Return the messages of a line.

        A refused line is kept if a later line corrects it; otherwise raises RuleError.
        """
        if isinstance(action, NotationError):
            return self.session.leave(row)
        if isinstance(action, OpenTable):
            raise RuleError(phrase("A file is one game; `table` is its first line and appears nowhere else."))
        counted = self._by_log_number(action)
        try:
            return self.session.do(counted)
        except (NotationError, RuleError):
            if number not in self._answered:
                raise
            return self.session.leave(self.session.notation.format(counted))

    def _unmet(self, expect: Expect) -> Text:
        """Return why a check fails, or an empty string. Raises RuleError after too many failures."""
        failure = unmet(self.session, expect)
        self._failed += bool(failure)
        if self._failed > _MOST_UNMET:
            raise RuleError(
                phrases(
                    "More than {n} check up to here do not hold.",
                    "More than {n} checks up to here do not hold.",
                    n=_MOST_UNMET,
                )
            )
        return failure

    def _refuse_failure(self, action: Action) -> Text:
        if isinstance(action, CHECKS):
            raise RuleError(
                phrase("`refuse` needs an action of the game; `{verb}` is a check itself.", verb=action.verb())
            )
        try:
            self.session.preview(self._by_log_number(action))
        except RuleError:
            return ""
        return phrase("The rules allow `{line}`.", line=self.session.notation.format(action))

    def _by_log_number(self, action: Action) -> Action:
        """Return an `amend`, `insert` or `resume-from` with its line number converted from the file's to the log's."""
        if not isinstance(action, (*REVISIONS, ResumeFrom)):
            return action
        at = bisect_left(self._lines, action.line)
        if self._lines[at : at + 1] != array("L", [action.line]):
            raise RuleError(phrase("Line {line} of this file holds no action before this one.", line=str(action.line)))
        line = self._ends[at]
        self._replayed += len(self.session.log.lines) - line
        if self._replayed > MOST_LINES:
            raise RuleError(
                phrases(
                    "The corrections up to here replay more than {n} line.",
                    "The corrections up to here replay more than {n} lines.",
                    n=MOST_LINES,
                )
            )
        return msgspec.structs.replace(action, line=line)


def _game_of(first: str, folder: Path | None) -> Game:
    """Return the game named in the first line of a file: a page by its path, a page beside the file, or a known game.

    Raises NotationError.
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
    """Return the file name of a game's page, beside the file of a session."""
    return f"{game}.toml"


class _Answered(Container[int]):
    """The numbers of lines that may be refused because a later line corrects them.

    A later line amends them or an earlier line, or resumes from a line before them. This lets a file be read whose
    sitting continued under other rules.
    """

    def __init__(self, text: str) -> None:
        spans: list[tuple[int, int]] = []
        for number, row in _rows(text) if _CORRECTING.search(text) else ():
            if (correction := _CORRECTING.match(row)) is None:
                continue
            first = int(correction[2]) + (correction[1].lower() == ResumeFrom.verb())
            # The later correction covers everything in between.
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
    """Yield the lines with content and their numbers.

    Raises UnreadableLine if a line, or the number of lines, exceeds its limit.
    """
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
                raise NotationError(
                    phrases(
                        "The file has more than {n} line; no session is that long.",
                        "The file has more than {n} lines; no session is that long.",
                        n=MOST_LINES,
                    )
                )
        yield number, command


@contextmanager
def _reading(number: int) -> Iterator[None]:
    try:
        yield
    except NotationError as error:
        raise UnreadableLine(number, error.message) from None


def read_table_file(file: Path) -> str:
    """Return the text of a `.table` file. Raises NotationError if it is not UTF-8 text or exceeds `MOST_BYTES`."""
    with file.open("rb") as opened:
        return decode_table_text(opened, f"“{file}”")


def decode_table_text(opened: BinaryIO, name: Text) -> str:
    """Return the text of an open `.table` file; `name` begins the error messages.

    Reads at most `MOST_BYTES` + 1 bytes, so that a file of any size is refused at once. Raises NotationError.
    """
    content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise NotationError(
            phrase(
                "{file} has more than {megabytes} MB; no session is that long.",
                file=name,
                megabytes=MOST_BYTES // 1_000_000,
            )
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotationError(phrase("{file} is not UTF-8 text, as the file of a session must be.", file=name)) from None


def _says_something(row: str) -> bool:
    as_line(row)
    return ('"' not in row and row[0] != "#") or bool(Words.of(row))


class _Counted(Protocol):
    """An object with counters: a session, or a view of its table."""

    def counters_of(self, target: str) -> tuple[Counter, ...] | None: ...

    def targets(self) -> tuple[str, ...]: ...


def unmet(table: _Counted, expect: Expect) -> Text:
    """Return why an expectation fails on a table, or an empty string if it holds."""
    counters = table.counters_of(expect.target)
    if expect.counter == "gone" and not expect.values:
        return "" if counters is None else phrase("{thing} is still there.", thing=expect.target)
    if counters is None:
        return phrase(
            "There is no {thing} on the table; there are {things}.",
            thing=in_quotes(expect.target),
            things=listed(table.targets()),
        )
    counter = next((counter for counter in counters if counter.name == expect.counter), None)
    if counter is None:
        return phrase(
            "{thing} has no counter {counter}; it has {counters}.",
            thing=expect.target,
            counter=in_quotes(expect.counter),
            counters=listed(counter.name for counter in counters),
        )
    if _same(counter, expect.values):
        return ""
    wanted = quote_text(" ".join(expect.values) or "none")[1:-1]
    # Translators: A check in a file fails; the other words are notation: “wolf life is 3, expected 4.”
    return phrase(
        "{thing} {counter} is {value}, expected {wanted}.",
        thing=expect.target,
        counter=expect.counter,
        value=counter.text,
        wanted=wanted,
    )


def _same(counter: Counter, words: tuple[str, ...]) -> bool:
    """Return True if the value of a counter equals the words.

    Numbers are compared as numbers (`020` is 20, as `set` reads it). Lists are compared as sets, regardless of order
    and repetition, unless their order matters. So are the seats that share a win: `ana+ben` is `ben ana`.
    """
    if isinstance(counter.value, str) and _TOGETHER in counter.value:
        sharing = {_canonical(word) for each in words for word in each.split(_TOGETHER)}
        return sharing == set(map(_canonical, counter.value.split(_TOGETHER)))
    expected = tuple(map(_canonical, words or ("none",)))
    if not isinstance(counter.value, tuple):
        return expected == (_canonical(counter.text),) or (len(expected) == 1 and expected[0] in counter.same_as)
    held = tuple(map(_canonical, counter.value))
    expected = () if expected == ("none",) else expected
    return expected == held if counter.ordered else set(expected) == set(held)


def _canonical(word: str) -> str:
    """Return a card in its canonical spelling, a number without leading zeros, or any other word in lower case."""
    if _NUMBER.fullmatch(word):
        return _NUMBER.sub(r"\1\2", word)
    try:
        return read_card(word)
    except NotationError:
        return word.lower()


def as_json(session: Session) -> dict[str, Any]:
    """Return the final state as JSON data: every counter by its name in the notation."""
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
    """Found decks as their game's form does, with their first labels applied; return their ids.

    Raises NotationError or RuleError if the form refuses an answer, and NameTaken.
    """
    form = game.decks.founding
    decks = []
    for deck_answers in answers if form else ():
        assert form is not None
        filled = form.validate_answers(
            deck_answers,
            FormContext(taken=deck_records.names_taken(archive, game.name, str(deck_answers[form.fields[0].name]))),
        )
        deck, _ = deck_records.new_deck(archive, game, filled)
        decks.append(deck)
        put_away(archive, (deck,))
    return tuple(decks)


def play(archive: Archive, text: str, title: str) -> str:
    """Play the text of a `.table` file to its end and store the session; return the session's id.

    Raises NotationError, RuleError or Unknown.
    """
    replay = Replay(text, shelf=archive_journal.ArchiveShelf(archive))
    for line in replay:
        if line.failure:
            raise RuleError(_in_line(line.number, line.failure))
    return archive_journal.keep(archive, replay.session, title)


def put_away(archive: Archive, decks: Iterable[str]) -> None:
    """Mark all manual chores of these decks as done."""
    for deck in decks:
        if deck_records.chores(archive, deck):
            deck_records.tick(archive, deck, ("all",))
