"""After a game, the pages of its table lead to the next one of the same people."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.session.table.rematch import open_rematch
from tests.web.serving import Host, serving

OVER = ("seat ana", "seat ben", "begin seed 1", "damage ben 120")


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    with serving(archive, permissions="own") as host:
        yield host


def over(host: Host) -> str:
    return host.table(*OVER, game="solforge")


def test_a_finished_table_leads_to_the_next_with_the_same_seat(host: Host) -> None:
    session = over(host)
    ben = host.phone("Ben")
    ben.sit(session, "ben")
    assert "A new table is open" not in ben.get(f"/t/{session}").text
    again = open_rematch(host.archive, session).session
    page = ben.get(f"/t/{session}").text
    assert "A new table is open: SolForge" in page
    assert re.search(rf'action="/t/{again}/seat".*?name="seat" value="ben">Go on playing<', page, re.DOTALL)
    assert ben.sit(again, "ben").leads_to == f"/t/{again}#asked"
    assert "A new table is open" not in ben.get(f"/t/{again}").text


def test_an_open_page_learns_of_the_next_table(host: Host) -> None:
    session = over(host)
    with host.phone("Zoe").news(session) as news:
        news.next()
        again = open_rematch(host.archive, session).session
        assert f'<a href="/t/{again}">Go on playing</a>' in news.of_table().sections["asked"]


def test_a_table_of_others_does_not_follow(host: Host) -> None:
    session = over(host)
    host.table("seat ana", "seat cy", game="solforge")
    host.table(game="solforge")
    assert "A new table is open" not in host.phone().get(f"/t/{session}").text


def test_a_game_that_goes_on_leads_nowhere(host: Host) -> None:
    session = host.table("seat ana", "seat ben", "begin seed 1", game="solforge")
    host.table("seat ana", "seat ben", game="solforge")
    assert "A new table is open" not in host.phone().get(f"/t/{session}").text
