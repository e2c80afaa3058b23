"""How the app's tasks run: alike on every Python; and it would start with eager tasks, too."""

import asyncio

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from companion.tui.terminal.textual_private import FaultHandlingApp

eager_task_factory = getattr(asyncio, "eager_task_factory", None)
"""None before Python 3.12."""


class FilledScreen(Screen[None]):
    """A first screen whose field holds a value, which ended the app (Textualize/textual#6444)."""

    def compose(self) -> ComposeResult:
        """Yield the field."""
        yield Input("Ana")


class FilledApp(FaultHandlingApp):
    """An app that begins with that screen."""

    DEFAULT_MODE = "first"

    def __init__(self, *, eagerly: bool) -> None:
        super().__init__()
        self.runs_tasks_eagerly = eagerly
        self.add_mode("first", FilledScreen)

    def handle_fault(self, error: Exception) -> bool:  # noqa: ARG002 – the base class's
        """Let every fault end the app."""
        return False


async def divide_by_zero(pilot: Pilot[object]) -> None:
    """Have the app divide by zero."""
    pilot.app.call_later(lambda: 1 // 0)
    await pilot.pause()


@pytest.mark.parametrize("eagerly", [True, False])
async def test_a_first_screen_with_a_filled_field_is_shown(*, eagerly: bool) -> None:
    app = FilledApp(eagerly=eagerly)
    async with app.run_test():
        assert app.screen.query_one(Input).value == "Ana"
        factory = asyncio.get_running_loop().get_task_factory()
        assert factory is (eager_task_factory if eagerly else None)
    assert not app.return_code
    assert app.fatal_error is None


async def test_the_fault_that_ends_the_app_is_kept_for_the_caller() -> None:
    app = FilledApp(eagerly=False)
    await app.run_async(headless=True, auto_pilot=divide_by_zero)
    assert isinstance(app.fatal_error, ZeroDivisionError)
    assert app.return_code == 1
