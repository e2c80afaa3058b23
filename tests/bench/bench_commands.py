"""How quickly commands that only read answer, beside the time that importing the database's library takes alone."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.archive import Archive
from companion.archive.people import people
from companion.session.core import archive_journal
from tests.archive import bands
from tests.bench.bench_rules import DUNGEON, played
from tests.bench.figures import AS_PEOPLE_HAVE_IT, Figure

DECKS = 100
EVENINGS = 5
TURNS = 9
BUDGET = 1.2
LIBRARY = (sys.executable, "-c", "import sqlalchemy")
COMMANDS = (
    "deck list",
    "deck show band-7",
    "deck history band-7",
    "deck chores band-7",
    "deck picking band-7",
    "deck tag band-7",
    "session list",
    "session show",
    "people list",
    "people show wizard-7",
    "labels sheets",
    "labels printers",
    "archive info",
)


def figures() -> list[Figure]:
    """Milliseconds from the start of the process to its end, for an archive of 100 decks."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "archive.sqlite"))
        _fill(place)
        commands = [
            (sys.executable, "-m", "companion.cli", *command.split(), "--archive", place) for command in COMMANDS
        ]
        base, *taken = quickest([LIBRARY, *commands])
    names = (f"companion {command}, {DECKS} decks" for command in COMMANDS)
    return [Figure(what, ours, "ms", base, budget=BUDGET) for what, ours in zip(names, taken, strict=True)]


def _fill(place: str) -> None:
    with Archive.open(place, by="bench") as archive:
        for number in range(DECKS):
            bands.found_band(archive, f"band-{number}", f"wizard-{number % 20}")
        for number in range(20):
            people.add_person(archive, f"wizard-{number}")
        for _ in range(EVENINGS):
            archive_journal.keep(archive, played(DUNGEON.read_text(encoding="utf-8")), "dungeon")


def quickest(commands: Iterable[Sequence[str]]) -> list[float]:
    """Milliseconds of the quickest run of each: they take turns, and what delays one is the rest of the machine."""
    taken = {tuple(command): float("inf") for command in commands}
    environment = os.environ | AS_PEOPLE_HAVE_IT
    for _ in range(TURNS):
        for command in taken:
            started = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True, env=environment)
            taken[command] = min(taken[command], (time.perf_counter() - started) * 1e3)
    return list(taken.values())
