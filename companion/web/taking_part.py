"""The pages with which a phone takes part: an answer tapped together, a figure changed, the last answer taken back.

Everything goes through a sitting as at the host's screen. What was said so far comes with each request, and is judged
by the table as it is then: two who answer at once are both heard, as long as what one did leaves the other's question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

from companion.games.action import NotationError, RuleError
from companion.games.lines import Add, Note
from companion.session.questions import Confirmation
from companion.session.reply import Asked, Kept, Rejected, Reloaded, Reply
from companion.session.session import Session
from companion.session.sitting import Sitting
from companion.session.wording import ended
from companion.web import answering, wording
from companion.web.answering import Asking, Form, Gone, Reached
from companion.web.at_table import table_page_of
from companion.web.hands import Audience, is_of_others
from companion.web.pages import Pages, go, message
from companion.web.stream import audience
from companion.web.tables import Shown
from companion.web.visitor import Visitor, form

_TRIES: Final = 5
"""How often an answer is judged anew where others write at this very moment."""
_DIGITS: Final = 9
_LOOK_AGAIN: Final = "Nothing of yours was done; look, then answer again what is still right."
_SEALS: Final = "This ends the game for good; the host does that, who looks through all that is written then."

Deed = Callable[[Sitting], Reply | Form]


class Seen(NamedTuple):
    """How long the log was that a page showed, and how long the one that people can have read before they tapped: a
    button that everybody may tap may be another one since a moment ago.
    """

    at: int
    read: int

    @classmethod
    def of(cls, said: Mapping[str, str]) -> Seen:
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
        return await self._do(request, who, said, lambda by: lambda sitting: _asked(sitting.session, by, text, line))

    async def answer(self, request: Request, who: Visitor) -> Response:
        """One step more of an answer; once it is whole, it is done."""
        said = await form(request, who)
        text = said.get("step") or answering.typed(said.get("said", ""), said.get("typed", ""))
        line, sure = _number(said.get("line", "")), said.get("sure", "")
        seen = Seen.of(said)
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
        shown = await self.pages.shown(request)
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
        self, request: Request, shown: Shown, who: Visitor, by: Audience, said: Mapping[str, str], reply: Reply | Form
    ) -> Response:
        """The page that a reply leads to."""
        path = f"/t/{shown.live.session.id}"
        if isinstance(reply, Kept):
            return go(path)
        if isinstance(reply, Form) and request.method == "POST":
            return go(f"{path}/answer?{urlencode({'said': reply.said, 'line': reply.line or ''})}")
        parts = {"session": shown.live.session.id, "token": who.token, "at": shown.live.length}
        if isinstance(reply, Form):
            text = wording.page("answering.html", form=reply, **parts)
            return HTMLResponse(await table_page_of(shown, by, who.token, Markup(text)))
        if isinstance(reply, Asked):
            kept = {key: value for key, value in said.items() if key not in ("token", "sure", "at", "read")}
            sure = {"question": reply.question, "sure": _digest(reply.question), "said": kept, "path": request.url.path}
            text = wording.page("sure.html", **sure, **parts)
            return HTMLResponse(await table_page_of(shown, by, who.token, Markup(text)))
        text = wording.page("not_done.html", sentence=reply.sentence, text=said.get("text", ""), **parts)
        return HTMLResponse(await table_page_of(shown, by, who.token, Markup(text)), HTTPStatus.CONFLICT)


def _heard(shown: Shown, by: Audience, deed: Deed) -> Reply | Form:
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
        raise Gone("That answer counts no more.")
    if counts not in by.answered(session):
        raise NotTheirs
    return Asking.before(session, counts)


def _reached(asking: Asking, by: Audience, said: str) -> Reached:
    found = answering.reached(asking, said)
    if not by.answers(found.prompt):
        raise NotTheirs
    return found


def _asked(session: Session, by: Audience, said: str, line: int) -> Reply | Form:
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


def _answer(sitting: Sitting, by: Audience, said: str, line: int, seen: Seen, sure: str) -> Reply | Form:
    session = sitting.session
    try:
        asking = _asking(session, by, line)
        found = _reached(asking, by, said)
    except Gone as gone:
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


def _change(sitting: Sitting, by: Audience, action: Add) -> Reply:
    view = sitting.view
    if not by.changes(action.target, view):
        raise NotTheirs
    counters = view.counters_of(action.target) or ()
    if not any(each.name == action.counter and each.settable and each.number is not None for each in counters):
        raise NotTheirs
    if not action.amount:
        return Rejected("Say how much more or less: a whole number from 1 on.")
    return sitting.submit(action)


def _undo(sitting: Sitting, by: Audience, at: int, sure: str) -> Reply:
    if len(sitting.session.log.lines) > at:
        return _too_late(sitting, by, at)
    if not by.takes_back(sitting.session):
        raise NotTheirs
    return _sure(sitting, sitting.undo(), sure)


def _redo(sitting: Sitting, by: Audience, at: int) -> Reply:
    if len(sitting.session.log.lines) > at:
        return _too_late(sitting, by, at)
    if not by.does_again(sitting.session):
        raise NotTheirs
    return sitting.redo()


def _note(sitting: Sitting, by: Audience, text: str) -> Reply:
    if not by.notes():
        raise NotTheirs
    return sitting.submit(Note(text)) if text else Rejected("Say something first; an empty note tells nobody anything.")


def _sure(sitting: Sitting, reply: Reply, sure: str) -> Reply:
    """What was asked before it is done, on a page before, and confirmed there, is done if it is still the same."""
    if isinstance(reply, Asked) and reply.question.kind == "seal":
        sitting.let_be()
        return Rejected(_SEALS)
    if isinstance(reply, Asked) and sure == _digest(reply.question):
        return sitting.confirm()
    return reply


def _digest(question: Confirmation) -> str:
    return sha256(msgspec.json.encode(question)).hexdigest()


def _too_late(sitting: Sitting, by: Audience, at: int) -> Rejected:
    """Whose came first."""
    writers = dict.fromkeys(line.by for line in sitting.session.log.lines[at:])
    told = ended(sitting.since(at))
    if tuple(writers) == (by.by,):
        return Rejected(f"You have done that already: {told}")
    return Rejected(f"{' and '.join(writers)} came first: {told} {_LOOK_AGAIN}")


def _number(text: str) -> int:
    """A whole number as a form has it; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else 0
