"""Shared parts of the commands of `companion archive`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from companion.archive.storage.lists import plural_of
from companion.archive.storage.location import locate
from companion.cli.common import Misused, Refused
from templates.languages.messages import phrase


def archive_file(archive: str | None) -> Path:
    """Return the archive's file, even if it is damaged or missing. Raises Refused for a server."""
    url = locate(archive, dangling=True)
    if url.drivername != "sqlite":
        raise Refused(
            phrase("This archive is on a server; the server's own tools, pg_dump and pg_restore, keep its backups.")
        )
    return Path(url.database or "")


def output_file(file: Path | None, out: Path | None) -> Path | None:
    """Return the file to write, which `-o` may name as in all commands. Raises Misused if it is named twice."""
    if file is not None and out is not None:
        raise Misused(phrase("Name the file once: as FILE, or by -o."))
    return file or out


def streams_with_progress(kind: str, streams: Sequence[str]) -> Iterator[str]:
    """Yield the streams with a progress bar of the sessions, decks or people on a terminal."""
    with click.progressbar(streams, label=str(plural_of(kind)), file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar
