"""Pictures of boxes as telephones take them: what is read, what is told apart, what is refused."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageOps

from companion.archive import deck_id
from companion.scan import CodeKind, PictureError, read
from companion.scan.picture import read_codes
from tests.bench import trouble
from tests.bench.photos import KINDS, label, on_table, photo, qr, seeded

pytestmark = pytest.mark.slow

DECK = deck_id.EXAMPLE
BOX = f"DECK:{DECK}"
OTHER_BOX = "DECK:0000000000000"

# How bad it may be and still be read every time; of what is worse, two in three.
ALWAYS, MOSTLY = (0.0, 0.2, 0.4), (0.6, 0.8, 1.0)


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", KINDS)
def test_boxes_are_read_as_hands_and_lamps_show_them(kind: str) -> None:
    seen = {bad: photo(kind, f"test {bad}", bad) for bad in (*ALWAYS, *MOSTLY)}
    read_well = {bad for bad, photo in seen.items() if set(read_codes(photo.picture)[0]) == photo.texts}
    assert read_well >= set(ALWAYS)
    assert len(read_well) >= len(ALWAYS) + 2


def test_a_torn_label_far_away_in_a_large_picture_is_read() -> None:
    """Reduced to what can be searched in time, its modules are one and a half pixels wide."""
    rng = seeded("far away", 1)
    near = label(rng).at(8)
    torn = near.hurt(trouble.torn(rng, near.picture, near.code, 0.015))
    table, _ = on_table(rng, torn.at(2.86), (4000, 3000), turn=25)
    assert read_codes(table) == ((near.text,), False)


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[Image.Image], Path]:
    """Saves a picture as PNG and gives its path."""

    def save(picture: Image.Image) -> Path:
        path = tmp_path / "box.png"
        picture.save(path)
        return path

    return save


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "gif", "bmp", "tiff"])
def test_every_usual_kind_of_file_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"box.{suffix}"
    qr(BOX).save(path)
    (code,) = read(path)
    assert (code.source, code.kind, code.text, code.deck) == (str(path), CodeKind.DECK, BOX, DECK)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_pictures_of_every_depth_are_read(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("box.tiff" if mode == "CMYK" else "box.png")
    deep = qr(BOX).convert("I;16" if mode == "I;16" else mode)
    deep.save(path)
    assert read(path)[0].deck == DECK


def test_a_code_drawn_on_nothing_is_read_as_if_on_white(saved: Callable[[Image.Image], Path]) -> None:
    ink = qr(BOX)
    glass = Image.new("RGBA", ink.size, (0, 0, 0, 0))
    glass.paste((0, 0, 0, 255), mask=ink.point(lambda v: 255 - v))
    assert read(saved(glass))[0].deck == DECK


def test_all_boxes_in_one_picture_are_read(saved: Callable[[Image.Image], Path]) -> None:
    decks = [deck_id.new() for _ in range(6)]
    table = Image.new("L", (1200, 800), 110)
    for place, deck in enumerate(decks):
        table.paste(qr(f"DECK:{deck}", 7), (60 + place % 3 * 380, 80 + place // 3 * 380))
    assert {code.deck for code in read(saved(table))} == set(decks)


def stained(code: Image.Image, share: float) -> Image.Image:
    """A code with a stain over that share of its area, off its finder patterns."""
    hurt, side = code.copy(), (share**0.5) * code.width
    x = 0.5 * code.width
    ImageDraw.Draw(hurt).ellipse((x, x, x + side, x + side), fill=90)
    return hurt


def beside_a_sharp_one(other: Image.Image) -> Image.Image:
    table = Image.new("L", (800, 400), 110)
    table.paste(qr(BOX), (40, 60))
    table.paste(other, (450, 60))
    return table


@pytest.mark.parametrize("radius", [3, 3.5, 4.25])
def test_a_blurred_box_beside_a_sharp_one_is_looked_at_again(
    saved: Callable[[Image.Image], Path], radius: float
) -> None:
    blurred = stained(qr(OTHER_BOX), 0.025).filter(ImageFilter.GaussianBlur(radius))
    codes = read(saved(beside_a_sharp_one(blurred)))
    assert [code.text for code in codes] == [BOX, OTHER_BOX]


def test_a_ruined_code_beside_a_sharp_one_is_told(saved: Callable[[Image.Image], Path]) -> None:
    ruined = qr(OTHER_BOX)
    ruined.paste(90, (96, 96, 190, 190))
    assert [code.kind for code in read(saved(beside_a_sharp_one(ruined)))] == [CodeKind.DECK, CodeKind.UNREADABLE]


@pytest.mark.parametrize("radius", [3.5, 3.75, 4.25, 4.5, 5])
def test_a_blurred_box_never_passes_for_another_code(saved: Callable[[Image.Image], Path], radius: float) -> None:
    """Tiny kinds of QR code with little error correction can be found in any blur; they are not looked for."""
    blurred = stained(qr(OTHER_BOX), 0.03).filter(ImageFilter.GaussianBlur(radius))
    texts = {code.text for code in read(saved(beside_a_sharp_one(blurred)))}
    assert texts <= {BOX, OTHER_BOX, ""}


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("DECK:7K3M9QPX2B4T0", CodeKind.DAMAGED, "check symbol"),
        ("DECK:7K3M9QPX", CodeKind.DAMAGED, "symbols"),
        ("https://example.org/menu", CodeKind.FOREIGN, "“https://example.org/menu”"),
        ("WIFI:S:cellar;P:\x1b[2Jdice;;", CodeKind.FOREIGN, "·[2Jdice"),
        ("x" * 500, CodeKind.FOREIGN, "…"),
    ],
)
def test_damaged_and_strange_codes_are_told_apart(
    saved: Callable[[Image.Image], Path], text: str, kind: CodeKind, says: str
) -> None:
    (code,) = read(saved(qr(text, 4)))
    assert (code.kind, code.text, code.deck) == (kind, text, None)
    assert code.problem is not None
    assert says in code.problem
    assert str(code.problem).isprintable()


def test_a_code_lost_under_a_stain_is_no_missing_code(saved: Callable[[Image.Image], Path]) -> None:
    ruined = qr(BOX)
    ruined.paste(90, (96, 96, 190, 190))
    assert [code.kind for code in read(saved(ruined))] == [CodeKind.UNREADABLE]


def test_a_code_that_was_printed_inverted_on_white_is_read() -> None:
    (code,) = read(Path(__file__).parent / "pictures" / "inverted-on-white.png")
    assert (code.kind, code.deck) == (CodeKind.DECK, "G7NCSJ42EVBW6")


@pytest.mark.parametrize("page", [255, 128, 40])
@pytest.mark.parametrize("turn", [0, 90, 8])
def test_a_light_code_on_a_dark_label_is_read(saved: Callable[[Image.Image], Path], page: int, turn: int) -> None:
    """Inverted, with nothing dark about it: on white paper, on grey, on black."""
    inverted = ImageOps.invert(qr(BOX, 4, quiet=False))
    scene = Image.new("L", (600, 600), page)
    scene.paste(inverted, (250, 220))
    (code,) = read(saved(scene.rotate(turn, Image.Resampling.BICUBIC, fillcolor=page)))
    assert (code.kind, code.text) == (CodeKind.DECK, BOX)


def test_a_code_that_is_too_blurred_is_never_said_not_to_be_there(saved: Callable[[Image.Image], Path]) -> None:
    for blur in (5, 9, 14):
        scene = Image.new("L", (900, 700), 170)
        scene.paste(qr(BOX, 4), (300, 250))
        (code,) = read(saved(scene.filter(ImageFilter.GaussianBlur(blur))))
        assert code.problem is not None
        assert "closer, with more light" in code.problem


def test_pictures_without_a_code_say_so_despite_grain_or_print(saved: Callable[[Image.Image], Path]) -> None:
    for seed in range(10):
        rng = seeded("empty", seed)
        grained = trouble.noisy(rng, trouble.wood(rng, (500, 400), 60), rng.uniform(0, 80))
        assert [code.kind for code in read(saved(grained))] == [CodeKind.NOTHING]


def text_file(folder: Path) -> Path:
    path = folder / "picture.png"
    path.write_text("This is not a picture.\n", encoding="utf-8")
    return path


def cut_short(folder: Path) -> Path:
    path = folder / "cut.png"
    qr(BOX).save(path)
    path.write_bytes(path.read_bytes()[:150])
    return path


def bomb(folder: Path) -> Path:
    """A PNG of 12,000 × 12,000 pixels in 20 kB."""
    header = struct.pack(">IIBBBBB", 12_000, 12_000, 1, 0, 0, 0, 0)
    chunks = (b"IHDR" + header, b"IDAT" + zlib.compress(b"\0" * (1501 * 12_000), 9), b"IEND")
    path = folder / "bomb.png"
    body = b"".join(struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    return path


def larger_bomb(folder: Path) -> Path:
    path = bomb(folder)
    data = path.read_bytes()
    header = b"IHDR" + struct.pack(">II", 60_000, 60_000) + data[24:29]
    path.write_bytes(data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:])
    return path


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (text_file, "not a picture"),
        (cut_short, "damaged"),
        (bomb, "larger than"),
        (larger_bomb, "larger than"),
        (lambda folder: folder, "is a directory"),
        (lambda folder: folder / "missing.jpg", "does not exist"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_sentence(
    tmp_path: Path, make: Callable[[Path], Path], says: str, recwarn: pytest.WarningsRecorder
) -> None:
    path = make(tmp_path)
    with pytest.raises(PictureError) as refusal:
        read(path)
    assert says in str(refusal.value)
    assert f"“{path}”" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not recwarn
