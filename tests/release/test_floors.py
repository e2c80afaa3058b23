"""No library is promised, locked or installed in a version with a known fault."""

import datetime
import tomllib
from importlib import metadata
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.release.commands import LOCKED, RELEASE, ROOT
from tests.release.test_lock import pins

FAULTS: list[dict[str, Any]] = tomllib.loads((RELEASE / "floors.toml").read_text("utf-8"))["fault"]


def promised(library: str) -> list[Requirement]:
    """Return what pyproject.toml asks for of a library, for the program itself and for its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = (project["dependencies"], *project["optional-dependencies"].values())
    needs = [Requirement(text) for texts in lists for text in texts]
    return [need for need in needs if canonicalize_name(need.name) == library]


def lowest(need: Requirement) -> Version:
    """Return the lowest version that a requirement allows."""
    return max((Version(each.version) for each in need.specifier if each.operator == ">="), default=Version("0"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault["library"]))
def test_no_version_with_a_known_fault_is_promised_locked_or_installed(fault: dict[str, Any]) -> None:
    mended, library = Version(fault["mended"]), canonicalize_name(fault["library"])
    assert promised(library), "not asked for any more: delete the entry"
    assert [str(need) for need in promised(library) if lowest(need) < mended] == []
    assert pins(LOCKED)[library] >= mended
    assert Version(metadata.version(library)) >= mended


def test_each_fault_says_what_it_is_and_when_it_was_seen() -> None:
    assert FAULTS
    assert [fault for fault in FAULTS if set(fault) != {"library", "mended", "seen", "what"} or not fault["what"]] == []
    assert all(isinstance(fault["seen"], datetime.date) for fault in FAULTS)


def test_a_range_with_a_fault_would_be_found() -> None:
    assert lowest(Requirement("pillow>=12,<14")) < Version("12.3.0")
    assert lowest(Requirement("pillow<14")) == Version("0")
