"""Hostile words in each argument of every command: one short sentence, no traceback, and a status that tells."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

from companion.cli.main import main
from tests.cli.test_contract import COMMANDS, DOES, REPORTS
from tests.hostile import STEERING, steers

LONG: Final = 100_000
HOSTILE: Final = {
    "traversal": "../../../../nowhere/passwd",
    "page": "../../../nowhere/passwd.toml",
    "absolute": "/nowhere/passwd",
    "root": "/",
    "Windows": "C:\\Windows\\System32\\config\\SAM",
    "share": "\\\\host\\share\\page.toml",
    "NUL": "a\x00b",
    "empty": "",
    "steering": "".join(STEERING[1:4]),
    "word": "x" * LONG,
    "path": f"/{'x/' * 10_000}page.toml",
    "figure": "9" * LONG,
    "lines": "a\n" * (LONG // 2),
    "quotes": "”“" * (LONG // 2),
}
LONGEST_LINE: Final = 2_600
LONGEST: Final = 20_000
OPEN_SOMETHING: Final = ("companion demo", "companion play", "companion serve")
PRINT_MUCH: Final = ("companion game schema", "companion labels stocks")
"""Commands whose output is long, whatever they were given."""
UNREAD: Final = ("--host", "--port", "--on", "--interface", "--public-url", "--jobs")
"""Options that lead to a network, or to other processes."""


def with_arguments(name: str, word: str) -> list[str]:
    """A command with a word in each of its arguments."""
    options: list[str] = []
    words: list[str] = []
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Argument):
            words.append(word)
        elif parameter.required:
            options += [parameter.opts[0], "anything"]
    return [*name.split()[1:], *options, "--", *words]


def with_option(name: str, option: click.Option, word: str) -> list[str]:
    """A command with a word behind one of its options, and what it needs besides."""
    words = [f"{option.opts[0]}={word}" if option.opts[0].startswith("--") else f"{option.opts[0]}{word}"]
    for parameter in COMMANDS[name].params:
        if parameter.required and parameter is not option:
            chosen = parameter.type.choices[0] if isinstance(parameter.type, click.Choice) else "1"
            words += [str(chosen)] if isinstance(parameter, click.Argument) else [parameter.opts[0], "anything"]
    return [*name.split()[1:], *words]


def arguments_of(name: str) -> bool:
    """Return True if a command has arguments."""
    return any(isinstance(parameter, click.Argument) for parameter in COMMANDS[name].params)


def options_of(name: str) -> list[click.Option]:
    """The options of a command that take a word."""
    options = (parameter for parameter in COMMANDS[name].params if isinstance(parameter, click.Option))
    return [option for option in options if not option.is_flag and option.opts[0] not in UNREAD]


@pytest.fixture(autouse=True)
def _empty_place(tmp_path: Path, empty_archive: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with an archive that holds nothing; what Python only prints while it tidies up is a fault, too."""
    place = tmp_path / "a" / "b" / "c"
    place.mkdir(parents=True)
    monkeypatch.chdir(place)
    shutil.copy(empty_archive, tmp_path / "archive.sqlite")
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    ignored: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: ignored.append(repr(unraisable.exc_value)))
    yield
    gc.collect()
    assert ignored == []


def refuse_or_do(arguments: Sequence[str], name: str, *, must_refuse: bool = False) -> None:
    """Run a command, and see that it does what it is told, or says in a short sentence why not."""
    result = CliRunner().invoke(main, arguments)
    outcome = (arguments[:4], result.exit_code, result.output[:500], result.exception)
    assert isinstance(result.exception, SystemExit | None), outcome
    assert result.exit_code in (0, 1, 2), outcome
    assert "Traceback" not in result.output, outcome
    assert "fault of the program" not in result.output, outcome
    assert not steers(result.output), outcome
    if name in PRINT_MUCH and result.exit_code == 0:
        return
    assert len(result.output) <= LONGEST, outcome
    assert max(map(len, result.output.splitlines()), default=0) <= LONGEST_LINE, outcome
    if result.exit_code and name not in REPORTS:
        assert result.stderr.strip(), outcome
    assert not (must_refuse and result.exit_code == 0), outcome


QUICK: Final = ("traversal", "page", "Windows", "NUL", "word", "quotes")
REFUSED: Final = ("NUL", "word", "path", "figure", "lines", "quotes")
"""Words that nobody can call anything."""


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "kind", [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in HOSTILE]
)
def test_no_argument_breaks_a_command(kind: str) -> None:
    for name in DOES:
        if arguments_of(name) and name not in OPEN_SOMETHING:
            refuse_or_do(with_arguments(name, HOSTILE[kind]), name, must_refuse=kind in REFUSED)


@pytest.mark.sample(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DOES if name not in OPEN_SOMETHING])
def test_no_option_prints_what_it_was_given_at_length(name: str) -> None:
    for option in options_of(name):
        for word in HOSTILE.values():
            refuse_or_do(with_option(name, option, word), name)


@pytest.mark.parametrize(
    "words",
    [["../../../../etc/passwd"], ["table", "../../../../etc/passwd"], ["x" * LONG], [f"--{'x' * LONG}"]],
    ids=["path", "path behind it", "long", "long option"],
)
def test_what_is_no_command_is_named_shortly(words: list[str]) -> None:
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) < LONGEST_LINE


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [HOSTILE["traversal"], HOSTILE["Windows"]], ids=["traversal", "Windows"])
def test_a_path_for_a_game_ends_in_one_sentence(name: str) -> None:
    """The archive was asked for its pages before, and is closed while the error is on its way out."""
    for words in (["game", "show", name], ["labels", "starter", "--game", name], ["rehearse", name]):
        done = subprocess.run(
            [sys.executable, "-m", "companion.cli", *words], capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 2, done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
