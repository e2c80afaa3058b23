"""What every test has: an archive in a real file, for some a server. In CI a skipped one has failed."""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

import tests.examples  # noqa: F401 – loads the profile of properties
from companion.archive import Archive
from tests.archive.locks import GUARD
from tests.bundled import ignore_installed_games

if TYPE_CHECKING:
    from tests.archive import postgres

TEMPLATE = "template"
"""The database on a server of which others are made."""
FEW_LOOKS: Final = 20_000
"""So many objects more, and rubbish is looked for: thousands of tests and what they load are much to look through."""
IN_CI = bool(os.environ.get("CI"))
WINDOWS = sys.platform == "win32"
LINUX = sys.platform == "linux"
_LONGEST_ID: Final = 40
_LONGEST_NAME: Final = 200
_WHOLE_FILE: Final = re.compile(r"^pytestmark = (?:\[[^\]]*)?pytest\.mark\.(?:posix|linux)\b", re.MULTILINE)
"""The mark of a file whose tests all need what Windows lacks. Marks of single tests do not count."""


ignore_installed_games()

# What this computer remembers of archives, and its own archive, are nobody's own while tests run, nor another run's.
_STATE = tempfile.TemporaryDirectory(prefix="companion-state-")
for _variable in ("XDG_STATE_HOME", "XDG_DATA_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA", "WIN_PD_OVERRIDE_APPDATA"):
    os.environ[_variable] = _STATE.name

# Hundreds of programs that tests start load compiled modules, also where Python may write none beside the source. The
# processes of pytest-xdist inherit the folder.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    _COMPILED = tempfile.TemporaryDirectory(prefix="companion-compiled-")
    os.environ["PYTHONPYCACHEPREFIX"] = _COMPILED.name


def pytest_configure() -> None:
    """Sets how often garbage is collected, and hears Ctrl+C and each file that is opened."""
    gc.set_threshold(FEW_LOOKS)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell has what runs behind it ignore Ctrl+C, and each program that a test starts would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.addaudithook(GUARD.hear)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Shorten what a test is called by: a name goes into paths, and Windows has no longer ones than 260 characters."""
    return f"{val[:_LONGEST_ID]!r}..." if isinstance(val, str | bytes) and len(val) > _LONGEST_ID else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Two processes a core for `make test`, a quarter of whose time is waiting; one for what ends at moments."""
    return 2 * (os.cpu_count() or 1) if config.option.markexpr == "not slow" else None


def pytest_report_header() -> Sequence[str]:
    """Says at the top what this system cannot try."""
    posix: list[str] = []
    if WINDOWS:
        folder = Path(__file__).parent
        files = [
            file.relative_to(folder).as_posix()
            for file in sorted(folder.rglob("test_*.py"))
            if is_left_out_on_windows(file.read_text(encoding="utf-8"))
        ]
        posix = [
            "left out on Windows: tests of pseudo-terminals, make, signals, pipes and links; as whole files:",
            *files,
        ]
    linux = "left out but on Linux: tests of several machines in a network, of /proc and /dev/full"
    return [*posix, *([] if LINUX else [linux])]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out files on Windows whose tests all need what it lacks: they could not be imported."""
    if not WINDOWS or collection_path.suffix != ".py":
        return None
    return True if is_left_out_on_windows(collection_path.read_text(encoding="utf-8")) else None


def is_left_out_on_windows(source: str) -> bool:
    """Return True for a file that is marked as a whole as one that needs POSIX or Linux."""
    return _WHOLE_FILE.search(source) is not None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects tests of what this system does not have, and what only `make soak` runs.

    Marks as slow what starts a PostgreSQL server, draws a screen that is also drawn at 80×24, or is not in a sample.
    """
    cases = Counter[tuple[str, bool]]()
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        is_wide = "snap_compare" in fixtures and any(size in item.nodeid for size in ("120x40", "200x60"))
        if "server" in fixtures or is_wide:
            item.add_marker(pytest.mark.slow)
        if "server" in fixtures:
            item.add_marker(pytest.mark.posix)  # the extra `test` brings no PostgreSQL for Windows
        if (sample := item.get_closest_marker("sample")) is not None:
            is_slow = item.get_closest_marker("slow") is not None
            case = (item.nodeid.partition("[")[0], is_slow)
            if cases[case] % sample.args[0]:
                item.add_marker(pytest.mark.soak if is_slow else pytest.mark.slow)
            cases[case] += 1
    if too_long := [item.nodeid for item in items if len(item.nodeid) > _LONGEST_NAME]:
        raise pytest.UsageError(f"Names of tests are at most {_LONGEST_NAME} characters long; give ids: {too_long}")
    lacking = ["posix" if WINDOWS else "windows", *([] if LINUX else ["linux"])]
    if "soak" not in config.option.markexpr:
        lacking.append("soak")
    left_out = [item for item in items if any(map(item.get_closest_marker, lacking))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


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


def pytest_sessionfinish() -> None:
    """Nothing that the tests leave in memory is looked through again.

    pytest does so five times at the very end, when a worker of pytest-xdist has five seconds left: then it is
    interrupted as by Ctrl+C, in the midst of a look for rubbish, which tells that as a fault.
    """
    while gc.collect():
        pass
    gc.freeze()
    # As Python ends it must see them again: libraries in C++ tell on standard error what is left.
    atexit.register(gc.unfreeze)


@pytest.fixture(autouse=True)
def _only_sqlite_opens_what_is_open() -> Iterator[None]:
    """Whoever opens the file of an open archive drops this process's locks on it as soon as it is closed."""
    GUARD.take()
    yield
    assert GUARD.take() == []


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a test's archive lies."""
    return str(tmp_path / "archive.sqlite")


@pytest.fixture(scope="session")
def empty_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive that holds nothing yet, to be copied: that takes a tenth of the time of making one."""
    file = tmp_path_factory.mktemp("archives") / "empty.sqlite"
    Archive.open(str(file)).close()
    return file


@pytest.fixture
def archive(place: str, empty_archive: Path) -> Iterator[Archive]:
    """An archive in a real file, or on a server."""
    if "://" not in place:
        shutil.copy(empty_archive, place)
    with Archive.open(place, by="tests") as opened:
        yield opened


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    """A server for as long as the tests last; databases are made from `template`, which holds an empty archive."""
    # Loaded by those only who ask for one.
    from tests.archive import postgres

    with postgres.running() as running:
        running.sql(f"CREATE DATABASE {TEMPLATE}")
        Archive.open(running.url(TEMPLATE)).close()
        yield running


@pytest.fixture
def database(server: postgres.Server) -> Iterator[str]:
    """The name of a database of its own, with an archive that is empty yet."""
    name = f"a{uuid.uuid4().hex}"
    server.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield name
    server.sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def wire(server: postgres.Server, database: str) -> Iterator[postgres.Wire]:
    """What lies between an archive and that database, and can break or stall."""
    from tests.archive import postgres

    with postgres.wire(server, database) as between:
        yield between
        between.come_back()
