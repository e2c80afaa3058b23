"""`companion archive share`: one archive on several devices."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.archive.people import people
from companion.cli.main import main
from tests.archive.keepsake import Founded, Played

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(home: str, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["archive", *arguments, "--archive", str(tmp_path / f"{home}.sqlite")])

    return run


@pytest.fixture
def folder(tmp_path: Path) -> str:
    folder = tmp_path / "Dropbox"
    folder.mkdir()
    return str(folder)


def open_home(tmp_path: Path, home: str) -> Archive:
    return Archive.open(str(tmp_path / f"{home}.sqlite"), by=f"{home}@pc")


def test_two_archives_become_one(run: Run, folder: str, tmp_path: Path) -> None:
    with open_home(tmp_path, "ana") as archive:
        archive.found_deck("keepsake", [Founded("Choir")])
    assert run("ana", "share").stdout == "The archive is not shared; companion archive share FOLDER begins that.\n"
    begun = run("ana", "share", folder)
    assert begun.stdout == "Shared folder: up to date; no other device has written there yet.\n"
    joined = run("ben", "share", folder)
    assert joined.exit_code == 0
    came_in, state = joined.stdout.splitlines()
    assert came_in == "2 entries came in."
    assert state.startswith("Shared folder: up to date with ")
    with open_home(tmp_path, "ben") as archive:
        assert [row.name for row in archive.decks()] == ["Choir"]
    assert "Shared folder: up to date with " in run("ana", "share").stdout
    assert "Shared folder: up to date with " in run("ana", "info").stdout
    assert json.loads(run("ana", "share", "--json").stdout)["folder"] == folder


def test_an_archive_joins_others_only_after_a_question(run: Run, folder: str, tmp_path: Path) -> None:
    for home in ("ana", "ben"):
        with open_home(tmp_path, home) as archive:
            people.add_person(archive, "Zoe")
    assert run("ana", "share", folder).exit_code == 0
    refused = run("ben", "share", folder)
    assert refused.exit_code == 1
    assert "already share an archive there; --yes joins it." in refused.stderr
    assert "not shared" in run("ben", "share").stdout
    joined = run("ben", "share", folder, "--yes")
    assert joined.exit_code == 0
    assert "Two people are called “Zoe”. If they are one, companion people merge " in joined.stdout
    assert list((tmp_path / "ben.sqlite.backups").glob("*-evening.sqlite")), "what was there before is kept"


def test_a_deck_played_on_both_is_decided_about(run: Run, folder: str, tmp_path: Path) -> None:
    with open_home(tmp_path, "ana") as archive:
        deck = archive.found_deck("keepsake", [Founded("Choir")])
    for home in ("ana", "ben"):
        run(home, "share", folder)
    for home, glory in (("ana", 3), ("ben", 5)):
        with open_home(tmp_path, home) as archive:
            archive.mark(deck, 2, [Played(glory)])
    run("ana", "share")
    answer = run("ben", "share")
    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    (at,) = (number for number, line in enumerate(lines) if line.startswith("“Choir” went on here and at "))
    assert lines[at + 1].startswith("“Choir”, here and at ")
    assert lines[at + 2] == "  Here, from entry 2 on:"
    assert lines[at + 4].startswith("  At ")
    assert len(lines) == at + 6, "one line each"
    assert run("ben", "share", "--keep", "mine", "--deck", "Choir").stdout.count("\n") == 2
    assert "Choir" not in run("ana", "share").stdout
    with open_home(tmp_path, "ana") as mine, open_home(tmp_path, "ben") as theirs:
        assert mine.entries(f"deck:{deck}") == theirs.entries(f"deck:{deck}")
        assert len(mine.entries(f"deck:{deck}")) == 6


def test_folders_that_cannot_be_used_are_refused(run: Run, folder: str, tmp_path: Path) -> None:
    assert run("ana", "share", str(tmp_path / "none")).exit_code == 1
    assert run("ana", "share", folder, "--off").exit_code == 2
    assert run("ana", "share", "--keep", "mine").exit_code == 1
    assert run("ana", "share", folder).exit_code == 0
    Path(folder).rename(tmp_path / "away")
    away = run("ana", "share")
    assert (away.exit_code, away.stdout) == (
        1,
        f"Shared folder: {folder} is not there. Everything is kept here, and shared when it is back.\n",
    )
    assert "not shared" in run("ana", "share", "--off").stdout
    server = CliRunner().invoke(main, ["archive", "share", folder, "--archive", "postgresql://nowhere:1/none"])
    assert server.exit_code != 0
