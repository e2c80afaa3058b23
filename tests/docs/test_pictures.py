"""The pictures in the documents: the script draws every one that they show, the same on every machine."""

import re
from pathlib import Path

import pytest

from tests.docs.documents import DOCS, all_documents
from tests.docs.pictures import SCENES, draw


def test_the_script_draws_every_picture_that_the_documents_show() -> None:
    shown = {
        name for path in all_documents() for name in re.findall(r"pictures/([\w-]+\.svg)", path.read_text("utf-8"))
    }
    assert shown == set(SCENES) == {path.name for path in (DOCS / "pictures").iterdir()}


@pytest.mark.parametrize("name", SCENES)
async def test_a_picture_can_be_drawn_anew_and_says_nothing_of_the_machine(name: str, tmp_path: Path) -> None:
    await draw(name, tmp_path)
    drawn = (tmp_path / name).read_text(encoding="utf-8")
    assert drawn.count("<text") > 10
    assert "archive.sqlite" not in drawn
