"""A count of the work that something takes: the same everywhere, unlike seconds."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[..., object], *arguments: object) -> int:
    """The lines of Python that it takes to do something."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return count
