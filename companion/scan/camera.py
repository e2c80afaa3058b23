"""A camera, or a recorded clip: frames in order, and the codes that several of them agree on.

A camera is trusted and is read in this process; a clip may be a stranger's file, so it is played by the child process
that opens pictures (`worker.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from PIL import Image

from companion.scan import problems
from companion.scan.codes import Code, PictureError, parse_printed
from companion.scan.film import Film
from companion.scan.picture import read_codes_quickly
from companion.scan.reader import parse_answer
from companion.tabletop.notation.arguments import MAX_DIGITS
from companion.tabletop.text import sanitize
from labels.sandbox import BadFile, ChildFailed, Sandbox
from templates.languages.messages import phrase

VOTES = 2
"""The number of frames that must show a code before it counts."""

_SANDBOX: Final = Sandbox("companion.scan.worker")


class Frame(NamedTuple):
    """A frame in grey levels, and the codes that have now been in enough frames for the first time."""

    picture: Image.Image
    fresh: tuple[Code, ...]


class _FrameReply(msgspec.Struct, frozen=True):
    """The child's reply for a frame of a clip."""

    width: int
    height: int
    texts: tuple[str, ...]


def watch(source: str) -> Iterator[Frame]:
    """Yield the frames of a camera, by its number, or of a clip, by its path, until it ends or the caller stops.

    Raises PictureError if OpenCV or the camera is missing, or a clip cannot be played.
    """
    if not find_spec("cv2"):
        raise PictureError(
            phrase(
                'Scanning with a camera needs OpenCV: uv tool install "FILE[camera]", where FILE is a release\'s .whl; '
                "or scan a photograph."
            )
        )
    votes: Counter[str] = Counter()
    is_number = source.isdecimal() and len(source) <= MAX_DIGITS
    name = f"camera {source}" if is_number else source
    for picture, seen in _camera_frames(int(source)) if is_number else _clip_frames(source):
        votes.update(seen)
        fresh = tuple(parse_printed(text, name) for text in seen if votes[text] == VOTES)
        yield Frame(picture, fresh)


def _camera_frames(number: int) -> Iterator[tuple[Image.Image, tuple[str, ...]]]:
    """Yield the frames of a camera, each with the texts of its codes."""
    with closing(Film(number)) as film:
        if not film.is_open:
            raise PictureError(
                phrase(
                    "There is no camera {number} here, or another program uses it; plug one in, or scan a photograph.",
                    number=str(number),
                )
            )
        for grey in film:
            picture = Image.fromarray(grey)
            yield picture, read_codes_quickly(picture)


def _clip_frames(path: str) -> Iterator[tuple[Image.Image, tuple[str, ...]]]:
    """Yield the frames of a clip, each with the texts of its codes."""
    try:
        for answer in _SANDBOX.ask({"clip": str(Path(path).absolute())}):
            seen = parse_answer(answer, _FrameReply)
            if len(answer.enclosed) != seen.width * seen.height:
                raise ChildFailed
            yield Image.frombytes("L", (seen.width, seen.height), answer.enclosed), seen.texts
    except BadFile as error:
        raise PictureError(problems.describe_problem(path, str(error))) from error
    except ChildFailed as error:
        raise PictureError(
            phrase("“{file}” takes more room or time than a clip may; film it anew, smaller.", file=sanitize(path))
        ) from error
