"""The evening's card on phones: a page, a picture and a PDF, for who may see the table."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from companion.archive import Archive
from companion.tabletop.evening import CardBar, CardChart, CardFigure, CardList, CardTable, EveningCard
from companion.web import templates
from tests.hostile import MARKUP, STEERING, steers
from tests.printing.evenings import play
from tests.printing.test_evening_page import duel_card
from tests.web.serving import Host, Phone, serving
from tests.web.test_text import Reader


@pytest.fixture
def own_host(archive: Archive) -> Iterator[Host]:
    with serving(archive) as host:
        yield host


def picture(phone: Phone, path: str) -> tuple[str, str]:
    """The type of a file, and how it is to be kept."""
    answer = phone.ask("HEAD", path)
    return answer.headers["content-type"], answer.headers.get("content-disposition", "")


def test_a_sealed_table_has_its_card_as_page_and_files(own_host: Host) -> None:
    session = play(own_host.archive)
    phone = own_host.phone("Ben")
    text = Reader(phone.get(f"/t/{session}/card").text).text
    for expected in ("All six Bosses fell", "Tithe Collector (A♠)", "45 → 27 → 4 → 0", "Salt and Iron goes to Ana."):
        assert expected in text
    assert picture(phone, f"/t/{session}/card.png") == ("image/png", 'attachment; filename="evening.png"')
    assert picture(phone, f"/t/{session}/card.pdf") == ("application/pdf", 'attachment; filename="evening.pdf"')
    assert phone.get(f"/t/{session}/card.exe").status == 404


def test_a_saved_card_is_named_in_the_readers_language(own_host: Host) -> None:
    session = play(own_host.archive)
    phone = own_host.phone("Ben")

    def saved(languages: str) -> str:
        path = f"/t/{session}/card.png"
        return phone.ask("HEAD", path, accept_language=languages).headers["content-disposition"]

    assert saved("de") == 'attachment; filename="abend.png"'
    assert saved("en") == 'attachment; filename="evening.png"'


def test_red_suits_are_red_in_what_is_read_and_not_in_what_is_spoken(own_host: Host) -> None:
    session = play(own_host.archive)
    phone = own_host.phone("Ben")
    assert 'Ben, <span class="red">6♥</span></td>' in phone.get(f"/t/{session}/card").text
    deck = own_host.archive.find_deck("Grave Choir").deck
    pages = [
        phone.get(path).text for path in (f"/t/{session}/card", f"/t/{session}/log", f"/d/{deck}", f"/t/{session}")
    ]
    for page in pages:
        assert 'class="red"' in page
        assert not re.search(r'="[^"<>]*<span', page)
    assert str(templates.color_suits("<b> 10♦ & ♥")) == (
        '&lt;b&gt; <span class="red diamond">10♦</span> &amp; <span class="red">♥</span>'
    )


def test_a_table_that_is_over_leads_to_its_card(own_host: Host) -> None:
    session = own_host.table("seat ana", "seat ben", "begin seed 1", "damage ben 120", game="solforge")
    phone = own_host.phone("Ben")
    assert f'href="/t/{session}/card"' in phone.get(f"/t/{session}").text
    assert "Ana wins" in Reader(phone.get(f"/t/{session}/card").text).text


def test_the_card_of_a_finished_game_leads_to_the_app_bg_stats(own_host: Host) -> None:
    session = own_host.table("seat ana", "seat ben", "begin seed 1", "damage ben 3", "battle", "next", game="solforge")
    phone = own_host.phone("Ben")
    assert "bgstats:" not in phone.get(f"/t/{session}/card").text
    over = own_host.table("seat ana", "seat ben", "begin seed 1", "damage ben 120", game="solforge")
    links = re.findall(r'class="button" href="(bgstats://[^"]*)"', phone.get(f"/t/{over}/card").text)
    assert [urlsplit(link).path for link in links] == ["/createPlay.html"]


def test_before_the_first_turn_a_page_says_why_there_is_none(own_host: Host) -> None:
    session = own_host.table("seat ana", game="solforge")
    answer = own_host.phone("Ben").get(f"/t/{session}/card")
    assert answer.status == 404
    assert "nothing to show" in answer.text


def test_a_decks_page_tells_its_evenings_and_leads_to_their_cards(own_host: Host) -> None:
    session = play(own_host.archive)
    deck = own_host.archive.find_deck("Grave Choir").deck
    html = own_host.phone("Ben").get(f"/d/{deck}").text
    text = Reader(html).text
    assert "Ana won a dungeon with Ben and Cy, after 6 Bosses" in text
    assert "Boss 1, Tithe Collector (A♠, our own), fell in 3 rounds: Ben, 6♥, overkill 7." in text
    assert f'href="/t/{session}/card"' in html


def test_what_people_are_called_stays_text_on_a_card() -> None:
    for text in (*STEERING, *MARKUP):
        page = EveningCard(
            *(text, text, text, text),
            figures=(CardFigure(text, text, text),),
            parts=(
                CardTable(text, (text,), ((text,),)),
                CardChart(text, (CardBar(text, (1, 2), text),), (text, text)),
                CardList(text, (text,)),
            ),
            credit=text,
        )
        html = templates.render("card.html", card=page, session="7K3M9QPX")
        assert not steers(html)
        assert "script" not in Reader(html).tags
    assert "90 · 90" in templates.render("card.html", card=duel_card(), session="7K3M9QPX")
