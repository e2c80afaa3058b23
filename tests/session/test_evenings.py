"""Where an evening's facts are kept, and what is told where they are not."""

import json
from pathlib import Path

import pytest

from companion.archive import Archive, deck_records
from companion.archive.exchange import archive_export
from companion.archive.people import people
from companion.archive.storage.lists import mark_of
from companion.games import registry
from companion.games.decknforge.decks.marks import DungeonPlayed
from companion.session.core import archive_journal
from companion.session.reports import evening_cards
from companion.tabletop.evening_text import as_markdown
from tests.printing.evenings import play


def played_marks(archive: Archive, session: str) -> list[DungeonPlayed]:
    marks = deck_records.sealed_marks(archive, session).values()
    return [mark for deck in marks for mark in deck if isinstance(mark, DungeonPlayed)]


def test_a_seal_keeps_the_evening_in_every_deck(archive: Archive) -> None:
    session = play(archive)
    evenings = [mark.evening for mark in played_marks(archive, session)]
    assert len(evenings) == 3
    assert evenings[0] is not None
    assert all(evening == evenings[0] for evening in evenings)
    assert [evenings[0].seat_of(archive.find_deck(name).deck) for name in ("Grave Choir", "Salt and Iron")] == [
        "ana",
        "cy",
    ]


def test_a_card_of_a_sealed_game_asks_no_rules(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    row = archive.find_session(play(archive))

    def refuse(*_: object) -> None:
        raise AssertionError("the game was played again")

    monkeypatch.setattr(type(registry.game("decknforge")), "apply", refuse)
    assert evening_cards.present_stored(archive, row).card.headline == "All six Bosses fell"


def test_what_was_kept_and_what_the_lines_say_is_the_same(archive: Archive) -> None:
    row = archive.find_session(play(archive))
    kept = evening_cards.kept_evening(archive, row)
    session = archive_journal.resume(archive, row.session)
    assert kept == evening_cards.present_session(archive, session).evening


def test_stored_facts_are_json_with_names_only(archive: Archive) -> None:
    play(archive)
    deck = archive.find_deck("Grave Choir").deck
    bodies = [json.loads(entry.body) for entry in archive.entries(f"deck:{deck}") if entry.kind == "played"]
    evening = bodies[0]["evening"]
    assert [each["name"] for each in evening["participants"]] == ["Ana", "Ben", "Cy"]
    assert json.dumps({**evening, "participants": []}).count("Ana") == 0
    assert len(json.dumps(evening)) < 8_000


def test_marks_of_before_have_no_evening_and_are_read() -> None:
    old = '{"mark":"played","wizard":"Ana","outcome":"win","bosses":6,"glory":7}'
    assert mark_of(registry.game("decknforge"), "deck:X", 1, old) == DungeonPlayed("Ana", "win", 6, 7)


def test_an_exported_archive_tells_the_same_evening(archive: Archive, tmp_path: Path) -> None:
    row = archive.find_session(play(archive))
    archive_export.export_archive(archive, tmp_path / "all.archive")
    with Archive.open(str(tmp_path / "other.sqlite"), create=True) as other:
        archive_export.import_archive(other, tmp_path / "all.archive")
        assert evening_cards.present_stored(other, other.find_session(row.session)).card == (
            evening_cards.present_stored(archive, row).card
        )


def test_who_wants_another_name_has_it_on_what_leaves_the_house(archive: Archive) -> None:
    row = archive.find_session(play(archive))
    people.set_alias(archive, "Ben", "Lantern")
    people.set_alias(archive, "Cy", hidden=True)
    page = evening_cards.present_stored(archive, row)
    assert page.card.subtitle == "Ana with Grave Choir · Lantern with The Lantern Debt · Player 1 with Salt and Iron"
    text = as_markdown(page.card)
    assert "Lantern, 6♥" in text
    assert "Player 1, 9♠" in text
    assert "Ben" not in text
    assert "Cy" not in text
    assert [each.name for each in page.evening.participants] == ["Ana", "Lantern", "Player 1"]
