"""What home leads to beside tables and decks. Separate because nothing of it is loaded before somebody goes there.

What is gone to most stays in memory for an evening; the rest is loaded on the way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from companion.archive import Archive
from companion.tui.screens.choose import open_settings
from companion.tui.screens.people import PeopleScreen
from companion.tui.screens.print import open_print
from companion.tui.screens.typing import Telling


async def _print(screen: Telling, archive: Archive) -> None:
    await open_print(screen, archive, {})


async def _scan(screen: Telling, archive: Archive) -> None:
    from companion.tui.screens.scan import ScanScreen

    await screen.app.push_screen(ScanScreen(archive))


async def _people(screen: Telling, archive: Archive) -> None:
    await screen.app.push_screen(PeopleScreen(archive))


async def _archive(screen: Telling, archive: Archive) -> None:
    from companion.tui.screens.archive import ArchiveScreen

    await screen.app.push_screen(ArchiveScreen(archive))


WAYS: Final[Mapping[str, Callable[[Telling, Archive], Awaitable[None]]]] = {
    "print": _print,
    "scan": _scan,
    "people": _people,
    "archive": _archive,
    "settings": open_settings,
}
