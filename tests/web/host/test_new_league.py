"""Leagues in the host's browser: their list, and one that begins there."""

from companion.archive.people import leagues, people
from companion.forms import settings
from companion.league import season
from tests.web.host.filling import PageForm
from tests.web.serving import Host, Phone

LEAGUES = "/host/leagues"


def fill_in(browser: Phone, *names: str) -> None:
    """Enter a league of these people; it is kept as a draft."""
    PageForm(browser, LEAGUES, {"name": "Winter"}).press("look")
    for number, name in enumerate(names):
        PageForm(browser, LEAGUES, {f"people {number}": name}).press("look")


def test_a_league_begins_with_known_and_new_people(own_host: Host) -> None:
    browser, archive = own_host.browser(), own_host.archive
    people.add_person(archive, "Ana")
    page = browser.get(LEAGUES).text
    assert "There is no league yet." in page
    assert f'href="{LEAGUES}"' in browser.get("/host").text
    assert '<option value="Ana">' in page
    fill_in(browser, "Ana", "Ben", "Cy")
    form = PageForm(browser, LEAGUES)
    assert "3 people." in form.page.text
    answer = form.press("keep")
    (row,) = leagues.leagues(archive)
    assert answer.leads_to == f"{LEAGUES}/{row.league}"
    assert "Winter begins with 3 people." in browser.get(answer.leads_to).text
    assert f'href="{answer.leads_to}"' in browser.get(LEAGUES).text
    assert sorted(row.name for row in people.page_of_people(archive).rows) == ["Ana", "Ben", "Cy"]
    read = season.read_season(archive, row.league)
    assert (len(read.league.players), read.row.closed) == (3, False)
    assert not settings.draft_answers(archive.name, "League page")


def test_a_form_of_play_other_than_the_usual_one_is_stored(own_host: Host) -> None:
    browser = own_host.browser()
    fill_in(browser, "Ana", "Ben")
    form = PageForm(browser, LEAGUES)
    other = next(filter(None, form.choices("form")))
    form.put("form", other)
    form.put("rounds", "3")
    assert "Buchholz, " in form.page.text, "orders of tie-breaks have their titles"
    assert form.press("keep").status == 303
    (row,) = leagues.leagues(own_host.archive)
    assert season.read_season(own_host.archive, row.league).league.created.form == other


def test_wrong_answers_are_named_and_stay(own_host: Host) -> None:
    browser = own_host.browser()
    refused = PageForm(browser, LEAGUES, {"people 0": "Ana", "seats": "99"}).press("keep")
    assert refused.status == 422
    for sentence in ("The league needs a name.", "A league needs two people or more.", "That is a number from 2 to"):
        assert sentence in refused.text
    kept = PageForm(browser, LEAGUES)
    assert (kept.get("people 0"), kept.get("seats")) == ("Ana", "99")
    assert not leagues.leagues(own_host.archive)


def test_only_the_host_begins_leagues(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    browser, phone = own_host.browser(), own_host.phone("Ana")
    assert phone.get(LEAGUES).status == 403
    assert phone.post(LEAGUES, phone.get("/scan").token, game="league", do="keep").status == 403
    assert browser.post(LEAGUES, "0" * 64, game="league", do="keep").status == 403
    assert browser.post(LEAGUES, browser.get(LEAGUES).token, game="other", do="keep").status == 404
