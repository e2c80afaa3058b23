"""The versions of a deck side by side, and the later editions of its page, in the host's browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.archive.exchange import pages
from tests.archive import crowns
from tests.web.host.filling import PageForm
from tests.web.host.test_deck_care import REBUILD, build_listed_deck
from tests.web.serving import Host

VERSIONS = "/host/versions"
EDITION = "/host/edition"


@pytest.fixture
def rex(own_host: Host) -> Iterator[str]:
    """A deck by the first edition of a page; gives its id."""
    crowns.forget()
    pages.add_page(own_host.archive, crowns.ONE)
    yield crowns.found_deck(own_host.archive, "Rex")
    crowns.forget()


def test_two_versions_stand_side_by_side(own_host: Host) -> None:
    browser = own_host.browser()
    deck = build_listed_deck(browser)
    path = f"{VERSIONS}?deck={deck}"
    assert f'href="{path}"' in browser.get(f"/d/{deck}").text
    assert "There is only one version of it so far." in browser.get(path).text
    for swap in ("+2 Ember", "-1 Flare"):
        PageForm(browser, f"{REBUILD}?deck={deck}", {"swap 0": swap}).press("keep")
    assert "Version 3" in browser.get(path).text
    last, first = browser.get(path).text, browser.get(f"{path}&older=2&newer=1").text
    assert "−1 Flare" in last.partition('class="note"')[2]
    assert "+2 Ember" in first.partition('class="note"')[2].partition("</p>")[0]
    assert [text.count("<h2 id=") for text in (last, first)] == [2, 2]
    assert browser.get(f"{path}&older=9&newer=x").text == last
    for wrong in ("", "?deck=Ash", "?deck=0000000000000"):
        assert browser.get(f"{VERSIONS}{wrong}").status == 404


def test_a_deck_follows_a_later_edition_once_the_host_says_so(own_host: Host, rex: str) -> None:
    browser, archive = own_host.browser(), own_host.archive
    path = f"{EDITION}?deck={rex}"
    assert f'href="{path}"' in browser.get(f"/d/{rex}").text
    assert "There is no later edition of its game" in browser.get(path).text
    two = pages.add_page(archive, crowns.TWO).present
    page = browser.get(path)
    assert "Life begins with 25 instead of 20." in page.text
    assert browser.post(EDITION, page.token, deck=rex, page="0" * 16).status == 409
    assert archive.find_deck(rex).page != two.page
    assert browser.post(EDITION, page.token, deck=rex, page=two.page).leads_to == f"/d/{rex}"
    assert archive.find_deck(rex).page == two.page
    assert "It uses edition 2 from now on." in browser.get(f"/d/{rex}").text


def test_only_the_host_sees_versions_and_changes_editions(own_host: Host, rex: str) -> None:
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    assert EDITION not in phone.get(f"/d/{rex}").text
    for path in (VERSIONS, EDITION):
        assert phone.get(f"{path}?deck={rex}").status == 403
    assert phone.post(EDITION, phone.get("/scan").token, deck=rex, page="x").status == 403
    assert own_host.browser().post(EDITION, "0" * 64, deck=rex).status == 403
