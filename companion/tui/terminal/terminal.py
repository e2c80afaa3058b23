"""The properties of the terminal: its size, its colours, and the widths of symbols, which only it can report."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from rich.console import Console

_ANSWER_SECONDS: Final = 0.5
_CURSOR_POSITION: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
_ASK_POSITION: Final = "\x1b[6n"
_CLEAR_LINE: Final = "\r\x1b[2K"

RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""A letter of a script that is written from right to left."""
_KEEP_ORDER, _ORDER_AGAIN = "\x1b[8l", "\x1b[8h"
"""Ask a terminal that orders text from right to left by itself (ECMA-48) to leave that to the program, and end it."""


def orders_by_itself(environment: Mapping[str, str]) -> bool:
    """Return True for a terminal that puts text from right to left into reading order and cannot be asked not to.

    Within tmux and screen no request reaches the terminal around them.
    """
    is_inside = bool(environment.get("TMUX") or environment.get("STY"))
    return (
        "KONSOLE_VERSION" in environment
        or environment.get("TERM_PROGRAM") == "Apple_Terminal"
        or environment.get("TERM", "").startswith("mlterm")
        or (is_inside and "VTE_VERSION" in environment)
    )


class TerminalFacts(NamedTuple):
    """A terminal, as far as it is known.

    `colours` is rich's name for them (`truecolor`, `256`, `standard`, `windows`; "" for none). `widths` are the columns
    of the symbols that were measured, None if they were not or it did not answer.
    """

    colours: str
    columns: int
    rows: int
    encoding: str
    widths: Mapping[str, int] | None = None


@contextmanager
def keep_order() -> Iterator[None]:
    """Within the block, have the terminal draw text from right to left in the order in which it is written."""
    is_terminal = sys.platform != "win32" and sys.stdout.isatty()
    if is_terminal:
        _send(_KEEP_ORDER)
    try:
        yield
    finally:
        if is_terminal:
            _send(_ORDER_AGAIN)


def _send(request: str) -> None:
    """Write to the terminal, unless it is gone: without a buffer, which would be written once more at the end."""
    with suppress(OSError):
        os.write(sys.stdout.fileno(), request.encode("ascii"))


def read_terminal(symbols: Sequence[str]) -> TerminalFacts | None:
    """Return the terminal of this program, with the measured widths of some symbols; None if it runs without one."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None

    size = shutil.get_terminal_size()
    widths = ask_widths(symbols) if _can_write("".join(symbols)) else None
    return TerminalFacts(Console().color_system or "", size.columns, size.lines, sys.stdout.encoding, widths)


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def ask_widths(symbols: Sequence[str]) -> Mapping[str, int] | None:
    """Return the columns by which the terminal moves its cursor for each symbol; None if it cannot be asked.

    Each symbol is written at the beginning of the cursor's line, which is empty afterwards.
    """
    if sys.platform == "win32":
        return None  # its console answers through another interface
    with _answering() as is_answering:
        if not is_answering:
            return None
        for symbol in symbols:
            sys.stdout.write(f"\r{symbol}{_ASK_POSITION}")
        sys.stdout.write(_CLEAR_LINE)
        sys.stdout.flush()
        columns = _read_columns(sys.stdin.fileno(), len(symbols))
    return dict(zip(symbols, columns, strict=True)) if len(columns) == len(symbols) else None


@contextmanager
def _answering() -> Iterator[bool]:
    """Yield True while the terminal's answers reach this program: without echo, and without waiting for Enter."""
    import termios
    import tty

    stdin = sys.stdin.fileno()
    # Pending input is for the next reader; and a job in the background may not change modes.
    is_ours = os.tcgetpgrp(stdin) == os.getpgrp()
    if not is_ours or select.select([stdin], [], [], 0)[0]:
        yield False
        return
    before = termios.tcgetattr(stdin)
    try:
        tty.setcbreak(stdin, termios.TCSADRAIN)
        yield True
    finally:
        termios.tcsetattr(stdin, termios.TCSADRAIN, before)


def _read_columns(stdin: int, count: int) -> list[int]:
    """Return the columns that the cursor reports contain, `count` of them; fewer if the others do not come in time."""
    answers, deadline = b"", time.monotonic() + _ANSWER_SECONDS
    while len(columns := _CURSOR_POSITION.findall(answers)) < count:
        if not select.select([stdin], [], [], max(0.0, deadline - time.monotonic()))[0]:
            break
        answers += os.read(stdin, 1024)
    return [int(column) - 1 for column in columns]
