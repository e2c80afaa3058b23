"""An archive with something in every table, for tests of what becomes of it."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from companion.archive import Archive, SessionStanding, StoredLine, rehearsals, stationery
from companion.archive.exchange import pages, play_import
from companion.archive.people import leagues, people
from companion.archive.storage.entries import (
    LeagueClosed,
    LeagueCreated,
    PlayKept,
    PurseChange,
    RehearsalBegun,
    RehearsalCounted,
    RoundDrawn,
    Scoring,
    draft,
)
from companion.archive.storage.lists import LISTS, row_of
from companion.archive.storage.transaction import TABLES
from companion.tabletop.records import Payment, Reason
from companion.tabletop.table.match_result import Contender, MatchResult
from tests.archive import bands, crowns
from tests.archive.keepsake import Founded, Played, Retired


def fill(archive: Archive, decks: int = 3) -> None:
    """Sessions, decks of two games, people, old purses, sheets, printers, a league, a rehearsal, a page, a play."""
    choir = archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], [Payment("Ana", 5, "")])
    for number in range(decks):
        deck = bands.found_band(archive, f"Iron Lanterns {number}", "Ben")
        archive.mark(deck, archive.find_deck(deck).length, bands.full(9, 3, 1)[1:])
    session = archive.new_session("keepsake", "Friday")
    standing = SessionStanding(("ana", "ben"), (Reason("round", ("2",)),))
    archive.append_lines(session, 1, [StoredLine("table keepsake", 1), StoredLine("note 'ä'", 2, standing)])
    archive.seal(session, 3, [StoredLine("seal", 2)], {choir: [Played(3)]}, [Payment("Ana", 4, "")])
    archive.found_deck("keepsake", [Founded("Gone"), Retired()])
    ben = people.add_person(archive, "Ben")
    people.rename_person(archive, ben.person, "Benno")
    stationery.begin_sheet(archive, "Blue", "avery-l4732", 80, tuple(range(1, 81)))
    stationery.claim(archive, {"Blue": (1, 2)})
    stationery.calibrate(archive, "Laser", 0.5, -0.25, 1.0, 1.01)
    pages.add_page(archive, crowns.ONE)
    pages.withdraw(archive, "crown")
    league = leagues.create_league(archive, LeagueCreated("Winter", "swiss", Scoring(), 1, ()), ["Ana", "Benno"])
    pair = tuple(person.person for person in people.with_ids(archive)[:2])
    leagues.append_events(archive, league.league, 1, [RoundDrawn(1, 1, (pair,)), LeagueClosed()])
    begun = RehearsalBegun("keepsake", {"players": 3}, 2**60, 2, "1.0.0 (abc)", "Autumn")
    row = rehearsals.begin_rehearsal(archive, begun)
    rehearsals.count_rehearsal(archive, row.rehearsal, RehearsalCounted(25, 100, {"win": [25, "1/3", 25]}))
    ended = datetime(2024, 5, 1, 20, 40, tzinfo=UTC)
    result = MatchResult("seat1", (Contender("seat1", "Ana", "won"), Contender("seat2", "Zoë", "lost")), venue="Home")
    play_import.import_plays(archive, [PlayKept("other:1", "Ludo", ended, ended, result)], "Other", "other.json")
    with archive.store.writing() as transaction:
        stream = "wizard:zoe"
        added = transaction.append(stream, 0, [draft(PurseChange("Zoe", 7, ""))], "tests", archive.now())
        transaction.put(row_of(stream, added))


def tables() -> tuple[str, ...]:
    """Every table of entries and lists."""
    return ("entries", "names", *(TABLES[listed].name for listed in LISTS.values()))


def stored(file: Path) -> dict[tuple[str, int], str]:
    """Every entry that SQLite itself reads in a file, by stream and number: its body."""
    with contextlib.closing(sqlite3.connect(file)) as opened:
        return {(stream, seq): body for stream, seq, body in opened.execute("SELECT stream, seq, body FROM entries")}
