"""Designs by name: bundled ones, those in the user's folder, and files anywhere.

A broken file does not affect other designs.
"""

import difflib
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from typing import Final, Literal, NamedTuple

import platformdirs

from companion.archive.storage import files
from labels import designfile, handwritten
from labels.designfile import DesignError
from labels.designs.own import Design, OwnLabel
from labels.designs.parts import PicturePart
from labels.drawing.picture import inspect_picture
from labels.errors import LabelError, excerpt
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Message, Text, listed, phrase

_FILE_NAME: Final = re.compile(r"\w[\w .-]{0,59}")


class DesignEntry(NamedTuple):
    """A design under its name, or the error in its file. `own` means that it lies in the user's folder."""

    name: str
    own: bool
    design: Design | None
    wrong: Text = ""


def designs_folder() -> Path:
    """Return the folder of the user's designs."""
    return platformdirs.user_config_path("table-companion", appauthor=False) / "designs"


def list_designs() -> tuple[DesignEntry, ...]:
    """Return all designs by name. A user's design replaces a bundled one of the same name."""
    candidates = {file.name.casefold(): (file, own) for file, own in _design_files()}
    return tuple(_read_entry(*candidates[name]) for name in sorted(candidates, key=alphabetical_key))


def _design_files() -> Iterator[tuple[Traversable, bool]]:
    bundled = (resources.files("templates") / "designs").iterdir()
    yield from ((file, False) for file in bundled if file.name.endswith(".toml"))
    yield from ((file, True) for file in handwritten.list_toml_files(designs_folder()))


def _read_entry(file: Traversable, own: bool) -> DesignEntry:
    name = file.name.removesuffix(".toml")
    try:
        return DesignEntry(name, own, _read(file, str(file) if own else file.name))
    except DesignError as error:
        return DesignEntry(name, own, None, error.message)


class DesignFile(NamedTuple):
    """The file of a known design: its text with all its line breaks, and its folder, "" for a bundled design.

    `own` means that it lies in the user's folder.
    """

    name: str
    text: str
    own: bool
    beside: str


def read_design_file(name: str) -> DesignFile | None:
    """Return the file of a known design, or None if there is no such design. Raises DesignError."""
    candidates = {file.name.casefold(): (file, own) for file, own in _design_files()}
    file, own = candidates.get(f"{name}.toml".casefold(), (None, False))
    if file is None:
        return None
    # This is the reader of all designs, which knows the limit of their size.
    _read_text(file, str(file) if own else file.name)
    beside = str(file.parent.resolve()) if isinstance(file, Path) else ""
    return DesignFile(file.name.removesuffix(".toml"), file.read_bytes().decode(), own, beside)


def check_name(name: str) -> None:
    """Raise DesignError if a new design cannot have this name."""
    if not _FILE_NAME.fullmatch(name) or name.endswith((" ", ".")):
        raise DesignError(
            phrase(
                "“{name}” is no name of a design; write letters, digits, spaces, hyphens and dots, 60 at most.",
                name=excerpt(name),
            )
        )
    try:
        files.refuse_windows_name(PurePath(f"{name}.toml"))
    except files.NotWritable as error:
        raise DesignError(error.message) from error


def save_design(name: str, text: str, expected: str | None = None) -> Path:
    """Write a design into the user's folder.

    `expected` is the text that the file there must have, None if there must be none. Raises DesignError.
    """
    check_name(name)
    file = designs_folder() / f"{name}.toml"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        current = _find_own_text(file)
        if current is not None and expected is None:
            raise DesignError(phrase("There is a design “{design}” of yours; choose another name.", design=name))
        if current != expected:
            raise DesignError(
                phrase(
                    "“{file}” was changed meanwhile by another program; save the design under another name.",
                    file=str(file),
                )
            )
        with files.write_atomically(file, force=current is not None) as draft:
            draft.write_bytes(text.encode())
    except (files.NotWritable, files.FileExists) as error:
        raise DesignError(error.message) from error
    except OSError as error:
        raise DesignError(
            phrase("“{file}” cannot be written: {problem}.", file=str(file), problem=error.strerror or str(error))
        ) from error
    return file


def _find_own_text(file: Path) -> str | None:
    """Return the text of a file in the user's folder, or None if there is no file. Capitals make no difference."""
    same = next((each for each in file.parent.iterdir() if each.name.casefold() == file.name.casefold()), None)
    return None if same is None else same.read_bytes().decode(errors="replace")


def save_picture(name: str, content: bytes) -> None:
    """Write a picture into the folder of designs under a name without folders, unless it is there already.

    Raises LabelError if it is no picture, or if there is another one of this name.
    """
    file = designs_folder() / name
    try:
        with tempfile.TemporaryDirectory() as folder:
            draft = Path(folder, name)
            draft.write_bytes(content)
            _check_picture(draft)
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_file() and file.read_bytes() == content:
            return
        with files.write_atomically(file) as draft:
            draft.write_bytes(content)
    except files.FileExists as error:
        raise DesignError(
            phrase("Your folder of designs has another picture “{file}”; give this one another name.", file=name)
        ) from error
    except files.NotWritable as error:
        raise DesignError(error.message) from error
    except OSError as error:
        raise DesignError(
            phrase("“{file}” cannot be written: {problem}.", file=name, problem=error.strerror or str(error))
        ) from error


def _check_picture(file: Path) -> None:
    """Raise DesignError if a file is no picture, naming it without its folder."""
    try:
        inspect_picture(str(file))
    except LabelError as error:
        raise DesignError(str(error).replace(str(file), file.name)) from error


def find_design(name: str) -> Design:
    """Return the design of this name, or in this file. Raises DesignError."""
    if name.lower().endswith(".toml"):
        return _read_file(Path(name))
    entry = next((each for each in list_designs() if each.name.casefold() == name.strip().casefold()), None)
    if entry is None:
        raise DesignError(_unknown_design(name))
    if entry.design is None:
        raise DesignError(entry.wrong)
    return entry.design


def _unknown_design(name: str) -> Message:
    """Return the sentence for an unknown name, with a suggestion."""
    file = Path(f"{name}.toml")
    if file.is_file():
        return phrase("There is no design “{design}”; write {file}.", design=name, file=str(file))
    names = [each.name for each in list_designs()]
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return phrase(
            "There is no design “{design}”; write {nearest}, or name a file that ends in .toml.",
            design=name,
            nearest=near[0],
        )
    return phrase(
        "There is no design “{design}”; there are {designs}, or name a file that ends in .toml.",
        design=name,
        designs=listed(names),
    )


@lru_cache(maxsize=1024)
def locate_file(folder: str, name: str, what: Literal["picture", "design"]) -> str:
    """Return the path of a file in a folder.

    Raises LabelError, naming it `what`, if it is missing or outside the folder.
    """
    problems = _PROBLEMS[what]
    base = Path(folder).resolve()
    try:
        file = (base / name).resolve()
        file.stat()
    except FileNotFoundError:
        pass
    except (OSError, RuntimeError, ValueError) as error:
        # A link to itself, or a name that is too long or contains a NUL.
        raise LabelError(problems.unreadable(name)) from error
    if not file.is_relative_to(base):
        raise LabelError(problems.outside(name, str(base)))
    if not file.is_file():
        raise LabelError(problems.missing(name, str(base)))
    return str(file)


class _FileProblems(NamedTuple):
    """The sentences for a file that cannot be read, that lies outside of its folder, and that is missing."""

    unreadable: Callable[[str], Message]
    outside: Callable[[str, str], Message]
    missing: Callable[[str, str], Message]


_PROBLEMS: Final[Mapping[str, _FileProblems]] = {
    "picture": _FileProblems(
        lambda name: phrase("the picture “{file}” cannot be read; correct its name, or copy it anew.", file=name),
        lambda name, folder: phrase(
            "the picture “{file}” lies outside of the folder “{folder}”; copy it there.", file=name, folder=folder
        ),
        lambda name, folder: phrase(
            "there is no picture “{file}” in the folder “{folder}”; copy it there, or correct its name.",
            file=name,
            folder=folder,
        ),
    ),
    "design": _FileProblems(
        lambda name: phrase("the design “{file}” cannot be read; correct its name, or copy it anew.", file=name),
        lambda name, folder: phrase(
            "the design “{file}” lies outside of the folder “{folder}”; copy it there.", file=name, folder=folder
        ),
        lambda name, folder: phrase(
            "there is no design “{file}” in the folder “{folder}”; copy it there, or correct its name.",
            file=name,
            folder=folder,
        ),
    ),
}


def fill_design(design: Design, fields: Mapping[str, str]) -> OwnLabel:
    """Return a label of a design with these fields. Its pictures lie beside the design, as no field names a file.

    Raises LabelError if such a picture is missing.
    """
    words = []
    for part in design.parts:
        word = part.fill(fields)
        if isinstance(part, PicturePart) and part.template is not None:
            word = "" if part.template.fields else locate_file(design.beside, word, "picture")
        words.append(word)
    return OwnLabel(design, tuple(words))


def example_design(name: str) -> str:
    """Return the file of a bundled design, as a starting point for users' own. Raises DesignError."""
    place = resources.files("templates") / "designs"
    names = sorted(file.name.removesuffix(".toml") for file in place.iterdir() if file.name.endswith(".toml"))
    if name not in names:
        raise DesignError(
            phrase("There is no example “{design}”; there are {designs}.", design=name, designs=listed(names))
        )
    return (place / f"{name}.toml").read_text(encoding="utf-8")


def _read_file(path: Path) -> Design:
    if not path.is_file():
        raise DesignError(
            phrase(
                "There is no design in “{file}”; companion labels design list tells all that are known.",
                file=str(path),
            )
        )
    return _read(path, str(path))


def _read(file: Traversable, source: str) -> Design:
    content = _read_text(file, source)
    beside = str(file.parent.resolve()) if isinstance(file, Path) else ""
    return _parse(content, file.name.removesuffix(".toml"), source, beside)


@lru_cache(maxsize=256)
def _parse(content: str, name: str, source: str, beside: str) -> Design:
    """Parse the text of a design. Lists of designs are made anew at every key, and their texts rarely change."""
    return designfile.parse_design(content, name, source, beside)


def _read_text(file: Traversable, source: str) -> str:
    """Return the text of a design's file. Raises DesignError."""
    try:
        return handwritten.read_toml_text(file)
    except handwritten.TooLarge as error:
        raise DesignError(phrase("“{file}” cannot be read: {problem}.", file=source, problem=error.message)) from error
    except UnicodeDecodeError as error:
        raise DesignError(phrase("“{file}” is not text; write it as TOML in UTF-8.", file=source)) from error
    except OSError as error:
        raise DesignError(
            phrase("“{file}” cannot be read: {problem}.", file=source, problem=error.strerror or str(error))
        ) from error
