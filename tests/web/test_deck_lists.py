"""Decks that phones build from pasted lists: what was read is shown and asked about before anything is stored."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator
from typing import Final

import pytest

from companion.archive import Archive, deck_records
from tests.web.serving import Answer, Host, Phone, serving
from tests.web.test_sharing import multipart

_KIND: Final = "multipart/form-data; boundary=xXxcutxXx"
LIST: Final = "Deck\n4 Ash Wolf (RNA) 200\n2 Ash Wolf (M19) 14\n4 Fire // Ice (MH2) 290\n\nSideboard\n3 Owl\n"


@pytest.fixture
def open_host(archive: Archive) -> Iterator[Host]:
    """Who lets phones do everything."""
    with serving(archive, permissions="all") as host:
        yield host


def send(phone: Phone, **parts: str) -> Answer:
    """Send the form of a list."""
    token = phone.get("/decks/new").token
    usual = {"game": "solforge", "name": "Ash Pack", "holder": "Ana"}
    texts = {name: text.encode() for name, text in {**usual, **parts}.items()}
    return phone.ask("POST", "/decks/list", multipart(token, **texts), content_type=_KIND)


def test_a_pasted_list_is_shown_and_asked_about_before_it_is_kept(open_host: Host) -> None:
    phone = open_host.phone("Ana")
    page = send(phone, text=LIST)
    assert "4 × Ash Wolf, 2 × Ash Wolf, 4 × Fire // Ice, …: 13 cards in 4 lines." in page.text
    assert "“Sideboard” has 3 cards; which part of the deck is that?" in page.text
    assert 'value="build"' not in page.text
    assert not open_host.archive.decks()
    unsure = send(phone, text=LIST, build="yes")
    assert (unsure.status, open_host.archive.decks()) == (200, ())
    sure = send(phone, text=LIST, parta="none")
    assert 'name="build"' in sure.text
    assert "“Sideboard”: 3 cards are left out." in sure.text
    assert not open_host.archive.decks()
    built = send(phone, text=LIST, parta="none", build="yes")
    (row,) = open_host.archive.decks()
    assert (built.status, built.leads_to) == (303, f"/d/{row.deck}")
    (version,) = deck_records.deck_lists(open_host.archive, row.deck)
    assert [(card.part, card.copies, card.name, card.says) for card in version.cards] == [
        ("main", 6, "Ash Wolf", ("printing 4× RNA 200; 2× M19 14",)),
        ("main", 4, "Fire // Ice", ("printing MH2 290",)),
    ]


def test_unclear_lines_are_shown_and_can_be_left_out(open_host: Host) -> None:
    phone, text = open_host.phone("Ana"), "4 Ash Wolf\nRamp\n3 Owl\n2 Ember (3)"
    page = send(phone, text=text)
    assert "2 lines not understood: “Ramp”, “2 Ember (3)”." in page.text
    assert "a card or a heading?" in page.text
    assert send(phone, text=text, build="yes").status == 200
    assert send(phone, text=text, skip="yes", build="yes").status == 303
    (row,) = open_host.archive.decks()
    assert [card.name for card in deck_records.deck_lists(open_host.archive, row.deck)[-1].cards] == ["Ash Wolf", "Owl"]


@pytest.mark.parametrize("text", [LIST, "Count\tName\n4\tAsh & <Wolf>\n,\tOwl", "4 Owl\n\n0 Crow </textarea>"])
def test_the_list_stays_as_it_is_while_it_is_changed(open_host: Host, text: str) -> None:
    page = send(open_host.phone("Ana"), text=text.replace("\n", "\r\n")).text
    (field,) = re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert html.unescape(field) == text


def test_the_game_of_a_link_is_not_asked_again(open_host: Host) -> None:
    phone = open_host.phone("Ana")
    assert "<select" in phone.get("/decks/new").text
    page = phone.get("/decks/new?game=solforge").text
    assert '<select id="game"' not in page
    assert '<input type="hidden" name="game" value="solforge">' in page


def test_a_file_is_read_whatever_its_encoding(open_host: Host) -> None:
    phone = open_host.phone("Ana")
    token = phone.get("/decks/new").token
    parts = {"game": b"solforge", "name": b"Vault", "holder": b"Ana", "build": b"yes"}
    body = multipart(token, **parts, text=b"", file="4 Lim-Dûl's Vault".encode("cp1252"))
    assert phone.ask("POST", "/decks/list", body, content_type=_KIND).status == 303
    (row,) = open_host.archive.decks()
    assert deck_records.deck_lists(open_host.archive, row.deck)[-1].cards[0].name == "Lim-Dûl's Vault"


def test_who_may_only_look_builds_nothing(archive: Archive) -> None:
    with serving(archive, permissions="look") as host:
        phone = host.phone("Ana")
        assert "/decks/new" not in phone.get("/decks").text
        assert phone.get("/decks/new").status == 403
        body = multipart(
            phone.get("/scan").token, game=b"solforge", name=b"x", holder=b"Ana", text=b"4 Owl", build=b"yes"
        )
        assert phone.ask("POST", "/decks/list", body, content_type=_KIND).status == 403
        assert not archive.decks()


def test_a_list_is_given_to_other_programs(open_host: Host) -> None:
    phone = open_host.phone("Ana")
    deck = send(phone, text=LIST, parta="solbind", build="yes").leads_to
    assert f'href="{deck}/list/cod"' in phone.get(deck).text
    arena = phone.get(f"{deck}/list/arena")
    assert arena.text == "Deck\n4 Ash Wolf (RNA) 200\n2 Ash Wolf (M19) 14\n4 Fire // Ice (MH2) 290\n\nSolbind\n3 Owl\n"
    assert arena.headers["content-disposition"].endswith('.txt"')
    assert (
        '<card number="4" name="Fire // Ice" setShortName="MH2" collectorNumber="290"/>'
        in phone.get(f"{deck}/list/cod").text
    )
    rows = list(csv.DictReader(io.StringIO(phone.get(f"{deck}/list/csv").text)))
    assert [(row["Section"], row["Count"], row["Name"]) for row in rows][-1] == ("solbind", "3", "Owl")
    assert phone.get(f"{deck}/list/pdf").status == 404


def test_a_phone_at_a_seat_builds_decks_for_its_player_alone(archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        session = host.table('seat ana name "Ana"', 'seat ben name "Ben"', game="solforge")
        phone = host.phone("Zoe")
        assert phone.get("/decks/new").status == 403
        assert phone.sit(session, "ana").status == 303
        page = phone.get("/decks/new").text
        assert '<input type="hidden" name="holder" value="Ana">' in page
        assert send(phone, text="4 Owl", holder="Ben", build="yes").status == 422
        assert send(phone, text="4 Owl", build="yes").status == 303
        (row,) = archive.decks()
        assert row.holder == "Ana"
