"""People who join read what goes on, what they may do, and why a question has no answer on their phone."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final

import pytest
from playwright.async_api import Browser

from companion.archive import Archive
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.web.answering import AvailableActions
from companion.web.pages import describe_start
from companion.web.phones import Audience, host_name
from companion.web.table_page import PageQuestion, build_page
from tests.session.test_stopped import PLAYED, Lenient, Strict
from tests.session.test_stopped import SET_UP as STOPPED_SET_UP
from tests.web.serving import Host, serving
from tests.web.test_browser import Seen
from tests.web.test_duel_turns import LINES, SET_UP
from tests.web.test_face_down import choose
from tests.web.test_permissions import seated

_FIGHT: Final = ("seat ana", "seat ben", "seat cy", "active ana", "begin seed 1")
_REVEALED: Final = ("reveal ana 9S", "reveal ben QH", "reveal cy 6C", "next")
TABLES: Final = {
    "decknforge": (*_FIGHT, *_REVEALED),
    **{game: (*SET_UP[game], *LINES[game]) for game in SET_UP},
}
AUDIENCES: Final = (
    Audience("", "look"),
    Audience("ana", "look"),
    Audience("", "own", "Zoe"),
    Audience("", "own", "Zoe", held_seats=frozenset({"ana", "ben"})),
    Audience("ana", "own", "Ana", held_seats=frozenset({"ana"})),
    Audience("ana", "own", "Ana", is_secret=True),
    Audience("", "all", "Zoe"),
    Audience("ben", "all", "Ben"),
)


@pytest.fixture
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Return Ben, on whose laptop everybody plays for their own seats."""
    place = tmp_path_factory.mktemp("joining") / "archive.sqlite"
    with (
        Archive.open(str(place), by="ben@laptop") as archive,
        serving(archive, permissions="own", face_down=True) as host,
    ):
        yield host


def invitation(host: Host) -> str:
    """Return the page behind the code on the host's screen."""
    return host.stranger().get(f"/J/{host.server.phones.invitation}").text


def joining(html: str) -> str:
    """Return the box for people who join, as text; "" if the page has none."""
    box = re.search(r'(?s)<section id="joining"[^>]*>(.*?)</section>', html)
    assert box
    return " ".join(re.sub("<[^>]+>", " ", box[1]).split())


def client(archive: Archive, session: Session) -> TableClient:
    """Return a client of a session."""
    return TableClient(SharedSessions(archive).open(session.id))


def shown_questions(table: TableClient, audience: Audience) -> tuple[AvailableActions, list[PageQuestion]]:
    """Return the actions of an audience, and the questions that its page shows."""
    page, actions = build_page(table, audience.seat), AvailableActions.of(table.session, audience)
    return actions, [*page.questions, *chain.from_iterable(actions.divide_offers(page.offers))]


def reasons(table: TableClient, audience: Audience) -> dict[str, str]:
    """Return why the questions on a page cannot be answered there, by their texts."""
    actions, questions = shown_questions(table, audience)
    return {one.text: str(actions.reason(one)) for one in questions if actions.form(one) is None}


def test_the_invitation_says_what_is_played_where_and_who_is_there(host: Host) -> None:
    session = host.fight()
    seated(host, session, "ana")
    html = invitation(host)
    for text in ("DecknForge", "Friday", "<bdi>ben</bdi> hosts this table", "When you are asked, this page says so"):
        assert text in html
    assert re.findall(r'name="seat" value="(\w+)"', html) == ["ben", "cy"]
    assert "<bdi>Ana</bdi> is on another phone already" in html


def test_an_invitation_to_look_says_so(host: Host) -> None:
    host.fight()
    host.server.phones.allow_all("look")
    html = invitation(host)
    assert "You can follow here. To play, the host" in html
    assert "When you are asked" not in html


def test_the_page_for_the_pin_names_no_table_and_says_what_happens(host: Host) -> None:
    host.fight()
    html = host.stranger().get("/pin").text
    assert "then you take your seat" in html
    assert not re.search("DecknForge|Friday|laptop|hosts this table|Ana", html)


def test_a_phone_without_a_seat_is_offered_the_free_ones_first(host: Host) -> None:
    session = host.fight()
    seated(host, session, "ana")
    phone = host.phone("Zoe")
    html = phone.get(f"/t/{session}").text
    box = joining(html)
    assert box.startswith("Take your seat ben hosts this table Ben Cy On another phone: Ana")
    assert "Everybody sees what you tap, except what lies face down." in box
    assert html.count("This is my seat: Ben") == 1
    assert html.index("This is my seat: Ben") < html.index("Asked now: Ana, Ben and Cy</h2>")
    phone.sit(session, "ben")
    assert joining(phone.get(f"/t/{session}").text) == ""


def test_a_table_without_a_free_seat_says_so(host: Host) -> None:
    session = host.fight()
    for seat in ("ana", "ben", "cy"):
        seated(host, session, seat)
    box = joining(host.phone("Zoe").get(f"/t/{session}").text)
    assert "No seat is free now" in box
    assert "On other phones: Ana, Ben, Cy" in box


def test_a_table_without_seats_says_who_names_them(host: Host) -> None:
    assert "once the host has named the players" in joining(host.phone("Zoe").get(f"/t/{host.table()}").text)


def test_who_may_only_look_reads_how_to_play_at_a_seat_as_well(host: Host) -> None:
    session = host.fight()
    for html in (
        seated(host, session, "ana", "look").get(f"/t/{session}").text,
        seated(host, session, "ben", "look").get(f"/t/{session}").text,
    ):
        assert joining(html).startswith(
            "You can follow here. To play, the host lets this phone answer: on their page Phones"
        )
        assert "This phone may look only." in html


def test_the_first_time_a_guest_plays_the_own_seat(archive: Archive) -> None:
    with serving(archive, permissions=None) as host:
        session = host.fight()
        assert 'name="step"' in seated(host, session, "ana").get(f"/t/{session}").text
        host.server.phones.allow_all("look")
    with serving(archive, permissions=None) as host:
        assert host.server.phones.doors.permissions == "look"


@pytest.mark.parametrize(("writer", "name"), [("ben@laptop", "ben"), ("root@vm", ""), ("Ben", ""), ("somebody@vm", "")])
def test_hosts_are_named_by_their_login_alone(writer: str, name: str) -> None:
    assert host_name(writer) == name


@pytest.mark.parametrize("game", TABLES)
def test_every_question_has_a_form_or_a_reason(archive: Archive, game: str) -> None:
    session = archive_journal.start(archive, game)
    for line in TABLES[game]:
        session.enter(line)
        table = client(archive, session)
        for audience in AUDIENCES:
            actions, questions = shown_questions(table, audience)
            listing = actions.show(questions)
            assert [each.question for each in listing.questions] == questions
            for each in listing.questions:
                assert each.form or each.reason or listing.reason, (line, audience, each.question.text)
                assert not (each.form and (each.reason or listing.reason))


def test_each_reason_tells_whose_question_it_is(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in _FIGHT:
        session.enter(line)
    table = client(archive, session)
    looking, unseated, late, ana = (reasons(table, AUDIENCES[number]) for number in (0, 2, 3, 4))
    assert set(looking.values()) == {"This phone may look only."}
    assert "You have no seat yet: take one above." in unseated.values()
    assert "That is for Ana, on another phone." in late.values()
    assert "That is for Ben." in ana.values()


def test_a_reason_that_all_share_is_said_once(host: Host) -> None:
    session = host.fight()
    html = host.phone("Zoe").get(f"/t/{session}").text
    questions = html[html.index("Asked now: Ana, Ben and Cy</h2>") : html.index("<details")]
    assert len(re.findall("<li", questions)) == 3
    assert questions.count("You have no seat yet: take one above.") == 1


def test_a_card_that_lies_face_down_waits_for_the_others(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    choose(ana, session, "ana", "5S")
    html = ana.get(f"/t/{session}").text
    assert "Ben has yet to choose; then all cards turn over." in html
    assert "That is for Ben." not in html


def test_a_sealed_game_asks_nobody(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in _FIGHT:
        session.enter(line)
    actions, questions = shown_questions(client(archive, session), AUDIENCES[4])
    assert "The game is sealed" in str(actions._replace(sealed=True).reason(questions[0]))


def test_a_stopped_table_goes_on_at_the_host(archive: Archive) -> None:
    registry.register(Lenient())
    session = archive_journal.start(archive, Lenient.name)
    for line in (*STOPPED_SET_UP, *PLAYED):
        session.enter(line)
    registry.register(Strict())
    why_not = reasons(client(archive, session), Audience("ana", "own", "Ana"))
    registry.register(Lenient())
    assert why_not
    assert set(why_not.values()) == {"The table is stopped; it goes on from the host’s screen."}


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("path", ["pin", "invitation", "table"])
async def test_joining_is_one_screen_on_the_smallest_phone(browser: Browser, host: Host, path: str) -> None:
    session = host.table("seat ana", "seat ben", "seat cy", "seat dora", "active ana", "begin seed 1")
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    seen = Seen(await context.new_page(), host)
    origin, secret = f"http://127.0.0.1:{host.port}", host.server.phones.invitation
    await seen.page.goto(f"{origin}/pin" if path == "pin" else f"{origin}/J/{secret}")
    if path == "table":
        await seen.page.get_by_label("Somebody else? Your name").fill("Zoe")
        await seen.page.get_by_role("button", name="Come in and look on").click()
        await seen.page.wait_for_url(f"{origin}/t/{session}*")
    last = ".joining" if path == "table" else "main button:visible >> nth=-1"
    box = await seen.page.locator(last).bounding_box()
    assert box
    assert box["y"] + box["height"] <= 640
    assert [await seen.faults(), seen.complaints] == [[], []]
    await context.close()


def test_the_pin_page_says_where_the_digits_stand_and_what_for(host: Host) -> None:
    html = host.stranger().get("/pin").text
    (where,) = re.findall(r'<p id="where">(.*?)</p>', html)
    assert re.sub("<[^>]+>", "", where) == (
        "They stand beside the QR code on the host’s screen: on the page Phones, or with Ctrl+G. They keep strangers "
        "out. Whoever scans that code needs no digits."
    )
    assert 'aria-describedby="where"' in html


def test_of_several_tables_one_screen_asks_which(own_host: Host) -> None:
    first, second = own_host.fight(), own_host.table("seat zoe", game="solforge")
    phone = own_host.phone("Zoe")
    html = phone.get(phone.get("/").leads_to).text
    assert "<h1>Which table are you at?</h1>" in html
    texts = dict(re.findall(r'<a href="/t/(\w+)"[^>]*>(.*?)</a>', html))
    plain = {session: " ".join(re.sub("<[^>]+>", " ", text).split()) for session, text in texts.items()}
    assert re.fullmatch(r"Friday DecknForge · Ana, Ben, Cy · .*opened today at \d\d:\d\d", plain[first]), plain
    assert re.fullmatch(r"Friday SolForge · Zoe opened today at \d\d:\d\d", plain[second]), plain
    assert "This is my seat: Zoe" in phone.get(f"/t/{second}").text


def test_a_table_of_another_day_has_its_date() -> None:
    now = datetime(2026, 3, 14, 19, 30, tzinfo=UTC)
    assert re.fullmatch(r"opened today at \d\d:30", str(describe_start(now, now)))
    assert re.fullmatch(r"opened 2026-03-1\d \d\d:30", str(describe_start(now - timedelta(days=3), now)))
