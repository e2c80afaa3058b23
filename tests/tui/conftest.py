"""What the tests of the screens share: an archive in a real file, and an app on a screen of a chosen size."""

import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from textual import constants

from companion.archive import Archive
from companion.games import registry
from companion.games.decknforge.book.founding import MonsterDraft
from companion.games.decknforge.decks.record import found_band
from companion.session.core import archive_journal
from companion.tabletop.notation.cards import read_card
from companion.tabletop.table.table import TableView
from companion.tui.app import CompanionApp
from companion.tui.archives import Serve
from companion.tui.terminal.textual_private import FaultHandlingApp
from tests.games import miniature
from tests.time_zone import load_time_zone
from tests.tui.hand import Hand


class Faulty(miniature.Miniature):
    """A duel with faults in its rules: thirteen is too much for it, and of eleven it gives nonsense."""

    name, title = "faulty", "Faulty duel"

    def view(self, state: miniature.Duel) -> TableView:
        """The duel's view; fails where somebody has 13, and cannot be drawn where somebody has 11."""
        if 13 in state.life.values():
            raise ZeroDivisionError("thirteen")
        view = super().view(state)
        return (
            view if 11 not in state.life.values() else replace(view, seats=[replace(s, flags=None) for s in view.seats])
        )


registry.register(Faulty())


_TERMINAL: Final = {"COLORTERM": "truecolor", "TERM": "xterm-256color", "TZ": "UTC"}
"""Variables that pictures depend on; TZ, as home shows the time of each session."""

_TERMINAL_OPTIONS: Final = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "LINES")
"""Variables that users and CI systems set, and that change colours and sizes."""


class Watched(CompanionApp):
    """The app, keeping the faults that it tells: no test overlooks one that it did not ask for."""

    @cached_property
    def faults(self) -> list[Exception]:
        """What was told, in order."""
        return []

    def notify_fault(self, error: Exception) -> None:
        """Tell it, and keep it."""
        self.faults.append(error)
        super().notify_fault(error)


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path) -> Iterator[None]:
    """Use the default keys and settings, a terminal with all colours, and UTC, whatever this machine has."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, text in _TERMINAL.items():
            monkeypatch.setenv(name, text)
        for name in _TERMINAL_OPTIONS:
            monkeypatch.delenv(name, raising=False)
        for variable in ("XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
            monkeypatch.setenv(variable, str(tmp_path / "config"))
        if os.name == "nt":  # the console says there how many colours it has, and tests have none
            monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")
        load_time_zone()
        yield
    load_time_zone()


# On Python 3.12 and newer: all tests of the screens as they would be if Textual's eager tasks were on.
FaultHandlingApp.runs_tasks_eagerly = os.environ.get("COMPANION_TEST_EAGER_TASKS") == "1"

Seat = Callable[..., AbstractAsyncContextManager[Hand]]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the archive's file is."""
    return tmp_path / "archive.sqlite"


@pytest.fixture
def archive(place: Path, empty_archive: Path) -> Iterator[Archive]:
    """The archive, opened a second time beside the app."""
    shutil.copy(empty_archive, place)
    with Archive.open(str(place), by="test") as opened:
        yield opened


@pytest.fixture
def duel(archive: Archive) -> str:
    """A duel that has begun; Ana is to draw."""
    session = archive_journal.start(archive, "duel")
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
        session.enter(line)
    return archive.sessions()[0].session


@pytest.fixture
def band(archive: Archive) -> str:
    """A founded band."""
    items = (("4S", "4D", "5C"), ("2S", "3D", "7C"), ("8S", "9D", "10C"), ("3S", "6D", "9C"), ("2H", "5D", "8C"))
    names = ("Grave Wyrm", "Moss Hound", "Iron Tick", "Salt Widow", "Old Hunger", "Red Tithe")
    cards = (*items, ("10S", "9H", "7D"))
    drafts = {
        read_card(card): MonsterDraft(name, tuple(map(read_card, three)))
        for card, name, three in zip(("AS", "AH", "AC", "AD", "BJ", "RJ"), names, cards, strict=True)
    }
    inscribed = [(read_card("9S"), "sharp"), (read_card("4H"), "quick"), (read_card("7C"), "pierce")]
    marks, _ = found_band("Grave Choir", "Ana", drafts, inscribed)
    return archive.found_deck("decknforge", marks)


@pytest.fixture
def sit(place: Path) -> Seat:
    """Opens the app, at a session's table where one is given, and gives the hand that plays it."""

    @asynccontextmanager
    async def open_app(
        session: str | None = None, size: tuple[int, int] = (120, 40), serve: Serve | None = None
    ) -> AsyncIterator[Hand]:
        app = Watched(str(place), session, serve=serve)
        async with app.run_test(size=size) as pilot:
            hand = Hand(app, pilot)
            await hand.until(lambda: app.archive is not None)
            if session is not None:
                await hand.at_table()
            yield hand
        assert app.faults == []

    return open_app
