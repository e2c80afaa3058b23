"""Evenings of three homes on a shared folder whose synchronization does what it should not: `python -m … 500`.

Each storm is a seed. Homes write, synchronize, are killed in the middle, and have clocks that are wrong. What one wrote
arrives late, out of order, half, twice or not at all, until at the end everything is delivered. Then every entry must
be in every home, once.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

import click

import tests.archive.keepsake  # noqa: F401
from companion.archive import ArchiveError, StoredLine, maintenance
from companion.archive.people import leagues, people
from companion.archive.sharing.local_state import state_file
from companion.archive.sharing.sharing import Synchronizer
from companion.archive.sharing.story_import import Decisions
from companion.archive.storage.entries import LeagueCreated, PlayerJoined, Scoring
from companion.games.decknforge.decks import marks as m
from companion.tabletop.records import Payment, Tagged
from tests.archive import bands
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import SharedHome, own_names, settle

NAMES: Final = ("ana", "ben", "host")
_BASE: Final = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)
_COPIES: Final = (" (ana's conflicted copy 2026-03-14)", ".sync-conflict-20260314-101010-ABCDEFG", " (1)", "-ANA-PC")
_REFERRING: Final = ("corrected", "done", "opened")
Identity = tuple[str, ...]


class WrongClock:
    """A clock that is off by years, stands still, and is set back."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._now = _BASE + timedelta(days=rng.choice((-9000, -1, 0, 0, 1, 4000)))

    def __call__(self) -> datetime:
        match self._rng.randrange(12):
            case 0:
                self._now -= timedelta(hours=self._rng.randrange(100))
            case 1 | 2:
                pass
            case _:
                self._now += timedelta(seconds=self._rng.random() * 100)
        return self._now


class Network:
    """What carries files between the homes' views of the folder."""

    def __init__(self, homes: list[SharedHome], rng: Random) -> None:
        self._homes, self._rng = homes, rng
        self._versions: dict[str, list[bytes]] = defaultdict(list)

    def blow(self) -> None:
        """Do something to one file in one view."""
        home = self._rng.choice(self._homes)
        others = [other for other in self._homes if other is not home]
        names = sorted(own_names(home)) if home.files.is_dir() else []
        names = [name for name in names if (home.files / name).exists()]
        if not names:
            return
        name = self._rng.choice(names)
        self._versions[name].append((home.files / name).read_bytes())
        target = self._rng.choice(others)
        if not target.files.is_dir():
            return
        there = target.files / name
        kinds = [
            self._deliver,
            self._cut,
            self._go_back,
            self._delay,
            self._copy,
            self._litter,
            self._lose,
            self._revert,
        ]
        act = self._rng.choices([*kinds, self._flip], [5, 2, 1, 1, 1, 1, 1, 1, 1])[0]
        act(home.files / name, there)

    def _deliver(self, here: Path, there: Path) -> None:
        shutil.copyfile(here, there)

    def _cut(self, here: Path, there: Path) -> None:
        content = here.read_bytes()
        there.write_bytes(content[: self._rng.randrange(len(content) + 1)])

    def _go_back(self, here: Path, there: Path) -> None:
        there.write_bytes(self._rng.choice(self._versions[here.name]))

    def _delay(self, _: Path, there: Path) -> None:
        there.unlink(missing_ok=True)

    def _copy(self, here: Path, there: Path) -> None:
        """Two versions of a file, one of them under another name, as after a conflict."""
        there.with_name(f"{there.stem}{self._rng.choice(_COPIES)}.shared").write_bytes(
            self._rng.choice(self._versions[here.name])
        )

    def _litter(self, here: Path, there: Path) -> None:
        there.with_name(f".syncthing.{here.name}.tmp").write_bytes(here.read_bytes()[:100])
        there.with_name("holiday.shared").write_bytes(self._rng.randbytes(300))

    def _lose(self, here: Path, _: Path) -> None:
        """A file is lost everywhere."""
        for home in self._homes:
            with contextlib.suppress(OSError):
                (home.files / here.name).unlink()

    def _revert(self, here: Path, _: Path) -> None:
        """Its own writer gets an older state back."""
        here.write_bytes(self._rng.choice(self._versions[here.name]))

    def _flip(self, here: Path, there: Path) -> None:
        content = bytearray(here.read_bytes())
        if content:
            content[self._rng.randrange(len(content))] ^= 1 << self._rng.randrange(8)
        there.write_bytes(content)


class Storm:
    """One evening, by its seed."""

    def __init__(self, root: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.homes = []
        for name in NAMES:
            home = SharedHome(root, name)
            home.archive.now = WrongClock(Random(f"{seed} {name}"))
            home.share()
            self.homes.append(home)
        self.network = Network(self.homes, self.rng)
        self._actions: list[tuple[int, Callable[[SharedHome], None]]] = [
            (3, self._begin_session),
            (8, self._play_on),
            (2, self._seal),
            (2, self._found_deck),
            (3, self._mark),
            (3, self._tag),
            (2, self._add_person),
            (2, self._rename),
            (1, self._merge),
            (1, self._league),
            (10, self._sync),
            (2, self._sync_anew),
            (2, self._sync_killed),
            (1, self._move_folder),
            (14, lambda _: self.network.blow()),
        ]

    def run(self, steps: int = 120) -> None:
        """Let the evening pass."""
        weights = [weight for weight, _ in self._actions]
        for _ in range(steps):
            ((_, act),) = self.rng.choices(self._actions, weights)
            home = self.rng.choice(self.homes)
            with contextlib.suppress(ArchiveError):
                act(home)

    # What people do

    def _begin_session(self, home: SharedHome) -> None:
        session = home.archive.new_session("keepsake", f"Table {self.rng.randrange(1000)}")
        home.archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])

    def _play_on(self, home: SharedHome) -> None:
        if rows := [row for row in home.archive.sessions() if not row.sealed]:
            row = self.rng.choice(rows)
            lines = [StoredLine(f"note '{self._word()}'", row.length) for _ in range(self.rng.randint(1, 3))]
            home.archive.append_lines(row.session, row.length, lines)

    def _seal(self, home: SharedHome) -> None:
        rows, decks = [row for row in home.archive.sessions() if not row.sealed], self._decks(home)
        if rows and decks:
            row, deck = self.rng.choice(rows), self.rng.choice(decks)
            paid = [Payment(person.name, self.rng.randint(1, 9), "") for person in people.with_ids(home.archive)[:1]]
            home.archive.seal(row.session, row.length, [StoredLine("seal", row.length)], {deck: [Played(2)]}, paid)

    def _found_deck(self, home: SharedHome) -> None:
        if self.rng.random() < 0.2:
            bands.found_band(home.archive, f"Band {self._word()}")
        else:
            home.archive.found_deck("keepsake", [Founded(f"Deck {self._word()}", "Ana")])

    def _decks(self, home: SharedHome) -> list[str]:
        return [row.deck for row in home.archive.decks() if row.game == "keepsake"]

    def _mark(self, home: SharedHome) -> None:
        if rows := home.archive.decks():
            row = self.rng.choice(rows)
            number = self.rng.randint(1, 9)
            mark = Played(number) if row.game == "keepsake" else m.DungeonPlayed("Ana", "win", 6, number)
            home.archive.mark(row.deck, row.length, [mark])

    def _tag(self, home: SharedHome) -> None:
        if rows := home.archive.decks():
            row = self.rng.choice(rows)
            home.archive.mark(row.deck, row.length, [Tagged((self.rng.choice("abcd"),))])

    def _add_person(self, home: SharedHome) -> None:
        people.add_person(home.archive, f"Guest {self._word()}")

    def _rename(self, home: SharedHome) -> None:
        if some := people.with_ids(home.archive):
            people.rename_person(home.archive, self.rng.choice(some).person, f"Guest {self._word()}")

    def _merge(self, home: SharedHome) -> None:
        some = people.with_ids(home.archive)
        if len(some) > 1:
            one, other = self.rng.sample(some, 2)
            people.merge_people(home.archive, one.person, other.person)

    def _league(self, home: SharedHome) -> None:
        rows = leagues.leagues(home.archive)
        if rows and self.rng.random() < 0.8:
            row = self.rng.choice(rows)
            person = leagues.ensure_person(home.archive, f"Guest {self._word()}")
            leagues.append_events(home.archive, row.league, row.length, [PlayerJoined(person)])
        else:
            created = LeagueCreated(f"League {self._word()}", "swiss", Scoring(), 1, ())
            leagues.create_league(home.archive, created, [f"Guest {self._word()}"])

    def _word(self) -> str:
        return f"{self.rng.randrange(10**9):09}"

    # What programs do

    def _sync(self, home: SharedHome) -> None:
        home.sync()

    def _sync_anew(self, home: SharedHome) -> None:
        """A pass by a program that has just begun."""
        home.synchronizer = Synchronizer(home.archive)
        home.sync()

    def _sync_killed(self, home: SharedHome) -> None:
        """A pass whose notes are lost, as the program was killed before it kept them."""
        notes = state_file(home.file)
        before = notes.read_bytes()
        home.sync()
        notes.write_bytes(before)

    def _move_folder(self, home: SharedHome) -> None:
        """The stick is taken out, or put in again; sometimes its empty folder stays."""
        away = home.root / "away"
        if away.exists():
            shutil.rmtree(home.folder, ignore_errors=True)
            away.rename(home.folder)
        else:
            home.folder.rename(away)
            if self.rng.random() < 0.5:
                home.folder.mkdir()

    # The end

    def calm(self) -> None:
        """Deliver everything, and decide what waits for a decision."""
        for home in self.homes:
            if (home.root / "away").exists():
                self._move_folder(home)
        settle(*self.homes, rounds=5)
        for _ in range(10):
            undecided = [home for home in self.homes if home.waiting]
            if not undecided:
                return
            undecided[0].sync(Decisions("mine", reverse=True))
            settle(*self.homes, rounds=3)

    def faults(self) -> Iterator[str]:
        """Yield what is lost, doubled, or different."""
        expected = Counter[Identity]()
        for home in self.homes:
            expected |= _written_by(home)
        for home in self.homes:
            if home.waiting:
                yield f"{home.name} still waits: {sorted(home.waiting)}"
            yield from (f"{home.name}: {fault}" for fault in maintenance.check_archive(home.archive))
            yield from _compare(home, expected)
        first, *others = (_by_stream(home) for home in self.homes)
        for other in others:
            for stream in first.keys() | other.keys():
                if not stream.startswith("session:") and first.get(stream) != other.get(stream):
                    yield f"{stream} differs between homes"
        if len({_in_order(home) for home in self.homes}) > 1:
            yield "people or leagues have another order in another home"

    def written(self) -> Counter[Identity]:
        """Return what each home has written itself."""
        expected = Counter[Identity]()
        for home in self.homes:
            expected |= _written_by(home)
        return expected


def _rows(home: SharedHome) -> list[tuple[str, int, str, str, str, str, str]]:
    with contextlib.closing(sqlite3.connect(home.file)) as opened:
        query = 'SELECT stream, seq, at, "by", kind, body, session FROM entries ORDER BY stream, seq'
        return opened.execute(query).fetchall()


def _identify(row: tuple[str, int, str, str, str, str, str]) -> Identity:
    stream, _, at, by, kind, body, session = row
    name = "session" if stream.startswith("session:") else stream
    return name, at, by, kind, "" if kind in _REFERRING else body, session


def _written_by(home: SharedHome) -> Counter[Identity]:
    """What a home wrote; of logs, the most that any one of them has."""
    counted: Counter[Identity] = Counter()
    for stream in _by_stream(home).values():
        counted |= Counter({key: count for key, count in stream.items() if key[2] == home.archive.by})
    return counted


def _in_order(home: SharedHome) -> tuple[Identity, ...]:
    """The streams that are merged into one order, which is to be the same in all homes."""
    return tuple(_identify(row) for row in _rows(home) if row[0].startswith(("person:", "league:")))


def _by_stream(home: SharedHome) -> dict[str, Counter[Identity]]:
    streams: dict[str, Counter[Identity]] = defaultdict(Counter)
    for row in _rows(home):
        streams[row[0]][_identify(row)] += 1
    return streams


def _compare(home: SharedHome, expected: Counter[Identity]) -> Iterator[str]:
    here: Counter[Identity] = Counter()
    for stream in _by_stream(home).values():
        here |= stream
    for key, count in expected.items():
        if here[key] != count:
            yield f"{home.name} has {here[key]} of {count}: {key}"


def blow(seed: int) -> list[str]:
    """Let one storm blow, and return what it broke."""
    with tempfile.TemporaryDirectory(prefix="storm-", ignore_cleanup_errors=True) as root:
        storm = Storm(Path(root), seed)
        try:
            storm.run()
            before = storm.written()
            storm.calm()
            lost = [f"its writer lost {key}" for key, count in before.items() if storm.written()[key] < count]
            return [*lost, *storm.faults()]
        finally:
            for home in storm.homes:
                home.close()


@click.command()
@click.argument("count", type=int, default=500)
@click.option("--first", type=int, default=0, help="The seed of the first storm.")
@click.option("--jobs", type=int, default=os.cpu_count() or 1, help="How many blow at once.")
def main(count: int, first: int, jobs: int) -> None:
    """COUNT storms; ends with 1 if one broke something."""
    broken = 0
    seeds = range(first, first + count)
    with ProcessPoolExecutor(jobs) as pool:
        for seed, faults in zip(seeds, pool.map(blow, seeds), strict=True):
            broken += bool(faults)
            for fault in faults[:5]:
                click.echo(f"storm {seed}: {fault}")
    click.echo(f"{count} storms on a shared folder: {broken} broke something")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
