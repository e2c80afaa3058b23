"""An import is taken back as one step, until somebody goes on with what it brought."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, Conflict, NameTaken, StoredLine, Unknown, deck_records, maintenance
from companion.archive.exchange import archive_export, deck_export, import_log
from companion.archive.exchange.deck_import import import_decks
from companion.archive.people import people
from companion.archive.storage.lists import LISTS
from companion.games.decknforge.decks import marks as m
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Payment
from tests.archive import bands, household
from tests.archive.keepsake import Founded, Played
from tests.bench.bench_exchange import fill_with_decks

WIN = m.DungeonPlayed("Ana", "win", 6, 7)
LABEL = m.Labelled(Card("AS"), "swift", "Ben")


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "other.sqlite"), by="other home") as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sent"


def held(archive: Archive) -> object:
    """All that an archive says: its entries, its lists, and by which names people are found."""
    with archive.store.reading() as transaction:
        streams = [transaction.read_whole(stream) for kind in LISTS for stream in transaction.streams(kind)]
        return streams, [transaction.rows(kind) for kind in LISTS.values()], transaction.names()


def test_a_whole_archive_goes_as_it_came(archive: Archive, other: Archive, file: Path) -> None:
    household.fill(other)
    archive.found_deck("keepsake", [Founded("Ours")])
    people.add_person(archive, "Cy")
    before = held(archive)
    archive_export.export_archive(other, file)
    taken = archive_export.import_archive(archive, file)
    assert held(archive) != before
    gone = import_log.undo_import(archive)
    assert (gone.entries, gone.streams, gone.file) == (taken.entries, taken.new, "sent")
    assert held(archive) == before
    assert maintenance.check_archive(archive) == ()
    # What went can come again.
    assert archive_export.import_archive(archive, file) == taken
    assert maintenance.check_archive(archive) == ()


@pytest.mark.slow
def test_either_engine_exports_the_same_file(archive: Archive, other: Archive, file: Path, tmp_path: Path) -> None:
    household.fill(other)
    fill_with_decks(other, 450)
    archive_export.export_archive(other, file)
    archive_export.import_archive(archive, file)
    again = tmp_path / "again"
    archive_export.export_archive(archive, again)
    assert again.read_bytes() == file.read_bytes()
    assert archive_export.import_archive(archive, again)[:2] == (0, 0)


def test_an_entry_that_is_there_already_is_a_conflict(archive: Archive) -> None:
    session = archive.new_session("keepsake")
    entries = archive.entries(f"session:{session}")
    with pytest.raises(Conflict), archive.store.writing() as transaction:
        transaction.write(entries)


def test_what_went_on_is_as_long_as_before(archive: Archive, other: Archive, file: Path) -> None:
    household.fill(other)
    archive_export.export_archive(other, file)
    archive_export.import_archive(archive, file)
    before = held(archive)
    person = people.find_record(other, "Ana").person
    people.rename_person(other, person, "Annie")
    deck_records.rename_deck(other, other.find_deck("Iron Lanterns 0").deck, "Brave Lanterns", "a whim")
    session = other.new_session("keepsake", "Sunday")
    other.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    archive_export.export_archive(other, file)
    assert archive_export.import_archive(archive, file)[:2] == (1, 2)
    import_log.undo_import(archive)
    assert held(archive) == before
    assert maintenance.check_archive(archive) == ()
    # The import before that is the next.
    import_log.undo_import(archive)
    assert (archive.decks(), archive.sessions()) == ((), ())
    with pytest.raises(Unknown, match="no import"):
        import_log.undo_import(archive)


@pytest.mark.parametrize("keep", ["mine", "theirs"])
def test_stories_that_were_joined_part_again(archive: Archive, other: Archive, file: Path, keep: str) -> None:
    deck = bands.found_band(archive)
    deck_export.export_decks(archive, [deck], file)
    import_decks(other, deck_export.read_stories(file))
    bands.add(archive, deck, WIN)
    bands.add(other, deck, LABEL)
    deck_export.export_decks(other, [deck], file)
    before = held(archive)
    import_decks(archive, deck_export.read_stories(file), keep)  # type: ignore[arg-type]
    assert held(archive) != before
    import_log.undo_import(archive)
    assert held(archive) == before
    assert maintenance.check_archive(archive) == ()


def test_entries_that_got_new_numbers_get_their_own_back(archive: Archive, other: Archive, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    first, second, both = (tmp_path / name for name in ("first", "second", "both"))
    deck_export.export_decks(archive, [deck], first)
    import_decks(other, deck_export.read_stories(first))
    bands.add(archive, deck, WIN)
    deck_records.tick(archive, deck, ("all",))
    # There it holds by now what was decided later, so what was told here comes to stand behind what was told there.
    bands.add(other, deck, LABEL)
    deck_export.export_decks(other, [deck], first)
    deck_export.export_decks(archive, [deck], second)
    import_decks(archive, deck_export.read_stories(first), "mine")
    import_decks(other, deck_export.read_stories(second), "mine")
    before, story = held(archive), archive.entries(f"deck:{deck}")
    deck_export.export_decks(other, [deck], first)
    bands.add(other, deck, WIN)
    deck_export.export_decks(other, [deck], second)
    both.write_bytes(first.read_bytes() + second.read_bytes())
    results = import_decks(archive, deck_export.read_stories(both), "theirs")
    assert [result.taken for result in results] == [True, True]
    assert archive.entries(f"deck:{deck}")[: len(story)] != story
    gone = import_log.undo_import(archive)
    assert gone.streams == 1
    assert held(archive) == before
    assert maintenance.check_archive(archive) == ()


def _play(archive: Archive) -> str:
    deck = archive.find_deck("Grave Choir")
    archive.mark(deck.deck, deck.length, [Played(1)])
    return "deck Grave Choir"


def _pay(archive: Archive) -> str:
    archive.found_deck("keepsake", [Founded("Another")], [Payment("Ana", 3, "")])
    return "person Ana"


def _seat(archive: Archive) -> str:
    session = archive.new_session("keepsake", "Monday")
    deck = archive.find_deck("Grave Choir").deck
    archive.append_lines(session, 1, [StoredLine(f'seat ana deck "{deck}"', 1)])
    return "session Monday"


def _merge(archive: Archive) -> str:
    person = people.add_person(archive, "Anna").person
    people.merge_people(archive, person, people.find_record(archive, "Ana").person)
    return "person Anna"


@pytest.mark.sample(4)
@pytest.mark.parametrize("go_on", [_play, _pay, _seat, _merge])
def test_what_was_gone_on_with_stays_and_is_named(
    archive: Archive, other: Archive, file: Path, go_on: Callable[[Archive], str]
) -> None:
    household.fill(other)
    archive_export.export_archive(other, file)
    archive_export.import_archive(archive, file)
    named = go_on(archive)
    before = held(archive)
    with pytest.raises(ArchiveError, match=f"have changed since: {named}\\.") as refusal:
        import_log.undo_import(archive)
    assert "“sent”" in str(refusal.value)
    assert held(archive) == before


def test_what_is_elsewhere_does_not_stand_in_the_way(archive: Archive, other: Archive, file: Path) -> None:
    household.fill(other)
    archive_export.export_archive(other, file)
    archive_export.import_archive(archive, file)
    ours = archive.found_deck("keepsake", [Founded("Ours")])
    archive.mark(ours, 2, [Played(1)])
    import_log.undo_import(archive)
    assert [row.deck for row in archive.decks()] == [ours]
    assert maintenance.check_archive(archive) == ()


def test_a_name_that_was_given_since_is_not_taken_away(archive: Archive, other: Archive, file: Path) -> None:
    deck = bands.found_band(other)
    deck_export.export_decks(other, [deck], file)
    import_decks(archive, deck_export.read_stories(file))
    deck_records.rename_deck(other, deck, "Brave Choir", "a whim")
    deck_export.export_decks(other, [deck], file)
    import_decks(archive, deck_export.read_stories(file))
    bands.found_band(archive)
    before = held(archive)
    with pytest.raises(NameTaken, match=r"Grave Choir.* again"):
        import_log.undo_import(archive)
    assert held(archive) == before


def test_only_the_last_imports_are_remembered(archive: Archive, other: Archive, file: Path) -> None:
    deck = other.found_deck("keepsake", [Founded("Grave Choir")])
    for _ in range(import_log.MAX_REMEMBERED + 2):
        deck_export.export_decks(other, [deck], file)
        assert import_decks(archive, deck_export.read_stories(file))[0].taken
        other.mark(deck, other.find_deck(deck).length, [Played(1)])
    # One that brings nothing is none.
    assert not any(result.taken for result in import_decks(archive, deck_export.read_stories(file)))
    for _ in range(import_log.MAX_REMEMBERED):
        import_log.undo_import(archive)
    assert import_log.last_import(archive) is None
    assert len(archive.entries(f"deck:{deck}")) == 3
    assert maintenance.check_archive(archive) == ()
