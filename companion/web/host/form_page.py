"""The pages of forms: answers are checked as in the terminal, and kept as a draft until they are stored."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive
from companion.forms import settings
from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.decks.form import FormPlace
from companion.web.host.form_view import WRONG_FORM, FilledForm, FormView, question_id, read_place
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from companion.web.visitor import random_id
from templates.languages.messages import Text

_MAX_PRESSED: Final = 200
"""The most pages whose buttons are remembered, so that a form that is sent twice is stored once, and visits."""


class OfferedGame(NamedTuple):
    """A game that a form can be for."""

    name: str
    title: Text
    about: Text = ""


class ShownForm(NamedTuple):
    """A form as it is shown: its game, its view, what was refused, and if its answers are a draft."""

    game: str
    view: FormView
    is_draft: bool
    refused: Text = ""


class FormPage:
    """The page of a form for one of several games. Subclasses say which form, and what follows."""

    template = "host/form.html"
    path: str
    here = ""
    """The path of the entry in the navigation to which the page belongs, if it is not its own."""
    game_parameter = "game"
    """The parameter of the address that names the game."""
    draft_name: str
    """The name under which drafts are stored, the same as in the terminal."""
    title: Text
    """The heading before a game is chosen."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._lock = threading.Lock()
        self._pressed: OrderedDict[str, str] = OrderedDict()
        """The paths to which buttons led, by the page on which they were pressed."""
        self._visits: OrderedDict[tuple[str, str], None] = OrderedDict()
        """The sessions of the host in which the draft of a game was changed."""
        self.routes = [
            Route(self.path, pages.require_host(self.show)),
            Route(self.path, pages.require_host(self.change), methods=["POST"]),
        ]

    @property
    def archive(self) -> Archive:
        """The archive that is served."""
        return self._pages.archive

    # What subclasses say

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:
        """Return the games that can be chosen; `wanted` is the chosen one, if any. Raises ArchiveError."""
        raise NotImplementedError

    def open_form(self, game: str) -> Fillable:
        """Return the form of a game. Raises WRONG_FORM."""
        raise NotImplementedError

    def lead_on(self, game: str, outcome: FormResult) -> str:
        """Do what follows once after the form of a game was stored, and return the path there. Raises WRONG_FORM."""
        raise NotImplementedError

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return what the template shows beside the form."""
        return {}

    def apply_button(self, button: str, game: str, filled: FilledForm) -> None:
        """Do what a button of the subclass's own says. Raises WRONG_FORM."""

    # The page

    async def show(self, request: Request, host: Host) -> Response:
        """Render the form of a game, with its draft; without a game, that of the newest draft or the last game."""
        wanted = request.query_params.get(self.game_parameter, "")
        return await run_in_threadpool(self._show, wanted, host)

    def _show(self, wanted: str, host: Host) -> Response:
        games = self.list_games(wanted)
        drafts = settings.draft_answers(self.archive.name, self.draft_name)
        game = self._choose_game(wanted, games, drafts)
        if not game:
            return self._render(host, games, "", None)
        filled, is_draft = self.read_draft(game)
        return self._render(host, games, game, filled, is_draft=is_draft)

    def read_draft(self, game: str) -> tuple[FilledForm, bool]:
        """Return the form of a game with its draft, and True if it has one."""
        draft = settings.draft_answers(self.archive.name, self.draft_name).get(game)
        if draft is not None:
            # A draft of an older version, or of another archive, is none.
            with suppress(*WRONG_FORM):
                return FilledForm(self.open_form(game), draft), True
        return FilledForm(self.open_form(game)), False

    def find_path(self, game: str) -> str:
        """Return the path of the form of a game."""
        return f"{self.path}?{self.game_parameter}={quote(game, safe='')}"

    def _choose_game(self, wanted: str, games: Sequence[OfferedGame], drafts: dict[str, Answers]) -> str:
        """Return the game whose form is shown; "" if one must be chosen. Raises HTTPException for an unknown one."""
        names = [game.name for game in games]
        if wanted:
            if wanted not in names:
                raise HTTPException(HTTPStatus.NOT_FOUND)
            return wanted
        draft = next((name for name in reversed(drafts) if name in names), "")
        last = self.archive.last_game()
        return draft or (last if last in names else "") or (names[0] if len(names) == 1 else "")

    def _render(
        self,
        host: Host,
        games: Sequence[OfferedGame],
        game: str,
        filled: FilledForm | None,
        *,
        is_draft: bool = False,
        is_tried: bool = False,
        refused: Text = "",
    ) -> Response:
        view = filled.build_view(is_tried=is_tried) if filled is not None else None
        context = self.read_context(game, filled) if filled is not None else {}
        return self._pages.render_host(
            self.template,
            host,
            here=self.here or self.path,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_tried or refused else HTTPStatus.OK,
            title=view.title if view else self.title,
            path=self.path,
            games=games,
            game=game,
            game_title=next((each.title for each in games if each.name == game), ""),
            form=view,
            is_draft=is_draft,
            is_old_draft=is_draft and (host.id, game) not in self._visits,
            refused=refused,
            once=random_id(),
            **context,
        )

    async def change(self, request: Request, host: Host) -> Response:
        """Take the answers, and do what the pressed button says."""
        fields = await self._pages.read_host_fields(request, host)
        return await run_in_threadpool(self._change, fields, host)

    def _change(self, fields: Sequence[tuple[str, str]], host: Host) -> Response:
        values = dict(fields)
        game, button, once = values.get("game", ""), values.get("do", "look"), values.get("once", "")
        games = self.list_games(game)
        if game not in {each.name for each in games}:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        here = self.find_path(game)
        if button == "anew":
            self.keep_answers(game, None)
            return redirect(here)
        filled = FilledForm(self.open_form(game))
        filled.take_fields(fields)
        with self._lock:
            self.remember_visit(host, game)
            if path := self._pressed.get(once):
                # An answer that was on its way when a button was pressed comes late, or a button was pressed twice.
                return redirect(path)
            self.keep_answers(game, filled)
            if button == "keep":
                return self._store(once, game, games, filled, host)
            try:
                place = self._press(button, game, filled)
            except WRONG_FORM as error:
                return self._render(host, games, game, filled, refused=str(error))
            self.keep_answers(game, filled)
            path = f"{here}{place}"
            if button != "look":
                self._remember(once, path)
            return redirect(path)

    def remember_visit(self, host: Host, game: str) -> None:
        """Remember that a session of the host fills in the form of a game, so that its draft is not an old one."""
        self._visits[host.id, game] = None
        while len(self._visits) > _MAX_PRESSED:
            self._visits.popitem(last=False)

    def _remember(self, once: str, path: str) -> None:
        """Remember where a button led, so that what is sent twice, or comes late, changes nothing."""
        if once:
            self._pressed[once] = path
            while len(self._pressed) > _MAX_PRESSED:
                self._pressed.popitem(last=False)

    def _press(self, button: str, game: str, filled: FilledForm) -> str:
        """Do what a button says; return the fragment of where it stands."""
        kind, _, name = button.partition(" ")
        place = read_place(name)
        match kind:
            case "look":
                return ""
            case "remove" if place is not None:
                filled.remove(place)
            case "draw" if place is None or place in filled.answers.places():
                draw_answers(filled, place)
            case _:
                self.apply_button(button, game, filled)
        return "" if place is None else f"#{question_id(place.field)}"

    def _store(self, once: str, game: str, games: Sequence[OfferedGame], filled: FilledForm, host: Host) -> Response:
        """Store the form, or show what is wrong with it."""
        if filled.wrong:
            return self._render(host, games, game, filled, is_tried=True)
        try:
            outcome = filled.form.keep(filled.values)
            path = self.lead_on(game, outcome)
        except WRONG_FORM as error:
            return self._render(host, games, game, filled, refused=str(error))
        self._remember(once, path)
        self.keep_answers(game, None)
        self._pages.door.leave_message(host.id, outcome.message)
        return redirect(path)

    def keep_answers(self, game: str, filled: FilledForm | None) -> None:
        """Store answers as the draft, or forget it if nothing was entered."""
        values = filled.values if filled is not None and filled.is_begun else {}
        settings.keep_draft(self.archive.name, self.draft_name, game, values)


def draw_answers(filled: FilledForm, place: FormPlace | None) -> None:
    """Draw the answer at a place; without one, all answers that have begun, and that chance can give.

    Raises RuleError if there is nothing to draw.
    """
    rng = Random()
    places = [place] if place is not None else _find_open_draws(filled)
    for each in places:
        filled.put(each, filled.form.draw_answer(filled.values, each, rng))
    filled.settle()


def _find_open_draws(filled: FilledForm) -> list[FormPlace]:
    """Return the empty places of answers that have begun, and that can be drawn."""
    answers = filled.answers
    fields = {field.name: field for field in answers.fields}
    return [
        place
        for place in answers.places()
        if place not in filled.state.idle
        and answers.field(place).is_drawn
        and not answers.get(place)
        and (place.entry is None or place.entry < answers.count(fields[place.field]))
    ]
