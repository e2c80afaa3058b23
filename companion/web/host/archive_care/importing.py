"""The page that imports the export of another archive, or of decks: what it holds is shown before it is taken in."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError
from companion.archive.errors import describe_error
from companion.archive.exchange import archive_export, deck_export, import_log
from companion.archive.exchange.archive_export import ImportSummary
from companion.archive.exchange.import_doubts import Doubt, find_doubts
from companion.archive.exchange.import_log import Import
from companion.web.guard import RequestRefused
from companion.web.host.archive_care.archive import ARCHIVE_PATH
from companion.web.host.archive_care.deck_files import DeckPreview, preview_decks, take_decks
from companion.web.host.archive_care.uploads import MAX_MEGABYTES, Upload
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from templates.languages.messages import Text, phrase

IMPORT_PATH: Final = f"{ARCHIVE_PATH}/import"
_MAX_HELD: Final = 4
"""The most files that wait to be taken in, one for each browser of the host."""
_NOTICES: Final = {
    "undo": phrase("The import was undone: everything is as it was before it."),
}


class HeldFile(NamedTuple):
    """An uploaded file that was shown and waits; `key` is what the form that takes it in sends."""

    key: str
    upload: Upload


class ImportPreview(NamedTuple):
    """The effects that the import of a file would have."""

    summary: ImportSummary
    doubts: tuple[Doubt, ...]

    @property
    def has_new(self) -> bool:
        """True if there is anything to take in."""
        return bool(self.summary.entries)

    @property
    def is_refused(self) -> bool:
        """True if a name of a deck is in use here, so that nothing can be taken in."""
        return any(doubt.name_taken for doubt in self.doubts)


class ImportRoutes:
    """The page of imports."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._held: dict[str, HeldFile] = {}
        self.routes = [
            Route(IMPORT_PATH, pages.require_host(self.show)),
            Route(IMPORT_PATH, pages.require_host(self.look), methods=["POST"]),
            Route(f"{IMPORT_PATH}/take", pages.require_host(self.take), methods=["POST"]),
            Route(f"{IMPORT_PATH}/undo", pages.require_host(self.undo), methods=["POST"]),
        ]

    async def show(self, request: Request, host: Host) -> Response:
        """Show the form for a file, and the last import."""
        return await self._page(host, _NOTICES.get(request.query_params.get("done", ""), ""))

    async def _page(
        self, host: Host, done: Text = "", wrong: Text = "", status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        last = await run_in_threadpool(import_log.last_import, self._pages.archive)
        return self._render(host, status, last=last, done=done, wrong=wrong)

    def _render(
        self,
        host: Host,
        status: HTTPStatus = HTTPStatus.OK,
        *,
        preview: ImportPreview | DeckPreview | None = None,
        key: str = "",
        last: Import | None = None,
        done: Text = "",
        wrong: Text = "",
    ) -> Response:
        return self._pages.render_host(
            "host/import.html",
            host,
            here=ARCHIVE_PATH,
            status=status,
            preview=preview,
            is_of_decks=isinstance(preview, DeckPreview),
            key=key,
            last=last,
            done=done,
            wrong=wrong,
            megabytes=MAX_MEGABYTES,
        )

    async def look(self, request: Request, host: Host) -> Response:
        """Show what the import of a file would do, before it is taken in."""
        upload = Upload()
        try:
            await upload.receive(request, self._pages, host)
            preview = await run_in_threadpool(_preview_import, self._pages.archive, upload)
        except (ArchiveError, OSError) as error:
            wrong = _without_folder(error, upload)
            upload.close()
            return await self._page(host, wrong=wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        except RequestRefused:
            upload.close()
            raise
        self._release(host)
        held = self._held[host.id] = HeldFile(secrets.token_hex(8), upload)
        while len(self._held) > _MAX_HELD:
            self._held.pop(next(iter(self._held))).upload.close()
        return self._render(host, preview=preview, key=held.key)

    async def take(self, request: Request, host: Host) -> Response:
        """Take in the file that was shown."""
        fields = await self._pages.read_host_fields(request, host)
        held = self._held.get(host.id)
        if held is None or ("key", held.key) not in fields:
            wrong = phrase("That file is no longer here; send it again.")
            return await self._page(host, wrong=wrong, status=HTTPStatus.CONFLICT)
        try:
            text = await run_in_threadpool(_take_file, self._pages.archive, held.upload.path, fields)
        except (ArchiveError, OSError) as error:
            wrong_text = _without_folder(error, held.upload)
            return await self._page(host, wrong=wrong_text, status=HTTPStatus.CONFLICT)
        finally:
            self._release(host)
        self._pages.door.leave_message(host.id, text)
        return redirect(IMPORT_PATH)

    def _release(self, host: Host) -> None:
        held = self._held.pop(host.id, None)
        if held is not None:
            held.upload.close()

    async def undo(self, request: Request, host: Host) -> Response:
        """Undo the import that the form names, if it is still the last one."""
        fields = await self._pages.read_host_form(request, host)
        last = await run_in_threadpool(import_log.last_import, self._pages.archive)
        if last is None or fields.get("number", "") != str(last.number):
            wrong = phrase("That is not the last import any more. Look again; nothing was changed.")
            return await self._page(host, wrong=wrong, status=HTTPStatus.CONFLICT)
        try:
            await run_in_threadpool(import_log.undo_import, self._pages.archive)
        except ArchiveError as error:
            return await self._page(host, wrong=error.message, status=HTTPStatus.CONFLICT)
        return redirect(f"{IMPORT_PATH}?done=undo")


def _preview_import(archive: Archive, upload: Upload) -> ImportPreview | DeckPreview:
    """Return what the import of a file would do. Raises ArchiveError, OSError."""
    if not upload.path.stat().st_size:
        raise ArchiveError(phrase("No file was sent: choose one first."))
    if deck_export.is_deck_file(upload.path):
        return preview_decks(archive, upload.path)
    archive_export.check_header(upload.path)
    doubts = find_doubts(archive, upload.path)
    return ImportPreview(archive_export.preview_archive(archive, upload.path), doubts)


def _take_file(archive: Archive, path: Path, fields: Sequence[tuple[str, str]]) -> Text:
    """Import a file, and return a sentence about it. Raises ArchiveError, OSError."""
    if deck_export.is_deck_file(path):
        return take_decks(archive, path, fields)
    archive_export.import_archive(archive, path)
    return phrase("The file was taken in.")


def _without_folder(error: Exception, upload: Upload) -> str:
    """Return the sentence of an error with the name of the file alone, as the folder means nothing to the user."""
    return str(describe_error(error)).replace(f"{upload.path.parent}{os.sep}", "")
