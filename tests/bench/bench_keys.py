"""How long each key of every screen takes to be answered: the worst ten, beside a key of a bare Textual app.

A key is answered when what it asked for is on the screen: everything that it set off is dealt with, the screen that
it leads to is there and filled, and all that is painted. Nobody waits for what a screen adds by itself a moment later,
such as the picture of a page to be printed (`BESIDE`), nor for a backup. What is told is processor time of the whole
program, threads included: the clock would tell what else the machine does. The program has had the moment that somebody
needs to read its first screen; `AT_ONCE` are keys that come before that moment is over.

A budget has only the slowest of them: nobody waits for a key longer than a tenth of a second.
"""

import asyncio
import contextlib
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textual import events
from textual.app import App

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui.app import CompanionApp
from companion.tui.terminal.terminal_input import key_of
from companion.tui.terminal.textual_private import BaseScreen
from tests.archive import bands
from tests.bench.bare_app import BareApp
from tests.bench.bench_rules import DUNGEON, played
from tests.bench.figures import Figure

BUDGET = 100
WORST = 10
SIZE = (120, 40)
FEW_LOOKS = 100_000
"""New objects before garbage is looked for, as the command line has it."""
WAYS = (
    *((), ("f2",), ("f4",), ("f3",), ("f5",), ("f6",), ("f7",), ("f12",), ("ctrl+o",), ("f1",)),
    *(("tab", "enter"), ("tab", "enter", "f5"), ("tab", "enter", "f6")),
)
"""The keys that lead from home to a screen; without one it is home itself."""
AT_ONCE = ("f1", "f2", "f5")
TYPED = ("a", "g", "backspace", "up", "down", "pageup", "pagedown", "tab", "left", "right")
"""Keys that mean something on every screen besides those that it names itself."""
SHUNNED = {"ctrl+q", "f9", "f8", "ctrl+z", "ctrl+c", "escape"}
"""Keys that end the program, go to another archive, or leave the screen; the last are pressed last."""
BESIDE = {"keys", "follow other windows", "load ahead", "back up", "_preview"}
"""Workers that no key waits for."""


class Answered(NamedTuple):
    """A key on a screen and the milliseconds until it was answered."""

    screen: str
    key: str
    taken: float


def figures() -> list[Figure]:
    """The slowest keys, each pressed once on a screen of its own."""
    # What is printed with a key goes beside where the program was begun.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        place = str(Path(folder, "archive.sqlite"))
        with Archive.open(place, by="bench") as archive:
            for number in range(100):
                bands.found_band(archive, f"band-{number}", f"wizard-{number % 20}")
            lines = DUNGEON.read_text(encoding="utf-8").splitlines()
            session = archive_journal.keep(archive, played("\n".join(lines[: len(lines) // 2])), "dungeon")
        bare = min(asyncio.run(_bare()) for _ in range(3))
        answered = asyncio.run(_walk(place, session))
    worst = sorted(answered, key=lambda key: -key.taken)[:WORST]
    return [Figure(f"{key.key} on {key.screen}", key.taken, "ms", budget=BUDGET) for key in worst] + [
        Figure("a key of the bare app", bare, "ms")
    ]


async def _bare() -> float:
    app = BareApp()
    async with app.run_test(size=SIZE):
        await asyncio.sleep(0.2)
        return await _pressed(app, "minus")


async def _walk(place: str, session: str) -> list[Answered]:
    answered: list[Answered] = []
    # First of all: what is loaded for one app stays loaded for those that follow.
    for key in AT_ONCE:
        with _collected():
            answered.append(await _at_once(place, key))
    for way in WAYS:
        with _collected():
            answered += [key async for key in _screen(place, None, way)]
    with _collected():
        answered += [key async for key in _screen(place, session, ())]
    return answered


@contextlib.contextmanager
def _collected() -> Iterator[None]:
    """As in a process of its own: looking for garbage begins when the program says so, and meets no other app's."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.disable()
    gc.set_threshold(FEW_LOOKS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        gc.enable()


async def _at_once(place: str, key: str) -> Answered:
    app = CompanionApp(place)
    async with app.run_test(size=SIZE):
        await _begun(app, None)
        return Answered("Home at once", key, await _pressed(app, key))


async def _screen(place: str, session: str | None, way: Sequence[str]) -> AsyncIterator[Answered]:
    app = CompanionApp(place, session)
    async with app.run_test(size=SIZE):
        await _begun(app, session)
        await _read(app)
        for key in way:
            yield await _answered(app, key)
        name = type(app.screen).__name__
        for key in _keys(app):
            yield await _answered(app, key)
            if type(app.screen).__name__ != name:
                yield await _answered(app, "escape")
            if type(app.screen).__name__ != name:
                return
        yield await _answered(app, "escape")


async def _answered(app: CompanionApp, key: str) -> Answered:
    return Answered(type(app.screen).__name__, key, await _pressed(app, key))


async def _begun(app: CompanionApp, session: str | None) -> None:
    """Wait until the archive is open and the first screen is there."""
    while app.archive is None or app.has_keys_left or (session is not None and len(app.screen_stack) == 1):
        await asyncio.sleep(0.01)
    await _painted(app)


async def _read(app: CompanionApp) -> None:
    """Wait for as long as somebody looks at the first screen before anything is pressed."""
    while any(worker.name == "load ahead" for worker in app.workers):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)


def _keys(app: CompanionApp) -> Sequence[str]:
    own = (key for key, held in app.screen.active_bindings.items() if held.node is app.screen)
    return [key for key in dict.fromkeys((*TYPED, *own)) if key not in SHUNNED]


async def _pressed(app: App[None], key: str) -> float:
    """Milliseconds that a key takes. It comes as from the terminal, and nobody waits for more than the answer."""
    character = key if len(key) == 1 else None
    event = events.Key(key_of(key) if character else key, character)
    begun = time.process_time()
    app.post_message(event.set_sender(app))
    await asyncio.sleep(0)
    await _painted(app)
    taken = (time.process_time() - begun) * 1e3
    # What goes on beside it is not the next key's.
    await asyncio.sleep(0.1)
    while any(worker.name in BESIDE - {"keys", "follow other windows"} for worker in app.workers):
        await asyncio.sleep(0.01)
    return taken


async def _painted(app: App[Any]) -> None:
    """Wait until nothing is left to do for a key, and the screen shows it."""
    for _ in range(2):
        await asyncio.sleep(0.002)
        while _is_dealing(app) or (isinstance(app.screen, BaseScreen) and app.screen.is_kept_back):
            await asyncio.sleep(0.001)
        painted = asyncio.Event()
        app.screen.call_after_refresh(painted.set)
        await painted.wait()


def _is_dealing(app: App[Any]) -> bool:
    if isinstance(app, CompanionApp) and app.has_keys_left:
        return True
    return any(worker.name not in BESIDE and not worker.is_finished for worker in app.workers)
