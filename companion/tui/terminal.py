"""What the terminal is: its size, its colours, and how wide it draws symbols, which only it can say itself."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

_ANSWER_SECONDS: Final = 0.5
_CURSOR_POSITION: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
_ASK_POSITION: Final = "\x1b[6n"
_CLEAR_LINE: Final = "\r\x1b[2K"


class TerminalFacts(NamedTuple):
    """A terminal, as far as it is known: `colours` is what rich calls them (`truecolor`, `256`, `standard`, `windows`;
    "" for none), `widths` are the columns of symbols that it was asked for, None where it was not or did not answer.
    """

    colours: str
    columns: int
    rows: int
    encoding: str
    widths: Mapping[str, int] | None = None


def read_terminal(symbols: Sequence[str]) -> TerminalFacts | None:
    """The terminal that this program runs on, asked how wide it draws some symbols; None where it runs on none."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    from rich.console import Console

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
    """How many columns the terminal moves its cursor on for each symbol; None where it cannot be asked.

    Each is written at the beginning of the line that the cursor is in, and the line is empty afterwards.
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
    """Whether the terminal's answers come to us: without being shown, and without waiting for Enter."""
    import select
    import termios
    import tty

    stdin = sys.stdin.fileno()
    # What somebody has typed already is for whoever comes next; and a job in the background may not change modes.
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
    """How far from the left edge the cursor was, as so many answers say; fewer where no more come in time."""
    import select

    answers, deadline = b"", time.monotonic() + _ANSWER_SECONDS
    while len(columns := _CURSOR_POSITION.findall(answers)) < count:
        if not select.select([stdin], [], [], max(0.0, deadline - time.monotonic()))[0]:
            break
        answers += os.read(stdin, 1024)
    return [int(column) - 1 for column in columns]
