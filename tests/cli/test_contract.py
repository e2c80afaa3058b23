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


@pytest.mark.parametrize(
    ("made", "status", "said"),
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
    made: Callable[[Path], list[str]], status: int, said: str, tmp_path: Path
) -> None:
    own = ["--archive", str(tmp_path / "archive.sqlite")]
    arguments = made(tmp_path)
    before = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", *([] if "--archive" in arguments else own), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    left = {path.name for path in tmp_path.iterdir()} - {path.name for path in before}
    assert {name for name in left if not name.startswith("archive.sqlite")} == set()


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from _commands(found, f"{name} {each}")


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
    # What neither prints data nor writes a file is named above, so that a new command has to say which it is.
    assert options & {"--json", "-o"} or name in WITHOUT_DATA


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
    asked = ["--json"] if "--json" in _options(name) else []
    done = CliRunner().invoke(main, [*_called(name, archive), *asked])
    assert isinstance(done.exception, SystemExit | None), done.exception
    if done.exit_code:
        assert done.exit_code in (1, 2)
        assert (done.stdout, len(done.stderr.splitlines())) == ("", 1)
    elif asked:
        json.loads(done.stdout)


def test_an_archive_may_be_named_where_none_is_needed(tmp_path: Path) -> None:
    taken = tmp_path / "mine.sqlite"
    demo = CliRunner().invoke(main, ["demo", "--game", "nosuch", "--archive", str(taken)])
    assert (demo.exit_code, "nosuch" in demo.stderr) == (2, True)
    assert not taken.exists()
