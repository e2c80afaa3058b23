"""The folder that PyInstaller makes, with Python and all libraries in it: it does what an installed companion does."""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest

from companion.cli.main import main
from tests.release.building import build_program
from tests.release.commands import LOCKED, RELEASE, ROOT, closure, locked_needs

_PROGRAM: Mapping[str, Any] = runpy.run_path(str(RELEASE / "program.py"))
split_arguments: Callable[[Sequence[str]], object] = _PROGRAM["split_arguments"]
restore_library_paths: Callable[[dict[str, str]], None] = _PROGRAM["restore_library_paths"]

_LICENCE = re.compile("LICEN[CS]E|COPYING", re.IGNORECASE)

_POOLS = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

for method in multiprocessing.get_all_start_methods():
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        print(method, *pool.map(len, ["a", "bb", "ccc"]))
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-P", "-m", "labels.decoding", "0"], ("-m", "labels.decoding", ["0"])),
        (["-I", "-S", "-c", "print(1)", "file"], ("-c", "print(1)", ["file"])),
        (["-X", "utf8", "-m", "json.tool", "-m"], ("-m", "json.tool", ["-m"])),
        (["-Wdefault", "-c", "pass"], ("-c", "pass", [])),
        (["play", "--lines"], None),
        (["--archive", "a.db", "-m", "b"], None),
        (["-h"], None),
        (["-m"], None),
        ([], None),
    ],
)
def test_only_what_python_would_run_is_run_as_python(arguments: list[str], expected: object) -> None:
    assert split_arguments(arguments) == expected


def test_programs_of_the_system_get_their_own_libraries() -> None:
    environment = {"LD_LIBRARY_PATH": "/ours:/before", "LD_LIBRARY_PATH_ORIG": "/before", "PATH": "/bin"}
    restore_library_paths(environment)
    assert environment == {"LD_LIBRARY_PATH": "/before", "PATH": "/bin"}
    environment = {"LD_LIBRARY_PATH": "/ours", "PATH": "/bin"}
    restore_library_paths(environment)
    assert environment == {"PATH": "/bin"}


def run(program: Path, folder: Path, *arguments: str) -> str:
    """What the program says; nothing may go wrong in it or in a process that it starts."""
    process = subprocess.run(
        [program, *arguments], cwd=folder, env=surroundings(folder), capture_output=True, encoding="utf-8", check=False
    )
    assert process.returncode == 0, process.stderr
    assert "Traceback" not in process.stderr
    return process.stdout


def surroundings(folder: Path) -> dict[str, str]:
    """An environment that points neither to Python nor to the checkout, with an archive of its own."""
    passed = {key: text for key, text in os.environ.items() if not key.startswith(("PYTHON", "PYTEST", "COV", "XDG"))}
    return {**passed, "COMPANION_ARCHIVE": f"sqlite:///{folder / 'archive.db'}", "XDG_CACHE_HOME": str(folder)}


@pytest.mark.slow
def test_the_program_does_the_main_job_without_python(tmp_path: Path) -> None:
    folder = tmp_path / "the box, grün"
    folder.mkdir()
    program = build_program(tmp_path)
    companion = partial(run, program, folder)
    assert re.fullmatch(r"companion \d+\.\d+\.\d+\n", companion("--version"))
    # Labels drawn in fonts that come along, an archive brought up by migrations, a picture scanned by a child.
    assert "The sheets are in printed." in companion("demo", "--out", "printed")
    assert all(path.read_bytes().startswith(b"%PDF") for path in (folder / "printed").glob("*.pdf"))
    # Each library keeps its licence, and Python its own.
    inside = program.parent / "_internal"
    for need in closure(locked_needs(LOCKED)):
        name = re.sub(r"[-.]+", "_", need.name).lower()
        (folder_of_library,) = inside.glob(f"{name}-*.dist-info")
        assert any(_LICENCE.search(path.name) for path in folder_of_library.rglob("*")), need.name
    assert (inside / "python" / "LICENSE.txt").exists()
    # Every command is there, though none is a module that something imports.
    named = set(main.list_commands(click.Context(main)))
    listed = companion("--help").partition("Commands:")[2]
    assert {line.split()[0] for line in listed.splitlines() if re.match(r"  \w", line)} == named
    # The same program, as far as rehearsals are concerned, as the one that was installed.
    version = "from companion.rehearsal.workers import program_version; print(program_version('decknforge'))"
    here = subprocess.run([sys.executable, "-c", version], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert companion("-c", version) == here.stdout
    assert "40 rehearsed" in companion("rehearse", "decknforge", "--games", "40", "--jobs", "2")
    # Processes in all ways that there are.
    answered = companion("-c", _POOLS).split("\n")[:-1]
    assert {line.partition(" ")[2] for line in answered} == {"1 2 3"}
    # What versions are in it, and a whole bill of health but for what this machine lacks.
    doctor = subprocess.run(
        [program, "doctor", "--json"], cwd=folder, env=surroundings(folder), capture_output=True, check=False
    )
    checks = {check["name"]: check for check in json.loads(doctor.stdout)}
    assert "reportlab" in checks["Libraries"]["text"]
    assert not [check for check in checks.values() if "fault of this program" in check["text"]]
    if os.name != "nt":
        # There is no such terminal on Windows.
        from tests.release import sitting

        sitting.check_screen(program, surroundings(folder))
        sitting.check_pages(program, surroundings(folder))
