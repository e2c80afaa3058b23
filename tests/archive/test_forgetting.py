"""Somebody is forgotten: the name is gone from the file, the sums are there, and what goes on naming them is told."""

from pathlib import Path

import pytest

from companion.archive import Archive, Unknown, maintenance
from companion.archive.people import forgetting, leagues, people
from companion.archive.storage.entries import LeagueCreated, PersonIntroduced, PurseChange, Scoring, draft
from companion.archive.storage.lists import row_of
from companion.league import season
from companion.tabletop.records import Keepsake, Payment
from tests.archive.keepsake import Founded

NAME = "Xanthippe Quill"


def settle_up(archive: Archive, *payments: Payment | Keepsake) -> None:
    with archive.store.writing() as transaction:
        archive._pay(transaction, payments, "keepsake")


def test_the_sums_stay_and_the_name_is_nobodys(archive: Archive) -> None:
    settle_up(archive, Payment(NAME, 7, ""), Keepsake(NAME, "shards", 3), Payment(NAME, -2, ""))
    people.rename_person(archive, NAME, "Zanthippe")
    before = people.find_record(archive, "Zanthippe")
    gone = forgetting.forget_person(archive, "Zanthippe").person
    assert (gone.person, gone.purse) == (before.person, 5)
    assert gone.kept == {"keepsake": {"shards": 3}}
    assert gone.called == (f"Player {gone.person}",)
    for name in (NAME, "Zanthippe"):
        with pytest.raises(Unknown):
            people.find_record(archive, name)
    after = people.find_record(archive, gone.person)
    assert [(line.at, line.change) for line in after.ledger] == [(line.at, line.change) for line in before.ledger]
    assert maintenance.check_archive(archive) == ()


def test_a_purse_of_before_is_kept_without_its_name(archive: Archive) -> None:
    with archive.store.writing() as transaction:
        stream = f"wizard:{NAME.casefold()}"
        added = transaction.append(stream, 0, [draft(PurseChange(NAME, 7, ""))], "tests", archive.now())
        transaction.put(row_of(stream, added))
        person = "AAAAAA"
        first = draft(PersonIntroduced(NAME, NAME.casefold()))
        introduced = transaction.append(f"person:{person}", 0, [first], "tests", archive.now())
        transaction.put(row_of(f"person:{person}", introduced))
    assert people.find_record(archive, NAME).purse == 7
    assert forgetting.forget_person(archive, NAME).person.purse == 7
    assert archive.entries(stream) == ()
    assert maintenance.check_archive(archive) == ()


def test_leagues_and_merged_people_are_without_the_name(archive: Archive) -> None:
    created = LeagueCreated("Winter", "swiss", Scoring(), 1, ())
    leagues.create_league(archive, created, ["Ana", NAME])
    people.merge_people(archive, NAME, people.add_person(archive, "Xan").person)
    assert season.read_season(archive, "Winter").names()
    forgetting.forget_person(archive, "Xan")
    assert [*season.read_season(archive, "Winter").names().values()] == ["Ana", "Player 2"]
    with pytest.raises(Unknown):
        people.find_record(archive, NAME)
    assert maintenance.check_archive(archive) == ()


def test_what_goes_on_naming_them_is_told(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir", NAME)], [Payment(NAME, 5, "")])
    _, traces = forgetting.find_traces(archive, NAME)
    assert traces.decks == ("Grave Choir",)
    assert traces.sessions == ()
    assert "The record of 1 deck (Grave Choir) still names them; it is never rewritten." in traces.sentences()


def test_somebody_new_may_have_the_name_again(archive: Archive) -> None:
    settle_up(archive, Payment(NAME, 7, ""))
    gone = forgetting.forget_person(archive, NAME).person
    settle_up(archive, Payment(NAME, 2, ""))
    again = people.find_record(archive, NAME)
    assert again.person != gone.person
    assert again.purse == 2


@pytest.mark.files
def test_no_byte_of_the_name_is_left_in_the_file(archive: Archive) -> None:
    settle_up(archive, *(Payment(NAME, number, "") for number in range(50)))
    people.set_alias(archive, NAME, "Quillwort")
    forgetting.forget_person(archive, NAME)
    file = archive.store.file
    assert file is not None
    # What waits in the log goes with it, as soon as nobody has the archive open.
    archive.close()
    for part in (file, file.with_name(f"{file.name}-wal")):
        held = Path(part).read_bytes() if Path(part).exists() else b""
        assert b"Xanthippe" not in held
        assert b"Quillwort" not in held
