"""The system's viewer and printers (CUPS), which take a finished PDF.

Windows has no program that takes a PDF for a printer. There, the program that prints PDFs gets it, and decides on the
printer and the scale.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from labels.errors import LabelError
from labels.geometry import Paper
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Message, Text, joined, listed, phrase

_TIMEOUT = 10.0
"""Seconds to wait for an answer of the printing system."""


_SCALE = phrase("Set the scale to 100 % (“actual size”) there; it cannot be set from here.")
_KEPT_SECONDS = 24 * 60 * 60.0
"""Seconds that the copy of a PDF is kept for the Windows program that prints it."""


class NoPrinter(LabelError):
    """A missing printing system, or an unknown printer."""


def open_viewer(path: Path) -> None:
    """Open a PDF in the system's viewer. Raises LabelError if there is none."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    viewer = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if viewer is None:
        raise LabelError(phrase("No viewer for PDFs was found; open {file} yourself.", file=str(path)))
    quiet = subprocess.DEVNULL
    subprocess.Popen([viewer, str(path)], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def is_printed_by_viewer() -> bool:
    """Return True if a program of the user's choice prints PDFs: on Windows."""
    return sys.platform == "win32"


def list_queues() -> tuple[str, ...]:
    """Return the system's printers, the default one first, or none without `lp`."""
    if shutil.which("lp") is None or shutil.which("lpstat") is None:
        return ()
    names = [line.strip() for line in _run_command("lpstat", "-e").splitlines() if line.strip()]
    usual = _default_queue()
    return tuple(sorted(names, key=lambda name: (name != usual, alphabetical_key(name))))


def find_queue(name: str) -> str:
    """Return the queue of this name, in any case, or the default one for an empty name; "" if only `lp` knows.

    Raises NoPrinter with the remedy.
    """
    if is_printed_by_viewer():
        if name:
            raise NoPrinter(
                phrase(
                    "On Windows, the program that prints PDFs chooses the printer; leave “{printer}” out, or write a "
                    "PDF with -o FILE and print it from its viewer, at 100 %.",
                    printer=name,
                )
            )
        return ""
    if shutil.which("lp") is None:
        raise NoPrinter(
            phrase(
                "There is no printing system here (no lp program); write a PDF with -o FILE and print it from its "
                "viewer, at 100 %."
            )
        )
    names = list_queues()
    if not names:
        return name
    wanted = name or (names[0] if len(names) == 1 else _default_queue())
    match = next((each for each in names if each.casefold() == wanted.casefold()), None)
    if match is None:
        if name:
            raise NoPrinter(
                phrase(
                    "The printing system knows no printer “{printer}”; it knows {printers}.",
                    printer=name,
                    printers=listed(names),
                )
            )
        raise NoPrinter(
            phrase("The printing system has no usual printer; name one of {printers}.", printers=listed(names))
        )
    return match


def _default_queue() -> str:
    return _run_command("lpstat", "-d").rpartition(":")[2].strip()


def send(document: Path, queue: str, media: str, title: str, *, two_sided: bool = False) -> Text:
    """Send a PDF to a printer and return the answer of the printing system.

    CUPS prints it at its true size, on one side unless it is `two_sided`, on the paper named `media`. On Windows the
    program that prints PDFs gets it. Raises NoPrinter.
    """
    if is_printed_by_viewer():
        return _hand_over(document, title)
    to = ["-d", queue] if queue else []
    sides = "two-sided-long-edge" if two_sided else "one-sided"
    options = ["-o", "print-scaling=none", "-o", f"sides={sides}", "-o", f"media={media}"]
    try:
        with document.open("rb") as file:
            done = subprocess.run(
                ["lp", *to, *options, "-t", title],
                stdin=file,
                capture_output=True,
                check=True,
                timeout=_TIMEOUT,
            )
    except (OSError, subprocess.SubprocessError) as error:
        answer = getattr(error, "stderr", b"") or str(error).encode()
        reason = answer.decode(errors="replace").strip()
        raise NoPrinter(
            phrase("The printer {printer} did not take it: {reason}", printer=queue, reason=reason)
            if queue
            else phrase("The printer of the system did not take it: {reason}", reason=reason)
        ) from error
    return done.stdout.decode(errors="replace").strip()


def _hand_over(document: Path, title: str) -> Message:
    """Pass a PDF to the Windows program that prints PDFs, or if there is none, to the one that opens them.

    It reads the PDF later, so it gets a copy. Raises NoPrinter.
    """
    if sys.platform == "win32":
        copy = _copy_for_program(document, title)
        with suppress(OSError):
            os.startfile(copy, "print")
            return joined(" ", (phrase("The program that prints PDFs here has it, for your usual printer."), _SCALE))
        with suppress(OSError):
            os.startfile(copy)
            opened = phrase("No program here prints PDFs by itself, so it opens in the viewer: print it there.")
            return joined(" ", (opened, _SCALE))
    raise NoPrinter(
        phrase("No program here prints or opens PDFs; write a PDF with -o FILE and print it elsewhere, at 100 %.")
    )


def _copy_for_program(document: Path, title: str) -> Path:
    """Copy a PDF into a folder for temporary files, with a name for the list of print jobs, and remove old copies."""
    folder = Path(tempfile.gettempdir(), "table-companion-print")
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.pdf"):
        with suppress(OSError):  # another program may have it open
            if time.time() - old.stat().st_mtime > _KEPT_SECONDS:
                old.unlink()
    name = re.sub(r"\W+", "-", title).strip("-")[:60]
    handle, copy = tempfile.mkstemp(".pdf", f"{name}-", folder)
    os.close(handle)
    shutil.copyfile(document, copy)
    return Path(copy)


class Media(NamedTuple):
    """A printer's paper in CUPS names: the default, and all that it supports."""

    usual: str
    names: frozenset[str]


def paper_mismatch(queue: str, paper: Paper) -> Text:
    """Return a warning if a printer's default paper differs, or if it does not support the paper, or ""."""
    media = read_media(queue)
    if media is None or media.usual.casefold() == paper.media.casefold():
        return ""
    if paper.media.casefold() not in {each.casefold() for each in media.names} and not paper.is_custom:
        return phrase(
            "{printer} knows no {paper} paper; look at its settings before you put labels into it.",
            printer=queue,
            paper=paper.title,
        )
    return phrase(
        "{printer} usually prints on {usual}, and this is for {paper}: put it where {printer} takes that from.",
        printer=queue,
        usual=media.usual,
        paper=paper.title,
    )


def read_media(queue: str) -> Media | None:
    """Return a printer's paper from `lpoptions`, or None if it reports none."""
    if shutil.which("lpoptions") is None:
        return None
    of = ["-p", queue] if queue else []
    for line in _run_command("lpoptions", *of, "-l").splitlines():
        option, _, choices = line.partition(":")
        if option.partition("/")[0] in ("PageSize", "media"):
            usual = next((each[1:] for each in choices.split() if each.startswith("*")), "")
            return Media(usual, frozenset(each.lstrip("*") for each in choices.split())) if usual else None
    return None


def _run_command(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=_TIMEOUT).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
