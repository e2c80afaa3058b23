"""The pages of the decks: what they show of every game, what phones may tick off, and names nobody should trust."""

import http.client
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from io import BytesIO

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect
from pypdfium2 import PdfDocument

from companion.archive import Archive, DeckRow, StoryLine, deck_id
from companion.archive.web_access import Permissions
from companion.cli.commands import demo
from companion.games import registry
from companion.tabletop.decks.paper import RecordSheet, SheetColumn, SheetTable
from companion.tabletop.records import Chore, DeckFigure, Fact
from companion.web import templates
from companion.web.decks import DeckPage, PageRange
from tests.archive.keepsake import Founded, Played
from tests.hostile import MARKUP, STEERING, steers
from tests.printing.evenings import create_deck, live
from tests.web.serving import PIN, Host, Phone, serving
from tests.web.test_browser import SIZES, Seen
from tests.web.test_text import Reader


@pytest.fixture(scope="module")
def band(host: Host) -> str:
    """A deck with a life behind it, and cards on which something is still to be written; Ben has it."""
    # Tests that another process has taken over leave the module, and come back to it.
    if present := host.archive.decks_named("decknforge", "Grave Choir"):
        return present[0].deck
    deck = create_deck(host.archive)
    live(host.archive, deck)
    return deck


@pytest.fixture(scope="module")
def phone(host: Host, band: str) -> Phone:  # noqa: ARG001 - the deck is there
    """A phone that was let in, and may look."""
    return host.phone("Cy")


def handy(host: Host, name: str, permissions: Permissions, seat: str = "") -> Phone:
    """A phone that may do something, at a seat of a table of its own where one is named."""
    phone = host.phone(name)
    host.server.phones.allow(host.server.phones.all()[-1].phone, permissions)
    if seat:
        assert phone.sit(host.fight(), seat).status == 303
    return phone


def chores(text: str) -> list[str]:
    """What can be ticked off on a page."""
    return re.findall(r'name="chore" value="([0-9.]+)"', text)


def test_a_deck_is_what_it_is_today_with_its_story_newest_first(phone: Phone, band: str) -> None:
    text = Reader(phone.get(f"/d/{band}").text).text
    for word in ("Grave Choir", deck_id.show(band), "DecknForge band", "Glory", "Tithe Collector", "Royal Decree"):
        assert word in text
    story = text.partition("Story, newest first")[2]
    assert story.index("lost") < story.index("won")


def test_who_looks_only_ticks_nothing_off(host: Host, phone: Phone, band: str) -> None:
    text = phone.get(f"/d/{band}").text
    assert "To be done by hand" in text
    assert chores(text) == []
    token = phone.get("/scan").token
    assert phone.post(f"/d/{band}/done", token, chore="all").status == 403
    assert host.archive.find_deck(band).due


def test_a_chore_is_ticked_off_once_and_only_with_the_token(own_host: Host) -> None:
    deck = create_deck(own_host.archive)
    live(own_host.archive, deck)
    phone = handy(own_host, "Ana", "all")
    page = phone.get(f"/d/{deck}")
    first, *others = chores(page.text)
    path = f"/d/{deck}/done"
    for token in ("", "x", own_host.phone().get("/scan").token):
        assert phone.post(path, token, chore=first).status == 403
    answer = phone.post(path, page.token, chore=first)
    assert (answer.status, answer.leads_to) == (303, f"/d/{deck}?done")
    after = phone.get(answer.leads_to)
    assert chores(after.text) == others
    assert "That is done." in after.text
    for wrong in (first, "", "0.0", "all of it", "99999999999999.1"):
        again = phone.post(path, page.token, chore=wrong)
        assert (again.status, "That cannot be done" in again.text) == (503, True)
    assert phone.post(path, page.token, chore="all").status == 303
    assert "To be done by hand" not in phone.get(f"/d/{deck}").text


def test_a_slip_is_taken_back_at_once_and_no_story_tells_of_it(own_host: Host) -> None:
    deck = create_deck(own_host.archive)
    live(own_host.archive, deck)
    phone = handy(own_host, "Ana", "all")
    page = phone.get(f"/d/{deck}")
    before, story = chores(page.text), Reader(page.text).text.partition("Story, newest first")[2]
    assert "Not done after all" not in phone.get(f"/d/{deck}?done").text
    after = phone.get(phone.post(f"/d/{deck}/done", page.token, chore="all").leads_to)
    (number,) = re.findall(r'name="number" value="(\d+)"', after.text)
    path = f"/d/{deck}/not-done"
    for wrong in ("", "1", str(int(number) - 1), str(int(number) + 1), "x"):
        assert phone.post(path, page.token, number=wrong).status == 503
    looks = own_host.phone()
    assert looks.post(path, looks.get("/scan").token, number=number).status == 403
    assert phone.post(path, page.token, number=number).leads_to == f"/d/{deck}?not-done"
    again = phone.get(f"/d/{deck}?not-done").text
    assert "That is to be done again." in again
    assert (chores(again), Reader(again).text.partition("Story, newest first")[2]) == (before, story)
    assert phone.post(path, page.token, number=number).status == 503


def test_own_decks_are_those_held_by_the_person_at_the_seat(own_host: Host) -> None:
    deck = create_deck(own_host.archive)
    live(own_host.archive, deck)
    assert own_host.archive.find_deck(deck).holder == "Ben"
    ben, ana = handy(own_host, "Ben", "own", "ben"), handy(own_host, "Ana", "own", "ana")
    nobody = handy(own_host, "Ben", "own")
    seen = [chores(each.get(f"/d/{deck}").text) for each in (ben, ana, nobody)]
    assert [bool(each) for each in seen] == [True, False, False]
    token = ana.get("/scan").token
    assert ana.post(f"/d/{deck}/done", token, chore=seen[0][0]).status == 403
    token = ben.get("/scan").token
    assert ben.post(f"/d/{deck}/done", token, chore=seen[0][0]).status == 303


def test_a_long_story_is_told_in_pages(host: Host, phone: Phone) -> None:
    deck = host.archive.found_deck("keepsake", [Founded("Long"), *(Played(glory=1) for _ in range(44))])
    first = phone.get(f"/d/{deck}").text
    assert first.count("<time ") == 20
    assert "Newer" not in first
    assert f"/d/{deck}?at=20" in first
    last = phone.get(f"/d/{deck}?at=40").text
    assert last.count("<time ") == 5
    assert "Older" not in last
    for strange in ("-1", "x", "9" * 30, "99999", "１"):
        assert phone.get(f"/d/{deck}?at={strange}".replace("１", "%EF%BC%91")).status == 200


def test_the_record_sheet_is_a_pdf_on_the_paper_of_the_request(phone: Phone, host: Host, band: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=20)
    connection.request("GET", f"/d/{band}/record.pdf?paper=a4", headers={"cookie": phone.cookie})
    answer = connection.getresponse()
    document = PdfDocument(BytesIO(answer.read()))
    connection.close()
    assert answer.headers["content-disposition"] == f'attachment; filename="{deck_id.show(band)}.pdf"'
    assert [round(side) for side in document[0].get_size()] == [595, 842]
    assert "Grave Choir" in document[0].get_textpage().get_text_range()
    refused = phone.get(f"/d/{band}/record.pdf?paper=wall")
    assert (refused.status, "wall" in refused.text) == (404, True)


def test_a_game_that_prints_nothing_says_so(host: Host, phone: Phone) -> None:
    deck = host.archive.found_deck("keepsake", [Founded("Plain")])
    page = phone.get(f"/d/{deck}").text
    assert "record.pdf" not in page
    assert (
        '<span class="what">Glory</span>'
        in phone.get(f"/d/{host.archive.found_deck('keepsake', [Founded('P'), Played(glory=3)])}").text
    )
    answer = phone.get(f"/d/{deck}/record.pdf")
    assert answer.status == 404
    assert "Plain is a deck of keepsake" in answer.text


@pytest.mark.slow
def test_every_deck_of_every_game_has_a_page(archive: Archive) -> None:
    for game in registry.games_with_decks():
        demo._found_decks(archive, game)
    rows = archive.decks()
    assert len({row.game for row in rows}) > 2
    with serving(archive) as host:
        phone = host.phone()
        for row in rows:
            answer = phone.get(f"/d/{row.deck}")
            assert (answer.status, row.name in answer.text) == (200, True)
            if "record.pdf" in answer.text and row.game not in {other.game for other in rows[: rows.index(row)]}:
                assert phone.ask("HEAD", f"/d/{row.deck}/record.pdf").headers["content-type"] == "application/pdf"


def test_decks_are_found_by_name_and_by_id(phone: Phone, band: str) -> None:
    assert f'href="/d/{band}"' in phone.get("/decks?q=grave").text
    for spelled in (band, deck_id.show(band).lower(), f"DECK:{band}", f"https://cards.example/d/{band}"):
        assert phone.get(f"/decks?q={spelled}").leads_to == f"/d/{band}"
    assert "There is no deck with this name" in phone.get("/decks?q=%3Cscript%3E").text
    assert phone.get(f"/decks?q={'x' * 3000}&at=99999").leads_to.startswith("/decks?q=xxx")


def test_many_decks_are_listed_in_pages(own_host: Host) -> None:
    phone = own_host.phone()
    assert "There is no deck yet" in phone.get("/decks").text
    for number in range(31):
        own_host.archive.found_deck("keepsake", [Founded(f"Band & Co {number:02}")])
    assert "/decks?q=Band%20%26&amp;at=30" in phone.get("/decks?q=Band+%26").text
    assert phone.get("/decks?at=30").text.count('href="/d/') == 1


def test_addresses_of_decks_in_any_spelling_lead_to_the_one(phone: Phone, band: str) -> None:
    for spelled in (f"/D/{band}", f"/d/{band.lower()}", f"/d/{deck_id.show(band)}"):
        assert phone.get(spelled).leads_to == f"/d/{band}"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/d/0000000000000", "is one of ours, but not in this archive"),
        ("/d/7K3M9QPX2B4T0", "does not match its check symbol"),
        ("/d/x", "There is no such page"),
        ("/d/%3Cscript%3Ealert(1)", "There is no such page"),
        ("/d/Grave%20Choir", "There is no such page"),
    ],
)
def test_an_address_that_leads_to_no_deck_says_why(phone: Phone, path: str, sentence: str) -> None:
    answer = phone.get(path)
    assert (answer.status, sentence in answer.text) == (404, True)
    assert "<script>alert" not in answer.text


def test_a_scanned_address_leads_over_the_pin_to_the_deck(host: Host, band: str) -> None:
    phone = host.stranger()
    for path in (f"/d/{band}", f"/D/{band}"):
        wanted = phone.get(path).leads_to
        assert wanted == f"/pin?to={path}"
    form = phone.get(wanted)
    assert phone.post("/pin", form.token, pin=PIN, to=f"/D/{band}").leads_to == f"/D/{band}"
    assert host.stranger().get(f"/d/{band}/record.pdf").leads_to == "/pin"


def test_what_decks_are_called_stays_text() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for text in (*STEERING, *MARKUP, "x" * 10_000):
        row = DeckRow("0" * 13, text, text, (DeckFigure("f", text, 3),), text, "", False, now, 2)
        page_range = PageRange(0, 20, 90)
        sheet = RecordSheet(text, (SheetTable(text, (SheetColumn(text, bold=True),), ((text,),)),), ((text, text),))
        page = DeckPage(row, text, sheet, (Fact(1, text, text),), (Chore(1, 0, text, text, text),),
                        (StoryLine(now, text, text, 1, "", ""),), page_range)  # fmt: skip
        hers = {"shown_id": "0", "may_tick": True, "may_undo": True, "token": "t", "told": ""}
        pages = [
            templates.render("deck.html", page=page, **hers),
            templates.render("deck.html", page=page._replace(sheet=None), **hers),
            templates.render("decks.html", rows=[(row, text, "0")], page_range=page_range, text=text),
            templates.render("scanned.html", results=[(row, "", ""), (None, text, "")], token="t"),
            templates.render("scan.html", token="t", wrong=text, table="", hand=False, limit=1),
            templates.render("scan.html", token="t", wrong=text, table="0", hand=True, limit=1),
            templates.render(
                "photo.html", session="0", token="t", at=1, sentence=text, texts=[text], own=[text], line=text
            ),
            templates.render(
                "spread.html",
                row=row,
                summary=text,
                lists=[(text, [text])],
                done=[(text, text)],
                other=[text],
                may_tick=True,
                token="t",
            ),
        ]
        for html in pages:
            read = Reader(re.sub(r'<script src="/scan\.js\?\w+" defer></script>', "", html))
            assert not steers(html)
            assert "script" not in read.tags
            assert not any(name.startswith("on") for name in read.attributes)
            assert not any(value.startswith(("javascript:", "http")) for value in read.values if value != text)


@pytest_asyncio.fixture(loop_scope="session", params=SIZES)
async def seen(request: pytest.FixtureRequest, browser: Browser, host: Host, band: str) -> AsyncIterator[Seen]:
    """A phone's or a desk's browser that was let in and may do everything, on the deck's page."""
    width, height = SIZES[request.param]
    dark = request.param == "phone"
    context = await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    seen = Seen(await context.new_page(), host)
    await seen.page.goto(f"http://127.0.0.1:{host.port}/d/{band}")
    await seen.page.get_by_label("six digits").fill(PIN)
    await seen.page.get_by_role("button", name="Come in").click()
    await expect(seen.page.get_by_role("heading", name="Grave Choir")).to_be_visible()
    host.server.phones.allow(host.server.phones.all()[-1].phone, "all")
    await seen.page.reload()
    yield seen
    await context.close()


@pytest.mark.sample(2)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_deck_is_readable_by_everybody_and_ticked_off_by_touch(seen: Seen) -> None:
    assert await seen.faults() == []
    buttons = seen.page.locator(".to-do button")
    before = await buttons.count()
    await buttons.first.click()
    await expect(seen.page.locator("#told")).to_have_text("That is done.")
    assert await buttons.count() in (before - 1, before - 2)
    await seen.page.goto(f"http://127.0.0.1:{seen.host.port}/decks")
    assert await seen.faults() == []
    assert seen.complaints == []


def test_a_page_of_decks_behind_the_last_leads_back(host: Host, band: str) -> None:  # noqa: ARG001
    phone = host.phone()
    assert phone.get("/decks?at=999").leads_to == "/decks"
    assert phone.get("/decks?q=grave&at=999").leads_to == "/decks?q=grave"
