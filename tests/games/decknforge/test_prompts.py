"""Whom the questions of a table concern, and that their answers are taken: asked of every table that was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rules.actions import Dodge
from companion.games.decknforge.table.prompts import prompts
from companion.session.core.replay import Replay
from companion.tabletop.table.choices import Open, accepts, choices
from companion.tabletop.table.table import Prompt, draft
from tests.games.decknforge import holds
from tests.games.decknforge.sessions import session_after

TABLES = Path(__file__).parents[2] / "tables" / "decknforge"


@pytest.fixture(scope="module")
def questions() -> list[tuple[DungeonTable, Prompt]]:
    """Every question of every table that was recorded."""
    replays = [Replay(file.read_text(encoding="utf-8")) for file in sorted(TABLES.rglob("*.table"))]
    states = [replay.session.state for replay in replays for line in replay if not line.failure]
    return [(state, prompt) for state in states for prompt in prompts(state)]


@pytest.mark.slow
def test_a_question_to_one_wizard_names_the_wizard(questions: list[tuple[DungeonTable, Prompt]]) -> None:
    for state, prompt in questions:
        holds.names_whom_it_concerns(state, prompt)
    assert sum(prompt.seat != "" for _, prompt in questions) > len(questions) / 3


def test_every_answer_that_is_whole_is_taken(questions: list[tuple[DungeonTable, Prompt]]) -> None:
    for state, prompt in questions:
        for answer in prompt.answers:
            assert answer.missing or accepts(GAME, state, answer), (prompt, answer)


def test_a_question_speaks_of_the_table_and_not_of_the_notation(questions: list[tuple[DungeonTable, Prompt]]) -> None:
    for _, prompt in questions:
        assert "`" not in str(prompt.text), prompt
        assert "(R1." not in str(prompt.text), prompt


def state_after(*lines: str) -> DungeonTable:
    """The table that lines lead to."""
    state: DungeonTable = session_after(*lines).state
    return state


def texts(state: DungeonTable) -> list[str]:
    """The questions in the order in which they are asked."""
    return [str(prompt.text) for prompt in prompts(state)]


SEATED = ("seat ana", "seat ben", "active ana")
ATTACKED = ("reveal ana 9S", "reveal ben KH", "next", "next", "damage")


@pytest.mark.parametrize(("labels", "bar"), [("none", 5), ("stinky", 6), ("twitchy", 6), ("stinky twitchy", 7)])
def test_a_dodge_is_asked_for_with_stinky_and_twitchy_counted(labels: str, bar: int) -> None:
    boss = f"monster ana AS hp 30 atk 4 labels {labels}"
    state = state_after(*SEATED, boss, "bosses ana:AS", "begin seed 1", *ATTACKED)
    assert texts(state)[0] == f"Ana: take 4 damage from the Boss, or dodge with {bar}+"
    cards = choices(GAME, state, draft(Dodge, seat="ana"), "cards")
    assert isinstance(cards, Open)
    assert str(cards.what) == f"cards worth {bar} or more together"


def test_only_who_chooses_first_is_offered_a_label() -> None:
    first, second = prompts(state_after(*SEATED, "dungeons ana 1", "dungeons ben 1", "begin seed 1"))
    assert [answer.line for answer in first.answers] == ["decline ana", "label ana"]
    assert [answer.line for answer in second.answers] == ["decline ben"]


def test_prices_stand_beside_the_answers_they_belong_to() -> None:
    state = state_after(*SEATED, "begin seed 1", *ATTACKED[:2])
    tactic, *_ = prompts(state)
    assert str(tactic.text) == "Ana: Tactic (spike 1 card, foil 2 cards, snipe 1 Hero, brace 1 card) or pass"
    assert {answer.line: str(answer.note) for answer in tactic.others} == {
        "spike ana": "1 card: own card +3",
        "foil ana ben": "2 cards: Ben −3",
        "snipe ana ben": "1 Hero: swap with Ben",
        "brace ana": "1 card: no Boss damage",
    }


def test_nothing_is_offered_that_a_purse_cannot_pay() -> None:
    evening = ("purse ana 4", "purse ben 31", "begin seed 1", "set table outcome loss")
    drafted = state_after(*SEATED, *evening).draft
    state = state_after(*SEATED, *evening, *(f"pick {seat} {seat}" for seat in drafted))
    assert "Ben: buy inscriptions for Ben's band, with 31c" in texts(state)
    assert not any(text.startswith("Ana: buy") for text in texts(state))


# What the step waits for, and what is only offered


def due(*lines: str) -> dict[str, bool]:
    """Each question without the prices of Tactics, and whether the step waits for it."""
    return {str(prompt.text).partition(" (spike")[0]: prompt.due for prompt in prompts(state_after(*lines))}


BEGUN = (*SEATED, "bosses ana:AS ana:AH", "begin seed 1")
REVEALED = ("reveal ana 9S", "reveal ben KH")


def test_at_set_up_only_the_first_seat_and_begin_are_due() -> None:
    assert due() == {"Who sits next, clockwise?": True}
    assert due(*SEATED) == {
        "Who sits next, clockwise?": False,
        "Who was underground last? Ana starts.": False,
        "Begin the dungeon": True,
        "Which Boss was flipped first? Otherwise chance decides": False,
        "Who draws Bosses, Minions and lots?": False,
        "What shall I keep track of?": False,
    }
    named = (*SEATED, "bosses ana:AS")
    assert "Which Boss was flipped first? Otherwise chance decides" not in due(*named)
    assert "Flipped first: A♠ of Ana; `bosses REF…` changes that." in map(str, GAME.view(state_after(*named)).hints)
    assert "Who sits next, clockwise?" not in due(*(f"seat {name}" for name in ("ana", "ben", "cy", "dee", "eve")))


def test_strict3_asks_for_more_inscribed_cards() -> None:
    one = (*SEATED, "rule min-inscribed strict3", "inscribed ana 9S sharp", "dungeons ben 1")
    assert due(*one)["Ana: 1 inscribed card is too few here; name more"]
    assert "Ana: 2 inscribed cards are too few here; name more" in due(*one, "inscribed ana 8S sharp")
    three = due(*one, "inscribed ana 8S sharp", "inscribed ana 7S sharp")
    assert three["Begin the dungeon"]
    assert not any("too few" in text for text in (*three, *due(*one[:2], "inscribed ana 9S sharp")))


def test_a_round_waits_for_reveals_tactics_damage_and_answers() -> None:
    assert due(*BEGUN) == {"Ana: reveal a card": True, "Ben: reveal a card": True}
    assert due(*BEGUN, *REVEALED) == {"Ana: Tactic": True, "Everybody else passes": False}
    assert due(*BEGUN, *REVEALED, "next") == {
        "Resolve the damage; wizards who declared nothing attack the Boss": True,
        "Ana: 9♠ (9) attacks, or Converts": False,
    }
    assert due(*BEGUN, *REVEALED, "next", "damage") == {
        "Ana: take 3 damage from the Boss, or dodge with 4+": True,
        "Ben: take 3 damage from the Boss, or dodge with 4+": True,
        "Everybody takes the damage that is still open": False,
    }
    attacked = (*BEGUN, *REVEALED, "next", "damage", "set ana hand 0", "set ben shield 2")
    assert [text for text, waited in due(*attacked).items() if waited] == [
        "Ana: take 3 damage from the Boss",
        "Ben: take 1 damage from the Boss, or dodge with 4+",
    ]
    assert "Ana: take 3 damage from the Boss" not in due(*attacked, "take ana")


def test_wizards_will_is_offered_for_two_cards_before_tactics() -> None:
    will = "Ana: Wizard's Will may swap two revealed cards"
    table = (*SEATED, "inscribed ana KD wizards-will", "begin seed 1")
    assert will not in due(*table, "reveal ana 9S")
    assert due(*table, *REVEALED)[will] is False
    assert will not in due(*table, *REVEALED, "pass ana")
    assert will not in due(*BEGUN, *REVEALED)


def test_a_minion_is_aimed_at_only_where_there_is_one() -> None:
    lines = (*BEGUN, *REVEALED, "next", "damage", "next", "refill", "reveal ana 8S", "reveal ben QH", "next")
    assert due(*lines)["Ana: 8♠ (8) attacks, Converts, or aims at a Minion"] is False


def test_a_refill_says_who_comes_or_that_the_pool_is_empty() -> None:
    lines = (*BEGUN, *REVEALED, "next", "damage", "next")
    assert due(*lines) == {"Refill: everybody draws, a Minion comes": True}
    assert due(*lines, "set table pool 0") == {"Refill: everybody draws, the pool is empty: ATK +1": True}


def test_momentum_is_no_answer_after_the_last_boss() -> None:
    kill = (*BEGUN, "set boss hp 5", "set ana hp 12", "set ben hp 9", *REVEALED, "next", "damage")
    (bonus,) = prompts(state_after(*kill))
    assert str(bonus.text) == "Ben: choose a bonus: momentum, surge, rally"
    assert [str(answer.note) for answer in bonus.answers] == [
        "momentum (next Boss −10)",
        "surge (draw 3; then all draw to 12)",
        "rally (all +5; then all HP to 20)",
    ]
    (last,) = prompts(state_after(*BEGUN, "set boss number 6", *kill[len(BEGUN) :]))
    assert [str(answer.note) for answer in last.answers] == ["surge (draw 3)", "rally (all +5)"]
    assert str(last.text) == "Ben: choose a bonus, although it changes nothing after the last Boss: surge, rally"


LOST = ("inscribed ana 9S sharp", "inscribed ana 8S sharp", "inscribed ben 2D sharp", "begin seed 1")


def test_fading_asks_for_the_cards_due_until_each_has_faded() -> None:
    lost = (*SEATED, *LOST, "set table outcome loss")
    assert due(*lost) == {
        "Ana: draw 1 Blessed card for Fading (or let the program draw)": True,
        "Ben: draw 1 Blessed card for Fading (or let the program draw)": True,
    }
    faded = due(*lost, "fade ben 2D")
    assert faded == {
        "Ana: draw 1 Blessed card for Fading (or let the program draw)": True,
        "Ben: choose the heirloom of Ben's band": False,
    }
    assert "Ben: choose the heirloom of Ben's band" not in due(*lost, "fade ben 2D", "heirloom ben sharp")


def turned(*lines: str) -> DungeonTable:
    """Two wizards who have picked their own bands after a LOSS, without any that had to fade."""
    table = (*SEATED, *lines, "begin seed 1", "set table outcome loss")
    return state_after(*table, *(f"pick {seat} {seat}" for seat in state_after(*table).draft))


@pytest.mark.parametrize(("purse", "offered"), [(4, False), (5, True), (6, True)])
def test_buying_is_offered_from_the_cheapest_price_on(purse: int, offered: bool) -> None:
    state = turned(f"purse ana {purse}")
    assert (f"Ana: buy inscriptions for Ana's band, with {purse}c" in texts(state)) == offered


def test_at_the_turning_only_the_seal_is_waited_for() -> None:
    state = turned("purse ana 9", "mythics ana 1")
    waited = {str(prompt.text): prompt.due for prompt in prompts(state)}
    assert [text for text, due_ in waited.items() if due_] == ["Seal the game into the records"]
    assert "Ana: place 1 Mythic on Ana's band" in waited
    assert not any(str(text).startswith("Ben") for text in waited)
    assert not any(str(text).startswith("Playtest: ") for text in waited), "they are asked once, after the seal"
