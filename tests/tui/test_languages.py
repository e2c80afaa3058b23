"""The screens in another language: nothing of their own, or of Textual's, stays English."""

import re
from collections.abc import Iterator

import pytest
from textual.app import App
from textual.binding import Binding
from textual.command import CommandPalette
from textual.containers import ScrollableContainer
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input, OptionList, TextArea
from textual.widgets.option_list import Option

from companion.archive import Archive, deck_records
from companion.forms.decks.audit_form import AuditForm
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.log import notation_of
from companion.session.reading.local_words import list_verb_titles, title_of_line
from companion.tabletop.decks.form import Field, FormPlace
from companion.tabletop.notation.line_texts import describe_line
from companion.tabletop.notation.usage_words import UsageText
from companion.tui import drawing, sample
from companion.tui.palette import ThemePalette
from companion.tui.screens.form import FormScreen
from companion.tui.screens.help import Help
from companion.tui.terminal.textual_texts import TEXTS, TranslatedRows
from companion.tui.widgets.bars import KeyBar
from companion.tui.widgets.log import LogView
from companion.tui.widgets.overview import OverviewPanel
from companion.tui.widgets.prompt_list import PromptList
from companion.tui.widgets.welcome import Welcome
from templates.languages.catalogues import find_language, list_finished
from templates.languages.messages import ENGLISH, phrase, set_language, speaking
from templates.languages.pseudo import PSEUDO, strip_brackets
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.screen_samples import form_modules
from tests.tui.test_fight import SET_UP

OF_TEXTUAL = (App, Screen, ScrollableContainer, Input, TextArea, OptionList, CommandPalette)
KEYS = re.compile(r"Enter|Tab|Esc|PgUp|PgDn|\^[A-Z]|F\d+")
"""Names of keys, which are printed on them."""


@pytest.fixture
def pseudo() -> Iterator[None]:
    """Everything speaks the pseudo-language."""
    set_language(PSEUDO)
    yield
    set_language(ENGLISH)


def english_words(text: str) -> list[str]:
    """The words of a screen that no message says, but for names of keys."""
    return re.findall(r"[A-Za-z]{2,}", KEYS.sub("", strip_brackets(text)))


@pytest.mark.parametrize("kind", OF_TEXTUAL)
def test_titles_of_textuals_keys_are_in_the_catalogue(kind: type[DOMNode]) -> None:
    bindings = [each for each in kind.__dict__.get("BINDINGS", ()) if isinstance(each, Binding)]
    texts = {text for each in bindings for text in (each.description, each.tooltip) if text}
    assert texts <= {str(text) for text in TEXTS}


@pytest.mark.usefixtures("pseudo")
async def test_an_empty_archive_welcomes_in_the_language(sit: Seat) -> None:
    async with sit() as hand:
        welcome = await hand.until_welcomed()
        # The games have their titles and descriptions from their pages.
        rows = [option for option in welcome.options if option.id and not option.id.startswith("new(")]
        assert len(rows) == 4
        assert english_words("\n".join(str(option.prompt) for option in rows)) == []
        assert english_words(str(hand.app.screen.query_one(Welcome).border_title)) == []
        assert english_words(hand.text_of(hand.app.screen.query_one(KeyBar))) == []


@pytest.mark.usefixtures("pseudo", "duel")
async def test_home_tells_of_a_waiting_table_in_the_language(sit: Seat) -> None:
    async with sit(size=(160, 50)) as hand:
        await hand.until(lambda: hand.home.sessions.total == 1)
        panel = hand.app.screen.query_one(OverviewPanel)
        await hand.shows("Ana", panel)
        # The state of the table and the title of the game are the game's words.
        assert not {"waits", "goes", "ago", "just", "begun"} & set(english_words(hand.text_of(panel)))


@pytest.mark.usefixtures("pseudo")
async def test_a_table_has_its_own_words_in_the_language(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        table = hand.table
        for kind in (PromptList, LogView):
            assert english_words(str(table.query_one(kind).border_title)) == []
        keys = table.query_one(KeyBar)
        assert keys.part is not None
        effects = [str(does) for _, does, action in keys.part if action != "screen.answer"]
        assert english_words("\n".join(effects)) == []


@pytest.mark.usefixtures("pseudo")
async def test_commands_and_keys_are_listed_in_the_language(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        commands = list(hand.app.get_system_commands(hand.app.screen))
        texts = [text for command in commands for text in (command.title, command.help)]
        assert english_words("\n".join(texts)) == []
        hand.app.action_show_help_panel()
        await hand.until(lambda: bool(hand.app.screen.query("BindingsTable")))
        await hand.settle()
        await hand.press("ctrl+p")
        await hand.until(lambda: isinstance(hand.app.screen, CommandPalette) and bool(hand.app.screen.query(Input)))
        assert english_words(hand.app.screen.query_one(Input).placeholder) == []


@pytest.mark.usefixtures("pseudo")
async def test_a_search_without_result_says_so_in_the_language(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until_welcomed()
        hand.app.search_themes()
        await hand.until(
            lambda: isinstance(hand.app.screen, ThemePalette) and bool(hand.app.screen.query(TranslatedRows))
        )
        assert english_words(hand.app.screen.query_one(Input).placeholder) == []
        rows = hand.app.screen.query_one(TranslatedRows)
        rows.add_option(Option("No matches found", id="none", disabled=True))
        message: object = rows.get_option("none").prompt
        assert english_words(str(message.renderable)) == []  # type: ignore[attr-defined]


def test_a_strong_field_stands_out_wherever_it_is() -> None:
    content = drawing.style_message(phrase("Press {key}, {name}.", key=drawing.strong("F1"), name="Ana"))
    assert content.plain == "Press F1, Ana."
    assert [(span.start, span.end, span.style) for span in content.spans] == [(6, 8, drawing.BOLD)]


@pytest.fixture
def german() -> Iterator[None]:
    """Everything speaks German."""
    language = find_language("de")
    assert language is not None
    set_language(language)
    yield
    set_language(ENGLISH)


@pytest.mark.usefixtures("german")
async def test_a_form_has_its_answers_by_their_titles(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until_welcomed()
        await hand.press("ctrl+l", "f4")
        await hand.until(lambda: isinstance(hand.app.screen, FormScreen) and hand.app.screen.is_running)
        form = hand.app.screen
        assert isinstance(form, FormScreen)
        await hand.until(lambda: bool(form.cursor.answers.fields))
        await hand.settle()
        while form.cursor.at != FormPlace("form"):
            await hand.press("tab")
            await hand.settle()
        await hand.until(lambda: hand.field("entry") == "Schweizer System")
        assert hand.reads("Schweizer System")
        assert form.cursor.text == "swiss"
        await hand.press(*"rangleiter")
        await hand.until(lambda: form.cursor.text == "ladder")
        await hand.press("backspace")
        await hand.until(lambda: form.cursor.text == "rangleite")
        await hand.press("enter")
        await hand.until(lambda: form.cursor.at != FormPlace("form"))
        assert form.cursor.answers.values()["form"] == "ladder"


def test_what_a_form_writes_it_reads() -> None:
    fields = (
        field
        for module in form_modules()
        for each in vars(module).values()
        for field in (each if isinstance(each, tuple) else (each,))
        if isinstance(field, Field)
    )
    titled = [field for field in fields if field.titles]
    assert titled
    for language in (ENGLISH, PSEUDO, *list_finished()):
        with speaking(language):
            for field in titled:
                assert [field.read_answer(field.write_answer(answer)) for answer, _ in field.titles] == [
                    answer for answer, _ in field.titles
                ]


@pytest.mark.usefixtures("german")
def test_tables_of_the_sample_have_names_in_the_language(archive: Archive) -> None:
    with sample.visit(archive) as visited:
        assert {row.title for row in visited.sessions()} == {"Der erste Abend", "Der zweite Abend", "Heute Abend"}


@pytest.mark.usefixtures("german")
async def test_the_log_tells_lines_in_words(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    session.do(*map(session.notation.parse, ("seat ana", 'monster ana AS "Mire Thief" hp 19 atk 4', "purse ana 15")))
    async with sit(session.id) as hand:
        log = hand.table.log_view.text
        assert "Ana setzt sich." in log
        assert "Ana: Geldbeutel 15." in log
        assert "monster ana" not in log


@pytest.mark.usefixtures("german")
def test_words_of_an_entry_are_those_of_the_language() -> None:
    def describe(game: str, line: str) -> str:
        return str(describe_line(notation_of(registry.game(game)).parse(line), {"ana": "Ana"}))

    assert describe("decknforge", "inscribed ana 5C sharp") == "Ana: Beschriftet 5♣ Scharf."
    assert describe("decknforge", "monster ana AS power hp 9 atk 4 legend labels swift") == (
        "Ana: Monster A♠ Power LP 9 ATK 4 Legende Etiketten Rasch."
    )
    assert describe("soulforger", "gear ana blade weapon power 14/3 hands 2") == (
        "Ana: Ausrüstung Blade Waffe Macht 14/3 Hände 2."
    )


@pytest.mark.usefixtures("german")
async def test_answers_have_their_titles_before_their_lines(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    lines = (*SET_UP.strip().splitlines(), "reveal ana 8H", "reveal ben 7C", "reveal cy 10D")
    session.do(*map(session.notation.parse, lines))
    async with sit(session.id, size=(120, 40)) as hand:
        assert "Schub · spike" in hand.text_of(hand.table.prompt_list)
        assert hand.table.keys.part is not None
        _, effect, _ = next(key for key in hand.table.keys.part if key[0] == "Enter")
        assert str(effect) == "Passen"
        await hand.press("down")
        assert "Schub · spike" in hand.text_of(hand.table.prompt_list)


def test_a_line_has_the_title_of_its_verb(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    german = find_language("de")
    assert german is not None
    titles = list_verb_titles(session, german)
    assert title_of_line("spike ana pay 5C", titles) == "Schub"
    assert title_of_line("keep-purse ana", titles) == "Geldbeutel behalten"
    # A noun that is the same word has its capital letter: rows and keys look alike.
    assert title_of_line("monster ana AS", titles) == "Monster"
    assert title_of_line("bonus surge", titles) == "Bonus"
    assert list_verb_titles(session, ENGLISH) == {}


def test_a_usage_is_read_in_the_language_and_typed_in_english() -> None:
    usage = UsageText('target SEAT REF [pay CARD…|N] "SEAT"')
    assert str(usage) == 'target SEAT REF [pay CARD…|N] "SEAT"'
    with speaking(find_language("de") or ENGLISH):
        assert str(usage) == 'target PLATZ MONSTER [pay KARTE…|N] "SEAT"'


async def _find_in_help(hand: Hand, text: str) -> str:
    """Return what the help shows for a search."""
    help_screen = hand.app.screen
    assert isinstance(help_screen, Help)
    help_screen.field.value = text
    await hand.settle()
    return hand.text_of(help_screen.page)


@pytest.mark.usefixtures("german")
async def test_help_finds_what_people_call_things(sit: Seat, archive: Archive) -> None:
    async with sit(archive_journal.start(archive, "decknforge").id) as hand:
        await hand.press("f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        for word in ("aufgeben", "aussteigen", "gehen", "Ende", "quit"):
            assert "concede" in await _find_in_help(hand, word), word
        assert "Aufgeben · concede PLATZ" in await _find_in_help(hand, "aufgeben")
        assert "Beenden" in await _find_in_help(hand, "schließen")


@pytest.mark.parametrize("word", ["give up", "quit", "concede"])
async def test_english_help_finds_synonyms(sit: Seat, archive: Archive, word: str) -> None:
    async with sit(archive_journal.start(archive, "decknforge").id) as hand:
        await hand.press("f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        assert "concede SEAT" in await _find_in_help(hand, word)


@pytest.mark.usefixtures("german")
def test_a_box_is_looked_through_in_ones_own_words(archive: Archive, band: str) -> None:
    deck_records.tick(archive, band, ["all"])
    form = AuditForm(archive, archive.find_deck(band))
    fields = {field.name: field for field in form.build_state(form.initial_values()).fields}
    assert fields["AS"].write_answer(form.initial_values()["AS"]).startswith("Grave Wyrm, ")
    assert " LP, ATK " in fields["AS"].write_answer(form.initial_values()["AS"])
    answers = {**form.initial_values(), "AS": "Moordieb, 13 LP, ATK 3, ★", "box": "Ruhm 7, 1 Dungeon"}
    form.keep(answers)
    paper = AuditForm(archive, archive.find_deck(band)).initial_values()
    assert (paper["AS"], paper["box"]) == ("Moordieb, HP 13, ATK 3, ⭐", "Glory 7, 1 dungeon")
