"""Opening an archive: made from nothing, as the migrations say, and refused in one sentence where it cannot be."""

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from companion.archive import Archive, StoredLine, Unreadable, deck_records, maintenance
from companion.archive.migrations import REVISION
from companion.archive.recovery import migrate
from companion.archive.recovery.restore import restore
from companion.archive.storage import location as places
from companion.archive.storage.schema import entries, metadata
from companion.games import registry
from companion.games.decknforge.decks import marks
from companion.tabletop.notation.cards import Card
from tests.archive import bands
from tests.archive.keepsake import Founded, Played

ROOT = Path(__file__).parents[2]


def _refusal(url: str) -> str:
    with pytest.raises(Unreadable) as error:
        Archive.open(url)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_a_new_archive_has_the_tables_that_the_code_uses(archive: Archive) -> None:
    with archive.store.reading() as transaction:
        assert migrate.revision(transaction.connection) == REVISION
        assert compare_metadata(MigrationContext.configure(transaction.connection), metadata) == []


def test_the_newest_migration_is_the_one_that_the_code_expects() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "companion" / "archive" / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]


def test_what_was_kept_is_there_when_opened_again(place: str) -> None:
    with Archive.open(place) as archive:
        deck = archive.found_deck("keepsake", [Founded("Grave Choir")])
    with Archive.open(place) as archive:
        assert archive.record(deck).name == "Grave Choir"


@pytest.mark.files
def test_the_file_is_written_ahead_and_synchronously(archive: Archive) -> None:
    with archive.store.reading() as transaction:
        pragmas = {name: transaction.pragma(name) for name in ("journal_mode", "synchronous", "foreign_keys")}
        assert pragmas == {"journal_mode": ("wal",), "synchronous": ("2",), "foreign_keys": ("1",)}
        assert int(transaction.pragma("busy_timeout")[0]) >= 5000


@pytest.mark.slow
def test_many_processes_may_make_the_same_archive_at_once(place: str) -> None:
    opening = f"from companion.archive import Archive; Archive.open({place!r}).close()"
    openers = [subprocess.Popen([sys.executable, "-c", opening], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(4)]
    errors = [opener.communicate()[1].decode() for opener in openers]
    assert [opener.returncode for opener in openers] == [0] * 4, errors


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_file_or_its_url_names_the_same_archive(tmp_path: Path, form: str) -> None:
    file = tmp_path / "größer 100%.sqlite"
    with Archive.open(form.format(file)) as archive:
        assert archive.name == str(file)
    assert file.exists()


def test_the_variable_names_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "named.sqlite"))
    Archive.open().close()
    assert (tmp_path / "named.sqlite").exists()


@pytest.mark.linux
def test_without_a_name_it_is_in_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_ARCHIVE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Archive.open() as archive:
        assert archive.name == str(tmp_path / "data" / "table-companion" / "archive.sqlite")


@pytest.mark.files
def test_an_archive_from_the_future_is_left_alone(place: str) -> None:
    Archive.open(place).close()
    with sqlite3.connect(place) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("PRAGMA user_version = 12034005")
    database.close()
    before = Path(place).read_bytes()
    assert "newer companion (schema 9999" in _refusal(place)
    assert "it needs companion 12.34.5 or newer" in _refusal(place)
    assert Path(place).read_bytes() == before


def test_an_archive_says_which_program_made_its_tables(archive: Archive) -> None:
    with archive.store.reading() as transaction:
        assert migrate.read_version(transaction.connection) == migrate.own_version()


@pytest.mark.files
def test_a_backup_from_the_future_is_not_put_in_place(place: str, tmp_path: Path) -> None:
    Archive.open(place).close()
    newer = tmp_path / "newer.sqlite"
    shutil.copy(place, newer)
    with contextlib.closing(sqlite3.connect(newer)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("PRAGMA user_version = 12034005")
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(Unreadable, match=r"it needs companion 12\.34\.5 or newer, .* Nothing was changed\."):
        restore(newer, Path(place), datetime.now(UTC))
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.files
def test_another_programs_database_is_left_alone(place: str) -> None:
    with sqlite3.connect(place) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    assert "the database of another program" in _refusal(place)
    with sqlite3.connect(place) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    database.close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Buy sleeves.\n", encoding="utf-8")
    assert "not an SQLite database" in _refusal(str(file))
    assert file.read_text(encoding="utf-8") == "Buy sleeves.\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.files
def test_half_a_database_is_refused(place: str) -> None:
    Archive.open(place).close()
    whole = Path(place).read_bytes()
    Path(place).write_bytes(whole[:1000] + b"\xff" * (len(whole) - 1000))
    assert place in _refusal(place)


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert "is a directory" in _refusal(str(tmp_path))


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    sentence = _refusal(str(tmp_path / "nowhere" / "archive.sqlite"))
    assert f"no directory “{tmp_path / 'nowhere'}”" in sentence
    assert sentence.endswith("or name another place with --archive.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.linux
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="/proc is the place where not even root may write")
def test_a_place_without_leave_to_write_is_refused() -> None:
    assert "cannot be opened or made" in _refusal("/proc/self/archive.sqlite")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite://", "name the file"),
        ("sqlite:///:memory:", "name the file"),
        ("mysql://localhost/x", "“mysql” is none of these"),
        ("not a url://", "is not a URL"),
    ],
)
def test_what_can_be_no_archive_is_refused(url: str, reason: str) -> None:
    assert reason in _refusal(url)


def test_a_password_is_never_shown() -> None:
    name = places.archive_name(places.locate("postgresql://ana:hunter2@table.example/cards"))
    assert "table.example/cards" in name
    assert "hunter2" not in name


def test_importing_the_archive_loads_no_database() -> None:
    asking = "import sys, companion.archive; print({'sqlalchemy', 'alembic', 'stdnum'} & set(sys.modules))"
    process = subprocess.run(
        [sys.executable, "-c", asking], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert process.stdout.strip() == "set()"


def test_opening_an_archive_of_today_asks_no_migration(place: str) -> None:
    Archive.open(place).close()
    asking = (
        f"import sys; from companion.archive import Archive; Archive.open({place!r}); print('alembic' in sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", asking], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert process.stdout.strip() == "False"


def test_the_tables_can_be_made_on_postgresql() -> None:
    dialect = sa.create_mock_engine("postgresql+psycopg://", lambda *_: None).dialect
    statements = [str(sa.schema.CreateTable(table).compile(dialect=dialect)) for table in metadata.sorted_tables]
    assert any('folded TEXT COLLATE "C" NOT NULL' in table for table in statements)


_LATER_COLUMNS = (
    *(f"people DROP COLUMN {column}" for column in ("nickname", "hidden", "language")),
    "sessions DROP COLUMN page",
    "doors DROP COLUMN face_down",
)
OLDER = (
    "ALTER TABLE entries DROP COLUMN checksum",
    "DROP TABLE lineage",
    *(f"ALTER TABLE {table} DROP COLUMN checksum" for table in ("sessions", "decks", "people", "named_purses")),
    *(f"ALTER TABLE {table} DROP COLUMN checksum" for table in ("sheets", "printers")),
    "ALTER TABLE entries DROP COLUMN session",
    "ALTER TABLE sessions DROP COLUMN edition",
    "ALTER TABLE sessions DROP COLUMN folded",
    "DROP INDEX ix_decks_held_by",
    "ALTER TABLE decks DROP COLUMN figures",
    "ALTER TABLE decks DROP COLUMN person",
    "ALTER TABLE decks ADD COLUMN glory INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE decks ADD COLUMN dungeons INTEGER NOT NULL DEFAULT 0",
    "UPDATE sessions SET standing = 'Ana · Round 2'",
    *(f"ALTER TABLE decks DROP COLUMN {column}" for column in ("holders", "held", "tags", "tagged", "due", "held_by")),
    *(f"ALTER TABLE {table} DROP COLUMN page" for table in ("sessions", "decks")),
    *(f"DROP TABLE {table}" for table in ("names", "doors", "phones", "knocks", "hands", "imports", "imported")),
    *(f"DROP TABLE {table}" for table in ("people", "leagues", "pages", "results", "rehearsals", "secret_choices")),
    "DROP TABLE plays",
    "ALTER TABLE named_purses RENAME TO wizards",
    "ALTER TABLE wizards RENAME COLUMN kept_as TO wizard",
    "UPDATE alembic_version SET version_num = '0002'",
)
"""Makes of an archive of today one of before entries said which session wrote them."""


def made_older(archive: Archive) -> None:
    with archive.store.engine.connect() as connection:
        connection.execution_options(writes=True)
        with connection.begin():
            for statement in OLDER:
                connection.execute(sa.text(statement))


def test_an_old_archive_is_migrated_with_what_it_holds(place: str) -> None:
    with Archive.open(place) as archive:
        deck = archive.found_deck("keepsake", [Founded("Grave Choir")])
        session = archive.new_session("keepsake")
        archive.append_lines(session, 1, [StoredLine("table keepsake", 1, "Ana · Round 2")])
        made_older(archive)
    with Archive.open(place) as archive:
        assert [(line.kind, line.session) for line in archive.story(deck)] == [("founded", "")]
        assert archive.find_session(session).where == "Ana · Round 2"
        assert [row.session for row in archive.page_of_sessions("ANA").rows] == [session]
        with archive.store.reading() as transaction:
            assert migrate.revision(transaction.connection) == REVISION
            assert compare_metadata(MigrationContext.configure(transaction.connection), metadata) == []


def test_an_old_archive_with_a_deck_of_a_game_that_is_not_here_is_opened(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archive.open(place) as archive:
        deck = archive.found_deck("keepsake", [Founded("Grave Choir")])
        made_older(archive)
    monkeypatch.delitem(registry._LOADED, "keepsake")
    with Archive.open(place) as archive:
        assert archive.find_deck(deck).name == "Grave Choir"


@pytest.mark.files
@pytest.mark.parametrize("edition", ["4", "5", "6"])
def test_rows_of_an_older_archive_say_that_a_label_may_be_stuck(place: str, edition: str) -> None:
    shutil.copy(ROOT / "tests" / "editions" / edition / "archive.sqlite", place)
    with Archive.open(place) as archive:
        choir = bands.found_band(archive, "Choir of Old")
        bands.add(archive, choir, marks.InscriptionCrossedOut(Card("9S"), "sharp", "faded"))
        (unsure,) = (one for one in archive.find_deck(choir).due if one.unsure)
        # As companions of before wrote it: such chores were not there, and every other had one word less.
        older = json.dumps([[one.mark, one.place, one.spot, one.value] for one in archive.find_deck(choir).due[:-1]])
        with archive.store.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                was = {"due": older, "deck": choir}
                connection.execute(sa.text("UPDATE decks SET due = :due, checksum = 0 WHERE deck = :deck"), was)
                connection.execute(sa.text("UPDATE alembic_version SET version_num = '0011'"))
                for table in ("leagues", "pages", "results", "rehearsals", "hands", "secret_choices", "plays"):
                    connection.execute(sa.text(f"DROP TABLE {table}"))
                for column in _LATER_COLUMNS:
                    connection.execute(sa.text(f"ALTER TABLE {column}"))
                for table, column in (("decks", "page"), ("phones", "waiting")):
                    connection.execute(sa.text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    with Archive.open(place) as archive:
        assert archive.find_deck(choir).due[-1] == unsure
        assert maintenance.check_archive(archive) == ()
        (listed,) = (each for each in deck_records.all_chores(archive)[1] if each.row.deck == choir)
        assert listed.chores == deck_records.chores(archive, choir)
        assert listed.chores[-1].text == "Leave Sharp off 9♠, or cross it out if it is stuck already"


def test_what_a_seal_wrote_is_known_without_session_ids(place: str) -> None:
    with Archive.open(place) as archive:
        choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
        archive.mark(choir, 2, [Played(1)])
        session = archive.new_session("keepsake")
        archive.seal(session, 1, [StoredLine("seal", 1)], {choir: [Played(3), Played(4)]})
        made_older(archive)
    with Archive.open(place) as archive:
        written = [entry.at for entry in archive.entries(f"deck:{choir}")]
        later = Archive(lambda _: archive.store, "somebody", clock=lambda: written[-1] + timedelta(minutes=5))
        later.mark(choir, 5, [Played(9)])
        earlier = written[2] - timedelta(minutes=5)
        with archive.store.writing() as transaction:
            transaction.connection.execute(entries.update().where(entries.c.seq == 2).values(at=earlier))
        assert deck_records.sealed_marks(archive, session) == {choir: (Played(3), Played(4))}


@pytest.mark.slow
@pytest.mark.files
@pytest.mark.posix
def test_a_long_migration_is_reported(place: str) -> None:
    shutil.copy(next((ROOT / "tests" / "editions" / "1").glob("*.sqlite")), place)
    with contextlib.closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        opening = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "archive", "info", "--archive", place],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        assert opening.stderr is not None
        progress = opening.stderr.readline()
    output, more = opening.communicate()
    assert (progress, more, opening.returncode) == ("bringing the archive up to date, 3 s\n", "", 0)
    assert f"schema {REVISION}" in output
