"""What phones do at a table: what each may do, answers that are tapped together, and two who answer at once."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from companion.archive import Archive
from companion.archive.web_access import Permissions
from companion.games import registry
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.web.answering import AnswerForm, Asking, follow_steps, opening
from companion.web.phones import Audience
from companion.web.tables import render_table
from tests.session.test_secrets import MAIN, NAME
from tests.web.serving import Answer, Host, Phone, serving
from tests.web.test_live import recorded


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


def seated(host: Host, session: str, seat: str, permissions: Permissions | None = None) -> Phone:
    """A phone at a seat."""
    phone = host.phone(seat.capitalize())
    if permissions:
        (entry,) = (each for each in host.server.phones.all() if each.name == phone_name(seat))
        host.server.phones.allow(entry.phone, permissions)
    phone.sit(session, seat)
    return phone


def phone_name(seat: str) -> str:
    """What somebody's phone is called."""
    return seat.capitalize()


def lines(host: Host, session: str) -> list[tuple[str, str]]:
    """The log, each line with who entered it."""
    return [(line.line, line.by) for line in host.archive.lines(session)]


def _send(phone: Phone, session: str, what: str, **fields: str) -> Answer:
    """A form of the table's page; without another `at`, as of this moment."""
    page = phone.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    return phone.post(f"/t/{session}/{what}", page.token, **{"at": at, **fields})


def step(seat: str, card: str) -> str:
    """The button of a card that is revealed."""
    return f"{seat}:reveal {seat} CARD›={card}"


def test_a_tap_answers_an_own_question_and_the_log_says_who(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    assert f'value="{step("ben", "QH")}"' in ben.get(f"/t/{session}").text
    assert _send(ben, session, "answer", step=step("ben", "QH")).leads_to == f"/t/{session}"
    assert lines(host, session)[-1] == ("reveal ben QH", "Ben")
    assert '<span class="by">Ben</span>' in ben.get(f"/t/{session}").text


def test_a_phone_without_a_name_is_told_from_others(host: Host) -> None:
    session = host.fight()
    phone = host.phone()
    phone.sit(session, "cy")
    _send(phone, session, "answer", step=step("cy", "6C"))
    assert re.fullmatch(r"phone [0-9a-f]{4}", lines(host, session)[-1][1])


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("permissions", "what", "fields"),
    [
        ("look", "answer", {"step": step("ben", "QH")}),
        ("look", "change", {"target": "ben", "counter": "hp", "amount": "1", "sign": "-"}),
        ("look", "undo", {}),
        ("own", "answer", {"step": step("ana", "QS")}),
        ("own", "change", {"target": "ana", "counter": "hp", "amount": "1", "sign": "-"}),
        ("own", "change", {"target": "boss", "counter": "hp", "amount": "1", "sign": "-"}),
        ("own", "change", {"target": "ben", "counter": "nothing", "amount": "1", "sign": "-"}),
        ("own", "undo", {}),
        ("own", "go", {}),
        ("look", "go", {}),
        ("own", "redo", {}),
        ("look", "redo", {}),
        ("look", "note", {"text": "Ana cheats"}),
        ("own", "answer", {"step": "ana:set ana COUNTER VALUE›=in-fight›=no"}),
        ("own", "answer", {"step": ":set table COUNTER VALUE›=outcome›=win"}),
        ("own", "answer", {"step": step("ana", "QS"), "line": "7"}),
    ],
)
def test_what_is_not_permitted_is_refused(
    host: Host, permissions: Permissions, what: str, fields: dict[str, str]
) -> None:
    session = host.fight()
    host.sitting(session).enter("reveal ana 9S" if "line" in fields else "add ana hp -1")
    ben, before = seated(host, session, "ben", permissions), lines(host, session)
    answer = _send(ben, session, what, **fields)
    assert (answer.status, lines(host, session)) == (403, before)
    assert "The host does not allow this phone" in answer.text


@pytest.mark.sample(6)
@pytest.mark.parametrize("what", ["answer", "go", "change", "undo", "redo", "note"])
def test_nothing_is_done_without_the_token(host: Host, what: str) -> None:
    session = host.fight()
    ben, before = seated(host, session, "ben", "all"), lines(host, session)
    fields = {"step": step("ben", "QH"), "target": "ben", "counter": "hp", "amount": "1", "at": "99"}
    assert ben.post(f"/t/{session}/{what}", "0" * 64, **fields).status == 403
    assert lines(host, session) == before


def test_who_may_all_answers_for_everybody(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben", "all")
    for seat, card in (("ana", "9S"), ("cy", "6C"), ("ben", "QH")):
        _send(ben, session, "answer", step=step(seat, card))
    _send(ben, session, "change", target="boss", counter="hp", amount="4", sign="-")
    _send(ben, session, "answer", step=":next")
    assert [line for line, _ in lines(host, session)[-2:]] == ["add boss hp -4", "next"]


@pytest.mark.slow
def test_who_may_all_goes_on_for_everybody_as_the_page_has_said(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben", "all")
    assert "Go on:" not in ben.get(f"/t/{session}").text
    for seat, card in (("ana", "9S"), ("cy", "6C"), ("ben", "QH")):
        _send(ben, session, "answer", step=step(seat, card))
    says = "Go on: no Tactics, no Converts, damage, all take, refill"
    assert says in ben.get(f"/t/{session}").text
    assert says not in seated(host, session, "cy", "own").get(f"/t/{session}").text
    before = lines(host, session)
    assert _send(ben, session, "go", at=str(len(before) - 1)).status == 409
    assert lines(host, session) == before
    assert _send(ben, session, "go").leads_to == f"/t/{session}"
    assert [line.split()[0] for line, _ in lines(host, session)[-4:]] == ["next", "damage", "next", "refill"]


@pytest.mark.slow
def test_a_phone_that_goes_on_is_asked_before_somebody_would_be_out(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben", "all")
    for line in ("reveal ana 9S", "reveal ben QH", "reveal cy 6C", "next", "damage", "set cy hp 1"):
        host.sitting(session).enter(line)
    question = _send(ben, session, "go")
    assert "Cy would be out (HP 1 now)." in question.text
    assert lines(host, session)[-1][0] == "set cy hp 1"
    sure = re.findall(r'name="sure" value="(\w+)"', question.text)[0]
    assert _send(ben, session, "go", sure=sure).status == 303
    assert lines(host, session)[-1] == ("next", "Ben")


def test_two_who_answer_at_once_are_both_heard(host: Host) -> None:
    session = host.fight()
    ana, ben = seated(host, session, "ana"), seated(host, session, "ben")
    at = str(len(lines(host, session)))
    _send(ana, session, "answer", step=step("ana", "9S"), at=at)
    _send(ben, session, "answer", step=step("ben", "QH"), at=at)
    assert [line for line, _ in lines(host, session)[-2:]] == ["reveal ana 9S", "reveal ben QH"]


def test_a_note_and_ones_own_changes_leave_a_question_as_it_was(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    at = str(len(lines(host, session)))
    _send(ben, session, "change", target="ben", counter="hp", amount="1", sign="-")
    host.sitting(session).enter("note Ben thinks")
    assert _send(ben, session, "answer", step=step("ben", "QH"), at=at).status == 303
    at = str(len(lines(host, session)))
    host.sitting(session).enter("add ben hp -1")
    assert "came first" in _send(ben, session, "answer", step=step("ben", "KH"), at=at).text


def test_who_answers_second_sees_who_was_first(host: Host) -> None:
    session = host.fight()
    ben, also_ben = seated(host, session, "ben"), host.phone("Dora")
    also_ben.sit(session, "ben")
    at = str(len(lines(host, session)))
    _send(ben, session, "answer", step=step("ben", "QH"), at=at)
    answer = _send(also_ben, session, "answer", step=step("ben", "2H"), at=at)
    assert answer.status == 409
    assert "Ben came first: Ben reveals Q♥: 12. Your answer was not carried out" in answer.text
    again = _send(ben, session, "answer", step=step("ben", "QH"), at=at)
    assert "You have already done this" in again.text
    assert lines(host, session)[-1] == ("reveal ben QH", "Ben")


def test_a_step_for_everybody_is_taken_once(host: Host) -> None:
    session = host.fight()
    ana, ben = seated(host, session, "ana", "all"), seated(host, session, "ben", "all")
    host.sitting(session).enter("9s qh 6c")
    at = str(len(lines(host, session)))
    _send(ana, session, "answer", step=":next", at=at)
    answer = _send(ben, session, "answer", step=":next", at=at)
    assert "Ana came first" in answer.text
    assert [line for line, _ in lines(host, session)].count("next") == 1


def test_changes_of_two_people_add_up(host: Host) -> None:
    session = host.fight()
    ben, before = seated(host, session, "ben"), str(len(lines(host, session)))
    host.sitting(session).enter("add ben hp -3")
    _send(ben, session, "change", target="ben", counter="hp", amount="4", sign="-", at=before)
    assert "<strong>13</strong>" in ben.get(f"/t/{session}").text
    refused = _send(ben, session, "change", target="ben", counter="hp", amount="", sign="+")
    assert "a whole number from 1" in refused.text


def test_own_answers_are_taken_back_and_amended(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    _send(ben, session, "answer", step=step("ben", "QH"))
    assert "Take back: Ben reveals Q♥: 12." in ben.get(f"/t/{session}").text
    assert _send(ben, session, "undo").status == 303
    _send(ben, session, "answer", step=step("ben", "2H"))
    host.sitting(session).enter("reveal ana 9S")
    assert _send(ben, session, "undo").status == 403
    page = ben.get(f"/t/{session}").text
    assert "Take back" not in page
    (anew,) = re.findall(r'href="(/t/\w+/answer\?line=(\d+))"', page)
    assert "K♥" in ben.get(anew[0]).text
    question = _send(ben, session, "answer", step=step("ben", "KH"), line=anew[1])
    assert "What would follow: Amended: Ben reveals 2♥: 2 → Ben reveals K♥: 13." in question.text
    sure = re.findall(r'name="sure" value="(\w+)"', question.text)[0]
    # Somebody else's other figures in the meantime would be asked about anew.
    assert _send(ben, session, "answer", step=step("ben", "KD"), line=anew[1], sure=sure).status == 200
    _send(ben, session, "answer", step=step("ben", "KH"), line=anew[1], sure=sure)
    assert lines(host, session)[-1] == (f"amend {anew[1]} reveal ben KH", "Ben")


def test_redo_does_what_one_took_back_while_it_is_the_last(host: Host) -> None:
    session = host.fight()
    ben, ana = seated(host, session, "ben"), seated(host, session, "ana")
    _send(ben, session, "answer", step=step("ben", "QH"))
    _send(ben, session, "undo")
    assert "Do again: Ben reveals Q♥: 12." in ben.get(f"/t/{session}").text
    assert "Do again" not in ana.get(f"/t/{session}").text
    assert _send(ana, session, "redo").status == 403
    late = str(len(lines(host, session)) - 1)
    assert "You have already done this" in _send(ben, session, "redo", at=late).text
    assert _send(ben, session, "redo").status == 303
    assert lines(host, session)[-1] == ("redo", "Ben")
    assert "Q♥" in ben.get(f"/t/{session}").text.partition('id="mine"')[2]
    # What the host takes back stays so, and what was done since stands before what was taken back.
    host.sitting(session).enter("undo")
    assert _send(ben, session, "redo").status == 403
    host.sitting(session).enter("redo")
    _send(ben, session, "undo")
    host.sitting(session).enter("reveal ana 9S")
    assert _send(ben, session, "redo").status == 403


def test_something_is_said_for_the_log(host: Host) -> None:
    session = host.fight()
    ben, lookers = seated(host, session, "ben"), host.phone("Dora")
    assert "Say something for the log" in ben.get(f"/t/{session}").text
    assert "Say something for the log" not in lookers.get(f"/t/{session}").text
    at = str(len(lines(host, session)))
    host.sitting(session).enter("reveal ana 9S")
    assert _send(ben, session, "note", text='  He said  "next"\r\nundo ', at=at, encoding="utf-8").status == 303
    assert lines(host, session)[-1] == (r'note "He said \"next\" undo"', "Ben")
    assert "He said &#34;next&#34; undo" in ben.get(f"/t/{session}").text
    assert _send(lookers, session, "note", text="x", encoding="utf-8").status == 403


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" \t ", "Write something first"),
        ("\u202etxet", "has a character that cannot be displayed (U+202E)"),
        ("a\0b", "has a character that cannot be displayed (U+0000)"),
        ("\U0001f409" * 10_000, "A line can have at most 10,000 characters, not 10,007"),
    ],
    ids=range(4),
)
def test_a_note_passes_the_gate_of_all_lines(host: Host, text: str, sentence: str) -> None:
    session = host.fight()
    ben, before = seated(host, session, "ben"), lines(host, session)
    answer = _send(ben, session, "note", text=text)
    assert (answer.status, lines(host, session)) == (409, before)
    assert sentence in answer.text


def test_a_figure_that_is_a_word_is_set_field_by_field(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    begin, _ = re.findall(r'href="(/t/\w+/answer\?said=[^"]+)"', ben.get(f"/t/{session}").text)
    page = ben.get(begin).text
    assert "By hand: Ben · Which figure?" in page
    question = _send(ben, session, "answer", step="ben:set ben COUNTER VALUE›=in-fight")
    assert "<button" in ben.get(question.leads_to).text
    _send(ben, session, "answer", step="ben:set ben COUNTER VALUE›=in-fight›=no")
    assert lines(host, session)[-1] == ("set ben in-fight no", "Ben")
    wrong = _send(ben, session, "answer", said="ben:set ben COUNTER VALUE›=hp", typed="many")
    assert (wrong.status, lines(host, session)[-1][0]) == (409, "set ben in-fight no")
    _send(ben, session, "answer", said="ben:set ben COUNTER VALUE›=hp", typed="7")
    assert lines(host, session)[-1] == ("set ben hp 7", "Ben")


def test_who_may_all_sets_what_is_the_tables(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben", "all")
    _send(ben, session, "answer", step=":set table COUNTER VALUE›=active›=cy")
    assert lines(host, session)[-1] == ("set table active cy", "Ben")


def test_an_answer_goes_on_from_field_to_field_without_a_script(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    host.sitting(session).enter("9s qh 6c")
    question = _send(ana, session, "answer", step="ana:spike ana pay CARD…|N")
    assert question.status == 303
    page = ana.get(question.leads_to)
    assert "worth 13" in page.text
    assert "http-equiv" not in page.text
    wrong = _send(ana, session, "answer", said="ana:spike ana pay CARD…|N", typed="a lot")
    assert (wrong.status, "is not a card" in wrong.text) == (409, True)
    # The question stays, with what was typed.
    assert 'value="a lot"' in wrong.text
    assert "worth 13" in wrong.text.partition('id="asked"')[0]
    empty = _send(ana, session, "answer", said="ana:spike ana pay CARD…|N", typed=" ")
    assert (empty.status, "Nothing was typed yet; this wants" in empty.text) == (409, True)
    _send(ana, session, "answer", said="ana:spike ana pay CARD…|N", typed="1")
    assert lines(host, session)[-1] == ("spike ana pay 1", "Ana")


@pytest.mark.parametrize("steps", ["", "x", "ben:reveal ben CARD›=ZZ", "ben:reveal ben CARD›=QH›=QH", "›", "ben:seal"])
def test_nonsense_is_answered_with_a_sentence(host: Host, steps: str) -> None:
    session = host.fight()
    ben, before = seated(host, session, "ben"), lines(host, session)
    answer = _send(ben, session, "answer", step=steps)
    assert (answer.status, lines(host, session)) == (409, before)
    assert ben.get(f"/t/{session}/answer?{urlencode({'said': steps, 'line': 99999})}").status == 409


def test_who_may_all_puts_in_what_was_forgotten(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben", "all")
    host.sitting(session).enter("9s qh 6c")
    page = ben.get(f"/t/{session}").text
    (before,) = re.findall(r'href="(/t/\w+/answer\?line=8&amp;forgotten=1)"', page)
    assert '<small>8</small> Ben reveals <span class="red">Q♥</span>: 12.' in page
    menu = ben.get(before.replace("&amp;", "&")).text
    assert "What was forgotten before line 8?" in menu
    assert "Ben: reveal a card" in menu
    assert "Put a figure right…" in menu
    place = {"line": "8", "forgotten": "1"}
    field = _send(ben, session, "answer", step=":set TARGET COUNTER VALUE›=boss›=hp", **place)
    assert "forgotten=1" in field.leads_to
    assert 'name="forgotten" value="1"' in ben.get(field.leads_to).text
    typed = {"said": ":set TARGET COUNTER VALUE›=boss›=hp", "typed": "5", **place}
    question = _send(ben, session, "answer", **typed)
    assert "What would follow: Inserted before line 8, as line 10: Boss 1 of 6 · " in question.text
    sure = re.findall(r'name="sure" value="(\w+)"', question.text)[0]
    _send(ben, session, "answer", **typed, sure=sure)
    assert lines(host, session)[-1] == ("insert 8 set boss hp 5", "Ben")
    assert _send(ben, session, "undo").status == 303


def test_who_answers_for_one_seat_puts_in_nothing(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    _send(ben, session, "answer", step=step("ben", "QH"))
    assert "forgotten=1" not in ben.get(f"/t/{session}").text
    assert ben.get(f"/t/{session}/answer?line=7&forgotten=1").status == 403
    refused = _send(ben, session, "answer", step=step("ben", "KH"), line="7", forgotten="1")
    assert (refused.status, lines(host, session)[-1][0]) == (403, "reveal ben QH")


def test_what_was_typed_and_lacks_something_says_what_is_wanted(host: Host) -> None:
    session = host.table(*FRONTIER, game="oddfrontier")
    ana = seated(host, session, "ana", "all")
    short = _send(ana, session, "answer", said=":wound SEAT N…", typed="ben")
    assert (short.status, "“ben” is not all; this wants who is wounded, and by how much." in short.text) == (409, True)


FRONTIER = ("seat ana", "seat ben", "seat cy", "begin seed 1", "next", "next")


def test_who_takes_part_sees_whose_move_it_is_and_no_offer_that_cannot_be_tapped(host: Host) -> None:
    session = host.table(*FRONTIER, game="oddfrontier")
    ana, ben, cy = seated(host, session, "ana"), seated(host, session, "ben"), seated(host, session, "cy", "all")
    pages = [phone.get(f"/t/{session}").text for phone in (ana, ben, cy)]
    for page in pages:
        first, besides = page.partition("<h2>Asked now")[2].partition("</ul>")[0], _items(page, "Other actions")
        assert "Ana: play an Engine, a Creature or another permanent" in first
        assert all("<button" in item for item in besides)
    assert [page.count("Other actions") for page in pages] == [0, 0, 1]
    assert "<button" in _items(pages[0], "Asked now</h2>")[0]
    assert "<h2>Asked now: Ana</h2>" in pages[1]
    assert "<button" in _items(pages[1], "What you can do now")[0]
    host.server.phones.allow_all("look")
    assert "Other actions: 4" in host.phone("Dora").get(f"/t/{session}").text


def _items(page: str, heading: str) -> list[str]:
    """The questions below a heading."""
    return page.partition(heading)[2].partition("</section>")[0].partition("<details")[0].split("<li")[1:]


def _leads_on(asking: Asking, form: AnswerForm) -> Iterator[str]:
    """What every button of a form comes to."""
    rows = (cell.answer for row in form.grid for cell in row if cell.answer)
    for button in (*form.buttons, *rows):
        progress = follow_steps(asking, form.step(button))
        assert (progress.form is None) is not (progress.action is None)
        yield form.step(button)


@pytest.mark.parametrize("game", [game.name for game in registry.games_with_decks() if game.name != "decknforge"])
def test_every_game_is_answered_and_every_button_leads_somewhere(game: str) -> None:
    tapped = 0
    for session in recorded(game):
        asking = Asking.now(session)
        for prompt in asking.prompts:
            if form := opening(asking, prompt, at_once=True):
                tapped += sum(1 for _ in _leads_on(asking, form))
        sections = render_table(
            TableClient(SharedSession(session)), Audience(session.view().seats[0].seat, "all", "Ana")
        ).sections
        assert "<form" in sections["asked"] + sections["mine"]
    assert tapped


def test_a_face_down_card_is_named_on_its_owners_phone_alone(host: Host) -> None:
    session = host.table(*MAIN, game="soulforger")
    ana, ben = (seated(host, session, seat) for seat in ("ana", "ben"))
    looks_on = host.phone("Cy")
    assert "note which one; only you see it" in ana.get(f"/t/{session}").text
    assert "note which one; only you see it" not in ben.get(f"/t/{session}").text
    with ben.news(session) as bens, looks_on.news(session) as cys:
        _send(ana, session, "answer", said="ana:set-action ana TEXT", typed=NAME)
        events = [str(news.of_table()) for news in (bens, cys)]
    assert lines(host, session)[-1] == (f'set-action ana "{NAME}"', "Ana")
    pages = [phone.get(f"/t/{session}{page}").text for phone in (ben, looks_on) for page in ("", "/log")]
    assert not [text for text in (*events, *pages) if NAME in text]
    assert all("face down" in page for page in pages)
    assert f"Ana sets “{NAME}” face down." in ana.get(f"/t/{session}/log").text
    ben.sit(session, "")
    assert NAME not in ben.get(f"/t/{session}").text


def test_a_note_is_typed_on_a_page_that_stays_as_it_is(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    table, noting = ben.get(f"/t/{session}").text, ben.get(f"/t/{session}/note").text
    assert f'<noscript><a class="more" href="/t/{session}/note">' in table
    assert '<meta http-equiv="refresh"' in table
    assert '<meta http-equiv="refresh"' not in noting
    assert 'name="text"' in noting
    assert _send(ben, session, "note", text="Ana laughs", encoding="utf-8").leads_to == f"/t/{session}"
    assert lines(host, session)[-1] == ('note "Ana laughs"', "Ben")


def test_the_same_change_from_two_phones_at_once_is_done_once(host: Host) -> None:
    session = host.fight()
    ana, ben = seated(host, session, "ana", "all"), seated(host, session, "ben", "all")
    change = {"target": "ana", "counter": "coppers", "sign": "+3"}
    pages = [(phone, phone.get(f"/t/{session}")) for phone in (ana, ben)]
    at = re.findall(r'data-length="(\d+)"', pages[0][1].text)[0]
    assert f'name="at" value="{at}"' in pages[0][1].text.partition('action="/t/' + session + '/change"')[2]
    statuses = [phone.post(f"/t/{session}/change", page.token, at=at, **change).status for phone, page in pages]
    assert statuses == [303, 409]
    other = {**change, "sign": "+4"}
    assert ben.post(f"/t/{session}/change", pages[1][1].token, at=at, **other).status == 303


def test_a_note_holds_up_nobody_who_goes_on(host: Host) -> None:
    session = host.table("seat ana", "seat ben", "active ana", "begin seed 1", "reveal ana 5S", "reveal ben 6S")
    ana = seated(host, session, "ana", "all")
    page = ana.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    host.sitting(session).enter("note hello")
    assert ana.post(f"/t/{session}/go", page.token, at=at, read=at).status == 303
    host.sitting(session).enter("add ana coppers +1")
    assert ana.post(f"/t/{session}/go", page.token, at=at, read=at).status == 409


def test_a_figure_is_put_right_only_as_it_is_now(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana")
    page = ana.get(f"/t/{session}")
    at = re.findall(r'data-length="(\d+)"', page.text)[0]
    beginning = re.findall(r'answer\?said=([^"]+)" data-here>Put a figure right', page.text)[0]
    begun = ana.get(f"/t/{session}/answer?said={beginning}").text
    steps = next(each for each in re.findall(r'name="step" value="([^"]+)"', begun) if "hp" in each)
    host.sitting(session).enter("add ana hp -2")
    answer = ana.post(f"/t/{session}/answer", page.token, step=f"{steps}›.21", at=at, read=at)
    assert answer.status == 409
    assert "came first: Ana: HP 20 → 18" in answer.text
