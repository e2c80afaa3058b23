"""What only a server has: how it is named and refused, one moment for who reads, and a writer at a time."""

import itertools
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.archive import Archive, ArchiveError, StoredLine, Unreadable, maintenance
from companion.archive.storage import location
from companion.archive.storage.lists import fold
from tests.archive import postgres
from tests.archive.keepsake import Founded

pytestmark = pytest.mark.posix
ROOT = Path(__file__).parents[2]
SECRET = "hunter2-äß"


@pytest.fixture
def ana(server: postgres.Server, database: str) -> Iterator[str]:
    """A user with a password, who may do anything in a database of her own; gives its URL without the password."""
    rules = server.data / "pg_hba.conf"
    before = rules.read_text(encoding="utf-8")
    server.sql(f"CREATE USER ana PASSWORD '{SECRET}'", f"ALTER DATABASE {database} OWNER TO ana")
    server.sql("GRANT CREATE ON SCHEMA public TO ana", database=database)
    server.sql("GRANT ALL ON ALL TABLES IN SCHEMA public TO ana", database=database)
    rules.write_text(f"local all ana scram-sha-256\n{before}", encoding="utf-8")
    server.sql("SELECT pg_reload_conf()")
    yield server.url(database, "ana")
    rules.write_text(before, encoding="utf-8")
    server.sql("SELECT pg_reload_conf()", f"ALTER DATABASE {database} OWNER TO postgres")
    server.sql("DROP OWNED BY ana", database=database)
    server.sql("DROP USER ana")


def _refusal(url: str) -> str:
    with pytest.raises(Unreadable) as error:
        Archive.open(url)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_a_service_name_and_a_password_file_lead_to_the_archive(
    ana: str, server: postgres.Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, passwords = tmp_path / "services", tmp_path / "passwords"
    services.write_text(f"[companion]\nhost={server.folder}\ndbname={database}\nuser=ana\n", encoding="utf-8")
    passwords.write_text(f"*:*:*:ana:{SECRET}\n", encoding="utf-8")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    with Archive.open("postgresql://?service=companion") as archive:
        assert archive.name == "postgresql://?service=companion"
        archive.found_deck("keepsake", [Founded("Grave Choir")])
    with Archive.open(ana) as archive:
        assert [row.name for row in archive.decks()] == ["Grave Choir"]
    assert "no service of that name" in _refusal("postgresql://?service=nowhere")


def test_a_wrong_password_is_one_sentence_and_shown_nowhere(ana: str) -> None:
    wrong = (SECRET, f"{SECRET}/x", f"{SECRET}@x", f"x:{SECRET}", f"12/{SECRET}", f"%{SECRET}")
    for password, rest in itertools.product(wrong, ("", "&sslmode=nonsense", "&port=nonsense", "&unheard=of")):
        sentence = _refusal(ana.replace("ana@", f"ana:not-{password}@") + rest)
        assert SECRET[:7] not in sentence


def test_a_refusal_at_a_command_shows_no_password(ana: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "companion.cli", "archive", "info"],
        cwd=ROOT,
        env={"COMPANION_ARCHIVE": ana.replace("ana@", f"ana:not-{SECRET}@")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 2
    assert "does not let this user in" in process.stderr
    assert process.stderr.count("\n") == 1
    assert SECRET[:7] not in process.stderr + process.stdout


def test_the_right_password_is_shown_nowhere(ana: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with Archive.open(ana.replace("ana@", f"ana:{SECRET}@")) as archive:
        assert archive.name == location.archive_name(location.locate(ana))
        session = archive.new_session("keepsake")
        with pytest.raises(ArchiveError) as refused:
            archive.append_lines(session, 7, [StoredLine("note x")])
        texts = f"{refused.value!r} {archive.store.engine!r} {archive.store.engine.url} {maintenance.info(archive)}"
    assert SECRET not in texts + caplog.text


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://ana:x@table.example/cards", "postgresql://ana@table.example/cards"),
        ("postgres://table.example:5433/cards?sslpassword=x", "postgresql://table.example:5433/cards"),
        ("postgresql+psycopg://a,b/cards?password=x", "postgresql:///cards?host=a,b"),
        (
            "postgresql://ana:x@a:1,b:2/cards?target_session_attrs=read-write",
            "postgresql://ana@/cards?target_session_attrs=read-write&host=a,b&port=1,2",
        ),
    ],
)
def test_a_servers_name_leads_to_it_and_has_no_secret(url: str, name: str) -> None:
    located = location.locate(url)
    assert location.archive_name(located) == name
    assert location.archive_name(location.locate(name)) == name


def test_a_server_that_is_not_there_is_one_sentence(tmp_path: Path, server: postgres.Server) -> None:
    assert "does not answer" in _refusal(f"postgresql://postgres@/cards?host={tmp_path}")
    assert "There is no such user or database" in _refusal(server.url("nowhere"))
    assert "There is no such user or database" in _refusal(server.url("postgres", "nobody-known"))
    assert "no server of that name" in _refusal("postgresql://nowhere.invalid/cards")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_hold_every_name_is_refused(server: postgres.Server, encoding: str) -> None:
    server.sql(f"CREATE DATABASE narrow_{encoding} ENCODING '{encoding}' TEMPLATE template0")
    assert f"“narrow_{encoding.lower()}” keeps text as {encoding}" in _refusal(server.url(f"narrow_{encoding.lower()}"))


def test_another_programs_database_on_a_server_is_left_alone(server: postgres.Server) -> None:
    server.sql("CREATE DATABASE kitchen")
    server.sql("CREATE TABLE recipes (name TEXT)", database="kitchen")
    assert "the database of another program" in _refusal(server.url("kitchen"))
    tables = server.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", database="kitchen")
    assert tables == [("recipes",)]


def test_many_processes_may_make_one_archive_on_a_server(server: postgres.Server) -> None:
    server.sql("CREATE DATABASE fresh")
    opening = f"from companion.archive import Archive; Archive.open({server.url('fresh')!r}).close()"
    openers = [subprocess.Popen([sys.executable, "-c", opening], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(4)]
    errors = [opener.communicate()[1].decode() for opener in openers]
    assert [opener.returncode for opener in openers] == [0] * 4, errors


def test_for_a_server_its_own_backup_tool_is_named(server: postgres.Server, database: str, tmp_path: Path) -> None:
    with Archive.open(server.url(database)) as archive:
        archive.found_deck("keepsake", [Founded("Grave Choir")])
        assert maintenance.end_evening(archive) is None
        with pytest.raises(ArchiveError, match=r"on a server; copy it with the server's own tool, pg_dump\."):
            maintenance.backup(archive, tmp_path / "copy.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_what_pg_dump_wrote_is_a_whole_archive_again(server: postgres.Server, database: str) -> None:
    with Archive.open(server.url(database)) as archive:
        archive.found_deck("keepsake", [Founded("Grave Choir")])
        before = archive.decks(), maintenance.info(archive).entries
    dump = server.folder / "dump"
    there = ("-h", str(server.folder), "-U", "postgres")
    postgres.run("pg_dump", *there, "-Fc", "-f", str(dump), database)
    server.sql("CREATE DATABASE again")
    postgres.run("pg_restore", *there, "-d", "again", str(dump))
    with Archive.open(server.url("again")) as again:
        assert (again.decks(), maintenance.info(again).entries) == before
        assert maintenance.check_archive(again) == ()


def test_who_reads_sees_one_moment(archive: Archive, place: str) -> None:
    session = archive.new_session("keepsake")
    with Archive.open(place) as other, other.store.reading() as reader:
        before = reader.length(f"session:{session}"), reader.count_entries()
        archive.append_lines(session, 1, [StoredLine("note x")])
        assert (reader.length(f"session:{session}"), reader.count_entries()) == before


def test_checking_during_play_finds_nothing(archive: Archive, place: str) -> None:
    session = archive.new_session("keepsake")
    stop = threading.Event()

    def play() -> None:
        with Archive.open(place) as player:
            number = 1
            while not stop.is_set():
                number = player.append_lines(session, number, [StoredLine(f"note {number}")])

    playing = threading.Thread(target=play)
    playing.start()
    try:
        checks = 0
        while checks < 20 or (playing.is_alive() and len(archive.lines(session)) <= 5):
            assert maintenance.check_archive(archive) == ()
            checks += 1
    finally:
        stop.set()
        playing.join()
    assert len(archive.lines(session)) > 5


def test_who_reads_cannot_write(archive: Archive, engine: str) -> None:
    if engine == "postgresql":
        with pytest.raises(ArchiveError, match="can only be read"), archive.store.reading() as transaction:
            transaction.connection.execute(sa.text("DELETE FROM decks"))


def test_what_is_acknowledged_is_on_the_server_s_disk(archive: Archive, engine: str) -> None:
    if engine == "postgresql":
        with archive.store.writing() as transaction:
            assert transaction.connection.scalar(sa.text("SHOW synchronous_commit")) == "on"


@pytest.mark.parametrize("text", ["a\0b", "\\\0", "\\u0000\0"])
def test_a_nul_is_refused_by_name_and_nothing_is_kept(archive: Archive, text: str) -> None:
    session = archive.new_session("keepsake")
    with pytest.raises(ArchiveError, match=r"a NUL \(U\+0000\).*, which cannot be stored"):
        archive.append_lines(session, 1, [StoredLine(text)])
    with pytest.raises(ArchiveError, match="a NUL"):
        archive.append_lines(session, 1, [StoredLine("note x")], by=text)
    assert archive.append_lines(session, 1, [StoredLine("note \\u0000")]) == 2
    assert archive.lines(session)[0].line == "note \\u0000"


NAMES = ("a", "B", "ä", "z", "Ω", "ß", "😀", "\U0010ffff", "\uffff", "_", "a b", "ab", "é", "10", "9")


def test_lists_stand_in_one_order_in_every_engine(archive: Archive) -> None:
    for name in NAMES:
        archive.found_deck("keepsake", [Founded(name)])
    assert [row.name for row in archive.decks()] == sorted(NAMES)
    assert [row.name for row in archive.page_of_decks().rows] == sorted(NAMES, key=fold)
    assert archive.find_deck("\U0010ffff").name == "\U0010ffff"
    assert archive.find_deck("Ω").name == "Ω"
