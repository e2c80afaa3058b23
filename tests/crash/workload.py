"""An evening at an archive in bad weather: what is written, what was acknowledged, and what became of each.

It is played in a process of its own, forked for the purpose, because the weather may end it at any call.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import BinaryIO, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, StoredLine, maintenance, salvage
from companion.archive.storage.lists import deck_stream, session_stream
from companion.tabletop.records import Payment
from tests.archive.keepsake import Founded, Played
from tests.crash.disk import Disk, Fault

STEPS = 10
"""What is written in one evening, a transaction each."""
TRIES = 6
"""How often somebody tries a step again before going home."""


class Acknowledged(msgspec.Struct, frozen=True, tag=True):
    """An entry of which the program said that it is kept: from then on it may not be missing or be another."""

    stream: str
    seq: int
    body: str


class Course(msgspec.Struct, frozen=True):
    """How an evening went: what was acknowledged and the sentences of what was refused, in their order, what broke (""
    where nothing did), and how many calls to the disk the weather could strike.

    `struck` is how much was said by steps that began before somebody else had done their deed; None where that was not
    in this evening.
    """

    events: tuple[Acknowledged | str, ...] = ()
    broke: str = ""
    calls: int = 0
    struck: int | None = None

    @property
    def kept(self) -> tuple[Acknowledged, ...]:
        """What was acknowledged."""
        return tuple(each for each in self.events if isinstance(each, Acknowledged))

    @property
    def refused(self) -> tuple[str, ...]:
        """The sentences."""
        return tuple(each for each in self.events if isinstance(each, str))

    @property
    def since(self) -> tuple[Acknowledged | str, ...]:
        """What was said from the first step on that began after the deed."""
        return () if self.struck is None else self.events[self.struck :]


class Evening:
    """Who sits at the table: writes, remembers what was acknowledged, and tries again what was refused.

    `hear` is called before each step.
    """

    archive: Archive

    def __init__(
        self, place: Path, chance: Random, say: Callable[[Acknowledged | str], None], hear: Callable[[], None]
    ) -> None:
        self.place = place
        self.chance = chance
        self.say = say
        self.hear = hear
        self.session = ""
        self.decks: list[str] = []

    def play(self) -> None:
        """Opens the archive, plays, and closes it."""
        self._until_it_works(self._open)
        if not hasattr(self, "archive"):
            return
        self._until_it_works(self._begin)
        for number in range(STEPS):
            step = self.chance.choice(self._steps())
            self._until_it_works(partial(step, number))
        self._leave()

    def _steps(self) -> list[Callable[[int], None]]:
        return [self._lines, self._lines, self._found_deck, self._mark, self._seal]

    def _leave(self) -> None:
        self._until_it_works(self.archive.close)

    def _open(self) -> None:
        self.archive = Archive.open(str(self.place), clock=partial(jumping, self.chance))

    def _until_it_works(self, step: Callable[[], None]) -> None:
        for _ in range(TRIES):
            self.hear()
            try:
                step()
            except ArchiveError as error:
                self.say(str(error))
            else:
                return

    def _begin(self) -> None:
        self.session = self.archive.new_session("keepsake", "In the storm")
        self._acknowledge(session_stream(self.session), 0)

    def _length(self, stream: str) -> int:
        return len(self.archive.entries(stream))

    def _lines(self, number: int) -> None:
        stream = session_stream(self.session)
        length = self._length(stream)
        lines = [StoredLine(f"note {number}.{part}", number + 1) for part in range(self.chance.randint(1, 3))]
        self.archive.append_lines(self.session, length, lines)
        self._acknowledge(stream, length)

    def _found_deck(self, number: int) -> None:
        # A try whose fate was unknown may have founded it: the next has a name of its own.
        name = f"Deck {number} {self.chance.getrandbits(40):x}"
        deck = self.archive.found_deck("keepsake", (Founded(name, "Ana"),), (Payment("Ana", 3, "A new deck"),))
        self.decks.append(deck)
        self._acknowledge(deck_stream(deck), 0)

    def _mark(self, number: int) -> None:
        if self.decks:
            deck = self.chance.choice(self.decks)
            length = self._length(deck_stream(deck))
            self.archive.mark(deck, length, (Played(number),))
            self._acknowledge(deck_stream(deck), length)

    def _seal(self, number: int) -> None:
        # A try whose fate was unknown may have sealed it.
        if not self.archive.find_session(self.session).sealed:
            streams = [session_stream(self.session), *map(deck_stream, self.decks)]
            lengths = [self._length(stream) for stream in streams]
            marks = {deck: (Played(number),) for deck in self.decks}
            self.archive.seal(
                self.session, lengths[0], [StoredLine("note sealed", 99)], marks, (Payment("Ben", 1, "The evening"),)
            )
            for stream, length in zip(streams, lengths, strict=True):
                self._acknowledge(stream, length)
        self._begin()

    def _acknowledge(self, stream: str, since: int) -> None:
        for entry in self.archive.entries(stream)[since:]:
            self.say(Acknowledged(stream, entry.seq, entry.body))


class CarefulEvening(Evening):
    """Who does at the end what the app does when a table is left: all of it in the one file, and a backup."""

    def _leave(self) -> None:
        self._until_it_works(self._end_evening)
        super()._leave()

    def _end_evening(self) -> None:
        maintenance.end_evening(self.archive)


class BusyEvening(CarefulEvening):
    """Who also looks after the archive while playing, and whose window may be killed instead of being closed."""

    def _steps(self) -> list[Callable[[int], None]]:
        return [*super()._steps(), self._look_after]

    def _look_after(self, number: int) -> None:
        copy = self.place.with_name(f"copy {number} {self.chance.getrandbits(40):x}.sqlite")
        looks: list[Callable[[], object]] = [
            lambda: maintenance.check_archive(self.archive),
            lambda: maintenance.backup(self.archive, copy),
            self._end_evening,
            lambda: salvage.survey(self.place),
            lambda: Archive.open(str(self.place)).close(),
        ]
        self.chance.choice(looks)()

    def _leave(self) -> None:
        if self.chance.random() < 0.5:
            os.kill(os.getpid(), signal.SIGKILL)
        super()._leave()


def play(place: Path, seed: int, fault: Fault | None = None, kind: type[Evening] = Evening) -> Course:
    """An evening at the archive `place`, to its end or to where the weather ended it."""
    return begin(place, seed, fault, kind).end()


class Begun(NamedTuple):
    """An evening that goes on in another process."""

    process: int
    pipe: int

    def end(self) -> Course:
        """Waits for its end."""
        with os.fdopen(self.pipe, "rb") as pipe:
            report = pipe.read()
        os.waitpid(self.process, 0)
        return _course([_REPORT.decode(line) for line in report.splitlines(keepends=True) if line.endswith(b"\n")])


def begin(place: Path, seed: int, fault: Fault | None = None, kind: type[Evening] = Evening) -> Begun:
    """Begins an evening at the archive `place` in a process of its own."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        with os.fdopen(writes, "wb", buffering=0) as out:
            _sit_down(place, seed, fault, out, kind)
        os._exit(0)
    os.close(writes)
    return Begun(child, reads)


class _Broke(msgspec.Struct, frozen=True, tag=True):
    """An error that is none of the archive's."""

    trace: str


class _Struck(msgspec.Struct, frozen=True, tag=True):
    """Somebody else has done their deed; what is said from here on was begun after it."""


class _Calls(msgspec.Struct, frozen=True, tag=True):
    count: int


_Report = Acknowledged | _Broke | _Calls | _Struck | str
_REPORT = msgspec.json.Decoder(_Report)


def _course(messages: list[_Report]) -> Course:
    before = messages[: messages.index(_Struck())] if _Struck() in messages else None
    return Course(
        _words(messages),
        next((each.trace for each in messages if isinstance(each, _Broke)), ""),
        next((each.count for each in messages if isinstance(each, _Calls)), 0),
        None if before is None else len(_words(before)),
    )


def _words(messages: list[_Report]) -> tuple[Acknowledged | str, ...]:
    return tuple(each for each in messages if isinstance(each, Acknowledged | str))


def _sit_down(place: Path, seed: int, fault: Fault | None, out: BinaryIO, kind: type[Evening]) -> None:
    has_said = False

    def say(what: object) -> None:
        out.write(msgspec.json.encode(what) + b"\n")

    def hear() -> None:
        nonlocal has_said
        if disk.has_struck and not has_said:
            say(_Struck())
            has_said = True

    chance = Random(seed)
    disk = Disk(fault, chance)
    try:
        kind(place, chance, say, hear).play()
    except Exception:
        say(_Broke(traceback.format_exc()))
    hear()
    say(_Calls(disk.calls))


def jumping(chance: Random) -> datetime:
    """What a clock says that is set forward and back while people play."""
    return datetime(2026, 11, 21, 20, tzinfo=UTC) + timedelta(seconds=chance.randint(-(10**7), 10**7))
