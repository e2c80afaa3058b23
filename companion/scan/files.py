"""Pictures as they lie on a disk: photographs of every kind, animations frame by frame, PDFs page by page.

Separate because it alone knows files and what can be wrong with them.
"""

import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageFile, UnidentifiedImageError

from companion.archive import open_files
from companion.scan.code import PictureError

# A decoded picture takes up to four bytes a pixel; beyond this size it is a mistake or a trap.
_MOST_PIXELS = 100_000_000
# A larger JPEG is decoded no finer than it has to be to stay above these edges (pixels), which saves time and memory.
_FINE_ENOUGH = (4000, 4000)
_PHOTOS = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF")
"""What telephones save, besides HEIC. Not all that can be opened is for strangers: PostScript starts a program."""
_MOST_OF_A_PHOTO = 50_000_000
"""Pixels of a stranger's picture once it is decoded, which takes up to 16 bytes for each: less than a gigabyte."""
_MOST_IN_ITS_HEAD = 120_000_000
"""Pixels that the head of such a picture may name; the rest of a JPEG is never decoded, but six bytes each are kept."""
_MOST_FRAMES = 40
"""Frames or pages that are looked at; a box is not filmed for longer in a picture."""
_DPI, _POINTS = 200, 72
_MOST_PAGE = 4000
_HEIC = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis", b"avif")


class Page(NamedTuple):
    """One picture of a file in grey levels, transparent parts white; of how many, and how many more are left out."""

    picture: Image.Image
    of: int
    left_out: int


def pictures(path: Path, *, photo: bool = False) -> Iterator[Page]:
    """What is to be seen in the file at `path`, one after the other.

    A stranger's `photo` is only what telephones save, and not so large that a gigabyte would not be enough for it,
    whatever its system lets a process have. Raises PictureError.
    """
    with _refusals(path):
        _check_file(path)
        with path.open("rb") as file:
            head = file.read(1024)
        is_pdf = b"%PDF-" in head
        if is_pdf and photo:
            raise PictureError(f"“{path}” is a PDF; take a photo of the code instead.")
        for picture, there in islice(_pages(path) if is_pdf else _frames(path, head, photo), _MOST_FRAMES):
            of = min(there, _MOST_FRAMES)
            yield Page(picture, of, there - of)


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Whatever goes wrong with a file as one sentence."""
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; whether one is too large is decided below.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            yield
    except PictureError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large(path, _MOST_PIXELS) from error
    except UnidentifiedImageError as error:
        raise PictureError(f"“{path}” is not a picture that can be read here; save it as PNG or JPEG.") from error
    except FileNotFoundError as error:
        raise PictureError(f"“{path}” does not exist.") from error
    except IsADirectoryError as error:
        raise PictureError(f"“{path}” is a directory; name the pictures in it.") from error
    except PermissionError as error:
        raise PictureError(f"“{path}” may not be read by you.") from error
    except (OSError, SyntaxError, ValueError) as error:
        # This is what Pillow's decoders raise for files that are cut short or garbled.
        raise PictureError(f"“{path}” is a damaged picture ({error}); take or copy it again.") from error


def _check_file(path: Path) -> None:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError
    if not stat.S_ISREG(mode):
        # Whoever reads from one may wait for ever.
        raise PictureError(f"“{path}” is a pipe or a device and no file; save the picture as a file.")
    if open_files.is_open(path):
        raise PictureError(f"“{path}” is an archive and no picture.")


def _frames(path: Path, head: bytes, photo: bool) -> Iterator[tuple[Image.Image, int]]:
    """The pictures of an animation, or the only one there is; beside each, how many there are."""
    formats: tuple[str, ...] | None = _PHOTOS if photo else None
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC:
        formats = ("HEIF",) if photo else None
        from pillow_heif import register_heif_opener

        register_heif_opener()
    most = _MOST_OF_A_PHOTO if photo else _MOST_PIXELS
    with Image.open(path, formats=formats) as picture:
        if photo and picture.width * picture.height > _MOST_IN_ITS_HEAD:
            raise _too_large(path, _MOST_IN_ITS_HEAD)
        # The second picture of a telephone's MPO is the same again, for the other eye.
        several = getattr(picture, "n_frames", 1) if picture.format != "MPO" else 1
        for number in range(several):
            picture.seek(number)
            yield _grey(path, picture, most), several


def _grey(path: Path, picture: Image.Image, most: int) -> Image.Image:
    picture.draft("L", _FINE_ENOUGH)
    if picture.width * picture.height > most:
        raise _too_large(path, most)
    if picture.format in ("JPEG", "MPO"):
        _load_what_there_is(picture)
    if picture.has_transparency_data:
        coloured = picture.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured).convert("L")
    return picture.convert("L")


def _load_what_there_is(picture: Image.Image) -> None:
    """Loads a JPEG, also one that was cut short on its way: what is missing stays grey."""
    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True
    try:
        picture.load()
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _pages(path: Path) -> Iterator[tuple[Image.Image, int]]:
    """The pages of a PDF, fine enough for the smallest label; beside each, how many there are."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise PictureError(
            f"“{path}” is a PDF that cannot be opened ({error}); save it again, without a password."
        ) from error
    with document:
        for page in document:
            scale = min(_DPI / _POINTS, _MOST_PAGE / max(*page.get_size(), 1))
            yield page.render(scale=scale, grayscale=True).to_pil().convert("L"), len(document)


def _too_large(path: Path, most: int) -> PictureError:
    return PictureError(f"“{path}” is larger than {most // 1_000_000} million pixels; save it smaller.")
