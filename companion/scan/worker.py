"""The child process that opens pictures: photographs, animations, PDFs and clips, and reads each frame or page."""

import math
import stat
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final, Literal, NamedTuple, cast

from PIL import Image, ImageDraw, ImageFile, ImageFont, UnidentifiedImageError

from companion.scan import film, problems
from companion.scan.label_search import QUICK_PLACES, SearchLeft, find_labels, measure_blur
from companion.scan.picture import read_codes
from labels.sandbox import BadFile, ChildReply, Message, serve
from labels.typesetting import font_files

_FORMATS: Final = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF")
"""The formats of telephones and scanners, besides HEIC and PDF. Pillow could open more: PostScript starts a program."""
_PHOTOS: Final = ("HEIF", "AVIF")
_PHOTO_HEADS: Final = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis", b"avif")
_MAX_HEAD_PIXELS: Final = 120_000_000
"""Maximum pixels in a header; the rest of a large JPEG is never decoded, but six bytes of each pixel are kept."""
_MEMORY: Final = 400_000_000
"""Maximum bytes for a decoded picture and its copies, also on systems that do not count a process's memory."""
_GREY, _COLOURED, _TRANSPARENT = 2, 5, 14
"""Bytes that each pixel takes in all until it is grey."""
_FINE_ENOUGH: Final = (4000, 4000)
"""A larger picture is reduced as far as it stays above these edges (pixels), which saves memory."""
_MAX_FRAMES: Final = 40
"""Maximum frames or pages that are read; boxes are not filmed for longer in a picture."""
_DPI, _POINTS = 200, 72
_MAX_PAGE_EDGE: Final = 4000


class Pictures(NamedTuple):
    """The pictures in a file, in grey levels, transparent parts white.

    `of` is their number, `left_out` that of further ones. Pictures that are `apart` can be read without the ones
    before.
    """

    each: Iterator[Image.Image]
    of: int
    left_out: int
    apart: bool


@contextmanager
def open_pictures(path: Path, *, first: int = 0, photo: bool = False) -> Iterator[Pictures]:
    """Open the pictures in the file at `path`, from the `first` on; a `photo` is from a telephone, and no PDF.

    Raises BadFile, also while they are read.
    """
    with _translate_errors():
        _check_file(path)
        with path.open("rb") as file:
            head = file.read(1024)
        is_pdf = b"%PDF-" in head
        if is_pdf and photo:
            raise BadFile(problems.PDF_FOR_CODE)
        with (_pages if is_pdf else _frames)(path, head) as (picture, there):
            of = min(there, _MAX_FRAMES)
            yield Pictures(map(picture, range(first, of)), of, there - of, apart=is_pdf)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate all errors of a file to BadFile."""
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; the limit is checked below.
            warnings.simplefilter("ignore")
            yield
    except (BadFile, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise _too_large(_MAX_HEAD_PIXELS) from error
    except UnidentifiedImageError as error:
        raise BadFile(problems.NO_PICTURE) from error
    except FileNotFoundError as error:
        raise BadFile(problems.MISSING) from error
    except IsADirectoryError as error:
        raise BadFile(problems.DIRECTORY) from error
    except PermissionError as error:
        raise BadFile(problems.FORBIDDEN) from error
    except Exception as error:
        # Decoders raise anything for files that are truncated or garbled.
        if isinstance(error, OSError) and error.strerror:
            raise BadFile(f"{problems.UNREAD} {error.strerror}") from error
        raise BadFile(problems.DAMAGED) from error


def _check_file(path: Path) -> None:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError
    if not stat.S_ISREG(mode):
        # Reading from one may block forever.
        raise BadFile(problems.NO_FILE)


_Nth = tuple[Callable[[int], Image.Image], int]
"""A function that returns a picture by its number, from 0 on, and the number of pictures."""


@contextmanager
def _open_photo(path: Path, head: bytes) -> Iterator[Image.Image]:
    """Open a picture and read only its header."""
    formats: tuple[str, ...] = _FORMATS
    if head[4:8] == b"ftyp" and head[8:12] in _PHOTO_HEADS:
        formats = _PHOTOS
        from pillow_heif import register_heif_opener

        register_heif_opener()
    with Image.open(path, formats=formats) as picture:
        if picture.width * picture.height > _MAX_HEAD_PIXELS:
            raise _too_large(_MAX_HEAD_PIXELS)
        yield picture


@contextmanager
def _frames(path: Path, head: bytes) -> Iterator[_Nth]:
    """Open the frames of an animation, or the only picture."""
    with _open_photo(path, head) as picture:

        def frame(number: int) -> Image.Image:
            picture.seek(number)
            return _grey(picture)

        # The second picture of a telephone's MPO is the same, for the other eye.
        yield frame, getattr(picture, "n_frames", 1) if picture.format != "MPO" else 1


def _grey(picture: Image.Image) -> Image.Image:
    picture.draft("L", _FINE_ENOUGH)
    transparent = picture.has_transparency_data
    coloured = _COLOURED if picture.mode not in ("1", "L", "P") else _GREY
    most = _MEMORY // (_TRANSPARENT if transparent else coloured)
    if picture.width * picture.height > most:
        raise _too_large(most)
    if picture.format in ("JPEG", "MPO"):
        _load_truncated(picture)
    if transparent:
        seen = picture.convert("RGBA")
        grey = Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("L")
    else:
        grey = picture.convert("L")
    finer = min(edge // enough for edge, enough in zip(grey.size, _FINE_ENOUGH, strict=True))
    return grey.reduce(finer) if finer > 1 else grey


def _load_truncated(picture: Image.Image) -> None:
    """Load a JPEG, also a truncated one: missing parts stay grey."""
    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True
    try:
        picture.load()
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


@contextmanager
def _pages(path: Path, _: bytes) -> Iterator[_Nth]:
    """Open the pages of a PDF, fine enough for the smallest label."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise BadFile(problems.LOCKED_PDF) from error
    with document:

        def render(number: int) -> Image.Image:
            page = document[number]
            scale = min(_DPI / _POINTS, _MAX_PAGE_EDGE / max(*page.get_size(), 1))
            picture: Image.Image = page.render(scale=scale, grayscale=True).to_pil().convert("L")
            page.close()
            return picture

        yield render, len(document)


def _too_large(most: int) -> BadFile:
    return BadFile(f"{problems.TOO_LARGE} {most // 1_000_000}")


_ORIENTATION: Final = 0x0112
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""The transposition that turns a picture upright, by its EXIF orientation."""


@contextmanager
def _upright_photo(path: Path, mode: Literal["L", "RGB"], pixels: int) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """Open a photograph, upright and reduced to about this many pixels, with its original size. Raises BadFile."""
    with _translate_errors():
        _check_file(path)
        with path.open("rb") as file:
            head = file.read(1024)
        if b"%PDF-" in head:
            raise BadFile(problems.PDF_FOR_SPREAD)
        with _open_photo(path, head) as photo:
            size, turn = photo.size, _TURNS.get(photo.getexif().get(_ORIENTATION, 1))
            smaller = max(1, round(math.sqrt(size[0] * size[1] / pixels)))
            photo.draft(mode, (size[0] // smaller, size[1] // smaller))
            if photo.width * photo.height > _MEMORY // _COLOURED:
                raise _too_large(_MEMORY // _COLOURED)
            if photo.format in ("JPEG", "MPO"):
                _load_truncated(photo)
            copy = photo.convert(mode)
        left = round(math.sqrt(copy.width * copy.height / pixels))
        copy = copy.reduce(left) if left > 1 else copy
        yield copy.transpose(turn) if turn is not None else copy, size if turn in _UPRIGHT else size[::-1]


def read_spread(path: Path, *, quickly: bool = False) -> ChildReply:
    """Read the labels in one photograph; the answer has its size, upright and in its own pixels. Raises BadFile.

    `quickly` gives up early on a photograph that seems to show none.
    """
    with _upright_photo(path, "L", _SPREAD_PIXELS) as (grey, size):
        times = size[0] / grey.width
        try:
            coded_labels = find_labels(grey, QUICK_PLACES) if quickly else find_labels(grey)
        except SearchLeft:
            return ChildReply({"width": size[0], "height": size[1], "labels": [], "search_left": True})
        labels = [
            [number, [[round(x * times, 1), round(y * times, 1)] for x, y in corners]]
            for number, corners in coded_labels
        ]
        blur = round(measure_blur(grey, coded_labels), 2)
    return ChildReply({"width": size[0], "height": size[1], "labels": labels, "blur": blur})


Frame = tuple[list[tuple[float, float]], str, str]
"""The corners of a code in pixels of its photograph, its name, and the colour of its frame, as `#RRGGBB`."""


def draw_frames(path: Path, frames: Sequence[Frame], room: tuple[int, int]) -> ChildReply:
    """Draw a photograph with codes framed and named.

    The answer is a PNG, or, with a `room` of dots across and down, the colours of those, from the top left on. Raises
    BadFile.
    """
    with _upright_photo(path, "RGB", _DRAWN_PIXELS) as (picture, size):
        times = picture.width / size[0]
        pen = ImageDraw.Draw(picture)
        for corners, name, colour in frames:
            points = [(x * times, y * times) for x, y in corners]
            side = max(8.0, math.dist(points[0], points[1]))
            pen.polygon(points, outline=colour, width=max(2, round(side / 9)))
            font = ImageFont.truetype(BytesIO(font_files.family_font("bold")), max(11, round(side * 0.42)))
            middle = sum(x for x, _ in points) / 4, max(y for _, y in points) + side * 0.12
            box = pen.textbbox(middle, name, font, anchor="ma")
            pen.rectangle((box[0] - 3, box[1] - 2, box[2] + 3, box[3] + 2), fill=colour)
            pen.text(middle, name, "#FFFFFF", font, anchor="ma")
        if all(room):
            picture.thumbnail(room, Image.Resampling.BOX)
            return ChildReply({"width": picture.width, "height": picture.height}, picture.tobytes())
        out = BytesIO()
        picture.save(out, "PNG")
    return ChildReply({"width": picture.width, "height": picture.height}, out.getvalue())


_UPRIGHT: Final = (
    None,
    Image.Transpose.FLIP_LEFT_RIGHT,
    Image.Transpose.ROTATE_180,
    Image.Transpose.FLIP_TOP_BOTTOM,
)
_DRAWN_PIXELS: Final = 4_000_000
_SPREAD_PIXELS: Final = 12_000_000
"""Pixels in which labels are searched for: a larger photograph is reduced to about this size."""


def work(job: Message) -> Iterator[ChildReply]:
    """Yield the answers to a job. Raises BadFile."""
    if "spread" in job:
        yield read_spread(Path(str(job["spread"])), quickly=bool(job["quickly"]))
        return
    if "frames" in job:
        room = cast("list[int]", job["room"])
        yield draw_frames(Path(str(job["drawn"])), cast("Sequence[Frame]", job["frames"]), (room[0], room[1]))
        return
    if "clip" in job:
        yield from film.play_clip(str(job["clip"]))
        return
    first = job["first"]
    assert isinstance(first, int)
    with open_pictures(Path(str(job["path"])), first=first, photo=bool(job["photo"])) as pictures:
        yield ChildReply({"of": pictures.of, "left_out": pictures.left_out, "apart": pictures.apart})
        for picture in pictures.each:
            texts, broken = read_codes(picture)
            yield ChildReply({"texts": [*texts], "broken": broken})


if __name__ == "__main__":
    serve(work)
