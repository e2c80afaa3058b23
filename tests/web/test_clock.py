"""The clock on phones: everybody who may act starts and pauses it, and pages count on by themselves."""

import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from tests.web.serving import Host, Phone, serving
from tests.web.test_permissions import _send, lines, seated


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    with serving(archive, permissions="own") as host:
        yield host


def buttons(phone: Phone, session: str) -> list[str]:
    """What the buttons of the clock do."""
    return re.findall(r'name="does" value="(\w+)"', phone.get(f"/t/{session}").text)


def test_a_phone_starts_pauses_and_ends_the_clock(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    assert buttons(ben, session) == ["up"]
    for what, others in (("up", ["pause", "off"]), ("pause", ["go", "off"]), ("go", ["pause", "off"]), ("off", ["up"])):
        assert _send(ben, session, "clock", does=what).leads_to == f"/t/{session}"
        assert lines(host, session)[-1] == (f"clock {what}", "Ben")
        assert buttons(ben, session) == others


def test_a_page_has_what_it_needs_to_count_on(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    host.sitting(session).enter("clock each 25")
    page = ben.get(f"/t/{session}").text
    times = re.findall(r'<bdi>(\w+)</bdi></span> <strong role="timer"[^>]*data-since="(\d+)" data-of="(\d+)"', page)
    assert [(name, of) for name, _, of in times] == [("Ana", "1500"), ("Ben", "1500"), ("Cy", "1500")]
    assert [name for name, since, _ in times if since != "0"] == ["Ana"], "whose turn it is"
    assert "25:00 left" in page
    host.sitting(session).enter("clock pause")
    page = ben.get(f"/t/{session}").text
    assert "The clock is paused." in page
    assert re.findall(r'data-since="([1-9]\d*)"', page) == []
    assert "data-seconds" in ben.get(f"/t/{session}/screen").text, "the television shows it as well"


def test_who_only_looks_sets_no_clock(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben", "look")
    before = lines(host, session)
    assert buttons(ben, session) == []
    assert _send(ben, session, "clock", does="up").status == 403
    assert lines(host, session) == before


def test_a_button_that_came_too_late_does_nothing(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    host.sitting(session).enter("clock up")
    before = lines(host, session)
    late = _send(ben, session, "clock", does="up")
    assert late.status == 409
    assert "The clock has changed meanwhile" in late.text
    assert lines(host, session) == before


def test_what_is_no_button_is_refused(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    assert _send(ben, session, "clock", does="ana").status == 403
