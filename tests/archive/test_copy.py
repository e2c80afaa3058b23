"""From a file to a server and back: the same entries, lists and answers to programs, byte for byte."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.archive import Archive, maintenance
from companion.archive.storage import wal_guard
from companion.archive.storage.schema import metadata
from companion.cli.main import main
from tests.archive import postgres

pytestmark = pytest.mark.posix
EDITION = Path(__file__).parents[1] / "editions" / "4"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """An archive with a bit of everything, as an edition left it and with lists of today."""
    place = str(shutil.copy(EDITION / "archive.sqlite", tmp_path / "mine.sqlite"))
    with Archive.open(place) as archive:
        maintenance.repair(archive)
    return place


@pytest.fixture
def club(server: postgres.Server, database: str) -> str:
    """An archive on a server."""
    return server.url(database)


def printed(*arguments: str) -> bytes:
    """What a command prints for programs."""
    done = CliRunner().invoke(main, [*arguments])
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def _everything(place: str) -> dict[str, object]:
    """All rows of all tables, in the order of their keys; each file has a lineage of its own."""
    with Archive.open(place) as archive, archive.store.reading() as transaction:
        return {
            name: sorted(map(tuple, transaction.connection.execute(table.select())), key=repr)
            for name, table in metadata.tables.items()
            if name != "lineage"
        }


def printed_lists(place: str) -> dict[str, bytes]:
    """What programs are told of an archive."""
    lists = ("deck list", "deck chores", "session list", "people list", "archive check", "labels sheets")
    commands = [one.split() for one in (*lists, "labels printers")]
    with Archive.open(place) as archive:
        commands += [
            [*("deck", ask), row.deck] for row in archive.decks()[:2] for ask in ("show", "history", "picking")
        ]
        commands += [["session", "show", row.session] for row in archive.sessions()[:2]]
    return {" ".join(one): printed(*one, "--json", "--archive", place) for one in commands}


def test_there_and_back_is_the_same(file: str, club: str, tmp_path: Path) -> None:
    back = str(tmp_path / "back.sqlite")
    assert b"entries copied" in printed("archive", "copy", club, "--archive", file)
    assert b"entries copied" in printed("archive", "copy", back, "--archive", club)
    assert _everything(file) == _everything(club) == _everything(back)
    assert printed_lists(file) == printed_lists(club) == printed_lists(back)
    with Archive.open(club) as archive:
        assert maintenance.check_archive(archive) == ()


class Stopped(Exception):
    """Whoever looked on has had enough."""


def stopping(kind: str, streams: Sequence[str]) -> Iterator[str]:
    """Looks on until people are copied, with sessions and decks done."""
    if kind == "person":
        raise Stopped
    yield from streams


def test_a_copy_that_stops_half_way_can_be_made_again(file: str, tmp_path: Path) -> None:
    with Archive.open(file) as archive, Archive.open(str(tmp_path / "other.sqlite")) as other:
        empty = _everything(other.name)
        with pytest.raises(Stopped):
            maintenance.copy_archive(archive, other, stopping)
        assert _everything(other.name) == empty
        assert maintenance.copy_archive(archive, other) == maintenance.info(other).entries
        assert _everything(other.name) == _everything(file)
        words = [wal_guard.word_of(Path(place.name)) for place in (archive, other)]
        assert words[0] != words[1], "each file has a lineage of its own"


def test_what_a_column_cannot_hold_is_told_as_damage(file: str, club: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE decks SET retired = 'perhaps'")
        database.commit()
    refused = CliRunner().invoke(main, ["archive", "copy", club, "--archive", file])
    assert refused.exit_code == 1
    assert "damaged" in refused.stderr
    assert not _everything(club)["entries"]


def test_a_server_that_holds_something_is_left_alone(file: str, club: str) -> None:
    printed("people", "add", "Ana", "--archive", club)
    before = _everything(club)
    refused = CliRunner().invoke(main, ["archive", "copy", club, "--archive", file])
    assert refused.exit_code == 1
    assert "has entries already" in refused.stderr
    assert _everything(club) == before
