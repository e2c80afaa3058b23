"""The pictures in the documents: scripts draw every one that they show, the same on every machine."""

import re
from pathlib import Path

import pytest
from PIL import Image

from tests.docs import design_pictures, levers, moving, pages, stock_pictures
from tests.docs.documents import DOCS, all_documents
from tests.docs.pictures import SCENES, draw
from tests.web.conftest import chromium


def test_scripts_draw_every_picture_that_the_documents_show() -> None:
    names = {
        name
        for path in all_documents()
        for name in re.findall(r"pictures/([\w-]+\.(?:svg|png|webp))", path.read_text("utf-8"))
    }
    there = {path.name for path in (DOCS / "pictures").iterdir()}
    stocks = map(stock_pictures.picture_name, stock_pictures.MAKERS)
    designs = design_pictures.groups()
    assert names == {*SCENES, *pages.SHEETS, *stocks, *designs, levers.PICTURE.name, moving.PICTURE.name} == there


def test_the_manual_shows_the_stocks_of_every_file() -> None:
    files = (Path(__file__).parents[2] / "templates/stocks").glob("*.toml")
    assert sorted(stock_pictures.MAKERS) == sorted(file.stem for file in files)
    text = (DOCS / "stocks.md").read_text(encoding="utf-8")
    assert all(f"<!-- made: stocks {maker} -->" in text for maker in stock_pictures.MAKERS)


@pytest.mark.sample(7)
@pytest.mark.parametrize("maker", stock_pictures.MAKERS)
def test_a_picture_of_stocks_shows_them_as_their_files_are(maker: str) -> None:
    committed = (DOCS / "pictures" / stock_pictures.picture_name(maker)).read_text(encoding="utf-8")
    assert committed == stock_pictures.draw_stocks(maker), "make docs draws it anew"


@pytest.mark.parametrize("name", design_pictures.groups())
def test_a_picture_shows_the_designs_of_its_group(name: str) -> None:
    group = design_pictures.groups()[name]
    with Image.open(DOCS / "pictures" / name) as committed:
        assert committed.size == design_pictures.draw_group(group).size, "python -m tests.docs.design_pictures"


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
async def test_a_picture_can_be_drawn_anew_and_says_nothing_of_the_machine(name: str, tmp_path: Path) -> None:
    await draw(name, tmp_path)
    svg = (tmp_path / name).read_text(encoding="utf-8")
    assert svg.count("<text") > 10
    assert "archive.sqlite" not in svg


@pytest.mark.parametrize("name", pages.SHEETS)
def test_a_picture_of_pages_shows_whole_screens_and_is_small(name: str) -> None:
    file, sheet = DOCS / "pictures" / name, pages.SHEETS[name]
    assert file.stat().st_size <= pages.LARGEST
    assert Image.open(file).width == sheet.across * sheet.size[0] * sheet.scale + (sheet.across - 1) * pages.GAP


@pytest.mark.slow
@pytest.mark.skipif(chromium() is None, reason="no Chromium here: apt install chromium")
async def test_a_picture_of_pages_can_be_drawn_anew(tmp_path: Path) -> None:
    name = "phone-own-seat.png"
    await pages.draw_all(tmp_path, tmp_path, (name,))
    picture, committed = Image.open(tmp_path / name), Image.open(DOCS / "pictures" / name)
    assert picture.size == committed.size
    assert (tmp_path / name).stat().st_size <= pages.LARGEST
