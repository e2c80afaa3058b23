"""A deck's record that has moved on since it was read, by any way; and two who seal at the same moment."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from companion.archive import Archive, StoredLine, deck_changes, deck_records
from companion.archive.storage.deck_readings import DeckMoved
from companion.archive.storage.entries import Entry
from companion.games.decknforge.decks import marks as m
from companion.session.core import archive_journal
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import DeckReading
from tests.archive import bands
from tests.session.two_tables import FADED, FOUGHT, KEPT, seat_bands, store_bands, story

ROOT = Path(__file__).parents[2]
FADE = m.InscriptionCrossedOut(Card("4H"), "quick", "faded")


def reading(archive: Archive, deck: str) -> DeckReading:
    return deck_changes.read_record(archive, deck)[1]


def test_a_record_that_nobody_wrote_to_has_not_changed(archive: Archive) -> None:
    deck = bands.found_band(archive)
    assert deck_changes.find_change(archive, deck, reading(archive, deck)) is None


def test_a_change_says_what_was_written_since_and_who_holds_the_deck(archive: Archive) -> None:
    deck = bands.found_band(archive)
    then = reading(archive, deck)
    bands.add(archive, deck, FADE, m.Drifted("Ben"))
    deck_records.change_tags(archive, deck, ["league"])
    change = deck_changes.find_change(archive, deck, then)
    assert change is not None
    assert [line.text for line in change.lines] == ["Quick on 4♥ faded.", "The band went to Ben."]
    assert (change.holder, change.is_rewritten, change.reading) == ("Ben", False, reading(archive, deck))


def test_a_correction_that_is_corrected_changes_nothing(archive: Archive) -> None:
    deck = bands.found_band(archive)
    then = reading(archive, deck)
    deck_records.correct(archive, deck, 3, "it was never stuck")
    assert deck_changes.find_change(archive, deck, then) is not None
    deck_records.correct(archive, deck, len(archive.marks(deck)), "it was")
    assert deck_changes.find_change(archive, deck, then) is None


def test_a_record_that_was_rewritten_is_another_one(archive: Archive) -> None:
    deck = bands.found_band(archive)
    then = reading(archive, deck)
    change = deck_changes.find_change(archive, deck, DeckReading(deck, then.length, then.checksum + 1))
    assert change is not None
    assert change.is_rewritten


def test_a_seal_of_a_record_that_moved_on_writes_nothing_at_all(archive: Archive) -> None:
    deck = bands.found_band(archive)
    then = reading(archive, deck)
    bands.add(archive, deck, FADE)
    session = archive.new_session("decknforge")
    with pytest.raises(DeckMoved):
        archive.seal(session, 1, [StoredLine("seal")], {deck: [FADE]}, readings=[then])
    assert archive.lines(session) == ()
    assert not archive.find_session(session).sealed
    archive.seal(session, 1, [StoredLine("seal")], {deck: [m.Drifted("Ben")]}, readings=[reading(archive, deck)])
    assert archive.find_session(session).sealed


class InterruptedArchive(Archive):
    """An archive in which somebody else does something just before a deck's record is read."""

    interruptions: ClassVar[list[Callable[[], object]]] = []

    def entries(self, stream: str, first: int = 0) -> tuple[Entry, ...]:
        """Let the next interruption happen, then read."""
        if stream.startswith("deck:") and self.interruptions:
            self.interruptions.pop()()
        return super().entries(stream, first)


def test_a_seal_between_the_look_at_a_record_and_its_reading_is_noticed(archive: Archive, place: str) -> None:
    store_bands(archive)
    first, second = (seat_bands(archive, *FOUGHT, *FADED, *KEPT).id for _ in range(2))
    with InterruptedArchive.open(place) as interrupted:
        table, other = archive_journal.resume(interrupted, second), archive_journal.resume(archive, first)
        InterruptedArchive.interruptions.append(lambda: other.enter("seal"))
        with pytest.raises(DeckMoved):
            table.enter("seal")
    assert not InterruptedArchive.interruptions
    assert [archive.find_session(each).sealed for each in (first, second)] == [True, False]


@pytest.mark.slow
@pytest.mark.posix
def test_of_two_who_seal_one_deck_at_once_the_second_is_told(archive: Archive, place: str) -> None:
    store_bands(archive)
    tables = [seat_bands(archive, *FOUGHT, *FADED, *KEPT).id for _ in range(2)]
    sealing = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.archive.sealer", place, table],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=ROOT,
        )
        for table in tables
    ]
    for process in sealing:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in sealing:
        assert process.stdin is not None
        process.stdin.write("now\n")
        process.stdin.flush()
    ends = [process.communicate(timeout=120)[0].partition(":")[0].strip() for process in sealing]
    assert sorted(ends) == ["moved", "sealed"]
    assert sorted(archive.find_session(table).sealed for table in tables) == [False, True]
    for name in ("Grave Choir", "Salt and Iron"):
        assert sum("faded" in text for text in story(archive, name)) == 1
        assert sum("lost a dungeon" in text for text in story(archive, name)) == 1
