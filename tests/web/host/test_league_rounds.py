"""A league's page for the host: rounds drawn, results entered, corrected and taken back, people, sheets, the end."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from companion.archive import Archive
from companion.archive.people import people
from companion.league import season
from companion.league.league import UNPAIRED, LeagueMatch
from companion.league.standings import standings
from tests.league.test_season import build_deck, duel
from tests.web.serving import Answer, Host, Phone

NAMES = ("Ana", "Ben", "Cy", "Dora")


def begin_league(archive: Archive, *names: str, seats: int = 2) -> season.Season:
    """A league, whose first round is not drawn."""
    return season.create(archive, "Winter", names or NAMES, season.LeagueSettings(seed=1, seats=seats))


def winter(host: Host) -> season.Season:
    return season.read_season(host.archive, "Winter")


def played_round(host: Host) -> str:
    """The path of a league's page: of its first round one match is played, one is open, and somebody has a bye."""
    read = season.draw_next(host.archive, begin_league(host.archive, *NAMES, "Maximiliane von Hohenzollern-Emden"), 1)
    first = read.league.round(1)[0]
    season.enter(host.archive, read, season.read_outcome(read, [*first.people, "2-1"]))
    return f"/host/leagues/{read.row.league}"


class LeaguePage:
    """The page of a league in a browser."""

    def __init__(self, host: Host, league: str, browser: Phone | None = None) -> None:
        self.path = f"/host/leagues/{league}"
        self.browser = browser or host.browser()

    def get(self, query: str = "") -> str:
        answer = self.browser.get(f"{self.path}{query}")
        assert answer.status == 200
        return answer.text

    def press(self, button: str, *fields: tuple[str, str], at: str = "", number: int | None = None) -> Answer:
        """Press a button of the page as it is now, or as it was at `at`."""
        page = self.browser.get(self.path if number is None else f"{self.path}?round={number}")
        (shown_at,), (shown_round,) = (
            set(re.findall(rf'name="{name}" value="(\d+)"', page.text)) for name in ("at", "round")
        )
        usual = [("token", page.token), ("at", at or shown_at), ("round", shown_round), ("do", button)]
        body = urlencode([*usual, *fields])
        return self.browser.ask("POST", self.path, body, content_type="application/x-www-form-urlencoded")

    def enter(self, match: LeagueMatch, button: str, *figures: str, **fields: str) -> Answer:
        """Press a button in the form of a match, in its round."""
        of_match = [("table", str(match.table)), *(("who", person) for person in match.people)]
        of_match += [*(("figure", figure) for figure in figures), *fields.items()]
        return self.press(button, *of_match, number=match.round)


@pytest.fixture
def page(own_host: Host) -> LeaguePage:
    """The page of a league of four, whose first round is drawn."""
    read = season.draw_next(own_host.archive, begin_league(own_host.archive), 1)
    return LeaguePage(own_host, read.row.league)


def test_rounds_are_drawn_and_filled_by_clicks(own_host: Host) -> None:
    page = LeaguePage(own_host, begin_league(own_host.archive).row.league)
    assert f'href="{page.path}"' in page.browser.get("/host/leagues").text
    assert "No round is drawn yet." in page.get()
    assert page.press("next").leads_to == page.path
    assert "Round 1 is drawn." in page.get()
    first, second = winter(own_host).league.round(1)
    assert page.enter(first, "enter", "2", "1").leads_to == f"{page.path}?round=1#table-1"
    one = winter(own_host).name(first.people[0])
    assert f"{one} 2–1. 1 still open." in page.get()
    page.enter(second, f"won {second.people[1]}")
    assert "All results of round 1 are in." in page.get()
    results = [match.result for match in winter(own_host).league.round(1)]
    assert [(result.places, result.games) for result in results if result] == [((1, 2), (2, 1)), ((2, 1), ())]
    assert page.press("next").leads_to == page.path
    assert len(winter(own_host).league.round(2)) == 2
    assert "Round 1" in page.get("?round=1")


def test_a_round_with_open_results_is_left_only_after_a_question(own_host: Host, page: LeaguePage) -> None:
    asks = page.press("next")
    assert (asks.status, winter(own_host).league.rounds) == (200, 1)
    assert "Round 1 still lacks 2 results." in asks.text
    assert page.press("next", ("sure", "yes")).status == 303
    assert winter(own_host).league.rounds == 2
    asks = page.press("again")
    assert "people may have seen it" in asks.text
    assert not winter(own_host).league.redrawn
    page.press("again", ("sure", "yes"))
    assert winter(own_host).league.redrawn == {2: 1}


def test_a_button_that_is_pressed_twice_draws_once(own_host: Host, page: LeaguePage) -> None:
    at = str(winter(own_host).row.length)
    for status in (303, 409):
        assert page.press("next", ("sure", "yes"), at=at).status == status
    assert winter(own_host).league.rounds == 2


def test_results_are_corrected_and_taken_back(own_host: Host, page: LeaguePage) -> None:
    match = winter(own_host).league.round(1)[0]
    page.enter(match, "enter", "2", "1", drawn="1")
    old = str(winter(own_host).row.length)
    page.enter(match, "enter", "0", "2")
    result = winter(own_host).league.round(1)[0].result
    assert result is not None
    assert (result.games, result.games_drawn) == ((0, 2), 0)
    of_match = [("table", "1"), *(("who", person) for person in match.people)]
    for button in ("draw", "withdraw", f"absent {match.people[0]}"):
        assert "has changed meanwhile" in page.press(button, *of_match, at=old).text
        assert winter(own_host).league.round(1)[0].result == result
    page.enter(match, "draw")
    assert "drawn." in page.get()
    page.enter(match, "withdraw")
    assert "the result is taken back." in page.get()
    assert winter(own_host).league.round(1)[0].is_open


def test_people_who_do_not_come_lose_their_match(own_host: Host, page: LeaguePage) -> None:
    first, second = winter(own_host).league.round(1)
    page.enter(first, f"absent {first.people[0]}")
    page.enter(second, "absent")
    results = [match.result for match in winter(own_host).league.round(1)]
    assert [(result.places, result.absent) for result in results if result] == [((2, 1), (0,)), ((1, 2), (0, 1))]
    assert [line.points for line in standings(winter(own_host).league)] == [3, 0, 0, 0]


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [(("2", ""), "Enter a number for "), (("2", "many"), "Enter a number for "), (("-1", "2"), "less than 0")],
)
def test_wrong_figures_are_named_and_stay(
    own_host: Host, page: LeaguePage, figures: tuple[str, str], sentence: str
) -> None:
    refused = page.enter(winter(own_host).league.round(1)[0], "enter", *figures)
    assert refused.status == 422
    assert sentence in refused.text
    assert f'name="figure" value="{figures[0]}"' in refused.text
    assert len(winter(own_host).league.open_matches()) == 2


def test_larger_tables_have_places_or_scores(own_host: Host) -> None:
    read = season.draw_next(own_host.archive, begin_league(own_host.archive, seats=4), 1)
    page, (match,) = LeaguePage(own_host, read.row.league), read.league.round(1)
    page.enter(match, "enter", "2", "1", "2", "4", means="places")
    result = winter(own_host).league.round(1)[0].result
    assert result is not None
    assert result.places == (2, 1, 2, 4)
    page.enter(match, "enter", "3", "14", "", "9", means="scores", absent=match.people[2])
    result = winter(own_host).league.round(1)[0].result
    assert result is not None
    assert (result.places, result.scores, result.absent) == ((3, 1, 4, 2), (3, 14, 0, 9), (2,))


def test_people_join_leave_and_are_paired_late(own_host: Host, page: LeaguePage) -> None:
    for name in ("Eve", "Fay", "Gus"):
        page.press("join", ("text", name))
    assert "Gus plays in Winter from the next round on." in page.get()
    read = winter(own_host)
    eve, fay, gus = (read.find(name) for name in ("Eve", "Fay", "Gus"))
    page.press("bye", ("text", gus))
    assert "Gus has a bye." in page.get()
    page.press("pair", ("who", eve), ("who", fay))
    assert "Eve – Fay are paired in round 1." in page.get()
    page.press("drop", ("text", read.find("Dora")))
    assert "Dora plays no further rounds of Winter." in page.get()
    matches = winter(own_host).league.round(1)
    assert [match.people for match in matches[2:]] == [(gus,), (eve, fay)]
    assert len(winter(own_host).league.active) == 6
    for button, field in (
        ("join", ("text", "")),
        ("join", ("text", "Eve")),
        ("pair", ("who", eve)),
        ("bye", ("text", "x")),
    ):
        assert page.press(button, field).status == 422


def test_a_match_outside_the_pairings_is_entered_and_taken_back(own_host: Host, page: LeaguePage) -> None:
    read = winter(own_host)
    ana, ben = read.find("Ana"), read.find("Ben")
    both = [("who", ana), ("figure", ""), ("who", ben), ("figure", "")]
    assert page.press("won", *both).leads_to == f"{page.path}?round=0"
    page.press("enter", ("who", ben), ("figure", "2"), ("who", ana), ("figure", "1"))
    first, second = winter(own_host).league.round(UNPAIRED)
    assert (first.people, second.people) == ((ana, ben), (ben, ana))
    assert "Matches outside the pairings" in page.get("?round=0")
    page.enter(first, "draw")
    first, other = winter(own_host).league.round(UNPAIRED)
    assert (first.result and first.result.places, other) == ((1, 1), second)
    page.enter(first, "withdraw")
    assert winter(own_host).league.round(UNPAIRED) == (second,)
    assert page.press("won", ("who", ana), ("who", "")).status == 422
    assert page.press("enter", ("who", ana), ("figure", "1"), ("who", ana), ("figure", "2")).status == 422


def test_a_game_that_was_played_here_is_taken(own_host: Host) -> None:
    archive = own_host.archive
    for name in ("Ana", "Ben"):
        build_deck(archive, f"{name}'s", name)
    read = season.draw_next(archive, begin_league(archive, "Ana", "Ben"), 1)
    session = duel(archive, "ben", "seal")
    page, (match,) = LeaguePage(own_host, read.row.league), read.league.round(1)
    assert f'value="take {session}"' in page.get()
    assert page.enter(match, "take other").status == 422
    page.enter(match, f"take {session}")
    result = winter(own_host).league.round(1)[0].result
    assert result is not None
    assert (result.session, result.games) == (session, (1, 0))


def test_a_league_ends_and_is_opened_again(own_host: Host, page: LeaguePage) -> None:
    page.press("close")
    closed = page.get()
    assert "its standings are final" in closed
    assert 'value="enter"' not in closed
    assert "(closed)" in page.browser.get("/host/leagues").text
    assert "is closed; open it again first." in page.press("join", ("text", "Eve")).text
    page.press("reopen")
    assert "Winter goes on." in page.get()
    assert not winter(own_host).row.closed


def test_sheets_and_tables_have_the_public_names(own_host: Host, page: LeaguePage) -> None:
    people.set_alias(own_host.archive, "Ben", "Grey Fox")
    assert "Grey Fox" not in page.get()
    for name in ("standings", "pairings"):
        table, sheet = (page.browser.get(f"{page.path}/{name}.{kind}") for kind in ("csv", "pdf"))
        assert "Grey Fox" in table.text
        assert ",Ben," not in table.text
        assert sheet.text.startswith("%PDF-")
        assert page.browser.get(f"{page.path}/{name}.exe").status == 404


def test_only_the_host_changes_a_league(own_host: Host, page: LeaguePage) -> None:
    own_host.server.phones.allow_all("all")
    before, phone = winter(own_host).row.length, own_host.phone("Ana")
    assert phone.get(page.path).status == 403
    assert phone.get(f"{page.path}/standings.csv").status == 403
    assert phone.post(page.path, phone.get("/scan").token, do="close").status == 403
    assert page.browser.post(page.path, "0" * 64, do="close").status == 403
    assert page.press("dance").status == 422
    for path in ("/host/leagues/7K3M9Q", "/host/leagues/Winter", "/host/leagues/7k3m9q/standings.csv"):
        assert page.browser.get(path).status == 404
    assert winter(own_host).row.length == before
