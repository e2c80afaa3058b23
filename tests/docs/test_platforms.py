"""Each difference between systems that docs/platforms.md names has a test that exists, or a reason why it has none."""

import re
from collections.abc import Iterator

import pytest

from tests.docs.documents import DOCS
from tests.docs.test_safe import cases_in

PAGE = (DOCS / "platforms.md").read_text(encoding="utf-8")
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_REASON = re.compile(r"\b[Nn]ot here: \w")


def rows() -> Iterator[list[str]]:
    """The rows of all tables, without their heads."""
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if line.startswith("| ") and cells[0] != "what differs":
            yield cells


@pytest.mark.parametrize("cells", rows(), ids=lambda cells: str(cells[0][:40]))
def test_each_difference_has_its_test_or_a_reason(cells: list[str]) -> None:
    assert len(cells) == 3
    assert _TEST.search(cells[2]) or _REASON.search(cells[2])


def test_every_test_that_a_difference_names_exists() -> None:
    named = _TEST.findall(PAGE)
    assert len(named) > 30
    assert [f"{path}::{name}" for path, name in named if name not in cases_in(path)] == []
    assert PAGE.count("::") == len(named)
