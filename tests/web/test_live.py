"""What phones see of a table, and when: its seats and questions, each change, and what came while they slept."""

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from companion.archive import Archive, web_access
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.table.confirmations import ActionDone
from companion.session.table.countdown import CountdownWish
from companion.session.table.shared_session import SharedSession, SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.table.table import TableView
from companion.web.phones import Audience, Phones
from companion.web.table_page import SECTIONS, build_page
from companion.web.tables import EventStream, PageState, Tables, render_table
from tests.games import miniature  # noqa: F401 – registers the duel
from tests.web.serving import PATIENCE, Host, serving

DESCRIBED = Path(__file__).parents[1] / "tables" / "described"
"""Recorded games of those that are described on a page."""


@pytest.fixture
def fight(host: Host) -> str:
    """A table with three people before their first Boss."""
    return host.fight()


def length(host: Host, session: str) -> int:
    """How many lines its log has."""
    return len(host.archive.lines(session))


def test_the_only_table_of_tonight_is_the_first_page(own_host: Host) -> None:
    session = own_host.fight()
    phone = own_host.phone()
    assert phone.get("/").leads_to == f"/t/{session}"
    own_host.fight()
    assert phone.get("/").leads_to == "/tables"
    listed = phone.get("/tables").text
    assert listed.count('href="/t/') == 2
    assert "Friday" in listed


def test_where_no_table_is_open_the_list_says_so(own_host: Host) -> None:
    phone = own_host.phone()
    assert phone.get("/").leads_to == "/tables"
    assert "No table is open" in phone.get("/tables").text


def test_a_page_shows_seats_figures_questions_and_log(host: Host, fight: str) -> None:
    text = host.phone().get(f"/t/{fight}").text
    for name in ("Ana", "Ben", "Cy"):
        assert f"<bdi>{name}</bdi>" in text
    assert "<strong>20</strong>" in text
    assert 'aria-current="step"' in text
    assert "Asked now" in text
    assert "Everybody draws 12 cards" in text


def test_a_change_reaches_the_page_in_the_changed_sections(host: Host, fight: str) -> None:
    phone = host.phone()
    with phone.news(fight, length(host, fight)) as news:
        assert news.next().kind == "beat"
        host.sitting(fight).enter("add ben hp -3")
        event = news.of_table()
    assert event.number == str(length(host, fight))
    assert "<strong>17</strong>" in event.sections["seats"]
    assert "Ben: HP 20 → 17, by hand." in event.sentence
    assert set(event.sections) == {"seats", "log"}


def test_what_another_program_writes_comes_by_itself(host: Host, fight: str) -> None:
    phone = host.phone()
    with phone.news(fight, length(host, fight)) as news, Archive.open(host.archive.name) as elsewhere:
        assert news.next().kind == "beat"
        archive_journal.resume(elsewhere, fight).enter("add cy hp -1")
        event = news.of_table()
    assert "<strong>19</strong>" in event.sections["seats"]
    assert event.sentence == "Cy: HP 20 → 19, by hand."


def test_the_last_of_many_changes_reaches_every_page(host: Host, fight: str) -> None:
    """Each is made while pages are rendered for one before."""
    phones = [host.phone(name) for name in ("Ana", "Ben", "Cy")]
    with ExitStack() as stack:
        pages = [stack.enter_context(phone.news(fight, length(host, fight))) for phone in phones]
        for number in range(25):
            assert isinstance(host.sitting(fight).enter(f"note change {number}"), ActionDone)
        last = str(length(host, fight))
        for page in pages:
            while page.of_table().number != last:
                pass


def test_a_phone_that_slept_catches_up_at_once(host: Host, fight: str) -> None:
    phone, before = host.phone(), length(host, fight)
    for line in ("add ana hp -1", "add ana hp -2", "undo"):
        host.sitting(fight).enter(line)
    with phone.news(fight, before) as news:
        event = news.next()
    assert (event.kind, event.number, set(event.sections)) == ("table", str(before + 3), set(SECTIONS))
    # The browser itself says where it stopped, which counts more than what the page began with.
    with phone.news(fight, before, last_event_id=str(before + 3)) as news:
        assert news.next().kind == "beat"


@pytest.mark.parametrize("have", ["", "-1", "x", "9" * 30, "²"])
def test_a_page_that_says_nonsense_gets_everything(host: Host, fight: str, have: str) -> None:
    with host.phone().news(fight, "", last_event_id=have.encode().decode("latin-1")) as news:
        assert set(news.next().sections) == set(SECTIONS)


def test_this_is_my_seat_makes_it_that_persons_page(host: Host, fight: str) -> None:
    ana, ben = host.phone("Ana"), host.phone("Ben")
    assert ben.sit(fight, "ben").leads_to == f"/t/{fight}#asked"
    mine = ben.get(f"/t/{fight}").text.partition('id="mine"')[2].partition("</section>")[0]
    assert "<bdi>Ben</bdi>" in mine
    assert "This is not my seat" in mine
    assert "This is not my seat" not in ana.get(f"/t/{fight}").text
    # At another table the same phone is nobody's yet, and here it can be given back.
    assert "This is not my seat" not in ben.get(f"/t/{host.fight()}").text
    ben.sit(fight, "")
    assert "This is not my seat" not in ben.get(f"/t/{fight}").text


def test_a_seat_that_nobody_has_is_refused(host: Host, fight: str) -> None:
    answer = host.phone().sit(fight, "zoe")
    assert answer.status == 409
    assert "Nobody is at this seat now" in answer.text


def test_an_open_page_is_asked_anew_where_its_seat_is_another(host: Host, fight: str) -> None:
    phone = host.phone()
    with phone.news(fight, length(host, fight)) as news:
        assert news.next().kind == "beat"
        phone.sit(fight, "cy")
        assert news.next().kind == "again"


def whom(page: str) -> str:
    """For whom a page says it is."""
    (key,) = re.findall(r'data-as="(\w+)"', page)
    return str(key)


def test_a_page_is_reloaded_where_another_program_knows_more(archive: Archive, place: str) -> None:
    with Archive.open(place) as same, serving(archive) as here, serving(same) as there:
        session, phone = here.fight(), here.phone()
        moved = there.stranger()
        moved.cookie = phone.cookie
        before = whom(phone.get(f"/t/{session}").text)
        phone.sit(session, "ben")
        there.server.phones.refresh()
        at = length(here, session)
        with moved.news(session, at, before) as news:
            assert news.next().kind == "again"
        with moved.news(session, at, whom(phone.get(f"/t/{session}").text)) as news:
            assert news.next().kind == "beat"
        # Nor does a seat's page become that of nobody by a word that no program has said.
        with moved.news(session, at, "x") as news:
            assert news.next().kind == "again"


async def test_permissions_are_refreshed_before_a_page_is_reloaded(archive: Archive) -> None:
    session, late = archive_journal.start(archive, "decknforge").id, Phones(archive)
    phone = web_access.admit_phone(archive).phone
    late.refresh()
    web_access.set_permission(archive, phone, "own")
    table = await Tables(archive, SharedSessions(archive)).open(session)
    events = EventStream(table, late, phone, "", PageState(1, Audience("", "own").key)).events()
    assert [await anext(events) for _ in range(2)][1].startswith(b"event: beat")
    await events.aclose()  # type: ignore[attr-defined]


def test_own_questions_come_first(host: Host, fight: str) -> None:
    page = build_page(host.sitting(fight), "ben")
    assert [(question.whom, question.own) for question in page.questions] == [
        ("Ben", True),
        ("Ana", False),
        ("Cy", False),
    ]
    assert page.mine is not None
    assert page.mine.name == "Ben"
    assert [side.name for side in page.others] == ["Cy", "Ana"]


def test_a_question_that_names_somebody_does_not_name_them_twice(host: Host) -> None:
    session = host.table("seat ana", "seat ben", "begin seed 1", game="duel")
    text = host.phone().get(f"/t/{session}").text.partition('id="asked"')[2].partition("</section>")[0]
    heading, _, question = text.partition("</h2>")
    assert heading.endswith("Asked now: Ana")
    assert question.count("Ana") == 1


def test_the_whole_log_is_a_page_of_its_own(host: Host, fight: str) -> None:
    sitting = host.sitting(fight)
    for change in range(40):
        sitting.enter(f"add ana hp {-1 if change % 2 else 1}")
    phone = host.phone()
    assert f'href="/t/{fight}/log">All of it' in phone.get(f"/t/{fight}").text
    assert phone.get(f"/t/{fight}/log").text.count("<li value=") == len(sitting.log)


def test_a_table_that_is_not_there_is_no_page(host: Host) -> None:
    phone = host.phone()
    for path in ("/t/ZZZZZZZZ", "/t/ZZZZZZZZ/log", "/t/ZZZZZZZZ/news", "/t/x", "/t/ZZZZZZZZ/else"):
        assert phone.get(path).status == 404


def test_the_server_ends_while_pages_are_open(archive: Archive) -> None:
    with serving(archive) as host:
        session = host.fight()
        news = host.phone().news(session)
        assert news.next().kind == "table"
    with news, pytest.raises(EOFError):
        news.next()


def test_all_who_look_alike_share_one_rendering(host: Host, fight: str) -> None:
    sitting = host.sitting(fight)
    look = Audience("ana", "look")
    assert render_table(sitting, look) == render_table(sitting, look)
    assert (
        render_table(sitting, look).sections["mine"] != render_table(sitting, Audience("ben", "look")).sections["mine"]
    )


class InterruptedClient(TableClient):
    """A client at a table where somebody else enters a line just after its view was read for the first time."""

    interruption = ""

    def another(self, by: str = "", viewer: str = "") -> TableClient:  # noqa: ARG002 – whoever looks, it is this one
        """Return this client."""
        return self

    @property
    def view(self) -> TableView:
        """The view, which is one line old the first time."""
        view, line, self.interruption = super().view, self.interruption, ""
        if line:
            TableClient(self._live).enter(line)
        return view


def test_a_line_that_comes_while_a_page_is_made_is_on_the_page() -> None:
    session = Session.new(registry.game("duel"))
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    live, look = SharedSession(session), Audience("ana", "look")
    interrupted = InterruptedClient(live)
    interrupted.interruption = "draw ana 9S"
    assert render_table(interrupted, look) == render_table(TableClient(live), look)


def recorded(game: str) -> Iterator[Session]:
    """The recorded evening of a game, now and then."""
    example = Path(str(resources.files("templates") / "examples" / game / "evening.table"))
    text = (example if example.exists() else DESCRIBED / f"{game}.table").read_text(encoding="utf-8")
    replay = Replay("\n".join(row for row in text.split("\n") if " deck " not in row or game != "decknforge"))
    for number, _ in enumerate(replay):
        if number % 40 == 20:
            yield replay.session


@pytest.mark.parametrize("game", [game.name for game in registry.games_with_decks() if game.name != "decknforge"])
def test_every_game_is_shown(game: str) -> None:
    for session in recorded(game):
        sitting = TableClient(SharedSession(session))
        for seat in ("", *(side.seat for side in sitting.view.seats)):
            sections = render_table(sitting, Audience(seat, "look")).sections
            assert str(sitting.view.title) in sections["head"]
            for side in sitting.view.seats:
                assert f"<bdi>{side.name}</bdi>" in sections["mine" if side.seat == seat else "seats"]


def test_reopening_a_table_tells_all_others_what_was_written(archive: Archive) -> None:
    sessions, sentences = SharedSessions(archive), list[str]()
    session = archive_journal.start(archive, "decknforge")
    live = sessions.open(session.id)
    live.subscribe("a page", lambda news: sentences.append(str(news.sentence)))
    session.enter("seat ana")
    assert sessions.open(session.id) is live
    assert sentences == ["In another window: seat ana"]


def test_a_countdown_is_on_phones_while_it_runs_and_only_then() -> None:
    session = Session.new(registry.game("solforge"))
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    sitting = TableClient(SharedSession(session))
    assert "countdown" not in render_table(sitting, Audience("ana", "look")).sections["head"]
    sitting.countdown.wish = CountdownWish(90)
    assert "countdown" not in render_table(sitting, Audience("ana", "look")).sections["head"]
    sitting.countdown.go_on(time.monotonic())
    until = re.search(
        r'data-until="(\d+)" data-of="90"', render_table(sitting, Audience("ana", "look")).sections["head"]
    )
    assert until is not None
    assert 80 < int(until[1]) / 1000 - time.time() <= 91
    running = render_table(sitting, Audience("ana", "look")).countdown
    sitting.countdown.pause(time.monotonic())
    left = render_table(sitting, Audience("ana", "look"))
    assert "countdown" not in left.sections["head"]
    assert left.countdown != running


async def until(page: Page, script: str) -> None:
    """Wait until a script of a page says true; its own policy lets nobody wait there."""
    async with asyncio.timeout(PATIENCE):
        while not await page.evaluate(script):
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_page_opens_where_the_host_cannot_be_reached(browser: Browser, archive: Archive) -> None:
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    with serving(archive) as host:
        port, fight = host.port, host.fight()
        await page.goto(f"http://127.0.0.1:{port}/J/{host.server.phones.invitation}")
        await page.get_by_role("button", name="Ben").click()
        await until(page, "Boolean(navigator.serviceWorker.controller)")
        host.sitting(fight).enter("add ben hp -7")
        await expect(page.locator("#mine")).to_contain_text("13")
        await until(page, f"caches.match('/t/{fight}').then(a => a?.text()).then(t => /13<.strong>/.test(t))")
    await page.reload()
    await expect(page.locator("#reach")).to_contain_text(
        re.compile(r"^The table has been out of reach since \d\d:\d\d")
    )
    await expect(page.locator("#mine")).to_contain_text("13")
    await page.goto(f"http://127.0.0.1:{port}/")
    await expect(page.locator("#mine")).to_contain_text("13")
    # It goes on by itself, with what has happened since; who is shown out keeps nothing.
    with serving(archive, port) as host:
        host.sitting(fight).enter("add ben hp -2")
        await expect(page.locator("#mine")).to_contain_text("11")
        await expect(page.locator("#reach")).to_be_empty()
        host.server.phones.send_away(host.server.phones.all()[0].phone)
        await expect(page.locator("body")).not_to_contain_text("Ben")
    assert await page.evaluate("caches.has('pages')") is False
    await context.close()


def test_lanes_face_each_other() -> None:
    text = Path(__file__).parents[1].joinpath("tables", "solforge", "mid-game.table").read_text(encoding="utf-8")
    replay = Replay(text)
    for _ in replay:
        pass
    page = build_page(TableClient(SharedSession(replay.session)), "ben")
    assert page.lane_names == ("Ben", "Ana")
    assert [lane.title for lane in page.lanes] == [f"Lane {number}" for number in range(1, 6)]
    first = [[piece.title for piece in pieces] for pieces in page.lanes[0].pieces]
    assert first == [["5 Brightsteel Gargoyle"], ["1 Ash Wolf"]]
