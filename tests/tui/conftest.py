"""What the tests of the screens share: an archive in a real file, and an app on a screen of a chosen size."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.games.table import TableView
from companion.session import store
from companion.tui.app import CompanionApp
from tests.games import miniature
from tests.tui.hand import Hand


class Faulty(miniature.Miniature):
    """A duel with a fault in its rules: thirteen is too much for it."""

    name, title = "faulty", "Faulty duel"

    def view(self, state: miniature.Duel) -> TableView:
        """The duel's view; fails where somebody has 13."""
        if 13 in state.life.values():
            raise ZeroDivisionError("thirteen")
        return super().view(state)


registry.register(Faulty())

Seat = Callable[..., AbstractAsyncContextManager[Hand]]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the archive's file is."""
    return tmp_path / "archive.sqlite"


@pytest.fixture
def archive(place: Path) -> Iterator[Archive]:
    """The archive, opened a second time beside the app."""
    with Archive.open(str(place), by="test") as opened:
        yield opened


@pytest.fixture
def duel(archive: Archive) -> str:
    """A duel that has begun; Ana is to draw."""
    session = store.start(archive, "duel")
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
        session.enter(line)
    return archive.sessions()[0].session


@pytest.fixture
def sit(place: Path) -> Seat:
    """Opens the app, at a session's table where one is given, and gives the hand that plays it."""

    @asynccontextmanager
    async def opened(session: str | None = None, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Hand]:
        app = CompanionApp(str(place), session)
        async with app.run_test(size=size) as pilot:
            hand = Hand(app, pilot)
            await hand.until(lambda: app.archive is not None)
            if session is not None:
                await hand.at_table()
            yield hand

    return opened
