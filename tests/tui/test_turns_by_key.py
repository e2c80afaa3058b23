"""How many keys a turn takes, letters of cards and Enter included, and that the log says it all in full."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui.shortcuts import invitation
from tests.tui.conftest import Seat
from tests.tui.test_duel import stored_lines

DOCS: Final = Path(__file__).parents[2] / "docs" / "keys.md"
GO: Final = "<f4>"
ENTER: Final = "<enter>"


class Turn(NamedTuple):
    """A turn as it is keyed in, and the lines that somebody would have written for it.

    `keys` are texts, each letter a key, and keys in <>.
    """

    game: str
    set_up: tuple[str, ...]
    keys: tuple[str, ...]
    most: int
    lines: tuple[str, ...]

    @property
    def presses(self) -> tuple[str, ...]:
        """Each key that is pressed."""
        names = {" ": "space"}
        return tuple(
            press
            for text in self.keys
            for press in ((text.strip("<>"),) if text.startswith("<") else (names.get(key, key) for key in text))
        )


DUNGEON: Final = ("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1")
LANES: Final = (
    *("seat ana", "seat ben", 'lists ana "3 Grove Hound | creature | 3/4"', 'lists ana "3 Iron Tusk | creature | 4/5"'),
    *("begin seed 1", "battle", "next", "battle", "next"),
)
FORGERS: Final = (
    *("seat ana", "seat ben"),
    'lists ana "4 Ash Wolf | creature | ronum 1 | power 3/1 | endurance 3"',
    *("gear ana blade weapon power 2/1 hands 1", "gear ben club weapon power 2/1 hands 1", "begin seed 1", "next"),
    *("next", "next", "skip-combat", "next", "next"),  # Ana's first turn
    *("next", "skip-combat", "next", "next"),  # Ben's
)
FRONTIER: Final = (
    *("seat ana", "seat ben", 'lists ana "4 Salt Fox | creature | Beast | 3/2 | cost 2"', "begin seed 1", "next"),
    *("next", "set ana engines 1", "set ana hand 6", "token ana hound 2/2"),
    *("next", "next", "next", "set ben hand 4", "next", "next", "next", "next", "next"),
)

TURNS: Final = {
    "a plain DecknForge round of three": Turn(
        "decknforge",
        DUNGEON,
        ("9sqh6c", GO),
        9,
        (
            *("reveal ana 9S", "reveal ben QH", "reveal cy 6C", "next", "damage", "next"),
            "refill minion cy:RJ",
        ),
    ),
    "a SolForge turn with two forges": Turn(
        "solforge",
        LANES,
        ("2 gr", ENTER, "3 ir", GO),
        14,
        ("forge ana 2 grove-hound 3/4", "forge ana 3 iron-tusk 4/5", "battle", "next"),
    ),
    "a Soul-Forger turn with quest, summon and two attacks": Turn(
        "soulforger",
        FORGERS,
        ("1", GO, "as", ENTER, GO, ENTER, ENTER, ENTER, GO),
        14,
        (
            *("quest ana 1", "next", "summon ana ash-wolf ronum 1 power 3/1 endurance 3", "next"),
            *("attack blade on ben", "fight", "attack ash-wolf on ben", "fight", "next", "next", "next", "next"),
        ),
    ),
    "the same with two to attack, who could block": Turn(
        "soulforger",
        (*FORGERS, "token ben moth power 1/1 endurance 2"),
        ("1", GO, "as", ENTER, GO, ENTER, "b", ENTER, ENTER, ENTER, "m", ENTER, GO),
        14,
        (
            *("quest ana 1", "next", "summon ana ash-wolf ronum 1 power 3/1 endurance 3", "next"),
            *("attack blade on ben", "fight", "attack ash-wolf on moth", "fight", "next", "next", "next", "next"),
        ),
    ),
    "an Odd Frontier turn with engine, creature and attack": Turn(
        "oddfrontier",
        FRONTIER,
        (ENTER, "sa", ENTER, GO, ENTER, GO),
        14,
        (
            *("engine ana", "crank ana 2", "summon ana salt-fox 3/2 cost 2", "next"),
            *("attack hound on ben", "fight", "next", "next", "next"),
        ),
    ),
    "an empty SolForge turn": Turn("solforge", LANES, (GO,), 1, ("battle", "next")),
    "an empty Soul-Forger turn": Turn("soulforger", FORGERS, (GO,), 1, ("next",) * 6),
    "an empty Odd Frontier turn": Turn("oddfrontier", (*FRONTIER, "destroy hound"), (GO,), 1, ("next",) * 4),
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", TURNS)
async def test_a_turn_takes_few_keys_and_is_logged_in_full(sit: Seat, archive: Archive, place: Path, name: str) -> None:
    turn = TURNS[name]
    session = archive_journal.start(archive, turn.game)
    for line in turn.set_up:
        session.enter(line)
    stored = archive.sessions()[0].session
    before = len(stored_lines(place, stored))
    async with sit(stored) as hand:
        for key in turn.presses:
            await hand.press(key)
            await hand.settle()
    assert tuple(stored_lines(place, stored)[before:]) == turn.lines
    assert len(turn.presses) <= turn.most
    row = re.search(rf"\| {name}: (.*) \| (\d+) \|", DOCS.read_text(encoding="utf-8"))
    assert row is not None
    assert row[1] == " ".join(f"`{text.strip('<>').title() if text[0] == '<' else text}`" for text in turn.keys)
    assert int(row[2]) == len(turn.presses)


async def test_going_on_is_announced_and_taken_once_where_it_is_pressed_twice(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in (*DUNGEON, "reveal ana 9S", "reveal ben QH", "reveal cy 6C"):
        session.enter(line)
    async with sit(archive.sessions()[0].session) as hand:
        sentence = "F4: no Tactics, no Converts, damage, all take, refill → Ana: reveal a card (round 2)"
        assert hand.table.bar.placeholder == f"Enter: pass ana  ·  {sentence}"
        await hand.press("down", "f4")
        assert "Enter takes the chosen row first" in hand.status
        await hand.press("escape", "f4")
        await hand.counter("table", "round", 2)
        hand.table.settle = 60.0
        await hand.press("f4")
        await hand.until(lambda: "F4 came too soon and was ignored" in hand.status)
        await hand.press("ctrl+z")
        await hand.until(lambda: hand.table.view.step == "tactics")


async def test_where_room_is_scarce_enter_stays_and_going_on_is_told_in_less(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in (*DUNGEON, "reveal ana 9S", "reveal ben QH", "reveal cy 6C"):
        session.enter(line)
    async with sit(archive.sessions()[0].session, size=(80, 24)) as hand:
        brief = "Enter: pass ana  ·  F4: no Tactics, … → Ana: reveal a card (round 2)"
        assert hand.table.bar.placeholder == brief
        hints = [invitation(hand.table.sitting, "F1", "F4", width) for width in range(20, 120)]
        assert {hint for hint in hints if hint.startswith("Enter: pass ana")} == set(hints)
        assert all(len(hint) <= width for width, hint in zip(range(20, 120), hints, strict=True))
        assert "Enter: pass ana  ·  F4: … → Ana: reveal a …" in hints


async def test_nothing_to_go_on_with_says_what_is_asked(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in DUNGEON:
        session.enter(line)
    async with sit(archive.sessions()[0].session) as hand:
        await hand.press("f4")
        await hand.until(lambda: "Nothing goes on by itself here: Ana: reveal a card." in hand.status)
