"""A deck that is here, in the host's browser: its box is compared with its record, and its list is changed."""

import pytest

from companion.archive import deck_records
from companion.forms import settings
from companion.games.decknforge.decks.record import BandRecord
from tests.archive import bands
from tests.web.host.filling import PageForm
from tests.web.serving import Host, Phone

AUDIT, REBUILD = "/host/audit", "/host/rebuild"


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
    assert "Is there anything else?" in form.page.text
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


def build_listed_deck(browser: Phone) -> str:
    """A deck of ten cards; its id."""
    answers = {"name": "Ash", "holder": "Ana", "list": "4 Flare\n3 Moon Fox\n3 Ox"}
    answer = PageForm(browser, "/host/build?game=solforge", answers).press("keep")
    assert answer.status == 303, answer.text
    return answer.leads_to.removeprefix("/d/")


def cards_of(host: Host, deck: str) -> list[str]:
    """The lines of a deck's list."""
    return [card.line for card in deck_records.deck_lists(host.archive, deck)[-1].cards]


def test_swaps_make_the_next_version(own_host: Host) -> None:
    browser = own_host.browser()
    deck = build_listed_deck(browser)
    assert f'href="{REBUILD}?deck={deck}"' in browser.get(f"/d/{deck}").text
    form = PageForm(browser, f"{REBUILD}?deck={deck}", {"swap 0": "-2 Flare"})
    assert "4 Flare" in form.get("list")
    form.press("look")
    form = PageForm(browser, f"{REBUILD}?deck={deck}", {"swap 1": "+2 Ember", "reason": "too few answers"})
    form.press("look")
    form = PageForm(browser, f"{REBUILD}?deck={deck}")
    table = form.page.text.partition("From version 1")[2].partition("</table>")[0]
    assert table.index("+2") < table.index("Ember") < table.index("−2") < table.index("Flare")
    assert form.press("keep").leads_to == f"/d/{deck}"
    page = browser.get(f"/d/{deck}").text
    assert page.count("too few answers") > 1, "in the message, and in the story"
    assert cards_of(own_host, deck) == ["2 Flare", "3 Moon Fox", "3 Ox", "2 Ember"]
    assert not settings.draft_answers(own_host.archive.name, "Rebuild page")


def test_an_impossible_swap_is_refused_at_its_place(own_host: Host) -> None:
    browser = own_host.browser()
    deck = build_listed_deck(browser)
    refused = PageForm(browser, f"{REBUILD}?deck={deck}", {"swap 0": "-9 Nothing"}).press("keep")
    assert refused.status == 422
    assert "Nothing" in refused.text
    assert PageForm(browser, f"{REBUILD}?deck={deck}").get("swap 0") == "-9 Nothing"
    assert len(deck_records.deck_lists(own_host.archive, deck)) == 1


def test_a_list_is_not_put_over_a_newer_one_unseen(own_host: Host) -> None:
    browser = own_host.browser()
    deck = build_listed_deck(browser)
    form = PageForm(browser, f"{REBUILD}?deck={deck}", {"reason": "for tonight"})
    newer = deck_records.draft_list(own_host.archive, deck, "", ("+1 Ember",))
    deck_records.rebuild(own_host.archive, deck, newer.text, "")
    refused = form.press("keep")
    assert refused.status == 422
    assert "The record has changed meanwhile" in refused.text
    assert "1 Ember" in cards_of(own_host, deck)
    assert PageForm(browser, f"{REBUILD}?deck={deck}").get("reason") == "for tonight"


def test_decks_without_a_list_are_not_rebuilt(own_host: Host) -> None:
    deck, browser = found_finished_band(own_host), own_host.browser()
    assert browser.get(f"{REBUILD}?deck={deck}").status == 404
    assert REBUILD not in browser.get(f"/d/{deck}").text


@pytest.mark.parametrize("path", [AUDIT, REBUILD])
def test_only_the_host_changes_decks_that_are_here(own_host: Host, path: str) -> None:
    browser = own_host.browser()
    deck = build_listed_deck(browser)
    for name in ("", "nothing", "Ash", "0000000000000", "%00"):
        assert browser.get(f"{path}?deck={name}").status == 404
        assert browser.post(path, browser.get("/host").token, game=name, do="keep").status == 404
    assert browser.post(path, "0" * 64, game=deck, do="keep").status == 403
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    token = phone.get("/scan").token
    assert phone.get(f"{path}?deck={deck}").status == 403
    assert phone.post(path, token, game=deck, do="keep").status == 403
