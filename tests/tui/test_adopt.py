"""A deck from its paper record sheet, typed in at the screen: what is wrong is told, and nothing typed is lost."""

from importlib import resources

import pytest
from textual import events
from textual.widgets import TextArea

from companion.archive import Archive, deck_id
from companion.tui.screens.adopt import Adopt
from companion.tui.screens.home import Home
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_home import at_deck

EXAMPLE = (resources.files("templates") / "examples" / "decknforge" / "adopt.toml").read_text(encoding="utf-8")
RENAMED = EXAMPLE.replace("The Lantern Debt", "The Candle Debt")


async def at_paper(hand: Hand) -> TextArea:
    """From home to the text."""
    await hand.press("f3")
    await hand.until(lambda: isinstance(hand.app.screen, Adopt) and bool(hand.app.screen.query("#paper")))
    await hand.until(lambda: hand.app.focused is hand.app.screen.query_one("#paper"))
    return hand.app.screen.query_one("#paper", TextArea)


async def test_a_deck_is_adopted_by_writing_over_the_example(sit: Seat, archive: Archive) -> None:
    async with sit(size=(80, 24)) as hand:
        paper = await at_paper(hand)
        assert paper.text == EXAMPLE
        line = EXAMPLE.splitlines().index('name = "The Lantern Debt"')
        paper.move_cursor((line, 0))
        await hand.press("end", "ctrl+u", *'name = "Ash', "space", *'Toll"', "ctrl+s")
        text = await at_deck(hand)
        (row,) = archive.decks()
        assert row.name == "Ash Toll"
        assert (row.figure("glory"), row.figure("dungeons"), row.holder) == (17, 4, "Dora")
        assert "Ash Toll" in text
        assert deck_id.show(row.deck) in text
        assert "before records" in " ".join(text.split())
        assert "Ash Toll is adopted." in hand.said
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and hand.home.decks.option_count == 1)
        assert (await at_paper(hand)).text == EXAMPLE


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("glory = 17", "glory = seventeen", "(at line 9, column 9)"),
        ("glory = 17", f"glory = {'9' * 5000}", "not TOML"),
        ("glory = 17", "glory = -1", "glory"),
        ("hp = 25", "hp = 99", "(V1.3)"),
        ('[monsters.RJ]\nname = "Ledger Beast"\nhp = 25\n', "", "missing: Red Joker (V1.2)"),
        ('game = "decknforge"', 'game = "poker"', "poker"),
    ],
    ids=["syntax", "endless number", "value", "rule", "missing", "game"],
)
async def test_what_is_wrong_is_told_and_the_text_stays(
    sit: Seat, archive: Archive, right: str, wrong: str, told: str
) -> None:
    async with sit(size=(80, 24)) as hand:
        paper = await at_paper(hand)
        assert right in EXAMPLE
        paper.load_text(EXAMPLE.replace(right, wrong))
        await hand.press("ctrl+s")
        await hand.until(lambda: told in hand.said)
        assert paper.text == EXAMPLE.replace(right, wrong)
        assert archive.decks() == ()
        paper.load_text(RENAMED)
        await hand.press("ctrl+s")
        assert "The Candle Debt" in await at_deck(hand)


async def test_a_name_taken_is_told_and_what_is_typed_outlasts_leaving(sit: Seat, archive: Archive) -> None:
    async with sit() as hand:
        await at_paper(hand)
        await hand.press("ctrl+s")
        await at_deck(hand)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await at_paper(hand)
        await hand.press("ctrl+s")
        await hand.until(lambda: "The Lantern Debt" in hand.said and "(V1.15)" in hand.said)
        assert len(archive.decks()) == 1
        await hand.press(*"# half", "escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        paper = await at_paper(hand)
        assert paper.text == f"# half{EXAMPLE}"
        await hand.press("ctrl+z")
        await hand.until(lambda: paper.text == EXAMPLE)


async def test_warnings_are_told_beside_the_deck_and_a_key_pressed_twice_adopts_once(sit: Seat) -> None:
    async with sit() as hand:
        paper = await at_paper(hand)
        paper.load_text(EXAMPLE.replace('KD = "thorns"', 'KD = "wildcard"'))
        for _ in range(2):
            hand.app.post_message(events.Key("ctrl+s", None))
        await at_deck(hand)
        await hand.until(lambda: "Mind: wildcard on K♦ is legal but useless" in hand.said)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await at_paper(hand)
        assert hand.said.startswith("Write over it")


async def test_the_palette_opens_the_paper(sit: Seat) -> None:
    async with sit() as hand:
        commands = {command.title: command for command in hand.app.get_system_commands(hand.home)}
        commands["Adopt"].callback()
        await hand.until(lambda: isinstance(hand.app.screen, Adopt))
