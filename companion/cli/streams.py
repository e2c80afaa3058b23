"""The standard streams of the program: their encoding, and their state at its end."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys


def use_utf8() -> None:
    """Use UTF-8 for files and pipes even if the system has another encoding, as Windows has.

    A terminal that lacks symbols shows replacements, and so does an encoding that the user has set.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # The stream may be None, or a test may have replaced it.
        if not isinstance(stream, io.TextIOWrapper) or codecs.lookup(stream.encoding).name == "utf-8":
            continue
        if stream.isatty() or "PYTHONIOENCODING" in os.environ:
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8")


def drop_unwritten() -> None:
    """Discard the output that a full disk, a closed pipe or a closed terminal did not accept, as the process ends.

    The error has been reported already; the interpreter would retry, report it again, and end with its own status.
    """
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
