"""Decks and whole archives of described games in homes that never had their pages."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.archive import Archive, Unreadable, maintenance
from companion.archive.exchange import archive_export, deck_export, deck_import, import_log, pages, passport
from companion.archive.exchange.export_format import story_hash
from companion.archive.storage.lists import deck_stream
from companion.games import registry
from companion.session.core import archive_journal
from tests.archive import crowns
from tests.archive.crowns import ONE, THREE, TWO


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Callable[[str], Archive]]:
    """Opens another home, in which nobody has seen a page yet."""
    with ExitStack() as closing:

        def opened(name: str = "home") -> Archive:
            crowns.forget()
            return closing.enter_context(Archive.open(str(tmp_path / f"{name}.sqlite")))

        yield opened


def test_a_deck_travels_to_a_home_without_the_page(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    first = pages.add_page(archive, ONE).row.page
    deck = crowns.found_deck(archive, "Rex")
    second = pages.add_page(archive, TWO).row.page
    pages.add_page(archive, THREE)
    pages.take_edition(archive, archive.find_deck(deck), second)
    record, story = archive.record(deck), archive.story(deck)
    deck_export.export_decks(archive, [deck], tmp_path / "rex.decks")
    archive.close()
    other = home("home")
    (result,) = deck_import.import_decks(other, deck_export.read_stories(tmp_path / "rex.decks"))
    assert result.taken
    assert (other.record(deck), other.story(deck)) == (record, story)
    assert {row.page for row in pages.pages(other)} == {first, second}
    assert not any(row.listed for row in pages.pages(other))
    assert registry.game("crown").page == second
    assert maintenance.check_archive(other) == ()
    import_log.undo_import(other)
    assert (pages.pages(other), other.decks()) == ((), ())


def test_what_comes_with_a_deck_is_not_the_present_edition_where_there_is_one(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    third = pages.add_page(archive, THREE).row.page
    deck = crowns.found_deck(archive, "Rex")
    deck_export.export_decks(archive, [deck], tmp_path / "rex.decks")
    archive.close()
    other = home("home")
    mine = pages.add_page(other, crowns.page(by="Ben", title="Ben's Crown")).row.page
    deck_import.import_decks(other, deck_export.read_stories(tmp_path / "rex.decks"))
    assert registry.game("crown").page == mine
    assert other.record(deck).page == third
    assert other.page_of_decks(game="crown", page=mine).rows == ()
    assert [row.deck for row in other.page_of_decks(game="crown", page=third).rows] == [deck]


def test_a_brought_deck_of_another_game_of_that_name_is_refused(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    pages.add_page(archive, THREE)
    deck_export.export_decks(archive, [crowns.found_deck(archive, "Rex")], tmp_path / "rex.decks")
    archive.close()
    other = home("home")
    pages.add_page(other, crowns.page(by="Ben"))
    deck_import.import_decks(other, deck_export.read_stories(tmp_path / "rex.decks"))
    session = archive_journal.start(other, "crown")
    assert session.decks("") == ()
    with pytest.raises(ValueError, match="Rex is a deck of another game that is also called crown"):
        session.enter("seat ana deck Rex")


def test_an_import_with_its_pages_stays_where_a_table_was_opened_by_one(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    pages.add_page(archive, ONE)
    deck_export.export_decks(archive, [crowns.found_deck(archive, "Rex")], tmp_path / "rex.decks")
    archive.close()
    other = home("home")
    deck_import.import_decks(other, deck_export.read_stories(tmp_path / "rex.decks"))
    crowns.play_evening(other)
    with pytest.raises(Exception, match="can no longer be undone"):
        import_log.undo_import(other)


def test_a_file_without_described_games_is_as_it_always_was(archive: Archive, tmp_path: Path) -> None:
    from tests.archive.keepsake import Founded

    pages.add_page(archive, ONE)
    deck_export.export_decks(archive, [archive.found_deck("keepsake", [Founded("Choir")])], tmp_path / "one.decks")
    first = gzip.decompress((tmp_path / "one.decks").read_bytes()).splitlines()[0]
    assert json.loads(first) == {"companion": "decks", "version": 1}


def rewritten(path: Path, change: Callable[[str], str]) -> Path:
    target = path.with_name("other.decks")
    target.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()).decode()).encode()))
    return target


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace("start = 20", "start = 99", 1), "the text of a game's page is different"),
        (
            lambda text: "\n".join(line for line in text.split("\n") if "start = 20" not in line),
            "whose page is neither in it nor here: “crown”",
        ),
    ],
)
def test_a_file_whose_page_was_changed_or_lacks_is_refused(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path, change: Callable[[str], str], sentence: str
) -> None:
    pages.add_page(archive, ONE)
    deck_export.export_decks(archive, [crowns.found_deck(archive, "Rex")], tmp_path / "rex.decks")
    archive.close()
    other, file = home("home"), rewritten(tmp_path / "rex.decks", change)
    with pytest.raises(Unreadable, match=sentence):
        deck_import.import_decks(other, deck_export.read_stories(file))
    assert pages.pages(other) == ()


def test_everything_travels_with_its_pages(archive: Archive, home: Callable[[str], Archive], tmp_path: Path) -> None:
    pages.add_page(archive, ONE)
    session, deck = crowns.play_evening(archive), crowns.found_deck(archive, "Rex")
    pages.add_page(archive, TWO)
    pages.add_page(archive, crowns.page(by="Ben"), "tiara")
    pages.withdraw(archive, "tiara")
    view = archive_journal.resume(archive, session).view()
    before = pages.pages(archive), archive.sessions(), archive.decks()
    archive_export.export_archive(archive, tmp_path / "all.archive")
    archive.close()
    other = home("home")
    archive_export.import_archive(other, tmp_path / "all.archive")
    assert (pages.pages(other), other.sessions(), other.decks()) == before
    assert archive_journal.resume(other, session).view() == view
    assert maintenance.check_archive(other) == ()
    assert archive_export.import_archive(other, tmp_path / "all.archive").entries == 0
    archive_export.export_archive(other, tmp_path / "again.archive")
    assert (tmp_path / "again.archive").read_bytes() == (tmp_path / "all.archive").read_bytes()
    assert story_hash(deck, other.entries(deck_stream(deck)))


def test_everything_comes_in_beside_pages_that_are_here(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    second = pages.add_page(archive, TWO).row.page
    session = crowns.play_evening(archive)
    archive_export.export_archive(archive, tmp_path / "all.archive")
    archive.close()
    other = home("home")
    first = pages.add_page(other, ONE).row.page
    archive_export.import_archive(other, tmp_path / "all.archive")
    assert registry.game("crown").page == first
    assert archive_journal.resume(other, session).game.page == second
    # Whoever adds the file here after all has it as the later edition.
    assert pages.add_page(other, TWO).present.page == registry.game("crown").page == second
    archive_export.import_archive(other, tmp_path / "all.archive")


def test_a_copy_has_the_pages(archive: Archive, home: Callable[[str], Archive]) -> None:
    pages.add_page(archive, ONE)
    session, deck = crowns.play_evening(archive), crowns.found_deck(archive, "Rex")
    other = home("copy")
    maintenance.copy_archive(archive, other)
    archive.close()
    crowns.forget()
    assert other.record(deck).name == "Rex"
    assert archive_journal.resume(other, session).game.title == "Crown"
    assert maintenance.check_archive(other) == ()


def test_everything_travels_though_a_page_is_lost(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    pages.add_page(archive, ONE)
    session, deck = crowns.play_evening(archive), crowns.found_deck(archive, "Rex")
    crowns.lose_pages(archive)
    archive_export.export_archive(archive, tmp_path / "all.archive")
    archive.close()
    other = home("home")
    archive_export.import_archive(other, tmp_path / "all.archive")
    assert [row.session for row in other.sessions()] == [session]
    assert [(row.name, row.holder) for row in other.decks()] == [("Rex", "Ana")]
    pages.add_page(other, ONE)
    maintenance.repair(other)
    assert other.record(deck).name == "Rex"
    assert maintenance.check_archive(other) == ()


def test_a_passport_is_read_where_its_page_is(archive: Archive, home: Callable[[str], Archive]) -> None:
    pages.add_page(archive, ONE)
    deck = crowns.found_deck(archive, "Rex")
    text = passport.write(archive, deck)
    assert passport.is_known(archive, passport.read(text))
    archive.close()
    other = home("home")
    with pytest.raises(passport.PassportError, match="described on a page that is not here: add that page first"):
        passport.read(text)
    pages.add_page(other, TWO)
    first = pages.add_page(other, ONE).row.page
    record = passport.adopt(other, passport.read(text))
    assert (record.name, other.find_deck(deck).page) == ("Rex", first)


def test_a_code_that_names_a_file_as_its_game_reads_none(archive: Archive, tmp_path: Path) -> None:
    pages.add_page(archive, ONE)
    file = tmp_path / "crown.toml"
    file.write_text(ONE, encoding="utf-8")
    packed = passport._Packed(crowns.found_deck(archive, "Rex"), str(file), b"\0" * 32, 2, {})
    with pytest.raises(passport.PassportError, match="names a file as its game"):
        passport.read(passport._encode(packed))
