"""What home tells first: the table that waits, the last game with its decks, and what is to be done."""

from companion.archive import Archive, SessionStanding, StoredLine
from companion.archive.overview import read_overview
from companion.tabletop.records import Reason
from tests.printing import evenings


def test_an_empty_archive_has_nothing_to_tell(archive: Archive) -> None:
    overview = read_overview(archive)
    assert (overview.waiting, overview.last, overview.decks, overview.due) == (None, None, (), ())


def test_the_last_game_tells_its_decks_and_what_is_due(archive: Archive) -> None:
    session = evenings.play(archive)
    overview = read_overview(archive)
    assert overview.waiting is None
    assert overview.last is not None
    assert overview.last.session == session
    names = {deck.row.name for deck in overview.decks}
    assert names == {"Grave Choir", "The Lantern Debt", "Salt and Iron"}
    assert all("dungeon" in deck.sentence for deck in overview.decks)
    assert overview.due_decks == len(names)
    assert {each.row.name for each in overview.due} == names
    assert all(each.chores for each in overview.due)


def test_a_table_waits_until_it_is_over(archive: Archive) -> None:
    first, second, third = (archive.new_session("decknforge", title) for title in ("Friday", "Saturday", "Sunday"))
    standing = SessionStanding(("Ana", "Ben"), (Reason("won", ("Ben",)),))
    archive.append_lines(first, 1, [StoredLine("seat ana", 1, SessionStanding(("Ana",), ()))])
    archive.append_lines(second, 1, [StoredLine("concede ana", 1, standing)])
    overview = read_overview(archive)
    assert overview.waiting is not None
    assert overview.unsealed is not None
    assert (overview.waiting.session, overview.unsealed.session, overview.others) == (first, second, 0)
    assert third not in (overview.waiting.session, overview.unsealed.session), "at an empty table nobody waits"
