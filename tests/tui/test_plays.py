"""Imported games on their screen: a file is read in a form that shows what it holds, and a single game is removed."""

from pathlib import Path

import pytest

from companion.archive import Archive
from companion.archive.exchange import play_removal
from companion.archive.exchange.play_import import import_plays
from companion.archive.people import people
from companion.archive.storage.results import read_results
from companion.forms.play_form import PlayImportForm
from companion.statistics import score_list
from companion.statistics.score_list import Choices
from companion.tabletop.decks.form import FormPlace
from companion.tui.screens.form import FormScreen
from companion.tui.screens.plays import PlaysScreen
from companion.tui.widgets.page import Page
from tests.statistics.test_outside_plays import WINGSPAN, export
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form
from tests.tui.test_statistics import at_statistics

SCORES = "date,Ana K.,Ben,Cy\n3/4/2024,120,85,40\n5/6/2024,60,130,\nx,1,2,3\n"


async def at_plays(hand: Hand) -> PlaysScreen:
    """From home to the imported games."""
    await at_statistics(hand)
    await hand.press("f4")
    await hand.until(lambda: isinstance(hand.app.screen, PlaysScreen) and bool(hand.app.screen.query("#rows")))
    await hand.settle()
    screen = hand.app.screen
    assert isinstance(screen, PlaysScreen)
    return screen


async def at_import(hand: Hand) -> FormScreen:
    """From the imported games to the form."""
    await hand.press("f4")
    return await at_form(hand)


def counted(archive: Archive) -> int:
    """Return the number of games in the list of results."""
    with archive.store.reading() as transaction:
        return len(list(read_results(transaction)))


def store_golf(archive: Archive) -> None:
    text = b"date,Ana,Ben\n2024-01-01,3,4\n2024-01-02,5,4\n2024-01-03,5,5\n"
    plays = score_list.read_scores(text, "scores.csv", Choices("Golf", lowest_wins=True)).plays
    import_plays(archive, plays, score_list.SCORES_AUTHOR, "scores.csv")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_file_is_shown_before_it_is_imported(
    sit: Seat, archive: Archive, tmp_path: Path, size: tuple[int, int]
) -> None:
    people.add_person(archive, "Ana")
    people.add_person(archive, "Benedikt")
    file = tmp_path / "old scores.csv"
    file.write_text(SCORES, encoding="utf-8")
    async with sit(size=size) as hand:
        screen = await at_plays(hand)
        assert "F4 imports" in screen.query_one(Page).text
        form = await at_import(hand)
        await answer_form(hand, f"'{file}'")
        await hand.until(lambda: form.cursor.at == FormPlace("dates"))
        await answer_form(hand, "the day")
        await hand.until(lambda: form.cursor.at == FormPlace("title"))
        await answer_form(hand, "Golf")
        await hand.until(lambda: form.cursor.at == FormPlace("best"))
        await answer_form(hand, "the lowest")
        await hand.until(lambda: hand.reads("2 games (3 Apr 2024 to 5 Jun 2024): 2 new"))
        assert hand.reads("Row 4: there is no date")
        await hand.until(lambda: form.cursor.at == FormPlace("person Ana K."))
        await answer_form(hand, "Ana")
        await hand.until(lambda: hand.reads("Counted for people who are here: Ana K."))
        assert [str(choice.value) for choice in form.choice_list.choices] == ["Benedikt", "Ana"], "the likeliest first"
        assert counted(archive) == 0
        await hand.press("ctrl+s")
        await hand.until(lambda: "2 games taken in" in hand.status)
        assert counted(archive) == 2
        assert people.find_people(archive, "Ana K.")[0].name == "Ana"
        await hand.until(lambda: "Golf" in screen.query_one(Page).text)


async def test_a_pasted_list_is_imported(sit: Seat, archive: Archive) -> None:
    async with sit(size=(100, 40)) as hand:
        await at_plays(hand)
        form = await at_import(hand)
        await hand.press("enter")
        await hand.until(lambda: form.lines is not None)
        hand.paste("date,game,Ana,Ben\n2024-01-01,rummy,3,4\n")
        await hand.until(lambda: hand.reads("Counted as games that the companion knows: rummy."))
        await hand.press("ctrl+s")
        await hand.until(lambda: "1 game taken in" in hand.status)
        assert counted(archive) == 1


async def test_what_is_here_already_is_not_imported(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    file = tmp_path / "BGStatsExport.json"
    file.write_bytes(export(WINGSPAN))
    form = PlayImportForm(archive)
    values = {"file": str(file)}
    assert "1 new" in str(form.build_state(values).filled.summary)
    form.keep(values)
    async with sit(size=(100, 40)) as hand:
        await at_plays(hand)
        await at_import(hand)
        await answer_form(hand, str(file))
        await hand.press("ctrl+s")
        await hand.until(lambda: hand.reads("There is nothing new in it."))
    assert counted(archive) == 1


def test_a_file_that_cannot_be_read_is_named(archive: Archive, tmp_path: Path) -> None:
    form, missing, table = PlayImportForm(archive), tmp_path / "none.csv", tmp_path / "x.csv"
    table.write_text("Ana,Ben\n1,2\n", encoding="utf-8")

    def refusal(file: object) -> str:
        return str(form.build_state({"file": str(file)}).filled.findings[0].text)

    assert refusal(missing) == f"“{missing}” cannot be read: No such file or directory."
    assert "is not a file" in refusal(tmp_path)
    assert "is the archive itself" in refusal(archive.name)
    assert "is not a table of scores" in refusal(table)


def test_a_changed_file_is_read_again(archive: Archive, tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    form = PlayImportForm(archive)
    for rows in (1, 2):
        file.write_text("date,game,Ana,Ben\n" + "2024-01-01,rummy,3,4\n" * rows, encoding="utf-8")
        assert f"{rows} new" in str(form.build_state({"file": str(file)}).filled.summary)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_single_game_is_removed_by_two_presses(sit: Seat, archive: Archive, size: tuple[int, int]) -> None:
    store_golf(archive)
    async with sit(size=size) as hand:
        screen = await at_plays(hand)
        await hand.press("down")
        await hand.until(lambda: "Ben  4  won" in screen.query_one(Page).text)
        await hand.press("f8")
        await hand.until(lambda: "again removes “Golf” of 2 Jan 2024" in hand.status)
        # Another row was not asked about.
        await hand.press("down", "f8")
        await hand.until(lambda: "again removes “Golf” of 1 Jan 2024" in hand.status)
        await hand.press("up", "f8", "f8")
        await hand.until(lambda: "“Golf” of 2 Jan 2024 is removed; F8 brings it back." in hand.status)
        assert [play.is_removed for play in play_removal.list_plays(archive)] == [False, True, False]
        assert counted(archive) == 2
        assert "Removed: it does not count" in screen.query_one(Page).text
        await hand.press("f8", "f8")
        await hand.until(lambda: "“Golf” of 2 Jan 2024 counts again." in hand.status)
        assert counted(archive) == 3


async def test_a_typed_name_finds_its_games(sit: Seat, archive: Archive) -> None:
    store_golf(archive)
    async with sit(size=(120, 40)) as hand:
        screen = await at_plays(hand)
        await hand.press(*"golf ana 2024-01-02")
        await hand.until(lambda: screen.rows.total == 1)
        await hand.press("f8", "f8")
        await hand.until(lambda: "is removed" in hand.status)
        await hand.press(*"x", "enter")
        await hand.until(lambda: "No imported game has" in hand.status)
