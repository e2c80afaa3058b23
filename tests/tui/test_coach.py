"""The coach at the table's screen: asked by words or from the list of all commands, answered while keys go on."""

from collections.abc import Iterator
from threading import Event

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.session.core import archive_journal
from companion.tabletop.action import Action, Step, Tell
from companion.tabletop.rehearsal import Advice, Chance
from companion.tabletop.table.common_actions import Coach
from companion.tui.palette import Palette
from tests.games import miniature
from tests.session.test_coaching import UNDER_ATTACK
from tests.tui.conftest import Seat

ANSWER = "What would help Ana: `take ana`; nothing else fits now. 10 cards of the hand are not known."


def dungeon(archive: Archive, lines: tuple[str, ...]) -> str:
    session = archive_journal.start(archive, "decknforge")
    for line in lines:
        session.enter(line)
    return session.id


async def test_a_question_in_words_is_answered_and_keeps_no_card(sit: Seat, archive: Archive) -> None:
    session = dungeon(archive, UNDER_ATTACK)
    async with sit(session) as hand:
        await hand.enter("coach ana 2S")
        await hand.until(lambda: hand.status == ANSWER)
        await hand.press("up")
        await hand.bar_holds("coach ana")
        assert "2S" not in hand.table.log_view.text
    assert archive.lines(session)[-1].line == "coach ana"


@pytest.mark.slow
async def test_the_list_of_all_commands_begins_the_question(sit: Seat, archive: Archive) -> None:
    async with sit(dungeon(archive, UNDER_ATTACK)) as hand:
        await hand.press("ctrl+p")
        await hand.until(lambda: isinstance(hand.app.screen, Palette))
        await hand.press(*"help ben now")
        await hand.pilot.pause(0.5)
        await hand.press("enter")
        await hand.bar_holds("coach ben ")


class Coached(miniature.Miniature):
    """A duel with a coach who waits, after a first thought, until somebody lets it go on."""

    name, title = "coached", "Coached duel"
    actions = (*miniature.Miniature.actions, Coach)
    goes_on = Event()

    @property
    def adviser(self) -> "Coached":
        return self

    def advise(self, state: object, question: Coach, chance: Chance) -> Iterator[Advice]:  # noqa: ARG002
        yield Advice("Wait.", "")
        assert self.goes_on.wait(30)
        yield Advice("Strike.", "")

    def apply(self, state: miniature.Duel, action: Action) -> Step:
        return Step(state, (Tell("Somebody asks."),)) if isinstance(action, Coach) else super().apply(state, action)


registry.register(Coached())


@pytest.mark.slow
async def test_keys_go_on_while_the_coach_weighs(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "coached")
    for line in ("seat ana", "seat ben", "begin seed 7"):
        session.enter(line)
    Coached.goes_on.clear()
    async with sit(session.id) as hand:
        await hand.enter("coach ana")
        await hand.until(lambda: hand.status == "Somebody asks.")
        await hand.enter("draw ana 9S")
        await hand.until(lambda: "draws 9♠" in hand.status)
        Coached.goes_on.set()
        await hand.until(lambda: hand.status.startswith("Strike."))
