"""Pages in the languages of their readers: their own translations, what is wrong with them, and what is missing."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from gettext import GNUTranslations
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import listing
from companion.games.described.game import DescribedGame
from companion.games.described.load import game_from_text
from companion.games.described.page.reading import PageError, read_description
from companion.games.described.page.texts import PageTexts, several
from companion.games.described.page.translations import kept_translations, language_states
from companion.games.described.page.writing import write_page
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.tabletop.action import Tell
from companion.tabletop.notation.notation import help_of
from templates.languages.catalogues import PoFile, compile_catalogue, find_language
from templates.languages.messages import ENGLISH, Language, Message, render_value, speaking
from tests.games.described import pages

OWN: Final = """
name = "duel"
title = "Two Castles"
about = "Two castles shoot at each other."

[play]
players = "2"
first = "seat"
round-title = "Day"

[[steps]]
name = "shoot"
do = "Shoot once."

[counters.stones]
start = 9
out = "<= 0"

[counters.weather]
of = "table"
words = ["sun", "rain"]

[things.tower]
list = [{ name = "Old Tower", text = "It stands." }]

[actions.hurl]
title = "A stone flies"
tell = "me hurls N stones at SEAT."
takes = "SEAT N"
does = ["add SEAT stones -N"]

[words]
stone = "It flies."

[house.short]
ask = "Is it short?"
values = { no = {}, yes = { "steps.shoot.do" = "Shoot twice." } }
"""
GERMAN_TABLE: Final = """
[language.de]
"Two Castles" = "Zwei Burgen"
"Day" = "Tag | Tage"
"Shoot once." = "Schieß einmal."
"Shoot twice." = "Schieß zweimal."
"Stones" = "Steine"
"rain" = "Regen"
"Old Tower" = "Alter Turm"
"It stands." = "Er steht."
"me hurls N stones at SEAT." = "me wirft N Steine auf SEAT."
"A stone flies" = "Ein Stein fliegt"
"stone" = "Stein"
"Is it short?" = "Soll es kurz sein?"
"hurl" = "schleudere"
"""


def language_of(code: str) -> Language:
    language = find_language(code)
    assert language is not None
    return language


GERMAN: Final = language_of("de")
FRENCH: Final = language_of("fr")
AUSTRIAN: Final = Language("de-AT", "Österreichisch", GERMAN.catalogue)


def game_of(text: str) -> DescribedGame:
    game = game_from_text(text)
    assert isinstance(game, DescribedGame)
    return game


def played(game: DescribedGame, *lines: str) -> tuple[Session, tuple[Tell, ...]]:
    """A table after some lines, and what they told."""
    session = Session.new(game)
    tells = [tell for line in ("seat ana", "seat ben", *lines) for tell in session.enter(line)]
    return session, tuple(tells)


def in_language(text: Message | str, language: Language) -> str:
    return render_value(text, language)


def log_text(tells: Iterable[Tell], language: Language) -> str:
    return "\n".join(render_value(tell.text, language) for tell in tells)


def view_text(session: Session, language: Language) -> str:
    """The texts of a view as a reader sees them."""
    with speaking(language):
        view = session.view()
        things = tuple(view.things())
        counters = [counter for thing in things for counter in thing.counters]
        counters += [*view.counters, *(counter for seat in view.seats for counter in seat.counters)]
        texts = [view.title, *(prompt.text for prompt in view.prompts), *(step.title for step in view.steps)]
        texts += [text for thing in things for text in (thing.title, *thing.notes)]
        texts += [text for counter in counters for text in (counter.caption, counter.figure)]
        return "\n".join(map(str, texts))


LINES: Final = ("begin seed 3", "put old-tower tower of ana", "set table weather rain", "hurl ana ben 2")


def test_each_reader_reads_the_page_in_their_own_language() -> None:
    session, tells = played(game_of(OWN + GERMAN_TABLE), *LINES)
    for language in (GERMAN, AUSTRIAN):
        texts = view_text(session, language)
        assert [
            text
            for text in ("Zwei Burgen", "Schieß einmal.", "Steine", "Alter Turm", "Er steht.", "Regen")
            if text not in texts
        ] == []
        assert "Ana wirft 2 Steine auf Ben." in log_text(tells, language)
    english = view_text(session, ENGLISH)
    assert [text for text in ("Two Castles", "Shoot once.", "Stones", "Old Tower", "rain") if text not in english] == []
    assert "Ana hurls 2 stones at Ben." in log_text(tells, ENGLISH)
    assert "Stones" in view_text(session, FRENCH)


def test_what_is_stored_and_typed_stays_as_the_page_has_it() -> None:
    with speaking(GERMAN):
        german, _ = played(game_of(OWN + GERMAN_TABLE), *LINES)
    english, _ = played(game_of(OWN + GERMAN_TABLE), *LINES)
    assert german.state == english.state
    assert german.lines() == english.lines()
    assert german.state.pieces[0].title == "Old Tower"


def test_local_titles_are_understood() -> None:
    session, _ = played(game_of(OWN + GERMAN_TABLE), *LINES)
    with speaking(GERMAN):
        typed = ("ana steine 4", "schleudere ana ben 1")
        lines = [[session.notation.format(action) for action in read_line(text, session)] for text in typed]
    assert lines == [["set ana stones 4"], ["hurl ana ben 1"]]


def test_a_word_has_a_form_for_each_number() -> None:
    day = game_of(OWN + GERMAN_TABLE).readable_page.play.round_title
    assert [in_language(several(day, n), GERMAN) for n in (1, 3)] == ["Tag", "Tage"]
    assert [in_language(several(day, n), ENGLISH) for n in (1, 3)] == ["Day", "Days"]
    polish = Language(
        "pl", "polski", GNUTranslations(io.BytesIO(compile_catalogue(PoFile({"Plural-Forms": POLISH}, ()))))
    )
    page = OWN + '[language.pl]\n"Day" = "dzień | dnie | dni"\n'
    day = game_of(page).readable_page.play.round_title
    assert [in_language(several(day, n), polish) for n in (1, 2, 5)] == ["dzień", "dnie", "dni"]


POLISH: Final = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"


def test_a_word_of_the_page_keeps_its_own_plural() -> None:
    day = game_of(OWN.replace('"Day"', '"Century | Centuries"')).readable_page.play.round_title
    assert [in_language(several(day, n), ENGLISH) for n in (1, 2)] == ["Century", "Centuries"]


def test_a_page_in_german_has_a_translation_into_english() -> None:
    page = pages.load(pages.TABLES / "keys/language.toml")
    session, tells = played(page, "begin", "angriff ana ben 2")
    assert "Ana tears down 2 walls of Ben." in log_text(tells, ENGLISH)
    assert "Ana reißt 2 Mauern von Ben ein." in log_text(tells, GERMAN)
    assert "Ana reißt 2 Mauern von Ben ein." in log_text(tells, FRENCH)
    assert "Two Castles" in view_text(session, ENGLISH)


def test_a_house_rule_changes_texts_in_each_language() -> None:
    session, _ = played(game_of(OWN + GERMAN_TABLE), "rule short yes", "begin")
    assert "Schieß zweimal." in view_text(session, GERMAN)
    assert "Shoot twice." in view_text(session, ENGLISH)


def test_help_and_glossary_are_translated() -> None:
    game = game_of(OWN + GERMAN_TABLE)
    hurl = next(action for action in game.actions if action.verb() == "hurl")
    assert in_language(help_of(hurl), GERMAN) == "Ein Stein fliegt"
    assert "Stein" in [in_language(term.called, GERMAN) for term in game.terms()]
    assert "Soll es kurz sein?" in [in_language(rule.shown_text, GERMAN) for rule in game.house.all()]


def test_the_list_of_games_speaks_the_language_of_its_reader() -> None:
    entry = listing.head_of(OWN + GERMAN_TABLE, "duel")
    assert [in_language(entry.title, language) for language in (ENGLISH, GERMAN, FRENCH)] == [
        "Two Castles",
        "Zwei Burgen",
        "Two Castles",
    ]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('"Two Castels" = "Zwei Burgen"', "did you mean “Two Castles”?"),
        ('"Nothing like it" = "Nichts"', "The page has no such text."),
        ('"Shoot" = "{0.__class__}"', "The braces of the translation"),
        ('"Shoot" = "{player:>99999999}"', "The braces of the translation"),
        (f'"Shoot" = "{"x" * 200}"', "has 200 symbols; at most 50 are allowed"),
        (f'"Shoot" = "{"x" * 9000}"', "at most 1600 are allowed"),
        ('"Shoot" = "a\\u202eb"', "U+202E"),
        ('"Shoot" = "a\\u001bb"', "U+001B"),
        ('"Shoot" = 7', "words in quotation marks"),
        ('"Shoot" = ["a"]', "words in quotation marks"),
        ('"me hurls N stones at SEAT." = "me wirft auf SEAT."', "lacks N"),
        ('"me hurls N stones at SEAT." = "me wirft N auf SEAT mit TEXT."', "no TEXT"),
        ('"Day" = "a|b|c|d|e|f|g"', "at most 6 forms"),
    ],
)
def test_a_hostile_translation_is_refused_by_its_line(entry: str, fault: str) -> None:
    text = f"{OWN}\n[language.de]\n{entry}\n"
    with pytest.raises(PageError) as error:
        read_description(text)
    faults = [each for each in error.value.faults if fault in str(each.text)]
    assert [each.line for each in faults] == [text.count("\n")]


@pytest.mark.parametrize(
    "table", ["[language.en]", "[language.EN]", "[language.deutsch-land-und-mehr]", "[language]\nde = 3"]
)
def test_a_table_of_no_other_language_is_refused(table: str) -> None:
    with pytest.raises(PageError, match="language"):
        read_description(f"{OWN}\n{table}\n")


def test_one_language_stands_once() -> None:
    with pytest.raises(PageError, match="“de-AT” is the same language"):
        read_description(f"{OWN}\n[language.de-AT]\n[language.de_at]\n")


def test_what_is_missing_is_listed() -> None:
    page = read_description(OWN + GERMAN_TABLE)
    (state,) = language_states(PageTexts.of_page(page), page.language, lambda _: None)
    assert [missing.text for missing in state.missing] == [
        "Two castles shoot at each other.",
        "Shoot",
        "Weather",
        "Tower",
        "Short",
        "It flies.",
        "sun",
    ]
    assert state.translated == state.all_texts - len(state.missing)


def test_what_the_program_knows_is_not_missing() -> None:
    page = read_description('name = "a"\ntitle = "A"\n[counters.life]\n[language.de]\n"A" = "Ah"\n')
    (state,) = language_states(PageTexts.of_page(page), page.language, find_language)
    assert state.missing == ()
    assert in_language(PageTexts.of_page(page).text("Life"), GERMAN) == "Leben"


def test_a_page_keeps_its_translations_when_it_is_written() -> None:
    page = read_description(OWN + GERMAN_TABLE)
    assert read_description(write_page(page)) == page


def test_a_changed_page_keeps_the_translations_of_its_other_texts() -> None:
    page = read_description(OWN + GERMAN_TABLE)
    changed = msgspec.structs.replace(page, title="Three Castles")
    kept = kept_translations(PageTexts.of_page(changed), page.language)
    assert "Two Castles" not in kept["de"]
    assert "Stones" in kept["de"]


TEXTS: Final = tuple(
    dict.fromkeys(each.text for each in PageTexts.of_page(read_description(OWN)).all_texts if not each.is_told)
)
CODES: Final = ("de", "fr", "es", "de-AT")
Translations = Mapping[str, Mapping[str, str]]
TABLES: Final = st.dictionaries(
    st.sampled_from(CODES),
    st.dictionaries(st.sampled_from(TEXTS), st.text("abcxyzäöü", min_size=1, max_size=9), min_size=1),
)


@given(mine=TABLES, other=TABLES)
def test_translations_reach_their_own_readers_and_page_only(mine: Translations, other: Translations) -> None:
    games = [(PageTexts.of_page(read_description(OWN + written(tables))), tables) for tables in (mine, other)]
    for code in ("en", *CODES):
        reader = ENGLISH if code == "en" else Language(code, code)
        for texts, tables in games:
            for text in TEXTS:
                own = tables.get(code, {}).get(text) or tables.get(code.partition("-")[0], {}).get(text) or text
                assert in_language(texts.text(text), reader) == own
                assert in_language(texts.text(text), ENGLISH) == text


def written(tables: Translations) -> str:
    return "".join(
        f"[language.{code}]\n" + "".join(f'"{text}" = "{each}"\n' for text, each in table.items())
        for code, table in tables.items()
    )
