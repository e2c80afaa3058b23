"""Who tracks less, and what is done with the real cards: the question, the key, and the moment a Boss falls."""

from companion.archive import Archive
from companion.forms import settings
from companion.session.core import archive_journal
from companion.tui.screens.form import FormScreen
from companion.tui.widgets.prompt_list import PromptList
from tests.tui.conftest import Seat


def started(archive: Archive, game: str, *lines: str) -> str:
    session = archive_journal.start(archive, game)
    for line in lines:
        session.enter(line)
    return session.id


DUNGEON = ("seat ana", "seat ben", "bosses ana:AS", "begin seed 1")


async def test_the_form_asks_what_is_tracked(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen))
        await hand.settle()
        form = hand.app.screen
        assert isinstance(form, FormScreen)
        await hand.press("down", "down", "enter")
        await hand.until(lambda: form.cursor.game == "soulforger")
        for name in ("Ana", "Ben"):
            await hand.press(*name, "enter", "enter")
        # It is a game for two, so that no third seat is asked for.
        await hand.shows("What shall I keep track of?", "#question")
        await hand.press("down", "down", "enter")
        await hand.until(lambda: form.cursor.at.field == "first")
        await hand.press("ctrl+s")
        await hand.at_table()
        assert hand.table.view.rules == (("track", "figures"),)


async def test_a_turn_of_figures_takes_few_keys(sit: Seat, archive: Archive) -> None:
    session = started(archive, "soulforger", "seat ana", "seat ben", "rule track figures", "begin seed 1")
    async with sit(session, (80, 24)) as hand:
        await hand.press("1", "+", "3", "enter")
        await hand.counter("ana", "damage", 3)
        await hand.press("down", "down", "enter")
        await hand.counter("ana", "level", 2)
        await hand.press("enter")
        await hand.until(lambda: any(c.value == "ben" for c in hand.table.view.counters))
        assert not [counter for counter in hand.table.view.seats[0].counters if counter.name in ("hand", "deck")]


async def test_less_is_tracked_by_the_list_of_commands(sit: Seat, archive: Archive) -> None:
    async with sit(started(archive, "decknforge", *DUNGEON)) as hand:
        await hand.enter("rule track fight")
        await hand.until(lambda: hand.table.view.rules == (("track", "fight"),))
        await hand.enter("12")
        await hand.until(lambda: hand.table.view.step == "attack")


async def test_who_has_sealed_no_such_game_is_told_what_to_do(sit: Seat, archive: Archive) -> None:
    session = started(archive, "decknforge", *DUNGEON)
    async with sit(session) as hand:
        await hand.shows("Everybody puts 1 card", hand.table.query_one(PromptList))
        await hand.press("f6")
        await hand.until(lambda: settings.read_settings().cards == settings.OFF)
        await hand.until(lambda: "Everybody puts" not in hand.text_of(hand.table.query_one(PromptList)))
    async with sit(session) as hand:
        assert not hand.table.sitting.teaches
        await hand.press("f6")
        await hand.until(lambda: settings.read_settings().cards == settings.ON)


async def test_a_fallen_boss_has_a_moment_of_its_own(sit: Seat, archive: Archive) -> None:
    lines = (*DUNGEON, "set boss hp 9", "reveal ana KS", "reveal ben 2D", "next")
    async with sit(started(archive, "decknforge", *lines), (80, 24)) as hand:
        await hand.enter("damage")
        await hand.until(lambda: hand.table.has_class("-moment"))
        await hand.shows("BOSS 1 OF 6 HAS FALLEN", "MomentPanel")
        await hand.shows("Clear the Minions, draw to 12, all HP to 20; then flip the next Boss.", "MomentPanel")
        await hand.enter("rally")
        await hand.until(lambda: not hand.table.has_class("-moment"))
