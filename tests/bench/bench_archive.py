"""How a league's archive behaves: 20,000 decks with 1,000,000 entries, or as many decks as DECKS says.

Commands are whole processes, from their start to their end. Seconds are those of the processor, the least of several
turns: what the machine does besides is not counted. Only what stands on a screen is timed by the clock.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from companion.archive import Archive, maintenance
from companion.tui.screens.decks.deck import look_up
from tests.bench import league
from tests.bench.figures import Figure
from tests.terminal import Terminal

DECKS = 20_000
ENTRIES_A_DECK = 50
FEW = 100
TURNS = 5
COMMAND = (sys.executable, "-m", "companion.cli")
SEARCHED = ("orc", "jorlin mor", "zzz")
"""Parts of names: of many, of few, of none."""


def figures() -> list[Figure]:
    """Commands, the first screen, a deck, a search, copies and the check."""
    decks = int(os.environ.get("DECKS") or DECKS)
    with tempfile.TemporaryDirectory() as folder:
        place, small = (str(Path(folder, name)) for name in ("archive.sqlite", "few.sqlite"))
        with Archive.open(place, by="bench") as archive, Archive.open(small, by="bench") as few:
            founded, entries = league.write(archive, decks, decks * ENTRIES_A_DECK)
            league.write(few, FEW, FEW * ENTRIES_A_DECK)
            print(f"a league of {founded:,} decks with {entries:,} entries", file=sys.stderr, flush=True)
            return [
                *_commands(archive, place),
                _home(place, founded),
                _deck(archive, few),
                _searches(archive),
                *_copies(archive, Path(folder), entries),
                Figure("archive check", _quickest(place, 1, "archive", "check"), "s", budget=5e-6 * entries),
            ]


def _commands(archive: Archive, place: str) -> list[Figure]:
    """Seconds; a page is what a terminal shows."""
    page, row = ("--page", "1"), next(row for row in archive.page_of_decks().rows if row.person)
    return [
        Figure("deck chores, a page", _quickest(place, TURNS, "deck", "chores", *page), "s", budget=0.5),
        Figure("deck chores, all of them", _quickest(place, TURNS, "deck", "chores"), "s", budget=0.5),
        Figure("wizard show", _quickest(place, TURNS, "wizard", "show", row.person), "s", budget=0.5),
        Figure("deck list, a page", _quickest(place, TURNS, "deck", "list", *page), "s", budget=0.6),
        Figure("deck list, all of it", _quickest(place, TURNS, "deck", "list"), "s"),
        Figure(
            "deck show, which is next to nothing but its start", _quickest(place, TURNS, "deck", "show", row.deck), "s"
        ),
    ]


def _quickest(place: str, turns: int, *arguments: str) -> float:
    """Seconds that a command takes at the least."""
    command = [*COMMAND, *arguments, "--archive", place]
    return _least(lambda: subprocess.run(command, check=True, capture_output=True), turns)


def _least(done: Callable[[], object], turns: int) -> float:
    taken = []
    for _ in range(turns):
        begun = _spent()
        done()
        taken.append(_spent() - begun)
    return min(taken)


def _spent() -> float:
    """Seconds of the processor that went into this process and those that it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _home(place: str, decks: int) -> Figure:
    """Seconds from the start of the process until both lists are on the screen."""
    taken = []
    for _ in range(TURNS):
        with Terminal((*COMMAND, "--archive", place)) as terminal:
            taken.append(terminal.until(f"of {decks:,}") - terminal.started)
    return Figure("home with its lists, from the start", min(taken), "s", budget=0.5)


def _deck(archive: Archive, few: Archive) -> Figure:
    """Milliseconds until all that a deck's page tells is there, of decks whose stories are equally long."""
    usual = statistics.mode(row.length for row in few.decks())
    ids, others = ([row.deck for row in each.decks() if row.length == usual] for each in (few, archive))
    spread = others[:: len(others) // len(ids)][: len(ids)]
    many, some = _look_up(archive, spread), _look_up(few, ids)
    return Figure("opening a deck, beside the same among 100", many, "ms", some, budget=1.5)


def _look_up(archive: Archive, decks: Sequence[str]) -> float:
    return _least(lambda: [look_up(archive, deck) for deck in decks], TURNS) / len(decks) * 1e3


def _searches(archive: Archive) -> Figure:
    """Milliseconds for the slowest of several searches."""
    slowest = max(_least(partial(archive.page_of_decks, text), TURNS) for text in SEARCHED)
    return Figure("search by any part of a name", slowest * 1e3, "ms", budget=50)


def _copies(archive: Archive, folder: Path, entries: int) -> list[Figure]:
    """Entries a second."""
    backup = _least(lambda: maintenance.backup(archive, folder / "backup.sqlite"), 1)
    with Archive.open(str(folder / "copy.sqlite"), by="bench") as other:
        copy = _least(lambda: maintenance.copy_archive(archive, other), 1)
    return [
        Figure("backup", entries / backup, "/s", budget=100_000, at_least=True),
        Figure("copy into another archive", entries / copy, "/s", budget=100_000, at_least=True),
    ]
