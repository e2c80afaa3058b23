"""Checks of what this program uses on a machine: fonts, printers, a camera, a network, the archive.

Each check is a sentence: the state, or what to do about it. Nothing is written. Front ends add checks of their own.
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

from companion.archive.errors import ArchiveError, Clause, Look, NoArchive
from companion.archive.migrations import REVISION
from companion.archive.recovery import backups, last_seen
from companion.archive.recovery.backups import Backup
from companion.archive.recovery.migrate import as_version, describe_newer
from companion.archive.storage import location, wal_guard
from companion.archive.storage.database_errors import describe_cause, look_for
from companion.forms import settings
from companion.printing import system
from companion.tabletop.errors import shorten_quotes
from labels.geometry import paper_of_region, parse_paper
from labels.typesetting import font_files, fonts
from templates.languages.messages import Finished, Message, Text, decimal, listed, phrase, phrase_in, phrases

Status = Literal["good", "optional", "todo"]
"""`optional` matters only to users who want the feature that the sentence names; `todo` needs to be fixed."""

SECONDS: Final = 1.5
"""The timeout of all checks: a printing system or a network disk may never answer."""

_FREE_BYTES: Final = 100_000_000
_PAPERS: Final = 4
"""The number of a printer's paper sizes that are listed."""

# Translators: The messages from here on are scripts, for which there is a font or none.
_SCRIPTS: Final[Mapping[Message, str]] = {
    phrase_in("script", "Chinese"): "漢",
    phrase_in("script", "Japanese"): "あ",
    phrase_in("script", "Korean"): "한",
    phrase_in("script", "Armenian"): "Ա",
    phrase_in("script", "Bengali"): "অ",
    phrase_in("script", "Burmese"): "က",
    phrase_in("script", "Ethiopic"): "አ",
    phrase_in("script", "Gujarati"): "અ",
    phrase_in("script", "Kannada"): "ಅ",
    phrase_in("script", "Khmer"): "ក",
    phrase_in("script", "Lao"): "ກ",
    phrase_in("script", "Malayalam"): "അ",
    phrase_in("script", "Punjabi"): "ਅ",
    phrase_in("script", "Sinhala"): "අ",
    phrase_in("script", "Tamil"): "அ",
    phrase_in("script", "Telugu"): "అ",
    phrase_in("script", "Tibetan"): "ཀ",
}
"""A letter of each widely used script that the font family of labels lacks."""


class HealthCheck(msgspec.Struct, frozen=True):
    """The result of a check, with a sentence on the state and, unless it is good, on what to do about it.

    `area` and `name` are the same in all languages; people read their titles. `look` names the place where the fix
    begins; a shell, a screen and a page each describe it in their own words. `page_text` is the sentence for pages if
    `text` names a key or a command.
    """

    area: str
    name: str
    status: Status
    text: Text
    look: Look | None = None
    page_text: Text = ""

    @property
    def area_title(self) -> Text:
        """The title of the area."""
        return _TITLES.get(self.area, self.area)

    @property
    def title(self) -> Text:
        """The title of the check."""
        return _TITLES.get(self.name, self.name)


# Translators: The messages from here on are titles of checks of this machine.
_TITLES: Final[Mapping[str, Message]] = {
    "Terminal": phrase_in("check", "Terminal"),
    "Colours": phrase_in("check", "Colours"),
    "Size": phrase_in("check", "Size"),
    "Symbols": phrase_in("check", "Symbols"),
    "Keys": phrase_in("check", "Keys"),
    "Labels": phrase_in("check", "Labels"),
    "Usual letters": phrase_in("check", "Usual letters"),
    "Other letters": phrase_in("check", "Other letters"),
    "Letters without a font": phrase_in("check", "Letters without a font"),
    "Printers": phrase_in("check", "Printers"),
    "Sending": phrase_in("check", "Sending"),
    "Camera": phrase_in("check", "Camera"),
    "Phones": phrase_in("check", "Phones"),
    "Address": phrase_in("check", "Address"),
    "Port": phrase_in("check", "Port"),
    "Name": phrase_in("check", "Name"),
    "Archive": phrase_in("check", "Archive"),
    "Place": phrase_in("check", "Place"),
    "Backups": phrase_in("check", "Backups"),
    "Last check": phrase_in("check", "Last check"),
    "Copy elsewhere": phrase_in("check", "Copy elsewhere"),
    "Versions": phrase_in("check", "Versions"),
    "Companion": phrase_in("check", "Companion"),
    "Python": phrase_in("check", "Python"),
    "Libraries": phrase_in("check", "Libraries"),
}


AREAS: Final = ("Terminal", "Labels", "Printers", "Camera", "Phones", "Archive", "Versions")
"""All areas, in the order in which they are shown."""

AreaChecks = Callable[[], Iterable[HealthCheck]]
"""Checks an area of the machine."""


def run_checks(archive: str | None, own_areas: Mapping[str, AreaChecks]) -> tuple[HealthCheck, ...]:
    """Run all checks of this machine, in order, within `SECONDS`; an area that does not answer in time is reported as
    such.

    `archive` is the argument of `Archive.open`; none is created. `own_areas` are checks of the front end: of a
    terminal, of the network for phones, of a camera that it uses in its own way.
    """
    usual: Mapping[str, AreaChecks] = {
        "Labels": check_fonts,
        "Printers": check_printers,
        "Camera": check_camera,
        "Archive": partial(check_archive, archive),
        "Versions": check_versions,
    }
    areas = {area: own_areas.get(area) or usual[area] for area in AREAS if area in own_areas or area in usual}
    answers: dict[str, tuple[HealthCheck, ...]] = {}

    def ask(area: str, checks: AreaChecks) -> None:
        try:
            answers[area] = tuple(checks())
        except Exception as error:  # a check that fails must not hide the others
            fault = shorten_quotes(f"{type(error).__name__}: {error}")
            text = phrase("This could not be checked because of a fault of this program ({fault}).", fault=fault)
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
    text = phrase(
        "There was no answer within {seconds} seconds; check again, and restart whatever hangs if it stays so.",
        seconds=decimal(SECONDS, 1),
    )
    return HealthCheck(area, area, "todo", text)


def summarize_checks(checks: Iterable[HealthCheck]) -> Message:
    """Return the number of things to do, as a sentence."""
    todo = sum(check.status == "todo" for check in checks)
    return phrases("{n} thing is to do.", "{n} things are to do.", n=todo) if todo else phrase("All is well.")


# Printing and scanning


def check_fonts() -> Iterator[HealthCheck]:
    """Check for which scripts there is a font for labels."""
    check = partial(HealthCheck, "Labels")
    family = phrase(
        "Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai and Georgian letters come with the companion."
    )
    yield check("Usual letters", "good", family)
    with_font = {
        script: next(font_files.fonts_with(letter, bold=False), None) is not None for script, letter in _SCRIPTS.items()
    }
    there = [script for script, has_font in with_font.items() if has_font]
    if there:
        yield check("Other letters", "good", phrase("There is a font for {scripts}.", scripts=listed(there)))
    lacking = [script for script, has_font in with_font.items() if not has_font]
    if lacking:
        helpful = listed(fonts.helpful_font(_SCRIPTS[script]) for script in lacking[:3])
        if len(lacking) > 3:
            text = phrase(
                "There is no font for {scripts}; to print names in one of them, install its font ({fonts} and so on).",
                scripts=listed(lacking),
                fonts=helpful,
            )
        else:
            text = phrase(
                "There is no font for {scripts}; to print names in one of them, install its font ({fonts}).",
                scripts=listed(lacking),
                fonts=helpful,
            )
        yield check("Letters without a font", "optional", text)


def check_printers() -> Iterator[HealthCheck]:
    """Check the printers that the system knows, the default one first, and the paper of each."""
    check = partial(HealthCheck, "Printers")
    if system.is_printed_by_viewer():
        text = phrase("The program that prints PDFs gets them; set its scale to 100 %, which cannot be set from here.")
        yield check("Sending", "good", text)
        return
    if shutil.which("lp") is None:
        text = phrase(
            "Nothing here sends to printers (there is no lp); open PDFs in their viewer, and print them at 100 %."
        )
        yield check("Sending", "optional", text)
        return
    queues = system.list_queues()
    if not queues:
        text = phrase("The system knows no printer; add one in its settings, or print PDFs elsewhere, at 100 %.")
        yield check("Sending", "optional", text)
    chosen = settings.read_settings().paper
    for queue in queues:
        paper = parse_paper(chosen) if chosen else paper_of_region()
        mismatch, media = system.paper_mismatch(queue, paper), system.read_media(queue)
        if mismatch or media is None:
            says_nothing = phrase("It does not say what paper it has.")
            yield check(queue, "optional" if mismatch else "good", mismatch or says_nothing)
            continue
        yield check(queue, "good", _describe_papers(media.usual, sorted(media.names - {media.usual})))


def _describe_papers(usual: str, others: Sequence[str]) -> Message:
    if not others:
        return phrase("It prints on {paper}, which is your paper.", paper=usual)
    if len(others) <= _PAPERS:
        return phrase(
            "It prints on {paper}, which is your paper; it knows {others}.", paper=usual, others=listed(others)
        )
    return phrases(
        "It prints on {paper}, which is your paper; it knows {others} and {n} more.",
        "It prints on {paper}, which is your paper; it knows {others} and {n} more.",
        n=len(others) - _PAPERS,
        paper=usual,
        others=listed(others[:_PAPERS]),
    )


def check_camera() -> Iterator[HealthCheck]:
    """Check whether a camera can scan a deck; no camera is turned on."""
    check = partial(HealthCheck, "Camera", "Camera")
    if not find_spec("cv2"):
        install = phrase('uv tool install "FILE[camera]", where FILE is a release\'s .whl')
        # Translators: {command} is a command.
        needs = phrase("Scanning with a camera needs OpenCV: {command}; photographs need none.", command=install)
        yield check("optional", needs)
        return
    if sys.platform == "linux":
        devices = sorted(Path("/dev").glob("video*"))
        if not devices:
            yield check("optional", phrase("No camera is plugged in; plug one in, or scan photographs."))
            return
        if not any(os.access(device, os.R_OK | os.W_OK) for device in devices):
            text = phrase(
                "You may not use {device}; have yourself added to the group video, and log in again.",
                device=str(devices[0]),
            )
            yield check("todo", text)
            return
    yield check("good", phrase("OpenCV is there; companion scan --camera shows what the camera sees."))


# The archive


def check_archive(typed: str | None) -> Iterator[HealthCheck]:
    """Check the place of the archive, whether it can be read and written, and its backups; `typed` is the user's name
    for it.
    """
    check = partial(HealthCheck, "Archive")
    is_own = typed is None and not os.environ.get(location.VARIABLE)
    none_yet = phrase("There is none yet; the first table or deck begins it.")
    try:
        file = _find_file(typed)
        if file is None:
            text = phrase("It is on a server, which keeps the backups; companion archive info asks it.")
            on_server = phrase("It is on a server, which keeps the backups.")
            yield check("Place", "good", text, page_text=on_server)
            return
        if is_own and not os.path.isdir(file.parent) and last_seen.recall(file) is None:  # noqa: PTH112
            there = next(folder for folder in file.parents if os.path.exists(folder))  # noqa: PTH110
            if there.is_dir() and os.access(there, os.W_OK):
                yield check("Place", "optional", none_yet)
            else:
                text = phrase(
                    "Its folder cannot be made, as you may not write into “{folder}”; name a place by --archive FILE.",
                    folder=str(there),
                )
                yield check("Place", "todo", text)
            return
        last_seen.check_file(file, create=False)
        state = _read_state(file)
    except NoArchive as error:
        # Translators: {problem} is a sentence without its full stop.
        text = phrase("{problem}; check its name, or begin one there with a table or deck.", problem=Clause(str(error)))
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


def _read_state(file: Path) -> tuple[Status, Text, Look | None]:
    """Check whether a file is an archive that can be read and written here. Raises ArchiveError."""
    wal_guard.check_log(file)
    try:
        with contextlib.closing(backups.open_to_read(file)) as database:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                raise ArchiveError(
                    phrase("“{file}” is the database of another program; name another file.", file=str(file))
                )
            (revision,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            growth = backups.growth_inside(database)
    except wal_guard.READ_ERRORS as error:
        # Translators: {problem} is a sentence without its full stop.
        broken = phrase("{problem}: {file}.", problem=describe_cause(error), file=str(file))
        raise ArchiveError(broken, look_for(error)) from error
    if revision > REVISION:
        return "todo", describe_newer(str(file), revision, as_version(version)), None
    if loss := last_seen.describe_loss(file):
        return "todo", loss, "loss"
    if not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        only_read = phrase(
            "You may only read “{file}”; see to it that you may write to it and to its folder.", file=str(file)
        )
        return "todo", only_read, None
    free = shutil.disk_usage(file.parent).free
    if free < _FREE_BYTES:
        megabytes = decimal(free / 1_000_000, 0)
        full = phrase("Only {megabytes} MB are free beside “{file}”; make room.", megabytes=megabytes, file=str(file))
        return "todo", full, None
    if revision == REVISION:
        return "good", phrase("“{file}”, {changes} changes.", file=str(file), changes=growth), None
    older = phrase(
        "“{file}”, {changes} changes; it is of an older companion, and is brought up to date as it is opened.",
        file=str(file),
        changes=growth,
    )
    return "good", older, None


def _backup_checks(file: Path, copies: Sequence[Backup]) -> Iterator[HealthCheck]:
    """Check the newest backup, which was read back when it was made, and the copy on another disk."""
    check = partial(HealthCheck, "Archive")
    automatic = [each for each in copies if each.why in ("evening", "hour")]
    if not copies:
        yield check("Backups", "optional", phrase("There is none yet; one is made when an evening ends."))
    else:
        # Translators: The number of backups, and the time of the newest one.
        newest = phrase(
            "{backups}, the newest of {time}.", backups=str(len(copies)), time=backups.local_time(copies[0])
        )
        yield check("Backups", "good", newest)
    text: Text
    if automatic:
        text = _describe_last_check(
            backups.local_time(automatic[0]), max(0, (last_seen.growth_of(file) or 0) - automatic[0].growth)
        )
    else:
        text = phrase("None yet; it is read back whole with the first backup.")
    yield check("Last check", "good" if automatic else "optional", text)
    target, elsewhere = backups.read_offsite(file), backups.offsite_state(file)
    if target is None or elsewhere is None:
        text = phrase(
            "There is none; name a stick or another disk in the settings (F12), and each backup is copied there."
        )
        on_page = phrase(
            "There is none; name a stick or another disk in the settings, and each backup is copied there."
        )
        yield check("Copy elsewhere", "optional", text, page_text=on_page)
        return
    text = Finished(elsewhere.state, begins=True, ends=False)
    if target.problem:
        yield check("Copy elsewhere", "todo", text)
    elif Path(target.folder).is_dir():
        yield check("Copy elsewhere", "good", text)
    else:
        # Translators: {problem} is a sentence without its full stop; “it” is a stick or a disk.
        absent = phrase("{problem}; put it in.", problem=Clause(text))
        yield check("Copy elsewhere", "optional", absent)


def _describe_last_check(when: Message, changes: int) -> Message:
    """Return when the archive was read back, and how much has changed since."""
    if not changes:
        return phrase(
            "It was completely read back with the backup of {time}, and nothing has changed since.", time=when
        )
    return phrases(
        "It was completely read back with the backup of {time}, and {n} change came since.",
        "It was completely read back with the backup of {time}, and {n} changes came since.",
        n=changes,
        time=when,
    )


def check_versions() -> Iterator[HealthCheck]:
    """Report the versions of the program, Python and the libraries."""
    check = partial(HealthCheck, "Versions")
    yield check("Companion", "good", f"{metadata.version('table-companion')}.")
    # Translators: A version of Python, and an operating system.
    python = phrase("{version} on {system}.", version=platform.python_version(), system=platform.platform(terse=True))
    yield check("Python", "good", python)
    libraries = [f"{name} {metadata.version(name)}" for name in ("textual", "reportlab", "zxing-cpp")]
    yield check("Libraries", "good", f"{', '.join((*libraries, f'SQLite {sqlite3.sqlite_version}'))}.")
