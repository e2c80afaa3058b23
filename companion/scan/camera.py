"""A camera, or a recorded clip: frames one after the other, and which codes several of them agree on.

Separate because it alone needs OpenCV, which comes with the extra `camera`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.scan.code import Code, PictureError, printed

if TYPE_CHECKING:
    from PIL.Image import Image

VOTES = 2
"""A code counts once so many frames show it."""


class Frame(NamedTuple):
    """What the camera sees, in grey levels, and the codes that enough frames have shown by now for the first time."""

    picture: Image
    fresh: tuple[Code, ...]


def watched(source: str) -> Iterator[Frame]:
    """The frames of a camera, by its number, or of a clip, by its path, until it ends or nobody asks for more.

    Raises PictureError where OpenCV or the camera is missing.
    """
    from PIL import Image

    from companion.scan.picture import glimpsed

    votes: Counter[str] = Counter()
    with closing(_Capture(source)) as capture:
        for grey in capture:
            picture = Image.fromarray(grey)
            seen = glimpsed(picture)
            votes.update(seen)
            fresh = tuple(printed(text, capture.name) for text in seen if votes[text] == VOTES)
            yield Frame(picture, fresh)


class _Capture:
    """The grey frames of one camera or clip."""

    def __init__(self, source: str) -> None:
        self._cv2 = _opencv()
        number = int(source) if source.isdecimal() else None
        self.name = f"camera {source}" if number is not None else source
        self._opened: Any = self._cv2.VideoCapture(source if number is None else number)
        if not self._opened.isOpened():
            self._opened.release()
            raise PictureError(
                f"There is no camera {source} here, or another program uses it; plug one in, or scan a photograph."
                if number is not None
                else f"“{source}” is no clip that can be played here; name a camera by its number, or a clip's file."
            )

    def __iter__(self) -> Iterator[Any]:
        while True:
            going, frame = self._opened.read()
            if not going:
                return
            yield self._cv2.cvtColor(frame, self._cv2.COLOR_BGR2GRAY)

    def close(self) -> None:
        """Lets go of the camera."""
        self._opened.release()


def _opencv() -> Any:
    try:
        cv2: Any = import_module("cv2")
    except ImportError as error:
        raise PictureError(
            'Scanning with a camera needs OpenCV: pip install "table-companion[camera]"; or scan a photograph.'
        ) from error
    # What is wrong is said in a sentence of ours.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2
