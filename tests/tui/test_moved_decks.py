"""A deck whose record has moved on: asked about at the table and after the game. And Enter that is held down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual import events

from companion.archive import Archive
from companion.games.decknforge.decks import marks as m
from companion.tabletop.notation.cards import Card
from companion.tui.screens.asking import AskingScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.ceremony import CeremonyScreen, TonightScreen
from companion.tui.screens.table.table import TableScreen
from tests.archive import bands
from tests.games.constructed.test_table import seated
from tests.session.two_tables import (
    FADED,
    FOUGHT,
    KEPT,
    leave_one_seal_other,
    seat_bands,
    store_bands,
    story,
)
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_ceremony import answer_rows, choose, led_to, wait_for_question

REPEAT = 0.033
"""Seconds between two presses of a key that is held down, on most keyboards."""
DELAY = 0.5
"""Seconds before a key that is held down comes again."""


@asynccontextmanager
async def holding_enter(hand: Hand) -> AsyncIterator[None]:
    """Hold Enter down for as long as the block lasts."""

    async def repeat() -> None:
        hand.app.post_message(events.Key("enter", "\r"))
        await asyncio.sleep(DELAY)
        while True:
            hand.app.post_message(events.Key("enter", "\r"))
            await asyncio.sleep(REPEAT)

    task = asyncio.create_task(repeat())
    try:
        yield
    finally:
        task.cancel()
    await hand.until(lambda: not hand.app.has_keys_left)


def prompt_rows(hand: Hand) -> list[str]:
    """Return what the table asks, as its list of answers has it."""
    return [answer.line for answer in hand.table.answer_cursor.answers.question.answers]


async def test_a_table_that_is_opened_asks_at_once(sit: Seat, archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    async with sit(left.id, size=(80, 24)) as hand:
        assert prompt_rows(hand)[:3] == ["refresh-deck ana", "off-record ana", "close-table"]
        await hand.press("enter")
        await hand.until(lambda: "Grave Choir is reloaded" in hand.status)
        assert prompt_rows(hand)[0] == "refresh-deck ben"
        await hand.enter("off-record ben")
        await hand.until(lambda: "without its record" in hand.status)
        assert not any("deck" in row for row in prompt_rows(hand))


async def test_close_table_leads_home(sit: Seat, archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    async with sit(left.id) as hand:
        await hand.enter("close-table")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
    assert archive.lines(left.id)[-1].line.startswith("begin")


async def test_an_open_table_shows_the_notice_when_it_comes(sit: Seat, archive: Archive) -> None:
    store_bands(archive)
    session = seat_bands(archive, "begin seed 1")
    async with sit(session.id) as hand:
        assert prompt_rows(hand)[0] != "refresh-deck ana"
        bands.add(archive, archive.find_deck("Grave Choir").deck, m.Labelled(Card("AS"), "tough", "Ben"))
        await hand.until(lambda: "has changed since this table read it" in hand.status)
        assert prompt_rows(hand)[0] == "refresh-deck ana"


async def test_begin_shows_the_notice_and_does_not_begin(sit: Seat, archive: Archive) -> None:
    store_bands(archive)
    session = seat_bands(archive)
    async with sit(session.id) as hand:
        bands.add(archive, archive.find_deck("Grave Choir").deck, m.Labelled(Card("AS"), "tough", "Ben"))
        await hand.enter("begin")
        await hand.until(lambda: "decide first how the table goes on" in hand.status)
        assert not hand.table.sitting.session.state.has_begun
        await hand.press("escape")
        assert prompt_rows(hand)[0] == "refresh-deck ana"


async def test_a_typed_seal_waits_for_an_answer(sit: Seat, archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, *FADED, *KEPT)
    async with sit(left.id) as hand:
        await hand.enter("seal")
        await hand.until(lambda: "Nothing was done: decide first how the table goes on." in hand.status)
    assert story(archive, "Grave Choir").count("Quick on 4♥ faded.") == 1
    assert not archive.find_session(left.id).sealed


@pytest.mark.slow
async def test_the_ceremony_asks_before_it_goes_on(sit: Seat, archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, *FADED, "pick ana ana")
    async with sit(left.id, size=(80, 24)) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Grave Choir's record has changed")
        assert [row.partition("  ")[0] for row in answer_rows(hand)[:3]] == [
            "Bring this table up to date: reload the deck",
            "Play on without this deck's record; it stays as it is",
            "Close the table; it stays as it is",
        ]
        await choose(hand, "Bring this table up to date")
        await wait_for_question(hand, "Salt and Iron's record has changed")
        await choose(hand, "Play on without this deck's record")
        await wait_for_question(hand, "Ben: only")
        await hand.press("enter")
        await wait_for_question(hand, "Is all of this right?")
        review = hand.text_of("#text")
        assert "Left out of the record: Quick on 4♥ of Grave Choir was crossed out already." in review
        assert "faded." not in review
        await choose(hand, "Seal")
        await led_to(hand, TonightScreen)
    assert story(archive, "Grave Choir").count("Quick on 4♥ faded.") == 1
    assert sum("lost a dungeon" in text for text in story(archive, "Salt and Iron")) == 1, "off the record"


@pytest.mark.slow
async def test_close_table_leads_home_from_the_ceremony(sit: Seat, archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT)
    async with sit(left.id) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await choose(hand, "Close the table")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", ["decknforge", "solforge"])
async def test_holding_enter_down_never_seals(sit: Seat, archive: Archive, game: str) -> None:
    if game == "decknforge":
        store_bands(archive)
        session = seat_bands(archive, *FOUGHT)
    else:
        session = seated(archive, game)
        session.enter("concede ben")
    async with sit(session.id, size=(80, 24)) as hand:
        async with holding_enter(hand):
            await hand.until(lambda: "was held down, so nothing was sealed" in hand.status)
            await asyncio.sleep(1)
        assert not archive.find_session(session.id).sealed
        assert isinstance(hand.app.screen, AskingScreen)
        await asyncio.sleep(DELAY)
        await wait_for_question(hand, "Is all of this right?")
        await hand.press("enter")
        await led_to(hand, TonightScreen)
    assert archive.find_session(session.id).sealed


@pytest.mark.slow
async def test_holding_enter_behind_a_typed_seal_never_seals(sit: Seat, archive: Archive) -> None:
    session = seated(archive, "solforge")
    session.enter("concede ben")
    async with sit(session.id) as hand:
        hand.type("seal")
        async with holding_enter(hand):
            await hand.until(lambda: "was held down, so nothing was sealed" in hand.status)
            await asyncio.sleep(1)
        assert not archive.find_session(session.id).sealed
        assert isinstance(hand.app.screen, TableScreen)
        await asyncio.sleep(DELAY)
        await hand.press("enter")
        await hand.until(lambda: archive.find_session(session.id).sealed)


@pytest.mark.slow
async def test_the_review_preselects_no_seal_with_something_open(sit: Seat, archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, "fade ana 7C", "fade ben 7C", *KEPT)
    async with sit(left.id, size=(80, 24)) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await choose(hand, "Review all changes, then seal")
        await wait_for_question(hand, "Is all of this right?")
        assert "Still open · Grave Choir's record has changed" in hand.text_of("#text")
        rows = answer_rows(hand)
        assert rows[0].startswith("Not yet")
        assert rows[1].startswith("Seal")
        await choose(hand, "Seal")
        await wait_for_question(hand, "Grave Choir's record has changed")
    assert not archive.find_session(left.id).sealed
