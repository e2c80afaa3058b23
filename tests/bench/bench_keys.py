"""How long each key of every screen takes to be answered: the worst ten, beside a key of a bare Textual app.

A budget has only the slowest of them: nobody waits for a key longer than a tenth of a second.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from companion.archive import Archive
from companion.session import store
from companion.tui.app import CompanionApp
from tests.archive import bands
from tests.bench.bare_app import BareApp
from tests.bench.bench_rules import DUNGEON, played
from tests.bench.figures import Figure

BUDGET = 100
WORST = 10
SIZE = (120, 40)
WAYS = ("", "f2", "f4", "f3", "f5", "f6", "f7", "f12", "ctrl+o", "f1")
"""The keys that lead from home to a screen; without one it is home itself."""
TYPED = ("a", "g", "backspace", "up", "down", "pageup", "pagedown", "tab", "left", "right", "escape")
"""Keys that mean something on every screen besides those that it names itself."""
SHUNNED = {"ctrl+q", "f9", "f8", "ctrl+z", "ctrl+c"}
"""Keys that end the program or go to another archive."""


class Answered(NamedTuple):
    """A key on a screen and the milliseconds until nothing is left to do for it."""

    screen: str
    key: str
    taken: float


def figures() -> list[Figure]:
    """The slowest keys, each pressed once on a screen of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "archive.sqlite"))
        with Archive.open(place, by="bench") as archive:
            for number in range(100):
                bands.found(archive, f"band-{number}", f"wizard-{number % 20}")
            lines = DUNGEON.read_text().splitlines()
            session = store.keep(archive, played("\n".join(lines[: len(lines) // 2])), "dungeon")
        bare = min(asyncio.run(_bare()) for _ in range(3))
        answered = asyncio.run(_walk(place, session))
    worst = sorted(answered, key=lambda key: -key.taken)[:WORST]
    return [Figure(f"{key.key} on {key.screen}", key.taken, "ms", budget=BUDGET) for key in worst] + [
        Figure("a key of the bare app", bare, "ms")
    ]


async def _bare() -> float:
    app = BareApp()
    async with app.run_test(size=SIZE) as pilot:
        return await _pressed(pilot, "minus")


async def _walk(place: str, session: str) -> list[Answered]:
    answered: list[Answered] = []
    for way in WAYS:
        answered += [key async for key in _screen(place, None, way)]
    answered += [key async for key in _screen(place, session, "")]
    return answered


async def _screen(place: str, session: str | None, way: str) -> AsyncIterator[Answered]:
    app = CompanionApp(place, session)
    async with app.run_test(size=SIZE) as pilot:
        await _settled(app, session)
        if way:
            yield Answered("Home", way, await _pressed(pilot, way))
        name = type(app.screen).__name__
        for key in _keys(app):
            yield Answered(name, key, await _pressed(pilot, key))
            if type(app.screen).__name__ != name:
                await _pressed(pilot, "escape")
            if type(app.screen).__name__ != name:
                return


async def _settled(app: CompanionApp, session: str | None) -> None:
    """Wait until the archive is open and the first screen is there."""
    while app.archive is None or app.has_keys_left or (session is not None and len(app.screen_stack) == 1):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)


def _keys(app: CompanionApp) -> Sequence[str]:
    own = (key for key, held in app.screen.active_bindings.items() if held.node is app.screen)
    return [key for key in dict.fromkeys((*TYPED, *own)) if key not in SHUNNED]


async def _pressed(pilot: Pilot[None], key: str) -> float:
    begun = time.process_time()
    await pilot.press(key)
    while isinstance(pilot.app, CompanionApp) and pilot.app.has_keys_left:
        await asyncio.sleep(0.001)
    return (time.process_time() - begun) * 1e3
