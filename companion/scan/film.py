"""Frames of a camera or of a clip, by OpenCV, which is installed with the extra `camera`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from PIL import Image

from companion.scan import problems
from companion.scan.picture import read_codes_quickly
from labels.sandbox import BadFile, ChildReply

_EDGE: Final = 640
"""Pixels of the longer edge of a clip's frames as they are shown."""
_MOST_FRAMES: Final = 20_000
"""Maximum frames of a clip that are played: some ten minutes."""


class Film:
    """The grey frames of one camera, by its number, or of a clip, by its path."""

    def __init__(self, source: int | str) -> None:
        self._cv2: Any = import_module("cv2")
        # Problems are reported in our own sentence.
        self._cv2.utils.logging.setLogLevel(self._cv2.utils.logging.LOG_LEVEL_SILENT)
        if isinstance(source, int):
            self._opened: Any = self._cv2.VideoCapture(source)
        else:
            # Each thread would need memory of its own.
            one_thread = [self._cv2.CAP_PROP_N_THREADS, 1]
            self._opened = self._cv2.VideoCapture(source, self._cv2.CAP_ANY, one_thread)
        self.is_open: bool = self._opened.isOpened()

    def __iter__(self) -> Iterator[Any]:
        while True:
            going, frame = self._opened.read()
            if not going:
                return
            yield self._cv2.cvtColor(frame, self._cv2.COLOR_BGR2GRAY)

    def close(self) -> None:
        """Release the camera."""
        self._opened.release()


def play_clip(path: str) -> Iterator[ChildReply]:
    """Yield for each frame of a clip the texts of its codes, and the frame itself, small and grey. Raises BadFile."""
    film = Film(path) if Path(path).is_file() else None
    if film is None or not film.is_open:
        raise BadFile(problems.NO_CLIP)
    for number, grey in enumerate(film):
        if number == _MOST_FRAMES:
            raise BadFile(f"{problems.TOO_LONG} {_MOST_FRAMES}")
        picture = Image.fromarray(grey)
        texts = read_codes_quickly(picture)
        small = picture.reduce(max(1, -(-max(picture.size) // _EDGE)))
        reply = {"width": small.width, "height": small.height, "texts": [*texts]}
        yield ChildReply(reply, small.tobytes())
