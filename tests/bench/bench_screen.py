"""How quickly the app is there, how quickly it answers a key and what it holds in memory, beside a bare Textual app."""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.bench.bare_app import PAINTED
from tests.bench.bench_rules import DUNGEON, LONG, evening, played
from tests.bench.emulated import EmulatedTerminal, Moment
from tests.bench.figures import AS_PEOPLE_HAVE_IT, Figure
from tests.bench.static_app import TEXT
from tests.terminal import Terminal

STARTS = 11
KEYS = 200
BARE = (sys.executable, "-m", "tests.bench.bare_app")
STATIC = (sys.executable, "-m", "tests.bench.static_app")
OURS = (str(Path(sys.executable).with_name("companion")),)
# What shows that home, or the table, is painted.
HOME, TABLE = "Tables", "Undo"
NEWEST_TABLE, SEAT = "dungeon", "Ana"
FIRST_SEAT = "\x1b[C"
ENTER = "\r"
QUIET = 1.0
"""Seconds without a change after which everything is loaded that is loaded ahead."""


def figures() -> list[Figure]:
    """Start, key to screen, memory."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "archive.sqlite"))
        with Archive.open(place) as archive:
            crowded = archive_journal.keep(archive, played(evening(LONG)), "crowded")
            dungeon = archive_journal.keep(archive, played(DUNGEON.read_text(encoding="utf-8")), "dungeon")
        return [*_start(place, dungeon), *_keys_to_screen(place, crowded), *_memory(place, dungeon)]


def _start(place: str, dungeon: str) -> Iterator[Figure]:
    """From the start of the process until the table played last stands in home's list, or a seat's name at the table
    that is gone on with, on a terminal's screen.

    All apps start by turns, so that whatever else the machine does delays all of them alike; the median counts.
    """
    programs = {
        "bare": (STATIC, TEXT),
        "home": ((*OURS, "--archive", place), NEWEST_TABLE),
        "a table": ((*OURS, "play", dungeon, "--archive", place), SEAT),
        "home in German": ((*OURS, "--language", "de", "--archive", place), NEWEST_TABLE),
    }
    taken: dict[str, list[Moment]] = {name: [] for name in programs}
    for _ in range(STARTS):
        for name, (command, text) in programs.items():
            with EmulatedTerminal(command, AS_PEOPLE_HAVE_IT) as terminal:
                taken[name].append(terminal.until_displayed(text))
    bare, home, table, german = (
        Moment(*map(statistics.median, zip(*moments, strict=True))) for moments in taken.values()
    )
    starts = (
        (f"start to home, {NEWEST_TABLE} in its list", home, bare, 1.15),
        ("start to a table, a seat's name", table, bare, 1.5),
        ("start to home in German, beside English", german, home, 1.06),
    )
    for what, moment, base, budget in starts:
        yield Figure(what, moment.wall, "ms", base.wall, budget)
        if base.cpu:
            yield Figure(f"{what}: computing", moment.cpu, "ms", base.cpu, budget)


def _keys_to_screen(place: str, session: str) -> list[Figure]:
    """Milliseconds from a key to the screen that shows what it did (p95).

    Two windows are at one table: that in which figures are counted follows each line that the other one writes.
    """
    table = (*OURS, "play", session, "--archive", place)
    with Terminal((*BARE, str(LONG))) as plain, Terminal(table) as counting, Terminal(table) as undoing:
        plain.until(PAINTED)
        counting.until(TABLE)
        undoing.until(TABLE)
        counting.press(FIRST_SEAT)
        bare, counted, kept = _keys(
            (plain, lambda n: ("-", f"changed {n:05}")),
            (counting, lambda n: ("+", f"HP +{n}?")),
            (undoing, lambda n: ("\x1a", "Taken back") if n % 2 else ("\x19", "Done again")),
        )
    crowd = f"5 wizards, log of {LONG:,} (p95)"
    return [
        Figure(f"key to screen: one HP more, {crowd}", counted, "ms", bare, budget=1.25),
        Figure(f"key to screen: undo or redo, on disk, {crowd}", kept, "ms", bare, budget=1.25),
    ]


def _keys(*programs: tuple[Terminal, Callable[[int], tuple[str, str]]]) -> list[float]:
    """For each program the milliseconds within which 95 of 100 keys have their effect on its screen.

    The programs take turns, so that whatever else the machine does disturbs all of them alike.
    """
    for terminal, _ in programs:
        terminal.settle()
    pauses = random.Random(1)
    taken: list[list[float]] = [[] for _ in programs]
    for number in range(1, KEYS + 1):
        for (terminal, key), times in zip(programs, taken, strict=True):
            # People do not type in step with the screen's refresh.
            time.sleep(pauses.uniform(0.01, 0.04))
            pressed, effect = key(number)
            typed = terminal.press(pressed)
            times.append((terminal.until(effect) - typed) * 1e3)
    return [statistics.quantiles(times, n=20)[-1] for times in taken]


def _memory(place: str, dungeon: str) -> list[Figure]:
    """What the program holds at a table: gone to at once, and from home, where what other keys need was loaded."""
    with Terminal((*OURS, "play", dungeon, "--archive", place)) as terminal:
        terminal.until(TABLE)
        terminal.settle()
        alone = terminal.memory()
    with Terminal((*OURS, "--archive", place)) as terminal:
        terminal.until(HOME)
        terminal.settle(QUIET)
        # Home proposes the newest table whose game goes on: the crowded one.
        terminal.press("dungeon")
        terminal.settle()
        terminal.press(ENTER)
        terminal.until(TABLE)
        terminal.settle(QUIET)
        from_home = terminal.memory()
    return [
        Figure("memory after a whole dungeon", alone, "MiB", budget=70),
        Figure("memory after home, then a whole dungeon", from_home, "MiB", budget=70),
    ]
