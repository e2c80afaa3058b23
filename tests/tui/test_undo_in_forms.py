"""Undo in forms, and the question before anything entered is lost."""

import pytest

from companion.archive import Archive
from companion.tui.screens.form import FormScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.command_bar import CommandBar
from tests.printing import evenings
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form, question_text
from tests.tui.test_home import at_deck


async def at_items(hand: Hand) -> FormScreen:
    """Begin a band, up to the items of its first Monster."""
    await hand.until_welcomed()
    await hand.press("enter")
    form = await at_form(hand)
    await answer_form(hand, "DecknForge", "Grave Choir", "Ana", "")
    await hand.until(lambda: "Items" in question_text(hand))
    return form


@pytest.mark.slow
async def test_ctrl_z_restores_drawn_cards_typed_over(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        form = await at_items(hand)
        at = form.cursor.at
        await hand.press("ctrl+r")
        draw = form.cursor.answers.get(at)
        assert draw
        await answer_form(hand, "4S 4D 5C")
        await hand.until(lambda: form.cursor.at != at)
        await hand.press("ctrl+z")
        assert (form.cursor.at, hand.field("entry")) == (at, draw)
        await hand.press("ctrl+z")
        assert form.cursor.answers.get(at) == ""
        await hand.press("ctrl+y", "ctrl+y")
        assert form.cursor.answers.get(at) == "4S 4D 5C"


async def test_ctrl_z_restores_what_typing_replaced(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        form = await at_items(hand)
        while hand.field("entry") != "Grave Choir":
            await hand.press("shift+tab")
        hand.type("x")
        await hand.until(lambda: hand.field("entry") == "x")
        await hand.press("ctrl+z")
        assert hand.field("entry") == form.cursor.answers.get(form.cursor.at) == "Grave Choir"


async def test_undone_typing_is_not_done_again_after_other_typing(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        form = await at_items(hand)
        at = form.cursor.at
        for cards in ("4S 4D 5C", "2S 3D 7C"):
            await answer_form(hand, cards)
            await hand.until(lambda: form.cursor.at != at)
            await hand.press("ctrl+z")
        await hand.press("ctrl+y", "ctrl+y")
        assert form.cursor.answers.get(at) == "2S 3D 7C"


async def test_ctrl_z_takes_back_edits_of_a_list_then_the_answer_before(sit: Seat) -> None:
    async with sit(size=(120, 40)) as hand:
        await hand.until_welcomed()
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "SolForge", "Ash Pack", "Ana")
        await hand.until(lambda: form.lines is not None)
        await hand.settle()
        at, lines = form.cursor.at, form.lines
        assert lines is not None
        # What is pasted goes into the list alone, and the cursor stays there.
        for text in ("solforge main\n", "2 Ash Wolf\n"):
            hand.paste(text)
            await hand.until(lambda text=text: form.cursor.answers.get(at).endswith(text))  # type: ignore[misc]
        assert hand.app.focused is lines
        await hand.until(lambda: "^Z  Undo" in hand.text_of("KeyBar"))
        await hand.press("ctrl+z")
        await hand.until(lambda: form.cursor.answers.get(at) == lines.text == "solforge main\n")
        await hand.press("ctrl+y")
        await hand.until(lambda: form.cursor.answers.get(at) == "solforge main\n2 Ash Wolf\n")
        await hand.press("ctrl+z", "ctrl+z", "ctrl+z")
        await hand.until(lambda: form.cursor.at != at)
        assert form.cursor.answers.get(at) == ""
        assert hand.field("entry") == form.cursor.answers.get(form.cursor.at)


@pytest.mark.slow
async def test_esc_asks_before_it_throws_away_what_was_entered(sit: Seat, archive: Archive) -> None:
    evenings.create_deck(archive)
    async with sit(size=(80, 24)) as hand:
        await hand.press("f5")
        form = await at_form(hand)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.press("f5")
        form = await at_form(hand)
        await answer_form(hand, "box label", "grave")
        await hand.press("escape")
        assert "discards what you entered" in hand.status
        hand.type("2")
        await hand.until(lambda: not hand.status)
        await hand.press("escape")
        assert hand.app.screen is form
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_esc_leaves_at_once_what_is_offered_next_time(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await at_items(hand)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_the_next_typing_replaces_a_refused_line(sit: Seat, archive: Archive) -> None:
    session = evenings.begin_fight(archive)
    async with sit(size=(120, 40), session=session.id) as hand:
        await hand.until(lambda: isinstance(hand.app.screen, TableScreen) and bool(hand.app.screen.query(CommandBar)))
        await hand.enter("nonsense here")
        bar = hand.app.screen.query_one(CommandBar)
        assert bar.value == "nonsense here"
        hand.type("rev")
        await hand.until(lambda: bar.value == "rev")


async def test_the_next_typing_replaces_a_refused_name_in_a_list(sit: Seat, archive: Archive) -> None:
    evenings.create_deck(archive)
    async with sit(size=(120, 40)) as hand:
        await hand.enter("grave")
        await at_deck(hand)
        await hand.enter("nobody knows this")
        hand.type("iron")
        await hand.until(lambda: hand.field("box") == "iron")
