"""The log of this program's own faults: what a report needs, kept on this computer instead of printed on a screen."""

from __future__ import annotations

import platform
import sys
import traceback
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import shorten
from typing import Final

import platformdirs

from templates.languages.messages import Message, phrase

_MAX_BYTES: Final = 1_000_000
"""Size of the log in bytes; a longer one loses its older half."""


_LONGEST: Final = 200
"""Maximum characters of an error that a sentence repeats."""


def fault_log_file() -> Path:
    """Return the log's path, in the platform's folder for the state of programs."""
    return platformdirs.user_state_path("table-companion", appauthor=False) / "faults.log"


def record_fault(error: BaseException) -> Path | None:
    """Append a fault's traceback to the log.

    The traceback has no values of variables, and the command line is left out: both may contain a password.

    Args:
        error: The exception, as it was caught.

    Returns:
        The log's path, or None if nothing can be written there.
    """
    try:
        file = fault_log_file()
        _append(file, _report(error))
    except (OSError, RuntimeError):  # RuntimeError: the user has no home directory
        return None
    return file


def describe_fault(error: BaseException) -> Message:
    """Record a fault, and return the sentence that tells the user what failed and where the details are.

    If they cannot be written, the sentence names the line of code that failed.
    """
    what = shorten(f"{type(error).__name__}: {error}".rstrip(": "), _LONGEST, placeholder="…")
    file = record_fault(error)
    if file is None:
        return phrase(
            "This is a fault of the program ({what}, {line}). Nothing that was saved is lost.",
            what=what,
            line=_failed_line(error),
        )
    return phrase(
        "This is a fault of the program ({what}). Nothing that was saved is lost; the details are in {file}.",
        what=what,
        file=file,
    )


def _report(error: BaseException) -> str:
    versions = ", ".join(f"{name} {_version(name)}" for name in ("table-companion", "textual"))
    head = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, {versions}, Python {platform.python_version()}, {sys.platform}"
    return f"{head}\n{''.join(traceback.format_exception(error))}\n"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _append(file: Path, report: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and file.stat().st_size > _MAX_BYTES:
        file.write_bytes(file.read_bytes()[-_MAX_BYTES // 2 :])
    with file.open("a", encoding="utf-8", errors="backslashreplace") as log:
        log.write(report)


def _failed_line(error: BaseException) -> Message:
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return phrase("line unknown")
    return phrase("{file}, line {line}", file=Path(frames[-1].filename).name, line=str(frames[-1].lineno))
