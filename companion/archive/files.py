"""A file that is written whole or not at all. Separate because copies, exports and print-outs are all written so."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from os import fsync
from pathlib import Path

from companion.archive import open_files
from companion.archive.errors import ArchiveError


class Occupied(ArchiveError):
    """A file of that name is there already."""


class NoPlace(ArchiveError):
    """Nothing can be written there: it is a directory, there is no directory, or it is no ordinary file."""


@contextmanager
def fresh(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A path to write to; what is written there becomes `path` when the block ends well, and nothing is left else.

    Raises Occupied if `path` exists and is not to be overwritten by `force`, NoPlace if it is no place for a file.
    """
    check(path, force=force)
    target = path.resolve()
    draft = target.with_name(f".{secrets.token_hex(6)}{target.suffix}")
    try:
        yield draft
        with draft.open("rb") as written:
            fsync(written.fileno())
        draft.replace(target)
    except OSError as error:
        if error.filename == str(draft):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        draft.unlink(missing_ok=True)


def check(path: Path, *, force: bool = False) -> None:
    """Raises Occupied or NoPlace where `fresh` would."""
    target = path.resolve()
    if target.is_dir():
        raise NoPlace(f"“{path}” is a directory; name a file.")
    if not target.parent.is_dir():
        raise NoPlace(f"There is no directory “{target.parent}” to write “{target.name}” into.")
    if target.exists() and not target.is_file():
        raise NoPlace(f"“{path}” is not an ordinary file; name another.")
    if open_files.is_open(target):
        raise NoPlace(f"“{path}” is an archive that is open; name another file.")
    if target.exists() and not force:
        raise Occupied(f"“{path}” exists; name another file.")


def unused(path: Path) -> Path:
    """This path, or where something is there the first of `FILE-2`, `FILE-3` … where nothing is."""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found
