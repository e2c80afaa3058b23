"""One archive on several devices through a folder: what one writes, the others have, once and whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.archive.keepsake  # noqa: F401
from companion.archive import StoredLine, maintenance
from companion.archive.people import people
from companion.archive.sharing.story_import import Decisions
from tests.archive import household
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import Home, entries, settle

pytestmark = pytest.mark.files


@pytest.fixture
def ana(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path, "ana")
    home.share()
    yield home
    home.close()


@pytest.fixture
def ben(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path, "ben")
    home.share()
    yield home
    home.close()


def test_what_one_device_holds_the_other_has(ana: Home, ben: Home) -> None:
    household.fill(ana.archive)
    settle(ana, ben)
    assert entries(ben) == entries(ana)
    assert maintenance.check_archive(ben.archive) == ()
    assert (ben.archive.decks(), ben.archive.sessions()) == (ana.archive.decks(), ana.archive.sessions())
    assert ben.sync() == ana.sync() == 0


def test_an_evening_at_one_device_continues_at_the_other(ana: Home, ben: Home) -> None:
    session = ana.archive.new_session("keepsake", "Friday")
    ana.archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    settle(ana, ben)
    ben.archive.append_lines(session, 2, [StoredLine("note 'at ben'", 2)])
    settle(ana, ben)
    assert [line.line for line in ana.archive.lines(session)] == ["table keepsake", "note 'at ben'"]
    assert entries(ben) == entries(ana)


def test_a_table_that_went_on_twice_is_two_tables(ana: Home, ben: Home) -> None:
    session = ana.archive.new_session("keepsake", "Friday")
    ana.archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    settle(ana, ben)
    ana.archive.append_lines(session, 2, [StoredLine("note 'at ana'", 2)])
    ben.archive.append_lines(session, 2, [StoredLine("note 'at ben'", 2)])
    settle(ana, ben)
    for home, other in ((ana, ben), (ben, ana)):
        branch, own = sorted(home.archive.sessions(), key=lambda row: row.session == session)
        assert own.session == session
        assert branch.title == f"Friday · {other.name}@{other.name}-pc"
        assert home.archive.lines(session)[-1].line == f"note 'at {home.name}'"
        assert home.archive.lines(branch.session)[-1].line == f"note 'at {other.name}'"
    home.archive.append_lines(branch.session, 3, [StoredLine("note 'more'", 3)])
    settle(ana, ben)
    assert other.archive.lines(session)[-1].line == "note 'more'"
    assert len(ana.archive.sessions()) == len(ben.archive.sessions()) == 2


def test_a_deck_played_on_both_devices_waits_for_a_decision(ana: Home, ben: Home) -> None:
    deck = ana.archive.found_deck("keepsake", [Founded("Choir", "Ana")])
    settle(ana, ben)
    ana.archive.mark(deck, 2, [Played(3)])
    ben.archive.mark(deck, 2, [Played(5)])
    settle(ana, ben)
    assert ana.waiting == ben.waiting == {("deck", "diverged")}
    assert ana.archive.decks()[0].figure("glory") == 3
    ben.sync(Decisions(keep="theirs"))
    settle(ana, ben)
    assert ana.waiting == ben.waiting == set()
    assert ana.archive.decks()[0].figure("glory") == ben.archive.decks()[0].figure("glory") == 3
    assert len(entries(ana)) == len(entries(ben)) == 6


def test_people_are_paid_by_both_devices(ana: Home, ben: Home) -> None:
    person = people.add_person(ana.archive, "Zoe").person
    settle(ana, ben)
    people.rename_person(ana.archive, person, "Zora")
    people.rename_person(ben.archive, person, "Zita")
    settle(ana, ben)
    assert entries(ben) == entries(ana)
    assert set(people.find_record(ben.archive, "Zoe").called) == {"Zoe", "Zora", "Zita"}
