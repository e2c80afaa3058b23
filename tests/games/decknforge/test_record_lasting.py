"""What people may have stuck before it is undone: labels, inscriptions, crossings out, and nothing else."""

from pathlib import Path

from companion.games.action import permanent_changes
from companion.session.replay import Replay

DUNGEON = Path(__file__).parents[2] / "tables" / "decknforge" / "dungeon.table"


def test_only_what_stays_on_a_card_is_asked_about_before_it_is_undone() -> None:
    replay = Replay(DUNGEON.read_text(encoding="utf-8"))
    lasting = {line.text.split()[0]: permanent_changes(line.tells) for line in replay if permanent_changes(line.tells)}
    assert set(lasting) == {"label", "fade", "buy", "mythic"}
    assert lasting["label"][0].endswith(".")


def test_the_session_tells_what_its_next_undo_would_leave_on_the_cards() -> None:
    replay = Replay(DUNGEON.read_text(encoding="utf-8"))
    for line in replay:
        if line.text.startswith("label "):
            break
    undone = replay.session.undoable()
    assert permanent_changes(tell for moment in undone for tell in moment.tells) == (
        "Ana writes swift on Tithe Collector (A♠ of Ana).",
    )
