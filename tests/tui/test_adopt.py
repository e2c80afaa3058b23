"""A deck from its paper record sheet, answered at the screen: what is wrong is told where it stands."""

import tomllib
from importlib import resources
from typing import Any

import pytest

from companion.archive import Archive, deck_id
from companion.tui.screens.form import FormScreen
from companion.tui.screens.home.home import Home
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form, question_text, sheet
from tests.tui.test_home import at_deck

EXAMPLE = (resources.files("templates") / "examples" / "decknforge" / "adopt.toml").read_text(encoding="utf-8")
LANTERN: dict[str, Any] = tomllib.loads(EXAMPLE)


def answer_text(value: Any) -> str:
    """A value of the file as somebody types it."""
    if isinstance(value, list):
        return ", ".join(value)
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


async def fill_in_example(hand: Hand, name: str) -> None:
    """Answer the form with what the example of a record sheet says, up to the last step."""
    await hand.press("f3")
    form = await at_form(hand)
    await answer_form(hand, name, LANTERN["builder"], LANTERN["founded"], *LANTERN["holders"], "")
    await answer_form(hand, str(LANTERN["glory"]), str(LANTERN["dungeons"]))
    for card in ("AS", "AH", "AC", "AD", "BJ", "RJ"):
        monster = LANTERN["monsters"][card]
        assert question_text(hand).startswith("Monsters")
        parts = [part.name for part in form.cursor.answers.fields[6].parts][1:]
        await answer_form(hand, *(answer_text(monster.get(part, "")) for part in parts))
    for card, inscriptions in LANTERN["inscribed"].items():
        for inscription in [inscriptions] if isinstance(inscriptions, str) else inscriptions:
            await answer_form(hand, card, inscription)
    await answer_form(hand, "", *LANTERN["lost"], "", "", "", "")


@pytest.mark.slow
async def test_a_deck_is_adopted_answer_by_answer_and_only_once(sit: Seat, archive: Archive) -> None:
    async with sit(size=(80, 24)) as hand:
        await fill_in_example(hand, "Ash Toll")
        assert question_text(hand).startswith("Adopt it")
        await hand.press("ctrl+s", "ctrl+s")
        text = await at_deck(hand)
        (row,) = archive.decks()
        assert row.name == "Ash Toll"
        assert (row.figure("glory"), row.figure("dungeons"), row.holder) == (17, 4, "Dora")
        assert deck_id.show(row.deck) in text
        assert "before records" in " ".join(text.split())
        assert "Ash Toll is here" in hand.status
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and hand.home.decks.total == 1)
        await hand.press("f3")
        await at_form(hand)
        await answer_form(hand, "ash  TOLL")
        await hand.until(lambda: "(V1.15)" in sheet(hand))
        assert len(archive.decks()) == 1


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("field", "wrong", "sentence"),
    [("glory", "many", "“many” is not a whole number"), ("glory", "-1", "“-1” is not a whole number")],
)
async def test_what_is_wrong_is_told_and_the_answer_stays(sit: Seat, field: str, wrong: str, sentence: str) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f3")
        await at_form(hand)
        await answer_form(hand, "Ash Toll", "Ben", "", "")
        assert question_text(hand).lower().startswith(field)
        await answer_form(hand, wrong)
        await hand.until(lambda: hand.reads(sentence))
        await hand.press("ctrl+s")
        await hand.until(lambda: "not right yet" in hand.status)
        assert isinstance(hand.app.screen, FormScreen)
        assert question_text(hand).lower().startswith(field)
        assert hand.app.screen.entry.value == wrong
