"""One companion for each archive: a second start opens the pages of the first one instead of serving its own.

The companion that serves leaves a note that only its user can read. Whoever starts another one proves by the key in
the note that they could read it, and gets a fresh link, with a proof that it comes from the companion of the note: a
port may belong to another program by now. The key itself is never sent.
"""

from __future__ import annotations

import hmac
import http.client
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
import platformdirs

from companion.archive import Archive
from companion.web.guard import is_loopback

STARTER_PATH: Final = "/host/start"
"""The path at which another start asks for a link; the nonce and the proof are the lines of its body."""
_ANSWER_SECONDS: Final = 10.0
"""Seconds to wait for the other companion, which may be busy, or about to serve."""
_MOST_BYTES: Final = 2000
_PRIVATE: Final = 0o600


class InstanceNote(msgspec.Struct, frozen=True):
    """The note about a companion that serves: its process, the URL of the host's pages, and its key."""

    pid: int
    url: str
    key: str


def sign(key: str, *parts: str) -> str:
    """Return the proof that these parts come from somebody who has the key."""
    return hmac.digest(key.encode(), "\n".join(parts).encode(errors="replace"), "sha256").hex()


def is_signed(proof: str, key: str, *parts: str) -> bool:
    """Return True if a proof fits the parts."""
    return hmac.compare_digest(proof.encode(errors="replace"), sign(key, *parts).encode())


@contextmanager
def leave_note(archive: Archive, url: str, key: str) -> Iterator[None]:
    """Leave a note about the host's pages at a URL while the block runs. Without a folder for it there is none."""
    path = _note_path(archive)
    note = InstanceNote(os.getpid(), url, key)
    with suppress(OSError):
        _write_private(path, msgspec.json.encode(note))
    try:
        yield
    finally:
        if _read_note(path) == note:
            with suppress(OSError):
                path.unlink(missing_ok=True)


def find_link(archive: Archive) -> str:
    """Return a fresh link to the pages of a companion that serves this archive for this user, or ""."""
    note = _read_note(_note_path(archive))
    return _ask_for_link(note) if note is not None else ""


def _ask_for_link(note: InstanceNote) -> str:
    try:
        address = urlsplit(note.url)
        host, port = address.hostname or "", address.port
    except ValueError:
        return ""
    if address.scheme != "http" or not is_loopback(host) or port is None:
        return ""
    nonce = secrets.token_hex()
    body = f"{nonce}\n{sign(note.key, 'start', nonce)}"
    connection = http.client.HTTPConnection(host, port, timeout=_ANSWER_SECONDS)
    try:
        connection.request("POST", STARTER_PATH, body, {"Origin": note.url, "Content-Type": "text/plain"})
        text = connection.getresponse().read(_MOST_BYTES).decode(errors="replace")
    except (OSError, http.client.HTTPException):
        # The companion of the note has ended, or another program has its port.
        return ""
    finally:
        connection.close()
    path, _, proof = text.partition("\n")
    return f"{note.url}{path}" if path.startswith("/") and is_signed(proof, note.key, "link", nonce, path) else ""


def _note_path(archive: Archive) -> Path:
    """Return the path of the note about an archive; each user has their own."""
    file = archive.store.file
    name = os.path.normcase(file.resolve()) if file is not None else archive.name
    digest = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return platformdirs.user_state_path("table-companion", appauthor=False) / "pages" / f"{digest}.json"


def _write_private(path: Path, content: bytes) -> None:
    """Replace a file by one that only this user can read. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.stem}.{secrets.token_hex(6)}.part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb") as file:
            file.write(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _read_note(path: Path) -> InstanceNote | None:
    """Return the note in a file, or None if there is none, or if others could have written or read it."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            # On Windows, the folder is the user's alone.
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077):
                return None
            return msgspec.json.decode(file.read(_MOST_BYTES), type=InstanceNote)
    except (OSError, msgspec.MsgspecError):
        return None
