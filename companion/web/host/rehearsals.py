"""The pages of rehearsals for the host: their form and list, and each one with its figures while it is played."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, Unknown, rehearsals
from companion.archive.storage.rows import RehearsalRow
from companion.forms.rehearsal_form import MOST_GAMES, RehearsalForm
from companion.forms.rehearsal_runs import RunPlayer, describe_run, draw_report, stored_report
from companion.games import registry
from companion.rehearsal import storage
from companion.rehearsal.kinds import AnyReport, report_csv, report_document, report_plain
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import Report
from companion.rehearsal.storage import Run, StoredRehearsal
from companion.rehearsal.workers import local_workers
from companion.session.table import game_pages
from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import Values
from companion.web.host.archive_care.long_tasks import LongTask, TaskStopped
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.frame import Host, HostPages
from companion.web.host.rehearsal_view import ReportView, build_report_view
from companion.web.pages import redirect
from templates.languages.dates import date_and_time
from templates.languages.messages import Message, Text, joined, phrase, phrases

REHEARSALS_PATH: Final = "/host/rehearsals"
_ONE: Final = f"{REHEARSALS_PATH}/{{rehearsal}}"
_ID: Final = re.compile(r"[0-9A-Z]{6}")
_NUMBER: Final = re.compile(r"[0-9]{1,7}")
_KINDS: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}
"""The files that a report can be, with their media types."""
_BUSY: Final = phrase("Please wait: another rehearsal is still running. You can stop it, and continue it later.")


class ListedRehearsal(NamedTuple):
    """A stored rehearsal in the list."""

    rehearsal: str
    name: str
    game: Text
    about: Text
    games: Text
    when: Text


class RehearsalView(NamedTuple):
    """A stored rehearsal on its page. `report` is None before its first game, and `others` can be compared with it."""

    listed: ListedRehearsal
    report: ReportView | None
    wrong: Text
    against: str
    others: tuple[ListedRehearsal, ...]
    refusal: Text
    """The reason that it cannot be continued."""
    following: int
    """The number of games that is proposed for continuing."""


class PageRehearsalForm(RehearsalForm):
    """The form of a rehearsal that begins only if no other one is being played."""

    def __init__(self, archive: Archive, game: str, task: LongTask) -> None:
        super().__init__(archive, game)
        self._task = task

    def keep(self, values: Values) -> FormResult:
        """Store the rehearsal. Raises RuleError if another one is being played."""
        if self._task.is_running:
            raise RuleError(_BUSY)
        return super().keep(values)


class RehearsalsPage(FormPage):
    """The form that begins a rehearsal beside the list of those that are stored, and the page of each."""

    template = "host/rehearsals.html"
    path = REHEARSALS_PATH
    draft_name = "rehearsal"
    title = phrase("Rehearsals")

    def __init__(self, pages: HostPages) -> None:
        super().__init__(pages)
        self._task = LongTask()
        self._played = ""
        """The rehearsal that the task plays, or that it played last."""
        pages.pages.at_end(self._task.end)
        self.routes += [
            Route(_ONE, pages.require_host(self.rehearsal)),
            Route(_ONE, pages.require_host(self.work), methods=["POST"]),
            Route(f"{_ONE}/figures.{{kind:str}}", pages.require_host(self.file)),
        ]

    # The form

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return the games with simulated players, and their homebrews."""
        return [
            OfferedGame(each.name, each.title, each.about)
            for each in game_pages.all_games(self.archive)
            if each.origin in ("program", "homebrew") and registry.game(each.name).rehearsal is not None
        ]

    def _choose_game(self, wanted: str, games: Sequence[OfferedGame], drafts: dict[str, Answers]) -> str:
        """Return the game whose form is shown, by default the first one, so that the list always stands below it."""
        return super()._choose_game(wanted, games, drafts) or (games[0].name if games else "")

    def open_form(self, game: str) -> Fillable:
        """Return the form of a game."""
        return PageRehearsalForm(self.archive, game, self._task)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Begin to play, and return the path of the new rehearsal."""
        self._start(storage.read(self.archive, outcome.id), 0)
        return f"{REHEARSALS_PATH}/{outcome.id}"

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return the stored rehearsals, the one played last first."""
        return {"rows": list_rehearsals(self.archive)}

    # Playing

    def _start(self, stored: StoredRehearsal, games: int) -> bool:
        """Play the rest of a rehearsal, up to `games`, or to as many as it should have; False if another one runs."""
        run = stored.as_run(max(games, stored.progress.units) if games else stored.row.games)
        before, self._played = self._played, stored.row.rehearsal
        title = phrase("Rehearsal {label}", label=stored.label)
        has_begun = self._task.start(title, partial(self._play, run, stored.row))
        if not has_begun:
            self._played = before
        return has_begun

    def _play(self, run: Run, row: RehearsalRow) -> Text:
        """Play a rehearsal until it ends or is stopped. Raises ArchiveError if it cannot be played or stored."""
        player = RunPlayer(run, storage.Recorder(lambda: nullcontext(self.archive), row, run.games))
        is_stopped = False
        # One core is left for the pages.
        workers = local_workers(max(1, (os.cpu_count() or 1) - 1), are_fresh=True)
        try:
            with closing(player.play(workers)) as batches:
                self._task.report(phrase("The first games are being played."))
                for _ in batches:
                    self._task.report(_describe_progress(run, player))
        except TaskStopped:
            is_stopped = True
        except RuleError as error:
            raise ArchiveError(error.message) from error
        player.finish()
        if player.faults:
            raise ArchiveError(joined(" ", player.faults))
        units = player.progress.units
        if is_stopped:
            stopped = phrase("Stopped after {n} of {all}.", n=units, all=run.games)
            return joined(" ", (stopped, phrase("What was played is kept, and can be continued.")))
        if units < run.games:
            return phrases(
                "It ended after {n} game, as its answer is certain.",
                "It ended after {n} games, as its answer is certain.",
                n=units,
            )
        return phrases("{n} game is played.", "All {n} games are played.", n=units)

    # One rehearsal

    async def rehearsal(self, request: Request, host: Host) -> Response:
        """Show a rehearsal: how far it is, and its figures, beside those of another one if the address names it."""
        against = request.query_params.get("against", "")
        return await self._rehearsal_page(host, _read_id(request), against if _ID.fullmatch(against) else "")

    async def _rehearsal_page(
        self, host: Host, rehearsal: str, against: str = "", wrong: Text = "", status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        # The figures are read behind it, so that those of an ended task are its last ones.
        task = self._task.view
        try:
            view = await run_in_threadpool(read_rehearsal, self.archive, rehearsal, against)
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        return self._pages.render_host(
            "host/rehearsal.html",
            host,
            here=REHEARSALS_PATH,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if view.wrong else status,
            path=f"{REHEARSALS_PATH}/{rehearsal}",
            view=view,
            wrong=wrong or view.wrong,
            task=task if self._played == rehearsal else None,
            is_busy=task is not None and task.is_running,
        )

    async def work(self, request: Request, host: Host) -> Response:
        """Continue or stop a rehearsal."""
        fields = await self._pages.read_host_form(request, host)
        rehearsal = _read_id(request)
        match fields.get("do", ""):
            case "stop":
                if self._played == rehearsal:
                    await run_in_threadpool(self._task.stop)
            case "continue":
                if refusal := await run_in_threadpool(self._continue, rehearsal, fields.get("games", "")):
                    return await self._rehearsal_page(host, rehearsal, wrong=refusal, status=HTTPStatus.CONFLICT)
            case _:
                wrong = phrase("This button is not known here. Load the page again; nothing was changed.")
                return await self._rehearsal_page(host, rehearsal, wrong=wrong, status=HTTPStatus.BAD_REQUEST)
        return redirect(f"{REHEARSALS_PATH}/{rehearsal}#task")

    def _continue(self, rehearsal: str, games: str) -> Text:
        """Continue a rehearsal; return the reason if it cannot be. Raises ArchiveError."""
        stored = _find_rehearsal(self.archive, rehearsal)
        if refusal := _refuse_to_continue(stored):
            return refusal
        number = int(games) if _NUMBER.fullmatch(games) else 0
        if not stored.progress.units < number <= MOST_GAMES:
            least, most = str(stored.progress.units + 1), str(MOST_GAMES)
            return phrase("That is a number from {least} to {most}.", least=least, most=most)
        return "" if self._start(stored, number) else _BUSY

    async def file(self, request: Request, host: Host) -> Response:  # noqa: ARG002 – what a page gets
        """Send the figures of a rehearsal as a table, as data, as a picture of its charts, or as a printed report."""
        rehearsal, kind = _read_id(request), request.path_params["kind"]
        against = request.query_params.get("against", "")
        if kind not in _KINDS or (against and not _ID.fullmatch(against)):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            content = await run_in_threadpool(_write_file, self.archive, rehearsal, against, kind)
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        headers = {"content-disposition": f'attachment; filename="rehearsal-{rehearsal}.{kind}"'}
        return Response(content, media_type=_KINDS[kind], headers=headers)


def _describe_progress(run: Run, player: RunPlayer) -> Text:
    played = phrase("{n} of {all} games", n=player.progress.units, all=run.games)
    return joined(" · ", (played, player.running.progress)) if player.running.progress else played


def _read_id(request: Request) -> str:
    """Return the id in an address. Raises HTTPException if there is none."""
    rehearsal: str = request.path_params["rehearsal"]
    if not _ID.fullmatch(rehearsal):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return rehearsal


def _find_rehearsal(archive: Archive, rehearsal: str) -> StoredRehearsal:
    """Return a stored rehearsal. Raises HTTPException if there is none, and ArchiveError."""
    try:
        return storage.read(archive, rehearsal)
    except Unknown:
        raise HTTPException(HTTPStatus.NOT_FOUND) from None


def _refuse_to_continue(stored: StoredRehearsal) -> Text:
    """Return the reason that a rehearsal cannot be continued, or ""."""
    try:
        storage.check_same_program(stored)
    except (RuleError, NotationError):
        return phrase(
            "It was played by another version of the companion or of the rules, so it cannot be continued. Begin a new "
            "one, and compare the two."
        )
    return ""


def list_rehearsals(archive: Archive) -> list[ListedRehearsal]:
    """Return the stored rehearsals, the one played last first. Raises ArchiveError."""
    return [_list_row(row) for row in rehearsals.rehearsals(archive)]


def _list_row(row: RehearsalRow) -> ListedRehearsal:
    games: Message = (
        phrase("{n} of {all} games", n=row.units, all=row.games)
        if row.units < row.games
        else phrases("{n} game", "{n} games", n=row.units)
    )
    game: Text = row.game
    with suppress(NotationError):
        game = registry.game(row.game).title
    return ListedRehearsal(row.rehearsal, row.name, game, describe_run(row), games, date_and_time(row.updated))


def read_rehearsal(archive: Archive, rehearsal: str, against: str = "") -> RehearsalView:
    """Read a rehearsal with its figures, beside those of another one. Raises Unknown, ArchiveError, NotationError."""
    wrong: Text = ""
    try:
        stored, report = stored_report(archive, rehearsal, against)
    except RuleError as error:
        wrong, against = error.message, ""
        stored, report = stored_report(archive, rehearsal)
    row = stored.row
    others = [
        each
        for each in rehearsals.rehearsals(archive)
        if each.rehearsal != row.rehearsal and each.game == row.game and each.units
    ]
    return RehearsalView(
        _list_row(row),
        _build_report(row.game, report) if report is not None else None,
        wrong,
        against,
        tuple(map(_list_row, others)) if isinstance(report, Report) else (),
        _refuse_to_continue(stored),
        row.games if row.units < row.games else 2 * row.games,
    )


def _build_report(game: str, report: AnyReport) -> ReportView:
    return build_report_view(report_document(report, rehearsal_of(game).temperaments))


def _write_file(archive: Archive, rehearsal: str, against: str, kind: str) -> bytes:
    """Return the content of a file with the figures. Raises Unknown, RuleError, ArchiveError."""
    stored, report = stored_report(archive, rehearsal, against)
    if report is None:
        raise RuleError(phrase("Nothing of {label} was played yet, so there are no figures.", label=stored.label))
    if kind == "csv":
        return report_csv(report).encode()
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(report_plain(report)), indent=2) + b"\n"
    return draw_report(report, stored.row.game, f".{kind}")
