"""What the documents name exists: files, and the functions and classes in them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    ROOT / "docs" / "architecture.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs" / "lasting.md",
    ROOT / "docs" / "new-game.md",
    ROOT / "docs" / "releasing.md",
    ROOT / "docs" / "platforms.md",
)
_FILE = re.compile(r"`((?:companion|labels|templates|tests|docs)/[\w./<>-]*)`(?: `(\w+(?:\.\w+)?)`)?")


def named(document: Path) -> Iterator[tuple[str, str]]:
    """Each path that a document names, with the name in it that stands right behind ("" where none does)."""
    for path, name in _FILE.findall(document.read_text("utf-8")):
        if "<" not in path and "…" not in path:
            yield path, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.name))
def test_every_file_that_is_named_is_there(document: Path) -> None:
    missing = [path for path, _ in named(document) if not (ROOT / path).exists()]
    assert not missing


def test_every_name_is_in_the_file_before_it() -> None:
    strange = []
    for document in DOCUMENTS:
        for path, name in named(document):
            if name and not re.search(
                rf"\b(?:def|class)\s+{name.rpartition('.')[2]}\b", (ROOT / path).read_text("utf-8")
            ):
                strange.append(f"{document.name}: {path} has no {name}")
    assert not strange


def test_the_map_names_every_room_and_fits_on_two_screens() -> None:
    text = DOCUMENTS[0].read_text("utf-8")
    rooms = {path.parent for path in (ROOT / "companion").glob("*/__init__.py")}
    missing = [room.name for room in rooms if f"`companion/{room.name}/`" not in text]
    assert not missing
    assert len(text.splitlines()) <= 120
