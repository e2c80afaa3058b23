"""Who sits there: by the name where that is enough, by the id where several are called so."""

import pytest

from companion.archive import Archive, StoredLine, maintenance
from companion.archive.people import people
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.core.shelf import UnclearPerson
from companion.tabletop.action import RuleError
from companion.tabletop.records import Keepsake, Payment
from tests.archive import bands


@pytest.fixture
def anas(archive: Archive) -> tuple[str, str]:
    """Two people called Ana, of whom the first holds a band and has a purse."""
    archive.found_deck("decknforge", bands.marks("Grave Choir", "Ana"), [Payment("Ana", 7, "left over")])
    archive.found_deck("decknforge", bands.marks("Salt and Iron", "Ben"))
    return people.find_record(archive, "ana").person, people.add_person(archive, "Ana").person


def seated(archive: Archive, *lines: str) -> Session:
    session = archive_journal.start(archive, "decknforge")
    for line in lines:
        session.enter(line)
    return session


def seat(session: Session) -> str:
    return session.log.lines[1].text


def test_a_name_that_one_person_has_is_enough(archive: Archive) -> None:
    archive.found_deck("decknforge", bands.marks(), [Payment("Ana", 7, "left over")])
    session = seated(archive, "seat ana deck grave")
    assert f"person {people.find_record(archive, 'Ana').person}" in seat(session)
    assert "purse ana 7" in session.export()


def test_a_name_that_nobody_has_yet_needs_no_id(archive: Archive) -> None:
    bands.found_band(archive)
    assert "person" not in seat(seated(archive, 'seat zoe name "Zoe" deck grave'))


def test_where_several_have_the_name_the_table_asks_and_says_what_answers(
    archive: Archive, anas: tuple[str, str]
) -> None:
    session = archive_journal.start(archive, "decknforge")
    with pytest.raises(UnclearPerson) as error:
        session.enter("seat ana deck grave")
    sentence = str(error.value)
    assert (
        f"2 people are called Ana: {anas[0]} (purse 7, holds Grave Choir); {anas[1]} (purse 0, holds no deck)."
        in sentence
    )
    assert f'`seat ana deck "grave" person {anas[0]}` says which' in sentence
    assert [person for person, _ in error.value.people] == list(anas)
    assert len(archive.lines(session.id)) == 1
    session.enter(sentence.split("`")[1])
    assert "purse ana 7" in session.export()


def test_the_other_one_brings_the_other_purse(archive: Archive, anas: tuple[str, str]) -> None:
    session = seated(archive, f"seat ana deck grave person {anas[1].lower()}")
    assert f"person {anas[1]}" in seat(session)
    assert "purse" not in session.export()


def test_somebody_new_of_a_known_name_gets_an_id_that_stays(archive: Archive, anas: tuple[str, str]) -> None:
    session = seated(archive, "seat ana deck grave person new")
    person = seat(session).split("person ")[1].split()[0]
    assert person not in anas
    assert archive_journal.resume(archive, session.id).state == session.state


def test_what_a_game_leaves_with_somebody_comes_back_at_the_next_set_up(archive: Archive) -> None:
    bands.found_band(archive)
    session = archive.new_session("decknforge")
    kept = [Keepsake("Ana", "mythic", 2), Keepsake("Ana", "mythic", -1)]
    archive.seal(session, 1, [StoredLine("seal", 1)], {}, kept)
    (ana,) = people.all_people(archive)
    assert ana.kept == {"decknforge": {"mythic": 1}}
    assert maintenance.check_archive(archive) == ()
    assert "mythics ana 1" in seated(archive, "seat ana deck grave").export()


@pytest.mark.usefixtures("anas")
def test_an_id_that_nobody_has_is_told(archive: Archive) -> None:
    with pytest.raises(RuleError, match="Nobody has the id “ZZZZZZ”"):
        seated(archive, "seat ana deck grave person ZZZZZZ")
