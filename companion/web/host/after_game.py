"""After a game: the review of what the seal writes, the seal, then tonight's labels and chores."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, DeckRow, deck_records
from companion.forms.decks.deck_forms import LabelledDeckForm
from companion.printing import jobs
from companion.session.core.session import Session
from companion.session.reading.table_questions import Answer, answer_of, answers_to, ends
from companion.session.reports import evening_cards
from companion.session.table import rematch
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Reply
from companion.session.table.form_filling import Fillable, FormResult
from companion.session.table.seal_preview import SealPreview, preview_seal
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.evening import EveningCard
from companion.tabletop.notation.line_texts import VerbTitle
from companion.tabletop.records import Chore
from companion.tabletop.table.common_actions import FOR_HOST
from companion.tabletop.table.table import Draft, Prompt
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from companion.web.tables import SharedTable, find_audience
from labels.errors import LabelError
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Text, phrase

_MAX_VISITS: Final = 40
"""The most sealed tables whose last check marks can be taken back here."""
_MAX_DIGITS: Final = 6
LOOSE_PATH: Final = "/host/loose"
_OFFER: Final = re.compile(r"([0-9A-Za-z]{8})-([0-9]{1,2})")
"""The name of an offer to keep a loose deck: its table, and its number."""


class HostAnswer(NamedTuple):
    """An answer that only the host gives: what it does, and its key among the others."""

    key: str
    title: Text
    detail: Text


class HostQuestion(NamedTuple):
    """A question for the host alone, such as about a deck whose record has changed elsewhere."""

    text: Text
    answers: tuple[HostAnswer, ...]


class LooseDeck(NamedTuple):
    """A loose deck that can be kept as a stored one: the path of its form, and the question."""

    path: str
    text: Text


class SealReview(NamedTuple):
    """The writes that the seal of a table would make; `at` is the length of its log.

    `seals` are the answers that seal it, none while the game goes on. `refused` is why nothing can be sealed now.
    """

    at: int
    questions: tuple[HostQuestion, ...]
    seals: tuple[HostAnswer, ...]
    preview: SealPreview | None
    refused: Text = ""
    adoptions: tuple[LooseDeck, ...] = ()
    """The loose decks of which the seal would keep nothing."""


class DeckChores(NamedTuple):
    """The work on the cards of a deck that is to be done by hand."""

    row: DeckRow
    chores: tuple[Chore, ...]


class Tonight(NamedTuple):
    """The evening after the seal: the card, labels with where they go, chores, and the next game."""

    card: EveningCard | None
    labels: int
    notices: tuple[Text, ...]
    chores: tuple[DeckChores, ...]
    earlier: tuple[DeckRow, ...]
    questions: tuple[Text, ...]
    again: Text


class AfterGameRoutes:
    """The page after a game: the review before the seal, and what is left after it."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._lock = threading.Lock()
        self._visits: OrderedDict[str, deck_records.Visit] = OrderedDict()
        path = "/host/t/{session}"
        self.routes = [
            Route(path, pages.require_host(self.show)),
            Route(path, pages.require_host(self.change), methods=["POST"]),
        ]

    @property
    def _archive(self) -> Archive:
        return self._pages.archive

    async def show(self, request: Request, host: Host) -> Response:
        """Render the review of an open table, or what is left of a sealed one."""
        table = await self._pages.pages.find_table(request)
        return await run_in_threadpool(self._render, table, host)

    def _render(self, table: SharedTable, host: Host, refused: Text = "") -> Response:
        sitting = self._sit(table, host)
        session = sitting.session
        status = HTTPStatus.CONFLICT if refused else HTTPStatus.OK
        shared: dict[str, Any] = {"session": session.id, "title": session.view().title, "refused": refused}
        if session.sealing().is_sealed:
            tonight = read_tonight(self._archive, session)
            visit = self._visits.get(session.id)
            can_take_back = visit is not None and visit.ticks > 0
            return self._pages.render_host(
                "host/tonight.html",
                host,
                status=status,
                tonight=tonight,
                can_take_back=can_take_back,
                **shared,
            )
        sitting.look_at_decks()
        review = review_seal(self._archive, sitting)
        return self._pages.render_host("host/sealing.html", host, status=status, review=review, **shared)

    def _sit(self, table: SharedTable, host: Host) -> TableClient:
        """Return a client of a table for the host."""
        viewer = find_audience(self._pages.pages.phones, host.id, table.live.session.id)
        assert viewer is not None
        return table.sitting(viewer)

    async def change(self, request: Request, host: Host) -> Response:
        """Seal, answer a question of the host's, or check off what was done; then show the page again."""
        fields = await self._pages.read_host_fields(request, host)
        table = await self._pages.pages.find_table(request)
        response = await run_in_threadpool(self._change, table, host, fields)
        self._pages.pages.notify()
        return response

    def _change(self, table: SharedTable, host: Host, fields: list[tuple[str, str]]) -> Response:
        values = dict(fields)
        here = f"/host/t/{table.live.session.id}"
        kind, _, key = values.get("do", "").partition(" ")
        try:
            if kind == "answer" and table.live.session.sealing().is_sealed:
                return self._render(table, host, phrase("This table is sealed already; nothing was written again."))
            if kind == "answer":
                reply = answer_for_host(self._sit(table, host), key, _parse_length(values))
                return redirect(here) if isinstance(reply, ActionDone) else self._render(table, host, reply.sentence)
            if kind in ("tick", "back"):
                self._tick(table.live.session.id, kind, [text for name, text in fields if name == "chore"])
        except (ArchiveError, RuleError, NotationError) as error:
            return self._render(table, host, str(error))
        return redirect(here)

    def _tick(self, session: str, kind: str, chosen: list[str]) -> None:
        """Check off chores of decks, or take back the last check mark."""
        with self._lock:
            visit = self._visits.setdefault(session, deck_records.Visit(self._archive))
            self._visits.move_to_end(session)
            while len(self._visits) > _MAX_VISITS:
                self._visits.popitem(last=False)
            if kind == "back":
                visit.take_back()
                return
            by_deck: dict[str, list[str]] = {}
            for text in chosen:
                deck, _, chore = text.partition(" ")
                by_deck.setdefault(deck, []).append(chore)
            for deck, ids in by_deck.items():
                visit.tick(deck, ids, session)


def _parse_length(values: Mapping[str, str]) -> int:
    text = values.get("at", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else -1


def _is_for_host(draft: Draft) -> bool:
    return draft.action in FOR_HOST and not draft.missing


def find_host_answers(session: Session) -> Iterator[tuple[Prompt, Answer]]:
    """Yield the answers that only the host gives, with their questions: seals, and those about decks elsewhere."""
    for prompt in session.view().prompts:
        for draft, answer in zip(prompt.answers, answers_to(prompt), strict=True):
            if ends(draft):
                yield prompt, answer_of(draft)
            elif _is_for_host(draft):
                yield prompt, answer


def review_seal(archive: Archive, sitting: TableClient) -> SealReview:
    """Return what the seal of a table would write, and the questions that are for the host alone."""
    session = sitting.session
    at, found_answers = len(session.log.lines), list(find_host_answers(session))
    seals = [answer for _, answer in found_answers if answer.seals]
    questions: dict[int, HostQuestion] = {}
    for prompt, answer in found_answers:
        if not answer.seals:
            before = questions.get(id(prompt), HostQuestion(prompt.text, ()))
            questions[id(prompt)] = before._replace(answers=(*before.answers, _show_answer(answer)))
    preview = None
    for seal in seals[:1]:
        assert isinstance(seal.leads, Draft)
        try:
            preview = preview_seal(archive, session, seal.leads.build())
        except (RuleError, ArchiveError) as error:
            return SealReview(at, tuple(questions.values()), (), None, str(error))
    return SealReview(
        at, tuple(questions.values()), tuple(map(_show_answer, seals)), preview, "", tuple(list_loose(session))
    )


def list_loose(session: Session) -> Iterator[LooseDeck]:
    """Yield the loose decks of a table that can be kept."""
    for number, prompt in enumerate(session.game.decks.adoptions(session.state)):
        yield LooseDeck(f"{LOOSE_PATH}?game={session.id}-{number}", prompt.text)


class LooseDeckPage(FormPage):
    """The form that keeps a loose deck of a table. Its “game” is the table, with the number of the offer."""

    path = LOOSE_PATH
    draft_name = "Loose"
    title = phrase("Adopt a deck")

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:
        """Return the wanted offer, if it is one."""
        try:
            _, prompt = self._find_offer(wanted)
        except (LookupError, ArchiveError, NotationError, RuleError):
            return ()
        return (OfferedGame(wanted, prompt.text),)

    def _find_offer(self, wanted: str) -> tuple[SharedSession, Prompt]:
        """Return the table and the offer of a name. Raises LookupError, ArchiveError, NotationError or RuleError."""
        match = _OFFER.fullmatch(wanted)
        if match is None:
            raise LookupError(wanted)
        live = self._pages.pages.sessions.open(match[1])
        return live, live.session.game.decks.adoptions(live.session.state)[int(match[2])]

    def open_form(self, game: str) -> Fillable:
        """Return the form, filled in with what the table knows of the deck."""
        live, prompt = self._find_offer(game)
        session = live.session
        form = session.game.decks.adoption(session.state, prompt.answer)
        assert form is not None
        return LabelledDeckForm(self.archive, session.game, form, "Adopt", session.id)

    def lead_on(self, game: str, outcome: FormResult) -> str:
        """Have the table keep the deck, and return to its review."""
        live, prompt = self._find_offer(game)
        row, client = self.archive.find_deck(outcome.id), TableClient(live)
        line = live.session.game.decks.adoption_line(prompt.answer, row.deck, row.name)
        reply = client.submit(line)
        client.leave()
        if not isinstance(reply, ActionDone):
            raise RuleError(str(reply.sentence))
        return f"/host/t/{live.session.id}"


def _show_answer(answer: Answer) -> HostAnswer:
    if answer.seals:
        return HostAnswer(answer.key, phrase("Seal: write all of this into the records, for good"), "")
    assert isinstance(answer.leads, Draft)
    title = answer.title or VerbTitle(answer.leads.action.verb())
    return HostAnswer(answer.key, title, answer.detail)


def answer_for_host(sitting: TableClient, key: str, at: int) -> Reply:
    """Give an answer that is for the host alone. The review was the confirmation, if it showed `at` lines.

    Raises RuleError if the table has changed since, or if there is no such answer.
    """
    sitting.look_at_decks()
    session = sitting.session
    answer = next((answer for _, answer in find_host_answers(session) if answer.key == key), None)
    if len(session.log.lines) != at or answer is None or not isinstance(answer.leads, Draft):
        raise RuleError(phrase("The table has changed meanwhile, and nothing was written. Look it through again."))
    reply = sitting.submit(answer.leads.build())
    return sitting.confirm() if isinstance(reply, ConfirmationNeeded) else reply


def read_tonight(archive: Archive, session: Session) -> Tonight:
    """Return what is left to do after the seal of a session."""
    rows = sorted(deck_records.decks_of_session(archive, session.id), key=lambda row: alphabetical_key(row.name))
    of_tonight = {row.deck: deck_records.chores(archive, row.deck, session.id) for row in rows}
    try:
        job = jobs.session_job(archive, session.id)
        labels, notices = len(job.labels), job.notices
    except LabelError:
        labels, notices = 0, ()
    return Tonight(
        _read_card(archive, session.id),
        labels,
        notices,
        tuple(DeckChores(row, of_tonight[row.deck]) for row in rows if of_tonight[row.deck]),
        tuple(row for row in rows if not of_tonight[row.deck] and deck_records.chores(archive, row.deck)),
        tuple(prompt.text for prompt in session.view().prompts),
        rematch.describe_next(session),
    )


def _read_card(archive: Archive, session: str) -> EveningCard | None:
    try:
        return evening_cards.present_stored(archive, archive.find_session(session)).card
    except (ArchiveError, RuleError, NotationError):
        return None
