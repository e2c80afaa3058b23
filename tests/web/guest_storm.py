"""Storms of guests: python -m tests.web.guest_storm 1000 lets so many blow over a table, each with its own number.

A host at a screen and a host in plain lines, in a program of their own each as far as the archive is concerned, enter
lines all along; four honest phones tap; and of those that were let in, some flood the log, try every seat, take names
that look alike, come with a hundred wrong PINs, leave requests unfinished, or send a form again whose answer was lost.
What was acknowledged must be in the log once, in one order on all fronts, and nobody may be kept from writing.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import click

from companion.archive import Archive
from companion.archive.web_access import Phone as StoredPhone
from companion.plain.talk import Talk
from companion.session.core import archive_journal
from companion.session.table.change_listener import ChangeListener
from companion.session.table.confirmations import ActionDone
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.web.brake import LIMITS
from tests.web.serving import Host, Phone, serving

SEATS: Final = ("ana", "ben", "cy", "dora")
LINES: Final = 12
"""Lines that each of the two hosts enters in one storm."""
PAUSE: Final = 0.03
"""Seconds between two lines of somebody."""
SPARE_BYTES: Final = 800_000
"""The bytes of an archive besides what phones write in a storm of less than a minute."""
_LENGTH: Final = re.compile(r'data-length="(\d+)"')
_NOISE: Final = (OSError, HTTPException, AssertionError)
"""The errors of a browser at the end of a bad network, and of ours at a page without a form."""


@dataclass
class Outcome:
    """The faults and counts of a storm."""

    broke: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)


class Front:
    """Somebody who sees every change of a table, with the moment at which they saw it."""

    def __init__(self, client: TableClient) -> None:
        self.client = client
        self.seen: dict[int, float] = {}
        client.watch(self._see)

    def _see(self, _: object) -> None:
        self.client.follow()
        now = time.monotonic()
        for length in range(len(self.client.session.log.lines), 0, -1):
            if length in self.seen:
                break
            self.seen[length] = now


class Storm:
    """One storm: who acts, and what they were told."""

    def __init__(self, host: Host, session: str, chance: Random) -> None:
        self.host = host
        self.session = session
        self.chance = chance
        self.over = threading.Event()
        self.outcome = Outcome()
        self.acknowledged: list[str] = []
        self.entered: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()

    # The hosts

    def enter_lines(self, who: str, client: TableClient) -> None:
        """Enter lines one after the other."""
        for line, text in _lines_of(who):
            reply = client.enter(line)
            self.count(who, text, is_kept=isinstance(reply, ActionDone))
            if not isinstance(reply, ActionDone):
                self.outcome.counts[f"told “{line}”: {reply}"] += 1
            time.sleep(PAUSE)

    def count(self, who: str, text: str, *, is_kept: bool) -> None:
        """Count an entry; `text` is what the log must have once if it is kept, "" for nothing."""
        self.entered[who] += 1
        self.kept[who] += is_kept
        if is_kept and text:
            self.acknowledged.append(text)

    # The guests

    def tap(self, name: str, phone: Phone) -> None:
        """Somebody at a seat who changes their figures and says something, as fast as a page comes back."""
        number = 0
        while not self.over.is_set():
            number += 1
            with suppress(*_NOISE):
                page = phone.get(f"/t/{self.session}")
                text = f"{name} {number}"
                if number % 2:
                    answer = phone.post(f"/t/{self.session}/note", page.token, text=text, at=_length(page.text))
                else:
                    what = {"target": name, "counter": "coppers", "sign": "+1", "at": _length(page.text)}
                    answer = phone.post(f"/t/{self.session}/change", page.token, **what)
                self.count(name, text if number % 2 else "", is_kept=answer.status == 303)
            time.sleep(PAUSE)

    def flood(self, phone: Phone) -> None:
        """Long notes, as many as go through."""
        token, number = phone.get(f"/t/{self.session}").token, 0
        while not self.over.is_set():
            number += 1
            with suppress(*_NOISE):
                answer = phone.post(f"/t/{self.session}/note", token, text=f"flood {number} {'x' * 8000}")
                self.outcome.counts["flood stopped"] += answer.status == 429

    def grab_seats(self, phone: Phone) -> None:
        """Try every seat, and look for a hand on its page."""
        while not self.over.is_set():
            seat = self.chance.choice(SEATS)
            with suppress(*_NOISE):
                if phone.sit(self.session, seat).status == 303:
                    self.outcome.broke.append(f"a stranger took the seat of {seat}")
                if "My hand: " in phone.get(f"/t/{self.session}").text:
                    self.outcome.broke.append("a stranger saw a hand")

    def knock(self) -> None:
        """Wrong PINs until the doors are locked, and then requests under the name of somebody who waits."""
        for number in range(60):
            if self.over.is_set():
                break
            with suppress(*_NOISE):
                self.host.stranger().come_in(f"{number:06}", name="Zoe" if number > 10 else "")

    def leave_halves(self) -> None:
        """Connections on which half a request stands."""
        while not self.over.is_set():
            with suppress(OSError):
                self.host.raw(b"POST /pin HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 999\r\n\r\nto=").close()
            time.sleep(PAUSE)

    def repeat(self, phone: Phone) -> None:
        """Forms whose answer is lost, sent again with the key that they bear."""
        token, number = phone.get(f"/t/{self.session}").token, 0
        while not self.over.is_set():
            number += 1
            once, text = f"k{number}", f"once {number}"
            for _ in range(2):
                with suppress(*_NOISE):
                    answer = phone.post(f"/t/{self.session}/note", token, text=text, once=once)
            if answer.status == 303:
                self.acknowledged.append(text)
            time.sleep(PAUSE)


def _lines_of(who: str) -> Iterator[tuple[str, str]]:
    """Lines of a host, each with the note that it is, "" for a figure that it changes."""
    for number in range(LINES):
        text = f"{who} {number}" if number % 3 else ""
        yield (f"note {text}" if text else f"add {SEATS[number % 4]} coppers +{number + 10 * len(who)}"), text


def _length(page: str) -> str:
    match = _LENGTH.search(page)
    return match[1] if match else "0"


def blow(number: int) -> Outcome:
    """Let one storm blow; its number is the seed of all that happens by chance."""
    chance = Random(number)
    with TemporaryDirectory() as folder:
        place = str(Path(folder, "one.sqlite"))
        with Archive.open(place, by="host@screen") as archive, serving(archive, permissions="own") as host:
            session = host.table(*(f"seat {seat}" for seat in SEATS), "active ana", "begin seed 1")
            storm = Storm(host, session, chance)
            _blow(storm, place, _choose_guests(storm))
            _check(storm, archive)
        # Once it is closed, SQLite's own log is part of the file.
        size = Path(place).stat().st_size
        storm.outcome.counts["grown"] = size
        most = SPARE_BYTES + 5 * LIMITS.minute_bytes
        if size > most:
            storm.outcome.broke.append(f"the archive has {size} bytes, and not {most} at most")
        return storm.outcome


def _choose_guests(storm: Storm) -> list[Callable[[], None]]:
    """The phones of honest guests, and some of the others."""
    host, guests = storm.host, list[Callable[[], None]]()
    for seat in SEATS:
        phone = host.phone(seat.capitalize())
        phone.sit(storm.session, seat)
        guests.append(partial(storm.tap, seat, phone))
    page = phone.get(f"/t/{storm.session}")
    phone.post(f"/t/{storm.session}/hand", page.token, do="keep", item="QH KS")
    hostile: list[Callable[[], None]] = [
        partial(storm.grab_seats, host.phone("Аna")),
        partial(storm.repeat, host.phone("Eve")),
        storm.leave_halves,
    ]
    flooding = host.phone("Mallory")
    stored = next(each for each in host.server.phones.all() if each.name == "Mallory")
    host.server.phones.allow(stored.phone, "all")
    hostile.append(partial(storm.flood, flooding))
    repeating = next(each for each in host.server.phones.all() if each.name == "Eve")
    host.server.phones.allow(repeating.phone, "all")
    return guests + storm.chance.sample(hostile, storm.chance.randint(1, len(hostile)))


def _blow(storm: Storm, place: str, guests: list[Callable[[], None]]) -> None:
    host, session = storm.host, storm.session
    with Archive.open(place, by="host@lines") as other:
        tables = SharedSessions(other)
        screen = Front(host.sitting(session))
        plain = TableClient(tables.open(session))
        elsewhere = Front(TableClient(tables.open(session)))

        def typed() -> Iterator[str]:
            """Lines that Talk hears; whether one was kept is looked up before the next."""
            for line, text in _lines_of("lines"):
                length, written = len(plain.session.log.lines), plain.notation.format(plain.notation.parse(line))
                yield line
                is_kept = any(each.text == written for each in plain.session.log.lines[length:])
                storm.count("lines", text, is_kept=is_kept)
                time.sleep(PAUSE)

        talk = Talk(plain, lambda _: None)
        talkers = [
            threading.Thread(target=storm.enter_lines, args=("screen", screen.client)),
            threading.Thread(target=lambda: talk.run(typed())),
        ]
        knocking = storm.chance.random() < 0.3
        threads = [threading.Thread(target=guest) for guest in guests]
        with ChangeListener(other, tables.catch_up):
            zoe = _wait_at_the_door(storm) if knocking else None
            threads += [threading.Thread(target=storm.knock)] if knocking else []
            for thread in (*threads, *talkers):
                thread.start()
            for thread in talkers:
                thread.join()
            storm.over.set()
            for thread in threads:
                thread.join()
            _wait_until(lambda: screen.client.session.lines() == elsewhere.client.session.lines())
            if screen.client.session.lines() != elsewhere.client.session.lines():
                storm.outcome.broke.append("two fronts show another order")
            if zoe is not None:
                _let_in(storm, zoe)
    for length, moment in screen.seen.items():
        if length in elsewhere.seen:
            storm.outcome.delays.append(abs(moment - elsewhere.seen[length]))


def _wait_at_the_door(storm: Storm) -> Phone:
    """Somebody with the right PIN who comes while the doors are locked."""
    for _ in range(5):
        storm.host.stranger().come_in("000000")
    zoe = storm.host.stranger()
    zoe.come_in(name="Zoe")
    return zoe


def _let_in(storm: Storm, zoe: Phone) -> None:
    """The host lets in who is called Zoe: that must be the first of that name, and they must be in then."""
    phones = storm.host.server.phones
    phones.refresh()
    waiting: list[StoredPhone] = [each for each in phones.all() if each.name == "Zoe"]
    if len(waiting) != 1:
        storm.outcome.broke.append(f"{len(waiting)} phones are called Zoe")
        return
    phones.send_away(waiting[0].phone, away=False)
    if zoe.get("/tables").status != 200:
        storm.outcome.broke.append("somebody else was let in as Zoe")


def _check(storm: Storm, archive: Archive) -> None:
    outcome = storm.outcome
    session = archive_journal.resume(archive, storm.session)
    notes = Counter(moment.action.text for moment in session.moments() if hasattr(moment.action, "text"))
    for text in storm.acknowledged:
        if notes[text] != 1:
            outcome.broke.append(f"“{text}” was acknowledged and stands {notes[text]} times in the log")
    for who in SEATS:
        if storm.entered[who] and not storm.kept[who]:
            outcome.broke.append(f"{who} was silenced: none of {storm.entered[who]} was kept")
    phones = storm.host.server.phones.all()
    names = [phone.name for phone in phones if phone.name]
    if len(names) != len(set(names)):
        outcome.broke.append("two phones have one name")
    for who in ("screen", "lines"):
        outcome.counts[f"{who} entered"] = storm.entered[who]
        outcome.counts[f"{who} kept"] = storm.kept[who]
    outcome.counts["phones kept"] = sum(storm.kept[seat] for seat in SEATS)
    outcome.counts["phones entered"] = sum(storm.entered[seat] for seat in SEATS)


def _wait_until(what: Callable[[], bool], seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while not what() and time.monotonic() < deadline:
        time.sleep(0.02)


@click.command()
@click.argument("count", type=int)
@click.option("--first", type=int, default=0, help="The number of the first storm.")
@click.option("--jobs", type=int, default=os.cpu_count() or 1, help="How many blow at once.")
def main(count: int, first: int, jobs: int) -> None:
    """COUNT storms of guests."""
    total, broken, delays = Counter[str](), 0, list[float]()
    with ProcessPoolExecutor(jobs) as pool:
        for number, outcome in enumerate(pool.map(blow, range(first, first + count)), first):
            grown = max(total["most grown"], outcome.counts.pop("grown"))
            total.update(outcome.counts)
            total["most grown"] = grown
            delays += outcome.delays
            broken += bool(outcome.broke)
            for fault in outcome.broke:
                click.echo(f"storm {number}: {fault}")
    delays.sort()
    click.echo(", ".join(f"{what} {times}" for what, times in sorted(total.items())))
    if delays:
        click.echo(f"shown elsewhere within {delays[int(len(delays) * 0.95)] * 1000:.0f} ms (p95)")
    click.echo(f"{count} storms of guests: {broken} broke something")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
