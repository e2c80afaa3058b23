"""The page of the phones: the code, the PIN, who is in, and what they may do."""

from companion.archive import web_access
from tests.web.serving import PIN, Host, Phone


def press_phone(browser: Phone, **fields: str) -> int:
    """Send a form of the page."""
    return browser.post("/host/phones", browser.get("/host/phones").token, **fields).status


def test_the_page_has_the_code_the_pin_and_the_address(own_host: Host) -> None:
    page = own_host.browser().get("/host/phones").text
    assert PIN in page
    assert f"http://127.0.0.1:{own_host.port}" in page
    assert '<svg class="code"' in page
    assert "No phone has come in yet" in page


def test_a_phone_that_waits_is_let_in(own_host: Host) -> None:
    waiting = web_access.ask_to_come_in(own_host.archive, "10.0.0.7", "000000", "Zoe")
    assert waiting is not None
    browser = own_host.browser()
    page = browser.get("/host/phones").text
    assert waiting.code in page
    assert press_phone(browser, do="back", phone=waiting.phone) == 303
    assert not own_host.server.phones.all()[0].away


def test_a_phone_is_sent_away_and_comes_back(own_host: Host) -> None:
    zoe, browser = own_host.phone("Zoe"), own_host.browser()
    (phone,) = own_host.server.phones.all()
    assert press_phone(browser, do="away", phone=phone.phone) == 303
    assert zoe.get("/tables").leads_to == "/pin"
    assert "sent away" in browser.get("/host/phones").text
    assert press_phone(browser, do="back", phone=phone.phone) == 303
    assert zoe.get("/tables").status == 200


def test_permissions_are_set_for_one_phone_and_for_all(own_host: Host) -> None:
    own_host.phone("Zoe")
    browser, phones = own_host.browser(), own_host.server.phones
    (phone,) = phones.all()
    assert press_phone(browser, do="allow-all", permissions="own") == 303
    assert phones.permissions_of(phones.all()[0]) == "own"
    assert press_phone(browser, do="allow", phone=phone.phone, permissions="all") == 303
    assert (phones.permissions_of(phones.all()[0]), phones.doors.permissions) == ("all", "own")


def test_the_pin_and_choosing_face_down_change(own_host: Host) -> None:
    browser, phones = own_host.browser(), own_host.server.phones
    assert press_phone(browser, do="pin") == 303
    assert phones.doors.pin != PIN
    assert press_phone(browser, do="face-down") == 303
    assert phones.doors.face_down
    assert press_phone(browser, do="face-up") == 303
    assert not phones.doors.face_down


def test_what_no_button_sends_changes_nothing(own_host: Host) -> None:
    browser, before = own_host.browser(), own_host.server.phones.doors
    assert press_phone(browser, do="allow-all", permissions="everything") == 400
    assert press_phone(browser, do="allow", permissions="all") == 400
    assert press_phone(browser) == 400
    assert press_phone(browser, do="away", phone="nobody") == 409
    own_host.server.phones.refresh()
    assert own_host.server.phones.doors == before
