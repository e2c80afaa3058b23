"""What people may have stuck before it is undone: labels, inscriptions, crossings out, and nothing else."""

import re
from pathlib import Path

import pytest

from companion.session.core.replay import Replay
from companion.tabletop.action import permanent_changes

DUNGEON = Path(__file__).parents[2] / "tables" / "decknforge" / "dungeon.table"


def test_only_an_undo_of_what_stays_on_a_card_is_asked_about() -> None:
    replay = Replay(DUNGEON.read_text(encoding="utf-8"))
    lasting = {line.text.split()[0]: permanent_changes(line.tells) for line in replay if permanent_changes(line.tells)}
    assert set(lasting) == {"label", "fade", "buy", "mythic"}
    assert str(lasting["label"][0]).endswith(".")


def test_the_session_says_what_an_undo_would_leave_on_cards() -> None:
    replay = Replay(DUNGEON.read_text(encoding="utf-8"))
    for line in replay:
        if line.text.startswith("label "):
            break
    undone = replay.session.undoable()
    sentences = permanent_changes(tell for moment in undone for tell in moment.tells)
    assert tuple(map(str, sentences)) == ("Ana writes swift on Tithe Collector (A♠ of Ana).",)


DONE_WITH_CARDS = re.compile(
    r" draws \d| writes | carries .* from | back into the hand| now holds |: stick |Cross out "
    r"| the card is committed|^Everybody draws "
)
"""What people do with real cards and a pen; all else is only counted."""


@pytest.mark.slow
def test_what_is_done_with_real_cards_is_marked_so() -> None:
    tells = [
        tell
        for file in sorted(DUNGEON.parent.rglob("*.table"))
        for line in Replay(file.read_text(encoding="utf-8"))
        for tell in line.tells
    ]
    by_hand = {str(tell.text) for tell in tells if tell.by_hand}
    assert by_hand == {str(tell.text) for tell in tells if DONE_WITH_CARDS.search(str(tell.text))}
