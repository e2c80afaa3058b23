"""Lists say what the entries add up to, and are what questions are answered from: chores, holders, people, copies."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.archive import Archive, ArchiveError, deck_records, maintenance
from companion.archive.people import people
from companion.archive.storage import purses
from companion.archive.storage.lists import deck_stream, fold
from companion.archive.storage.rows import DeckRow, PersonRow
from companion.games.decknforge.decks import marks as m
from companion.tabletop.records import Payment
from tests.archive import bands
from tests.archive.keepsake import Founded
from tests.bench import league

NAMES = ("Ana", "ANA", "Ben", "Ána", "Ben  B", "ben b")


@pytest.mark.slow
def test_in_a_league_every_list_says_what_the_entries_say(archive: Archive) -> None:
    league.write(archive, 30, 2_500, seed=3)
    assert maintenance.check_archive(archive) == ()
    _, listed = deck_records.all_chores(archive, due=False)
    assert {each.row.deck: each.chores for each in listed} == {
        row.deck: deck_records.chores(archive, row.deck) for row in archive.decks()
    }
    due = [each for each in listed if each.chores]
    assert 0 < len(due) < len(listed)
    assert list(deck_records.all_chores(archive)[1]) == due
    with archive.store.reading() as transaction:
        for row in archive.decks():
            record = archive.record(row.deck)
            assert (row.holders, row.holder) == (record.holders, record.holder)
            assert row in transaction.decks_of_holders((), [row.holders[0]])
            assert (row in transaction.decks_of_holders([row.person], ())) is bool(row.person)
            assert row.deck in [held.deck for held in people.find_record(archive, row.person or row.holder).held]


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(6))
def test_one_person_is_told_as_among_everybody(archive: Archive, seed: int) -> None:
    chance = Random(seed)
    ids = [people.add_person(archive, name).person for name in NAMES[:3]]
    deeds: dict[str, Callable[[], object]] = {
        "add": lambda: ids.append(people.add_person(archive, chance.choice(NAMES)).person),
        "rename": lambda: people.rename_person(archive, chance.choice(ids), chance.choice(NAMES)),
        "merge": lambda: people.merge_people(archive, *chance.sample(ids, 2)),
        "pay": lambda: archive.found_deck(
            "keepsake",
            [Founded(f"Deck {archive.page_of_decks().total}", chance.choice(NAMES))],
            [Payment("somebody", chance.randrange(9), "won", chance.choice(ids))],
        ),
    }
    for deed in chance.choices(tuple(deeds), k=25):
        if deed != "merge" or len({person.person for person in people.with_ids(archive)}) > 1:
            try:
                deeds[deed]()
            except ArchiveError as error:
                assert any(text in str(error) for text in ("are one person already", "choose another name"))  # noqa: PT017 – the deed was drawn
    with archive.store.reading() as transaction:
        everybody = purses.people_with_ids(transaction)
        for name in NAMES:
            assert purses.purses_named(transaction, name) == purses.people_called(everybody, name)
        for person in ids:
            now = purses.current_person(transaction, person)
            assert now in everybody
            assert person in [part.person for part in purses.merged_rows(transaction, now.person if now else "")]
    assert sum(person.purse for person in everybody) == sum(
        line.change for person in everybody for line in people.find_record(archive, person.person).ledger
    )


def test_a_deck_of_who_turned_out_to_be_another_is_that_ones(archive: Archive) -> None:
    anna, ana = people.add_person(archive, "Anna").person, people.add_person(archive, "Ana").person
    deck = bands.found_band(archive, "Salt and Iron", "Ben")
    bands.add(archive, deck, m.Drifted("Anna", anna))
    people.merge_people(archive, anna, ana)
    assert [(held.deck, held.now) for held in people.find_record(archive, ana).held] == [(deck, True)]


def test_decks_are_listed_by_their_tags_and_their_chores(archive: Archive) -> None:
    choir, salt, iron = (bands.found_band(archive, name) for name in ("Choir", "Salt", "Iron"))
    deck_records.change_tags(archive, choir, ["League", "To be  repaired"])
    deck_records.change_tags(archive, salt, ["league", "50% off"])
    deck_records.tick(archive, iron, ("all",))

    def listed(*wanted: str, due: bool = False) -> set[str]:
        page = archive.page_of_decks(tags=wanted, due=due)
        assert page.total == len(page.rows)
        return {row.deck for row in page.rows}

    assert listed("LEAGUE") == {choir, salt}
    assert listed("league", "to be repaired") == {choir}
    assert listed("50% off") == {salt}
    assert listed("leag") == listed("50") == set()
    assert listed(due=True) == {choir, salt}
    assert listed("league", due=True) == {choir, salt}


def test_a_chore_whose_mark_is_gone_is_named(archive: Archive) -> None:
    deck = bands.found_band(archive)
    with archive.store.writing() as transaction:
        transaction.truncate(deck_stream(deck), 2)
    with pytest.raises(ArchiveError, match=rf"Entry \d of deck:{deck} is missing"):
        deck_records.all_chores(archive)


@pytest.mark.slow
def test_a_copy_in_another_engine_says_the_same(archive: Archive, tmp_path: Path) -> None:
    league.write(archive, 12, 1_500, seed=5)
    with Archive.open(str(tmp_path / "copy.sqlite")) as copy:
        assert maintenance.copy_archive(archive, copy) == 1 + max(place for place, _ in enumerate(_everything(archive)))
        assert _everything(copy) == _everything(archive)
        assert (copy.decks(), copy.sessions()) == (archive.decks(), archive.sessions())
        assert people.all_people(copy) == people.all_people(archive)
        assert maintenance.check_archive(copy) == ()
        somebody = archive.page_of_decks().rows[0]
        assert people.find_people(copy, somebody.holder) == people.find_people(archive, somebody.holder)


def _everything(archive: Archive) -> list[object]:
    with archive.store.reading() as transaction:
        streams = [stream for kind in ("deck", "person", "session") for stream in transaction.streams(kind)]
        return [entry for stream in streams for entry in transaction.read(stream)]


def test_rows_put_in_one_go_are_as_rows_put_one_by_one(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir", "Ána")], [Payment("Ána", 5, "left over")])
    with archive.store.writing() as transaction:
        before = transaction.rows(DeckRow), transaction.rows(PersonRow), transaction.people_named("ÁNA")
        transaction.clear(DeckRow)
        transaction.clear(PersonRow)
        assert transaction.people_named("Ána") == ()
        transaction.put_new((*before[0], *before[1]))
        assert (transaction.rows(DeckRow), transaction.rows(PersonRow), transaction.people_named("ÁNA")) == before
    assert fold(before[2][0].name) == "ána"
