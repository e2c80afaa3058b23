"""Another deck before a seat that is taken: the table is as if it had lain there from the start."""

from collections.abc import Callable

import pytest

from companion.archive import Archive
from companion.archive.exchange import pages
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from tests.archive import bands, crowns
from tests.games.constructed.decks import LISTS
from tests.games.constructed.test_table import store_deck

NAMES = ("Ash Pack", "Bog Pack", "Cog Pack")


def store_decks(archive: Archive, game: str) -> None:
    """Found three decks of a game."""
    if game == "crown":
        pages.add_page(archive, crowns.ONE)
    for name, holder in zip(NAMES, ("Ana", "Ben", "Cy"), strict=True):
        if game in LISTS:
            store_deck(archive, game, name, holder)
        elif game == "decknforge":
            bands.found_band(archive, name, holder)
        else:
            crowns.found_deck(archive, name)


def table_after(archive: Archive, game: str, *lines: str) -> Session:
    """A new table after these lines."""
    session = archive_journal.start(archive, game)
    for line in lines:
        session.enter(line)
    return session


@pytest.fixture(params=["decknforge", "crown", *LISTS])
def table(archive: Archive, request: pytest.FixtureRequest) -> Callable[..., Session]:
    """Opens tables of a game of which three decks are stored."""
    game = request.param
    store_decks(archive, game)
    return lambda *lines: table_after(archive, game, *lines)


def test_a_seat_that_is_taken_gets_another_deck(table: Callable[..., Session]) -> None:
    ben = 'seat ben name "Ben" deck "Bog Pack"'
    changed = table('seat ana name "Ana" deck "Ash Pack"', ben)
    before = changed.state
    tells = changed.enter('seat ana deck "Cog Pack"')
    assert "Ana now brings Cog Pack instead of Ash Pack." in [str(tell.text) for tell in tells]
    plain = table('seat ana name "Ana" deck "Cog Pack"', ben)
    assert changed.state == plain.state
    changed.undo()
    assert changed.state == before


def test_a_loose_deck_gives_way_to_a_stored_one(table: Callable[..., Session]) -> None:
    ben = 'seat ben name "Ben" deck "Bog Pack"'
    changed, plain = (
        table("seat ana", ben, 'seat ana deck "Cog Pack"'),
        table('seat ana name "Ana" deck "Cog Pack"', ben),
    )
    for then, now in zip(plain.view().seats, changed.view().seats, strict=True):
        assert (now.name, now.title, now.counters) == (then.name, then.title, then.counters)


def test_a_seat_that_is_taken_wants_a_deck_that_is_free(table: Callable[..., Session]) -> None:
    session = table('seat ana name "Ana" deck "Ash Pack"', 'seat ben name "Ben" deck "Bog Pack"')
    with pytest.raises(RuleError, match="at this table already"):
        session.enter('seat ana deck "Bog Pack"')
    with pytest.raises(RuleError, match='`seat ana deck "NAME"` brings another deck'):
        session.enter("seat ana")


def test_who_comes_late_takes_no_seat_that_is_taken(archive: Archive) -> None:
    store_decks(archive, "decknforge")
    session = table_after(archive, "decknforge", 'seat ana deck "Ash Pack"', "begin seed 1")
    with pytest.raises(RuleError, match="has a seat already"):
        session.enter('join ana deck "Cog Pack"')
