"""Rehearsals in the host's browser: their form, the games played behind the page, their figures, and comparisons."""

import json
import time
from collections.abc import Mapping

import pytest

from companion.archive import rehearsals
from companion.rehearsal import storage
from tests.web.host.filling import PageForm
from tests.web.serving import PATIENCE, Host, Phone

REHEARSALS = "/host/rehearsals"
QUICK: Mapping[str, str] = {"games": "10", "people 0": "random"}


def begin_rehearsal(browser: Phone, game: str = "decknforge", **answers: str) -> str:
    """Begin a rehearsal; return the path of its page."""
    form = PageForm(browser, f"{REHEARSALS}?game={game}", {**QUICK, **answers})
    answer = form.press("keep")
    assert answer.status == 303, answer.text
    return answer.leads_to


def await_page_text(browser: Phone, path: str, text: str) -> str:
    """Wait until a page has a text, and return the page."""
    deadline = time.monotonic() + 3 * PATIENCE
    while text not in (page := browser.get(path).text):
        assert time.monotonic() < deadline, page
        time.sleep(0.05)
    return page


def test_games_are_played_and_their_figures_can_be_compared(own_host: Host) -> None:
    browser = own_host.browser()
    assert f'href="{REHEARSALS}"' in browser.get("/host").text
    path = begin_rehearsal(browser, name="Autumn")
    page = await_page_text(browser, path, "All 10 games are played.")
    for text in ("Dungeons won", "All shares", "Kills by seat", 'class="interval', "seed 0."):
        assert text in page
    data = json.loads(browser.get(f"{path}/figures.json").text)
    assert data["units"] == 10
    assert browser.get(f"{path}/figures.csv").text.startswith("figure,title,unit,value,low,high\nwin,")
    assert "</svg>" in browser.get(f"{path}/figures.svg").text
    assert browser.get(f"{path}/figures.pdf").text.startswith("%PDF")

    other = begin_rehearsal(browser, compare="rules", seed="1", **{"rule 0 key": "pressure", "rule 0 value": "4"})
    page = await_page_text(browser, other, "All 10 games are played.")
    assert "points" in page
    assert 'class="interval rows-2"' in page
    page = browser.get(f"{path}?against={other.rpartition('/')[2]}").text
    assert "The two were rehearsed separately" in page
    assert [row.units for row in rehearsals.rehearsals(own_host.archive)] == [10, 10]
    listed = browser.get(REHEARSALS).text
    assert "Autumn" in listed
    assert "pressure=4 against as printed" in listed


def test_a_rehearsal_is_stopped_and_continued(own_host: Host) -> None:
    browser, archive = own_host.browser(), own_host.archive
    path = begin_rehearsal(browser, games="100000")
    assert "Stop it" in browser.get(path).text
    refused = PageForm(browser, f"{REHEARSALS}?game=decknforge", QUICK).press("keep")
    assert refused.status == 422
    assert "another rehearsal is still running" in refused.text
    browser.post(path, browser.get(path).token, do="stop")
    await_page_text(browser, path, "Stopped after")
    (row,) = rehearsals.rehearsals(archive)
    played = storage.read(archive, row.rehearsal).progress.units
    answer = browser.post(path, browser.get(path).token, do="continue", games=str(played))
    assert answer.status == 409
    browser.post(path, browser.get(path).token, do="continue", games=str(played + 25))
    await_page_text(browser, path, f"All {played + 25} games are played.")


@pytest.mark.usefixtures("no_drafts")
@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"games": "none"}, "That is a number from 1 to 1000000."),
        ({"players": "9"}, "people play this, not 9"),
        ({"rule 0 key": "pressure"}, "Choose a house rule, and its value."),
        ({"rule 0 key": "pressure", "rule 0 value": "many"}, "pressure"),
        ({"deck 0": "Grey Fox"}, "Grey Fox"),
        ({"compare": "rules"}, "Both would play by the same house rules"),
        ({"compare": "sweep"}, "Choose a house rule to try."),
        ({"compare": "find", "lever 0 key": "pressure"}, "Choose the figure"),
        ({"compare": "without"}, "Name an effect."),
    ],
)
def test_wrong_answers_are_refused_before_anything_is_stored(
    own_host: Host, answers: Mapping[str, str], sentence: str
) -> None:
    browser = own_host.browser()
    PageForm(browser, f"{REHEARSALS}?game=decknforge", answers).press("look")
    refused = PageForm(browser, f"{REHEARSALS}?game=decknforge").press("keep")
    assert refused.status == 422
    assert sentence in refused.text
    assert not rehearsals.rehearsals(own_host.archive)


def test_lists_of_cards_play_against_each_other(own_host: Host) -> None:
    browser = own_host.browser()
    path = begin_rehearsal(
        browser, "solforge", games="2", list="solforge main\n30 Imp | creature | tempys | 5/2 | level 2 9/4\n"
    )
    page = await_page_text(browser, path, "All 2 games are played.")
    assert "pasted list" in page


def test_rules_are_searched_for_a_wanted_result(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, f"{REHEARSALS}?game=decknforge", {**QUICK, "compare": "find"}).press("look")
    levers = {"lever 0 key": "pressure", "lever 0 values": "2 6", "figure": "win", "wish": "50 %"}
    answer = PageForm(browser, f"{REHEARSALS}?game=decknforge", levers).press("keep")
    page = await_page_text(browser, answer.leads_to, "All 10 games are played.")
    assert "Nearest" in page
    assert "pressure=6" in page


def test_only_the_host_rehearses(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    browser, phone = own_host.browser(), own_host.phone("Ana")
    assert phone.get(REHEARSALS).status == 403
    assert phone.post(f"{REHEARSALS}/7K3M9Q", phone.get("/scan").token, do="stop").status == 403
    assert browser.get(f"{REHEARSALS}/7K3M9Q").status == 404
    assert browser.get(f"{REHEARSALS}/7K3M9Q/figures.csv").status == 404
    assert browser.post(f"{REHEARSALS}/7K3M9Q", "0" * 64, do="stop").status == 403
