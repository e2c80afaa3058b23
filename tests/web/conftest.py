"""One server and one browser for all tests of the pages; a test that changes the doors has a server of its own."""

import os
import pickle
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from companion.archive import Archive
from templates.languages.messages import ENGLISH
from templates.languages.pseudo import PSEUDO
from tests.web.page_samples import PageSample, PageSamples
from tests.web.serving import PATIENCE, Host, serving

# A machine with much to do is slow, and not wrong.
expect.set_options(timeout=PATIENCE * 1000)

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PLACES: Final = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("C:/Program Files/Google/Chrome/Application/chrome.exe"),
)


@pytest.fixture(scope="session", autouse=True)
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings and drafts of the host's pages are those of no user."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for variable in ("XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
            monkeypatch.setenv(variable, str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Who serves all tests that leave the doors as they are."""
    place = tmp_path_factory.mktemp("served") / "archive.sqlite"
    with Archive.open(str(place), by="tests") as archive, serving(archive) as host:
        # A phone that comes while one table is open gets its seat by its name. Two tables are always open here, so that
        # no test depends on those before it.
        for _ in range(2):
            host.fight()
        yield host


@pytest.fixture(scope="session")
def pseudo_samples(tmp_path_factory: pytest.TempPathFactory) -> tuple[PageSample, ...]:
    """All samples of pages in the pseudo-language."""
    return _collect_samples(PSEUDO.code, tmp_path_factory)


@pytest.fixture(scope="session")
def english_samples(tmp_path_factory: pytest.TempPathFactory) -> tuple[PageSample, ...]:
    """All samples of pages in English, of a host whose name is that of a machine."""
    return _collect_samples(ENGLISH.code, tmp_path_factory)


def _collect_samples(language: str, places: pytest.TempPathFactory) -> tuple[PageSample, ...]:
    """Return all samples in a language. They take half a minute, so the processes of one run share them."""
    own = places.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"samples-{language}.pickle"
    if shared.exists():
        samples: tuple[PageSample, ...] = pickle.loads(shared.read_bytes())
        return samples
    place = places.mktemp("samples") / "archive.sqlite"
    with Archive.open(str(place), by="root@vm") as archive, serving(archive) as host:
        samples = tuple(PageSamples(host, language).collect())
    whole = own / shared.name.replace("pickle", "new")
    whole.write_bytes(pickle.dumps(samples))
    whole.replace(shared)
    return samples


@pytest.fixture
def own_host(archive: Archive) -> Iterator[Host]:
    """Who serves this test alone."""
    with serving(archive) as host:
        yield host


def chromium() -> str | None:
    """Where this machine has a browser of that family."""
    names = (shutil.which(name) for name in _NAMES)
    return next((path for path in (*names, *(str(place) for place in _PLACES if place.exists())) if path), None)


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The system's own Chromium, without a screen."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: apt install chromium")
    # Root, as in a container, has no other way; nothing but our own pages is looked at.
    alone = ["--no-sandbox"] if sys.platform != "win32" and os.geteuid() == 0 else []
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=path, args=alone)
        yield opened
        await opened.close()
