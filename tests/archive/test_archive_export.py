"""A whole archive in one file: what goes out comes in, whole or not at all."""

import contextlib
import gzip
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.archive import Archive, ArchiveError, NameTaken, StoredLine, Unreadable, maintenance
from companion.archive.exchange import archive_export, deck_export, export_format
from companion.archive.people import people
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from companion.tabletop.records import Payment
from tests.archive import bands, household
from tests.archive.keepsake import Founded, Played
from tests.archive.test_deck_export import ROOT
from tests.bench.bench_exchange import fill_with_decks

pytestmark = pytest.mark.files


@pytest.fixture
def filled(archive: Archive) -> Archive:
    household.fill(archive)
    return archive


def test_another_home_has_the_same_and_nothing_twice(filled: Archive, tmp_path: Path) -> None:
    file, again, other = tmp_path / "all.gz", tmp_path / "again.gz", tmp_path / "other.sqlite"
    count = archive_export.export_archive(filled, file)
    with Archive.open(str(other)) as there:
        watched: list[float] = []
        taken = archive_export.import_archive(there, file, watched.append)
        assert len(watched) == taken.new
        assert 0 < watched[0] <= watched[-1] <= 1
        assert taken.entries == count == len(household.stored(Path(filled.name)))
        assert household.stored(other) == household.stored(Path(filled.name))
        assert maintenance.check_archive(there) == maintenance.check_archive(there, thorough=False) == ()
        assert (there.decks(), there.sessions()) == (filled.decks(), filled.sessions())
        archive_export.export_archive(there, again)
        assert again.read_bytes() == file.read_bytes()
        assert archive_export.import_archive(there, file) == (0, 0, taken.new, 0)
        people.add_person(filled, "Zoe")
        person = people.find_record(filled, "Ana").person
        people.rename_person(filled, person, "Anna")
        archive_export.export_archive(
            filled,
            file,
        )
        assert archive_export.import_archive(there, file) == (1, 1, taken.new - 1, 2)
        assert people.all_people(there) == people.all_people(filled)


def test_what_went_on_differently_is_refused_whole(filled: Archive, tmp_path: Path) -> None:
    file, other = tmp_path / "all.gz", tmp_path / "other.sqlite"
    archive_export.export_archive(filled, file)
    with Archive.open(str(other)) as there:
        archive_export.import_archive(there, file)
        person = people.find_record(filled, "Ana").person
        people.rename_person(filled, person, "Anna")
        people.rename_person(there, person, "Annie")
        people.add_person(filled, "Zoe")
        archive_export.export_archive(filled, file)
        with pytest.raises(ArchiveError, match=f"person:{person} continued differently"):
            archive_export.import_archive(there, file)
        assert "Zoe" not in {each.name for each in people.all_people(there)}


def test_a_forked_deck_is_named_with_the_way_to_join_it(filled: Archive, tmp_path: Path) -> None:
    file, deck = tmp_path / "all.gz", filled.decks()[0]
    archive_export.export_archive(filled, file)
    with Archive.open(str(tmp_path / "other.sqlite")) as there:
        archive_export.import_archive(there, file)
        for home, glory in ((filled, 3), (there, 5)):
            home.mark(deck.deck, deck.length, [Played(glory)])
        before = there.entries(f"deck:{deck.deck}")
        archive_export.export_archive(filled, file)
        with pytest.raises(
            ArchiveError,
            match=f"deck:{deck.deck} continued differently.* export and companion deck import",
        ):
            archive_export.import_archive(there, file)
        assert there.entries(f"deck:{deck.deck}") == before


def test_a_name_that_another_deck_has_is_refused(filled: Archive, tmp_path: Path) -> None:
    file = tmp_path / "all.gz"
    archive_export.export_archive(filled, file)
    with Archive.open(str(tmp_path / "other.sqlite")) as there:
        there.found_deck("keepsake", [Founded("grave choir")])
        with pytest.raises(NameTaken, match="already"):
            archive_export.import_archive(there, file)
        assert len(there.decks()) == 1


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":2'), *lines[1:]], "newer companion"),
        (lambda lines: [lines[0].replace(b'"archive"', b'"decks"'), *lines[1:]], "is not a file"),
        (lambda lines: [line.replace(b"Grave", b"Brave") for line in lines], "does not follow"),
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: lines[: len(lines) // 2], "cut off"),
        (lambda lines: [*lines, lines[-1]], "its end"),
        (lambda lines: [line.replace(b'{"stream":"person', b'{"stream":"parson') for line in lines], "not a file"),
    ],
)
def test_what_was_changed_or_cut_is_refused_whole(filled: Archive, tmp_path: Path, change, reason: str) -> None:  # type: ignore[no-untyped-def]
    file, other = tmp_path / "all.gz", tmp_path / "other.sqlite"
    archive_export.export_archive(filled, file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    file.write_bytes(gzip.compress(b"".join(change(lines))))
    with Archive.open(str(other)) as there, pytest.raises(Unreadable, match=reason):
        archive_export.import_archive(there, file)
    assert household.stored(other) == {}


@pytest.fixture
def busy(archive: Archive) -> Archive:
    """An archive whose longest streams are taken in piece by piece, and the others many at once."""
    household.fill(archive)
    session = archive.new_session("keepsake", "A long night")
    archive.append_lines(session, 1, [StoredLine(f"note '{number}'", number) for number in range(1, 12_000)])
    archive.found_deck("keepsake", [Founded("Rich")], [Payment(f"Wizard {number}", 1, "") for number in range(450)])
    fill_with_decks(archive, 450)
    return archive


@pytest.mark.slow
def test_long_streams_and_many_short_ones_come_in_as_they_are(busy: Archive, tmp_path: Path) -> None:
    file, other = tmp_path / "all.gz", tmp_path / "other.sqlite"
    archive_export.export_archive(busy, file)
    with Archive.open(str(other)) as there:
        taken = archive_export.import_archive(there, file)
        assert taken.entries == len(household.stored(Path(busy.name)))
        assert household.stored(other) == household.stored(Path(busy.name))
        assert maintenance.check_archive(there) == ()
        (long,) = [row for row in busy.sessions() if row.title == "A long night"]
        # It goes on in the middle of a piece that begins with what is here.
        busy.append_lines(long.session, long.length, [StoredLine("note 'on'", 1) for _ in range(6_000)])
        archive_export.export_archive(busy, file)
        assert archive_export.import_archive(there, file) == (0, 1, taken.new - 1, 6_000)
        assert there.sessions() == busy.sessions()
        assert maintenance.check_archive(there) == ()
        there.append_lines(long.session, long.length + 6_000, [StoredLine("note 'here'", 1)])
        assert archive_export.import_archive(there, file) == (0, 0, taken.new, 0)
        busy.append_lines(long.session, long.length + 6_000, [StoredLine("note 'there'", 1)])
        archive_export.export_archive(busy, file)
        with pytest.raises(ArchiveError, match=f"session:{long.session} continued differently"):
            archive_export.import_archive(there, file)


def test_a_stream_that_comes_twice_is_refused(filled: Archive, tmp_path: Path) -> None:
    file, other = tmp_path / "all.gz", tmp_path / "other.sqlite"
    archive_export.export_archive(filled, file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    heads = [number for number, line in enumerate(lines) if line.startswith(b'{"stream":')]
    twice = [*lines[: heads[1]], *lines[heads[0] : heads[1]], *lines[heads[1] :]]
    file.write_bytes(b"".join(twice))
    with Archive.open(str(other)) as there, pytest.raises(Unreadable, match="not a file"):
        archive_export.import_archive(there, file)
    assert household.stored(other) == {}


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("UPDATE entries SET body = replace(body, 'Grave', 'Brave')", "not as it was written"),
        ("DELETE FROM entries WHERE seq = 1 AND stream LIKE 'session:%'", "missing"),
    ],
)
def test_what_is_damaged_is_not_exported(filled: Archive, tmp_path: Path, damage: str, reason: str) -> None:
    with contextlib.closing(sqlite3.connect(filled.name)) as opened, opened:
        opened.execute(damage)
    with pytest.raises(ArchiveError, match=reason):
        archive_export.export_archive(filled, tmp_path / "all.gz")


@pytest.mark.parametrize("way", ["deck", "archive"])
def test_every_import_and_export_refuses_a_story_too_long(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    assert export_format.MAX_STORY_BYTES == 60_000_000
    deck = bands.found_band(archive)
    bands.add(archive, deck, *(m.DungeonPlayed("Ana", "win", 6, 1) for _ in range(100)))
    file, home = tmp_path / "long", tmp_path / "home.sqlite"

    def export() -> None:
        if way == "deck":
            deck_export.export_decks(archive, [deck], file)
        else:
            archive_export.export_archive(archive, file)

    export()
    monkeypatch.setattr(export_format, "MAX_STORY_BYTES", 10_000)
    done = CliRunner().invoke(main, ["--archive", str(home), way, "import", str(file), "--yes"])
    assert done.exit_code == 2
    assert "” has more than 60 MB of “" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    with Archive.open(str(home)) as opened:
        assert opened.decks() == ()
    with pytest.raises(ArchiveError, match=r"A file has more than 60 MB of .*, the most that is allowed"):
        export()


def test_sessions_and_purses_of_any_length_come_in(
    filled: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = filled.new_session("keepsake")
    filled.append_lines(session, 1, [StoredLine("note long", 1)] * 1_000)
    monkeypatch.setattr(export_format, "MAX_STORY_BYTES", 50_000)
    archive_export.export_archive(filled, tmp_path / "all.gz")
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        archive_export.import_archive(home, tmp_path / "all.gz")
        assert home.lines(session) == filled.lines(session)


@pytest.mark.slow
def test_a_large_archive_takes_little_memory(tmp_path: Path) -> None:
    place, file, other = (str(tmp_path / name) for name in ("archive.sqlite", "all.gz", "other.sqlite"))
    body = "x" * 3_000
    with Archive.open(place) as archive:
        session = archive.new_session("keepsake")
        for start in range(1, 25_000, 5_000):
            archive.append_lines(session, start, [StoredLine(f"note '{body}'", start)] * 5_000)
    # 75 MB of entries in one stream, beside some 60 MB that the program takes.
    for command in (["export", file, "--archive", place], ["import", file, "--archive", other]):
        reading = (
            "import sys; from companion.cli.main import main; from tests.archive.test_deck_export import most_memory\n"
            "try: main(['archive', *sys.argv[1:]])\n"
            "finally: print(most_memory())"
        )
        done = subprocess.run(
            [sys.executable, "-c", reading, *command], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
        )
        assert int(done.stdout.split()[-1]) < 110_000_000


@pytest.mark.parametrize("content", [None, "", "A letter home.\n"])
def test_what_is_no_archive_begins_none(content: str | None, tmp_path: Path) -> None:
    home, file = tmp_path / "home.sqlite", tmp_path / "everything.gz"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    result = CliRunner().invoke(main, ["--archive", str(home), "archive", "import", str(file)])
    assert (result.exit_code, home.exists()) == (2, False), result.output


def test_an_export_names_the_same_system_everywhere(filled: Archive, tmp_path: Path) -> None:
    target = tmp_path / "all.archive"
    archive_export.export_archive(filled, target)
    head = target.read_bytes()[:10]
    assert head[:4] == b"\x1f\x8b\x08\x00"  # gzip, deflate, no name of a file
    assert head[4:8] == bytes(4)  # no time
    assert head[9] == 3  # and the same system everywhere
