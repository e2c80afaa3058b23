"""The pages of people: who is listed, what a page says, and that nothing for good happens unasked."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, PersonExists, Unknown
from companion.archive.exchange import play_import
from companion.archive.people import people
from companion.archive.storage.entries import PlayKept
from companion.archive.storage.purses import Person
from companion.statistics.person_games import list_games
from companion.tabletop.records import Payment
from companion.tabletop.table.match_result import Contender, MatchResult
from companion.web.host.people import path_of, read_person
from tests.archive import household
from tests.archive.keepsake import Founded
from tests.examples import examples
from tests.printing import evenings
from tests.web.serving import Answer, Host, Phone

PEOPLE = "/host/people"


@pytest.fixture
def crowded(own_host: Host) -> Host:
    """A server of an archive with people: Ana and Benno, who have ids, and others known from decks alone."""
    household.fill(own_host.archive)
    return own_host


def find_named(archive: Archive, name: str) -> Person:
    """The only person of this name."""
    (person,) = people.page_of_people(archive, name).rows
    return person


def change(browser: Phone, path: str, do: str, **fields: str) -> Answer:
    """Send a form of a person's page."""
    return browser.post(path, browser.get(path).token, do=do, **fields)


def test_the_list_has_everybody_and_a_search(crowded: Host) -> None:
    browser = crowded.browser()
    page = browser.get(PEOPLE).text
    for person in people.all_people(crowded.archive):
        assert path_of(person) in page.replace("&amp;", "&")
    assert "Ana" not in browser.get(f"{PEOPLE}?q=benno").text
    assert "There is nobody with this name." in browser.get(f"{PEOPLE}?q=nobody").text
    assert browser.get(f"{PEOPLE}?at=x&q=%00").status == 200


def test_an_empty_archive_says_who_will_be_listed(own_host: Host) -> None:
    assert "Nobody is here yet." in own_host.browser().get(PEOPLE).text


def test_a_page_has_decks_games_and_the_purse(own_host: Host) -> None:
    session = evenings.play(own_host.archive)
    ana = find_named(own_host.archive, "Ana")
    record = people.record_of_person(own_host.archive, ana)
    page = own_host.browser().get(path_of(ana)).text
    assert record.held
    assert record.ledger
    for deck in record.held:
        assert f'href="/d/{deck.deck}"' in page
    assert f'href="/t/{session}/card"' in page
    assert f"purse {record.purse}" in page
    assert own_host.browser().get(f"/t/{session}/card").status == 200


def test_games_of_other_programs_have_no_page(crowded: Host) -> None:
    ana = find_named(crowded.archive, "Ana")
    games = list_games(crowded.archive, ana.person, ana.name)
    assert "Ludo" in {str(game.game) for game in games}
    view = read_person(crowded.archive, ana)
    ludo = next(each for each in view.evenings if str(each.title) == "Ludo")
    assert (ludo.session, str(ludo.result)) == ("", "won")
    assert "Friday" in {str(each.title) for each in view.evenings}
    assert [each.at for each in view.evenings] == sorted((each.at for each in view.evenings), reverse=True)
    assert "Ludo" in crowded.browser().get(path_of(ana)).text


def test_a_person_without_an_id_has_a_page_and_gets_one_by_a_change(crowded: Host) -> None:
    browser = crowded.browser()
    nameless = next(one for one in people.all_people(crowded.archive) if not one.person)
    assert browser.get(path_of(nameless)).status == 200
    answer = change(browser, path_of(nameless), "alias", name=nameless.name, public="nickname", text="Fox")
    person = find_named(crowded.archive, nameless.name)
    assert person.person
    assert answer.leads_to == f"{PEOPLE}/{person.person}?done=alias"
    assert "is called Fox in public" in browser.get(answer.leads_to).text
    assert browser.get(path_of(nameless)).leads_to == f"{PEOPLE}/{person.person}"


def test_a_person_is_renamed(crowded: Host) -> None:
    browser, ana = crowded.browser(), find_named(crowded.archive, "Ana")
    answer = change(browser, path_of(ana), "rename", text="Ana B")
    assert "Ana B is the name from now on" in browser.get(answer.leads_to).text
    assert find_named(crowded.archive, "Ana B").person == ana.person
    refused = change(browser, path_of(ana), "rename", text=" ")
    assert refused.status == 422
    assert "A person needs a name." in refused.text


def test_a_name_of_somebody_else_asks_if_they_are_one_person(crowded: Host) -> None:
    archive, browser = crowded.archive, crowded.browser()
    ana, benno = find_named(archive, "Ana"), find_named(archive, "Benno")
    before = people.all_people(archive)
    for name, question in (("benno", "Somebody else is called Benno."), ("Ben", "Benno was called Ben once.")):
        refused = change(browser, path_of(ana), "rename", text=name)
        assert refused.status == 409
        assert f"{question} Are they one person?" in refused.text
        assert f'value="{name}"' in refused.text
        assert f'href="{path_of(ana)}/merge?into={benno.person}"' in refused.text
    assert people.all_people(archive) == before
    assert "Make them one person" in browser.get(f"{path_of(ana)}/merge?into={benno.person}").text


def test_a_long_name_is_refused_or_kept_and_never_cut(crowded: Host) -> None:
    browser, ana = crowded.browser(), find_named(crowded.archive, "Ana")
    assert "maxlength" not in browser.get(path_of(ana)).text
    assert change(browser, path_of(ana), "rename", text="A" * 2000).status == 422
    assert find_named(crowded.archive, "Ana") == ana
    assert change(browser, path_of(ana), "rename", text="A" * 200).status == 303
    assert find_named(crowded.archive, "Ana").name == "A" * 200


_NAMES = ("Ana", "Ben", "Cy", "Dora")


@settings(max_examples=examples(40))
@given(st.lists(st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES), st.booleans()), max_size=6))
def test_a_rename_changes_no_page_of_anybody_else(renames: list[tuple[str, str, bool]]) -> None:
    with TemporaryDirectory() as folder, Archive.open(str(Path(folder, "one.sqlite"))) as archive:
        archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], [Payment("Ana", 5, "")])
        archive.found_deck("keepsake", [Founded("Rex", "Cy")])
        people.add_person(archive, "Dora")
        players = (Contender("seat1", "Ana", "won"), Contender("seat2", "Dora", "lost"))
        ended = datetime(2024, 5, 1, 20, 40, tzinfo=UTC)
        play = PlayKept("other:1", "Ludo", ended, ended, MatchResult("seat1", players))
        play_import.import_plays(archive, [play], "Other", "other.json")
        for before, name, has_new_name in renames:
            others = [one for one in people.all_people(archive) if not one.answers_to(before)]
            pages = [_content(archive, one) for one in others]
            with suppress(PersonExists, Unknown):
                people.rename_person(archive, before, f"{before} B" if has_new_name else name)
            assert [_content(archive, one) for one in others] == pages


def _content(archive: Archive, person: Person) -> tuple[object, ...]:
    view = read_person(archive, person)
    return view.record, view.decks, view.evenings, view.ledger


def test_the_public_name_is_a_nickname_none_or_the_real_one(crowded: Host) -> None:
    browser, ana = crowded.browser(), find_named(crowded.archive, "Ana")
    for public, text, sentence in (
        ("nickname", "Fox", "Ana is called Fox in public."),
        ("none", "Fox", "Ana is not named in public."),
        ("real", "Fox", "The real name is on everything that leaves the house."),
    ):
        answer = change(browser, path_of(ana), "alias", public=public, text=text)
        assert sentence in browser.get(answer.leads_to).text


def test_the_language_of_labels_is_set_and_forgotten(crowded: Host) -> None:
    browser, ana = crowded.browser(), find_named(crowded.archive, "Ana")
    answer = change(browser, path_of(ana), "language", text="de")
    assert "Labels of decks that Ana holds are in Deutsch." in browser.get(answer.leads_to).text
    answer = change(browser, path_of(ana), "language", text="")
    assert "in the language of the program" in browser.get(answer.leads_to).text
    assert change(browser, path_of(ana), "language", text="tlh").status == 422


def test_namesakes_are_merged_after_a_question(crowded: Host) -> None:
    archive, browser, ana = crowded.archive, crowded.browser(), find_named(crowded.archive, "Ana")
    other = people.add_person(archive, "Ana")
    page = browser.get(path_of(other)).text
    assert f"{PEOPLE}/{other.person}/merge?into={ana.person}" in page
    question = browser.get(f"{PEOPLE}/{other.person}/merge?into={ana.person}")
    assert "This cannot be undone." in question.text
    assert len(people.find_people(archive, "Ana")) == 2
    answer = browser.post(path_of(other), question.token, do="merge", into=ana.person)
    assert answer.leads_to == f"{PEOPLE}/{ana.person}?done=merge"
    assert len(people.find_people(archive, "Ana")) == 1
    assert browser.get(path_of(other)).leads_to == path_of(ana)


@pytest.mark.parametrize("into", ["", "nobody", "Ana"])
def test_a_merge_with_nobody_else_is_refused(crowded: Host, into: str) -> None:
    browser, ana = crowded.browser(), find_named(crowded.archive, "Ana")
    assert browser.get(f"{path_of(ana)}/merge?into={into}").status == 422


def test_a_name_is_forgotten_after_a_question(crowded: Host) -> None:
    archive, browser, ana = crowded.archive, crowded.browser(), find_named(crowded.archive, "Ana")
    question = browser.get(f"{path_of(ana)}/forget")
    assert "still" in question.text
    assert "This cannot be undone." in question.text
    assert find_named(archive, "Ana").person == ana.person
    answer = browser.post(path_of(ana), question.token, do="forget")
    assert "is what they are called now." in browser.get(answer.leads_to).text
    assert people.find_record(archive, ana.person).purse == people.record_of_person(archive, ana).purse
    assert not people.find_people(archive, "Ana")


def test_somebody_is_added(own_host: Host) -> None:
    browser = own_host.browser()
    answer = browser.post(PEOPLE, browser.get(PEOPLE).token, name="Zoe")
    assert "Zoe is known now." in browser.get(answer.leads_to).text
    assert browser.post(PEOPLE, browser.get(PEOPLE).token, name="").status == 422
    assert browser.get(f"{PEOPLE}/Zoe").leads_to == answer.leads_to.partition("?")[0]


@pytest.mark.parametrize("path", ["nobody", "-?name=nobody", "-", "7K3M9Q", "%00"])
def test_an_unknown_person_has_no_page(crowded: Host, path: str) -> None:
    assert crowded.browser().get(f"{PEOPLE}/{path}").status == 404


def test_names_of_people_stay_text(own_host: Host) -> None:
    browser = own_host.browser()
    person = people.add_person(own_host.archive, "<i>Ana</i> & 'Co'")
    for path in (PEOPLE, path_of(person), f"{path_of(person)}/forget"):
        assert "<i>Ana" not in browser.get(path).text


def test_phones_and_forms_without_a_token_change_nobody(crowded: Host) -> None:
    crowded.server.phones.allow_all("all")
    ana, browser = find_named(crowded.archive, "Ana"), crowded.browser()
    for visitor in (crowded.phone("Ana"), crowded.stranger()):
        for path in (PEOPLE, path_of(ana), f"{path_of(ana)}/merge?into=Benno", f"{path_of(ana)}/forget"):
            assert visitor.get(path).status == 403
        for path in (PEOPLE, path_of(ana)):
            assert visitor.post(path, "0" * 64, do="forget", name="Max").status == 403
    assert browser.post(path_of(ana), "0" * 64, do="forget").status == 403
    assert browser.post(PEOPLE, browser.get("/scan").token, name="Max").status == 403
    assert change(browser, path_of(ana), "dance").status == 400
    assert find_named(crowded.archive, "Ana").person == ana.person
    assert not people.find_people(crowded.archive, "Max")
