"""Plays or tests with nothing but Python 3.11 or newer, the same way on Windows, macOS and Linux:

    python run.py play [ARGUMENTS OF companion]
    python run.py test [ARGUMENTS OF pytest]

Each first makes the environment that it needs in .venv, and starts at once the next time. `make` calls this script.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# What is read here is read by a Python that may be too old, too, so that it can say so: nothing newer than 3.7.

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
NEEDS = (3, 11)
# What a goal needs, by what pip is asked for. The test environment holds all that playing needs, so whoever tests first
# does not install a second time to play.
REQUIREMENTS = {"play": ".", "test": ".[test]"}
COVERS = {"play": ("play",), "test": ("test", "play")}
PROGRAMS = {"play": ("companion.cli",), "test": ("pytest", "-n", "auto", "--dist", "worksteal")}


# Where the standard library is not whole, and what makes it so, by system.
_VENV_ADVICE = {
    "linux": "install it (on Debian and Ubuntu: apt install python3-venv)",
    "win32": "install Python with its own installer, or by `winget install Python.Python.3.13`, and run this with `py`",
    "darwin": "install Python with its own installer, or by `brew install python`",
    "other": "install Python whole, as its own source package has it",
}


class Missing(Exception):
    """Something that this machine lacks; the message says what, and how to get it."""


def is_ready(goal: str) -> bool:
    """Whether the environment was made after pyproject.toml was last changed."""
    stamp = ENVIRONMENT / f".{goal}"
    return PYTHON.exists() and stamp.exists() and stamp.stat().st_mtime >= (ROOT / "pyproject.toml").stat().st_mtime


def make_environment(goal: str) -> None:
    """Make or complete the environment of a goal. Raises Missing."""
    if sys.version_info < NEEDS:
        wanted = ".".join(map(str, NEEDS))
        raise Missing(f"The companion needs Python {wanted} or newer, and this is {sys.version.split()[0]}.")
    if not _runs(PYTHON):
        _make_venv()
    print(f"fetching what is needed to {goal}; that takes a minute, once", flush=True)
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable"]
    if subprocess.call([*map(str, command), REQUIREMENTS[goal]], cwd=str(ROOT)):
        raise Missing("What pip says above is missing; where it is the network, run this again once there is one.")
    for each in COVERS[goal]:
        (ENVIRONMENT / f".{each}").touch()


def _runs(python: Path) -> bool:
    """Whether there is such a program, and the Python that it was made from is still there."""
    try:
        return subprocess.call([str(python), "-c", ""]) == 0
    except OSError:
        return False


def _make_venv() -> None:
    try:
        import ensurepip  # noqa: F401 – some systems leave it out, and then nothing can be installed
        import venv
    except ImportError:
        way = _VENV_ADVICE.get(sys.platform, _VENV_ADVICE["other"])
        raise Missing(f"This Python cannot make environments, as its venv module is missing: {way}.") from None
    print(f"making {ENVIRONMENT.name} with Python {sys.version.split()[0]}", flush=True)
    try:
        venv.create(str(ENVIRONMENT), clear=True, with_pip=True, symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as error:
        raise Missing(f"No environment can be made in {ENVIRONMENT}: {error}.") from None


def main(arguments: list[str]) -> int:
    """Do what is asked for; the status of the program that runs then."""
    setup_only = arguments[:1] == ["setup"]
    goal, *rest = arguments[1 if setup_only else 0 :] or [""]
    if goal not in PROGRAMS:
        print((__doc__ or "").rstrip(), file=sys.stderr)
        return 2
    try:
        if not is_ready(goal):
            make_environment(goal)
    except Missing as error:
        print(error, file=sys.stderr)
        return 1
    command = [str(PYTHON), "-m", *PROGRAMS[goal], *rest]
    if setup_only:
        return 0
    if os.name != "nt":
        os.execv(command[0], command)
    # There, no program takes the place of another one.
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
