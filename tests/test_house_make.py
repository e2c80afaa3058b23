"""The goals of the Makefile as a newcomer meets them, and what CI makes of skipped tests."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.posix

ROOT = Path(__file__).parent.parent


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The Makefile, its script and pyproject.toml alone, as on a fresh clone."""
    for name in ("Makefile", "run.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(clone: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs make in `clone`, away from the make that runs these tests."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    environment["PATH"] = path or environment["PATH"]
    tool = shutil.which("make")
    if tool is None:
        pytest.skip("no make here: apt install make")
    return subprocess.run(
        [tool, *arguments], cwd=clone, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def installed(clone: Path) -> None:
    """As if both environments had been made after pyproject.toml was last changed."""
    (clone / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/python", ".test", ".play"):
        (clone / ".venv" / name).touch()


@pytest.mark.parametrize("goal", ["play", "demo", "test", "test-slow", "test-systems", "bench"])
def test_the_first_run_installs_and_the_second_starts_at_once(clone: Path, goal: str) -> None:
    assert "run.py setup" in make(clone, "-n", goal).stdout
    installed(clone)
    assert "run.py setup" not in make(clone, "-n", goal).stdout


def test_changed_dependencies_are_installed(clone: Path) -> None:
    installed(clone)
    later = (clone / ".venv" / ".test").stat().st_mtime + 5
    os.utime(clone / "pyproject.toml", (later, later))
    assert "run.py setup" in make(clone, "-n", "test").stdout


def test_without_a_new_enough_python_it_says_what_is_missing(clone: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "sh").symlink_to(str(shutil.which("sh")))
    old = bare / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    result = make(clone, "play", path=str(bare))
    assert result.returncode == 2
    assert "needs Python 3.11 or newer" in result.stderr
    assert not (clone / ".venv").exists()


def test_the_soak_plays_as_many_games_as_are_asked_for_and_always_all_storms(clone: Path) -> None:
    installed(clone)
    commands = make(clone, "-n", "soak", "ARGS=100 --game solforge").stdout
    assert "tests.soak 100 --game solforge\n" in commands
    assert "tests.crash 5000\n" in commands
    assert "tests.crash 500\n" in make(clone, "-n", "storms", "ARGS=500").stdout


def test_the_newest_libraries_are_tried_or_those_that_are_asked_for(clone: Path) -> None:
    installed(clone)
    assert "-m tests.newest \n" in make(clone, "-n", "test-newest").stdout
    assert "-m tests.newest textual==8.1.1\n" in make(clone, "-n", "test-newest", "ARGS=textual==8.1.1").stdout


SKIPPING = """
import pytest


@pytest.mark.skip(reason="no server here")
def test_with_a_server() -> None: ...


def test_with_another() -> None:
    pytest.skip("no server here either")


@pytest.mark.xfail
def test_expected_to_fail() -> None:
    raise AssertionError
"""


SKIPPED_FILE = "import pytest\n\npytest.importorskip('a_module_that_nobody_has')\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ci", "outcome", "status"),
    [("true", "1 failed, 1 xfailed, 2 errors", 1), ("", "3 skipped, 1 xfailed", 0)],
)
def test_in_ci_what_is_skipped_has_failed(tmp_path: Path, ci: str, outcome: str, status: int) -> None:
    (tmp_path / "conftest.py").write_text(
        (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (tmp_path / "test_skipping.py").write_text(SKIPPING, encoding="utf-8")
    (tmp_path / "test_skipped_file.py").write_text(SKIPPED_FILE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    run = subprocess.run(
        [*command, tmp_path],
        cwd=tmp_path,
        env={**os.environ, "CI": ci},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert outcome in run.stdout
    assert run.returncode == status


def test_make_test_slow_runs_what_make_test_leaves_out(clone: Path) -> None:
    installed(clone)
    assert '-m "slow or hypothesis" --hypothesis-profile slow' in make(clone, "-n", "test-slow").stdout
    assert " -m slow" not in make(clone, "-n", "check").stdout
    addopts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"][
        "addopts"
    ]
    assert "-m 'not slow'" in addopts
    assert "--strict-markers" in addopts


def test_ci_runs_all_of_it() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert lines[-4:] == ["export CI=true", "make check", "make test-slow", "make test-systems"]
