"""Through a camera, for which a recorded clip stands: what several frames agree on is told once."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.scan import CodeKind, PictureError
from companion.scan.camera import VOTES, watch
from tests.bench import trouble
from tests.bench.photos import label, on_table, seeded

SIZE = (640, 480)
Clip = Callable[[list[Image.Image]], str]


@pytest.fixture
def clip(tmp_path: Path) -> Clip:
    """Records pictures as a clip and gives its path."""

    def record(frames: list[Image.Image]) -> str:
        path = str(tmp_path / "clip.avi")
        writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
        for frame in frames:
            writer.write(np.asarray(frame.convert("RGB").resize(SIZE)))
        writer.release()
        return path

    return record


def box(seed: int, blur: float) -> tuple[Image.Image, str]:
    rng = seeded("camera", seed)
    each = label(rng)
    return trouble.blurred(on_table(rng, each.at(4), SIZE)[0], blur), each.text


def test_a_box_that_comes_into_focus_is_told_once(clip: Clip) -> None:
    photo, text = box(1, 0.5)
    path = clip([Image.new("L", SIZE, 90), trouble.blurred(photo, 9), photo, photo, photo, photo])
    fresh = [(number, code) for number, frame in enumerate(watch(path)) for code in frame.fresh]
    assert [(number, code.text, code.kind, code.source) for number, code in fresh] == [
        (1 + VOTES, text, CodeKind.DECK, path)
    ]


def test_two_boxes_one_after_the_other_are_both_told(clip: Clip) -> None:
    (first, one), (second, two) = box(1, 0), box(2, 0)
    frames = list(watch(clip([first] * 3 + [second] * 3)))
    assert [code.text for frame in frames for code in frame.fresh] == [one, two]
    assert {frame.picture.size for frame in frames} == {SIZE}


def test_what_only_one_frame_shows_is_not_believed(clip: Clip) -> None:
    photo, _ = box(1, 0)
    assert not any(frame.fresh for frame in watch(clip([photo, Image.new("L", SIZE, 90)])))


@pytest.mark.parametrize(("source", "says"), [("9", "There is no camera 9 here"), ("missing.avi", "is no clip")])
def test_a_camera_or_clip_that_is_not_there_is_one_sentence(source: str, says: str) -> None:
    with pytest.raises(PictureError, match=says):
        next(watch(source))


def test_without_opencv_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cv2", None)
    with pytest.raises(PictureError, match=r"uv tool install \"FILE\[camera\]\""):
        next(watch("0"))
