"""Loading a library written in C++ so that Ctrl+C in the middle of it waits instead of crashing the program.

Separate because it knows nothing of codes.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unhurried(module: str) -> Iterator[None]:
    """Around the first import of `module`: a Ctrl+C pressed meanwhile is raised as KeyboardInterrupt afterwards."""
    if module in sys.modules or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
