"""Whole matches of three games by keys alone: from home to a new table, through set-up, to the end.

They type words and press Enter, arrows and Tab; whatever else a key does now, they play the same.
"""

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.session.reading.table_questions import due_prompts
from companion.tui.widgets.prompt_list import PromptList
from tests.session.matches import ENTER, MATCHES, NAMES
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form

SIZES = {"soulforger": (80, 24), "oddfrontier": (120, 40), "solforge": (80, 24)}


async def open_table(hand: Hand, game: str) -> None:
    """From home: the game with arrows and Enter, then who sits there."""
    await hand.press_for("home.new")
    await at_form(hand)
    await hand.press("down", *["down"] * registry.GAMES.index(game), "enter")
    for name in NAMES:
        await answer_form(hand, name, "")
    await hand.press_for("form.done")
    await hand.at_table()


async def enter(hand: Hand, text: str) -> None:
    """One thing that is said: Enter alone, Tab to another answer of the first question, or words."""
    first = due_prompts(hand.table.view)[0]
    others = [f"{answer.line} " for answer in first.answers[1:]]
    if text == ENTER:
        await hand.press("enter")
    elif f"{text} " in others:
        for line in others[: others.index(f"{text} ") + 1]:
            await hand.press("tab")
            await hand.bar_holds(line)
        await hand.press("enter")
    else:
        await hand.enter(text)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", MATCHES)
async def test_a_whole_match_is_played_by_keys(sit: Seat, archive: Archive, game: str) -> None:
    match = MATCHES[game]
    async with sit(size=SIZES[game]) as hand:
        await open_table(hand, game)
        for text in match.typed:
            assert hand.table.view.outcome is None
            further = hand.has_played_on()
            await enter(hand, text)
            await hand.until(further)
        assert hand.table.view.outcome is not None
        assert {about: hand.value(*about) for about in match.ends} == match.ends
        await hand.until(lambda: "ana" in hand.text_of(hand.table.query_one(PromptList)).lower())
    assert archive.sessions()[0].game == game
