"""A deck gets another name in the host's browser."""

from tests.archive import bands
from tests.web.serving import Host

PATH = "/host/deck-name"


def test_a_deck_is_renamed_on_its_page(own_host: Host) -> None:
    browser, archive = own_host.browser(), own_host.archive
    deck = bands.found_band(archive, "Grave Choir", "Ana")
    bands.found_band(archive, "Salt and Iron", "Ben")
    path = f"{PATH}?deck={deck}"
    assert f'href="{path}"' in browser.get(f"/d/{deck}").text
    page = browser.get(path)
    assert 'value="Grave Choir"' in page.text
    taken = browser.post(PATH, page.token, deck=deck, name="Salt and Iron")
    assert (taken.status, 'value="Salt and Iron"' in taken.text) == (409, True)
    assert "Salt and Iron" in taken.text.partition('role="alert"')[2].partition("</p>")[0]
    assert browser.post(PATH, page.token, deck=deck, name=" ").status == 409
    assert archive.find_deck(deck).name == "Grave Choir"
    assert browser.post(PATH, page.token, deck=deck, name="Choir of the North").leads_to == f"/d/{deck}"
    assert archive.find_deck(deck).name == "Choir of the North"
    assert "Grave Choir is called Choir of the North now." in browser.get(f"/d/{deck}").text


def test_only_the_host_renames(own_host: Host) -> None:
    deck = bands.found_band(own_host.archive, "Grave Choir", "Ana")
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    assert PATH not in phone.get(f"/d/{deck}").text
    assert phone.get(f"{PATH}?deck={deck}").status == 403
    assert phone.post(PATH, phone.get("/scan").token, deck=deck, name="x").status == 403
    assert own_host.browser().post(PATH, "0" * 64, deck=deck, name="x").status == 403
