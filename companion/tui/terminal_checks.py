"""Checks of a terminal: its colours, its size, the width of its symbols, and the keys that arrive."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from rich.cells import cell_len

from companion.forms.health import HealthCheck, Status
from companion.tui.terminal.terminal import TerminalFacts
from templates.languages.messages import Message, phrase, phrases

LETTERS: Final = ("A♥★", "漢字", "é")
"""Test symbols for the terminal: letters with suits, which every table shows; wide letters; a letter followed by a
combining accent.
"""
_EMOJI: Final = "👩‍👧"
SYMBOLS: Final = (*LETTERS, _EMOJI)

_MIN_COLUMNS, _MIN_ROWS = 80, 24


def check_terminal(terminal: TerminalFacts | None) -> Iterator[HealthCheck]:
    """Check the colours, the size, the width of symbols, and the keys that another program intercepts."""
    check = partial(HealthCheck, "Terminal")
    if terminal is None:
        text = phrase("The program is not running in a terminal now; start it in a terminal window for this check.")
        yield check("Terminal", "optional", text)
        return
    yield check("Colours", *_check_colours(terminal.colours))
    size = f"{terminal.columns} × {terminal.rows}"
    if terminal.columns < _MIN_COLUMNS or terminal.rows < _MIN_ROWS:
        # Translators: {size} is such as “80 × 24”.
        larger = phrase(
            "{size} characters; make the window {least} or larger to see more.",
            size=size,
            least=f"{_MIN_COLUMNS} × {_MIN_ROWS}",
        )
        yield check("Size", "optional", larger)
    else:
        yield check("Size", "good", phrase("{size} characters.", size=size))
    yield check("Symbols", *_check_symbols(terminal))
    taken = _taken_keys(os.environ)
    unknown = phrase(
        "No program is known here that intercepts keys; F12 at home and then F2 names each key that arrives."
    )
    yield check("Keys", "optional" if taken else "good", taken or unknown)


def _check_colours(colours: str) -> tuple[Status, Message]:
    # Translators: The number of colours of a terminal.
    match colours:
        case "truecolor":
            return "good", phrase("16 million.")
        case "256":
            return "good", phrase("256, for which there is a theme; if it has more, set COLORTERM=truecolor.")
        case "":
            return "todo", phrase("None, as TERM says; set TERM=xterm-256color, or use another terminal.")
    return "optional", phrase("16, for which there is a theme; if it has more, set COLORTERM=truecolor.")


def _check_symbols(terminal: TerminalFacts) -> tuple[Status, Message]:
    """Return whether symbols are as wide as expected; otherwise frames and columns beside them are misaligned."""
    if not terminal.encoding.lower().replace("-", "").startswith("utf8"):
        lacks = phrase(
            "It is written to in {encoding}, which lacks suits; set LANG to a UTF-8 language.",
            encoding=terminal.encoding,
        )
        return "todo", lacks
    widths = terminal.widths
    if widths is None:
        return "good", phrase("Suits and letters of all scripts; how wide it draws them was not asked for here.")
    wrong = [symbol for symbol in LETTERS if widths[symbol] != cell_len(symbol)]
    if wrong:
        first = wrong[0]
        if first == LETTERS[0]:
            text = phrases(
                "It draws “{symbols}” in {n} column instead of {columns}; choose narrow for letters of ambiguous width "
                "in its settings.",
                "It draws “{symbols}” in {n} columns instead of {columns}; choose narrow for letters of ambiguous "
                "width in its settings.",
                n=widths[first],
                symbols=first,
                columns=cell_len(first),
            )
        else:
            text = phrases(
                "It draws “{symbols}” in {n} column instead of {columns}; use another terminal, so that columns are "
                "straight.",
                "It draws “{symbols}” in {n} columns instead of {columns}; use another terminal, so that columns are "
                "straight.",
                n=widths[first],
                symbols=first,
                columns=cell_len(first),
            )
        return "todo", text
    if widths[_EMOJI] != cell_len(_EMOJI):
        text = phrases(
            "It draws suits and letters right, and joined emoji ({emoji}) in {n} column instead of {columns}; leave "
            "such emoji out of names.",
            "It draws suits and letters right, and joined emoji ({emoji}) in {n} columns instead of {columns}; leave "
            "such emoji out of names.",
            n=widths[_EMOJI],
            emoji=_EMOJI,
            columns=cell_len(_EMOJI),
        )
        return "optional", text
    return "good", phrase("Suits, wide letters, accents and emoji are as wide as they should be.")


def _taken_keys(environment: Mapping[str, str]) -> Message | None:
    """Return the keys that the surrounding program intercepts, and the way out; None if none are known."""
    if "TMUX" in environment:
        return phrase("tmux keeps Ctrl+B; press it twice to come home, or name another key for app.home in keys.toml.")
    if environment.get("TERM_PROGRAM") == "vscode":
        return phrase("VS Code keeps keys such as F1, F5 and Ctrl+B for itself; use a terminal window of its own.")
    if "GNOME_TERMINAL_SCREEN" in environment:
        return phrase("GNOME Terminal may keep F1 for its own help; turn that off in its preferences, under Shortcuts.")
    if environment.get("TERM_PROGRAM") == "Apple_Terminal":
        return phrase(
            "On most Macs F1 to F12 need the fn key with them; the system's keyboard settings can change that."
        )
    if sys.platform == "win32" and "WT_SESSION" not in environment:
        return phrase("The old console lacks some suits and keys; use Windows Terminal.")
    return None
