"""Reads the picture that a phone has sent, in a process of its own with little memory and little time.

Whatever a picture does to the libraries that decode it ends here. The process is this same module, run with the folder
in which the body of the request lies; it says what it has read, and knows no archive.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

import msgspec

from companion.scan import Code, PictureError

BODY: Final = "body"
"""The file with the body of the request, as it came."""
FIELD: Final = b'name="picture"'
"""What the head of the part with the picture says."""
SECONDS: Final = 15.0
"""Seconds after which a reader is ended, whatever it does."""
_CPU_SECONDS: Final = 10
_MEMORY: Final = 1 << 30
_FILE: Final = 32 << 20
_NAME: Final = "Your picture"
"""What messages call it."""
_MOST_CODES: Final = 50
_MOST_SAID: Final = 1 << 20
_SPENT: Final = "That picture takes more room or time than there is here; take it again, or type the id."
_PASSED_ON: Final = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "LANG")
"""Nothing else of our surroundings concerns a reader: there may be passwords among it."""


class Read(msgspec.Struct, frozen=True):
    """What was read: codes, or the sentence that says why there is none."""

    codes: tuple[Code, ...] = ()
    problem: str = ""


async def read(place: Path) -> Read:
    """What a reader of its own finds in the body that lies in `place`; at most SECONDS later."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, str(place)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            said = await _whole(process.stdout)
            await process.wait()
    except TimeoutError:
        said = b""
    finally:
        # One that has ended by itself is not asked again, which asyncio does not bear.
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _understood(said)


async def _whole(stream: asyncio.StreamReader) -> bytes:
    """All that a stream brings, as far as a reader may have something to say."""
    try:
        return await stream.readexactly(_MOST_SAID)
    except asyncio.IncompleteReadError as whole:
        return whole.partial


def _understood(said: bytes) -> Read:
    """What a reader says; one that says nothing sensible has come to an end before."""
    try:
        return msgspec.json.decode(said, type=Read)
    except msgspec.MsgspecError:
        return Read(problem=_SPENT)


def main() -> None:
    """The reader itself."""
    _limit()
    os.chdir(sys.argv[1])
    sys.stdout.buffer.write(msgspec.json.encode(_read()))


def _limit() -> None:
    """Take no more than is ours from here on. Windows has no such limits; there, it is time, and how large a photo may
    be that is decoded at all.
    """
    if sys.platform != "win32":
        import resource

        os.nice(10)  # the table comes first
        for kind, most in (
            (resource.RLIMIT_AS, _MEMORY),
            (resource.RLIMIT_CPU, _CPU_SECONDS),
            (resource.RLIMIT_FSIZE, _FILE),
            (resource.RLIMIT_CORE, 0),
        ):
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))


def _read() -> Read:
    from companion.scan import read as codes

    picture = Path(_NAME)
    picture.write_bytes(_sent(Path(BODY).read_bytes()))
    if not picture.stat().st_size:
        return Read(problem="No picture came: take one first.")
    try:
        return Read(codes(picture, photo=True)[:_MOST_CODES])
    except PictureError as error:
        return Read(problem=str(error))
    except MemoryError:
        return Read(problem=_SPENT)


def _sent(body: bytes) -> bytes:
    """The picture among the parts of a form; empty where there is none."""
    delimiter = body.partition(b"\r\n")[0]
    if not delimiter.startswith(b"--"):
        return b""
    for part in body.split(b"\r\n" + delimiter):
        head, _, content = part.partition(b"\r\n\r\n")
        if FIELD in head:
            return content
    return b""


if __name__ == "__main__":
    main()
