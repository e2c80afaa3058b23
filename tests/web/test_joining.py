"""Coming to the table: the code on the host's screen, seats to choose from, and seats that others hold."""

import re

import pytest
from playwright.async_api import Browser, expect

from companion.archive import web_access
from tests.web.serving import Answer, Host
from tests.web.test_browser import Seen


@pytest.fixture
def session(own_host: Host) -> str:
    """The only table of tonight."""
    return own_host.fight()


def come_in(host: Host, **fields: str) -> Answer:
    """Send the form behind the code on the host's screen from a new phone."""
    phone, secret = host.stranger(), host.server.phones.invitation
    return phone.post("/pin", phone.get(f"/J/{secret}").token, invitation=secret, **fields)


def seats(host: Host) -> dict[str, str]:
    """By their names, the seats that phones hold."""
    return {phone.name: phone.seat for phone in host.server.phones.all()}


def test_the_code_lets_in_without_a_pin_and_leads_to_the_chosen_seat(own_host: Host, session: str) -> None:
    phone, secret = own_host.stranger(), own_host.server.phones.invitation
    page = phone.get(f"/J/{secret}")
    assert page.status == 200
    assert "six digits" not in page.text
    assert re.findall(r'name="seat" value="(\w+)"', page.text) == ["ana", "ben", "cy"]
    answer = phone.post("/pin", page.token, invitation=secret.lower(), seat="ben")
    assert answer.leads_to == f"/t/{session}"
    assert "This is not my seat" in phone.get(f"/t/{session}").text
    assert seats(own_host) == {"Ben": "ben"}
    assert phone.get(f"/j/{secret}").leads_to == "/"


def test_another_code_lets_nobody_in_and_counts_as_a_wrong_pin(own_host: Host, session: str) -> None:  # noqa: ARG001
    phone = own_host.stranger()
    page = phone.get("/J/AAAAAAAA")
    assert "from another evening" in page.text
    assert phone.post("/pin", page.token, invitation="AAAAAAAA", seat="ben").status == 403
    for _ in range(4):
        page = phone.get("/J/AAAAAAAA")
    assert page.status == 429
    assert own_host.server.phones.all() == ()


def test_with_another_pin_the_code_is_another(own_host: Host) -> None:
    phones = own_host.server.phones
    before = phones.invitation
    assert phones.is_invited(before)
    assert not phones.is_invited("")
    web_access.open_access(own_host.archive, "123456")
    phones.refresh()
    assert not phones.is_invited(before)


def test_a_name_that_is_a_free_seats_takes_it(own_host: Host, session: str) -> None:
    assert come_in(own_host, name="cy").leads_to == f"/t/{session}"
    own_host.phone("Ana")
    come_in(own_host, name="Dora")
    # A second Ana finds her seat taken, and looks on under a name of her own.
    own_host.phone("Ana")
    assert seats(own_host) == {"cy": "cy", "Ana": "ana", "Dora": "", "Ana 2": ""}


def test_a_seat_that_a_phone_holds_is_handed_over_by_it_or_the_host(own_host: Host, session: str) -> None:
    path = f"/t/{session}/seat"
    ana, other = own_host.phone("Ana"), own_host.phone("Eve")
    taken = other.post(path, other.get(f"/t/{session}").token, seat="ana")
    assert taken.status == 409
    assert "The phone of Ana has this seat" in taken.text
    page = own_host.stranger().get(f"/J/{own_host.server.phones.invitation}").text
    assert re.findall(r'name="seat" value="(\w+)"', page) == ["ben", "cy"]
    assert "is on another phone already" in page
    assert ana.post(path, ana.get(f"/t/{session}").token, seat="").status == 303
    assert other.post(path, other.get(f"/t/{session}").token, seat="ana").status == 303
    assert ana.post(path, ana.get(f"/t/{session}").token, seat="ana").status == 409
    (eve,) = (phone.phone for phone in own_host.server.phones.all() if phone.name == "Eve")
    own_host.server.phones.send_away(eve)
    assert ana.post(path, ana.get(f"/t/{session}").token, seat="ana").status == 303


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_from_the_code_to_the_own_seat_it_is_one_tap(browser: Browser, own_host: Host) -> None:
    own_host.fight()
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    seen = Seen(await context.new_page(), own_host)
    await seen.page.goto(f"http://127.0.0.1:{own_host.port}/J/{own_host.server.phones.invitation}")
    assert await seen.faults() == []
    await seen.page.get_by_role("button", name="Cy").click()
    await expect(seen.page.locator("#mine").get_by_role("heading", name="Cy")).to_be_visible()
    assert [await seen.faults(), seen.complaints] == [[], []]
    await context.close()
