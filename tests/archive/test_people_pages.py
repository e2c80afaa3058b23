"""People a page at a time: the same people as all at once, found by every name they had and by their ids."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, PersonExists, maintenance
from companion.archive.people import people
from companion.archive.storage.lists import fold
from companion.tabletop.records import Payment, Reason
from templates.languages.alphabets import alphabetical_key
from tests.archive.keepsake import Founded
from tests.examples import examples

NAMES = ("Ana", "ben", "BEN", "Cy Li", "ﬁre", "Ångström", "ana maria")


def paid(archive: Archive, name: str, amount: int) -> None:
    archive.found_deck("keepsake", [Founded(f"deck of {name} {amount}")], [Payment(name, amount, Reason("x"))])


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(
    st.lists(st.tuples(st.sampled_from(("add", "rename", "merge")), st.sampled_from(NAMES), st.sampled_from(NAMES))),
    st.sampled_from(("", "a", "ben", "ana mar", "fi", "ÅNG", "li cy", "%", "nobody")),
)
def test_pages_hold_everybody_whom_the_whole_list_holds(done: list[tuple[str, str, str]], text: str) -> None:
    with TemporaryDirectory() as folder, Archive.open(str(Path(folder, "one.sqlite"))) as archive:
        ids = [people.add_person(archive, "Ana").person]
        for what, name, other in done:
            if what == "add":
                ids.append(people.add_person(archive, name).person)
            elif what == "rename":
                with suppress(PersonExists):
                    people.rename_person(archive, ids[len(other) % len(ids)], name)
            elif people.find_person(archive, ids[0])[0].person != people.find_person(archive, ids[-1])[0].person:
                people.merge_people(archive, ids[len(name) % 2 - 1], ids[-(len(name) % 2)])
        whole = people.all_people(archive)
        paged = [one for at in range(0, len(whole), 2) for one in people.page_of_people(archive, "", at, 2).rows]
        assert sorted(paged, key=lambda one: (alphabetical_key(one.name), one.person)) == list(whole)
        assert people.page_of_people(archive).total == len(whole)
        words = fold(text).split()
        called = {one.person for one in whole if any(all(w in fold(name) for w in words) for name in one.called)}
        listed_ids = {one.person for one in people.page_of_people(archive, text).rows}
        assert called <= listed_ids
        assert all(
            all(w in fold(f"{' '.join(one.called)} {one.person}") for w in words)
            for one in whole
            if one.person in listed_ids
        )


def test_a_page_shows_the_purse_of_merged_people(archive: Archive) -> None:
    paid(archive, "Ana", 3)
    paid(archive, "Anna", 4)
    people.merge_people(archive, "Anna", "Ana")
    (ana,) = people.page_of_people(archive, "anna").rows
    assert (ana.name, ana.purse, ana.called) == ("Ana", 7, ("Ana", "Anna"))


def test_holders_without_an_id_come_last(archive: Archive) -> None:
    people.add_person(archive, "Zoe")
    for at, holder in enumerate(("Ben", "ben", "Ana", "zoe")):
        archive.found_deck("keepsake", [Founded(f"deck {at}", holder)])
    assert [one.name for one in people.page_of_people(archive).rows] == ["Zoe", "Ana", "Ben"]
    assert [one.name for one in people.page_of_people(archive, "", 1, 1).rows] == ["Ana"]
    # Zoe's id may contain the letters, too.
    assert [one.name for one in people.page_of_people(archive, "be").rows if not one.person] == ["Ben"]
    people.rename_person(archive, "Zoe", "Zita")
    assert [one.name for one in people.page_of_people(archive).rows] == ["Zita", "Ana", "Ben"], (
        "the old name is still Zoe's"
    )


def test_the_lists_made_again_are_searched_as_before(archive: Archive) -> None:
    people.rename_person(archive, people.add_person(archive, "Ana").person, "Berta")
    before = people.page_of_people(archive, "ana")
    maintenance.repair(archive)
    assert people.page_of_people(archive, "ana") == before
    assert before.total == 1


@pytest.mark.parametrize("typed", ["league", "tag:league", "LEAGUE choir", "tag:league grave", "repaired"])
def test_decks_are_found_by_their_tags(archive: Archive, typed: str) -> None:
    from companion.archive import deck_records

    deck = archive.found_deck("keepsake", [Founded("Grave Choir")])
    archive.found_deck("keepsake", [Founded("Salt")])
    deck_records.change_tags(archive, deck, ["League", "to be repaired"])
    assert [row.deck for row in archive.page_of_decks(typed).rows] == [deck]
    deck_records.change_tags(archive, deck, [], ["League", "to be repaired"])
    assert archive.page_of_decks(typed).total == 0
