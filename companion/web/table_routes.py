"""The pages of tables: each as it stands, its log, what changes, and what a phone answers and takes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import SessionRow
from companion.session.confirmations import Confirmation, ConfirmationNeeded, Done, Rejected, Reloaded, Reply
from companion.session.log import with_full_stop
from companion.session.session import Session
from companion.session.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.common_actions import Add, Note
from companion.web import answering, templates
from companion.web.answering import Asking, Form, QuestionGone, Reached
from companion.web.pages import Pages, events, go, message
from companion.web.phones import Audience, is_of_others
from companion.web.stream import AGAIN, Page, Stream, audience
from companion.web.table_page import log_moments
from companion.web.tables import SharedTable
from companion.web.visitor import Visitor, form, visitor

NOTHING: Final = Markup("")
_LISTED: Final = 20
_TONIGHT: Final = timedelta(hours=12)
"""A table that was changed within this time is the one that people mean, where it is the only one."""


class AtTable:
    """The pages of the tables."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.routes = [
            Route("/", pages.inside(self.home)),
            Route("/tables", pages.inside(self.tables)),
            Route("/t/{session}", pages.inside(self.table)),
            Route("/t/{session}/log", pages.inside(self.log)),
            Route("/t/{session}/news", self.news),
            Route("/t/{session}/seat", pages.inside(self.sit), methods=["POST"]),
        ]

    async def home(self, _: Request, __: Visitor) -> Response:
        """The table, where one is open; else the list."""
        now = self._pages.archive.now()
        recent = [row for row in await self._open() if now - row.changed < _TONIGHT]
        return go(f"/t/{recent[0].session}" if len(recent) == 1 else "/tables")

    async def tables(self, _: Request, __: Visitor) -> Response:
        """The tables that are open, the one changed last first."""
        return HTMLResponse(templates.page("tables.html", tables=await self._open()))

    async def _open(self) -> list[SessionRow]:
        page = await run_in_threadpool(self._pages.archive.page_of_sessions)
        return [row for row in page.rows if not row.sealed][:_LISTED]

    async def table(self, request: Request, who: Visitor) -> Response:
        """A table, for the seat of who asks."""
        shown = await self._pages.find_table(request)
        session = shown.live.session.id
        seen_by = audience(self._pages.phones, who.who, session)
        if seen_by is None:
            return go("/pin")
        return HTMLResponse(await table_page_of(shown, seen_by, who.token))

    async def log(self, request: Request, _: Visitor) -> Response:
        """All that happened at a table."""
        shown = await self._pages.find_table(request)
        sitting = shown.sitting()
        log = await run_in_threadpool(lambda: tuple(log_moments(sitting)))
        session = shown.live.session.id
        return HTMLResponse(templates.page("whole_log.html", title=sitting.view.title, session=session, log=log))

    async def news(self, request: Request) -> Response:
        """What changes at a table, for as long as its page is open."""
        phones = self._pages.phones
        who = await visitor(request, phones)
        if not who.is_in or request.method == "HEAD":
            return events(_again())
        shown = await self._pages.find_table(request)
        said = request.query_params
        have = request.headers.get("last-event-id") or said.get("have", "")
        number = int(have) if have.isascii() and have.isdecimal() and len(have) < 10 else -1
        return self._pages.follow(Stream(shown, phones, who.who, who.token, Page(number, said.get("as", ""))))

    async def sit(self, request: Request, who: Visitor) -> Response:
        """This is somebody's seat: from now on the page is theirs; "" is nobody's again."""
        seat = (await form(request, who)).get("seat", "")
        shown = await self._pages.find_table(request)
        session = shown.live.session.id
        if seat and seat not in (side.seat for side in shown.live.session.view().seats):
            return message("No such seat", "Nobody sits there now; look at the table again.", HTTPStatus.CONFLICT)
        await run_in_threadpool(self._pages.phones.sit, who.who, session, seat)
        shown.ring()
        # To its top, where the own questions are: browsers stay where they were on a page that comes again.
        return go(f"/t/{session}#head")


async def table_page_of(shown: SharedTable, seen_by: Audience, token: str, answering: Markup = NOTHING) -> str:
    """A table's page for a phone, with what is being answered on it."""
    page = await shown.rendered(seen_by)
    sections = {name: Markup(html) for name, html in page.for_phone(token).items()}
    parts = {"title": page.title, "session": shown.live.session.id, "length": page.length, "whom": seen_by.page}
    return templates.page("table.html", sections=sections, answering=answering, **parts)


async def _again() -> AsyncIterator[bytes]:
    """A page whose phone is let in no more is loaded anew, and leads to the PIN."""
    yield AGAIN


_TRIES: Final = 5
"""How often an answer is judged anew where others write at this very moment."""
_DIGITS: Final = 9
_LOOK_AGAIN: Final = "Nothing of yours was done; look, then answer again what is still right."
_SEALS: Final = "This ends the game for good; the host does that, who looks through all that is written then."

Deed = Callable[[TableClient], Reply | Form]


class PageMoment(NamedTuple):
    """How long the log was that a page showed, and how long the one that people can have read before they tapped: a
    button that everybody may tap may be another one since a moment ago.
    """

    at: int
    read: int

    @classmethod
    def of(cls, said: Mapping[str, str]) -> PageMoment:
        """As a form says it; one without a script knows no moments."""
        at = _number(said.get("at", ""))
        return cls(at, _number(said.get("read", "")) or at)


class NotTheirs(Exception):
    """Somebody wants to do what the host has not allowed."""


class TakingPart(NamedTuple):
    """The pages with which a phone takes part."""

    pages: Pages

    @property
    def routes(self) -> list[Route]:
        """Their addresses."""
        inside = self.pages.inside
        return [
            Route("/t/{session}/answer", inside(self.ask)),
            Route("/t/{session}/answer", inside(self.answer), methods=["POST"]),
            Route("/t/{session}/change", inside(self.change), methods=["POST"]),
            Route("/t/{session}/undo", inside(self.undo), methods=["POST"]),
            Route("/t/{session}/redo", inside(self.redo), methods=["POST"]),
            Route("/t/{session}/note", inside(self.note), methods=["POST"]),
        ]

    async def ask(self, request: Request, who: Visitor) -> Response:
        """What is asked next of an answer that was begun, or of one that is given anew."""
        said = request.query_params
        line, text = _number(said.get("line", "")), said.get("said", "")
        return await self._do(
            request, who, said, lambda by: lambda sitting: _next_answers(sitting.session, by, text, line)
        )

    async def answer(self, request: Request, who: Visitor) -> Response:
        """One step more of an answer; once it is whole, it is done."""
        said = await form(request, who)
        text = said.get("step") or answering.typed(said.get("said", ""), said.get("typed", ""))
        line, sure = _number(said.get("line", "")), said.get("sure", "")
        seen = PageMoment.of(said)
        said["step"] = text
        return await self._do(
            request, who, said, lambda by: lambda sitting: _answer(sitting, by, text, line, seen, sure)
        )

    async def change(self, request: Request, who: Visitor) -> Response:
        """So much more or less of a figure."""
        said = await form(request, who)
        amount = _number(said.get("amount", "")) * (-1 if said.get("sign") == "-" else 1)
        action = Add(said.get("target", ""), said.get("counter", ""), amount)
        return await self._do(request, who, said, lambda by: lambda sitting: _change(sitting, by, action))

    async def undo(self, request: Request, who: Visitor) -> Response:
        """Take back what this phone did, as long as nothing was done since."""
        said = await form(request, who)
        at, sure = _number(said.get("at", "")), said.get("sure", "")
        return await self._do(request, who, said, lambda by: lambda sitting: _undo(sitting, by, at, sure))

    async def redo(self, request: Request, who: Visitor) -> Response:
        """Do again what this phone took back, as long as nothing was done since."""
        said = await form(request, who)
        at = _number(said.get("at", ""))
        return await self._do(request, who, said, lambda by: lambda sitting: _redo(sitting, by, at))

    async def note(self, request: Request, who: Visitor) -> Response:
        """Something said for the log."""
        said = await form(request, who)
        text = " ".join(said.get("text", "").split())
        return await self._do(request, who, said, lambda by: lambda sitting: _note(sitting, by, text))

    async def _do(
        self, request: Request, who: Visitor, said: Mapping[str, str], deed: Callable[[Audience], Deed]
    ) -> Response:
        shown = await self.pages.find_table(request)
        by = audience(self.pages.phones, who.who, shown.live.session.id)
        if by is None:
            return go("/pin")
        try:
            reply = await run_in_threadpool(_heard, shown, by, deed(by))
        except NotTheirs:
            text = "The host lets this phone look on, and not do this. Ask at the table, if that is a mistake."
            return message("Not yours to do", text, HTTPStatus.FORBIDDEN)
        return await self._told(request, shown, who, by, said, reply)

    async def _told(
        self,
        request: Request,
        shown: SharedTable,
        who: Visitor,
        by: Audience,
        said: Mapping[str, str],
        reply: Reply | Form,
    ) -> Response:
        """The page that a reply leads to."""
        path = f"/t/{shown.live.session.id}"
        if isinstance(reply, Done):
            return go(path)
        if isinstance(reply, Form) and request.method == "POST":
            return go(f"{path}/answer?{urlencode({'said': reply.path, 'line': reply.line or ''})}")
        parts = {"session": shown.live.session.id, "token": who.token, "at": shown.live.length}
        if isinstance(reply, Form):
            text = templates.page("answering.html", form=reply, **parts)
            return HTMLResponse(await table_page_of(shown, by, who.token, Markup(text)))
        if isinstance(reply, ConfirmationNeeded):
            kept = {key: value for key, value in said.items() if key not in ("token", "sure", "at", "read")}
            sure = {"question": reply.question, "sure": _digest(reply.question), "said": kept, "path": request.url.path}
            text = templates.page("sure.html", **sure, **parts)
            return HTMLResponse(await table_page_of(shown, by, who.token, Markup(text)))
        text = templates.page("not_done.html", sentence=reply.sentence, text=said.get("text", ""), **parts)
        return HTMLResponse(await table_page_of(shown, by, who.token, Markup(text)), HTTPStatus.CONFLICT)


def _heard(shown: SharedTable, by: Audience, deed: Deed) -> Reply | Form:
    """What comes of a deed; it waits for the disk, and for whoever writes just then."""
    if by.hands == "look":
        raise NotTheirs
    for _ in range(_TRIES):
        reply = deed(shown.sitting(by.by))
        if not isinstance(reply, Reloaded):
            break
    return reply


def _asking(session: Session, by: Audience, line: int) -> Asking:
    """The table that is answered: as it is now, or as it was before an answer of theirs. Raises NotTheirs, Gone."""
    if not line:
        return Asking.now(session)
    counts = next((moment for moment in session.moments() if moment.number == line), None)
    if counts is None:
        raise QuestionGone("That answer counts no more.")
    if counts not in by.answered(session):
        raise NotTheirs
    return Asking.before(session, counts)


def _reached(asking: Asking, by: Audience, said: str) -> Reached:
    found = answering.reached(asking, said)
    if not by.answers(found.prompt):
        raise NotTheirs
    return found


def _next_answers(session: Session, by: Audience, said: str, line: int) -> Reply | Form:
    """What can be tapped next."""
    try:
        asking = _asking(session, by, line)
        if said:
            return _reached(asking, by, said).form or Rejected("That is all; it was answered already.")
        for prompt in filter(by.answers, asking.prompts):
            if found := answering.opening(asking, prompt, at_once=True):
                return found
        return Rejected("That cannot be answered anew here; the host can amend it.")
    except (RuleError, NotationError) as error:
        return Rejected(str(error))


def _answer(sitting: TableClient, by: Audience, said: str, line: int, seen: PageMoment, sure: str) -> Reply | Form:
    session = sitting.session
    try:
        asking = _asking(session, by, line)
        found = _reached(asking, by, said)
    except QuestionGone as gone:
        late = len(session.log.lines) > seen.at
        return _too_late(sitting, by, seen.at) if late else Rejected(f"{gone} Look at what is asked now.")
    except (RuleError, NotationError) as error:
        return Rejected(str(error))
    if found.form:
        return found.form
    assert found.action is not None
    # An amendment shows what it would lead to now, and is asked about anew where that is something else.
    at = seen.at if line or found.prompt.seat == by.seat != "" else seen.read
    if not line and not _stands(session, by, found.prompt.seat, at):
        return _too_late(sitting, by, at)
    return _sure(sitting, sitting.submit(asking.intended(found.action)), sure)


def _stands(session: Session, by: Audience, seat: str, at: int) -> bool:
    """Whether a question to a seat is still the one that was seen where the log had so many lines."""
    since = ((line.by, session.notation.parse(line.text)) for line in session.log.lines[at:])
    # What people themselves changed by hand, just before they answer, they know.
    others = [action for who, action in since if not (who == by.by and isinstance(action, Add))]
    return not others or (seat != "" and all(is_of_others(action, seat) for action in others))


def _change(sitting: TableClient, by: Audience, action: Add) -> Reply:
    view = sitting.view
    if not by.changes(action.target, view):
        raise NotTheirs
    counters = view.counters_of(action.target) or ()
    if not any(each.name == action.counter and each.settable and each.number is not None for each in counters):
        raise NotTheirs
    if not action.amount:
        return Rejected("Say how much more or less: a whole number from 1 on.")
    return sitting.submit(action)


def _undo(sitting: TableClient, by: Audience, at: int, sure: str) -> Reply:
    if len(sitting.session.log.lines) > at:
        return _too_late(sitting, by, at)
    if not by.takes_back(sitting.session):
        raise NotTheirs
    return _sure(sitting, sitting.undo(), sure)


def _redo(sitting: TableClient, by: Audience, at: int) -> Reply:
    if len(sitting.session.log.lines) > at:
        return _too_late(sitting, by, at)
    if not by.does_again(sitting.session):
        raise NotTheirs
    return sitting.redo()


def _note(sitting: TableClient, by: Audience, text: str) -> Reply:
    if not by.notes():
        raise NotTheirs
    return sitting.submit(Note(text)) if text else Rejected("Say something first; an empty note tells nobody anything.")


def _sure(sitting: TableClient, reply: Reply, sure: str) -> Reply:
    """What was asked before it is done, on a page before, and confirmed there, is done if it is still the same."""
    if isinstance(reply, ConfirmationNeeded) and reply.question.kind == "seal":
        sitting.let_be()
        return Rejected(_SEALS)
    if isinstance(reply, ConfirmationNeeded) and sure == _digest(reply.question):
        return sitting.confirm()
    return reply


def _digest(question: Confirmation) -> str:
    return sha256(msgspec.json.encode(question)).hexdigest()


def _too_late(sitting: TableClient, by: Audience, at: int) -> Rejected:
    """Whose came first."""
    writers = dict.fromkeys(line.by for line in sitting.session.log.lines[at:])
    told = with_full_stop(sitting.since(at))
    if tuple(writers) == (by.by,):
        return Rejected(f"You have done that already: {told}")
    return Rejected(f"{' and '.join(writers)} came first: {told} {_LOOK_AGAIN}")


def _number(text: str) -> int:
    """A whole number as a form has it; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else 0
