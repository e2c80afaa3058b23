"""The files that the host's browser sends for labels: tables, and pictures beside them, in a folder that ends with us.

No other path of this machine is ever taken from a browser.
"""

from __future__ import annotations

import os
import re
import shutil
import weakref
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from threading import Lock
from typing import Final

from companion.printing.spreadsheets.tables import KINDS
from companion.tabletop.action import RuleError
from companion.web.guard import BodyLimit
from templates.languages.messages import Text, all_of, phrase

_MAX_MEGABYTES: Final = 8
SOURCE_PATH: Final = "/host/print/upload"
SOURCE_LIMIT: Final = BodyLimit(2 * _MAX_MEGABYTES * 2**20 + 8192, 60.0)
"""The limit of the form with a file: its content, and pasted text, whichever is sent."""
_MAX_BYTES: Final = _MAX_MEGABYTES * 2**20
_MAX_FILES: Final = 320
"""The most files that are kept: a table, and a picture for each of its first 300 rows."""
_MAX_NAME: Final = 80
_MAX_FOLDERS: Final = 8
_PICTURES: Final = ("png", "jpg", "jpeg", "svg", "webp", "gif", "bmp", "tif", "tiff")
_UNSAFE: Final = re.compile(r"[^\w .()+-]")


class UploadFolder:
    """The files that were sent, by their names. Thread-safe."""

    def __init__(self, tables: Sequence[str] = KINDS, pictures: Sequence[str] = _PICTURES) -> None:
        """Create the folder. `tables` and `pictures` are the ends of the names of what is taken."""
        self._tables, self._endings = (*tables,), (*tables, *pictures)
        self._lock = Lock()
        self._folder: Path | None = None
        self._files: dict[str, None] = {}

    @property
    def path(self) -> Path:
        """The folder, which begins to exist when it is needed."""
        with self._lock:
            if self._folder is None:
                self._folder = make_folder(self)
            return self._folder

    def list_tables(self) -> tuple[str, ...]:
        """Return the names of the tables, the newest first."""
        return tuple(name for name in reversed(tuple(self._files)) if _ending(name) in self._tables)

    def list_pictures(self) -> tuple[str, ...]:
        """Return the names of the pictures."""
        return tuple(name for name in tuple(self._files) if _ending(name) not in self._tables)

    def save(self, name: str, content: bytes, *, keeps_folders: bool = False) -> str:
        """Store a file, in place of an earlier one of its name; return its name. Raises RuleError or OSError.

        With `keeps_folders` it lies in the folders that its name has, as a row of a table names a picture.
        """
        safe = clean_path(name) if keeps_folders else clean_name(name)
        if not content.strip():
            raise RuleError(phrase("No file was sent: choose one, or paste a table."))
        if len(content) > _MAX_BYTES:
            raise RuleError(
                phrase(
                    "“{file}” has more than {megabytes} MB; send a smaller one.", file=safe, megabytes=_MAX_MEGABYTES
                )
            )
        if _ending(safe) not in self._endings:
            endings = all_of(f".{each}" for each in self._tables)
            if self._endings == self._tables:
                raise RuleError(
                    phrase("“{file}” is not such a file; their names end in {endings}.", file=safe, endings=endings)
                )
            raise RuleError(
                phrase(
                    "“{file}” is neither a table nor a picture; tables end in {endings}.", file=safe, endings=endings
                )
            )
        file = self.path / safe
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.new")
        draft.write_bytes(content)
        draft.replace(file)
        with self._lock:
            self._files.pop(safe, None)
            self._files[safe] = None
            while len(self._files) > _MAX_FILES:
                oldest = next(iter(self._files))
                del self._files[oldest]
                (self.path / oldest).unlink(missing_ok=True)
        return safe

    def hide(self, text: Text) -> Text:
        """Return a sentence without the path of the folder, which means nothing to the host."""
        folder = str(self._folder or "")
        if not folder or folder not in (sentence := str(text)):
            return text
        return sentence.replace(f"{folder}{os.sep}", "").replace(folder, str(phrase("what was sent here")))


def make_folder(owner: object) -> Path:
    """Return a new folder for files that nobody else reads; it goes with its owner, at the latest with the program."""
    folder = Path(mkdtemp(prefix="companion-")).resolve()
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return folder


def name_pasted(content: bytes) -> str:
    """Return a name for a table that was pasted: spreadsheets copy their cells with tabs between them."""
    return "table.tsv" if b"\t" in content.strip().partition(b"\n")[0] else "table.csv"


def clean_name(name: str) -> str:
    """Return the name of a file as a browser sends it, without folders and signs that mean something elsewhere."""
    last = PurePosixPath(name.replace("\\", "/")).name
    stem, _, ending = _UNSAFE.sub("_", last).strip(" .").rpartition(".")
    return f"{stem.strip(' .')[: _MAX_NAME - len(ending)]}.{ending.lower()}" if stem.strip(" .") else f"table.{ending}"


def clean_path(name: str) -> str:
    """Return the name of a file with its folders, each without signs that mean something elsewhere; none leads out."""
    *folders, last = PurePosixPath(name.replace("\\", "/")).parts or ("",)
    safe = (_UNSAFE.sub("_", folder).strip(" .")[:_MAX_NAME] for folder in folders[-_MAX_FOLDERS:] if folder != "/")
    return "/".join((*filter(None, safe), clean_name(last)))


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower()
