"""An archive with any number of sittings that are over, as they are stored: dungeons and duels of a few hundred people.

Run as a program it fills an archive and says how long statistics over it take, and how much memory:

    python -m tests.statistics.sittings 100000 [ARCHIVE]
"""

import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from random import Random

from companion.archive import Archive, SessionStanding, StoredLine
from companion.archive.storage.entries import Entry, PersonIntroduced, StreamOpened, draft
from companion.archive.storage.lists import row_of
from companion.archive.storage.results import relist
from companion.statistics.tables import compute_statistics
from companion.tabletop.records import Reason
from companion.tabletop.table.match_result import Contender, MatchResult, Tally

BEGAN = datetime(2016, 1, 1, 19, tzinfo=UTC)
PEOPLE = 200
_AT_ONCE = 2_000
_BOSSES = ("Grave Wyrm", "Ash Lich", "Bog Hydra", "Moon Golem", "Iron Maw", "Pale Widow", "Salt Giant", "Old Hunger")
_INSCRIPTIONS = ("Sharp", "Sturdy", "Glint", "Quick", "Bright", "Echo", "Banner", "Vampiric", "Thorns", "Phoenix")


def person(number: int) -> str:
    """The id of somebody."""
    return f"P{number:05}"


def random_dungeon(random: Random) -> MatchResult:
    """A dungeon of three to five, as a seal keeps it."""
    some = random.sample(range(PEOPLE), random.randint(3, 5))
    seats = [f"s{number}" for number in range(len(some))]
    has_won = random.random() < 0.55
    players = tuple(
        Contender(
            seat,
            f"Person {number}",
            "won" if has_won else "lost",
            person(number),
            f"D{number:012}",
            f"Band {number}",
            final={"hp": random.randint(0, 20), "glory": random.randint(0, 9)},
        )
        for seat, number in zip(seats, some, strict=True)
    )
    fallen = 6 if has_won else random.randint(0, 5)
    fights = [
        Tally("boss", random.choice(_BOSSES), random.choice(seats), amount=random.randint(2, 7), won=at < fallen)
        for at in range(min(6, fallen + 1))
    ]
    borne = [
        Tally("inscription", name, seat, amount=random.randint(0, 2))
        for seat in seats
        for name in random.sample(_INSCRIPTIONS, 4)
    ]
    savior, other = random.sample(seats, 2)
    saved = [Tally("save", "by a kill", savior, other, 1)] if random.random() < 0.3 else []
    hit = Tally("hit", "K♠", random.choice(seats), amount=random.randint(8, 30))
    rules = {"pressure": "3"} if random.random() < 0.2 else {}
    return MatchResult(
        "win" if has_won else "loss",
        players,
        random.randint(12, 40),
        figures={"bosses": fallen},
        rules=rules,
        minutes=random.randint(50, 150),
        tallies=(*fights, *borne, *saved, hit),
    )


def random_duel(random: Random) -> MatchResult:
    """A match of two, as a seal keeps it."""
    first, second = random.sample(range(PEOPLE), 2)
    winner = random.randint(0, 1)
    players = tuple(
        Contender(
            f"s{at}",
            f"Person {number}",
            "won" if at == winner else "lost",
            person(number),
            f"E{number:012}",
            f"Deck {number}",
            random.randint(1, 5),
            {"life": random.randint(0, 60)},
        )
        for at, number in enumerate((first, second))
    )
    hit = Tally("hit", "Ash Wolf", f"s{winner}", f"s{1 - winner}", random.randint(3, 40))
    return MatchResult(f"s{winner}", players, random.randint(5, 20), rules={}, minutes=30, tallies=(hit,))


def fill(archive: Archive, count: int, seed: int = 1) -> None:
    """Writes that many sittings with their people; the lists say of them what they would say after so many seals."""
    random = Random(seed)
    with archive.store.writing() as transaction:
        for number in range(PEOPLE):
            body = draft(PersonIntroduced(f"Person {number}"))
            entry = Entry(f"person:{person(number)}", 0, BEGAN, "tests", *body)
            transaction.write([entry])
            transaction.put(row_of(entry.stream, [entry]))
    for start in range(0, count, _AT_ONCE):
        entries, rows = [], []
        for number in range(start, min(start + _AT_ONCE, count)):
            game = "decknforge" if number % 5 < 3 else "solforge"
            result = random_dungeon(random) if game == "decknforge" else random_duel(random)
            seats = tuple(player.name for player in result.players)
            line = StoredLine(
                "seal", 9, SessionStanding(seats, (Reason("outcome", (result.outcome,)),)), seals=(), result=result
            )
            stream, at = f"session:S{number:07}", BEGAN + timedelta(minutes=50 * number)
            both = [
                Entry(stream, 0, at, "tests", *draft(StreamOpened(game, f"Evening {number}"))),
                Entry(stream, 1, at + timedelta(minutes=40), "tests", *draft(line)),
            ]
            entries += both
            rows.append(row_of(stream, both))
        with archive.store.writing() as transaction:
            transaction.write(entries)
            transaction.put_new(rows)
            relist(transaction, [f"S{number:07}" for number in range(start, min(start + _AT_ONCE, count))])


GROUPINGS = ("person", "deck", "version", "opponent", "inscription", "boss", "players", "rules", "month")
MOST_SECONDS = 5
"""Of one core for one grouping of 100,000 sittings."""


def main(count: int, url: str) -> None:
    """Fills an archive where it is new, and measures; ends with 1 where a grouping takes longer than it may."""
    slow = []
    with Archive.open(url) as archive:
        if not archive.page_of_sessions(count=1).total:
            began = time.perf_counter()
            fill(archive, count)
            print(f"{count:,} sittings written in {time.perf_counter() - began:.1f} s")
        before = _memory()
        for by in GROUPINGS:
            began, began_work = time.perf_counter(), time.process_time()
            statistics = compute_statistics(archive, by)
            took, worked = time.perf_counter() - began, time.process_time() - began_work
            print(f"{by:12} {took:6.2f} s, {worked:.2f} s of this core; {len(statistics.groups)} groups")
            slow += [by] if worked > MOST_SECONDS else []
        print(f"memory {_memory():.0f} MiB at most, {before:.0f} before the first")
    if slow:
        sys.exit(f"Slower than {MOST_SECONDS} s: {', '.join(slow)}.")


def _memory() -> float:
    """The most that this process ever held, in MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as elsewhere:
        main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else f"{elsewhere}/archive.sqlite")
