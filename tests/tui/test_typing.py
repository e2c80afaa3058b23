"""Everything can be typed, pasted or scanned, on every screen, at any speed, and whatever happened before."""

import asyncio
from pathlib import Path
from threading import Event

import pytest
from textual import events

from companion.archive import Archive, deck_id
from companion.archive.errors import Damaged
from companion.cli import common
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.log import notation_of
from companion.session.table.seating import TableForm
from companion.tabletop.decks.form import FormPlace, Values
from companion.tabletop.table.choices import Candidates
from companion.tui import frame
from companion.tui.app import CompanionApp
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.form import FormScreen
from companion.tui.screens.help import Help
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.table import TableScreen
from companion.tui.terminal.terminal_input import PasteKeepingParser
from tests.games import miniature
from tests.terminal import Terminal, companion
from tests.tui.conftest import Seat
from tests.tui.hand import PATIENCE, Hand
from tests.tui.test_duel import stored_lines
from tests.tui.test_forms import at_form
from tests.tui.test_home import at_deck

pytestmark = pytest.mark.slow

SEATS = ("seat ana", "seat ben", "seat cy")
CARDS = "8h 7c 10d"

BEFORE = {
    "nothing": (),
    "an answer": (CARDS, "<enter>", "<enter>"),
    "a line": ("add ben hp -1", "<enter>"),
    "undo": (CARDS, "<enter>", "<ctrl+z>"),
    "redo": (CARDS, "<enter>", "<ctrl+z>", "<ctrl+y>"),
    "nothing to redo": ("<ctrl+y>",),
    "next": (CARDS, "<enter>", "<ctrl+n>"),
    "a chosen seat": ("<right>",),
    "a chosen Minion": (CARDS, "<enter>", "<left>", "<down>"),
    "a change": ("<right>", "<minus>", "<minus>", "<enter>"),
    "a change that is running": ("<right>", "<minus>", "<plus>", "<minus>"),
    "a refused line": ("drow ana", "<enter>", "<escape>"),
    "a completed line": ("<tab>", "<escape>"),
    "an amendment": ("note one", "<enter>", "amend 6 note two", "<enter>", "<enter>"),
    "the log": ("<f3>",),
    "a line of the log": ("<f3>", "<up>", "<up>", "<down>"),
    "far figures": ("<f2>",),
    "help": ("<f1>", "undo", "<escape>"),
    "the palette": ("<ctrl+p>", "<escape>"),
    "a table left and opened again": ("<ctrl+b>", "<enter>"),
}


def verbs(game: str) -> tuple[str, ...]:
    """Every verb that can stand in the bar."""
    return notation_of(registry.game(game)).verbs


@pytest.fixture
def fight(archive: Archive) -> str:
    """A dungeon that has begun."""
    session = archive_journal.start(archive, "decknforge")
    for line in (*SEATS, "begin seed 1"):
        session.enter(line)
    return session.id


@pytest.mark.sample(3)
@pytest.mark.parametrize("keys_a_second", [1000, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", [*registry.GAMES, miniature.Miniature.name])
async def test_every_verb_of_every_game_types_from_an_empty_bar(
    sit: Seat, archive: Archive, game: str, keys_a_second: int
) -> None:
    async with sit(archive_journal.start(archive, game).id) as hand:
        for verb in verbs(game):
            if keys_a_second == 1000:
                hand.type(verb)
            else:
                # A slow hand is one for which everything is done between two keys.
                for at, letter in enumerate(verb, 1):
                    hand.type(letter)
                    await hand.bar_holds(verb[:at])
            await hand.bar_holds(verb)
            hand.type("<escape>")
            await hand.bar_holds("")
        assert len(hand.table.sitting.session.log.lines) == 1


@pytest.mark.parametrize("text", [pytest.param("refill", marks=pytest.mark.slow), "9s"])
@pytest.mark.parametrize("before", BEFORE)
async def test_the_first_letters_type_whatever_was_done_before(sit: Seat, fight: str, before: str, text: str) -> None:
    async with sit(fight) as hand:
        hand.type(*BEFORE[before], text)
        await hand.bar_holds(text)


async def test_keys_ahead_of_the_screen_take_effect_in_order(sit: Seat, fight: str, place: Path) -> None:
    async with sit(fight) as hand:
        hand.type(CARDS, "<enter>", "<ctrl+n>", "note one", "<enter>", "<ctrl+z>", "note two", "<enter>", "note")
        await hand.bar_holds("note")
        assert stored_lines(place, fight)[-5:] == ["reveal cy 10D", "next", 'note "one"', "undo", 'note "two"']


async def test_a_word_leads_home_from_the_table(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        hand.type("exit")
        await hand.until(lambda: "leave the table" in hand.status)
        hand.type("<enter>")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_what_follows_enter_goes_into_the_next_field(sit: Seat) -> None:
    async with sit() as hand:
        hand.type("<f2>", "deckn", "<enter>", "alan", "<enter>", "<enter>", "ada", "<tab>", "x y")
        await hand.until(lambda: seats(hand) == [{"name": "alan"}, {"name": "ada", "deck": "x y"}])


@pytest.mark.usefixtures("band")
async def test_what_is_typed_after_a_click_goes_where_the_click_leads(
    sit: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, goes_on, candidates = Event(), Event(), TableForm.candidates

    def candidates_late(form: TableForm, values: Values, place: FormPlace, text: str) -> Candidates:
        busy.set()
        goes_on.wait(PATIENCE)
        return candidates(form, values, place, text)

    async with sit() as hand:
        hand.type("<f2>", "deckn", "<enter>")
        form = await at_form(hand)
        await hand.until(lambda: [choice.value for choice in form.choice_list.choices] == ["Ana"])
        await hand.settle()
        monkeypatch.setattr(TableForm, "candidates", candidates_late)
        hand.click_ahead(form.choice_list, (3, 0))
        await hand.until(busy.is_set)
        hand.type("Salt")
        for _ in range(20):
            await asyncio.sleep(0)
        goes_on.set()
        await hand.until(lambda: seats(hand) == [{"name": "Ana", "deck": "Salt"}])
        await hand.until(lambda: not hand.app.has_keys_left)
        assert hand.field("entry") == "Salt"


@pytest.mark.usefixtures("band")
async def test_a_hasty_second_click_takes_nothing_new(sit: Seat) -> None:
    async with sit() as hand:
        hand.type("<f2>")
        form = await at_form(hand)
        hand.click_ahead(form.choice_list, (3, 0))
        hand.click_ahead(form.choice_list, (3, 0))
        await hand.until(lambda: "Seats 1 · Name" in hand.text_of("#question") and not hand.app.has_keys_left)
        assert seats(hand) == []
        assert "That click came too soon and was ignored" in hand.status
        # Nor does one that was meant for the screen before.
        hand.type("<escape>", "<escape>")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and not hand.app.has_keys_left)
        await hand.settle()
        for _ in range(3):
            hand.click_ahead(hand.home.decks, (3, 0))
        await at_deck(hand)
        await hand.until(lambda: not hand.app.has_keys_left)
        assert "Done" not in hand.status


async def test_keys_wait_for_what_a_message_calls_next(sit: Seat) -> None:
    async with sit() as hand:
        looks: list[int] = []
        hand.home.call_next(lambda: looks.append(hand.home.messages_in_progress))
        await hand.until(lambda: bool(looks))
        assert all(looks)


def seats(hand: Hand) -> list[dict[str, str]]:
    """Who is filled in on a new table."""
    form = hand.app.screen
    answers: list[dict[str, str]] = form.cursor.answers.values().get("seat", []) if isinstance(form, FormScreen) else []
    return answers


async def test_keys_before_the_archive_is_open_wait_for_the_table(place: Path, fight: str) -> None:
    app = CompanionApp(str(place), fight)
    async with app.run_test() as pilot:
        hand = Hand(app, pilot)
        hand.type(CARDS, "<enter>", "sp")
        await hand.at_table()
        await hand.bar_holds("sp")
        assert stored_lines(place, fight)[-1] == "reveal cy 10D"


@pytest.mark.posix
def test_keys_before_the_first_paint_count(place: Path, fight: str) -> None:
    with Terminal(companion(place, "play", fight)) as terminal:
        terminal.press(f"{CARDS}\r")
        terminal.until("Cy reveals 10♦")
    assert stored_lines(place, fight)[-1] == "reveal cy 10D"


@pytest.mark.usefixtures("band")
@pytest.mark.parametrize("text", ["salt", "ada", "new quit", "s/n", "7k3m-9qpx", "undo"])
async def test_all_text_types_on_every_screen(sit: Seat, text: str) -> None:
    async with sit() as hand:
        hand.type(text)
        await hand.until(lambda: hand.home.box.value == text)
        hand.type("<escape>", "<left>", text)
        await hand.until(lambda: hand.home.box.value == text)
        hand.type("<escape>", "<f1>", text)
        await hand.until(lambda: isinstance(hand.app.screen, Help) and hand.field("find") == text)
        hand.type("<escape>", "<f2>", text)
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen) and hand.field("entry") == text)
        hand.type("<escape>", "grave", "<enter>", text)
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen) and hand.field("box") == text)
        hand.type("<escape>", "<tab>", text)
        await hand.until(lambda: hand.field("box") == text)


async def test_one_box_after_the_other_is_scanned(sit: Seat, band: str) -> None:
    async with sit() as hand:
        hand.type("DECK:234", "<enter>", deck_id.payload(band), "<ctrl+j>")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        assert "Grave Choir" in await at_deck(hand)
        hand.type(deck_id.show(band).lower(), "<enter>")
        await hand.until(lambda: hand.field("box") == "")
        hand.type("nobody", "<enter>")
        await hand.until(lambda: "nobody" in hand.status)
        hand.type("grave", "<enter>", "<escape>")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_several_pasted_lines_are_entered_one_by_one(sit: Seat, fight: str, place: Path) -> None:
    async with sit(fight) as hand:
        hand.paste("reveal ana 8h\n\n# then Ben\n  reveal ben 7c\r\nreveal cy 10d")
        await hand.until(lambda: stored_lines(place, fight)[-1] == "reveal cy 10D")
        await hand.bar_holds("")
        hand.paste("note half")
        await hand.bar_holds("note half")
        hand.type(" a line", "<enter>")
        await hand.until(lambda: stored_lines(place, fight)[-1] == 'note "half a line"')
        hand.paste("pass ana\n")
        await hand.until(lambda: stored_lines(place, fight)[-1] == "pass ana")


async def test_pasted_lines_stop_at_the_first_that_is_refused(sit: Seat, fight: str, place: Path) -> None:
    async with sit(fight) as hand:
        hand.paste("reveal ana 8h\nreveal ana 9h\nreveal ben 7c\nreveal cy 10d\n")
        await hand.bar_holds("reveal ana 9h")
        await hand.until(lambda: "were not entered" in hand.status)
        message = hand.status
        assert message.startswith("Ana has revealed a card already (R1.20)")
        assert message.endswith("This line was refused, so the 2 pasted lines after it were not entered.")
        assert stored_lines(place, fight)[-1] == "reveal ana 8H"


async def test_a_question_mark_asks_for_help(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        hand.type("?", "<enter>")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("<escape>", "note why?", "<enter>")
        await hand.until(lambda: isinstance(hand.app.screen, TableScreen) and "why?" in hand.table.log_view.text)


async def test_pasted_names_fill_field_after_field(sit: Seat, band: str) -> None:
    assert band
    async with sit() as hand:
        hand.type("<f2>")
        hand.paste("decknforge\nAna\nGrave Choir\nBen\n")
        await hand.until(lambda: seats(hand) == [{"name": "Ana", "deck": "Grave Choir"}, {"name": "Ben"}])
        await hand.until(lambda: "Seats 2 · Ben · Deck" in hand.text_of("#question"))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 4096])
def test_pasted_text_stays_in_one_piece(size: int) -> None:
    sent = "a\x1b[200~pass ana\r\x1b[31mnote a\tb\x1b[0m\r\x1b[201~x\x1b[A"
    parser = PasteKeepingParser()
    received = [each for at in range(0, len(sent), size) for each in parser.feed(sent[at : at + size])]
    pasted = [each.text for each in received if isinstance(each, events.Paste)]
    assert "".join(pasted) == "pass ana\rnote a\tb\r"
    assert [each.key for each in received if isinstance(each, events.Key)] == ["a", "x", "up"]


async def test_where_people_look_on_a_screen_is_no_command_for_a_shell(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge").id
    async with sit(session) as hand:
        await hand.enter("seat ana deck Nobody")
        await hand.until(lambda: "No deck is called" in hand.status)
        assert "companion" not in hand.status
    async with sit() as hand:
        await hand.enter("Nobody")
        await hand.until(lambda: "No deck is called “Nobody”" in hand.status)
        assert "companion" not in hand.status
        assert "Esc lists all" in hand.home.decks.nothing


def test_damage_is_told_with_the_key_or_the_command() -> None:
    damaged = Damaged("Entry 3 of it is not as it was written.", "damage")
    assert frame.describe_error(damaged).startswith(
        "Entry 3 of it is not as it was written; Archive (^O at home) checks it"
    )
    assert "companion archive check" in common.describe_error(damaged)
