"""The table as a picture, in the middle of the recorded dungeon: what everybody sees must not change unnoticed."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive
from companion.games.lines import Expect, Refuse
from companion.session import store
from companion.tui.app import CompanionApp
from tests.tui.hand import Hand

DUNGEON = Path(__file__).parents[1] / "tables" / "decknforge" / "dungeon.table"
MIDDLE = "foil ben ana pay 2D 3C"


def in_the_middle(archive: Archive, before: str = MIDDLE) -> str:
    """The recorded dungeon up to some line, by default a Tactic in the third round of it, kept in the archive."""
    session = store.start(archive, "decknforge")
    _, *rows = [row for row in DUNGEON.read_text().splitlines() if row.partition("#")[0].strip()]
    for row in rows:
        if before in row:
            break
        action = session.notation.parse(row)
        if not isinstance(action, Expect | Refuse):
            session.do(action)
    return archive.sessions()[0].session


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_a_table_in_the_middle_of_a_fight(
    snap_compare: object, archive: Archive, place: Path, size: tuple[int, int]
) -> None:
    app = CompanionApp(str(place), in_the_middle(archive))

    async def at_table(pilot: Pilot[None]) -> None:
        await Hand(app, pilot).at_table()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=size, run_before=at_table)
