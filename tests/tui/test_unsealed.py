"""A game that is over and not sealed stands first at home; a table at which nobody sits never waits."""

from companion.archive import Archive, SessionStanding, overview
from companion.session.core import archive_journal
from companion.tui.screens.home.home import Home
from tests.printing import evenings
from tests.tui.conftest import Seat


def leave_unsealed(archive: Archive) -> str:
    """A dungeon that was given up and waits for its seal; its id."""
    session = evenings.begin_fight(archive)
    for seat in evenings.FIGHTING:
        session.enter(f"concede {seat}")
    return session.id


async def test_an_unsealed_game_stands_first_at_home(sit: Seat, archive: Archive) -> None:
    over = leave_unsealed(archive)
    later = archive_journal.start(archive, "decknforge")
    later.enter('seat dan name "Dan"')
    archive_journal.start(archive, "solforge")
    async with sit(size=(120, 40)) as hand:
        home = hand.app.screen
        assert isinstance(home, Home)
        await hand.until(lambda: home.sessions.total > 0)
        assert home.sessions.options[0].id == home.sessions.chosen == over
        await hand.until(lambda: "waits for its seal" in hand.text_of("#overview"))
        rows = hand.text_of("#overview").splitlines()
        assert next(row for row in rows if row.strip()).strip() == "This game is over and waits for its seal"


def test_the_table_that_waits_has_somebody_at_it(archive: Archive) -> None:
    seated = archive_journal.start(archive, "decknforge")
    seated.enter('seat dan name "Dan"')
    archive_journal.start(archive, "solforge")
    now = overview.read_overview(archive)
    assert now.waiting is not None
    assert (now.waiting.session, now.others) == (seated.id, 0)
    assert isinstance(now.waiting.standing, SessionStanding)


def test_an_empty_table_alone_does_not_wait(archive: Archive) -> None:
    archive_journal.start(archive, "solforge")
    now = overview.read_overview(archive)
    assert (now.waiting, now.others) == (None, 0)


async def test_who_leaves_an_unsealed_game_hears_of_it(sit: Seat, archive: Archive) -> None:
    session = leave_unsealed(archive)
    async with sit(size=(80, 24), session=session) as hand:
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.until(lambda: "not sealed" in hand.status)
