"""Supported Pythons and systems are named once, by the classifiers of pyproject.toml; whatever repeats them agrees."""

import re
import runpy
import tomllib
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.release.commands import RELEASE, ROOT, instructions, load_yaml

PYPROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CLASSIFIERS: Final[list[str]] = PYPROJECT["project"]["classifiers"]
PYTHONS: Final = [
    version.group(1)
    for version in (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each) for each in CLASSIFIERS)
    if version
]
"""Supported versions of Python, the oldest first."""
OLDEST, NEWEST = PYTHONS[0], PYTHONS[-1]
RUNNERS: Final = {
    "Operating System :: POSIX :: Linux": "ubuntu",
    "Operating System :: MacOS": "macos",
    "Operating System :: Microsoft :: Windows": "windows",
}
"""What the service that runs the workflows calls the systems."""
SYSTEMS: Final = {RUNNERS[each] for each in CLASSIFIERS if each in RUNNERS}

_CHECK: Final = load_yaml(ROOT / ".github" / "workflows" / "check.yml")["jobs"]
_NEWEST: Final = load_yaml(ROOT / ".github" / "workflows" / "newest.yml")["jobs"]
_RELEASE: Final = load_yaml(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
_PAGES: Final = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").glob("*.md"))
_RANGE: Final = re.compile(r"Pythons?\s+(3\.\d+)\s+(?:to|–|-)\s+(3\.\d+)")
_OLDEST: Final = re.compile(r"Python\s+(3\.\d+)\s+or\s+newer")


def _workflow_pythons(jobs: dict[str, Any]) -> Iterator[str]:
    """Yield each version that a job sets up by its number."""
    for job in jobs.values():
        for step in job["steps"]:
            version = step.get("with", {}).get("python-version", "${{")
            if not version.startswith("${{"):
                yield version


def _released_pythons() -> set[str]:
    """Return the versions that the program and the container of a release are built with."""
    lines = instructions((RELEASE / "Containerfile").read_text("utf-8"))
    bases = [rest for word, rest in lines if word == "FROM"]
    return {*_workflow_pythons(_RELEASE), *(re.findall(r"python:(3\.\d+)-", " ".join(bases)))}


def test_supported_pythons_follow_each_other() -> None:
    minors = [int(version.partition(".")[2]) for version in PYTHONS]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert sorted(SYSTEMS) == sorted(RUNNERS.values())


def test_nothing_older_is_installed_on_or_written_for() -> None:
    assert PYPROJECT["project"]["requires-python"] == f">={OLDEST}"
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{OLDEST.replace('.', '')}"
    assert PYPROJECT["tool"]["mypy"]["python_version"] == OLDEST


def test_libraries_are_locked_for_the_oldest() -> None:
    for lock in (RELEASE / "requirements.txt", RELEASE / "tools.txt"):
        assert f"--python-version {OLDEST} " in lock.read_text("utf-8").splitlines()[1], lock.name


def test_the_commands_of_a_checkout_ask_for_the_oldest() -> None:
    needs = runpy.run_path(str(ROOT / "run.py"))["NEEDS"]
    assert ".".join(map(str, needs)) == OLDEST
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.findall(r"python(3\.\d+)", makefile) == PYTHONS[::-1]
    assert f"sys.version_info < ({OLDEST.replace('.', ', ')})" in makefile
    assert re.findall(r"Python (3\.\d+) or newer", makefile) == [OLDEST]
    assert re.findall(r"Python (3\.\d+) or newer", (ROOT / "run.py").read_text("utf-8")) == [OLDEST]


def test_the_workflow_tests_every_python_on_every_system() -> None:
    matrix = _CHECK["check"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert {system.partition("-")[0] for system in matrix["os"]} == SYSTEMS
    assert set(_workflow_pythons(_CHECK)) <= set(PYTHONS)


def test_the_newest_libraries_are_tried_with_the_oldest_and_the_newest_python() -> None:
    assert _NEWEST["newest"]["strategy"]["matrix"]["python"] == [OLDEST, NEWEST]
    assert set(_workflow_pythons(_NEWEST)) <= set(PYTHONS)


def test_programs_are_released_for_every_system_with_one_supported_python() -> None:
    assert {system.partition("-")[0] for system in _RELEASE["program"]["strategy"]["matrix"]["os"]} == SYSTEMS
    (released,) = _released_pythons()
    assert released in PYTHONS
    assert f"have Python {released} in them" in (ROOT / "docs" / "releasing.md").read_text("utf-8")


def test_the_documents_name_the_same_pythons() -> None:
    ranges, oldest = {}, {}
    for page in _PAGES:
        name, text = page.relative_to(ROOT).as_posix(), page.read_text("utf-8")
        ranges[name] = set(_RANGE.findall(text))
        oldest[name] = set(_OLDEST.findall(text))
    assert all((ranges["docs/releasing.md"], ranges["docs/platforms.md"], oldest["README.md"]))
    assert {page: pairs for page, pairs in ranges.items() if pairs - {(OLDEST, NEWEST)}} == {}
    assert {page: versions for page, versions in oldest.items() if versions - {OLDEST}} == {}


@pytest.mark.parametrize("text", ["Python 3.10 to 3.13", "Python\n3.11 to 3.15"])
def test_a_page_that_promises_others_would_be_found(text: str) -> None:
    assert set(_RANGE.findall(text)) - {(OLDEST, NEWEST)}
