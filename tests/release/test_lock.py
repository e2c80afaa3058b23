"""The lock files: exact versions with hashes for what is released, within the ranges that pyproject.toml promises."""

import re
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.release.commands import LOCKED, LOCKS, closure, locked_needs


def pins(lock: Path) -> dict[str, Version]:
    """The versions of a lock file, by the names of libraries."""
    lines = re.findall(r"^([\w.-]+)==(\S+)", lock.read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): Version(version) for name, version in lines}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.name))
def test_each_library_is_there_in_a_version_that_is_promised(lock: Path) -> None:
    versions = pins(lock)
    for need in locked_needs(lock):
        assert versions[canonicalize_name(need.name)] in need.specifier, "docs/releasing.md says how to lock anew"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.name))
def test_what_libraries_need_in_turn_is_locked_too(lock: Path) -> None:
    versions = pins(lock)
    needed = list(closure(locked_needs(lock)))
    assert len(needed) > len(locked_needs(lock))
    missing = [need.name for need in needed if canonicalize_name(need.name) not in versions]
    assert missing == []
    unfit = [str(need) for need in needed if versions[canonicalize_name(need.name)] not in need.specifier]
    assert unfit == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.name))
def test_every_version_has_hashes_and_comes_from_nowhere_in_particular(lock: Path) -> None:
    text = lock.read_text("utf-8")
    for entry in re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), entry
    assert not re.search(r"://|--(?:extra-)?index-url|--find-links|--trusted-host", text)


def test_libraries_that_only_windows_needs_are_locked_on_every_system() -> None:
    assert re.search(r"^tzdata==\S+ ; sys_platform == 'win32'", LOCKED.read_text("utf-8"), re.MULTILINE)
