"""The recorded dungeon, six Bosses and what follows them, played through the screen by keys alone."""

from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.replay import Replay, as_json
from companion.session.reading.table_questions import due_prompts, is_over, seat_prompts
from companion.tabletop.table.common_actions import Expect, Refuse
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_pictures import DUNGEON


def lines() -> list[str]:
    """The recorded lines in their canonical spelling, without the checks."""
    replay = Replay(DUNGEON.read_text(encoding="utf-8"))
    notation = replay.session.notation
    rows = [row for row in DUNGEON.read_text(encoding="utf-8").splitlines() if row.partition("#")[0].strip()]
    actions = [notation.parse(row) for row in rows[1:]]
    return [notation.format(action) for action in actions if not isinstance(action, Expect | Refuse)]


def in_one_go(recorded: list[str], hand: Hand) -> list[str]:
    """The lines that the next keys stand for: all cards that are asked for together, or one line."""
    prompts = seat_prompts(hand.table.view)
    row = recorded[: len(prompts)]
    is_row = len(prompts) > 1 and [" ".join(line.split()[:2]) for line in row] == [prompt.line for prompt in prompts]
    return row if is_row else recorded[:1]


def keys_for(row: list[str], hand: Hand) -> Iterator[str]:
    """As a host with one hand keys it: Enter for what is suggested, Ctrl+N, cards alone, and else the line.

    After the last fight Enter leads to the ceremony, and lines do as before.
    """
    first = due_prompts(hand.table.view)[0]
    if len(row) > 1:
        yield " ".join(line.split()[-1] for line in row)
    elif row[0] == first.line and not first.wants and not is_over(hand.table.view):
        yield "<enter>"
    elif row[0] == "next":
        yield "<ctrl+n>"
    elif row[0].startswith(f"dodge {first.seat} ") and f"dodge {first.seat}" in [other.line for other in first.others]:
        yield row[0].removeprefix(f"dodge {first.seat} ")
    else:
        yield row[0]


@pytest.mark.slow
async def test_a_whole_dungeon_is_played_by_keys(sit: Seat, archive: Archive) -> None:
    recorded = lines()
    begin = next(at for at, line in enumerate(recorded) if line.startswith("begin")) + 1
    session = archive_journal.start(archive, "decknforge")
    for line in recorded[:begin]:
        session.enter(line)
    rest = recorded[begin:]
    async with sit(archive.sessions()[0].session, size=(80, 24)) as hand:
        while rest:
            row = in_one_go(rest, hand)
            further = hand.has_played_on()
            for keys in keys_for(row, hand):
                await (hand.press(keys.strip("<>")) if keys.startswith("<") else hand.enter(keys))
            await hand.until(further)
            rest = rest[len(row) :]
        assert hand.table.view.outcome == "win"
        played = as_json(hand.table.sitting.session)
    replayed = Replay("\n".join(("table decknforge", *recorded)))
    list(replayed)
    expected = as_json(replayed.session)
    assert {key: played[key] for key in ("outcome", "table", "seats", "lines")} == {
        key: expected[key] for key in ("outcome", "table", "seats", "lines")
    }
