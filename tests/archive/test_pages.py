"""Long lists: a part of them at a time, and search by any part of a name."""

import pytest

from companion.archive import Archive, SessionStanding, StoredLine
from tests.archive.keepsake import Founded, Retired

NAMES = ("Grave Choir", "élan vital", "Öl und Salz", "The Lantern Debt", "choir of 50% salt", "Salt_and Iron")


@pytest.fixture
def decks(archive: Archive) -> Archive:
    """Six decks, one of them retired."""
    for name in NAMES:
        deck = archive.found_deck("keepsake", [Founded(name)])
        if name == "The Lantern Debt":
            archive.mark(deck, 2, [Retired()])
    return archive


def _names(archive: Archive, text: str = "", at: int = 0, count: int = 10, game: str = "") -> list[str]:
    return [row.name for row in archive.page_of_decks(text, at, count, game).rows]


def test_pages_follow_each_other_by_name_without_gap(decks: Archive) -> None:
    whole = _names(decks)
    assert sorted(whole) == sorted(NAMES)
    assert [*_names(decks, count=4), *_names(decks, at=4, count=4)] == whole
    page = decks.page_of_decks(at=4, count=4)
    assert (page.at, page.total, len(page.rows)) == (4, len(NAMES), 2)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("choir", {"Grave Choir", "choir of 50% salt"}),
        ("VITAL ÉLAN", {"élan vital"}),
        ("öl", {"Öl und Salz"}),
        ("0%", {"choir of 50% salt"}),
        ("t_a", {"Salt_and Iron"}),
        ("nowhere", set()),
    ],
)
def test_every_word_of_a_search_stands_somewhere_in_the_name(decks: Archive, text: str, matches: set[str]) -> None:
    assert set(_names(decks, text)) == matches
    assert decks.page_of_decks(text).total == len(matches)


def test_decks_of_a_game_are_those_that_can_be_played(decks: Archive) -> None:
    assert set(_names(decks, game="keepsake")) == set(NAMES) - {"The Lantern Debt"}
    assert _names(decks, game="duel") == []


def test_a_name_is_known_in_any_case_and_only_of_its_own_game(decks: Archive) -> None:
    assert [row.name for row in decks.decks_named("keepsake", "the  LANTERN debt")] == ["The Lantern Debt"]
    assert decks.decks_named("keepsake", "the lantern") == ()
    assert decks.decks_named("duel", "grave choir") == ()


def test_sessions_are_found_by_title_game_and_people(archive: Archive) -> None:
    sessions = [archive.new_session("keepsake", title) for title in ("A friday", "Sunday", "")]
    for session, seats in zip(sessions, (("Ana", "Jörg"), ("Ben",), ("ANA",)), strict=True):
        archive.append_lines(session, 1, [StoredLine("note", 1, SessionStanding(seats, ()))])
    assert [row.session for row in archive.page_of_sessions().rows] == sessions[::-1]
    assert [row.session for row in archive.page_of_sessions("ana").rows] == [sessions[2], sessions[0]]
    assert [row.session for row in archive.page_of_sessions("JÖRG fri").rows] == [sessions[0]]
    assert archive.page_of_sessions("keep", at=1, count=1).rows[0].session == sessions[1]
    assert [row.session for row in archive.page_of_sessions(sessions[1].lower()).rows] == [sessions[1]]
    assert [row.session for row in archive.page_of_sessions(f"keep {sessions[1][:7]}").rows] == [sessions[1]]
