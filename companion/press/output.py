"""What becomes of a finished PDF: it is written with its preview, opened, and sent to a printer.

Separate because it talks to the system, which nothing else here does.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path

from labels import proof
from labels.errors import LabelError

_PATIENCE = 10.0
"""Seconds that the printing system may take to answer."""

Fresh = Callable[[Path], AbstractContextManager[Path]]
"""Gives a path to write to, which becomes the one that was asked for when the block ends well."""


@contextmanager
def written(draw: Callable[[], bytes], output: Path, fresh: Fresh, preview: Path | None = None) -> Iterator[None]:
    """Draws and writes the PDF and its preview, both or neither: neither too where the block does not end well."""
    with ExitStack() as files:
        draft = files.enter_context(fresh(output))
        document = draw()
        draft.write_bytes(document)
        if preview is not None:
            for path, picture in zip(_numbered(preview), proof.pages(document), strict=False):
                picture.save(files.enter_context(fresh(path)), format="PNG")
        yield


def _numbered(path: Path) -> Iterator[Path]:
    """The path itself, then FILE-2.png, FILE-3.png and so on for further sheets."""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def show(path: Path) -> None:
    """Opens a PDF in the system's viewer. Raises LabelError where there is none."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    viewer = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if viewer is None:
        raise LabelError(f"No viewer for PDFs was found; open {path} yourself.")
    quiet = subprocess.DEVNULL
    subprocess.Popen([viewer, str(path)], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def queues() -> tuple[str, ...]:
    """The printers that the system knows, its usual one first; none where it has no `lp`."""
    if shutil.which("lp") is None or shutil.which("lpstat") is None:
        return ()
    known = [line.strip() for line in _told("lpstat", "-e").splitlines() if line.strip()]
    usual = _told("lpstat", "-d").rpartition(":")[2].strip()
    return tuple(sorted(known, key=lambda name: (name != usual, name)))


def send(path: Path, queue: str) -> str:
    """Sends a PDF to a printer, at its true size; gives what the printing system says. Raises LabelError."""
    try:
        done = subprocess.run(
            ["lp", "-d", queue, "-o", "print-scaling=none", "--", str(path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        raise LabelError(f"The printer {queue} did not take it: {str(said).strip()}") from error
    return done.stdout.strip()


def _told(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
