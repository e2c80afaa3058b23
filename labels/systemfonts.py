"""Fonts of the system, asked only for characters that the family lacks, such as Chinese or Japanese ones.

Separate because it reads font files by hand: a look at each file's character table is a hundred times quicker than
opening hundreds of fonts to find the one that has a letter.
"""

import mmap
import os
import struct
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import NamedTuple

VARIABLE = "LABELS_FONTS"
"""Names folders to look for fonts in, instead of the system's; separated as in PATH."""

_ENDINGS = frozenset({".ttf", ".ttc", ".otf"})
# Unlike the family: taken only where nothing else has the character.
_UNLIKE = ("serif", "mono", "condensed", "italic", "oblique", "light", "thin", "black", "ming", "mincho")
_RESTRICTED = 2
# Unicode tables, the larger ones first.
_TABLES = ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3))


class Source(NamedTuple):
    """A font with a character: its file, and the number of the font in a collection."""

    file: Path
    number: int


def folders() -> tuple[Path, ...]:
    """Where this system keeps fonts, or what LABELS_FONTS names."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return tuple(Path(folder) for folder in named.split(os.pathsep) if folder)
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", str(home))
        return Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts", Path(local) / "Microsoft/Windows/Fonts"
    if sys.platform == "darwin":
        return home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    return data / "fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")


def having(char: str, *, bold: bool) -> Iterator[Source]:
    """The fonts that list the character and may be embedded as outlines, those most like the family first."""
    for file in _files(folders(), bold):
        for number, known in enumerate(_characters(file)):
            if any(first <= ord(char) <= last for first, last in known):
                yield Source(file, number)


@cache
def _files(places: tuple[Path, ...], bold: bool) -> tuple[Path, ...]:
    found = {file for place in places for file in place.rglob("*") if file.suffix.lower() in _ENDINGS}
    return tuple(sorted(found, key=lambda file: (*_unlikeness(file.stem.lower(), bold), file.name, str(file))))


def _unlikeness(name: str, bold: bool) -> tuple[int, bool]:
    return sum(word in name for word in _UNLIKE), ("bold" in name) is not bold


@cache
def _characters(file: Path) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each font of a file the ranges of its characters; nothing where the file cannot be read."""
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return tuple(tuple(_embeddable(data, offset)) for offset in _fonts(data))
    except (OSError, ValueError, struct.error):
        return ()


def _fonts(data: mmap.mmap) -> tuple[int, ...]:
    """Where the fonts of a file begin: one, or several in a collection."""
    if data[:4] != b"ttcf":
        return (0,)
    return tuple(unpack_from(f">{unpack_from('>I', data, 8)[0]}I", data, 12))


def _embeddable(data: mmap.mmap, offset: int) -> Iterator[tuple[int, int]]:
    """The ranges of characters that a font has; none where its outlines cannot or must not be embedded."""
    count = unpack_from(">H", data, offset + 4)[0]
    records = (unpack_from(">4sIII", data, offset + 12 + 16 * number) for number in range(count))
    tables = {tag: at for tag, _, at, _ in records}
    if b"glyf" not in tables or b"cmap" not in tables:
        return
    if b"OS/2" in tables and unpack_from(">H", data, tables[b"OS/2"] + 8)[0] & 0xF == _RESTRICTED:
        return
    yield from _ranges(data, tables[b"cmap"])


def _ranges(data: mmap.mmap, at: int) -> Iterator[tuple[int, int]]:
    count = unpack_from(">H", data, at + 2)[0]
    found = (unpack_from(">HHI", data, at + 4 + 8 * number) for number in range(count))
    kinds = {(platform, encoding): at + offset for platform, encoding, offset in found}
    start = next((kinds[kind] for kind in _TABLES if kind in kinds), None)
    if start is None:
        return
    form = unpack_from(">H", data, start)[0]
    if form == 12:
        for number in range(unpack_from(">I", data, start + 12)[0]):
            yield unpack_from(">II", data, start + 16 + 12 * number)
    elif form == 4:
        segments = unpack_from(">H", data, start + 6)[0] // 2
        ends = unpack_from(f">{segments}H", data, start + 14)
        starts = unpack_from(f">{segments}H", data, start + 16 + 2 * segments)
        yield from zip(starts, ends, strict=True)
