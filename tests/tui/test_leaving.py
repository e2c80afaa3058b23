"""What is still under way as a screen is left, or as the program ends, may miss widgets or screens that have gone: no
fault.
"""

import asyncio

import pytest
from textual.app import ComposeResult, ScreenStackError
from textual.widgets import Static

from companion.tui.screens.base import TypingScreen
from companion.tui.terminal.textual_private import FaultHandlingApp


class FaultKeepingApp(FaultHandlingApp):
    """An app that keeps its faults."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[Exception] = []

    def handle_fault(self, error: Exception) -> bool:
        """Whatever it is."""
        self.faults.append(error)
        return True


class Leaving(Static):
    """It tells when it goes."""

    def __init__(self) -> None:
        super().__init__()
        self.gone = asyncio.Event()

    def on_unmount(self) -> None:
        """It has gone."""
        self.gone.set()


class Late(TypingScreen[None]):
    """Something goes on here until `Named` is gone, and misses it then."""

    def compose(self) -> ComposeResult:
        """What goes."""
        yield Leaving()

    def on_mount(self) -> None:
        """Wait for it."""
        self.worker = self.run_worker(self.miss(self.query_one(Leaving)))

    async def miss(self, widget: Leaving) -> None:
        """Look for it when it has gone, as what was read in a thread may come too late."""
        await widget.gone.wait()
        self.query_one(Leaving)


async def late(app: FaultKeepingApp) -> Late:
    """To that screen, with its worker waiting."""
    screen = Late()
    await app.push_screen(screen)
    await asyncio.sleep(0)
    return screen


@pytest.mark.parametrize("leaves", [True, False], ids=["left", "ended"])
async def test_what_comes_too_late_is_no_fault(leaves: bool) -> None:
    app = FaultKeepingApp()
    async with app.run_test():
        screen = await late(app)
        if leaves:
            await app.pop_screen()
    assert screen.worker.is_finished
    assert app.faults == []


class Ending(FaultKeepingApp):
    """Something goes on here until there is no screen any more, and misses it then."""

    ways = ("message", "worker", "reported")
    """Ways in which it goes on."""

    async def miss(self) -> None:
        """Look for a screen when there is none, as a key may have led to what takes its time."""
        while self.screen_stack:
            await asyncio.sleep(0)
        assert self.screen

    async def report(self) -> None:
        """The same, where the fault is reported."""
        try:
            await self.miss()
        except ScreenStackError as error:
            self.report_fault(error)

    def go_on(self, way: str) -> None:
        """Begin."""
        if way == "message":
            self.call_later(self.miss)
        else:
            self.run_worker(self.miss() if way == "worker" else self.report())


@pytest.mark.parametrize("way", Ending.ways)
async def test_what_misses_the_last_screen_is_no_fault(way: str) -> None:
    app = Ending()
    async with app.run_test():
        app.go_on(way)
        await asyncio.sleep(0)
    assert not app.screen_stack
    assert app.faults == []


async def test_the_last_screen_cannot_be_left_and_that_is_a_fault() -> None:
    app = FaultKeepingApp()
    async with app.run_test() as pilot:
        app.call_later(app.pop_screen)
        await pilot.pause()
        assert [str(fault) for fault in app.faults] == [
            "Can't pop screen; there must be at least one screen on the stack"
        ]


async def test_what_is_missed_on_a_screen_that_stays_is_a_fault() -> None:
    app = FaultKeepingApp()
    async with app.run_test():
        screen = await late(app)
        await screen.query_one(Leaving).remove()
        await asyncio.sleep(0)
    assert len(app.faults) == 1


class QuestionScreen(TypingScreen[str]):
    """It is left with an answer."""


async def test_a_screen_that_is_left_twice_takes_no_other_with_it() -> None:
    app, answers = FaultKeepingApp(), list[str | None]()
    async with app.run_test() as pilot:
        await app.push_screen(beneath := QuestionScreen())
        await app.push_screen(question := QuestionScreen(), answers.append)
        question.dismiss("sealed")
        question.dismiss("sealed elsewhere")
        await pilot.pause()
        assert app.screen is beneath
    assert answers == ["sealed"]
    assert app.faults == []


async def test_a_screen_that_is_covered_is_left_when_what_covers_it_is() -> None:
    app, answers = FaultKeepingApp(), list[str | None]()
    async with app.run_test() as pilot:
        await app.push_screen(beneath := QuestionScreen())
        await app.push_screen(question := QuestionScreen(), answers.append)
        await app.push_screen(cover := QuestionScreen())
        question.dismiss("sealed elsewhere")
        await pilot.pause()
        assert app.screen is cover
        assert answers == []
        cover.dismiss()
        await pilot.pause()
        assert app.screen is beneath
    assert answers == ["sealed elsewhere"]
