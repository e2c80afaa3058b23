"""Homes of somebody else, as in containers and under `sudo -u`: what needs none works, the rest says its reason."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.archive.storage import files
from companion.cli.main import main
from tests.rights import obey_modes

pytestmark = pytest.mark.posix

_NUMBER = 54_321
"""A user whom the system does not know."""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(params=[0o555, 0o000], ids=["cannot be written", "cannot be looked into"])
def home(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Such a home."""
    place = tmp_path / "home"
    place.mkdir(mode=request.param)
    yield place
    place.chmod(0o755)


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Run:
    """Runs the companion there, in a folder that is one's own."""
    desk = tmp_path / "desk"
    desk.mkdir()
    own: Mapping[str, str] = {
        name: text for name, text in os.environ.items() if not name.startswith(("XDG_", "COMPANION_"))
    }

    def run_there(*arguments: str, home: str = str(home)) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (sys.executable, "-m", "companion", *arguments),
            cwd=desk,
            env={**own, "HOME": home},
            preexec_fn=obey_modes,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return run_there


@pytest.mark.slow
def test_what_needs_no_archive_of_ones_own_works(run: Run, tmp_path: Path) -> None:
    for arguments in (("labels", "starter", "-o", "starter.pdf"), ("labels", "stocks"), ("settings",), ("demo",)):
        ended = run(*arguments)
        assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "desk" / "starter.pdf").read_bytes().startswith(b"%PDF")


def test_where_no_archive_can_be_a_place_for_one_is_asked_for(run: Run, home: Path) -> None:
    ended = run("deck", "list")
    assert ended.returncode != 0
    assert ended.stderr.count("\n") == 1
    assert str(home) in ended.stderr
    assert ended.stderr.endswith("name another place with --archive FILE.\n")


def test_the_doctor_says_that_no_archive_can_be_there(run: Run, home: Path) -> None:
    report = run("doctor").stdout
    assert "because of a fault of this program" not in report
    assert f"Its folder cannot be made, as you may not write into “{home}”; name a place by --archive FILE." in report


def test_a_setting_that_cannot_be_kept_is_told(run: Run, home: Path) -> None:
    ended = run("settings", "--stock", "5163")
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"That is not kept: “{home}/")
    assert "/settings.toml” cannot be written (" in ended.stderr
    assert ended.stderr.count("\n") == 1


def _list_decks_as_a_number(stderr: Path) -> None:
    # It switches off the collection of garbage, which tests need.
    from companion.cli import __main__ as program

    os.environ.pop("HOME", None)
    sys.argv = ["companion", "deck", "list"]
    sys.stderr = stderr.open("w", encoding="utf-8")
    os.setgid(_NUMBER)
    os.setuid(_NUMBER)
    program.main()


def test_a_user_who_is_only_a_number_has_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can be somebody else")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "COMPANION_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    # Loaded before, as somebody else may not read where Python is.
    CliRunner().invoke(main, ["deck", "list", "--archive", str(tmp_path / "none.sqlite")])
    child = multiprocessing.get_context("fork").Process(target=_list_decks_as_a_number, args=(tmp_path / "stderr",))
    child.start()
    child.join()
    assert (tmp_path / "stderr").read_text(encoding="utf-8") == (
        "The folder for the archive, “/nonexistent/.local/share/table-companion”, cannot be created; make sure that "
        "you may write there, or name another place with --archive FILE.\n"
    )
    assert child.exitcode == 2


def test_a_home_that_is_named_from_here_is_here(tmp_path: Path, run: Run) -> None:
    ended = run("settings", "--stock", "5163", home="here")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert list((tmp_path / "desk" / "here").rglob("settings.toml"))


def test_an_open_archive_is_known_where_the_system_lists_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in a chroot into which nobody has mounted /proc.
    monkeypatch.setattr(files, "_DESCRIPTORS", str(tmp_path / "proc"))
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    with (tmp_path / "a").open("rb"):
        assert files.is_open(tmp_path / "a")
        assert not files.is_open(tmp_path / "b")
    assert not files.is_open(tmp_path / "a")
