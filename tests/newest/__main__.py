"""Tries the newest libraries in an environment that is thrown away: python -m tests.newest

First the newest versions that the ranges of pyproject.toml allow; then, one after the other, what is newer than that of
the libraries whose private parts are used, pre-releases included. Of each it prints which private part is gone or has
changed, and runs the tests of those parts and of starting. `python -m tests.newest textual==8.1.1` tries just that.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.newest.parts import ROOT, USES

TESTS: Final = (
    "tests/newest",
    "tests/tui/test_private.py",
    "tests/tui/test_start.py",
    "tests/tui/test_first_evening.py",
    "tests/tui/test_tasks.py",
    "tests/tui/test_terminal_input.py",
    "tests/tui/test_windows_input.py",
    "tests/tui/test_strange_terminals.py",
    "tests/tui/test_memory.py",
    "tests/labels/test_pdf.py",
    "tests/labels/test_scripts.py",
    "tests/web/test_connections.py",
    "tests/web/test_answering.py",
)
"""Tests that touch private parts, and those of starting."""


class Environment:
    """A Python environment with this program in it, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        self._python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    def install(self, *needs: str) -> None:
        """Install the newest versions that fulfil some needs. Raises CalledProcessError."""
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade")
        subprocess.run([self._python, *pip, *needs], cwd=ROOT, check=True, capture_output=True, encoding="utf-8")

    def version(self, library: str) -> str:
        """Return the version of an installed library."""
        code = f"from importlib.metadata import version; print(version({library!r}))"
        result = subprocess.run([self._python, "-c", code], check=True, capture_output=True, encoding="utf-8")
        return result.stdout.strip()

    def run(self, *arguments: str) -> int:
        """Run Python with some arguments in this checkout, and return its exit status."""
        return subprocess.run([self._python, *arguments], cwd=ROOT, check=False).returncode

    def try_out(self, title: str) -> bool:
        """Print what of the private parts is gone or has changed, and run the tests; True if all is well."""
        print(f"== {title}", flush=True)
        parts = self.run("-m", "tests.newest.parts")
        tests = self.run("-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", *TESTS)
        print(f"== {title}: {'as before' if not parts and not tests else 'something broke'}", flush=True)
        return not parts and not tests


def main(needs: Sequence[str]) -> int:
    """Try the newest libraries, or those that are named; exit status 1 where one breaks something."""
    with tempfile.TemporaryDirectory(prefix="newest-") as folder:
        environment = Environment(Path(folder))
        environment.install("--editable", ".[test]")
        usual = {library: environment.version(library) for library in USES}
        if needs:
            environment.install("--no-deps", *needs)
            return int(not environment.try_out(" ".join(needs)))
        is_well = [environment.try_out(", ".join(f"{library} {version}" for library, version in usual.items()))]
        for library, version in usual.items():
            environment.install("--pre", library)
            newest = environment.version(library)
            if newest == version:
                print(f"== {library}: there is nothing newer than {version}")
                continue
            is_well.append(environment.try_out(f"{library} {newest}"))
            environment.install(f"{library}=={version}")
    return int(not all(is_well))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
