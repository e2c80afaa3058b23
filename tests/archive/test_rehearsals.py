"""Rehearsals in an archive: one stream each like any other, and a list that says how far each is."""

import pytest

from companion.archive import Archive, NameTaken, Unknown, maintenance, rehearsals
from companion.archive.storage.entries import RehearsalBegun, RehearsalCounted
from companion.archive.storage.lists import rehearsal_stream

BEGUN = RehearsalBegun("keepsake", {"players": 3}, 7, 2, "1.0.0 (abc)", "Autumn")
BIG = 3**200


def test_a_rehearsal_is_found_by_name_id_and_beginning(archive: Archive) -> None:
    row = rehearsals.begin_rehearsal(archive, BEGUN)
    texts = ("autumn", "Aut", row.rehearsal, row.rehearsal[:4].lower())
    assert {rehearsals.find_rehearsal(archive, text).rehearsal for text in texts} == {row.rehearsal}
    with pytest.raises(Unknown, match="No rehearsal here is called “Spring”"):
        rehearsals.find_rehearsal(archive, "Spring")


def test_two_rehearsals_never_share_a_name(archive: Archive) -> None:
    rehearsals.begin_rehearsal(archive, BEGUN)
    with pytest.raises(NameTaken, match="called “Autumn” already"):
        rehearsals.begin_rehearsal(archive, BEGUN)


def test_the_last_count_is_what_is_there(archive: Archive) -> None:
    row = rehearsals.begin_rehearsal(archive, BEGUN)
    assert rehearsals.last_count(archive, row.rehearsal) is None
    for units in (25, 50):
        rehearsals.count_rehearsal(archive, row.rehearsal, RehearsalCounted(units, 100, {"win": [units, BIG]}))
    last = rehearsals.last_count(archive, row.rehearsal)
    assert last == RehearsalCounted(50, 100, {"win": [50, BIG]})
    (listed,) = rehearsals.rehearsals(archive)
    assert (listed.units, listed.games, listed.length, listed.edition, listed.program) == (50, 100, 3, 2, "1.0.0 (abc)")


def test_who_counts_no_more_than_is_there_adds_nothing(archive: Archive) -> None:
    row = rehearsals.begin_rehearsal(archive, BEGUN)
    for units in (50, 25, 50):
        rehearsals.count_rehearsal(archive, row.rehearsal, RehearsalCounted(units, 100, {"win": [units]}))
    assert len(archive.entries(rehearsal_stream(row.rehearsal))) == 2
    assert maintenance.check_archive(archive) == ()
