"""Storms over a server: packets that are swallowed, commits whose end nobody hears, lines that are cut.

The evening is played here and not in a process of its own: nothing kills it, and the wire to the server is a thread.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

from companion.archive import Archive, ArchiveError, StoredLine
from companion.archive import store as stores
from companion.archive.maintenance import check_archive
from companion.archive.storage import postgresql
from companion.tabletop.records import Mark
from tests.archive import postgres
from tests.archive.keepsake import Founded, Played
from tests.crash.invariants import is_sentence

_STEPS: Final = 6
_TRIES: Final = 8
"""How often somebody enters the same line again."""
_PATIENCE: Final = 2.0
"""Seconds instead of ten after which a server that says nothing is given up, so that storms are over soon."""
_MAX_SECONDS: Final = 3.0
"""Seconds that a server stays away at most."""
_TEMPLATE: Final = "calm"


def stalled_server(_: Path, number: int, chance: Random) -> Iterator[str]:
    """An evening at a server that stalls, forgets connections or is cut off: each line stands there once."""
    server, database = _server(), f"storm{number}"
    server.sql(f"CREATE DATABASE {database} TEMPLATE {_TEMPLATE}")
    with _impatient(), postgres.wire(server, database) as wire:
        sitting = _Sitting(wire, chance)
        try:
            sitting.play()
        finally:
            wire.come_back()
    yield from (f"not one sentence: {sentence!r}" for sentence in sitting.refused if not is_sentence(sentence))
    with Archive.open(server.url(database)) as archive:
        yield from sitting.missing(archive)
        yield from (str(fault.text) for fault in check_archive(archive))
    server.sql(f"DROP DATABASE {database} WITH (FORCE)")


@cache
def _server() -> postgres.Server:
    """The server of this process, for as long as it lasts; databases are made from one that is empty."""
    running = contextlib.ExitStack()
    server = running.enter_context(postgres.running())
    atexit.register(running.close)
    server.sql(f"CREATE DATABASE {_TEMPLATE}")
    Archive.open(server.url(_TEMPLATE)).close()
    return server


@contextlib.contextmanager
def _impatient() -> Iterator[None]:
    waits = (
        (stores, "BUSY_SECONDS", _PATIENCE),
        (postgresql, "SILENCE_SECONDS", _PATIENCE / 2),
        (postgresql, "PING_SECONDS", _PATIENCE / 4),
    )
    before = [getattr(module, name) for module, name, _ in waits]
    for module, name, seconds in waits:
        setattr(module, name, seconds)
    try:
        yield
    finally:
        for (module, name, _), seconds in zip(waits, before, strict=True):
            setattr(module, name, seconds)


class _Sitting:
    """Somebody who enters the same again until it is kept, as a line stays typed that was refused."""

    def __init__(self, wire: postgres.Wire, chance: Random) -> None:
        self.wire = wire
        self.chance = chance
        self.refused: list[str] = []
        self.lines: list[str] = []
        self.marks: list[Mark] = []
        self._entered: list[str] = []
        self._marked: list[Mark] = []
        self._back = threading.Timer(0, wire.come_back)

    def play(self) -> None:
        """Opens the archive, plays, and closes it; ends where something was refused again and again."""
        with Archive.open(self.wire.url) as self.archive:
            self.session = self.archive.new_session("keepsake")
            self.deck = self.archive.found_deck("keepsake", [Founded("Grave Choir")])
            self.marks = [*self.archive.marks(self.deck)]
            steps = [self.chance.choice([self._append, self._append, self._mark]) for _ in range(_STEPS)]
            for number, step in enumerate([*steps, self._seal]):
                self._strike()
                if not self._until_it_works(step(number)):
                    break
            self._back.cancel()
            self.wire.come_back()

    def missing(self, archive: Archive) -> Iterator[str]:
        """What was acknowledged and is not there, or is there twice; what nobody knows yet may be there once."""
        for name, there, kept, perhaps in (
            ("lines", [line.line for line in archive.lines(self.session)], self.lines, self._entered),
            ("marks", [*archive.marks(self.deck)], self.marks, self._marked),
        ):
            if there not in (kept, [*kept, *perhaps]):
                yield f"the {name} are {there}, acknowledged were {kept}, and perhaps {perhaps}"

    def _append(self, number: int) -> Callable[[], object]:
        lines = [StoredLine(f"note {number}.{part}", number + 1) for part in range(self.chance.randint(1, 3))]
        self._entered = [line.line for line in lines]
        return partial(self.archive.append_lines, self.session, 1 + len(self.lines), lines)

    def _mark(self, number: int) -> Callable[[], object]:
        self._marked = [Played(100 + number)]
        return partial(self.archive.mark, self.deck, len(self.marks), self._marked)

    def _seal(self, number: int) -> Callable[[], object]:
        self._entered, self._marked = ["note sealed"], [Played(100 + number)]
        lines, marks = [StoredLine("note sealed", number)], {self.deck: self._marked}
        return partial(self.archive.seal, self.session, 1 + len(self.lines), lines, marks)

    def _strike(self) -> None:
        """What the line does in the next step, or at some moment of it."""
        wire, reached = self.wire, self.chance.random() < 0.5
        weather: list[Callable[[], object]] = [
            lambda: None,
            wire.stall,
            threading.Timer(self.chance.uniform(0, 0.03), wire.stall).start,
            wire.lose,
            lambda: wire.stall_at_commit(reached=reached),
            lambda: wire.cut_at_commit(reached=reached, stay_away=self.chance.random() < 0.5),
        ]
        self.chance.choice(weather)()

    def _until_it_works(self, step: Callable[[], object]) -> bool:
        for _ in range(_TRIES):
            if not self._back.is_alive():
                self._back = threading.Timer(self.chance.uniform(0.1, _MAX_SECONDS), self.wire.come_back)
                self._back.start()
            try:
                step()
            except ArchiveError as error:
                self.refused.append(str(error))
            else:
                self.lines += self._entered
                self.marks += self._marked
                self._entered, self._marked = [], []
                return True
        return False
