"""What other programs of the system do with a finished PDF: its viewer shows it, and its printers (CUPS) get it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from labels.errors import LabelError
from labels.geometry import Paper

_TIMEOUT = 10.0
"""Seconds that the printing system may take to answer."""


class NoPrinter(LabelError):
    """There is no printing system here, or no printer of that name."""


def open_viewer(path: Path) -> None:
    """Opens a PDF in the system's viewer. Raises LabelError where there is none."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    viewer = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if viewer is None:
        raise LabelError(f"No viewer for PDFs was found; open {path} yourself.")
    quiet = subprocess.DEVNULL
    subprocess.Popen([viewer, str(path)], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def list_queues() -> tuple[str, ...]:
    """The printers that the system knows, its usual one first; none where it has no `lp`."""
    if shutil.which("lp") is None or shutil.which("lpstat") is None:
        return ()
    names = [line.strip() for line in _run_command("lpstat", "-e").splitlines() if line.strip()]
    usual = _default_queue()
    return tuple(sorted(names, key=lambda name: (name != usual, name)))


def find_queue(name: str) -> str:
    """The queue of this name, in any case, or the system's usual one where none is said; "" where only `lp` knows.

    Raises NoPrinter with the way out.
    """
    if shutil.which("lp") is None:
        raise NoPrinter(
            "There is no printing system here (no lp program); write a PDF with -o FILE and print it from its viewer, "
            "at 100 %."
        )
    names = list_queues()
    if not names:
        return name
    wanted = name or (names[0] if len(names) == 1 else _default_queue())
    match = next((each for each in names if each.casefold() == wanted.casefold()), None)
    if match is None:
        what = f"knows no printer “{name}”; it knows" if name else "has no usual printer; name one of"
        raise NoPrinter(f"The printing system {what} {', '.join(names)}.")
    return match


def _default_queue() -> str:
    return _run_command("lpstat", "-d").rpartition(":")[2].strip()


def send(document: Path, queue: str, media: str, title: str) -> str:
    """Sends a PDF to a printer: at its true size, on one side, on paper that CUPS calls `media`; gives what the
    printing system says.

    Raises NoPrinter.
    """
    to = ["-d", queue] if queue else []
    options = ["-o", "print-scaling=none", "-o", "sides=one-sided", "-o", f"media={media}"]
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
        raise NoPrinter(
            f"The printer {queue or 'of the system'} did not take it: {answer.decode(errors='replace').strip()}"
        ) from error
    return done.stdout.decode(errors="replace").strip()


class Media(NamedTuple):
    """A printer's paper as CUPS calls it: what is in it as a rule, and all that it knows."""

    usual: str
    names: frozenset[str]


def paper_mismatch(queue: str, paper: Paper) -> str:
    """What to mind where a printer usually has other paper, or knows no such paper at all; "" where all is well."""
    media = read_media(queue)
    if media is None or media.usual.casefold() == paper.media.casefold():
        return ""
    if paper.media.casefold() not in {each.casefold() for each in media.names} and not paper.is_custom:
        return f"{queue} knows no {paper.title} paper; look at its settings before you put labels into it."
    return (
        f"{queue} usually prints on {media.usual}, and this is for {paper.title}: put it where {queue} takes that from."
    )


def read_media(queue: str) -> Media | None:
    """What `lpoptions` tells of a printer's paper; None where it tells nothing."""
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
