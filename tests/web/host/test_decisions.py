"""Decks that went on here and at another device: both histories are shown, and the host decides for all devices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive.sharing import sharing
from companion.archive.sharing.sharing import Synchronizer
from tests.archive import keepsake
from tests.archive.sharing.homes import SharedHome
from tests.web.serving import Host

DECISIONS = "/host/archive/decisions"


@pytest.fixture
def ben(tmp_path: Path) -> Iterator[SharedHome]:
    """Another device."""
    home = SharedHome(tmp_path, "ben")
    yield home
    home.close()


def part_histories(host: Host, ben: SharedHome) -> str:
    """Have a deck go on here and there; its id."""
    archive = host.archive
    deck = archive.found_deck("keepsake", [keepsake.Founded("Choir")])
    sharing.start_sharing(archive, ben.folder)
    ben.share()
    Synchronizer(archive).run()
    ben.sync()
    for each, glory in ((archive, 3), (ben.archive, 5)):
        each.mark(deck, 2, [keepsake.Played(glory)])
    ben.sync()
    Synchronizer(archive).run()
    return deck


def test_both_histories_are_shown_and_one_is_chosen(own_host: Host, ben: SharedHome) -> None:
    browser = own_host.browser()
    assert "Nothing is to be decided" in browser.get(DECISIONS).text
    deck = part_histories(own_host, ben)
    assert f'href="{DECISIONS}"' in browser.get("/host").text
    assert f'href="{DECISIONS}"' in browser.get("/host/archive").text
    page = browser.get(DECISIONS)
    for sentence in ("Here, from entry 2 on:", "At ben@ben-pc, from entry 2 on:", "Keep “Choir” as ben@ben-pc has it"):
        assert sentence in page.text
    (key,) = set(re.findall(r'name="question" value="(\w+)"', page.text))
    assert browser.post(DECISIONS, page.token, question=key, do="1").leads_to == DECISIONS
    assert "It is decided; your other devices hear of it through the folder." in browser.get(DECISIONS).text
    kinds = [entry.kind for entry in own_host.archive.entries(f"deck:{deck}")]
    assert kinds == ["opened", "founded", "played", "played", "corrected", "joined"]
    ben.sync()
    assert ben.archive.entries(f"deck:{deck}") == own_host.archive.entries(f"deck:{deck}")
    assert DECISIONS not in browser.get("/host").text


def test_what_was_not_shown_is_not_decided(own_host: Host, ben: SharedHome) -> None:
    browser, deck = own_host.browser(), part_histories(own_host, ben)
    page = browser.get(DECISIONS)
    (key,) = set(re.findall(r'name="question" value="(\w+)"', page.text))
    before = own_host.archive.entries(f"deck:{deck}")
    for question, way in ((key, "2"), (key, ""), ("", "0")):
        assert browser.post(DECISIONS, page.token, question=question, do=way).status == 409
    own_host.archive.mark(deck, len(before), [keepsake.Played(7)])
    refused = browser.post(DECISIONS, page.token, question=key, do="0")
    assert "That has changed meanwhile, and nothing was decided." in refused.text
    assert len(own_host.archive.entries(f"deck:{deck}")) == len(before) + 1


def test_nothing_is_decided_while_the_folder_is_away(own_host: Host, ben: SharedHome, tmp_path: Path) -> None:
    browser, deck = own_host.browser(), part_histories(own_host, ben)
    page = browser.get(DECISIONS)
    (key,) = set(re.findall(r'name="question" value="(\w+)"', page.text))
    ben.folder.rename(tmp_path / "away")
    assert browser.post(DECISIONS, page.token, question=key, do="0").status == 409
    assert [entry.kind for entry in own_host.archive.entries(f"deck:{deck}")] == ["opened", "founded", "played"]


def test_only_the_host_decides(own_host: Host, ben: SharedHome) -> None:
    part_histories(own_host, ben)
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    assert phone.get(DECISIONS).status == 403
    assert phone.post(DECISIONS, phone.get("/scan").token, do="0").status == 403
    assert own_host.browser().post(DECISIONS, "0" * 64, do="0").status == 403
