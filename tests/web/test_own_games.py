"""Own games on phones: what is tapped is what happens, under the names that players know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlencode

import pytest
from playwright.async_api import Browser, expect

from companion.archive import Archive
from companion.games import registry
from companion.games.described.load import game_from_text
from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.reading.table_questions import answers_to
from companion.tabletop.table.common_actions import Add
from companion.tabletop.table.table import Draft
from companion.web import answering
from companion.web.answering import AnswerForm, Asking
from tests.games.described.shown import CROWN_PLAYED, table_of
from tests.web.serving import Answer, Host, Phone, serving
from tests.web.test_browser import Seen, listening
from tests.web.test_button_titles import positions
from tests.web.test_described import NO_FIGURE, section
from tests.web.test_permissions import seated
from tests.web.test_plain_words import TABLES

OWN: Final = [path for path in TABLES if path.parent.name == "described"]
PATROL: Final = """
name = "patrol"
title = "Patrol"
[play]
players = "1-4"
order = "together"
[things.guard]
of = "table"
list = [{ name = "Bandit", figures = { health = 4 } }, { name = "Archer", figures = { health = 3 } }]
[things.elite]
of = "table"
list = [{ name = "Bandit", figures = { might = 8 } }, { name = "Captain", figures = { might = 9 } }]
[counters.health]
of = "guard"
start = 1
[counters.might]
of = "elite"
start = 2
[counters.coins]
[counters.combat]
[actions.attack]
takes = "THING N"
titles = { N = "Combat" }
costs = { combat = "N" }
does = ["add me coins 1"]
[actions.hire]
takes = "THING N N2"
titles = { N2 = "Wages" }
costs = { coins = "N * N2", combat = 2 }
does = ["add me coins 1"]
[actions.drink]
takes = "N [THING]"
costs = { coins = "N" }
does = ["add me combat 1"]
"""
NOTATION: Final = re.compile(r"\b(?:SEAT|THING|TEXT|CHOICE|N)[2-9]?\b")
"""A parameter as pages and typed lines name it."""


def patrol(*lines: str) -> Session:
    """A table of two players at which guards and elites can come."""
    registry.register(game_from_text(PATROL))
    session = Session(Log.open("table patrol"))
    for line in ("seat ana", "seat ben", "begin seed 1", *lines):
        session.enter(line)
    return session


def button_leading_to(asking: Asking, title: str) -> AnswerForm:
    """The form behind the button with this title."""
    for prompt in asking.prompts:
        form = answering.opening(asking, prompt, at_once=False)
        for button in form.buttons if form else ():
            if str(button.title) == title:
                behind = answering.follow_steps(asking, button.key).form
                assert behind
                return behind
    raise LookupError(title)


@pytest.mark.parametrize(
    ("kind", "names", "line"),
    [("Guard", ["Bandit", "Archer"], "put bandit guard"), ("Elite", ["Bandit", "Captain"], "put bandit elite")],
)
def test_a_thing_is_put_as_the_kind_of_its_button(kind: str, names: list[str], line: str) -> None:
    session = patrol()
    asking = Asking.now(session)
    form = button_leading_to(asking, f"Put {kind}")
    assert form.text == f"Put {kind} · What is it called?"
    assert [str(button.title) for button in form.buttons] == names
    action = answering.follow_steps(asking, form.step(form.buttons[0])).action
    assert action
    assert session.notation.format(action) == line


def test_what_a_phone_counts_for_a_thing_is_of_that_thing() -> None:
    session = patrol("put bandit guard", "put captain elite")
    asking = Asking.now(session)
    for target in ("table", "bandit", "captain"):
        step = answering.append_typed_text(answering.counting(session.view(), target), "arrows")
        action = answering.follow_steps(asking, answering.append_typed_text(step, "2")).action
        assert action
        session.enter(session.notation.format(action))
        assert session.preview(Add(target, "arrows", 1))


@pytest.mark.sample(8)
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_no_two_buttons_of_a_table_begin_alike(path: Path) -> None:
    for session in positions(path):
        asking, drafts = Asking.now(session), dict[tuple[str, str], Draft]()
        for prompt in asking.answerable():
            for answer in answers_to(prompt):
                assert isinstance(answer.leads, Draft)
                same = drafts.setdefault((prompt.seat, answer.key), answer.leads)
                assert (same.action, same.given) == (answer.leads.action, answer.leads.given), answer.key


def texts_of(form: AnswerForm) -> Iterator[str]:
    """Everything that a form says."""
    yield from map(str, (form.text, form.wanted, form.field, form.sends))
    yield from (f"{button.title or button.name} {button.detail}" for button in (*form.buttons, *form.ways))


def forms_of(asking: Asking) -> Iterator[AnswerForm]:
    """The forms of a table, and those behind their buttons."""
    for prompt in asking.prompts:
        for at_once in (True, False):
            form = answering.opening(asking, prompt, at_once=at_once)
            if form is None:
                continue
            yield form
            behind = (answering.follow_steps(asking, form.step(each)).form for each in form.buttons)
            yield from filter(None, behind)


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_no_form_names_a_parameter_as_typed_lines_do(path: Path) -> None:
    for session in positions(path):
        texts = [text for form in forms_of(Asking.now(session)) for text in texts_of(form)]
        assert [text for text in texts if NOTATION.search(text) or "Thing?" in text] == []


def test_a_price_is_named_by_the_title_of_its_parameter() -> None:
    session = patrol("put bandit guard", "set ana combat 5", "set ana coins 5")
    notes = {draft.action.verb(): str(draft.note) for each in session.view().prompts for draft in each.answers}
    assert notes["attack"] == "Attack · costs Combat"
    assert notes["hire"] == "Hire · costs Coins: the number × Wages, Combat 2"
    assert notes["drink"].startswith("Drink · costs as much Coins as you say")


SEALED: Final = """
name = "sealed"
title = "Sealed"
[play]
players = "2-4"
order = "together"
rounds = 3
[counters.points]
[sheet]
columns = ["bid", "won"]
titles = { bid = "Promise", won = "Tricks taken" }
secret = ["bid"]
[[sheet.points]]
points = "won"
"""


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """A host who lets people answer for their own seats, face down if a choice is secret."""
    with serving(archive, permissions="own", face_down=True) as host:
        yield host


def sealed_bids(host: Host) -> tuple[str, Phone, Phone]:
    """A table of a game with secret bids, and the phones of its two players."""
    registry.register(game_from_text(SEALED))
    session = table_of(host.archive, "sealed", ("seat ana", "seat ben", "begin seed 1"))
    return session, seated(host, session, "ana"), seated(host, session, "ben")


def enter(phone: Phone, session: str, seat: str, column: str, figure: int) -> Answer:
    """Enter a figure of a seat on a phone."""
    page = phone.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    return phone.post(f"/t/{session}/answer", page.token, step=f"{seat}:enter {seat} {column} N›={figure}", at=at)


def test_what_was_turned_up_goes_once_all_have_answered_again(host: Host) -> None:
    session, ana, ben = sealed_bids(host)
    enter(ana, session, "ana", "bid", 1)
    assert "turned up together" in section(ana.get(f"/t/{session}").text, "asked")
    enter(ben, session, "ben", "bid", 2)
    assert "is turned up" in section(ana.get(f"/t/{session}").text, "moment")
    for phone, seat in ((ana, "ana"), (ben, "ben")):
        enter(phone, session, seat, "won", 1)
    for phone in (ana, ben, host.phone("Guest")):
        page = phone.get(f"/t/{session}").text
        assert "turned up" not in section(page, "moment") + section(page, "asked")
        assert "face down" not in section(page, "mine") + section(page, "seats")


def test_a_column_has_one_title_everywhere(host: Host) -> None:
    session, ana, ben = sealed_bids(host)
    enter(ana, session, "ana", "bid", 1)
    assert '<p class="hidden-card"><strong>Promise 1</strong>' in ana.get(f"/t/{session}").text
    enter(ben, session, "ben", "bid", 2)
    assert "<strong>Promise 2</strong>" in section(ana.get(f"/t/{session}").text, "moment")
    page = ben.get(f"/t/{session}").text
    assert ("Promise/Tricks taken" in section(page, "middle"), "Ben: Tricks taken?" in page) == (True, True)
    buttons = [
        " ".join(re.sub("<[^>]+>", " ", each).split()) for each in re.findall(r"<button[^>]*>.*?</button>", page)
    ]
    assert [each for each in buttons if each.startswith("Enter ")] == ["Enter Tricks taken …"]


def test_a_confirmation_stands_until_its_question_is_gone(host: Host) -> None:
    registry.register(game_from_text(NO_FIGURE))
    session = table_of(host.archive, "no-figure", ("seat ana", "seat ben", "begin seed 1"))
    ana = seated(host, session, "ana")
    page = ana.get(f"/t/{session}")
    (step,) = re.findall(r'name="said" value="([^"]*)"', section(page.text, "asked"))
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    reply = ana.post(f"/t/{session}/answer", page.token, step=f"{step}›=1", at=at)
    form = section(reply.text, "answering")
    assert "Yes, do it" in form
    (address,) = re.findall(r'data-stands="([^"]*)"', form)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    check = f"{address.replace('&amp;', '&')}&{urlencode({name: fields[name] for name in ('step', 'at')})}"
    assert ana.get(check).status == 200
    host.sitting(session).enter('note "Wait"')
    assert ana.get(check).status == 200
    table = host.sitting(session)
    table.enter("enter ana wins 2 anyway")
    table.confirm()
    assert ana.get(check).status == 409


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_confirmation_closes_once_the_table_has_moved_on(browser: Browser, host: Host) -> None:
    session = table_of(host.archive, "poisoned", CROWN_PLAYED)
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    page = await context.new_page()
    seen = Seen(page, host)
    await seen.come_in(session, "Ana")
    await seen.take_seat("Ana")
    await listening(page)
    mine = page.locator("#mine")
    await mine.get_by_label("Life: how much").fill("38")
    await mine.get_by_role("button", name="Life: less").click()
    confirmation = page.locator("#answering form.answer")
    await expect(confirmation.get_by_role("button", name="Yes, do it")).to_be_visible()
    host.sitting(session).enter("add ben poison +1")
    await expect(page.locator("#log")).to_contain_text("Ben: Poison")
    await expect(confirmation).to_be_visible()
    host.sitting(session).enter("add ana life -1")
    await expect(confirmation).to_have_count(0)
    await expect(page.locator("#told")).to_contain_text("The table has moved on; this was not done.")
    assert [line.line for line in host.archive.lines(session)][-2:] == ["add ben poison +1", "add ana life -1"]
    await context.close()


def two_rounds(host: Host) -> str:
    """A table in the second round of a game with a score sheet."""
    registry.register(game_from_text(SEALED))
    first = ("enter ana bid 2", "enter ben bid 1", "enter ana won 3", "enter ben won 1", "next", "enter ana bid 5")
    return table_of(host.archive, "sealed", ("seat ana", "seat ben", "begin seed 1", *first))


def test_each_figure_of_the_sheet_is_corrected_on_the_phone_of_its_seat(host: Host) -> None:
    session = two_rounds(host)
    ana = seated(host, session, "ana")
    (beginning,) = re.findall(r'answer\?said=([^"]+)" data-here>Put a figure right', ana.get(f"/t/{session}").text)

    def buttons_behind(*steps: str) -> dict[str, str]:
        path = "".join((beginning, *(quote(f"›{step}") for step in steps)))
        form = section(ana.get(f"/t/{session}/answer?said={path}").text, "answering")
        buttons = re.findall(r'<button name="step" value="([^"]*)"[^>]*>([^<]*)<small>([^<]*)<', form)
        return {f"{title.strip()} ({detail})": value.rpartition("›")[2] for value, title, detail in buttons}

    columns = buttons_behind()
    assert list(columns) == ["Points (3)", "Promise (on the score sheet)", "Tricks taken (on the score sheet)"]
    column = columns["Promise (on the score sheet)"]
    rounds = buttons_behind(column)
    assert list(rounds) == ["Round 2 (Promise 5)", "Round 1 (Promise 2)"]
    path = "›".join((unquote(beginning), column, rounds["Round 1 (Promise 2)"]))
    page = ana.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    ana.post(f"/t/{session}/answer", page.token, said=path, typed="4", at=at)
    assert [line.line for line in host.archive.lines(session)][-1] == "enter ana bid 4 round 1"
    assert "4/3" in section(ana.get(f"/t/{session}").text, "middle")


def test_the_sheet_of_another_seat_is_not_corrected_on_a_phone(host: Host) -> None:
    session = two_rounds(host)
    ana = seated(host, session, "ana")
    page = ana.get(f"/t/{session}")
    before = [line.line for line in host.archive.lines(session)]
    step = "ben:set ben COUNTER VALUE›enter ben bid N round N›=1›=4"
    assert ana.post(f"/t/{session}/answer", page.token, step=step, at=str(len(before))).status == 403
    assert [line.line for line in host.archive.lines(session)] == before
