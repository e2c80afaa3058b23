"""From a file to a server and back: the same entries, lists and answers to programs, byte for byte."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.archive import Archive, maintenance
from companion.archive.schema import metadata
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


def said(*arguments: str) -> bytes:
    """What a command prints for programs."""
    done = CliRunner().invoke(main, [*arguments])
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def everything(place: str) -> dict[str, object]:
    """All rows of all tables, in the order of their keys; each file has a lineage of its own."""
    with Archive.open(place) as archive, archive.store.reading() as transaction:
        return {
            name: sorted(map(tuple, transaction.connection.execute(table.select())), key=repr)
            for name, table in metadata.tables.items()
            if name != "lineage"
        }


def told(place: str) -> dict[str, bytes]:
    """What programs are told of an archive."""
    lists = ("deck list", "deck chores", "session list", "people list", "archive check", "labels sheets")
    asked = [one.split() for one in (*lists, "labels printers")]
    with Archive.open(place) as archive:
        asked += [[*("deck", ask), row.deck] for row in archive.decks()[:2] for ask in ("show", "history", "picking")]
        asked += [["session", "show", row.session] for row in archive.sessions()[:2]]
    return {" ".join(one): said(*one, "--json", "--archive", place) for one in asked}


def test_there_and_back_is_the_same(file: str, club: str, tmp_path: Path) -> None:
    back = str(tmp_path / "back.sqlite")
    assert b"entries copied" in said("archive", "copy", club, "--archive", file)
    assert b"entries copied" in said("archive", "copy", back, "--archive", club)
    assert everything(file) == everything(club) == everything(back)
    assert told(file) == told(club) == told(back)
    with Archive.open(club) as archive:
        assert maintenance.check(archive) == ()


def test_a_server_that_holds_something_is_left_alone(file: str, club: str) -> None:
    said("people", "add", "Ana", "--archive", club)
    before = everything(club)
    refused = CliRunner().invoke(main, ["archive", "copy", club, "--archive", file])
    assert refused.exit_code == 1
    assert "holds entries already" in refused.stderr
    assert everything(club) == before
