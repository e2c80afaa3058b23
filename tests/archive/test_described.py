"""Games that are described on a page: what was played by an edition goes by it for ever, wherever it travels."""

import pytest

from companion.archive import Archive, ArchiveError, NameTaken, Unknown, maintenance
from companion.archive.exchange import pages
from companion.archive.storage.entries import PageKept, draft
from companion.archive.storage.lists import page_stream
from companion.games import registry
from companion.games.described.load import digest_of
from companion.session.core import archive_journal
from companion.tabletop.action import NotationError
from tests.archive import crowns
from tests.archive.crowns import ONE, THREE, TWO


def test_the_same_text_twice_is_nothing(archive: Archive) -> None:
    first, again = pages.add_page(archive, ONE), pages.add_page(archive, ONE)
    assert (first.is_new, again.is_new) == (True, False)
    (row,) = pages.pages(archive)
    assert (row.name, row.title, row.author, row.edition, row.listed) == ("crown", "Crown", "Ana", 1, True)
    assert registry.game("Crown").page == row.page


def test_a_later_edition_becomes_the_present_one(archive: Archive) -> None:
    for text in (TWO, ONE, THREE):
        pages.add_page(archive, text)
    assert [row.edition for row in pages.pages(archive)] == [3, 2, 1]
    assert registry.game("crown").page == pages.pages(archive)[0].page


def test_an_evening_is_opened_by_its_own_edition_after_others_and_after_withdrawal(archive: Archive) -> None:
    first = pages.add_page(archive, ONE).row.page
    session = crowns.play_evening(archive)
    before = archive_journal.resume(archive, session).view()
    pages.add_page(archive, TWO)
    pages.add_page(archive, THREE)
    pages.withdraw(archive, "crown")
    crowns.forget()
    resumed = archive_journal.resume(archive, session)
    assert (resumed.game.page, resumed.view()) == (first, before)
    assert archive.find_session(session).page == first
    with pytest.raises(NotationError, match="no game called “crown”"):
        registry.game("crown")


def test_a_deck_goes_by_its_edition_until_somebody_takes_the_later_one(archive: Archive) -> None:
    first = pages.add_page(archive, ONE).row.page
    deck = crowns.found_deck(archive, "Rex")
    second = pages.add_page(archive, TWO).row.page
    row = archive.find_deck(deck)
    assert row.page == archive.record(deck).page == first
    assert [later.page for later in pages.later_editions(archive, row)] == [second]
    pages.take_edition(archive, row, second, "Ana")
    row = archive.find_deck(deck)
    assert row.page == archive.record(deck).page == second
    assert pages.later_editions(archive, row) == ()
    assert archive.record(deck).name == "Rex"
    cards = pages.add_page(archive, crowns.as_lists(3)).row.page
    with pytest.raises(ArchiveError, match="Edition 3 of Crown has no decks such as Rex"):
        pages.take_edition(archive, row, cards)
    with pytest.raises(Unknown, match="not an edition of the game of Rex"):
        pages.take_edition(archive, row, pages.add_page(archive, crowns.page(by="Ben"), "tiara").row.page)


def test_two_games_of_one_name_are_told_apart(archive: Archive) -> None:
    pages.add_page(archive, ONE)
    crowns.found_deck(archive, "Rex")
    with pytest.raises(NameTaken, match="Crown by Ana, edition 1, with 1 deck and 0 sessions"):
        pages.add_page(archive, crowns.page(by="Ben"))
    pages.add_page(archive, crowns.page(by="Ben"), "tiara")
    assert registry.game("tiara").author == "Ben"
    assert registry.game("crown").author == "Ana"
    # The next edition of that page goes on under the name that it has here.
    assert pages.add_page(archive, crowns.page(2, by="Ben")).row.name == "tiara"


@pytest.mark.parametrize("name", ["decknforge", "solforge", "keepsake"])
def test_no_page_takes_the_name_of_a_program(archive: Archive, name: str) -> None:
    with pytest.raises(NotationError, match=f"“{name}” is a game of its own"):
        pages.add_page(archive, crowns.page(name=name))
    with pytest.raises(NotationError, match=f"“{name}” is a game of its own"):
        pages.add_page(archive, ONE, name)


def test_a_number_never_gets_another_meaning(archive: Archive) -> None:
    pages.add_page(archive, ONE)
    with pytest.raises(ArchiveError, match=r"Number 1 is “Sharp” in edition 1 of Crown.*cannot become “Heavy”"):
        pages.add_page(archive, crowns.page(2, inscriptions=("Heavy", "Blunt")))
    pages.add_page(archive, crowns.page(2, inscriptions=("Sharp", "Blunt", "Heavy")))
    pages.add_page(archive, crowns.page(3, inscriptions=("Sharp",)))
    with pytest.raises(ArchiveError, match="Number 3 is “Heavy” in edition 2"):
        pages.add_page(archive, crowns.page(4, inscriptions=("Sharp", "Blunt", "Swift")))


def test_a_lost_page_locks_out_of_nothing_else(archive: Archive) -> None:
    pages.add_page(archive, ONE)
    session, deck = crowns.play_evening(archive), crowns.found_deck(archive, "Rex")
    other = archive.new_session("keepsake", "Friday")
    crowns.lose_pages(archive)
    assert {row.session for row in archive.sessions()} == {session, other}
    assert "Ana, Ben" in archive.find_session(session).where
    with pytest.raises(NotationError, match=r"The page of the game “crown” by which this was played .* is lost"):
        archive_journal.resume(archive, session)
    with pytest.raises(NotationError, match="is lost"):
        archive.record(deck)
    assert archive_journal.resume(archive, other).game.name == "keepsake"
    maintenance.repair(archive)
    assert archive.find_deck(deck).name == "Rex"
    pages.add_page(archive, ONE)
    assert archive_journal.resume(archive, session).game.title == "Crown"


def test_lists_are_made_again_with_pages(archive: Archive) -> None:
    pages.add_page(archive, ONE)
    pages.add_page(archive, TWO)
    crowns.play_evening(archive)
    crowns.found_deck(archive, "Rex")
    pages.withdraw(archive, "crown")
    before = pages.pages(archive), archive.sessions(), archive.decks()
    crowns.forget()
    assert maintenance.check_archive(archive) == ()
    maintenance.repair(archive)
    assert (pages.pages(archive), archive.sessions(), archive.decks()) == before
    assert maintenance.check_archive(archive) == ()
    assert pages.uses(archive) == {("crown", before[1][0].page): (1, 1)}


def test_a_ready_page_is_kept_once_it_is_played_and_is_still_the_ready_one(archive: Archive) -> None:
    name = registry.ready_names()[0]
    with pytest.raises(NameTaken, match="comes with this program"):
        pages.add_page(archive, crowns.page(name=name))
    session = archive_journal.start(archive, name).id
    (row,) = pages.pages(archive)
    assert (row.name, row.listed, row.page) == (name, False, archive.find_session(session).page)
    assert name in registry.names()
    assert registry.game(name).page == row.page
    with pytest.raises(NameTaken, match="Add yours under a name of its own"):
        pages.add_page(archive, crowns.page(name=name))


def test_pages_that_were_taken_for_others_are_not_kept(archive: Archive) -> None:
    for text in (crowns.ONE, "x" * 300_000, "name = 'no end", 'title = "No name"', 'name = "../up"'):
        body = draft(PageKept(text))
        with pytest.raises((ArchiveError, NotationError)):
            archive.append(page_stream("0123456789abcdef" if text == crowns.ONE else digest_of(text)), 0, [body])
    assert pages.pages(archive) == ()
