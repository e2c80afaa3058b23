"""What ends the program from outside: a terminal that is closed, a machine that goes down. Separate, as a signal comes
at any moment and in no screen.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Final

_GRACE: Final = 5.0
"""Seconds that an end in order may take once it is asked for."""

_ENDS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_with(end: Callable[[], object]) -> None:
    """From now on a signal that ends programs calls `end` in the loop that runs now."""
    loop = asyncio.get_running_loop()
    for number in _ENDS:
        # Not the loop's own handlers: a loop that waits for a terminal that is gone would never call them.
        signal.signal(number, lambda *_: _end(loop, end))


def _end(loop: asyncio.AbstractEventLoop, end: Callable[[], object]) -> None:
    # Where the terminal is gone, the thread that writes to it is too, and who waits for it would wait for ever.
    last = threading.Timer(_GRACE, os._exit, (0,))
    last.daemon = True
    last.start()
    loop.call_soon_threadsafe(end)
