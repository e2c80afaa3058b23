"""Pictures and PDFs that want to harm whoever opens them: bombs, loops, disguises, and what is cut short or garbled."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image

from tests.bench.photos import qr
from tests.hostile import MARKUP, STEERING
from tests.hostile.files import Maker, NamedContent, Way

_SUFFIXES: Final = ("jpg", "png", "gif", "webp", "tiff", "bmp", "heic", "pdf", "jpeg")


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    """A picture as a file."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, *chunks: bytes, bits: int = 8, colour: int = 0, rows: bytes = b"") -> bytes:
    """A PNG of that size, whatever its rows are."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def postscript(does: str = "{} loop") -> bytes:
    """A picture that a program of its own would draw, had we let Pillow choose."""
    return f"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\n%%EndComments\n{does}\n%%EOF\n".encode()


def see_through(width: int, height: int) -> bytes:
    """A PNG of a few kilobytes: one bit a pixel until somebody looks at it in colour, and sees through it."""
    colours = chunk(b"PLTE", bytes(6)) + chunk(b"tRNS", bytes(2))
    return png(width, height, colours, bits=1, colour=3, rows=bytes((width // 8 + 2) * min(height, 10_000)))


def wordy(kind: bytes, size: int, count: int) -> bytes:
    """A PNG whose packed words, or colour profile, are so many bytes and more."""
    packed = zlib.compress(bytes(size))
    content = {b"zTXt": b"k\0\0", b"iTXt": b"k\0\1\0\0\0", b"iCCP": b"p\0\0"}[kind] + packed
    return png(8, 8, *(chunk(kind, content) for _ in range(count)), rows=bytes(72))


def large_jpeg(width: int, height: int) -> bytes:
    """The beginning of a JPEG that says it is so large."""
    small = saved(Image.new("L", (8, 8)), "JPEG")
    at = small.index(b"\xff\xc0") + 5
    return small[:at] + struct.pack(">HH", height, width) + small[at + 4 :]


def many_scans(side: int, scans: int) -> bytes:
    """A progressive JPEG that draws its finest details again and again."""
    whole = saved(Image.effect_noise((64, 64), 90), "JPEG", progressive=True)
    at = whole.index(b"\xff\xc2") + 5
    whole = whole[:at] + struct.pack(">HH", side, side) + whole[at + 4 :]
    last = whole.rindex(b"\xff\xda")
    return whole[:last] + whole[last:-2] * scans + whole[-2:]


def frames(count: int, side: int = 1) -> bytes:
    """A GIF of so many pictures, each with data for a single pixel."""
    head = b"GIF89a" + struct.pack("<HH", side, side) + b"\x80\0\0" + bytes(3) + b"\xff\xff\xff"
    each = b"\x2c" + struct.pack("<HHHH", 0, 0, side, side) + b"\0\x02\x02\x44\x01\0"
    return head + each * count + b";"


def tiff(count: int, *, width: int = 1, height: int = 1, loop: bool = False, packed: bytes = b"\0") -> bytes:
    """A TIFF of so many directories, which may lead back to the first."""
    tags = {256: width, 257: height, 258: 8, 259: 1 if packed == b"\0" else 8, 262: 1, 273: 8, 278: height}
    entries = [struct.pack("<HHII", tag, 4, 1, value) for tag, value in {**tags, 279: len(packed)}.items()]
    start, size = 8 + len(packed), 2 + 12 * len(entries) + 4
    each = struct.pack("<H", len(entries)) + b"".join(entries)
    after = [start + number * size for number in range(1, count)] + [start if loop else 0]
    return b"II*\0" + struct.pack("<I", start) + packed + b"".join(each + struct.pack("<I", place) for place in after)


def pdf(objects: Sequence[bytes], root: int = 1) -> bytes:
    """A PDF of these objects, numbered from 1."""
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    return (
        body
        + head
        + rows
        + b"trailer<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (
            len(objects) + 1,
            root,
            len(body),
        )
    )


def stream(content: bytes, head: bytes = b"") -> bytes:
    """An object that is a stream."""
    return b"<<%s/Length %d>>stream\n" % (head, len(content)) + content + b"\nendstream"


def one_page(*objects: bytes, content: bytes = b"", resources: bytes = b"", box: bytes = b"0 0 200 200") -> bytes:
    """A PDF with a page; further objects are numbered from 5 on."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources<<%s>>>>" % (box, resources)
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return pdf((b"<</Type/Catalog/Pages 2 0 R>>", pages, page, stream(content), *objects))


def _form(content: bytes, resources: bytes = b"") -> bytes:
    return stream(content, b"/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<<%s>>" % resources)


def _nest(first: int, levels: int, times: int) -> list[bytes]:
    """Forms from that number on, each of which draws the next one so many times."""
    content = b"/F Do " * times
    return [_form(content, b"/XObject<</F %d 0 R>>" % at) for at in range(first + 1, first + levels)] + [
        _form(b"0 0 9 9 re f")
    ]


def nested_forms(levels: int = 12, times: int = 8) -> bytes:
    """A page whose form draws a form so many times, which draws a form so many times …"""
    return one_page(*_nest(5, levels, times), content=b"/F Do", resources=b"/XObject<</F 5 0 R>>")


def some_nested_pages(good: int, bad: int, picture: Image.Image, levels: int = 12) -> bytes:
    """Pages with a picture, and after them such as cannot be drawn in time."""
    seen = picture.convert("L")
    image = stream(
        zlib.compress(seen.tobytes()),
        b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode"
        % seen.size,
    )
    first = 6 + levels
    kids = b" ".join(b"%d 0 R" % (first + number) for number in range(good + bad))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents %d 0 R/Resources<</XObject<</P 5 0 R/F 6 0 R>>>>"
    page += b">>"
    return pdf(
        (
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, good + bad),
            stream(b"200 0 0 200 0 0 cm /P Do"),
            stream(b"/F Do"),
            image,
            *_nest(6, levels, 8),
            *(page % (3 if number < good else 4) for number in range(good + bad)),
        )
    )


def many_pages(count: int) -> bytes:
    """A PDF that has the same page so many times."""
    kids = b"3 0 R " * count
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 20 20]>>"
    return pdf((b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count), page))


def round_tree(count: int = 5) -> bytes:
    """A PDF whose page tree holds itself, and says it has so many pages."""
    tree = b"<</Type/Pages/Kids[%s]/Parent 2 0 R/Count %d>>"
    return pdf((b"<</Type/Catalog/Pages 2 0 R>>", tree % (b"3 0 R 3 0 R", count), tree % (b"2 0 R 2 0 R", count)))


def picture_page(width: int, height: int, head: bytes = b"") -> bytes:
    """A PDF with a picture of that size, which is nothing but zeros."""
    packed = zlib.compress(zlib.compress(bytes(min(width * height, 30_000_000))))
    image = stream(
        packed,
        b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray"
        b"/Filter[/FlateDecode/FlateDecode]%s" % (width, height, head),
    )
    return one_page(image, content=b"200 0 0 200 0 0 cm /P Do", resources=b"/XObject<</P 5 0 R>>")


def tiles(step: bytes = b"0.001") -> bytes:
    """A page filled with a pattern of tiles too small to see."""
    pattern = stream(
        b"0 0 1 1 re f",
        b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep %s/YStep %s/Resources<<>>"
        % (step, step),
    )
    content = b"/Pattern cs /T scn 0 0 200 200 re f"
    return one_page(pattern, content=content, resources=b"/Pattern<</T 5 0 R>>")


def _any_picture(rng: random.Random) -> tuple[str, bytes]:
    kind = rng.choice(("JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "HEIF", "PDF", "AVIF"))
    size = rng.randint(1, 400), rng.randint(1, 400)
    picture = rng.choice((Image.effect_noise(size, rng.randint(1, 200)), qr("DECK:0000000000000")))
    if kind == "HEIF":
        import pillow_heif

        file = io.BytesIO()
        pillow_heif.from_pillow(picture.convert("RGB")).save(file, quality=50)
        return "heic", file.getvalue()
    return kind.lower(), saved(picture.convert("RGB"), kind)


def _cut(rng: random.Random) -> bytes:
    _, whole = _any_picture(rng)
    return whole[: rng.randrange(len(whole))]


def _garbled(rng: random.Random) -> bytes:
    whole = bytearray(_any_picture(rng)[1])
    for _ in range(rng.choice((1, 3, 30, 300))):
        whole[rng.randrange(len(whole) if rng.random() < 0.5 else min(200, len(whole)))] = rng.randrange(256)
    return bytes(whole)


_HEADS: Final = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"GIF89a",
    b"RIFF\xff\xff\xff\x7fWEBPVP8X",
    b"II*\0",
    b"MM\0*",
    b"BM",
    b"\0\0\0\x18ftypheic",
    b"\0\0\0\x18ftypavif",
    b"%PDF-1.7\n",
    b"8BPS",
    b"P6 99999 99999 255\n",
    b"\0\0\1\0",
    b"PK\3\4",
)
_OTHERS: Final = ("EPS", "PPM", "TGA", "ICO", "JPEG2000", "PCX", "SGI", "DDS", "IM", "MSP", "XBM")


def _head_alone(rng: random.Random) -> bytes:
    return rng.choice(_HEADS) + rng.randbytes(rng.choice((0, 10, 500, 50_000)))


def _says_harm(rng: random.Random) -> bytes:
    text = "".join(rng.choice((*STEERING, *MARKUP, "Moss")) for _ in range(rng.randint(1, 8)))
    return saved(qr(rng.choice(("", "DECK:", "DECKP:")) + text), "PNG")


def _other(rng: random.Random) -> bytes:
    """What Pillow could read as well, and nobody has promised."""
    kind = rng.choice(_OTHERS)
    return saved(Image.new("1" if kind in ("MSP", "XBM") else "RGB", (64, 64)), kind)


def exif(rng: random.Random) -> bytes:
    """A JPEG of a code whose Exif says that it has millions of values, or leads in a circle."""
    named = (0x0112, 0x8769, 0x8825, 0x927C)
    tags = b"".join(
        struct.pack("<HHII", rng.choice((*named, tag)), rng.randint(0, 14), 1 << rng.randint(0, 31), 8)
        for tag in range(rng.choice((1, 50, 5000)))
    )
    header = b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", len(tags) // 12) + tags + struct.pack("<I", 8)
    whole = saved(qr("DECK:0000000000000"), "JPEG")
    return whole[:2] + b"\xff\xe1" + struct.pack(">H", len(header[:65000]) + 2) + header[:65000] + whole[2:]


def _profile(rng: random.Random) -> bytes:
    noise = rng.randbytes(9_000_000 if rng.random() < 0.2 else 60_000)
    return saved(Image.new("RGB", (50, 50)), rng.choice(("JPEG", "PNG", "TIFF", "WEBP")), icc_profile=noise)


def _words(rng: random.Random) -> bytes:
    return wordy(rng.choice((b"zTXt", b"iTXt")), rng.choice((900_000, 200_000_000)), rng.choice((1, 90)))


def _claimed(rng: random.Random) -> bytes:
    """A PNG that says how many pictures it has, and has one."""
    return png(8, 8, chunk(b"acTL", struct.pack(">II", rng.choice((2**31 - 1, 2**32 - 1, 50)), 0)), rows=bytes(72))


def _deep(rng: random.Random) -> bytes:
    side = rng.choice((5_000, 6_000, 10_000))
    return png(side, side, bits=16, colour=rng.choice((2, 6)), rows=bytes(side * side))


def _grey(rng: random.Random) -> bytes:
    side = rng.choice((9_000, 11_000, 60_000))
    return png(side, side, rows=bytes(rng.choice((1_000_000, 130_000_000))))


def _wide_tiff(rng: random.Random) -> bytes:
    side = rng.choice((9_000, 60_000))
    return tiff(1, width=side, height=side, packed=zlib.compress(bytes(81_000_000)))


def form_in_itself() -> bytes:
    """A page whose form draws itself, twice."""
    inner = b"/XObject<</F 5 0 R>>"
    return one_page(_form(b"/F Do /F Do", inner), content=b"/F Do", resources=inner)


_SIZES: Final = ((7200, 7000), (5000, 5000), (40_000, 40_000), (100_000, 900))
_BOXES: Final = (b"0 0 1e9 1e9", b"0 0 1e-9 1e9", b"0 0 nan nan", b"0 0 -5 -5", b"0 0 14400 1")
_IMAGES: Final = ((9_000, 9_000), (60_000, 60_000), (2**31 - 1, 1), (30_000, 1_000))
_LARGE: Final = ((65_500, 65_500), (12_000, 10_001), (9_000, 9_000))

_MAKERS: Final[dict[str, Callable[[random.Random], bytes]]] = {
    "PostScript": lambda rng: postscript(rng.choice(("{} loop", "(x) print flush", "(%pipe%id) (r) file"))),
    "a see-through bomb": lambda rng: see_through(*rng.choice(_SIZES)),
    "a grey bomb": _grey,
    "a deep bomb": _deep,
    "words in a PNG": _words,
    "a profile bomb": lambda rng: wordy(b"iCCP", rng.choice((900_000, 200_000_000)), 1),
    "a profile of noise": _profile,
    "Exif": exif,
    "many frames in a GIF": lambda rng: frames(rng.choice((41, 5_000, 300_000)), rng.choice((1, 1, 60_000, 4_000))),
    "many frames in a TIFF": lambda rng: tiff(rng.choice((41, 5_000, 50_000)), loop=rng.random() < 0.5),
    "a TIFF bomb": _wide_tiff,
    "frames that are claimed": _claimed,
    "a large JPEG": lambda rng: large_jpeg(*rng.choice(_LARGE)),
    "scans in a JPEG": lambda rng: many_scans(rng.choice((64, 4_000, 9_000)), rng.choice((50, 2_000))),
    "cut short": _cut,
    "garbled": _garbled,
    "a head alone": _head_alone,
    "a code that says harm": _says_harm,
    "another format": _other,
    "noise": lambda rng: rng.randbytes(rng.choice((0, 1, 1000, 1_000_000))),
    "nested forms": lambda rng: nested_forms(rng.randint(9, 14), rng.randint(8, 12)),
    "nested forms on some pages": lambda rng: some_nested_pages(1, rng.randint(1, 3), qr("DECK:0000000000000")),
    "a form in itself": lambda _: form_in_itself(),
    "many pages": lambda rng: many_pages(rng.choice((41, 3000, 100_000))),
    "a page tree in itself": lambda rng: round_tree(rng.choice((1, 5, 2_000_000_000))),
    "a page of miles": lambda rng: one_page(content=b"0 0 9 9 re f", box=rng.choice(_BOXES)),
    "a picture bomb in a PDF": lambda rng: picture_page(*rng.choice(_IMAGES)),
    "tiles": lambda rng: tiles(rng.choice((b"0.001", b"0.00001", b"0", b"1e-30"))),
    "brackets": lambda rng: one_page(content=b"[" * rng.choice((1000, 2_000_000)) + b"q " * 500_000),
    "objects in objects": lambda rng: pdf((b"<</A " * rng.choice((500, 1_000_000)), b"[" * 300_000)),
    "a content bomb": lambda rng: one_page(content=b"0 0 200 200 re f\n" * rng.choice((1_000, 400_000))),
}


def _named(make: Callable[[random.Random], bytes]) -> Maker:
    """Makes files under any name: what is in a file tells what it is."""
    return lambda rng: NamedContent(f"photo.{rng.choice(_SUFFIXES)}", make(rng))


KINDS: Final[dict[str, Maker]] = {kind: _named(make) for kind, make in _MAKERS.items()}
"""What makes a file of each kind."""


def fits(name: str, way: str) -> bool:  # noqa: ARG001 – which texts have
    """Whether a file is read by a way in: a picture by each, whatever it is called."""
    return True


@contextmanager
def ways(folder: Path) -> Iterator[Mapping[str, Way]]:
    """All ways in that a picture has: three commands, a camera's clip, the screen, a phone."""
    # What the commands, the screens and the server need is loaded by who goes through them.
    from tests.hostile import picture_ways

    with picture_ways.opened(folder) as opened:
        yield opened
