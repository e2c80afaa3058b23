"""Leagues in an archive: people by ids, names that change, and one stream like any other."""

import pytest

from companion.archive import Archive, NameTaken, Unknown
from companion.archive.people import leagues, people
from companion.archive.storage.entries import LeagueCreated, LeagueEvent, PlayerJoined, RoundDrawn, Scoring
from companion.archive.storage.rows import LeagueRow

CREATED = LeagueCreated("Winter", "swiss", Scoring(), 1, ())


def test_a_league_is_found_by_name_beginning_and_id(archive: Archive) -> None:
    row = leagues.create_league(archive, CREATED, ["Ana", "Ben"])
    assert {leagues.find_league(archive, text).league for text in ("winter", "Win", row.league)} == {row.league}
    with pytest.raises(Unknown, match="No league is called “Summer”"):
        leagues.find_league(archive, "Summer")


def test_two_leagues_never_share_a_name(archive: Archive) -> None:
    leagues.create_league(archive, CREATED, ["Ana", "Ben"])
    with pytest.raises(NameTaken, match="called “Winter” already"):
        leagues.create_league(archive, CREATED, ["Ana", "Ben"])


def test_people_of_a_league_are_people_with_ids(archive: Archive) -> None:
    ana = people.add_person(archive, "Ana")
    row = leagues.create_league(archive, CREATED, ["ana", "Ben", "Ana"])
    (created,) = leagues.events(archive, row.league)
    assert isinstance(created, LeagueCreated)
    assert created.people[0] == ana.person
    assert [person.name for person in people.all_people(archive)] == ["Ana", "Ben"]
    assert len(created.people) == 2


def test_the_stream_of_a_league_names_nobody(archive: Archive) -> None:
    row = leagues.create_league(archive, CREATED, ["Ana", "Ben"])
    bodies = "".join(entry.body for entry in archive.entries(f"league:{row.league}"))
    assert "Ana" not in bodies


def test_who_was_renamed_or_merged_is_so_in_leagues(archive: Archive) -> None:
    row = leagues.create_league(archive, CREATED, ["Ana", "Ben"])
    (created,) = leagues.events(archive, row.league)
    assert isinstance(created, LeagueCreated)
    people.rename_person(archive, "Ana", "Anna")
    other = people.add_person(archive, "Benno")
    people.merge_people(archive, "Ben", other.person)
    named = leagues.people_of(archive, created.people)
    assert [named[person].name for person in created.people] == ["Anna", "Benno"]


def test_the_list_counts_people_and_rounds(archive: Archive) -> None:
    row = leagues.create_league(archive, CREATED, ["Ana", "Ben"])
    joining: list[LeagueEvent] = [
        PlayerJoined("EEEEEE"),
        RoundDrawn(1, 1, (("A", "B"),)),
        RoundDrawn(2, 1, (("A", "B"),)),
    ]
    leagues.append_events(archive, row.league, row.length, joining)
    (listed,) = leagues.leagues(archive)
    assert isinstance(listed, LeagueRow)
    assert (listed.people, listed.rounds, listed.length, listed.closed) == (3, 2, 4, False)
