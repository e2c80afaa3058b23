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


def test_a_table_of_another_game_says_so_and_comes_last(host: Host) -> None:
    session = over(host)
    other = host.table("seat ana", "seat ben", game="soulforger")
    page = host.phone("Ben").get(f"/t/{session}").text
    assert "A table of another game is open: Soul-Forger" in page
    assert f'<a href="/t/{other}">Go to this table</a>' in page
    again = host.table("seat ana", "seat ben", game="solforge")
    host.table("seat ana", "seat ben", game="soulforger")
    page = host.phone("Ben").get(f"/t/{session}").text
    assert "A new table is open: SolForge" in page
    assert f'<a href="/t/{again}">Go on playing</a>' in page


def test_a_game_that_goes_on_leads_nowhere(host: Host) -> None:
    session = host.table("seat ana", "seat ben", "begin seed 1", game="solforge")
    host.table("seat ana", "seat ben", game="solforge")
    assert "A new table is open" not in host.phone().get(f"/t/{session}").text


LOST = ("seat ana", "seat ben", "bosses ana:AS", "begin seed 1", "set ana hp 0", "set ben hp 0")
LEAVING_NOTHING = (*LOST, "pick ana ana", "pick ben ben", "seal")
"""A lost dungeon of loose bands: its seal has nothing to write."""


def test_a_game_that_leaves_nothing_is_sealed_on_its_page(host: Host) -> None:
    session = host.table(*LOST)
    ben = host.phone("Ben")
    ben.sit(session, "ben")
    for line in LEAVING_NOTHING[len(LOST) :]:
        host.sitting(session).enter(line)
    page = ben.get(f"/t/{session}").text
    assert "The game is sealed." in page
    assert f'action="/t/{session}/change"' not in page


def test_a_sealed_game_that_left_nothing_follows_no_other(host: Host) -> None:
    session = host.table(*LEAVING_NOTHING)
    host.table(*LEAVING_NOTHING)
    assert "A new table is open" not in host.phone().get(f"/t/{session}").text
