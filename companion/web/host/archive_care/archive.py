"""The archive's pages for the host: its size, its backups and their restoring, its check, and its exports."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, maintenance
from companion.archive.deck_id import DeckIdError
from companion.archive.errors import describe_error
from companion.archive.exchange import archive_export, deck_export
from companion.archive.maintenance import Fault
from companion.archive.recovery import backups
from companion.archive.recovery.backups import Backup
from companion.archive.recovery.restore import describe_restored, restore
from companion.archive.sharing import deck_decisions
from companion.archive.sharing.description import SharingDescription
from companion.forms import archive_upkeep
from companion.web.host.archive_care.long_tasks import LongTask
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from templates.languages.messages import Text, phrase

ARCHIVE_PATH: Final = "/host/archive"
RESTORE_PATH: Final = f"{ARCHIVE_PATH}/restore"
_GZIP: Final = "application/gzip"
_SQLITE: Final = "application/vnd.sqlite3"
_NOT_IN_A_NAME: Final = re.compile(r"[^\w-]+", re.ASCII)


class ListedBackup(NamedTuple):
    """A backup in the list: the name of its file, how it is offered, and its size."""

    name: str
    title: Text
    size: Text


class ArchiveView(NamedTuple):
    """The content of the page. `size` is "" for an archive on a server; `notices` are about writing and copies.

    `open_questions` are about decks that went on at another device as well.
    """

    name: str
    contents: Text
    size: Text
    notices: tuple[Text, ...]
    backups: tuple[ListedBackup, ...]
    is_file: bool
    open_questions: int
    is_older: bool
    """True if this computer last saw more in the archive, so that nothing is written before somebody decides."""


class ArchiveRoutes:
    """The pages of the archive as a whole."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._task = LongTask()
        self._faults: Sequence[Fault] = ()
        self.routes = [
            Route(ARCHIVE_PATH, pages.require_host(self.archive)),
            Route(ARCHIVE_PATH, pages.require_host(self.work), methods=["POST"]),
            Route(RESTORE_PATH, pages.require_host(self.ask_to_restore)),
            Route(RESTORE_PATH, pages.require_host(self.restore), methods=["POST"]),
            Route(f"{ARCHIVE_PATH}/export", pages.require_host(self.export)),
            Route(f"{ARCHIVE_PATH}/backup", pages.require_host(self.download)),
        ]

    async def archive(self, _: Request, host: Host) -> Response:
        """Show the archive, its backups, and the last task."""
        return await self._page(host)

    async def _page(self, host: Host, wrong: Text = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
        view = await run_in_threadpool(read_archive, self._pages.archive)
        task = self._task.view
        return self._pages.render_host(
            "host/archive.html",
            host,
            here=ARCHIVE_PATH,
            status=status,
            view=view,
            task=task,
            faults=() if task and task.is_running else self._faults,
            mends=archive_upkeep.MENDS,
            acceptance=(archive_upkeep.ACCEPTANCE, archive_upkeep.ABOUT_ACCEPTANCE),
            wrong=wrong,
        )

    async def work(self, request: Request, host: Host) -> Response:
        """Start or stop a task."""
        fields = await self._pages.read_host_form(request, host)
        match fields.get("do", ""):
            case "check":
                began = await run_in_threadpool(self._task.start, phrase("Check it"), self._check)
            case "repair":
                began = await run_in_threadpool(self._task.start, phrase("Rebuild its lists"), self._repair)
            case "copy":
                began = await run_in_threadpool(
                    partial(self._task.start, phrase("Copy it"), self._copy, can_stop=False)
                )
            case "accept":
                return await self._accept(host)
            case "stop":
                await run_in_threadpool(self._task.stop)
                began = True
            case _:
                wrong = phrase("This button is not known here. Load the page again; nothing was changed.")
                return await self._page(host, wrong, HTTPStatus.BAD_REQUEST)
        if not began:
            wrong = phrase("Please wait: another task is still running.")
            return await self._page(host, wrong, HTTPStatus.CONFLICT)
        return redirect(f"{ARCHIVE_PATH}#task")

    def _check(self) -> Text:
        self._faults = ()
        watch = archive_upkeep.watch_streams(self._task.report)
        self._faults, sentence = archive_upkeep.check(self._pages.archive, watch)
        return sentence

    def _repair(self) -> Text:
        sentence = archive_upkeep.repair_lists(self._pages.archive, archive_upkeep.watch_streams(self._task.report))
        self._faults = ()
        return sentence

    def _copy(self) -> Text:
        return archive_upkeep.copy_beside(self._pages.archive)

    # Backups

    async def ask_to_restore(self, request: Request, host: Host) -> Response:
        """Show what going back to a backup would change, and ask for it."""
        backup = await self._find_backup(request.query_params)
        try:
            sentences = await run_in_threadpool(
                lambda: [*archive_upkeep.describe_way_back(self._pages.archive, backup.path)]
            )
        except ArchiveError as error:
            return await self._page(host, error.message, HTTPStatus.CONFLICT)
        return self._pages.render_host(
            "host/restore.html",
            host,
            here=ARCHIVE_PATH,
            backup=backup.path.name,
            title=archive_upkeep.name_backup(backup),
            sentences=sentences,
        )

    async def restore(self, request: Request, host: Host) -> Response:
        """Replace the archive by a backup; the pages go on with what it holds."""
        fields = await self._pages.read_host_form(request, host)
        backup = await self._find_backup(fields)
        return await self._replace(host, phrase("Backup"), partial(self._go_back, backup))

    async def _replace(self, host: Host, title: Text, change: Callable[[], Text]) -> Response:
        """Show the archive again after a change that needs its file closed."""
        if (task := self._task.view) is not None and task.is_running:
            wrong = phrase("Please wait: another task is still running.")
            return await self._page(host, wrong, HTTPStatus.CONFLICT)
        try:
            sentence = await run_in_threadpool(change)
        except (ArchiveError, OSError) as error:
            return await self._page(host, describe_error(error), HTTPStatus.CONFLICT)
        finally:
            await self._pages.pages.start_over()
        self._faults = ()
        self._task.show(title, sentence)
        response = redirect(f"{ARCHIVE_PATH}#task")
        # The name of the cookie follows from the archive.
        self._pages.set_cookie(response, host.id)
        return response

    async def _accept(self, host: Host) -> Response:
        """Go on with an archive that has lost entries."""
        return await self._replace(host, phrase("Archive"), self._keep_as_it_is)

    def _keep_as_it_is(self) -> Text:
        with self._pages.pages.suspend_archive() as file:
            return archive_upkeep.accept(file)

    def _go_back(self, backup: Backup) -> Text:
        with self._pages.pages.suspend_archive() as file:
            copy = restore(backup.path, file, datetime.now(UTC))
        return describe_restored(backup.path, copy)

    async def download(self, request: Request, _: Host) -> Response:
        """Send a backup as a file."""
        backup = await self._find_backup(request.query_params)
        return FileResponse(backup.path, media_type=_SQLITE, filename=backup.path.name)

    async def _find_backup(self, fields: Mapping[str, str]) -> Backup:
        """Return the backup that a form or an address names. Raises HTTPException."""
        name = fields.get("backup", "")
        backup = (await run_in_threadpool(archive_upkeep.find_backups, self._pages.archive)).get(name)
        if backup is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return backup

    # Exports

    async def export(self, request: Request, host: Host) -> Response:
        """Send all of the archive, or a deck, as a file for another archive."""
        deck = request.query_params.get("deck")
        if deck is not None and not deck.strip():
            wrong = phrase("Which deck? Type its name, or the id on its box.")
            return await self._page(host, wrong, HTTPStatus.UNPROCESSABLE_ENTITY)
        folder = TemporaryDirectory(prefix="companion-")
        try:
            file = await run_in_threadpool(_write_export, self._pages.archive, Path(folder.name), deck)
        except (ArchiveError, DeckIdError, OSError) as error:
            folder.cleanup()
            return await self._page(host, describe_error(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        cleaning = BackgroundTask(folder.cleanup)
        return FileResponse(file, media_type=_GZIP, filename=file.name, background=cleaning)


def _write_export(archive: Archive, folder: Path, deck: str | None) -> Path:
    """Write an export of the whole archive, or of a deck, and return its file.

    Raises ArchiveError, OSError, or DeckIdError for a mistyped id.
    """
    if deck is None:
        target = folder / f"companion-{archive.now().astimezone():%Y-%m-%d}.gz"
        archive_export.export_archive(archive, target)
        return target
    row = archive.find_deck(deck)
    target = folder / f"{_NOT_IN_A_NAME.sub('-', row.name).strip('-').lower() or row.deck}.decks"
    deck_export.export_decks(archive, (row.deck,), target)
    return target


def read_archive(archive: Archive) -> ArchiveView:
    """Read the content of the page; an archive that is too damaged to be counted says so."""
    store, size = archive.store, None
    contents: Text
    try:
        info = maintenance.info(archive)
        contents, size = info.contents, info.bytes
    except ArchiveError as error:
        contents = error.message
    notices: list[Text] = [store.refusal.message] if store.read_only_reason else []
    if store.file is not None:
        offsite, sharing = backups.offsite_state(store.file), SharingDescription.read(store.file)
        notices += [offsite.text] if offsite else []
        notices += [sharing.folder] if sharing else []
    return ArchiveView(
        archive.name,
        contents,
        archive_upkeep.format_megabytes(size) if size is not None else "",
        tuple(notices),
        tuple(
            ListedBackup(name, archive_upkeep.name_backup(each), archive_upkeep.format_megabytes(each.bytes))
            for name, each in archive_upkeep.find_backups(archive).items()
        ),
        store.file is not None,
        deck_decisions.count_questions(archive),
        bool(store.loss_reason),
    )
