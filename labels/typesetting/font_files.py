"""Font files: those installed on this machine, and the faces of our own family."""

import mmap
import os
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from struct import unpack_from
from typing import Final, NamedTuple
from zlib import crc32

from labels.typesetting import typefaces
from labels.typesetting.typefaces import Weight

VARIABLE = "LABELS_FONTS"
"""Environment variable with the folders to search for fonts instead of the system's, separated as in PATH."""

_ENDINGS = frozenset({".ttf", ".ttc", ".otf"})
# Styles unlike the family's: used only if no other font has the character.
_OTHER_STYLES = ("serif", "mono", "condensed", "italic", "oblique", "light", "thin", "black", "ming", "mincho")
_RESTRICTED = 2
# Unicode tables, the larger ones first.
_TABLES = ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3))


class FontSource(NamedTuple):
    """A font that has a character: its file, and its index in a collection."""

    file: Path
    number: int


def folders() -> tuple[Path, ...]:
    """Return the system's font folders, or those that LABELS_FONTS names."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return tuple(Path(folder) for folder in named.split(os.pathsep) if folder)
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 – Path raises without a home directory
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", str(home))
        return Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts", Path(local) / "Microsoft/Windows/Fonts"
    if sys.platform == "darwin":
        return home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    return data / "fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")


def fonts_with(char: str, *, bold: bool) -> Iterator[FontSource]:
    """Yield the fonts that list the character and may be embedded as outlines, those most like the family first."""
    for file in _find_files(folders(), bold):
        for number, ranges in enumerate(_characters(file)):
            if any(first <= ord(char) <= last for first, last in ranges):
                yield FontSource(file, number)


@cache
def _find_files(places: tuple[Path, ...], bold: bool) -> tuple[Path, ...]:
    # Unreadable folders, such as another user's home, are skipped.
    walks = (walk for place in places for walk in os.walk(place))
    files = {
        Path(folder, name) for folder, _, names in walks for name in names if Path(name).suffix.lower() in _ENDINGS
    }
    return tuple(sorted(files, key=lambda file: (*_style_distance(file.stem.lower(), bold), file.name, str(file))))


def _style_distance(name: str, bold: bool) -> tuple[int, bool]:
    return sum(word in name for word in _OTHER_STYLES), ("bold" in name) is not bold


@cache
def _characters(file: Path) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the character ranges of each font in a file, or nothing if the file cannot be read."""
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return tuple(tuple(_embeddable(data, offset)) for offset in _fonts(data))
    except (OSError, ValueError, struct.error):
        return ()


def _fonts(data: mmap.mmap) -> tuple[int, ...]:
    """Return the offsets of the fonts in a file: one, or several in a collection."""
    if data[:4] != b"ttcf":
        return (0,)
    return tuple(unpack_from(f">{unpack_from('>I', data, 8)[0]}I", data, 12))


def _embeddable(data: mmap.mmap, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the character ranges of a font, or nothing if its outlines cannot or must not be embedded."""
    count = unpack_from(">H", data, offset + 4)[0]
    records = (unpack_from(">4sIII", data, offset + 12 + 16 * number) for number in range(count))
    tables = {tag: at for tag, _, at, _ in records}
    if b"glyf" not in tables or b"cmap" not in tables:
        return
    if b"OS/2" in tables and unpack_from(">H", data, tables[b"OS/2"] + 8)[0] & 0xF == _RESTRICTED:
        return
    yield from _character_ranges(data, tables[b"cmap"])


def _character_ranges(data: mmap.mmap, at: int) -> Iterator[tuple[int, int]]:
    count = unpack_from(">H", data, at + 2)[0]
    records = (unpack_from(">HHI", data, at + 4 + 8 * number) for number in range(count))
    kinds = {(platform, encoding): at + offset for platform, encoding, offset in records}
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


FAMILY_MODULES: Final[dict[Weight, str]] = {
    "regular": "FiraGO_Regular",
    "bold": "FiraGO_Bold",
    "italic": "FiraGO_Italic",
    "bold italic": "FiraGO_BoldItalic",
    "mono regular": "CascadiaMono_Regular",
    "mono bold": "CascadiaMono_Bold",
    "mono italic": "CascadiaMono_Italic",
    "mono bold italic": "CascadiaMono_BoldItalic",
}
"""The module of pymupdf_fonts for each weight of the family, and of the typeface with letters of one width."""
_PRELOADED: Final[tuple[Weight, ...]] = ("regular", "bold")
_CHECKSUM = 4
"""Size of the checksum in bytes."""

_one_at_a_time = threading.Lock()


@cache
def preload() -> None:
    """Start reading or unpacking the family in the background, once, while other things are loaded."""
    # One after the other: on two cores a third thread would only delay this one.
    threading.Thread(target=lambda: [*map(family_font, _PRELOADED)]).start()


def family_font(weight: Weight) -> bytes:
    """Return the font of this weight, as a TrueType file."""
    with _one_at_a_time:
        return _load_family_font(weight)


@cache
def _load_family_font(weight: Weight) -> bytes:
    if weight not in FAMILY_MODULES:
        return typefaces.make_font(weight)
    kept = _cache_path(FAMILY_MODULES[weight])
    if kept is not None and (font := _read_cache(kept)) is not None:
        return font
    unpacked = _unpack(FAMILY_MODULES[weight])
    if kept is not None:
        # Without a writable cache, the font is unpacked each time.
        with suppress(OSError):
            _write_cache(unpacked, kept)
    return unpacked


def _unpack(module: str) -> bytes:
    font: bytes = import_module(f"pymupdf_fonts.{module}").fontbuffer
    return font


def _cache_path(module: str) -> Path | None:
    """Return the cache path of an unpacked font, which identifies its version.

    Return None if the library is not a folder of files, and for users without a home directory.
    """
    import platformdirs

    spec = find_spec("pymupdf_fonts")
    if spec is None or spec.origin is None:
        return None
    with suppress(OSError, RuntimeError):
        packed = Path(spec.origin).with_name(f"{module}.py").stat()
        folder = platformdirs.user_cache_path("table-companion", appauthor=False)
        return folder / f"{module}-{packed.st_size}-{packed.st_mtime_ns}.font"
    return None


def _read_cache(kept: Path) -> bytes | None:
    """Return the cached font, or None if it is missing or damaged."""
    try:
        content = kept.read_bytes()
    except OSError:
        return None
    font = content[_CHECKSUM:]
    return font if content[:_CHECKSUM] == _checksum(font) else None


def _write_cache(font: bytes, kept: Path) -> None:
    """Write a font to the cache atomically, and remove other versions and remains of killed programs."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(f".{os.getpid()}")
    try:
        draft.write_bytes(_checksum(font) + font)
        draft.replace(kept)
    finally:
        draft.unlink(missing_ok=True)
    for other in kept.parent.glob(f"{kept.name.partition('-')[0]}-*"):
        if other != kept:
            other.unlink(missing_ok=True)


def _checksum(font: bytes) -> bytes:
    return crc32(font).to_bytes(_CHECKSUM, "big")
