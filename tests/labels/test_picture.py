"""Pictures on paper: seen as they are, kept once in the file, and refused by name where they cannot be printed."""

from pathlib import Path

import msgspec
import pytest
from PIL import Image

from labels.drawing import picture
from labels.drawing.ink import Ink
from labels.drawing.picture import LabelPictureError
from labels.geometry import Box
from labels.output import pdf
from labels.paper import sheet, stocks
from tests.labels.paper import Paper

STOCK = stocks.find("94102")


class Photo(msgspec.Struct, frozen=True):
    """A label that is a picture."""

    file: str
    title: str = "A photo"

    def draw(self, ink: Ink, die: Box) -> None:
        seen = picture.inspect_picture(self.file)
        width, height = seen.inside(die.inset(6))
        ink.picture(Box(die.x + 6, die.y + 6, width, height), seen, "A photo")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    Image.linear_gradient("L").resize((900, 300)).save(path)
    return path


def _document(*labels: Photo) -> bytes:
    return pdf.render_sheets(sheet.place_labels(labels, STOCK), STOCK, pdf.Setup("Photos"))


def test_a_picture_is_stored_once_under_whatever_name(file: Path) -> None:
    twin = file.with_name("twin.png")
    twin.write_bytes(file.read_bytes())
    document = _document(*[Photo(str(file), f"Number {number}") for number in range(7)], Photo(str(twin)))
    assert document.count(b"/Subtype /Image") == 1


def test_a_picture_is_seen_where_it_lies_in_its_own_proportions(file: Path) -> None:
    die = STOCK.box(1)
    ink = Paper(_document(Photo(str(file))), 150).ink(die)
    assert ink is not None
    assert ink.x == pytest.approx(die.x + 6, abs=1)
    assert ink.width == pytest.approx(die.width - 12, abs=1)
    assert ink.top <= die.y + 6 + (die.width - 12) / 3 + 1


def test_no_more_pixels_are_kept_than_paper_shows(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    Image.effect_noise((2000, 1000), 80).save(path)
    assert len(_document(Photo(str(path)))) < path.stat().st_size / 4


def test_what_is_transparent_is_paper(tmp_path: Path) -> None:
    path = tmp_path / "clear.png"
    Image.new("RGBA", (30, 30), (0, 0, 0, 0)).save(path)
    assert Paper(_document(Photo(str(path))), 72).ink(STOCK.box(1)) is None


def test_a_photo_taken_on_its_side_stands_upright(tmp_path: Path) -> None:
    path, turned = tmp_path / "side.jpg", Image.Exif()
    turned[0x0112] = 6
    Image.new("L", (40, 20)).save(path, exif=turned)
    seen = picture.inspect_picture(str(path))
    assert (seen.width, seen.height) == (20, 40)
    kept = picture.load_pixels(seen, 10, 20)
    assert (kept.width, kept.height) == (10, 20)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "There is no picture “.*x[.]png”"),
        (b"", "is no picture that can be printed"),
        (b"%PDF-1.7", "is no picture that can be printed; PNG, JPEG, WebP, GIF and SVG can."),
        (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "x[.]png” is"),
    ],
)
def test_what_is_no_picture_is_refused_by_name(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "x.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LabelPictureError, match=says):
        picture.inspect_picture(str(path))


def test_a_picture_cut_short_is_refused_when_it_is_drawn(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(LabelPictureError, match=r"photo\.png” is damaged"):
        _document(Photo(str(file)))


@pytest.mark.parametrize("side", [8_000, 14_000])
def test_a_picture_with_too_many_pixels_is_refused_unread(tmp_path: Path, side: int) -> None:
    path = tmp_path / "bomb.png"
    Image.new("1", (side, side)).save(path)
    with pytest.raises(LabelPictureError, match=r"bomb\.png” has more than 50 million pixels; save it smaller"):
        picture.inspect_picture(str(path))
