"""A session seen before the database's library is loaded: the same entries, or nothing at all."""

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.archive import Archive, StoredLine, fast_read
from companion.archive.storage.entries import StreamOpened, draft
from companion.archive.storage.rows import SessionStanding
from tests.archive import household
from tests.archive.keepsake import Founded

pytestmark = pytest.mark.files

ROOT = Path(__file__).parents[2]


def _kept(archive: Archive, session: str, *lines: str) -> str:
    """A session of this id with some lines."""
    written = [draft(StreamOpened("keepsake")), *(draft(StoredLine(line, at)) for at, line in enumerate(lines, 1))]
    archive.append(f"session:{session}", 0, written)
    return session


def test_what_is_seen_is_what_the_archive_gives(archive: Archive, place: str) -> None:
    session = _kept(archive, "AAAA1111", "table keepsake", 'note "ein Lied – 歌"', "undo")
    seen = fast_read.read_session(place, session)
    assert seen == archive.entries(f"session:{session}")
    assert len(seen) == 4


@pytest.mark.parametrize("typed", ["AAAA1111", "aaaa-1111", "AAAA", "aaaaIIII"])
def test_a_session_is_found_by_what_alone_begins_its_id(archive: Archive, place: str, typed: str) -> None:
    for session in ("AAAA1111", "AAAB1111", "ZZZZ1111"):
        _kept(archive, session, "table keepsake")
    assert fast_read.read_session(place, typed) == archive.entries("session:AAAA1111")


@pytest.mark.parametrize("typed", ["AAA", "BBBB", "§", "-"])
def test_nothing_is_read_of_a_damaged_archive(archive: Archive, place: str, typed: str) -> None:
    for session in ("AAAA1111", "AAAB1111"):
        _kept(archive, session, "table keepsake")
    assert fast_read.read_session(place, typed) == ()


def test_without_an_id_it_is_the_newest_that_can_be_played(archive: Archive, place: str) -> None:
    assert fast_read.read_session(place) == ()
    first, second, third = (_kept(archive, f"AAAA111{at}", "table keepsake") for at in range(3))
    archive.append_lines(second, 2, [StoredLine('note "x"', 2)])
    archive.seal(third, 2, [StoredLine("seal", 2)], {})
    rows = [row.session for row in archive.sessions() if not row.sealed]
    assert fast_read.read_session(place) == archive.entries(f"session:{rows[0]}")
    assert rows[0] != third
    assert first in rows


def test_an_empty_table_is_gone_on_with_only_where_there_is_no_other(archive: Archive, place: str) -> None:
    game, empty = _kept(archive, "AAAA1110", "table keepsake"), _kept(archive, "AAAA1111", "table keepsake")
    assert archive.sessions()[0].session == empty
    assert fast_read.read_session(place) == archive.entries(f"session:{empty}")
    archive.append_lines(game, 2, [StoredLine("seat ana", 2, standing=SessionStanding(("Ana",)))])
    archive.append_lines(empty, 2, [StoredLine('note "x"', 2)])
    assert fast_read.read_session(place) == archive.entries(f"session:{game}")


def test_what_is_no_file_of_today_is_not_looked_into(archive: Archive, place: str, tmp_path: Path) -> None:
    session = _kept(archive, "AAAA1111", "table keepsake")
    assert fast_read.read_session(f"sqlite:///{place}?timeout=5", session) == ()
    assert fast_read.read_session(f"sqlite:///{place}", session) == archive.entries(f"session:{session}")
    assert fast_read.read_session(str(tmp_path / "none.sqlite"), session) == ()
    assert not (tmp_path / "none.sqlite").exists()
    other = tmp_path / "other.sqlite"
    other.write_text("no database", encoding="utf-8")
    assert fast_read.read_session(str(other), session) == ()
    with sqlite3.connect(place) as database:
        database.execute("UPDATE alembic_version SET version_num = '0001'")
    database.close()
    assert fast_read.read_session(place, session) == ()


def test_what_is_damaged_is_left_to_the_archive(archive: Archive, place: str) -> None:
    session = _kept(archive, "AAAA1111", "table keepsake", 'note "x"')
    with sqlite3.connect(place) as database:
        database.execute("UPDATE entries SET body = replace(body, 'note', 'nose') WHERE seq = 2")
    database.close()
    assert fast_read.read_session(place, session) == ()


def test_looking_loads_no_library_for_databases(archive: Archive, place: str) -> None:
    session = _kept(archive, "AAAA1111", "table keepsake")
    asking = "import sys; from companion.archive import fast_read; "
    asking += f"print(len(fast_read.read_session({place!r}, {session!r})));"
    process = subprocess.run(
        [sys.executable, "-c", f"{asking} print('sqlalchemy' in sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert process.stdout.split() == ["2", "False"]


def test_the_lists_of_home_are_seen_as_the_archive_gives_them(archive: Archive, place: str) -> None:
    household.fill(archive)
    for count in (100, 2):
        seen = fast_read.read_lists(place, count)
        assert seen is not None
        assert seen.sessions == archive.page_of_sessions(count=count)
        assert seen.decks == archive.page_of_decks(count=count)
        assert len(seen.decks.rows) == min(count, seen.decks.total)


def test_all_decks_are_seen_as_the_archive_gives_them(archive: Archive, place: str) -> None:
    assert fast_read.read_decks(place) == ()
    household.fill(archive)
    for name in ("ärger", "ash", "Ash & Bone"):
        archive.found_deck("keepsake", [Founded(name)])
    assert fast_read.read_decks(place) == archive.decks()
    assert fast_read.read_decks(f"sqlite:///{place}") == archive.decks()
    assert fast_read.read_decks(f"sqlite:///{place}?timeout=5") is None


@pytest.mark.parametrize("damage", ["sessions SET changed = 'never'", "decks SET due = '[{'", "decks SET name = x'ff'"])
def test_lists_that_are_damaged_are_left_to_the_archive(archive: Archive, place: str, damage: str) -> None:
    household.fill(archive)
    with contextlib.closing(sqlite3.connect(place)) as database:
        database.execute(f"UPDATE {damage}")
        database.commit()
    assert fast_read.read_lists(place, 100) is None
    assert fast_read.read_decks(place) is None or "sessions" in damage
