"""Private hands: what somebody says to hold is on the page of their seat alone, and leaves it as it is played."""

import re
from collections.abc import Iterator
from random import Random
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Browser, expect

from companion.archive import Archive, web_access
from companion.archive.web_access import Hand
from companion.games import registry
from companion.session.core.session import Session
from companion.tabletop.action import NotationError
from companion.tabletop.notation.cards import PACK
from companion.web import hands
from tests.printing.evenings import begin_fight, stuck_faces
from tests.scan import spreads
from tests.web.serving import Host, Phone, serving
from tests.web.test_permissions import lines, seated, step
from tests.web.test_scanning import form_of

FIGHT_WITH_COMMITTED = (
    *("seat ana", "seat ben", "seat cy", "active ana", "bosses ana:AS", "begin seed 1"),
    *("reveal ana 5S", "reveal ben 2C", "reveal cy 3D", "pass ana", "spike ben pay KC"),
)
"""A fight in which one card of Ben's lies revealed and another is committed."""
_KIND = "multipart/form-data; boundary=xXxcutxXx"


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


def _change(phone: Phone, session: str, do: str, **fields: str) -> int:
    page = phone.get(f"/t/{session}")
    return phone.post(f"/t/{session}/hand", page.token, do=do, **fields).status


def _held(phone: Phone, session: str) -> list[str]:
    """The hand as the phone shows it."""
    return re.findall(r'data-focus="held (\S+)"', phone.get(f"/t/{session}").text)


def test_a_hand_is_on_the_phone_of_its_seat_alone(host: Host) -> None:
    session = host.fight()
    ana, ben = seated(host, session, "ana"), seated(host, session, "ben")
    assert _change(ben, session, "keep", item="QH 9s T♦") == 303
    assert _held(ben, session) == ["qh", "9s", "10d"]
    assert _held(ana, session) == []
    others = [ana.get(path).text for path in (f"/t/{session}", f"/t/{session}/log", f"/t/{session}/screen")]
    assert not any("10♦" in re.sub(r"(?s)<div class=.cards.>.*?</form>", "", page) for page in others)
    assert not any("10D" in line for line, _ in lines(host, session))


@pytest.mark.slow
def test_what_is_played_leaves_the_hand_and_comes_back_with_it(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    _change(ben, session, "keep", item="QH 9S")
    page = ben.get(f"/t/{session}")
    length = page.text.partition('data-length="')[2].partition('"')[0]
    ben.post(f"/t/{session}/answer", page.token, step=step("ben", "QH"), at=length)
    assert _held(ben, session) == ["9s"]
    host.sitting(session).undo()
    assert _held(ben, session) == ["qh", "9s"]


@pytest.mark.slow
def test_a_card_is_shown_to_everybody_by_its_owner(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    _change(ben, session, "keep", item="QH 9S")
    assert _change(ben, session, "show", item="9s") == 303
    assert lines(host, session)[-1] == ('note "Ben shows 9♠"', "Ben")
    assert _held(ben, session) == ["qh", "9s"]
    assert _change(ben, session, "show") == 409
    assert _change(ben, session, "drop", item="9s") == 303
    assert _held(ben, session) == ["qh"]


@pytest.mark.slow
def test_cards_of_the_hand_stand_out_where_a_card_is_asked_for(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    _change(ben, session, "keep", item="QH")
    question = ben.get(f"/t/{session}").text.partition('id="asked"')[2].partition('id="mine"')[0]
    (card,) = re.findall(r'<button[^>]*class="[^"]*held[^"]*"[^>]*>', question)
    assert f'value="{step("ben", "QH")}"' in card
    assert "queen of hearts, worth 12, in your hand" in card


@pytest.mark.slow
def test_cards_that_can_be_played_now_come_first(host: Host) -> None:
    session = host.sitting(host.fight()).session
    hand = hands.show_hand(("KC", "9S", "4H"), session, "ben", {"9s"})
    assert [(one.card, one.fits) for one in hand.cards] == [("9S", True), ("KC", False), ("4H", False)]
    # Where all of them can be played, no mark is needed.
    hand = hands.show_hand(("KC", "9S"), session, "ben", {"9s", "kc"})
    assert [(one.card, one.fits) for one in hand.cards] == [("KC", False), ("9S", False)]


@pytest.mark.slow
def test_a_hand_offers_no_monsters(host: Host) -> None:
    session = host.sitting(host.fight()).session
    offered = {one.card for row in hands.show_hand((), session, "ben").pack for one in row}
    assert len(offered) == 48
    assert not offered & {"BJ", "RJ", "AS", "AH", "AC", "AD"}


@pytest.mark.slow
def test_the_coach_knows_the_hand_already(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    _change(ben, session, "keep", item="QH 9S")
    begun = re.findall(r'name="step" value="([^"]*)"[^>]*>What would help now', ben.get(f"/t/{session}").text)
    page = ben.get(f"/t/{session}/answer?{urlencode({'said': begun[0]})}")
    checked = re.findall(r'name="item" value="(\w+)"[^>]* checked', page.text.partition('id="mine"')[0])
    assert sorted(checked) == ["9S", "QH"]


@pytest.mark.slow
def test_a_hand_stays_behind_only_where_its_owner_hands_it_over(host: Host) -> None:
    session = host.fight()
    ben, other = seated(host, session, "ben"), host.phone("Cleo")
    _change(ben, session, "keep", item="QH")
    ben.sit(session, "")
    assert _held(ben, session) == []
    other.sit(session, "ben")
    assert _held(other, session) == []
    _change(other, session, "keep", item="QH")
    page = other.get(f"/t/{session}")
    assert "Hand the seat over with my hand" in page.text
    other.post(f"/t/{session}/seat", page.token, seat="", hand="over")
    ben.sit(session, "ben")
    assert _held(ben, session) == ["qh"]


@pytest.mark.slow
def test_a_hand_that_comes_once_the_seat_is_somebody_elses_is_kept_for_nobody(host: Host) -> None:
    """As a photograph that took long to arrive, or a form that another program got."""
    session, phones = host.fight(), host.server.phones
    ben, other = seated(host, session, "ben"), host.phone("Cleo")
    (entry,) = (each for each in phones.all() if each.name == "Ben")
    ben.sit(session, "")
    assert not phones.save_hand(entry.phone, session, "ben", Hand(("QH",), 5))
    # Whatever lies there from before is no hand of who sits down.
    web_access.save_hand(host.archive, session, "ben", Hand(("9S",), 5))
    other.sit(session, "ben")
    assert _held(other, session) == []
    assert not phones.save_hand(entry.phone, session, "ben", Hand(("QH",), 5))
    assert _held(other, session) == []


@pytest.mark.slow
def test_a_phone_has_a_seat_and_a_hand_at_each_table(host: Host) -> None:
    first, second = host.fight(), host.fight()
    ben, other = seated(host, first, "ben"), host.phone("Cleo")
    _change(ben, first, "keep", item="QH")
    assert ben.sit(second, "cy").status == 303
    assert other.sit(first, "ben").status == 409
    assert "This is my seat: Ben" not in other.get(f"/t/{first}").text
    assert "This is my seat: Ana" in other.get(f"/t/{first}").text
    assert _held(ben, first) == ["qh"]
    _change(ben, second, "keep", item="KS")
    assert (_held(ben, first), _held(ben, second)) == (["qh"], ["ks"])


@pytest.mark.slow
def test_who_takes_the_seat_of_a_phone_that_was_sent_away_sees_nothing_of_its_hand(host: Host) -> None:
    session = host.fight()
    ben, other = seated(host, session, "ben"), host.phone("Cleo")
    _change(ben, session, "keep", item="QH")
    (entry,) = (each for each in host.server.phones.all() if each.name == "Ben")
    host.server.phones.send_away(entry.phone)
    assert other.sit(session, "ben").status == 303
    assert _held(other, session) == []
    host.server.phones.send_away(entry.phone, away=False)
    assert ben.sit(session, "ben").status == 409


@pytest.mark.slow
@pytest.mark.parametrize(("card", "reason"), [("RJ", "is a Monster"), ("2C", "lies revealed"), ("KC", "is committed")])
def test_a_hand_refuses_what_cannot_be_in_it(host: Host, card: str, reason: str) -> None:
    session = host.table(*FIGHT_WITH_COMMITTED)
    ben = seated(host, session, "ben")
    page = ben.get(f"/t/{session}")
    answer = ben.post(f"/t/{session}/hand", page.token, do="keep", item=f"QH {card}")
    assert answer.status == 409
    assert reason in answer.text
    assert _held(ben, session) == []
    assert f'value="{card}" aria-label' not in page.text.partition('aria-label="What is in my hand"')[2]


@pytest.mark.slow
@pytest.mark.parametrize("permissions", ["look", "own"])
def test_who_has_no_seat_or_only_looks_on_has_no_hand(host: Host, permissions: str) -> None:
    session = host.fight()
    host.server.phones.allow_all("look" if permissions == "look" else "own")
    phone = host.phone("Zoe")
    if permissions == "look":
        phone.sit(session, "ben")
    assert _change(phone, session, "keep", item="QH") == 403


@pytest.mark.slow
def test_a_name_that_is_no_card_is_said(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    page = ben.get(f"/t/{session}")
    answer = ben.post(f"/t/{session}/hand", page.token, do="keep", typed="QH 14S")
    assert (answer.status, "“14S” is not a card" in answer.text) == (409, True)
    assert _held(ben, session) == []


@pytest.mark.slow
def test_a_hand_outlives_the_server(archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        session = host.fight()
        ben = seated(host, session, "ben")
        _change(ben, session, "keep", item="QH")
    with serving(archive, permissions="own") as host:
        ben.port, ben.origin = host.port, f"http://127.0.0.1:{host.port}"
        assert _held(ben, session) == ["qh"]


@pytest.mark.slow
def test_cards_with_names_are_typed_with_commas(host: Host) -> None:
    session = host.table("seat ana", "seat ben", game="solforge")
    ana = seated(host, session, "ana")
    _change(ana, session, "keep", typed="Iron Horse, Moon Fox,iron-horse")
    assert _held(ana, session) == ["iron_horse", "moon_fox", "iron_horse"]
    assert _change(ana, session, "show", item="iron_horse") == 303
    assert lines(host, session)[-1][0] == 'note "Ana shows Iron Horse"'
    _change(ana, session, "drop", item="iron_horse")
    assert _held(ana, session) == ["moon_fox", "iron_horse"]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PACK), max_size=20, unique=True), st.data())
def test_divided_cards_are_the_same_cards(cards: list[str], data: st.DataObject) -> None:
    keys = data.draw(st.lists(st.sampled_from([hands.key_of(card) for card in PACK]), max_size=10))
    chosen, others = hands.divide(cards, keys)
    assert sorted((*chosen, *others)) == sorted(cards)
    assert {hands.key_of(card) for card in chosen} <= set(keys)
    assert not {hands.key_of(card) for card in others} & set(keys)


@pytest.mark.slow
def test_a_hand_has_an_end() -> None:
    with pytest.raises(NotationError, match="at most 60 cards; these are 61"):
        hands.read_hand(
            ",".join(f"Card {number}" for number in range(61)), Session.new(registry.game("solforge")), "ana"
        )


@pytest.mark.slow
def test_another_seat_plays_nothing_of_a_hand(host: Host) -> None:
    hosting = host.sitting(host.fight())
    hosting.enter("reveal ana QH")
    session = hosting.session
    assert hands.cards_left(Hand(("QH", "KS"), 5), session, "ben") == ("QH", "KS")
    assert hands.cards_left(Hand(("QH", "KS"), 5), session, "ana") == ("KS",)


@pytest.mark.slow
def test_a_photograph_fills_the_hand_and_tells_nobody(own_host: Host) -> None:
    own_host.server.phones.allow_all("own")
    session = begin_fight(own_host.archive)
    faces = stuck_faces(own_host.archive, session, "ana:5C", "cy:9S")
    suggested: list[str] = []
    own_host.sitting(session.id).watch(lambda news: suggested.append(news.line))
    phone = own_host.phone("Ana")
    phone.sit(session.id, "ana")
    form = phone.get(f"/t/{session.id}/photo?hand=1")
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(3), angle=1)
    sent = form_of(picture.jpeg, form.token)
    answer = phone.ask("POST", f"/scan?table={session.id}&hand=1", sent, content_type=_KIND)
    assert answer.leads_to == f"/t/{session.id}#mine"
    assert _held(phone, session.id) == ["5c"]
    assert not any(suggested)


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_hand_is_tapped_together_and_revealed(browser: Browser, own_host: Host) -> None:
    own_host.fight()
    own_host.server.phones.allow_all("own")
    context = await browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{own_host.port}/J/{own_host.server.phones.invitation}")
    await page.get_by_role("button", name="Ben").click()
    await page.get_by_text("My hand", exact=True).click()
    pack = page.get_by_role("form", name="What is in my hand")
    for card in ("queen of hearts", "nine of spades"):
        await pack.get_by_role("checkbox", name=card).check()
    await pack.get_by_role("button", name="That is my hand").click()
    await expect(page.get_by_text("My hand: 2 cards")).to_be_visible()
    # One tap reveals what the seat is asked for.
    await page.locator("#asked").get_by_role("button", name=re.compile("^queen of hearts")).click()
    await expect(page.get_by_text("My hand: 1 card")).to_be_visible()
    await page.get_by_role("form", name="My hand", exact=True).get_by_role("checkbox", name="nine of spades").check()
    await page.get_by_role("button", name="Show everybody").click()
    await expect(page.locator("#log")).to_contain_text("Ben shows 9♠")
    await context.close()
