"""What outsiders may rely on, tried as they would: each kind of bad input, and what every command has in common."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.archive import Archive
from companion.archive.people import people
from companion.cli.main import main

SET_UP = "table decknforge\nseat ana\nseat ben\nbegin seed 1\n"


def _future(place: Path) -> list[str]:
    archive = place / "later.sqlite"
    Archive.open(str(archive)).close()
    with sqlite3.connect(archive) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    return ["--archive", str(archive), "deck", "list"]


def _table(lines: str) -> Callable[[Path], list[str]]:
    def arguments(place: Path) -> list[str]:
        (place / "friday.table").write_text(SET_UP + lines, encoding="utf-8")
        return ["replay", str(place / "friday.table")]

    return arguments


def _text_as_picture(place: Path) -> list[str]:
    (place / "box.png").write_text("no picture at all", encoding="utf-8")
    return ["scan", str(place / "box.png")]


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("make_arguments", "status", "sentence"),
    [
        pytest.param(
            _table("revel ana 9S\n"), 2, "friday.table:5: “revel” is not an action here; did you mean reveal", id="verb"
        ),
        pytest.param(_table("reveal ana 1S\n"), 2, "friday.table:5: “1S” is not a card", id="card"),
        pytest.param(_table("expect ana hp\n"), 2, "friday.table:5: VALUE is missing", id="no value"),
        pytest.param(_table("reveal ana AS\n"), 1, "friday.table:5: A♠ is a Monster", id="illegal action"),
        pytest.param(_table("reveal zoe 9S\n"), 1, "friday.table:5: Nobody sits at “zoe”", id="unknown seat"),
        pytest.param(_table("expect ana hp 19\n"), 1, "friday.table:5: ana hp is 20, expected 19.", id="failed check"),
        pytest.param(_table("refuse reveal ana 9S\n"), 1, "friday.table:5: The rules allow", id="failed refusal"),
        pytest.param(lambda _: ["deck", "show", "7K3M-9QPX-2B4T-0"], 2, "check symbol", id="wrong check symbol"),
        pytest.param(_text_as_picture, 2, "is not a picture that can be read here", id="text as picture"),
        pytest.param(_future, 2, "was written by a newer companion", id="database from the future"),
        pytest.param(
            lambda to: ["labels", "starter", "-o", str(to)], 2, "is a directory; name a file.", id="directory"
        ),
        pytest.param(
            lambda to: ["archive", "backup", str(to)], 2, "is a directory; name a file.", id="backup directory"
        ),
        pytest.param(
            lambda _: ["deck", "correct", "x", "1.5", "--reason", "x"], 2, "'1.5' is not a whole number.", id="number"
        ),
        pytest.param(lambda to: ["replay", str(to)], 2, "is a directory; name a file.", id="directory as table"),
    ],
)
def test_bad_input_is_one_sentence_and_the_right_status(
    make_arguments: Callable[[Path], list[str]], status: int, sentence: str, tmp_path: Path
) -> None:
    own = ["--archive", str(tmp_path / "archive.sqlite")]
    Archive.open(own[1]).close()
    arguments = make_arguments(tmp_path)
    before = sorted(tmp_path.iterdir())
    result = subprocess.run(
        [sys.executable, "-m", "companion.cli", *([] if "--archive" in arguments else own), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == status
    assert len(result.stderr.splitlines()) == 1
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    left = {path.name for path in tmp_path.iterdir()} - {path.name for path in before}
    assert {name for name in left if not name.startswith("archive.sqlite")} == set()


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            subcommand = command.get_command(context, each)
            assert subcommand is not None
            yield from _commands(subcommand, f"{name} {each}")


COMMANDS = dict(_commands(main, "companion"))
DOES = [name for name, command in COMMANDS.items() if not isinstance(command, click.Group)]
WITHOUT_DATA = {
    *("companion demo", "companion play", "companion serve", "companion labels calibrate"),
    *(f"companion phones {deed}" for deed in ("away", "back", "hands")),
    *(
        f"companion labels sheets {deed}"
        for deed in ("blank", "give-back", "new", "printed", "put-away", "spoiled", "use")
    ),
}
"""Commands that open something, or do a thing and say so in a sentence."""
REPORTS = {"companion doctor"}
"""Commands whose report is whole where something is wrong, and which end with 1 then."""
LONG_OR_ASKING = ("companion demo", "companion play", "companion serve", "companion labels calibrate")


def _options(name: str) -> set[str]:
    return {option for parameter in COMMANDS[name].params for option in parameter.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_of_itself(name: str) -> None:
    command = COMMANDS[name]
    _, _, example = command.get_help(click.Context(command, info_name=name)).partition("Example")
    assert name in " ".join(example.split())


@pytest.mark.parametrize("name", DOES)
def test_every_command_has_what_all_have(name: str) -> None:
    options = _options(name)
    assert "--archive" in options
    if options & {"--out", "--output"}:
        assert "--force" in options
        assert "-o" in options or name == "companion demo"  # whose files need a folder
    assert options & {"--json", "-o"} or name in WITHOUT_DATA, "WITHOUT_DATA lists what only says what it did"


def _called(name: str, archive: str) -> list[str]:
    """A command as somebody types it who knows nothing of what is there."""
    words = name.split()[1:]
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Argument) and parameter.required:
            chosen = parameter.type.choices[0] if isinstance(parameter.type, click.Choice) else "1"
            words.append(str(chosen))
        elif parameter.required:
            words += [parameter.opts[0], "anything"]
    return ["--archive", archive, *words]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive that holds nothing, and a file that is none."""
    folder = tmp_path_factory.mktemp("archives")
    Archive.open(str(folder / "empty")).close()
    (folder / "torn").write_text("no archive at all", encoding="utf-8")
    return folder


@pytest.mark.parametrize("archive", ["empty", "torn"])
@pytest.mark.parametrize("name", [name for name in DOES if name not in LONG_OR_ASKING])
def test_every_command_does_it_or_says_in_a_sentence_why_not(
    name: str, archive: str, archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(archives / archive, tmp_path)
    flags = ["--json"] if "--json" in _options(name) else []
    result = CliRunner().invoke(main, [*_called(name, archive), *flags])
    assert isinstance(result.exception, SystemExit | None), result.exception
    if result.exit_code and name not in REPORTS:
        assert result.exit_code in (1, 2)
        assert (result.stdout, len(result.stderr.splitlines())) == ("", 1)
    elif flags:
        json.loads(result.stdout)


BEGINS = {
    *("companion archive copy", "companion archive import", "companion deck adopt", "companion deck import"),
    *(name for name in DOES if name.startswith("companion deck new")),
    *("companion demo", "companion labels calibrate", "companion labels sheets new", "companion league new"),
}
"""Commands that may begin an archive, as `play --lines`, `replay --into-archive` and `scan --adopt` do."""


@pytest.mark.parametrize("is_empty", [False, True], ids=["missing", "empty"])
@pytest.mark.parametrize("name", [name for name in DOES if name not in BEGINS])
def test_no_command_that_looks_begins_an_archive(name: str, is_empty: bool, tmp_path: Path) -> None:
    archive = tmp_path / "stick.sqlite"
    if is_empty:
        archive.touch()
    result = CliRunner().invoke(main, _called(name, str(archive)))
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code in (0, 1, 2)
    if result.exit_code and name not in REPORTS:
        assert (result.stdout, len(result.stderr.splitlines())) == ("", 1)
    assert archive.exists() is is_empty
    assert not is_empty or archive.stat().st_size == 0


@pytest.mark.parametrize(
    "arguments", [["archive", "check"], ["archive", "backup", "copy"], ["archive", "copy", "copy"]]
)
def test_a_mistyped_stick_is_told_as_one(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["--archive", "stikc.sqlite", *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("There is no archive in “stikc.sqlite”, which does not exist. Look at its name;")
    assert list(tmp_path.iterdir()) == []


def test_who_has_no_archive_yet_is_told_how_one_begins(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["deck", "list"], env={"COMPANION_ARCHIVE": str(tmp_path / "own.sqlite")})
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("You have no archive yet. Open companion, or build a first deck by companion deck")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("typed", ["pw:SECRET@host", "ana:SECRET@club/cards", "ana:SE/CRET@club", "SECRET@club/cards"])
def test_an_address_without_its_beginning_is_no_file_name(typed: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for arguments in (["deck", "list"], ["archive", "backups"], ["archive", "copy", typed], ["play", "--lines"]):
            result = CliRunner().invoke(main, ["--archive", typed, *arguments])
            assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
            assert "SECRET" not in result.stderr
            assert "postgresql://USER@HOST/DATABASE" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_name_has_an_at_sign_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ana@home.sqlite"
    Archive.open(str(file)).close()
    assert file.exists()


@pytest.mark.posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["deck", "show", b"a\xff"],
        ["people", "rename", b"a\xff", "Ana"],
        ["people", "rename", "Ana", b"a\xff"],
        ["deck", "list", "--tag", b"\xfe"],
        ["session", "show", b"a\xff"],
        ["labels", "calibrate", b"a\xff", "--dx", "1", "--dy", "1"],
        ["deck", "list", b"--\xff=1"],
    ],
)
def test_an_argument_that_is_no_text_is_the_arguments_fault(arguments: list[str | bytes], archives: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "--archive", str(archives / "empty"), *arguments]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert "is not text in UTF-8" in result.stderr


def test_every_command_warns_of_an_older_copy(tmp_path: Path) -> None:
    file = str(tmp_path / "archive.sqlite")
    with Archive.open(file) as opened:
        people.add_person(opened, "Ana")
    shutil.copy(file, tmp_path / "copy")
    with Archive.open(file) as opened:
        people.add_person(opened, "Ben")
    shutil.copy(tmp_path / "copy", file)
    run = CliRunner().invoke
    looked = run(main, ["--archive", file, "people", "list"])
    assert (looked.exit_code, len(looked.stderr.splitlines())) == (0, 1)
    assert "is older than this computer last saw it" in looked.stderr
    wrote = run(main, ["--archive", file, "people", "rename", "Ana", "Zoe"])
    assert (wrote.exit_code, wrote.stdout, wrote.stderr) == (1, "", looked.stderr)
    checked = run(main, ["--archive", file, "archive", "check"])
    assert (checked.exit_code, checked.stderr) == (1, "")
    assert "is older than this computer last saw it" in checked.stdout
    assert all("companion archive accept goes on with it" in text for text in (looked.stderr, checked.stdout))
    assert run(main, ["--archive", file, "archive", "accept"]).exit_code == 0
    renamed = run(main, ["--archive", file, "people", "rename", "Ana", "Zoe"])
    assert (renamed.exit_code, renamed.stderr) == (0, "")


def test_an_archive_may_be_named_where_none_is_needed(tmp_path: Path) -> None:
    taken = tmp_path / "mine.sqlite"
    demo = CliRunner().invoke(main, ["demo", "--game", "nosuch", "--archive", str(taken)])
    assert (demo.exit_code, "nosuch" in demo.stderr) == (2, True)
    assert not taken.exists()
