"""The page of decks whose histories went on here and at another device of a shared folder: which of the two counts."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import Final, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError
from companion.archive.errors import describe_error
from companion.archive.sharing import deck_decisions, questions
from companion.archive.sharing.deck_decisions import DeckDecision
from companion.archive.sharing.questions import DeckQuestion
from companion.archive.storage.lookup import StoryLine
from companion.web.host.archive_care.archive import ARCHIVE_PATH
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from templates.languages.messages import Text, phrase

DECISIONS_PATH: Final = f"{ARCHIVE_PATH}/decisions"


class OpenQuestion(NamedTuple):
    """A question about a deck: its text, both histories, and the ways to decide it.

    `key` is another one once either history has gone on.
    """

    key: str
    deck: str
    name: str
    text: Text
    sides: tuple[tuple[Text, Sequence[StoryLine]], ...]
    decisions: tuple[DeckDecision, ...]


class DecisionRoutes:
    """The page of open questions about decks."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(DECISIONS_PATH, pages.require_host(self.show)),
            Route(DECISIONS_PATH, pages.require_host(self.decide), methods=["POST"]),
        ]

    async def show(self, _: Request, host: Host) -> Response:
        """Show both histories of each deck, with the ways to decide."""
        return await run_in_threadpool(self._render, host)

    def _render(self, host: Host, wrong: Text = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
        return self._pages.render_host(
            "host/decisions.html",
            host,
            here=ARCHIVE_PATH,
            status=status,
            questions=read_open_questions(self._pages.archive),
            wrong=wrong,
        )

    async def decide(self, request: Request, host: Host) -> Response:
        """Decide a question on all devices."""
        fields = await self._pages.read_host_form(request, host)
        response = await run_in_threadpool(self._decide, fields.get("question", ""), fields.get("do", ""), host)
        self._pages.pages.notify()
        return response

    def _decide(self, key: str, number: str, host: Host) -> Response:
        archive = self._pages.archive
        question = next((each for each in read_open_questions(archive) if each.key == key), None)
        decisions = {str(at): each for at, each in enumerate(question.decisions if question else ())}
        if number not in decisions:
            wrong = phrase("That has changed meanwhile, and nothing was decided. Look at it again.")
            return self._render(host, wrong, HTTPStatus.CONFLICT)
        try:
            sentence = deck_decisions.share_decision(archive, decisions[number])
        except (ArchiveError, OSError) as error:
            return self._render(host, describe_error(error), HTTPStatus.CONFLICT)
        self._pages.door.leave_message(host.id, sentence)
        return redirect(DECISIONS_PATH)


def read_open_questions(archive: Archive) -> tuple[OpenQuestion, ...]:
    """Return the questions about decks that are open, as of the last synchronization. Raises ArchiveError."""
    return tuple(
        OpenQuestion(
            _digest(question),
            question.deck,
            question.name,
            deck_decisions.describe_question(question),
            tuple((heading, lines) for heading, lines in deck_decisions.list_sides(question) if lines),
            deck_decisions.list_decisions(question),
        )
        for question in questions.read_questions(archive)
    )


def _digest(question: DeckQuestion) -> str:
    """Return a digest of all that a question shows."""
    return sha256(msgspec.json.encode(question)).hexdigest()[:16]
