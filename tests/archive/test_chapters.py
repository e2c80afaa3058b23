"""A deck's story as chapters: evenings, what was between them, and work by hand apart."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from companion.archive import Archive, deck_records
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from companion.tabletop.constructed import record as duels
from companion.tabletop.decks.decklist import DeckCard
from tests.printing.evenings import create_deck, live, play


def choir(archive: Archive) -> str:
    return archive.find_deck("Grave Choir").deck


def test_an_evening_is_a_chapter_with_who_killed_what(archive: Archive) -> None:
    session = play(archive)
    began, evening = archive.chapters(choir(archive))
    assert (began.kind, began.title, began.session) == ("between", "How it began", "")
    assert (evening.kind, evening.session) == ("evening", session)
    assert evening.title == "Ana won a dungeon with Ben and Cy, after 6 Bosses"
    assert "Boss 1, Tithe Collector (A♠, our own), fell in 3 rounds: Ben, 6♥, overkill 7." in evening.facts
    assert "Narrowest moment: Cy at 10 HP against Ledger Beast, round 2." in evening.facts
    assert evening.facts[-1] == "Ana: Glory +7, Coppers +21."
    assert [line.text for line in evening.lines][-1] == "The band went to Cy."


def test_another_band_of_the_evening_tells_it_as_its_own(archive: Archive) -> None:
    play(archive)
    evening = archive.chapters(archive.find_deck("Salt and Iron").deck)[-1]
    assert evening.title == "Cy won a dungeon with Ana and Ben, after 6 Bosses"
    assert "Boss 2, Barnacle King (Black Joker, our own), fell in 2 rounds: Cy, 9♠, overkill 13." in evening.facts


def test_work_by_hand_stands_apart(archive: Archive) -> None:
    play(archive)
    deck = choir(archive)
    deck_records.tick(archive, deck, [deck_records.chores(archive, deck)[0].id])
    after = archive.chapters(deck)[-1]
    assert (after.kind, after.lines) == ("between", ())
    assert [line.kind for line in after.chores] == ["done"]


def test_evenings_of_before_tell_what_they_have(archive: Archive) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    _, won, lost = archive.chapters(deck)
    assert [(each.kind, each.facts) for each in (won, lost)] == [("evening", ())] * 2
    assert won.title == "Ana won a dungeon with it, after 6 Bosses: 7 Glory"
    assert "Quick on 5♣ faded." in [line.text for line in won.lines]
    assert lost.title == "Ben lost a dungeon with it, after 2 Bosses: 3 Glory"


def test_an_evening_that_was_taken_back_is_told_as_such(archive: Archive) -> None:
    play(archive)
    deck = choir(archive)
    number = archive.chapters(deck)[-1].mark
    archive.mark(deck, archive.find_deck(deck).length, [m.BandCorrected(number, "it was a joke")])
    (_, evening, *_) = archive.chapters(deck)
    assert (evening.kind, evening.facts) == ("between", ())
    assert "(Corrected by entry" in evening.lines[0].text


def test_every_line_of_the_story_stands_in_one_chapter(archive: Archive) -> None:
    play(archive)
    deck = choir(archive)
    numbers = [
        number
        for chapter in archive.chapters(deck)
        for number in (
            *([chapter.mark] if chapter.mark else []),
            *(line.number for line in chapter.lines + chapter.chores),
        )
    ]
    assert sorted(numbers) == [line.number for line in archive.story(deck)]


def test_people_are_called_in_chapters_as_they_want(archive: Archive) -> None:
    play(archive)
    evening = archive.chapters(choir(archive), lambda name, _: "B." if name == "Ben" else name)[-1]
    assert evening.title == "Ana won a dungeon with B. and Cy, after 6 Bosses"
    assert not any("Ben" in fact for fact in evening.facts)


@pytest.mark.parametrize("game", ["soulforger", "oddfrontier", "solforge"])
def test_a_match_is_a_chapter(archive: Archive, game: str) -> None:
    cards = (DeckCard("main", 4, "Ash Wolf"),)
    played = duels.ConstructedPlayed("Ana", 1, (duels.Opponent("Ben", called="Bog Pack"),), "won", 9)
    deck = archive.found_deck(game, [duels.Built("Ash Pack", "Ana", cards), played])
    assert archive.chapters(deck)[-1].title == "Ana won against Ben (Bog Pack) with version 1 after 9 turns"


def test_the_command_tells_chapters_newest_first(archive: Archive) -> None:
    play(archive)
    archive.close()
    result = CliRunner().invoke(main, ["deck", "history", "Grave Choir", "--archive", archive.name])
    heading, _, evening, first, *_ = result.stdout.splitlines()
    assert heading.startswith("Grave Choir · ")
    assert evening.endswith(" · Ana won a dungeon with Ben and Cy, after 6 Bosses · Friday · entry 6")
    assert first.strip().startswith("Boss 1, Tithe Collector")
    data = json.loads(
        CliRunner().invoke(main, ["deck", "history", "Grave Choir", "--json", "--archive", archive.name]).stdout
    )
    assert [chapter["kind"] for chapter in data["chapters"]] == ["evening", "between"]
    assert data["chapters"][0]["mark"] == 6
    rows = CliRunner().invoke(main, ["deck", "history", "Grave Choir", "--marks", "--archive", archive.name]).stdout
    assert "Ana won a dungeon with it, after 6 Bosses in 17 rounds: 7 Glory." in rows


def test_a_scanned_box_tells_its_last_evening(archive: Archive) -> None:
    play(archive)
    deck = choir(archive)
    archive.close()
    rows = CliRunner().invoke(main, ["scan", "--archive", archive.name], input=deck).stdout.splitlines()
    assert rows[1].endswith("Ana won a dungeon with Ben and Cy, after 6 Bosses")
    assert rows[2].strip() == "Boss 1, Tithe Collector (A♠, our own), fell in 3 rounds: Ben, 6♥, overkill 7."
    assert "companion deck history" in rows[-1]
