"""Home: what there is, what is scanned or typed there, and how a table is opened."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from textual.widgets import OptionList

from companion.archive import Archive, SessionStanding, StoredLine, deck_id, deck_records
from companion.archive.exchange import pages
from companion.tabletop.records import Reason
from companion.tui.app import CompanionApp
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.form import FormScreen
from companion.tui.screens.home.home import Home
from companion.tui.widgets.panel import PagedList
from tests.archive import bands, crowns
from tests.games.miniature import Founded
from tests.printing import evenings
from tests.tui.conftest import Seat
from tests.tui.hand import PATIENCE, Hand

ON_A_DECK = ("#name", "#record", "#story")


async def at_deck(hand: Hand) -> str:
    """Wait until a deck's screen is there and filled, and read it."""
    await hand.until(lambda: isinstance(hand.app.screen, DeckScreen) and all(map(hand.app.screen.query, ON_A_DECK)))
    await hand.until(lambda: all(hand.text_of(place).strip() for place in ON_A_DECK))
    return "\n".join(map(hand.text_of, ON_A_DECK))


@pytest.mark.usefixtures("duel")
async def test_home_lists_sessions_and_the_first_one_opens_with_enter(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until(lambda: hand.home.sessions.total == 1)
        assert "Ana, Ben" in str(hand.home.sessions.get_option_at_index(0).prompt)
        await hand.press("enter")
        table = await hand.at_table()
        assert table.view.game == "duel"
        await hand.press("enter")
        await hand.until(lambda: "spend" in table.bar.placeholder)
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.until(lambda: "Spend" in str(hand.home.sessions.get_option_at_index(0).prompt))


@pytest.mark.parametrize("spelling", ["payload", "lower", "name"])
async def test_what_is_scanned_or_typed_opens_the_decks_record(sit: Seat, band: str, spelling: str) -> None:
    line = {"payload": deck_id.payload(band), "lower": deck_id.show(band).lower(), "name": "gRAVE"}[spelling]
    async with sit() as hand:
        await hand.until(lambda: hand.home.decks.total == 1)
        await hand.enter(line)
        text = await at_deck(hand)
        assert "Grave Choir" in text
        assert deck_id.show(band) in text
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_a_wrong_id_is_told_in_words_and_stays_in_the_field(sit: Seat, band: str) -> None:
    async with sit() as hand:
        wrong = band[:-1] + ("0" if band[-1] != "0" else "1")
        await hand.enter(wrong)
        await hand.until(lambda: "check" in hand.status)
        assert hand.home.box.value == wrong


@pytest.mark.parametrize("line", ["Rex", ""], ids=["deck", "table"])
async def test_what_was_played_by_a_lost_page_is_told_and_locks_nobody_out(
    sit: Seat, archive: Archive, line: str
) -> None:
    pages.add_page(archive, crowns.ONE)
    crowns.play_evening(archive)
    crowns.found_deck(archive, "Rex")
    crowns.lose_pages(archive)
    async with sit() as hand:
        await hand.until(lambda: hand.home.decks.total == hand.home.sessions.total == 1)
        await hand.enter(line)
        await hand.until(lambda: "The page of the game “crown”" in hand.status)
        assert isinstance(hand.app.screen, Home)
        await hand.press("f2")
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen))


async def test_an_archive_that_cannot_be_opened_is_told_in_words(tmp_path: Path) -> None:
    app = CompanionApp(str(tmp_path))
    async with app.run_test() as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: "is a directory" in hand.status)
        hand.home.say("")
        await hand.press("f2")
        await hand.until(lambda: "is a directory" in hand.status and "Nothing can be saved" in hand.status)
        assert hand.app.screen.query_one("#decks", PagedList).total == 0


async def test_lists_are_there_before_the_archive_is_open(
    place: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.new_session("duel", "Friday")
    bands.found_band(archive)
    may_open, begin = threading.Event(), Archive.ensure_open

    def late(opened: Archive) -> None:
        may_open.wait(PATIENCE)
        begin(opened)

    monkeypatch.setattr(Archive, "ensure_open", late)
    app = CompanionApp(str(place))
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: (hand.home.sessions.total, hand.home.decks.total) == (1, 1))
        assert "Opening" in hand.status
        await hand.settle()
        await pilot.click("#sessions", offset=(3, 1))
        await hand.until(lambda: "not open yet" in hand.status)
        may_open.set()
        await hand.press("enter")
        assert (await hand.at_table()).view.game == "duel"


async def test_an_archive_that_cannot_be_read_is_told_and_stays_told(tmp_path: Path) -> None:
    file = tmp_path / "damaged.sqlite"
    with Archive.open(str(file)) as archive:
        bands.found_band(archive)
    content = bytearray(file.read_bytes())
    content[3 * 4096 :] = b"\xa5" * (len(content) - 3 * 4096)
    file.write_bytes(content)
    app = CompanionApp(str(file))
    async with app.run_test() as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: "damaged" in hand.status)
        await pilot.pause(0.3)
        assert "damaged" in hand.status


async def test_chores_are_ticked_off_on_the_decks_screen_and_back(sit: Seat, archive: Archive, band: str) -> None:
    due = deck_records.chores(archive, band)
    assert len(due) > 2
    async with sit(size=(100, 40)) as hand:
        await hand.enter("grave")
        await at_deck(hand)
        await hand.settle()
        chores = hand.app.screen.query_one("#chores", OptionList)
        await hand.until(lambda: chores.option_count == len(due))
        await hand.press("down", "space")
        await hand.until(lambda: chores.option_count == len(due) - 1)
        await hand.until(lambda: str(due[1].text) in hand.status.replace("★", "⭐"))
        assert deck_records.chores(archive, band) == (due[0], *due[2:])
        newest = hand.text_of("#story").splitlines()[0]
        assert newest.startswith(f"{archive.story(band)[-1].at:%Y-%m-%d}  ")
        assert str(archive.story(band)[-1].text).replace("⭐", "★") in newest
        await hand.press("ctrl+z")
        await hand.until(lambda: chores.option_count == len(due))
        assert {chore.id for chore in deck_records.chores(archive, band)} == {chore.id for chore in due}
        await hand.press("f2")
        await hand.until(lambda: not chores.display)
        assert deck_records.chores(archive, band) == ()


async def test_search_finds_parts_of_names_and_escape_lists_all(sit: Seat, archive: Archive, band: str) -> None:
    for name in ("Ash Toll", "The Lantern Debt"):
        archive.found_deck("duel", [Founded(name, "Ada")])
    session = archive.new_session("duel", "Sunday at Ben's")
    async with sit() as hand:
        await hand.until(lambda: hand.home.decks.total == 3)
        await hand.press(*"TOLL")
        await hand.until(lambda: hand.home.decks.total == 1 and hand.home.sessions.total == 0)
        await hand.press("escape", *"sunday")
        await hand.until(lambda: hand.home.sessions.chosen == session and hand.home.decks.total == 0)
        await hand.press("escape")
        await hand.until(lambda: hand.home.decks.total == 3)
        await hand.press("tab", "down", "enter")
        assert "Grave Choir" in await at_deck(hand)
        assert band


@pytest.mark.slow
async def test_a_long_list_turns_pages_and_says_where_it_is(sit: Seat, archive: Archive) -> None:
    for number in range(120):
        archive.found_deck("duel", [Founded(f"Fighter {number:03}", "Ada")])
    async with sit() as hand:
        await hand.until(lambda: hand.home.decks.total == 120)
        assert hand.home.decks.border_subtitle == "1–100 of 120"
        await hand.press("tab", *["pagedown"] * 7)
        await hand.until(lambda: hand.home.decks.at == 100)
        assert hand.home.decks.border_subtitle == "101–120 of 120"
        await hand.press(*["up"] * 19, *["pageup"])
        await hand.until(lambda: hand.home.decks.at == 0 and hand.home.decks.highlighted is not None)
        assert hand.home.decks.highlighted is not None
        assert hand.home.decks.highlighted > 50
        await hand.press(*["pagedown"] * 9, "down", "enter")
        assert "Fighter 119" in await at_deck(hand)


async def test_a_sealed_table_says_who_played_when_and_how_it_ended(sit: Seat, archive: Archive) -> None:
    session = archive.new_session("duel", "Sunday")
    where = SessionStanding(("Ana", "Ben"), (Reason("outcome", ("win",)),))
    archive.seal(session, 1, [StoredLine("seal", 1, where)], {})
    async with sit() as hand:
        await hand.until(lambda: hand.home.sessions.total == 1)
        row = str(hand.home.sessions.get_option_at_index(0).prompt)
        assert row.startswith("Sunday · Ana, Ben · ")
        assert "win" in row.lower()
        assert "sealed" in row
        assert f"{archive.sessions()[0].changed.astimezone():%Y-%m-%d}" in row


@pytest.mark.slow
async def test_the_sample_is_visited_and_removed_and_touches_nothing(sit: Seat, archive: Archive, place: Path) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press("up", "enter")
        await hand.until(lambda: hand.home.is_sample and hand.home.sessions.total == hand.home.decks.total == 3)
        assert "nothing of yours is touched" in hand.status
        await hand.press("enter")
        table = await hand.at_table()
        assert table.view.outcome is None
        assert table.view.prompts
        assert any(thing.target.startswith("minion") for thing in table.view.things())
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        sample = place.with_name("archive.sample.sqlite")
        assert sample.exists()
        await hand.press("f9")
        await hand.until(lambda: hand.home.welcome is not None and not hand.home.is_sample)
        assert archive.sessions() == ()
        await hand.press("f9")
        await hand.until(lambda: hand.home.is_sample and hand.home.sessions.total == 3)
        await hand.press("f8")
        await hand.until(lambda: not hand.home.is_sample and not sample.exists())
        assert list(place.parent.glob("*sample*")) == []
        assert place.exists()
        assert (archive.sessions(), archive.decks()) == ((), ())


async def test_a_file_of_ones_own_with_the_samples_name_is_left_alone(sit: Seat, place: Path) -> None:
    sample = place.with_name("archive.sample.sqlite")
    with Archive.open(str(sample), by="Ana") as own:
        own.new_session("duel", "Mine")
    async with sit() as hand:
        await hand.until_welcomed()
        await hand.press("f9")
        await hand.until(lambda: "is no sample campaign" in hand.status)
        assert not hand.home.is_sample
    with Archive.open(str(sample)) as own:
        assert [row.title for row in own.sessions()] == ["Mine"]


async def test_a_form_opens_where_the_last_game_cannot_be_read(sit: Seat, place: Path) -> None:
    async with sit(size=(100, 40)) as hand:
        with closing(sqlite3.connect(place)) as beside:
            beside.execute("ALTER TABLE sessions RENAME TO elsewhere")
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen))
        assert not hand.app._notifications


async def test_home_tells_the_last_game_and_what_is_due(sit: Seat, archive: Archive) -> None:
    evenings.play(archive)
    waiting = archive.new_session("decknforge", "Saturday")
    archive.append_lines(waiting, 1, [StoredLine("seat ana", 1, SessionStanding(("Ana",), ()))])
    async with sit() as hand:
        await hand.until(lambda: bool(hand.home.overview.part))
        text = " ".join(str(hand.home.overview.render()).split())
        assert "This table waits" in text
        assert "Saturday, just now" in text
        assert "What happened last" in text
        assert "Friday, just now: Ana, Ben and Cy played, and they won." in text
        assert "To be done by hand" in text
        assert "Salt and Iron: write" in text
        assert hand.home.sessions.chosen == waiting


async def test_enter_at_home_goes_to_the_table_that_waits(sit: Seat, archive: Archive) -> None:
    waiting = archive.new_session("duel", "Friday")
    archive.append_lines(waiting, 1, [StoredLine("seat ana", 1, SessionStanding(("Ana",), ()))])
    sealed = archive.new_session("duel", "Saturday")
    archive.seal(sealed, 1, [StoredLine("seal", 1, SessionStanding(("Ana",), ()))], {})
    async with sit(size=(80, 24)) as hand:
        await hand.until(lambda: hand.home.sessions.total == 2)
        await hand.until(lambda: hand.home.sessions.chosen == waiting)
        await hand.press("enter")
        assert (await hand.at_table()).sitting.session.id == waiting


async def test_only_the_list_that_enter_opens_looks_chosen(sit: Seat, archive: Archive, band: str) -> None:
    archive.new_session("duel", "Friday")
    async with sit() as hand:
        await hand.until(lambda: (hand.home.sessions.total, hand.home.decks.total) == (1, 1))
        await hand.settle()
        for active, other in ((hand.home.sessions, hand.home.decks), (hand.home.decks, hand.home.sessions)):
            grounds = [
                each.get_component_styles("option-list--option-highlighted").background for each in (active, other)
            ]
            assert grounds[0] != grounds[1]
            assert [each.render_line(0).text.startswith("▌") for each in (active, other)] == [True, False]
            await hand.press("tab")
            await hand.settle()
        assert band


@pytest.mark.usefixtures("archive")
async def test_a_digit_and_enter_on_the_welcome_begin_its_game(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        rows = [str(option.prompt) for option in (await hand.until_welcomed()).options]
        assert [row.split()[1] for row in rows if row.strip()[:1].isdigit()][:2] == ["DecknForge", "Soul-Forger"]
        await hand.press("0")
        await hand.settle()
        assert isinstance(hand.app.screen, Home)
        await hand.press("backspace", "4")
        await hand.settle()
        assert isinstance(hand.app.screen, Home)
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen))
        form = hand.app.screen
        assert isinstance(form, FormScreen)
        assert form.cursor.games == ("solforge",)
        await hand.shows("New table · SolForge", "#title")
