"""The browser of this machine, for users who have no terminal in front of them."""

from __future__ import annotations

import os
import sys
from typing import Final

if sys.platform == "win32":
    import ctypes

DESKTOPS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")
"""The variables of which one is set where a browser can show a window, on systems other than Windows and macOS."""


def can_open_browser() -> bool:
    """Return True if a browser can show a window. One in the terminal would write over what is printed."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in DESKTOPS)


def is_started_by_double_click() -> bool:
    """Return True if nobody has typed a command: no terminal is in sight, or Windows opened a console for us alone.

    Windows does that for the built program; others may run in a console of their own for other reasons. Windows and
    macOS give every double click a terminal.
    """
    if sys.platform == "win32":
        programs = int(ctypes.windll.kernel32.GetConsoleProcessList((ctypes.c_uint32 * 2)(), 2))
        return programs == 1 and bool(getattr(sys, "frozen", False))
    if sys.platform == "darwin":
        return False
    return not any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
