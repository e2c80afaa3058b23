"""Decks in the host's browser: the list, a deck that is built, and one that is adopted from paper."""

import html
import re
from random import Random

import pytest

from companion.forms import settings
from companion.printing import jobs
from labels.designs import EffectLabel
from tests.archive import bands
from tests.scan import spreads
from tests.web.host.filling import PageForm
from tests.web.serving import Answer, Host, Phone
from tests.web.test_sharing import multipart

BUILD, ADOPT = "/host/build?game=decknforge", "/host/adopt?game=decknforge"
INSCRIBED = (("9S", "sharp"), ("10S", "sharp"), ("7S", "quick"))
MONSTERS = ("AS", "AH", "AC", "AD", "BJ", "RJ")


def build(browser: Phone, name: str) -> str:
    """Build a band, its Monsters drawn; where the form leads."""
    PageForm(browser, BUILD, {"name": name, "builder": "Ana"}).press("draw")
    for number, (card, inscription) in enumerate(INSCRIBED):
        answers = {f"inscribe {number} card": card, f"inscribe {number} inscription": inscription}
        PageForm(browser, BUILD, answers).press("look")
    form = PageForm(browser, BUILD)
    legends = form.choices('"legend"') if any("legend" in field for field in form.options) else []
    answer = form.press("keep")
    if answer.status == 422 and legends:
        form.put("legend", next(each for each in legends if each))
        answer = form.press("keep")
    assert answer.status == 303, re.findall(r'class="wrong".*', answer.text)
    return answer.leads_to


def test_a_deck_is_built_and_its_page_shows_what_became_of_it(own_host: Host) -> None:
    browser, archive = own_host.browser(), own_host.archive
    leads_to = build(browser, "Grave Choir")
    (row,) = archive.page_of_decks().rows
    assert (row.name, row.holder, leads_to) == ("Grave Choir", "Ana", f"/d/{row.deck}")
    page = browser.get(leads_to).text
    assert "Grave Choir is here" in page
    # The message is shown once.
    assert "Grave Choir is here" not in browser.get(leads_to).text
    assert not settings.draft_answers(archive.name, "Found")


def test_a_name_in_use_is_refused_at_its_field(own_host: Host) -> None:
    bands.found_band(own_host.archive, "Grave Choir", "Ana")
    form = PageForm(own_host.browser(), BUILD, {"name": "Grave Choir", "builder": "Ana"})
    answer = form.press("keep")
    assert answer.status == 422
    assert "a name is never used again" in answer.text
    assert own_host.archive.page_of_decks().total == 1


def test_a_fault_names_its_field_once(own_host: Host) -> None:
    refused = PageForm(own_host.browser(), ADOPT, {"glory": "-1"}).press("keep")
    assert refused.status == 422
    listed = [html.unescape(each) for each in re.findall(r'<li><a href="#[^"]*">(.*?)</a>', refused.text)]
    assert "Name: this is required." in listed
    assert "Monsters 1: HP: this is required." in listed
    assert [each for each in listed if re.search(r"(\b[A-Z]\w*\b).*: \1\b", each)] == []


def test_a_drawn_answer_fills_its_field_alone(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(browser, BUILD, {"name": "Grave Choir", "builder": "Ana"})
    button = next(each for each in form.buttons if each.startswith("draw a:monster:0:items"))
    assert form.press(button).leads_to.startswith(BUILD)
    filled = PageForm(browser, BUILD)
    assert len(filled.get("monster 0 items").replace(",", " ").split()) == 3
    assert filled.get("monster 1 items") == ""
    assert filled.get("name") == "Grave Choir"


def test_a_deck_from_paper_is_adopted(own_host: Host) -> None:
    archive, browser = own_host.archive, own_host.browser()
    bands.found_band(archive, "Salt and Iron", "Ben")
    answers = {"name": "Grave Choir", "builder": "Ana", "holders 0": "Ana", "glory": "7", "dungeons": "1"}
    for number, _ in enumerate(MONSTERS):
        answers |= {f"monsters {number} name": f"Wyrm {'ABCDEF'[number]}", f"monsters {number} hp": "12"}
    form = PageForm(browser, ADOPT, answers)
    form.press("look")
    blessed = {"inscribed 0 card": "9S", "inscribed 0 inscription": "sharp", "monsters 0 legend": "yes"}
    answer = PageForm(browser, ADOPT, blessed).press("keep")
    assert answer.status == 303, re.findall(r'class="wrong".*', answer.text)
    assert browser.get(answer.leads_to).status == 200
    assert [row.name for row in archive.page_of_decks("Grave Choir").rows] == ["Grave Choir"]


def test_a_deck_is_built_from_a_pasted_list(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(
        browser, "/host/build?game=solforge", {"name": "Ash", "holder": "Ana", "list": "2 Flare\n3 Moon Fox"}
    )
    form.press("look")
    kept = PageForm(browser, "/host/build?game=solforge")
    assert kept.get("list") == "2 Flare\n3 Moon Fox"


def test_the_list_leads_to_decks_and_to_new_ones(own_host: Host) -> None:
    browser = own_host.browser()
    assert "There is no deck yet." in browser.get("/host/decks").text
    for number in range(32):
        bands.found_band(own_host.archive, f"Band {number}", "Ana")
    page = browser.get("/host/decks").text
    assert 'href="/host/build"' in page
    assert 'href="/host/adopt"' in page
    assert 'rel="next"' in page
    assert "Band 31" in browser.get("/host/decks?q=31").text
    (row,) = own_host.archive.page_of_decks("Band 31").rows
    assert browser.get(f"/host/decks?q={row.deck}").leads_to == f"/d/{row.deck}"
    assert browser.get("/host/decks?at=999").leads_to == "/host/decks"


def test_phones_build_no_deck(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    token = phone.get("/scan").token
    for path in ("/host/build", "/host/adopt"):
        assert phone.get(path).status == 403
        assert phone.post(path, token, game="decknforge", do="keep").status == 403


def test_a_message_is_for_its_own_session(own_host: Host) -> None:
    browser, other = own_host.browser(), own_host.browser()
    leads_to = build(browser, "Grave Choir")
    assert "Grave Choir is here" not in other.get("/host/decks").text
    assert "Grave Choir is here" not in own_host.phone("Zoe").get(leads_to).text
    assert "Grave Choir is here" in browser.get("/host").text


PHOTO = "/host/adopt/photo"


def send_photograph(browser: Phone, picture: bytes, token: str | None = None, game: str = "decknforge") -> Answer:
    """Send a photograph on the page of a deck that is adopted."""
    token = browser.get(ADOPT).token if token is None else token
    body = multipart(token, game=game.encode(), picture=picture)
    return browser.ask("POST", PHOTO, body, content_type="multipart/form-data; boundary=xXxcutxXx")


@pytest.mark.slow
def test_a_photograph_of_the_deck_fills_in_its_labels(own_host: Host) -> None:
    archive, browser = own_host.archive, own_host.browser()
    row = archive.find_deck(bands.found_band(archive, "Salt and Iron", "Ben"))
    labels = jobs.cards_job(archive, [row], with_codes=True).labels
    faces = [label for label in labels if isinstance(label, EffectLabel)][:2]
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1).jpeg
    assert send_photograph(browser, picture).leads_to == ADOPT
    form = PageForm(browser, ADOPT)
    assert "This was not saved last time." not in form.page.text
    assert "This was not saved last time." in own_host.browser().get(ADOPT).text, "in another session"
    assert "The labels from the photograph are filled in" in form.page.text
    form.put("name", "Grave Choir")
    form.press("look")
    form = PageForm(browser, ADOPT)
    filled = {form.get(f"inscribed {number} card") for number in range(2)}
    assert len(filled - {""}) == 2
    assert form.get("name") == "Grave Choir"


def test_what_is_no_photograph_is_one_sentence(own_host: Host) -> None:
    archive, browser = own_host.archive, own_host.browser()
    bands.found_band(archive, "Salt and Iron", "Ben")
    for content, sentence in ((b"", "Choose a photograph first."), (b"no picture", "The picture")):
        assert send_photograph(browser, content).leads_to == ADOPT
        page = browser.get(ADOPT).text
        assert sentence in page
        assert "/tmp" not in page


def test_only_the_host_sends_photographs(own_host: Host) -> None:
    bands.found_band(own_host.archive, "Salt and Iron", "Ben")
    browser, phone = own_host.browser(), own_host.phone("Ana")
    assert send_photograph(browser, b"x", token="0" * 64).status == 403
    assert send_photograph(browser, b"x", token="").status == 403
    assert send_photograph(browser, b"x", game="nothing").status == 404
    assert send_photograph(phone, b"x", token=phone.get("/scan").token).status == 403


def test_an_answer_that_comes_late_leaves_no_draft_behind(own_host: Host) -> None:
    browser = own_host.browser()
    bands.found_band(own_host.archive, "Salt and Iron", "Ben")
    form = PageForm(browser, "/host/new?game=decknforge", {"seat 0 name": "Ana"})
    late = PageForm(browser, "/host/new?game=decknforge", {"seat 0 name": "Ana"})
    late.fields["once"] = form.fields["once"]
    assert form.press("keep").status == 303
    late.press("look")
    assert not settings.draft_answers(own_host.archive.name, "table")


def test_a_message_waits_for_a_page_that_somebody_sees(own_host: Host) -> None:
    browser = own_host.browser()
    leads_to = build(browser, "Grave Choir")
    assert "Grave Choir is here" not in browser.get(leads_to, sec_fetch_dest="empty").text
    assert "Grave Choir is here" in browser.get(leads_to, sec_fetch_dest="document").text
