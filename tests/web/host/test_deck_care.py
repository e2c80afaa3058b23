"""A deck that is here, in the host's browser: its box is compared with its record."""

import pytest

from companion.archive import deck_records
from companion.forms import settings
from companion.games.decknforge.decks.record import BandRecord
from tests.archive import bands
from tests.web.host.filling import PageForm
from tests.web.serving import Host

AUDIT = "/host/audit"


def found_finished_band(host: Host) -> str:
    """A band on whose cards everything was written."""
    deck = bands.found_band(host.archive)
    deck_records.tick(host.archive, deck, ("all",))
    return deck


def test_a_box_that_differs_mends_the_record(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    assert f'href="{AUDIT}?deck={deck}"' in browser.get(f"/d/{deck}").text
    assert f'href="{AUDIT}' not in own_host.phone("Ana").get(f"/d/{deck}").text
    form = PageForm(browser, f"{AUDIT}?deck={deck}")
    assert "The box and the record agree so far." in form.page.text
    form.put("holder", "Ben")
    assert form.press("look").leads_to == f"{AUDIT}?deck={deck}"
    form = PageForm(browser, f"{AUDIT}?deck={deck}")
    assert "1 difference from the record." in form.page.text
    assert form.press("keep").leads_to == f"/d/{deck}"
    page = browser.get(f"/d/{deck}").text
    assert page.count("Ben") > 1, "in the message, and in the story"
    assert own_host.archive.find_deck(deck).holder == "Ben"
    assert not settings.draft_answers(own_host.archive.name, "Audit page")


def test_a_box_that_agrees_changes_nothing(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    before = own_host.archive.story(deck)
    assert PageForm(browser, f"{AUDIT}?deck={deck}").press("keep").leads_to == f"/d/{deck}"
    assert "The box and the record agree." in browser.get(f"/d/{deck}").text
    assert own_host.archive.story(deck) == before


def test_what_is_not_there_and_what_is_more_is_stored(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    form = PageForm(browser, f"{AUDIT}?deck={deck}")
    simple = next(name for name, options in form.options.items() if {"yes", "no"} <= {*options})
    form.fields[simple] = "no"
    form.put("besides 0 spot", "8h banner")
    form.press("look")
    assert PageForm(browser, f"{AUDIT}?deck={deck}").press("keep").status == 303
    record = own_host.archive.record(deck)
    assert isinstance(record, BandRecord)
    borne = {f"{each.card} {each.inscription}": each.fate for each in record.inscriptions}
    assert borne.get("8H banner") == ""
    assert sum(not fate for fate in borne.values()) == len(bands.STARTS), "one came, one went"


def test_a_wrong_place_is_named_and_what_was_typed_stays(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    form = PageForm(browser, f"{AUDIT}?deck={deck}", {"holder": "Ben", "besides 0 spot": "nowhere at all"})
    refused = form.press("keep")
    assert refused.status == 422
    assert "nowhere at all" in refused.text
    kept = PageForm(browser, f"{AUDIT}?deck={deck}")
    assert (kept.get("holder"), kept.get("besides 0 spot")) == ("Ben", "nowhere at all")
    assert own_host.archive.find_deck(deck).holder == "Ana"
    kept.press("anew")
    assert PageForm(browser, f"{AUDIT}?deck={deck}").get("holder") == "Ana"


def test_a_record_that_changed_meanwhile_is_shown_first(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    form = PageForm(browser, f"{AUDIT}?deck={deck}")
    deck_records.mend(own_host.archive, deck, {"holder": "Cy"}, "sold")
    refused = form.press("keep")
    assert refused.status == 422
    assert "The record has changed meanwhile" in refused.text
    assert "≠ record" in refused.text
    assert own_host.archive.find_deck(deck).holder == "Cy"
    # Once it was shown, it counts.
    assert PageForm(browser, f"{AUDIT}?deck={deck}").press("keep").status == 303
    assert own_host.archive.find_deck(deck).holder == "Ana"


def test_a_form_that_is_sent_twice_is_stored_once(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    form = PageForm(browser, f"{AUDIT}?deck={deck}", {"holder": "Ben"})
    assert form.press("keep").leads_to == f"/d/{deck}"
    length = len(own_host.archive.story(deck))
    assert form.press("keep").leads_to == f"/d/{deck}"
    assert len(own_host.archive.story(deck)) == length


@pytest.mark.parametrize("path", [AUDIT])
def test_only_the_host_changes_decks_that_are_here(own_host: Host, path: str) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    for name in ("", "nothing", "Grave+Choir", "0000000000000", "%00"):
        assert browser.get(f"{path}?deck={name}").status == 404
        assert browser.post(path, browser.get("/host").token, game=name, do="keep").status == 404
    assert browser.post(path, "0" * 64, game=deck, do="keep").status == 403
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    token = phone.get("/scan").token
    assert phone.get(f"{path}?deck={deck}").status == 403
    assert phone.post(path, token, game=deck, do="keep").status == 403
