"""Ways to show an archive where nothing can be written: on media, in a directory or on a disk that takes nothing.

Separate from the store because none of them is needed where all is well.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from companion.archive import lineage
from companion.archive.engine import server
from companion.archive.pages import Pages

_SIGNS = ("readonly database", "unable to open", "is full", "disk I/O error")


def may_be_read_only(error: Exception) -> bool:
    """Whether an archive that could not be opened may be one that can only be read."""
    cause = error.__cause__
    if isinstance(cause, OSError):
        return True
    said = f"{cause} {cause.__cause__ if cause is not None else ''}"
    return any(sign in said for sign in _SIGNS)


def unwritable(file: Path) -> Path | None:
    """The first of the file, its log and the log's index that is there and that we may not write to."""
    parts = (file, lineage.log_of(file), _index_of(file))
    return next((part for part in parts if part.exists() and not os.access(part, os.W_OK)), None)


def _index_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-shm")


def describe_read_only(name: str, file: Path | None = None, refused: Exception | None = None) -> str:
    """The sentence for whoever wants to keep something; `refused` is why it could not be opened to be written to."""
    part = unwritable(file) if file is not None and os.access(file, os.W_OK) else None
    if file is not None and part is not None:
        way = (
            "Close every program that has the archive open, and delete that file: it is made anew."
            if part == _index_of(file)
            else "The last entries are in it: have its owner make it writable for you."
        )
        return f"{name} can only be read, and nothing can be kept: you may not write to “{part.name}” beside it. {way}"
    said = f"{refused} {refused.__cause__}" if refused else ""
    why = "its disk is full" if "full" in said or "No space" in said else "it lies where nothing can be written"
    return f"{name} can only be read, and nothing can be kept: {why}. Open a copy of it elsewhere with --archive."


def standby(engine: sa.Engine, name: str) -> str:
    """The same where a server is a standby; "" where it is not, and can be written to."""
    why = server().standby(engine)
    return f"{why}: {name}." if why else ""


def read_only_urls(file: Path, closing: contextlib.ExitStack) -> Iterator[sa.URL]:
    """What to open instead, one after the other: the file beside others, the file alone, a copy of it in memory.

    In memory is also what must be brought up to date before it can be shown.
    """
    if not file.is_file():
        return
    yield _url(file, {"mode": "ro", "uri": "true"})
    if not lineage.holds_pages(lineage.log_of(file)):
        yield _url(file, {"mode": "ro", "immutable": "1", "uri": "true"})
    with contextlib.suppress(OSError, *lineage.REFUSALS):
        yield _in_memory(file, closing)


def _url(file: Path, how: dict[str, str]) -> sa.URL:
    return sa.URL.create("sqlite", database=file.resolve().as_uri(), query=how)


def _in_memory(file: Path, closing: contextlib.ExitStack) -> sa.URL:
    """The file with what waits in its log; gone when the archive is closed."""
    name = f"file:/companion-{secrets.token_hex(8)}"
    kept = closing.enter_context(contextlib.closing(sqlite3.connect(f"{name}?vfs=memdb", uri=True)))
    with contextlib.closing(sqlite3.connect(":memory:")) as read:
        read.deserialize(Pages(file).together())
        read.backup(kept)
    return sa.URL.create("sqlite", database=name, query={"vfs": "memdb", "uri": "true"})
