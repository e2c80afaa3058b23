"""Whom the questions of a table concern, and that their answers are taken: asked of every table that was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.choices import Open, accepts, choices
from companion.games.decknforge.actions import Dodge
from companion.games.decknforge.game import GAME
from companion.games.decknforge.prompts import prompts
from companion.games.decknforge.state import DungeonTable
from companion.games.draft import draft
from companion.games.table import Prompt
from companion.session.replay import Replay
from companion.session.session import Session
from tests.games.decknforge import holds

TABLES = Path(__file__).parents[2] / "tables" / "decknforge"


@pytest.fixture(scope="module")
def asked() -> list[tuple[DungeonTable, Prompt]]:
    """Every question of every table that was recorded."""
    replays = [Replay(file.read_text(encoding="utf-8")) for file in sorted(TABLES.rglob("*.table"))]
    states = [replay.session.state for replay in replays for line in replay if not line.failure]
    return [(state, prompt) for state in states for prompt in prompts(state)]


def test_a_question_to_one_wizard_names_the_wizard(asked: list[tuple[DungeonTable, Prompt]]) -> None:
    for state, prompt in asked:
        holds.names_whom_it_concerns(state, prompt)
    assert sum(prompt.seat != "" for _, prompt in asked) > len(asked) / 3


def test_every_answer_that_is_whole_is_taken(asked: list[tuple[DungeonTable, Prompt]]) -> None:
    for state, prompt in asked:
        for answer in prompt.answers:
            assert answer.missing or accepts(GAME, state, answer), (prompt, answer)


def test_a_question_speaks_of_the_table_and_not_of_the_notation(asked: list[tuple[DungeonTable, Prompt]]) -> None:
    for _, prompt in asked:
        assert "`" not in prompt.text, prompt
        assert "(R1." not in prompt.text, prompt


def at(*lines: str) -> DungeonTable:
    """The table that lines lead to."""
    session = Session.new(GAME)
    for line in lines:
        session.enter(line)
    state: DungeonTable = session.state
    return state


def said(state: DungeonTable) -> list[str]:
    """The questions in the order in which they are asked."""
    return [prompt.text for prompt in prompts(state)]


SEATED = ("seat ana", "seat ben", "active ana")
ATTACKED = ("reveal ana 9S", "reveal ben KH", "next", "next", "damage")


@pytest.mark.parametrize(("labels", "bar"), [("none", 5), ("stinky", 6), ("twitchy", 6), ("stinky twitchy", 7)])
def test_stinky_and_twitchy_are_counted_before_a_dodge_is_asked_for(labels: str, bar: int) -> None:
    boss = f"monster ana AS hp 30 atk 4 labels {labels}"
    state = at(*SEATED, boss, "bosses ana:AS", "begin seed 1", *ATTACKED)
    assert said(state)[0] == f"Ana: take 4 from the Boss or dodge with {bar}+"
    found = choices(GAME, state, draft(Dodge, seat="ana"), "cards")
    assert isinstance(found, Open)
    assert found.what == f"cards worth {bar} or more together"


def test_only_who_chooses_first_is_offered_a_label() -> None:
    first, second = prompts(at(*SEATED, "dungeons ana 1", "dungeons ben 1", "begin seed 1"))
    assert [answer.line for answer in first.answers] == ["decline ana", "label ana"]
    assert [answer.line for answer in second.answers] == ["decline ben"]


def test_prices_stand_beside_the_answers_they_belong_to() -> None:
    state = at(*SEATED, "begin seed 1", *ATTACKED[:2])
    tactic, *_ = prompts(state)
    assert tactic.text == "Ana: Tactic (spike 1 card, foil 2 cards, snipe 1 Hero, brace 1 card) or pass"
    assert {answer.line: answer.note for answer in tactic.others} == {
        "spike ana": "1 card",
        "foil ana ben": "2 cards",
        "snipe ana ben": "1 Hero",
        "brace ana": "1 card",
    }


def test_nothing_is_offered_that_a_purse_cannot_pay() -> None:
    evening = ("purse ana 4", "purse ben 31", "begin seed 1", "set table outcome loss")
    drafted = at(*SEATED, *evening).draft
    state = at(*SEATED, *evening, *(f"pick {seat} {seat}" for seat in drafted))
    assert "Ben: buy inscriptions, with 31c" in said(state)
    assert not any(text.startswith("Ana: buy") for text in said(state))
