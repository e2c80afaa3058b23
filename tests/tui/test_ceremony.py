"""The ceremony after the game, by keys alone: from Fading to the seal, then labels and chores; and of a match."""

from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from companion.archive import Archive, deck_records, stationery
from companion.archive.storage.lists import deck_stream
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.decks.form import FormPlace
from companion.tui.app import CompanionApp
from companion.tui.screens.asking import AskingScreen
from companion.tui.screens.help import Help
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.ceremony import CeremonyScreen, TonightScreen
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.bars import KeyBar
from tests.archive import bands
from tests.games.constructed.test_table import seated
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import at_form, sheet
from tests.tui.test_home import at_deck
from tests.tui.test_print import at_print, at_printed

NAMES = {"ana": ("Ana", "Grave Choir"), "ben": ("Ben", "The Lantern Debt"), "cy": ("Cy", "Salt and Iron")}
FIGURES = ("set ana personal 2", "set cy personal 2", "set cy earned 21", "set ana earned 12")
OWNED = ("set cy coppers 6", "set ana mythics 1")
BARE = ("inscribed dora 9S sharp",)
WON = ("set boss hp 1", "reveal ana QS", "reveal ben QD", "next", "damage", "bonus rally")
LOST = ("set table outcome loss",)


def after_a_loss(archive: Archive) -> Session:
    """Three bands after a lost dungeon, and Dora's loose one, which has a single Blessed card."""
    session = archive_journal.start(archive, "decknforge")
    for seat, (name, band) in NAMES.items():
        session.enter(f'seat {seat} name "{name}" deck {bands.found_band(archive, band, name)}')
    lots = "begin seed 3 lots ana ben cy dora"
    for line in ('seat dora name "Dora"', *BARE, lots, *FIGURES, *OWNED, "set table outcome loss"):
        session.enter(line)
    return session


def asking(hand: Hand) -> AskingScreen:
    assert isinstance(hand.app.screen, AskingScreen)
    return hand.app.screen


def answer_rows(hand: Hand) -> list[str]:
    """The answers on the screen."""
    options = hand.app.screen.query_one("#answers", OptionList)
    return [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]


async def led_to(hand: Hand, kind: type[AskingScreen]) -> None:
    await hand.until(lambda: isinstance(hand.app.screen, kind) and hand.app.screen.is_running)
    await hand.until(lambda: bool(hand.app.screen.query("#answers")) and bool(answer_rows(hand)))


async def wait_for_question(hand: Hand, text: str) -> None:
    """Wait until this is asked."""
    await hand.shows(text, "#question")


async def choose(hand: Hand, text: str) -> None:
    """Go to an answer with arrow keys and take it."""
    await hand.until(lambda: any(row.startswith(text) for row in answer_rows(hand)))
    at = next(at for at, row in enumerate(answer_rows(hand)) if row.startswith(text))
    await hand.press("home", *["down"] * at)
    await hand.until(lambda: asking(hand).answers.highlighted == at)
    await hand.press("enter")


DRAWN_TWO = (
    *("seat ana", "seat ben", "monster ana AS legend", "inscribed ana 5C sharp", "inscribed ana 6S thorns"),
    *("inscribed ana 8C bright", "active ana", "bosses ana:AS", "begin seed 1", "set boss hp 1"),
    *("reveal ana KS", "reveal ben 2H", "next", "damage", "bonus rally", "set table outcome loss", "fade ana 5C 6S"),
)
"""After a Legend kill two cards are drawn, and one of them fades (R1.55)."""


async def test_of_two_cards_the_one_that_is_typed_fades(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in DRAWN_TWO:
        session.enter(line)
    async with sit(session.id) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Ana: which one fades: 5♣ or 6♠?")
        hand.type("6s")
        await hand.until(lambda: len(answer_rows(hand)) == 1)
        hand.type("<enter>")
        await hand.until(lambda: archive.lines(session.id)[-1].line == "fade ana fades 6S")


@pytest.mark.slow
async def test_an_evening_ends_by_keys_alone(
    sit: Seat, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stationery.begin_sheet(archive, "blue folder", "18294", 60, tuple(range(20, 61)))
    session = after_a_loss(archive)
    async with sit(session.id, size=(80, 24)) as hand:
        assert "step by step" in hand.table.bar.placeholder
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        # Fading: the app draws, or cards are named, typed or chosen.
        await wait_for_question(hand, "Ana: draw 1 Blessed card")
        await choose(hand, "As drawn at the table")
        await wait_for_question(hand, "Which card was drawn?")
        assert answer_rows(hand)[0].startswith("9♠  Sharp")
        hand.type("9s", "<enter>")
        await wait_for_question(hand, "Ben: draw")
        await choose(hand, "The program draws")
        await wait_for_question(hand, "Cy: draw")
        hand.type("fade cy 7c", "<enter>")
        await wait_for_question(hand, "Dora: draw")
        await choose(hand, "The program draws")
        # Drifting: the order explained, each deck beside its seat.
        await wait_for_question(hand, "Cy: pick one of Grave Choir (Ana), The Lantern Debt (Ben), Salt and Iron (Cy)")
        assert "Cy before Ana: same Glory 2, same best Killing Blow 0, Coppers earned 21" in hand.text_of("#text")
        await choose(hand, "Grave Choir  brought by Ana · 4♥ Quick, 7♣ Echo · ★ Beast A♠ · +0 Glory")
        await hand.shows("Cy    Salt and Iron → Grave Choir", "#text")
        await choose(hand, "The Lantern Debt")
        await wait_for_question(hand, "Ben: only Salt and Iron (Cy) is left to pick")
        await hand.press("enter")
        # Turning: the heirloom of the retired band, a Mythic, the shop, the watchlist.
        await wait_for_question(hand, "What else, before it is sealed?")
        await choose(hand, "Dora: choose the heirloom")
        await choose(hand, "Sharp")
        await choose(hand, "Ana: place 1 Mythic on The Lantern Debt")
        await wait_for_question(hand, "inscription?")
        assert all("may go on" in row for row in answer_rows(hand))
        await choose(hand, "Royal Decree")
        await choose(hand, "K♠")
        await choose(hand, "Cy: buy inscriptions for Grave Choir, with 6c")
        assert {row.split(" · ")[1] for row in answer_rows(hand)} == {"5c"}
        hand.type("shar")
        await hand.until(lambda: len(answer_rows(hand)) == 1)
        assert "Common · 5c · F +1 everywhere · may go on" in answer_rows(hand)[0]
        await hand.press("enter")
        await wait_for_question(hand, "Sharp · On which card?")
        hand.type("3d", "<enter>")
        # A wrong answer is taken back here, too.
        await hand.until(lambda: "3♦" in hand.status)
        await hand.press("ctrl+z")
        await hand.until(lambda: "Repeat it to confirm" in hand.status)
        await hand.press("ctrl+z")
        await choose(hand, "Cy: buy inscriptions for Grave Choir, with 6c")
        await choose(hand, "Sharp")
        await choose(hand, "2♦")
        # Nothing is left open, so the review comes by itself, then the seal.
        await wait_for_question(hand, "Is all of this right?")
        review = hand.text_of("#text")
        for text in (
            "2♦ received Sharp (bought, by Cy).",
            "The band went to Cy.",
            "K♠ received Royal Decree (earned from a Legend, by Ana).",
            "Cy  purse 0 → 1",
        ):
            assert text in review
        assert not archive.find_session(session.id).sealed
        await choose(hand, "Seal")
        # Labels, and chores ticked off and taken back.
        await led_to(hand, TonightScreen)
        assert archive.find_session(session.id).sealed
        choir = archive.find_deck("Grave Choir").deck
        before = archive.story(choir)
        await choose(hand, "Print tonight's 2 labels")
        await at_print(hand)
        await hand.press("ctrl+s")
        await at_printed(hand)
        assert next(tmp_path.glob("*.pdf")).read_bytes().startswith(b"%PDF")
        await hand.enter("it came out right")
        await hand.until(lambda: "count as used" in hand.status)
        assert len(stationery.find_sheet(archive, "blue folder").free) == 41 - 2
        await hand.enter("that is all")
        await led_to(hand, TonightScreen)
        assert answer_rows(hand)[0].startswith("☐"), "what is printed is no longer the first thing to do"
        assert "Print tonight's 2 labels once more" in answer_rows(hand)[-1]
        stick = next(row for row in answer_rows(hand) if "Stick Sharp on 2♦" in row)
        at = answer_rows(hand).index(stick)
        await hand.press("home", *["down"] * at, "space")
        await hand.until(lambda: stick not in answer_rows(hand))
        await hand.press("ctrl+z")
        await hand.until(lambda: stick in answer_rows(hand))
        assert archive.story(choir) == before
        assert [entry.kind for entry in archive.entries(deck_stream(choir))][-2:] == ["done", "corrected"]
        await choose(hand, "☐ All of it is done")
        await wait_for_question(hand, "Everything of tonight is done.")
        assert not any(deck_records.chores(archive, row.deck, session.id) for row in archive.decks())
        # What only people know of the evening is asked once, now.
        await choose(hand, "Playtest: Was the final Boss fight loud?")
        await choose(hand, "Yes")
        await hand.until(lambda: "loud? Yes" in hand.status)
        assert not any("fight loud" in row for row in answer_rows(hand))
        await choose(hand, "Home")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


@pytest.mark.sample(3)
@pytest.mark.parametrize("game", ["soulforger", "oddfrontier", "solforge"])
async def test_a_match_is_reviewed_and_sealed(sit: Seat, archive: Archive, game: str) -> None:
    session = seated(archive, game)
    session.enter("concede ben")
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Is all of this right?")
        assert "Ana won against Ben (Bog Pack)" in hand.text_of("#text")
        assert "Fading" not in hand.text_of("#where")
        await hand.press("escape")
        await hand.at_table()
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await hand.press("enter")
        await led_to(hand, TonightScreen)
        assert hand.text_of("#text").splitlines()[-2:] == [
            "Ash Pack: v1 · 1 won · 0 lost on its box",
            "Bog Pack: v1 · 0 won · 1 lost on its box",
        ]
        assert hand.text_of("#question") == (
            "No chore of tonight is left; tonight's 2 labels can still be printed. "
            "Some earlier work is left to do on Ash Pack and Bog Pack; it is listed with each deck."
        )
        await choose(hand, "Home")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
    assert archive.find_session(session.id).sealed


async def test_enter_twice_in_haste_seals_nothing_that_nobody_has_seen(sit: Seat, archive: Archive) -> None:
    session = seated(archive, "soulforger")
    session.enter("concede ben")
    async with sit(session.id, size=(80, 24)) as hand:
        hand.type("<enter>", "<enter>")
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Is all of this right?")
        await hand.until(lambda: not hand.app.has_keys_left)
        assert not archive.find_session(session.id).sealed
        assert "Enter came too soon and was ignored" in hand.status
        await hand.press("enter")
        await led_to(hand, TonightScreen)


@pytest.mark.slow
async def test_home_leads_home_from_the_middle_of_the_ceremony(sit: Seat, archive: Archive) -> None:
    session = after_a_loss(archive)
    async with sit(session.id) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Ana: draw")
        await hand.press("ctrl+c")
        await hand.until(lambda: "^Q ends the program, ^B leads home" in hand.status)
        await hand.press("f1", "ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


@pytest.mark.slow
async def test_a_sealed_table_leads_to_chores_and_not_to_an_undo(sit: Seat, archive: Archive) -> None:
    session = after_a_loss(archive)
    while session.view().step != "sealed":
        session.enter(next(prompt.line for prompt in session.view().prompts if prompt.due))
    async with sit(session.id) as hand:
        assert "labels, chores, home" in hand.table.bar.placeholder
        await hand.press("enter")
        await led_to(hand, TonightScreen)
        await hand.press("escape")
        await hand.at_table()


@pytest.mark.slow
async def test_what_faded_before_its_label_was_ticked_is_left_off_or_crossed_out(sit: Seat, archive: Archive) -> None:
    session = after_a_loss(archive)
    session.enter("fade ana 9s")
    while session.view().step != "sealed":
        session.enter(next(prompt.line for prompt in session.view().prompts if prompt.due))
    text = "Leave Sharp off 9♠, or cross it out if it is stuck already"
    row = f"☐ Grave Choir: {text}"
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.press("enter")
        await led_to(hand, TonightScreen)
        await choose(hand, row)
        await hand.until(lambda: f"Done: {text}" in hand.status and row not in answer_rows(hand))
        await hand.press("ctrl+z")
        await hand.until(lambda: row in answer_rows(hand))
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.enter("grave")
        await at_deck(hand)
        chores = hand.app.screen.query_one("#chores", OptionList)
        rows = [str(chores.get_option_at_index(at).prompt) for at in range(chores.option_count)]
        assert f"☐ {text}" in rows


async def test_a_loose_table_ends_the_same_way_and_writes_nothing(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in ("seat ana", "seat ben", "begin seed 1", "set table outcome loss", "pick ana ben", "pick ben ana"):
        session.enter(line)
    async with sit(session.id, size=(60, 18)) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        assert hand.text_of("#where") == "After the game · Review (4 of 5)"
        await hand.shows("nothing is written", "#text")
        await choose(hand, "Seal")
        await wait_for_question(hand, "What else?")
        assert hand.text_of("#where") == "After the game"
        await choose(hand, "Home")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_a_mouse_is_enough(sit: Seat, archive: Archive) -> None:
    session = after_a_loss(archive)
    async with sit(session.id) as hand:
        await hand.click(KeyBar, (3, 0))
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Ana: draw")
        await hand.click(asking(hand).answers, (5, 0))
        await wait_for_question(hand, "Ben: draw")


async def test_what_another_window_does_is_asked_no_more(sit: Seat, archive: Archive) -> None:
    session = after_a_loss(archive)
    async with sit(session.id) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await wait_for_question(hand, "Ana: draw")
        session.enter("fade ana 9S")
        await wait_for_question(hand, "Ben: draw")
        await hand.press("escape")
        await hand.at_table()
        await hand.until(
            lambda: isinstance(hand.app.screen, TableScreen) and hand.table.sitting.log[-1].text == "fade ana 9S"
        )


async def pick_three(hand: Hand) -> None:
    """Each takes the band that is proposed; Enter before the next question stands there would be left out."""
    for _ in range(3):
        question = hand.text_of("#question")
        await hand.press("enter")
        await hand.until(lambda before=question: hand.text_of("#question") != before)  # type: ignore[misc]


async def fading(hand: Hand) -> None:
    await wait_for_question(hand, "Ana: draw")


async def helped(hand: Hand) -> None:
    await fading(hand)
    await hand.press("f1")
    await hand.until(lambda: isinstance(hand.app.screen, Help) and bool(hand.app.screen.query("#page")))


async def draft(hand: Hand) -> None:
    for name in ("Ana", "Ben", "Cy", "Dora"):
        await wait_for_question(hand, f"{name}: draw")
        await hand.press("enter")
    await wait_for_question(hand, "Cy: pick")


async def shop(hand: Hand) -> None:
    await draft(hand)
    await pick_three(hand)
    await choose(hand, "Cy: buy")
    await wait_for_question(hand, "inscription?")


async def review(hand: Hand) -> None:
    await draft(hand)
    await pick_three(hand)
    await choose(hand, "Review all changes")
    await wait_for_question(hand, "Is all of this right?")


async def tonight(hand: Hand) -> None:
    await shop(hand)
    await choose(hand, "Sharp")
    await choose(hand, "2♦")
    await choose(hand, "Review all changes")
    await choose(hand, "Seal")
    await led_to(hand, TonightScreen)


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "size", [pytest.param((80, 24), id="80x24"), pytest.param((120, 40), id="120x40", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("lead", [fading, helped, draft, shop, review, tonight], ids=lambda lead: lead.__name__)
def test_the_ceremony(
    snap_compare: object,
    archive: Archive,
    place: Path,
    size: tuple[int, int],
    lead: Callable[[Hand], Coroutine[None, None, None]],
) -> None:
    app = CompanionApp(str(place), after_a_loss(archive).id)

    async def open_ceremony(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await lead(hand)
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=size, run_before=open_ceremony)


@pytest.mark.slow
async def test_the_star_is_asked_for_in_place(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in ("seat ana", "seat ben", "active ana", "bosses ben:AS", "begin seed 1", *WON, *LOST):
        session.enter(line)
    while session.view().step != "turning":
        session.enter(next(prompt.line for prompt in session.view().prompts if prompt.due))
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await choose(hand, "Review all changes")
        await choose(hand, "Ana: 1 Glory of Ana's band will be lost, as it is loose; adopt it as a deck?")
        form = await at_form(hand)
        hand.type("Ash Toll")
        await hand.press("ctrl+s")
        await hand.until(lambda: form.cursor.at == FormPlace("legend"))
        assert "No Monster bears the" in sheet(hand)
        await hand.press("down", "enter")
        await hand.press("ctrl+s")
        await led_to(hand, CeremonyScreen)
        await hand.until(lambda: "Ash Toll is kept as a deck from now on" in hand.status)


@pytest.mark.slow
async def test_a_loose_band_and_its_purse_are_kept_from_the_review(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    lines = (
        *('seat ana name "Ana" band "Ash Toll"', "seat ben", 'monster ana AS "Wyrm" legend', "begin seed 1"),
        *(f"inscribed ana {card} sharp" for card in ("9S", "8S", "7S")),
        *("active ana", "bosses ben:AS"),
    )
    for line in (*lines[:3], *lines[4:], lines[3]):
        session.enter(line)
    for line in (*WON, "add ana coppers 19", *LOST):
        session.enter(line)
    while session.view().step != "turning":
        session.enter(next(prompt.line for prompt in session.view().prompts if prompt.due))
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.press("enter")
        await led_to(hand, CeremonyScreen)
        await choose(hand, "Review all changes")
        await wait_for_question(hand, "Is all of this right?")
        assert "27 Coppers will be lost, as Ash Toll is loose" in hand.text_of("#text")
        await choose(hand, "Ana: 27 Coppers will be lost, as Ash Toll is loose; keep that in a purse?")
        await hand.until(lambda: "Ana keeps 27 Coppers" in hand.status)
        await choose(hand, "Review all changes")
        await wait_for_question(hand, "Is all of this right?")
        assert "Ana  purse 0 → 27" in hand.text_of("#text")
        await choose(
            hand, "Ana: 1 Glory and 1 changed card of Ash Toll will be lost, as it is loose; adopt it as a deck?"
        )
        form = await at_form(hand)
        assert form.cursor.answers.get(FormPlace("name")) == "Ash Toll"
        await hand.press("ctrl+s")
        await led_to(hand, CeremonyScreen)
        await hand.until(lambda: "Ash Toll is kept as a deck from now on" in hand.status)
        await choose(hand, "Review all changes")
        await choose(hand, "Seal")
        await hand.until(lambda: archive.find_session(session.id).sealed or isinstance(hand.app.screen, TonightScreen))
    row = archive.find_deck("Ash Toll")
    assert {figure.name: figure.value for figure in row.figures} == {"glory": 1, "dungeons": 1}
    assert archive.purse("Ana") == 27
