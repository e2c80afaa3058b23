"""Settings: kept over restarts, wherever they were chosen, and nothing that cannot be is kept."""

from pathlib import Path

import pytest

from companion.archive import Archive, maintenance, stationery
from companion.archive.people import people
from companion.forms import settings
from companion.forms.settings_form import ScreenLooks, SettingsForm
from companion.tabletop.table.choices import Choice
from companion.tui.screens.home.home import Home
from companion.tui.widgets.bars import KeyBar
from templates.languages.messages import ENGLISH, set_language
from tests.tui.conftest import Seat
from tests.tui.test_forms import answer_form, at_form


@pytest.mark.slow
async def test_the_settings_are_there_again_after_a_restart(sit: Seat, archive: Archive) -> None:
    stationery.calibrate(archive, "office", 0.5, 0, 1, 1)
    async with sit(size=(80, 24)) as hand:
        assert hand.app.theme != "textual-light"
        await hand.press("f12")
        await at_form(hand)
        assert hand.reads(f"Archive: {archive.name}")
        assert hand.reads("keys.toml")
        chosen = ("textual-light", "office", "L7651", "A4", "black", "on", "off", "on", "90 bell", "program")
        await answer_form(hand, *chosen, "", "", "")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and hand.app.theme == "textual-light")
        await hand.until(lambda: "The settings are saved." in hand.status)
    async with sit(size=(80, 24)) as hand:
        assert hand.app.theme == "textual-light"
    chosen = ("textual-light", "office", "L7651", "A4", "black", "on", "off", "on", "90 bell", "program")
    assert settings.read_settings() == settings.ScreenSettings(*chosen)


@pytest.mark.slow
async def test_a_copy_elsewhere_is_a_setting_and_home_tells_how_it_is(
    sit: Seat, archive: Archive, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    people.add_person(archive, "Zoe")
    async with sit(size=(80, 24)) as hand:
        await hand.press("f12")
        await at_form(hand)
        await answer_form(hand, *11 * [""], str(stick), "")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and "Copy elsewhere: up to date." in hand.status)
        assert len(list(stick.glob("*/*.sqlite"))) == 1
    people.add_person(archive, "Yan")
    stick.rename(tmp_path / "away")
    maintenance.end_evening(archive)
    async with sit(size=(80, 24)) as hand:
        await hand.until(lambda: "Copy elsewhere: last 1 evening ago" in hand.status)
        await hand.press("f12")
        await at_form(hand)
        assert hand.reads("stick is not there")
        await answer_form(hand, *11 * [""], "none", "")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and "Copy elsewhere" not in hand.status)


async def test_a_theme_chosen_in_the_palette_is_kept_too(sit: Seat) -> None:
    async with sit() as hand:
        hand.app.theme = "high-contrast"
        await hand.until(lambda: settings.read_settings().theme == "high-contrast")
    async with sit() as hand:
        assert hand.app.theme == "high-contrast"


async def test_what_is_none_of_the_choices_is_not_kept(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f12")
        await at_form(hand)
        await answer_form(hand, "", "", "9999")
        await hand.press("ctrl+s")
        await hand.until(lambda: "not right yet" in hand.status)
        assert hand.reads("“9999” is none of these.")
    assert settings.read_settings() == settings.ScreenSettings()


def test_a_file_that_is_no_settings_counts_as_none() -> None:
    settings.settings_file().parent.mkdir(parents=True)
    for text in ("theme = ", f"theme = {100_000 * '['}", f"theme = {5000 * '9'}"):
        settings.settings_file().write_text(text, encoding="utf-8")
        assert settings.read_settings() == settings.ScreenSettings()
    settings.settings_file().write_text('theme = "nord"\nold = "gone"\nstock = 7\n', encoding="utf-8")
    assert settings.read_settings() == settings.ScreenSettings(theme="nord")


def test_any_paper_can_be_usual_and_a_wrong_stock_is_named(archive: Archive) -> None:
    form = SettingsForm(archive, ScreenLooks("nord", [Choice("nord")], lambda _: None, ""))
    folder = settings.settings_file().parent / "stocks"
    folder.mkdir(parents=True)
    (folder / "bad.toml").write_text("name = 7", encoding="utf-8")
    answers = {**form.initial_values(), "paper": "148 x 210 mm", "stock": "99012"}
    state = form.build_state({**answers, "stock": "30321"})
    assert state.filled.findings == ()
    assert "bad.toml cannot be read: line 1: write name" in state.filled.change
    (finding,) = form.build_state({**answers, "stock": "30321", "paper": "a7"}).filled.findings
    assert finding.place.field == "paper"
    form.keep({**answers, "stock": "30321"})
    assert (settings.read_settings().stock, settings.read_settings().paper) == ("30321", "148 x 210 mm")


_GERMAN = """
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Tables"
msgstr "Tische"

msgid "Help"
msgstr "Hilfe"

msgid "The settings are saved."
msgstr "Die Einstellungen sind gespeichert."
"""


@pytest.mark.slow
async def test_a_new_language_counts_at_once_and_is_kept(sit: Seat, tmp_path: Path) -> None:
    catalogue = tmp_path / "German.po"
    catalogue.write_text(_GERMAN, encoding="utf-8")
    try:
        async with sit(size=(140, 24)) as hand:
            await hand.press("f12")
            await at_form(hand)
            await answer_form(hand, *10 * [""], str(catalogue), "", "")
            await hand.until(lambda: isinstance(hand.app.screen, Home) and "Einstellungen" in hand.status)
            home = hand.app.screen
            assert isinstance(home, Home)
            assert home.sessions.border_title == "Tische"
            await hand.until(lambda: "Hilfe" in hand.text_of(home.query_one(KeyBar)))
        assert settings.read_settings().language == str(catalogue)
    finally:
        set_language(ENGLISH)


async def test_a_language_that_is_not_here_is_not_kept(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f12")
        await at_form(hand)
        await answer_form(hand, *10 * [""], "xx")
        await hand.press("ctrl+s")
        await hand.until(lambda: "not right yet" in hand.status)
        assert hand.reads("There is no language “xx”; choose en")
    assert settings.read_settings() == settings.ScreenSettings()
