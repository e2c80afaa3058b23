"""How many keys a round takes, as docs/keys.md says."""

import re
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tabletop.action import NotationError
from companion.tabletop.notation.cards import read_card
from tests.tui.conftest import Seat
from tests.tui.test_fight import enter_lines

DOCS = Path(__file__).parents[2] / "docs" / "keys.md"
SET_UP = ("seat ana", "seat ben", "seat cy", "seat dee", "bosses ana:AS", "active ana", "begin seed 1")
ROUNDS = {
    "no Tactics, everybody takes the attack": ("2h 3c 4d 5s", "<ctrl+n>", "<enter>", "<ctrl+n>", "<enter>"),
    "two Tactics and a Convert": (
        *("2h 3c 4d 5s", "sp 6c", "br 7c", "<ctrl+n>", "conv cy", "<enter>", "<ctrl+n>", "<enter>"),
    ),
    "a kill": ("9h 3c 4d 5s", "<ctrl+n>", "<enter>", "<enter>"),
}
MOST = {"no Tactics, everybody takes the attack": 8, "two Tactics and a Convert": 24, "a kill": 7}


def beyond_the_cards(keys: str) -> int:
    """How many keys a text takes, Enter included and cards not."""
    if keys.startswith("<"):
        return 1
    return len(keys) + 1 - sum(len(word) for word in keys.split() if is_card(word))


def is_card(word: str) -> bool:
    """Whether a word names a card."""
    try:
        read_card(word)
    except NotationError:
        return False
    return True


@pytest.mark.parametrize("kind", ROUNDS)
async def test_a_round_takes_the_keys_that_the_docs_promise(sit: Seat, archive: Archive, kind: str) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in (*SET_UP, *(["set boss hp 5"] if kind == "a kill" else [])):
        session.enter(line)
    async with sit(archive.sessions()[0].session) as hand:
        assert hand.table.view.step == "reveal"
        await enter_lines(hand, *ROUNDS[kind])
        assert (hand.value("table", "round"), hand.value("boss", "number")) == ((1, 2) if kind == "a kill" else (2, 1))
        assert hand.table.view.step == "reveal"
    promised = re.search(rf"\| {kind} \| (\d+) \|", DOCS.read_text(encoding="utf-8"))
    assert promised is not None
    count = sum(map(beyond_the_cards, ROUNDS[kind]))
    assert count == int(promised[1])
    assert count <= MOST[kind]
