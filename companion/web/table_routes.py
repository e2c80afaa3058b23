"""The pages of tables: the table, its log, its event stream, and the answers and corrections of phones."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.archive.web_access import Hand, SeatTaken
from companion.session.core.moments import Moment, with_full_stop
from companion.session.core.session import SecretChoice, Session
from companion.session.table.concurrent_lines import is_other_figure, leaves_question_open
from companion.session.table.confirmations import (
    ActionDone,
    Confirmation,
    ConfirmationNeeded,
    Rejected,
    Reloaded,
    Reply,
)
from companion.session.table.table_client import TableClient
from companion.session.table.terms import glossary
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.arguments import CLOCK_WORDS
from companion.tabletop.table.common_actions import BESIDE_PLAY, FOR_HOST, Add, Coach, FaceDown, Note, Set, SetClock
from companion.web import answering, hands, templates
from companion.web.answering import AnswerForm, Asking, Menu, QuestionGone, Reached
from companion.web.brake import Braked
from companion.web.pages import WebPages, event_response, message_page, redirect
from companion.web.phones import Audience
from companion.web.table_page import list_moments, title_of_writer
from companion.web.tables import (
    PHONE_PAGE,
    RELOAD_EVENT,
    EventStream,
    PageKind,
    PageState,
    SharedTable,
    clock_buttons,
    find_audience,
    word_links,
)
from companion.web.visitor import Visitor, find_visitor, form_size, join_fields, read_form
from templates.languages.messages import Finished, Text, all_of, current_language, joined, phrase

_NO_ANSWER: Final = Markup("")
_MAX_WORDS: Final = 20
"""The most words that one request explains."""


class TableRoutes:
    """The pages that show tables: the list, each table, its log, its event stream, and taking a seat."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [
            Route("/", pages.require_login(self.home)),
            Route("/tables", pages.require_login(self.tables)),
            Route("/t/{session}", pages.require_login(self.table)),
            Route("/t/{session}/log", pages.require_login(self.log)),
            Route("/t/{session}/words", pages.require_login(self.words)),
            Route("/t/{session}/news", self.news),
            Route("/t/{session}/seat", pages.require_login(self.sit), methods=["POST"]),
        ]

    async def home(self, _: Request, __: Visitor) -> Response:
        """Redirect to tonight's table, or to the list."""
        session = await self._pages.find_tonights()
        return redirect(f"/t/{session}" if session else "/tables")

    async def tables(self, _: Request, __: Visitor) -> Response:
        """List the open tables, the one changed last first."""
        rows = await self._pages.list_tables()
        return HTMLResponse(templates.render("tables.html", tables=rows, is_for_screen=False))

    async def table(self, request: Request, who: Visitor) -> Response:
        """Render a table for the visitor's seat."""
        table = await self._pages.find_table(request)
        session = table.live.session.id
        viewer = find_audience(self._pages.phones, who.id, session)
        if viewer is None:
            return redirect("/pin")
        return HTMLResponse(await render_table_page(table, viewer, who.token))

    async def log(self, request: Request, who: Visitor) -> Response:
        """Render the whole log of a table for the visitor's seat."""
        table = await self._pages.find_table(request)
        viewer = find_audience(self._pages.phones, who.id, table.live.session.id)
        if viewer is None:
            return redirect("/pin")
        sitting = table.sitting(viewer)
        log = await run_in_threadpool(lambda: tuple(list_moments(sitting)))
        session = table.live.session.id
        return HTMLResponse(templates.render("whole_log.html", title=sitting.view.title, session=session, log=log))

    async def words(self, request: Request, _: Visitor) -> Response:
        """Explain words of a table's game, each with its rule; without names, all of them."""
        table = await self._pages.find_table(request)
        session, words = table.live.session, glossary(table.live.session.game)
        names = request.query_params.get("of", "").split(",")[:_MAX_WORDS]
        terms = dict.fromkeys(filter(None, map(words.find_by_name, names)))
        # What is said of deck files is for keyboards.
        every_term = [term for term in words if "`" not in str(term.text)]
        html = templates.render(
            "words.html",
            terms=[(term, words.rule_of(term)) for term in terms or every_term],
            shows_all=not terms,
            session=session.id,
            title=session.view().title,
        )
        return HTMLResponse(html)

    async def news(self, request: Request) -> Response:
        """Stream the events of a table's page."""
        return await stream_news(self._pages, request, PHONE_PAGE)

    async def sit(self, request: Request, who: Visitor) -> Response:
        """Give a phone the page of a seat, or of no seat for ""."""
        fields = await read_form(request, who)
        seat = fields.get("seat", "")
        table = await self._pages.find_table(request)
        session = table.live.session.id
        if seat and seat not in (side.seat for side in table.live.session.view().seats):
            return message_page(
                phrase("No such seat"),
                phrase("Nobody is at this seat now; look at the table again."),
                HTTPStatus.CONFLICT,
            )
        phones, hands_over = self._pages.phones, fields.get("hand") == "over"
        try:
            with phones.writing(who.id, form_size(fields)) as entry:
                await run_in_threadpool(phones.sit, who.id, session, seat, hands_over=hands_over, if_free=True)
                entry.is_made = True
        except SeatTaken as error:
            return message_page(phrase("That seat is taken"), str(error), HTTPStatus.CONFLICT)
        table.notify()
        # The fragment leads to the own questions: browsers keep the scroll position of a page that loads again.
        return redirect(f"/t/{session}#asked")


async def stream_news(pages: WebPages, request: Request, kind: PageKind) -> Response:
    """Return the event stream of a page.

    The stream's address has the length of the page's log, its audience's key, and its language.
    """
    who = await find_visitor(request, pages.phones)
    query = request.query_params
    # Another page of this browser may have chosen another language since.
    is_language_current = query.get("in", "") in ("", current_language().code)
    if not who.is_admitted or request.method == "HEAD" or not is_language_current:
        return event_response(_reload())
    table = await pages.find_table(request)
    length = request.headers.get("last-event-id") or query.get("have", "")
    number = int(length) if length.isascii() and length.isdecimal() and len(length) < 10 else -1
    state = PageState(number, query.get("as", ""))
    return pages.stream(EventStream(table, pages.phones, who.id, who.token, state, kind))


async def render_table_page(table: SharedTable, viewer: Audience, token: str, answering: Markup = _NO_ANSWER) -> str:
    """Return the HTML of a table's page for a phone, with the answer in progress."""
    parts = await render_sections(table, viewer, token, PHONE_PAGE)
    return templates.render("table.html", answering=answering, **parts)


async def render_sections(table: SharedTable, viewer: Audience, token: str, kind: PageKind) -> dict[str, Any]:
    """Return the context for a page's template: its sections, and the parameters of its event stream."""
    page = await table.page_for(viewer, kind)
    sections = {name: Markup(html) for name, html in page.for_phone(token).items()}
    session = table.live.session.id
    return {
        "sections": sections,
        "title": page.title,
        "session": session,
        "length": page.length,
        "whom": viewer.key,
    }


async def _reload() -> AsyncIterator[bytes]:
    """Yield the event that reloads a page. A phone that is no longer admitted is redirected to the PIN."""
    yield RELOAD_EVENT


_MAX_GIVEN: Final = 16
"""The most responses that are kept of a phone, for forms that are sent again."""
_MAX_PHONES: Final = 200
_MAX_KEY: Final = 64
"""The most characters of the key that identifies a form that is sent again."""
_ATTEMPTS: Final = 5
"""The most attempts of a command while others write."""
_DIGITS: Final = 9


class DoneAlready(Rejected, frozen=True):
    """The rejection of a command that this phone has given already."""


Answered = Reply | AnswerForm | Menu
TableCommand = Callable[[TableClient, Audience], Answered]
SaveChoice = Callable[[str, str, SecretChoice], bool]
"""A function that keeps what a phone has chosen face down, by session and seat; it returns False if it cannot."""


class AnswerPlace(NamedTuple):
    """The subject of an answer: the present table, or the line `line`, to be answered again.

    With `inserts`, a forgotten action is inserted before the line.
    """

    line: int = 0
    inserts: bool = False

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> AnswerPlace:
        """Read the place from a form or an address."""
        return cls(_parse_number(fields.get("line", "")), fields.get("forgotten", "") == "1")


class PageVersion(NamedTuple):
    """The length of the log on a page, and the length that the user can have read before tapping.

    A button for everyone may have changed a moment ago.
    """

    length: int
    read_length: int

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> PageVersion:
        """Read the version from a form. Without a script the form does not have the length that was read."""
        length = _parse_number(fields.get("at", ""))
        return cls(length, _parse_number(fields.get("read", "")) or length)


class SentAnswer(NamedTuple):
    """An answer as a phone sends it: its steps, its subject, the version of its page, and its confirmation."""

    steps: str
    place: AnswerPlace
    version: PageVersion
    sure: str


class NotPermitted(Exception):
    """An action that the host has not allowed to the phone."""


class PlayRoutes:
    """The pages with which a phone takes part: answers, next steps, changes of counters, undo, redo and notes."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self._given: OrderedDict[str, OrderedDict[str, asyncio.Task[Response]]] = OrderedDict()
        """Responses to recent forms, by phone and by the forms' keys."""
        inside = pages.require_login
        self.routes = [
            Route("/t/{session}/answer", inside(self.ask)),
            Route("/t/{session}/answer", inside(self.answer), methods=["POST"]),
            Route("/t/{session}/preview", inside(self.preview)),
            Route("/t/{session}/sure", inside(self.check_confirmation)),
            Route("/t/{session}/change", inside(self.change), methods=["POST"]),
            Route("/t/{session}/go", inside(self.go_on), methods=["POST"]),
            Route("/t/{session}/clock", inside(self.set_clock), methods=["POST"]),
            Route("/t/{session}/undo", inside(self.undo), methods=["POST"]),
            Route("/t/{session}/redo", inside(self.redo), methods=["POST"]),
            Route("/t/{session}/note", inside(self.show_note)),
            Route("/t/{session}/note", inside(self.note), methods=["POST"]),
            Route("/t/{session}/hand", inside(self.hand), methods=["POST"]),
        ]

    async def ask(self, request: Request, who: Visitor) -> Response:
        """Show the next form of an answer in progress, of one that is given again, or of a forgotten one."""
        query = request.query_params
        place, steps = AnswerPlace.of(query), query.get("said", "")
        return await self._run(
            request, who, query, lambda sitting, by: _next_answers(sitting.session, by, steps, place)
        )

    async def answer(self, request: Request, who: Visitor) -> Response:
        """Add a step to an answer, and submit the answer once it is complete."""
        fields = await read_form(request, who)
        steps = fields.get("step") or _typed_steps(fields)
        answer = SentAnswer(steps, AnswerPlace.of(fields), PageVersion.of(fields), fields.get("sure", ""))
        fields["step"] = steps
        save = partial(self._pages.phones.save_choice, who.id)
        if line := fields.get("advice", ""):
            _, _, version, sure = answer
            return await self._run(
                request, who, fields, lambda sitting, by: _take_advice(sitting, by, line, version, sure, save)
            )
        return await self._run(request, who, fields, lambda sitting, by: _answer(sitting, by, answer, save))

    async def preview(self, request: Request, who: Visitor) -> Response:
        """Describe the effect of the chosen cards in a sentence."""
        fields = join_fields(request.query_params.multi_items())
        table = await self._pages.find_table(request)
        by = find_audience(self._pages.phones, who.id, table.live.session.id)
        sentence = "" if by is None else await run_in_threadpool(_foretell, table, by, fields)
        return PlainTextResponse(templates.simplify(sentence))

    async def check_confirmation(self, request: Request, who: Visitor) -> Response:
        """Return an empty response: OK as long as a confirmation on a page stands, CONFLICT once the table moved on."""
        fields = join_fields(request.query_params.multi_items())
        table = await self._pages.find_table(request)
        by = find_audience(self._pages.phones, who.id, table.live.session.id)
        stands = by is not None and await run_in_threadpool(_confirmation_stands, table.sitting(by).session, by, fields)
        return PlainTextResponse("", HTTPStatus.OK if stands else HTTPStatus.CONFLICT)

    async def change(self, request: Request, who: Visitor) -> Response:
        """Change a counter by an amount."""
        fields = await read_form(request, who)
        action, version, sure = _parse_change(fields), PageVersion.of(fields), fields.get("sure", "")
        return await self._run(
            request, who, fields, lambda sitting, by: _change_counter(sitting, by, action, version, sure)
        )

    async def go_on(self, request: Request, who: Visitor) -> Response:
        """Take the suggested steps up to the next decision, if they are still those that the page showed."""
        fields = await read_form(request, who)
        version, sure = PageVersion.of(fields), fields.get("sure", "")
        return await self._run(request, who, fields, lambda sitting, by: _go_on(sitting, by, version, sure))

    async def set_clock(self, request: Request, who: Visitor) -> Response:
        """Start, pause or end the clock of the table."""
        fields = await read_form(request, who)
        return await self._run(
            request, who, fields, lambda sitting, by: _set_clock(sitting, by, fields.get("does", ""))
        )

    async def undo(self, request: Request, who: Visitor) -> Response:
        """Undo the phone's last action, unless the log has grown since."""
        fields = await read_form(request, who)
        length, sure = _parse_number(fields.get("at", "")), fields.get("sure", "")
        return await self._run(request, who, fields, lambda sitting, by: _undo(sitting, by, length, sure))

    async def redo(self, request: Request, who: Visitor) -> Response:
        """Redo the action that the phone undid, unless the log has grown since."""
        fields = await read_form(request, who)
        length = _parse_number(fields.get("at", ""))
        return await self._run(request, who, fields, lambda sitting, by: _redo(sitting, by, length))

    async def show_note(self, request: Request, who: Visitor) -> Response:
        """Render the form for a note on a static page, for browsers without scripts."""
        table = await self._pages.find_table(request)
        session = table.live.session.id
        by = find_audience(self._pages.phones, who.id, session)
        if by is None or not by.notes():
            return redirect(f"/t/{session}")
        html = templates.render("noting.html", session=session, token=who.token)
        return HTMLResponse(await render_table_page(table, by, who.token, Markup(html)))

    async def note(self, request: Request, who: Visitor) -> Response:
        """Write a note to the log."""
        fields = await read_form(request, who)
        text = " ".join(fields.get("text", "").split())
        return await self._run(request, who, fields, lambda sitting, by: _note(sitting, by, text))

    async def hand(self, request: Request, who: Visitor) -> Response:
        """Save a private hand, remove cards from it, or show some of them to everyone."""
        fields = await read_form(request, who)
        save = partial(self._pages.phones.save_hand, who.id)
        return await self._run(request, who, fields, lambda sitting, by: _change_hand(sitting, by, fields, save))

    async def _run(self, request: Request, who: Visitor, fields: Mapping[str, str], command: TableCommand) -> Response:
        """Run a command of a phone, and return the resulting page.

        A form that is sent again, because its response was lost, gets the same response and is not run twice.
        """
        once = fields.get("once", "")[:_MAX_KEY]
        if request.method != "POST" or not once:
            return await self._answer_once(request, who, fields, command)
        given = self._given.setdefault(who.id, OrderedDict())
        self._given.move_to_end(who.id)
        if once not in given:
            given[once] = asyncio.create_task(self._answer_once(request, who, fields, command))
        answer = given[once]
        while len(given) > _MAX_GIVEN:
            given.popitem(last=False)
        while len(self._given) > _MAX_PHONES:
            self._given.popitem(last=False)
        response = await asyncio.shield(answer)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            given.pop(once, None)
        return response

    async def _answer_once(
        self, request: Request, who: Visitor, fields: Mapping[str, str], command: TableCommand
    ) -> Response:
        table = await self._pages.find_table(request)
        by = find_audience(self._pages.phones, who.id, table.live.session.id)
        if by is None:
            return redirect("/pin")
        is_braked = False
        try:
            reply = await self._do(request, who, fields, lambda: _run(table, by, command))
        except NotPermitted:
            text = phrase("The host does not allow this phone to do this. If that is a mistake, ask at the table.")
            return message_page(phrase("Not yours to do"), text, HTTPStatus.FORBIDDEN)
        except Braked as error:
            reply, is_braked = Rejected(str(error)), True
        path = f"/t/{table.live.session.id}"
        if isinstance(reply, ActionDone) and reply.coaching is not None:
            advice = await run_in_threadpool(reply.coaching.advise)
            if reply.coaching.question.seat == by.seat:
                advice = advice.for_own_seat()
            html = templates.render(
                "advice.html",
                advice=advice,
                line="" if advice.action is None else table.live.session.notation.format(advice.action),
                session=table.live.session.id,
                token=who.token,
                at=table.live.length,
            )
            return HTMLResponse(await render_table_page(table, by, who.token, Markup(html)))
        if isinstance(reply, ActionDone):
            return redirect(path)
        if isinstance(reply, AnswerForm) and request.method == "POST" and not reply.fault:
            where = {"line": reply.line or "", "forgotten": "1" if reply.inserts else ""}
            return redirect(f"{path}/answer?{urlencode({'said': reply.path, **where})}")
        html, status = _render_reply(
            reply,
            fields,
            request.url.path,
            session=table.live.session.id,
            token=who.token,
            at=table.live.length,
            held=hands.cards_left(by.hand, table.live.session, by.seat),
            meanings=word_links(table.sitting(by)),
        )
        status = HTTPStatus.TOO_MANY_REQUESTS if is_braked else status
        return HTMLResponse(await render_table_page(table, by, who.token, Markup(html)), status)

    async def _do(
        self, request: Request, who: Visitor, fields: Mapping[str, str], run: Callable[[], Answered]
    ) -> Answered:
        """Return the reply to a command, counted as the phone's entry if it writes. Raises NotPermitted or Braked."""
        if request.method != "POST":
            return await run_in_threadpool(run)
        with self._pages.phones.writing(who.id, form_size(fields)) as entry:
            reply = await run_in_threadpool(run)
            entry.is_made = isinstance(reply, ActionDone)
        return reply


def _render_reply(reply: Answered, fields: Mapping[str, str], path: str, **context: Any) -> tuple[str, HTTPStatus]:
    """Render a reply on the table's page: the next question, or the reason that nothing was done."""
    if isinstance(reply, Menu):
        return templates.render("forgotten.html", menu=reply, **context), HTTPStatus.OK
    if isinstance(reply, AnswerForm):
        status = HTTPStatus.CONFLICT if reply.fault else HTTPStatus.OK
        return templates.render("answering.html", form=reply, **context), status
    if isinstance(reply, ConfirmationNeeded):
        repeated = {key: value for key, value in fields.items() if key not in ("token", "sure", "at", "read", "once")}
        sure = _digest_question(reply.question)
        html = templates.render("sure.html", question=reply.question, sure=sure, fields=repeated, path=path, **context)
        return html, HTTPStatus.OK
    # If the question is gone, at least the answer to it is displayed.
    answer = answering.last_words(fields.get("step", ""))
    words = f"{fields.get('asked', '')} {answer}".strip() if answer else ""
    html = templates.render(
        "not_done.html", sentence=reply.sentence, words=words, text=fields.get("text", ""), **context
    )
    return html, HTTPStatus.CONFLICT


def _typed_steps(fields: Mapping[str, str]) -> str:
    """Return the steps of an answer that was typed, or whose cards were chosen together."""
    return answering.append_typed_text(fields.get("said", ""), fields.get("item") or fields.get("typed", ""))


def _foretell(table: SharedTable, by: Audience, fields: Mapping[str, str]) -> str:
    """Return the effect of a chosen list of cards, or "" if they may not play it, or it cannot be predicted."""
    with suppress(NotPermitted, QuestionGone):
        if by.permissions == "look" or not fields.get("item"):
            return ""
        asking, steps = _find_asking(table.sitting(by).session, by, AnswerPlace.of(fields)), _typed_steps(fields)
        if by.answers(answering.find_first_prompt(asking, steps)):
            return answering.foretell(asking, steps)
    return ""


def _parse_change(fields: Mapping[str, str]) -> Add:
    """Return the change of a counter that a form sends."""
    sign = fields.get("sign", "")
    # A button with a step has the whole change; the others use the amount between them.
    amount = _parse_number(sign[1:] or fields.get("amount", "")) * (-1 if sign.startswith("-") else 1)
    return Add(fields.get("target", ""), fields.get("counter", ""), amount)


def _confirmation_stands(session: Session, by: Audience, fields: Mapping[str, str]) -> bool:
    """Return True if what a confirmation is about could be done now as when it was asked."""
    length = PageVersion.of(fields).length
    match fields.get("of", ""):
        case "answer":
            return _answer_stands(session, by, fields, length)
        case "change":
            # The confirmation tells what the figure becomes, so that it goes with any other change of it.
            change = _parse_change(fields)
            return _is_unchanged(session, by, Set(change.target, change.counter, ""), length)
        case "go":
            return _is_same_position(session, length)
        case _:
            return len(session.log.lines) <= length


def _answer_stands(session: Session, by: Audience, fields: Mapping[str, str], length: int) -> bool:
    """Return True if an answer still answers its question."""
    place, advice = AnswerPlace.of(fields), fields.get("advice", "")
    with suppress(RuleError, NotationError, NotPermitted):
        asking = _find_asking(session, by, place)
        if advice:
            action: Action | None = session.notation.parse(advice)
            prompt = next((each for each in asking.prompts if action and answering.answers_with(each, action)), None)
        else:
            prompt, _, action = _follow_steps(asking, by, fields.get("step") or _typed_steps(fields))
        seat = "" if isinstance(action, Set) or prompt is None else prompt.seat
        is_possible = prompt is not None and action is not None
        return is_possible and (place.line > 0 or _is_current(session, by, seat, length))
    return False


def _run(table: SharedTable, by: Audience, command: TableCommand) -> Answered:
    """Return the reply to a command. It waits for the disk and for other writers. Raises NotPermitted."""
    if by.permissions == "look":
        raise NotPermitted
    for _ in range(_ATTEMPTS):
        reply = command(table.sitting(by), by)
        if not isinstance(reply, Reloaded):
            break
    return reply


def _find_moment(session: Session, by: Audience, place: AnswerPlace) -> Moment | None:
    """Return the moment that an answer is about, or None for the present. Raises NotPermitted or QuestionGone."""
    if not place.line:
        return None
    moment = next((each for each in session.moments() if each.number == place.line), None)
    if moment is None:
        raise QuestionGone(phrase("This line no longer counts."))
    if moment not in (by.inserts_before(session) if place.inserts else by.current_answers(session)):
        raise NotPermitted
    return moment


def _find_asking(session: Session, by: Audience, place: AnswerPlace) -> Asking:
    """Return the table to answer, as it is now or before a line. Raises NotPermitted or QuestionGone."""
    moment = _find_moment(session, by, place)
    return Asking.before(session, moment, inserts=place.inserts) if moment else Asking.now(session, by.seat)


def _follow_steps(asking: Asking, by: Audience, steps: str) -> Reached:
    progress = answering.follow_steps(asking, steps)
    if not by.answers(progress.prompt) or isinstance(progress.action, FOR_HOST):
        raise NotPermitted
    return progress


def _next_answers(session: Session, by: Audience, steps: str, place: AnswerPlace) -> Answered:
    """Return the next form of an answer in progress, or a new one if `steps` is ""."""
    try:
        asking = _find_asking(session, by, place)
        if asking.inserts and not steps:
            return answering.menu(asking)
        if steps:
            progress = _follow_steps(asking, by, steps)
            form = progress.form
            if form and issubclass(progress.prompt.answer.action, Coach):
                # A hand that was entered already need not be typed again.
                form = form._replace(typed=" ".join(hands.cards_left(by.hand, session, by.seat)))
            return form or _reject(phrase("That is all; it has already been answered."))
        for prompt in filter(by.answers, asking.prompts):
            if form := answering.opening(asking, prompt, at_once=True):
                return form
        return _reject(phrase("This cannot be answered again here; the host can amend it."))
    except (RuleError, NotationError) as error:
        return Rejected(str(error))


def _answer(sitting: TableClient, by: Audience, answer: SentAnswer, save: SaveChoice) -> Answered:
    reply = _give_answer(sitting, by, answer, save)
    return _ask_again(sitting.session, by, answer.steps, answer.place, reply) if isinstance(reply, Rejected) else reply


def _give_answer(sitting: TableClient, by: Audience, answer: SentAnswer, save: SaveChoice) -> Answered:
    steps, place, version, sure = answer
    session, line = sitting.session, place.line
    try:
        asking = _find_asking(session, by, place)
        progress = _follow_steps(asking, by, steps)
    except QuestionGone as gone:
        if len(session.log.lines) > version.length:
            return _describe_earlier(sitting, by, version.length)
        return _reject(joined(" ", (str(gone), phrase("Look at the current questions."))))
    except (RuleError, NotationError) as error:
        return Rejected(str(error))
    if progress.form:
        return progress.form
    assert progress.action is not None
    # An amendment is confirmed against its present effect, so a longer log does no harm.
    at = version.length if line or progress.prompt.seat == by.seat != "" else version.read_length
    # A correction sets the present value of a counter, not the one on the page.
    seat = "" if isinstance(progress.action, Set) else progress.prompt.seat
    if not line and not _is_current(session, by, seat, at):
        return _describe_earlier(sitting, by, at)
    if not line and by.chooses_face_down(progress.prompt):
        return _choose_face_down(sitting, by, progress.action, save)
    return _confirm(sitting, sitting.submit(asking.action_to_submit(progress.action)), sure)


def _take_advice(
    sitting: TableClient, by: Audience, line: str, version: PageVersion, sure: str, save: SaveChoice
) -> Answered:
    """Do what the coach advised, if it still answers a question of the phone's seat."""
    session = sitting.session
    try:
        action = session.notation.parse(line)
    except NotationError as error:
        return Rejected(str(error))
    asking = Asking.now(session, by.seat)
    prompt = next((each for each in asking.prompts if answering.answers_with(each, action)), None)
    if prompt is None or not by.answers(prompt) or isinstance(action, FOR_HOST):
        return _reject(phrase("This question is no longer open."))
    if not _is_current(session, by, prompt.seat, version.length):
        return _describe_earlier(sitting, by, version.length)
    if by.chooses_face_down(prompt):
        return _choose_face_down(sitting, by, action, save)
    return _confirm(sitting, sitting.submit(action), sure)


def _choose_face_down(sitting: TableClient, by: Audience, action: Action, save: SaveChoice) -> Reply:
    """Keep an answer face down, and announce in the log that there is one."""
    session = sitting.session
    try:
        session.preview(action)
    except (RuleError, NotationError) as error:
        return Rejected(str(error))
    choice = SecretChoice(session.notation.format(action), len(session.log.lines), by.by)
    if by.seat in session.state.face_down:
        earlier = by.choice
        if earlier is None or not session.lies_face_down(by.seat, earlier):
            return _reject(phrase("Your choice lies face down already, and was not made on this phone."))
        choice = choice._replace(length=earlier.length)
    # The choice is stored first: once it is announced, it can be turned up.
    if not save(session.id, by.seat, choice):
        raise NotPermitted
    if by.seat in session.state.face_down:
        return ActionDone((), "")
    return sitting.submit(FaceDown(by.seat))


def _ask_again(
    session: Session, by: Audience, steps: str, place: AnswerPlace, refusal: Rejected
) -> AnswerForm | Rejected:
    """Return the form of the last step that is still open, with the reason and the refused steps.

    Return the refusal alone if none is open, or if nothing needs to be repeated.
    """
    if isinstance(refusal, DoneAlready):
        return refusal
    for before, refused_steps in answering.steps_back(steps):
        with suppress(RuleError, NotationError, NotPermitted):
            if form := _follow_steps(_find_asking(session, by, place), by, before).form:
                return answering.ask_again(form, refused_steps, str(refusal.sentence))
    return refusal


def _is_current(session: Session, by: Audience, seat: str, length: int) -> bool:
    """Return True if a question to a seat is unchanged since the log had `length` lines."""
    others = [action for action in _actions_of_others(session, by, length) if not isinstance(action, BESIDE_PLAY)]
    return not others or (seat != "" and all(leaves_question_open(action, {seat}) for action in others))


def _actions_of_others(session: Session, by: Audience, length: int) -> list[Action]:
    """Return the actions after the first `length` lines, without the audience's own changes of counters."""
    entries = ((line.by, session.notation.parse(line.text)) for line in session.log.lines[length:])
    return [action for who, action in entries if not (who == by.by and isinstance(action, Add))]


def _is_unchanged(session: Session, by: Audience, action: Add | Set, length: int) -> bool:
    """Return True if others have not changed the figure of an action since the log had `length` lines."""
    return all(is_other_figure(each, (action,)) for each in _actions_of_others(session, by, length))


def _is_same_position(session: Session, length: int) -> bool:
    """Return True if nothing has been played since the log had `length` lines."""
    return all(isinstance(session.notation.parse(line.text), BESIDE_PLAY) for line in session.log.lines[length:])


def _change_counter(sitting: TableClient, by: Audience, action: Add, version: PageVersion, sure: str) -> Reply:
    view = sitting.view
    if not by.changes(action.target, view):
        raise NotPermitted
    counters = view.counters_of(action.target) or ()
    if not any(each.name == action.counter and each.settable and each.number is not None for each in counters):
        raise NotPermitted
    if not action.amount:
        return _reject(phrase("Enter how much more or less: a whole number from 1."))
    if version.length and not _is_unchanged(sitting.session, by, action, version.length):
        return _describe_earlier(sitting, by, version.length)
    return _confirm(sitting, sitting.submit(action), sure)


def _go_on(sitting: TableClient, by: Audience, version: PageVersion, sure: str) -> Reply:
    if not by.goes_on():
        raise NotPermitted
    if not _is_same_position(sitting.session, version.read_length):
        return _describe_earlier(sitting, by, version.read_length)
    return _confirm(sitting, sitting.go_on(), sure)


def _set_clock(sitting: TableClient, by: Audience, what: str) -> Reply:
    """Do what a button of the clock says; somebody else may have done it already."""
    if not by.notes() or what not in CLOCK_WORDS:
        raise NotPermitted
    if all(button.what != what for button in clock_buttons(sitting.session, by)):
        return _reject(phrase("The clock has changed meanwhile; look at it again."))
    return sitting.submit(SetClock(what))


def _undo(sitting: TableClient, by: Audience, length: int, sure: str) -> Reply:
    if len(sitting.session.log.lines) > length:
        return _describe_earlier(sitting, by, length)
    if not by.takes_back(sitting.session):
        raise NotPermitted
    return _confirm(sitting, sitting.undo(), sure)


def _redo(sitting: TableClient, by: Audience, length: int) -> Reply:
    if len(sitting.session.log.lines) > length:
        return _describe_earlier(sitting, by, length)
    if not by.does_again(sitting.session):
        raise NotPermitted
    return sitting.redo()


def _note(sitting: TableClient, by: Audience, text: str) -> Reply:
    if not by.notes():
        raise NotPermitted
    if not text:
        return _reject(phrase("Write something first; the note is empty."))
    return sitting.submit(Note(text))


def _change_hand(
    sitting: TableClient, by: Audience, fields: Mapping[str, str], save: Callable[[str, str, Hand], bool]
) -> Reply:
    if not by.holds_cards():
        raise NotPermitted
    session, what = sitting.session, fields.get("do", "")
    chosen, others = hands.divide(hands.cards_left(by.hand, session, by.seat), fields.get("item", "").split())
    try:
        if what == "show":
            names = {seat.seat: seat.name for seat in sitting.view.seats}
            return sitting.submit(hands.describe_shown(names.get(by.seat, by.seat), chosen))
        if what == "keep":
            others = hands.read_hand(fields.get("item") or fields.get("typed", ""), session, by.seat)
    except (NotationError, RuleError) as error:
        return Rejected(str(error))
    if not save(session.id, by.seat, Hand(others, len(session.log.lines))):
        raise NotPermitted
    return ActionDone((), "")


def _confirm(sitting: TableClient, reply: Reply, sure: str) -> Reply:
    """Confirm a command if the preceding page asked the same question and `sure` answers it."""
    if isinstance(reply, ConfirmationNeeded) and reply.question.kind == "seal":
        sitting.let_be()
        return _reject(
            phrase(
                "This ends the game for good; only the host can do it, who first checks everything that will be "
                "written."
            )
        )
    if isinstance(reply, ConfirmationNeeded) and sure == _digest_question(reply.question):
        return sitting.confirm()
    return reply


def _digest_question(question: Confirmation) -> str:
    return sha256(msgspec.json.encode(question, enc_hook=repr)).hexdigest()


def _describe_earlier(sitting: TableClient, by: Audience, length: int) -> Rejected:
    """Return the rejection of a late command, with the writers and changes since the log had `length` lines."""
    writers = dict.fromkeys(line.by for line in sitting.session.log.lines[length:])
    sentence = with_full_stop(sitting.since(length))
    if tuple(writers) == (by.by,):
        return DoneAlready(str(phrase("You have already done this: {sentence}", sentence=sentence)))
    titles = dict.fromkeys(title_of_writer(by, sitting.session) for by in writers)
    came_first = Finished(
        phrase("{players} came first: {sentence}", players=all_of(titles), sentence=sentence), begins=True
    )
    look_again = phrase("Your answer was not carried out; look at the table, then answer again if it is still right.")
    return _reject(joined(" ", (came_first, look_again)))


def _reject(sentence: Text) -> Rejected:
    return Rejected(str(sentence))


def _parse_number(text: str) -> int:
    """Parse a whole number of a form; return 0 for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else 0
