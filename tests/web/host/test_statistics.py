"""The pages of the statistics: what is counted, its table and charts, and the games that were imported."""

import re

import pytest

from companion.archive import Archive
from companion.archive.exchange import play_removal
from companion.statistics import display
from companion.statistics.tables import compute_statistics
from companion.tabletop.estimate import wilson
from companion.web.host.charts import draw_interval, draw_months
from companion.web.host.statistics import Filters, read_statistics
from tests.archive import household
from tests.games.constructed.test_table import enter, seated
from tests.statistics import sittings
from tests.web.serving import Host

STATISTICS = "/host/statistics"
IMPORTED = f"{STATISTICS}/imported"
_TAGS = re.compile(r"<[^>]+>")


def visible_text(html: str) -> str:
    """The visible text of a page."""
    return " ".join(_TAGS.sub(" ", html).split())


@pytest.fixture
def played(own_host: Host) -> Host:
    """A server of an archive with sixty games."""
    sittings.fill(own_host.archive, 60)
    return own_host


def test_without_games_the_page_says_so(own_host: Host) -> None:
    page = own_host.browser().get(STATISTICS)
    assert page.status == 200
    assert "No game is over yet." in page.text
    assert ".csv" not in page.text


@pytest.mark.parametrize("by", ["person", "deck", "opponent", "players", "first", "rules", "month"])
def test_every_figure_of_a_grouping_is_in_the_table(played: Host, by: str) -> None:
    statistics = compute_statistics(played.archive, by)
    page = visible_text(played.browser().get(f"{STATISTICS}?by={by}").text)
    assert str(display.headline(statistics)) in page
    if not statistics.groups:
        assert str(statistics.remark) in page
        return
    for column in display.columns_of(statistics):
        assert str(column.title) in page
        for group in statistics.groups:
            assert " ".join(str(column.cell(group)).split()) in page


def test_what_games_count_is_offered_and_counted(played: Host) -> None:
    view = read_statistics(played.archive, Filters("boss"))
    assert "boss" in {choice.word for choice in view.groupings}
    assert "Grave Wyrm" in played.browser().get(f"{STATISTICS}?by=boss").text


def test_only_the_games_of_a_deck_or_of_a_game_are_counted(played: Host) -> None:
    enter(seated(played.archive, "oddfrontier"), "concede ben", "seal")
    archive, browser = played.archive, played.browser()
    deck = archive.decks()[0]
    of_deck = compute_statistics(archive, "person", deck.deck)
    page = browser.get(f"{STATISTICS}?by=person&deck={deck.deck}").text
    assert str(display.headline(of_deck)) in visible_text(page)
    for wrong in ("nothing", "7K3M-9QPX-2B4T-D"):
        refused = browser.get(f"{STATISTICS}?deck={wrong}")
        assert refused.status == 422
        assert wrong in refused.text
    view = read_statistics(archive, Filters())
    assert view.games
    for choice in view.games:
        one = compute_statistics(archive, "person", game=choice.word)
        assert str(display.headline(one)) in visible_text(browser.get(f"{STATISTICS}?game={choice.word}").text)


@pytest.mark.parametrize("query", ["by=nothing", "game=nothing", "by=%00&game=%ff&deck=&together", "by="])
def test_odd_filters_are_no_fault(played: Host, query: str) -> None:
    assert played.browser().get(f"{STATISTICS}?{query}").status == 200


@pytest.mark.slow
def test_months_have_a_chart_for_each_game_with_several(own_host: Host) -> None:
    sittings.fill(own_host.archive, 2000)
    view = read_statistics(own_host.archive, Filters("month", is_together=True))
    assert [chart.picture.count("<svg") for chart in view.charts] == [1]
    page = own_host.browser().get(f"{STATISTICS}?by=month&together=on").text
    assert 'class="months"' in page
    assert 'aria-hidden="true"' in page


def test_charts_draw_shares_and_numbers_in_their_place() -> None:
    assert draw_interval(None) == ""
    for won in range(11):
        picture = draw_interval(wilson(won, 10))
        x = re.search(r'cx="([0-9.]+)"', picture)
        assert x is not None
        assert float(x[1]) == won * 10
    assert draw_months(()) == ""


def test_all_games_are_exported_as_csv_with_public_names(played: Host) -> None:
    answer = played.browser().get(f"{STATISTICS}/games.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    lines = answer.text.splitlines()
    assert lines[0].startswith("session,title,game")
    assert len(lines) > 60


def find_ludo(archive: Archive) -> str:
    """The id of the only imported game."""
    (play,) = play_removal.list_plays(archive)
    return play.id


def test_an_imported_game_is_removed_and_brought_back(own_host: Host) -> None:
    household.fill(own_host.archive)
    browser, archive = own_host.browser(), own_host.archive
    page = browser.get(IMPORTED)
    assert "Ludo" in page.text
    before = compute_statistics(archive).games
    answer = browser.post(IMPORTED, page.token, do="remove", play=find_ludo(archive))
    assert "is removed: it no longer counts" in browser.get(answer.leads_to).text
    assert compute_statistics(archive).games == before - 1
    assert browser.post(IMPORTED, page.token, do="remove", play=find_ludo(archive)).status == 409
    answer = browser.post(IMPORTED, page.token, do="restore", play=find_ludo(archive), q="ludo 2024")
    assert "counts again" in browser.get(answer.leads_to).text
    assert compute_statistics(archive).games == before


def test_imported_games_are_searched(own_host: Host) -> None:
    household.fill(own_host.archive)
    browser = own_host.browser()
    for text in ("ludo", "2024", "Ana lud", "zoë"):
        assert (
            find_ludo(own_host.archive)
            in browser.get(f"{IMPORTED}?q={text}".replace(" ", "+").replace("ë", "%C3%AB")).text
        )
    assert "No imported game has" in browser.get(f"{IMPORTED}?q=chess").text


def test_phones_see_none_of_it_and_forms_need_their_token(own_host: Host) -> None:
    household.fill(own_host.archive)
    own_host.server.phones.allow_all("all")
    browser, ludo = own_host.browser(), find_ludo(own_host.archive)
    for visitor in (own_host.phone("Ana"), own_host.stranger()):
        for path in (STATISTICS, f"{STATISTICS}/games.csv", IMPORTED):
            assert visitor.get(path).status == 403
        assert visitor.post(IMPORTED, "0" * 64, do="remove", play=ludo).status == 403
    assert browser.post(IMPORTED, "0" * 64, do="remove", play=ludo).status == 403
    assert browser.post(IMPORTED, browser.get(IMPORTED).token, do="dance", play=ludo).status == 400
    assert browser.post(IMPORTED, browser.get(IMPORTED).token, do="remove", play="nothing").status == 409
    (play,) = play_removal.list_plays(own_host.archive)
    assert not play.is_removed
