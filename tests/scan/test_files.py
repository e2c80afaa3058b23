"""Files as telephones, scanners and programs leave them: what is read, and what is refused."""

import os
from pathlib import Path

import pytest
from PIL import Image

from companion.archive import deck_id
from companion.scan import CodeKind, PictureError, read
from labels.designs import BoxLabel
from labels.output import pdf
from labels.paper import sheet, stocks
from tests.bench import trouble
from tests.bench.photos import label, on_table, qr, seeded

BOX = deck_id.payload(deck_id.EXAMPLE)
OTHER_BOX = "DECK:0000000000000"


def test_a_jpeg_that_was_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "cut.jpg"
    table = trouble.grain(seeded("cut", 1), (600, 1200), 30)
    table.paste(qr(BOX), (100, 50))
    table.save(path, quality=90)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])
    assert [code.text for code in read(path)] == [BOX]


def test_every_picture_of_an_animation_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "boxes.gif"
    frames = [Image.new("L", qr(BOX).size, 200), qr(BOX), qr(OTHER_BOX)]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100)
    assert [code.text for code in read(path)] == [BOX, OTHER_BOX]


def test_all_boxes_on_the_pages_of_a_pdf_are_read(tmp_path: Path) -> None:
    stock = stocks.find("18294")
    texts = [deck_id.payload(deck) for deck in (deck_id.new() for _ in range(stock.count + 3))]
    run = [BoxLabel("Moss", deck_id.show(text[-13:]), text) for text in texts]
    path = tmp_path / "boxes.pdf"
    path.write_bytes(pdf.render_sheets(sheet.place_labels(run, stock), stock, pdf.Setup("Boxes")))
    assert sorted(code.text for code in read(path)) == sorted(texts)


def test_a_telephones_heic_is_read(tmp_path: Path) -> None:
    import pillow_heif

    rng = seeded("heic", 1)
    each = label(rng)
    path = tmp_path / "box.heic"
    pillow_heif.from_pillow(on_table(rng, each.at(5))[0].convert("RGB")).save(path, quality=60)
    assert [code.text for code in read(path)] == [each.text]


@pytest.mark.posix
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe.jpg"
    os.mkfifo(path)
    with pytest.raises(PictureError, match="is a pipe or a device"):
        read(path)


@pytest.mark.posix
def test_a_device_is_refused_at_once() -> None:
    with pytest.raises(PictureError, match="is a pipe or a device"):
        read("/dev/zero")


@pytest.mark.parametrize("name", ["broken.pdf", "broken.heic"])
def test_a_broken_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"%PDF-1.7 nothing" if name.endswith("pdf") else b"\0\0\0\x18ftypheic" + bytes(200))
    with pytest.raises(PictureError) as refusal:
        read(path)
    assert f"“{path}”" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_page_without_a_code_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty.gif"
    Image.new("L", (300, 200), 180).save(path)
    assert [code.kind for code in read(path)] == [CodeKind.NOTHING]
