"""The page of a new table: people by one click each, drafts, refusals, and a finished table again."""

import pytest

from companion.archive import Archive
from companion.archive.people import people
from companion.forms import settings
from companion.tabletop.table.choices import NONE
from tests.archive import bands
from tests.printing import evenings
from tests.web.host.filling import PageForm, answer_name
from tests.web.serving import Host, Phone

NEW = "/host/new?game=decknforge"


def decks_at(archive: Archive, path: str) -> dict[str, str]:
    """The names at the table of a path, with their decks."""
    lines = [line.line.split() for line in archive.lines(path.removeprefix("/t/"))]
    return {words[1]: words[3] if len(words) > 3 else "" for words in lines if words[0] == "seat"}


def meet(archive: Archive, *names: str) -> None:
    """The archive knows these people."""
    for name in names:
        people.add_person(archive, name)


def test_four_known_people_sit_down_with_six_clicks(own_host: Host) -> None:
    meet(own_host.archive, "Ana", "Ben", "Cy", "Dora")
    browser, clicks = own_host.browser(), 1
    for name in ("Ana", "Ben", "Cy", "Dora"):
        form = PageForm(browser, NEW)
        assert f"sit {name}" in form.buttons
        assert form.press(f"sit {name}").leads_to == NEW
        clicks += 1
    table = PageForm(browser, NEW).press("keep").leads_to
    assert clicks + 1 <= 8
    assert [*decks_at(own_host.archive, table)] == ["ana", "ben", "cy", "dora"]
    assert browser.get(table).status == 200


def test_the_people_of_the_last_evening_sit_down_together_with_their_decks(own_host: Host) -> None:
    evening = evenings.play(own_host.archive)
    browser = own_host.browser()
    assert PageForm(browser, NEW).press(f"group {evening}").status == 303
    form = PageForm(browser, NEW)
    assert [form.get(f"seat {number} name") for number in range(3)] == ["Ana", "Ben", "Cy"]
    table = form.press("keep").leads_to
    assert decks_at(own_host.archive, table).keys() == {"ana", "ben", "cy"}
    assert all(decks_at(own_host.archive, table).values())


def test_a_typed_name_sits_down_with_the_deck_of_that_person(own_host: Host) -> None:
    for band, who in (("Grave Choir", "Ana"), ("Salt and Iron", "Cy"), ("The Lantern Debt", "Cy")):
        bands.found_band(own_host.archive, band, who)
    browser = own_host.browser()
    PageForm(browser, NEW, {"seat 0 name": "Ana"}).press("look")
    form = PageForm(browser, NEW)
    assert "Grave Choir · held by Ana" in form.page.text
    table = form.press("keep").leads_to
    assert all(decks_at(own_host.archive, table).values())
    # What is chosen by hand stays; another name takes its own deck.
    PageForm(browser, NEW, {"seat 0 name": "Ana", "seat 0 deck": NONE}).press("look")
    assert PageForm(browser, NEW).get("seat 0 deck") == NONE
    refused = PageForm(browser, NEW, {"seat 0 name": "Cy", "seat 0 deck": ""}).press("keep")
    assert refused.status == 422
    assert "Choose the deck of Cy, or a loose band." in refused.text
    table = PageForm(browser, NEW, {"seat 0 deck": "Salt and Iron"}).press("keep").leads_to
    assert all(decks_at(own_host.archive, table).values())


def test_a_draft_survives_a_reload_and_ends_with_the_table(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, NEW, {"seat 0 name": "Ana"}).press("look")
    form = PageForm(browser, NEW)
    assert form.get("seat 0 name") == "Ana"
    # Whoever has just answered it knows; in another visit, it is said.
    assert "This was not saved last time." not in form.page.text
    assert "Begin anew" in form.page.text
    assert "This was not saved last time." in PageForm(own_host.browser(), NEW).page.text
    # Without a game, it is the one of the draft.
    assert PageForm(browser, "/host/new").get("seat 0 name") == "Ana"
    assert settings.draft_answers(own_host.archive.name, "table")
    assert form.press("keep").leads_to.startswith("/t/")
    assert PageForm(browser, NEW).get("seat 0 name") == ""
    assert not settings.draft_answers(own_host.archive.name, "table")


def test_a_draft_can_be_forgotten(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, NEW, {"seat 0 name": "Ana"}).press("look")
    assert PageForm(browser, NEW).press("anew").leads_to == NEW
    assert PageForm(browser, NEW).get("seat 0 name") == ""


def test_a_refused_form_says_what_is_wrong_and_keeps_all_answers(own_host: Host) -> None:
    browser, before = own_host.browser(), own_host.archive.page_of_sessions().total
    answer = PageForm(browser, NEW, {"seat 0 name": "Ana", "seat 0 deck": "No such deck"}).press("keep")
    assert answer.status == 422
    assert 'aria-invalid="true"' in answer.text
    assert f'href="#{answer_name("seat 0 deck").replace(":", "-")}"' in answer.text
    assert PageForm(browser, NEW).get("seat 0 deck") == "No such deck"
    assert own_host.archive.page_of_sessions().total == before


def test_an_empty_form_opens_no_table(own_host: Host) -> None:
    browser = own_host.browser()
    answer = PageForm(browser, NEW).press("keep")
    assert answer.status == 422
    assert "A seat needs a player" in answer.text
    assert own_host.archive.page_of_sessions().total == 0


def test_a_form_that_is_sent_twice_opens_one_table(own_host: Host) -> None:
    form = PageForm(own_host.browser(), NEW, {"seat 0 name": "Ana"})
    first, second = form.press("keep"), form.press("keep")
    assert first.leads_to == second.leads_to
    assert own_host.archive.page_of_sessions().total == 1


def test_a_house_rule_is_agreed_on(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, NEW, {"seat 0 name": "Ana", "rule 0 key": "overheal"}).press("look")
    form = PageForm(browser, NEW)
    value = next(each for each in form.choices("rule 0 value") if each)
    form.put("rule 0 value", value)
    table = form.press("keep").leads_to
    lines = [line.line for line in own_host.archive.lines(table.removeprefix("/t/"))]
    assert f"rule overheal {value}" in lines


def test_a_removed_person_makes_room(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, NEW, {"seat 0 name": "Ana", "seat 1 name": "Ben"}).press("look")
    PageForm(browser, NEW).press(f"remove {answer_name('seat 0')}")
    form = PageForm(browser, NEW)
    assert (form.get("seat 0 name"), form.get("seat 1 name")) == ("Ben", "")


def test_a_game_of_ones_own_is_offered(own_host: Host) -> None:
    browser = own_host.browser()
    page = browser.get("/host/new").text
    assert "?game=tricks" in page
    table = PageForm(browser, "/host/new?game=tricks", {f"seat {n} name": f"P{n}" for n in range(3)}).press("keep")
    assert own_host.archive.find_session(table.leads_to.removeprefix("/t/")).game == "tricks"


def test_an_unknown_game_has_no_page(own_host: Host) -> None:
    browser = own_host.browser()
    assert browser.get("/host/new?game=nothing").status == 404
    token = browser.get("/host").token
    assert browser.post("/host/new", token, game="nothing").status == 404


@pytest.mark.parametrize("button", ["", "draw", "draw a:seat:0:name", "remove x", "sit ", "group nobody", "dance"])
def test_a_button_that_no_page_has_does_no_harm(own_host: Host, button: str) -> None:
    form = PageForm(own_host.browser(), NEW, {"seat 0 name": "Ana"})
    assert form.press(button).status in (303, 422)
    assert own_host.archive.page_of_sessions().total == 0


def test_names_of_fields_that_no_form_has_do_no_harm(own_host: Host) -> None:
    form = PageForm(own_host.browser(), NEW, {"seat 0 name": "Ana"})
    for name in ("a:seat:999:name", "a:seat:3:nothing", "a:nothing:0:", "a::::", "a:rule:0:key", "a:seat::", "a:%:0:%"):
        form.fields[name] = "x"
    assert form.press("look").status in (303, 422)
    assert PageForm(own_host.browser(), NEW).get("seat 0 name") == "Ana"


def again(browser: Phone, session: str) -> str:
    """Ask for a table again; where it leads."""
    return browser.post("/host/again", browser.get("/host").token, session=session).leads_to


def test_a_finished_table_is_opened_again_by_one_click(own_host: Host) -> None:
    evening = evenings.play(own_host.archive)
    browser = own_host.browser()
    assert f'name="session" value="{evening}"' in browser.get("/host").text
    table = again(browser, evening)
    assert decks_at(own_host.archive, table) == decks_at(own_host.archive, f"/t/{evening}")
    assert again(browser, own_host.fight()) == ""
    assert again(browser, "nothing") == ""


def test_phones_open_no_table(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    token = phone.get("/scan").token
    assert phone.post("/host/new", token, game="decknforge", do="keep").status == 403
    assert own_host.archive.page_of_sessions().total == 0


def test_a_button_that_is_pressed_twice_counts_once(own_host: Host) -> None:
    meet(own_host.archive, "Ana")
    browser = own_host.browser()
    form = PageForm(browser, NEW)
    assert form.press("sit Ana").leads_to == form.press("sit Ana").leads_to == NEW
    # A check of the same page that comes late forgets nobody.
    form.press("look")
    later = PageForm(browser, NEW)
    assert (later.get("seat 0 name"), later.get("seat 1 name")) == ("Ana", "")
