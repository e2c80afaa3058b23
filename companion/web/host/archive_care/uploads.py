"""Files that the host uploads: received in pieces, after the token of their form, and kept until they are taken."""

from __future__ import annotations

import mmap
import re
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from companion.web.guard import BodyLimit, RequestRefused
from companion.web.host.frame import Host, HostPages

MAX_MEGABYTES: Final = 200
_HEAD_BYTES: Final = 4096
"""Bytes of a form within which its token must appear, before the file."""
UPLOAD_LIMIT: Final = BodyLimit(MAX_MEGABYTES * 1024 * 1024 + _HEAD_BYTES, 300.0)
_TOKEN: Final = re.compile(rb'name="token"\r\n\r\n(\w+)\r\n')
_FILE: Final = re.compile(rb'\bname="file"; filename="([^"\r\n]*)"[^\0]{0,200}?\r\n\r\n')
_BODY: Final = "body.part"
_UNSAFE: Final = re.compile(r"[^\w .-]+")
_MAX_NAME: Final = 60


class Upload:
    """An uploaded file in a folder of its own, which `close` removes."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="companion-")
        self.path = Path(self._folder.name)

    def close(self) -> None:
        """Remove the file."""
        self._folder.cleanup()

    async def receive(self, request: Request, pages: HostPages, host: Host) -> None:
        """Receive the file of a form; `path` is then its path, under a harmless form of its name.

        An empty file is left if none was sent. Raises RequestRefused, also if the token is wrong, before the file.
        """
        folder = self.path
        await self._save_body(request, pages, host, folder / _BODY)
        self.path = await run_in_threadpool(_split_file, folder)

    async def _save_body(self, request: Request, pages: HostPages, host: Host, body: Path) -> None:
        head, is_checked = b"", False
        try:
            with body.open("wb") as file:
                async for piece in request.stream():
                    if not is_checked:
                        head += piece
                        if len(head) < _HEAD_BYTES and not _TOKEN.search(head):
                            continue
                        piece, is_checked = head, True
                        _check_head(pages, host, head)
                    await run_in_threadpool(file.write, piece)
        except ClientDisconnect:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        if not is_checked:
            _check_head(pages, host, head)


def _check_head(pages: HostPages, host: Host, head: bytes) -> None:
    token = _TOKEN.search(head[:_HEAD_BYTES])
    pages.check_token(host, token[1].decode("latin-1") if token else "")


def _split_file(folder: Path) -> Path:
    """Write the file of a saved form into the folder, and remove the form; return its path."""
    body = folder / _BODY
    target = folder / "upload"
    with body.open("rb") as saved:
        if body.stat().st_size:
            with mmap.mmap(saved.fileno(), 0, access=mmap.ACCESS_READ) as content:
                delimiter = b"\r\n" + content[: max(0, content.find(b"\r\n"))]
                match = _FILE.search(content)
                if match is not None:
                    target = folder / _safe_name(match[1].decode("utf-8", "replace"))
                    end = content.find(delimiter, match.end())
                    target.write_bytes(content[match.end() : end if end >= 0 else len(content)])
    body.unlink()
    target.touch()
    return target


def _safe_name(name: str) -> str:
    """Return a name of a file that is no path, and nothing special on any system."""
    plain = _UNSAFE.sub("_", name.replace("\\", "/").rpartition("/")[2]).strip(" .")
    # The words in front keep a name from being that of a device, as Windows has some.
    return f"upload {plain[-_MAX_NAME:]}" if plain else "upload"
