"""A deck whose record has moved on, on phones: everybody sees the notice, and the host decides."""

import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.archive.web_access import Permissions
from companion.games.decknforge.decks import marks as m
from companion.tabletop.notation.cards import Card
from tests.archive import bands
from tests.session.two_tables import leave_one_seal_other, seat_bands, store_bands
from tests.web.serving import Host, serving
from tests.web.test_permissions import seated

NOTICE = "Grave Choir’s record has changed since this table read it"
WAYS = ("refresh-deck", "off-record", "close-table")


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Return who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


def page_text(html: str) -> str:
    return html.replace("&#39;", "’").replace("'", "’")


@pytest.mark.parametrize("permissions", ["look", "own", "all"])
def test_a_page_shows_the_notice_and_offers_nothing(host: Host, archive: Archive, permissions: Permissions) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    html = page_text(seated(host, left.id, "ana", permissions).get(f"/t/{left.id}").text)
    assert NOTICE in html
    assert "Quick on 4♥ faded." in html
    assert not any(f'value=":{way}' in html for way in WAYS)
    assert ("The host’s screen answers that." in html) == (permissions != "look")


@pytest.mark.sample(3)
@pytest.mark.parametrize("step", ["refresh-deck ana", "off-record ana", "close-table"])
def test_a_phone_that_may_do_all_decides_nothing_of_decks(host: Host, archive: Archive, step: str) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    phone = seated(host, left.id, "ana", "all")
    page = phone.get(f"/t/{left.id}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    assert phone.post(f"/t/{left.id}/answer", page.token, step=f":{step}", at=at).status == 403
    assert archive.lines(left.id)[-1].line.startswith("begin")


def test_a_page_that_is_open_gets_the_notice_and_loses_it(host: Host, archive: Archive) -> None:
    store_bands(archive)
    session = seat_bands(archive, "begin seed 1")
    ben = seated(host, session.id, "ben")
    ben.get(f"/t/{session.id}")
    with ben.news(session.id, len(archive.lines(session.id))) as news:
        assert news.next().kind == "beat"
        bands.add(archive, archive.find_deck("Grave Choir").deck, m.Labelled(Card("AS"), "tough", "Ben"))
        event = news.of_table()
        assert NOTICE in page_text(event.sections["asked"])
        assert NOTICE in page_text(event.sentence)
        session.enter("refresh-deck ana")
        assert NOTICE not in page_text(news.of_table().sections["asked"])


def test_a_phone_does_not_begin_over_it(host: Host, archive: Archive) -> None:
    left = leave_one_seal_other(archive)
    phone = seated(host, left.id, "ana", "all")
    page = phone.get(f"/t/{left.id}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    answer = phone.post(f"/t/{left.id}/answer", page.token, step=":begin", at=at)
    assert "decide first how the table goes on" in page_text(answer.text)
    assert not any(line.line.startswith("begin") for line in archive.lines(left.id))
