"""What every test has: an archive in a real file; and in CI one that is skipped has failed, since nobody would see."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from companion.archive import Archive

IN_CI = bool(os.environ.get("CI"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped test counts as failed in CI; a test that is expected to fail stays as it is."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was left out, which CI does not allow: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole file that skips itself counts as failed in CI, too."""
    report = yield
    if IN_CI and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} was left out, which CI does not allow: {report.longrepr}"
    return report


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a test's archive lies."""
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def archive(place: str) -> Iterator[Archive]:
    """An archive in a real file."""
    with Archive.open(place, by="tests") as opened:
        yield opened
