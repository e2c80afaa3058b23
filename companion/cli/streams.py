"""How the program's standard input and output are encoded."""

from __future__ import annotations

import codecs
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
