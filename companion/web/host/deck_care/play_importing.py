"""The page that imports games that were played without the companion, from a file that is sent or a pasted list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive
from companion.forms.play_form import PERSON, PlayImportForm
from companion.session.table.form_filling import Fillable, FormResult, FormState
from companion.statistics.play_file import ENDINGS
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import Field, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice
from companion.web.guard import BodyLimit
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import WRONG_FORM, FilledForm
from companion.web.host.frame import Host, HostPages
from companion.web.host.statistics import PLAYS_PATH, STATISTICS_PATH
from companion.web.pages import redirect
from companion.web.sharing.forms import read_file_name, read_parts
from companion.web.sharing.upload_folder import UploadFolder
from templates.languages.messages import Message, phrase, phrases

PLAY_IMPORT_PATH: Final = f"{STATISTICS_PATH}/import"
PLAY_FORM_LIMIT: Final = BodyLimit(2**20, 30.0)
"""The limit of the form with a pasted list."""
PLAY_FILE_PATH: Final = f"{PLAY_IMPORT_PATH}/file"
PLAY_FILE_LIMIT: Final = BodyLimit(8 * 2**20 + 8192, 60.0)
_ENDINGS: Final = tuple(ending.removeprefix(".") for ending in ENDINGS)
_PLAYS: Final = "plays"
"""The name of the form, which is for all games."""


class PlayPageForm(PlayImportForm):
    """The form for an import as browsers fill it in: they name no path of this machine, only files that were sent."""

    def __init__(self, archive: Archive, uploads: UploadFolder) -> None:
        super().__init__(archive)
        self._uploads = uploads

    def build_state(self, values: Values) -> FormState:
        """Report what the file holds, what it leaves open, and whose its names may be."""
        state = super().build_state(self._translate(values))
        name = _file_of(values)
        findings: Iterable[Finding] = map(self._hide_folder, state.filled.findings)
        if name and name not in self._uploads.list_tables():
            gone = phrase("The file “{file}” is no longer here; send it again.", file=name)
            findings = (Finding(gone, place=FormPlace("file")),)
        elif not name and not str(values.get("list", "")).strip():
            findings = (Finding(phrase("Send a file, or paste a list.")),)
        fields = tuple(self._show_fields(state.fields, has_file=bool(name)))
        return state._replace(fields=fields, filled=msgspec.structs.replace(state.filled, findings=tuple(findings)))

    def _translate(self, values: Values) -> Values:
        """Return the answers with the path of the file, if it was sent."""
        own = {name: value for name, value in values.items() if name != "file"}
        name = _file_of(values)
        return {**own, "file": str(self._uploads.path / name)} if name in self._uploads.list_tables() else own

    def _hide_folder(self, finding: Finding) -> Finding:
        return msgspec.structs.replace(finding, text=self._uploads.hide(finding.text))

    def _show_fields(self, fields: Iterable[Field], *, has_file: bool) -> Iterator[Field]:
        for field in fields:
            if field.name == "file":
                if has_file or self._uploads.list_tables():
                    about = phrase("A file that was sent, or none to paste a list.")
                    yield msgspec.structs.replace(field, help=about)
            elif field.name.startswith(PERSON):
                about = phrase(
                    "Who is {name} here? If nobody, the games count under that name; they can become somebody's later.",
                    name=field.name.removeprefix(PERSON),
                )
                yield msgspec.structs.replace(field, help=about)
            else:
                yield field

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer the answers that are possible at a place: of files, only those that were sent."""
        if place.field == "file":
            return tuple(map(Choice, self._uploads.list_tables()))
        return super().candidates(self._translate(values), place, typed)

    def keep(self, values: Values) -> FormResult:
        """Import the games. Raises NotationError, ArchiveError."""
        try:
            return super().keep(self._translate(values))
        except NotationError as error:
            raise NotationError(self._uploads.hide(error.message)) from error

    def describe_result(self, count: int) -> Message:
        """Return the message about an import, with the way back."""
        return phrases(
            "{n} game taken in; “Undo the last import” below takes it back.",
            "{n} games taken in; “Undo the last import” below takes them back.",
            n=count,
        )


def _file_of(values: Values) -> str:
    return str(values.get("file", "")).strip()


class PlayImportPage(FormPage):
    """The form for an import; what the file holds is shown before anything is stored."""

    template = "host/play_import.html"
    path = PLAY_IMPORT_PATH
    here = STATISTICS_PATH
    draft_name = "Play import page"
    title = PlayImportForm.title

    def __init__(self, pages: HostPages) -> None:
        super().__init__(pages)
        self._uploads = UploadFolder(_ENDINGS, ())
        self.routes.append(Route(PLAY_FILE_PATH, pages.require_host(self.upload), methods=["POST"]))

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return one form, which is for all games."""
        return [OfferedGame(_PLAYS, self.title)]

    def open_form(self, game: str) -> Fillable:  # noqa: ARG002 – what other forms need
        """Return the form without answers."""
        return PlayPageForm(self.archive, self._uploads)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the imported games."""
        return PLAYS_PATH

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return where files are sent, and the ends of their names."""
        return {"file_path": PLAY_FILE_PATH, "plays_path": PLAYS_PATH, "endings": ",".join(ENDINGS)}

    async def upload(self, request: Request, host: Host) -> Response:
        """Take a file that was sent, and show the form with it."""
        body = await request.body()
        parts = read_parts(body)
        self._pages.check_token(host, parts.get("token", b"").decode("latin-1"))
        return await run_in_threadpool(self._take_file, read_file_name(body), parts.get("file", b""), host)

    def _take_file(self, name: str, content: bytes, host: Host) -> Response:
        filled, _ = self.read_draft(_PLAYS)
        try:
            saved = self._uploads.save(name, content)
            filled = FilledForm(self.open_form(_PLAYS))
            filled.put(FormPlace("file"), saved)
            filled.settle()
        except (RuleError, *WRONG_FORM) as error:
            return self._render(host, self.list_games(_PLAYS), _PLAYS, filled, refused=str(error))
        self.keep_answers(_PLAYS, filled)
        return redirect(PLAY_IMPORT_PATH)
