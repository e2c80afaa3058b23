"""People: known by ids, so that two of one name have two purses; found by name where that is enough."""

import pytest

from companion.archive import Ambiguous, Archive, ArchiveError, StoredLine, Unknown, maintenance
from companion.archive.people import people
from companion.archive.people.people import HeldDeck
from companion.archive.storage.lists import person_stream
from companion.tabletop.records import Payment, Reason, ReasonOrText
from tests.archive import bands
from tests.archive.keepsake import Founded


@pytest.fixture
def anas(archive: Archive) -> tuple[str, str]:
    """Two people called Ana, the first with a purse and a deck."""
    archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], [Payment("Ana", 5, "left over")])
    return people.find_record(archive, "ana").person, people.add_person(archive, "Ana").person


def pay(archive: Archive, name: str, amount: int, person: str = "") -> None:
    session = archive.new_session("keepsake")
    payment = Payment(name, amount, "won", person)
    archive.seal(session, 1, [StoredLine("seal", 1)], {}, [payment])


def test_who_is_paid_by_a_new_name_becomes_a_person(archive: Archive) -> None:
    pay(archive, "Ana", 5)
    pay(archive, " ANA ", 2)
    (ana,) = people.all_people(archive)
    assert (ana.name, ana.purse, len(ana.person)) == ("Ana", 7, 6)
    assert [entry.kind for entry in archive.entries(person_stream(ana.person))] == ["introduced", "coppers", "coppers"]


def test_two_people_of_one_name_have_two_purses(archive: Archive, anas: tuple[str, str]) -> None:
    first, second = anas
    pay(archive, "Ana", 3, second)
    pay(archive, "Ana", 1, first)
    assert {person.person: person.purse for person in people.all_people(archive)} == {first: 6, second: 3}
    assert archive.purse("Ana", second) == 3


def test_where_a_name_is_not_enough_the_program_asks_which(archive: Archive, anas: tuple[str, str]) -> None:
    first, second = anas
    question = (
        rf"2 people are called “ana”: {first} \(purse 5, holds Grave Choir\); {second} \(purse 0, holds no deck\)"
    )
    for asking in (people.find_record, Archive.purse):
        with pytest.raises(Ambiguous, match=question):
            asking(archive, "ana")
    before = people.all_people(archive)
    with pytest.raises(Ambiguous, match="person"):
        pay(archive, "Ana", 3)
    assert people.all_people(archive) == before
    assert people.find_record(archive, first.lower()).purse == 5


def test_a_new_name_keeps_purse_decks_and_the_old_name(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], [Payment("Ana", 5, "left over")])
    person = people.rename_person(archive, "Ana", "Anna  B").person
    renamed = people.find_record(archive, "anna b")
    assert (renamed.person, renamed.name, renamed.called, renamed.purse) == (person, "Anna B", ("Ana", "Anna B"), 5)
    assert [held.name for held in renamed.held] == ["Grave Choir"]
    assert people.find_record(archive, "Ana").person == person
    pay(archive, "Ana", 1)
    assert people.find_record(archive, "Anna B").purse == 6


def test_who_turns_out_to_be_one_has_one_purse(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir", "Anna")], [Payment("Anna", 5, "left over")])
    pay(archive, "Ana", 2)
    anna = people.find_record(archive, "Anna").person
    merged = people.merge_people(archive, "Anna", "Ana")
    assert (merged.name, merged.purse, merged.called) == ("Ana", 7, ("Ana", "Anna"))
    record = people.find_record(archive, anna)
    assert record.name == "Ana"
    assert [line.change for line in record.ledger] == [5, 2]
    assert [line.purse for line in record.ledger] == [5, 7]
    assert [(held.name, held.now) for held in record.held] == [("Grave Choir", True)]
    pay(archive, "Anna", 1, anna)
    assert archive.purse("Ana") == 8
    with pytest.raises(ArchiveError, match="one person already"):
        people.merge_people(archive, "Ana", anna)


def test_who_only_holds_a_deck_gets_an_id_when_it_is_needed(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir", "Dora")])
    assert [(person.name, person.person) for person in people.all_people(archive)] == [("Dora", "")]
    assert people.find_record(archive, "dora").held[0].now
    renamed = people.rename_person(archive, "Dora", "Dora L")
    assert renamed.person
    assert [held.name for held in people.find_record(archive, "Dora L").held] == ["Grave Choir"]


def test_a_deck_that_drifts_to_a_person_is_that_persons(archive: Archive, anas: tuple[str, str]) -> None:
    from companion.games.decknforge.decks.marks import Drifted

    deck = bands.found_band(archive, "Salt and Iron", "Ben")
    bands.add(archive, deck, Drifted("Ana", anas[1]))
    assert archive.find_deck(deck).person == anas[1]
    held = HeldDeck(deck, "decknforge", "Salt and Iron", now=True, retired=False)
    assert people.find_record(archive, anas[1]).held == (held,)
    assert [deck.name for deck in people.find_record(archive, anas[0]).held if deck.now] == ["Grave Choir"]


def test_what_is_kept_of_a_reason_is_told_by_its_game(archive: Archive) -> None:
    reasons: list[ReasonOrText] = [
        Reason("kill", (3, "kill", 5, "overkill", -1, "greedy")),
        Reason("inscription", ("sharp", "7S", "X")),
    ]
    reasons += [Reason("of-tomorrow", (1, "x")), Reason("kill", ("x",))]
    archive.found_deck("decknforge", bands.marks(), [Payment("Ana", 1, why) for why in (*reasons, "her own words")])
    assert [line.why for line in people.find_record(archive, "Ana").ledger] == [
        "3 kill + 5 overkill + (−1) Greedy",
        "sharp on 7♠ of X",
        "of-tomorrow 1 x",
        "kill x",
        "her own words",
    ]


def test_the_lists_of_people_are_made_again_from_the_entries(archive: Archive, anas: tuple[str, str]) -> None:
    people.rename_person(archive, anas[1], "Ana B")
    people.merge_people(archive, anas[1], anas[0])
    before = people.all_people(archive)
    entries = {person: archive.entries(person_stream(person)) for person in anas}
    assert maintenance.check_archive(archive) == ()
    maintenance.repair(archive)
    assert people.all_people(archive) == before
    assert {person: archive.entries(person_stream(person)) for person in anas} == entries


@pytest.mark.usefixtures("anas")
@pytest.mark.parametrize("text", ["Zoe", "ZZZZZZ", "", "☃"])
def test_nobody_is_told_in_a_sentence(archive: Archive, text: str) -> None:
    with pytest.raises(Unknown, match="Nobody is called"):
        people.find_record(archive, text)


def test_a_person_needs_a_name(archive: Archive) -> None:
    with pytest.raises(ArchiveError, match="needs a name"):
        people.add_person(archive, "  ")


def test_outside_of_the_house_people_are_called_as_they_want(archive: Archive) -> None:
    ana, ben, cy = (people.add_person(archive, name) for name in ("Ana", "Ben", "Cy"))
    people.set_alias(archive, "Ana", "Grey Fox")
    people.set_alias(archive, "Ben", hidden=True)
    people.merge_people(archive, people.add_person(archive, "Annie").person, ana.person)
    name_of = people.names_outside(archive)
    assert [name_of("Ana", ""), name_of("Ana", ana.person), name_of("Ben", ben.person)] == [
        "Grey Fox",
        "Grey Fox",
        "Player 1",
    ]
    # Somebody else of that name is not her.
    assert name_of("Ana", cy.person) == "Ana"
    assert name_of("Cy", "") == "Cy"
    people.set_alias(archive, "Ana")
    assert people.names_outside(archive)("Ana", ana.person) == "Ana"
