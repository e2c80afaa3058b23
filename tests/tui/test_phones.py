"""Pages for phones, opened with one key: the address to photograph, who is there, and what each may do."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from companion.archive import Archive, web_access
from companion.cli import screen
from companion.session.reading.table_questions import due_prompts
from companion.tui.screens.home.home import Home
from companion.tui.screens.phones import PhonesScreen
from companion.web import address
from tests.printing import evenings
from tests.tui.conftest import Seat, Watched
from tests.tui.hand import Hand
from tests.web.serving import Phone

SORRY = "sorry"


@pytest.fixture
def hosting(sit: Seat) -> Seat:
    """The app, which serves pages on this machine alone where it is asked to."""
    return partial(sit, size=(80, 24), serve=partial(screen.serve_beside, host="127.0.0.1", port=0, announce=False))


async def at_phones(hand: Hand) -> Phone:
    """Press the key; a phone that knows the address."""
    await hand.press("ctrl+g")
    await hand.until(lambda: isinstance(hand.app.screen, PhonesScreen) and "PIN" in hand.text_of("#title"))
    match = re.search(r"http://127\.0\.0\.1:(\d+) with PIN (\d{6})", hand.text_of("#title"))
    assert match, hand.text_of("#title")
    return Phone(int(match[1]))


def rows_text(hand: Hand) -> str:
    """The rows of the screen."""
    screen = hand.app.screen
    assert isinstance(screen, PhonesScreen)
    return "\n".join(str(option.prompt) for option in screen.rows.options)


def pin(archive: Archive) -> str:
    """What phones are asked for."""
    doors, _, _ = web_access.read_access(archive)
    assert doors is not None
    return doors.pin


@pytest.mark.slow
async def test_a_key_serves_the_table_until_the_program_ends(hosting: Seat, archive: Archive, duel: str) -> None:
    async with hosting(duel) as hand:
        phone = await at_phones(hand)
        assert phone.come_in(pin(archive), "Ana").status == 303
        assert "Ben" in phone.get(f"/t/{duel}").text
        await hand.until(lambda: "Ana" in rows_text(hand))
        await hand.press("escape")
        await hand.at_table()
        with phone.news(duel) as news:
            await hand.enter("draw ana")
            assert news.of_table().sections
    with pytest.raises(ConnectionError):
        phone.get("/")


@pytest.mark.slow
async def test_a_taken_port_opens_the_pages_at_the_next(sit: Seat, archive: Archive) -> None:
    with address.listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        serve = partial(screen.serve_beside, host="127.0.0.1", port=port, announce=False)
        async with sit(size=(80, 24), serve=serve) as hand:
            phone = await at_phones(hand)
            assert f"Another program uses port {port}; the pages are at http://127.0.0.1:" in hand.text_of("StatusLine")
            assert phone.come_in(pin(archive), "Ana").status == 303


@pytest.mark.slow
async def test_the_host_says_what_phones_may_do_and_sends_one_away(hosting: Seat, archive: Archive) -> None:
    async with hosting() as hand:
        phone = await at_phones(hand)
        assert phone.come_in(pin(archive), "Ben").status == 303
        await hand.until(lambda: "Ben" in rows_text(hand))
        await hand.press("enter")
        await hand.until(lambda: "All phones may do everything" in hand.status)
        await hand.press("down", "enter")
        await hand.until(lambda: "Ben may look only" in hand.status)
        doors, (stored,), _ = web_access.read_access(archive)
        assert doors is not None
        assert (doors.permissions, stored.permissions) == ("all", "look")
        await hand.press("f8")
        await hand.until(lambda: "Ben is sent away" in hand.status)
        assert phone.get("/tables").leads_to.startswith("/pin") or phone.get("/tables").status == 403
        await hand.press("f8")
        await hand.until(lambda: "Ben may come back" in hand.status)
        assert phone.get("/tables").status == 200
        await hand.press("f9")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        with pytest.raises(ConnectionError):
            phone.get("/")


@pytest.mark.sample(2)
@pytest.mark.parametrize("permissions", ["own", "look"])
async def test_enter_leaves_a_question_to_the_phone_it_is_on(
    sit: Seat, archive: Archive, permissions: web_access.Permissions
) -> None:
    session = evenings.begin_fight(archive)
    for line in ("reveal ana 9S", "reveal ben 10H", "reveal cy 2D"):
        session.enter(line)
    web_access.open_access(archive, "271828", permissions)
    web_access.seat_phone(archive, web_access.admit_phone(archive, "Ana").phone, session.id, "ana")
    async with sit(session.id) as hand:
        assert due_prompts(hand.table.view)[0].line == "pass ana"
        await hand.press("enter")
        if permissions == "look":
            await hand.until(lambda: due_prompts(hand.table.view)[0].line == "pass ben")
            return
        await hand.until(lambda: "Ana is asked on a phone" in hand.status)
        await hand.enter("pass ana")
        await hand.until(lambda: due_prompts(hand.table.view)[0].line == "pass ben")
        await hand.press("enter")
        await hand.until(lambda: due_prompts(hand.table.view)[0].seat != "ben")


async def test_whoever_shows_screens_alone_says_how_pages_are_opened(place: Path) -> None:
    app = Watched(str(place))
    async with app.run_test(size=(80, 24)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await hand.press("ctrl+g")
        await hand.until(lambda: "started without pages for phones" in hand.status)


@pytest.mark.slow
async def test_after_many_wrong_pins_one_key_makes_another_and_keeps_who_is_in(hosting: Seat, archive: Archive) -> None:
    async with hosting() as hand:
        phone = await at_phones(hand)
        old_pin = pin(archive)
        assert phone.come_in(old_pin, "Ben").status == 303
        for number in range(41):
            web_access.try_pin(archive, f"10.0.0.{number}", "000000")
        zoe = Phone(phone.port)
        assert zoe.come_in(old_pin, "Zoe").leads_to == "/pin"
        (waiting,) = (each for each in web_access.read_access(archive)[1] if each.waiting)
        await hand.until(lambda: f"Zoe · {waiting.code}" in rows_text(hand))
        await hand.until(lambda: "makes another PIN and logs nobody out" in hand.status)
        await hand.press("f7")
        await hand.until(lambda: pin(archive) != old_pin and f"The PIN is {pin(archive)} now" in hand.status)
        assert f"PIN {pin(archive)}" in hand.text_of("#title")
        assert phone.get("/tables").status == 200
        assert f"Zoe · {waiting.code}" in rows_text(hand)
        assert Phone(phone.port).come_in(pin(archive), "Cy").status == 303


@pytest.mark.slow
async def test_the_host_reads_which_phone_writes_too_much(hosting: Seat, archive: Archive, duel: str) -> None:
    async with hosting(duel) as hand:
        phone = await at_phones(hand)
        phone.come_in(pin(archive), "Ben")
        await hand.until(lambda: "Ben" in rows_text(hand))
        await hand.press("down", "enter")
        await hand.until(lambda: "Ben may do everything" in hand.status)
        token = phone.get(f"/t/{duel}").token
        statuses = [phone.post(f"/t/{duel}/note", token, text="x" * 9000).status for _ in range(9)]
        assert statuses[-1] == 429
        await hand.until(lambda: "sends too many entries, waits" in rows_text(hand))
        await hand.press("f8", "f8")
        await hand.until(lambda: "sends too many entries" not in rows_text(hand))
        assert phone.post(f"/t/{duel}/note", phone.get(f"/t/{duel}").token, text=SORRY).status == 303
