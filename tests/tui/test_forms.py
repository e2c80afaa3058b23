"""Forms on the screen: the welcome, a deck founded, adopted, a table opened; what is wrong is told where it stands."""

import pytest
from textual.widgets import Input

from companion.archive import Archive, deck_id, deck_records
from companion.archive.people import people
from companion.forms import settings
from companion.games import registry
from companion.tabletop.decks.form import FormContext, FormPlace
from companion.tabletop.notation.cards import read_card
from companion.tabletop.table.choices import NONE, Open
from companion.tui.screens.form import FormScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.table import TableScreen
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_home import at_deck

NAMES = ("Grave Wyrm", "Moss Hound", "Iron Tick", "Salt Widow", "Old Hunger", "Red Tithe")
ITEMS = ("4S 4D 5C", "2S 3D 7C", "8S 9D 10C", "3S 6D 9C", "2H 5D 8C", "10S 9H 7D")
SHOP = (("9s", "sharp"), ("4h", "quick"), ("7c", "pierce"))


async def at_form(hand: Hand) -> FormScreen:
    """Wait for a form to be there."""
    await hand.until(lambda: isinstance(hand.app.screen, FormScreen) and bool(hand.app.screen.query("#entry")))
    await hand.settle()
    assert isinstance(hand.app.screen, FormScreen)
    return hand.app.screen


async def answer_form(hand: Hand, *answers: str) -> None:
    """Answer one question after the other, as fast as one can type; "" leaves one as it is."""
    for answer in answers:
        hand.type(answer)
        await hand.press("enter")


def question_text(hand: Hand) -> str:
    """What is asked now."""
    return str(hand.text_of("#question"))


def sheet(hand: Hand) -> str:
    """All rows of the form."""
    form = hand.app.screen
    assert isinstance(form, FormScreen)
    return "\n".join(str(option.prompt) for option in form.sheet.options)


@pytest.mark.slow
async def test_from_the_welcome_to_a_deck_to_the_first_question(sit: Seat, archive: Archive) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press("enter")
        await at_form(hand)
        await answer_form(hand, "DecknForge", "Grave Choir", "Ana", "")
        for name, items in zip(NAMES, ITEMS, strict=True):
            assert "Items" in question_text(hand)
            await answer_form(hand, items, name)
        assert "A♠  4♠ 4♦ 5♣  Grave Wyrm" in sheet(hand)
        assert "AS" not in sheet(hand)
        assert "HP 13  ATK 3  ★ Legend" in sheet(hand)
        for card, inscription in SHOP:
            await answer_form(hand, card, inscription)
        assert " 0 of 30 Coppers are left" in sheet(hand)
        await answer_form(hand, "")
        assert "Look it through" in question_text(hand)
        assert "Red Tithe" in sheet(hand)
        # A second Enter in haste does nothing that nobody has seen yet, and nothing is seen on the way.
        screens: list[object] = []
        hand.app.screen_change_signal.subscribe(hand.home, screens.append)
        hand.type("<enter>", "<enter>")
        text = await at_deck(hand)
        await hand.until(lambda: not hand.app.has_keys_left)
        assert screens == [hand.app.screen]
        assert "Grave Choir" in text
        (row,) = archive.decks()
        assert deck_id.show(row.deck) in hand.status
        assert deck_records.chores(archive, row.deck)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and hand.home.decks.total == 1)
        await hand.press("f2")
        await at_form(hand)
        await answer_form(hand, "DecknForge")
        await answer_form(hand, deck_id.payload(row.deck).lower(), "", "Ben", "", "")
        assert hand.reads("loose band: six plain Monsters")
        assert hand.reads("held by Ana")
        await answer_form(hand, "", "", "ben", "")
        await hand.press("enter")
        table = await hand.at_table()
        assert [(seat.name, seat.title) for seat in table.view.seats] == [("Ana", "Grave Choir"), ("Ben", "Ben's band")]
        assert hand.value("table", "active") == "ben"
        assert "begin" in [prompt.line for prompt in table.view.prompts if prompt.due]


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("answers", "where", "sentence"),
    [
        (("grave choir",), FormPlace("name"), "never used again (V1.15)"),
        (("X", ""), FormPlace("builder"), "enter who it is (R1.5)"),
        (("X", "Ana", "9"), FormPlace("players"), "one to five"),
        (("X", "Ana", "", "4S 4D"), FormPlace("monster", 0, "items"), "three different Items"),
        (("X", "Ana", "", "4S 4D KD"), FormPlace("monster", 0, "items"), "the cards 2 to 10"),
        (("X", "Ana", "", "4S 4D xx"), FormPlace("monster", 0, "items"), "“xx” is not a card"),
        (("X", "Ana", "", "4S 4D 5C", ""), FormPlace("monster", 0, "name"), "needs a creature name"),
    ],
    ids=["name", "builder", "players", "two", "king", "card", "creature"],
)
@pytest.mark.usefixtures("band")
async def test_what_is_wrong_is_told_at_its_field(
    sit: Seat, answers: tuple[str, ...], where: FormPlace, sentence: str
) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "DecknForge", *answers)
        await hand.until(lambda: hand.reads(sentence))
        wrong = [finding.place for finding in form.cursor.seen.filled.findings if sentence in finding.text]
        assert where in wrong
        await hand.press("ctrl+s")
        await hand.until(lambda: "not right yet" in hand.status)
        assert isinstance(hand.app.screen, FormScreen)


async def test_items_are_drawn_only_where_they_are_missing(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "DecknForge", "X", "Ana", "", "4S 4D 5C")
        await hand.press("tab", "tab", "pageup", "ctrl+r")
        await hand.until(lambda: hand.status == "Drawn.")
        monsters = form.cursor.answers.values()["monster"]
        assert monsters[0]["items"] == "4S 4D 5C"
        assert all(len({read_card(card) for card in each["items"].split(",")}) == 3 for each in monsters[1:])
        assert "HP" in sheet(hand)


async def test_a_correction_is_never_taken_for_the_next_answer(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "DecknForge", "X", "Ana", "9")
        assert question_text(hand).startswith("Players")
        assert "one to five" in hand.status
        assert hand.reads("one to five")
        await answer_form(hand, "4")
        assert form.cursor.answers.get(FormPlace("players")) == "4"
        assert question_text(hand).startswith("Monsters")
        # Tab leaves it as it is.
        await hand.press("shift+tab")
        await answer_form(hand, "8")
        await hand.press("tab")
        assert question_text(hand).startswith("Monsters")


async def test_a_draft_fills_nothing_until_it_is_taken_up(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await at_form(hand)
        await answer_form(hand, "soulforger", "Ana", "", "Cy")
        await hand.press("escape")
        await hand.until(lambda: "again leaves this form" in hand.status)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.press("f2")
        await at_form(hand)
        assert "Not kept last time: Soul-Forger · Ana, Cy. F7 takes it up" in hand.status
        await answer_form(hand, "decknforge", "Ben")
        assert "Ana" not in sheet(hand)
        await hand.press("shift+tab", "pageup", "pageup")
        await answer_form(hand, "soulforger")
        assert "Ana" not in sheet(hand)
        await hand.press("f7")
        await hand.until(lambda: "Ana" in sheet(hand) and "Cy" in sheet(hand))


async def test_answers_of_one_game_are_never_kept_as_anothers(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await at_form(hand)
        hand.type("soulforger", "<enter>", "Ana", "<pageup>", "decknforge", "<enter>", "Ben")
        await hand.until(lambda: "Ben" in sheet(hand))
        await hand.settle()
        assert hand.app.archive is not None
        drafts = settings.draft_answers(hand.app.archive.name, "table")
        names = {game: answers.in_brief() for game, answers in drafts.items()}
        assert names == {"soulforger": "Ana", "decknforge": "Ben, table"}


async def test_what_is_typed_into_a_form_is_offered_until_it_is_kept(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f4")
        await at_form(hand)
        await answer_form(hand, "DecknForge", "Ash Toll")
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.press("f4")
        await at_form(hand)
        assert "Ash Toll" not in sheet(hand)
        await hand.press("f7")
        await hand.until(lambda: "Ash Toll" in sheet(hand))
        # It goes on where it was left: behind the name.
        await hand.press("shift+tab")
        await hand.until(lambda: hand.app.screen.query_one("#entry", Input).value == "Ash Toll")


@pytest.mark.slow
async def test_what_is_filled_in_outlasts_the_program_until_it_is_done(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await at_form(hand)
        await answer_form(hand, "DecknForge", "Ana", "", "Ben")
    async with sit() as hand:
        await hand.press("f2")
        await at_form(hand)
        await hand.press("f7")
        await hand.until(lambda: "Ana" in sheet(hand) and "Ben" in sheet(hand))
        await hand.press("ctrl+s")
        await hand.until(lambda: isinstance(hand.app.screen, TableScreen))
    assert not settings.drafts_file().exists()


@pytest.mark.parametrize(
    "spoiled", [b"", b"\xff", b"[]", b'{"a": 3}', b'{"a": {"Found": {"DecknForge": {"name": 7}}}}']
)
def test_a_draft_that_cannot_be_read_is_left_out(spoiled: bytes) -> None:
    settings.drafts_file().parent.mkdir(parents=True, exist_ok=True)
    settings.drafts_file().write_bytes(spoiled)
    assert settings.draft_answers("a", "Found") == {}
    settings.keep_draft("a", "Found", "DecknForge", {"monster": [{"name": "Wyrm"}], "name": "Ash Toll"})
    assert settings.draft_answers("a", "Found")["DecknForge"].get(FormPlace("monster", 0, "name")) == "Wyrm"


async def test_a_wrong_deck_is_told_at_its_seat_and_opens_no_table(sit: Seat, archive: Archive) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await at_form(hand)
        await answer_form(hand, "decknforge", "Ana", "Nowhere")
        row = next(row for row in sheet(hand).split("\n  ") if "Nowhere" in row)
        assert "No deck is called “Nowhere”" in sheet(hand)
        assert "Ana" in row or "Nowhere" in row
        await hand.press("ctrl+s")
        await hand.until(lambda: "not right yet" in hand.status)
        assert hand.app.screen.query_one("#entry", Input).value == "Nowhere"
        assert archive.sessions() == ()


@pytest.mark.usefixtures("band")
async def test_enter_takes_the_deck_held_and_a_loose_one_stands_below(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f2")
        form = await at_form(hand)
        await answer_form(hand, "", "ana")
        assert [str(choice.value) for choice in form.choice_list.choices] == ["Grave Choir", NONE]
        assert form.entry.placeholder.startswith("Enter takes the marked row")
        await hand.press("down", "enter")
        assert hand.reads("loose band: six plain Monsters")
        await hand.press("shift+tab", "up", "enter")
        assert form.cursor.answers.values()["seat"] == [{"name": "ana", "deck": "Grave Choir"}]
        await answer_form(hand, "Ben", "")
        assert form.cursor.answers.values()["seat"][1:] == [{"name": "Ben"}]


@pytest.mark.slow
async def test_house_rules_and_bosses_say_what_they_change(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await at_form(hand)
        await answer_form(hand, "decknforge", "Ana", "", "Ben", "", "")
        assert question_text(hand).startswith("Who draws")
        await answer_form(hand, "program")
        assert question_text(hand).startswith("Keep track of")
        await hand.press("enter")
        assert question_text(hand).startswith("Active")
        await hand.press("enter")
        assert "Otherwise chance decides" in question_text(hand)
        await answer_form(hand, "ben:RJ ana:AS", "pressure", "3")
        assert hand.reads("Damage to everybody in a round in which the Boss lost no HP (R1.27). The book: 2.")
        await hand.press("ctrl+s")
        table = await hand.at_table()
        assert ("pressure", "3") in table.view.rules
        assert "bosses ben:RJ ana:AS" in table.sitting.session.export()


async def test_of_two_people_of_one_name_the_form_asks_who_builds(sit: Seat, archive: Archive) -> None:
    people.add_person(archive, "Ana")
    second = people.add_person(archive, "Ana")
    async with sit() as hand:
        await hand.press("f4")
        await at_form(hand)
        await answer_form(hand, "DecknForge", "X", "Ana")
        assert question_text(hand).startswith("Which of them")
        await answer_form(hand, "")
        assert "Several people are called Ana" in sheet(hand)
        await hand.press("shift+tab")
        await answer_form(hand, second.person)
        assert "Several people" not in sheet(hand)
        assert question_text(hand).startswith("Players")
        await hand.press("shift+tab", "shift+tab")
        await answer_form(hand, "Bea")
        assert question_text(hand).startswith("Players")


async def test_a_choice_is_gone_to_with_arrows_and_taken_with_enter(sit: Seat) -> None:
    async with sit() as hand:
        await hand.press("f4")
        form = await at_form(hand)
        await hand.press("down", "down", "up", "enter")
        assert question_text(hand).startswith("Name")
        await answer_form(hand, "X", "Ana", "")
        await hand.press("pagedown", "pagedown")
        assert question_text(hand).startswith("Inscriptions 1 · Card")
        await hand.press("down", "down", "enter", "down", "down", "enter")
        (bought,) = form.cursor.answers.values()["inscribe"]
        shop = form.cursor.form.candidates({}, FormPlace("inscribe", 0, "inscription"), "")
        assert not isinstance(shop, Open)
        assert bought == {"card": "3S", "inscription": list(shop)[1].value}


async def test_enter_keeps_the_game_and_an_unknown_word_is_refused(
    sit: Seat,
) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press("enter")
        await at_form(hand)
        await answer_form(hand, "Chess")
        await hand.until(lambda: "No game here is called “Chess”" in hand.status)
        assert "Which game" in question_text(hand)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.press("enter")
        await at_form(hand)
        await answer_form(hand, "")
        await hand.until(lambda: "Name" in question_text(hand))


async def test_a_list_pasted_one_question_too_early_stays_whole(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press("enter")
        form = await at_form(hand)
        await answer_form(hand, "oddfrontier")
        await hand.until(lambda: "Name" in question_text(hand))
        hand.paste("Long Wall\nAna\noddfrontier main\n4 Fox | creature\n2 Flare | magic\n")
        await hand.until(lambda: "Flare" in str(form.cursor.answers.get(FormPlace("list"))))
        assert form.cursor.answers.values() == {
            "name": "Long Wall",
            "holder": "Ana",
            "list": "oddfrontier main\n4 Fox | creature\n2 Flare | magic",
        }


async def test_forms_begin_with_the_game_that_is_played_here(sit: Seat, archive: Archive) -> None:
    game = registry.game("oddfrontier")
    form = game.decks.founding
    assert form is not None
    answers = form.validate_answers(
        {"name": "Long Wall", "holder": "Ana", "list": "oddfrontier main\n4 Fox | creature"}, FormContext()
    )
    deck_records.new_deck(archive, game, answers, deck_id.new())
    async with sit(size=(80, 24)) as hand:
        for key in ("f2", "f4"):
            await hand.press(key)
            screen = await at_form(hand)
            assert screen.cursor.game == "oddfrontier"
            await hand.press("escape")
            await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_names_are_suggested_and_all_six_drawn_at_once(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "DecknForge", "Grave Choir", "Ana", "", ITEMS[0])
        assert "Creature" in question_text(hand)
        name = FormPlace("monster", 0, "name")
        await hand.press("ctrl+r")
        await hand.until(lambda: bool(form.cursor.answers.get(name)))
        first = form.cursor.answers.get(name)
        await hand.until(lambda: "suggests another" in hand.status)
        await hand.press("ctrl+r")
        await hand.until(lambda: form.cursor.answers.get(name) not in ("", first))
        second = form.cursor.answers.get(name)
        await hand.press("f9")
        await hand.until(lambda: "can still be changed" in hand.status)
        monsters = form.cursor.answers.values()["monster"]
        assert monsters[0]["name"] == second
        assert len({monster["name"] for monster in monsters}) == 6
        assert all(monster["items"] for monster in monsters)
        await answer_form(hand, "Bone Knight")
        assert form.cursor.answers.get(name) == "Bone Knight"
