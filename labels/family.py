"""The two files of the type family, FiraGO, unpacked: a library brings them packed tight.

Unpacking takes a quarter of a short run. So what was unpacked once is kept where a system keeps what can be made again,
which may be emptied at any time. A checksum stands before each: a damaged letter would be a misprint for ever.
"""

import os
import threading
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal
from zlib import crc32

Weight = Literal["regular", "bold"]

_MODULES: Final[dict[Weight, str]] = {"regular": "FiraGO_Regular", "bold": "FiraGO_Bold"}
_CHECKSUM = 4
"""Bytes."""

_one_at_a_time = threading.Lock()


@cache
def ahead() -> None:
    """Begins to read or unpack the family, once, while other things are loaded."""
    # One after the other: on two cores a third thread would only keep this one waiting.
    threading.Thread(target=lambda: [*map(file, _MODULES)]).start()


def file(weight: Weight) -> bytes:
    """The family's font of this weight, as a TrueType file."""
    with _one_at_a_time:
        return _file(weight)


@cache
def _file(weight: Weight) -> bytes:
    kept = _kept(_MODULES[weight])
    if kept is not None and (known := _read(kept)) is not None:
        return known
    unpacked = _unpacked(_MODULES[weight])
    if kept is not None:
        # Where nothing can be kept, it is unpacked each time.
        with suppress(OSError):
            _keep(unpacked, kept)
    return unpacked


def _unpacked(module: str) -> bytes:
    font: bytes = import_module(f"pymupdf_fonts.{module}").fontbuffer
    return font


def _kept(module: str) -> Path | None:
    """Where an unpacked font is kept, named by which one it was; None for a library that is no folder of files."""
    import platformdirs

    spec = find_spec("pymupdf_fonts")
    if spec is None or spec.origin is None:
        return None
    with suppress(OSError):
        packed = Path(spec.origin).with_name(f"{module}.py").stat()
        folder = platformdirs.user_cache_path("table-companion", appauthor=False)
        return folder / f"{module}-{packed.st_size}-{packed.st_mtime_ns}.font"
    return None


def _read(kept: Path) -> bytes | None:
    """What was kept; None where there is nothing, or it is damaged."""
    try:
        content = kept.read_bytes()
    except OSError:
        return None
    font = content[_CHECKSUM:]
    return font if content[:_CHECKSUM] == _checksum(font) else None


def _keep(font: bytes, kept: Path) -> None:
    """Keeps a font, whole or not at all, in place of that of another version and of what a killed program left."""
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
