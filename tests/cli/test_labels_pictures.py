"""Labels as pictures, one file for each, for the apps of label printers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from PIL import Image

from companion.archive import Archive
from labels.paper import stocks
from tests.archive.keepsake import Founded
from tests.labels import paper

Labels = Callable[..., Result]


def _pictures(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


@pytest.mark.parametrize(
    ("options", "dots", "dpi", "colours"),
    [
        (("--stock", "DK-11209"), (733, 342), 300, "1"),
        (("--stock", "50x30mm"), (400, 240), 203, "1"),
        (("--stock", "50x30mm", "--dpi", "300"), (591, 355), 300, "1"),
        (("--stock", "18294"), (525, 199), 300, "RGB"),
        (("--stock", "18294", "--ink", "black", "--dpi", "203"), (356, 134), 203, "1"),
    ],
)
def test_a_picture_has_a_pixel_for_each_dot(
    labels: Labels, options: tuple[str, ...], dots: tuple[int, int], dpi: int, colours: str
) -> None:
    result = labels("starter", "--png", "out", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("60 pictures of labels of ")
    assert _pictures("out")[:2] == ["01-swift.png", "02-sneaky.png"]
    for name in _pictures("out"):
        with Image.open(Path("out", name)) as picture:
            assert (picture.size, picture.mode, round(picture.info["dpi"][0])) == (dots, colours, dpi)
            assert len(set(picture.convert("L").tobytes())) > 1, "something is drawn"


@pytest.mark.parametrize("stock", ["DK-11209", "50x30mm", "30252", "18294"])
def test_the_code_of_a_box_is_read_from_its_picture(labels: Labels, stock: str) -> None:
    with Archive.open("archive.sqlite") as archive:
        deck = archive.found_deck("keepsake", [Founded("Grave Choir")])
    assert labels("box", "Grave Choir", "--png", "out", "--stock", stock).exit_code == 0
    with Image.open(Path("out", "01-grave-choir.png")) as picture:
        assert paper.read(picture.convert("RGB")) == [f"DECK:{deck}"]


def test_labels_that_lie_side_by_side_are_pictures_of_their_own(labels: Labels) -> None:
    twin = next(each for each in stocks.load_stocks(None).stocks if each.roll and each.count > 1)
    assert labels("blank", "3", "--png", "out", "--stock", twin.name).exit_code == 0
    assert len(_pictures("out")) == 3
    with Image.open(Path("out", _pictures("out")[0])) as picture:
        assert picture.width / picture.height == pytest.approx(twin.width / twin.height, rel=0.02)


def test_names_of_files_are_good_on_every_system(labels: Labels) -> None:
    Path("cards.csv").write_text("name,text\nCON: a/b\\c,x\n***,x\nCON: a/b\\c,x\nÄrger?,x\n", encoding="utf-8")
    assert labels("file", "cards.csv", "--png", "out").exit_code == 0
    assert _pictures("out") == ["01-con-a-b-c.png", "02.png", "03-con-a-b-c.png", "04-ärger.png"]


def test_backs_are_pictures_beside_their_fronts(labels: Labels) -> None:
    Path("cards.csv").write_text("name,text,back\nAsh,x,Burns.\nElm,x,\n", encoding="utf-8")
    result = labels("file", "cards.csv", "--png", "out")
    assert (result.exit_code, result.stderr) == (0, "")
    assert _pictures("out") == ["01-ash-back.png", "01-ash.png", "02-elm.png"]


def test_pictures_are_written_all_or_none(labels: Labels) -> None:
    Path("cards.csv").write_text("name,text\nAsh,x\nFire 🔥,x\n", encoding="utf-8")
    refused = labels("file", "cards.csv", "--png", "out")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert not Path("out").exists()


def test_pictures_that_are_there_are_not_overwritten(labels: Labels) -> None:
    Path("out").mkdir()
    Path("out", "02-sneaky.png").write_text("mine", encoding="utf-8")
    refused = labels("starter", "--png", "out")
    assert (refused.exit_code, "02-sneaky.png” exists" in refused.stderr) == (1, True)
    assert _pictures("out") == ["02-sneaky.png"]
    assert labels("starter", "--png", "out", "--force").exit_code == 0
    assert len(_pictures("out")) == 60


@pytest.mark.parametrize(
    "option",
    [
        ("-o", "a.pdf"),
        ("--print",),
        ("--printer", "office"),
        ("--preview", "a.png"),
        ("--start", "3"),
        ("--free", "3,4"),
        ("--sheet", "red"),
        ("--outlines",),
        ("--plan",),
    ],
)
def test_options_of_sheets_mean_nothing_for_pictures(labels: Labels, option: tuple[str, ...]) -> None:
    refused = labels("starter", "--png", "out", *option)
    assert (refused.exit_code, f"leave out {option[0]}." in refused.stderr) == (2, True)
    assert not Path("out").exists()


def test_pictures_need_a_folder_and_a_resolution_needs_pictures(labels: Labels) -> None:
    Path("out").write_text("", encoding="utf-8")
    refused = labels("starter", "--png", "out")
    assert (refused.exit_code, "“out” is a file; --png needs a folder." in refused.stderr) == (2, True)
    refused = labels("starter", "-o", "a.pdf", "--dpi", "203")
    assert (refused.exit_code, "give --png DIR as well" in refused.stderr) == (2, True)
