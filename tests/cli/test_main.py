"""`companion` as a whole: help, versions, statuses, and errors as one sentence."""

import io
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.archive import Archive, Conflict, Unreadable, deck_id
from companion.cli.commands import people
from companion.cli.common import Misused, Refused, explain_error, fresh_file, print_table, sanitize
from companion.cli.lazy import LazyGroup
from companion.cli.main import main
from companion.tabletop.action import NotationError, RuleError

ROOT = Path(__file__).parents[2]


def _companion(*arguments: str, stdout: int | None = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Runs the program as a process of its own, where nothing is a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )


def test_without_a_terminal_it_says_so_and_names_the_help() -> None:
    result = _companion()
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "companion --help" in result.stderr


def test_python_runs_the_package_as_it_runs_the_commands() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "companion", "--version"], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, _companion("--version").stdout, "")


def test_the_help_of_every_command_has_an_example() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert {"archive", "deck", "session"} <= set(result.stdout.split())
    context = click.Context(main)
    names = main.list_commands(context)
    results = [CliRunner().invoke(main, [name, "--help"]) for name in names]
    assert [name for name, result in zip(names, results, strict=True) if "Example" not in result.stdout] == []


def test_garbage_is_not_collected_as_the_program_ends() -> None:
    script = "import atexit, gc; from companion.cli.__main__ import main"
    script += "\natexit.register(lambda: print(gc.get_freeze_count()))"
    result = subprocess.run(
        [sys.executable, "-c", f"{script}\nmain()", "--version"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert int(result.stdout.split()[-1]) > 0


def test_the_version_is_the_packages() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert _companion("--version").stdout == f"companion {version}\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["nonsense"], "“nonsense”|'nonsense'"), (["--nonsense"], "--nonsense"), (["session", "show", "a", "b"], "b")],
)
def test_misuse_is_one_line_and_names_the_help(arguments: list[str], named: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "--help" in result.stderr
    assert any(name in result.stderr for name in named.split("|"))


def test_a_hint_at_what_was_meant_ends_as_a_question() -> None:
    errors = CliRunner().invoke(main, ["deck", "list", "--jso"]).stderr
    assert errors.rstrip().endswith("Did you mean '--json'? See companion deck list --help.")


def test_a_command_is_loaded_only_when_it_is_called() -> None:
    asking = "import sys, companion.cli.main; print(sorted(m for m in sys.modules if m.startswith('companion.cli.')))"
    result = subprocess.run([sys.executable, "-c", asking], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    basics = ("common", "confirmation", "help_texts", "language", "lazy", "main", "screen", "streams")
    names = ("browsers", "commands", *basics)
    assert result.stdout.strip() == str([f"companion.cli.{name}" for name in names])


@pytest.mark.parametrize("words", [(), ("deck",), ("labels",), ("labels", "sheets")])
def test_help_lists_the_commands_of_a_group_without_importing_them(words: tuple[str, ...]) -> None:
    script = (
        "import sys; from click.testing import CliRunner; from companion.cli.main import main; "
        "result = CliRunner().invoke(main, [*sys.argv[1:], '--help']); print(result.exit_code, *sys.modules)"
    )
    command = [sys.executable, "-c", script, *words]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    status, *modules = result.stdout.split()
    assert status == "0"
    loaded = set(modules)
    groups = {".".join(("companion.cli.commands", *words[:depth])) for depth in range(len(words) + 1)}
    # The former name of a group shows the group's own help.
    of_root = set() if words else {"companion.cli.commands.people", "companion.cli.commands.wizard"}
    commands = {name for name in loaded if name.startswith("companion.cli.commands") and not name.endswith("._shared")}
    assert commands == groups | of_root
    assert not loaded & {"PIL", "reportlab", "sqlalchemy", "starlette", "textual", "zxingcpp"}


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("scna",), "scan"),
        (("deck", "lsit"), "list"),
        (("archive", "folow"), "follow"),
        (("labels", "strater"), "starter"),
        (("labels", "sheets", "spoild"), "spoiled"),
        (("wizard", "sho"), "show"),
    ],
)
def test_a_slip_in_the_name_of_a_command_is_answered_with_the_name(words: tuple[str, ...], meant: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert f"No such command '{words[-1]}'. Did you mean '{meant}'?" in result.stderr


def test_completion_lists_commands_without_importing_them() -> None:
    script = (
        "import sys, click; from companion.cli.main import main; "
        "items = main.shell_complete(click.Context(main), 'de'); "
        "print(*(each.value for each in items)); print(*sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    completed, modules = result.stdout.splitlines()
    assert completed.split() == ["deck", "demo"]
    assert not {"companion.cli.commands.deck", "companion.cli.commands.demo"} & set(modules.split())


def test_every_module_of_the_commands_is_a_command_with_a_summary() -> None:
    def walk(group: LazyGroup) -> Iterator[str]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            assert command.name == name
            assert command.get_short_help_str()
            yield command.name
            if isinstance(command, LazyGroup):
                yield from walk(command)

    assert isinstance(main, LazyGroup)
    modules = [path for path in (ROOT / "companion" / "cli" / "commands").rglob("*.py") if path.name[0] != "_"]
    groups = list((ROOT / "companion" / "cli" / "commands").glob("*/**/__init__.py"))
    former = len(list(walk(people.command)))
    assert len(list(walk(main))) == len(modules) + len(groups) + former


def test_the_archive_may_be_named_before_or_after_the_command(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one.sqlite"), str(tmp_path / "two.sqlite")
    for file in (one, two):
        Archive.open(file).close()
    assert one in CliRunner().invoke(main, ["--archive", one, "archive", "info"]).stdout
    assert one in CliRunner().invoke(main, ["archive", "info", "--archive", one]).stdout
    assert two in CliRunner().invoke(main, ["--archive", one, "archive", "info", "--archive", two]).stdout
    assert two in CliRunner().invoke(main, ["archive", "info"], env={"COMPANION_ARCHIVE": two}).stdout


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotationError("unreadable line"), 2),
        (deck_id.DeckIdError("wrong check symbol"), 2),
        (Unreadable("no archive"), 2),
        (Misused("misused"), 2),
        (RuleError("against R1.23"), 1),
        (Conflict("somebody else"), 1),
        (Refused("refused"), 1),
        (KeyboardInterrupt(), 1),
    ],
)
def test_each_error_has_its_status(error: BaseException, status: int) -> None:
    ending = explain_error(error)
    assert ending is not None
    assert ending[0]
    assert ending[1] == status


def test_a_fault_of_the_program_is_not_dressed_up() -> None:
    assert explain_error(ZeroDivisionError()) is None


def test_ctrl_c_that_broke_a_wait_is_still_ctrl_c() -> None:
    error = RuntimeError("release unlocked lock")
    error.__context__ = KeyboardInterrupt()
    assert explain_error(error) == explain_error(KeyboardInterrupt())
    assert explain_error(RuntimeError("release unlocked lock")) is None


def test_what_may_not_be_written_is_one_sentence() -> None:
    explained = explain_error(PermissionError(13, "Permission denied", "sheet.pdf"))
    # A viewer that shows a PDF keeps it to itself there.
    other = ", or another program has it open" if sys.platform == "win32" else ""
    assert explained is not None
    assert explained[0] == f"“sheet.pdf” may not be read or written by you{other}; name another place."


@pytest.mark.linux
def test_a_full_disk_is_one_sentence() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 - a device, not a path of ours
        result = _companion("--help", stdout=full.fileno())
    assert result.returncode == 1
    assert result.stderr == "The disk is full: the output was not written.\n"


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    """A table of which suits are told."""
    file = tmp_path / "noted.table"
    file.write_text("table decknforge\nseat ana\nnote ♠\n", encoding="utf-8")
    return file


def test_what_goes_into_a_file_is_utf8_where_the_system_has_less(noted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="cp1252"))
    main(["replay", str(noted)], standalone_mode=False)
    assert "Note: ♠" in written.getvalue().decode()


def test_who_wants_another_encoding_gets_it_as_far_as_it_goes(noted: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "replay", str(noted)]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    process = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert process.stderr == b""
    assert "Note: ?" in process.stdout.decode("cp1252")


def test_a_reader_that_goes_away_is_no_error_to_tell() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = _companion("--help", stdout=writing)
    os.close(writing)
    assert (result.returncode, result.stderr) == (1, "")


class TestFreshFile:
    """A file is written whole or not at all."""

    def half_written(self, target: Path) -> None:
        with fresh_file(target, force=True) as draft:
            draft.write_text("half", encoding="utf-8")
            raise RuleError("no")

    def test_it_is_there_only_when_it_is_whole(self, tmp_path: Path) -> None:
        target = tmp_path / "sheet.pdf"
        with fresh_file(target, force=False) as draft:
            draft.write_text("whole", encoding="utf-8")
            assert not target.exists()
            assert draft.suffix == ".pdf"
        assert target.read_text(encoding="utf-8") == "whole"
        assert list(tmp_path.iterdir()) == [target]

    def test_a_failure_leaves_nothing(self, tmp_path: Path) -> None:
        target = tmp_path / "sheet.pdf"
        with pytest.raises(RuleError):
            self.half_written(target)
        assert list(tmp_path.iterdir()) == []

    def test_a_failure_leaves_the_old_file(self, tmp_path: Path) -> None:
        target = tmp_path / "sheet.pdf"
        target.write_text("old", encoding="utf-8")
        with pytest.raises(RuleError):
            self.half_written(target)
        assert target.read_text(encoding="utf-8") == "old"
        assert list(tmp_path.iterdir()) == [target]

    def test_an_existing_file_needs_force(self, tmp_path: Path) -> None:
        target = tmp_path / "sheet.pdf"
        target.write_text("old", encoding="utf-8")
        with pytest.raises(Refused, match="--force"), fresh_file(target, force=False):
            pass
        assert target.read_text(encoding="utf-8") == "old"
        with fresh_file(target, force=True) as draft:
            draft.write_text("new", encoding="utf-8")
        assert target.read_text(encoding="utf-8") == "new"

    @pytest.mark.posix
    def test_force_writes_through_a_link(self, tmp_path: Path) -> None:
        target, link = tmp_path / "sheet.pdf", tmp_path / "link.pdf"
        target.write_text("old", encoding="utf-8")
        link.symlink_to(target)
        with fresh_file(link, force=True) as draft:
            draft.write_text("new", encoding="utf-8")
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8") == "new"

    @pytest.mark.posix
    @pytest.mark.parametrize(
        ("path", "sentence"),
        [(".", "is a directory"), ("none/sheet.pdf", "no directory"), ("pipe", "not an ordinary file")],
    )
    def test_what_can_be_no_file_is_refused(self, tmp_path: Path, path: str, sentence: str) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(Misused, match=sentence), fresh_file(tmp_path / path, force=True):
            pass


def test_tables_line_up_whatever_is_in_them(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("NAME", "N"), [("灯籠", "1"), ("Ana\x1b[2J\n", "2"), ("é", "3")])
    assert capsys.readouterr().out.splitlines() == ["NAME      N", "灯籠      1", "Ana·[2J·  2", "é         3"]


def test_what_steers_a_terminal_is_made_harmless() -> None:
    assert sanitize("a\x1b]0;b\x07\nc – ♠ ä") == "a·]0;b··c – ♠ ä"
