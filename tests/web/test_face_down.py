"""Secret choices on phones: nobody reads one before all are turned up, and then they are turned up together."""

import json
import re
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive
from companion.session.table.table_client import TableClient
from tests.games.described import pages
from tests.games.described.shown import table_of
from tests.web.serving import Answer, Host, Phone, serving
from tests.web.test_described import section
from tests.web.test_permissions import lines, seated, step

SEATS = ("ana", "ben", "cy")


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Who lets people choose face down for their own seats."""
    with serving(archive, permissions="own", face_down=True) as host:
        yield host


def choose(phone: Phone, session: str, seat: str, card: str) -> Answer:
    """Tap a card on a phone."""
    page = phone.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    return phone.post(f"/t/{session}/answer", page.token, step=step(seat, card), at=at)


def chosen(phone: Phone, session: str) -> str:
    """The card that lies face down, as the page shows it; "" if there is none."""
    match = re.search(
        r'<div class="chosen">.*?<p class="hidden-card"><strong>(.*?)</strong>', phone.get(f"/t/{session}").text, re.S
    )
    return re.sub("<[^>]+>", "", match[1]) if match else ""


def words(host: Host, session: str) -> list[str]:
    """The lines of the log."""
    return [line for line, _ in lines(host, session)]


def test_all_cards_turn_over_once_the_last_one_has_chosen(host: Host) -> None:
    session = host.fight()
    ana, ben, cy = (seated(host, session, seat) for seat in SEATS)
    choose(cy, session, "cy", "3D")
    choose(ana, session, "ana", "5S")
    assert words(host, session)[-2:] == ["face-down cy", "face-down ana"]
    choose(ben, session, "ben", "2C")
    assert lines(host, session)[-4:] == [
        ("turn-up", "tests"),
        ("reveal ana 5S", "Ana"),
        ("reveal ben 2C", "Ben"),
        ("reveal cy 3D", "Cy"),
    ]
    assert chosen(ana, session) == ""


def turned_up(html: str) -> list[str]:
    """The cards of the moment at which all were turned up, each with its player."""
    match = re.search(r'<ul class="open-choices">(.*?)</ul>', html, re.S)
    items = re.findall(r"<bdi>(.*?)</bdi> <strong[^>]*>(.*?)</strong>", match[1]) if match else []
    return [f"{player} {re.sub('<[^>]+>', '', card)}" for player, card in items]


def test_all_cards_stand_large_when_they_turn_over(host: Host) -> None:
    session = host.fight()
    ana, ben, cy = (seated(host, session, seat) for seat in SEATS)
    choose(cy, session, "cy", "3D")
    choose(ana, session, "ana", "5S")
    assert turned_up(section(ana.get(f"/t/{session}").text, "moment")) == []
    choose(ben, session, "ben", "2C")
    for phone in (ana, ben, cy, host.phone("Guest")):
        assert turned_up(section(phone.get(f"/t/{session}").text, "moment")) == ["Ana 5♠", "Ben 2♣", "Cy 3♦"]
    assert turned_up_on_screen(host, session) == ["Ana", "Ben", "Cy"]


def turned_up_on_screen(host: Host, session: str) -> list[str]:
    """The players whose cards the television shows as turned up."""
    newest = host.phone().get(f"/t/{session}/screen").text.partition('class="feat reveal"')[2]
    return re.findall(r"<bdi>(.*?)</bdi> <strong>", newest)


def test_a_card_that_the_host_named_lies_beside_the_others(host: Host) -> None:
    session = host.fight()
    choose(seated(host, session, "ana"), session, "ana", "5S")
    ben = seated(host, session, "ben")
    choose(ben, session, "ben", "2C")
    host.sitting(session).enter("reveal cy 3D")
    assert turned_up(section(ben.get(f"/t/{session}").text, "moment")) == ["Ana 5♠", "Ben 2♣", "Cy 3♦"]


def test_the_cards_go_once_somebody_chooses_anew(host: Host) -> None:
    session = host.fight()
    phones = [seated(host, session, seat) for seat in SEATS]
    for phone, seat, card in zip(phones, SEATS, ("5S", "2C", "3D"), strict=True):
        choose(phone, session, seat, card)
    table = host.sitting(session)
    while not any(prompt.is_secret for prompt in table.view.prompts):
        table.go_on()
    assert turned_up(section(phones[1].get(f"/t/{session}").text, "moment")) != []
    choose(phones[0], session, "ana", "9H")
    assert turned_up(section(phones[1].get(f"/t/{session}").text, "moment")) == []


def test_only_the_own_phone_shows_the_card(host: Host) -> None:
    session = host.fight()
    ana, ben = seated(host, session, "ana"), seated(host, session, "ben")
    choose(ana, session, "ana", "5S")
    assert chosen(ana, session) == "5♠"
    assert "Only you see it, until all cards are turned up together." in ana.get(f"/t/{session}").text
    assert chosen(ben, session) == ""
    assert "chosen, face down" in ben.get(f"/t/{session}").text


def test_another_card_may_be_chosen_before(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    choose(ana, session, "ana", "5S")
    choose(ana, session, "ana", "9H")
    assert chosen(ana, session) == "9♥"
    assert words(host, session).count("face-down ana") == 1
    host.sitting(session).enter("turn-up")
    assert lines(host, session)[-1] == ("reveal ana 9H", "Ana")


def test_the_host_names_the_last_card_and_all_turn_over(host: Host) -> None:
    session = host.fight()
    choose(seated(host, session, "ana"), session, "ana", "5S")
    choose(seated(host, session, "ben"), session, "ben", "2C")
    host.sitting(session).enter("reveal cy 3D")
    assert words(host, session)[-4:] == ["reveal cy 3D", "turn-up", "reveal ana 5S", "reveal ben 2C"]


def test_a_card_stays_face_down_when_its_phone_goes_away(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    choose(ana, session, "ana", "5S")
    (entry,) = host.server.phones.all()
    host.server.phones.send_away(entry.phone)
    other = host.phone("Dora")
    other.sit(session, "ana")
    assert "5♠" not in visible(other.get(f"/t/{session}").text)
    assert choose(other, session, "ana", "9H").status == 409
    host.sitting(session).enter("turn-up")
    assert words(host, session)[-2:] == ["turn-up", "reveal ana 5S"]


def test_a_choice_that_was_taken_back_is_not_turned_up(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    choose(ana, session, "ana", "5S")
    host.sitting(session).undo()
    assert chosen(ana, session) == ""
    # The host announces a card that lies on the real table.
    host.sitting(session).enter("face-down ana")
    host.sitting(session).enter("turn-up")
    assert words(host, session)[-1] == "turn-up"


def test_a_card_that_does_not_fit_is_refused_when_chosen(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    host.sitting(session).enter("set ana hp 0")
    before = words(host, session)
    assert choose(ana, session, "ana", "5S").status == 409
    assert words(host, session) == before


def test_tables_with_real_cards_show_a_choice_at_once(host: Host) -> None:
    session = host.fight()
    host.server.phones.choose_face_down(is_on=False)
    choose(seated(host, session, "ana"), session, "ana", "5S")
    assert words(host, session)[-1] == "reveal ana 5S"


def test_turning_up_can_be_undone_by_the_host_alone(host: Host) -> None:
    session = host.fight()
    ana, ben, cy = (seated(host, session, seat) for seat in SEATS)
    for phone, seat, card in ((ana, "ana", "5S"), (ben, "ben", "2C"), (cy, "cy", "3D")):
        choose(phone, session, seat, card)
    assert "Take back" not in cy.get(f"/t/{session}").text
    host.sitting(session).undo()
    assert chosen(ana, session) == "5♠"
    host.sitting(session).go_on()
    assert words(host, session)[-1] == "reveal cy 3D"


def visible(html: str) -> str:
    """A page without the cards that are offered, which are all of the pack."""
    return re.sub(r'(?s)<div class="cards">.*?</form>', "", html)


CARDS = st.sampled_from([f"{rank}{suit}" for rank in "23456789" for suit in "SHCD"])


@settings(max_examples=6)
@given(cards=st.lists(CARDS, min_size=2, max_size=2, unique=True))
def test_no_byte_of_a_choice_leaves_before_it_is_turned_up(
    tmp_path_factory: pytest.TempPathFactory, cards: list[str]
) -> None:
    place = tmp_path_factory.mktemp("secret") / "archive.sqlite"
    with Archive.open(str(place), by="tests") as archive, serving(archive, permissions="own", face_down=True) as host:
        session = host.fight()
        ana, ben, screen = seated(host, session, "ana"), seated(host, session, "ben"), host.phone("Screen")
        table = host.sitting(session)
        with ben.news(session, len(archive.lines(session))) as news:
            news.next()
            choose(ana, session, "ana", cards[0])
            heard = news.of_table().data
        before = read_by_others(table, session, (ben, screen))
        choose(ana, session, "ana", cards[1])
        # Nobody else can tell one choice from another.
        assert read_by_others(table, session, (ben, screen)) == before
        news_of_it = visible(json.loads(heard)["sections"]["asked"]) + json.loads(heard)["told"]
        assert not any(f"{card[0]}{sign}" in news_of_it for card in cards for sign in "♠♥♣♦")
        assert not any(map(turned_up, (*before, *json.loads(heard)["sections"].values())))
        host.sitting(session).enter("turn-up")
        assert f"reveal ana {cards[1]}" in words(host, session)
        (card,) = turned_up(section(ben.get(f"/t/{session}").text, "moment"))
        assert card.startswith(f"Ana {cards[1][0]}")


def read_by_others(table: TableClient, session: str, phones: Sequence[Phone]) -> list[str]:
    """Everything that other phones, the television, exports and the host's screen show of a table."""
    paths = ("", "/log", "/screen")
    pages = [phone.get(f"/t/{session}{path}").text for phone in phones for path in paths]
    return [*(re.sub(r'name="token" value="\w+"', "", page) for page in pages), *host_texts(table)]


def host_texts(table: TableClient) -> list[str]:
    """What the host's screen shows: the table, its log, and what typed words would do."""
    typed = ("", "turn-up", "t", "face-down", "u")
    offers = [repr(table.options(text)) + repr(table.complete(text)) for text in typed]
    return [str(table.course.sentence), table.session.export(), repr(table.view), *offers]


def test_a_secret_figure_of_a_page_is_typed_on_each_phone(host: Host) -> None:
    pages.load(pages.TABLES / "games" / "initiative.toml")
    begin = ("seat ana", "seat ben", "first ana", "begin seed 1")
    session = table_of(host.archive, "initiative", begin)
    ana, ben = (seated(host, session, seat) for seat in SEATS[:2])

    def answer(phone: Phone, seat: str, figure: str) -> None:
        page = phone.get(f"/t/{session}")
        at = re.findall(r'data-length="(\d+)"', page.text)[0]
        typed = f"{seat}:enter {seat} initiative N›={figure}"
        phone.post(f"/t/{session}/answer", page.token, step=typed, at=at)

    answer(ana, "ana", "61")
    assert words(host, session)[-1] == "face-down ana"
    assert "61" not in section(ben.get(f"/t/{session}").text, "middle")
    answer(ben, "ben", "30")
    assert words(host, session)[-3:] == ["turn-up", "enter ana initiative 61", "enter ben initiative 30"]
