"""`companion session`: lists, logs and `.table` files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, SessionStanding, StoredLine
from companion.cli.main import main
from companion.session.core import archive_journal
from companion.tabletop.records import Reason
from tests.archive.keepsake import Keepsake
from tests.session.test_secrets import MAIN, NAME

LOG = ("table keepsake", 'note "König 7♠"', "undo")


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def friday(place: str) -> str:
    """A session with a log."""
    with Archive.open(place, by="Ana") as archive:
        session = archive.new_session(Keepsake.name, "Friday")
        lines = [StoredLine(text, group, f"ana · Line {group}") for group, text in enumerate(LOG, 1)]
        archive.append_lines(session, 1, lines)
    return session


@pytest.fixture
def run(place: str) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["session", *arguments, "--archive", place])

    return run


def test_no_session_yet_says_what_to_do(run: Callable[..., Result], place: str) -> None:
    Archive.open(place).close()
    assert (run("list").exit_code, run("list").stdout) == (0, "No sessions yet. companion opens a table.\n")
    for command in ("show", "export"):
        result = run(command)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("No session has been played yet")


def test_the_list_says_where_each_stands(run: Callable[..., Result], friday: str) -> None:
    heading, row = run("list").stdout.splitlines()
    assert heading.split() == ["SESSION", "GAME", "TITLE", "CHANGED", "LINES", "STANDING"]
    assert row.startswith(f"{friday}  keepsake  Friday")
    assert row.endswith("  3      ana · Line 3")
    (listed,) = json.loads(run("list", "--json").stdout)
    assert (listed["session"], listed["title"], listed["lines"], listed["sealed"]) == (friday, "Friday", 3, False)


def test_a_log_is_shown_line_by_line(run: Callable[..., Result], friday: str) -> None:
    lines = run("show", friday[:6].lower()).stdout.splitlines()
    assert [line.split("Ana", 1)[1].strip() for line in lines[2:]] == list(LOG)
    data = json.loads(run("show", "--json").stdout)
    assert data["session"]["session"] == friday
    assert [(line["number"], line["line"], line["by"]) for line in data["log"]] == [
        (number, text, "Ana") for number, text in enumerate(LOG, 1)
    ]


def test_an_export_is_the_log_and_nothing_else(run: Callable[..., Result], friday: str, tmp_path: Path) -> None:
    text = "".join(f"{line}\n" for line in LOG)
    assert run("export").stdout == text
    file = tmp_path / "friday.table"
    assert run("export", friday, "-o", str(file)).exit_code == 0
    assert file.read_bytes() == text.encode()
    refused = run("export", friday, "-o", str(file))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "--force" in refused.stderr
    assert run("export", friday, "-o", str(file), "--force").exit_code == 0


@pytest.mark.parametrize("command", ["export", "report"])
def test_standard_output_may_be_named_as_the_file(
    run: Callable[..., Result], friday: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = run(command, friday)
    named = run(command, friday, "-o", "-")
    assert (named.exit_code, named.output) == (before.exit_code, before.output)
    assert not Path("-").exists()


def test_an_export_into_a_directory_is_misuse(run: Callable[..., Result], friday: str, tmp_path: Path) -> None:
    result = run("export", friday, "-o", str(tmp_path))
    assert (result.exit_code, result.stderr) == (2, f"“{tmp_path}” is a directory; name a file.\n")


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize("text", ["ZZZZZZZZ", "?"])
def test_an_unknown_session_is_one_sentence(run: Callable[..., Result], text: str) -> None:
    result = run("show", text)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"There is no session “{text}”; companion session list shows all.\n"


def test_a_session_says_where_it_stands_and_its_edition(place: str, run: Callable[..., Result]) -> None:
    with Archive.open(place, by="Ana") as archive:
        session = archive.new_session("decknforge", "Friday")
        boss = Reason("boss", (2, "Grave Wyrm", "AS", "Ana"))
        where = SessionStanding(("Ana", "Ben"), (boss, Reason("round", (3,)), Reason("step", ("attack",))))
        archive.append_lines(session, 1, [StoredLine("table decknforge", 1, where, edition=1)])
    standing = "Ana, Ben · Boss 2 of 6 · Grave Wyrm (A♠ of Ana) · Round 3 · Boss attack"
    assert f"{standing} · rules of edition 1" in run("list").stdout
    assert "rules of edition 1" in run("show").stdout
    row = json.loads(run("list", "--json").stdout)[0]
    assert (row["standing"], row["edition"]) == (standing, 1)
    assert json.loads(run("show", "--json").stdout)["session"] == row


def test_what_lies_face_down_is_in_no_file_before_the_end(run: Callable[..., Result], place: str) -> None:
    with Archive.open(place) as archive:
        session = archive_journal.start(archive, "soulforger")
        for line in (*MAIN, f'set-action ana "{NAME}"'):
            session.enter(line)
        for command in (("show",), ("show", "--json"), ("export",)):
            written = run(*command).stdout
            assert "set-action ana" in written
            assert NAME not in written
        session.enter("concede ben")
        assert f'set-action ana "{NAME}"' in run("export").stdout, "without stored decks, nothing is sealed"
