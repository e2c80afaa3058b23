"""The end of the program from the host's pages."""

import time

from tests.web.serving import PATIENCE, Host


def test_the_end_is_asked_about_and_names_the_phones_that_are_here(own_host: Host) -> None:
    session, browser = own_host.fight(), own_host.browser()
    assert "lose their pages" not in browser.get("/host/end").text
    zoe = own_host.phone("Zoe")
    with zoe.news(session):
        page = browser.get("/host/end")
        assert "These phones lose their pages until the companion is started again: Zoe." in page.text
    assert browser.get("/host").status == 200


def test_only_a_form_of_the_host_ends_it(own_host: Host) -> None:
    session, zoe, browser = own_host.fight(), own_host.phone("Zoe"), own_host.browser()
    assert zoe.get("/host/end").status == 403
    assert zoe.post("/host/end", zoe.get(f"/t/{session}").token).status == 403
    assert browser.post("/host/end", "0" * 64).status == 403
    assert browser.get("/host").status == 200


def test_the_last_page_is_sent_before_the_program_ends(own_host: Host) -> None:
    browser = own_host.browser()
    answer = browser.post("/host/end", browser.get("/host/end").token)
    assert answer.status == 200
    assert "The companion has ended" in answer.text
    assert "/host/leave" not in answer.text
    until = time.monotonic() + PATIENCE
    while own_host.server.is_serving:
        assert time.monotonic() < until
        time.sleep(0.02)
