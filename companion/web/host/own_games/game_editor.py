"""The page on which the page of a game is edited: its text, with what is wrong beside it, and the table that it makes.

The text is stored as a draft with whatever button is pressed. Ready pages are shown, and copied to be changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import ArchiveError, Conflict
from companion.forms.page_check import GAMES
from companion.forms.page_editor import EditedPage, PageEditor, check_text
from companion.games import registry
from companion.games.described import load, sketch
from companion.games.described.game import DescribedGame
from companion.games.described.page.overview import describe_page
from companion.games.described.page.reading import LineFault, PageError, place_paths, read_description
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.text import in_quotes, sanitize
from companion.web.guard import BodyLimit
from companion.web.host.frame import Host, HostPages
from companion.web.host.new_table import NEW_PATH
from companion.web.host.own_games.games import HOST_GAMES_PATH, MAX_NAME, page_path
from companion.web.host.own_games.page_trials import PageTrial, PageTrials
from companion.web.pages import redirect
from companion.web.sharing.games import describe_kept
from companion.web.table_page import TablePage, build_view_page
from templates.languages.messages import Text, phrase

EDIT_PATH: Final = "/host/page"
"""Where the buttons of all pages send the text."""
EDIT_LIMIT: Final = BodyLimit(3 * load.MAX_BYTES + 8192, 30.0)
"""The limit of a form with a page, which writes most letters of some scripts with three times their bytes."""
_MAX_FAULTS: Final = 50
_MAX_MISSING: Final = 40
"""The most texts without a translation that are listed for a language."""
_MAX_QUOTED: Final = 80


class FaultRow(NamedTuple):
    """A fault of a page: its line with what stands there, the key, and a sentence."""

    line: int
    quoted: str
    key: str
    text: Markup


class LanguageRow(NamedTuple):
    """The part of a page that is translated into a language, and the first texts that are not."""

    code: str
    translated: int
    all_texts: int
    missing: tuple[FaultRow, ...]


class TextView(NamedTuple):
    """The view of a page's text: its faults, or else the page in words and the table that it makes.

    `more` is the number of faults that are not listed, and `table_refusal` says why there is no table.
    """

    faults: tuple[FaultRow, ...]
    more: int
    keeps: tuple[Text, ...] = ()
    table: TablePage | None = None
    table_refusal: Text = ""


class TrialView(NamedTuple):
    """The state of the random games of a text, and what they found."""

    is_running: bool
    is_stopped: bool
    is_failed: bool
    games: int
    is_right: bool
    faults: tuple[FaultRow, ...]
    warnings: tuple[FaultRow, ...]
    languages: tuple[LanguageRow, ...]


class GameEditorRoutes:
    """The pages that show and change the page of one game."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._editor = PageEditor(pages.archive)
        self._trials = PageTrials()
        self.routes = [
            Route(f"{HOST_GAMES_PATH}/{{name}}", pages.require_host(self.show)),
            Route(f"{HOST_GAMES_PATH}/{{name}}", pages.require_host(self.copy), methods=["POST"]),
            Route(f"{HOST_GAMES_PATH}/{{name}}/page.toml", pages.require_host(self.file)),
            Route(f"{HOST_GAMES_PATH}/{{name}}/check", pages.require_host(self.wait)),
            Route(EDIT_PATH, pages.require_host(self.change), methods=["POST"]),
        ]

    async def show(self, request: Request, host: Host) -> Response:
        """Render the page of a game, with its draft."""
        name, done = request.path_params["name"], request.query_params.get("done", "")
        edited: EditedPage | None = await run_in_threadpool(self._editor.open, name)
        if edited is None:
            return await self._show_ready(name, host)
        return await self._render(host, edited, edited.text, done=_DONE.get(done, ""))

    async def _open(self, name: str) -> EditedPage:
        """Return a page of the host's own. Raises HTTPException."""
        edited = await run_in_threadpool(self._editor.open, name)
        if edited is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return edited

    async def copy(self, request: Request, host: Host) -> Response:
        """Begin a page as a copy of a ready one, and open it; a word that cannot be taken stays in its field."""
        fields = await self._pages.read_host_form(request, host)
        ready, name = request.path_params["name"], fields.get("name", "").strip()[:MAX_NAME]
        try:
            await run_in_threadpool(self._editor.begin, name, ready)
        except (NotationError, ArchiveError) as error:
            return await self._show_ready(ready, host, name, error.message)
        return redirect(page_path(name))

    async def _show_ready(self, name: str, host: Host, copied: str = "", refused: Text = "") -> Response:
        """Render a ready page, which can be copied; `copied` is the word of a copy that was refused."""
        text = registry.ready_text(name) if load.is_word(name) else None
        if text is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await run_in_threadpool(self._render_ready, name, text, host, copied, refused)

    def _render_ready(self, name: str, text: str, host: Host, copied: str, refused: Text) -> Response:
        rules = registry.from_text(text, name, kept=True)
        return self._pages.render_host(
            "host/game_ready.html",
            host,
            here=HOST_GAMES_PATH,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK,
            copied=copied,
            refused=refused,
            name=name,
            page=load.digest_of(text),
            title=rules.title,
            keeps=describe_kept(text),
            text=_mark_text(text),
            table=_build_table(text)[0],
            play=_play_path(name),
        )

    async def file(self, request: Request, _: Host) -> Response:
        """Send the text of a page, with its draft, as a file."""
        name = request.path_params["name"]
        edited: EditedPage | None = await run_in_threadpool(self._editor.open, name)
        text = edited.text if edited is not None else registry.ready_text(name) if load.is_word(name) else None
        if text is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {"content-disposition": f'attachment; filename="{name}.toml"'}
        return Response(text.encode(), media_type="application/toml; charset=utf-8", headers=headers)

    async def wait(self, request: Request, host: Host) -> Response:
        """Show how far the random games of a page are; go back to it when they are over."""
        name = request.path_params["name"]
        edited = await self._open(name)
        trial = self._trials.find(name, edited.text)
        if trial is None or not trial.is_running:
            return redirect(f"{page_path(name)}#check")
        return self._pages.render_host(
            "host/game_trial.html",
            host,
            here=HOST_GAMES_PATH,
            edited=edited,
            action=EDIT_PATH,
            trial=_view_trial(trial),
            most=GAMES,
        )

    async def change(self, request: Request, host: Host) -> Response:
        """Store the text as a draft, and do what the pressed button says."""
        fields = await self._pages.read_host_form(request, host)
        name, text = fields.get("name", ""), fields.get("text", "").replace("\r\n", "\n")
        edited = await self._open(name)
        # After a conflict, one button takes up the version that is here now.
        version = fields.get("go-on") or fields.get("version", "")
        try:
            return redirect(await run_in_threadpool(self._press, fields, edited, text, version))
        except (NotationError, ArchiveError, RuleError) as error:
            refused = error.message
            is_conflict = isinstance(error, Conflict)
        latest: EditedPage | None = await run_in_threadpool(self._editor.open, name)
        now = latest or edited
        if is_conflict:
            # The form keeps the version that its writer has seen, until they have chosen.
            page, status = now._replace(text=text, version=version), HTTPStatus.CONFLICT
            return await self._render(host, page, text, refused=refused, status=status, go_on=now.version)
        return await self._render(host, now, text, refused=refused, status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def _press(self, fields: Mapping[str, str], edited: EditedPage, text: str, version: str) -> str:
        """Do what a button says, and return the path that follows. Raises what `PageEditor` raises."""
        here = page_path(edited.name)
        match fields.get("do", ""):
            case "forget":
                self._editor.forget_draft(edited.name, version)
                return here
            case "undo":
                self._editor.keep_draft(edited.name, text, version)
                self._editor.undo_save(edited.name, fields.get("page", ""))
                return f"{here}?done=undo"
            case "stop":
                self._trials.stop(edited.name)
                return here
            case "check":
                self._editor.keep_draft(edited.name, text, version)
                read_description(text)
                self._trials.begin(edited.name, text)
                return f"{here}/check"
            case "save":
                now = self._editor.keep_draft(edited.name, text, version)
                added = self._editor.save(edited.name, text, now.version)
                return f"{page_path(added.row.name)}?done={'twice' if added.is_edition_twice else 'saved'}"
            case _:
                self._editor.keep_draft(edited.name, text, version)
                return here

    async def _render(
        self,
        host: Host,
        edited: EditedPage,
        text: str,
        *,
        done: Text = "",
        refused: Text = "",
        status: HTTPStatus = HTTPStatus.OK,
        go_on: str = "",
    ) -> Response:
        trial = self._trials.find(edited.name, text)
        view = await run_in_threadpool(_view_text, text)
        return await run_in_threadpool(
            self._pages.render_host,
            "host/game_page.html",
            host,
            here=HOST_GAMES_PATH,
            status=status,
            edited=edited,
            action=EDIT_PATH,
            text=_mark_text(text),
            lines=text.count("\n") + 1,
            view=view,
            trial=_view_trial(trial) if trial is not None else None,
            most=GAMES,
            done=done,
            refused=refused,
            go_on=go_on,
            play=_play_path(edited.name) if edited.saved is not None else "",
        )


_DONE: Final[Mapping[str, Text]] = {
    "saved": phrase("The page is saved: new tables go by it. What was played keeps its edition."),
    "twice": phrase(
        "The page is saved: new tables go by it. Another text has the same edition number; increase it, so that people "
        "can tell the two apart."
    ),
    "undo": phrase("The last save is taken back. Its text is here as a draft."),
}


def _play_path(name: str) -> str:
    """Return the path of the form for a table of a game."""
    return f"{NEW_PATH}?game={name}"


def _view_text(text: str) -> TextView:
    """Return what is seen of a text, in the reader's language."""
    try:
        check_text(text)
    except NotationError as error:
        return TextView((), 0, table_refusal=error.message)
    try:
        page = read_description(text)
    except PageError as error:
        return TextView(_view_faults(text, error.faults), max(0, len(error.faults) - _MAX_FAULTS))
    table, refusal = _build_table(text)
    # A page of which no table can be opened is described in its own words.
    keeps = describe_page(DescribedGame(page).readable_page if table is not None else page)
    return TextView((), 0, keeps, table, refusal)


def _build_table(text: str) -> tuple[TablePage | None, Text]:
    """Return a table of the game that has just begun, or why there is none."""
    try:
        game = DescribedGame(read_description(text))
        return build_view_page(game.view(sketch.sample_table(game))), ""
    except (NotationError, RuleError) as error:
        return None, error.message


def _view_trial(trial: PageTrial) -> TrialView:
    report = trial.report
    text = trial.text
    return TrialView(
        trial.is_running,
        trial.is_stopped,
        trial.is_failed,
        trial.games,
        report is not None and not report.faults,
        _view_faults(text, report.faults) if report else (),
        _view_faults(text, report.warnings) if report else (),
        tuple(
            LanguageRow(
                state.code,
                state.translated,
                state.all_texts,
                _view_faults(
                    text,
                    (
                        LineFault(line, "", phrase("{text} is not translated.", text=in_quotes(missing)))
                        for line, missing in place_paths(
                            text, ((each.path, each.text) for each in state.missing[:_MAX_MISSING])
                        )
                    ),
                ),
            )
            for state in report.languages
        )
        if report
        else (),
    )


def _view_faults(text: str, faults: Iterable[LineFault]) -> tuple[FaultRow, ...]:
    """Return the first faults of a text with the lines on which they are."""
    lines = text.split("\n")
    return tuple(
        FaultRow(
            fault.line,
            sanitize(lines[fault.line - 1].strip()[:_MAX_QUOTED]) if fault.line <= len(lines) else "",
            fault.key,
            _mark_sentence(fault.text),
        )
        for fault in [*faults][:_MAX_FAULTS]
    )


def _mark_sentence(text: Text) -> Markup:
    """Return a sentence with all that it says of keys and lines, which sentences for phones leave out."""
    parts = sanitize(str(text)).split("`")
    pieces: list[Markup] = [Markup(escape(part)) for part in parts]
    if len(pieces) % 2 == 0:
        return Markup("`").join(pieces)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if number % 2 else piece for number, piece in enumerate(pieces)
    )


def _mark_text(text: str) -> Markup:
    """Return a text as the content of a field: its lines and tabs as they are, and all that hides as a mark."""
    lines = ("\t".join(map(sanitize, line.split("\t"))) for line in text.split("\n"))
    return Markup(escape("\n".join(lines)))
