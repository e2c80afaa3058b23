"""The two commands of the README, which need nothing but Python: what they make, and what they say is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", ".*cache", ".hypothesis", "__pycache__", "dist", "build")


def run(folder: Path, *arguments: str, before: str = "pass", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the script in a folder, with hardly anything said by the environment; `before` changes the Python first."""
    begin = f"import runpy, sys; {before}; sys.argv[1:] = {list(arguments)!r}"
    code = f"{begin}; runpy.run_path('run.py', run_name='__main__')"
    # Where packages come from is this machine's to say.
    needed = {
        name: text for name, text in os.environ.items() if name in ("PATH", "SYSTEMROOT") or name.startswith("PIP_")
    }
    return subprocess.run(
        [getattr(sys, "_base_executable", sys.executable), "-c", code],
        cwd=folder,
        env={**needed, "LANG": "C", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The script and pyproject.toml alone, on a path that is not only letters."""
    folder = tmp_path / "der Koffer, grün"
    folder.mkdir()
    for name in ("run.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def test_an_older_python_is_told_which_one_is_needed(clone: Path) -> None:
    result = run(clone, "play", before="sys.version_info = (3, 9, 1)")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "needs Python 3.11 or newer" in result.stderr
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize(
    ("system", "advice"),
    [
        ("linux", "apt install python3-venv"),
        ("win32", "winget install"),
        ("darwin", "brew install"),
        ("freebsd15", "Python whole"),
    ],
)
def test_a_python_without_its_venv_is_told_how_to_get_it(clone: Path, system: str, advice: str) -> None:
    result = run(clone, "test", before=f"sys.modules['ensurepip'] = None; sys.platform = {system!r}")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert advice in result.stderr


def test_any_other_word_is_answered_with_what_there_is(clone: Path) -> None:
    for words in ((), ("fly",), ("setup",)):
        result = run(clone, *words)
        assert result.returncode == 2
        assert "python run.py play" in result.stderr


@pytest.mark.slow
def test_a_fresh_copy_tests_and_plays_without_a_home(tmp_path: Path) -> None:
    folder = tmp_path / "der Koffer, grün"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    first = run(folder, "test", "tests/session/test_names.py", "-q", "-p", "no:cacheprovider")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "making .venv with Python" in first.stdout
    assert " passed" in first.stdout
    second = run(folder, "play", "--version")
    assert second.returncode == 0, second.stderr
    assert "fetching" not in second.stdout
    # A path that went away under the environment is noticed, and the environment made anew.
    (folder / "pyproject.toml").touch()
    readonly = tmp_path / "home"
    readonly.mkdir(mode=0o500)
    third = run(folder, "play", "--version", HOME=str(readonly))
    assert third.returncode == 0, third.stderr
    assert "fetching" in third.stdout
