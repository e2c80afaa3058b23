"""Checks of everything that this program uses on a machine: the terminal, fonts, printers, a camera, a network, the
archive.

Each check is a sentence: the state, or what to do about it. Nothing is written.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

import msgspec
from rich.cells import cell_len

from companion.archive.errors import ArchiveError, Look, NoArchive
from companion.archive.migrations import REVISION
from companion.archive.recovery import backups, last_seen
from companion.archive.recovery.backups import Backup
from companion.archive.recovery.migrate import as_version, describe_newer
from companion.archive.storage import location, wal_guard
from companion.archive.storage.database_errors import describe_cause, look_for
from companion.printing import system
from companion.tabletop.errors import shorten_quotes
from companion.tui import settings
from companion.tui.terminal.terminal import TerminalFacts
from labels.geometry import LETTER, parse_paper
from labels.typesetting import font_files, fonts

Status = Literal["good", "optional", "todo"]
"""`optional` matters only to users who want the feature that the sentence names; `todo` needs to be fixed."""

SECONDS: Final = 1.5
"""The timeout of all checks: a printing system or a network disk may never answer."""

LETTERS: Final = ("A♥★", "漢字", "é")
"""Test symbols for the terminal: letters with suits, which every table shows; wide letters; a letter followed by a
combining accent.
"""
_EMOJI: Final = "👩‍👧"
SYMBOLS: Final = (*LETTERS, _EMOJI)

_MIN_COLUMNS, _MIN_ROWS = 80, 24
_FREE_BYTES: Final = 100_000_000
_PAPERS: Final = 4
"""The number of a printer's paper sizes that are listed."""

_SCRIPTS: Final[Mapping[str, str]] = {
    "Chinese": "漢",
    "Japanese": "あ",
    "Korean": "한",
    "Armenian": "Ա",
    "Bengali": "অ",
    "Burmese": "က",
    "Ethiopic": "አ",
    "Gujarati": "અ",
    "Kannada": "ಅ",
    "Khmer": "ក",
    "Lao": "ກ",
    "Malayalam": "അ",
    "Punjabi": "ਅ",
    "Sinhala": "අ",
    "Tamil": "அ",
    "Telugu": "అ",
    "Tibetan": "ཀ",
}
"""A letter of each widely used script that the font family of labels lacks."""


class HealthCheck(msgspec.Struct, frozen=True):
    """The result of a check, with a sentence on the state and, unless it is good, on what to do about it.

    `look` names the place where the fix begins; a shell and a screen each describe it in their own words.
    """

    area: str
    name: str
    status: Status
    text: str
    look: Look | None = None


NetworkChecks = Callable[[], Iterable[HealthCheck]]
"""Checks the network for phones; a screen does not know the pages of phones."""


def run_checks(
    archive: str | None, terminal: TerminalFacts | None, check_network: NetworkChecks
) -> tuple[HealthCheck, ...]:
    """Run all checks of this machine, in order, within `SECONDS`; an area that does not answer in time is reported as
    such.

    `archive` is the argument of `Archive.open`; none is created. `terminal` is None if the program runs without one.
    """
    areas: Mapping[str, NetworkChecks] = {
        "Terminal": partial(check_terminal, terminal),
        "Labels": check_fonts,
        "Printers": check_printers,
        "Camera": check_camera,
        "Phones": check_network,
        "Archive": partial(check_archive, archive),
        "Versions": check_versions,
    }
    answers: dict[str, tuple[HealthCheck, ...]] = {}

    def ask(area: str, checks: NetworkChecks) -> None:
        try:
            answers[area] = tuple(checks())
        except Exception as error:  # a check that fails must not hide the others
            text = f"This could not be looked at ({type(error).__name__}: {error}); that is a fault of this program."
            text = shorten_quotes(text)
            answers[area] = (HealthCheck(area, area, "todo", text),)

    # A check that hangs does not keep the program from exiting.
    threads = [threading.Thread(target=ask, args=item, daemon=True) for item in areas.items()]
    deadline = time.monotonic() + SECONDS
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return tuple(check for area in areas for check in answers.get(area, (_report_no_answer(area),)))


def _report_no_answer(area: str) -> HealthCheck:
    text = f"There was no answer within {SECONDS:g} seconds; check again, and restart whatever hangs if it stays so."
    return HealthCheck(area, area, "todo", text)


def summarize(checks: Iterable[HealthCheck]) -> str:
    """Return the number of things to do, as a sentence."""
    todo = sum(check.status == "todo" for check in checks)
    count = "1 thing is" if todo == 1 else f"{todo} things are"
    return f"{count} to do." if todo else "All is well."


# The terminal


def check_terminal(terminal: TerminalFacts | None) -> Iterator[HealthCheck]:
    """Check the colours, the size, the width of symbols, and the keys that another program intercepts."""
    check = partial(HealthCheck, "Terminal")
    if terminal is None:
        text = "The program is not running in a terminal now; start it in a terminal window for this check."
        yield check("Terminal", "optional", text)
        return
    yield check("Colours", *_check_colours(terminal.colours))
    size = f"{terminal.columns} × {terminal.rows} characters"
    if terminal.columns < _MIN_COLUMNS or terminal.rows < _MIN_ROWS:
        yield check("Size", "optional", f"{size}; make the window {_MIN_COLUMNS} × {_MIN_ROWS} or larger to see more.")
    else:
        yield check("Size", "good", f"{size}.")
    yield check("Symbols", *_check_symbols(terminal))
    taken = _taken_keys(os.environ)
    unknown = "No program is known here that intercepts keys; F12 at home and then F2 names each key that arrives."
    yield check("Keys", "optional" if taken else "good", taken or unknown)


def _check_colours(colours: str) -> tuple[Status, str]:
    match colours:
        case "truecolor":
            return "good", "16 million."
        case "256":
            return "good", "256, for which there is a theme; if it has more, set COLORTERM=truecolor."
        case "":
            return "todo", "None, as it says; set TERM=xterm-256color, or use another terminal."
    return "optional", "16, for which there is a theme; if it has more, set COLORTERM=truecolor."


def _check_symbols(terminal: TerminalFacts) -> tuple[Status, str]:
    """Return whether symbols are as wide as expected; otherwise frames and columns beside them are misaligned."""
    if not terminal.encoding.lower().replace("-", "").startswith("utf8"):
        return "todo", f"It is written to in {terminal.encoding}, which lacks suits; set LANG to a UTF-8 language."
    widths = terminal.widths
    if widths is None:
        return "good", "Suits and letters of all scripts; how wide it draws them was not asked for here."
    wrong = [symbol for symbol in LETTERS if widths[symbol] != cell_len(symbol)]
    if wrong:
        first = wrong[0]
        narrow = "choose narrow for letters of ambiguous width in its settings"
        way = narrow if first == LETTERS[0] else "use another terminal, so that columns are straight"
        return "todo", f"It draws “{first}” in {widths[first]} columns instead of {cell_len(first)}; {way}."
    if widths[_EMOJI] != cell_len(_EMOJI):
        text = f"It draws suits and letters right, and joined emoji ({_EMOJI}) in {widths[_EMOJI]} columns instead of"
        return "optional", f"{text} {cell_len(_EMOJI)}; leave such emoji out of names."
    return "good", "Suits, wide letters, accents and emoji are as wide as they should be."


def _taken_keys(environment: Mapping[str, str]) -> str:
    """Return the keys that the surrounding program intercepts, and the way out; "" if none are known."""
    if "TMUX" in environment:
        return "tmux keeps Ctrl+B; press it twice to come home, or name another key for app.home in keys.toml."
    if environment.get("TERM_PROGRAM") == "vscode":
        return "VS Code keeps keys such as F1, F5 and Ctrl+B for itself; use a terminal window of its own."
    if "GNOME_TERMINAL_SCREEN" in environment:
        return "GNOME Terminal may keep F1 for its own help; its preferences, Shortcuts, let go of it."
    if environment.get("TERM_PROGRAM") == "Apple_Terminal":
        return "On most Macs F1 to F12 need the fn key with them; the system's keyboard settings can change that."
    if sys.platform == "win32" and "WT_SESSION" not in environment:
        return "The old console lacks some suits and keys; use Windows Terminal."
    return ""


# Printing and scanning


def check_fonts() -> Iterator[HealthCheck]:
    """Check for which scripts there is a font for labels."""
    check = partial(HealthCheck, "Labels")
    family = "Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai and Georgian letters come with the companion."
    yield check("Usual letters", "good", family)
    with_font = {
        script: next(font_files.fonts_with(letter, bold=False), None) is not None for script, letter in _SCRIPTS.items()
    }
    there = [script for script, has_font in with_font.items() if has_font]
    if there:
        yield check("Other letters", "good", f"There is a font for {', '.join(there)}.")
    lacking = [script for script, has_font in with_font.items() if not has_font]
    if lacking:
        helpful = ", ".join(fonts.helpful_font(_SCRIPTS[script]) for script in lacking[:3])
        more = " and so on" if len(lacking) > 3 else ""
        text = f"There is no font for {', '.join(lacking)}; to print names in one of them, install its font"
        yield check("Letters without a font", "optional", f"{text} ({helpful}{more}).")


def check_printers() -> Iterator[HealthCheck]:
    """Check the printers that the system knows, the default one first, and the paper of each."""
    check = partial(HealthCheck, "Printers")
    if system.is_printed_by_viewer():
        text = "The program that prints PDFs gets them; set its scale to 100 %, which cannot be set from here."
        yield check("Sending", "good", text)
        return
    if shutil.which("lp") is None:
        text = "Nothing here sends to printers (there is no lp); open PDFs in their viewer, and print them at 100 %."
        yield check("Sending", "optional", text)
        return
    queues = system.list_queues()
    if not queues:
        text = "The system knows no printer; add one in its settings, or print PDFs elsewhere, at 100 %."
        yield check("Sending", "optional", text)
    chosen = settings.read_settings().paper
    for queue in queues:
        paper = parse_paper(chosen) if chosen else LETTER
        mismatch, media = system.paper_mismatch(queue, paper), system.read_media(queue)
        if mismatch or media is None:
            yield check(
                queue, "optional" if mismatch else "good", str(mismatch or "It does not say what paper it has.")
            )
            continue
        others = sorted(media.names - {media.usual})
        more = f" and {len(others) - _PAPERS} more" if len(others) > _PAPERS else ""
        knows = f"; it knows {', '.join(others[:_PAPERS])}{more}" if others else ""
        yield check(queue, "good", f"It prints on {media.usual}, which is your paper{knows}.")


def check_camera() -> Iterator[HealthCheck]:
    """Check whether a camera can scan a deck; no camera is turned on."""
    check = partial(HealthCheck, "Camera", "Camera")
    if not find_spec("cv2"):
        install = 'uv tool install "FILE[camera]", where FILE is a release\'s .whl'
        yield check("optional", f"Scanning with a camera needs OpenCV: {install}; photographs need none.")
        return
    if sys.platform == "linux":
        devices = sorted(Path("/dev").glob("video*"))
        if not devices:
            yield check("optional", "No camera is plugged in; plug one in, or scan photographs.")
            return
        if not any(os.access(device, os.R_OK | os.W_OK) for device in devices):
            text = f"You may not use {devices[0]}; have yourself added to the group video, and log in again."
            yield check("todo", text)
            return
    yield check("good", "OpenCV is there; companion scan --camera shows what the camera sees.")


# The archive


def check_archive(typed: str | None) -> Iterator[HealthCheck]:
    """Check the place of the archive, whether it can be read and written, and its backups; `typed` is the user's name
    for it.
    """
    check = partial(HealthCheck, "Archive")
    is_own = typed is None and not os.environ.get(location.VARIABLE)
    none_yet = "There is none yet; the first table or deck begins it."
    try:
        file = _find_file(typed)
        if file is None:
            text = "It is on a server, which keeps the backups; companion archive info asks it."
            yield check("Place", "good", text)
            return
        if is_own and not os.path.isdir(file.parent) and last_seen.recall(file) is None:  # noqa: PTH112
            there = next(folder for folder in file.parents if os.path.exists(folder))  # noqa: PTH110
            if there.is_dir() and os.access(there, os.W_OK):
                yield check("Place", "optional", none_yet)
            else:
                text = (
                    f"Its folder cannot be made, as you may not write into “{there}”; name a place by --archive FILE."
                )
                yield check("Place", "todo", text)
            return
        last_seen.check_file(file, create=False)
        state = _read_state(file)
    except NoArchive as error:
        text = f"{str(error).rstrip('.')}; look at its name, or begin one there with a table or deck."
        yield check("Place", "optional" if is_own else "todo", none_yet if is_own else text)
        return
    except ArchiveError as error:
        yield check("Place", "todo", str(error), error.look)
        return
    yield check("Place", *state)
    copies = backups.list_backups(file)
    yield from _backup_checks(file, copies)


def _find_file(typed: str | None) -> Path | None:
    """Return the archive's file; None if it is on a server. Raises Unreadable."""
    file = location.archive_file(typed)
    if file is not None:
        return file
    url = location.locate(typed, dangling=True)
    return Path(url.database or "") if url.drivername == "sqlite" else None


def _read_state(file: Path) -> tuple[Status, str, Look | None]:
    """Check whether a file is an archive that can be read and written here. Raises ArchiveError."""
    wal_guard.check_log(file)
    try:
        with contextlib.closing(backups.open_to_read(file)) as database:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                raise ArchiveError(f"“{file}” is a database, but another program's; name another file.")
            (revision,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            growth = backups.growth_inside(database)
    except wal_guard.READ_ERRORS as error:
        raise ArchiveError(f"{describe_cause(error)}: {file}.", look_for(error)) from error
    if revision > REVISION:
        return "todo", describe_newer(str(file), revision, as_version(version)), None
    if loss := last_seen.describe_loss(file):
        return "todo", loss, "loss"
    if not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        return "todo", f"“{file}” may only be read by you; see that you may write to it and to its folder.", None
    free = shutil.disk_usage(file.parent).free
    if free < _FREE_BYTES:
        return "todo", f"Only {free / 1_000_000:,.0f} MB are free beside “{file}”; make room.", None
    older = "" if revision == REVISION else "; it is of an older companion, and is brought up to date as it is opened"
    return "good", f"“{file}”, {growth:,} changes{older}.", None


def _backup_checks(file: Path, copies: Sequence[Backup]) -> Iterator[HealthCheck]:
    """Check the newest backup, which was read back when it was made, and the copy on another disk."""
    check = partial(HealthCheck, "Archive")
    automatic = [each for each in copies if each.why in ("evening", "hour")]
    if not copies:
        yield check("Backups", "optional", "There is none yet; one is made when an evening ends.")
    else:
        yield check("Backups", "good", f"{len(copies)}, the newest of {backups.local_time(copies[0])}.")
    if automatic:
        when = backups.local_time(automatic[0])
        since = max(0, (last_seen.growth_of(file) or 0) - automatic[0].growth)
        changes = f"{since:,} change{'' if since == 1 else 's'} came since" if since else "nothing has changed since"
        text = f"It was completely read back with the backup of {when}, and {changes}."
    else:
        text = "None yet; it is read back whole with the first backup."
    yield check("Last check", "good" if automatic else "optional", text)
    target, elsewhere = backups.read_offsite(file), backups.offsite_state(file)
    if target is None or elsewhere is None:
        text = "There is none; name a stick or another disk in the settings (F12), and each backup is copied there."
        yield check("Copy elsewhere", "optional", text)
        return
    text = elsewhere.text.partition(": ")[2].capitalize()
    if target.problem:
        yield check("Copy elsewhere", "todo", text)
    elif Path(target.folder).is_dir():
        yield check("Copy elsewhere", "good", text)
    else:
        yield check("Copy elsewhere", "optional", f"{text.rstrip('.')}; put it in.")


def check_versions() -> Iterator[HealthCheck]:
    """Report the versions of the program, Python and the libraries."""
    check = partial(HealthCheck, "Versions")
    yield check("Companion", "good", f"{metadata.version('table-companion')}.")
    yield check("Python", "good", f"{platform.python_version()} on {platform.platform(terse=True)}.")
    libraries = ", ".join(f"{name} {metadata.version(name)}" for name in ("textual", "reportlab", "zxing-cpp"))
    yield check("Libraries", "good", f"{libraries}, SQLite {sqlite3.sqlite_version}.")
