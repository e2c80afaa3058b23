"""Draws the README's picture of the table: `python -m tests.tui.picture FILE.svg`."""

import asyncio
import sys
import tempfile
from pathlib import Path

from companion.archive import Archive
from companion.tui.app import CompanionApp
from tests.tui.hand import Hand
from tests.tui.test_pictures import in_the_middle


async def draw(target: Path) -> None:
    """The recorded dungeon in the middle of a fight, 120 × 40, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "archive.sqlite"))
        with Archive.open(place) as archive:
            session = in_the_middle(archive)
        app = CompanionApp(place, session)
        async with app.run_test(size=(120, 40)) as pilot:
            await Hand(app, pilot).at_table()
            target.write_text(app.export_screenshot(title="companion"), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1])))
