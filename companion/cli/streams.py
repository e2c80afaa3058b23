"""The standard streams of the program: how they are encoded, and what becomes of them at its end."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys


def use_utf8() -> None:
    """Has files and other programs get and give UTF-8, where the system would have another encoding, as Windows has.

    A terminal that lacks symbols shows others in their place, and so does whoever wants another encoding.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # There may be none, and a test may have put another one there.
        if not isinstance(stream, io.TextIOWrapper) or codecs.lookup(stream.encoding).name == "utf-8":
            continue
        if stream.isatty() or "PYTHONIOENCODING" in os.environ:
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8")


def drop_unwritten() -> None:
    """Lets go what a full disk, a closed pipe or a terminal that has gone did not take, as the process ends.

    Whoever could be told has been; the interpreter would try once more, complain, and end with a number of its own.
    """
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
